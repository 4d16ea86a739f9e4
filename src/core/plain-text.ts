/** Typographic quotes and hard blanks as the keyboard has them. */
export function plainText(text: string): string {
  return text
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‘’‚‛‹›]/g, "'")
    .replace(hardBlanks, ' ')
}

export const hardBlanks = /[\u00a0\u202f\u2007]/g
