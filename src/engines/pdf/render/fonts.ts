import type { RenderCache } from '../cache.ts'
import { subsetCff } from '../font/cff.ts'
import type { Face } from '../font/face.ts'
import type { Font } from '../font/library.ts'
import { isEastAsian } from '../font/scripts.ts'
import { tableOf } from '../font/sfnt.ts'
import { subsetFont } from '../font/subset.ts'
import { num } from './operators.ts'
import { compress, latin1, type ObjectNumber, type PdfFile, subsetTag } from './write.ts'

/**
 * Gathers the glyphs that a document draws with one face, and numbers them in order of first use. A glyph of different
 * characters has a code for each, so that text can be extracted from the codes.
 */
export class UsedFont {
  readonly glyphs = [0]
  readonly unicode: string[] = ['']
  /** The code of a glyph for its first character, which is nearly always its only one. */
  private readonly firstCodes: number[] = []
  private readonly firstUnicode: (number | undefined)[] = []
  private readonly codes = new Map<number, number>()
  private readonly shapedCodes = new Map<string, number>()

  constructor(
    readonly name: string,
    readonly ref: ObjectNumber,
    readonly font: Font,
  ) {}

  /** Codes of the characters below U+2200 that show the font's own glyph; 0 for unused ones. */
  private readonly plainCodes = new Uint16Array(0x2200)

  /** The code of a character that shows the glyph that the font has for it. */
  plainCode(unicode: number): number {
    const known = this.plainCodes[unicode]
    if (known) return known
    const code = this.code(this.font.face.glyph(unicode), unicode)
    this.plainCodes[unicode] = code
    return code
  }

  /** The glyph's two-byte code in the content stream. */
  code(glyph: number, unicode: number): number {
    const first = this.firstUnicode[glyph] === unicode ? this.firstCodes[glyph] : undefined
    if (first !== undefined) return first
    const key = unicode * 65_536 + glyph
    let code = this.codes.get(key)
    if (code === undefined) {
      code = this.add(glyph, String.fromCodePoint(unicode))
      this.codes.set(key, code)
      if (glyph >= 0 && this.firstUnicode[glyph] === undefined) {
        this.firstUnicode[glyph] = unicode
        this.firstCodes[glyph] = code
      }
    }
    return code
  }

  /** The code of a glyph that stands for several characters or, within a cluster, for none. */
  shapedCode(glyph: number, text: string): number {
    const first = text.codePointAt(0)
    if (first !== undefined && text.length === (first > 0xffff ? 2 : 1)) return this.code(glyph, first)
    const key = `${glyph} ${text}`
    let code = this.shapedCodes.get(key)
    if (code === undefined) {
      code = this.add(glyph, text)
      this.shapedCodes.set(key, code)
    }
    return code
  }

  private add(glyph: number, text: string): number {
    const number = this.glyphs.length
    // Codes have two bytes; a document that uses them up shows boxes from there on.
    if (number > 0xffff) return 0
    this.glyphs.push(glyph)
    this.unicode.push(text)
    return number
  }
}

/** The document's fonts: one subset per face, written once all pages are, and another for its East Asian text. */
export class FontSet {
  private readonly used = new Map<string, UsedFont>()
  /** The last one that was asked for. */
  private last: { font: Font; isApart: boolean; used: UsedFont } | undefined

  constructor(
    private readonly file: PdfFile,
    private readonly cache: RenderCache,
  ) {}

  /** East Asian text has a font of its own, as in Word's files, so that PDF readers keep it apart from adjacent Latin text. */
  use(font: Font, text: string): UsedFont {
    const isApart = isEastAsian(text.codePointAt(0) ?? 0) && font.face.maySubset
    const { last } = this
    if (last && last.font === font && last.isApart === isApart) return last.used
    const key = isApart ? `${font.id} East Asian` : font.id
    let used = this.used.get(key)
    if (!used) {
      used = new UsedFont(`F${this.used.size + 1}`, this.file.reserve(), font)
      this.used.set(key, used)
    }
    this.last = { font, isApart, used }
    return used
  }

  /** Entries for the pages' resource dictionary. */
  resources(): string {
    return [...this.used.values()].map((used) => `/${used.name} ${used.ref} 0 R`).join('')
  }

  write(): void {
    for (const used of this.used.values()) writeFont(this.file, used, this.cache)
  }
}

/** A Type 0 font over a subset, coded by our own glyph numbers (9.7). */
function writeFont(file: PdfFile, used: UsedFont, cache: RenderCache): void {
  const { face } = used.font
  const key = `subset ${cache.nameOf(face)} ${used.glyphs.join()}`
  const subset = cache.once(key, () => {
    const program = programOf(face, used.glyphs)
    const value = { data: compress(program), length: program.length, tag: subsetTag(program) }
    return { value, bytes: value.data.length }
  })
  const name = face.maySubset ? `${subset.tag}+${face.postscriptName}` : face.postscriptName
  const kind = face.isCff ? '/Subtype/CIDFontType0C' : `/Length1 ${subset.length}`
  const fontFile = file.addFiltered(`${kind}/Filter/FlateDecode`, subset.data)
  const [left, bottom, right, top] = face.bbox
  const thousand = (value: number) => Math.round(value * 1000)
  const flags = (face.fixedPitch ? 1 : 0) | 4 | (face.italic ? 64 : 0)
  const descriptor = file.add(
    `<</Type/FontDescriptor/FontName/${name}/Flags ${flags}/FontBBox[${thousand(left)} ${thousand(bottom)} ${thousand(right)} ${thousand(top)}]` +
      `/ItalicAngle ${num(face.italicAngle)}/Ascent ${thousand(face.ascent)}/Descent ${-thousand(face.descent)}/CapHeight ${thousand(face.capHeight)}` +
      `/XHeight ${thousand(face.xHeight)}/StemV ${face.bold ? 140 : 80}/${face.isCff ? 'FontFile3' : 'FontFile2'} ${fontFile} 0 R>>`,
  )
  const widths = used.glyphs.map((glyph) => num(face.advance(glyph) * 1000)).join(' ')
  const descendant = file.add(
    `<</Type/Font/Subtype/${face.isCff ? 'CIDFontType0' : 'CIDFontType2'}/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
      `/FontDescriptor ${descriptor} 0 R/DW 1000/W[0[${widths}]]${glyphMap(file, used)}>>`,
  )
  const toUnicode = file.addStream('', latin1(unicodeMap(used)))
  file.put(
    used.ref,
    `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${toUnicode} 0 R>>`,
  )
}

/** The font file to embed: a subset, or the whole font if its licence requires it. */
function programOf(face: Face, glyphs: readonly number[]): Uint8Array {
  if (face.isCff) return subsetCff(tableOf(face.tables, 'CFF '), glyphs) ?? new Uint8Array(0)
  return subsetFont(face, face.maySubset ? glyphs : Array.from({ length: face.glyphCount }, (_, glyph) => glyph))
}

/** Codes are the subset's glyph numbers; in a font that is embedded whole they are mapped to its own. */
function glyphMap(file: PdfFile, used: UsedFont): string {
  const { face } = used.font
  if (face.isCff) return ''
  if (face.maySubset) return '/CIDToGIDMap/Identity'
  const map = new Uint8Array(used.glyphs.length * 2)
  const view = new DataView(map.buffer)
  for (const [code, glyph] of used.glyphs.entries()) view.setUint16(code * 2, Math.max(0, glyph))
  return `/CIDToGIDMap ${file.addStream('', map)} 0 R`
}

const WORD_JOINER = '\u2060'

/** The ToUnicode CMap (9.10.3), at most a hundred entries a block. */
function unicodeMap(used: UsedFont): string {
  let map =
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n' +
    '/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n'
  for (let from = 1; from < used.unicode.length; from += 100) {
    const to = Math.min(from + 100, used.unicode.length)
    const codes: string[] = []
    for (let index = from; index < to; index++) {
      // A glyph without a character of its own maps to an invisible one: every code has to be mapped.
      const text = used.unicode[index] || WORD_JOINER
      codes.push(`<${index.toString(16).toUpperCase().padStart(4, '0')}> <${utf16(text)}>\n`)
    }
    map += `${codes.length} beginbfchar\n${codes.join('')}endbfchar\n`
  }
  return `${map}endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend`
}

function utf16(text: string): string {
  let hex = ''
  for (let at = 0; at < text.length; at++) hex += text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
  return hex
}
