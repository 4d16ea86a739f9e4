/** The figures of the operations, from rows that are written for it: what counts, from when on, and in which order. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, type Instant, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import {
  countArtifacts,
  countEnded,
  findLastRemoval,
  readCauses,
  readOutbox,
  readReceivers,
  readSteps,
} from '../../../src/modules/operations/operations.store.ts'
import { openTestDatabase } from '../../support/database.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const exactly = (count: number) => ({ count, is_exact: true })

let database: Database
beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async (tx) => {
    const { auditRecords, steps, artifacts, events, webhooks, webhookDeliveries } = tx.t
    for (const table of [auditRecords, steps, artifacts, events, webhooks, webhookDeliveries]) await tx.q.delete(table)
  })
})
afterAll(() => database?.close())

interface Record {
  action: string
  at: Instant
  resourceId?: string
  detail?: object
}
/** Audit records; those of one instant come in the order that is given. */
async function records(...all: Record[]): Promise<void> {
  const rows = all.map(({ action, at, resourceId = newId(), detail = {} }) => ({
    ...{ id: newId(), actorId: SYSTEM_ACTOR_ID, action, resourceKind: 'execution', resourceId, correlationId: 'c', at },
    ...{ detail: detail as never, contentHash: null, digest: null, attestation: null },
    ...{ position: null, previousHash: null, hash: null },
  }))
  for (let from = 0; from < rows.length; from += 500) {
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.auditRecords).values(rows.slice(from, from + 500))
    })
  }
}

async function step(change: object): Promise<string> {
  const id = newId()
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.steps).values({
      ...{ id, executionId: newId(), position: 1, name: 'validate', status: 'queued', attempt: 1, stateVersion: 1 },
      ...{ availableAt: tx.clock, ...change },
    })
  })
  return id
}

/** An execution that failed at an instant, with its record. */
async function failed(at: Instant, code: string, name = 'validate'): Promise<string> {
  const executionId = newId()
  await step({ executionId, name, status: 'failed', failure: { code, message: 'No.', issues: [] } })
  await records({ action: 'execution.failed', at, resourceId: executionId })
  return executionId
}

describe('executions that ended', () => {
  test('are counted by how they did, from an instant on', async () => {
    await records(
      { action: 'execution.completed', at: start },
      { action: 'execution.completed', at: addMs(start, -1) },
      { action: 'execution.completed', at: addMs(start, 9) },
      { action: 'execution.failed', at: start },
      { action: 'execution.retried', at: start },
    )
    expect(await countEnded(database.read, 'completed', start)).toEqual(exactly(2))
    expect(await countEnded(database.read, 'failed', start)).toEqual(exactly(1))
    expect(await countEnded(database.read, 'failed', addMs(start, 1))).toEqual(exactly(0))
  })

  test('are counted exactly up to a bound, and no further', async () => {
    const many = Array.from({ length: limits.statusRows }, () => ({ action: 'execution.completed', at: start }))
    await records(...many)
    expect(await countEnded(database.read, 'completed', start)).toEqual(exactly(limits.statusRows))
    await records(many[0]!)
    expect(await countEnded(database.read, 'completed', start)).toEqual({ count: limits.statusRows, is_exact: false })
  })
})

describe('causes of failures', () => {
  test('are told by step and code, the most frequent first, with the last execution of each', async () => {
    await failed(addMs(start, -1), 'before')
    await failed(start, 'a')
    const lastOfB = await failed(addMs(start, 1), 'b')
    await failed(addMs(start, 2), 'a')
    const other = await failed(addMs(start, 3), 'a', 'compose')
    const lastOfA = await failed(addMs(start, 4), 'a')
    await failed(addMs(start, 5), 'parent_failed')
    expect(await readCauses(database.read, start)).toEqual({
      causes: [
        { step: 'validate', code: 'a', executions: 3, lastExecutionId: lastOfA, lastAt: addMs(start, 4) },
        { step: 'compose', code: 'a', executions: 1, lastExecutionId: other, lastAt: addMs(start, 3) },
        { step: 'validate', code: 'b', executions: 1, lastExecutionId: lastOfB, lastAt: addMs(start, 1) },
      ],
      isComplete: true,
    })
    expect(await readCauses(database.read, addMs(start, 9))).toEqual({ causes: [], isComplete: true })
  })

  test('leave out what was retried since, and count an execution that failed twice once', async () => {
    const twice = await failed(start, 'a')
    await records({ action: 'execution.failed', at: addMs(start, 5), resourceId: twice })
    const retried = await failed(addMs(start, 1), 'b')
    await database.write(async (tx) => {
      await tx.q.update(tx.t.steps).set({ status: 'queued' }).where(eq(tx.t.steps.executionId, retried))
    })
    const { causes } = await readCauses(database.read, start)
    expect(causes).toEqual([
      { step: 'validate', code: 'a', executions: 1, lastExecutionId: twice, lastAt: addMs(start, 5) },
    ])
  })

  test('are those of the last failures, and are said to be incomplete where there are more', async () => {
    const oldest = await failed(start, 'oldest')
    const more = Array.from({ length: limits.statusFailures - 1 }, () => ({
      ...{ action: 'execution.failed', at: addMs(start, 1) },
    }))
    await records(...more)
    const whole = await readCauses(database.read, start)
    expect([whole.isComplete, whole.causes.map(({ lastExecutionId }) => lastExecutionId)]).toEqual([true, [oldest]])
    await records(more[0]!)
    expect(await readCauses(database.read, start)).toEqual({ causes: [], isComplete: false })
  })
})

describe('steps', () => {
  test('that wait are as old as the first that may be claimed, whatever its position, and those put off have no age yet', async () => {
    expect(await readSteps(database.read)).toEqual({
      ...{ queued: exactly(0), oldestQueuedSeconds: null, running: exactly(0), longestRunningSeconds: null },
    })
    await database.write(async (tx) => {
      const ages = [
        [1, -60],
        [3, -600],
        [3, -30],
        [2, 600],
      ] as const
      for (const [position, seconds] of ages) {
        await tx.q.insert(tx.t.steps).values({
          ...{ id: newId(), executionId: newId(), position, name: 'validate', status: 'queued', attempt: 0 },
          ...{ stateVersion: 1, availableAt: tx.clockPlus(seconds * 1_000) },
        })
      }
    })
    const load = await readSteps(database.read)
    expect([load.queued, load.running]).toEqual([exactly(4), exactly(0)])
    expect(load.oldestQueuedSeconds).toBeWithin(600, 660)
    await database.write(async (tx) => {
      await tx.q.delete(tx.t.steps).where(eq(tx.t.steps.position, 3))
    })
    expect((await readSteps(database.read)).oldestQueuedSeconds).toBeWithin(60, 120)
    await database.write(async (tx) => {
      await tx.q.delete(tx.t.steps).where(eq(tx.t.steps.position, 1))
    })
    const putOff = await readSteps(database.read)
    expect([putOff.queued, putOff.oldestQueuedSeconds]).toEqual([exactly(1), null])
  })

  test('that run are as old as the one that began first', async () => {
    await database.write(async (tx) => {
      for (const seconds of [-30, -300]) {
        await tx.q.insert(tx.t.steps).values({
          ...{ id: newId(), executionId: newId(), position: 1, name: 'validate', status: 'running', attempt: 1 },
          ...{ stateVersion: 1, availableAt: tx.clock, startedAt: tx.clockPlus(seconds * 1_000) },
        })
      }
    })
    const load = await readSteps(database.read)
    expect([load.queued, load.running, load.oldestQueuedSeconds]).toEqual([exactly(0), exactly(2), null])
    expect(load.longestRunningSeconds).toBeWithin(300, 360)
  })
})

test('documents are counted in every format, from an instant on', async () => {
  await database.write(async (tx) => {
    for (const [kind, at] of [
      ['docx', start],
      ['pdf', start],
      ['pdf', addMs(start, 1)],
      ['pdf', addMs(start, -1)],
    ] as const) {
      await tx.q.insert(tx.t.artifacts).values({
        ...{ id: newId(), executionId: newId(), submissionId: newId(), kind, byteSize: 1, contentHash: 'c' },
        ...{ objectReference: 'A-1', modelSlug: 'm', nodeLabel: 'L', nodeAddress: 'm:l', createdAt: at },
      })
    }
  })
  expect(await countArtifacts(database.read, start)).toEqual(exactly(3))
  expect(await countArtifacts(database.read, addMs(start, 2))).toEqual(exactly(0))
})

test('the last removal is the newest of the policies’ own, with what it took', async () => {
  expect(await findLastRemoval(database.read)).toBeUndefined()
  const removal = (at: Instant, detail: object) => ({ action: 'retention.removed', at, detail })
  await records(
    removal(start, { counts: { submissions: 1 } }),
    removal(addMs(start, 2), { counts: { submissions: 3, artifact_bytes: 40 }, rule: { part: 'output' } }),
    removal(addMs(start, 1), { counts: { submissions: 2 } }),
    { action: 'object.erased', at: addMs(start, 9), detail: { counts: { submissions: 9 } } },
  )
  expect(await findLastRemoval(database.read)).toEqual({
    ...{ at: addMs(start, 2), submissions: 3, artifactBytes: 40, part: 'output' },
  })
  await records(removal(addMs(start, 2), {}))
  expect(await findLastRemoval(database.read)).toEqual({
    ...{ at: addMs(start, 2), submissions: 0, artifactBytes: 0, part: undefined },
  })
})

test('events that wait are as old as the first that nobody has published', async () => {
  expect(await readOutbox(database.read)).toEqual({ waiting: exactly(0), oldestSeconds: null })
  await database.write(async (tx) => {
    for (const [seconds, isPublished] of [
      [-900, true],
      [-30, false],
      [-300, false],
    ] as const) {
      await tx.q.insert(tx.t.events).values({
        ...{ id: newId(), aggregate: 'batch', aggregateId: newId(), sequence: 1, type: 'created', data: {} },
        ...{ correlationId: 'c', traceparent: null, createdAt: tx.clockPlus(seconds * 1_000) },
        publishedAt: isPublished ? tx.clock : null,
      })
    }
  })
  const { waiting, oldestSeconds } = await readOutbox(database.read)
  expect(waiting).toEqual(exactly(2))
  expect(oldestSeconds).toBeWithin(300, 360)
})

test('receivers that fail, or are stopped for it, are told in the order of their ids, with what waits for all', async () => {
  const ids = ['a', 'b', 'c', 'd'].map((letter) => `0198c3d2-7a10-7c00-8000-00000000000${letter}`)
  await database.write(async (tx) => {
    for (const [index, change] of [
      { failingSince: start, failures: 2 },
      { status: 'disabled' as const },
      {},
      { status: 'gone' as const, failures: 9 },
    ].entries()) {
      await tx.q.insert(tx.t.webhooks).values({
        ...{
          id: ids[index]!,
          number: index,
          name: `w${index}`,
          url: 'https://w.test',
          eventTypes: null,
          families: null,
        },
        ...{ status: 'active', secret: 's', failures: 0, createdBy: 'u', createdAt: start, updatedAt: start },
        ...change,
      })
    }
    for (const status of ['pending', 'delivered', 'pending'] as const) {
      await tx.q.insert(tx.t.webhookDeliveries).values({
        ...{ id: newId(), webhookId: ids[2]!, eventId: newId(), aggregate: 'batch', aggregateId: newId(), sequence: 1 },
        ...{ type: 'created', status, attempts: 0, dueAt: start, createdAt: start },
      })
    }
  })
  expect(await readReceivers(database.read)).toEqual({
    waiting: exactly(2),
    failing: [
      { id: ids[0]!, name: 'w0', status: 'active', failures: 2, failing_since: start },
      { id: ids[1]!, name: 'w1', status: 'disabled', failures: 0, failing_since: null },
      { id: ids[3]!, name: 'w3', status: 'gone', failures: 9, failing_since: null },
    ],
  })
})
