import { describe, expect, test } from 'bun:test'
import { mergeNewest } from '../../src/console/api/resource.ts'
import { slugOf } from '../../src/console/views/configuration/new-family.tsx'
import { noneText } from '../../src/console/views/configuration/server-check.ts'
import { writerOf } from '../../src/console/views/template/bound.ts'
import { maxLines, outputLines } from '../../src/console/views/transformer/output-lines.ts'
import { check, pointersOf, run } from '../../src/console/views/transformer/run.ts'

const contract = JSON.stringify({
  type: 'object',
  required: ['number', 'lines'],
  properties: {
    number: { type: 'string' },
    lines: { type: 'array', maxItems: 9, items: { $ref: '#/$defs/line' } },
  },
  $defs: { line: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } } },
})
const source = `transform: declarative-v1
output:
  ref: /number
  total: { $sum: /lines, as: l, of: $l/amount }
`

describe('the workbench', () => {
  test('runs a transformer in the page and says where every value comes from', () => {
    const { transformer, findings } = check(source, 'yaml', contract, undefined)
    expect(findings).toEqual([])
    const ran = run(transformer, '{"number":"A","lines":[{"amount":1.5},{"amount":2}]}', contract, {})
    expect(ran.output).toEqual({ ref: 'A', total: 3.5 })
    const total = ran.lineage.find(({ output }) => output === '/total')
    expect(total).toEqual({ output: '/total', inputs: ['/lines/0/amount', '/lines/1/amount'], lines: [4] })
  })

  test('finds what the contract does not have, before anything runs', () => {
    const { findings, transformer } = check(source.replace('/number', '/numbr'), 'yaml', contract, undefined)
    expect(findings[0]).toMatchObject({ severity: 'error', line: 3 })
    expect(transformer).toBeUndefined()
  })

  test('reports one slip in the YAML only once', () => {
    expect(check(`word\n# remark\n${source}`, 'yaml', undefined, undefined).findings).toHaveLength(1)
  })

  test('reports input that breaks the contract, and runs it all the same if it can', () => {
    const { transformer } = check(source, 'yaml', undefined, undefined)
    const ran = run(transformer, '{"number":1,"lines":[]}', contract, {})
    expect(ran.inputFindings.map(({ path }) => path)).toEqual(['/number'])
    expect(ran.output).toBeDefined()
    expect(run(transformer, '{"number":', contract, {}).inputFindings).toHaveLength(1)
    expect(run(transformer, '', contract, {})).toEqual({ lineage: [], sourceFindings: [], inputFindings: [] })
  })

  test('gives a transformer its params, and says how many steps it took', () => {
    const { transformer } = check(
      'transform: declarative-v1\nparams: { tone: string }\noutput: { tone: $tone }\n',
      'yaml',
      undefined,
      undefined,
    )
    const ran = run(transformer, '{}', undefined, { tone: 'warm' })
    expect([ran.output, ran.sourceFindings, ran.inputFindings]).toEqual([{ tone: 'warm' }, [], []])
    expect(ran.fuelUsed).toBeGreaterThan(0)
    const without = run(transformer, '{}', undefined, {})
    expect([without.output, without.fuelUsed]).toEqual([undefined, undefined])
    expect(without.sourceFindings.length).toBe(1)
  })

  test('reports findings of the input without a transformer too, and none of a blank one', () => {
    const nothing = { lineage: [], sourceFindings: [], inputFindings: [] }
    expect(run(undefined, '{"number":1,"lines":[]}', contract, {}).inputFindings.map(({ path }) => path)).toEqual([
      '/number',
    ])
    expect(run(undefined, '{}', undefined, {})).toEqual(nothing)
    expect(run(undefined, '  \n', contract, {})).toEqual(nothing)
    // A contract that can't be read says nothing of the input.
    expect(run(undefined, '{}', '{', {})).toEqual(nothing)
  })

  test('tells the kind of each value that can be completed: types, or the values that it may have', () => {
    const typed = (schema: object) => pointersOf(JSON.stringify({ properties: { a: schema } }))[0]?.type
    expect(typed({ type: ['string', 'null'] })).toBe('string|null')
    expect(typed({ enum: ['red', 1, null] })).toBe('red|1|null')
    expect(typed({ enum: Array.from({ length: 20 }, () => 'green') })).toBe('green|green|green|green|green|green|gree')
    expect(typed({})).toBe('')
  })

  test('ends where a schema refers to itself, and after as many pointers as anybody completes', () => {
    const own = pointersOf(JSON.stringify({ properties: { a: { $ref: '#' } } }))
    expect(own.map(({ pointer }) => pointer)).toEqual(Array.from({ length: 8 }, (_, at) => '/a'.repeat(at + 1)))
    const items = pointersOf(JSON.stringify({ items: { $ref: '#' } }))
    expect(items.map(({ pointer }) => pointer)).toEqual(Array.from({ length: 8 }, (_, at) => '/0'.repeat(at + 1)))
    const wide = Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`p${at}`, { type: 'string' }]))
    expect(pointersOf(JSON.stringify({ properties: wide }))).toHaveLength(1_000)
    expect(pointersOf(JSON.stringify({ properties: { 'a/b~c': { type: 'string' } } }))[0]?.pointer).toBe('/a~1b~0c')
    expect(pointersOf('{')).toEqual([])
  })

  test('completes every pointer of the contract, references followed', () => {
    expect(pointersOf(contract)).toEqual([
      { pointer: '/number', type: 'string' },
      { pointer: '/lines', type: 'array' },
      { pointer: '/lines/0', type: 'object' },
      { pointer: '/lines/0/amount', type: 'number' },
    ])
  })

  test('shows the output as JSON, each value with its pointer', () => {
    const lines = outputLines({ a: [1, 'x'], 'b/c': null, d: {} })
    const text = lines.map(({ indent, name, text: value }) => indent + name + value).join('\n')
    expect(JSON.parse(text)).toEqual({ a: [1, 'x'], 'b/c': null, d: {} })
    expect(lines.flatMap(({ pointer }) => pointer ?? [])).toEqual(['/a/0', '/a/1', '/b~1c', '/d'])
    // Frames, then a number, a text, an end, nothing and an object without members.
    expect(lines.map(({ kind }) => kind).join(' ')).toBe('frame frame value text frame value value frame')
    expect(lines.map(({ text: value }) => value)).toEqual(['{', '[', '1,', '"x"', '],', 'null,', '{}', '}'])
    expect(outputLines(Array.from({ length: maxLines + 10 }, () => 1)).length).toBeWithin(maxLines, maxLines + 3)
    expect(outputLines('a')).toEqual([{ indent: '', name: '', text: '"a"', pointer: '', kind: 'text' }])
  })
})

test('a binding is written by its very place, by what is inside it or by what is around it', () => {
  const writes = [
    { pointer: '/lines/*/amount', type: 'decimal' },
    { pointer: '/agent', type: 'object' },
    { pointer: '/total', type: 'string' },
  ]
  expect(writerOf('/total', writes)?.pointer).toBe('/total')
  expect(writerOf('/lines', writes)?.pointer).toBe('/lines/*/amount')
  expect(writerOf('/agent/name', writes)?.pointer).toBe('/agent')
  expect(writerOf('/tot', writes)).toBeUndefined()
  // Of several, the first; the very place before what is inside it, and that before what is around it.
  const more = [
    { pointer: '/a', type: 'around' },
    { pointer: '/a/b/c', type: 'inside' },
    { pointer: '/a/b', type: 'place' },
    { pointer: '/a/b', type: 'again' },
    { pointer: '/a/b/d', type: 'inside, later' },
    { pointer: '/', type: 'elsewhere' },
  ]
  expect(writerOf('/a/b', more)?.type).toBe('place')
  expect(
    writerOf(
      '/a/b',
      more.filter(({ pointer }) => pointer !== '/a/b'),
    )?.type,
  ).toBe('inside')
  expect(writerOf('/a/x/y', [...more, { pointer: '/a/x', type: 'around, later' }])?.type).toBe('around')
})

test('the newest page is taken into a list: new rows in front, changed ones in place, none missing between', () => {
  const row = (id: string, state = '') => ({ id, state })
  const keyOf = ({ id }: { id: string }) => id
  const known = [row('3'), row('2'), row('1')]
  expect(mergeNewest(known, [row('4'), row('3', 'done')], keyOf, false)).toEqual([
    row('4'),
    row('3', 'done'),
    row('2'),
    row('1'),
  ])
  const beyond = [row('9'), row('8')]
  expect(mergeNewest(known, beyond, keyOf, false)).toBe(beyond)
})

test('what is gone from a list leaves it with the next newest page, and all of it with an empty one', () => {
  const row = (id: string) => ({ id })
  const keyOf = ({ id }: { id: string }) => id
  const known = [row('5'), row('4'), row('3'), row('2'), row('1')]
  expect(mergeNewest(known, [row('5'), row('3')], keyOf, false)).toEqual([row('5'), row('3'), row('2'), row('1')])
  expect(mergeNewest(known, [row('4'), row('1')], keyOf, true)).toEqual([row('4'), row('1')])
  expect(mergeNewest(known, [], keyOf, true)).toEqual([])
})

test('a slug is made of any name, and is one', () => {
  expect(slugOf('  Prämien­brief, 2. Fassung ')).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  expect(slugOf('Policy letter')).toBe('policy-letter')
  expect(slugOf('…')).toBe('')
})

test('says of a source without findings whether the server has looked at it as well', () => {
  expect([noneText('checking', 'Right'), noneText('checked', 'Right')]).toEqual(['Checking what it names…', 'Right'])
  expect(noneText('unknown', 'Right')).toBe('Right by itself. The server did not answer, so its names are not checked.')
})
