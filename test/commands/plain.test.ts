import { expect, test } from 'bun:test'
import { plain, plainLines } from '../../src/commands/plain.ts'
import { printJson } from '../../src/commands/print-json.ts'

const character = (code: number) => String.fromCodePoint(code)
/** What moves a cursor or turns a text around: the first and the last of each range. */
const unprinted = [0x00, 0x08, 0x0b, 0x1b, 0x1f, 0x7f, 0x9b, 0x9f, 0x202a, 0x202e, 0x2066, 0x2069].map(character)
/** Their neighbours, which are printed. */
const printed = [0x20, 0x7e, 0xa0, 0x2029, 0x202f, 0x2065, 0x206a].map(character)

test('what others wrote is printed without what moves a cursor or turns the text around, a blank for as many as there are', () => {
  for (const shown of [plain, plainLines]) {
    for (const one of unprinted)
      expect([one.codePointAt(0), shown(`a${one}${one}b${one}`)]).toEqual([one.codePointAt(0), 'a b '])
    for (const one of printed) expect([one.codePointAt(0), shown(`a${one}b`)]).toEqual([one.codePointAt(0), `a${one}b`])
    expect(shown(`a${unprinted.join('')}b`)).toBe('a b')
  }
})

test('in a line there are no lines or tabs, and in a text they stay', () => {
  expect([plain('a\nb\tc\r\nd'), plainLines('a\nb\tc')]).toEqual(['a b c d', 'a\nb\tc'])
  expect(plainLines('a\r\nb')).toBe('a \nb')
})

test('JSON for programs is one line that holds the same, with escapes for what a terminal would obey', () => {
  const lines: string[] = []
  const told = { text: ['\n', ...unprinted, ...printed].join('|'), [character(0x202e)]: null }
  printJson(told, (line) => lines.push(line))
  expect(lines).toHaveLength(1)
  const [line = ''] = lines
  expect(JSON.parse(line)).toEqual(told)
  expect(unprinted.filter((one) => line.includes(one))).toEqual([])
  expect(line).toContain('\\u007f|\\u009b|\\u009f|\\u202a|\\u202e|\\u2066|\\u2069')
})
