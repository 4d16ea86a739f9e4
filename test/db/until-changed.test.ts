import { describe, expect, test } from 'bun:test'
import { untilChanged } from '../../src/db/until-changed.ts'
import { openTestDatabase } from '../support/database.ts'

/** Counts what is read, and answers with the number of the reading. */
function counting(database: { changes?: number }, most = 10) {
  const read: string[] = []
  const kept = untilChanged(database, most, async (key) => {
    read.push(key)
    return key === 'nobody' ? undefined : `${key} ${read.length}`
  })
  return { read, kept }
}

describe('what is read until the database changes', () => {
  test('is read once, and again after each change', async () => {
    const database = { changes: 0 }
    const { kept } = counting(database)
    expect([await kept('a'), await kept('a'), await kept('b')]).toEqual(['a 1', 'a 1', 'b 2'])
    database.changes++
    expect([await kept('a'), await kept('a')]).toEqual(['a 3', 'a 3'])
  })

  test('is read each time where others write, too', async () => {
    const { kept } = counting({})
    expect([await kept('a'), await kept('a')]).toEqual(['a 1', 'a 2'])
  })

  test('is read each time while there is nothing', async () => {
    const { read, kept } = counting({ changes: 0 })
    expect([await kept('nobody'), await kept('nobody')]).toEqual([undefined, undefined])
    expect(read).toHaveLength(2)
  })

  test('is not kept when the database changed while it was read', async () => {
    const database = { changes: 0 }
    let readings = 0
    const kept = untilChanged(database, 10, async () => {
      if (++readings === 1) database.changes++
      return readings
    })
    expect([await kept('a'), await kept('a'), await kept('a')]).toEqual([1, 2, 2])
  })

  test('is kept for a bounded number of keys', async () => {
    const { read, kept } = counting({ changes: 0 }, 2)
    for (const key of ['a', 'b', 'c', 'a', 'b', 'c']) await kept(key)
    expect(read).toEqual(['a', 'b', 'c', 'c'])
  })
})

test('an embedded database counts a change before the writer hears of it, also one that failed', async () => {
  const database = await openTestDatabase('sqlite')
  const before = database.changes ?? Number.NaN
  const seen: unknown[] = []
  await database.write(async (tx) => tx.afterCommit(() => seen.push(database.changes)))
  expect(seen).toEqual([before + 1])
  await database.write(() => Promise.reject(new Error('refused'))).catch(() => {})
  expect(database.changes).toBe(before + 2)
})
