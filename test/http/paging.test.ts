import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Fault } from '../../src/core/faults.ts'
import { limits } from '../../src/core/limits.ts'
import { cutPage, openCursor, pageLimit, pageOf, readPage, sealCursor } from '../../src/http/paging.ts'
import { rejectionOf } from '../support/outcome.ts'

const scope = { list: 'storage', format: 'pdf', from: '2026-01-01T00:00:00Z' }
const parts = ['2026-11-20T09:30:00.000000000Z', '0198c3d2-7a10-7c00-8000-000000000001']

test('a cursor opens for the key and the scope it was made for, and for no other', () => {
  const cursor = sealCursor(['key'], scope, parts)
  expect(openCursor(['key'], scope, cursor)).toEqual(parts)
  // 128 bits of MAC are 22 characters of base64url.
  expect(cursor).toMatch(/^[\w-]+\.[\w-]{22}$/)
  expect(openCursor(['other', 'key'], scope, cursor)).toEqual(parts)
  expect(() => openCursor(['other'], scope, cursor)).toThrow(Fault)
  expect(() => openCursor(['key'], { ...scope, format: 'docx' }, cursor)).toThrow(Fault)
})

test('a cursor in which one character was changed, cut or added is refused', () => {
  const cursor = sealCursor(['key'], scope, parts)
  const changed = cursor.startsWith('A') ? `B${cursor.slice(1)}` : `A${cursor.slice(1)}`
  for (const bad of [changed, cursor.slice(0, -1), `${cursor}A`, `${cursor}.A`, '', '.', 'x.y']) {
    expect(() => openCursor(['key'], scope, bad)).toThrow(/cursor/)
  }
})

test('a cursor stays below 512 characters for the longest parts a list has', () => {
  expect(sealCursor(['key'], scope, [...parts, ...parts]).length).toBeLessThan(512)
})

test('a page has a next one only when there was one row more', () => {
  expect(cutPage([1, 2, 3], 2)).toEqual({ rows: [1, 2], last: 2 })
  expect(cutPage([1, 2], 2)).toEqual({ rows: [1, 2], last: undefined })
  expect(cutPage([], 2)).toEqual({ rows: [], last: undefined })
})

describe('a page by id', () => {
  const rows = ['a', 'b', 'c', 'd']
  const asked: [string | undefined, number][] = []
  const list = {
    find: async (id: string) => (rows.includes(id) ? id : undefined),
    async rowsAfter(after: string | undefined, limit: number) {
      asked.push([after, limit])
      const from = after === undefined ? 0 : rows.indexOf(after) + 1
      return rows.slice(from, from + limit)
    },
  }

  test('begins after the row that its cursor names, in whichever case, and ends at its limit', async () => {
    expect(await readPage({ limit: 2 }, list)).toEqual({ rows: ['a', 'b'], last: 'b' })
    expect(await readPage({ limit: 2, cursor: 'B' }, list)).toEqual({ rows: ['c', 'd'], last: undefined })
    expect(await readPage({ cursor: 'd' }, list)).toEqual({ rows: [], last: undefined })
    expect(asked).toEqual([
      [undefined, 3],
      ['b', 3],
      ['d', limits.pageSizeDefault + 1],
    ])
  })

  test('is refused for a cursor that names no row of the list', async () => {
    expect(await rejectionOf(readPage({ cursor: 'e' }, list))).toMatchObject({ code: 'validation_failed' })
  })
})

test('a list is answered as a page of at most the largest size, with a cursor of bounded length', () => {
  const page = pageOf('things', Type.String())
  const taken = (value: unknown) => Value.Check(page, value)
  expect(taken({ things: Array(limits.pageSizeMax).fill('') })).toBe(true)
  expect(taken({ things: Array(limits.pageSizeMax + 1).fill('') })).toBe(false)
  expect(taken({ things: [], next_cursor: 'x'.repeat(limits.cursorChars) })).toBe(true)
  for (const next_cursor of ['', 'x'.repeat(limits.cursorChars + 1)])
    expect(taken({ things: [], next_cursor })).toBe(false)
  expect(taken({})).toBe(false)
})

test('the size of a page is a whole number from 1 to the largest', () => {
  for (const [limit, isTaken] of [
    [0, false],
    [1, true],
    [limits.pageSizeMax, true],
    [limits.pageSizeMax + 1, false],
    [1.5, false],
  ] as const) {
    expect([limit, Value.Check(pageLimit, limit)]).toEqual([limit, isTaken])
  }
})
