import { limits } from '../../../core/limits.ts'
import { subsetCff } from './cff.ts'
import { type Face, readFace, readNaming } from './face.ts'
import { fontCount } from './sfnt.ts'
import { guessFamily, lookalikes, type Substitute, twins } from './twins.ts'

/** A font file as it is handed in. `read` is called once, on the first use of the face. */
export interface FontSource {
  family: string
  /** Other names of the family: those in other languages, or with the weight left out. */
  aliases?: readonly string[]
  bold: boolean
  italic: boolean
  /** Which font of a collection it is. */
  index?: number
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
  /** Set when the family has no such face: drawn emboldened or slanted. */
  readonly syntheticBold: boolean
  readonly syntheticItalic: boolean
}

export interface FontMatch {
  font: Font
  /** How the font was found: the family itself, a metric twin, or only something similar. */
  by: 'family' | 'twin' | 'lookalike'
}

/** Why a font file that is there is passed over: it is no usable font, or may not be embedded. */
export type FontTrouble = 'unreadable' | 'restricted'

export interface FontLibrary {
  /**
   * The face for a family name; undefined only when the library holds no readable font at all. Where neither the family
   * nor its twin is there, `sample`, a character of the text's script, leads to a face that has the script.
   */
  match(family: string, bold: boolean, italic: boolean, sample?: number): FontMatch | undefined
  /** Any face that has the character, preferring the style asked for. */
  fallback(codePoint: number, bold: boolean, italic: boolean): Font | undefined
  /** What keeps the file of that family and style from being used, if anything does. */
  trouble(family: string, bold: boolean, italic: boolean): FontTrouble | undefined
}

/** The sources for a font file of the user's or of a document: several for a collection, none when it is no font. */
export function fontSourcesOf(bytes: Uint8Array): FontSource[] {
  const sources: FontSource[] = []
  for (let index = 0; index < fontCount(bytes); index++) {
    const naming = readNaming(bytes, index)
    if (!naming) continue
    const [family, ...aliases] = naming.families
    sources.push({ family: family!, aliases, bold: naming.bold, italic: naming.italic, index, read: () => bytes })
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
    match(family, bold, italic, sample) {
      const found = names.has(family.toLowerCase()) ? own.match(family, bold, italic) : undefined
      return found?.by === 'family' ? found : library.match(family, bold, italic, sample)
    },
    fallback: (codePoint, bold, italic) =>
      library.fallback(codePoint, bold, italic) ?? own.fallback(codePoint, bold, italic),
    trouble: (family, bold, italic) => own.trouble(family, bold, italic) ?? library.trouble(family, bold, italic),
  }
}

/**
 * A library over the given files; earlier sources win where two have the same family and style.
 *
 * @param prefix of the fonts' ids, where fonts of several libraries meet
 */
export function createFontLibrary(sources: readonly FontSource[], prefix = ''): FontLibrary {
  const families = new Map<string, FontSource[]>()
  for (const source of sources) {
    for (const name of [source.family, ...(source.aliases ?? [])]) {
      const key = name.toLowerCase()
      const list = families.get(key)
      if (list) list.push(source)
      else families.set(key, [source])
    }
  }
  const ids = new Map<FontSource, string>()
  const taken = new Set<string>()
  for (const source of sources) {
    const style = `${source.family}${source.bold ? ' bold' : ''}${source.italic ? ' italic' : ''}`
    let id = prefix + style
    for (let number = 2; taken.has(id); number++) id = `${prefix}${style} ${number}`
    taken.add(id)
    ids.set(source, id)
  }
  const faces = new Map<FontSource, Face | undefined>()
  const matches = new Map<string, FontMatch | undefined>()
  const fallbacks = new Map<string, Font | undefined>()
  const troubles = new Map<FontSource, FontTrouble>()

  function load(source: FontSource): Face | undefined {
    if (faces.has(source)) return faces.get(source)
    let face = readFace(source.read(), source.index)
    if (face?.isCff && !subsetCff(face.tables.get('CFF ')!, [0])) face = undefined
    if (!face) troubles.set(source, 'unreadable')
    else if (!face.mayEmbed || (!face.maySubset && face.isCff)) {
      troubles.set(source, 'restricted')
      face = undefined
    }
    faces.set(source, face)
    return face
  }

  function fontFrom(substitute: Substitute, bold: boolean, italic: boolean): Font | undefined {
    const list = families.get(substitute.family.toLowerCase()) ?? []
    const ranked = [...list].sort((a, b) => distance(a, bold, italic) - distance(b, bold, italic))
    for (const source of ranked) {
      const face = load(source)
      if (!face) continue
      const [ascent, descent, gap] = substitute.metrics ?? [face.ascent, face.descent, face.gap]
      return {
        id: ids.get(source)!,
        face,
        scale: substitute.scale ?? 1,
        ascent,
        descent,
        gap,
        syntheticBold: bold && !source.bold,
        syntheticItalic: italic && !source.italic,
      }
    }
    return undefined
  }

  function troubleOf(family: string, bold: boolean, italic: boolean): FontTrouble | undefined {
    const list = families.get(family.toLowerCase()) ?? []
    const nearest = [...list].sort((a, b) => distance(a, bold, italic) - distance(b, bold, italic))[0]
    if (nearest) load(nearest)
    return nearest && troubles.get(nearest)
  }

  function find(family: string, bold: boolean, italic: boolean, sample?: number): FontMatch | undefined {
    const lower = family.toLowerCase()
    const own = fontFrom({ family }, bold, italic)
    if (own) return { font: own, by: 'family' }
    const twin = twins[lower] && fontFrom(twins[lower], bold, italic)
    if (twin) return { font: twin, by: 'twin' }
    const scripted = sample === undefined ? undefined : havingGlyph(sample, bold, italic)
    if (scripted) return { font: scripted, by: 'lookalike' }
    const similar = lookalikes[lower] && fontFrom(lookalikes[lower], bold, italic)
    const any = similar || fontFrom({ family: guessFamily(family) }, bold, italic)
    if (any) return { font: any, by: 'lookalike' }
    for (const source of sources) {
      const font = fontFrom({ family: source.family }, bold, italic)
      if (font) return { font, by: 'lookalike' }
    }
    return undefined
  }

  function havingGlyph(codePoint: number, bold: boolean, italic: boolean): Font | undefined {
    const key = `${codePoint} ${bold}${italic}`
    if (fallbacks.has(key)) return fallbacks.get(key)
    let found: Font | undefined
    // The default family first, as for fonts whose name says nothing.
    for (const family of [guessFamily(''), ...families.keys()]) {
      const font = fontFrom({ family }, bold, italic)
      if (font && font.face.glyph(codePoint) !== 0) {
        found = font
        break
      }
    }
    if (fallbacks.size >= limits.fontAnswers) fallbacks.clear()
    fallbacks.set(key, found)
    return found
  }

  return {
    match(family, bold, italic, sample) {
      const key = `${family}\n${bold}${italic}${sample ?? ''}`
      if (matches.has(key)) return matches.get(key)
      if (matches.size >= limits.fontAnswers) matches.clear()
      matches.set(key, find(family, bold, italic, sample))
      return matches.get(key)
    },
    fallback: havingGlyph,
    trouble: troubleOf,
  }
}

function distance(source: FontSource, bold: boolean, italic: boolean): number {
  return (source.bold === bold ? 0 : 2) + (source.italic === italic ? 0 : 1)
}
