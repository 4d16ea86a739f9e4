/** Numbers: formulas, formatting, amounts in words, reading from text. */
import { Decimal, type Rounding, roundings } from '../../../core/decimal.ts'
import { limits } from '../../../core/limits.ts'
import { type Civil, formatCivil, hasTime, parseDate, parseDateTime } from '../../../core/locale/calendar.ts'
import { currencyCodes, findCurrency } from '../../../core/locale/currency.ts'
import { formatDate, parseDatePattern, readDatePattern } from '../../../core/locale/date.ts'
import type { Locale } from '../../../core/locale/locale.ts'
import { formatCurrency, formatNumber, parseNumberPattern } from '../../../core/locale/number.ts'
import { sampleDates, sampleNumbers } from '../../../core/locale/samples.ts'
import { amountInWords, wordCurrencies, wordLanguages } from '../../../core/locale/words.ts'
import { shorten } from '../../../core/source/read.ts'
import { type Built, type Checked, sumCosts } from '../built.ts'
import { type CallSite, operator, take } from '../call.ts'
import { checkValue } from '../check.ts'
import { inEachLocale } from '../earlier.ts'
import { compileExact, compileRational, type DecimalFormula, parseFormula, type RationalFormula } from '../formula.ts'
import { boundDecimal, boundText, burn, Fault, type Frame, toil } from '../frame.ts'
import type { Size } from '../size.ts'
import { enumerationOf, joinTypes, maybeMissing, present, type Type, types } from '../types.ts'
import { isNumberValue, type Value } from '../value.ts'
import { readLocale } from './locale.ts'
import { checkSlots } from './text.ts'

interface Rounded {
  scale: number
  rounding: Rounding
}

/** A placeholder after a finding: nothing runs with it. */
export const neverApplied: Rounded = { scale: 0, rounding: 'half-up' }

/** `scale` and `round`, which go together; undefined if both are absent, or after a finding. */
export function readRounding(call: CallSite, needed: string | undefined): Rounded | undefined {
  const scale = call.integer('scale')
  const chosen = call.choice('round')
  const rounding = roundings.find((one) => one === chosen)
  if (call.has('scale') !== call.has('round') || (needed !== undefined && !call.has('scale'))) {
    const reason = needed ?? '"scale" and "round" belong together'
    call.error('rounding', call.node, `${call.name}: ${reason}.`, 'Add scale: 2, round: half-up (or what fits).')
    return undefined
  }
  return scale === undefined || rounding === undefined ? undefined : { scale, rounding }
}

/** Tuned: a part of a formula may multiply numbers of a thousand digits, which costs as much as some ten nodes. */
const workOfPart = 10

function inFractions(formula: RationalFormula, { scale, rounding }: Rounded): DecimalFormula {
  return (slots) => formula(slots)?.round(scale, rounding)
}

function inDecimals(formula: DecimalFormula, rounded: Rounded | undefined): DecimalFormula {
  return rounded === undefined ? formula : (slots) => formula(slots)?.round(rounded.scale, rounded.rounding)
}

export const numberOperators = [
  operator({
    name: '$calc',
    group: 'text and numbers',
    doc: 'A formula of + - * / ^ and a few functions over named slots, exact; a division is rounded once, at the end.',
    args: {
      subject: take.word('the formula; its names are slots beside it'),
      scale: take.optionalInteger(0, limits.transformScaleDigits, 'decimal places of the result'),
      round: take.optionalChoice(roundings, `how it is rounded: ${roundings.join(', ')}`),
      zero: take.optional('decimal', 'the result when something is divided by zero'),
    },
    open: 'slots',
    build(call) {
      const slots = call.others().map((entry) => {
        const built = call.builder.value(entry.value)
        return { entry, value: checkValue(call.context, built, 'decimal', `The slot "${entry.key}"`) }
      })
      const zero = call.optionalValue('zero')
      const source = call.word('subject')
      const parsed = source === undefined ? undefined : parseFormula(source)
      if (typeof parsed === 'string')
        call.error('calc', call.nodeOf('subject'), `The formula cannot be read: ${parsed}.`, formulaHint(source ?? ''))
      if (source === undefined || parsed === undefined || typeof parsed === 'string') return call.broken()
      if (!checkSlots(call, parsed.slots)) return call.broken()
      const rounded = readRounding(call, parsed.divides ? 'a division needs "scale" and "round"' : undefined)
      const names = slots.map((slot) => slot.entry.key)
      const read = (frame: Frame): Decimal[] => slots.map((slot) => slot.value.run(frame))
      const cost = sumCosts(
        zero === undefined ? slots.map((slot) => slot.value) : [...slots.map((slot) => slot.value), zero],
      )
      const { node } = call
      const work = source.length * workOfPart
      const compute = parsed.divides
        ? inFractions(compileRational(parsed.formula, names), rounded ?? neverApplied)
        : inDecimals(compileExact(parsed.formula, names), rounded)
      return call.result(types.decimal, cost, (frame) => {
        burn(frame, node)
        toil(frame, work)
        const result = compute(read(frame))
        if (result !== undefined) return boundDecimal(result, node)
        if (zero !== undefined) return zero.run(frame)
        const hint = 'Say what then results with zero.'
        throw new Fault('division_by_zero', node, `${shorten(source)} divides by zero.`, hint)
      })
    },
  }),

  operator({
    name: '$format',
    group: 'text and numbers',
    doc: 'A number, an amount of money or a date as text, by pattern and locale.',
    args: {
      subject: take.value('scalar', 'the number or date'),
      number: take.optionalWord('a pattern such as #,##0.00'),
      date: take.optionalWord('a pattern such as d MMMM yyyy'),
      currency: take.optionalWord('a currency such as EUR, written as the locale does; or a value that is one'),
      locale: take.optionalNode('a locale such as de or de-CH (en unless given), or a value that is one'),
      prefix: take.optionalWord('text before it'),
      suffix: take.optionalWord('text after it'),
    },
    build(call) {
      const form = (['number', 'date', 'currency'] as const).filter((name) => call.has(name))
      const subject = call.builder.value(call.nodeOf('subject'))
      const locale = readLocale(call.builder, call.entry('locale')?.value)
      const prefix = call.word('prefix') ?? ''
      const suffix = call.word('suffix') ?? ''
      const [written, ...more] = form
      if (written === undefined || more.length > 0) {
        call.error(
          'argument',
          call.node,
          '$format wants one of number, date and currency.',
          'For example number: "#,##0.00".',
        )
        return call.broken()
      }
      const pattern = call.word(written)
      if (pattern === undefined || locale === undefined) return call.broken()
      const write = writerOf(call, subject, pattern, written)
      if (write === undefined) return call.broken()
      call.context.sample(call.node, () => inEachLocale(locale, call.context.reading, write.samples))
      return call.result(types.string, sumCosts([subject, locale, write]), (frame) => {
        burn(frame, call.node)
        return boundText(prefix + write.run(frame, locale.run(frame)) + suffix, call.node)
      })
    },
  }),

  operator({
    name: '$parse',
    group: 'text and numbers',
    doc: 'Reads text as a number, date, date with time or boolean; text that is none is missing, or `else`.',
    args: {
      subject: take.value('scalar', 'the text'),
      as: take.choice(['decimal', 'date', 'datetime', 'boolean'], 'what to read it as'),
      else: take.optional('maybe', 'the value when it cannot be read'),
    },
    build(call) {
      const subject = call.value('subject')
      const as = call.choice('as') as keyof typeof readers | undefined
      const otherwise = call.optionalValue('else')
      if (as === undefined) return call.broken()
      const read = readers[as]
      const type: Type = otherwise === undefined ? maybeMissing(types[as]) : joinTypes(types[as], otherwise.type)
      return call.result(type, sumCosts(otherwise === undefined ? [subject] : [subject, otherwise]), (frame) => {
        burn(frame, call.node)
        return read(subject.run(frame)) ?? otherwise?.run(frame)
      })
    },
  }),

  operator({
    name: '$words',
    group: 'text and numbers',
    doc: 'An amount in words, in English, German, French or Spanish.',
    args: {
      subject: take.value('decimal', 'the amount, rounded half-up to two places'),
      locale: take.choice(wordLanguages, 'the language'),
      currency: take.optionalChoice(wordCurrencies, 'the currency whose name is written out'),
    },
    build(call) {
      const amount = call.value('subject')
      const locale = call.choice('locale')
      const currency = call.choice('currency')
      if (locale === undefined) return call.broken()
      if (currency !== undefined && amountInWords(Decimal.one, locale, currency) === undefined) {
        call.error(
          'argument',
          call.nodeOf('currency'),
          `${currency} has no name in "${locale}" here.`,
          'Leave currency out.',
        )
      }
      return call.result(types.string, sumCosts([amount]), (frame) => {
        burn(frame, call.node)
        return amountInWords(amount.run(frame), locale, currency) ?? ''
      })
    },
  }),
]

interface Writer {
  cost: Size
  run(frame: Frame, locale: Locale): string
  /** What it writes of values that show every form. */
  samples(locale: Locale): string[]
}

function writerOf(
  call: CallSite,
  subject: Built,
  pattern: string,
  form: 'number' | 'date' | 'currency',
): Writer | undefined {
  if (form === 'date') return dateWriter(call, subject, pattern)
  return form === 'number' ? numberWriter(call, subject, pattern) : currencyWriter(call, subject, pattern)
}

/** The currency is literal, or a value whose every possibility is one. */
function currencyWriter(call: CallSite, subject: Built, code: string): Writer | undefined {
  const value = checkValue(call.context, subject, 'decimal', '$format with currency')
  const node = call.nodeOf('currency')
  const { reading } = call.context
  const sampled = (locale: Locale, codes: readonly string[]) =>
    codes.flatMap((one) => sampleNumbers.map((number) => formatCurrency(number, one, locale, reading) ?? ''))
  const unknown = (wrong: string) =>
    call.error(
      'argument',
      node,
      `There is no currency "${shorten(wrong)}".`,
      signs.get(wrong) ?? call.suggest(wrong, currencyCodes()) ?? isoHint,
    )
  if (!/^[/$]/.test(code)) {
    if (findCurrency(code) !== undefined)
      return {
        cost: 0,
        run: (frame, locale) => formatCurrency(value.run(frame), code, locale, reading) ?? '',
        samples: (locale) => sampled(locale, [code]),
      }
    unknown(code)
    return undefined
  }
  const read = checkValue(call.context, call.builder.value(node), 'string', '"currency"')
  const values = enumerationOf(read.type)
  const wrong = values?.find((one) => findCurrency(one) === undefined)
  if (wrong !== undefined) unknown(wrong)
  return {
    cost: read.cost,
    samples: (locale) => sampled(locale, values === undefined ? currencyCodes() : [...values]),
    run(frame, locale) {
      const found = read.run(frame)
      const text = formatCurrency(value.run(frame), found, locale, reading)
      if (text !== undefined) return text
      const hint = findCurrency(found.toUpperCase()) === undefined ? isoHint : `Write ${found.toUpperCase()}.`
      throw new Fault('type', node, `There is no currency "${shorten(found)}".`, hint)
    },
  }
}

function numberWriter(call: CallSite, subject: Built, pattern: string): Writer | undefined {
  const value = checkValue(call.context, subject, 'decimal', '$format with number')
  const node = call.nodeOf('number')
  const parsed = parseNumberPattern(pattern, call.context.reading)
  if (!parsed.ok) {
    call.error(
      'pattern',
      node,
      `The number pattern "${shorten(pattern)}" cannot be read: ${parsed.message}.`,
      parsed.hint,
    )
    return undefined
  }
  const write = (number: Decimal, locale: Locale) => formatNumber(number, parsed.pattern, locale)
  return {
    cost: 0,
    run: (frame, locale) => write(value.run(frame), locale),
    samples: (locale) => sampleNumbers.map((number) => write(number, locale)),
  }
}

function dateWriter(call: CallSite, subject: Built, pattern: string): Writer | undefined {
  const value: Checked<'date'> = checkValue(call.context, subject, 'date', '$format with date')
  const node = call.entry('date')?.value ?? call.node
  const parsed = call.context.reading === 1 ? readDatePattern(pattern) : parseDatePattern(pattern)
  if (!parsed.ok) {
    const message = `The date pattern "${shorten(pattern)}" cannot be read: ${parsed.message}.`
    call.error('pattern', node, message, parsed.hint)
    return undefined
  }
  const only = present(subject.type).alternatives
  if (parsed.pattern.wantsTime && only.length === 1 && only[0]?.kind === 'date') {
    call.error(
      'pattern',
      node,
      `The pattern "${shorten(pattern)}" wants a time, and a date has none.`,
      'Use d, M, y and E only.',
    )
  }
  const write = (date: Civil, locale: Locale) => formatDate(date, parsed.pattern, locale)
  return {
    cost: 0,
    run: (frame, locale) => write(value.run(frame), locale),
    samples: (locale) => sampleDates.map((date) => write(date, locale)),
  }
}

const readers: Record<'decimal' | 'date' | 'datetime' | 'boolean', (value: Value) => Value> = {
  decimal(value) {
    if (isNumberValue(value)) return value
    return typeof value === 'string' && value.length <= 100 ? Decimal.parse(value.trim()) : undefined
  },
  date(value) {
    const text = typeof value === 'string' ? value.trim() : ''
    const date: Civil | undefined = parseDate(text) ?? parseDateTime(text)
    return date === undefined ? undefined : formatCivil({ year: date.year, month: date.month, day: date.day })
  },
  datetime(value) {
    const date = typeof value === 'string' ? parseDateTime(value.trim()) : undefined
    return date === undefined || !hasTime(date) ? undefined : formatCivil(date)
  },
  boolean(value) {
    if (typeof value === 'boolean') return value
    return value === 'true' ? true : value === 'false' ? false : undefined
  },
}

const isoHint = 'Write its code by ISO 4217, such as EUR.'
const signs: ReadonlyMap<string, string> = new Map([
  ['€', 'Write EUR: the locale decides on the sign.'],
  ['$', 'Write USD: the locale decides on the sign.'],
  ['£', 'Write GBP: the locale decides on the sign.'],
  ['¥', 'Write JPY: the locale decides on the sign.'],
  ['₹', 'Write INR: the locale decides on the sign.'],
])

/** What a formula of another language would be here. */
function formulaHint(source: string): string {
  if (/(?:^|[\s(*+-])\/[A-Za-z]|\$[A-Za-z]/.test(source)) {
    return 'Names of a formula are slots: { $calc: "a * 1.19", a: /total }.'
  }
  if (/\d,\d/.test(source)) return 'Write a point in numbers: 1.19.'
  if (/\b(?:round|floor|ceil|ceiling|trunc)\s*\(/.test(source))
    return 'Round with scale: 2, round: half-up beside $calc.'
  if (source.includes('**')) return 'Write ^ for a power: a ^ 2.'
  if (source.includes('%')) return 'Write mod(a, b) for a remainder, and / 100 for percent.'
  return 'A formula is like "a * (100 - b) / 100", with a and b beside it.'
}
