/**
 * Where outputs come from. lineage.txt has a value on each line that begins at the margin; below it, indented, are
 * the origin of each leaf of its output with the lines of the source, what a run sees of the input, and what the list
 * of reads and the list of loops say before it runs.
 */
import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { compile, evaluate, sourceOf } from './compile.ts'

const arrayOf = (items: JsonObject): JsonObject => ({ type: 'array', maxItems: 10, items })
const properties: JsonObject = {
  n: { type: 'number' },
  z: { type: 'number' },
  s: { type: 'string' },
  b: { type: 'boolean' },
  d: { type: 'string', format: 'date' },
  l: arrayOf({ type: 'number' }),
  t: arrayOf({ type: 'string' }),
  o: {
    type: 'object',
    required: ['a', 'b'],
    properties: { a: { type: 'string' }, b: { type: 'object', required: ['c'], properties: { c: { type: 'array' } } } },
  },
  m: arrayOf(arrayOf({ type: 'number' })),
  rows: arrayOf({
    type: 'object',
    required: ['k', 'v', 'w'],
    properties: { k: { type: 'string' }, v: { type: 'number' }, w: arrayOf({ type: 'number' }) },
  }),
}
const contract = {
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, nothing: { type: 'string' } },
}
const input = {
  n: 2,
  z: 0,
  s: 'a b',
  b: true,
  d: '2025-01-31',
  l: [3, 1, 2],
  t: ['b', 'a', 'b'],
  o: { a: 'x', b: { c: [5, { e: 6 }] } },
  m: [[1, 2], [3]],
  rows: [
    { k: 'p', v: 1, w: [7] },
    { k: 'q', v: 2, w: [8] },
    { k: 'p', v: 3, w: [9] },
  ],
}
const tables = 'tables: { t: { a b: 1 } }\n'
const lets = `let:
  name: /o
  made: { x: /n, y: [/s] }
  list: { $each: /l, as: q, do: { $calc: "q * 2", q: $q } }
  num: /n
`

const text = await Bun.file(new URL('lineage.txt', import.meta.url)).text()
const blocks = text
  .trimEnd()
  .split(/\n(?! )/)
  .map((block) => block.split('\n'))

describe('the origin of every leaf is known', () => {
  test.each(blocks)('of %s', (value = '', ...expected) => {
    const usesLets = /\$(name|made|list|num)\b/.test(value)
    const transformer = compile(sourceOf(value, usesLets ? tables + lets : tables), { contract })
    const { lineage = [], readsSeen = [] } = evaluate(transformer, input, { lineage: true })
    const listed = (pointers: readonly string[]) => pointers.join(' ') || 'nothing'
    const origins = lineage.map(
      ({ output, inputs, lines }) => `  ${output || 'it'} from ${listed(inputs)}, line ${lines.join(' ')}`,
    )
    const loops = transformer.loops.length === 0 ? [] : [`  loops over ${listed(transformer.loops)}`]
    expect([...origins, `  sees ${listed(readsSeen)}`, `  reads ${listed(transformer.reads)}`, ...loops]).toEqual(
      expected,
    )
  })

  test('is reported only if it is requested', () => {
    const evaluation = evaluate(compile(sourceOf('/n')), input)
    expect(evaluation).not.toHaveProperty('lineage')
    expect(evaluation).not.toHaveProperty('readsSeen')
  })
})
