/** Lists in words: "a, b and c". */
import type { Locale } from './locale.ts'

/** The texts joined as the locale does, by its word for and, or or. */
export function joinList(texts: readonly string[], locale: Locale, by: 'and' | 'or'): string {
  const [two = '', start = '', middle = '', end = ''] = locale[by]
  const [first = '', second = '', ...rest] = texts
  if (texts.length < 2) return first
  if (rest.length === 0) return fill(two, first, second)
  const last = rest.pop() ?? ''
  // From the front, so that a long list takes time in its length only.
  const pieces = [...rest].map((text) => between(middle) + text)
  return (
    prefixOf(end) +
    prefixOf(start) +
    first +
    between(start) +
    second +
    pieces.join('') +
    between(end) +
    last +
    suffixOf(end)
  )
}

function fill(pattern: string, first: string, second: string): string {
  return prefixOf(pattern) + first + between(pattern) + second + suffixOf(pattern)
}

function prefixOf(pattern: string): string {
  return pattern.slice(0, pattern.indexOf('{0}'))
}

function between(pattern: string): string {
  return pattern.slice(pattern.indexOf('{0}') + 3, pattern.indexOf('{1}'))
}

function suffixOf(pattern: string): string {
  return pattern.slice(pattern.indexOf('{1}') + 3)
}
