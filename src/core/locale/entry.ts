/** The table's data of a locale. A regional entry holds only the differences from its language. */
export interface LocaleEntry {
  decimal: string
  group: string
  /** Digits before the first separator, at least: 2 leaves 1234 ungrouped (Spanish, Polish). */
  groupFrom: number
  /** Digits between all but the last separators, if different: 2 in India (12,34,567). */
  groupNext?: number
  minus: string
  /** Zero to nine, where those are not the ones of ASCII. */
  digits?: string
  /** Where they are not `%` and `‰`. */
  percent?: string
  perMille?: string
  /** A number pattern with `¤` for the currency's sign. */
  currency: string
  /** Signs of currencies that differ from the English ones; a region's go before its language's. */
  signs?: Readonly<Record<string, string>>
  /** Where amounts of money differ from numbers. */
  currencyDecimal?: string
  currencyGroup?: string
  /** By currency, where one has a pattern or a decimal sign of its own. */
  currencyPatterns?: Readonly<Record<string, string>>
  currencyDecimals?: Readonly<Record<string, string>>
  /** Twelve each; `months` beside a day, `monthsAlone` if the name differs without one. */
  months: readonly string[]
  monthsAlone?: readonly string[]
  monthsShort: readonly string[]
  monthsShortAlone?: readonly string[]
  /** Which of them have beside a year, without a day, the names that they have beside a day. */
  besideYear?: 'months' | 'monthsShort' | 'both'
  /** Seven each, Monday first; `daysAlone` where nothing else is written. */
  days: readonly string[]
  daysAlone?: readonly string[]
  daysShort: readonly string[]
  daysShortAlone?: readonly string[]
  /** Before and after noon. */
  dayHalves: readonly [string, string]
  /** Patterns that join two texts, and the first, middle and last of more: `{0}, {1}`. */
  and: readonly string[]
  or: readonly string[]
  /** Other words to join the last two texts by, for a last text that matches the expression in either case. */
  followed?: Readonly<Partial<Record<'and' | 'or', readonly [before: string, by: string]>>>
  /** CLDR's rule for each plural form but `other`, in its order. */
  plurals: Readonly<Record<string, string>>
  ordinals: Readonly<Record<string, string>>
  /** Letters in dictionary order, for alphabets other than Latin; letters that sort alike are grouped. */
  alphabet?: string
  /** The ISO 15924 code of the script. */
  script: string
}
