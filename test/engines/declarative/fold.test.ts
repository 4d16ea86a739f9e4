/** Values carried from item to item, sequences and parts of arrays. */
import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { codesOf, compile, evaluate, faultOf, findingsOf, outputOf, sourceOf } from './compile.ts'

const contract: JsonValue = {
  type: 'object',
  required: ['l', 's'],
  properties: {
    l: { type: 'array', items: { type: 'number' } },
    s: { type: 'array', items: { type: 'string' } },
    o: { type: 'array', items: { type: 'object', properties: { v: { type: 'number' } } } },
  },
}
const sum = (rest = '') => `{ $fold: /l, as: x, into: t, from: 0, do: { $calc: "t + x", t: $t, x: $x }${rest} }`

describe('$fold', () => {
  test('carries a value from item to item', () => {
    expect(outputOf(sum(), { l: [1, 2, 3.5] })).toBe(6.5)
    expect(outputOf(sum(), { l: [] })).toBe(0)
    expect(outputOf(sum(', each: $t'), { l: [1, 2, 3.5] })).toEqual([1, 3, 6.5])
    expect(outputOf(sum(', each: $t'), { l: [] })).toEqual([])
    expect(outputOf(sum(', each: { n: { $index: x }, t: $t }'), { l: [4] })).toEqual([{ n: 1, t: 4 }])
    expect(outputOf(sum(', each: { $if: { $is: [$x, ">", 1] }, then: $t }'), { l: [1, 2] })).toEqual([3])
  })

  test('carries an object of scalars', () => {
    const value = `
      $fold: /l
      as: x
      into: s
      from: { count: 0, last: null, text: "" }
      do:
        count: { $calc: "n + 1", n: $s/count }
        last: $x
        text: { $text: "{t}{x};", t: $s/text, x: $x }`
    for (const context of [{}, { contract }]) {
      expect(
        evaluate(compile(sourceOf(value.trim().replaceAll('\n      ', '\n')), context), { l: [5, 7], s: [] }).output,
      ).toEqual({
        count: 2,
        last: 7,
        text: '5;7;',
      })
    }
  })

  test('costs its body once an item, with a contract and without one', () => {
    const all = limits.transformAssumedItems
    for (const context of [{}, { contract }]) {
      // The item, the formula and its two slots; for each its own name.
      expect(compile(sourceOf(sum()), context).costBound).toBe(2 + 4 * all)
      expect(compile(sourceOf(sum(', each: $t')), context).costBound).toBe(2 + 5 * all)
    }
    expect(evaluate(compile(sourceOf(sum(', each: $t'))), { l: [1, 2] }).fuelUsed).toBe(2 + 5 * 2)
  })

  test('knows of every state which items made it', () => {
    const { lineage } = evaluate(compile(sourceOf(sum(', each: $t'))), { l: [1, 2] }, { lineage: true })
    expect(lineage?.map(({ output, inputs }) => [output, inputs])).toEqual([
      ['/0', ['/l/0']],
      ['/1', ['/l/0', '/l/1']],
    ])
    expect(evaluate(compile(sourceOf(sum())), { l: [1, 2] }, { lineage: true }).lineage?.[0]?.inputs).toEqual([
      '/l/0',
      '/l/1',
    ])
  })

  test('has one type from beginning to end', () => {
    const fold = (from: string, step: string) =>
      findingsOf(sourceOf(`{ $fold: /s, as: x, into: t, from: ${from}, do: ${step} }`), { contract }).map(
        ({ code, message }) => `${code}: ${message}`,
      )
    expect(fold('0', '$x')).toEqual(['type: "do" of $fold makes text; "from" is a number.'])
    expect(fold('""', '{ $text: "{t}{x}", t: $t, x: $x }')).toEqual([])
    expect(fold('a', '$x')).toEqual([])
    expect(fold('{ a: 0 }', '{ a: 0, b: 1 }')).toEqual([
      'type: "do" of $fold makes an object with "b"; "from" is an object.',
    ])
    expect(fold('{ a: 0, b: 0 }', '{ a: 0 }')).toEqual([
      'type: "do" of $fold makes an object without "b"; "from" is an object.',
    ])
    expect(fold('{ a: 0 }', '{ a: $x }')).toEqual(['type: "do" of $fold makes text in "a"; "from" is an object.'])
    expect(fold('[]', '$t')[0]).toContain('$fold carries a scalar or an object of scalars')
    expect(fold('{ a: [] }', '$t')[0]).toContain('$fold carries a scalar or an object of scalars')
    expect(fold('0', '{ $min: /l }')).toEqual(['may_be_missing: $min may be missing.'])
    expect(findingsOf(sourceOf('{ $fold: /s, as: x, into: x, from: 0, do: 0 }'), { contract })[0]?.code).toBe(
      'argument',
    )
  })

  test('carries no array, even if nothing is known before it runs', () => {
    const growing = compile(sourceOf('{ $fold: /l, as: x, into: t, from: /from, do: { $concat: [$t, $t] } }'))
    expect(faultOf(growing, { l: [1], from: [1] })).toMatchObject({ code: 'type' })
    const nesting = compile(sourceOf('{ $fold: /l, as: x, into: t, from: /from, do: { a: $t } }'))
    expect(faultOf(nesting, { l: [1, 2, 3], from: 1 })).toMatchObject({ code: 'type' })
  })
})

describe('$range', () => {
  test('has all whole numbers from the first to the last', () => {
    expect(outputOf('{ $range: [3, 6], most: 4 }', {})).toEqual([3, 4, 5, 6])
    expect(outputOf('{ $range: [-1, 1], most: 10 }', {})).toEqual([-1, 0, 1])
    expect(outputOf('{ $range: [1, 0], most: 10 }', {})).toEqual([])
  })

  test('is no longer than it says, which is what it costs', () => {
    const transformer = compile(sourceOf('{ $range: [1, /n], most: 3 }'))
    expect(transformer.costBound).toBe(1 + 1 + 3)
    expect(evaluate(transformer, { n: 3 }).output).toEqual([1, 2, 3])
    expect(faultOf(transformer, { n: 4 })).toMatchObject({
      code: 'too_many',
      message: '$range has 4 numbers; "most" allows 3.',
    })
    expect(faultOf(transformer, { n: 1e15 }).code).toBe('too_many')
    expect(codesOf(sourceOf('{ $range: [1, 2] }'))).toEqual(['missing_argument'])
    expect(codesOf(sourceOf('{ $range: [1, 2, 3], most: 3 }'))).toEqual(['argument'])
    expect(codesOf(sourceOf('{ $range: [1, 2], most: 10001 }'))).toEqual(['argument'])
  })
})

describe('$take', () => {
  test.each([
    ['count: 2', [1, 2]],
    ['count: 0', []],
    ['count: /less', []],
    ['count: 9', [1, 2, 3, 4]],
    ['from: 1', [2, 3, 4]],
    ['from: 1, count: 2', [2, 3]],
    ['from: -2', [3, 4]],
    ['from: -9, count: 1', [1]],
    ['from: 9', []],
    ['from: /from', [4]],
  ])('%s gives %j', (rest, items) => {
    expect(outputOf(`{ $take: /l, ${rest} }`, { l: [1, 2, 3, 4], from: 3, less: -1 })).toEqual(items)
  })

  test('is refused with a negative count, which silently gave nothing', () => {
    const found = findingsOf(sourceOf('{ $take: /l, count: -2 }'))
    expect(found.map(({ code, message, hint }) => `${code}: ${message} ${hint}`)).toEqual([
      'argument: "count" of $take says how many, and -2 gives nothing. Write from: -2 for the last ones.',
    ])
    const earlier = compile(sourceOf('{ $take: /l, count: -2 }'), { reading: 5 })
    expect(evaluate(earlier, { l: [1] }).output).toEqual([])
  })

  test('costs what it takes, and keeps where items come from', () => {
    expect(compile(sourceOf('{ $take: /l, count: 3 }'), { contract }).costBound).toBe(2 + 3)
    const { lineage } = evaluate(compile(sourceOf('{ $take: /l, from: -1 }')), { l: [1, 2] }, { lineage: true })
    expect(lineage?.[0]?.inputs).toEqual(['/l/1'])
    expect(codesOf(sourceOf('{ $take: /l }'))).toEqual(['argument'])
  })
})

test('$join joins a list in words', () => {
  const input = { names: ['a', 'b', 'c'], tag: 'fr' }
  expect(outputOf('{ $join: /names, list: and }', input)).toBe('a, b, and c')
  expect(outputOf('{ $join: /names, list: or, locale: de }', input)).toBe('a, b oder c')
  expect(outputOf('{ $join: /names, list: and, locale: /tag }', input)).toBe('a, b et c')
  expect(codesOf(sourceOf('{ $join: /names, list: and, with: x }'))).toEqual(['argument'])
  expect(codesOf(sourceOf('{ $join: /names, locale: de }'))).toEqual(['argument'])
})
