import { expect, test } from 'bun:test'
import { mayBreakBetween } from '../../../src/engines/pdf/text/breaks.ts'

/** The text with a bar wherever a line may end. */
function breaks(text: string): string {
  const codes = [...text].map((character) => character.codePointAt(0)!)
  let shown = ''
  for (const [index, code] of codes.entries()) {
    if (index > 0 && mayBreakBetween(codes[index - 2] ?? 0, codes[index - 1]!, code)) shown += '|'
    shown += String.fromCodePoint(code)
  }
  return shown
}

test('lines end after spaces and hyphens, not before closing punctuation or after a minus sign', () => {
  expect(breaks('a b  c')).toBe('a |b  |c')
  expect(breaks('well-known 10-12 -5')).toBe('well-|known |10-|12 |-5')
  expect(breaks('(a) "b", c! 1,234.50')).toBe('(a) |"b", |c! |1,234.50')
})

test('no-break characters prevent a break, and zero-width spaces and dashes allow one', () => {
  expect(breaks('10\u00a0kg a\u2011b')).toBe('10\u00a0kg |a\u2011b')
  expect(breaks('a\u200bb 1\u20132 x\u2014y')).toBe('a\u200b|b |1\u2013|2 |x\u2014|y')
})

test('slashes and web addresses stay whole, as in Word', () => {
  expect(breaks('and/or https://example.com/a')).toBe('and/or |https://example.com/a')
})

test('lines break between ideographs, but not before their full stop', () => {
  expect(breaks('日本語。文')).toBe('日|本|語。|文')
  expect(breaks('（日）')).toBe('（日）')
  expect(breaks('Latin（日）9（日）')).toBe('Latin|（日）|9|（日）')
  expect(breaks('f(x)')).toBe('f(x)')
})
