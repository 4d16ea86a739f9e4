import { describe, expect, test } from 'bun:test'
import { inCycle } from '../../src/core/cycle.ts'
import { editDistance } from '../../src/core/edit-distance.ts'

describe('the distance of two words', () => {
  test.each([
    ['', '', 0],
    ['name', 'name', 0],
    ['', 'abc', 3],
    ['name', 'names', 1],
    ['name', 'nme', 1],
    ['name', 'nama', 1],
    ['name', 'nmae', 1],
    ['abcd', 'badc', 2],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['abcdef', 'ghijkl', 6],
  ])('from %j to %j is %d in both directions', (left, right, distance) => {
    expect(editDistance(left, right, 9)).toBe(distance)
    expect(editDistance(right, left, 9)).toBe(distance)
  })

  test('is one more than its limit whenever it is above it', () => {
    for (const limit of [0, 1, 2]) expect(editDistance('kitten', 'sitting', limit)).toBe(limit + 1)
    expect(editDistance('kitten', 'sitting', 3)).toBe(3)
    expect(editDistance('a', 'abcdefgh', 2)).toBe(3)
    expect(editDistance('ab', 'cd', 1)).toBe(2)
    expect(editDistance('xabc', 'abcyy', 1)).toBe(2)
  })
})

test('a cycle repeats its list without end, and an empty list has no item', () => {
  expect([0, 1, 2, 3, 7].map((index) => inCycle(['a', 'b', 'c'], index))).toEqual(['a', 'b', 'c', 'a', 'b'])
  expect(() => inCycle([], 0)).toThrow(RangeError)
})
