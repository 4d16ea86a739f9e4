import { limits } from '../../../core/limits.ts'
import { readPairKerning } from './kerning.ts'
import { type ByteReader, readTables, tableOf } from './sfnt.ts'

/** An invisible zero-width glyph that every subset can have; it carries characters that no other glyph shows. */
export const BLANK_GLYPH = -1

/** Widths of codes below this one are kept in a table: they are looked up all the time. */
const COMMON_CODES = 0x2200

/** Fits a glyph's outline into an advance that is not its own: `x * scale + shift`, in font units. */
export interface Fit {
  readonly scale: number
  readonly shift: number
}

/** One parsed font file. Lengths are in thousandths of the em unless the name says `Units` (font design units). */
export interface Face {
  readonly bytes: Uint8Array
  /** Which font of a collection it is; 0 for a file of one. */
  readonly index: number
  readonly tables: Map<string, ByteReader>
  readonly family: string
  readonly postscriptName: string
  readonly bold: boolean
  readonly italic: boolean
  readonly unitsPerEm: number
  readonly glyphCount: number
  /** hhea values as fractions of the em; descent is positive downwards. */
  readonly ascent: number
  readonly descent: number
  readonly gap: number
  readonly capHeight: number
  readonly xHeight: number
  readonly italicAngle: number
  readonly fixedPitch: boolean
  readonly underlinePosition: number
  readonly underlineThickness: number
  readonly strikePosition: number
  readonly bbox: readonly [number, number, number, number]
  /** Glyph of a Unicode code point; 0 when the font has none. */
  glyph(codePoint: number): number
  /** Advance width of a glyph, as a fraction of the em. */
  advance(glyph: number): number
  /** Advance width of a character's glyph, as a fraction of the em; -1 when the font has none for it. */
  width(codePoint: number): number
  /** How a glyph's outline fits into an advance that is not its own; undefined if it is drawn as in the file. */
  fit?(glyph: number): Fit | undefined
  /** Pair adjustment between two glyphs as a fraction of the em (GPOS `kern`). */
  kern(left: number, right: number): number
  /** Whether the outlines are PostScript's (`CFF`), not TrueType's. */
  readonly isCff: boolean
  /** What OS/2 fsType allows: no embedding with the restricted licence, or the whole file only, without subsetting. */
  readonly mayEmbed: boolean
  readonly maySubset: boolean
}

/** The names and the style by which documents may ask for a font. */
export interface FontNaming {
  families: readonly [string, ...string[]]
  bold: boolean
  italic: boolean
}

/**
 * The family names of a font, in all its languages, and its style. Weights other than regular and bold are families of
 * their own (`Noto Sans Light`), as Windows and Word have it.
 */
export function readNaming(bytes: Uint8Array, index = 0): FontNaming | undefined {
  const tables = readTables(bytes, index)
  if (!tables) return undefined
  const { families } = readNames(tables.get('name'))
  const [first, ...others] = families
  return first === undefined ? undefined : { families: [first, ...others], ...readStyle(tables) }
}

function readStyle(tables: ReadonlyMap<string, ByteReader>): { bold: boolean; italic: boolean } {
  const selection = tables.get('OS/2')?.u16(62) ?? 0
  const macStyle = tables.get('head')?.u16(44) ?? 0
  return {
    bold: (selection & 0x20) !== 0 || (macStyle & 1) !== 0,
    italic: (selection & 1) !== 0 || (macStyle & 2) !== 0,
  }
}

/** Reads a TrueType or OpenType font, or one of a collection; undefined when the bytes are not a usable one (the caller reports it). */
export function readFace(bytes: Uint8Array, index = 0): Face | undefined {
  const tables = readTables(bytes, index)
  if (!tables) return undefined
  const unitsPerEm = tableOf(tables, 'head').u16(18)
  const glyphCount = tableOf(tables, 'maxp').u16(4)
  if (unitsPerEm < 16 || unitsPerEm > 16_384 || glyphCount === 0) return undefined
  const names = readNames(tables.get('name'))
  const os2 = tables.get('OS/2')
  let pairs: ReturnType<typeof readPairKerning> | undefined
  return {
    bytes,
    index,
    tables,
    family: names.family || 'Unnamed',
    postscriptName: (names.postscript || names.family || 'Unnamed').replace(/[^A-Za-z0-9-]/g, ''),
    ...readStyle(tables),
    unitsPerEm,
    glyphCount,
    ...readMetrics(tables, unitsPerEm),
    ...glyphsOf(tables, unitsPerEm, glyphCount),
    kern: (left, right) => {
      pairs ??= readPairKerning(tables.get('GPOS'), glyphCount)
      return pairs(left, right) / unitsPerEm
    },
    isCff: tables.has('CFF '),
    mayEmbed: os2 ? (os2.u16(8) & 0x000f) !== 2 && (os2.u16(8) & 0x0200) === 0 : true,
    maySubset: os2 ? (os2.u16(8) & 0x0100) === 0 : true,
  }
}

type Metrics = Pick<
  Face,
  | ('ascent' | 'descent' | 'gap' | 'capHeight' | 'xHeight' | 'italicAngle' | 'fixedPitch' | 'bbox')
  | ('underlinePosition' | 'underlineThickness' | 'strikePosition')
>

/** The metrics of the whole font; what a font leaves out has a usual value. */
function readMetrics(tables: ReadonlyMap<string, ByteReader>, unitsPerEm: number): Metrics {
  const head = tableOf(tables, 'head')
  const hhea = tableOf(tables, 'hhea')
  const os2 = tables.get('OS/2')
  const post = tables.get('post')
  const em = (value: number) => value / unitsPerEm
  const capHeight = os2 && os2.u16(0) >= 2 ? os2.i16(88) : 0
  const xHeight = os2 && os2.u16(0) >= 2 ? os2.i16(86) : 0
  return {
    ascent: em(hhea.i16(4)),
    descent: em(-hhea.i16(6)),
    gap: em(Math.max(0, hhea.i16(8))),
    capHeight: em(capHeight > 0 ? capHeight : Math.round(unitsPerEm * 0.7)),
    xHeight: em(xHeight > 0 ? xHeight : Math.round(unitsPerEm * 0.5)),
    italicAngle: post ? post.i16(4) + post.u16(6) / 65_536 : 0,
    fixedPitch: post ? post.u32(12) !== 0 : false,
    underlinePosition: em(post?.i16(8) || -unitsPerEm * 0.1),
    underlineThickness: em(post?.i16(10) || unitsPerEm * 0.05),
    strikePosition: em(os2?.i16(28) || unitsPerEm * 0.26),
    bbox: [em(head.i16(36)), em(head.i16(38)), em(head.i16(40)), em(head.i16(42))],
  }
}

/** How characters find their glyphs, and glyphs and characters their widths. */
function glyphsOf(
  tables: ReadonlyMap<string, ByteReader>,
  unitsPerEm: number,
  glyphCount: number,
): Pick<Face, 'glyph' | 'advance' | 'width'> {
  const advances = readAdvances(tableOf(tables, 'hmtx'), tableOf(tables, 'hhea').u16(34), glyphCount)
  const lookup = readCmap(tableOf(tables, 'cmap'))
  const glyphOf = (codePoint: number) => {
    const glyph = lookup(codePoint)
    return glyph < glyphCount ? glyph : 0
  }
  // No other glyph has an advance.
  const advanceOf = (glyph: number) => (advances[glyph] ?? 0) / unitsPerEm
  return {
    glyph: glyphOf,
    advance: advanceOf,
    width: widthTable((codePoint) => {
      const glyph = glyphOf(codePoint)
      return glyph === 0 ? -1 : advanceOf(glyph)
    }),
  }
}

/** Looks the width of a character up once, if it is a common one. */
export function widthTable(widthOf: Face['width']): Face['width'] {
  // NaN marks what was not looked up yet.
  const widths = new Float64Array(COMMON_CODES).fill(Number.NaN)
  return (codePoint) => {
    const known = widths[codePoint]
    if (known !== undefined && known >= -1) return known
    const width = widthOf(codePoint)
    if (codePoint < COMMON_CODES) widths[codePoint] = width
    return width
  }
}

function readAdvances(hmtx: ByteReader, longCount: number, glyphCount: number): Uint16Array {
  const advances = new Uint16Array(glyphCount)
  const known = Math.max(1, Math.min(longCount, glyphCount))
  for (let glyph = 0; glyph < glyphCount; glyph++) advances[glyph] = hmtx.u16(Math.min(glyph, known - 1) * 4)
  return advances
}

/** Picks the widest Unicode subtable (format 12 before 4); the lookups in it remember what was asked. */
function readCmap(cmap: ByteReader): (codePoint: number) => number {
  const count = Math.min(cmap.u16(2), 64)
  let best: { rank: number; table: ByteReader; symbol: boolean } | undefined
  for (let index = 0; index < count; index++) {
    const at = 4 + index * 8
    const platform = cmap.u16(at)
    const encoding = cmap.u16(at + 2)
    const table = cmap.part(cmap.u32(at + 4))
    const format = table.u16(0)
    if (format !== 4 && format !== 12) continue
    const symbol = platform === 3 && encoding === 0
    const unicode = platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10))
    const rank = format === 12 && unicode ? 3 : unicode ? 2 : symbol ? 1 : 0
    if (rank > 0 && (!best || rank > best.rank)) best = { rank, table, symbol }
  }
  if (!best) return () => 0
  const { table, symbol } = best
  const find =
    table.u16(0) === 12 ? (code: number) => lookupFormat12(table, code) : (code: number) => lookupFormat4(table, code)
  // Symbol fonts keep their glyphs at U+F000..F0FF; documents name them by either code.
  // 0xFFFF marks what was not looked up yet.
  const common = new Uint16Array(COMMON_CODES).fill(0xffff)
  const known = new Map<number, number>()
  return (codePoint) => {
    const found = common[codePoint]
    if (found !== undefined) {
      if (found !== 0xffff) return found
      let first = find(codePoint)
      if (first === 0 && symbol && codePoint < 0x100) first = find(0xf000 + codePoint)
      common[codePoint] = first
      return first
    }
    let glyph = known.get(codePoint)
    if (glyph === undefined) {
      glyph = find(codePoint)
      known.set(codePoint, glyph)
    }
    return glyph
  }
}

function lookupFormat4(table: ByteReader, code: number): number {
  if (code > 0xffff) return 0
  const doubled = table.u16(6)
  let low = 0
  let high = (doubled >> 1) - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const end = table.u16(14 + middle * 2)
    const start = table.u16(16 + doubled + middle * 2)
    if (code > end) low = middle + 1
    else if (code < start) high = middle - 1
    else {
      const delta = table.u16(16 + doubled * 2 + middle * 2)
      const rangeAt = 16 + doubled * 3 + middle * 2
      const range = table.u16(rangeAt)
      if (range === 0) return (code + delta) & 0xffff
      const glyph = table.u16(rangeAt + range + (code - start) * 2)
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
  }
  return 0
}

function lookupFormat12(table: ByteReader, code: number): number {
  let low = 0
  let high = table.u32(12) - 1
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const at = 16 + middle * 12
    if (code > table.u32(at + 4)) low = middle + 1
    else if (code < table.u32(at)) high = middle - 1
    else return table.u32(at + 8) + code - table.u32(at)
  }
  return 0
}

interface Names {
  family: string
  postscript: string
  families: string[]
}

function readNames(name: ByteReader | undefined): Names {
  const found: Names = { family: '', postscript: '', families: [] }
  if (!name) return found
  const count = Math.min(name.u16(2), 512)
  const storage = name.u16(4)
  let typographic = ''
  let subfamily = ''
  for (let index = 0; index < count; index++) {
    const at = 6 + index * 12
    const platform = name.u16(at)
    const id = name.u16(at + 6)
    if (platform !== 3 || (id !== 1 && id !== 6 && id !== 16 && id !== 17)) continue
    const bytes = name.part(storage + name.u16(at + 10), Math.min(name.u16(at + 8), limits.fontNameLength * 2))
    let text = ''
    for (let byte = 0; byte + 1 < bytes.length; byte += 2) text += String.fromCharCode(bytes.u16(byte))
    if (id === 1) {
      found.family ||= text
      if (text !== '' && !found.families.includes(text)) found.families.push(text)
    } else if (id === 6) found.postscript ||= text
    else if (id === 16) typographic ||= text
    else subfamily ||= text
  }
  if (typographic !== '' && /^(regular|bold|italic|bold italic|)$/i.test(subfamily)) found.families.push(typographic)
  found.family = typographic || found.family
  return found
}
