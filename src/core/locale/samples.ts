/** Values that exercise every form of a locale: if two readings or regions write these alike, they write everything alike. */
import { Decimal } from '../decimal.ts'
import type { CivilDateTime } from './calendar.ts'

/** Numbers with four digits, with groups, and below zero. */
export const sampleNumbers: readonly Decimal[] = [new Decimal(12345n, 1), new Decimal(-12345678901n, 3)]

/** Every month, day of the week and half of the day. */
export const sampleDates: readonly CivilDateTime[] = Array.from({ length: 12 }, (_, index) => ({
  ...{ year: 2026, month: index + 1, day: index + 1 },
  ...{ hour: index * 2, minute: 0, second: 0, fraction: '' },
}))

/** Texts of two and three, before the sounds that change a word in Spanish and Hebrew, too. */
export const sampleLists: readonly (readonly string[])[] = [
  ['a', 'b'],
  ['a', 'b', 'c'],
  ['padres', 'hijos'],
  ['siete', 'ocho'],
  ['a', '12'],
]
