import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parseInstant } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { listErasedObjects } from '../../../src/modules/erasures/erasures.store.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

const erasedAt = parseInstant('2026-11-20T09:30:00Z')!

describeOnBothDialects('the objects that an erasure has still to remove', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    await database.write(async ({ q, t }) => {
      for (const id of ['one', 'other']) {
        const about = { objectReferenceHash: '', rule: null, reason: 'asked for', erasedBy: 'u', correlationId: 'c' }
        await q.insert(t.erasures).values({ id, ...about, counts: {} as never, erasedAt, completedAt: null })
      }
      await q.insert(t.erasedItems).values([
        { erasureId: 'one', kind: 'object', itemId: 'a', contentHash: null },
        { erasureId: 'one', kind: 'object', itemId: 'b', contentHash: null },
        { erasureId: 'one', kind: 'submission', itemId: 's', contentHash: null },
        { erasureId: 'other', kind: 'object', itemId: 'c', contentHash: null },
      ])
    })
  })
  afterAll(() => database.close())

  test('are its own, and nothing else that it erased', async () => {
    expect(await listErasedObjects(database.read, 'one')).toEqual(['b', 'a'])
    expect(await listErasedObjects(database.read, 'other')).toEqual(['c'])
    expect(await listErasedObjects(database.read, 'unknown')).toEqual([])
  })
})
