import { Decimal } from '../../core/decimal.ts'
import { amountInWords } from '../../core/locale/words.ts'
import { sequences } from './numeral-sequences.ts'
import { asian } from './numerals-asian.ts'

/**
 * A counter value in one of the number formats of ECMA-376 part 1, 17.18.59. Falls back to decimals for unknown formats,
 * and for values that a format has no sign for.
 *
 * @param format a value of ST_NumberFormat; for `custom` with a pattern such as `001, 002, …`, the pattern's first
 * number. `cardText` and `ordText` are the lower-case words that fields ask for
 * @param language of words and ordinal signs, as a BCP 47 tag; English if Quire has none for it
 */
export function formatNumber(value: number, format: string, language = 'en'): string {
  if (/^0*1$/.test(format)) return `${value}`.padStart(format.length, '0')
  // A file's format name could be that of a member of every object.
  if (Object.hasOwn(sequences, format)) return sequences[format]?.(value) ?? `${value}`
  if (Object.hasOwn(asian, format)) return asian[format]?.(value) ?? `${value}`
  switch (format) {
    case 'none':
    case 'bullet':
      return ''
    case 'decimalZero':
      return value < 10 && value >= 0 ? `0${value}` : `${value}`
    case 'upperRoman':
      return roman(value)
    case 'lowerRoman':
      return roman(value).toLowerCase()
    case 'ordinal':
      return ordinal(value, language)
    case 'cardText':
      return words(value, language)
    case 'cardinalText':
      return capitalized(words(value, language))
    case 'ordText':
      return ordinalWords(value, language)
    case 'ordinalText':
      return capitalized(ordinalWords(value, language))
    case 'dollarText':
      return capitalized(`${words(value, 'en')} and 00/100`)
    case 'hex':
      return value < 0 ? `${value}` : value.toString(16).toUpperCase()
    case 'numberInDash':
      return `- ${value} -`
    case 'hebrew1':
      return hebrew(value) ?? `${value}`
    default:
      return `${value}`
  }
}

const romans: readonly [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

function roman(value: number): string {
  if (value <= 0 || value > 9_999) return `${value}`
  return additive(value, romans)
}

/** The signs whose values add up to a value, the largest first. */
function additive(value: number, signs: readonly (readonly [number, string])[]): string {
  let rest = value
  let text = ''
  for (const [amount, sign] of signs) {
    while (rest >= amount) {
      text += sign
      rest -= amount
    }
  }
  return text
}

const hebrewSigns: readonly [number, string][] = [...'תשרקצפעסנמלכיטחזוהדגבא'].map((letter, index) => [
  index < 4 ? (4 - index) * 100 : index < 13 ? (13 - index) * 10 : 22 - index,
  letter,
])

/** Additive letters. 15 and 16 are written 9+6 and 9+7, since 10+5 and 10+6 spell a name of God. */
function hebrew(value: number): string | undefined {
  if (value <= 0 || value > 999) return undefined
  const below = value % 100
  if (below !== 15 && below !== 16) return additive(value, hebrewSigns)
  return `${additive(value - below, hebrewSigns)}ט${below === 15 ? 'ו' : 'ז'}`
}

function words(value: number, language: string): string {
  const amount = Decimal.parse(`${value}`)
  if (amount === undefined) return `${value}`
  return amountInWords(amount, language) ?? amountInWords(amount, 'en') ?? `${value}`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const irregular: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

/** In English only the last word of a number changes; other languages have their ordinal signs. */
function ordinalWords(value: number, language: string): string {
  if (!/^en/i.test(language)) return ordinal(value, language)
  return words(value, language).replace(
    /[a-z]+$/,
    (last) => irregular[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`),
  )
}

function ordinal(value: number, language: string): string {
  const code = language.slice(0, 2).toLowerCase()
  if (code === 'fr') return `${value}${value === 1 ? 'er' : 'e'}`
  if (code === 'es' || code === 'it' || code === 'pt') return `${value}º`
  if (code !== 'en') return `${value}.`
  const tens = value % 100
  if (tens >= 11 && tens <= 13) return `${value}th`
  return `${value}${['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'}`
}
