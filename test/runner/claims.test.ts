import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { and, eq, lt, sql } from 'drizzle-orm'
import { sha256Hex } from '../../src/core/hash.ts'
import { epochMsOf, type Instant } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import type { Database } from '../../src/db/database.ts'
import {
  claimExpired,
  claimReady,
  countQueued,
  expireLeases,
  hasExpiredStep,
  hasReadyStep,
  heartbeat,
  longestWaiting,
  readQueue,
  release,
} from '../../src/runner/claim.store.ts'
import { recordFailure, recordSuccess, recordTransientFault } from '../../src/runner/record.store.ts'
import { retryFailedStep } from '../../src/runner/retry.store.ts'
import { type Claim, FenceLost } from '../../src/runner/steps.store.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { seedExecution } from './seed.ts'
import { readExecution } from './snapshot.ts'

const options = { owner: 'one', leaseMs: 60_000, limit: 50 }
const failure = { code: 'contract_violated', message: 'Refused for the test.', issues: [] }
const success = { durationMs: 12.6, summary: { made: true } }

/** The statements that move steps, one by one, without a runner: nothing here depends on time passing. */
describeOnBothDialects('the states of steps', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  beforeEach(() => database.write((tx) => tx.q.delete(tx.t.steps)))
  afterAll(() => database.close())

  const claimAll = (given = options) => database.write((tx) => claimReady(tx, given))
  async function claimed(id: string): Promise<Claim> {
    const claim = (await claimAll()).find((one) => one.executionId === id)
    if (claim === undefined) throw new Error('nothing was claimed')
    return claim
  }
  async function now(): Promise<Instant> {
    const [row] = await database.read.rows<{ now: Instant }>(sql`select ${database.read.clock} as now`)
    return row!.now
  }
  /** Milliseconds from now, by the database's clock. */
  async function msFromNow(at: Instant | null): Promise<number> {
    return epochMsOf(at!) - epochMsOf(await now())
  }
  const endLeases = () =>
    database.write((tx) => tx.rows(sql`update ${tx.t.steps} set lease_expires_at = ${tx.clockPlus(-600_000)}`))
  const eventsOf = async (id: string) => (await readExecution(database, id)).events

  test('a claim counts the attempt, raises the fence, takes a lease and moves the execution, and says so', async () => {
    const id = await seedExecution(database)
    expect(await hasReadyStep(database.read)).toBe(true)
    const claim = await claimed(id)
    expect(claim).toMatchObject({ owner: 'one', attempt: 1, fence: 2, position: 1, name: 'validate' })
    expect(claim.correlationId).toBe(`c-${id}`)
    const { execution, steps, events } = await readExecution(database, id)
    expect(steps.map((step) => step.status)).toEqual(['running', 'not_started', 'not_started', 'not_started'])
    expect(steps[0]).toMatchObject({ leaseOwner: 'one', attempt: 1, stateVersion: 2, finishedAt: null })
    const leaseMs = await msFromNow(steps[0]!.leaseExpiresAt)
    expect(leaseMs).toBeLessThanOrEqual(60_000)
    expect(leaseMs).toBeGreaterThan(40_000)
    expect([execution.status, execution.updatedAt, execution.completedAt]).toEqual([
      'processing',
      steps[0]!.startedAt!,
      null,
    ])
    expect(events.at(-1)).toMatchObject({
      type: 'step.started',
      correlationId: `c-${id}`,
      data: { execution_id: id, step: 'validate', position: 1, attempt: 1 },
    })
    expect(await hasReadyStep(database.read)).toBe(false)
    expect(await hasExpiredStep(database.read)).toBe(false)
    expect(await claimAll()).toEqual([])
  })

  test('a step is not claimed before its time, and the queue counts only those that could be', async () => {
    const ids = [await seedExecution(database), await seedExecution(database), await seedExecution(database)]
    const available = (id: string, ms: number) =>
      database.write((tx) =>
        tx.rows(
          sql`update ${tx.t.steps} set available_at = ${tx.clockPlus(ms)} where execution_id = ${id} and position = 1`,
        ),
      )
    await available(ids[0]!, 600_000)
    await available(ids[1]!, -90_000)
    await available(ids[2]!, -30_000)
    const queue = await readQueue(database.read)
    expect(queue.ready).toBe(2)
    expect(queue.oldestAgeSeconds).toBeGreaterThanOrEqual(90)
    expect(queue.oldestAgeSeconds).toBeLessThan(120)
    expect((await claimAll()).map((claim) => claim.executionId)).toEqual([ids[1]!, ids[2]!])
    expect(await readQueue(database.read)).toEqual({ ready: 0, oldestAgeSeconds: 0 })
    expect(await hasReadyStep(database.read)).toBe(false)
  })

  test('all steps in the queue are counted, those that wait for their time too, up to a bound where there is one', async () => {
    expect(await countQueued(database.read)).toBe(0)
    const ids = await Promise.all(Array.from({ length: 4 }, () => seedExecution(database)))
    await seedExecution(database, { parentId: ids[0] ?? '' })
    await database.write((tx) =>
      tx.q
        .update(tx.t.steps)
        .set({ availableAt: tx.clockPlus(600_000) })
        .where(eq(tx.t.steps.executionId, ids[1] ?? '')),
    )
    expect(await countQueued(database.read)).toBe(4)
    expect([await countQueued(database.read, 3), await countQueued(database.read, 5)]).toEqual([3, 4])
    await claimAll({ ...options, limit: 1 })
    expect(await countQueued(database.read)).toBe(3)
  })

  test('steps nearest to completion come first, then those that have waited longest, and no more than a window of them', async () => {
    const made = await Promise.all(Array.from({ length: 70 }, () => seedExecution(database)))
    await database.write(async (tx) => {
      const { steps } = tx.t
      for (const [index, id] of made.entries()) {
        await tx.rows(
          sql`update ${steps} set available_at = ${tx.clockPlus(-100_000 + index * 1_000)} where execution_id = ${id}`,
        )
      }
      // The youngest of all waits for its third step.
      await tx.q
        .update(steps)
        .set({ status: 'succeeded' })
        .where(and(eq(steps.executionId, made[69]!), lt(steps.position, 3)))
      await tx.q
        .update(steps)
        .set({ status: 'queued' })
        .where(and(eq(steps.executionId, made[69]!), eq(steps.position, 3)))
    })
    const rows = await database.read.rows<{ execution_id: string }>(longestWaiting(database.read))
    const expected = [made[69]!, ...made].slice(0, rows.length)
    expect(rows.map((row) => row.execution_id)).toEqual(expected)
    expect(rows.length).toBeLessThan(70)
    expect((await claimAll({ ...options, limit: 3 })).map((claim) => claim.executionId)).toEqual(expected.slice(0, 3))
  })

  test('an expired lease is taken over by whoever comes, the longest expired first, up to the limit', async () => {
    const ids = [await seedExecution(database), await seedExecution(database), await seedExecution(database)]
    await claimAll()
    expect(await database.write((tx) => claimExpired(tx, { ...options, owner: 'two' }))).toEqual([])
    for (const [index, id] of ids.entries()) {
      await database.write((tx) =>
        tx.rows(
          sql`update ${tx.t.steps} set lease_expires_at = ${tx.clockPlus(-1_000 - index * 1_000)} where execution_id = ${id} and position = 1`,
        ),
      )
    }
    expect(await hasExpiredStep(database.read)).toBe(true)
    const two = await database.write((tx) => claimExpired(tx, { owner: 'two', leaseMs: 60_000, limit: 2 }))
    expect(two.map((claim) => claim.executionId).sort()).toEqual([ids[1]!, ids[2]!].sort())
    expect(two.map(({ owner, attempt, fence }) => [owner, attempt, fence])).toEqual([
      ['two', 2, 3],
      ['two', 2, 3],
    ])
    expect((await readExecution(database, ids[0]!)).steps[0]).toMatchObject({ leaseOwner: 'one', attempt: 1 })
    expect((await eventsOf(ids[2]!)).at(-1)).toMatchObject({ type: 'step.started', data: { attempt: 2 } })
  })

  test('a heartbeat prolongs the leases that its owner still holds, keeps their fence, and names no others', async () => {
    const ids = [await seedExecution(database), await seedExecution(database), await seedExecution(database)]
    const claims = await claimAll()
    const [mine, lost, ended] = ids.map((id) => claims.find((claim) => claim.executionId === id)!)
    await database.write(async (tx) => {
      await tx.q.update(tx.t.steps).set({ leaseOwner: 'two' }).where(eq(tx.t.steps.id, lost!.stepId))
      await recordFailure(tx, ended!, { durationMs: 1, failure })
    })
    const before = await readExecution(database, ids[1]!)
    expect([...(await heartbeat(database, [mine!, lost!, ended!], 600_000))]).toEqual([mine!.stepId])
    const [step] = (await readExecution(database, ids[0]!)).steps
    expect(await msFromNow(step!.leaseExpiresAt)).toBeGreaterThan(500_000)
    expect(step!.stateVersion).toBe(mine!.fence)
    expect(await readExecution(database, ids[1]!)).toEqual(before)
    expect((await heartbeat(database, [], 600_000)).size).toBe(0)
    await database.write((tx) => recordSuccess(tx, mine!, success))
  })

  test('a step that is given back keeps its attempts, and rests where it should', async () => {
    const id = await seedExecution(database)
    const claim = await claimed(id)
    await database.write((tx) => release(tx, claim))
    const [given] = (await readExecution(database, id)).steps
    expect(given).toMatchObject({
      status: 'queued',
      attempt: 0,
      stateVersion: 3,
      leaseOwner: null,
      leaseExpiresAt: null,
    })
    const again = await claimed(id)
    expect([again.attempt, again.fence]).toEqual([1, 4])
    await database.write((tx) => release(tx, again, { afterMs: 600_000 }))
    expect(await claimAll()).toEqual([])
    const restsMs = await msFromNow((await readExecution(database, id)).steps[0]!.availableAt)
    expect(restsMs).toBeGreaterThan(500_000)
    expect(restsMs).toBeLessThanOrEqual(600_000)
  })

  test('a run that is alone ends the leases of the one before, and counts only what that was at work on', async () => {
    const ids = [await seedExecution(database), await seedExecution(database)]
    const waiting = await seedExecution(database, { parentId: ids[0]! })
    const claims = await claimAll()
    const atWork = claims.find((claim) => claim.executionId === ids[0])!
    await database.write((tx) => expireLeases(tx, [atWork.stepId]))
    const [counted, other, child] = await Promise.all(
      [...ids, waiting].map(async (id) => (await readExecution(database, id)).steps[0]!),
    )
    expect(counted).toMatchObject({ status: 'running', attempt: 1, stateVersion: 2 })
    expect(await msFromNow(counted!.leaseExpiresAt)).toBeLessThan(0)
    expect(other).toMatchObject({ status: 'queued', attempt: 0, stateVersion: 3, leaseOwner: null })
    expect(child).toMatchObject({ status: 'not_started', stateVersion: 1 })
    expect((await claimAll()).map((claim) => claim.executionId)).toEqual([ids[1]!])
    // Where nothing is known of it, every step may have been at work.
    await database.write((tx) => expireLeases(tx))
    expect((await readExecution(database, ids[1]!)).steps[0]).toMatchObject({ status: 'running', attempt: 1 })
    const taken = await database.write((tx) => claimExpired(tx, options))
    expect(taken.map((claim) => [claim.executionId, claim.attempt]).sort()).toEqual(
      [
        [ids[0]!, 2],
        [ids[1]!, 2],
      ].sort(),
    )
    await database.write((tx) => expireLeases(tx, []))
    expect((await readExecution(database, ids[1]!)).steps[0]).toMatchObject({ status: 'queued', attempt: 1 })
  })

  test('a passing fault puts the step back for later until its attempts are used up, and then ends it', async () => {
    const id = await seedExecution(database)
    const fault = {
      code: 'object_store_unavailable',
      message: 'The object store could not be used.',
      backoffMs: 600_000,
    }
    for (let attempt = 1; attempt < limits.stepAttempts; attempt++) {
      const claim = await claimed(id)
      expect(claim.attempt).toBe(attempt)
      expect(await database.write((tx) => recordTransientFault(tx, claim, fault))).toBe(true)
      const { execution, steps, events } = await readExecution(database, id)
      expect([execution.status, steps[0]!.status, steps[0]!.attempt]).toEqual(['processing', 'queued', attempt])
      expect(steps[0]).toMatchObject({ leaseOwner: null, leaseExpiresAt: null, failure: null })
      expect(await msFromNow(steps[0]!.availableAt)).toBeGreaterThan(500_000)
      const { code, message } = fault
      expect(events.at(-1)).toMatchObject({
        type: 'step.deferred',
        data: { step: 'validate', position: 1, attempt, code, message },
      })
      expect(await claimAll()).toEqual([])
      await database.write((tx) =>
        tx.rows(sql`update ${tx.t.steps} set available_at = ${tx.clock} where status = 'queued'`),
      )
    }
    const last = await claimed(id)
    expect(await database.write((tx) => recordTransientFault(tx, last, fault))).toBe(false)
    const { execution, steps, events } = await readExecution(database, id)
    expect([execution.status, steps[0]!.status, steps[0]!.attempt]).toEqual(['failed', 'failed', limits.stepAttempts])
    expect(steps[0]!.failure).toMatchObject({ code: 'attempts_exhausted', issues: [] })
    expect(steps[0]!.failure!.message).toContain(fault.message)
    expect(execution.completedAt).toBe(steps[0]!.finishedAt)
    expect(events.slice(-2).map((event) => event.type)).toEqual(['step.failed', 'failed'])
    expect(events.at(-1)!.data).toMatchObject({ status: 'failed', code: 'attempts_exhausted' })
  })

  test('a success is recorded once, with its time and summary, and queues only the next step', async () => {
    const id = await seedExecution(database)
    const claim = await claimed(id)
    expect(await database.write((tx) => recordSuccess(tx, claim, success))).toBeUndefined()
    const { execution, steps, events } = await readExecution(database, id)
    expect(steps.map((step) => step.status)).toEqual(['succeeded', 'queued', 'not_started', 'not_started'])
    expect(steps[0]).toMatchObject({ durationMs: 13, summary: { made: true }, leaseOwner: null, leaseExpiresAt: null })
    expect(steps[1]).toMatchObject({ attempt: 0, stateVersion: 2, startedAt: null })
    expect([execution.status, execution.completedAt, execution.output]).toEqual(['processing', null, null])
    expect(events.at(-1)).toMatchObject({
      type: 'step.succeeded',
      data: { step: 'validate', position: 1, attempt: 1, duration_ms: 13, summary: { made: true } },
    })
    expect(await outcomeOf(database.write((tx) => recordSuccess(tx, claim, success)))).toThrow(FenceLost)
    expect(await readExecution(database, id)).toEqual({ execution, steps, events, artifacts: [] })
  })

  test('an execution that waits for compose has its own status, and continues when it is claimed', async () => {
    const id = await seedExecution(database, { stepCount: 3 })
    const output = { text: '{"o":1}', hash: sha256Hex('{"o":1}') }
    const second = await database.write(async (tx) =>
      recordSuccess(tx, await claimedIn(tx, id), success, { leaseMs: 60_000 }),
    )
    expect(second).toMatchObject({ name: 'transform.declarative', position: 2, attempt: 1, fence: 3, owner: 'one' })
    await database.write((tx) => recordSuccess(tx, second!, { ...success, output }))
    const waiting = (await readExecution(database, id)).execution
    expect([waiting.status, waiting.output, waiting.outputHash]).toEqual(['awaiting_compose', output.text, output.hash])
    const third = await claimed(id)
    expect(third.name).toBe('compose')
    expect((await readExecution(database, id)).execution.status).toBe('processing')
    const artifact = {
      kind: 'docx',
      byteSize: 3,
      contentHash: sha256Hex('abc'),
      submissionId: waiting.submissionId,
      objectReference: 'policy-1',
      modelSlug: 'model',
      nodeLabel: 'Letter',
      nodeAddress: 'model:letter',
    } as const
    await database.write((tx) => recordSuccess(tx, third, { ...success, artifact }, { leaseMs: 60_000 }))
    const { execution, steps, artifacts, events } = await readExecution(database, id)
    expect([execution.status, execution.output]).toEqual(['completed', output.text])
    expect(execution.completedAt).toBe(steps[2]!.finishedAt)
    expect(artifacts).toMatchObject([{ ...artifact, executionId: id, createdAt: steps[2]!.finishedAt! }])
    expect(events.at(-1)).toMatchObject({ type: 'completed', data: { execution_id: id, status: 'completed' } })
  })

  async function claimedIn(tx: Parameters<Parameters<Database['write']>[0]>[0], id: string): Promise<Claim> {
    return (await claimReady(tx, options)).find((one) => one.executionId === id)!
  }

  async function auditedOf(id: string): Promise<string[]> {
    const { auditRecords } = database.read.t
    const rows = await database.read.q
      .select({ action: auditRecords.action })
      .from(auditRecords)
      .where(and(eq(auditRecords.resourceId, id), eq(auditRecords.correlationId, `c-${id}`)))
      .orderBy(auditRecords.at)
    return rows.map(({ action }) => action)
  }

  test('a failed step that is asked for again goes back into the queue with its attempts, and its children wait again', async () => {
    const id = await seedExecution(database)
    const child = await seedExecution(database, { parentId: id })
    const grandchild = await seedExecution(database, { parentId: child })
    const retry = async (of: string) => {
      const at = await now()
      return database.write((tx) => retryFailedStep(tx, at, of))
    }
    expect(await retry(id)).toBe('not_failed')
    const claim = await claimed(id)
    await database.write((tx) => recordFailure(tx, claim, { durationMs: 3, failure }))
    for (const one of [child, grandchild]) {
      expect((await readExecution(database, one)).execution.status).toBe('failed')
      expect(await retry(one)).toBe('parent_failed')
    }
    expect(await retry(id)).toBeUndefined()
    const { execution, steps, events } = await readExecution(database, id)
    expect([execution.status, execution.completedAt]).toEqual(['processing', null])
    expect(steps[0]).toMatchObject({ status: 'queued', attempt: 1, failure: null, finishedAt: null, durationMs: null })
    expect(events.slice(-2).map((event) => [event.type, event.data.status])).toEqual([
      ['retried', 'processing'],
      ['queued', 'processing'],
    ])
    expect(events.at(-2)!.data).toMatchObject({ execution_id: id, step: 'validate', position: 1, attempt: 1 })
    expect(events.at(-1)!.data).toEqual({ execution_id: id, status: 'processing' })
    for (const one of [child, grandchild]) {
      const below = await readExecution(database, one)
      expect([below.execution.status, below.steps[0]!.status, below.steps[0]!.failure]).toEqual([
        'queued',
        'not_started',
        null,
      ])
      expect(below.events.at(-1)).toMatchObject({ type: 'retried', data: { execution_id: one, status: 'queued' } })
      // What the trail says of its end no longer holds.
      expect(await auditedOf(one)).toEqual(['execution.failed', 'execution.reopened'])
    }
    expect(await auditedOf(id)).toEqual(['execution.failed'])
    expect(await retry(id)).toBe('not_failed')
    expect((await claimed(id)).attempt).toBe(2)
  })

  test('a retry moves nothing of another execution, whether that has failed as well or its parent has', async () => {
    const parent = await seedExecution(database)
    const child = await seedExecution(database, { parentId: parent })
    const other = await seedExecution(database)
    const otherChild = await seedExecution(database, { parentId: other })
    for (const claim of await claimAll()) {
      await database.write((tx) => recordFailure(tx, claim, { durationMs: 1, failure }))
    }
    const healthy = await seedExecution(database)
    const at = await now()
    const before = [await readExecution(database, other), await readExecution(database, otherChild)]
    const untouched = await readExecution(database, healthy)
    expect(await database.write((tx) => retryFailedStep(tx, at, healthy))).toBe('not_failed')
    expect(await database.write((tx) => retryFailedStep(tx, at, parent))).toBeUndefined()
    expect([await readExecution(database, other), await readExecution(database, otherChild)]).toEqual(before)
    expect(await readExecution(database, healthy)).toEqual(untouched)
    const statuses = async (id: string) => (await readExecution(database, id)).steps.map(({ status }) => status)
    expect(await statuses(parent)).toEqual(['queued', 'not_started', 'not_started', 'not_started'])
    expect(await statuses(child)).toEqual(Array.from({ length: 4 }, () => 'not_started'))
  })

  test('a step without attempts left is not released, and no event is sent', async () => {
    const id = await seedExecution(database)
    const claim = await claimed(id)
    await database.write((tx) => recordFailure(tx, claim, { durationMs: 3, failure }))
    const attempts = (count: number) =>
      database.write((tx) => tx.q.update(tx.t.steps).set({ attempt: count }).where(eq(tx.t.steps.id, claim.stepId)))
    const at = await now()
    await attempts(limits.stepAttempts)
    const before = await readExecution(database, id)
    expect(await database.write((tx) => retryFailedStep(tx, at, id))).toBe('no_attempts_left')
    expect(await readExecution(database, id)).toEqual(before)
    await attempts(limits.stepAttempts - 1)
    expect(await database.write((tx) => retryFailedStep(tx, at, id))).toBeUndefined()
  })

  test('a failure ends the step and its execution once, and begins no later step', async () => {
    const id = await seedExecution(database)
    const claim = await claimed(id)
    await database.write((tx) => recordFailure(tx, claim, { durationMs: 3.4, failure }))
    const { execution, steps, events } = await readExecution(database, id)
    expect(steps.map((step) => step.status)).toEqual(['failed', 'not_started', 'not_started', 'not_started'])
    expect(steps[0]).toMatchObject({ durationMs: 3, failure, leaseOwner: null, leaseExpiresAt: null, stateVersion: 3 })
    expect([execution.status, execution.completedAt]).toEqual(['failed', steps[0]!.finishedAt])
    expect(events.slice(-2)).toMatchObject([
      { type: 'step.failed', data: { step: 'validate', position: 1, attempt: 1, failure } },
      { type: 'failed', data: { status: 'failed', code: failure.code, message: failure.message } },
    ])
    await endLeases()
    expect(await claimAll()).toEqual([])
    expect(await database.write((tx) => claimExpired(tx, options))).toEqual([])
  })
})
