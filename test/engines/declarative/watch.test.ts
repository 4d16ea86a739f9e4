import { expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import {
  evaluateTransformer,
  type Transformer,
  watchTransformer,
} from '../../../src/engines/declarative/declarative.ts'
import { compile, evaluate, sourceOf } from './compile.ts'
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

test('a watched transformer says how many items each list that it writes has, and nothing of what may be no list', () => {
  const list = (items: JsonValue, minItems: number, maxItems: number) => ({ type: 'array', items, minItems, maxItems })
  const number = { type: 'number' }
  const properties = {
    rows: list({ type: 'object', required: ['cells'], properties: { cells: list(number, 1, 2) } }, 0, 3),
    either: { anyOf: [list(number, 2, 4), list(number, 1, 9)] },
    nullable: { anyOf: [list(number, 1, 2), { type: 'null' }] },
    mixed: { anyOf: [list(number, 1, 2), number] },
    members: { type: 'object', required: ['a', 'b'], properties: { a: list(number, 3, 3), b: list(number, 5, 6) } },
  }
  const contract = { type: 'object', required: Object.keys(properties), properties }
  const members = Object.keys(properties).map((name) => `${name}: /${name}`)
  const value = `{ ${members.join(', ')}, kept: { $each: /rows, as: r, where: { $is: [{ $count: $r/cells }, ">", 1] } } }`
  const watched = watchTransformer(sourceOf(value), 'yaml', { contract })
  if (!watched.ok) throw new Error(JSON.stringify(watched.findings))
  const at = (pointer: string) => watched.value.itemsAt(pointer.split('/').slice(1))
  expect(
    Object.fromEntries(
      ['/rows', '/rows/*/cells', '/rows/0', '/either', '/members/*', '/kept'].map((place) => [place, at(place)]),
    ),
  ).toEqual({
    '/rows': { min: 0, max: 3 },
    '/rows/*/cells': { min: 1, max: 2 },
    '/rows/0': undefined,
    '/either': { min: 1, max: 9 },
    '/members/*': { min: 3, max: 6 },
    '/kept': { min: 0, max: 3 },
  })
  for (const place of ['/nullable', '/mixed', '/members', '/members/c', '/rows/*/other']) {
    expect([place, at(place)]).toEqual([place, undefined])
  }
})

test('every point has its place, its line, its excerpt and the points that a case can reach it through', () => {
  const source = `transform: declarative-v1
tables:
  t: { a: x,
       b: y }
let:
  rows: { $each: /rows, as: r, where: $r/on, do: $r/n }
output:
  plain: /name
  first:
    $default: [/a,
      /b, c]
  kept: { $omit: /c }
  must: { $require: /d, code: NO_D }
  choice:
    $match: /kind
    x: { $if: /vip, then: { $not: /vip }, else: [1] }
    else: { $lookup: t, key: /k, else: none }
  all: { $all: [/vip, { $any: [/on, /off] }] }
  groups: { $group: $rows, as: g, by: $g, do: { $count: $items } }
  text: [{ $text: "{x}", x: { $default: [/name, x] } }, { $omit: /o }]
  quoted: { $$if: /vip, list: [{ $is: [/n, "=", 1] }] }
`
  const watched = watchTransformer(source, 'yaml')
  if (!watched.ok) throw new Error(JSON.stringify(watched.findings))
  const shown = watched.value.coverage.points.map(({ place, line, gap, byRefusal, inside, excerpt }) => {
    const through = inside.map((point) => `, in ${point}`).join('')
    return `${place} :${line} ${gap}${byRefusal ? ' by a refusal' : ''}${through} | ${excerpt}`
  })
  expect(shown).toEqual([
    '/tables/t/a :3 is a row that is never looked up | a: x',
    '/tables/t/b :4 is a row that is never looked up | b: y',
    '/let/rows :6 is never evaluated | rows: { $each: /rows, as: r, where: $r/on, do: $r/n }',
    '/let/rows/$each :6 never has no item, in 2 | $each: /rows',
    '/let/rows/$each :6 never has exactly one item, in 2 | $each: /rows',
    '/let/rows/$each :6 never has several items, in 2 | $each: /rows',
    '/let/rows/where :6 is never true, in 2 | where: $r/on',
    '/let/rows/where :6 is never false, in 2 | where: $r/on',
    '/output/first :10 is never evaluated | first: $default: [/a,',
    '/output/first/$default/0 :10 is never there, in 8 | /a',
    '/output/first/$default/1 :11 is never there, in 8 | /b',
    '/output/first/$default/2 :11 is a default that is never taken, in 8 | c',
    '/output/kept :12 is never evaluated | kept: { $omit: /c }',
    '/output/kept/$omit :12 is never there, in 12 | $omit: /c',
    '/output/kept/$omit :12 is never left out, in 12 | $omit: /c',
    '/output/must :13 is never evaluated | must: { $require: /d, code: NO_D }',
    '/output/must :13 is never missing by a refusal, in 15 | must: { $require: /d, code: NO_D }',
    '/output/choice :15 is never evaluated | choice: $match: /kind',
    '/output/choice/x :16 is never taken, in 17 | x: { $if: /vip, then: { $not: /vip }, else: [1] }',
    '/output/choice/else :17 is never taken, in 17 | else: { $lookup: t, key: /k, else: none }',
    '/output/choice/x/then :16 is never taken, in 18 | then: { $not: /vip }, else: [1] }',
    '/output/choice/x/else :16 is never taken, in 18 | else: [1] }',
    '/output/choice/x/$if :16 is never true, in 18 | $if: /vip',
    '/output/choice/x/$if :16 is never false, in 18 | $if: /vip',
    '/output/choice/x/then :16 is never true, in 20 | then: { $not: /vip }, else: [1] }',
    '/output/choice/x/then :16 is never false, in 20 | then: { $not: /vip }, else: [1] }',
    '/output/choice/x/then/$not :16 is never true, in 20 | $not: /vip',
    '/output/choice/x/then/$not :16 is never false, in 20 | $not: /vip',
    '/output/choice/else/else :17 is never taken: every row is there, in 19 | else: none',
    '/output/all :18 is never evaluated | all: { $all: [/vip, { $any: [/on, /off] }] }',
    '/output/all :18 is never true, in 29 | all: { $all: [/vip, { $any: [/on, /off] }] }',
    '/output/all :18 is never false, in 29 | all: { $all: [/vip, { $any: [/on, /off] }] }',
    '/output/all/$all/0 :18 is never true, in 29 | /vip',
    '/output/all/$all/0 :18 is never false, in 29 | /vip',
    '/output/all/$all/1 :18 is never evaluated, in 29 | { $any: [/on, /off] }] }',
    '/output/all/$all/1 :18 is never true, in 34 | { $any: [/on, /off] }] }',
    '/output/all/$all/1 :18 is never false, in 34 | { $any: [/on, /off] }] }',
    '/output/all/$all/1/$any/0 :18 is never true, in 34 | /on',
    '/output/all/$all/1/$any/0 :18 is never false, in 34 | /on',
    '/output/all/$all/1/$any/1 :18 is never true, in 34 | /off',
    '/output/all/$all/1/$any/1 :18 is never false, in 34 | /off',
    '/output/groups :19 is never evaluated | groups: { $group: $rows, as: g, by: $g, do: { $count: $items } }',
    '/output/groups/$group :19 never has no item, in 41 | $group: $rows',
    '/output/groups/$group :19 never has exactly one item, in 41 | $group: $rows',
    '/output/groups/$group :19 never has several items, in 41 | $group: $rows',
    '/output/groups/do :19 is never evaluated, in 41 | do: { $count: $items } }',
    '/output/text/0 :20 is never evaluated | { $text: "{x}", x: { $default: [/name, x] } }, { $omit: /o }]',
    '/output/text/0/x :20 is never evaluated, in 46 | x: { $default: [/name, x] } }, { $omit: /o }]',
    '/output/text/0/x/$default/0 :20 is never there, in 47 | /name',
    '/output/text/0/x/$default/1 :20 is a default that is never taken, in 47 | x',
    '/output/text/1 :20 is never evaluated | { $omit: /o }]',
    '/output/text/1/$omit :20 is never there, in 50 | $omit: /o',
    '/output/text/1/$omit :20 is never left out, in 50 | $omit: /o',
    '/output/quoted/list/0 :21 is never evaluated | { $is: [/n, "=", 1] }] }',
    '/output/quoted/list/0 :21 is never true, in 53 | { $is: [/n, "=", 1] }] }',
    '/output/quoted/list/0 :21 is never false, in 53 | { $is: [/n, "=", 1] }] }',
  ])
})

test('a path to a member names the others of its type that it could be, the next one first', () => {
  const text = { type: 'string' }
  const row = { type: 'object', required: ['x', 'y'], properties: { x: text, y: text, z: text } }
  const properties = { a: text, b: text, c: { type: 'number' }, d: text, rows: { type: 'array', items: row } }
  const contract = { type: 'object', required: Object.keys(properties), properties }
  const source = sourceOf('b: /b\nc: /c\nrows: { $each: /rows, as: r, do: [$r/x, { $omit: $r/z }] }\nany: /rows')
  const watched = watchTransformer(source, 'yaml', { contract })
  if (!watched.ok) throw new Error(JSON.stringify(watched.findings))
  const { siblings } = watched.value
  const at = (path: string, nth = 0) => siblings.get(source.split(path, nth + 1).join(path).length)
  expect(at('/b')).toEqual(['d', 'a'])
  expect(at('/c')).toEqual([])
  expect(at('$r/x')).toEqual(['y'])
  expect(at('$r/z')).toEqual([])
  expect(at('/rows')).toEqual([])
  expect(siblings.size).toBe(6)
})
