/** Typographic quotes and hard blanks as the keyboard has them. */
export function plainText(text: string): string {
  return text
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‘’‚‛‹›]/g, "'")
    .replace(hardBlanks, ' ')
}

export const hardBlanks = /[\u00a0\u202f\u2007]/g

/** The first invisible character that makes another name, as `U+200B`: byte order marks, soft hyphens, direction marks. */
export function unseenIn(text: string): string | undefined {
  const code = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/.exec(text)?.[0].charCodeAt(0)
  return code === undefined ? undefined : codePoint(code)
}

function codePoint(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * For a name with invisible or lookalike characters: what is odd about it, and the name that was meant. Word and macOS
 * write accents as separate characters, and non-breaking hyphens.
 */
export function lookalike(name: string): { odd: string; meant: string } | undefined {
  if (/^[ -~]*$/.test(name)) return undefined
  const unseen = unseenIn(name)
  const hyphen = /[\u2010\u2011]/.exec(name)?.[0]
  const meant = name
    .replace(/[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g, '')
    .replace(/[\u2010\u2011]/g, '-')
    .normalize('NFC')
  if (meant === name) return undefined
  const odd =
    unseen !== undefined
      ? `the unseen character ${unseen}`
      : hyphen !== undefined
        ? `the hyphen ${codePoint(hyphen.charCodeAt(0))}, which is not the one of the keyboard`
        : 'an accent that is a character of its own'
  return { odd, meant }
}
