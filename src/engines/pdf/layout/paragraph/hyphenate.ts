import { canHyphenate, hyphenPoints } from '../../text/hyphenation.ts'
import { Kind, type Plan } from './plan.ts'

export interface HyphenSettings {
  /** Room that a ragged line may leave before a word is hyphenated for it, in points (17.15.1.53). */
  zone: number
  /** Lines in a row that may end in a hyphen; 0 for any number (17.15.1.22). */
  limit: number
  /** Words of capitals stay whole (17.15.1.37). */
  keepCapitals: boolean
}

/** A word that does not fit the rest of its line. */
export interface WordOnLine {
  /** The entry that it begins with, and where that is on the line. */
  from: number
  x: number
  /** The right edge of the line, which the hyphen has to stay within. */
  right: number
}

/**
 * Where a word that does not fit is hyphenated: the entry that begins the next line, or undefined.
 *
 * @param hyphenWidth width of a hyphen behind an entry
 */
export function hyphenBreak(
  plan: Plan,
  { from, x, right }: WordOnLine,
  hyphenWidth: (at: number) => number,
  settings: HyphenSettings,
): number | undefined {
  let start = from
  while (plan.kind(start) === Kind.text && !isLetter(plan.code(start))) start++
  let end = start
  let word = ''
  while (plan.kind(end) === Kind.text && isLetter(plan.code(end))) word += String.fromCodePoint(plan.code(end++))
  // Parts of compounds with hyphens of their own and pieces of addresses stay as they are.
  if (plan.kind(end) === Kind.text && joinsWords(plan.code(end))) return undefined
  if (word === '') return undefined
  const { language } = plan.style(start).look
  if (!canHyphenate(language) || (settings.keepCapitals && word === word.toUpperCase())) return undefined
  let found: number | undefined
  let width = x
  let at = from
  for (const point of hyphenPoints(word, language)) {
    while (at < start + point) width += plan.advance(at++)
    if (width + hyphenWidth(at - 1) > right) break
    found = at
  }
  return found
}

function isLetter(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7)
  )
}

function joinsWords(code: number): boolean {
  return code === 0x2d || code === 0x2010 || code === 0x2011 || code === 0x40 || code === 0x2f || code === 0x5f
}
