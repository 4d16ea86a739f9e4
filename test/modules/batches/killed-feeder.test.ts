import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { systemClock } from '../../../src/core/clock.ts'
import { createLog } from '../../../src/core/log.ts'
import { openDatabase } from '../../../src/db/connect.ts'
import type { Database, Dialect } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { type FeederPoint, openFeeder } from '../../../src/modules/batches/batches.feeder.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { createSubmissionService } from '../../../src/modules/submissions/submissions.service.ts'
import { openObjectStore } from '../../../src/objects/objects.ts'
import { startTestApp } from '../../http/harness.ts'
import { describeOnBothDialects, emptyDatabaseUrl, temporaryFolder } from '../../support/database.ts'
import { postgresAvailable } from '../../support/postgres.ts'
import { csvOf, handIn, startInvoices } from './fixture.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

/** A store with a batch of so many rows, and nobody who feeds it. */
async function handedIn(dialect: Dialect, count: number) {
  const url = await emptyDatabaseUrl(dialect)
  const objectsUrl = `file:${temporaryFolder()}`
  const database = await openDatabase(url)
  await migrate(database)
  const app = await startTestApp(dialect, { database })
  const { operator } = await startInvoices(app)
  const { body } = await handIn(operator, csvOf(count))
  const bytes = await app.objects.get(body.content_hash)
  const objects = await openObjectStore(objectsUrl)
  await objects.put(body.content_hash, bytes ?? new Uint8Array(0))
  return { url, objectsUrl, database, operator, batchId: body.id as string }
}

function feed(url: string, objectsUrl: string, ...more: string[]) {
  const command = [process.execPath, join(import.meta.dir, 'feeding.ts'), url, objectsUrl, ...more]
  return Bun.spawn(command, { stderr: 'inherit' })
}

/** What is left, in this process. */
async function feedHere(database: Database, objectsUrl: string): Promise<void> {
  const feeder = openFeeder({
    ...{ database, log, judge: judgeHere, clock: systemClock, isLeader: async () => true },
    objects: await openObjectStore(objectsUrl),
    submissions: createSubmissionService({ database, judge: judgeHere }),
  })
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

const points: [FeederPoint, number][] = [
  ['rows-read', 1],
  ['place-moved', 1],
  ['rows-submitted', 0],
  ['rows-noted', 1],
  ['committed', 1],
]

describeOnBothDialects('a feeder that is killed', (dialect) => {
  test('leaves each row submitted once, or not yet, wherever it is killed', async () => {
    const { url, objectsUrl, database } = await handedIn(dialect, 20)
    // A second process on the same SQLite file must not find this one's connections busy.
    if (dialect === 'sqlite') await database.close()
    // The order of what is written is the same in both; processes that die take seconds to start.
    for (const [point, passes] of dialect === 'sqlite' ? points : points.slice(-2)) {
      const child = feed(url, objectsUrl, point, String(passes))
      await child.exited
      // Whoever comes after the others may find too few rows left for its point.
      if (child.exitCode !== 0) expect(child.signalCode).toBe('SIGKILL')
    }
    const reopened = dialect === 'sqlite' ? await openDatabase(url) : database
    await feedHere(reopened, objectsUrl)
    await expectEachOnce(reopened, 20)
    await reopened.close()
  }, 120_000)
})

test.if(postgresAvailable)(
  'two processes that feed one batch at once submit each row once, also when it is paused meanwhile',
  async () => {
    const { url, objectsUrl, database, operator, batchId } = await handedIn('postgres', 64)
    const children = [feed(url, objectsUrl), feed(url, objectsUrl)]
    const { batches } = database.read.t
    const nextRow = async () => (await database.read.q.select().from(batches))[0]?.nextRow ?? 0
    while ((await nextRow()) === 1) await Bun.sleep(2)
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
