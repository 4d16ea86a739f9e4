import { type Face, readFace } from '../src/engines/pdf/font/face.ts'
import { tableOf } from '../src/engines/pdf/font/sfnt.ts'
import { writeTables } from '../src/engines/pdf/font/subset.ts'
import { largeSign, largeSigns, SYMBOL_BULLET } from '../src/engines/pdf/font/symbols.ts'
import { AXIS } from '../src/engines/pdf/layout/math/box.ts'
import { signHeight } from '../src/engines/pdf/layout/math/scripts.ts'

/** How much wider Word's sum is than the font's own large one: 1.326 em instead of 1.112. */
const SUM_STRETCH = 1.192

/** The bullet of Symbol in Word's PDFs, in em: its width, and where its ink begins and ends. */
const SYMBOL_WIDTH = 0.46
const SYMBOL_INK = { left: 0.052, bottom: 0.103, size: 0.357 }

const ARGS_ARE_WORDS_AND_OFFSETS = 0x3
const TWO_SCALES = 0x40

/** A glyph made by scaling another one and moving it up. */
interface Further {
  readonly code: number
  readonly part: number
  readonly across: number
  readonly upright: number
  readonly shift: number
  readonly rise: number
  readonly width: number
}

/**
 * The font of equations with an additional glyph for each sign of sums and integrals, at `largeSign` of its code: the font's
 * largest variant (OpenType 1.9, `MATH`), as high as Word draws it and centred on the axis.
 */
export function withLargeSigns(bytes: Uint8Array): Uint8Array {
  return withGlyphs(bytes, (face) => largeSigns.map((code) => largeSignOf(face, code)))
}

/** A font with an additional bullet at `SYMBOL_BULLET`: its own, with the size and position of Symbol's. */
export function withSymbolBullet(bytes: Uint8Array): Uint8Array {
  return withGlyphs(bytes, (face) => {
    const part = face.glyph(0x2022)
    const { left, bottom, right } = boundsOf(face, part)
    const scale = (SYMBOL_INK.size * face.unitsPerEm) / (right - left)
    const shift = Math.round(SYMBOL_INK.left * face.unitsPerEm - left * scale)
    const rise = Math.round(SYMBOL_INK.bottom * face.unitsPerEm - bottom * scale)
    return [{ code: SYMBOL_BULLET, part, across: scale, upright: scale, shift, rise, width: SYMBOL_WIDTH }]
  })
}

function largeSignOf(face: Face, code: number): Further {
  const part = largestOf(face, face.glyph(code))
  const { bottom, top } = boundsOf(face, part)
  const upright = (signHeight(code) * face.unitsPerEm) / (top - bottom)
  // Integrals keep their shape, because the width of Word's was not measured.
  const across = signHeight(code) === signHeight(0x2211) ? SUM_STRETCH : upright
  const rise = Math.round(AXIS * face.unitsPerEm - ((top + bottom) / 2) * upright)
  return { code: largeSign(code), part, across, upright, shift: 0, rise, width: face.advance(part) * across }
}

function boundsOf(face: Face, glyph: number): { left: number; bottom: number; right: number; top: number } {
  const header = tableOf(face.tables, 'glyf').part(tableOf(face.tables, 'loca').u32(glyph * 4), 10)
  return { left: header.i16(2), bottom: header.i16(4), right: header.i16(6), top: header.i16(8) }
}

function withGlyphs(bytes: Uint8Array, furtherOf: (face: Face) => Further[]): Uint8Array {
  const face = readFace(bytes)
  if (!face || tableOf(face.tables, 'head').i16(50) === 0) throw new Error('the font has another form')
  const outlines = [tableOf(face.tables, 'glyf').slice(0, tableOf(face.tables, 'glyf').length)]
  const metrics = Array.from({ length: face.glyphCount }, (_, glyph) => metricOf(face, glyph))
  const places = Array.from({ length: face.glyphCount + 1 }, (_, glyph) => tableOf(face.tables, 'loca').u32(glyph * 4))
  const glyphs = new Map(Array.from({ length: 0x2_0000 }, (_, code) => [code, face.glyph(code)]))
  for (const { code, part, across, upright, shift, rise, width } of furtherOf(face)) {
    const { left, bottom, right, top } = boundsOf(face, part)
    const box = [left * across + shift, bottom * upright + rise, right * across + shift, top * upright + rise]
    glyphs.set(code, metrics.length)
    metrics.push(Math.round(width * face.unitsPerEm) * 0x10000 + Math.round(box[0] ?? 0))
    outlines.push(
      words([
        ...[-1, ...box.map(Math.round), ARGS_ARE_WORDS_AND_OFFSETS | TWO_SCALES, part],
        ...[shift, rise, Math.round(across * 0x4000), Math.round(upright * 0x4000)],
      ]),
    )
    places.push((places.at(-1) ?? 0) + 22)
  }
  const tables = Object.fromEntries([...face.tables].map(([tag, table]) => [tag, table.slice(0, table.length)]))
  return writeTables({
    ...tables,
    cmap: characterMap(glyphs),
    glyf: Buffer.concat(outlines),
    hhea: withWord(face, 'hhea', 34, metrics.length),
    hmtx: longs(metrics),
    loca: longs(places),
    maxp: withWord(face, 'maxp', 4, metrics.length),
  })
}

/** A glyph's advance and bearing; glyphs after the last long entry share its advance and have only a bearing of their own. */
function metricOf(face: Face, glyph: number): number {
  const hmtx = tableOf(face.tables, 'hmtx')
  const long = tableOf(face.tables, 'hhea').u16(34)
  if (glyph < long) return hmtx.u32(glyph * 4)
  return hmtx.u16((long - 1) * 4) * 0x10000 + hmtx.u16(long * 4 + (glyph - long) * 2)
}

/** The last variant that the font lists for a vertically growing glyph. */
function largestOf(face: Face, glyph: number): number {
  const math = tableOf(face.tables, 'MATH')
  const variants = math.part(math.u16(8))
  const coverage = variants.part(variants.u16(2))
  for (let index = 0; index < variants.u16(6); index++) {
    if (coverage.u16(4 + index * 2) !== glyph) continue
    const construction = variants.part(variants.u16(10 + index * 2))
    return construction.u16(construction.u16(2) * 4)
  }
  throw new Error(`glyph ${glyph} has no variants`)
}

/** A table of format 12 with a group for each character. */
function characterMap(glyphs: ReadonlyMap<number, number>): Uint8Array {
  const groups = [...glyphs].filter(([, glyph]) => glyph > 0).sort(([a], [b]) => a - b)
  const header = [0, 1, 3, 10, 0, 12, 12, 0]
  return Buffer.concat([
    words(header),
    longs([16 + groups.length * 12, 0, groups.length, ...groups.flatMap(([code, glyph]) => [code, code, glyph])]),
  ])
}

function withWord(face: Face, tag: string, at: number, value: number): Uint8Array {
  const table = Uint8Array.from(tableOf(face.tables, tag).slice(0, tableOf(face.tables, tag).length))
  new DataView(table.buffer).setUint16(at, value)
  return table
}

function words(values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 2))
  for (const [index, value] of values.entries()) bytes.setInt16(index * 2, value)
  return new Uint8Array(bytes.buffer)
}

function longs(values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 4))
  for (const [index, value] of values.entries()) bytes.setUint32(index * 4, value)
  return new Uint8Array(bytes.buffer)
}
