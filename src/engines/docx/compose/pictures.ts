import { sha256Hex } from '../../../core/hash.ts'
import type { JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { escapeAttribute } from '../../ooxml/xml.ts'
import type { Picture } from '../program/program.ts'
import type { BarcodeType, PictureSize } from '../scan/tags.ts'
import { barcodeImage, qrImage } from './barcodes.ts'
import { scalarText } from './values.ts'

export interface LoadedPicture {
  bytes: Uint8Array
  extension: 'png' | 'jpeg'
  hash: string
  /** Size on paper when the tag gives none, from pixels and resolution. */
  widthEmu: number
  heightEmu: number
}

export type PictureResult = { ok: true; picture: LoadedPicture } | { ok: false; message: string; hint: string }

const imageHint = 'Give a PNG or JPEG as base64 text or as a data URI (data:image/png;base64,…).'

export type PictureTag = Pick<Picture, 'kind'> & { symbology?: BarcodeType }

/** The picture that a tag's value stands for. `message` continues a sentence that begins with the value's pointer. */
export function loadPicture(tag: PictureTag, value: JsonValue): PictureResult {
  const text = scalarText(value)
  if (text === undefined) return { ok: false, message: 'is not a single value', hint: imageHint }
  if (tag.kind === 'image') return loadImage(text)
  const drawn = tag.kind === 'qr' ? qrImage(text) : barcodeImage(text, tag.symbology ?? 'code128')
  return drawn.ok ? { ok: true, picture: withHash(drawn.bytes, drawn.widthEmu, drawn.heightEmu, 'png') } : drawn
}

function loadImage(text: string): PictureResult {
  const match = /^data:([^,]{0,100}),/.exec(text)
  if (match !== null && !match[1]!.endsWith(';base64')) {
    return { ok: false, message: 'is a data URI that is not base64', hint: imageHint }
  }
  const encoded = match === null ? text : text.slice(match[0].length)
  if (encoded.length > (limits.pictureBytes * 4) / 3 + 4) {
    return { ok: false, message: `is a picture of more than ${limits.pictureBytes} bytes`, hint: 'Make it smaller.' }
  }
  const compact = encoded.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)) return { ok: false, message: 'is not base64 text', hint: imageHint }
  const bytes = new Uint8Array(Buffer.from(compact, 'base64'))
  const measured = measurePng(bytes) ?? measureJpeg(bytes)
  if (measured === undefined) return { ok: false, message: 'is neither a PNG nor a JPEG picture', hint: imageHint }
  const { widthPx, heightPx, pixelsPerInch, extension } = measured
  if (widthPx < 1 || heightPx < 1 || widthPx > limits.pictureSidePx || heightPx > limits.pictureSidePx) {
    const message = `is ${widthPx} × ${heightPx} pixels large`
    return { ok: false, message, hint: `Sides may have 1 to ${limits.pictureSidePx} pixels.` }
  }
  const emu = 914_400 / pixelsPerInch
  return { ok: true, picture: withHash(bytes, Math.round(widthPx * emu), Math.round(heightPx * emu), extension) }
}

function withHash(bytes: Uint8Array, widthEmu: number, heightEmu: number, extension: 'png' | 'jpeg'): LoadedPicture {
  return { bytes, extension, hash: sha256Hex(bytes), widthEmu, heightEmu }
}

interface Measured {
  widthPx: number
  heightPx: number
  pixelsPerInch: number
  extension: 'png' | 'jpeg'
}

const screenPixelsPerInch = 96

/** Resolutions outside of this are mistakes of the program that wrote the picture. */
function plausible(pixelsPerInch: number): number {
  return pixelsPerInch >= 20 && pixelsPerInch <= 4_800 ? pixelsPerInch : screenPixelsPerInch
}

function measurePng(bytes: Uint8Array): Measured | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 33 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined
  if (view.getUint32(12) !== 0x49484452) return undefined
  let pixelsPerInch = screenPixelsPerInch
  for (let at = 33; at + 21 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = view.getUint32(at + 4)
    if (type === 0x49444154) break
    // pHYs: pixels a unit in both directions, unit 1 being the metre.
    if (type === 0x70485973 && bytes[at + 16] === 1) pixelsPerInch = plausible(view.getUint32(at + 8) * 0.0254)
  }
  return { widthPx: view.getUint32(16), heightPx: view.getUint32(20), pixelsPerInch, extension: 'png' }
}

function measureJpeg(bytes: Uint8Array): Measured | undefined {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let pixelsPerInch = screenPixelsPerInch
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at++
      continue
    }
    const length = view.getUint16(at + 2)
    if (marker === 0xe0 && at + 13 < bytes.length && view.getUint32(at + 4) === 0x4a464946) {
      const density = view.getUint16(at + 12)
      if (bytes[at + 11] === 1) pixelsPerInch = plausible(density)
      if (bytes[at + 11] === 2) pixelsPerInch = plausible(density * 2.54)
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      return { widthPx: view.getUint16(at + 7), heightPx: view.getUint16(at + 5), pixelsPerInch, extension: 'jpeg' }
    }
    at += 2 + length
  }
  return undefined
}

/** Width and height on paper: what the tag says, the other side following in proportion. */
export function sizeOnPaper(picture: LoadedPicture, size: PictureSize): { widthEmu: number; heightEmu: number } {
  const { widthEmu, heightEmu } = size
  if (widthEmu !== undefined && heightEmu !== undefined) return { widthEmu, heightEmu }
  const ratio = picture.heightEmu / picture.widthEmu
  if (widthEmu !== undefined) return { widthEmu, heightEmu: Math.max(1, Math.round(widthEmu * ratio)) }
  if (heightEmu !== undefined) return { widthEmu: Math.max(1, Math.round(heightEmu / ratio)), heightEmu }
  return { widthEmu: picture.widthEmu, heightEmu: picture.heightEmu }
}

const transitionalUris = {
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
}

const strictUris = {
  wp: 'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing',
  a: 'http://purl.oclc.org/ooxml/drawingml/main',
  pic: 'http://purl.oclc.org/ooxml/drawingml/picture',
  r: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
}

/** An inline picture (ECMA-376 part 1, 20.4.2.8) that declares its own namespaces, so that it fits into any part. */
export function drawingXml(
  picture: LoadedPicture,
  size: PictureSize,
  relationshipId: string,
  drawingId: number,
  isStrict: boolean,
  prefix: string,
  alternative = '',
): string {
  const uris = isStrict ? strictUris : transitionalUris
  const { widthEmu, heightEmu } = sizeOnPaper(picture, size)
  const extent = `cx="${widthEmu}" cy="${heightEmu}"`
  const described = alternative === '' ? '' : ` descr="${escapeAttribute(alternative)}"`
  const name = `name="Picture ${drawingId}"${described}`
  return (
    `<${prefix}drawing><wp:inline xmlns:wp="${uris.wp}" distT="0" distB="0" distL="0" distR="0">` +
    `<wp:extent ${extent}/><wp:docPr id="${drawingId}" ${name}/>` +
    `<wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a="${uris.a}" noChangeAspect="1"/></wp:cNvGraphicFramePr>` +
    `<a:graphic xmlns:a="${uris.a}"><a:graphicData uri="${uris.pic}"><pic:pic xmlns:pic="${uris.pic}">` +
    `<pic:nvPicPr><pic:cNvPr id="${drawingId}" ${name}/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill><a:blip xmlns:r="${uris.r}" r:embed="${relationshipId}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>` +
    `</pic:pic></a:graphicData></a:graphic></wp:inline></${prefix}drawing>`
  )
}
