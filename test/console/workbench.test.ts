import { describe, expect, test } from 'bun:test'
import { mergeNewest } from '../../src/console/api/resource.ts'
import { slugOf } from '../../src/console/views/configuration/new-family.tsx'
import { writerOf } from '../../src/console/views/template/bound.ts'
import { outputLines } from '../../src/console/views/transformer/output-lines.ts'
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

  test('tells of one slip in the YAML only once', () => {
    expect(check(`word\n# remark\n${source}`, 'yaml', undefined, undefined).findings).toHaveLength(1)
  })

  test('tells of input that breaks the contract, and runs it all the same where it can', () => {
    const { transformer } = check(source, 'yaml', undefined, undefined)
    const ran = run(transformer, '{"number":1,"lines":[]}', contract, {})
    expect(ran.inputFindings.map(({ path }) => path)).toEqual(['/number'])
    expect(ran.output).toBeDefined()
    expect(run(transformer, '{"number":', contract, {}).inputFindings).toHaveLength(1)
    expect(run(transformer, '', contract, {})).toEqual({ lineage: [], sourceFindings: [], inputFindings: [] })
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
})

test('the newest page is taken into a list: new rows in front, changed ones in place, none missing between', () => {
  const row = (id: string, state = '') => ({ id, state })
  const keyOf = ({ id }: { id: string }) => id
  const known = [row('3'), row('2'), row('1')]
  expect(mergeNewest(known, [row('4'), row('3', 'done')], keyOf)).toEqual([
    row('4'),
    row('3', 'done'),
    row('2'),
    row('1'),
  ])
  const beyond = [row('9'), row('8')]
  expect(mergeNewest(known, beyond, keyOf)).toBe(beyond)
  expect(mergeNewest(known, [], keyOf)).toBe(known)
})

test('a slug is made of any name, and is one', () => {
  expect(slugOf('  Prämien­brief, 2. Fassung ')).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  expect(slugOf('Policy letter')).toBe('policy-letter')
  expect(slugOf('…')).toBe('')
})
