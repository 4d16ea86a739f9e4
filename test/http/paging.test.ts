import { expect, test } from 'bun:test'
import { Fault } from '../../src/core/faults.ts'
import { cutPage, openCursor, sealCursor } from '../../src/http/paging.ts'

const scope = { list: 'storage', format: 'pdf', from: '2026-01-01T00:00:00Z' }
const parts = ['2026-11-20T09:30:00.000000000Z', '0198c3d2-7a10-7c00-8000-000000000001']

test('a cursor opens for the key and the scope it was made for, and for no other', () => {
  const cursor = sealCursor('key', scope, parts)
  expect(openCursor('key', scope, cursor)).toEqual(parts)
  expect(cursor).toMatch(/^[\w-]+\.[\w-]+$/)
  expect(() => openCursor('other', scope, cursor)).toThrow(Fault)
  expect(() => openCursor('key', { ...scope, format: 'docx' }, cursor)).toThrow(Fault)
})

test('a cursor in which one character was changed, cut or added is refused', () => {
  const cursor = sealCursor('key', scope, parts)
  const changed = cursor.startsWith('A') ? `B${cursor.slice(1)}` : `A${cursor.slice(1)}`
  for (const bad of [changed, cursor.slice(0, -1), `${cursor}A`, `${cursor}.A`, '', '.', 'x.y']) {
    expect(() => openCursor('key', scope, bad)).toThrow(/cursor/)
  }
})

test('a cursor stays below 512 characters for the longest parts a list has', () => {
  expect(sealCursor('key', scope, [...parts, ...parts]).length).toBeLessThan(512)
})

test('a page has a next one only when there was one row more', () => {
  expect(cutPage([1, 2, 3], 2)).toEqual({ rows: [1, 2], last: 2 })
  expect(cutPage([1, 2], 2)).toEqual({ rows: [1, 2], last: undefined })
  expect(cutPage([], 2)).toEqual({ rows: [], last: undefined })
})
