/** What is found and taken of an object, statement by statement, and what an erasure answers; from rows written for it. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, formatInstant, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database, Transaction } from '../../../src/db/database.ts'
import { erasedAnswer } from '../../../src/http/idempotency.store.ts'
import { recordAudit } from '../../../src/modules/audit/audit.service.ts'
import { createErasureService, removeByPolicy } from '../../../src/modules/erasures/erasures.service.ts'
import {
  emptyRecord,
  erasureIds,
  findAbout,
  findErasure,
  forgetReference,
  listErasedObjects,
  listErasures,
  listPending,
  listThere,
  markCompleted,
  pauseOlderBatches,
} from '../../../src/modules/erasures/erasures.store.ts'
import { seedExecution } from '../../runner/seed.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'
import { signing } from '../../support/signing.ts'

const start = instantOf('2026-11-01T00:00:00Z')
const actor: Actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'erasing', at: addMs(start, 60_000) }
const once = () => ({ actorId: SYSTEM_ACTOR_ID, key: crypto.randomUUID(), requestHash: '0'.repeat(64) })

let database: Database
beforeEach(async () => {
  if (database === undefined) {
    database = await openTestDatabase('sqlite')
    database.attestWith?.(signing.attest)
  }
  await database.write(async ({ q, t }) => {
    for (const table of [t.submissions, t.executions, t.steps, t.artifacts, t.events, t.idempotency, t.holds])
      await q.delete(table)
    for (const table of [t.batches, t.batchRows, t.erasures, t.erasedItems, t.auditRecords, t.webhookDeliveries])
      await q.delete(table)
  })
})
afterAll(() => database?.close())

const write = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.write(work)

/** A submission with one execution of two steps, and one event. */
async function submission(reference = 'A-1', second = 0, status: 'queued' | 'completed' | 'failed' = 'completed') {
  const executionId = await seedExecution(database, { stepCount: 2 })
  const { submissions, executions } = database.read.t
  const [row] = await database.read.q.select().from(executions).where(eq(executions.id, executionId))
  const id = row!.submissionId
  await write(async ({ q }) => {
    const change = { objectReference: reference, createdAt: addMs(start, second * 1_000) }
    await q.update(submissions).set(change).where(eq(submissions.id, id))
    await q.update(executions).set({ status }).where(eq(executions.id, executionId))
  })
  return { id, executionId }
}
async function artifact(executionId: string, submissionId: string, byteSize: number, kind: 'docx' | 'pdf' = 'docx') {
  const contentHash = sha256Hex(newId())
  await write(async ({ q, t }) => {
    await q.insert(t.artifacts).values({
      ...{ id: newId(), executionId, submissionId, kind, byteSize, contentHash, objectReference: 'A-1' },
      ...{ modelSlug: 'model', nodeLabel: 'L', nodeAddress: 'm:l', createdAt: start, removedAt: null },
    })
  })
  return contentHash
}
async function answer(body: object, createdAt = start, key = newId()): Promise<string> {
  await write(async ({ q, t }) => {
    await q.insert(t.idempotency).values({
      ...{ actorId: SYSTEM_ACTOR_ID, key, requestHash: '0'.repeat(64), status: 202, body, createdAt },
    })
  })
  return key
}
const answerOf = async (key: string) => {
  const { idempotency } = database.read.t
  const [row] = await database.read.q.select().from(idempotency).where(eq(idempotency.key, key))
  return [row?.status, row?.body]
}
async function batch(change: object = {}): Promise<string> {
  const id = newId()
  await write(async ({ q, t }) => {
    await q.insert(t.batches).values({
      ...{ id, name: 'May', modelSlug: 'model', format: 'csv', contentHash: 'f'.repeat(64), fileHash: 'f'.repeat(64) },
      ...{ byteSize: 1, rows: 1, reading: { start: 0 }, status: 'running', nextRow: 2, nextOffset: 0 },
      ...{ createdBy: SYSTEM_ACTOR_ID, correlationId: 'c', createdAt: start, updatedAt: start, ...change },
    })
  })
  return id
}
async function row(batchId: string, submissionId: string): Promise<void> {
  await write(async ({ q, t }) => {
    await q.insert(t.batchRows).values({ batchId, number: 1, line: 2, state: 'completed', submissionId, reopened: 0 })
  })
}
const record = (resourceId: string, detail = {}, correlationId = 'c') =>
  write((tx) => recordAudit(tx, { ...actor, correlationId }, { action: 'x.y', resourceKind: 'x', resourceId, detail }))

describe('what is about an object', () => {
  test('is counted whole: its submissions, with their executions, steps, files, events, records and answers', async () => {
    const own = await submission()
    const other = await submission('A-2')
    const hashes = [await artifact(own.executionId, own.id, 30), await artifact(own.executionId, own.id, 12, 'pdf')]
    await artifact(other.executionId, other.id, 500)
    for (const id of [own.id, own.executionId, other.id]) await record(id)
    const key = await answer({ submission: { id: own.id } })
    await answer({ submission: { id: other.id } })
    // Of another time, or about something else.
    await answer({ submission: { id: own.id } }, addMs(start, 1))
    await answer({ release: newId() })
    const found = await findAbout(database.read, { objectReference: 'A-1' }, 9)
    expect(found).toMatchObject({
      ...{ submissionIds: [own.id], objectReferences: ['A-1'], models: ['model'], remaining: 0 },
      ...{ executions: [{ id: own.executionId, status: 'completed' }], batchesAtWork: [], batchFiles: [] },
      counts: {
        ...{ submissions: 1, executions: 1, steps: 2, artifacts: 2, artifact_bytes: 42 },
        ...{ events: 1, audit_records: 2, answers: 1 },
      },
    })
    expect(found.artifacts.map(({ contentHash }) => contentHash).sort()).toEqual(hashes.sort())
    expect(found.answers.map((one) => one.key)).toEqual([key])
    expect((await findAbout(database.read, { objectReference: 'A' }, 9)).submissionIds).toEqual([])
  })

  test('is taken oldest first, as much as one erasure takes, and says how many remain', async () => {
    const newest = await submission('A-1', 9)
    const [oldest, twin] = [await submission('A-1', 1), await submission('A-1', 1)]
    const taken = async (most: number) => {
      const { submissionIds, remaining } = await findAbout(database.read, { objectReference: 'A-1' }, most)
      return [submissionIds, remaining]
    }
    expect(await taken(2)).toEqual([[oldest.id, twin.id], 1])
    expect(await taken(3)).toEqual([[oldest.id, twin.id, newest.id], 0])
    const byIds = await findAbout(database.read, { submissionIds: [newest.id, newId()] }, 9)
    expect([byIds.submissionIds, byIds.remaining]).toEqual([[newest.id], 0])
    expect(await listThere(database.read, [oldest.id, newId()])).toEqual([oldest.id])
  })

  test('is in the file of a batch until its last row is submitted, and in its bytes after that', async () => {
    const { id } = await submission()
    const [open, done] = [await batch(), await batch({ fileHash: null, contentHash: 'e'.repeat(64) })]
    for (const each of [open, done]) await row(each, id)
    await row(await batch({ contentHash: 'd'.repeat(64) }), newId())
    const found = await findAbout(database.read, { objectReference: 'A-1' }, 9)
    expect([found.batchesAtWork, found.batchFiles.sort()]).toEqual([[open], ['e'.repeat(64), 'f'.repeat(64)]])
  })
})

describe('an emptied record', () => {
  const emptied = async (correlationId: string, detail: object, isSealed: boolean, reference = 'A-1') => {
    const resourceId = newId()
    await record(resourceId, detail, correlationId)
    const { auditRecords } = database.read.t
    const read = async () =>
      (await database.read.q.select().from(auditRecords).where(eq(auditRecords.resourceId, resourceId)))[0]!
    if (isSealed) {
      await write(async ({ q }) => {
        await q.update(auditRecords).set({ position: 1, hash: 'chain' }).where(eq(auditRecords.resourceId, resourceId))
      })
    }
    const before = await read()
    const told = await write((tx) => emptyRecord(tx, before, { erasureId: 'er', objectReferences: ['X-9', reference] }))
    await write(async ({ q }) => {
      await q.update(auditRecords).set({ position: null }).where(eq(auditRecords.resourceId, resourceId))
    })
    return { before, after: await read(), told }
  }

  test('says which erasure emptied it and which token it was, and keeps its hashes in the chain', async () => {
    const detail = { object_reference: 'A-1', token_id: 'tok' }
    const { before, after, told } = await emptied('c', detail, true)
    expect(after.detail).toEqual({ erasure_id: 'er', token_id: 'tok' })
    expect([after.contentHash, after.attestation, after.hash]).toEqual([
      before.contentHash,
      before.attestation,
      'chain',
    ])
    expect(told).toMatch(/^[0-9a-f]{64}$/)
    expect(told).not.toBe(before.contentHash!)
  })

  test('outside of the chain is written anew with the store’s tag, and has no tombstone', async () => {
    const { before, after, told } = await emptied('c', { object_reference: 'A-1' }, false)
    expect([after.detail, told]).toEqual([{ erasure_id: 'er' }, undefined])
    expect(after.contentHash).not.toBe(before.contentHash)
    expect(after.attestation).not.toBe(before.attestation)
  })

  test('loses a correlation id that names the object, and keeps one that only happens to have a part of it', async () => {
    const idOf = async (correlationId: string, reference: string) =>
      (await emptied(correlationId, {}, false, reference)).after.correlationId
    expect(await idOf('order-A-1-again', 'A-1')).toBe('erased')
    expect(await idOf('order-A-2', 'A-1')).toBe('order-A-2')
    // One whose groups have nothing in common, as those of a new one may.
    const own = '0198c3d2-7a10-7c00-8000-00000000000a'
    expect(await idOf(own, own.slice(0, 4))).toBe(own)
    expect(await idOf(own, own)).toBe('erased')
  })
})

test('holds on the object keep its hash alone, and answers that named it are gone', async () => {
  const hash = sha256Hex('A-1')
  const hold = (id: string, objectReferenceHash: string, releasedAt: typeof start | null) => ({
    ...{ id, objectReference: 'A-1', objectReferenceHash, modelSlug: null, reason: 'case', placedBy: SYSTEM_ACTOR_ID },
    ...{ correlationId: 'c', placedAt: start, releasedAt },
  })
  const [own, other] = [newId(), newId()]
  const released = addMs(start, 5)
  await write(async ({ q, t }) => {
    await q.insert(t.holds).values([hold(own, hash, released), hold(other, 'x'.repeat(64), null)])
  })
  const keys = [await answer({ id: own }), await answer({ id: own }, released), await answer({ id: other })]
  await write((tx) => forgetReference(tx, hash))
  const { holds } = database.read.t
  const rows = await database.read.q.select().from(holds)
  expect(Object.fromEntries(rows.map(({ id, objectReference }) => [id, objectReference]))).toEqual({
    ...{ [own]: null, [other]: 'A-1' },
  })
  expect(rows.find(({ id }) => id === own)?.objectReferenceHash).toBe(hash)
  expect(await Promise.all(keys.map(answerOf))).toEqual([
    [erasedAnswer, {}],
    [erasedAnswer, {}],
    [202, { id: other }],
  ])
})

test('batches that are older than an erasure and still have their file are paused, and no others', async () => {
  const older = await batch()
  const others = [
    await batch({ createdAt: addMs(start, 1) }),
    await batch({ fileHash: null }),
    await batch({ status: 'cancelled' }),
  ]
  await write((tx) => pauseOlderBatches(tx, addMs(start, 1), 'Look first.'))
  const { batches } = database.read.t
  const rows = await database.read.q.select().from(batches)
  const told = (id: string) => {
    const found = rows.find((one) => one.id === id)
    return [found?.status, found?.pauseReason]
  }
  expect(told(older)).toEqual(['paused', 'Look first.'])
  expect(others.map(told)).toEqual([
    ['running', null],
    ['running', null],
    ['cancelled', null],
  ])
})

describe('erasures', () => {
  const service = () => createErasureService(database, { get: async () => undefined })
  const erase = (objectReference: string, at = actor.at) =>
    service().erase({ ...actor, at }, once(), { objectReference, reason: 'they asked' })

  test('answer what they took, leave a record and tombstones, and are the same when they are read', async () => {
    const own = await submission()
    const contentHash = await artifact(own.executionId, own.id, 30)
    const made = await erase('A-1')
    const { id } = made.erasure
    const counts = {
      ...{ submissions: 1, executions: 1, steps: 2, artifacts: 1, artifact_bytes: 30 },
      ...{ events: 1, audit_records: 0, answers: 0 },
    }
    expect(made).toEqual({
      erasure: {
        ...{ id, object_reference_hash: sha256Hex('A-1'), reason: 'they asked', counts, erased_by: SYSTEM_ACTOR_ID },
        ...{ correlation_id: 'erasing', erased_at: formatInstant(actor.at), status: 'finishing' },
      },
      ...{ refused_rows: 0, dropped_files: 0, remaining: 0 },
    })
    expect(await service().read(id)).toEqual(made.erasure)
    const { auditRecords, erasedItems } = database.read.t
    const [audited] = await database.read.q.select().from(auditRecords).where(eq(auditRecords.resourceId, id))
    expect(audited).toMatchObject({
      ...{ action: 'object.erased', resourceKind: 'erasure', actorId: SYSTEM_ACTOR_ID, correlationId: 'erasing' },
      detail: { object_reference_hash: sha256Hex('A-1'), reason: 'they asked', counts },
    })
    const items = await database.read.q.select().from(erasedItems)
    expect(items.map(({ kind, itemId }) => `${kind} ${itemId}`).sort()).toEqual(
      [`submission ${own.id}`, `execution ${own.executionId}`, `object ${contentHash}`].sort(),
    )
    expect(await listErasedObjects(database.read, id)).toEqual([contentHash])
    expect(await findAbout(database.read, { objectReference: 'A-1' }, 9)).toMatchObject({ submissionIds: [] })
    await write((tx) => markCompleted(tx, id))
    const completed = await service().read(id)
    expect(completed).toMatchObject({ status: 'completed', completed_at: expect.any(String) })
    // Whoever completes it second changes nothing.
    await write((tx) => markCompleted(tx, id))
    expect(await service().read(id)).toEqual(completed)
  })

  test('are refused in words that say what to do, and then change nothing', async () => {
    const refusal = async (reference: string) => {
      const { code, detail } = (await rejectionOf(erase(reference))) as { code: string; detail: string }
      return [code, detail]
    }
    expect(await refusal('NOBODY')).toEqual([
      ...['not_found', 'Nothing is about the object NOBODY. Check its spelling.'],
    ])
    await submission('ONE', 0, 'queued')
    expect(await refusal('ONE')).toEqual(['conflict', 'One execution has not ended yet. Wait for that, then erase.'])
    for (const second of [1, 2]) await submission('TWO', second, 'queued')
    await submission('TWO', 3, 'failed')
    expect(await refusal('TWO')).toEqual(['conflict', '2 executions have not ended yet. Wait for that, then erase.'])
    const { id } = await submission('FILE')
    await row(await batch(), id)
    expect(await refusal('FILE')).toEqual([
      'conflict',
      'A batch with a row about the object is not wholly submitted. Wait for that or cancel it, then erase.',
    ])
    expect(await rejectionOf(service().read(newId()))).toMatchObject({ code: 'not_found' })
    expect((await service().list({})).erasures).toEqual([])
  })

  test('take the oldest of an object that has more than one takes, and the next takes the rest', async () => {
    for (let second = 0; second <= limits.erasureSubmissions; second++) await submission('MANY', second)
    const first = await erase('MANY')
    expect([first.erasure.counts.submissions, first.remaining]).toEqual([limits.erasureSubmissions, 1])
    expect((await service().plan('MANY', actor.at)).counts.submissions).toBe(1)
    const second = await erase('MANY', addMs(actor.at, 1))
    expect([second.erasure.counts.submissions, second.remaining]).toEqual([1, 0])
  })

  test('are planned with what keeps them: work at hand and holds', async () => {
    await submission('P-1')
    await submission('P-1', 1, 'queued')
    const { id } = await submission('P-1', 2)
    await row(await batch(), id)
    const holdId = newId()
    await write(async ({ q, t }) => {
      await q.insert(t.holds).values({
        ...{ id: holdId, objectReference: 'P-1', objectReferenceHash: sha256Hex('P-1'), reason: 'case' },
        ...{ placedBy: SYSTEM_ACTOR_ID, correlationId: 'c', placedAt: start },
      })
    })
    expect(await service().plan('P-1', actor.at)).toMatchObject({
      ...{ at_work: 2, holds: [holdId], remaining: 0, refused_rows: 0, dropped_files: 0 },
      counts: { submissions: 3, executions: 3, steps: 6 },
    })
    expect(await service().plan('P-2', actor.at)).toMatchObject({ at_work: 0, holds: [], counts: { submissions: 0 } })
  })

  test('are listed newest first, page by page, those of one instant by their ids', async () => {
    const ids: string[] = []
    for (const [index, ms] of [0, 5, 5, 9].entries()) {
      await submission(`L-${index}`)
      ids.unshift((await erase(`L-${index}`, addMs(actor.at, ms))).erasure.id)
    }
    const first = await service().list({ limit: 2 })
    expect([first.erasures.map(({ id }) => id), first.next_cursor]).toEqual([ids.slice(0, 2), ids[1]])
    const second = await service().list({ limit: 2, cursor: first.next_cursor! })
    expect([second.erasures.map(({ id }) => id), 'next_cursor' in second]).toEqual([ids.slice(2), false])
    expect((await listErasures(database.read, undefined, 9)).map(({ id }) => id)).toEqual(ids)
    const all: string[] = []
    for await (const id of erasureIds(database.read)) all.push(id)
    expect(all).toEqual(ids.toSorted())
    expect((await listPending(database.read, 9)).map(({ id }) => id)).toEqual(ids.toSorted())
    await write((tx) => markCompleted(tx, all[0]!))
    expect((await listPending(database.read, 2)).map(({ id }) => id)).toEqual(all.slice(1, 3))
  })

  test('under a policy take what may still go, name the rule, and leave retried executions alone', async () => {
    const [own, other] = [await submission('R-1'), await submission('R-2', 1)]
    const rule = { retention: 4, keep_days: 1, ingestion_model: 'model' }
    const all = [own.id, other.id]
    const removing = (removable: string[]) =>
      write((tx) => removeByPolicy(tx, actor, { rule, submissionIds: all, sortDue: async () => ({ removable }) }))
    expect(await removing([])).toBe(0)
    const { executions, erasures, auditRecords } = database.read.t
    const status = (to: 'queued' | 'completed') =>
      write(async ({ q }) => {
        await q.update(executions).set({ status: to }).where(eq(executions.id, own.executionId))
      })
    await status('queued')
    expect(await removing([own.id])).toBe(0)
    await status('completed')
    expect(await removing([own.id])).toBe(1)
    expect(await removing([own.id])).toBe(0)
    expect(await listThere(database.read, all)).toEqual([other.id])
    const [erasure] = await database.read.q.select().from(erasures)
    expect(await service().read(erasure!.id)).toMatchObject({ rule, reason: 'kept for 1 day (model)' })
    expect(await service().read(erasure!.id)).not.toHaveProperty('object_reference_hash')
    const [audited] = await database.read.q.select().from(auditRecords).where(eq(auditRecords.resourceId, erasure!.id))
    expect(audited).toMatchObject({ action: 'retention.removed', detail: { rule, reason: 'kept for 1 day (model)' } })
    const plain = { retention: 5, keep_days: 2 }
    const sortDue = async () => ({ removable: [other.id] })
    await write((tx) =>
      removeByPolicy(tx, { ...actor, at: addMs(actor.at, 9) }, { rule: plain, submissionIds: all, sortDue }),
    )
    expect((await service().list({ limit: 1 })).erasures[0]?.reason).toBe('kept for 2 days (all models)')
    expect(await findErasure(database.read, newId())).toBeUndefined()
  })
})
