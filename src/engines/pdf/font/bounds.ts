import type { Face } from './face.ts'
import { tableOf } from './sfnt.ts'

/** How far the ink of a glyph reaches above and below the baseline, as fractions of the em; y upwards. */
export function verticalBounds(face: Face, glyph: number): readonly [bottom: number, top: number] {
  // PostScript outlines state no bounds, so the height of capitals is used.
  if (face.isCff || glyph < 0 || glyph >= face.glyphCount) return [0, face.capHeight]
  const loca = tableOf(face.tables, 'loca')
  const isLong = tableOf(face.tables, 'head').i16(50) !== 0
  const start = isLong ? loca.u32(glyph * 4) : loca.u16(glyph * 2) * 2
  const end = isLong ? loca.u32(glyph * 4 + 4) : loca.u16(glyph * 2 + 2) * 2
  if (end - start < 10) return [0, 0]
  const header = tableOf(face.tables, 'glyf').part(start, 10)
  return [header.i16(4) / face.unitsPerEm, header.i16(8) / face.unitsPerEm]
}
