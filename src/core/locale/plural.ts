/** Plural forms by the rules of the Unicode CLDR (UTS 35, part 3, "Language Plural Rules"). */
import type { Decimal } from '../decimal.ts'
import type { Locale } from './locale.ts'

export const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

export type PluralForm = (typeof pluralForms)[number]

/** One comparison of a rule: an operand, perhaps its remainder, within ranges or outside of them. */
interface Relation {
  operand: string
  modulo: number | undefined
  isInside: boolean
  ranges: readonly (readonly [from: number, to: number])[]
}

/** Any of several groups whose relations all hold. */
type Rule = readonly (readonly Relation[])[]

const read = new WeakMap<Readonly<Record<string, string>>, readonly (readonly [PluralForm, Rule])[]>()

/** The form of a counted thing's name, such as `one` for 1 day, or of an ordinal, such as `two` for 2nd. */
export function pluralForm(value: Decimal, locale: Locale, kind: 'plurals' | 'ordinals' = 'plurals'): PluralForm {
  const operands = operandsOf(value)
  for (const [form, rule] of rulesOf(locale[kind])) {
    if (rule.some((group) => group.every((relation) => holds(relation, operands)))) return form
  }
  return 'other'
}

/** The forms that a language tells apart. */
export function formsOf(locale: Locale, kind: 'plurals' | 'ordinals' = 'plurals'): PluralForm[] {
  return [...rulesOf(locale[kind]).map(([form]) => form), 'other']
}

function rulesOf(texts: Readonly<Record<string, string>>): readonly (readonly [PluralForm, Rule])[] {
  let rules = read.get(texts)
  if (rules === undefined) {
    rules = pluralForms.flatMap((form) => {
      const text = texts[form]
      return text === undefined ? [] : [[form, readRule(text)] as const]
    })
    read.set(texts, rules)
  }
  return rules
}

function readRule(text: string): Rule {
  return text.split(' or ').map((group) => group.split(' and ').map(readRelation))
}

function readRelation(text: string): Relation {
  const [, operand = 'n', modulo, sign, list = ''] = /^([a-z])(?: % (\d+))? (!?=) (.+)$/.exec(text.trim()) ?? []
  const ranges = list.split(',').map((range) => {
    const [from = 0, to = from] = range.split('..').map(Number)
    return [from, to] as const
  })
  return { operand, modulo: modulo === undefined ? undefined : Number(modulo), isInside: sign === '=', ranges }
}

type Operands = Readonly<Record<string, number>>

/**
 * The operands of the rules: n the absolute value, i its whole part, v and f the number and value of its decimal places, w
 * and t the same without trailing zeros. Of whole parts beyond 15 digits, only the last ones are kept: rules read no
 * others.
 */
function operandsOf(value: Decimal): Operands {
  const [whole = '0', places = ''] = value.absolute().toPlain().split('.')
  const last = Number(whole.length > 15 ? `1${whole.slice(-14)}` : whole)
  const n = places === '' ? last : Number(`${last}.${places.slice(0, 6)}`)
  const fraction = Number(places.slice(0, 15) || '0')
  return { n, i: last, v: places.length, f: fraction, w: places.length, t: fraction, e: 0, c: 0 }
}

function holds({ operand, modulo, isInside, ranges }: Relation, operands: Operands): boolean {
  const number = operands[operand] ?? 0
  const value = modulo === undefined ? number : number % modulo
  return isInside === ranges.some(([from, to]) => Number.isInteger(value) && value >= from && value <= to)
}
