import { limits } from '../../../core/limits.ts'
import type { ByteReader } from '../font/sfnt.ts'

const CURSIVE = 3
/** Marks on letters, on ligatures and on other marks. */
const MARKS = new Set([4, 5, 6])
const EXTENSION = 9

/**
 * Finds the lookups that join glyphs (GPOS 3) if a joined glyph can also be placed as a mark: two such glyphs may be
 * attached to each other, and HarfBuzz 15 then never ends. In a sensible font no mark joins letters.
 *
 * @returns the offsets of these lookups' types in the file, two bytes each
 */
export function endlessLookups(gpos: ByteReader): number[] {
  // Other versions, with glyph numbers of more than 16 bits, are not read here; without its version HarfBuzz skips the
  // table.
  if (gpos.u16(0) !== 1) return [gpos.start]
  const list = gpos.part(gpos.u16(8))
  const joins: number[] = []
  const joined = new Uint8Array(65_536)
  const marks = new Uint8Array(65_536)
  let subtables = 0
  for (let index = 0; index < list.u16(0); index++) {
    const lookup = list.part(list.u16(2 + index * 2))
    const type = typeOf(lookup)
    if (type === CURSIVE) joins.push(lookup.start)
    const glyphs = type === CURSIVE ? joined : MARKS.has(type) ? marks : undefined
    if (glyphs === undefined) continue
    const count = Math.min(lookup.u16(4), limits.fontPlacingTables - subtables)
    subtables += count
    for (const table of subtablesOf(lookup, type, count)) {
      if (table.u16(0) === 1) cover(table.part(table.u16(2)), glyphs)
      else glyphs.fill(1)
    }
  }
  const isHostile = subtables >= limits.fontPlacingTables || joined.some((is, glyph) => is === 1 && marks[glyph] === 1)
  return isHostile ? joins : []
}

/** The type of a lookup; an extension lookup has that of its first subtable. */
function typeOf(lookup: ByteReader): number {
  const own = lookup.u16(0)
  return own === EXTENSION && lookup.u16(4) > 0 ? lookup.part(lookup.u16(6)).u16(2) : own
}

/** The first tables of a lookup, without those that do something else. */
function subtablesOf(lookup: ByteReader, type: number, count: number): ByteReader[] {
  const tables = Array.from({ length: count }, (_, entry) => lookup.part(lookup.u16(6 + entry * 2)))
  if (lookup.u16(0) !== EXTENSION) return tables
  return tables.filter((one) => one.u16(2) === type).map((one) => one.part(one.u32(4)))
}

/** Marks the glyphs of a Coverage table: all of them, if its format is unknown or its glyphs are not in ascending order. */
function cover(table: ByteReader, glyphs: Uint8Array): void {
  const format = table.u16(0)
  let next = 0
  for (let index = 0; index < table.u16(2); index++) {
    const at = 4 + index * (format === 2 ? 6 : 2)
    const first = table.u16(at)
    const last = format === 2 ? table.u16(at + 2) : first
    if (first < next || last < first) return void glyphs.fill(1)
    glyphs.fill(1, first, last + 1)
    next = last + 1
  }
  if (format !== 1 && format !== 2) glyphs.fill(1)
}
