/** What a policy lets go, and what it doesn't yet, from rows that are written for it. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, type Instant, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { RetainedPart } from '../../../src/core/retained-parts.ts'
import type { Database } from '../../../src/db/database.ts'
import type { RetentionPolicy } from '../../../src/db/schema.ts'
import type { RowRecord } from '../../../src/modules/batches/batches.store.ts'
import { dueBefore, duePages, sortDue } from '../../../src/modules/retention/retention.due.service.ts'
import { createRetentionService } from '../../../src/modules/retention/retention.service.ts'
import {
  dropFile,
  listBefore,
  listHoldingBatches,
  listReferences,
} from '../../../src/modules/retention/retention.store.ts'
import { namedHashes } from '../../../src/modules/storage/storage.reads.ts'
import { seedExecution } from '../../runner/seed.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const start = instantOf('2026-11-01T00:00:00Z')
const dayMs = 86_400_000

let database: Database
beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async (tx) => {
    const { t } = tx
    for (const table of [t.submissions, t.executions, t.steps, t.holds, t.batches, t.batchRows, t.artifacts])
      await tx.q.delete(table)
    for (const table of [t.erasures, t.erasedItems, t.events, t.webhooks, t.webhookDeliveries, t.retention])
      await tx.q.delete(table)
  })
})
afterAll(() => database?.close())

interface Wanted {
  second?: number
  model?: string
  reference?: string
  status?: 'queued' | 'completed' | 'failed'
}
/** A submission of one execution, whose events were sent to everybody. */
async function submission({ second = 0, model = 'letters', reference = 'A-1', status = 'completed' }: Wanted = {}) {
  const executionId = await seedExecution(database, { stepCount: 2 })
  const { submissions, executions, events } = database.read.t
  const [row] = await database.read.q.select().from(executions).where(eq(executions.id, executionId))
  const id = row!.submissionId
  await database.write(async (tx) => {
    const change = { createdAt: addMs(start, second * 1_000), modelSlug: model, objectReference: reference }
    await tx.q.update(submissions).set(change).where(eq(submissions.id, id))
    await tx.q.update(executions).set({ status }).where(eq(executions.id, executionId))
    await tx.q.update(events).set({ publishedAt: start }).where(eq(events.aggregateId, executionId))
  })
  return { id, executionId }
}
async function hold(on: { reference?: string; model?: string }): Promise<void> {
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.holds).values({
      ...{ id: newId(), objectReference: null, modelSlug: on.model ?? null, reason: 'case', placedBy: SYSTEM_ACTOR_ID },
      ...{ objectReferenceHash: on.reference === undefined ? null : sha256Hex(on.reference) },
      ...{ correlationId: 'c', placedAt: start },
    })
  })
}
async function removed(part: RetainedPart, submissionId: string): Promise<void> {
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.erasedItems).values({ erasureId: newId(), kind: part, itemId: submissionId })
  })
}
async function batch(change: object = {}): Promise<string> {
  const id = newId()
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.batches).values({
      ...{ id, name: 'May', modelSlug: 'letters', format: 'csv', contentHash: 'f'.repeat(64), fileHash: null },
      ...{ byteSize: 1, rows: 1, reading: { start: 0 }, status: 'completed', nextRow: 2, nextOffset: 0 },
      ...{ createdBy: SYSTEM_ACTOR_ID, correlationId: 'c', createdAt: start, updatedAt: start, ...change },
    })
  })
  return id
}
async function batchRow(batchId: string, change: Partial<RowRecord>): Promise<void> {
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.batchRows).values({
      ...{ batchId, number: 1, line: 2, state: 'submitted', submissionId: null, rawInput: null, objectReference: null },
      ...{ receivedAt: null, reopened: 0, cause: null, code: null, step: null, place: null, message: null, ...change },
    })
  })
}

describe('submissions that are due', () => {
  test('are those made before the day, oldest first, from a place on, those of one instant by their ids', async () => {
    const newest = await submission({ second: 9 })
    const [oldest, twin] = [await submission({ second: 1 }), await submission({ second: 1 })]
    const list = async (before: Instant, after?: { createdAt: Instant; id: string }, limit = 9) =>
      (await listBefore(database.read, { part: undefined, before, after, limit })).map(({ id }) => id)
    const end = addMs(start, 9_000)
    expect(await list(end)).toEqual([oldest.id, twin.id])
    expect(await list(addMs(end, 1))).toEqual([oldest.id, twin.id, newest.id])
    expect(await list(addMs(end, 1), undefined, 1)).toEqual([oldest.id])
    expect(await list(addMs(end, 1), { createdAt: addMs(start, 1_000), id: oldest.id })).toEqual([twin.id, newest.id])
    expect(dueBefore({ days: 3 }, addMs(start, 3 * dayMs))).toBe(start)
  })

  test('are marked where the part that is asked for is gone, and no other', async () => {
    const [own, other] = [await submission(), await submission({ second: 1 })]
    await removed('output', own.id)
    const gone = async (part: RetainedPart | undefined, after?: { createdAt: Instant; id: string }) =>
      (await listBefore(database.read, { part, before: addMs(start, dayMs), after, limit: 9 })).map(
        ({ isGone }) => isGone,
      )
    expect(await gone('output')).toEqual([true, false])
    expect(await gone('events')).toEqual([false, false])
    expect(await gone(undefined)).toEqual([false, false])
    expect(await gone('output', { createdAt: start, id: own.id })).toEqual([false])
    await removed('output', other.id)
    expect(await gone('output', { createdAt: start, id: own.id })).toEqual([true])
  })

  test('are those of the policy’s own models, and none that has lost the part, page by page', async () => {
    const [letter, other] = [await submission(), await submission({ second: 1, model: 'other' })]
    const last = await submission({ second: 2 })
    await removed('output', letter.id)
    const [own, rest]: RetentionPolicy[] = [
      { ingestion_model: 'letters', keep_days: 9, parts: { output: 1 } },
      { keep_days: 9 },
    ]
    const pages = async (policy: RetentionPolicy, part?: RetainedPart, after?: { createdAt: Instant; id: string }) => {
      let turns = 0
      const turn = async () => void turns++
      const term = { policy, days: 1, ...(part === undefined ? {} : { part }) }
      const found: [string[], string][] = []
      const asked = { term, before: addMs(start, dayMs), after, turn }
      for await (const { ids, last } of duePages(database.read, [own!, rest!], asked)) found.push([ids, last.id])
      expect(turns).toBe(found.length)
      return found
    }
    expect(await pages(own!)).toEqual([[[letter.id, last.id], last.id]])
    expect(await pages(own!, 'output')).toEqual([[[last.id], last.id]])
    expect(await pages(rest!)).toEqual([[[other.id], last.id]])
    expect(await pages(own!, undefined, { createdAt: addMs(start, 2_000), id: last.id })).toEqual([])
  })
})

describe('what may go now', () => {
  test('is what no hold is on and has ended, sorted by what keeps it', async () => {
    const [free, failed] = [await submission(), await submission({ status: 'failed' })]
    const [object, model] = [await submission({ reference: 'HELD' }), await submission({ model: 'held' })]
    const working = await submission({ status: 'queued' })
    // What is held is told as held, also while it is at work.
    const both = await submission({ reference: 'HELD', status: 'queued' })
    await hold({ reference: 'HELD' })
    await hold({ model: 'held' })
    const ids = [free, failed, object, model, working, both].map(({ id }) => id)
    const sorted = await sortDue(database.read, ids)
    expect(sorted.removable.sort()).toEqual([free.id, failed.id].sort())
    expect(sorted.held.sort()).toEqual([object.id, model.id, both.id].sort())
    expect(sorted.atWork).toEqual([working.id])
    expect(await sortDue(database.read, [])).toEqual({ removable: [], held: [], atWork: [] })
    expect(await sortDue(database.read, [newId()])).toEqual({ removable: [], held: [], atWork: [] })
  })

  test('leaves out what lost the part already, and keeps events until everybody has them', async () => {
    const [free, gone, unsent, marked, pending, removedReceiver] = (await Promise.all(
      Array.from({ length: 6 }, () => submission()),
    )) as [Awaited<ReturnType<typeof submission>>, ...Awaited<ReturnType<typeof submission>>[]]
    const all = [free, gone!, unsent!, marked!, pending!, removedReceiver!]
    await removed('events', gone!.id)
    const webhookId = newId()
    await database.write(async (tx) => {
      const { events, webhooks, webhookDeliveries } = tx.t
      await tx.q.update(events).set({ publishedAt: null }).where(eq(events.aggregateId, unsent!.executionId))
      await tx.q.update(events).set({ forWebhooks: true }).where(eq(events.aggregateId, marked!.executionId))
      await tx.q.insert(webhooks).values({
        ...{ id: webhookId, number: 1, name: 'w', url: 'https://w.test', eventTypes: null, families: null },
        ...{ status: 'active', secret: 's', failures: 0, createdBy: 'u', createdAt: start, updatedAt: start },
      })
      const delivery = (aggregateId: string, to: string, status: 'pending' | 'delivered') => ({
        ...{ id: newId(), webhookId: to, eventId: newId(), aggregate: 'execution', aggregateId, sequence: 1 },
        ...{ type: 'queued', status, attempts: 0, dueAt: start, createdAt: start },
      })
      await tx.q.insert(webhookDeliveries).values([
        delivery(pending!.executionId, webhookId, 'pending'),
        // Of a receiver that is gone, and one that was delivered.
        delivery(removedReceiver!.executionId, newId(), 'pending'),
        delivery(free.executionId, webhookId, 'delivered'),
      ])
    })
    const ids = all.map(({ id }) => id)
    const events = await sortDue(database.read, ids, 'events')
    expect(events.removable.sort()).toEqual([free.id, removedReceiver!.id].sort())
    expect(events.atWork.sort()).toEqual([unsent!.id, marked!.id, pending!.id].sort())
    // Other parts wait for nobody.
    expect((await sortDue(database.read, ids, 'output')).removable.sort()).toEqual(ids.toSorted())
  })

  test('is nothing of a batch whose file is kept, or whose row waits to be submitted again', async () => {
    const [kept, waits, done] = [await submission(), await submission(), await submission()]
    await batchRow(await batch({ fileHash: 'f'.repeat(64) }), { submissionId: kept.id })
    await batchRow(await batch(), { submissionId: waits.id, state: 'waiting' })
    await batchRow(await batch(), { submissionId: done.id, state: 'completed' })
    const ids = [kept, waits, done].map(({ id }) => id)
    const told = await listReferences(database.read, ids)
    expect(Object.fromEntries(told.map(({ id, isAtWork }) => [id, isAtWork]))).toEqual({
      ...{ [kept.id]: true, [waits.id]: true, [done.id]: false },
    })
    expect(told[0]).toMatchObject({ objectReference: 'A-1', modelSlug: 'letters' })
  })
})

describe('batches that hold inputs beside their submissions', () => {
  test('are those with a file, an input or a refusal, handed in before the day, oldest first and from a place on', async () => {
    const later = addMs(start, 5)
    const newest = await batch({ createdAt: later, fileHash: 'f'.repeat(64) })
    const [input, refusal] = [await batch(), await batch()]
    await batchRow(input, { state: 'waiting', rawInput: '{}' })
    await batchRow(refusal, { state: 'refused', cause: 'c' })
    // Whose row was a submission is nothing beside it, nor is what was only submitted.
    const others = [await batch(), await batch(), await batch()]
    await batchRow(others[0]!, { state: 'refused', cause: 'c', submissionId: newId() })
    await batchRow(others[1]!, { state: 'failed', cause: 'c' })
    const list = async (before: Instant, after?: { createdAt: Instant; id: string }, limit = 9) =>
      (await listHoldingBatches(database.read, { before, after, limit })).map(({ id }) => id)
    expect(await list(later)).toEqual([input, refusal])
    expect(await list(addMs(later, 1))).toEqual([input, refusal, newest])
    expect(await list(addMs(later, 1), undefined, 1)).toEqual([input])
    expect(await list(addMs(later, 1), { createdAt: start, id: input })).toEqual([refusal, newest])
    const [held] = await listHoldingBatches(database.read, { before: addMs(later, 1), after: undefined, limit: 1 })
    expect(held).toEqual({ id: input, modelSlug: 'letters', fileHash: null, createdAt: start })
  })

  test('are cancelled as their file is dropped, and left as they are where they have none', async () => {
    const [kept, none] = [
      await batch({ fileHash: 'f'.repeat(64), status: 'paused', pauseReason: 'Why.' }),
      await batch(),
    ]
    const at = addMs(start, 9)
    for (const id of [kept, none]) await database.write((tx) => dropFile(tx, id, at))
    const { batches } = database.read.t
    const rows = await database.read.q.select().from(batches)
    expect(rows.find(({ id }) => id === kept)).toMatchObject({
      ...{ status: 'cancelled', fileHash: null, pauseReason: null, completedAt: at, updatedAt: at },
    })
    expect(rows.find(({ id }) => id === none)).toMatchObject({ status: 'completed', updatedAt: start })
  })
})

test('content is named by documents whose bytes are there, and by batches whose file is kept', async () => {
  const hash = (letter: string) => letter.repeat(64)
  const artifact = (contentHash: string, removedAt: Instant | null) => ({
    ...{ id: newId(), executionId: newId(), submissionId: newId(), kind: 'docx' as const, byteSize: 1, contentHash },
    ...{ objectReference: 'A-1', modelSlug: 'm', nodeLabel: 'L', nodeAddress: 'm:l', createdAt: start, removedAt },
  })
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.artifacts).values([artifact(hash('a'), null), artifact(hash('b'), start)])
    await tx.q.insert(tx.t.artifacts).values([artifact(hash('c'), start), artifact(hash('c'), null)])
  })
  await batch({ contentHash: hash('d'), fileHash: hash('d') })
  await batch({ contentHash: hash('e'), fileHash: null })
  const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map(hash)
  expect([...(await namedHashes(database.read, asked))].sort()).toEqual(['a', 'c', 'd'].map(hash))
  expect([...(await namedHashes(database.read, [hash('b')]))]).toEqual([])
})

describe('a plan of policies', () => {
  const clock = { now: () => addMs(start, 10 * dayMs) }
  const plan = (policies?: RetentionPolicy[]) => createRetentionService(database, clock).plan(policies)

  test('counts what would go as a whole, and by its parts only what stays as one', async () => {
    await submission()
    await submission({ reference: 'HELD' })
    await submission({ status: 'queued' })
    // Six days old: too young for the whole, old enough for its output.
    await submission({ second: (4 * dayMs) / 1_000 })
    await submission({ model: 'other' })
    await hold({ reference: 'HELD' })
    const { executions } = database.read.t
    await database.write(async (tx) => {
      await tx.q.update(executions).set({ output: '{}' })
    })
    const policy = { ingestion_model: 'letters', keep_days: 9, parts: { output: 5 } }
    const { policies, is_complete } = await plan([policy])
    expect(is_complete).toBe(true)
    const [told] = policies
    expect(told).toMatchObject({
      policy,
      held: 1,
      at_work: 1,
      counts: { submissions: 1, executions: 1, steps: 2, events: 1 },
    })
    expect(told?.parts).toMatchObject([
      { part: 'output', held: 1, at_work: 1, counts: { submissions: 1, executions: 1 } },
    ])
    expect((await plan([{ keep_days: 9 }, { ingestion_model: 'letters', keep_days: 11 }])).policies).toMatchObject([
      { counts: { submissions: 1 }, held: 0, at_work: 0 },
      { counts: { submissions: 0 }, held: 0, at_work: 0 },
    ])
  })

  test('is of the policies in force unless others are given, and of nothing without any', async () => {
    await submission()
    expect(await plan()).toMatchObject({ policies: [], is_complete: true })
    await database.write(async (tx) => {
      const set = { id: newId(), number: 1, policies: [{ keep_days: 9 }], setBy: SYSTEM_ACTOR_ID }
      await tx.q.insert(tx.t.retention).values({ ...set, correlationId: 'c', setAt: start })
    })
    expect((await plan()).policies).toMatchObject([{ policy: { keep_days: 9 }, counts: { submissions: 1 } }])
    expect((await plan([{ keep_days: 11 }])).policies).toMatchObject([{ counts: { submissions: 0 } }])
    expect(await rejectionOf(plan([{ keep_days: 1 }, { keep_days: 2 }]))).toMatchObject({ code: 'validation_failed' })
  })
})

test('pages are as long as their bound, and the next begins where one ended', async () => {
  const rows = Array.from({ length: limits.retentionPageRows + 1 }, (_, index) => ({
    ...{
      id: newId(),
      modelSlug: 'letters',
      objectReference: 'A-1',
      objectTime: start,
      rawInput: '',
      rawInputHash: 'h',
    },
    ...{ metadata: null, submittedBy: 'u', correlationId: 'c', createdAt: addMs(start, index) },
  }))
  for (let from = 0; from < rows.length; from += 500) {
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.submissions).values(rows.slice(from, from + 500))
    })
  }
  const policy = { keep_days: 1 }
  const sizes: number[] = []
  const asked = { term: { policy, days: 1 }, before: addMs(start, dayMs), after: undefined }
  for await (const { ids } of duePages(database.read, [policy], asked)) sizes.push(ids.length)
  expect(sizes).toEqual([limits.retentionPageRows, 1])
})
