/** Lists in words: "a, b and c". */
import type { Locale } from './locale.ts'

/** The texts joined as the locale does, by its word for and, or or. */
export function joinList(texts: readonly string[], locale: Locale, by: 'and' | 'or'): string {
  const [two = '', start = '', middle = '', end = ''] = locale[by]
  const [first = '', second = '', ...rest] = texts
  if (texts.length < 2) return first
  const last = rest.pop() ?? second
  const joint = (pattern: string) => followedBy(last, locale, by) ?? between(pattern)
  if (texts.length === 2) return prefixOf(two) + first + joint(two) + second + suffixOf(two)
  // From the front, so that a long list takes time in its length only.
  const pieces = rest.map((text) => between(middle) + text)
  return (
    prefixOf(end) +
    prefixOf(start) +
    first +
    between(start) +
    second +
    pieces.join('') +
    joint(end) +
    last +
    suffixOf(end)
  )
}

function followedBy(text: string, { followed }: Locale, by: 'and' | 'or'): string | undefined {
  const [before, joint] = followed?.[by] ?? []
  return before !== undefined && new RegExp(before, 'iu').test(text) ? joint : undefined
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
