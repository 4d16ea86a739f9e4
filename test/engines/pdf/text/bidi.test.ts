import { describe, expect, test } from 'bun:test'
import { embeddingLevels, mirrored, visualRuns } from '../../../../src/engines/pdf/text/bidi.ts'

const codesOf = (text: string) => [...text].map((character) => character.codePointAt(0) ?? 0)

/** A level for each character; `marked` says which run is marked right-to-left, by a character of it. */
function levels(text: string, base: 'ltr' | 'rtl' = 'ltr', marked: (index: number) => boolean = () => false): string {
  return [...embeddingLevels(codesOf(text), base, marked)].join('')
}
const all = () => true

describe('Embedding levels', () => {
  test('follow the letters, with numbers one level above', () => {
    expect(levels('ab אב 12 c')).toBe('0001112200')
    expect(levels('אב 12', 'rtl')).toBe('11122')
    expect(levels('ab', 'rtl')).toBe('22')
  })

  test('see no end of a paragraph in a line break, and nothing in a bookmark', () => {
    expect([...embeddingLevels([0x5d0, 10, 0x5d1, 0, 0x5d2], 'ltr', () => false)]).toEqual([1, 1, 1, 1, 1])
  })

  test('are those of a character’s own type beyond the first plane, too', () => {
    expect(levels('אב 😀 גד')).toBe('1111111')
    expect(levels('a 😀 b')).toBe('00000')
    expect(levels('אב 😀', 'ltr', all)).toBe('1111')
    // Phoenician, Adlam, a mark of Adlam, a mathematical digit and letter, an Arabic number of Rumi.
    expect(levels('\u{10900}\u{1e900}\u{1e944}a')).toBe('1110')
    expect(levels('א\u{1d7ce}\u{1d400}')).toBe('120')
    expect(levels('א\u{10e60}')).toBe('12')
    expect(levels('\u{1d400}א')).toBe('01')
    expect(levels('א\u{e0001}ב')).toBe('111')
  })

  test('take signs of a right-to-left run for letters, but not between Latin letters or within numbers', () => {
    expect(levels('אב.', 'ltr', all)).toBe('111')
    expect(levels('אב.')).toBe('110')
    expect(levels('a.b', 'ltr', all)).toBe('000')
    expect(levels('é.Ω', 'ltr', all)).toBe('000')
    expect(levels('A.Z', 'ltr', all)).toBe('000')
    expect(levels('z.a', 'ltr', all)).toBe('000')
    // What is beside the letters in ASCII is none, nor is the sign of multiplication.
    for (const sign of '@[`{\u00d7\u00f7') expect([sign, levels(`${sign}.${sign}`, 'ltr', all)]).toEqual([sign, '111'])
    for (const letter of 'AZazÀÿ') expect([letter, levels(`${letter}.${letter}`, 'ltr', all)]).toEqual([letter, '000'])
    expect(levels('a.', 'ltr', all)).toBe('01')
    expect(levels('.a', 'ltr', all)).toBe('10')
    // The nearest letter counts: between a Latin and a Hebrew one, a sign takes the direction of its run.
    expect(levels('a.א', 'ltr', all)).toBe('011')
    expect(levels('א.a', 'ltr', all)).toBe('110')
    expect(levels('א 2.21 ב', 'rtl', all)).toBe('11222211')
    expect(levels('א 2.a', 'ltr', all)).toBe('11210')
  })

  test('read a hyphen between numbers as a separator after Hebrew, and as a border after Arabic', () => {
    expect(levels('א 5-6', 'rtl', all)).toBe('11222')
    expect(levels('أ 5-6', 'rtl', all)).toBe('11212')
    // A mark or a digit doesn't change which letter came last.
    expect(levels('א\u05b0 5-6', 'rtl', all)).toBe('111222')
  })

  test('are resolved in pieces of a long text, each as if it stood alone', () => {
    const long = `${'a'.repeat(7_999)}אב${'a'.repeat(7_999)}`
    const found = embeddingLevels(codesOf(long), 'ltr', () => false)
    expect(found.length).toBe(16_000)
    expect([...found.subarray(7_997, 8_003)]).toEqual([0, 0, 1, 1, 0, 0])
    // A bracket beyond the piece is not seen.
    const brackets = embeddingLevels(codesOf(`א(${'b'.repeat(8_000)})`), 'rtl', () => false)
    expect(brackets[0]).toBe(1)
    expect(brackets.length).toBe(8_003)
  })
})

describe('The runs of a line', () => {
  const runs = (list: number[], from = 0) => visualRuns(list, from).map((run) => `${run.from}-${run.to}:${run.level}`)

  test('stay in order where all text reads from left to right', () => {
    expect(runs([0, 0, 2, 2, 0], 10)).toEqual(['10-12:0', '12-14:2', '14-15:0'])
    expect(runs([])).toEqual([])
  })

  test('are turned level by level, from the highest down to the lowest odd one', () => {
    expect(runs([1, 2, 1])).toEqual(['2-3:1', '1-2:2', '0-1:1'])
    expect(runs([0, 1, 2, 1, 0])).toEqual(['0-1:0', '3-4:1', '2-3:2', '1-2:1', '4-5:0'])
    expect(runs([1, 2, 3, 2, 1])).toEqual(['4-5:1', '1-2:2', '2-3:3', '3-4:2', '0-1:1'])
    expect(runs([0, 1, 0, 1, 2])).toEqual(['0-1:0', '1-2:1', '2-3:0', '4-5:2', '3-4:1'])
    expect(runs([2, 3, 2])).toEqual(['0-1:2', '1-2:3', '2-3:2'])
  })
})

test('A bracket is drawn as its mirror, and a letter as itself', () => {
  expect(mirrored(0x28)).toBe(0x29)
  expect(mirrored(0xbb)).toBe(0xab)
  expect(mirrored(0x41)).toBe(0x41)
})
