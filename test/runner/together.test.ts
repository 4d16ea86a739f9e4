import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openBus } from '../../src/bus/bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { epochMsOf } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import { stepNames } from '../../src/core/steps.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { claimReady } from '../../src/runner/claim.store.ts'
import { loadSteps } from '../../src/runner/executions.store.ts'
import { recordFailure, recordSuccesses, type SuccessRecord } from '../../src/runner/record.store.ts'
import { startRunner } from '../../src/runner/runner.ts'
import { type Claim, FenceLost } from '../../src/runner/steps.store.ts'
import { emptyDatabaseUrl } from '../support/database.ts'
import { listenIn, statementIn } from '../support/listen-in.ts'
import { outcomeOf } from '../support/outcome.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { briefly } from '../support/statements.ts'
import { type Script, scriptedPool } from './scripted-pool.ts'
import { seedExecution } from './seed.ts'
import { readExecution, untilEnded } from './snapshot.ts'

const leaseMs = 60_000
/** What one instance has in hand with two workers. */
const MEMBERS = 8
const ms = (durationMs: number): SuccessRecord => ({ durationMs, summary: { took: durationMs } })
const output = { text: '{"made":true}', hash: 'o'.repeat(64) }
const file = (kind: 'docx' | 'pdf', index: number): SuccessRecord => ({
  ...ms(index),
  artifact: {
    ...{ kind, byteSize: 100 + index, contentHash: `${kind}-${index}`, submissionId: 's', objectReference: 'policy-1' },
    ...{ modelSlug: 'model', nodeLabel: 'Letter', nodeAddress: 'model:letter' },
  },
})

/** Engines that are done once so many are at work, all in the same turn. */
function doneTogether(count: number): Script {
  let all = Promise.withResolvers<void>()
  let atWork = 0
  return async (step) => {
    if (step !== 'validate') return undefined
    const { promise, resolve } = all
    if (++atWork === count) {
      atWork = 0
      all = Promise.withResolvers()
      resolve()
    }
    await promise
    return undefined
  }
}

/**
 * What the records of a full group cost on PostgreSQL. Each statement is parsed and planned, and is time of the thread that sends
 * it; nothing else tells when one is sent for each member again.
 */
describe.if(postgresAvailable)('the records of steps that share a transaction', () => {
  let database: Database
  let relay: Awaited<ReturnType<typeof listenIn>>
  beforeAll(async () => {
    relay = await listenIn(await emptyDatabaseUrl('postgres'))
    database = await openDatabase(relay.url)
    await migrate(database)
  })
  afterAll(async () => {
    await database.close()
    relay.close()
  })

  /** Runs them as one group, which waits for the transaction before it; gives its statements and what each came to. */
  async function asOneGroup<T>(writes: (() => Promise<T>)[]) {
    const released = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const before = database.write(async (tx) => {
      await tx.rows(sql`select 'before'`)
      isHeld.resolve()
      await released.promise
    }, 'steps')
    await isHeld.promise
    const outcomes = Promise.all(writes.map((write) => outcomeOf(write())))
    released.resolve()
    await before
    const results = await outcomes
    const [statements] = relay
      .sent()
      .map((messages) => messages.flatMap((message) => statementIn(message) ?? []))
      .filter((texts) => texts.includes("select 'before'"))
      .map((texts) => texts.slice(texts.lastIndexOf("select 'before'") + 2).map(briefly))
    return { results, statements }
  }

  const record = (claim: Claim, records: SuccessRecord[]) =>
    database.write((tx) => recordSuccesses(tx, claim, records, { leaseMs }), 'steps')
  const claimAll = () => database.write((tx) => claimReady(tx, { owner: 'one', leaseMs, limit: 64 }), 'claims')

  test('take these statements and no more, however many they are', async () => {
    const ids: string[] = []
    for (let made = 0; made < MEMBERS; made++) ids.push(await seedExecution(database))
    let claims = await claimAll()
    expect(claims).toHaveLength(MEMBERS)
    const step = async (recordsOf: (index: number) => SuccessRecord[]) => {
      const { results, statements } = await asOneGroup(
        claims.map((claim, index) => () => record(claim, recordsOf(index))),
      )
      const next = results.map((result) => result())
      claims = next.flatMap((claim) => claim ?? [])
      return statements
    }
    expect(await step((index) => [ms(index), { ...ms(index), output }])).toEqual([
      ...['begin', 'update steps', 'update steps', 'update steps', 'update executions'],
      ...['insert events', 'commit'],
    ])
    expect(claims.map(({ name, fence, attempt }) => [name, fence, attempt])).toEqual(ids.map(() => ['compose', 3, 1]))
    // Some compose, and some have gone on to be rendered.
    const ahead = claims.splice(0, MEMBERS / 2)
    await step((index) => [file('docx', index)])
    claims.push(...ahead)
    expect(await step((index) => [file(claims[index]?.name === 'render' ? 'pdf' : 'docx', index)])).toEqual([
      ...['begin', 'update steps', 'insert artifacts', 'update steps', 'update executions'],
      ...['insert events', 'insert audit_records', 'select executions', 'commit'],
    ])
    await step((index) => [file('pdf', index)])
    expect(claims).toEqual([])
    for (const id of ids) {
      const { execution, steps, events } = await readExecution(database, id)
      expect([execution.status, execution.output]).toEqual(['completed', output.text])
      expect(steps.map(({ status, stateVersion }) => [status, stateVersion])).toEqual(
        [3, 4, 4, 4].map((version) => ['succeeded', version]),
      )
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1))
    }
  })

  test('end all steps of their executions in one statement, where one job made them', async () => {
    const ids: string[] = []
    for (let made = 0; made < MEMBERS; made++) ids.push(await seedExecution(database))
    const claims = await claimAll()
    expect(claims).toHaveLength(MEMBERS)
    const made = (index: number) => [
      { ...ms(index), laterMs: 60 },
      { ...ms(10), output, laterMs: 50 },
      { ...file('docx', 20), laterMs: 30 },
      file('pdf', 30),
    ]
    const { results, statements } = await asOneGroup(claims.map((claim, index) => () => record(claim, made(index))))
    expect(results.map((result) => result())).toEqual(claims.map(() => undefined))
    expect(statements).toEqual([
      ...['begin', 'update steps', 'update steps', 'insert artifacts', 'update steps', 'update executions'],
      ...['insert events', 'insert events', 'insert audit_records', 'select executions', 'commit'],
    ])
    for (const id of ids) {
      const { execution, steps, artifacts, events } = await readExecution(database, id)
      expect(execution.status).toBe('completed')
      expect(execution.completedAt).toBe(steps[3]!.finishedAt)
      const [first, ...others] = steps
      expect(epochMsOf(others[2]!.finishedAt!) - epochMsOf(first!.finishedAt!)).toBe(60)
      expect(others.map(({ startedAt }) => startedAt)).toEqual(steps.slice(0, 3).map(({ finishedAt }) => finishedAt))
      expect(artifacts.map(({ createdAt }) => createdAt)).toEqual(others.slice(1).map(({ finishedAt }) => finishedAt!))
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1))
    }
  })

  test('keep what is each one’s own, also where one has lost its fence or fails', async () => {
    const ids: string[] = []
    for (let made = 0; made < 5; made++) ids.push(await seedExecution(database))
    const claims = (await claimAll()).sort((a, b) => ids.indexOf(a.executionId) - ids.indexOf(b.executionId))
    const lost = claims[1]!
    const { results } = await asOneGroup([
      ...claims
        .slice(0, 4)
        .map(
          (claim, index) => () =>
            record(claim === lost ? { ...lost, fence: lost.fence - 1 } : claim, [
              ms(10 + index),
              { ...ms(20 + index), output: { ...output, text: `${index}` } },
            ]),
        ),
      () =>
        database
          .write(
            (tx) =>
              recordFailure(tx, claims[4]!, { durationMs: 7, failure: { code: 'no', message: 'No.', issues: [] } }),
            'steps',
          )
          .then(() => undefined),
    ])
    expect(results[1]).toThrow(FenceLost)
    const read = await Promise.all(ids.map((id) => readExecution(database, id)))
    expect(read.map(({ execution }) => [execution.status, execution.output])).toEqual([
      ['processing', '0'],
      ['processing', null],
      ['processing', '2'],
      ['processing', '3'],
      ['failed', null],
    ])
    expect(read.map(({ steps }) => steps.map(({ durationMs }) => durationMs))).toEqual([
      [10, 20, null, null],
      [null, null, null, null],
      [12, 22, null, null],
      [13, 23, null, null],
      [7, null, null, null],
    ])
  })

  test('come with the claims and inputs of many steps in few statements', async () => {
    const first = await seedExecution(database, { stepCount: 2 })
    const [seeded] = await database.read.rows<{ id: string }>(
      sql`select release_id as id from executions where id = ${first}`,
    )
    const ids = [first]
    while (ids.length < 4 * MEMBERS) ids.push(await seedExecution(database, { releaseId: seeded!.id, stepCount: 2 }))
    const bus = await openBus('embedded')
    const before = relay.sent().map(({ length }) => length)
    const runner = startRunner({
      ...{ database, bus, clock: systemClock, owner: 'one', pool: scriptedPool(doneTogether(MEMBERS)) },
      objects: { put: async () => {}, probe: async () => {} } as unknown as ObjectStore,
      // Nothing is looked for by the clock.
      timing: { pollMs: 600_000, heartbeatMs: 600_000, leaseMs: 600_000 },
      log: createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) }),
    })
    for (const id of ids) await untilEnded(database, id)
    await runner.drain(1_000)
    await bus.close()
    const texts = relay
      .sent()
      .flatMap((messages, index) => messages.slice(before[index]).flatMap((message) => statementIn(message) ?? []))
    const count = (pattern: RegExp) => texts.filter((text) => pattern.test(text)).length
    // Four waves of a claim and a record, and claims that found nothing; and one reading of inputs for each wave.
    expect(count(/^begin/)).toBeLessThanOrEqual(10)
    expect(count(/"raw_input"/)).toBe(4)
    expect(count(/^select 1 .*queued/)).toBeLessThanOrEqual(4)
  })

  test('come after one reading of the steps, of all executions of a claim', async () => {
    const ids = [await seedExecution(database, { stepCount: 2 }), await seedExecution(database)]
    const steps = await Promise.all(ids.map((id) => loadSteps(database.read, id)))
    expect(steps.map((each) => each.map(({ name }) => name))).toEqual([stepNames.slice(0, 2), stepNames])
    const texts = relay.sent().flatMap((messages) => messages.flatMap((message) => statementIn(message) ?? []))
    expect(texts.filter((text) => text.includes('"attempt" from "steps"'))).toHaveLength(1)
  })
})
