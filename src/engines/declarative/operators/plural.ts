/** Words that depend on a number: "1 day", "2 days", "3rd". */

import type { Locale } from '../../../core/locale/locale.ts'
import { formatNumber, parseNumberPattern } from '../../../core/locale/number.ts'
import { formsOf, type PluralForm, pluralForm, pluralForms } from '../../../core/locale/plural.ts'
import { sampleNumbers } from '../../../core/locale/samples.ts'
import { shorten } from '../../../core/source/read.ts'
import type { MapEntry } from '../../../core/source/tree.ts'
import { type Built, sumCosts } from '../built.ts'
import { type Call, operator, take } from '../call.ts'
import { inEachLocale } from '../earlier.ts'
import { boundText, burn, type Frame } from '../frame.ts'
import { addSizes, largerSize, type Size } from '../size.ts'
import { joinTypes, types } from '../types.ts'
import type { Value } from '../value.ts'
import { readLocale } from './locale.ts'

const written = parseNumberPattern('#,##0.##########')

export const pluralOperators = [
  operator({
    name: '$plural',
    group: 'text and numbers',
    doc: 'The text, or value, for a number in the plural form that the locale wants; {n} in a text is the number.',
    args: {
      subject: take.value('decimal', 'the number'),
      locale: take.optionalNode('a locale such as de (en unless given), or a value that is one'),
      ordinal: take.optionalFlag('true: the forms of 1st, 2nd, 3rd'),
    },
    open: 'cases',
    build: (call) => buildPlural(call),
  }),
]

type PluralArguments = {
  subject: { kind: 'value'; want: 'decimal'; doc: string }
  locale: { kind: 'node'; doc: string }
  ordinal: { kind: 'flag'; doc: string }
}

interface Case {
  built: Built
  /** The pieces of a literal text around {n}. */
  pieces?: readonly string[]
}

function buildPlural(call: Call<PluralArguments>): Built {
  const number = call.value('subject')
  const locale = readLocale(call.builder, call.entry('locale')?.value)
  const kind = call.flag('ordinal') ? 'ordinals' : 'plurals'
  const cases = new Map(call.others().map((entry) => [entry.key, readCase(call, entry)]))
  checkForms(call, cases, locale?.literal === undefined ? undefined : formsOf(locale.literal, kind), locale?.literal)
  const other = cases.get('other')
  if (other === undefined || locale === undefined || !written.ok) return call.broken()
  const branches = [...cases.values()].map(({ built, pieces }) => (pieces === undefined ? built.type : types.string))
  const dearest = [...cases.values()].reduce<Size>((most, { built }) => largerSize(most, built.cost), 0)
  const cost = addSizes(sumCosts([number, locale]), dearest)
  const { pattern } = written
  const writesNumber = [...cases.values()].some(({ pieces = [] }) => pieces.length > 1)
  if (writesNumber) {
    const samples = (one: Locale) => sampleNumbers.map((number) => formatNumber(number, pattern, one))
    call.context.sample(call.node, () => inEachLocale(locale, call.context.reading, samples))
  }
  return call.result(branches.reduce(joinTypes), cost, (frame: Frame): Value => {
    burn(frame, call.node)
    const value = number.run(frame)
    const found = locale.run(frame)
    const { built, pieces } = cases.get(value.toPlain()) ?? cases.get(pluralForm(value, found, kind)) ?? other
    if (pieces === undefined) return built.run(frame)
    if (pieces.length === 1) return pieces[0]
    return boundText(pieces.join(formatNumber(value, pattern, found)), call.node)
  })
}

function readCase(call: Call<PluralArguments>, { value: node }: MapEntry): Case {
  const isText = node.kind === 'scalar' && typeof node.value === 'string' && !/^[/$]/.test(node.value)
  const built = isText ? call.builder.text(node) : call.builder.value(node)
  return typeof built.literal === 'string' ? { built, pieces: built.literal.split('{n}') } : { built }
}

/** Checks that every key is a plural form or a whole number, and that every form of the language has a text. */
function checkForms(
  call: Call<PluralArguments>,
  cases: ReadonlyMap<string, Case>,
  wanted: readonly PluralForm[] | undefined,
  locale: Locale | undefined,
): void {
  const forms: readonly string[] = wanted ?? pluralForms
  for (const [key, { built }] of cases) {
    if (forms.includes(key) || /^(?:0|-?[1-9]\d{0,8})$/.test(key)) continue
    const isForm = pluralForms.some((form) => form === key)
    const message = isForm ? `The locale ${locale?.tag} has no form "${key}".` : `"${shorten(key)}" is no plural form.`
    const hint = `The forms are ${forms.join(', ')}; a number such as 0 is a case of its own.`
    if (isForm) call.warning('never_true', built.node, message, hint)
    else call.error('argument', built.node, message, ownForms.get(key) ?? call.suggest(key, forms) ?? hint)
  }
  const needed = wanted?.filter((form) => form !== 'many' || !isForMillions(locale)) ?? ['other']
  const lacking = needed.filter((form) => !cases.has(form))
  if (lacking.length === 0) return
  const message = `$plural has no text for ${lacking.join(', ')}${locale === undefined ? '' : ` of ${locale.tag}`}.`
  call.error('not_exhaustive', call.node, message, 'Add each form as a key beside $plural.')
}

/** As people and other languages call them. */
const ownForms: ReadonlyMap<string, string> = new Map([
  ['singular', 'Write one.'],
  ...['plural', 'default', 'else', 'otherwise'].map((name) => [name, 'Write other.'] as const),
  ...['none', 'empty'].map((name) => [name, 'Write "0" for none at all.'] as const),
])

/** French, Spanish and their like say "un million de", which a text about a count seldom needs. */
function isForMillions(locale: Locale | undefined): boolean {
  return locale?.plurals.many?.includes('1000000') ?? false
}
