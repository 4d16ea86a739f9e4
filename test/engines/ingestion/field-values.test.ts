/** What a field of text becomes, and what helps where it is no number or no boolean. */
import { expect, test } from 'bun:test'
import { typedValue } from '../../../src/engines/ingestion/field-values.ts'

function hintOf(text: string, type: 'number' | 'boolean' = 'number', decimal: '.' | ',' = '.'): string {
  const made = typedValue(text, type, decimal)
  return made.ok ? `is ${made.value}` : made.hint
}

test.each([
  ['1', 'is 1'],
  ['-0.5', 'is -0.5'],
  [' 1', 'write it without blanks around, or add trim: true to the model'],
  ['1,234', 'write 1234 if its sign groups digits, else 1.234, or decimal: "," in the model'],
  ['12,5', 'write 12.5, or decimal: "," in the model'],
  ['007', 'what has leading zeros, such as a postcode, is text: leave its type out of the model'],
  ['.5', 'write a digit before the decimal sign'],
  ['1 234', 'write digits without grouping, exponent or leading zeros, or take it as text'],
  ['1e5', 'write digits without grouping, exponent or leading zeros, or take it as text'],
  ['EUR', 'write digits without grouping, exponent or leading zeros, or take it as text'],
  [
    '12 EUR',
    'write digits without grouping, exponent or leading zeros, or take it as text; a unit or sign of a currency is a field of its own',
  ],
  ['12345678901234567', 'write at most 15 digits, or take it as text'],
])('the number %j is a value, or has a hint that fits it', (text, hint) => {
  expect(hintOf(text)).toBe(hint)
})

test('a number with a comma has the hints for its own decimal sign', () => {
  expect(hintOf('12,5', 'number', ',')).toBe('is 12.5')
  expect(hintOf('12.5', 'number', ',')).toBe('write 12,5, or decimal: "." in the model')
  expect(hintOf('1.234', 'number', ',')).toBe(
    'write 1234 if its sign groups digits, else 1,234, or decimal: "." in the model',
  )
})

test.each([
  ['true', 'is true'],
  ['false', 'is false'],
  ['TRUE', 'write it in small letters, or take it as text'],
  ['yes', 'write true, or take it as text'],
  ['0', 'write false, or take it as text'],
  ['perhaps', 'take it as text'],
])('the boolean %j is a value, or has a hint that fits it', (text, hint) => {
  expect(hintOf(text, 'boolean')).toBe(hint)
})
