/**
 * How tags were read under the first rules (core/reading.ts); versions from that time keep them. Mend nothing here: those
 * versions have printed these misreadings.
 */
import { readDatePattern } from '../../../core/locale/date.ts'
import { parsePointer } from '../../../core/pointer.ts'
import { noList } from './block-syntax.ts'
import type { Comparison, Condition } from './condition.ts'
import { type Expression, metaNames } from './expression.ts'
import {
  badPointer,
  type Filter,
  filterOf,
  isOptionKind,
  type OptionKind,
  optionTag,
  type TagResult,
  textTag,
  unknownTag,
} from './syntax.ts'

export function parseFirstTag(inner: string): TagResult {
  const source = inner
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[\u00a0\u202f\u2007]/g, ' ')
    .trim()
  if (source.startsWith('#')) return parseBlockTag(source)
  if (source === 'pagebreak') return { ok: true, tag: { kind: 'pagebreak' } }
  const [, kind, rest = ''] = /^(image|qr|barcode|rich)\s+(.*)$/s.exec(source) ?? []
  return isOptionKind(kind) ? parseOptionTag(kind, rest) : parseTextTag(source)
}

function parseBlockTag(source: string): TagResult {
  if (source === '#end') return { ok: true, tag: { kind: 'end' } }
  if (source === '#else') return { ok: true, tag: { kind: 'else' } }
  const [, word, rest = ''] = /^#(each|if)\s+(.+)$/s.exec(source) ?? []
  if (word === undefined) return unknownTag(source)
  if (word === 'if') return parseCondition(rest)
  const [, list = '', restart] = /^(.*?)(\s+restart)?$/s.exec(rest) ?? []
  const value = parseExpression(list)
  if (value === undefined || value.kind === 'literal' || value.kind === 'meta') return noList(rest)
  return { ok: true, tag: { kind: 'each', value, restarts: restart !== undefined } }
}

function parseCondition(source: string): TagResult {
  const negation = /^(?:not\s+|!)(.*)$/s.exec(source)
  const parts = splitComparison(negation?.[1] ?? source)
  const left = parseExpression(parts.left)
  if (left === undefined) return badPointer(parts.left)
  let condition: Condition = { kind: 'truth', value: left }
  if (parts.operator !== undefined) {
    const right = parseExpression(parts.right)
    if (right === undefined) return badPointer(parts.right)
    condition = { kind: 'compare', left, operator: parts.operator, right }
  }
  return { ok: true, tag: { kind: 'if', condition: negation === null ? condition : { kind: 'not', condition } } }
}

const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ['==', '='],
  ['=', '='],
  ['!=', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
])

function splitComparison(text: string): { left: string; operator?: Comparison; right: string } {
  const match = /^((?:"[^"]*"|'[^']*'|[^"'])*?)\s+(==|=|!=|<=|>=|<|>)\s*(.*)$/s.exec(text)
  const [, left = '', sign = '', right = ''] = match ?? []
  const operator = comparisons.get(sign)
  return operator === undefined
    ? { left: text.trim(), right: '' }
    : { left: left.trim(), operator, right: right.trim() }
}

function parseExpression(text: string): Expression | undefined {
  const source = text.trim()
  const meta = metaNames.find((name) => source === `@${name}`)
  if (meta !== undefined) return { kind: 'meta', name: meta }
  if (source.startsWith('/')) {
    const tokens = parsePointer(source)
    return tokens === undefined ? undefined : { kind: 'absolute', tokens }
  }
  return source.startsWith('.') ? parseRelative(source) : parseLiteral(source)
}

function parseRelative(source: string): Expression | undefined {
  const match = /^(?:\.|(\.\.(?:\/\.\.)*))(\/.*)?$/s.exec(source)
  if (match === null) return undefined
  const [, steps, pointer = '/'] = match
  const tokens = pointer === '/' ? [] : parsePointer(pointer)
  if (tokens === undefined) return undefined
  return { kind: 'relative', up: steps === undefined ? 0 : steps.split('/').length, tokens }
}

function parseLiteral(source: string): Expression | undefined {
  if (source === 'true' || source === 'false') return { kind: 'literal', value: source === 'true' }
  if (source === 'null') return { kind: 'literal', value: null }
  if (/^-?\d+(?:\.\d+)?$/.test(source)) return { kind: 'literal', value: Number(source) }
  const quoted = /^(?:"([^"]*)"|'([^']*)')$/s.exec(source)
  return quoted === null ? undefined : { kind: 'literal', value: quoted[1] ?? quoted[2] ?? '' }
}

function parseTextTag(source: string): TagResult {
  const [head = '', ...rest] = splitPipes(source)
  const value = parseExpression(head)
  if (value === undefined) return /^[/.]/.test(head) ? badPointer(head) : unknownTag(source)
  const parsed = textTag(
    source,
    value,
    rest.map((part) => {
      const name = /^[a-z]+/.exec(part)?.[0] ?? ''
      return filterOf(name, readWords(part.slice(name.length)), part, { readDate: readDatePattern, reading: 1 })
    }),
  )
  if (!parsed.ok || parsed.tag.kind !== 'text') return parsed
  return { ok: true, tag: { ...parsed.tag, filters: withDefaultLast(parsed.tag.filters) } }
}

/** The first default was printed as it is, wherever it was. */
function withDefaultLast(filters: readonly Filter[]): Filter[] {
  const others = filters.filter(({ name }) => name !== 'default')
  const fallback = filters.find(({ name }) => name === 'default')
  return fallback === undefined ? others : [...others, fallback]
}

function splitPipes(source: string): string[] {
  const parts: string[] = []
  let quote = ''
  let from = 0
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '|') {
      parts.push(source.slice(from, at).trim())
      from = at + 1
    } else if (parts.length > 0 && (character === '"' || character === "'")) quote = character
  }
  parts.push(source.slice(from).trim())
  return parts
}

function readWords(source: string): string[] | undefined {
  const words: string[] = []
  const token = /\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/y
  const end = source.trimEnd().length
  while (token.lastIndex < end) {
    const match = token.exec(source)
    if (match === null) return undefined
    words.push(match[1] ?? match[2] ?? match[3] ?? '')
  }
  return words
}

function parseOptionTag(kind: OptionKind, rest: string): TagResult {
  const matches = [...rest.matchAll(/\s+([a-z]+)\s*=\s*("[^"]*"|'[^']*'|\S+)/g)]
  const pointer = rest.slice(0, matches[0]?.index)
  const value = parseExpression(pointer)
  if (value === undefined || value.kind === 'meta') return badPointer(pointer)
  const options = matches.map(([, name = '', written = '']) => ({ name, text: written.replace(/^["']|["']$/g, '') }))
  return optionTag(kind, value, options)
}

/** The `}}` that ends the tag; one inside quotes does not, unless the quote itself is never closed. */
export function findFirstClose(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (quote.includes(character)) quote = ''
    } else if (character === '"') quote = '"“”'
    else if (character === '“' || character === '„') quote = '”“"'
    else if (character === '}' && text[at + 1] === '}') return at
    else if (character === '{' && text[at + 1] === '{') return -1
  }
  return text.indexOf('}}', from)
}
