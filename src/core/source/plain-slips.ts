/**
 * Unquoted values that YAML 1.2, other YAML versions or their author read differently. They are read by YAML 1.2, with
 * a warning for the author.
 */
import type { ScalarNode } from './tree.ts'

export interface PlainSlip {
  code: 'boolean' | 'number' | 'null'
  message: string
  hint: string
}

const truthWords = /^(?:yes|on)$/i
const falseWords = /^(?:no|off)$/i
/** With a decimal comma; a list of numbers in one text has blanks after its commas. */
const decimalComma = /^[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/
/** Numbers of YAML 1.1 that are text since. */
const earlierNumber = /^[-+]?(?:\d+(?:_\d+)+(?:\.\d+)?|0b[01_]+|0x[\da-f_]*_[\da-f_]*)$/i
/** What is a number and may be a code, a telephone number or a version. */
const oddNumber = /^[-+]?0(?:\d|[xo])|^\+|^-?\.\d|\.$|e/i

/** The warning about a scalar; undefined for quoted ones, those of JSON, and unambiguous ones. */
export function plainSlip({ value, text, isPlain }: ScalarNode): PlainSlip | undefined {
  if (isPlain !== true) return undefined
  const quoted = text.length <= 60 ? `"${text}"` : 'it'
  if (value === null && text === '~') {
    return { code: 'null', message: '~ is null.', hint: 'Write null, or "~" for the text.' }
  }
  if (value === null && text === '') {
    return { code: 'null', message: 'Nothing is written here, which is null.', hint: 'Write the value, or null.' }
  }
  if (typeof value === 'string') return slippedText(text, quoted)
  if (typeof value !== 'object' || value === null || !oddNumber.test(text)) return undefined
  const message = `${text.slice(0, 60)} is read as a number, and written in another way.`
  return { code: 'number', message, hint: `Quote it if it is a code: ${quoted}.` }
}

function slippedText(text: string, quoted: string): PlainSlip | undefined {
  const meant = truthWords.test(text) ? 'true' : falseWords.test(text) ? 'false' : undefined
  if (meant !== undefined) {
    const message = `${text} is the text "${text}", and not ${meant}.`
    return { code: 'boolean', message, hint: `Write ${meant}, or put the text in quotes: ${quoted}.` }
  }
  const number = decimalComma.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : earlierNumber.test(text)
      ? shownNumber(text)
      : undefined
  if (number === undefined) return undefined
  const message = `${text.slice(0, 60)} is text, and no number.`
  return { code: 'number', message, hint: `Write ${number.slice(0, 60)}, or put the text in quotes: ${quoted}.` }
}

/** In decimal digits, as far as a text says at once which. */
function shownNumber(text: string): string {
  const plain = text.replaceAll('_', '')
  const [, sign = '', digits = ''] = /^([-+]?)(0[bx][\da-f]{1,12})$/i.exec(plain) ?? []
  return digits === '' ? plain.replace('+', '') : `${sign.replace('+', '')}${Number(digits)}`
}
