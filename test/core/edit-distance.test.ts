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

  // Words of up to 32 characters are compared by bits, longer ones by a table.
  test('is the same whatever both end with, however long that is', () => {
    const words = ['']
    for (const word of words) if (word.length < 4) words.push(`${word}a`, `${word}b`, `${word}c`)
    for (const limit of [1, 9]) {
      for (const one of words) {
        for (const other of words) {
          const distance = editDistance(one, other, limit)
          for (const tail of ['d'.repeat(28), 'd'.repeat(40)]) {
            if (editDistance(one + tail, other + tail, limit) !== distance) {
              throw new Error(`${one}, ${other}, ${tail.length} more: not ${distance}`)
            }
          }
        }
      }
    }
  })

  test.each([31, 32, 33, 64])('counts the first and the last of %d characters', (length) => {
    const word = 'abcdefgh'.repeat(8).slice(0, length)
    expect(editDistance(word, word, 9)).toBe(0)
    expect(editDistance(word, `x${word.slice(1)}`, 9)).toBe(1)
    expect(editDistance(word, `${word.slice(0, -1)}x`, 9)).toBe(1)
    expect(editDistance(word, `${word.slice(0, -2)}${word.slice(-1)}${word.slice(-2, -1)}`, 9)).toBe(1)
    expect(editDistance(word, word.slice(2), 9)).toBe(2)
  })
})

test('a cycle repeats its list without end, and an empty list has no item', () => {
  expect([0, 1, 2, 3, 7].map((index) => inCycle(['a', 'b', 'c'], index))).toEqual(['a', 'b', 'c', 'a', 'b'])
  expect(() => inCycle([], 0)).toThrow(RangeError)
})
