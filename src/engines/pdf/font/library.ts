import { limits } from '../../../core/limits.ts'
import { subsetCff } from './cff.ts'
import { type Face, readFace, readNaming } from './face.ts'
import { type MeasuredStyle, measuredStyles } from './measured.ts'
import { refit } from './refit.ts'
import { fontCount } from './sfnt.ts'
import { englishName, guessFamily, type Substitute, substituteOf, twinOf, type Underline } from './twins.ts'

/** The style of a face within its family. */
export interface FaceStyle {
  bold: boolean
  italic: boolean
}

const regular: FaceStyle = { bold: false, italic: false }

/** A font file as it is submitted. `read` is called once, on the first use of the face. */
export interface FontSource extends FaceStyle {
  family: string
  /** Other names of the family: those in other languages, or with the weight left out. */
  aliases?: readonly string[]
  /** Which font of a collection it is. */
  index?: number
  /** Only lends characters to other fonts, without changing the line's height. Its family is found by name only. */
  isSupplement?: boolean
  read(): Uint8Array
}

/** A face as a document uses it: the outlines, and the metrics of the font the document asked for. */
export interface Font {
  /** Unique within the library; names the face, not the use. */
  readonly id: string
  readonly face: Face
  readonly scale: number
  readonly ascent: number
  readonly descent: number
  readonly gap: number
  /** The underline of the font that this one replaces, if it is known and differs. */
  readonly underline?: Underline | undefined
  /** Set when the family has no such face: drawn emboldened or slanted. */
  readonly syntheticBold: boolean
  readonly syntheticItalic: boolean
  /** See `FontSource`. */
  readonly isSupplement: boolean
}

export interface FontMatch {
  font: Font
  /** How the font was found: the family itself, a metric twin, a similar one at measured widths, or only a similar one. */
  by: 'family' | 'twin' | 'measured' | 'lookalike'
}

/** Why a font file is skipped: it is not a usable font, or may not be embedded. */
export type FontTrouble = 'unreadable' | 'restricted'

export interface FontLibrary {
  /**
   * The face for a family name; undefined only if the library holds no readable font at all. If neither the family nor
   * its twin is there, a face is chosen that has `sample`, a character of the text's script.
   */
  match(family: string, style?: FaceStyle, sample?: number): FontMatch | undefined
  /** Any face that has the character, preferring the style asked for. */
  fallback(codePoint: number, style?: FaceStyle): Font | undefined
  /** What keeps the file of that family and style from being used, if anything does. */
  trouble(family: string, style?: FaceStyle): FontTrouble | undefined
}

/** The sources for a font file of the user's or of a document: several for a collection, none when it is no font. */
export function fontSourcesOf(bytes: Uint8Array): FontSource[] {
  const sources: FontSource[] = []
  for (let index = 0; index < fontCount(bytes); index++) {
    const naming = readNaming(bytes, index)
    if (!naming) continue
    const [family, ...aliases] = naming.families
    sources.push({ family, aliases, bold: naming.bold, italic: naming.italic, index, read: () => bytes })
  }
  return sources
}

/** A library that prefers further sources, such as a document's own fonts, to those of another. */
export function withSources(library: FontLibrary, sources: readonly FontSource[]): FontLibrary {
  if (sources.length === 0) return library
  const own = createFontLibrary(sources, 'document ')
  const names = new Set(
    sources.flatMap(({ family, aliases = [] }) => [family, ...aliases].map((name) => name.toLowerCase())),
  )
  return {
    match(family, style, sample) {
      const found = names.has(family.toLowerCase()) ? own.match(family, style) : undefined
      return found?.by === 'family' ? found : library.match(family, style, sample)
    },
    fallback(codePoint, style) {
      const found = library.fallback(codePoint, style)
      return found && !found.isSupplement ? found : (own.fallback(codePoint, style) ?? found)
    },
    trouble: (family, style) => own.trouble(family, style) ?? library.trouble(family, style),
  }
}

/**
 * A library over the given files; earlier sources win if two have the same family and style.
 *
 * @param prefix prefix of the fonts' ids, to tell the fonts of several libraries apart
 */
export function createFontLibrary(sources: readonly FontSource[], prefix = ''): FontLibrary {
  return new Library(sources, prefix)
}

class Library implements FontLibrary {
  private readonly families = new Map<string, FontSource[]>()
  private readonly supplements = new Map<string, FontSource>()
  private readonly ids: ReadonlyMap<FontSource, string>
  /** Families in the order in which they lend characters to others. */
  private readonly lending: readonly string[]
  private readonly faces = new Map<FontSource, Face | FontTrouble>()
  private readonly matches = new Map<string, FontMatch | undefined>()
  private readonly refits = new Map<string, Font | undefined>()
  private readonly fallbacks = new Map<string, Font | undefined>()

  constructor(
    private readonly sources: readonly FontSource[],
    prefix: string,
  ) {
    for (const source of sources) {
      if (source.isSupplement) {
        this.supplements.set(source.family.toLowerCase(), source)
        continue
      }
      for (const name of [source.family, ...(source.aliases ?? [])]) {
        const key = name.toLowerCase()
        const list = this.families.get(key)
        if (list) list.push(source)
        else this.families.set(key, [source])
      }
    }
    this.ids = idsOf(sources, prefix)
    // In a font with many weights, the lightest would come first by its name.
    const names = [...this.families.keys()]
    this.lending = [...names.filter((name) => !isOtherWeight(name)), ...names.filter(isOtherWeight)]
  }

  match(family: string, style: FaceStyle = regular, sample?: number): FontMatch | undefined {
    const key = `${family}\n${style.bold}${style.italic}${sample ?? ''}`
    return answer(this.matches, key, () => this.find(family, style, sample))
  }

  fallback(codePoint: number, style: FaceStyle = regular): Font | undefined {
    const key = `${codePoint} ${style.bold}${style.italic}`
    return answer(this.fallbacks, key, () => this.havingGlyph(codePoint, style))
  }

  trouble(family: string, style: FaceStyle = regular): FontTrouble | undefined {
    const [nearest] = this.ranked(family, style)
    const face = nearest && this.load(nearest)
    return typeof face === 'string' ? face : undefined
  }

  /**
   * The substitution order: the family, its twin, a similar face at the family's measured widths, a face that has the
   * script, a similar family, and any face at all.
   */
  private find(family: string, style: FaceStyle, sample: number | undefined): FontMatch | undefined {
    const lower = englishName(family.toLowerCase())
    const own = this.fontFrom({ family }, style)
    if (own) return { font: own, by: 'family' }
    const compatible = twinOf(lower)
    const twin = compatible && this.fontFrom(compatible, style)
    if (twin) return { font: twin, by: 'twin' }
    const substitute = substituteOf(lower)
    const set = this.atMeasuredWidths(lower, style, substitute)
    if (set && (!sample || set.face.glyph(sample) !== 0))
      return { font: set, by: substitute.widthsOf === undefined ? 'measured' : 'lookalike' }
    const scripted = sample === undefined ? undefined : this.fallback(sample, style)
    if (scripted) return { font: withLineOf(measuredStyles(lower)[0], scripted), by: 'lookalike' }
    const named = set ?? this.fontFrom(substitute, { ...style, bold: style.bold || substitute.bold === true })
    const any =
      named ??
      this.firstOf(
        this.sources.map((source) => source.family),
        style,
      )
    return any && { font: any, by: 'lookalike' }
  }

  /** A similar face at the widths of the font it replaces; undefined if nobody measured them. */
  private atMeasuredWidths(family: string, style: FaceStyle, substitute: Substitute): Font | undefined {
    const measured = measuredStyles(substitute.widthsOf ?? family)
    if (measured.length === 0) return undefined
    return answer(this.refits, `${family}\n${style.bold}${style.italic}`, () => {
      const drawnAs = ({ bold, italic }: FaceStyle) => ({ italic, bold: bold || substitute.bold === true })
      const font = this.fontFrom(substitute, drawnAs(style))
      // The widths in PostScript outlines are part of their programs.
      if (!font || font.face.isCff) return undefined
      const ranked = measured.toSorted((a, b) => distance(a, style) - distance(b, style))
      const styles = ranked.flatMap((one) => {
        const face = this.fontFrom(substitute, drawnAs(one))?.face
        return face ? [{ ...one, face }] : []
      })
      const [ascent, descent, gap] = substitute.metrics ?? ranked[0]?.metrics ?? [font.ascent, font.descent, font.gap]
      return { ...font, id: `${font.id} as ${family}`, face: refit(font.face, styles), ascent, descent, gap }
    })
  }

  private havingGlyph(codePoint: number, style: FaceStyle): Font | undefined {
    // The default family first, as for fonts whose name gives no hint.
    const hasGlyph = (font: Font) => font.face.glyph(codePoint) !== 0
    const found = this.firstOf([guessFamily(''), ...this.lending], style, hasGlyph)
    if (found) return found
    for (const source of this.sources) {
      const font = source.isSupplement ? this.fontOf(source, source, style) : undefined
      if (font && hasGlyph(font)) return font
    }
    return undefined
  }

  /** The first usable face of some families that passes the test. */
  private firstOf(families: readonly string[], style: FaceStyle, isWanted = (_font: Font) => true): Font | undefined {
    for (const family of families) {
      const font = this.fontFrom({ family }, style)
      if (font && isWanted(font)) return font
    }
    return undefined
  }

  /** The usable face of a family that is nearest to a style, with the metrics of the face it replaces. */
  private fontFrom(substitute: Substitute, style: FaceStyle): Font | undefined {
    for (const source of this.ranked(substitute.family, style)) {
      const font = this.fontOf(source, substitute, style)
      if (font) return font
    }
    return undefined
  }

  private fontOf(source: FontSource, substitute: Substitute, style: FaceStyle): Font | undefined {
    const face = this.load(source)
    if (typeof face === 'string') return undefined
    const [ascent, descent, gap] = substitute.metrics ?? [face.ascent, face.descent, face.gap]
    return {
      id: this.ids.get(source) ?? source.family,
      face,
      scale: substitute.scale ?? 1,
      ascent,
      descent,
      gap,
      underline: substitute.underline,
      syntheticBold: style.bold && !source.bold,
      syntheticItalic: style.italic && !source.italic,
      isSupplement: source.isSupplement ?? false,
    }
  }

  private ranked(family: string, style: FaceStyle): FontSource[] {
    const supplement = this.supplements.get(family.toLowerCase())
    const list = this.families.get(family.toLowerCase()) ?? (supplement ? [supplement] : [])
    return list.toSorted((a, b) => distance(a, style) - distance(b, style))
  }

  private load(source: FontSource): Face | FontTrouble {
    const known = this.faces.get(source)
    if (known !== undefined) return known
    const face = usableFace(source)
    this.faces.set(source, face)
    return face
  }
}

/** Whether a family is a weight of another, neither regular nor bold, as `Noto Sans Thai Light` is. */
function isOtherWeight(family: string): boolean {
  return /[ -](?:thin|hairline|light|demilight|extralight|ultralight|medium|demi|semibold|demibold|extrabold|ultrabold|heavy|black)$/i.test(
    family,
  )
}

/** A name for each face that no other of the library has. */
function idsOf(sources: readonly FontSource[], prefix: string): Map<FontSource, string> {
  const ids = new Map<FontSource, string>()
  const taken = new Set<string>()
  for (const source of sources) {
    const style = `${source.family}${source.bold ? ' bold' : ''}${source.italic ? ' italic' : ''}`
    let id = prefix + style
    for (let number = 2; taken.has(id); number++) id = `${prefix}${style} ${number}`
    taken.add(id)
    ids.set(source, id)
  }
  return ids
}

/** A font whose lines are as high as those of the font it replaces, where they are known. */
function withLineOf(measured: MeasuredStyle | undefined, font: Font): Font {
  if (!measured?.metrics) return font
  const [ascent, descent, gap] = measured.metrics
  return { ...font, ascent, descent, gap }
}

/** The face of a file, or why it is skipped. */
export function usableFace(source: FontSource): Face | FontTrouble {
  const face = readFace(source.read(), source.index)
  const outlines = face?.tables.get('CFF ')
  if (!face || (face.isCff && !(outlines && subsetCff(outlines, [0])))) return 'unreadable'
  return face.mayEmbed && (face.maySubset || !face.isCff) ? face : 'restricted'
}

/** The cached answer, or a new one, which is then cached. */
function answer<T>(known: Map<string, T | undefined>, key: string, find: () => T | undefined): T | undefined {
  const before = known.get(key)
  if (before !== undefined || known.has(key)) return before
  const found = find()
  if (known.size >= limits.fontAnswers) known.clear()
  known.set(key, found)
  return found
}

function distance(source: FaceStyle, wanted: FaceStyle): number {
  return (source.bold === wanted.bold ? 0 : 2) + (source.italic === wanted.italic ? 0 : 1)
}
