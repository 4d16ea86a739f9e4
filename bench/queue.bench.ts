/**
 * Steps per second on PostgreSQL without rendering, beside the jobs per second of graphile-worker and pg-boss; and the same steps
 * with one, two and four runners whose engines take 20 ms each, as if on other machines.
 *
 * Method: one private server with fsync, a database for each contender. Everything is queued first; the time until the last job
 * has ended counts. Each runs once unmeasured before that, because a service has compiled its code long ago. A job of the peers
 * does nothing and leaves one row; a step of Quire's also records its output, events and artifact (object store: memory). Quire's
 * steps follow from one release, and every transaction checks the store's id, as in a service. Processor time is printed
 * separately: how many steps per second one core of the server could carry shows when the database becomes the limit, even on a
 * machine with other load.
 * Run: bun bench/queue.bench.ts
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Logger, makeWorkerUtils, run, runMigrations } from 'graphile-worker'
import PgBoss from 'pg-boss'
import postgres from 'postgres'
import { openBus } from '../src/bus/bus.ts'
import type { Bus } from '../src/bus/message-bus.ts'
import { systemClock } from '../src/core/clock.ts'
import { newId } from '../src/core/ids.ts'
import { createLog } from '../src/core/log.ts'
import { openDatabase } from '../src/db/connect.ts'
import { migrate, requiredMigrations } from '../src/db/migrate.ts'
import { ensureStoreId } from '../src/db/store-id.ts'
import type { ObjectStore } from '../src/objects/object-store.ts'
import { type Runner, startRunner } from '../src/runner/runner.ts'
import { scriptedPool } from '../test/runner/scripted-pool.ts'
import { seedExecution } from '../test/runner/seed.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { launchPostgres } from '../test/support/postgres.ts'
import { show } from './figures.ts'

const EXECUTIONS = Number(process.argv[2] ?? 500)
const STEPS = 4
const JOBS = EXECUTIONS * STEPS
/** For every system: as many as a Quire instance with two workers has in hand. */
const CONCURRENCY = 8
const ENGINE_MS = 20

const server = await launchPostgres()
const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

/** Processor milliseconds that all of the server's processes have used so far, including ended ones. */
function serverCpuMs(): number {
  const TICK_MS = 10
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')
      const [parent, own, ended] = [Number(fields[1]), [11, 12], [13, 14]]
      if (Number(name) === server.pid) for (const at of [...own, ...ended]) ticks += Number(fields[at])
      else if (parent === server.pid) for (const at of own) ticks += Number(fields[at])
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks * TICK_MS
}

interface Measured {
  perSecond: number
  ownCpuMs: number
  serverCpuMs: number
}

/** Times the work. @returns figures per job, for this many jobs */
async function measure(jobs: number, work: () => Promise<unknown>): Promise<Measured> {
  const [cpu, serverBefore, startedAt] = [process.cpuUsage(), serverCpuMs(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: (jobs * 1000) / (performance.now() - startedAt),
    ownCpuMs: (user + system) / 1000 / jobs,
    serverCpuMs: (serverCpuMs() - serverBefore) / jobs,
  }
}

function memoryStore(): ObjectStore {
  const kept = new Map<string, Uint8Array>()
  return {
    async put(hash, bytes) {
      const outcome = kept.has(hash) ? 'found' : 'new'
      kept.set(hash, bytes)
      return outcome
    },
    get: async (hash) => kept.get(hash),
    open: async () => undefined,
    size: async (hash) => kept.get(hash)?.length,
    modifiedAtMs: async () => 0,
    delete: async (hash) => kept.delete(hash),
    deleteUnlessSince: async (hash) => (kept.delete(hash) ? 'removed' : 'missing'),
    async *list() {},
    notes: { names: async () => [], get: async () => undefined, put: async () => {}, delete: async () => {} },
    probe: async () => {},
    close: async () => {},
  }
}

/** Steps per second of this many runners, each with connections of its own. */
async function quire(runners: number, executions: number, engineMs: number): Promise<Measured> {
  const url = await server.createDatabase()
  const seeding = await openDatabase(url)
  await migrate(seeding)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const first = await seedExecution(seeding)
  const [release] = await sql<{ id: string }[]>`select release_id as id from executions where id = ${first}`
  const ofSameRelease = { releaseId: release!.id }
  for (let seeded = 1; seeded < executions; seeded += 50) {
    const count = Math.min(50, executions - seeded)
    await Promise.all(Array.from({ length: count }, () => seedExecution(seeding, ofSameRelease)))
  }
  await sql`analyze`
  const storeId = await ensureStoreId(seeding)
  const databases = await Promise.all(Array.from({ length: runners }, () => openDatabase(url)))
  for (const database of databases) database.bindTo?.({ storeId, required: requiredMigrations('postgres') })
  const buses: Bus[] = []
  for (let index = 0; index < runners; index++) buses.push(await openBus('embedded'))
  const objects = memoryStore()
  const open = async () => Number((await sql`select count(*) as n from executions where status <> 'completed'`)[0]?.n)
  let running: Runner[] = []
  const measured = await measure(executions * STEPS, async () => {
    running = databases.map((database, index) =>
      startRunner({
        database,
        objects,
        pool: scriptedPool(engineMs === 0 ? undefined : async () => void (await Bun.sleep(engineMs)), 2),
        bus: buses[index]!,
        clock: systemClock,
        log,
        owner: newId(),
      }),
    )
    while ((await open()) > 0) await Bun.sleep(50)
  })
  for (const runner of running) await runner.drain(1_000)
  for (const part of [...buses, ...databases, seeding]) await part.close()
  await sql.end()
  return measured
}

async function graphile(): Promise<Measured> {
  const connectionString = await server.createDatabase()
  const ended = Promise.withResolvers<void>()
  let left = JOBS
  const logger = new Logger(() => () => {})
  await runMigrations({ connectionString, logger })
  const utils = await makeWorkerUtils({ connectionString, logger })
  await utils.addJobs(Array.from({ length: JOBS }, (_, index) => ({ identifier: 'step', payload: { index } })))
  const step = async () => {
    if (--left === 0) ended.resolve()
  }
  let stop = async () => {}
  const measured = await measure(JOBS, async () => {
    const settings = { connectionString, logger, concurrency: CONCURRENCY, noHandleSignals: true, taskList: { step } }
    const runner = await run(settings)
    stop = () => runner.stop()
    await ended.promise
  })
  await stop()
  await utils.release()
  return measured
}

/** Calls fetch and complete directly, since its workers pause between two fetches. */
async function boss(): Promise<Measured> {
  const client = new PgBoss(await server.createDatabase())
  client.on('error', (error: unknown) => process.stderr.write(`${error}\n`))
  await client.start()
  await client.createQueue('step')
  await client.insert(
    'step',
    Array.from({ length: JOBS }, (_, index) => ({ name: 'step', data: { index } })),
  )
  const worker = async () => {
    for (;;) {
      const [job] = await client.fetch('step', { batchSize: 1 })
      if (job === undefined) return
      await client.complete('step', job.id)
    }
  }
  const measured = await measure(JOBS, () => Promise.all(Array.from({ length: CONCURRENCY }, worker)))
  await client.stop({ graceful: false })
  return measured
}

function say(name: string, { perSecond, ownCpuMs, serverCpuMs }: Measured, rest = ''): void {
  const cpu = `processor ms each: own ${show(ownCpuMs)}, server ${show(serverCpuMs)} (a core carries ${show(1000 / serverCpuMs)} a second)`
  process.stdout.write(`${name.padEnd(40)} ${show(perSecond).padStart(8)} a second   ${cpu}${rest}\n`)
}

/** Runs the work twice. @returns the second result */
async function warm(work: () => Promise<Measured>): Promise<Measured> {
  await work()
  return work()
}

const ours = await warm(() => quire(1, EXECUTIONS, 0))
say('Quire, steps', ours)
for (const [name, peer] of [
  ['graphile-worker, empty jobs', await warm(graphile)],
  ['pg-boss, empty jobs', await warm(boss)],
] as const) {
  say(name, peer, `   Quire ${show(ours.perSecond / peer.perSecond)} ×`)
}
const alone = await quire(1, EXECUTIONS / 2, ENGINE_MS)
say(`Quire, engines of ${ENGINE_MS} ms, 1 runner`, alone)
for (const runners of [2, 4]) {
  const together = await quire(runners, EXECUTIONS / 2, ENGINE_MS)
  say(
    `Quire, engines of ${ENGINE_MS} ms, ${runners} runners`,
    together,
    `   ${show(together.perSecond / alone.perSecond)} ×`,
  )
}
await cleanUp()
process.exit(0)
