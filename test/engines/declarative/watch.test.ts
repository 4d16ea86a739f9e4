import { expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import {
  evaluateTransformer,
  type Transformer,
  watchTransformer,
} from '../../../src/engines/declarative/declarative.ts'
import { compile, evaluate } from './compile.ts'
import { invoiceInput, invoiceSource, letterContract, letterInput, letterSource } from './examples.ts'

/** `line: gap` of every point that no input reaches. */
function gaps(source: string, inputs: readonly JsonValue[], contract?: JsonValue): string[] {
  const watched = watchTransformer(source, 'yaml', contract === undefined ? {} : { contract })
  if (!watched.ok) throw new Error(JSON.stringify(watched.findings))
  const { transformer, coverage } = watched.value
  for (const input of inputs) evaluateTransformer(transformer, input)
  const reached = new Set(coverage.take())
  return coverage.points.flatMap(({ line, gap }, number) => (reached.has(number) ? [] : [`${line}: ${gap}`]))
}

const output = (...lines: string[]) =>
  `transform: declarative-v1\noutput:\n${lines.map((line) => `  ${line}\n`).join('')}`

test('both branches of an $if and both answers of its test are points, each reached by a case that takes it', () => {
  const source = output('a:', '  $if: { $is: [/n, ">", 3] }', '  then: many', '  else: few')
  expect(gaps(source, [{ n: 1 }])).toEqual(['5: is never taken', '4: is never true'])
  expect(gaps(source, [{ n: 9 }])).toEqual(['6: is never taken', '4: is never false'])
  expect(gaps(source, [{ n: 1 }, { n: 9 }])).toEqual([])
})

test('a flag read as a test is a point for each of its answers', () => {
  const source = output('a: { $if: /vip, then: 1, else: 2 }', 'b: { $all: [/vip, { $exists: /x }] }')
  expect(gaps(source, [{ vip: false }])).toEqual([
    '3: is never taken',
    '3: is never true',
    '4: is never true',
    '4: is never true',
    '4: is never evaluated',
    '4: is never true',
    '4: is never false',
  ])
})

test('every case of a $match, every row of a table and the else of a lookup is a point', () => {
  const source = [
    'transform: declarative-v1',
    'tables:',
    '  title:',
    '    ms: Dear Ms',
    '    mr: Dear Mr',
    'output:',
    '  a:',
    '    $match: /kind',
    '    x: 1',
    '    y: 2',
    '    else: 3',
    '  b: { $lookup: title, key: /title, else: Hello }',
  ].join('\n')
  expect(gaps(source, [{ kind: 'y', title: 'mr' }])).toEqual([
    '4: is a row that is never looked up',
    '9: is never taken',
    '11: is never taken',
    '12: is never taken: every row is there',
  ])
  const all = [
    { kind: 'x', title: 'ms' },
    { kind: 'y', title: 'mr' },
    { kind: 'z', title: 'dr' },
  ]
  expect(gaps(source, all)).toEqual([])
})

test('values that may be missing are points: the value, its default, what is left out and what is required', () => {
  const source = output('a: { $default: [/a, none] }', 'b: { $omit: /b }', 'c: { $require: /c, code: no_c }')
  expect(gaps(source, [{ a: 1, b: 1, c: 1 }])).toEqual([
    '3: is a default that is never taken',
    '4: is never left out',
    '5: is never missing',
  ])
  expect(gaps(source, [{ a: 1, b: 1, c: 1 }, { c: 1 }, {}])).toEqual([])
  expect(gaps(source, [{}])).toEqual(['3: is never there', '4: is never there'])
})

test('a loop is reached with no item, with one and with several, as far as the contract allows for them', () => {
  const source = output('a: { $each: /rows, as: r, do: { $text: "{x}", x: $r } }')
  expect(gaps(source, [{ rows: ['x'] }])).toEqual(['3: never has no item', '3: never has several items'])
  const rows = (bounds: object) => ({
    type: 'object',
    required: ['rows'],
    properties: { rows: { type: 'array', items: { type: 'string' }, ...bounds } },
  })
  expect(gaps(source, [{ rows: ['x'] }], rows({ minItems: 1 }))).toEqual(['3: never has several items'])
  expect(gaps(source, [{ rows: ['x'] }], rows({ minItems: 1, maxItems: 1 }))).toEqual([])
})

test('only an input that is refused reaches what is required', () => {
  const watched = watchTransformer(output('c: { $require: /c, code: no_c }'), 'yaml')
  if (!watched.ok) throw new Error('unusable')
  expect(watched.value.coverage.points.map(({ gap, byRefusal }) => [gap, byRefusal])).toEqual([
    ['is never evaluated', false],
    ['is never missing', true],
  ])
})

test('what is taken is what was reached since the last time', () => {
  const watched = watchTransformer(output('a: { $if: /n, then: 1, else: 2 }'), 'yaml')
  if (!watched.ok) throw new Error('unusable')
  const { transformer, coverage } = watched.value
  const take = (n: boolean) => {
    evaluateTransformer(transformer, { n })
    return coverage.take().map((number) => coverage.points[number]?.excerpt)
  }
  expect(take(true)).toContain('then: 1')
  expect(take(false)).not.toContain('then: 1')
  expect(coverage.take()).toEqual([])
})

test('a watched transformer makes what the plain one makes, with the same fuel', () => {
  for (const [source, contract, input] of [
    [letterSource, letterContract, letterInput],
    [letterSource, undefined, letterInput],
    [invoiceSource, undefined, invoiceInput(20)],
  ] as const) {
    const context = contract === undefined ? {} : { contract }
    const watched = watchTransformer(source, 'yaml', context)
    if (!watched.ok) throw new Error('unusable')
    const plain = evaluate(compile(source, context), input, optionsOf(watched.value.transformer))
    expect(evaluate(watched.value.transformer, input, optionsOf(watched.value.transformer))).toEqual(plain)
  }
})

/** A value for each param. */
function optionsOf({ params }: Transformer) {
  const values = { string: 'x', boolean: true, decimal: 1, date: '2026-01-31', datetime: '2026-01-31T09:30:00Z' }
  return { params: Object.fromEntries(Object.entries(params).map(([name, type]) => [name, values[type]])) }
}
