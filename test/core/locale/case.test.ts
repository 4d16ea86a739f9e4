import { expect, test } from 'bun:test'
import { inCase, type LetterCase } from '../../../src/core/locale/case.ts'
import type { Locale } from '../../../src/core/locale/locale.ts'

const rows: readonly (readonly [tag: string | undefined, text: string, to: LetterCase, expected: string])[] = [
  [undefined, 'ice', 'upper', 'ICE'],
  [undefined, 'ICE', 'lower', 'ice'],
  [undefined, 'ὀδός', 'upper', 'ὈΔΌΣ'],
  ['tr', 'ilik ısı', 'upper', 'İLİK ISI'],
  ['tr-TR', 'İLİK ISI', 'lower', 'ilik ısı'],
  ['az', 'ilik', 'title', 'İlik'],
  ['de', 'ilik', 'title', 'Ilik'],
  ['el', 'άθλος', 'upper', 'ΑΘΛΟΣ'],
  ['el-GR', 'ϊ', 'upper', 'Ϊ'],
  ['nl', 'ijsland en fijn', 'title', 'IJsland En Fijn'],
  ['de', 'ijsland', 'title', 'Ijsland'],
  [undefined, "JEAN-PAUL o’NEILL 3rd d'arc (x)", 'title', "Jean-Paul O’neill 3rd D'arc (X)"],
  ['tr', 'IŞIK', 'title', 'Işık'],
]

test.each(rows)('%s: "%s" in %s is "%s"', (tag, text, to, expected) => {
  expect(inCase(text, to, tag === undefined ? undefined : ({ tag } as Locale))).toBe(expected)
})
