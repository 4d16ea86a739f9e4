import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import {
  count,
  describeType,
  describeValue,
  excerpt,
  Faults,
  formatWords,
  orList,
} from '../../../src/engines/schema/explain.ts'
import { compileSchemaValue, validatePayload } from '../../../src/engines/schema/schema.ts'

describe('a value in a message', () => {
  test('is shown to its fortieth character, whatever the characters are made of', () => {
    expect(excerpt('a'.repeat(40))).toBe('a'.repeat(40))
    expect(excerpt('a'.repeat(41))).toBe(`${'a'.repeat(40)}…`)
    expect(excerpt('😀'.repeat(40))).toBe('😀'.repeat(40))
    expect(excerpt('😀'.repeat(41))).toBe(`${'😀'.repeat(40)}…`)
    expect(excerpt(`${'😀'.repeat(40)}a`)).toBe(`${'😀'.repeat(40)}…`)
    expect(excerpt('a'.repeat(1_000))).toBe(`${'a'.repeat(40)}…`)
    expect(excerpt('')).toBe('')
  })

  test('is a scalar as JSON, and a structure by its size', () => {
    const shown: [JsonValue, string][] = [
      ['a"b', '"a\\"b"'],
      ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
      [1.5, '1.5'],
      [true, 'true'],
      [null, 'null'],
      [[], 'an empty array'],
      [[1], 'an array of 1 item'],
      [[1, 2], 'an array of 2 items'],
      [{}, 'an empty object'],
      [{ a: 1 }, 'an object of 1 property'],
      [{ a: 1, b: 2 }, 'an object of 2 properties'],
    ]
    for (const [value, words] of shown) expect([value, describeValue(value)]).toEqual([value, words])
  })

  test('is counted in the singular where there is one of it', () => {
    expect([count(0, 'item'), count(1, 'item'), count(2, 'item'), count(1.5, 'item')]).toEqual([
      ...['0 items', '1 item', '2 items', '1.5 items'],
    ])
    expect(count(2, 'property', 'properties')).toBe('2 properties')
  })

  test('has its type and its format in words, and a format without words by its name', () => {
    const types = ['null', 'boolean', 'string', 'integer', 'number', 'array', 'object'] as const
    expect(types.map(describeType)).toEqual([
      ...['null', 'true or false', 'a string', 'an integer', 'a number', 'an array', 'an object'],
    ])
    const formats = {
      ...{ date: 'a date such as 2026-01-31', time: 'a time with zone such as 09:30:00Z' },
      ...{ 'date-time': 'a date and time with zone such as 2026-01-31T09:30:00Z' },
      ...{
        duration: 'a duration such as P1Y2M or PT36H',
        email: 'an e-mail address',
        'idn-email': 'an e-mail address',
      },
      ...{ hostname: 'a host name', 'idn-hostname': 'a host name', ipv4: 'an IPv4 address', ipv6: 'an IPv6 address' },
      ...{ uri: 'a URI with its scheme, such as https://example.com/', 'uri-reference': 'a URI reference' },
      ...{ iri: 'an IRI with its scheme, such as https://example.com/', 'iri-reference': 'an IRI reference' },
      ...{ 'uri-template': 'a URI template', uuid: 'a UUID', 'json-pointer': 'a JSON Pointer' },
      ...{ 'relative-json-pointer': 'a relative JSON Pointer', regex: 'a regular expression of ECMA-262' },
      ...{ other: 'a valid other' },
    }
    for (const [name, words] of Object.entries(formats)) expect([name, formatWords(name)]).toEqual([name, words])
  })
})

describe('choices in a message', () => {
  test('are listed with "or", each once', () => {
    expect(orList([])).toBe('nothing')
    expect(orList(['a'])).toBe('a')
    expect(orList(['a', 'a'])).toBe('a')
    expect(orList(['a', 'b'])).toBe('a or b')
    expect(orList(['a', 'b', 'a', 'c'])).toBe('a, b or c')
  })

  test('are eight at most, and as many as a hundred and twenty characters begin with, the others counted', () => {
    const letters = [...'abcdefghij']
    expect(orList(letters.slice(0, 8))).toBe('a, b, c, d, e, f, g or h')
    expect(orList(letters.slice(0, 9))).toBe('one of a, b, c, d, e, f, g, h or 1 more')
    expect(orList(letters)).toBe('one of a, b, c, d, e, f, g, h or 2 more')
    const long = ['a', 'b', 'c'].map((letter) => letter.repeat(60))
    expect(orList(long)).toBe(`one of ${long[0]}, ${long[1]} or 1 more`)
    expect(orList([long[0] ?? '', 'b'.repeat(59), 'c'])).toBe(`${long[0]}, ${'b'.repeat(59)} or c`)
    expect(orList(['a'.repeat(500), 'b'])).toBe(`one of ${'a'.repeat(500)} or 1 more`)
  })
})

test('a collector keeps as many faults as it has room for', () => {
  const faults = new Faults(2)
  const fault = { path: '', depth: 0, keyword: 'x', message: () => '', node: {} as never }
  expect(faults.isFull).toBe(false)
  for (let added = 0; added < 3; added++) faults.add(fault)
  expect([faults.isFull, faults.list.length]).toEqual([true, 2])
})

describe('of alternatives that all fail, the one is told that was probably meant', () => {
  const told = (branches: JsonValue[], value: JsonValue) => {
    const compiled = compileSchemaValue({ anyOf: branches })
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
    return validatePayload(compiled.value, value).map(({ path, message }) => `${path} ${message}`)
  }
  const text = { type: 'string' }

  test('that of the right type before others, wherever it is listed', () => {
    const [ofText, ofObjects] = [
      { type: 'string', minLength: 3 },
      { type: 'object', required: ['a', 'b'] },
    ]
    for (const branches of [
      [ofText, ofObjects],
      [ofObjects, ofText],
    ]) {
      expect(told(branches, 'ab')).toEqual([' must have at least 3 characters, has 2'])
      expect(told(branches, { a: 1 })).toEqual([' must have the property "b"'])
    }
  })

  test('then that whose telling value fits, then that of the right shape, then that with the fewest faults', () => {
    const of = (kind: string, more: JsonValue) => ({
      type: 'object',
      properties: { kind: { const: kind }, ...(more as object) },
    })
    const [a, b] = [of('a', { x: text, y: text }), of('b', { x: { type: 'null' }, z: text })]
    for (const branches of [
      [a, b],
      [b, a],
    ]) {
      expect(told(branches, { kind: 'b', x: 1, z: 1 })).toEqual(['/x must be null, is 1', '/z must be a string, is 1'])
      expect(told(branches, { kind: 'a', x: 1, y: 1 })).toEqual([
        '/x must be a string, is 1',
        '/y must be a string, is 1',
      ])
      expect(told(branches, { kind: 'c', x: 1 })).toEqual([
        expect.stringMatching(/^\/kind must be "[ab]" or "[ab]", is "c"$/),
      ])
    }
    const [shaped, open] = [
      { type: 'object', required: ['p'], properties: { q: text } },
      { type: 'object', properties: { q: { type: 'null' }, r: text } },
    ]
    for (const branches of [
      [shaped, open],
      [open, shaped],
    ])
      expect(told(branches, { q: 1, r: 1 })).toEqual(['/q must be null, is 1', '/r must be a string, is 1'])
    const [few, many] = [{ properties: { a: text } }, { properties: { a: { minimum: 9 }, b: text } }]
    for (const branches of [
      [few, many],
      [many, few],
    ])
      expect(told(branches, { a: 1, b: 1 })).toEqual(['/a must be a string, is 1'])
  })

  test('in one sentence where each wants another value or type of the same place', () => {
    expect(told([{ type: 'null' }, text, { type: 'integer' }], true)).toEqual([
      ' must be null, a string or an integer, is true',
    ])
    expect(told([{ const: 1 }, { enum: [2, 3] }], 4)).toEqual([' must be 1, 2 or 3, is 4'])
    expect(told([{ required: ['a'] }, { required: ['b'] }], {})).toEqual([' must have the property "a" or "b"'])
    expect(told([{ required: ['a'] }, text], {})).toEqual([' must have the property "a"'])
  })
})
