import { type Face, readFace } from './face.ts'
import { guessFamily, lookalikes, type Substitute, twins } from './twins.ts'

/** A font file as it is handed in. `read` is called once, on the first use of the face. */
export interface FontSource {
  family: string
  bold: boolean
  italic: boolean
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

export interface FontLibrary {
  /**
   * The face for a family name; undefined only when the library holds no readable font at all. Where neither the family
   * nor its twin is there, `sample`, a character of the text's script, leads to a face that has the script.
   */
  match(family: string, bold: boolean, italic: boolean, sample?: number): FontMatch | undefined
  /** Any face that has the character, preferring the style asked for. */
  fallback(codePoint: number, bold: boolean, italic: boolean): Font | undefined
  /** Families whose file could not be read as a TrueType font. */
  readonly broken: readonly string[]
}

/** The source for a font file of the user's or of a document; undefined when it is no TrueType font. */
export function fontSourceOf(bytes: Uint8Array): FontSource | undefined {
  const face = readFace(bytes)
  return face ? { family: face.family, bold: face.bold, italic: face.italic, read: () => bytes } : undefined
}

/** A library over the given files; earlier sources win where two have the same family and style. */
export function createFontLibrary(sources: readonly FontSource[]): FontLibrary {
  const families = new Map<string, FontSource[]>()
  for (const source of sources) {
    const key = source.family.toLowerCase()
    const list = families.get(key)
    if (list) list.push(source)
    else families.set(key, [source])
  }
  const faces = new Map<FontSource, Face | undefined>()
  const matches = new Map<string, FontMatch | undefined>()
  const fallbacks = new Map<string, Font | undefined>()
  const broken: string[] = []

  function load(source: FontSource): Face | undefined {
    if (faces.has(source)) return faces.get(source)
    const face = readFace(source.read())
    if (!face) broken.push(source.family)
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
        id: `${source.family}${source.bold ? ' bold' : ''}${source.italic ? ' italic' : ''}`,
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
    fallbacks.set(key, found)
    return found
  }

  return {
    broken,
    match(family, bold, italic, sample) {
      const key = `${family}\n${bold}${italic}${sample ?? ''}`
      if (!matches.has(key)) matches.set(key, find(family, bold, italic, sample))
      return matches.get(key)
    },
    fallback: havingGlyph,
  }
}

function distance(source: FontSource, bold: boolean, italic: boolean): number {
  return (source.bold === bold ? 0 : 2) + (source.italic === italic ? 0 : 1)
}
