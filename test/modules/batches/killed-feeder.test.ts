import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { systemClock } from '../../../src/core/clock.ts'
import { createLog } from '../../../src/core/log.ts'
import { openDatabase } from '../../../src/db/connect.ts'
import type { Database, Dialect } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { type FeederPoint, openFeeder } from '../../../src/modules/batches/batches.feeder.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { createSubmissionService } from '../../../src/modules/submissions/submissions.service.ts'
import type { ObjectStore } from '../../../src/objects/object-store.ts'
import { openObjectStore } from '../../../src/objects/objects.ts'
import { openPool } from '../../../src/runner/pool.ts'
import { startTestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { runCommand } from '../../support/command.ts'
import { describeOnBothDialects, emptyDatabaseUrl, temporaryFolder } from '../../support/database.ts'
import { postgresAvailable } from '../../support/postgres.ts'
import { signing, signingSecret } from '../../support/signing.ts'
import { until } from '../../support/until.ts'
import { runAll } from '../executions/run.ts'
import { csvOf, handIn, startInvoices } from './fixture.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const pool = openPool({ size: 1, log })
afterAll(() => pool.close())

async function openedStore(url: string): Promise<Database> {
  const database = await openDatabase(url)
  database.attestWith?.(signing.attest)
  return database
}

/** A store with a batch of so many rows, and nobody who feeds it. */
async function handedIn(dialect: Dialect, count: number) {
  const url = await emptyDatabaseUrl(dialect)
  const objectsUrl = `file:${temporaryFolder()}`
  const database = await openedStore(url)
  await migrate(database)
  const app = await startTestApp(dialect, { database })
  const { operator } = await startInvoices(app)
  // The amount of the second row breaks the contract.
  const { body } = await handIn(operator, csvOf(count).replace('A-2,2', 'A-2,-2'))
  const bytes = await app.objects.get(body.content_hash)
  const objects = await openObjectStore(objectsUrl)
  await objects.put(body.content_hash, bytes ?? new Uint8Array(0))
  return { url, objectsUrl, database, operator, batchId: body.id as string }
}

function feed(url: string, objectsUrl: string, ...more: string[]) {
  const command = [process.execPath, join(import.meta.dir, 'feeding.ts'), url, objectsUrl, ...more]
  return Bun.spawn(command, { stderr: 'inherit' })
}

function feederOf(database: Database, objects: ObjectStore) {
  return openFeeder({
    ...{ database, objects, log, judge: judgeHere, clock: systemClock, isLeader: async () => true },
    submissions: createSubmissionService({ database, judge: judgeHere }),
  })
}

/** What is left, in this process. */
async function feedHere(database: Database, objectsUrl: string): Promise<void> {
  const feeder = feederOf(database, await openObjectStore(objectsUrl))
  const { batches } = database.read.t
  const isFed = async () => (await database.read.q.select().from(batches)).every(({ nextRow, rows }) => nextRow > rows)
  while (!(await isFed())) await feeder.round()
}

/** Each row is noted once, with a submission of its own, and no other submission was made. */
async function expectEachOnce(database: Database, count: number): Promise<void> {
  const { batches, batchRows, submissions } = database.read.t
  const rows = await database.read.q.select().from(batchRows)
  const made = await database.read.q.select().from(submissions)
  const numbers = rows.map(({ number }) => number).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  expect(rows.map(({ objectReference }) => objectReference).sort()).toEqual(numbers.map((each) => `A-${each}`).sort())
  expect(new Set(rows.map(({ submissionId }) => submissionId))).toEqual(new Set(made.map(({ id }) => id)))
  expect(made.length).toBe(count)
  const [batch] = await database.read.q.select().from(batches)
  expect([batch?.nextRow, batch?.fileHash]).toEqual([count + 1, null])
}

/** Each in a transaction of its own, of eight rows. */
const feeding: [FeederPoint, number][] = [
  ['rows-read', 1],
  ['place-moved', 1],
  ['rows-submitted', 0],
  ['rows-noted', 1],
  ['committed', 1],
]

describeOnBothDialects('a feeder that is killed', (dialect) => {
  /** A second process on the same SQLite file must not find this one's connections busy. */
  async function alone(url: string, database: Database): Promise<() => Promise<Database>> {
    if (dialect === 'sqlite') await database.close()
    return async () => (dialect === 'sqlite' ? openedStore(url) : database)
  }

  async function killedAt(url: string, objectsUrl: string, point: FeederPoint, passes = 0): Promise<void> {
    const child = feed(url, objectsUrl, point, String(passes))
    await child.exited
    expect([point, child.signalCode]).toEqual([point, 'SIGKILL'])
  }

  test('leaves each row submitted once, or not yet, and its end noted once, wherever it is killed', async () => {
    const { url, objectsUrl, database } = await handedIn(dialect, 80)
    let open = await alone(url, database)
    for (const [point, passes] of feeding) await killedAt(url, objectsUrl, point, passes)
    let reopened = await open()
    await feedHere(reopened, objectsUrl)
    await expectEachOnce(reopened, 80)

    const statusOf = async () => {
      const { batches, events, batchRows } = reopened.read.t
      const [batch] = await reopened.read.q.select().from(batches)
      const all = await reopened.read.q.select().from(events).orderBy(events.id)
      const types = all.filter(({ aggregate }) => aggregate === 'batch')
      const rows = await reopened.read.q.select().from(batchRows)
      const numberOf = (state: string) => rows.filter((row) => row.state === state).length
      return [batch?.status, types.map(({ type }) => type).join(), numberOf('submitted'), numberOf('failed')]
    }
    const objects = await openObjectStore(objectsUrl)
    await runAll(reopened, pool, objects)
    for (const point of ['rows-closed', 'batch-completed'] as const) {
      open = await alone(url, reopened)
      await killedAt(url, objectsUrl, point)
      reopened = await open()
      // What was noted before the kill stays noted.
      const isClosed = point === 'batch-completed'
      expect(await statusOf()).toEqual(['running', 'created', isClosed ? 0 : 80, isClosed ? 1 : 0])
    }
    const feeder = feederOf(reopened, objects)
    await feeder.round()
    expect(await statusOf()).toEqual(['completed', 'created,completed', 0, 1])

    // The one that failed is submitted again.
    const app = await startTestApp(dialect, { database: reopened })
    const operator = await Author.signIn(app, 'another', ['operator'])
    const [batch] = (await operator.get('/batches')).body.batches
    const [{ cause }] = (await operator.get(`/batches/${batch.id}/failures`)).body.causes
    expect((await operator.post(`/batches/${batch.id}/retry`, { cause })).body.retried).toBe(1)
    const submissionsOf = async () => (await reopened.read.q.select().from(reopened.read.t.submissions)).length
    for (const point of ['row-submitted', 'row-settled'] as const) {
      open = await alone(url, reopened)
      await killedAt(url, objectsUrl, point)
      reopened = await open()
      expect(await submissionsOf()).toBe(80)
    }
    const last = feederOf(reopened, objects)
    await last.round()
    await last.round()
    expect(await submissionsOf()).toBe(81)
    await runAll(reopened, pool, objects)
    await last.round()
    expect(await statusOf()).toEqual(['completed', 'created,completed,resumed,completed', 0, 1])
    await objects.close()
    await reopened.close()
    const settings = { QUIRE_DATABASE_URL: url, QUIRE_OBJECTS_URL: objectsUrl, QUIRE_SIGNING_KEY: signingSecret }
    expect(await runCommand(temporaryFolder(), ['verify'], settings)).toMatchObject({ code: 0, stderr: '' })
  }, 300_000)
})

test.if(postgresAvailable)(
  'two processes that feed one batch at once submit each row once, also when it is paused meanwhile',
  async () => {
    const { url, objectsUrl, database, operator, batchId } = await handedIn('postgres', 64)
    const children = [feed(url, objectsUrl), feed(url, objectsUrl)]
    const { batches } = database.read.t
    const nextRow = async () => (await database.read.q.select().from(batches))[0]?.nextRow ?? 0
    await until('rows are being fed', async () => (await nextRow()) > 1, 60_000)
    const paused = await operator.post(`/batches/${batchId}/pause`, {})
    const at = await nextRow()
    await Bun.sleep(100)
    expect(await nextRow()).toBe(at)
    if (paused.status === 200) await operator.post(`/batches/${batchId}/resume`, {})
    for (const child of children) await child.exited
    await feedHere(database, objectsUrl)
    await expectEachOnce(database, 64)
    await database.close()
  },
  120_000,
)
