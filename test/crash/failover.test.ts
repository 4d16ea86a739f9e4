import { expect, test } from 'bun:test'
import { join } from 'node:path'
import postgres from 'postgres'
import { temporaryFolder } from '../support/database.ts'
import { launchPooler, poolerAvailable } from '../support/pooler.ts'
import { launchPostgres, launchStandby, postgresAvailable } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { expectExactlyOnce, untilAllEnded } from './exactly-once.ts'
import { type Promised, rounds, scenarioBody, seededRandom, signIn, startLoad, unanswered } from './load.ts'

/** A primary whose commits wait for its standby, and the address that names both, in either order. */
async function launchPair(isStandbyFirst: boolean) {
  const primary = await launchPostgres()
  const database = await primary.createDatabase()
  const standby = await launchStandby(primary)
  const admin = postgres(primary.adminUrl, { max: 1, onnotice: () => {} })
  await admin`alter system set synchronous_standby_names = '*'`
  await admin`select pg_reload_conf()`
  const isSynchronous = async () => (await admin`select from pg_stat_replication where sync_state = 'sync'`).length > 0
  await until('commits wait for the standby', isSynchronous, 30_000)
  await admin.end()
  const hostOf = (url: string) => new URL(url).host
  const hosts = [hostOf(database), hostOf(standby.adminUrl)]
  const url = database.replace(hostOf(database), (isStandbyFirst ? hosts.toReversed() : hosts).join())
  const onStandby = database.replace(hostOf(database), hostOf(standby.adminUrl))
  return { primary, standby, url, onStandby }
}

/** How many executions there are; each that was promised must be among them. */
async function countWithPromised(url: string, promised: Promised): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const kept = new Set((await sql<{ id: string }[]>`select id from executions`).map(({ id }) => id))
  await sql.end()
  expect([...promised.values()].filter((id) => !kept.has(id))).toEqual([])
  return kept.size
}

/** Two instances on a database, and callers who submit to one of them until `end`, which looks at what came of it. */
async function startUnderLoad(url: string) {
  const settings = {
    QUIRE_DATABASE_URL: url,
    QUIRE_SECRET: 'shared by every instance, 32 and more',
    QUIRE_OBJECTS_URL: `file:${join(temporaryFolder(), 'objects')}`,
    QUIRE_WORKERS: '1',
  }
  const instances = [await startQuire({ environment: settings }), await startQuire({ environment: settings })]
  const client = await signIn(instances[0]!)
  const promised: Promised = new Map()
  const stopLoad = startLoad(client, await scenarioBody(client), 8, new Set(), promised)
  /** @param kept where the database is by now */
  const end = async (kept: string) => {
    await stopLoad()
    for (const instance of instances) await instance.requireAlive()
    expect(unanswered).toEqual([])
    await untilAllEnded(kept)
    for (const instance of instances) expect(await instance.stop()).toBe(0)
    await expectExactlyOnce(kept, await countWithPromised(kept, promised), settings)
  }
  return { promised, end }
}

test.if(postgresAvailable)(
  'loses nothing that it acknowledged and goes on by itself when the standby takes the place of a primary that crashed under load',
  async () => {
    const random = seededRandom('failover')
    for (let round = 0; round < rounds(1, 10); round++) {
      const { primary, standby, url, onStandby } = await launchPair(round % 2 === 0)
      const { promised, end } = await startUnderLoad(url)
      await until('there is work at hand', async () => promised.size > 20, 60_000)
      await Bun.sleep(random() * 1_000)
      // In two of four it refuses nothing, as one whose machine is off.
      if (round % 4 < 2) await primary.crash()
      else primary.freeze()
      const before = promised.size
      await Bun.sleep(random() * 3_000)
      await standby.promote()
      await until('submissions are accepted again', async () => promised.size > before + 20, 60_000)
      await end(onStandby)
    }
  },
  900_000,
)

test.if(postgresAvailable && poolerAvailable)(
  'makes every document once behind a pooler that lends connections by the transaction, and sits out its restart',
  async () => {
    const random = seededRandom('pooler')
    const server = await launchPostgres()
    const database = await server.createDatabase()
    // Fewer than one instance would open by itself.
    const pooler = await launchPooler(database, 4)
    const { promised, end } = await startUnderLoad(pooler.url)
    for (let kill = 0; kill < rounds(1, 10); kill++) {
      const before = promised.size
      await until('there is work at hand', async () => promised.size > before + 20, 60_000)
      await Bun.sleep(random() * 500)
      await pooler.kill()
      await Bun.sleep(random() * 1_000)
      await pooler.start()
    }
    const before = promised.size
    await until('submissions are accepted again', async () => promised.size > before + 20, 60_000)
    await end(database)
  },
  900_000,
)
