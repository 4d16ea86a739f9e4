import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import {
  describeExpression,
  evaluate,
  type Frame,
  formatScalar,
  holds,
  isTruthy,
  type Scope,
  scalarText,
} from '../../../src/engines/docx/compose/values.ts'
import { parseExpression } from '../../../src/engines/docx/scan/expression.ts'
import { parseTag } from '../../../src/engines/docx/scan/parse-tag.ts'

const data: JsonValue = {
  list: [10, 11, 12],
  object: { '0': 'zero', '': 'empty' },
  nothing: null,
  outer: [{ name: 'A', inner: [{ name: 'x' }, { name: 'y' }] }],
}
const outer: Frame = { item: { name: 'A' }, index: 0, count: 2, parent: undefined, pointer: '/outer', turns: 'items' }
const inner: Frame = {
  item: { name: 'y' },
  index: 1,
  count: 2,
  parent: outer,
  pointer: '/outer/0/inner',
  turns: 'items',
}
const root: Scope = { data, frame: undefined }
const within: Scope = { data, frame: inner }

function expression(source: string) {
  const parsed = parseExpression(source)
  if (parsed === undefined) throw new Error(`${source} is no expression`)
  return parsed
}
const at = (source: string, scope = root) => evaluate(expression(source), scope)

describe('a pointer', () => {
  test.each<[string, JsonValue | undefined]>([
    ['/list/0', 10],
    ['/list/2', 12],
    ['/list/3', undefined],
    ['/list/00', undefined],
    ['/list/01', undefined],
    ['/list/-', undefined],
    ['/list/-1', undefined],
    ['/list/1.0', undefined],
    ['/list/length', undefined],
    ['/object/0', 'zero'],
    ['/object/', 'empty'],
    ['/object/toString', undefined],
    ['/nothing', null],
    ['/nothing/x', undefined],
    ['/list/0/x', undefined],
    ['/outer/0/inner/1/name', 'y'],
  ])('%s reaches its value and nothing else', (pointer, value) => {
    expect(at(pointer)).toEqual(value as JsonValue)
  })

  test('reaches the items of the loops around it, and the data beyond the outermost', () => {
    expect(at('./name', within)).toBe('y')
    expect(at('../name', within)).toBe('A')
    expect(at('../../list/1', within)).toBe(11)
    expect(at('./list/1')).toBe(11)
    expect(at('/list/1', within)).toBe(11)
  })

  test('is reported with the index of each turn', () => {
    const told = (source: string, scope = within) => describeExpression(expression(source), scope)
    expect(told('./name')).toBe('/outer/0/inner/1/name')
    expect(told('../name')).toBe('/outer/0/name')
    expect(told('../../list')).toBe('/list')
    expect(told('/a~1b')).toBe('/a~1b')
    expect(told('@last')).toBe('@last')
    expect(told('"x"')).toBe('"x"')
  })
})

test('the words of a loop count its turns from one, and are empty outside it', () => {
  const words = ['@index', '@first', '@last', '@count']
  expect(words.map((word) => at(word, within))).toEqual([2, false, true, 2])
  expect(words.map((word) => at(word, { data, frame: outer }))).toEqual([1, true, false, 2])
  expect(words.map((word) => at(word))).toEqual([undefined, undefined, undefined, undefined])
})

test('missing, null, false, zero and empty values count as no, and all others as yes', () => {
  for (const no of [undefined, null, false, 0, '', [], {}]) expect([no, isTruthy(no)]).toEqual([no, false])
  for (const yes of [true, 1, -1, '0', 'false', ' ', [0], { a: null }])
    expect([yes, isTruthy(yes)]).toEqual([yes, true])
})

describe('comparing', () => {
  const values: Record<string, JsonValue> = {
    one: 1,
    onePointNought: '1.0',
    two: 2,
    ten: '10',
    nine: '9',
    word: 'abc',
    later: 'abd',
    day: '2026-01-31',
    nextDay: '2026-02-01',
    yes: true,
    none: null,
    list: [1],
    long: '0.1000000000000000000001',
  }
  const holdsFor = (source: string) => {
    const parsed = parseTag(`#if ${source}`)
    if (!parsed.ok || parsed.tag.kind !== 'if') throw new Error(`${source} is no condition`)
    return holds(parsed.tag.condition, { data: values, frame: undefined })
  }

  test.each([
    ['/one = 1'],
    ['/one = /onePointNought'],
    ['/nine < /ten'],
    ['/ten > /nine'],
    ['/word < /later'],
    ['/later > /word'],
    ['/day < /nextDay'],
    ['/long > 0.1'],
    ['/word = "abc"'],
    ['/yes = true'],
    ['/none = null'],
    ['/absent = null'],
    ['/one != 2'],
    ['/one != /word'],
    ['/absent != 1'],
    ['/one <= 1'],
    ['/one >= 1'],
    ['/one <= 2'],
    ['/two >= 1'],
    ['not /absent'],
    ['not /one = 2'],
    ['/list'],
  ])('%s holds', (source) => {
    expect(holdsFor(source)).toBe(true)
  })

  test.each([
    ['/one = 2'],
    ['/one != 1'],
    ['/one < 1'],
    ['/one > 1'],
    ['/two <= 1'],
    ['/one >= 2'],
    ['/ten < /nine'],
    ['/word > /later'],
    ['/word < /word'],
    ['/word > /word'],
    ['/word = "abcd"'],
    ['/absent < 1'],
    ['/absent > 1'],
    ['/absent <= 1'],
    ['/absent >= 1'],
    ['/absent = 0'],
    ['/absent = ""'],
    ['/one < /word'],
    ['/one > /word'],
    ['/yes = 1'],
    ['/list = 1'],
    ['not /one'],
    ['/none != null'],
  ])('%s does not hold', (source) => {
    expect(holdsFor(source)).toBe(false)
  })
})

describe('a single value as text', () => {
  test('has no exponent, and is empty for lists and objects', () => {
    expect([1, 1.5, -0.5, 1e21, 1e-7, true, false, 'x'].map((value) => scalarText(value))).toEqual([
      '1',
      '1.5',
      '-0.5',
      '1000000000000000000000',
      '0.0000001',
      'true',
      'false',
      'x',
    ])
    expect([[], {}, null].map((value) => scalarText(value))).toEqual([undefined, undefined, undefined])
  })

  const formatted = (value: JsonValue, filters: string) => {
    const parsed = parseTag(`/a | ${filters}`)
    if (!parsed.ok || parsed.tag.kind !== 'text') throw new Error(`${filters} are no formats`)
    const result = formatScalar(value, parsed.tag.filters)
    return result.ok ? result.text : result.message
  }

  test('applies its formats from left to right', () => {
    expect(formatted('ß', 'upper | lower')).toBe('ss')
    expect(formatted(5, 'number "0.0" | upper')).toBe('5.0')
    expect(formatted('2026-03-01', 'date "MMMM" "de" | upper')).toBe('MÄRZ')
    expect(formatted('x', 'default "y"')).toBe('x')
  })

  test('says why it cannot be formatted', () => {
    expect(formatted([1], 'upper')).toBe('is a list, not a single value')
    expect(formatted({ a: 1 }, 'upper')).toBe('is an object, not a single value')
    expect(formatted('x', 'number "0"')).toBe('is not a number')
    expect(formatted('2026-02-30', 'date "d"')).toBe('is not a date')
  })
})
