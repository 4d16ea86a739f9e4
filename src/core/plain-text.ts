/** Typographic quotes and hard blanks as the keyboard has them. */
export function plainText(text: string): string {
  return text
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‘’‚‛‹›]/g, "'")
    .replace(hardBlanks, ' ')
}

export const hardBlanks = /[\u00a0\u202f\u2007]/g

/** The first character of a text that nobody sees and that makes another name, as `U+200B`: byte order marks, soft hyphens, marks of direction. */
export function unseenIn(text: string): string | undefined {
  const code = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/.exec(text)?.[0].charCodeAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
