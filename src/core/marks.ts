/**
 * Marks in the text of a filled document that tell which tag a value came from. They are noncharacters, which Unicode
 * reserves for a program's own use: no author's text contains them, and a marked document never leaves the program.
 */
const opens = '\uFDD0'
const closes = '\uFDD1'
const firstDigit = 0xfde0
const digits = 4
const marks = new RegExp(`${opens}([\\uFDE0-\\uFDEF]{${digits}})([^${opens}${closes}]*)${closes}`)

/** Fixed by the digits of a mark: this many can be told apart. */
export const maxMarks = 16 ** digits

/** The text between the marks of a number below `maxMarks`. */
export function markText(text: string, mark: number): string {
  let number = ''
  for (let digit = digits - 1; digit >= 0; digit--) {
    number += String.fromCharCode(firstDigit + ((mark >> (digit * 4)) & 0xf))
  }
  return opens + number + text + closes
}

export function hasMarks(text: string): boolean {
  return text.includes(opens)
}

export function withoutMarks(text: string): string {
  return hasMarks(text) ? text.replace(/[\uFDD0\uFDD1\uFDE0-\uFDEF]/g, '') : text
}

/** The text's stretches in order, without the marks; those that were marked with their number. */
export function splitMarks(text: string): { text: string; mark?: number }[] {
  const found: { text: string; mark?: number }[] = []
  let rest = text
  for (let match = marks.exec(rest); match !== null; match = marks.exec(rest)) {
    const [whole, number = '', marked = ''] = match
    if (match.index > 0) found.push({ text: rest.slice(0, match.index) })
    let mark = 0
    for (const digit of number) mark = mark * 16 + digit.charCodeAt(0) - firstDigit
    if (marked !== '') found.push({ text: marked, mark })
    rest = rest.slice(match.index + whole.length)
  }
  if (rest !== '') found.push({ text: rest })
  return found
}
