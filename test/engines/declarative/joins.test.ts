/** Looking up rows: joins by an index, objects, and tables that data names. */
import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { codesOf, compile, evaluate, faultOf, findingsOf, outputOf, sourceOf } from './compile.ts'

const customers = 'let: { customers: { $indexBy: /customers, as: c, by: $c/id } }\n'
const input = {
  customers: [
    { id: 7, name: 'Ada' },
    { id: 8, name: 'Bob' },
  ],
  orders: [
    { no: 'A', by: 8 },
    { no: 'B', by: 7 },
    { no: 'C', by: 8 },
  ],
}
const person = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'number' }, name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
}
const order = {
  type: 'object',
  required: ['no', 'by'],
  properties: { no: { type: 'string' }, by: { type: 'number' } },
}
const contract = {
  type: 'object',
  required: ['customers', 'orders', 'region'],
  properties: {
    customers: { type: 'array', items: person },
    orders: { type: 'array', items: order },
    region: { enum: ['eu', 'us'] },
    free: { type: 'string' },
    weights: { type: 'object', required: ['a'], properties: { a: { type: 'number' }, b: { type: 'number' } } },
  },
}
const joined = '{ $each: /orders, as: o, do: { no: $o/no, who: { $lookup: $customers, key: $o/by } } }'

describe('a join by an index', () => {
  test('gives each item its row', () => {
    expect(outputOf(joined, input, customers)).toEqual([
      { no: 'A', who: { id: 8, name: 'Bob' } },
      { no: 'B', who: { id: 7, name: 'Ada' } },
      { no: 'C', who: { id: 8, name: 'Bob' } },
    ])
  })

  test('costs the sum of both arrays, not their product, with a contract and without one', () => {
    for (const context of [{}, { contract }]) {
      const { costBound } = compile(sourceOf(joined, customers), context)
      expect(costBound).toBeLessThan(10 * limits.transformAssumedItems)
    }
  })

  test('keeps where the row comes from', () => {
    const { lineage, readsSeen } = evaluate(compile(sourceOf(joined, customers)), input, { lineage: true })
    expect(lineage?.find(({ output }) => output === '/0/who/name')?.inputs).toContain('/customers/1/name')
    expect(readsSeen).toContain('/customers/0/id')
    const texts = '{ $lookup: { $indexBy: /names, as: n, by: $n }, key: /key }'
    const traced = evaluate(compile(sourceOf(texts)), { names: ['x', 'y'], key: 'y' }, { lineage: true })
    expect(traced.lineage).toEqual([{ output: '', inputs: ['/key', '/names/1'], lines: [3] }])
  })

  test('has the type of the item', () => {
    const wrong = `{ $calc: "n + 1", n: { $pick: [{ $lookup: $customers, key: 7 }], at: 0 } }`
    expect(findingsOf(sourceOf(wrong, customers), { contract })[0]?.message).toContain('is an object')
    const path = `{ $each: [{ $lookup: $customers, key: 7 }], as: c, do: $c/nmae }`
    expect(codesOf(sourceOf(path, customers), { contract })).toEqual(['unknown_path'])
  })

  test('ends in a fault where a row lacks, and takes else instead', () => {
    const transformer = compile(sourceOf('{ $lookup: $customers, key: 9 }', customers))
    expect(faultOf(transformer, input)).toMatchObject({ code: 'no_row', message: '$customers has no row "9".' })
    expect(outputOf('{ $lookup: $customers, key: 9, else: none }', input, customers)).toBe('none')
  })

  test('wants keys to differ unless it is said which item to keep', () => {
    const twice = { items: [{ k: 'a', v: 1 }, { k: 'b', v: 2 }, { k: 'a', v: 3 }] } // biome-ignore format: rows
    const index = (rest: string) => `{ $indexBy: /items, as: i, by: $i/k${rest} }`
    expect(faultOf(compile(sourceOf(index(''))), twice)).toMatchObject({
      code: 'duplicate_key',
      message: 'Two items have the key "a".',
    })
    const [first, second, third] = twice.items
    expect(outputOf(index(', keep: first'), twice)).toEqual({ a: first!, b: second! })
    expect(outputOf(index(', keep: last'), twice)).toEqual({ a: third!, b: second! })
    expect(outputOf(index(', keep: all'), twice)).toEqual({ a: [first!, third!], b: [second!] })
    expect(outputOf(index(', keep: all, most: 2'), twice)).toEqual({ a: [first!, third!], b: [second!] })
    expect(faultOf(compile(sourceOf(index(', keep: all, most: 1'))), twice)).toMatchObject({
      code: 'too_many',
      message: 'The key "a" has more than 1.',
    })
    expect(codesOf(sourceOf(index(', most: 2')))).toEqual(['argument'])
  })

  test('to several rows each is bounded by what the author says is the most', () => {
    const source = (most: string) =>
      sourceOf(
        '{ $each: /customers, as: c, do: { $each: { $lookup: $own, key: $c/id, else: [] }, as: o, do: $o/no } }',
        `let: { own: { $indexBy: /orders, as: o, by: $o/by, keep: all${most} } }\n`,
      )
    expect(evaluate(compile(source(', most: 50'), { contract }), { ...input, region: 'eu' }).output).toEqual([
      ['B'],
      ['A', 'C'],
    ])
    expect(codesOf(source(''), { contract })).toEqual(['cost'])
  })

  test('takes names of prototypes for keys like any other', () => {
    const items = ['__proto__', 'constructor']
    const index = '{ $indexBy: /items, as: i, by: $i }'
    expect(outputOf(`{ $lookup: ${index}, key: constructor }`, { items })).toBe('constructor')
    expect(outputOf(`{ $lookup: ${index}, key: __proto__ }`, { items })).toBe('__proto__')
    expect(outputOf(`{ $lookup: ${index}, key: toString, else: 0 }`, { items })).toBe(0)
  })
})

describe('a lookup', () => {
  const tables = 'tables: { eu: { a: 1, b: 2 }, us: { a: 3 } }\n'

  test('finds members of an object', () => {
    expect(outputOf('{ $lookup: /weights, key: /k, else: 0 }', { weights: { a: 5 }, k: 'a' })).toBe(5)
    expect(outputOf('{ $lookup: /weights, key: b, else: 0 }', { weights: { a: 5, b: null } })).toBe(0)
    expect(
      codesOf(sourceOf('{ $lookup: { $default: [/weights, { a: 0 }] }, key: /region, else: 0 }'), { contract }),
    ).toEqual([])
    expect(codesOf(sourceOf('{ $lookup: { a: 0 }, key: /region }'), { contract })).toEqual(['not_exhaustive'])
    expect(codesOf(sourceOf('{ $lookup: { eu: 0, us: 1 }, key: /region }'), { contract })).toEqual([])
  })

  test('finds rows of the table that data names, if that is one of a few', () => {
    const transformer = compile(sourceOf('{ $lookup: /region, key: a }', tables), { contract })
    expect(evaluate(transformer, { ...input, region: 'us' }).output).toBe(3)
    expect(evaluate(transformer, { ...input, region: 'eu' }).output).toBe(1)
    expect(
      faultOf(compile(sourceOf('{ $lookup: /region, key: { $case: B, to: lower } }', tables), { contract }), {
        ...input,
        region: 'us',
      }),
    ).toMatchObject({
      code: 'no_row',
      message: 'The table of /region has no row "b".',
    })
    expect(codesOf(sourceOf('{ $lookup: /region, key: a }', 'tables: { eu: { a: 1 } }\n'), { contract })).toEqual([
      'unknown_table',
    ])
    expect(codesOf(sourceOf('{ $lookup: { $require: /free, code: X }, key: a }', tables), { contract })).toEqual([
      'unknown_table',
    ])
  })

  test('without a contract takes an object or the name of a table, whichever the value is', () => {
    const transformer = compile(sourceOf('{ $lookup: /from, key: a }', tables))
    expect(evaluate(transformer, { from: 'us' }).output).toBe(3)
    expect(evaluate(transformer, { from: { a: 7 } }).output).toBe(7)
    const hint = 'Give an object, or one of the tables: eu, us.'
    for (const [from, is] of [
      ['EU', '"EU", which is no table'],
      [4, 'a number'],
    ]) {
      expect(faultOf(transformer, { from: from ?? null })).toMatchObject({
        code: 'type',
        message: `/from is ${is}.`,
        hint,
      })
    }
    expect(faultOf(compile(sourceOf('{ $lookup: /from, key: a }')), { from: 'eu' }).code).toBe('type')
  })
})
