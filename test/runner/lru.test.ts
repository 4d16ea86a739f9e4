import { expect, test } from 'bun:test'
import { LruCache } from '../../src/runner/lru.ts'

function cache(maxWeight: number) {
  const evicted: string[] = []
  const lru = new LruCache<string>(maxWeight, (key) => evicted.push(key))
  const kept = (...keys: string[]) => keys.filter((key) => lru.get(key) !== undefined)
  return { lru, evicted, kept }
}

test('lets the least recently used values go first, as many as the newest one needs', () => {
  const { lru, evicted, kept } = cache(10)
  for (const key of ['a', 'b', 'c']) lru.set(key, key, 3)
  expect(lru.get('a')).toBe('a')
  lru.set('d', 'd', 4)
  expect(evicted).toEqual(['b'])
  lru.set('e', 'e', 6)
  expect(evicted).toEqual(['b', 'c', 'a'])
  expect(kept('a', 'b', 'c', 'd', 'e')).toEqual(['d', 'e'])
})

test('holds exactly its weight, and each value for 1 where nothing else is said', () => {
  const { lru, evicted } = cache(3)
  for (const key of ['a', 'b', 'c']) lru.set(key, key)
  expect(evicted).toEqual([])
  lru.set('d', 'd')
  expect(evicted).toEqual(['a'])
})

test('keeps nothing that is heavier than all it may hold', () => {
  const { lru, evicted, kept } = cache(3)
  lru.set('small', 's')
  lru.set('heavy', 'h', 4)
  expect(evicted).toEqual(['small', 'heavy'])
  expect(kept('small', 'heavy')).toEqual([])
})

test('weighs a value that is set again, or deleted, only by what it is now', () => {
  const { lru, evicted, kept } = cache(10)
  lru.set('a', 'old', 8)
  lru.set('a', 'new', 2)
  lru.set('b', 'b', 8)
  expect([lru.get('a'), evicted]).toEqual(['new', []])
  lru.delete('b')
  lru.delete('never there')
  lru.set('c', 'c', 8)
  expect(evicted).toEqual([])
  expect(kept('a', 'b', 'c')).toEqual(['a', 'c'])
})

test('says what it has, which makes nothing younger', () => {
  const { lru, evicted } = cache(2)
  for (const key of ['a', 'b']) lru.set(key, key)
  expect([lru.has('a'), lru.has('c')]).toEqual([true, false])
  lru.set('c', 'c')
  expect(evicted).toEqual(['a'])
  expect(lru.has('a')).toBe(false)
})
