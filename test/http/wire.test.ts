import { describe, expect, test } from 'bun:test'
import { FormatRegistry, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  brokenTextRule,
  configurationIssue,
  configurationProblem,
  configurationValidationResult,
  hash,
  isTextSchema,
  nothing,
  object,
  oneOf,
  positiveInteger,
  problem,
  text,
  timestamp,
  uuid,
} from '../../src/http/wire.ts'

const isTaken = (schema: TSchema, value: unknown) => Value.Check(schema, value)

describe('a text', () => {
  test('is taken at each limit and refused one character or byte past it, in words that name the limit', () => {
    for (const [rules, good, bad, words] of [
      [{ minLength: 1 }, 'a', '', 'must not be empty'],
      [{ minLength: 2 }, 'ab', 'a', 'must have at least 2 characters'],
      [{ minLength: 3 }, 'abc', 'ab', 'must have at least 3 characters'],
      [{ maxLength: 3 }, 'abc', 'abcd', 'must have at most 3 characters'],
      [{ maxBytes: 3 }, 'abc', 'abcd', 'must be at most 3 bytes of UTF-8'],
      [{ maxBytes: 3 }, '€', '€a', 'must be at most 3 bytes of UTF-8'],
      [{ pattern: '^[a-z]+$' }, 'abc', 'aBc', 'must match ^[a-z]+$'],
    ] as const) {
      expect([rules, brokenTextRule(rules, good)]).toEqual([rules, undefined])
      expect([rules, brokenTextRule(rules, bad)]).toEqual([rules, words])
      expect([isTaken(text(rules), good), isTaken(text(rules), bad)]).toEqual([true, false])
    }
  })

  test('is counted in characters, of which some have two UTF-16 units', () => {
    expect(brokenTextRule({ minLength: 2 }, '🙂')).toBe('must have at least 2 characters')
    expect(brokenTextRule({ minLength: 2 }, '🙂🙂')).toBeUndefined()
    expect(brokenTextRule({ minLength: 3 }, '🙂🙂')).toBe('must have at least 3 characters')
    expect(brokenTextRule({ maxLength: 2 }, '🙂🙂')).toBeUndefined()
    expect(brokenTextRule({ maxLength: 2 }, '🙂🙂a')).toBe('must have at most 2 characters')
    expect(brokenTextRule({ maxLength: 2 }, 'abcde')).toBe('must have at most 2 characters')
    expect(brokenTextRule({ pattern: '^.$' }, '🙂')).toBeUndefined()
  })

  test('has the format that is asked for, by our own rules and under the names Elysia would take', () => {
    for (const [format, good, bad, words] of [
      ['uuid', '0198c3d2-7a10-7c00-8000-000000000000', '0198c3d2-7a10-7c00-8000-00000000000', 'must be a UUID'],
      ['date-time', '2026-11-20T09:30:00Z', '2026-11-20', 'must be an RFC 3339 time'],
      ['date-time', '2026-11-20T09:30:00+01:00', '2026-02-30T09:30:00Z', 'must be an RFC 3339 time'],
      ['uri', 'https://quire.test/a', 'quire.test', 'must be a URI'],
    ] as const) {
      expect(brokenTextRule({ format }, good)).toBeUndefined()
      expect(brokenTextRule({ format }, bad)).toStartWith(words)
      expect([FormatRegistry.Get(format)!(good), FormatRegistry.Get(format)!(bad)]).toEqual([true, false])
    }
  })

  test('is a string and nothing else, and its schema tells itself apart from others', () => {
    for (const value of [1, null, undefined, true, [], {}]) expect(isTaken(text(), value)).toBe(false)
    expect([isTextSchema(text()), isTextSchema(nothing)]).toEqual([true, false])
    expect(text({ minLength: 1 })).toMatchObject({ type: 'string', minLength: 1 })
  })
})

describe('a value of the wire', () => {
  test.each([
    ['an empty object', nothing, {}, { a: 1 }],
    ['an object', object({ a: text() }), { a: '' }, { a: '', b: '' }],
    ['a choice', oneOf(['a', 'b']), 'b', 'c'],
    ['an id', uuid, '0198c3d2-7a10-7c00-8000-000000000000', 'x'],
    ['a hash', hash, 'a'.repeat(64), 'A'.repeat(64)],
    ['a hash', hash, '0'.repeat(64), '0'.repeat(65)],
    ['a time', timestamp, '2026-11-20T09:30:00Z', '2026-11-20T09:30:00+01:00'],
    ['a time', timestamp, '2026-11-20T09:30:00.000000001Z', '2026-11-20T09:30:00.10Z'],
    ['a time', timestamp, '2026-11-20T09:30:00.5Z', '2026-02-30T09:30:00Z'],
    ['a count', positiveInteger, 1, 0],
    ['a count', positiveInteger, 2, 1.5],
  ] as [string, TSchema, unknown, unknown][])('that is %s is taken in its one form', (_name, schema, good, bad) => {
    expect([isTaken(schema, good), isTaken(schema, bad)]).toEqual([true, false])
  })
})

const general = {
  type: '/problems/forbidden',
  title: 'Forbidden',
  status: 403,
  code: 'forbidden',
  detail: 'No.',
  correlation_id: 'c',
}
const issue = { code: 'a.b', stage: 'shape', resource_kind: 'template', message: 'm', correlation_id: 'c' }

describe('a problem', () => {
  test('has a status from 400 to 599, a title, a detail and a correlation id', () => {
    for (const status of [400, 599]) {
      expect(isTaken(problem, { ...general, status })).toBe(true)
      expect(isTaken(configurationProblem, { ...general, status, errors: [] })).toBe(true)
    }
    for (const change of [
      { status: 399 },
      { status: 600 },
      { status: 403.5 },
      { type: 'about:blank' },
      { type: '/problems/' },
      { type: 'x/problems/forbidden' },
      { title: '' },
      { detail: '' },
      { correlation_id: '' },
      { code: 'other' },
      { more: 1 },
    ]) {
      expect([change, isTaken(problem, { ...general, ...change })]).toEqual([change, false])
      const configuration = { ...general, errors: [], ...change }
      expect([change, isTaken(configurationProblem, configuration)]).toEqual([change, false])
    }
  })

  test('has exactly the codes of the interface, of which four are never those of configuration', () => {
    const both = (
      'internal_error dependency_unavailable validation_failed authentication_required csrf_rejected forbidden ' +
      'conflict not_found method_not_allowed unsupported_media_type precondition_required precondition_failed'
    ).split(' ')
    const generalOnly = ['invalid_credentials', 'origin_rejected', 'rate_limited', 'content_unavailable']
    const codesOf = (schema: TSchema) => schema.properties.code.anyOf.map((one: TSchema) => one.const).toSorted()
    expect(codesOf(problem)).toEqual([...both, ...generalOnly].toSorted())
    expect(codesOf(configurationProblem)).toEqual(both.toSorted())
  })

  test('names up to three dependencies, and in the form of configuration up to 100 issues, each complete', () => {
    const dependency = { name: 'object-store', status: 'unavailable' }
    expect(isTaken(problem, { ...general, dependencies: Array(3).fill(dependency) })).toBe(true)
    expect(isTaken(problem, { ...general, dependencies: Array(4).fill(dependency) })).toBe(false)
    expect(isTaken(problem, { ...general, dependencies: [{ ...dependency, status: 'slow' }] })).toBe(false)
    expect(isTaken(configurationProblem, { ...general, errors: [issue] })).toBe(true)
    expect(isTaken(configurationProblem, general)).toBe(false)
    const result = { valid: false, errors: [issue], correlation_id: 'c' }
    expect(isTaken(configurationValidationResult, result)).toBe(true)
    expect(isTaken(configurationValidationResult, { ...result, valid: 'no' })).toBe(false)
    for (const name of Object.keys(issue)) {
      const { [name as keyof typeof issue]: _, ...less } = issue
      expect([name, isTaken(configurationIssue, less)]).toEqual([name, false])
    }
    for (const change of [
      { code: 'A' },
      { code: '' },
      { stage: 'a b' },
      { stage: `a${'b'.repeat(64)}` },
      { resource_kind: '1a' },
      { message: '' },
      { context: { a: 1 } },
      { dependency: 'A' },
    ]) {
      expect([change, isTaken(configurationIssue, { ...issue, ...change })]).toEqual([change, false])
    }
    const full = { resource_id: 'x', path: '/a', dependency: 'object-store', context: { line: '3' } }
    expect(isTaken(configurationIssue, { ...issue, ...full, stage: `a${'b'.repeat(63)}` })).toBe(true)
  })
})
