import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sha256Hex } from '../../src/core/hash.ts'
import { instantOf } from '../../src/core/instant.ts'
import { attestedAnswer, insertAuditRecords, type NewAuditRow } from '../../src/db/audit-log.ts'
import { type Database, isUniqueViolation } from '../../src/db/database.ts'
import { markTrial } from '../../src/db/trials.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'

const at = instantOf('2026-11-29T09:30:00Z')
const record = (id: string, more: Partial<NewAuditRow> = {}): NewAuditRow => ({
  id,
  actorId: 'u1',
  action: 'family.created',
  resourceKind: 'template',
  resourceId: 'f1',
  correlationId: 'c1',
  at,
  detail: { b: 1, a: 'ä' },
  ...more,
})

/** Written by hand: the canonical JSON of a record, its keys in order. */
const contentOf = (id: string, resourceId: string | null) =>
  `{"action":"family.created","actor_id":"u1","at":"${at}","correlation_id":"c1","detail":{"a":"ä","b":1},"id":"${id}","resource_id":${JSON.stringify(resourceId)},"resource_kind":"template"}`

describeOnBothDialects('audit records', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    database.attestWith?.((text) => `tag of ${text}`)
  })
  afterAll(() => database.close())

  const kept = () =>
    database.read.q.select().from(database.read.t.auditRecords).orderBy(database.read.t.auditRecords.id)

  test('keep the hash of what they say and the store’s tag over it and the digest, and no place in the chain yet', async () => {
    await database.write((tx) =>
      insertAuditRecords(tx, [record('a1', { digest: 'd' }), record('a2', { resourceId: null })]),
    )
    const hashes = [sha256Hex(contentOf('a1', 'f1')), sha256Hex(contentOf('a2', null))]
    const unsealed = { position: null, previousHash: null, hash: null }
    expect(await kept()).toEqual([
      {
        ...record('a1'),
        ...unsealed,
        contentHash: hashes[0]!,
        digest: 'd',
        attestation: `tag of audit record ${hashes[0]} d`,
      },
      {
        ...record('a2', { resourceId: null }),
        ...unsealed,
        contentHash: hashes[1]!,
        digest: null,
        attestation: `tag of audit record ${hashes[1]} null`,
      },
    ] as never)
  })

  test('are neither written nor tagged in a trial, which is rolled back in any case', async () => {
    const before = await kept()
    await database.write(async (tx) => {
      markTrial(tx)
      await insertAuditRecords(tx, [record('trial')])
    })
    expect(await kept()).toEqual(before)
    // The mark is that transaction's alone.
    await database.write((tx) => insertAuditRecords(tx, [record('b1')]))
    expect((await kept()).map(({ id }) => id)).toContain('b1')
  })

  test('are written once, and all of a batch or none', async () => {
    const batch = Array.from({ length: 20 }, (_, index) => record(`batch-${String(index).padStart(2, '0')}`))
    await database.write((tx) => insertAuditRecords(tx, batch))
    expect((await kept()).map(({ id }) => id).filter((id) => id.startsWith('batch-'))).toEqual(
      batch.map(({ id }) => id),
    )
    const again = rejectionOf(database.write((tx) => insertAuditRecords(tx, [record('new'), record('batch-19')])))
    expect(isUniqueViolation(await again)).toBe(true)
    expect((await kept()).map(({ id }) => id)).not.toContain('new')
  })
})

test('the tag of a recorded answer is made over all of it but the tag, in a fixed form', () => {
  const answer = { actorId: 'u1', key: 'k', requestHash: 'h', status: 201, body: { id: 'x', n: 1 }, createdAt: at }
  expect(attestedAnswer(answer)).toBe(`answer ["u1","k","h",201,"{\\"id\\":\\"x\\",\\"n\\":1}","${at}"]`)
})
