import { crc32 } from 'node:zlib'
import JsBarcode from 'jsbarcode'
import qrcode from 'qrcode-generator'
import { limits } from '../../../core/limits.ts'
import { zlibStream } from '../../ooxml/deflate.ts'
import type { BarcodeType } from '../scan/syntax.ts'

export type DrawnCode =
  | { ok: true; bytes: Uint8Array; widthEmu: number; heightEmu: number }
  | { ok: false; message: string; hint: string }

/** Word and printers smooth small pictures when they enlarge them; at 8 pixels a module the edges stay sharp. */
const pixelsPerModule = 8

/** Fixed by ISO/IEC 18004, table 7: the largest QR code at error correction M. */
const qrMaxBytes = 2_331
const qrQuietModules = 4
const barcodeQuietModules = 10

const qrSideEmu = 720_000
const barcodeModuleEmu = 3_175 * 4
const barcodeHeightEmu = 540_000

/** A QR code with error correction M and its quiet zone, as a one-bit PNG. */
export function qrImage(text: string): DrawnCode {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > qrMaxBytes) {
    return {
      ok: false,
      message: `has ${bytes.length} bytes, too many for a QR code`,
      hint: `${qrMaxBytes} are possible.`,
    }
  }
  const code = qrcode(0, 'M')
  // The library takes one character for each byte, so UTF-8 stays intact.
  code.addData(String.fromCharCode(...bytes), 'Byte')
  code.make()
  const modules = code.getModuleCount()
  const side = modules + 2 * qrQuietModules
  const isDark = (x: number, y: number) => {
    const column = x - qrQuietModules
    const row = y - qrQuietModules
    return column >= 0 && row >= 0 && column < modules && row < modules && code.isDark(row, column)
  }
  return { ok: true, bytes: encodePng(side, side, isDark), widthEmu: qrSideEmu, heightEmu: qrSideEmu }
}

/** A linear barcode of bars only, with its quiet zone, as a one-bit PNG. */
export function barcodeImage(text: string, symbology: BarcodeType): DrawnCode {
  const refused: DrawnCode = {
    ok: false,
    message: `cannot be written as a ${symbology} barcode`,
    hint: 'Check its characters, its length and its check digit, or choose another type.',
  }
  if (text.length > limits.barcodeChars) return refused
  const target: { encodings?: { data: string }[] } = {}
  let isValid = true
  try {
    JsBarcode(target, text, { format: symbology.toUpperCase(), flat: true, valid: (valid) => (isValid = valid) })
  } catch {
    return refused
  }
  const bars = (target.encodings ?? []).map(({ data }) => data).join('')
  if (!isValid || bars === '') return refused
  const width = bars.length + 2 * barcodeQuietModules
  const isDark = (x: number) => bars[x - barcodeQuietModules] === '1'
  const widthEmu = width * barcodeModuleEmu
  return { ok: true, bytes: encodePng(width, 1, isDark), widthEmu, heightEmu: barcodeHeightEmu }
}

/** A black and white PNG (ISO/IEC 15948), one bit a pixel, each module `pixelsPerModule` pixels wide and high. */
function encodePng(columns: number, rows: number, isDark: (x: number, y: number) => boolean): Uint8Array {
  const width = columns * pixelsPerModule
  const height = rows * pixelsPerModule
  const stride = 1 + Math.ceil(width / 8)
  const pixels = new Uint8Array(stride * height)
  // With eight pixels a module and eight bits a byte, a module is one byte. The other seven lines of a row of modules
  // repeat the first; filter 2 (up) writes them as zeros.
  for (let row = 0; row < rows; row++) {
    const first = row * pixelsPerModule * stride
    for (let x = 0; x < columns; x++) pixels[first + 1 + x] = isDark(x, row) ? 0x00 : 0xff
    for (let line = 1; line < pixelsPerModule; line++) pixels[first + line * stride] = 2
  }
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header[8] = 1
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  const chunks = [signature, chunk('IHDR', header), chunk('IDAT', zlibStream(pixels, 6)), chunk('IEND')]
  return new Uint8Array(Buffer.concat(chunks))
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  for (let index = 0; index < 4; index++) bytes[4 + index] = type.charCodeAt(index)
  bytes.set(data, 8)
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)))
  return bytes
}
