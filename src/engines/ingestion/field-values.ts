/** What texts of fields and elements become. */
import { readJson } from '../../core/json.ts'
import type { ValueType } from './declaration.ts'

/** Where in a text there is something that JSON as Quire reads it refuses, which other systems can't hold either. */
export function unkeepableIn(text: string): { offset: number; name: string } | undefined {
  const found = /[\0\p{Noncharacter_Code_Point}\p{Surrogate}]/u.exec(text)
  if (found === null) return undefined
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return { offset: found.index, name: `the character U+${code}` }
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
    return { ok: false, message: `${shown(text)} is neither true nor false`, hint: 'take it as text' }
  }
  const pattern = decimal === '.' ? /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/ : /^-?(?:0|[1-9]\d*)(?:,\d+)?$/
  const read = pattern.test(text) ? readJson(text.replace(',', '.')) : undefined
  if (read?.ok && typeof read.value === 'number') return { ok: true, value: read.value }
  const what = read === undefined ? `is no number with "${decimal}"` : 'is a number that is not kept exactly'
  const hint = 'write digits without grouping, exponent or leading zeros, or take it as text'
  return { ok: false, message: `${shown(text)} ${what}`, hint }
}

function shown(text: string): string {
  return `"${text.length <= 40 ? text : `${text.slice(0, 39)}…`}"`
}
