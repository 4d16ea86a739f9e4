import { hyphenPoints } from './hyphenation.ts'

/**
 * Where a line may begin within text of a script without spaces, as UTF-16 offsets. Thai uses TeX's patterns, which
 * separate syllables. That is finer than Word's words but, unlike the dictionary of a runtime's ICU, the same on every
 * machine. Lao, Khmer and Myanmar break before each consonant that begins a cluster.
 */
export function syllableBreaks(text: string): number[] {
  const breaks: number[] = []
  for (const { 0: word, index } of text.matchAll(/[\u0e01-\u0e5b]+|[^\u0e01-\u0e5b]+/g)) {
    if (index > 0) breaks.push(index)
    if (word.charCodeAt(0) >= 0x0e01 && word.charCodeAt(0) <= 0x0e5b) breaks.push(...thaiBreaks(word, index))
    else breaks.push(...clusterBreaks(word, index))
  }
  return breaks
}

/** Patterns are for words; long stretches go through them in overlapping windows. */
const WINDOW = 60
const OVERLAP = 12

function thaiBreaks(text: string, base: number): number[] {
  const breaks: number[] = []
  for (let from = 0; ; from += WINDOW - 2 * OVERLAP) {
    const window = text.slice(from, from + WINDOW)
    const isLast = from + WINDOW >= text.length
    for (const point of hyphenPoints(window, 'th')) {
      const inside = (from === 0 || point >= OVERLAP) && (isLast || point < WINDOW - OVERLAP)
      if (inside) breaks.push(base + from + point)
    }
    if (isLast) return breaks
  }
}

/** Vowels, signs and subscripts belong to the consonant before them; a few Lao vowels come before theirs. */
function clusterBreaks(text: string, base: number): number[] {
  const breaks: number[] = []
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const before = text.charCodeAt(at - 1)
    if (!isClusterStart(code) || isLeadingVowel(before) || isStacker(before)) continue
    // A final consonant carries the sign that removes its vowel.
    if (isKiller(text.charCodeAt(at + 1))) continue
    breaks.push(base + at)
  }
  return breaks
}

function isClusterStart(code: number): boolean {
  return (
    (code >= 0x0e81 && code <= 0x0eae) ||
    isLeadingVowel(code) ||
    (code >= 0x1000 && code <= 0x102a) ||
    (code >= 0x1780 && code <= 0x17b3)
  )
}

function isLeadingVowel(code: number): boolean {
  return code >= 0x0ec0 && code <= 0x0ec4
}

function isStacker(code: number): boolean {
  return code === 0x1039 || code === 0x17d2
}

function isKiller(code: number): boolean {
  return code === 0x103a || code === 0x1039
}
