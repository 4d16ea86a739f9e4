import { describe, expect, test } from 'bun:test'
import { fillLine } from '../../../../../src/engines/pdf/layout/paragraph/fill.ts'
import { hyphenBreak } from '../../../../../src/engines/pdf/layout/paragraph/hyphenate.ts'
import { rangesOf } from '../../text/code-ranges.ts'
import { layoutOf, p, textFrames, wordDocument } from '../../word.ts'
import { plain, planOf, textOf } from './plans.ts'

const on = '<w:autoHyphenation/><w:hyphenationZone w:val="0"/>'
const text = 'A considerable administration of extraordinary characteristics'

function linesOf(settings: string, properties = '', run = '', body = text): string[] {
  const lines = new Map<number, string>()
  for (const frame of textFrames(layoutOf(wordDocument(p(body, properties, run), { settings })).pages[0]!))
    lines.set(frame.y, (lines.get(frame.y) ?? '') + frame.text)
  return [...lines.values()].map((line) => line.trim())
}

describe('documents with automatic hyphenation', () => {
  test('hyphenate the word that does not fit, with the hyphen inside the line', () => {
    const page = layoutOf(wordDocument(p(text), { settings: on })).pages[0]!
    const lines = linesOf(on)
    expect(lines[0]).toEndWith('-')
    expect(lines.join('').replaceAll('-', '').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    for (const frame of textFrames(page)) expect(frame.x + frame.width).toBeLessThan(250.1)
  })

  test('hyphenate nothing without the setting, or if the paragraph forbids it', () => {
    expect(linesOf('<w:compat/>').join('')).not.toContain('-')
    expect(linesOf(on, '<w:suppressAutoHyphens/>').join('')).not.toContain('-')
  })

  test('leave words in capitals whole if asked to', () => {
    const shouted = 'A MOST CONSIDERABLE ADMINISTRATION'
    expect(linesOf(on, '', '', shouted).join('')).toContain('-')
    expect(linesOf(`${on}<w:doNotHyphenateCaps/>`, '', '', shouted).join('')).not.toContain('-')
  })

  test('never end more lines in a row with a hyphen than allowed', () => {
    const long = 'characteristics '.repeat(12)
    const narrow = '<w:ind w:right="3000"/>'
    const free = linesOf(on, narrow, '', long)
    const limited = linesOf(`${on}<w:consecutiveHyphenLimit w:val="1"/>`, narrow, '', long)
    const inRow = (lines: string[]) =>
      lines.reduce<[number, number]>(
        ([most, row], line) => (line.endsWith('-') ? [Math.max(most, row + 1), row + 1] : [most, 0]),
        [0, 0],
      )[0]
    expect(inRow(free)).toBeGreaterThan(1)
    expect(inRow(limited)).toBe(1)
  })

  test('do not hyphenate a line that ends within the zone', () => {
    expect(linesOf('<w:autoHyphenation/><w:hyphenationZone w:val="3000"/>').join('')).not.toContain('-')
  })

  test('use the language of the run', () => {
    expect(linesOf(on, '', '<w:lang w:val="fi-FI"/>').join('')).not.toContain('-')
  })
})

/* Letters and hyphens are 6 pt wide. TeX parts `hy-phen-ation`. */
describe('the word at the end of a line', () => {
  const parted = (text: string, right: number, { from = 0, language = 'en-US', keepCapitals = false } = {}) => {
    const plan = planOf([[text, { look: { ...plain.look, language } }]])
    return hyphenBreak(plan, { from, x: from * 6, right }, () => 6, { zone: 0, limit: 0, keepCapitals })
  }

  test('is parted at the last place where it and its hyphen fit', () => {
    expect([42, 41.9, 18, 17.9].map((right) => parted('hyphenation', right))).toEqual([6, 2, 2, undefined])
    // Behind other text, and behind signs that it begins with.
    expect([66, 65.9].map((right) => parted('abc hyphenation', right, { from: 4 }))).toEqual([10, 6])
    expect([24, 23.9].map((right) => parted('(hyphenation)', right))).toEqual([3, undefined])
    expect(parted('hyphenation, then', 99)).toBe(6)
    // The hyphen is as wide as the letter before it would have it.
    const plan = planOf([['hyphenation', { look: { ...plain.look, language: 'en-US' } }]])
    const word = { from: 0, x: 0, right: 42 }
    const settings = { zone: 0, limit: 0, keepCapitals: false }
    expect(hyphenBreak(plan, word, (at) => (at === 5 ? 6 : 1), settings)).toBe(6)
    expect(hyphenBreak(plan, word, (at) => (at === 5 ? 7 : 1), settings)).toBe(2)
  })

  test('stays whole in a compound with a hyphen of its own, in an address and in a number', () => {
    for (const sign of ['-', '\u2010', '\u2011', '@', '/', '_'])
      expect([sign, parted(`hyphenation${sign}a`, 99)]).toEqual([sign, undefined])
    for (const sign of ['.', ',', ';', ')', ' ', '’'])
      expect([sign, parted(`hyphenation${sign}a`, 99)]).toEqual([sign, 6])
    expect(['1234567890', '#hyphenation', ''].map((text) => parted(text, 99))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('consists of Latin letters only', () => {
    // Among letters, the second half is parted as well. The small form of İ (130) is two characters, so its word stays whole.
    const isLetter = (code: number) => (parted(`hyphe${String.fromCodePoint(code)}nation`, 99) ?? 0) > 5
    expect(rangesOf((code) => code < 0x300 && isLetter(code))).toBe('41-5a 61-7a c0-d6 d8-f6 f8-12f 131-24f')
  })

  test('is parted by the rules of its language, and in capitals unless they are to stay whole', () => {
    expect([
      parted('hyphenation', 99, { language: 'fi-FI' }),
      parted('Silbentrennung', 99, { language: 'de-DE' }),
    ]).toEqual([undefined, 10])
    const keepCapitals = true
    expect([parted('HYPHENATION', 99), parted('HYPHENATION', 99, { keepCapitals })]).toEqual([6, undefined])
    expect(parted('Hyphenation', 99, { keepCapitals })).toBe(6)
  })

  test('stays whole where the line without it ends within the zone, unless no other word is on the line', () => {
    const filled = (text: string, zone: number, start = 0) => {
      const { end, next, hyphen } = fillLine(
        textOf([[text, { look: { ...plain.look, language: 'en-US' } }]]),
        start,
        {
          left: 0,
          right: 60,
        },
        { zone, limit: 0, keepCapitals: false },
      )
      return `${end} ${next}${hyphen ? ' hyphen' : ''}`
    }
    // Three letters leave 42 of 60 pt; the blanks behind them are no text.
    expect([filled('aaa  hyphenation', 41.9), filled('aaa  hyphenation', 42)]).toEqual(['7 7 hyphen', '5 5'])
    expect(filled('hyphenation', 99)).toBe('6 6 hyphen')
    expect(filled('aaa hyphenation', 99, 4)).toBe('10 10 hyphen')
  })
})
