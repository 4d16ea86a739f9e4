import { expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { bareEnvironment } from '../support/environment.ts'
import { launchPostgres, postgresAvailable } from '../support/postgres.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { expectExactlyOnce, type Settings, untilAllEnded } from './exactly-once.ts'
import { rounds, scenarioBody, signIn } from './load.ts'

const root = join(import.meta.dir, '../..')

/**
 * The next version: this one's source, with one more migration. It runs from source, because compiling it would take longer
 * than all of its instances.
 */
function nextVersion(name: string, sql: string, base = root): { folder: string; program: string[] } {
  const folder = temporaryFolder()
  for (const entry of readdirSync(root)) {
    if (entry !== 'src' && entry !== 'drizzle') symlinkSync(join(root, entry), join(folder, entry))
  }
  for (const copied of ['src', 'drizzle']) cpSync(join(base, copied), join(folder, copied), { recursive: true })
  const list = join(folder, 'src/db/migrations.ts')
  writeFileSync(join(folder, 'drizzle/postgres', `${name}.sql`), sql)
  const [head, tail] = readFileSync(list, 'utf8').split(/(?=\n {2}\],\n\}\n$)/)
  const text = `import added${name} from '../../drizzle/postgres/${name}.sql' with { type: 'text' }\n`
  writeFileSync(list, `${text}${head}\n    { name: '${name}', sql: added${name} },${tail}`)
  return { folder, program: [process.execPath, join(folder, 'src/main.ts')] }
}

const expanding = [
  '-- expands\nCREATE TABLE "shades" ("id" text PRIMARY KEY NOT NULL)',
  'ALTER TABLE "executions" ADD COLUMN "shade" text',
  'CREATE INDEX "executions_shade" ON "executions" ("shade")',
].join(';--> statement-breakpoint\n')

/** As often as `@quire/client` asks before it gives up. */
const ATTEMPTS = 5

interface Load {
  /** Ids of the executions that were promised. */
  promised: string[]
  /** How often a request had to be sent again, by what was in the way. */
  again: Map<string, number>
  /** @throws what a caller was told that no retry mends */
  untilMore(count: number): Promise<void>
  stop(): Promise<void>
}

/** Callers of all instances in turn, which send what isn't answered to the next one, under the same key. */
function startCallers(instances: RunningQuire[], token: string, body: unknown): Load {
  const authorized = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let isStopping = false
  let turn = 0
  const promised: string[] = []
  const again = new Map<string, number>()
  const ask = async (key: string) => {
    // Its own order: two callers in step would each ask one and the same instance again and again.
    const first = turn++
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { origin } = instances[(first + attempt) % instances.length]!
      const headers = { ...authorized, 'idempotency-key': key }
      const post = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${origin}/api/v1/submissions`, post).catch(() => undefined)
      if (answer?.status === 202) return promised.push((await answer.json()).submission.executions[0].id)
      const passes = answer === undefined || (answer.status === 503 && answer.headers.has('retry-after'))
      if (!passes) throw new Error(`answered with ${answer.status}: ${await answer.text()}`)
      const why = answer === undefined ? 'no answer' : '503'
      again.set(why, (again.get(why) ?? 0) + 1)
      await Bun.sleep(20 * attempt)
    }
    throw new Error(`a submission was not taken in ${ATTEMPTS} attempts`)
  }
  // What is asked meanwhile matters here, and not how much: instances that start have the processors to themselves.
  const calling = Array.from({ length: 2 }, async () => {
    for (; !isStopping; await Bun.sleep(200)) await ask(crypto.randomUUID())
  })
  let failure: unknown
  const ended = Promise.all(calling).catch((error: unknown) => {
    failure = error
  })
  const stop = async () => {
    isStopping = true
    await ended
    if (failure !== undefined) throw failure
  }
  const untilMore = async (count: number) => {
    const goal = promised.length + count
    await until('more submissions are taken', async () => promised.length >= goal || failure !== undefined, 60_000)
    if (failure !== undefined) throw failure
  }
  return { promised, again, untilMore, stop }
}

/** One after the other: each is stopped, and another takes its place, once a few more submissions were taken without it. */
async function replace(instances: RunningQuire[], load: Load, start: () => Promise<RunningQuire>): Promise<void> {
  for (const [index, old] of instances.entries()) {
    expect(await old.stop()).toBe(0)
    await load.untilMore(3)
    instances[index] = await start()
    await load.untilMore(instances.length * 2)
  }
}

test.if(postgresAvailable)(
  'serves without a gap while its instances are replaced by a newer version one after the other, and on the way back',
  async () => {
    const server = await launchPostgres()
    const url = await server.createDatabase()
    const settings: Settings = {
      QUIRE_DATABASE_URL: url,
      QUIRE_SECRET: 'shared by every instance, 32 and more',
      QUIRE_OBJECTS_URL: `file:${join(temporaryFolder(), 'objects')}`,
      QUIRE_WORKERS: '1',
    }
    const startOlder = () => startQuire({ environment: settings })
    const newer = nextVersion('9000_shades', expanding)
    const startNewer = () => startQuire({ environment: settings, program: newer.program })
    const instances: RunningQuire[] = []
    for (let count = 0; count < rounds(2, 3); count++) instances.push(await startOlder())
    const client = await signIn(instances[0]!)
    const made = await client.post('/api/v1/tokens', { name: 'callers', scopes: ['submission_create'] })
    const load = startCallers(instances, made.body.secret, await scenarioBody(client))
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const names = async () => (await sql`select name from quire_migrations order by name`).map(({ name }) => name)
    for (let round = 0; round < rounds(1, 3); round++) {
      await replace(instances, load, startNewer)
      expect((await names()).at(-1)).toBe('9000_shades')
      // The older version starts again on what the newer one has made.
      await replace(instances, load, startOlder)
    }
    // What isn't for those that run is not applied while they do.
    const presences = () =>
      sql`select from leases where name like 'instance/%' and expires_at > ${new Date().toISOString()}`
    await until('each says that it runs', async () => (await presences()).length >= instances.length)
    const contracting = nextVersion('9001_no_shades', 'DROP TABLE "shades"', newer.folder)
    const refused = Bun.spawnSync([...contracting.program, 'migrate'], {
      cwd: temporaryFolder(),
      env: { ...bareEnvironment, ...settings },
    })
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr.toString()).toContain('9001_no_shades is not for instances that run without it, and ')
    expect((await names()).at(-1)).toBe('9000_shades')
    await sql.end()
    const backup = await runCommand(temporaryFolder(), ['backup', 'copy.tar'], settings)
    expect(backup).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('a newer version has added (9000_shades)'),
    })
    await load.stop()
    for (const instance of instances) await instance.requireAlive()
    await untilAllEnded(url)
    for (const instance of instances) expect(await instance.stop()).toBe(0)
    process.stderr.write(
      `upgrade: ${load.promised.length} submissions, sent again ${JSON.stringify([...load.again])}\n`,
    )
    expect(new Set(load.promised).size).toBe(load.promised.length)
    await expectExactlyOnce(url, load.promised.length, settings)
  },
  900_000,
)
