import { expect, test } from 'bun:test'
import { type Instant, parseInstant } from '../../src/core/instant.ts'
import { namesObjects } from '../../src/db/named-objects.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'

describeOnBothDialects('the objects that rows name', (dialect) => {
  test('are those of artifacts whose bytes are kept, and no others', async () => {
    const database = await openTestDatabase(dialect)
    const at = parseInstant('2026-11-29T06:00:00Z')!
    const insert = (kind: 'docx' | 'pdf', removedAt: Instant | null) =>
      database.write((tx) =>
        tx.q.insert(tx.t.artifacts).values({
          ...{ id: kind, executionId: 'e1', submissionId: 's1', kind, byteSize: 1, contentHash: 'h' },
          ...{ objectReference: 'o', modelSlug: 'm', nodeLabel: 'n', nodeAddress: 'n', createdAt: at, removedAt },
        }),
      )
    expect(await namesObjects(database.read)).toBe(false)
    await insert('docx', at)
    expect(await namesObjects(database.read)).toBe(false)
    await insert('pdf', null)
    expect(await namesObjects(database.read)).toBe(true)
    await database.close()
  })

  test('are those of batches with a kept file, among any number without one', async () => {
    const database = await openTestDatabase(dialect)
    const at = parseInstant('2026-11-29T06:00:00Z')!
    const insert = (id: string, fileHash: string | null) =>
      database.write((tx) =>
        tx.q.insert(tx.t.batches).values({
          ...{ id, name: 'batch', modelSlug: 'model', format: 'csv', contentHash: 'h', byteSize: 1, rows: 1, fileHash },
          ...{ reading: {}, status: 'running', nextRow: 2, nextOffset: 1, createdBy: 'u', correlationId: 'c' },
          ...{ createdAt: at, updatedAt: at },
        } as typeof tx.t.batches.$inferInsert),
      )
    for (const id of ['b1', 'b2']) await insert(id, null)
    expect(await namesObjects(database.read)).toBe(false)
    await insert('b3', 'f'.repeat(64))
    expect(await namesObjects(database.read)).toBe(true)
    await database.close()
  })
})
