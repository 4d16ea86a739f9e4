import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createProgress } from '../../../src/commands/progress.ts'
import { verifyObjects, verifyRows } from '../../../src/commands/verify.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { addMs, type Instant } from '../../../src/core/instant.ts'
import { createLog } from '../../../src/core/log.ts'
import { partTitles, type RetainedPart, retainedParts } from '../../../src/core/retained-parts.ts'
import { openDatabase } from '../../../src/db/connect.ts'
import { copiedTables, readLines } from '../../../src/db/copy.ts'
import type { Database } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { verifyCoverage } from '../../../src/modules/audit/audit.coverage.ts'
import { startSealer } from '../../../src/modules/audit/audit.sealer.ts'
import { verifyChain } from '../../../src/modules/audit/audit.service.ts'
import type { FinisherPoint } from '../../../src/modules/erasures/erasures.finisher.service.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { openLedger } from '../../../src/modules/ledger/ledger.service.ts'
import type { RemoverPoint } from '../../../src/modules/retention/retention.remover.service.ts'
import { openObjectStore } from '../../../src/objects/objects.ts'
import { openPool } from '../../../src/runner/pool.ts'
import { isFull } from '../../crash/load.ts'
import { startTestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { runCommand } from '../../support/command.ts'
import { describeOnBothDialects, emptyDatabaseUrl, temporaryFolder } from '../../support/database.ts'
import { signing, signingSecret } from '../../support/signing.ts'
import { createStepRunner } from '../executions/run.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const pool = openPool({ size: 1, log })
afterAll(() => pool.close())

const dayMs = 86_400_000
const days: Record<RetainedPart, number> = { raw_input: 30, output: 60, artifacts: 90, events: 120, steps: 150 }
const policy = { keep_days: 3_650, parts: days }

/** Of a store with four submissions of one day, two in a transaction, and one of a year later. */
interface Store {
  url: string
  objectsUrl: string
  ledger: string
  made: { id: string; executionId: string }[]
  young: { id: string; executionId: string }
  madeAt: Instant
}

describeOnBothDialects('a process that is killed while it carries out retention policies', (dialect) => {
  const opened = async <T>(url: string, work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(url)
    try {
      database.attestWith?.(signing.attest)
      return await work(database)
    } finally {
      await database.close()
    }
  }

  async function filled(): Promise<Store> {
    const url = await emptyDatabaseUrl(dialect)
    const objectsUrl = `file:${temporaryFolder()}`
    const database = await openDatabase(url)
    await migrate(database)
    database.attestWith?.(signing.attest)
    const app = await startTestApp(dialect, { database })
    await seedDemo(database, app.clock)
    const root = await Author.signIn(app, 'root', ['administrator', 'operator'])
    const objects = await openObjectStore(objectsUrl)
    const run = createStepRunner(database, pool, objects)
    const { scenarios } = (await root.get('/intake-test-lab/scenarios')).body
    const { raw_input, metadata } = scenarios[0]
    const submit = async (name: string, change: (input: string) => string) => {
      const body = {
        ingestion_model: 'clws-policy',
        raw_input: change(raw_input),
        metadata: { ...metadata, source_object: name },
      }
      const { body: answer, status } = await root.post('/submissions', body)
      expect(status).toBe(202)
      const { id, executions } = answer.submission
      await run(executions[0].id)
      return { id, executionId: executions[0].id }
    }
    const madeAt = app.clock.now()
    const named = (name: string) => (input: string) => input.replace(/"name": "[^"]+"/, `"name": "${name}"`)
    const made = [
      await submit('A', named('Ada')),
      // It fails, and so has no output and no documents.
      await submit('B', (input) => input.replace('{', '{"unknown": 1, "x')),
      await submit('C', named('Cy')),
      // The young one has the same documents.
      await submit('D', named('Dee')),
    ]
    const set = await root.post('/retention', { policies: [policy], expected_number: 0 })
    expect(set.status).toBe(200)
    app.clock.advance(365 * dayMs)
    const later = await Author.signIn(app, 'later', ['operator'])
    const again = await later.post('/submissions', {
      ...{ ingestion_model: 'clws-policy', raw_input: named('Dee')(raw_input) },
      metadata: { ...metadata, source_object: 'D2' },
    })
    const young = { id: again.body.submission.id, executionId: again.body.submission.executions[0].id }
    await run(young.executionId)
    await database.write((tx) => tx.rows(sql`update events set published_at = created_at where published_at is null`))
    await seal(database)
    await objects.close()
    await database.close()
    return { url, objectsUrl, ledger: join(temporaryFolder(), 'ledger'), made, young, madeAt }
  }

  async function seal(database: Database): Promise<void> {
    const owner = crypto.randomUUID()
    await startSealer({ database, log, owner, key: signing, clock: systemClock, isSoleInstance: true }).drain()
  }

  /** All rows of all tables. */
  async function dumpOf(database: Database): Promise<string[]> {
    const lines: string[] = []
    for (const table of copiedTables(database.read)) {
      for await (const page of readLines(database.read, table))
        lines.push(...page.lines.map((line) => `${table.name} ${line}`))
    }
    return lines
  }

  /** All that `quire verify` finds of a store whose trail is sealed. */
  async function problemsOf(database: Database, objectsUrl: string): Promise<string[]> {
    await seal(database)
    const found: string[] = []
    const report = (problem: string) => void found.push(problem)
    const progress = createProgress()
    await verifyRows(database.read, report, progress)
    const objects = await openObjectStore(objectsUrl)
    await verifyObjects(database.read, objects, { report, progress })
    await objects.close()
    await verifyCoverage({ connection: database.read, report, key: signing })
    const { broken } = await verifyChain(database.read, 1)
    if (broken !== undefined) found.push(`position ${broken.position}: ${broken.reason}`)
    return found
  }

  /** The submissions that have a tombstone for a part, and how many tombstones. */
  async function removedOf({ read }: Database, part: RetainedPart): Promise<[ids: string[], tombstones: number]> {
    const rows = await read.rows<{ id: string }>(sql`select item_id as id from erased_items where kind = ${part}`)
    return [[...new Set(rows.map(({ id }) => id))].sort(), rows.length]
  }

  let kills = 0
  async function runThrough(store: Store, now: Instant, at?: [point: RemoverPoint | FinisherPoint, passes: number]) {
    const { url, objectsUrl, ledger } = store
    const more = at === undefined ? [] : [at[0], String(at[1])]
    const program = join(import.meta.dir, 'removing.ts')
    const child = Bun.spawn([process.execPath, program, url, objectsUrl, ledger, now, ...more], { stderr: 'inherit' })
    await child.exited
    expect([at, child.signalCode, child.exitCode]).toEqual(at === undefined ? [at, null, 0] : [at, 'SIGKILL', null])
    if (at !== undefined) kills++
  }

  /** How many objects are left to remove depends on which erasure is seen to first: ids of one instant have no order. */
  const objectsLeft = 2

  test('leaves each part whole or removed, and what was to be done afterwards is done by the next one', async () => {
    const store = await filled()
    const { url, objectsUrl, made, young } = store
    const ids = made.map(({ id }) => id)
    const counted = (database: Database) =>
      database.read.rows(sql`select (select count(*) from submissions) as submissions,
        (select count(*) from executions where status in ('completed', 'failed')) as executions,
        (select count(*) from steps) as steps, (select count(*) from artifacts) as artifacts,
        (select count(*) from idempotency) as keys`)
    const before = await opened(url, counted)
    // Every part takes its transaction through the same points; what differs is what is in it, and what is left to do.
    for (const part of isFull ? retainedParts : (['raw_input', 'artifacts', 'events'] as const)) {
      const now = addMs(store.madeAt, (days[part] + 1) * dayMs)
      // What the parts before leave is done, so that all that happens is about this one.
      await runThrough(store, addMs(now, -2 * dayMs))
      const whole = await opened(url, dumpOf)
      for (const point of ['sorted', 'part-taken', 'recorded'] as const) {
        await runThrough(store, now, [point, 0])
        expect(await opened(url, dumpOf)).toEqual(whole)
      }
      // In the second transaction: the first has taken the part of two, which nothing brings back.
      await runThrough(store, now, ['part-taken', 1])
      await opened(url, async (database) => {
        expect(await removedOf(database, part)).toEqual([ids.slice(0, 2).sort(), 2])
        expect(await problemsOf(database, objectsUrl)).toEqual([])
      })
      await runThrough(store, now, ['committed', 0])
      await opened(url, async (database) => {
        expect(await removedOf(database, part)).toEqual([ids.toSorted(), 4])
        expect(await problemsOf(database, objectsUrl)).toEqual([])
      })
      const afterwards: [FinisherPoint, number][] = [
        ['noted', 0],
        ['noted', 1],
        ...Array.from({ length: part === 'artifacts' ? objectsLeft : 0 }, (): [FinisherPoint, number] => [
          'object-removed',
          0,
        ]),
        ['objects-removed', 0],
        ['files-scrubbed', 0],
        ['completed', 0],
      ]
      for (const at of isFull || part === 'artifacts' ? afterwards : afterwards.slice(0, 1)) {
        await runThrough(store, now, at)
        expect(await opened(url, (database) => problemsOf(database, objectsUrl))).toEqual([])
      }
    }
    // The policies have taken the parts that were left out above by then, too.
    const last = addMs(store.madeAt, 200 * dayMs)
    await runThrough(store, last)
    const ledger = openLedger(
      { dataFolder: store.ledger, erasureLedger: store.ledger },
      await openObjectStore(objectsUrl),
    )
    await opened(url, async (database) => {
      for (const part of retainedParts)
        expect([part, ...(await removedOf(database, part))]).toEqual([part, ids.toSorted(), 4])
      expect(await database.read.rows(sql`select id from erasures where completed_at is null`)).toEqual([])
      const all = await database.read.rows<{ id: string }>(sql`select id from erasures`)
      expect((await ledger.names('erasure')).inAll).toEqual(new Set(all.map(({ id }) => id)))
      expect(all.length).toBe(2 * retainedParts.length)
      expect(await counted(database)).toEqual(before)
      expect(await problemsOf(database, objectsUrl)).toEqual([])
      const objects = await openObjectStore(objectsUrl)
      const stored = await database.read.rows<{ execution: string; hash: string }>(
        sql`select execution_id as execution, content_hash as hash from artifacts`,
      )
      const kept = new Set(stored.filter(({ execution }) => execution === young.executionId).map(({ hash }) => hash))
      expect(kept.size).toBe(2)
      for (const { hash } of stored)
        expect([hash, (await objects.size(hash)) !== undefined]).toEqual([hash, kept.has(hash)])
      await objects.close()
    })
    const settings = {
      ...{ QUIRE_DATABASE_URL: url, QUIRE_OBJECTS_URL: objectsUrl, QUIRE_SIGNING_KEY: signingSecret },
      QUIRE_ERASURE_LEDGER: store.ledger,
    }
    const verified = await runCommand(temporaryFolder(), ['verify'], settings)
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    for (const part of retainedParts) {
      const said = `under set 1 of the retention policies: the ${partTitles[part]} of 2 submissions`
      expect([part, verified.stdout.split(said).length - 1]).toEqual([part, 2])
    }
    process.stderr.write(`${dialect}: ${kills} kills while policies were carried out
`)
  }, 600_000)
})
