import { expect, test } from 'bun:test'
import { textMade, textOnce } from '../../src/core/json-text.ts'

test('the text of an object is made once, and is that of JSON.stringify', () => {
  let asked = 0
  const answer = {
    a: ['é', null, 1.5],
    get b() {
      return ++asked
    },
  }
  expect(textMade(answer)).toBeUndefined()
  expect(textOnce(answer)).toBe('{"a":["é",null,1.5],"b":1}')
  expect(textOnce(answer)).toBe('{"a":["é",null,1.5],"b":1}')
  expect(textMade(answer)).toBe('{"a":["é",null,1.5],"b":1}')
  expect(asked).toBe(1)
})

test.each([null, 'a', 7, true])('the text of %p, which is no object, is that of JSON.stringify', (value) => {
  expect(textOnce(value)).toBe(JSON.stringify(value))
  expect(textMade(value)).toBeUndefined()
})
