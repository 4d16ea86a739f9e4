import type { Face } from './face.ts'
import { type Script, scripts } from './script-table.ts'

/** The script of a character whose font may be missing; undefined for signs, and for letters that the executable has. */
export function scriptOf(code: number): Script | undefined {
  return scripts.find(({ blocks }) => blocks.some(([from, to]) => code >= from && code <= to))
}

/** The scripts that a face has. */
export function scriptsIn(face: Pick<Face, 'glyph'>): Script[] {
  return scripts.filter(({ samples }) => [...samples].every((sample) => face.glyph(sample.codePointAt(0) ?? 0) !== 0))
}

/** What adds a font for a script, in one sentence. */
export function recipeFor(script: Script | undefined): string {
  if (!script?.debian) return 'Embed a font that has it in the document, or add one to the folders of QUIRE_FONTS.'
  const npm = script.npm === '' ? '' : `, or of ${script.npm} on npm`
  return `Embed a font that has it in the document, or give quire fonts add one: those of Debian's ${script.debian}${npm}, or another.`
}

/** Ideographs, kana, Hangul, and the punctuation and full-width forms among them. */
export function isEastAsian(code: number): boolean {
  if (code < 0x1100) return false
  if (code < 0x2e80) return code <= 0x11ff
  return (
    code <= 0xa4cf ||
    (code >= 0xa960 && code <= 0xa97f) ||
    (code >= 0xac00 && code <= 0xd7ff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe4f) ||
    (code >= 0xff00 && code <= 0xffef) ||
    (code >= 0x1b000 && code <= 0x1b2ff) ||
    (code >= 0x20000 && code <= 0x3ffff)
  )
}
