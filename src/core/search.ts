/** Ranks things by their name, slug, description, reference or id; used by the search and the console's palette. */

export interface Searched {
  title: string
  /** Slug, description, reference: found by any part of them. */
  words?: readonly string[]
  /** The thing's own id. */
  uuid?: string
  /** Found only by what is written there, not by letters in order: there are many of its kind. */
  isOneOfMany?: boolean
  /** The rank that it has at least: where it is known to fit by what is not here. */
  leastRank?: number
}

/** Shorter parts of ids are in most of them. */
export const idPartChars = 4

/**
 * For a text in lower case: 4 if the title or a word starts with it, 3 if a later part of one does, 2 contains it, 1
 * has its letters in order, 0 no match.
 */
export function rankOf(
  text: string,
  { title, words = [], uuid = '', isOneOfMany = false, leastRank = 0 }: Searched,
): number {
  const ranks = [title, ...words].map((one) => partRank(text, one.toLowerCase()))
  const byId = text.length >= idPartChars && uuid.includes(text) ? 2 : 0
  const best = Math.max(byId, leastRank, ...ranks)
  if (best > 0 || isOneOfMany) return best
  return hasInOrder(text, title.toLowerCase()) ? 1 : 0
}

function partRank(text: string, word: string): number {
  if (word.startsWith(text)) return 4
  if (word.includes(` ${text}`)) return 3
  return word.includes(text) ? 2 : 0
}

function hasInOrder(text: string, title: string): boolean {
  let from = 0
  for (const letter of text) {
    const at = title.indexOf(letter, from)
    if (at < 0) return false
    from = at + 1
  }
  return true
}

/** The best first; the order of the table among equals. */
export function best<T extends Searched>(text: string, all: readonly T[], max: number): T[] {
  return all
    .map((one) => ({ one, rank: rankOf(text, one) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, max)
    .map(({ one }) => one)
}
