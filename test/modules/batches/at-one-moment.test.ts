/** What two people, or a person and the feeder, do with the rows of a batch at the same moment, on PostgreSQL, where both go on beside each other. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../src/db/database.ts'
import type { Batch } from '../../../src/modules/batches/batches.model.ts'
import { createBatchRetryService } from '../../../src/modules/batches/batches.retries.service.ts'
import { createErasureService } from '../../../src/modules/erasures/erasures.service.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { type Answered, Author } from '../../support/author.ts'
import { beforeReading } from '../../support/between-statements.ts'
import { holdingCommits } from '../../support/lock-waits.ts'
import { outcomeOf, rejectionOf } from '../../support/outcome.ts'
import { postgresAvailable } from '../../support/postgres.ts'
import { runAll } from '../executions/run.ts'
import { handIn, startInvoices } from './fixture.ts'

describe.skipIf(!postgresAvailable)('rows of batches at one moment (postgres)', () => {
  let app: TestApp
  let holding: ReturnType<typeof holdingCommits>
  let operator: Author
  let root: Author

  beforeAll(async () => {
    app = await startTestApp('postgres')
    holding = holdingCommits(app.database)
    ;({ operator } = await startInvoices(app))
    root = await Author.signIn(app, 'root', ['administrator'])
  })

  const rowsOf = async (id: string) => (await operator.get(`/batches/${id}/rows`)).body.rows
  const causeOf = async (id: string) => (await operator.get(`/batches/${id}/failures`)).body.causes[0].cause
  const retry = async (id: string) => operator.post(`/batches/${id}/retry`, { cause: await causeOf(id) })
  const erase = (reference: string) => root.post('/erasures', { object_reference: reference, reason: 'they asked' })
  const about = async (reference: string): Promise<string[]> =>
    (await operator.get(`/submissions?object_reference=${reference}`)).body.submissions.map(
      ({ id }: { id: string }) => id,
    )

  const actorNow = () => ({ userId: 'somebody', correlationId: 'c', at: app.clock.now() })
  const retriesOn = (database: Database) => createBatchRetryService(database, { read: async () => ({}) as Batch })

  /** The database, where somebody does something just before a transaction. */
  const beforeWriting = (happen: () => Promise<Answered>): Database => ({
    ...{ dialect: 'postgres', writeLoad: app.database.writeLoad, read: app.database.read, close: async () => {} },
    snapshot: (work) => app.database.snapshot(work),
    async write(work, lane) {
      expect((await happen()).status).toBe(200)
      return app.database.write(work, lane)
    },
  })

  /** What somebody does while the feeder has submitted rows again, and not committed that yet. */
  const whileFed = (second: () => Promise<Answered>): Promise<Answered> =>
    // Only those transactions say anything: how many steps that brought.
    holding
      .whileHeld((outcome) => outcome !== undefined, app.openFeeder({ database: holding.database }).round, second)
      .then(([, answer]) => answer)

  test('a row that is just submitted again is not erased in its place', async () => {
    const { body } = await handIn(operator, 'number,amount\n=M-1,1\n')
    await app.openFeeder().round()
    expect((await retry(body.id)).body.retried).toBe(1)
    await app.database.write((tx) => tx.rows(sql`update batch_rows set raw_input = '{"number":"M-1","amount":1}'`))
    const erased = await whileFed(() => erase('M-1'))
    expect([erased.status, (await rowsOf(body.id))[0].state]).toEqual([409, 'submitted'])
    const [id] = await about('M-1')
    expect((await rowsOf(body.id))[0].submission_id).toBe(id)
    await runAll(app.database, app.pool, app.objects)
    expect((await erase('M-1')).status).toBe(201)
    expect([await about('M-1'), (await rowsOf(body.id))[0].state]).toEqual([[], 'erased'])
  })

  test('rows that are the last of their file are not erased without their submissions', async () => {
    const first = await handIn(operator, 'number,amount\nL-1,1\n')
    await app.openFeeder().round()
    await runAll(app.database, app.pool, app.objects)
    const last = await handIn(operator, 'number,amount\nL-1,2\n')
    let fed = 0
    const feed = async () => {
      await app.openFeeder().round()
      fed++
    }
    const database = beforeReading(app.database, app.database.read.t.batches, feed)
    const request = { actorId: 'somebody', key: 'key of L-1', requestHash: 'x' }
    const wanted = { objectReference: 'L-1', reason: 'they asked' }
    const outcome = createErasureService(database, app.objects).erase(actorNow(), request, wanted)
    expect(String(await rejectionOf(outcome))).toContain('not ended yet')
    expect(fed).toBe(1)
    await runAll(app.database, app.pool, app.objects)
    expect((await erase('L-1')).body.erasure.counts.submissions).toBe(2)
    for (const { body } of [first, last]) expect((await rowsOf(body.id))[0].state).toBe('erased')
  })

  test('a retry of rows is not lost where their batch completes at that moment', async () => {
    const { body } = await handIn(operator, 'number,amount\nO-1,-1\nO-2,1\n')
    const feeder = app.openFeeder()
    await feeder.round()
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    // As just before the feeder completes it.
    await app.database.write((tx) => tx.rows(sql`update batches set status = 'running' where id = ${body.id}`))
    const cause = await causeOf(body.id)
    const retry = () => retriesOn(holding.database).retry(actorNow(), body.id, { cause })
    await holding.whileHeld(() => true, retry, feeder.round)
    await feeder.round()
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    expect((await operator.get(`/batches/${body.id}`)).body).toMatchObject({
      ...{ status: 'completed', counts: { completed: 1, failed: 1, waiting: 0 } },
    })
    expect((await about('O-1')).length).toBe(2)
  })

  test('rows are not told to be submitted again where their batch is cancelled at that moment', async () => {
    const { body } = await handIn(operator, 'number,amount\n=P-1,1\n')
    const feeder = app.openFeeder()
    await feeder.round()
    await app.database.write((tx) => tx.rows(sql`update batches set status = 'running' where id = ${body.id}`))
    const cause = await causeOf(body.id)
    const meanwhile = beforeWriting(() => operator.post(`/batches/${body.id}/cancel`, {}))
    const retried = await outcomeOf(retriesOn(meanwhile).retry(actorNow(), body.id, { cause }))
    expect((await rowsOf(body.id))[0]).toMatchObject({ state: 'refused' })
    expect(retried).toThrow('was cancelled')
  })

  test('the file of a batch that is cancelled at that moment is erased, too', async () => {
    const { body } = await handIn(operator, 'number,amount\n=Q-1,1\n')
    await app.openFeeder().round()
    const cancelled = await handIn(operator, 'number,amount\nQ-2,1\n=Q-1,1\n')
    await operator.post(`/batches/${cancelled.body.id}/pause`, {})
    const meanwhile = beforeWriting(() => operator.post(`/batches/${cancelled.body.id}/cancel`, {}))
    const request = { actorId: 'somebody', key: 'key of Q-1', requestHash: 'x' }
    const wanted = { objectReference: 'Q-1', reason: 'they asked' }
    const outcome = createErasureService(meanwhile, app.objects).erase(actorNow(), request, wanted)
    expect(String(await rejectionOf(outcome))).toContain('Erase once more')
    expect((await rowsOf(body.id))[0].state).toBe('refused')
    expect((await erase('Q-1')).body).toMatchObject({ refused_rows: 1, dropped_files: 1 })
  })

  test('an input that is just submitted again is not erased without the new submission', async () => {
    const { body } = await handIn(operator, 'number,amount\nN-1,-1\n')
    const feeder = app.openFeeder()
    await feeder.round()
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    expect((await retry(body.id)).body.retried).toBe(1)
    const erased = await whileFed(() => erase('N-1'))
    expect([erased.status, erased.body.detail]).toEqual([409, expect.stringContaining('not ended yet')])
    expect((await about('N-1')).length).toBe(2)
    await runAll(app.database, app.pool, app.objects)
    expect((await erase('N-1')).status).toBe(201)
    expect(await about('N-1')).toEqual([])
  })
})
