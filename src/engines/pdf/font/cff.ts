import { limits } from '../../../core/limits.ts'
import { followCalls, pathOfCharstring } from './charstring.ts'
import { ByteReader } from './sfnt.ts'

/**
 * Subsets of PostScript outlines (Adobe Technical Note 5176). Whatever the font was, the subset is CID-keyed with the
 * identity as its character set, so that a PDF's codes are its glyph numbers. Subroutines keep their numbers, by which
 * glyphs call them; unused ones are left out or emptied, which shrinks a font of ideographs from a megabyte to a few
 * kB.
 */

interface Index {
  count: number
  /** First byte after the INDEX. */
  end: number
  at(item: number): Uint8Array
}

/** One operator of a DICT with its operands' bytes as they are. */
interface Entry {
  operator: number
  operands: number[]
  raw: Uint8Array
}

const CHARSET = 15
const CHAR_STRINGS = 17
const PRIVATE = 18
const SUBRS = 19
const ROS = 0x0c1e
const CID_COUNT = 0x0c22
const FD_ARRAY = 0x0c24
const FD_SELECT = 0x0c25
const FONT_MATRIX = 0x0c07
const FONT_BBOX = 5
/** String ids from 391 on are the font's own. */
const FIRST_STRING = 391

/** A font's table, taken apart. */
interface CffFont {
  top: readonly Entry[]
  isCid: boolean
  charStrings: Index
  globals: Index
  /** Its font dictionaries; the top one in a font that isn't CID-keyed. */
  fonts: readonly FontDict[]
  /** The dictionary of a glyph. */
  fontOf(glyph: number): FontDict
}

interface FontDict {
  place: number
  entries: readonly Entry[]
  /** Its subroutines. */
  locals(): Index | undefined
}

/** Parsed tables: each glyph that is drawn asks for its font. */
const known = new WeakMap<ByteReader, { font: CffFont | undefined }>()

function cffOf(table: ByteReader): CffFont | undefined {
  const before = known.get(table)
  if (before) return before.font
  const font = readCff(table)
  known.set(table, { font })
  return font
}

function readCff(table: ByteReader): CffFont | undefined {
  const names = readIndex(table, table.u8(2))
  const tops = names && readIndex(table, names.end)
  const strings = tops && readIndex(table, tops.end)
  const globals = strings && readIndex(table, strings.end)
  if (tops?.count !== 1 || !globals) return undefined
  const top = readDict(tops.at(0))
  const charStrings = readIndex(table, operand(top, CHAR_STRINGS) ?? -1)
  if (!charStrings || charStrings.count === 0) return undefined
  const isCid = top.some((entry) => entry.operator === ROS)
  const dicts = isCid ? fontDicts(table, operand(top, FD_ARRAY) ?? -1) : [top]
  const fonts = dicts?.map((entries, place): FontDict => ({ place, entries, locals: () => localSubrs(table, entries) }))
  const last = fonts?.at(-1)
  if (!fonts || !last) return undefined
  const select = isCid ? fdSelect(table, operand(top, FD_SELECT) ?? -1, charStrings.count) : () => 0
  return { top, isCid, charStrings, globals, fonts, fontOf: (glyph) => fonts[select(glyph)] ?? last }
}

/** The glyphs in the given order, glyph 0 first; undefined when the table can't be read. */
export function subsetCff(table: ByteReader, glyphs: readonly number[]): Uint8Array | undefined {
  const font = cffOf(table)
  if (!font) return undefined
  const { charStrings, globals } = font
  const codeOf = (glyph: number) => (glyph >= 0 && glyph < charStrings.count ? charStrings.at(glyph) : ENDCHAR)
  const outlines = glyphs.map((glyph) => ({ font: font.fontOf(Math.max(0, glyph)), code: codeOf(glyph) }))
  const calls = callsOf(outlines, globals)
  // Bounds a broken font, whose glyphs overlap: each could take as much as all of them. Dictionaries may share
  // subroutines.
  const glyphBytes = bytesOf([...new Set(glyphs)].map(codeOf))
  if (glyphBytes > table.length + outlines.length) return undefined
  const fonts: Kept['fonts'][number][] = []
  let bytes = 0
  for (const one of font.fonts) {
    const own = privateOf(table, one, calls?.locals(one))
    bytes += own.dict.length + own.subrs.length
    if (bytes > table.length * 4 + 65_536) return undefined
    fonts.push({ entries: one.entries, ...own })
  }
  return assemble(font, {
    fonts,
    select: Uint8Array.of(0, ...outlines.map((outline) => outline.font.place)),
    outlines: outlines.map(({ code }) => code),
    globals: subrsIndex(globals, calls?.globals),
  })
}

/** What a subset keeps of a font, written already. */
interface Kept {
  fonts: readonly { entries: readonly Entry[]; dict: Uint8Array; subrs: Uint8Array }[]
  select: Uint8Array
  outlines: readonly Uint8Array[]
  globals: Uint8Array
}

/** Concatenates the tables. Offsets have a fixed length, so a first round without them shows where each table begins. */
function assemble({ top, isCid }: CffFont, { fonts, select, outlines, globals }: Kept): Uint8Array {
  const header = Uint8Array.of(1, 0, 4, 4)
  const nameIndex = writeIndex([Uint8Array.from('Subset', (letter) => letter.charCodeAt(0))])
  const stringIndex = writeIndex(['Adobe', 'Identity'].map((text) => Uint8Array.from(Buffer.from(text, 'latin1'))))
  const charset = Uint8Array.of(2, ...two(1), ...two(Math.max(0, outlines.length - 2)))
  const charStrings = writeIndex(outlines)
  const topDict = (places: { charset: number; select: number; charStrings: number; fontArray: number }) =>
    writeIndex([
      joined([
        ...[FIRST_STRING, FIRST_STRING + 1, 0].map(five),
        operatorBytes(ROS),
        ...kept(top, FONT_MATRIX),
        ...kept(top, FONT_BBOX),
        ...[five(outlines.length), operatorBytes(CID_COUNT)],
        ...[five(places.charset), operatorBytes(CHARSET)],
        ...[five(places.select), operatorBytes(FD_SELECT)],
        ...[five(places.charStrings), operatorBytes(CHAR_STRINGS)],
        ...[five(places.fontArray), operatorBytes(FD_ARRAY)],
      ]),
    ])
  /** The font dictionaries, whose private parts follow one another from the offset `from`. */
  const fontArray = (from: number) => {
    let start = from
    const dicts = fonts.map(({ entries, dict, subrs }) => {
      const matrix = isCid ? kept(entries, FONT_MATRIX) : []
      const bytes = joined([...matrix, five(dict.length), five(start), operatorBytes(PRIVATE)])
      start += dict.length + subrs.length
      return bytes
    })
    return writeIndex(dicts)
  }
  const unplaced = topDict({ charset: 0, select: 0, charStrings: 0, fontArray: 0 })
  const before = [header, nameIndex, unplaced, stringIndex, globals].reduce((sum, part) => sum + part.length, 0)
  const selectAt = before + charset.length
  const charStringsAt = selectAt + select.length
  const fontArrayAt = charStringsAt + charStrings.length
  const places = { charset: before, select: selectAt, charStrings: charStringsAt, fontArray: fontArrayAt }
  return joined([
    ...[header, nameIndex, topDict(places), stringIndex, globals, charset, select, charStrings],
    fontArray(fontArrayAt + fontArray(0).length),
    ...fonts.flatMap(({ dict, subrs }) => [dict, subrs]),
  ])
}

/** A glyph's outline as path data in font units, y upwards; empty for blanks and for what can't be read. */
export function cffPath(table: ByteReader, glyph: number): string {
  const font = cffOf(table)
  if (!font || glyph < 0 || glyph >= font.charStrings.count) return ''
  const local = routineOf(font.fontOf(glyph).locals())
  return pathOfCharstring(font.charStrings.at(glyph), { local, global: routineOf(font.globals) })
}

type Routine = (number: number) => Uint8Array | undefined

/** The subroutine that a call names; its place in the INDEX, which is the number plus a bias, is added to `calls`. */
function routineOf(index: Index | undefined, calls?: Set<number>): Routine {
  if (!index) return () => undefined
  const [, bias] = biasOf(index.count)
  return (number) => {
    const place = number + bias
    if (place < 0 || place >= index.count) return undefined
    calls?.add(place)
    return index.at(place)
  }
}

/** Which subroutines these glyphs call; undefined if one of them can't be followed, so that all have to stay. */
function callsOf(
  glyphs: readonly { code: Uint8Array; font: FontDict }[],
  globals: Index,
): { globals: ReadonlySet<number>; locals(font: FontDict): ReadonlySet<number> } | undefined {
  const called = new Set<number>()
  const global = routineOf(globals, called)
  const byFont = new Map<FontDict, { called: Set<number>; local: Routine }>()
  const ofFont = (font: FontDict) => {
    const known = byFont.get(font)
    if (known) return known
    const places = new Set<number>()
    const made = { called: places, local: routineOf(font.locals(), places) }
    byFont.set(font, made)
    return made
  }
  const isComplete = glyphs.every(({ code, font }) => followCalls(code, { global, local: ofFont(font).local }))
  return isComplete ? { globals: called, locals: (font) => ofFont(font).called } : undefined
}

/**
 * An INDEX with only these subroutines, or with all if no set is given. Unused ones before the last are one byte, which
 * keeps the numbers, and there are enough of them to keep the bias. (Readers take an INDEX of empty ones for damaged.)
 */
function subrsIndex(index: Index, left: ReadonlySet<number> | undefined): Uint8Array {
  if (left?.size === 0) return writeIndex([])
  const [least] = biasOf(index.count)
  const count = left ? Math.max(least, 1 + [...left].reduce((last, item) => Math.max(last, item), 0)) : index.count
  const routines = Array.from({ length: count }, (_, item) => (left?.has(item) === false ? RETURN : index.at(item)))
  return bytesOf(routines) > index.end + count ? writeIndex([]) : writeIndex(routines)
}

/** The smallest number of subroutines that has the same bias as `count`, and the bias (5177, 4.7). */
function biasOf(count: number): [number, number] {
  return count < 1_240 ? [0, 107] : count < 33_900 ? [1_240, 1_131] : [33_900, 32_768]
}

function localSubrs(table: ByteReader, font: readonly Entry[]): Index | undefined {
  const { size, at } = privatePlace(font)
  const subrsAt = operand(readDict(table.slice(at, size)), SUBRS)
  return subrsAt === undefined ? undefined : readIndex(table, at + subrsAt)
}

/** Where a font's private dictionary is; an empty one if size and offset are not whole numbers. */
function privatePlace(font: readonly Entry[]): { size: number; at: number } {
  const [size = 0, at = 0] = font.find((entry) => entry.operator === PRIVATE)?.operands ?? []
  return Number.isInteger(size) && Number.isInteger(at) ? { size, at } : { size: 0, at: 0 }
}

/** A subroutine that does nothing. */
const RETURN = Uint8Array.of(11)
/** A glyph that draws nothing. */
const ENDCHAR = Uint8Array.of(14)

function fontDicts(table: ByteReader, at: number): Entry[][] | undefined {
  const index = readIndex(table, at)
  if (!index || index.count === 0 || index.count > limits.fontDicts) return undefined
  return Array.from({ length: index.count }, (_, item) => readDict(index.at(item)))
}

/** The private dictionary of a font with its subroutines right behind it; of these only the ones that are called. */
function privateOf(
  table: ByteReader,
  { entries, locals }: FontDict,
  called: ReadonlySet<number> | undefined,
): { dict: Uint8Array; subrs: Uint8Array } {
  const { size, at } = privatePlace(entries)
  const own = readDict(table.slice(at, size))
  const rest = joined(own.filter((entry) => entry.operator !== SUBRS).map((entry) => entry.raw))
  const index = locals()
  if (!index || called?.size === 0) return { dict: rest, subrs: new Uint8Array(0) }
  const dict = joined([rest, five(rest.length + 6), operatorBytes(SUBRS)])
  return { dict, subrs: subrsIndex(index, called) }
}

function fdSelect(table: ByteReader, at: number, count: number): (glyph: number) => number {
  if (table.u8(at) === 0) return (glyph) => (glyph < count ? table.u8(at + 1 + glyph) : 0)
  const ranges = table.u16(at + 1)
  return (glyph) => {
    let low = 0
    let high = ranges - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (table.u16(at + 3 + middle * 3) <= glyph) low = middle
      else high = middle - 1
    }
    return table.u8(at + 5 + low * 3)
  }
}

function readIndex(table: ByteReader, at: number): Index | undefined {
  if (at < 0 || at + 2 > table.length) return undefined
  const count = table.u16(at)
  if (count === 0) return { count, end: at + 2, at: () => new Uint8Array(0) }
  const size = table.u8(at + 2)
  if (size < 1 || size > 4) return undefined
  const offset = (item: number) => {
    let value = 0
    for (let byte = 0; byte < size; byte++) value = value * 256 + table.u8(at + 3 + item * size + byte)
    return value
  }
  const base = at + 2 + (count + 1) * size
  const end = base + offset(count)
  if (end > table.length) return undefined
  return {
    count,
    end,
    at: (item) => {
      const from = offset(item)
      const to = offset(item + 1)
      return from >= 1 && to >= from ? table.slice(base + from, to - from) : new Uint8Array(0)
    },
  }
}

/** Takes a dictionary apart. Numbers that can't be offsets, because they are fractions or long and negative, are NaN. */
function readDict(dict: Uint8Array): Entry[] {
  const entries: Entry[] = []
  const bytes = dict.subarray(0, limits.fontDictBytes)
  const data = ByteReader.of(bytes)
  let operands: number[] = []
  let from = 0
  let at = 0
  while (at < bytes.length) {
    const first = data.u8(at)
    if (first <= 21) {
      const operator = first === 12 ? 0x0c00 + data.u8(at + 1) : first
      at += first === 12 ? 2 : 1
      entries.push({ operator, operands, raw: bytes.subarray(from, at) })
      operands = []
      from = at
    } else if (first === 30) {
      at++
      while (at < bytes.length && (data.u8(at) & 0x0f) !== 0x0f && data.u8(at) >> 4 !== 0x0f) at++
      at++
      operands.push(Number.NaN)
    } else if (first === 28) {
      operands.push(data.i16(at + 1))
      at += 3
    } else if (first === 29) {
      operands.push(data.u32(at + 1) | 0)
      at += 5
    } else if (first >= 32 && first <= 246) {
      operands.push(first - 139)
      at++
    } else if (first >= 247 && first <= 250) {
      operands.push((first - 247) * 256 + data.u8(at + 1) + 108)
      at += 2
    } else if (first >= 251 && first <= 254) {
      operands.push(Number.NaN)
      at += 2
    } else at++
  }
  return entries
}

function operand(entries: readonly Entry[], operator: number): number | undefined {
  const value = entries.find((entry) => entry.operator === operator)?.operands.at(-1)
  return value !== undefined && Number.isInteger(value) ? value : undefined
}

function kept(entries: readonly Entry[], operator: number): Uint8Array[] {
  return entries.filter((entry) => entry.operator === operator).map((entry) => entry.raw)
}

function writeIndex(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return Uint8Array.of(0, 0)
  const length = items.reduce((sum, item) => sum + item.length, 0)
  const bytes = new Uint8Array(3 + (items.length + 1) * 4 + length)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, items.length)
  bytes[2] = 4
  let offset = 1
  for (const [index, item] of items.entries()) {
    view.setUint32(3 + index * 4, offset)
    bytes.set(item, 2 + (items.length + 1) * 4 + offset)
    offset += item.length
  }
  view.setUint32(3 + items.length * 4, offset)
  return bytes
}

function bytesOf(parts: Iterable<Uint8Array>): number {
  let bytes = 0
  for (const { length } of parts) bytes += length
  return bytes
}

function operatorBytes(operator: number): Uint8Array {
  return operator >= 0x0c00 ? Uint8Array.of(12, operator & 0xff) : Uint8Array.of(operator)
}

/** An integer in its longest form, so that offsets have a length before they have a value. */
function five(value: number): Uint8Array {
  const bytes = new Uint8Array(5)
  bytes[0] = 29
  new DataView(bytes.buffer).setInt32(1, value)
  return bytes
}

function two(value: number): [number, number] {
  return [(value >> 8) & 0xff, value & 0xff]
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
