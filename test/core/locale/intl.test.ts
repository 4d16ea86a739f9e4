import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { Decimal } from '../../../src/core/decimal.ts'
import { parseCivil } from '../../../src/core/locale/calendar.ts'
import { currencyCodes } from '../../../src/core/locale/currency.ts'
import { type DatePattern, formatDate, parseDatePattern } from '../../../src/core/locale/date.ts'
import { joinList } from '../../../src/core/locale/list.ts'
import { findLocale, type Locale, localeTags } from '../../../src/core/locale/locale.ts'
import {
  formatCurrency,
  formatNumber,
  type NumberPattern,
  parseNumberPattern,
} from '../../../src/core/locale/number.ts'
import { cldrVersion } from '../../../src/core/locale/table.generated.ts'
import type { Reading } from '../../../src/core/reading.ts'

function dates(source: string): DatePattern {
  const parsed = parseDatePattern(source)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.pattern
}

function numbers(source: string): NumberPattern {
  const parsed = parseNumberPattern(source)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.pattern
}

const amounts = ['1234.5', '-1234567.891', '0.5'].map((amount) => Decimal.parse(amount)!)

/** All that a reading writes by locale, 306,280 texts. */
function formsUnder(reading: Reading): string {
  const hash = createHash('sha256')
  const numberPatterns = ['#,##0.00', '0%', '#,##0.0‰'].map(numbers)
  const datePatterns = ['d MMMM yyyy', 'MMMM yyyy', 'MMMM', 'd MMM', 'MMM', 'EEE', 'EEEE', 'EEEE d MMMM yyyy']
    .concat('hh:mm a')
    .map(dates)
  for (const tag of localeTags()) {
    const locale = findLocale(tag, reading)!
    for (const amount of amounts) {
      for (const pattern of numberPatterns) hash.update(`${formatNumber(amount, pattern, locale)}\n`)
      for (const code of currencyCodes(reading)) hash.update(`${formatCurrency(amount, code, locale, reading)}\n`)
    }
    for (let month = 1; month <= 12; month++) {
      const date = parseCivil(`2026-${String(month).padStart(2, '0')}-0${(month % 7) + 1}T${month + 10}:05:00Z`)!
      for (const pattern of datePatterns) hash.update(`${formatDate(date, pattern, locale)}\n`)
    }
    for (const by of ['and', 'or'] as const) {
      for (const texts of [['a'], ['a', 'ibid'], ['a', 'ola'], ['a', 'b', 'hijo'], ['a', 'b', 'c', '8']])
        hash.update(`${joinList(texts, locale, by)}\n`)
    }
  }
  return hash.digest('hex')
}

test.each<[Reading, string]>([
  [1, '881ff685d504f0f5777eb61a9d19e9d06e6a9fc68f5a7c54e92dabd0e665e4c1'],
  [2, 'baf83491b90016984569f976829a31cb1f270cc131a9317a80c9c451bc594d30'],
  [5, 'baf83491b90016984569f976829a31cb1f270cc131a9317a80c9c451bc594d30'],
])('versions that were frozen under reading %i write by locale what they wrote then', (reading, hash) => {
  expect(formsUnder(reading)).toBe(hash)
})

/** Where ICU has other forms than the CLDR of its version, or none; or Quire keeps to what the pattern says. */
const explained: readonly (readonly [why: string, is: (tag: string, form: string, theirs: string) => boolean])[] = [
  ['ICU lacks the language', (tag) => Intl.NumberFormat.supportedLocalesOf(tag).length === 0],
  [
    'where euros have a pattern of their own in English, ICU takes it, with the signs of English, for all money',
    (tag, form) => form === 'money' && findLocale(tag)!.currencyPatterns?.EUR !== undefined,
  ],
  [
    'ICU has the decimal sign of escudos in all money of Cape Verde',
    (tag, form) => form === 'money' && tag === 'pt-CV',
  ],
  ['ICU has a Latin sign for the mark', (tag, form) => form === 'money' && tag === 'sr-Cyrl-ME'],
  [
    'a locale writes the month as a number there',
    (_, form, theirs) => form.includes('MMM') && /^\p{Nd}+$/u.test(theirs),
  ],
  ['Czech has the long name there', (tag, form) => form === 'MMM yyyy' && /^cs/.test(tag)],
  ['ICU has no pattern for the names alone', (tag, form) => /^M+$/.test(form) && /^(?:el|bg|lt|zh-SG)/.test(tag)],
  ['Persian has other names beside a day without a year', (tag, form) => form === 'd MMMM' && /^fa/.test(tag)],
]

const isSameCldr = process.versions.icu?.startsWith('78.') && cldrVersion.startsWith('48.')

describe.skipIf(!isSameCldr)('what locales write is what ICU 78 does, which has the same CLDR', () => {
  const used = new Set<string>()
  /** The differences that nothing explains. */
  function differences(compare: (tag: string, locale: Locale, see: See) => void): string[] {
    const found: string[] = []
    for (const tag of localeTags()) {
      compare(tag, findLocale(tag)!, (form, ours, theirs) => {
        if (ours === theirs) return
        const known = explained.find(([, is]) => is(tag, form, theirs))
        if (known === undefined) found.push(`${tag} ${form}: ${ours}, ICU has ${theirs}`)
        else used.add(known[0])
      })
    }
    return found
  }
  type See = (form: string, ours: string, theirs: string) => void

  test('in numbers', () => {
    const pattern = numbers('#,##0.00')
    const places = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    const found = differences((tag, locale, see) => {
      const theirs = new Intl.NumberFormat(tag, places)
      for (const value of ['1234.5', '-1234567.891', '12345'] as const)
        see('numbers', formatNumber(Decimal.parse(value)!, pattern, locale), theirs.format(value))
    })
    expect(found).toEqual([])
  })

  test('in amounts of money, in every currency', () => {
    const found = differences((tag, locale, see) => {
      for (const currency of currencyCodes()) {
        const theirs = new Intl.NumberFormat(tag, { style: 'currency', currency })
        for (const value of ['1234.5', '-12345.5'] as const)
          see('money', formatCurrency(Decimal.parse(value)!, currency, locale)!, theirs.format(value))
      }
    })
    expect(found).toEqual([])
  }, 60_000)

  test('in lists', () => {
    const lists = ['a b', 'a b c', 'a b c d', 'a ibid', 'a Hielo', 'x Historia ola', 'a 8', 'a 11', 'a 110', 'a ב']
    const found = differences((tag, locale, see) => {
      for (const by of ['and', 'or'] as const) {
        const theirs = new Intl.ListFormat(tag, { type: by === 'and' ? 'conjunction' : 'disjunction' })
        for (const texts of lists.map((list) => list.split(' ')))
          see(by, joinList(texts, locale, by), theirs.format(texts))
      }
    })
    expect(found).toEqual([])
  })

  test('in names of months and days, beside a day, beside a year and alone', () => {
    const forms: [pattern: string, part: 'month' | 'weekday', options: Intl.DateTimeFormatOptions][] = [
      ['MMMM', 'month', { month: 'long' }],
      ['MMM', 'month', { month: 'short' }],
      ['MMMM yyyy', 'month', { month: 'long', year: 'numeric' }],
      ['MMM yyyy', 'month', { month: 'short', year: 'numeric' }],
      ['d MMMM', 'month', { month: 'long', day: 'numeric' }],
      ['d MMMM yyyy', 'month', { month: 'long', day: 'numeric', year: 'numeric' }],
      ['d MMM yyyy', 'month', { month: 'short', day: 'numeric', year: 'numeric' }],
      ['EEEE', 'weekday', { weekday: 'long' }],
      ['EEE', 'weekday', { weekday: 'short' }],
      ['EEEE d MMMM yyyy', 'weekday', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }],
      ['EEE d MMM yyyy', 'weekday', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }],
    ]
    // 1 January to 12 December: every month, and with them every day of the week.
    const days = Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}`)
      .map((month) => `${month}-${month.slice(5)}`)
      .concat('2026-03-02', '2026-03-05')
    const found = differences((tag, locale, see) => {
      for (const [form, part, options] of forms) {
        const theirs = new Intl.DateTimeFormat(`${tag}-u-ca-gregory`, { timeZone: 'UTC', ...options })
        const pattern = dates(form)
        const field = part === 'month' ? 'M' : 'E'
        const only = {
          ...pattern,
          parts: pattern.parts.filter((one) => 'field' in one && one.field.startsWith(field)),
        }
        for (const day of days) {
          const name = theirs.formatToParts(new Date(day)).find(({ type }) => type === part)?.value ?? ''
          see(form, formatDate(parseCivil(day)!, only, locale), name)
        }
      }
    })
    expect(found).toEqual([])
  }, 60_000)

  test('but for what is explained', () => expect([...used].sort()).toEqual(explained.map(([why]) => why).sort()))
})
