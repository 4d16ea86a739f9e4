/** Slips of those who know another language. */
import { describe, expect, test } from 'bun:test'
import { ownForm } from '../../../src/engines/declarative/foreign.ts'
import { operators } from '../../../src/engines/declarative/operators/table.ts'
import { codesOf, findingsOf, outputOf, sourceOf } from './compile.ts'

const hintOf = (value: string) => findingsOf(sourceOf(value)).find(({ code }) => code === 'unknown_operator')?.hint

describe('an operator of another language', () => {
  test.each([
    ['$map', 'Loop with { $each: /list, as: item, do: … }.'],
    ['$filter', 'Leave items out with { $each: /list, as: item, where: … }.'],
    ['$reduce', 'Carry a value with { $fold: /list, as: item, into: total, from: 0, do: … }.'],
    ['$abs', 'Calculate it: { $calc: "abs(a)", … }.'],
    ['$sortBy', 'Sort with { $each: /list, as: item, sort: { by: $item/name } }.'],
    ['$order_by', 'Sort with { $each: /list, as: item, sort: { by: $item/name } }.'],
    ['$toUpper', 'Use { $case: …, to: upper }.'],
    ['$strip', 'Use $trim.'],
    ['$now', 'A transformer has no clock: declare a param of type date, and hand the date in.'],
    ['$gte', 'Compare with { $is: [left, ">=", right] }.'],
    ['$dateToString', 'Use { $format: …, date: "d MMMM yyyy" }.'],
    ['$mapp', undefined],
  ])('%s is answered with the form that it has here', (name, hint) => {
    if (hint === undefined) expect(ownForm(name)).toBeUndefined()
    else expect(hintOf(`{ ${name}: /a }`)).toBe(hint)
  })

  test('is never one that is here, and its answer names only what is', () => {
    for (const name of operators.keys()) expect([name, ownForm(name)]).toEqual([name, undefined])
    const source = Bun.file(new URL('../../../src/engines/declarative/foreign.ts', import.meta.url)).text()
    return source.then((text) => {
      const named = [...text.matchAll(/\$[a-z][A-Za-z]+/g)].map(([name]) => name)
      const free = new Set(['$item', '$name'])
      for (const name of new Set(named)) if (!free.has(name)) expect([name, operators.has(name)]).toEqual([name, true])
      expect(named.length).toBeGreaterThan(80)
    })
  })

  test('is otherwise told the nearest name, or how to write such a key', () => {
    expect(hintOf('{ $grup: /a }')).toBe('Did you mean $group?')
    expect(hintOf('{ $nothingLikeThat: /a }')).toStartWith('For a key that starts with $')
  })
})

test('an operator on texts is answered with its fellow for arrays', () => {
  const hints = ['{ $slice: [a], from: 0 }', '{ $length: [a] }', '{ $contains: [a], find: a }', '{ $trim: [a] }'].map(
    (value) => findingsOf(sourceOf(value)).map(({ code, hint }) => [code, hint]),
  )
  expect(hints).toEqual([
    [['type', 'For a part of an array use $take.']],
    [['type', 'For the number of items use $count.']],
    [['type', 'For an array use { $is: [value, in, array] }.']],
    [['type', undefined]],
  ])
})

describe('a word where a path was meant', () => {
  const contract = { type: 'object', properties: { name: { type: 'string' } } }
  const warnings = (value: string, before = '') =>
    findingsOf(sourceOf(value, before), { contract }).map(({ code, severity, path, hint }) => [
      code,
      severity,
      path,
      hint,
    ])

  test('is warned of if there is such a value', () => {
    expect(warnings('{ name: name }')).toEqual([
      ['forgotten_slash', 'warning', '/output/name', 'Write /name to read it.'],
    ])
    expect(warnings('{ total: total }', 'let: { total: 1 }\n')).toEqual([
      ['forgotten_slash', 'warning', '/output/total', 'Write $total to read it.'],
    ])
    expect(codesOf(sourceOf('{ name: name }'))).toEqual(['forgotten_slash'])
  })

  test('is nothing to speak of elsewhere', () => {
    for (const value of [
      '{ kind: kind }',
      '{ name: /name }',
      '{ name: { $const: Name } }',
      '{ name: other }',
      '[name]',
    ]) {
      expect(warnings(value).filter(([code]) => code === 'forgotten_slash')).toEqual([])
    }
    expect(outputOf('{ name: name }', { name: 'x' })).toEqual({ name: 'name' })
  })
})
