import { expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { BatchFiles, FileLost } from '../../../src/modules/batches/batches.files.ts'
import type { BatchRecord } from '../../../src/modules/batches/batches.store.ts'
import type { ObjectStore } from '../../../src/objects/object-store.ts'
import { rejectionOf } from '../../support/outcome.ts'

/** Files by name, each of two rows, and which of them were read. */
function filesOf(texts: Record<string, string>) {
  const read: string[] = []
  const objects = {
    async get(name: string) {
      read.push(name)
      const text = texts[name]
      return text === undefined ? undefined : new TextEncoder().encode(text)
    },
  } as unknown as ObjectStore
  const files = new BatchFiles(objects)
  const next = (name: string, nextRow = 1) => {
    const reading = { format: 'ndjson', start: 0 }
    const batch = { id: name, contentHash: name, reading, nextRow, nextOffset: 0, rows: 2 }
    return files.next(batch as unknown as BatchRecord, 1)
  }
  return { files, next, read }
}

test('files of batches that are fed in turn are read once, and again only when they were let go', async () => {
  const { files, next, read } = filesOf({ a: '1\n2\n', b: '1\n2\n' })
  for (const row of [1, 2])
    for (const name of ['a', 'b']) expect((await next(name, row))[0]).toMatchObject({ number: row })
  expect(read).toEqual(['a', 'b'])
  files.keepOnly(['b'])
  for (const name of ['a', 'b']) await next(name, 2)
  expect(read).toEqual(['a', 'b', 'a'])
})

test('of files that are too long together the one that was read longest ago is let go, and no more than that', async () => {
  const most = 2 * limits.batchFileBytes
  const first = '1\n2\n'
  const half = first.padEnd(most / 2)
  const { next, read } = filesOf({ a: half, b: first, c: first.padEnd(most / 2 - first.length), d: first })
  for (const name of ['a', 'b', 'c', 'a', 'b', 'c']) await next(name)
  expect(read).toEqual(['a', 'b', 'c'])
  await next('d')
  for (const name of ['b', 'c', 'd', 'a']) await next(name)
  expect(read).toEqual(['a', 'b', 'c', 'd', 'a'])
})

test('a file that is gone, or has fewer rows than were counted, is said to be lost', async () => {
  const { next } = filesOf({ short: '1\n' })
  for (const name of ['short', 'gone']) {
    const read = async () => [await next(name, 1), await next(name, 2)]
    expect(await rejectionOf(read())).toBeInstanceOf(FileLost)
  }
})
