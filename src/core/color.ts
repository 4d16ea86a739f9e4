/** Colours that data and templates may name. */
import type { JsonValue } from './json.ts'

/** Six hexadecimal digits, or the name that WordprocessingML has for a colour of the document's theme. */
export type Color = { kind: 'rgb'; digits: string } | { kind: 'theme'; name: string }

/** The elements of a theme's colour scheme (ECMA-376 part 1, 20.1.6.2), by the names of WordprocessingML (17.18.97). */
export const themeColors: ReadonlyMap<string, string> = new Map([
  ['dark1', 'dk1'],
  ['text1', 'dk1'],
  ['light1', 'lt1'],
  ['background1', 'lt1'],
  ['dark2', 'dk2'],
  ['text2', 'dk2'],
  ['light2', 'lt2'],
  ['background2', 'lt2'],
  ...['1', '2', '3', '4', '5', '6'].map((number) => [`accent${number}`, `accent${number}`] as const),
])

/** The colour that `#RRGGBB` or a name of the theme is; undefined for all else. */
export function readColor(value: JsonValue | undefined): Color | undefined {
  if (typeof value !== 'string') return undefined
  const digits = /^#([0-9a-f]{6})$/i.exec(value)?.[1]
  if (digits !== undefined) return { kind: 'rgb', digits: digits.toUpperCase() }
  return themeColors.has(value) ? { kind: 'theme', name: value } : undefined
}
