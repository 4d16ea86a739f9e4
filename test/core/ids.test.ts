import { describe, expect, test } from 'bun:test'
import { sha256Hex } from '../../src/core/hash.ts'
import { isSlug, isUuid, newId, slugify, uuidFromHash } from '../../src/core/ids.ts'

describe('ids', () => {
  test('are UUIDs that sort by the time they were made', () => {
    const ids = Array.from({ length: 1000 }, newId)
    expect(ids.every(isUuid)).toBe(true)
    expect(new Set(ids).size).toBe(1000)
    expect([...ids].sort()).toEqual(ids)
  })

  test('made from a hash are UUIDs of version 8, the same for the same hash', () => {
    const id = uuidFromHash(sha256Hex('model:letter'))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(uuidFromHash(sha256Hex('model:letter'))).toBe(id)
    expect(uuidFromHash(sha256Hex('model:other'))).not.toBe(id)
  })
})

describe('a slug', () => {
  test.each([
    ['Premium letter', 'premium-letter'],
    ['  Größe & Müller / 2026  ', 'grosse-muller-2026'],
    ['État civil', 'etat-civil'],
    ['日本', 'item'],
    ['---', 'item'],
    [`${'long '.repeat(30)}`, 'long-long-long-long-long-long-long-long-long-long-long-long-long'],
  ])('is made of %p', (name, slug) => {
    expect(slugify(name)).toBe(slug)
    expect(isSlug(slugify(name))).toBe(true)
    expect(slugify(name).length).toBeLessThanOrEqual(64)
  })

  test.each(['', 'Upper', 'two--hyphens', '-leading', 'trailing-', 'dot.ted'])('is not %p', (text) => {
    expect(isSlug(text)).toBe(false)
  })
})
