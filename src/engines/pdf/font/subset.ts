import { limits } from '../../../core/limits.ts'
import type { Face, Fit } from './face.ts'
import { ByteReader, tableOf } from './sfnt.ts'

/**
 * A TrueType file with only the given glyphs, in the given order (index 0 must be glyph 0), then the components of
 * composite glyphs. Hinting is left out: viewers render embedded subsets unhinted, and it is a third of the bytes.
 */
export function subsetFont(face: Face, glyphs: readonly number[]): Uint8Array {
  const order: Placed[] = glyphs.map((glyph) => ({ glyph, depth: 0 }))
  const places = new Map<number, number>()
  // Components of composites keep the file's outline, so a refitted glyph can't be one.
  for (const [index, glyph] of glyphs.entries()) if (!places.has(glyph) && !face.fit?.(glyph)) places.set(glyph, index)
  const drawn: DrawnGlyph[] = []
  const outlineBytes = tableOf(face.tables, 'glyf').length
  let bytes = 0
  // The parts of composites are appended while their glyphs are read.
  for (const { glyph, depth } of order) {
    const stored = readOutline(face, glyph)
    bytes += places.get(glyph) === drawn.length ? stored.length : 0
    // Only in a broken font do the places of glyphs overlap; each could take as much as all.
    const outline = bytes > outlineBytes ? new Uint8Array(0) : stored
    const fit = depth === 0 ? face.fit?.(glyph) : undefined
    const positionOf = (component: number) => {
      const known = places.get(component)
      if (known !== undefined) return known
      if (component >= face.glyphCount || depth >= limits.fontCompositeDepth) return 0
      places.set(component, order.length)
      return order.push({ glyph: component, depth: depth + 1 }) - 1
    }
    if (fit) {
      drawn.push({ glyph, outline: outline.length < 10 ? outline : refitted(outline, positionOf(glyph), fit), fit })
      continue
    }
    drawn.push({
      glyph,
      outline: isComposite(outline) ? remapComposite(outline, positionOf) : stripInstructions(outline),
    })
  }
  return assemble(face, drawn)
}

const ARGS_ARE_WORDS = 0x1
const ARGS_ARE_OFFSETS = 0x2
const TWO_SCALES = 0x40
const UNSCALED_OFFSET = 0x1000

/** A composite of one part (OpenType 1.9, `glyf`): the outline at another width. */
function refitted(outline: Uint8Array, part: number, { scale, shift }: Fit): Uint8Array {
  const bounds = ByteReader.of(outline)
  const composite = new Uint8Array(22)
  const view = new DataView(composite.buffer)
  view.setInt16(0, -1)
  for (const at of [2, 6]) view.setInt16(at, Math.round(bounds.i16(at) * scale) + shift)
  for (const at of [4, 8]) view.setInt16(at, bounds.i16(at))
  view.setUint16(10, ARGS_ARE_WORDS | ARGS_ARE_OFFSETS | TWO_SCALES | UNSCALED_OFFSET)
  view.setUint16(12, part)
  view.setInt16(14, shift)
  view.setInt16(18, Math.min(0x7fff, Math.round(scale * 0x4000)))
  view.setInt16(20, 0x4000)
  return composite
}

/** A glyph of the subset, and how many nested composites it is a component of. */
interface Placed {
  glyph: number
  depth: number
}

interface DrawnGlyph {
  glyph: number
  outline: Uint8Array
  fit?: Fit
}

function readOutline(face: Face, glyph: number): Uint8Array {
  if (glyph < 0 || glyph >= face.glyphCount) return new Uint8Array(0)
  const loca = tableOf(face.tables, 'loca')
  const long = tableOf(face.tables, 'head').i16(50) !== 0
  const start = long ? loca.u32(glyph * 4) : loca.u16(glyph * 2) * 2
  const end = long ? loca.u32(glyph * 4 + 4) : loca.u16(glyph * 2 + 2) * 2
  return tableOf(face.tables, 'glyf').slice(start, end - start)
}

function isComposite(outline: Uint8Array): boolean {
  return outline.length >= 10 && ByteReader.of(outline).i16(0) < 0
}

function stripInstructions(outline: Uint8Array): Uint8Array {
  if (outline.length < 12) return outline.length < 10 ? new Uint8Array(0) : outline
  const data = ByteReader.of(outline)
  const lengthAt = 10 + data.u16(0) * 2
  if (lengthAt + 2 > outline.length) return new Uint8Array(0)
  const length = data.u16(lengthAt)
  if (length === 0) return outline
  const rest = lengthAt + 2 + length
  if (rest > outline.length) return new Uint8Array(0)
  const stripped = new Uint8Array(outline.length - length)
  stripped.set(outline.subarray(0, lengthAt))
  stripped.set(outline.subarray(rest), lengthAt + 2)
  return stripped
}

function remapComposite(outline: Uint8Array, position: (component: number) => number): Uint8Array {
  // Not `slice`: on a Buffer that is a view, and writing to it would change the font for every later document.
  const copy = new Uint8Array(outline)
  const view = new DataView(copy.buffer)
  let at = 10
  while (at + 4 <= copy.length) {
    const flags = view.getUint16(at)
    view.setUint16(at, flags & ~0x100)
    view.setUint16(at + 2, position(view.getUint16(at + 2)))
    at += 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0)
    if ((flags & 0x20) === 0) break
  }
  return copy.subarray(0, Math.min(at, copy.length))
}

function assemble(face: Face, drawn: readonly DrawnGlyph[]): Uint8Array {
  const count = drawn.length
  let glyfLength = 0
  for (const { outline } of drawn) glyfLength += (outline.length + 3) & ~3
  const glyf = new Uint8Array(glyfLength)
  const loca = new Uint8Array((count + 1) * 4)
  const locaView = new DataView(loca.buffer)
  const hmtx = new Uint8Array(count * 4)
  const hmtxView = new DataView(hmtx.buffer)
  const sourceHmtx = tableOf(face.tables, 'hmtx')
  const longCount = Math.max(1, Math.min(tableOf(face.tables, 'hhea').u16(34), face.glyphCount))
  let at = 0
  for (const [index, { glyph, outline, fit }] of drawn.entries()) {
    locaView.setUint32(index * 4, at)
    glyf.set(outline, at)
    at += (outline.length + 3) & ~3
    hmtxView.setUint16(index * 4, Math.round(face.advance(glyph) * face.unitsPerEm))
    const bearing =
      glyph < longCount ? sourceHmtx.i16(glyph * 4 + 2) : sourceHmtx.i16(longCount * 4 + (glyph - longCount) * 2)
    hmtxView.setInt16(index * 4 + 2, fit ? Math.round(bearing * fit.scale) + fit.shift : bearing)
  }
  locaView.setUint32(count * 4, at)
  const head = copyTable(face, 'head', 54)
  const headView = new DataView(head.buffer)
  headView.setUint32(8, 0)
  headView.setInt16(50, 1)
  const hhea = copyTable(face, 'hhea', 36)
  new DataView(hhea.buffer).setUint16(34, count)
  const maxp = copyTable(face, 'maxp', 32)
  const maxpView = new DataView(maxp.buffer)
  maxpView.setUint16(4, count)
  // No instructions are left, so the interpreter needs no room.
  for (const field of [14, 16, 18, 20, 22, 24, 26]) maxpView.setUint16(field, field === 14 ? 1 : 0)
  // A refitted composite is one level deeper.
  if (face.fit) for (const field of [28, 30]) maxpView.setUint16(field, maxpView.getUint16(field) + 1)
  return writeTables({ glyf, head, hhea, hmtx, loca, maxp })
}

function copyTable(face: Face, tag: string, length: number): Uint8Array {
  const copy = new Uint8Array(length)
  copy.set(tableOf(face.tables, tag).slice(0, length))
  return copy
}

/** A font file of these tables. */
export function writeTables(tables: Record<string, Uint8Array>): Uint8Array {
  const entries = Object.entries(tables).sort(([a], [b]) => (a < b ? -1 : 1))
  const count = entries.length
  let length = 12 + count * 16
  for (const [, table] of entries) length += (table.length + 3) & ~3
  const file = new Uint8Array(length)
  const view = new DataView(file.buffer)
  view.setUint32(0, 0x00010000)
  view.setUint16(4, count)
  const power = 2 ** Math.floor(Math.log2(count))
  view.setUint16(6, power * 16)
  view.setUint16(8, Math.log2(power))
  view.setUint16(10, (count - power) * 16)
  let at = 12 + count * 16
  let headAt = 0
  for (const [index, [tag, table]] of entries.entries()) {
    const entry = 12 + index * 16
    for (let letter = 0; letter < 4; letter++) file[entry + letter] = tag.charCodeAt(letter)
    file.set(table, at)
    view.setUint32(entry + 4, checksum(view, at, (table.length + 3) & ~3))
    view.setUint32(entry + 8, at)
    view.setUint32(entry + 12, table.length)
    if (tag === 'head') headAt = at
    at += (table.length + 3) & ~3
  }
  view.setUint32(headAt + 8, (0xb1b0afba - checksum(view, 0, length)) >>> 0)
  return file
}

function checksum(view: DataView, start: number, length: number): number {
  let sum = 0
  for (let at = start; at < start + length; at += 4) sum = (sum + view.getUint32(at)) >>> 0
  return sum
}
