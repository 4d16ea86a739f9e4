import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { canHyphenate, hyphenPoints } from '../../../../src/engines/pdf/text/hyphenation.ts'

/** As many letters as TeX leaves before and behind a hyphen, by language. */
const margins: Readonly<Record<string, readonly [left: number, right: number]>> = {
  cs: [2, 3],
  da: [2, 2],
  de: [2, 2],
  'en-GB': [2, 3],
  'en-US': [2, 3],
  es: [2, 2],
  fr: [2, 3],
  it: [2, 2],
  nl: [2, 2],
  pl: [2, 2],
  'pt-BR': [2, 3],
  sv: [2, 2],
}

test('A hyphen leaves as many letters on either side as the language has it, and no more', () => {
  const consonants = 'bcdfgklmnprstvz'
  for (const [language, [left, right]] of Object.entries(margins)) {
    let [first, last] = [99, 99]
    // Words of plain syllables, which every language parts wherever it may.
    for (const a of consonants)
      for (const b of consonants)
        for (const word of [`a${a}a${b}a${a}a`, `${a}a${b}a${a}a`, `${a}a${b}o${a}is`, `a${b}ena`]) {
          const points = hyphenPoints(word, language)
          first = Math.min(first, ...points)
          last = Math.min(last, ...points.map((point) => word.length - point))
        }
    expect([language, first, last]).toEqual([language, left, right])
  }
})

test('Patterns are those of the language, then of its region, and of no other', () => {
  expect(hyphenPoints('administration', 'EN-us')).toEqual(hyphenPoints('administration', 'en'))
  expect(hyphenPoints('administration', 'en-AU')).toEqual(hyphenPoints('administration', 'en'))
  expect(hyphenPoints('organisation', 'en-GB')).not.toEqual(hyphenPoints('organisation', 'en-US'))
  expect(['de-AT', 'th', 'sv-FI', 'xx', 'toString', ''].map(canHyphenate)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

test('Words are parted whatever their case, if it keeps their length', () => {
  expect(hyphenPoints('ADMINISTRATION', 'en')).toEqual(hyphenPoints('administration', 'en'))
  expect(hyphenPoints('İstanbulİstanbul', 'en')).toEqual([])
})

test('Words are parted up to the longest length that the limit allows', () => {
  const word = (length: number) => 'administration'.repeat(20).slice(0, length)
  expect(hyphenPoints(word(limits.hyphenatedLetters), 'en').length).toBeGreaterThan(3)
  expect(hyphenPoints(word(limits.hyphenatedLetters + 1), 'en')).toEqual([])
})

function parted(word: string, language: string): string {
  const points = hyphenPoints(word, language)
  return [...word].map((letter, at) => (points.includes(at) ? `-${letter}` : letter)).join('')
}

describe('hyphenating words', () => {
  test('follows the patterns of the language', () => {
    expect(parted('hyphenation', 'en-US')).toBe('hy-phen-ation')
    expect(parted('Silbentrennung', 'de-DE')).toBe('Sil-ben-tren-nung')
    expect(parted('Donaudampfschifffahrt', 'de')).toBe('Do-nau-dampf-schiff-fahrt')
    expect(parted('administration', 'fr-FR')).toBe('ad-mi-nis-tra-tion')
    expect(parted('verantwoordelijkheid', 'nl')).toBe('ver-ant-woor-de-lijk-heid')
    for (const language of ['es', 'it', 'pt-BR', 'pl', 'cs', 'sv', 'da', 'en-GB'])
      expect(hyphenPoints('administrativo', language).length).toBeGreaterThan(1)
  })

  test('uses hyphenation points listed for single words', () => {
    expect(parted('associate', 'en-US')).toBe('as-so-ciate')
    expect(parted('present', 'en-US')).toBe('present')
  })

  test('leaves words of other languages, of few letters and of absurd length unchanged', () => {
    expect(canHyphenate('fi-FI')).toBe(false)
    expect(parted('administration', 'fi-FI')).toBe('administration')
    expect(parted('idea', 'constructor')).toBe('idea')
    expect(parted('and', 'en')).toBe('and')
    expect(hyphenPoints('a'.repeat(5_000), 'en')).toEqual([])
  })
})
