import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../src/core/actor.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { epochMsOf, type Instant } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import type { Database } from '../../src/db/database.ts'
import { claimExpired, claimReady, heartbeat, release } from '../../src/runner/claim.store.ts'
import {
  recordFailure,
  recordSuccess,
  recordSuccesses,
  recordTransientFault,
  type SuccessRecord,
} from '../../src/runner/record.store.ts'
import type { Claim } from '../../src/runner/steps.store.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { seedExecution } from './seed.ts'
import { readExecution } from './snapshot.ts'

const options = { owner: 'one', leaseMs: 60_000, limit: 50 }
const output = { text: '{"o":1}', hash: sha256Hex('{"o":1}') }
const failure = { code: 'contract_violated', message: 'Refused for the test.', issues: [] }
const made = (durationMs: number, more: Partial<SuccessRecord> = {}): SuccessRecord => ({
  durationMs,
  summary: { made: durationMs },
  ...more,
})

describeOnBothDialects('what is recorded of steps', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  beforeEach(() => database.write((tx) => tx.q.delete(tx.t.steps)))
  afterAll(() => database.close())

  const claimAll = (given = options) => database.write((tx) => claimReady(tx, given))
  const claimOfFirst = async (): Promise<Claim> => (await claimAll())[0] ?? expect.unreachable()
  const firstStep = async (id: string) => (await readExecution(database, id)).steps[0] ?? expect.unreachable()
  const auditOf = (id: string) =>
    database.read.q.select().from(database.read.t.auditRecords).where(eq(database.read.t.auditRecords.resourceId, id))

  test('claims come in the order in which their steps have waited, whichever were made first', async () => {
    const ids: string[] = []
    for (const seconds of [20, 50, 10, 40, 30]) {
      const id = await seedExecution(database)
      ids.push(id)
      await database.write((tx) =>
        tx.rows(
          sql`update ${tx.t.steps} set available_at = ${tx.clockPlus(-seconds * 1_000)} where execution_id = ${id}`,
        ),
      )
    }
    const order = (await claimAll()).map((claim) => ids.indexOf(claim.executionId))
    expect(order).toEqual([1, 3, 4, 0, 2])
  })

  test('a heartbeat is for the claims that it names, and for no other lease of their owner', async () => {
    const ids = [await seedExecution(database), await seedExecution(database)]
    const claims = await claimAll()
    const [named, other] = ids.map((id) => claims.find((claim) => claim.executionId === id) ?? expect.unreachable())
    const before = await readExecution(database, ids[1] ?? '')
    expect([...(await heartbeat(database, [named ?? expect.unreachable()], 600_000))]).toEqual([named?.stepId ?? ''])
    expect(await readExecution(database, ids[1] ?? '')).toEqual(before)
    expect(other).toBeDefined()
  })

  test('steps that were made together are recorded one after the other, each with its own time', async () => {
    const id = await seedExecution(database)
    const claim = await claimOfFirst()
    const next = await database.write((tx) =>
      recordSuccesses(tx, claim, [made(1_000, { laterMs: 4_000 }), made(4_000, { output })], { leaseMs: 60_000 }),
    )
    expect(next).toMatchObject({ name: 'compose', position: 3, attempt: 1, owner: 'one' })
    const { steps, events, execution } = await readExecution(database, id)
    const [first, second, third] = steps
    const ms = (at: Instant | null | undefined) => epochMsOf(at ?? expect.unreachable())
    expect(steps.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'running', 'not_started'])
    // The first ended when the second began, which took four seconds; the third begins with the commit.
    expect(ms(second?.finishedAt) - ms(first?.finishedAt)).toBeWithin(3_999, 9_000)
    expect([second?.startedAt, second?.availableAt]).toEqual([
      first?.finishedAt ?? expect.unreachable(),
      first?.finishedAt ?? expect.unreachable(),
    ])
    expect([second?.attempt, second?.stateVersion, second?.leaseOwner]).toEqual([1, 4, null])
    expect([first?.durationMs, second?.durationMs, second?.summary]).toEqual([1_000, 4_000, { made: 4_000 }])
    expect(third?.startedAt).toBe(second?.finishedAt ?? expect.unreachable())
    expect(execution.output).toBe(output.text)
    expect(events.slice(-4).map((event) => [event.type, event.data.step])).toEqual([
      ['step.succeeded', 'validate'],
      ['step.started', 'transform.declarative'],
      ['step.succeeded', 'transform.declarative'],
      ['step.started', 'compose'],
    ])
    const other = { text: '{"o":2}', hash: sha256Hex('{"o":2}') }
    const again = await seedExecution(database)
    const fresh = (await claimAll()).find(({ executionId }) => executionId === again) ?? expect.unreachable()
    await database.write((tx) => recordSuccesses(tx, fresh, [made(1, { output }), made(1, { output: other })]))
    expect((await readExecution(database, again)).execution.output).toBe(other.text)
    const nothing = await outcomeOf(database.write((tx) => recordSuccesses(tx, claim, [])))
    expect(nothing).toThrow('nothing to record')
  })

  test('a child begins when its parent ends: with its output, then, and only if it has not begun', async () => {
    const parent = await seedExecution(database, { stepCount: 2 })
    const [child, other] = [
      await seedExecution(database, { parentId: parent }),
      await seedExecution(database, { parentId: parent }),
    ]
    const stranger = await seedExecution(database, { parentId: await seedExecution(database) })
    const claim = (await claimAll()).find(({ executionId }) => executionId === parent) ?? expect.unreachable()
    await database.write(async (tx) => {
      // A child that was failed by itself stays so.
      await tx.q.update(tx.t.executions).set({ status: 'failed' }).where(eq(tx.t.executions.id, other))
    })
    const [before, strangerBefore, otherBefore] = await Promise.all(
      [child, stranger, other].map((id) => readExecution(database, id)),
    )
    await database.write((tx) => recordSuccesses(tx, claim, [made(1), made(1, { output })]))
    const { execution, steps, events } = await readExecution(database, child)
    const ended = (await readExecution(database, parent)).execution
    expect([execution.inputHash, execution.status]).toEqual([output.hash, 'queued'])
    expect(execution.updatedAt).toBe(ended.completedAt ?? expect.unreachable())
    expect(execution.updatedAt).not.toBe(before?.execution.updatedAt ?? expect.unreachable())
    expect(steps.map(({ status }) => status)).toEqual(['queued', 'not_started', 'not_started', 'not_started'])
    expect((steps[0]?.availableAt ?? expect.unreachable()) >= (ended.completedAt ?? expect.unreachable())).toBe(true)
    expect(events.map(({ type }) => type)).toEqual(['queued'])
    expect(await readExecution(database, stranger)).toEqual(strangerBefore ?? expect.unreachable())
    expect(await readExecution(database, other)).toEqual(otherBefore ?? expect.unreachable())
  })

  test('the end of a parent, good or bad, moves no first step that has left its place by then', async () => {
    const firstOf = async (id: string) => (await readExecution(database, id)).steps[0] ?? expect.unreachable()
    for (const end of ['completed', 'failed'] as const) {
      const parent = await seedExecution(database, { stepCount: 2 })
      const begun = await seedExecution(database, { parentId: parent })
      const waiting = await seedExecution(database, { parentId: parent })
      const claim = (await claimAll()).find(({ executionId }) => executionId === parent) ?? expect.unreachable()
      await database.write((tx) =>
        tx.q
          .update(tx.t.steps)
          .set({ status: 'running' })
          .where(and(eq(tx.t.steps.executionId, begun), eq(tx.t.steps.position, 1))),
      )
      const before = await firstOf(begun)
      await database.write((tx) =>
        end === 'failed'
          ? recordFailure(tx, claim, { durationMs: 1, failure })
          : recordSuccesses(tx, claim, [made(1), made(1, { output })]).then(() => {}),
      )
      expect(await firstOf(begun)).toEqual(before)
      expect((await firstOf(waiting)).status).toBe(end === 'failed' ? 'failed' : 'queued')
      await database.write((tx) => tx.q.delete(tx.t.steps))
    }
  })

  test('every event of an execution names the request and the trace that it follows from, however far it comes', async () => {
    const traceOf = (id: string) => `00-${sha256Hex(id).slice(0, 32)}-00f067aa0ba902b7-01`
    const parent = await seedExecution(database, { stepCount: 2 })
    const child = await seedExecution(database, { parentId: parent })
    for (const id of [parent, child]) {
      await database.write((tx) =>
        tx.q
          .update(tx.t.executions)
          .set({ traceparent: traceOf(id) })
          .where(eq(tx.t.executions.id, id)),
      )
    }
    const claim = await claimOfFirst()
    expect([claim.correlationId, claim.traceparent]).toEqual([`c-${parent}`, traceOf(parent)])
    const next = await database.write((tx) => recordSuccess(tx, claim, made(1), { leaseMs: 60_000 }))
    expect(next?.traceparent).toBe(traceOf(parent))
    await database.write((tx) => recordSuccess(tx, next ?? expect.unreachable(), made(1, { output })))
    const ofChild = await claimOfFirst()
    await database.write((tx) => release(tx, ofChild, { news: { code: 'c', message: 'm' } }))
    const again = await claimOfFirst()
    await database.write((tx) => recordFailure(tx, again, { durationMs: 1, failure }))
    for (const [id, types] of [
      [parent, ['step.started', 'step.succeeded', 'step.started', 'step.succeeded', 'completed']],
      [child, ['queued', 'step.started', 'step.deferred', 'step.started', 'step.failed', 'failed']],
    ] as const) {
      const { events } = await readExecution(database, id)
      // The first of the parent is the submission's own.
      const told = events.filter((event) => id === child || event.type !== 'queued')
      expect(
        told.map(({ type, aggregate, correlationId, traceparent }) => [type, aggregate, correlationId, traceparent]),
      ).toEqual(types.map((type) => [type, 'execution', `c-${id}`, traceOf(id)]))
    }
  })

  test('the end of an execution is in the audit trail once, by nobody but the system, under its request', async () => {
    const [good, bad] = [await seedExecution(database, { stepCount: 2 }), await seedExecution(database)]
    const claims = await claimAll()
    const claimIn = (id: string) => claims.find(({ executionId }) => executionId === id) ?? expect.unreachable()
    await database.write((tx) => recordSuccess(tx, claimIn(good), made(1)))
    expect(await auditOf(good)).toEqual([])
    const last = await claimOfFirst()
    await database.write((tx) => recordSuccess(tx, last, made(1, { output })))
    await database.write((tx) => recordFailure(tx, claimIn(bad), { durationMs: 1, failure }))
    for (const [id, action] of [
      [good, 'execution.completed'],
      [bad, 'execution.failed'],
    ] as const) {
      const { execution } = await readExecution(database, id)
      expect(await auditOf(id)).toMatchObject([
        {
          action,
          actorId: SYSTEM_ACTOR_ID,
          resourceKind: 'execution',
          correlationId: `c-${id}`,
          at: execution.completedAt,
        },
      ])
    }
  })

  test('a step is given back with the news of why, unless its claim is lost or there is none', async () => {
    const id = await seedExecution(database)
    const news = { code: 'object_store_unavailable', message: 'The object store could not be used.' }
    const claim = await claimOfFirst()
    await database.write((tx) => release(tx, claim, { afterMs: 0, news }))
    const { steps, events } = await readExecution(database, id)
    expect(events.at(-1)).toMatchObject({ type: 'step.deferred', data: { step: 'validate', attempt: 1, ...news } })
    expect(steps[0]).toMatchObject({ status: 'queued', attempt: 0 })
    expect(steps[0]?.finishedAt).not.toBeNull()
    await database.write((tx) => release(tx, claim, { news }))
    expect((await readExecution(database, id)).events).toHaveLength(events.length)
    const again = await claimOfFirst()
    await database.write((tx) => release(tx, again))
    expect((await readExecution(database, id)).events.at(-1)?.type).toBe('step.started')
  })

  test('a step that never reported back ends after its last attempt, with its execution and its children', async () => {
    const id = await seedExecution(database)
    const child = await seedExecution(database, { parentId: id })
    const claim = await claimOfFirst()
    const expire = (attempt: number) =>
      database.write((tx) =>
        tx.q
          .update(tx.t.steps)
          .set({ attempt, leaseExpiresAt: tx.clockPlus(-3_600_000) })
          .where(and(eq(tx.t.steps.id, claim.stepId), eq(tx.t.steps.status, 'running'))),
      )
    await expire(limits.stepAttempts - 1)
    expect(await database.write((tx) => claimExpired(tx, { ...options, except: [claim.stepId] }))).toEqual([])
    const [taken] = await database.write((tx) => claimExpired(tx, options))
    expect(taken?.attempt).toBe(limits.stepAttempts)
    await expire(limits.stepAttempts)
    expect(await database.write((tx) => claimExpired(tx, options))).toEqual([])
    const { execution, steps, events } = await readExecution(database, id)
    expect(execution.status).toBe('failed')
    expect(steps[0]).toMatchObject({
      status: 'failed',
      leaseOwner: null,
      leaseExpiresAt: null,
      attempt: limits.stepAttempts,
    })
    expect(steps[0]?.failure).toEqual({
      code: 'attempts_exhausted',
      message: 'The step was begun five times and never reported back.',
      issues: [],
    })
    expect(events.slice(-2)).toMatchObject([
      { type: 'step.failed', data: { failure: { code: 'attempts_exhausted' } } },
      { type: 'failed', data: { status: 'failed', code: 'attempts_exhausted' } },
    ])
    const below = await readExecution(database, child)
    expect([below.execution.status, below.steps[0]?.failure?.code]).toEqual(['failed', 'parent_failed'])
    expect((below.steps[0]?.finishedAt ?? expect.unreachable()) >= (steps[0]?.finishedAt ?? expect.unreachable())).toBe(
      true,
    )
  })

  test('the reason of the last passing fault is reported as far as a message may be long', async () => {
    const id = await seedExecution(database)
    const claim = await claimOfFirst()
    await database.write((tx) =>
      tx.q.update(tx.t.steps).set({ attempt: limits.stepAttempts }).where(eq(tx.t.steps.id, claim.stepId)),
    )
    const message = 'x'.repeat(2 * limits.stepIssueMessageChars)
    await database.write((tx) =>
      recordTransientFault(tx, { ...claim, attempt: limits.stepAttempts }, { code: 'c', message, backoffMs: 1 }),
    )
    expect((await firstStep(id)).failure?.message.length).toBe(limits.stepIssueMessageChars)
  })
})
