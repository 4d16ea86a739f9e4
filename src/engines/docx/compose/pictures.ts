import { sha256Hex } from '../../../core/hash.ts'
import type { JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { drawSimpleSvg, isSvg, simplifySvg } from '../../pdf/svg/simplify.ts'
import type { Picture } from '../program/ops.ts'
import type { BarcodeType } from '../scan/syntax.ts'
import { barcodeImage, qrImage } from './barcodes.ts'
import { scalarText } from './values.ts'

export interface LoadedPicture {
  bytes: Uint8Array
  extension: 'png' | 'jpeg'
  hash: string
  /** Size on paper when the tag gives none, from pixels and resolution. */
  widthEmu: number
  heightEmu: number
  /** The same picture as an SVG drawing, which Word shows in its place from version 2016 on. */
  drawing?: Drawing
}

export interface Drawing {
  bytes: Uint8Array
  hash: string
}

export type PictureResult = { ok: true; picture: LoadedPicture } | { ok: false; message: string; hint: string }

const imageHint =
  'Give a PNG, JPEG or SVG as base64 text or as a data URI (data:image/png;base64,…), or an SVG as it is.'

export type PictureTag = Pick<Picture, 'kind'> & { symbology?: BarcodeType }

/** The picture that a tag's value describes. `message` continues a sentence that begins with the value's pointer. */
export function loadPicture(tag: PictureTag, value: JsonValue): PictureResult {
  const text = scalarText(value)
  if (text === undefined) return { ok: false, message: 'is not a single value', hint: imageHint }
  if (tag.kind === 'image') return loadImage(text)
  const drawn = tag.kind === 'qr' ? qrImage(text) : barcodeImage(text, tag.symbology ?? 'code128')
  return drawn.ok ? { ok: true, picture: withHash(drawn.bytes, drawn.widthEmu, drawn.heightEmu, 'png') } : drawn
}

function loadImage(text: string): PictureResult {
  if (isSvg(text)) return loadSvg(text)
  const match = /^data:[^,]{0,100},/.exec(text)
  if (match !== null && !match[0].endsWith(';base64,')) {
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
  if (measured === undefined) {
    const decoded = new TextDecoder().decode(bytes)
    if (isSvg(decoded)) return loadSvg(decoded)
    return { ok: false, message: 'is neither a PNG nor a JPEG nor an SVG picture', hint: imageHint }
  }
  const { widthPx, heightPx, pixelsPerInch, extension } = measured
  if (widthPx < 1 || heightPx < 1 || widthPx > limits.pictureSidePx || heightPx > limits.pictureSidePx) {
    const message = `is ${widthPx} × ${heightPx} pixels large`
    return { ok: false, message, hint: `Sides may have 1 to ${limits.pictureSidePx} pixels.` }
  }
  const emu = 914_400 / pixelsPerInch
  return { ok: true, picture: withHash(bytes, Math.round(widthPx * emu), Math.round(heightPx * emu), extension) }
}

/** Pixels for each of a drawing's own in the picture that is shown in its place where only pixels are. */
const svgPixelRatio = 3

/**
 * A drawing in its simple form, which has no scripts and looks the same in every reader, and the same in pixels. These
 * are what older readers show, and all readers where the drawing has shades that only pixels have.
 */
function loadSvg(text: string): PictureResult {
  const outcome = simplifySvg(text)
  if (!outcome.ok) return outcome
  const { simple } = outcome
  const { widthPx, heightPx } = simple
  const longer = Math.max(widthPx, heightPx)
  if (longer > limits.pictureSidePx) {
    const message = `is ${widthPx} × ${heightPx} pixels large`
    return { ok: false, message, hint: `Sides may have 1 to ${limits.pictureSidePx} pixels.` }
  }
  const side = Math.round(Math.max(limits.svgLeastSidePx, Math.min(limits.svgMostSidePx, longer * svgPixelRatio)))
  const bytes = new TextEncoder().encode(simple.text)
  const emu = 914_400 / screenPixelsPerInch
  const pixels = drawSimpleSvg(simple, side)
  if (pixels === undefined) {
    return {
      ok: false,
      message: 'is a drawing that takes too long to draw',
      hint: 'Use fewer or smaller filters, masks, patterns and translucent groups, or give a PNG.',
    }
  }
  const png = withHash(pixels, Math.round(widthPx * emu), Math.round(heightPx * emu), 'png')
  return { ok: true, picture: { ...png, drawing: { bytes, hash: sha256Hex(bytes) } } }
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

/** Whether the resolution is believable; others are mistakes of the program that wrote the picture. */
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
    const marker = view.getUint8(at + 1)
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

/** The part that holds a drawing in a composed document. */
export function drawingPart(hash: string): string {
  return `word/media/quire-${hash.slice(0, 32)}.svg`
}

/** The part that holds the picture in a composed document. */
export function mediaPart(picture: LoadedPicture): string {
  return `word/media/quire-${picture.hash.slice(0, 32)}.${picture.extension}`
}
