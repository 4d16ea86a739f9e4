import bidiFactory, { type Bidi } from 'bidi-js'
import { isRightToLeft } from './script.ts'

/**
 * Longer texts are resolved in pieces of this many characters: no line is that long, and the rules for brackets and
 * isolates look back over all that came before.
 */
const PIECE = 8_000

let bidi: Bidi | undefined

function algorithm(): Bidi {
  bidi ??= bidiFactory()
  return bidi
}

/**
 * A neutral character of a run marked right-to-left counts as a letter (17.3.2.30), unless it is between left-to-right
 * letters or separates the digits of a number. It counts as Arabic after Arabic, where numbers follow other rules (UAX
 * 9, W2), and as Hebrew elsewhere.
 */
const HEBREW_LETTER = '\u05d0'
const ARABIC_LETTER = '\u0627'

/**
 * The embedding level of each character (UAX 9); odd ones read from right to left.
 *
 * @param codes code points; 0 is nothing (a bookmark)
 * @param base the direction of the paragraph
 * @param isRightToLeftRun whether the run of a character is marked so
 */
export function embeddingLevels(
  codes: readonly number[],
  base: 'ltr' | 'rtl',
  isRightToLeftRun: (index: number) => boolean,
): Uint8Array {
  const levels = new Uint8Array(codes.length)
  for (let from = 0; from < codes.length; from += PIECE) {
    const to = Math.min(codes.length, from + PIECE)
    let text = ''
    const enclosed = enclosedByLatin(codes, from, to)
    let letter = HEBREW_LETTER
    for (let at = from; at < to; at++) {
      const code = codes[at] ?? 0
      // A line or page break ends the algorithm's paragraph, but not the layout's.
      if (code === 0 || code === 10) text += '\u200b'
      else {
        const character = String.fromCodePoint(code)
        const turns = isRightToLeftRun(at) && !enclosed[at - from] && isNeutral(character) && !isSeparator(codes, at)
        if (isRightToLeft(code)) letter = letterLike(code) ?? letter
        text += turns ? letter : code > 0xffff ? standIn(code) : character
      }
    }
    const resolved = algorithm().getEmbeddingLevels(text, base).levels
    levels.set(resolved.subarray(0, to - from), from)
  }
  return levels
}

/**
 * A character of the same bidi type in the first plane: bidi-js takes the surrogates of any other for Latin letters,
 * which would split Hebrew at an emoji.
 */
function standIn(code: number): string {
  return firstPlane.get(typeOf(code)) ?? 'a'
}

const firstPlane: ReadonlyMap<string, string> = new Map([
  ['R', HEBREW_LETTER],
  ['AL', ARABIC_LETTER],
  ['AN', '\u0660'],
  ['EN', '0'],
  ['NSM', '\u0300'],
  ['BN', '\u200b'],
  ['ON', '!'],
])

/** Marks the characters whose nearest letters on both sides read from left to right; a letter is its own nearest. */
function enclosedByLatin(codes: readonly number[], from: number, to: number): Uint8Array {
  const enclosed = new Uint8Array(to - from)
  let isLatin = false
  const look = (at: number) => {
    const code = codes[at] ?? 0
    if (isRightToLeft(code)) isLatin = false
    else if (isLetter(code)) isLatin = true
  }
  for (let at = from; at < to; at++) {
    look(at)
    if (isLatin) enclosed[at - from] = 1
  }
  isLatin = false
  for (let at = to - 1; at >= from; at--) {
    look(at)
    if (!isLatin) enclosed[at - from] = 0
  }
  return enclosed
}

function isLetter(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0xc0 && algorithm().getBidiCharTypeName(String.fromCodePoint(code)) === 'L')
  )
}

const neutralTypes = new Set(['WS', 'ON', 'ES', 'ET', 'CS'])

function isNeutral(character: string): boolean {
  return neutralTypes.has(algorithm().getBidiCharTypeName(character))
}

/** Marks and digits leave the letter as it is. */
function letterLike(code: number): string | undefined {
  const type = typeOf(code)
  if (type === 'AL') return ARABIC_LETTER
  return type === 'R' ? HEBREW_LETTER : undefined
}

/** True for the point of `2.21` and the stroke of `2002/2003`, which belong to the number (UAX 9, W4). */
function isSeparator(codes: readonly number[], at: number): boolean {
  const type = typeOf(codes[at])
  return (type === 'CS' || type === 'ES') && isNumeral(codes[at - 1]) && isNumeral(codes[at + 1])
}

function isNumeral(code: number | undefined): boolean {
  const type = typeOf(code)
  return type === 'EN' || type === 'AN'
}

function typeOf(code: number | undefined): string {
  return code === undefined || code === 0 ? '' : algorithm().getBidiCharTypeName(String.fromCodePoint(code))
}

/** The character that is drawn in place of a bracket in right-to-left text; the same character when it has no mirror. */
export function mirrored(code: number): number {
  const other = algorithm().getMirroredCharacter(String.fromCodePoint(code))
  return other?.codePointAt(0) ?? code
}

export interface LevelRun {
  from: number
  to: number
  level: number
}

/** The level runs of a line from left to right (rule L2); `levels` are those of the line, from `from` on. */
export function visualRuns(levels: ArrayLike<number>, from: number): LevelRun[] {
  const runs: LevelRun[] = []
  let highest = 0
  let lowestOdd = 255
  for (const [at, level] of Array.from(levels).entries()) {
    const last = runs.at(-1)
    if (last && last.level === level) last.to++
    else {
      runs.push({ from: from + at, to: from + at + 1, level })
      highest = Math.max(highest, level)
      if (level % 2 === 1) lowestOdd = Math.min(lowestOdd, level)
    }
  }
  const isWithin = (run: LevelRun | undefined, level: number) => run !== undefined && run.level >= level
  for (let level = highest; level >= lowestOdd; level--) {
    for (let start = 0; start < runs.length; start++) {
      let end = start
      while (isWithin(runs[end], level)) end++
      if (end === start) continue
      const turned = runs.slice(start, end).reverse()
      runs.splice(start, end - start, ...turned)
      start = end
    }
  }
  return runs
}
