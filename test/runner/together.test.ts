import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { claimReady } from '../../src/runner/claim.store.ts'
import { recordFailure, recordSuccesses, type SuccessRecord } from '../../src/runner/record.store.ts'
import { type Claim, FenceLost } from '../../src/runner/steps.store.ts'
import { emptyDatabaseUrl } from '../support/database.ts'
import { listenIn, statementIn } from '../support/listen-in.ts'
import { outcomeOf } from '../support/outcome.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { briefly } from '../support/statements.ts'
import { seedExecution } from './seed.ts'
import { readExecution } from './snapshot.ts'

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
})
