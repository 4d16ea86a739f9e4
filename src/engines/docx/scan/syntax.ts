import { Decimal } from '../../../core/decimal.ts'
import { limits } from '../../../core/limits.ts'
import { parseCivil } from '../../../core/locale/calendar.ts'
import { type DatePattern, parseDatePattern } from '../../../core/locale/date.ts'
import { findLocale, type Locale, nearestLocale } from '../../../core/locale/locale.ts'
import { type NumberPattern, type PatternResult, parseNumberPattern } from '../../../core/locale/number.ts'
import { pointerMeant } from '../../../core/path-slips.ts'
import type { Reading } from '../../../core/reading.ts'
import type { Condition } from './condition.ts'
import { type Expression, parseExpression, readPath, wordName } from './expression.ts'
import { foreignFormat } from './foreign-formats.ts'
import { foreignTag } from './foreign-tags.ts'
import { isQuote, opensQuote, quotedAt } from './quotes.ts'
import { unseenHint } from './written.ts'

/** The language that rich text is written in. */
export type RichFormat = 'html' | 'markdown'

export type Filter =
  | { name: 'upper' | 'lower' }
  | { name: 'number'; pattern: NumberPattern; locale: Locale }
  | { name: 'date'; pattern: DatePattern; locale: Locale }
  | { name: 'default'; text: string }

/** Lengths of a picture, in English Metric Units (914,400 an inch). */
export interface PictureSize {
  widthEmu?: number
  heightEmu?: number
}

export type TagSyntax =
  | { kind: 'text'; value: Expression; filters: Filter[] }
  /** With `restarts`, numbered lists in the loop restart in every turn; with `columns`, it repeats cells of a row. */
  | { kind: 'each'; value: Expression; restarts: boolean; columns?: true }
  | { kind: 'if'; condition: Condition }
  /** A check box that is ticked if the condition holds; in text its sign. */
  | { kind: 'check'; condition: Condition }
  /** What is inside looks from the object, as it looks from the item of a loop. */
  | { kind: 'with'; value: Expression }
  /** What is inside stays on one page. */
  | { kind: 'keep' }
  /** `#else if`: another condition, asked once all before it have failed. */
  | { kind: 'elseif'; condition: Condition }
  | { kind: 'else' }
  | { kind: 'end' }
  /** `comment` lies in one paragraph. One over several has a tag for each end, with all of the comment in that paragraph. */
  | { kind: 'comment' }
  | { kind: 'commentbegin' }
  | { kind: 'commentend' }
  | { kind: 'image'; value: Expression; size: PictureSize }
  | { kind: 'qr'; value: Expression; size: PictureSize }
  | { kind: 'barcode'; value: Expression; size: PictureSize; symbology: BarcodeType }
  | { kind: 'rich'; value: Expression; format?: RichFormat }
  | { kind: 'pagebreak' }
  /** The data of a chart: a list, and what its items give. */
  | { kind: 'chart'; list: Expression; category: Expression; values: Expression[] }
  /** The colour of the cell that it is in, or of all cells of its row. */
  | { kind: 'shade'; color: Expression; of: 'cell' | 'row' }
  /** Makes the cell one with those below it or behind it. */
  | { kind: 'merge'; way: 'down' | 'across'; by: Merge }

/** What decides which cells become one. */
export type Merge =
  /** As many cells, this one included. */
  | { kind: 'count'; count: Expression }
  /** Neighbours for which all of the values are equal. */
  | { kind: 'same'; values: Expression[] }

export const barcodeTypes = ['code128', 'code39', 'ean13', 'ean8', 'upc', 'itf', 'itf14', 'codabar'] as const
export type BarcodeType = (typeof barcodeTypes)[number]

export type TagResult = { ok: true; tag: TagSyntax } | { ok: false; code: string; message: string; hint: string }

const defaultLocale = 'en'

export const pointerHint =
  'Write a JSON Pointer such as /policy/number, ./amount inside of #each, or ../amount for its parent.'

/** @param written the tag before the value, for a hint with the slash that is forgotten */
export function badPointer(text: string, written?: string): TagResult {
  return {
    ok: false,
    code: 'docx.bad_pointer',
    message: `“${text}” is neither a pointer nor a value.`,
    hint: forgottenSlash(text, written) ?? pointerHint,
  }
}

/** `image logo` lacks its slash; so does `image customer.logo`, a path of another language. */
function forgottenSlash(text: string, written = ''): string | undefined {
  const meant = (written === '' ? /^\./ : /^[A-Za-z_$.]/).test(text) ? pointerMeant(text) : undefined
  if (meant === undefined)
    return /^[A-Za-z_][\w-]*$/.test(text)
      ? `Write /${text} for the value named ${text}, or "${text}" for the text.`
      : undefined
  return `Write {{${written}${meant}}}; inside of a block, {{${written}.${meant}}} for a member of its item.`
}

export function unknownTag(source: string): TagResult {
  return {
    ok: false,
    code: 'docx.unknown_tag',
    message: `{{${source.slice(0, 80)}}} is not a tag that Quire knows.`,
    hint: unseenHint(source) ?? foreignTag(source) ?? pointerHint,
  }
}

export function parseTextTag(source: string, reading: Reading): TagResult {
  const [head = '', ...rest] = splitPipes(source)
  const value = parseExpression(head)
  if (value === undefined) return badHead(head, source)
  const fallback =
    reading < 6 ? undefined : rest.map((filter) => /^default\s+(\/\S+|\.\.?\/\S*|@\w+)$/.exec(filter)?.[1])
  const path = fallback?.find((one) => one !== undefined)
  if (path !== undefined) return defaultPath(head, path)
  const parsed = textTag(
    source,
    value,
    rest.map((filter) => parseFilter(filter, reading)),
  )
  return (parsed.ok && parsed.tag.kind === 'text' ? checkDefault(parsed.tag.filters) : undefined) ?? parsed
}

function badHead(head: string, source: string): TagResult {
  if (!/^[/.]/.test(head)) return unknownTag(source)
  const choice = /^(\S+)\s+\?\s/.exec(head)
  const fallback = /^(\S+)\s+(?:\?\?|default)\s/.exec(head)
  const hint = /^\S+\s+[-+*%]\s/.test(head)
    ? 'Templates don’t calculate and join no texts: write values side by side, or let the transformer make the value.'
    : choice !== null
      ? `Write {{#if ${choice[1]}}} … {{#else}} … {{#end}} for a choice.`
      : fallback !== null
        ? `Write {{${fallback[1]} | default "text"}}.`
        : barHint
  return /\s/.test(head)
    ? { ok: false, code: 'docx.bad_pointer', message: `“${head}” is neither a pointer nor a value.`, hint }
    : badPointer(head)
}

const barHint = 'Put a bar before each format: {{/due | date "d MMMM yyyy"}}. A name with blanks may be put in quotes.'

/** A value with its formats. Any of these may have been refused. */
export function textTag(source: string, value: Expression, parsed: readonly FilterResult[]): TagResult {
  if (value.kind === 'literal' && typeof value.value !== 'string') return unknownTag(source)
  const filters: Filter[] = []
  for (const filter of parsed) {
    if (!filter.ok) return filter
    filters.push(filter.filter)
  }
  return { ok: true, tag: { kind: 'text', value, filters } }
}

/** Unlike in other languages, the text of a default is printed as it is. */
function defaultPath(head: string, path: string): TagResult {
  return {
    ok: false,
    code: 'docx.unknown_format',
    message: `default takes a text, and ${path} is a path.`,
    hint: `Write {{#if ${head} is empty}}{{${path}}}{{#else}}{{${head}}}{{#end}}, or "${path}" in quotes for that text.`,
  }
}

/** What a default does before other formats, which its text has to fit. */
function checkDefault(filters: readonly Filter[]): TagResult | undefined {
  const at = filters.findIndex(({ name }) => name === 'default')
  const fallback = filters[at]
  if (fallback?.name !== 'default') return undefined
  const hint = 'Write default last to print its text as it is: {{/total | number "0.00" | default "none"}}.'
  for (const { name } of filters.slice(at + 1)) {
    const isUnfit =
      name === 'default' ||
      (name === 'number' && Decimal.parse(fallback.text) === undefined) ||
      (name === 'date' && parseCivil(fallback.text) === undefined)
    if (!isUnfit) continue
    const message = `The format ${name} behind default "${fallback.text.slice(0, 80)}" can never be applied to that text.`
    return { ok: false, code: 'docx.unknown_format', message, hint }
  }
  return undefined
}

function splitPipes(source: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < source.length; at++) {
    if (source.charAt(at) === '|') {
      parts.push(source.slice(from, at).trim())
      from = at + 1
    } else if (opensQuote(source, at)) at = (quotedAt(source, at)?.end ?? at + 1) - 1
  }
  parts.push(source.slice(from).trim())
  return parts
}

export type FilterResult = { ok: true; filter: Filter } | { ok: false; code: string; message: string; hint: string }

function parseFilter(source: string, reading: Reading): FilterResult {
  const name = /^[a-z]+/.exec(source)?.[0] ?? ''
  return filterOf(name, readWords(source.slice(name.length)), source, { readDate: parseDatePattern, reading })
}

/** A format by its name and words; `words` is undefined if they can't be read. */
export function filterOf(
  name: string,
  words: readonly string[] | undefined,
  source: string,
  rules: FilterRules,
): FilterResult {
  const [first, second, ...more] = words ?? []
  if ((name === 'upper' || name === 'lower') && words?.length === 0) return { ok: true, filter: { name } }
  if (name === 'default' && first !== undefined && second === undefined) {
    return { ok: true, filter: { name, text: first } }
  }
  if (first !== undefined && more.length === 0 && (name === 'number' || name === 'date')) {
    const locale = findLocale(second ?? defaultLocale, rules.reading)
    if (locale === undefined) return /^[a-z]+\s*[(:]/.test(source) ? unknownFormat(source) : unknownLocale(second)
    return name === 'number' ? numberFilter(first, locale, rules.reading) : dateFilter(first, locale, rules.readDate)
  }
  return unknownFormat(source)
}

function unknownFormat(source: string): FilterResult {
  return {
    ok: false,
    code: 'docx.unknown_format',
    message: `“${source.slice(0, 80)}” is not a format.`,
    hint:
      foreignFormat(source) ??
      'Formats are number "#,##0.00" "de-DE", date "d MMMM yyyy" "de-DE", upper, lower and default "text".',
  }
}

type DateReader = (pattern: string) => PatternResult<DatePattern>

/** How a version's formats are read. */
export interface FilterRules {
  readDate: DateReader
  reading: Reading
}

function unknownLocale(tag = ''): FilterResult {
  const message = `There is no locale “${tag}”.`
  const meant = nearestLocale(tag)
  const hint = meant === undefined ? 'Write a language tag such as "de" or "de-CH".' : `Did you mean "${meant}"?`
  return { ok: false, code: 'docx.unknown_locale', message, hint }
}

function numberFilter(source: string, locale: Locale, reading: Reading): FilterResult {
  const parsed = parseNumberPattern(source, reading)
  if (parsed.ok) return { ok: true, filter: { name: 'number', pattern: parsed.pattern, locale } }
  return badPattern(source, parsed.message, parsed.hint ?? 'A pattern looks like "#,##0.00".')
}

function dateFilter(source: string, locale: Locale, read: DateReader): FilterResult {
  const parsed = read(source)
  if (parsed.ok) return { ok: true, filter: { name: 'date', pattern: parsed.pattern, locale } }
  return badPattern(source, parsed.message, parsed.hint ?? 'A pattern looks like "d MMMM yyyy".')
}

function badPattern(source: string, message: string, hint: string): FilterResult {
  return { ok: false, code: 'docx.bad_pattern', message: `“${source}” is no pattern: ${message}.`, hint }
}

/** Quoted texts and bare words, or undefined when a quote is not closed. */
function readWords(source: string): string[] | undefined {
  const words: string[] = []
  const bare = /[^\s"“”„‟«»']+/y
  for (let at = 0; at < source.length; ) {
    const quoted = isQuote(source.charAt(at)) ? quotedAt(source, at) : undefined
    bare.lastIndex = at
    const word = quoted?.text ?? bare.exec(source)?.[0]
    if (word === undefined && source.charAt(at).trim() !== '') return undefined
    if (word !== undefined) words.push(word)
    at = quoted?.end ?? at + (word?.length ?? 1)
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

export type OptionKind = 'image' | 'qr' | 'barcode' | 'rich'

export function isOptionKind(word: string | undefined): word is OptionKind {
  return word === 'image' || word === 'qr' || word === 'barcode' || word === 'rich'
}

/** A tag of a value with options: `image /logo width=3cm`. */
export function parseOptionTag(kind: OptionKind, rest: string): TagResult {
  const head = headOf(rest)
  const value = parseExpression(head)
  if (value === undefined || value.kind === 'meta') return badPointer(rest.slice(0, head.length), `${kind} `)
  const options = readOptions(rest.slice(head.length))
  return options.ok ? optionTag(kind, value, options.options) : badOption(kind, options.written)
}

/** The value before the options. */
function headOf(rest: string): string {
  const end = /^[/.]/.test(rest) ? readPath(rest, 0, wordName)?.end : quotedAt(rest, 0)?.end
  return rest.slice(0, end ?? rest.search(/\s|$/))
}

type OptionsResult = { ok: true; options: Option[] } | { ok: false; written: string }

function readOptions(source: string): OptionsResult {
  const options: Option[] = []
  const name = /\s+([a-z]+)\s*=\s*/y
  const bare = /\S+/y
  for (let at = 0; at < source.trimEnd().length; ) {
    name.lastIndex = at
    const named = name.exec(source)
    const from = named === null ? at : name.lastIndex
    const quoted = quotedAt(source, from)
    bare.lastIndex = from
    const text = quoted?.text ?? bare.exec(source)?.[0]
    if (named === null || text === undefined) return { ok: false, written: source.slice(at).trim().slice(0, 80) }
    const [, option = ''] = named
    if (options.some((one) => one.name === option)) return { ok: false, written: `${option}=${text}` }
    options.push({ name: option, text })
    at = quoted?.end ?? from + text.length
  }
  return { ok: true, options }
}

export function optionTag(kind: OptionKind, value: Expression, options: Option[]): TagResult {
  return kind === 'rich' ? parseRichTag(value, options) : parsePictureTag(kind, value, options)
}

export interface Option {
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
