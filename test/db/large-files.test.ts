import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { asc, eq, sql } from 'drizzle-orm'
import { limits } from '../../src/core/limits.ts'
import type { Database } from '../../src/db/database.ts'
import { readLargeFile, removeLargeFile, requireLargeFile, writeLargeFile } from '../../src/db/large-files.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'

const size = limits.filePieceBytes
/** No two pieces of it are alike. */
const file = (bytes: number, first = 0) => Uint8Array.from({ length: bytes }, (_, at) => (at + first + at / size) % 251)

describeOnBothDialects('a large file', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  beforeEach(() => database.write(async ({ q, t }) => void (await q.delete(t.filePieces))))
  afterAll(() => database.close())

  const write = (bytes: Uint8Array) => database.write((tx) => writeLargeFile(tx, bytes))
  const pieces = async () => {
    const { filePieces } = database.read.t
    const rows = await database.read.q.select().from(filePieces).orderBy(asc(filePieces.fileId), asc(filePieces.number))
    return rows.map(({ fileId, number, bytes }) => [fileId, number, bytes.length])
  }

  test('is read as it was written; only its last piece is shorter', async () => {
    const lengths = new Map([
      [size - 1, [size - 1]],
      [size, [size, 0]],
      [size + 1, [size, 1]],
      [2 * size, [size, size, 0]],
      [2 * size + 5, [size, size, 5]],
    ])
    for (const [length, expected] of lengths) {
      const bytes = file(length)
      const id = await write(bytes)
      expect(await readLargeFile(database.read, id)).toEqual({ bytes, isWhole: true })
      expect((await pieces()).filter(([fileId]) => fileId === id)).toEqual(
        expected.map((each, number) => [id, number, each]),
      )
    }
  })

  test('may be a part of a larger buffer', async () => {
    const bytes = file(2 * size)
    const id = await write(bytes.subarray(7, size + 9))
    expect((await readLargeFile(database.read, id)).bytes).toEqual(bytes.slice(7, size + 9))
  })

  test('is not whole where a piece is missing, has another length, or is one too many', async () => {
    const bytes = file(2 * size + 5)
    const damages = [
      ...[0, 1, 2].map((number) => `delete from file_pieces where number = ${number}`),
      'update file_pieces set number = 7 where number = 1',
      ...[0, 1].map(
        (number) =>
          `update file_pieces set bytes = (select bytes from file_pieces where number = 2) where number = ${number}`,
      ),
      'update file_pieces set bytes = (select bytes from file_pieces where number = 0) where number = 2',
      'insert into file_pieces (file_id, number, bytes) select file_id, 3, bytes from file_pieces where number = 2',
      'delete from file_pieces',
    ]
    for (const damage of damages) {
      const id = await write(bytes)
      await database.write((tx) => tx.rows(sql.raw(damage)))
      const found = await readLargeFile(database.read, id)
      expect([damage, found.isWhole]).toEqual([damage, false])
      expect(await rejectionOf(requireLargeFile(database.read, id, 'version 7'))).toEqual(
        new Error('pieces of the file of version 7 are missing from the database'),
      )
      await database.write(async ({ q, t }) => void (await q.delete(t.filePieces)))
    }
  })

  test('is removed with all of its pieces, and no other file with it', async () => {
    const [one, other] = [await write(file(2 * size)), await write(file(size + 3, 1))]
    await database.write((tx) => removeLargeFile(tx, one))
    expect(await pieces()).toEqual([
      [other, 0, size],
      [other, 1, 3],
    ])
  })

  test('is removed with all that is left of it where a piece in its middle is missing', async () => {
    const id = await write(file(3 * size))
    await database.write(({ q, t }) => q.delete(t.filePieces).where(eq(t.filePieces.number, 1)))
    await database.write((tx) => removeLargeFile(tx, id))
    expect(await pieces()).toEqual([])
  })

  test('gives others a turn of the event loop after each piece, read, written or removed', async () => {
    const bytes = file(5 * size)
    let id = ''
    const works: (() => Promise<unknown>)[] = [
      async () => {
        id = await write(bytes)
      },
      () => readLargeFile(database.read, id),
      () => database.write((tx) => removeLargeFile(tx, id)),
    ]
    for (const work of works) {
      let turns = 0
      let isOver = false
      const count = () => {
        turns++
        if (!isOver) setImmediate(count)
      }
      setImmediate(count)
      await work()
      isOver = true
      expect(turns).toBeGreaterThanOrEqual(5)
    }
  })

  test('is gone if its transaction is rolled back', async () => {
    const refused = new Error('refused')
    const work = database.write(async (tx) => {
      await writeLargeFile(tx, file(2 * size))
      throw refused
    })
    expect(await rejectionOf(work)).toBe(refused)
    expect(await pieces()).toEqual([])
  })
})
