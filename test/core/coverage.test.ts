import { expect, test } from 'bun:test'
import { Coverage, itemCount, possibleCounts } from '../../src/core/coverage.ts'

test('points are numbered from 0, reachable without a refusal and from every case unless they say otherwise', () => {
  const coverage = new Coverage()
  const point = { place: '/a', excerpt: 'a', gap: 'is never true' }
  expect([coverage.add(point), coverage.add({ ...point, byRefusal: true, inside: [0] })]).toEqual([0, 1])
  expect(coverage.points).toEqual([
    { ...point, byRefusal: false, inside: [] },
    { ...point, byRefusal: true, inside: [0] },
  ])
})

test('what was reached is taken once, each point once, in the order of the numbers', () => {
  const coverage = new Coverage()
  for (const point of [10, 9, 2, undefined, 9]) coverage.hit(point)
  expect(coverage.take()).toEqual([2, 9, 10])
  expect(coverage.take()).toEqual([])
})

test('a list is told apart by none, one and several items', () => {
  expect([0, 1, 2, 3].map(itemCount)).toEqual(['none', 'one', 'several', 'several'])
})

test.each([
  [0, 0, { none: true, one: false, several: false }],
  [0, 1, { none: true, one: true, several: false }],
  [0, 2, { none: true, one: true, several: true }],
  [1, 1, { none: false, one: true, several: false }],
  [1, 2, { none: false, one: true, several: true }],
  [2, 2, { none: false, one: false, several: true }],
])('from %d to %d items, a case can have', (min, max, expected) => {
  expect(possibleCounts({ min, max })).toEqual(expected)
})
