import { expect, test } from 'bun:test'
import { join } from 'node:path'
import postgres from 'postgres'
import { temporaryFolder } from '../support/database.ts'
import { launchPostgres, postgresAvailable } from '../support/postgres.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { expectExactlyOnce, type Settings, untilAllEnded } from './exactly-once.ts'
import { rounds, scenarioBody, seededRandom, signIn, submit, unanswered } from './load.ts'

const secret = 'shared by every instance, 32 and more'

async function startInstances(count: number, url: string): Promise<{ instances: RunningQuire[]; settings: Settings }> {
  const settings = {
    QUIRE_DATABASE_URL: url,
    QUIRE_SECRET: secret,
    QUIRE_OBJECTS_URL: `file:${join(temporaryFolder(), 'objects')}`,
    QUIRE_WORKERS: '1',
  }
  const instances: RunningQuire[] = []
  for (let index = 0; index < count; index++) instances.push(await startQuire({ environment: settings }))
  return { instances, settings }
}
/** The name under which the only instance so far takes steps; it has the relay's role by the same. */
async function ownerOf(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const role = async () => (await sql`select owner from leases where name = 'outbox-relay'`)[0]?.owner as string
  const owner = await until('the first instance has the relay’s role', role, 30_000)
  await sql.end()
  return owner
}

/** Stops the process in the middle of steps: what it holds then moves no more. */
async function stopWithWorkInHand(url: string, pid: number, owner: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const held = async () =>
    (await sql`select id || '@' || state_version as held from steps where lease_owner = ${owner} order by 1`).join()
  for (let tries = 0; tries < 200; tries++) {
    process.kill(pid, 'SIGSTOP')
    const before = await held()
    // A commit that was on its way when it was stopped still arrives.
    await Bun.sleep(300)
    if (before !== '' && (await held()) === before) {
      await sql.end()
      return
    }
    process.kill(pid, 'SIGCONT')
    await Bun.sleep(20 + tries * 3)
  }
  throw new Error('the instance to stop never had work in hand')
}

test.if(postgresAvailable)(
  'completes every execution exactly once on three instances, although one outsleeps its lease and the database server crashes',
  async () => {
    const random = seededRandom('instances')
    const server = await launchPostgres()
    const url = await server.createDatabase()
    const { instances, settings } = await startInstances(1, url)
    const stopped = instances[0]!
    const ownerOfStopped = await ownerOf(url)
    for (let more = 0; more < 2; more++) instances.push(await startQuire({ environment: settings }))
    const client = await signIn(instances[1]!)
    const body = await scenarioBody(client)
    const atLeast = rounds(150, 1_000)
    let posted = 0
    let isStopped = false
    const posting = Array.from({ length: 12 }, async () => {
      // However fast the machine is, there is work until the one to stop was caught with some in hand.
      while (posted < atLeast || !isStopped) {
        posted++
        const key = crypto.randomUUID()
        // No answer is no promise: the same key is asked again, until there is one.
        while ((await submit(client, body, key)) === undefined) {
          await instances[1]!.requireAlive()
          await Bun.sleep(50)
        }
      }
    })
    await stopWithWorkInHand(url, stopped.pid, ownerOfStopped).finally(() => {
      isStopped = true
    })
    const stoppedAt = performance.now()
    for (let crash = 0; crash < rounds(2, 20); crash++) {
      await Bun.sleep(300 + random() * 1_500)
      await server.crash()
      await Bun.sleep(random() * 500)
      await server.start()
    }
    await Promise.all(posting)
    for (const instance of instances) await instance.requireAlive()
    expect(unanswered).toEqual([])
    // Past its lease, others have made what it held; now it goes on, and must not change a thing.
    await Bun.sleep(Math.max(0, 17_000 - (performance.now() - stoppedAt)))
    await untilAllEnded(url)
    process.kill(stopped.pid, 'SIGCONT')
    // Time for it to try: it is refused by the fence, or by then knows from a heartbeat or a broken connection that it lost all.
    const isRefused = async () => (await stopped.log()).includes('another runner has taken a step over')
    await until('it was refused what it held', isRefused, 10_000).catch(() => {
      process.stderr.write('instances: the stopped one came back with nothing to record\n')
    })
    for (const instance of instances) expect(await instance.stop()).toBe(0)
    await expectExactlyOnce(url, posted, settings)
  },
  900_000,
)

test.if(postgresAvailable)(
  'gives each idempotency key one effect, although two instances get it at once and are killed',
  async () => {
    const random = seededRandom('idempotency')
    const server = await launchPostgres()
    const url = await server.createDatabase()
    const { instances, settings } = await startInstances(2, url)
    const clients = [await signIn(instances[0]!), await signIn(instances[1]!)]
    const body = await scenarioBody(clients[0]!)
    const keys = Array.from({ length: rounds(5, 100) }, () => crypto.randomUUID())
    for (const [index, key] of keys.entries()) {
      const victim = index % 2
      const posts = Array.from({ length: 50 }, (_, post) => submit(clients[post % 2]!, body, key))
      const killsNow = random() < 0.5
      if (killsNow) {
        await Bun.sleep(random() * 60)
        await instances[victim]!.kill()
      }
      const answers = (await Promise.all(posts)).filter((id) => id !== undefined)
      if (killsNow) {
        instances[victim] = await startQuire({ environment: settings, folder: instances[victim]!.folder })
        clients[victim] = await signIn(instances[victim]!)
      }
      const again = await submit(clients[victim]!, body, key)
      expect(again).toBeDefined()
      expect([...new Set([...answers, again])]).toEqual([again!])
    }
    await untilAllEnded(url)
    for (const instance of instances) expect(await instance.stop()).toBe(0)
    await expectExactlyOnce(url, keys.length, settings)
  },
  900_000,
)
