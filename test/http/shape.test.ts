import { describe, expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import type { Finding } from '../../src/core/finding.ts'
import { limits } from '../../src/core/limits.ts'
import { checkShape, coerceTexts } from '../../src/http/shape.ts'
import { object, oneOf, text } from '../../src/http/wire.ts'

const only = (schema: TSchema, value: unknown) => {
  const findings = checkShape(object({ a: schema }), { a: value }, 'body')
  expect(findings).toHaveLength(1)
  return findings[0]!
}

describe('a finding about a shape', () => {
  test('of what has too many members is made without looking at them', () => {
    let looks = 0
    const counting = <T extends object>(members: T): T =>
      new Proxy(members, {
        get(target, name, receiver) {
          if (typeof name === 'string' && /^(?:k?\d+)$/.test(name)) looks++
          return Reflect.get(target, name, receiver)
        },
      })
    const named = Type.Record(Type.String({ pattern: '^k' }), Type.Unknown(), { maxProperties: 2 })
    const list = Type.Array(text(), { maxItems: 2, uniqueItems: true })
    const members = Array.from({ length: 1_000 }, (_, index) => `k${index}`)
    const names = Object.fromEntries(members.map((name) => [name, 1]))
    expect(only(named, counting(names)).message).toBe('Body field a must have at most 2 properties.')
    expect(only(list, counting(members)).message).toBe('Body field a must have at most 2 items.')
    expect(looks).toBeLessThan(10)
    // What was found before stays.
    const all = checkShape(object({ a: named, b: text() }), { a: names, c: 1 }, 'body').map(({ path }) => path)
    expect(all).toEqual(expect.arrayContaining(['/a', '/b', '/c']))
  })

  test('is made for nothing that the schema accepts', () => {
    expect(checkShape(object({ a: text() }), { a: '' }, 'body')).toEqual([])
  })

  test('names the rule that the value breaks, with its bound, and the remedy', () => {
    const cases: readonly (readonly [schema: TSchema, value: unknown, code: string, message: string, hint?: string])[] =
      [
        [Type.Array(text(), { minItems: 1 }), [], 'too_few', 'must have at least 1 item.'],
        [Type.Array(text(), { minItems: 2 }), ['x'], 'too_few', 'must have at least 2 items.'],
        [Type.Array(text(), { maxItems: 1 }), ['x', 'y'], 'too_many', 'must have at most 1 item.'],
        [
          Type.Array(text(), { uniqueItems: true }),
          ['x', 'x'],
          'repeated',
          'names an item twice.',
          'Name every item once.',
        ],
        [Type.Number({ minimum: 2 }), 1, 'too_small', 'must be at least 2.'],
        [Type.Integer({ minimum: 2 }), 1, 'too_small', 'must be at least 2.'],
        [Type.Number({ maximum: 2 }), 3, 'too_great', 'must be at most 2.'],
        [Type.Integer({ maximum: 2 }), 3, 'too_great', 'must be at most 2.'],
        [text({ minLength: 1 }), '', 'rule', 'must not be empty.'],
        [Type.Union([text({ minLength: 1 }), Type.Null()]), '', 'rule', 'must not be empty.'],
        [
          object({ x: Type.Optional(text()), y: Type.Optional(text()) }, { minProperties: 1 }),
          {},
          'too_few',
          'names no property.',
          'Give at least one of x,y.',
        ],
        [
          Type.Record(Type.String(), text(), { maxProperties: 1 }),
          { x: '', y: '' },
          'too_many',
          'must have at most 1 properties.',
        ],
      ]
    for (const [schema, value, code, message, hint] of cases) {
      const located = { code: `body.${code}`, message: `Body field a ${message}`, severity: 'error', path: '/a' }
      expect(only(schema, value)).toEqual({ ...located, ...(hint === undefined ? {} : { hint }) } as Finding)
    }
  })

  test.each([
    [text(), 'a string'],
    [Type.Integer(), 'a whole number'],
    [Type.Integer({ minimum: 3 }), 'a whole number from 3'],
    [Type.Number(), 'a number'],
    [Type.Boolean(), 'true or false'],
    [Type.Array(text()), 'an array'],
    [object({}), 'an object'],
    [Type.Null(), 'null'],
    [oneOf(['x', 'y', 'z']), '"x", "y" or "z"'],
    [oneOf(['x']), '"x"'],
    [Type.Union([text(), Type.Null()]), 'a string or null'],
  ] as [TSchema, string][])('says what was wanted, in the words of the schema (%#)', (schema, words) => {
    const given = words === 'true or false' ? 3 : true
    expect(only(schema, given)).toMatchObject({ code: 'body.type', message: `Body field a must be ${words}.` })
  })

  test('says of a missing value what to add', () => {
    expect(checkShape(object({ a: text() }), {}, 'body')).toEqual([
      {
        code: 'body.required',
        severity: 'error',
        message: 'Body field a is missing.',
        hint: 'Add it as a string.',
        path: '/a',
      },
    ])
    expect(checkShape(object({ a: Type.Unknown() }), {}, 'body')[0]!.hint).toBe('Add it as any JSON value.')
  })

  test('names a place as people write it: members by dots, items by brackets, the whole by its place', () => {
    const schema = object({ 'a/b~c': Type.Array(object({ x: text() })) })
    const [found] = checkShape(schema, { 'a/b~c': [{ x: '' }, { x: 1 }] }, 'query')
    expect(found).toMatchObject({ message: 'Query field a/b~c[1].x must be a string.', path: '/a~1b~0c/1/x' })
    expect(checkShape(Type.Array(text()), [1], 'body')[0]!.message).toBe('Body field [0] must be a string.')
    expect(checkShape(object({}), 3, 'response')[0]!.message).toBe('The response must be an object.')
  })

  test('shows no more than 100 characters of each name that the client gave', () => {
    const long = 'x'.repeat(101)
    const [found] = checkShape(object({}), { [long]: 1 }, 'body')
    expect(found).toMatchObject({
      code: 'body.unknown',
      message: `Body field ${'x'.repeat(100)} is not known here.`,
      hint: 'Remove it, or check its spelling.',
    })
  })

  test('is one for each place, and no more than the limit', () => {
    const findings = checkShape(object({ a: text(), b: text() }), { c: 1 }, 'body')
    expect(findings.map(({ path, code }) => [path, code])).toEqual([
      ['/a', 'body.required'],
      ['/b', 'body.required'],
      ['/c', 'body.unknown'],
    ])
    const many = Object.fromEntries(Array.from({ length: limits.shapeFindings + 1 }, (_, index) => [`x${index}`, 1]))
    expect(checkShape(object({}), many, 'body')).toHaveLength(limits.shapeFindings)
  })
})

describe('a text of a query', () => {
  const schema = object({
    n: Type.Optional(Type.Integer()),
    b: Type.Optional(Type.Boolean()),
    t: Type.Optional(text()),
  })

  test('is a number or a truth value where one is wanted and it is written in the one canonical way', () => {
    expect(coerceTexts(schema, { n: '12', b: 'true', t: '12' })).toEqual({ n: 12, b: true, t: '12' })
    expect(coerceTexts(schema, { n: '-1', b: 'false', t: 'true' })).toEqual({ n: -1, b: false, t: 'true' })
    expect(coerceTexts(schema, { n: '0' })).toEqual({ n: 0 })
    expect(coerceTexts(schema, { n: '9007199254740991' })).toEqual({ n: 9_007_199_254_740_991 })
  })

  test('stays text in every other writing, and where nothing is known of it', () => {
    for (const n of ['', '01', '1.0', '1e1', '+1', ' 1', '0x1', '9007199254740992', '99999999999999999']) {
      expect(coerceTexts(schema, { n })).toEqual({ n })
    }
    for (const b of ['', 'TRUE', '1', 'yes']) expect(coerceTexts(schema, { b })).toEqual({ b })
    expect(coerceTexts(schema, { other: '1' })).toEqual({ other: '1' })
  })
})
