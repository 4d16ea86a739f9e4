import { expect, test } from 'bun:test'
import { lookalike, plainText, unseenIn } from '../../src/core/plain-text.ts'

test('typographic quotes and hard blanks become those of the keyboard, and nothing else changes', () => {
  expect(plainText('“a”„b‟«c»')).toBe('"a""b""c"')
  expect(plainText('‘a’‚b‛‹c›')).toBe("'a''b''c'")
  expect(plainText('1\u00a0000\u202fCHF\u2007!')).toBe('1 000 CHF !')
  expect(plainText('é – … \u200b')).toBe('é – … \u200b')
})

test('the first unseen character is named by its code', () => {
  expect(['\u00ad', '\u200b', '\u200e', '\u200f', '\u2060', '\ufeff'].map((each) => unseenIn(`a${each}`))).toEqual([
    ...['U+00AD', 'U+200B', 'U+200E', 'U+200F', 'U+2060', 'U+FEFF'],
  ])
  expect(unseenIn('a\u2060\u200b')).toBe('U+2060')
  expect(unseenIn('plain, é\u00a0and\u2010so')).toBeUndefined()
})

test('a name that looks like another one is told with what is odd about it', () => {
  expect(lookalike('na\u200bme')).toEqual({ odd: 'the unseen character U+200B', meant: 'name' })
  expect(lookalike('first\u2011name')).toEqual({
    odd: 'the hyphen U+2011, which is not the one of the keyboard',
    meant: 'first-name',
  })
  expect(lookalike('first\u2010name\ufeff')).toEqual({ odd: 'the unseen character U+FEFF', meant: 'first-name' })
  expect(lookalike('cafe\u0301')).toEqual({ odd: 'an accent that is a character of its own', meant: 'café' })
})

test('a name that is what it looks like is left alone', () => {
  for (const name of ['', 'first-name ~', 'café', 'a–b', 'tab\tname'])
    expect([name, lookalike(name)]).toEqual([name, undefined])
})
