import { limits } from '../../../core/limits.ts'
import type { ByteReader } from './sfnt.ts'

/**
 * Pair kerning of the GPOS table: the lookups that the `kern` feature names, formats 1 (pairs) and 2 (classes), also
 * behind extension lookups. Returns the adjustment of the left glyph's advance in font units.
 */
export function readPairKerning(
  gpos: ByteReader | undefined,
  glyphCount: number,
): (left: number, right: number) => number {
  if (!gpos) return () => 0
  const subtables = pairSubtables(gpos)
  if (subtables.length === 0) return () => 0
  const known = new Map<number, number>()
  return (left, right) => {
    if (left >= glyphCount || right >= glyphCount) return 0
    const key = left * 65_536 + right
    let value = known.get(key)
    if (value === undefined) {
      value = 0
      for (const lookup of subtables) {
        const found = lookupPair(lookup, left, right)
        if (found !== undefined) value += found
      }
      known.set(key, value)
    }
    return value
  }
}

/** Subtables grouped by lookup: within one lookup only the first match counts. */
function pairSubtables(gpos: ByteReader): ByteReader[][] {
  const features = gpos.part(gpos.u16(6))
  const lookups = gpos.part(gpos.u16(8))
  const wanted = new Set<number>()
  for (let index = 0; index < Math.min(features.u16(0), 512); index++) {
    const at = 2 + index * 6
    const tag = features.u32(at)
    if (tag !== 0x6b65726e) continue
    const feature = features.part(features.u16(at + 4))
    for (let entry = 0; entry < Math.min(feature.u16(2), 256); entry++) wanted.add(feature.u16(4 + entry * 2))
  }
  const groups: ByteReader[][] = []
  let count = 0
  for (const index of wanted) {
    if (index >= lookups.u16(0)) continue
    const lookup = lookups.part(lookups.u16(2 + index * 2))
    const group: ByteReader[] = []
    for (let entry = 0; entry < Math.min(lookup.u16(4), 256); entry++) {
      if (++count > limits.fontKerningTables) break
      let table = lookup.part(lookup.u16(6 + entry * 2))
      let type = lookup.u16(0)
      if (type === 9) {
        type = table.u16(2)
        table = table.part(table.u32(4))
      }
      if (type === 2) group.push(table)
    }
    if (group.length > 0) groups.push(group)
  }
  return groups
}

function lookupPair(lookup: ByteReader[], left: number, right: number): number | undefined {
  for (const table of lookup) {
    const covered = coverage(table.part(table.u16(2)), left)
    if (covered < 0) continue
    const format1 = table.u16(4)
    if ((format1 & 4) === 0) continue
    const size1 = 2 * bits(format1)
    const size2 = 2 * bits(table.u16(6))
    const advanceAt = 2 * bits(format1 & 3)
    if (table.u16(0) === 1) {
      const set = table.part(table.u16(10 + covered * 2))
      const record = 2 + size1 + size2
      let low = 0
      let high = set.u16(0) - 1
      while (low <= high) {
        const middle = (low + high) >> 1
        const second = set.u16(2 + middle * record)
        if (right > second) low = middle + 1
        else if (right < second) high = middle - 1
        else return set.i16(4 + middle * record + advanceAt)
      }
      continue
    }
    const class1 = classOf(table.part(table.u16(8)), left)
    const class2 = classOf(table.part(table.u16(10)), right)
    if (class1 >= table.u16(12) || class2 >= table.u16(14)) continue
    return table.i16(16 + (class1 * table.u16(14) + class2) * (size1 + size2) + advanceAt)
  }
  return undefined
}

function bits(value: number): number {
  let count = 0
  for (let rest = value & 0xff; rest > 0; rest &= rest - 1) count++
  return count
}

function coverage(table: ByteReader, glyph: number): number {
  const ranged = table.u16(0) === 2
  let low = 0
  let high = table.u16(2) - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = 4 + middle * (ranged ? 6 : 2)
    const first = table.u16(at)
    const last = ranged ? table.u16(at + 2) : first
    if (glyph > last) low = middle + 1
    else if (glyph < first) high = middle - 1
    else return ranged ? table.u16(at + 4) + glyph - first : middle
  }
  return -1
}

function classOf(table: ByteReader, glyph: number): number {
  if (table.u16(0) === 1) {
    const first = table.u16(2)
    return glyph >= first && glyph < first + table.u16(4) ? table.u16(6 + (glyph - first) * 2) : 0
  }
  let low = 0
  let high = table.u16(2) - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = 4 + middle * 6
    if (glyph > table.u16(at + 2)) low = middle + 1
    else if (glyph < table.u16(at)) high = middle - 1
    else return table.u16(at + 4)
  }
  return 0
}
