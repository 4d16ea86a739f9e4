/** What the table knows of a locale. Its regional entries say only what differs from their language. */
export interface LocaleEntry {
  decimal: string
  group: string
  /** Digits before the first separator, at least: 2 leaves 1234 ungrouped (Spanish, Polish). */
  groupFrom: number
  /** Digits between the separators before the last one, where those are not as many: 2 in India (12,34,567). */
  groupNext?: number
  minus: string
  /** A number pattern with `¤` for the currency's sign. */
  currency: string
  /** Twelve each; `months` beside a day, `monthsAlone` if the name differs without one. */
  months: readonly string[]
  monthsAlone?: readonly string[]
  monthsShort: readonly string[]
  /** Seven each, Monday first. */
  days: readonly string[]
  daysShort: readonly string[]
  /** Before and after noon. */
  dayHalves: readonly [string, string]
}
