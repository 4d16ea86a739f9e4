import { expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { BatchFiles, FileLost } from '../../../src/modules/batches/batches.files.ts'
import type { BatchRecord } from '../../../src/modules/batches/batches.store.ts'
import { ObjectDamaged, type ObjectStore, ObjectStoreUnavailable } from '../../../src/objects/object-store.ts'
import { rejectionOf } from '../../support/outcome.ts'

/** Files by name, each of two rows, and which of them were read. */
function filesOf(texts: Record<string, string | Uint8Array | Error>) {
  const read: string[] = []
  const objects = {
    async get(name: string) {
      read.push(name)
      const text = texts[name]
      if (text instanceof Error) throw text
      return typeof text === 'string' ? new TextEncoder().encode(text) : text
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

test('a file that is lost is said to be so: gone, damaged, no text, or with fewer rows than were counted', async () => {
  const { next } = filesOf({
    ...{ short: '1\n', broken: new Uint8Array([0x7b, 0xff, 0x0a]) },
    ...{ damaged: new ObjectDamaged('damaged'), away: new ObjectStoreUnavailable('away') },
  })
  const lossOf = async (name: string) => rejectionOf((async () => [await next(name, 1), await next(name, 2)])())
  for (const [name, words] of [
    ['short', 'Its file has fewer rows than when it was handed in.'],
    ['gone', 'Its file is not in the object store any more.'],
    ['damaged', 'Its file in the object store is damaged.'],
    ['broken', 'Its file is not what was handed in.'],
  ] as const) {
    const loss = await lossOf(name)
    expect([name, loss instanceof FileLost, (loss as Error).message]).toEqual([name, true, words])
  }
  // A store that does not answer has lost nothing.
  expect(await lossOf('away')).toBeInstanceOf(ObjectStoreUnavailable)
})

test('rows are read with their numbers, lines and ends, as many as were asked for and no more than the batch has', async () => {
  const { files, next } = filesOf({ a: '{"n":1}\n\n{"n":2}\n{"n":3}\n' })
  const reading = { format: 'ndjson', start: 0 }
  const batch = { id: 'a', contentHash: 'a', reading, nextRow: 1, nextOffset: 0, rows: 2 }
  const read = await files.next(batch as unknown as BatchRecord, 9)
  expect(read.map(({ number, line, rawInput }) => [number, line, rawInput])).toEqual([
    [1, 1, '{"n":1}'],
    [2, 3, '{"n":2}'],
  ])
  // It goes on from the place that it is given, wherever it was before.
  const place = { ...batch, nextRow: 2, nextOffset: read[0]!.end }
  expect(
    (await files.next(place as unknown as BatchRecord, 1)).map(({ number, rawInput }) => [number, rawInput]),
  ).toEqual([[2, '{"n":2}']])
  expect((await next('a', 1)).length).toBe(1)
})

test('lines are counted on from row to row, and again where rows are read again', async () => {
  const { files } = filesOf({ a: `1\n${'\n'.repeat(200_000)}2\n\n3\n4\n` })
  const batch = { id: 'a', contentHash: 'a', reading: { format: 'ndjson', start: 0 }, rows: 4 }
  let place = { nextRow: 1, nextOffset: 0 }
  const read = async (most: number) => files.next({ ...batch, ...place } as unknown as BatchRecord, most)
  const lines = async (most: number) => (await read(most)).map(({ line }) => line)
  expect(await lines(2)).toEqual([1, 200_002])
  expect(await lines(2)).toEqual([1, 200_002])
  place = { nextRow: 3, nextOffset: (await read(2))[1]!.end }
  expect([await lines(1), await lines(2), await lines(2)]).toEqual([[200_004], [200_004, 200_005], [200_004, 200_005]])
  place = { nextRow: 1, nextOffset: 0 }
  expect(await lines(4)).toEqual([1, 200_002, 200_004, 200_005])
})
