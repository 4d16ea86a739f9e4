/** Number patterns such as `#,##0.00`: read once, then applied to exact decimals. */
import { Decimal, type Rounding } from '../decimal.ts'
import { newestReading, type Reading } from '../reading.ts'
import { type Currency, findCurrency } from './currency.ts'
import { inDigitsOf, type Locale } from './locale.ts'

interface Affixes {
  before: string
  after: string
}

export interface NumberPattern {
  positive: Affixes
  /** The pattern's part after `;`: only the text around a negative number. */
  negative?: Affixes
  minInteger: number
  minFraction: number
  maxFraction: number
  /** Digits between separators, 0 for none. */
  grouping: number
  /** The same, but for all separators before the last: 2 in `#,##,##0`. By default, the locale's. */
  groupingNext?: number
  /** 2 for `%`, 3 for `‰`: the places that the point moves. */
  shift: number
}

export type PatternResult<T> = { ok: true; pattern: T } | { ok: false; message: string; hint?: string }

/** Placeholders inside parsed affixes: for the currency's sign, and the locale's percent and per mille signs. */
const currencyMark = '\u0000'
const percentMark = '\u0001'
const perMilleMark = '\u0002'

/**
 * Reads a pattern of `0` (always a digit), `#` (a digit if there is one), `,` and `.`, with text around it. Text in
 * single quotes is literal (`''` is a quote), `%` multiplies by 100, `¤` is the currency's sign, and a second part
 * after `;` gives the text around negative numbers.
 * @param reading the rules of the version that has the pattern; the first ones lost a quote inside quoted text
 */
export function parseNumberPattern(source: string, reading: Reading = newestReading): PatternResult<NumberPattern> {
  const parts = splitOutsideQuotes(source)
  if (parts === undefined) return { ok: false, message: 'a quote is not closed' }
  if (parts.length > 2) return { ok: false, message: 'there is more than one ";"' }
  const [whole = '', below] = parts
  const positive = readPart(whole, reading)
  if (typeof positive === 'string') return { ok: false, message: positive, ...patternMeant(source) }
  const body = readDigits(positive.digits)
  if (typeof body === 'string') return { ok: false, message: body, ...patternMeant(source) }
  const pattern: NumberPattern = {
    positive: { before: positive.before, after: positive.after },
    ...body,
    shift: positive.shift,
  }
  if (below === undefined) return { ok: true, pattern }
  const negative = readPart(below, reading)
  if (typeof negative === 'string') return { ok: false, message: negative }
  return { ok: true, pattern: { ...pattern, negative: { before: negative.before, after: negative.after } } }
}

/** A number of decimal places, and patterns with the signs of a locale that has a decimal comma. */
function patternMeant(source: string): { hint?: string } {
  const [, digits] = /^[.f]?(\d)f?$/.exec(source) ?? []
  if (digits !== undefined)
    return { hint: `Write "${digits === '0' ? '0' : `0.${'0'.repeat(Number(digits))}`}" for that many decimal places.` }
  const quoted = source.replace(/'(?:[^']|'')*'|[A-Za-z]+/g, (text) => (text.startsWith("'") ? text : `'${text}'`))
  if (quoted !== source && parseNumberPattern(quoted).ok) return { hint: `Write "${quoted}".` }
  const swapped = source.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'))
  const isSwapped = /\..*,/.test(source) && !/\..*,/.test(swapped)
  return isSwapped && parseNumberPattern(swapped).ok
    ? { hint: `Write "${swapped}": the locale decides which signs it prints, such as "de" for 1.234,50.` }
    : {}
}

function splitOutsideQuotes(source: string): string[] | undefined {
  const parts = ['']
  let quoted = false
  for (const character of source) {
    if (character === "'") quoted = !quoted
    if (character === ';' && !quoted) parts.push('')
    else parts[parts.length - 1] += character
  }
  return quoted ? undefined : parts
}

function readPart(source: string, reading: Reading): (Affixes & { digits: string; shift: number }) | string {
  let before = ''
  let digits = ''
  let after = ''
  let shift = 0
  for (let index = 0; index < source.length; index++) {
    const character = source.charAt(index)
    if ('#0,.'.includes(character)) {
      if (after !== '') return `"${character}" follows text: quote the text, or put the digits together`
      digits += character
      continue
    }
    let text = character
    if (character === "'") {
      const quoted = reading === 1 ? /'([^']*)'/y : /'((?:[^']|'')*)'/y
      quoted.lastIndex = index
      const inside = quoted.exec(source)?.[1] ?? ''
      text = inside === '' ? "'" : inside.replaceAll("''", "'")
      index += inside.length + 1
    } else if (character === '%') {
      shift = 2
      text = percentMark
    } else if (character === '‰') {
      shift = 3
      text = perMilleMark
    } else if (character === '¤') text = currencyMark
    else if (/[1-9A-Za-z]/.test(character)) return `"${character}" has no meaning here: put text in single quotes`
    if (digits === '') before += text
    else after += text
  }
  return digits === '' ? 'it has no digit place (# or 0)' : { before, digits, after, shift }
}

function readDigits(
  digits: string,
): Pick<NumberPattern, 'minInteger' | 'minFraction' | 'maxFraction' | 'grouping' | 'groupingNext'> | string {
  const match = /^((?:#|,)*(?:0|,)*)(?:\.(0*)(#*))?$/.exec(digits)
  if (match === null) return `"${digits}" is not of the form #,##0.00`
  const [, integer = '', fraction = '', optional = ''] = match
  const comma = integer.lastIndexOf(',')
  const grouping = comma < 0 ? 0 : integer.length - comma - 1
  const inner = integer.split(',').slice(1)
  const isIndian = grouping === 3 && inner.length > 1 && inner.slice(0, -1).every((digits) => digits.length === 2)
  const isEven = inner.every((digits) => digits.length === grouping && (grouping === 3 || grouping === 4))
  if (integer.startsWith(',') || !(isIndian || isEven)) {
    return `"${digits}" separates other than three (or four) digits; the point is written "."`
  }
  const maxFraction = fraction.length + optional.length
  if (digits.length > 64) return 'it has more than 64 digit places'
  const minInteger = integer.replaceAll(/[^0]/g, '').length
  if (integer === '' && maxFraction === 0) return `"${digits}" has no digit place`
  return { minInteger, minFraction: fraction.length, maxFraction, grouping, ...(isIndian ? { groupingNext: 2 } : {}) }
}

/** Signs of a number; those of the locale, but that money may have others. */
interface Signs {
  decimal: string
  group: string
  currency?: string
}

/** The number as text. Rounds half-up (ties away from zero) unless told otherwise. */
export function formatNumber(
  value: Decimal,
  pattern: NumberPattern,
  locale: Locale,
  { rounding = 'half-up', ...signs }: Partial<Signs> & { rounding?: Rounding } = {},
): string {
  const { decimal, group: separator, currency }: Signs = { decimal: locale.decimal, group: locale.group, ...signs }
  const shifted = pattern.shift === 0 ? value : value.multiply(new Decimal(10n ** BigInt(pattern.shift), 0))
  const rounded = shifted.round(pattern.maxFraction, rounding)
  const negative = rounded.isNegative()
  const [integerDigits = '0', fractionDigits = ''] = rounded.absolute().toString().split('.')
  let fraction = fractionDigits
  while (fraction.length > pattern.minFraction && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  const unpadded = integerDigits === '0' && (pattern.minInteger > 0 || fraction !== '') ? '' : integerDigits
  const integer = group(unpadded.padStart(pattern.minInteger, '0'), pattern, locale, separator)
  const plain = fraction === '' ? integer : `${integer}${decimal}${fraction}`
  const digits = inDigitsOf(locale, plain)
  const affixes = negative && pattern.negative !== undefined ? pattern.negative : pattern.positive
  const minus = negative && pattern.negative === undefined ? locale.minus : ''
  return fillAffixes(minus, affixes, digits, locale, currency ?? '¤')
}

function fillAffixes(minus: string, { before, after }: Affixes, digits: string, locale: Locale, sign: string): string {
  const fill = (text: string) =>
    text
      .replaceAll(percentMark, locale.percent ?? '%')
      .replaceAll(perMilleMark, locale.perMille ?? '‰')
      .replace(currencyMark, sign)
  return `${minus}${fill(before).replace('-', locale.minus)}${digits}${fill(after)}`
}

function group(
  digits: string,
  { grouping: size, groupingNext }: NumberPattern,
  locale: Locale,
  separator: string,
): string {
  if (size === 0 || digits.length < size + locale.groupFrom) return digits
  const further = groupingNext ?? (size === 3 ? locale.groupNext : undefined) ?? size
  let text = digits.slice(-size)
  for (let end = digits.length - size; end > 0; end -= further) {
    text = `${digits.slice(Math.max(0, end - further), end)}${separator}${text}`
  }
  return text
}

const currencyPatterns = new Map<string, NumberPattern>()

/**
 * An amount of money as the locale writes it, with the currency's number of decimal places.
 * @param reading by the first rules no blank separated letters from digits (CHF1.00); until the sixth, a currency had
 * the same sign in all locales
 */
export function formatCurrency(
  value: Decimal,
  code: string,
  locale: Locale,
  reading: Reading = newestReading,
): string | undefined {
  const currency = findCurrency(code, locale, reading)
  if (currency === undefined) return undefined
  const pattern = currencyPattern(locale.currencyPatterns?.[code] ?? locale.currency, currency, reading)
  if (pattern === undefined) return undefined
  return formatNumber(value, pattern, locale, {
    decimal: locale.currencyDecimals?.[code] ?? locale.currencyDecimal ?? locale.decimal,
    group: locale.currencyGroup ?? locale.group,
    currency: currency.sign,
  })
}

function currencyPattern(source: string, { sign, digits }: Currency, reading: Reading): NumberPattern | undefined {
  const key = `${source} ${sign} ${digits} ${reading === 1}`
  const known = currencyPatterns.get(key)
  if (known !== undefined) return known
  const parsed = parseNumberPattern(source)
  if (!parsed.ok) return undefined
  const { positive, negative } = parsed.pattern
  const part = (affixes: Affixes) => (reading === 1 ? affixes : partedFrom(affixes, sign))
  const pattern = {
    ...parsed.pattern,
    positive: part(positive),
    ...(negative === undefined ? {} : { negative: part(negative) }),
    minFraction: digits,
    maxFraction: digits,
  }
  currencyPatterns.set(key, pattern)
  return pattern
}

/** A sign that isn't a symbol, such as CHF, keeps a hard space between itself and the digits. */
function partedFrom({ before, after }: Affixes, sign: string): Affixes {
  const needsAfter = before.endsWith(currencyMark) && !/[\p{S}\p{Z}]$/u.test(sign)
  const needsBefore = after.startsWith(currencyMark) && !/^[\p{S}\p{Z}]/u.test(sign)
  return { before: needsAfter ? `${before}\u00a0` : before, after: needsBefore ? `\u00a0${after}` : after }
}
