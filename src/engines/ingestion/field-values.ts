/** What texts of fields and elements become. */
import { readJson } from '../../core/json.ts'
import type { ValueType } from './declaration.ts'

/** The first character in a text that Quire's JSON refuses, because other systems can't store it. */
export function unkeepableIn(text: string): { offset: number; name: string } | undefined {
  const found = /[\0\p{Noncharacter_Code_Point}\p{Surrogate}]/u.exec(text)
  if (found === null) return undefined
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return { offset: found.index, name: `the character U+${code}` }
}

/**
 * The first refused character in a submitted text, with a remedy. Readers of UTF-8 put U+FFFD for bytes of another
 * encoding; models of earlier rules accept it.
 */
export function refusedCharacter(
  text: string,
  { isEarlier }: { isEarlier?: true },
): { offset: number; name: string; hint: string } | undefined {
  const found = unkeepableIn(text)
  const nul = text.indexOf('\0')
  // Every other byte of Latin text in UTF-16 is 0.
  const isWide = nul >= 0 && (text[nul + 2] === '\0' || text[nul - 2] === '\0')
  if (found !== undefined) return { ...found, hint: isWide ? 'save the text as UTF-8: this was UTF-16' : 'remove it' }
  const lost = isEarlier ? -1 : text.indexOf('\uFFFD')
  if (lost < 0) return undefined
  const name = 'the character U+FFFD, which stands for bytes that were not UTF-8'
  return { offset: lost, name, hint: 'save the text as UTF-8, or write what belongs there' }
}

/** The value of a type that a text has, or why it has none; text is any. */
export function typedValue(
  text: string,
  type: ValueType,
  decimal: '.' | ',',
): { ok: true; value: string | number | boolean } | { ok: false; message: string; hint: string } {
  if (type === 'text') return { ok: true, value: text }
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return { ok: true, value: text === 'true' }
    return { ok: false, message: `${shown(text)} is neither true nor false`, hint: booleanHint(text) }
  }
  const pattern = decimal === '.' ? /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/ : /^-?(?:0|[1-9]\d*)(?:,\d+)?$/
  const read = pattern.test(text) ? readJson(text.replace(',', '.')) : undefined
  if (read?.ok && typeof read.value === 'number') return { ok: true, value: read.value }
  const what = read === undefined ? `is no number with "${decimal}"` : 'is a number that is not kept exactly'
  const hint = read === undefined ? numberHint(text, decimal) : 'write at most 15 digits, or take it as text'
  return { ok: false, message: `${shown(text)} ${what}`, hint }
}

function booleanHint(text: string): string {
  if (/^(?:true|false)$/i.test(text)) return 'write it in small letters, or take it as text'
  if (/^(?:yes|y|1|on)$/i.test(text)) return 'write true, or take it as text'
  return /^(?:no|n|0|off)$/i.test(text) ? 'write false, or take it as text' : 'take it as text'
}

function numberHint(text: string, decimal: '.' | ','): string {
  const rule = 'write digits without grouping, exponent or leading zeros, or take it as text'
  const other = decimal === '.' ? ',' : '.'
  if (text.trim() !== text) return 'write it without blanks around, or add trim: true to the model'
  const isGrouped = text.includes(other) && /^-?\d{1,3}[.,]\d{3}$/.test(text)
  if (isGrouped) {
    const joined = text.replace(other, '')
    return `write ${joined} if its sign groups digits, else ${text.replace(other, decimal)}, or decimal: "${other}" in the model`
  }
  if (/^-?\d+[.,]\d+$/.test(text)) return `write ${text.replace(other, decimal)}, or decimal: "${other}" in the model`
  if (/^-?0\d/.test(text)) return 'what has leading zeros, such as a postcode, is text: leave its type out of the model'
  if (/^-?[.,]\d+$/.test(text)) return 'write a digit before the decimal sign'
  return /[^\d.,\seE+-]/.test(text) && /\d/.test(text)
    ? `${rule}; a unit or sign of a currency is a field of its own`
    : rule
}

function shown(text: string): string {
  return `"${text.length <= 40 ? text : `${text.slice(0, 39)}…`}"`
}
