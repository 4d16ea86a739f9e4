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

test('an id made from a hash keeps its digits except for version and variant', () => {
  const hash = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
  expect(uuidFromHash(hash)).toBe('00112233-4455-8677-8899-aabbccddeeff')
  // Two bits of the variant are fixed, the other two are the hash's.
  const variants = Array.from(
    '0123456789abcdef',
    (digit) => uuidFromHash(hash.slice(0, 16) + digit + hash.slice(17))[19],
  )
  expect(variants.join('')).toBe('89ab89ab89ab89ab')
})

test('an id is told from other texts', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  for (const text of [id, id.toUpperCase()]) expect(isUuid(text)).toBe(true)
  for (const text of ['', id.slice(1), `${id}0`, id.replaceAll('-', ''), `g${id.slice(1)}`, ` ${id}`])
    expect([text, isUuid(text)]).toEqual([text, false])
})

test('a slug is as long as it may be, and ends in no hyphen', () => {
  expect(slugify('ab cd', 3)).toBe('ab')
  expect(slugify('ab cd', 4)).toBe('ab-c')
  expect(slugify('x'.repeat(65))).toBe('x'.repeat(64))
  expect(slugify('!', 5)).toBe('item')
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
