import { type Face, widthTable } from './face.ts'
import type { MeasuredStyle } from './measured.ts'
import { largeSign, largeSigns } from './symbols.ts'

/** The characters whose glyphs get other widths: Latin, Greek, Cyrillic, punctuation, signs, arrows, letters of formulas. */
const ranges: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x2ff],
  [0x370, 0x52f],
  [0x1e00, 0x1eff],
  [0x2010, 0x205e],
  [0x20a0, 0x20bf],
  [0x2100, 0x22ff],
  [0x25a0, 0x25ff],
  [0x1d400, 0x1d7ff],
]

/** Outlines are stretched with their glyphs up to this share more or less than usual for the font; the rest becomes room. */
const LEEWAY = 0.08

/**
 * A face that is set at the measured widths of another font. A character that was not measured gets the width of its
 * nearest relative: the same one in another style, its letter without the accent, any digit, or the mean of its kind.
 *
 * @param styles the measured styles of the font, that of the face first
 */
export function refit(face: Face, styles: readonly (MeasuredStyle & { face: Face })[]): Face {
  const widths = widthsOf(face, styles)
  const usual = ratioOf(face, widths, isLower) ?? ratioOf(face, widths, () => true) ?? 1
  const units = new Map<number, number>()
  // The measured ones come first: where two characters share a glyph, theirs is the width.
  for (const [code, width] of widths) {
    const glyph = face.glyph(code)
    if (!units.has(glyph)) units.set(glyph, Math.round(width * face.unitsPerEm))
  }
  // Large signs are drawn at Word's widths already.
  for (const code of largeSigns) {
    const glyph = face.glyph(largeSign(code))
    units.set(glyph, Math.round(face.advance(glyph) * face.unitsPerEm))
  }
  const advance = (glyph: number) => {
    const own = units.get(glyph)
    return own === undefined
      ? Math.round(face.advance(glyph) * usual * face.unitsPerEm) / face.unitsPerEm
      : own / face.unitsPerEm
  }
  return {
    ...face,
    advance: (glyph) => (glyph <= 0 ? face.advance(glyph) : advance(glyph)),
    width: widthTable((code) => {
      const glyph = face.glyph(code)
      return glyph === 0 ? -1 : advance(glyph)
    }),
    fit: (glyph) => {
      const before = face.advance(glyph)
      if (glyph <= 0 || before <= 0) return undefined
      const after = advance(glyph)
      const scale = Math.min(usual * (1 + LEEWAY), Math.max(usual * (1 - LEEWAY), after / before))
      const shift = Math.round(((after - before * scale) / 2) * face.unitsPerEm)
      return Math.abs(scale - 1) < 1 / 1000 && shift === 0 ? undefined : { scale, shift }
    },
  }
}

/** The width of each character that the face has. */
function widthsOf(face: Face, styles: readonly (MeasuredStyle & { face: Face })[]): Map<number, number> {
  const widths = new Map<number, number>()
  const codes = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  const present = codes.filter((code) => face.glyph(code) !== 0)
  for (const code of present) {
    const width = measured(face, code, styles)
    if (width !== undefined) widths.set(code, width)
  }
  const kinds = [isUpper, isLower, isDigit, () => true]
  const ratios = kinds.map((isOfKind) => ratioOf(face, widths, isOfKind))
  const digit = [...widths].find(([code]) => isDigit(code))?.[1]
  for (const code of present) {
    if (widths.has(code)) continue
    const letter = String.fromCodePoint(code).normalize('NFD').codePointAt(0) ?? code
    const base = widths.get(letter)
    const own = face.advance(face.glyph(code))
    if (isDigit(code) && digit !== undefined) widths.set(code, digit)
    else if (base !== undefined && letter !== code)
      widths.set(code, (own * base) / (face.advance(face.glyph(letter)) || own))
    else widths.set(code, own * (ratios.find((ratio, kind) => ratio !== undefined && kinds[kind]?.(code)) ?? 1))
  }
  return widths
}

/** The width of a character in the first style that has it, scaled as the stand-in's own width differs between both styles. */
function measured(face: Face, code: number, styles: readonly (MeasuredStyle & { face: Face })[]): number | undefined {
  for (const style of styles) {
    const width = style.widths.get(code)
    if (width === undefined) continue
    const there = style.face.width(code)
    return style.face === face || there <= 0 ? width : (width * face.width(code)) / there
  }
  return undefined
}

/** How much wider the measured font is than the face, over the characters of a kind; undefined if none was measured. */
function ratioOf(
  face: Face,
  widths: ReadonlyMap<number, number>,
  isOfKind: (code: number) => boolean,
): number | undefined {
  let wanted = 0
  let own = 0
  for (const [code, width] of widths) {
    if (!isOfKind(code)) continue
    wanted += width
    own += face.width(code)
  }
  return own > 0 ? wanted / own : undefined
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isUpper(code: number): boolean {
  const character = String.fromCodePoint(code)
  return character !== character.toLowerCase()
}

function isLower(code: number): boolean {
  const character = String.fromCodePoint(code)
  return character !== character.toUpperCase()
}
