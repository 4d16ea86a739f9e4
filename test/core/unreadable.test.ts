import { expect, test } from 'bun:test'
import {
  isUnreadable,
  readStoredObject,
  requireReadable,
  StoredValueUnreadable,
  Unreadable,
  unlessUnreadable,
} from '../../src/core/unreadable.ts'
import { rejectionOf } from '../support/outcome.ts'

test('a stored object is read, and what is none says why instead of failing', () => {
  expect(readStoredObject('{"a":[1,{"b":null}]}')).toEqual({ a: [1, { b: null }] })
  const long = { text: 'x'.repeat(8_192) }
  expect(readStoredObject(JSON.stringify(long))).toEqual(long)
  for (const text of ['[]', 'null', '1', '"a"']) {
    expect(readStoredObject(text)).toEqual(new Unreadable('It is not an object.'))
  }
  for (const text of [
    '',
    '{',
    '{"a":"\\ud800"}',
    '{"a":"\\UD800"}',
    `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  ]) {
    const read = readStoredObject(text)
    expect([text.slice(0, 20), read instanceof Unreadable && read.unreadable !== '']).toEqual([text.slice(0, 20), true])
  }
  // A whole pair is no fault.
  expect(readStoredObject('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' })
})

test('what can not be read fails by its place where it is all that is wanted', () => {
  expect(requireReadable({ a: 1 }, 'a detail')).toEqual({ a: 1 })
  const refuse = () => requireReadable(new Unreadable('It is not an object.'), 'a detail')
  expect(refuse).toThrow("what is stored as a detail can't be read (It is not an object.)")
  expect(refuse).toThrow(StoredValueUnreadable)
  const cause = new SyntaxError('no JSON')
  expect(new StoredValueUnreadable('a detail', cause)).toMatchObject({
    ...{ where: 'a detail', cause, message: "what is stored as a detail can't be read (no JSON)" },
  })
})

test('work over rows ends with a report where a row is to blame, and fails for anything else', async () => {
  const told: string[] = []
  const report = (problem: string) => told.push(problem)
  expect(await unlessUnreadable({ report }, 'steps', async () => 7)).toBe(7)
  expect(told).toEqual([])
  for (const error of [new SyntaxError('a'), new TypeError('b'), new RangeError('c')]) {
    expect(isUnreadable(error)).toBe(true)
    expect(await unlessUnreadable({ report }, 'steps', () => Promise.reject(error))).toBeUndefined()
  }
  expect(told).toEqual(['a', 'b', 'c'].map((message) => `steps: a value can't be read (${message})`))
  const away = new Error('the database is away')
  expect(isUnreadable(away)).toBe(false)
  expect(await rejectionOf(unlessUnreadable({ report }, 'steps', () => Promise.reject(away)))).toBe(away)
  expect(told).toHaveLength(3)
})
