import { type Face, readFace } from '../src/engines/pdf/font/face.ts'
import { tableOf } from '../src/engines/pdf/font/sfnt.ts'
import { writeTables } from '../src/engines/pdf/font/subset.ts'
import { largeSign, largeSigns } from '../src/engines/pdf/font/symbols.ts'
import { AXIS } from '../src/engines/pdf/layout/math/box.ts'
import { signHeight } from '../src/engines/pdf/layout/math/scripts.ts'

/** How much wider Word's sum is than the font's own large one: 1.326 ems where that takes 1.112. */
const SUM_STRETCH = 1.192

const ARGS_ARE_WORDS_AND_OFFSETS = 0x3
const TWO_SCALES = 0x40

/**
 * The font of equations with a further glyph for each sign of sums and integrals, at `largeSign` of its code: the largest
 * that the font has (OpenType 1.9, `MATH`), as high as Word draws it and centred on the axis.
 */
export function withLargeSigns(bytes: Uint8Array): Uint8Array {
  const face = readFace(bytes)
  if (!face || tableOf(face.tables, 'head').i16(50) === 0) throw new Error('the font of equations has another form')
  const outlines = [tableOf(face.tables, 'glyf').slice(0, tableOf(face.tables, 'glyf').length)]
  const metrics = Array.from({ length: face.glyphCount }, (_, glyph) => tableOf(face.tables, 'hmtx').u32(glyph * 4))
  const places = Array.from({ length: face.glyphCount + 1 }, (_, glyph) => tableOf(face.tables, 'loca').u32(glyph * 4))
  const glyphs = new Map(Array.from({ length: 0x2_0000 }, (_, code) => [code, face.glyph(code)]))
  for (const code of largeSigns) {
    const part = largestOf(face, face.glyph(code))
    const start = places[part] ?? 0
    const bounds = tableOf(face.tables, 'glyf').part(start, 10)
    const [left, bottom, right, top] = [2, 4, 6, 8].map((at) => bounds.i16(at)) as [number, number, number, number]
    const upright = (signHeight(code) * face.unitsPerEm) / (top - bottom)
    // Integrals keep their shape: how wide Word's are was not measured.
    const across = signHeight(code) === signHeight(0x2211) ? SUM_STRETCH : upright
    const rise = Math.round(AXIS * face.unitsPerEm - ((top + bottom) / 2) * upright)
    const box = [left * across, bottom * upright + rise, right * across, top * upright + rise].map(Math.round)
    glyphs.set(largeSign(code), metrics.length)
    metrics.push(Math.round(face.advance(part) * face.unitsPerEm * across) * 0x10000 + (box[0] ?? 0))
    outlines.push(
      words([
        ...[-1, ...box, ARGS_ARE_WORDS_AND_OFFSETS | TWO_SCALES, part],
        ...[0, rise, Math.round(across * 0x4000), Math.round(upright * 0x4000)],
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

/** The last variant that the font lists for a glyph that grows upwards. */
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
