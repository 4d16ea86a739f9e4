import { describe, expect, test } from 'bun:test'
import { canHyphenate, hyphenPoints } from '../../../src/engines/pdf/text/hyphenation.ts'
import { layoutOf, p, textFrames, wordDocument } from './word.ts'

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
