import { limits } from '../../../core/limits.ts'
import { type DatePattern, parseDatePattern } from '../../../core/locale/date.ts'
import { findLocale, type Locale } from '../../../core/locale/locale.ts'
import { type NumberPattern, parseNumberPattern } from '../../../core/locale/number.ts'
import { parsePointer } from '../../../core/pointer.ts'

/** The language that rich text is written in. */
export type RichFormat = 'html' | 'markdown'

/** Where a tag gets its value from. */
export type Expression =
  | { kind: 'absolute'; tokens: string[] }
  /** `up` items outwards from the current one: 0 for `./x`, 1 for `../x`. */
  | { kind: 'relative'; up: number; tokens: string[] }
  | { kind: 'meta'; name: 'index' | 'first' | 'last' | 'count' }
  | { kind: 'literal'; value: string | number | boolean | null }

export type Filter =
  | { name: 'upper' | 'lower' }
  | { name: 'number'; pattern: NumberPattern; locale: Locale }
  | { name: 'date'; pattern: DatePattern; locale: Locale }
  | { name: 'default'; text: string }

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

export interface Condition {
  left: Expression
  negated: boolean
  comparison?: { operator: Comparison; right: Expression }
}

/** Lengths of a picture, in English Metric Units (914,400 an inch). */
export interface PictureSize {
  widthEmu?: number
  heightEmu?: number
}

export type TagSyntax =
  | { kind: 'text'; value: Expression; filters: Filter[] }
  /** With `restarts`, numbered lists in the loop restart in every turn. */
  | { kind: 'each'; value: Expression; restarts: boolean }
  | { kind: 'if'; condition: Condition }
  | { kind: 'else' }
  | { kind: 'end' }
  | { kind: 'image'; value: Expression; size: PictureSize }
  | { kind: 'qr'; value: Expression; size: PictureSize }
  | { kind: 'barcode'; value: Expression; size: PictureSize; symbology: BarcodeType }
  | { kind: 'rich'; value: Expression; format?: RichFormat }
  | { kind: 'pagebreak' }

export const barcodeTypes = ['code128', 'code39', 'ean13', 'ean8', 'upc', 'itf', 'itf14', 'codabar'] as const
export type BarcodeType = (typeof barcodeTypes)[number]

export type TagResult = { ok: true; tag: TagSyntax } | { ok: false; code: string; message: string; hint: string }

const defaultLocale = 'en'

/**
 * Reads the text between `{{` and `}}`. Word's typographic quotes and hard spaces count as what their author typed.
 */
export function parseTag(inner: string): TagResult {
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
  if (value === undefined || value.kind === 'literal' || value.kind === 'meta') {
    return {
      ok: false,
      code: 'docx.bad_pointer',
      message: `“${rest}” does not point to a list.`,
      hint: pointerHint,
    }
  }
  return { ok: true, tag: { kind: 'each', value, restarts: restart !== undefined } }
}

const pointerHint =
  'Write a JSON Pointer such as /policy/number, ./amount inside of #each, or ../amount for its parent.'

function parseCondition(source: string): TagResult {
  const negation = /^(?:not\s+|!)(.*)$/s.exec(source)
  const text = negation?.[1] ?? source
  const parts = splitComparison(text)
  const left = parseExpression(parts.left)
  if (left === undefined) return badPointer(parts.left)
  const condition: Condition = { left, negated: negation !== null }
  if (parts.operator !== undefined) {
    const right = parseExpression(parts.right)
    if (right === undefined) return badPointer(parts.right)
    condition.comparison = { operator: parts.operator, right }
  }
  return { ok: true, tag: { kind: 'if', condition } }
}

/** Comparisons by the signs they are written with. */
const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ['==', '='],
  ['=', '='],
  ['!=', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
])

/** The first comparison sign outside quotes with white space before it: pointers may hold the sign themselves. */
function splitComparison(text: string): { left: string; operator?: Comparison; right: string } {
  const match = /^((?:"[^"]*"|'[^']*'|[^"'])*?)\s+(==|=|!=|<=|>=|<|>)\s*(.*)$/s.exec(text)
  const [, left = '', sign = '', right = ''] = match ?? []
  const operator = comparisons.get(sign)
  return operator === undefined
    ? { left: text.trim(), right: '' }
    : { left: left.trim(), operator, right: right.trim() }
}

function badPointer(text: string): TagResult {
  return {
    ok: false,
    code: 'docx.bad_pointer',
    message: `“${text}” is neither a pointer nor a value.`,
    hint: pointerHint,
  }
}

function unknownTag(source: string): TagResult {
  const name = /^[A-Za-z_][\w.-]*$/.test(source) ? source : undefined
  return {
    ok: false,
    code: 'docx.unknown_tag',
    message: `{{${source.slice(0, 80)}}} is not a tag that Quire knows.`,
    hint: name === undefined ? pointerHint : `Write {{/${name}}} for the value named ${name}.`,
  }
}

const metaNames = ['index', 'first', 'last', 'count'] as const

/** A pointer, a scope word, or a literal: number, quoted text, true, false, null. */
export function parseExpression(text: string): Expression | undefined {
  const source = text.trim()
  const meta = metaNames.find((name) => source === `@${name}`)
  if (meta !== undefined) return { kind: 'meta', name: meta }
  if (source.startsWith('/')) {
    const tokens = parsePointer(source)
    return tokens === undefined ? undefined : { kind: 'absolute', tokens }
  }
  if (source.startsWith('.')) return parseRelative(source)
  return parseLiteral(source)
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
  if (value.kind === 'literal' && typeof value.value !== 'string') return unknownTag(source)
  const filters: Filter[] = []
  for (const part of rest) {
    const filter = parseFilter(part)
    if (!filter.ok) return filter
    filters.push(filter.filter)
  }
  return { ok: true, tag: { kind: 'text', value, filters } }
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

type FilterResult = { ok: true; filter: Filter } | { ok: false; code: string; message: string; hint: string }

function parseFilter(source: string): FilterResult {
  const name = /^[a-z]+/.exec(source)?.[0] ?? ''
  const words = readWords(source.slice(name.length))
  const [first, second, ...more] = words ?? []
  if ((name === 'upper' || name === 'lower') && words?.length === 0) return { ok: true, filter: { name } }
  if (name === 'default' && first !== undefined && second === undefined) {
    return { ok: true, filter: { name, text: first } }
  }
  if ((name === 'number' || name === 'date') && first !== undefined && more.length === 0) {
    return parsePatternFilter(name, first, second ?? defaultLocale)
  }
  return {
    ok: false,
    code: 'docx.unknown_format',
    message: `“${source.slice(0, 80)}” is not a format.`,
    hint: 'Formats are number "#,##0.00" "de-DE", date "d MMMM yyyy" "de-DE", upper, lower and default "text".',
  }
}

function parsePatternFilter(name: 'number' | 'date', source: string, tag: string): FilterResult {
  const locale = findLocale(tag)
  if (locale === undefined) {
    const message = `There is no locale “${tag}”.`
    return { ok: false, code: 'docx.unknown_locale', message, hint: 'Write a language tag such as "de" or "de-CH".' }
  }
  if (name === 'number') {
    const parsed = parseNumberPattern(source)
    if (parsed.ok) return { ok: true, filter: { name, pattern: parsed.pattern, locale } }
    return badPattern(source, parsed.message, 'A pattern looks like "#,##0.00".')
  }
  const parsed = parseDatePattern(source)
  if (parsed.ok) return { ok: true, filter: { name, pattern: parsed.pattern, locale } }
  return badPattern(source, parsed.message, 'A pattern looks like "d MMMM yyyy".')
}

function badPattern(source: string, message: string, hint: string): FilterResult {
  return { ok: false, code: 'docx.bad_pattern', message: `“${source}” is no pattern: ${message}.`, hint }
}

/** Quoted texts and bare words, or undefined when a quote is not closed. */
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

const emuPerUnit: ReadonlyMap<string, number> = new Map([
  ['cm', 360_000],
  ['mm', 36_000],
  ['in', 914_400],
  ['pt', 12_700],
  ['px', 9_525],
])

type OptionKind = 'image' | 'qr' | 'barcode' | 'rich'

function isOptionKind(word: string | undefined): word is OptionKind {
  return word === 'image' || word === 'qr' || word === 'barcode' || word === 'rich'
}

/** A tag of a value with options: `image /logo width=3cm`. */
function parseOptionTag(kind: OptionKind, rest: string): TagResult {
  const matches = [...rest.matchAll(/\s+([a-z]+)\s*=\s*("[^"]*"|'[^']*'|\S+)/g)]
  const pointer = rest.slice(0, matches[0]?.index)
  const value = parseExpression(pointer)
  if (value === undefined || value.kind === 'meta') return badPointer(pointer)
  const options = matches.map(([, name = '', written = '']) => ({ name, text: written.replace(/^["']|["']$/g, '') }))
  return kind === 'rich' ? parseRichTag(value, options) : parsePictureTag(kind, value, options)
}

interface Option {
  name: string
  text: string
}

function parsePictureTag(kind: Exclude<OptionKind, 'rich'>, value: Expression, options: Option[]): TagResult {
  const size: PictureSize = {}
  let symbology: BarcodeType = 'code128'
  for (const { name, text } of options) {
    const emu = parseLength(text)
    const type = barcodeTypes.find((one) => one === text)
    if (name === 'width' && emu !== undefined) size.widthEmu = emu
    else if (name === 'height' && emu !== undefined) size.heightEmu = emu
    else if (name === 'size' && kind === 'qr' && emu !== undefined) size.widthEmu = emu
    else if (name === 'type' && kind === 'barcode' && type !== undefined) symbology = type
    else return badOption(kind, `${name}=${text}`)
  }
  if (kind === 'barcode') return { ok: true, tag: { kind, value, size, symbology } }
  return { ok: true, tag: { kind, value, size } }
}

function parseRichTag(value: Expression, options: Option[]): TagResult {
  let format: RichFormat | undefined
  for (const { name, text } of options) {
    if (name !== 'format' || (text !== 'html' && text !== 'markdown')) return badOption('rich', `${name}=${text}`)
    format = text
  }
  return { ok: true, tag: format === undefined ? { kind: 'rich', value } : { kind: 'rich', value, format } }
}

function parseLength(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]{2})$/.exec(text) ?? []
  const emu = Math.round(Number(amount) * (emuPerUnit.get(unit) ?? 0))
  return emu > 0 && emu <= limits.pictureWidthEmu ? emu : undefined
}

const optionHints: Record<OptionKind, string> = {
  image: 'Write width=3cm or height=20mm (cm, mm, in, pt or px).',
  qr: 'Write size=2cm (cm, mm, in, pt or px).',
  barcode: `Write width=5cm, height=1cm, or type= one of ${barcodeTypes.join(', ')}.`,
  rich: 'Write format=html or format=markdown, or nothing: text that begins with < is HTML.',
}

function badOption(kind: OptionKind, written: string): TagResult {
  return {
    ok: false,
    code: 'docx.bad_option',
    message: `“${written}” is not an option of ${kind}.`,
    hint: optionHints[kind],
  }
}
