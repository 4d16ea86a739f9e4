import { expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { nearest } from '../../src/core/nearest.ts'

test('the nearest of the candidates is the one with the fewest edits, the first of several, whatever its case', () => {
  expect(nearest('recipiant', ['sender', 'recipients', 'Recipient'])).toBe('Recipient')
  expect(nearest('abcdef', ['abcdeX', 'abcdeY'])).toBe('abcdeX')
  expect(nearest('TOTAL', ['total'])).toBe('total')
})

test('nothing is near that differs in more than a third of its characters, or in its length by more', () => {
  expect(nearest('abcdef', ['abcdXX'])).toBe('abcdXX')
  expect(nearest('abcdef', ['abcXXX', 'abcdefghi'])).toBeUndefined()
  expect(nearest('abcdef', ['abcdefgh'])).toBe('abcdefgh')
  expect(nearest('', [])).toBeUndefined()
})

test('a word of more than 64 characters has nothing near', () => {
  expect(nearest('a'.repeat(64), ['a'.repeat(64)])).toBe('a'.repeat(64))
  expect(nearest('a'.repeat(65), ['a'.repeat(65)])).toBeUndefined()
})

test('of many candidates the first count, and those of another length take nothing of their bound', () => {
  const word = 'k'.repeat(32)
  const others = (count: number, length = 32) => Array.from({ length: count }, () => 'x'.repeat(length))
  const most = limits.nearestCharacters / word.length
  expect(nearest(word, [...others(most - 1), word])).toBe(word)
  expect(nearest(word, [...others(most), word])).toBeUndefined()
  expect(nearest(word, [...others(10 * most, 64), word])).toBe(word)
})
