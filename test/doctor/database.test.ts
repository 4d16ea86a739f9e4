/** What the doctor says of databases, asked in this process. */
import { describe, expect, spyOn, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { type Config, loadConfig } from '../../src/config.ts'
import { limits } from '../../src/core/limits.ts'
import { writeMarks } from '../../src/data-folder.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Connection, Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { ensureStoreId } from '../../src/db/store-id.ts'
import { checkDatabase } from '../../src/doctor/database.ts'
import { readServerFacts } from '../../src/doctor/facts.store.ts'
import { describeOnBothDialects, emptyDatabaseUrl, temporaryFolder } from '../support/database.ts'
import { freePort, launchPostgres, postgresAvailable } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const id = '0198c3d2-7a10-7c00-8000-000000000000'

function configOf(databaseUrl: string): Config {
  return { ...loadConfig({}, temporaryFolder()), databaseUrl }
}

/** The tests' own server runs without fsync, which the doctor tells of each time. */
async function told(config: Config): Promise<string[]> {
  const found = (await checkDatabase(config)).filter((one) => !one.found.startsWith('fsync is off'))
  return found.map(
    ({ check, verdict, found, remedy }) => `${verdict} ${check}: ${found}${remedy === undefined ? '' : ` → ${remedy}`}`,
  )
}

async function changed(url: string, change: (database: Database) => Promise<unknown>): Promise<void> {
  const database = await openDatabase(url)
  await change(database)
  await database.close()
}

/** As much of a connection as asks a question. */
const connectionOf = (client: postgres.Sql) =>
  ({ rows: async (query: SQL) => [...(await drizzle(client).execute(query))] }) as unknown as Connection

const statement = (text: string) => (database: Database) => database.write((tx) => tx.rows(sql.raw(text)))
const clock = expect.stringMatching(/^fine clock: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, as the database's$/)

describeOnBothDialects('a database', (dialect) => {
  const product = dialect === 'postgres' ? 'PostgreSQL' : 'SQLite'
  const known = migrations[dialect]

  test('that is empty is fine, and so is one whose schema is this version’s, with its store’s own marks', async () => {
    const config = configOf(await emptyDatabaseUrl(dialect))
    // On PostgreSQL the missing fsync is told in place of the summary.
    const summary = (words: string) =>
      dialect === 'postgres'
        ? []
        : [expect.stringMatching(new RegExp(`^fine database: file:.*: ${product} [\\d.]+, UTF-8, ${words}$`))]
    if (dialect === 'sqlite') await changed(config.databaseUrl, statement('create table t (a); drop table t'))
    expect(await told(config)).toEqual([...summary('empty: the first start makes its tables'), clock])
    await changed(config.databaseUrl, async (database) => {
      await migrate(database)
      writeMarks(config, await ensureStoreId(database, id))
    })
    expect(await told(config)).toEqual([...summary(`all ${known.length} migrations as they should be`), clock])
  })

  test('of an earlier version is reported with what it lacks, and one that others have changed as such', async () => {
    const config = configOf(await emptyDatabaseUrl(dialect))
    await changed(config.databaseUrl, (database) => migrate(database, known.slice(0, -2)))
    const missing = known.slice(-2).map(({ name }) => name)
    expect(await told(config)).toEqual([
      `advice database: the schema is an earlier version's: it lacks ${missing.join(', ')} → make a backup with the earlier version; the next start brings the schema up to date`,
      clock,
    ])
    await changed(config.databaseUrl, (database) => migrate(database))
    await changed(config.databaseUrl, statement('alter table submissions add column rogue text'))
    expect(await told(config)).toEqual([
      "wrong database: the schema was changed: the column submissions.rogue is not Quire's → undo that, or restore a backup with quire restore --replace",
      clock,
    ])
  })

  test('of a newer version, and half of a move, are reported with what their refusal says to do', async () => {
    const config = configOf(await emptyDatabaseUrl(dialect))
    await changed(config.databaseUrl, (database) => migrate(database))
    const record = (name: string) =>
      statement(`insert into quire_migrations (name, applied_at) values ('${name}', '2099')`)
    await changed(config.databaseUrl, record('9999_later'))
    expect((await told(config))[0]).toBe(
      'wrong database: the database holds migration 9999_later, which this version of Quire does not know → use the newer version that made it',
    )
    await changed(config.databaseUrl, statement("delete from quire_migrations where name = '9999_later'"))
    await changed(config.databaseUrl, record('unfinished-move'))
    expect((await told(config))[0]).toBe(
      'wrong database: a move into this database has not been finished → run the same quire move again',
    )
  })

  test('of another store than the objects’ is reported, and an empty one where there was a store', async () => {
    const config = configOf(await emptyDatabaseUrl(dialect))
    const other = id.replace(/0$/, '1')
    if (dialect === 'sqlite') await changed(config.databaseUrl, statement('create table t (a); drop table t'))
    writeFileSync(`${config.dataFolder}.store`, `${other}\n`)
    expect((await told(config))[0]).toBe(
      `wrong database: the database is empty, and ${config.dataFolder}.store says that the store ${other} was served here → correct QUIRE_DATABASE_URL, or restore a backup with quire restore`,
    )
    writeMarks(config, other)
    const objects = join(config.dataFolder, 'objects/store')
    expect((await told(config))[0]).toContain(`${objects} says that the store ${other} was served here`)
    await changed(config.databaseUrl, async (database) => {
      await migrate(database)
      await ensureStoreId(database, id)
    })
    expect((await told(config))[0]).toBe(
      `wrong database: the database holds the store ${id}, and ${objects} says that the objects are those of ${other} → name the database and the objects of one store`,
    )
  })

  test('whose newest record is in the future is reported, and one a moment ahead is not', async () => {
    const config = configOf(await emptyDatabaseUrl(dialect))
    await changed(config.databaseUrl, (database) => migrate(database))
    const recordAt = (ms: number) =>
      changed(config.databaseUrl, (database) =>
        database.write(async (tx) => {
          await tx.rows(sql`delete from audit_records`)
          await tx.rows(
            sql`insert into audit_records (id, actor_id, action, resource_kind, resource_id, correlation_id, at, detail)
                values (${id}, 'a', 'b', 'c', ${id}, 'd', ${new Date(ms).toISOString().replace('Z', '000000Z')}, '{}')`,
          )
        }),
      )
    await recordAt(Date.now())
    expect((await told(config)).at(-1)).toEqual(clock)
    const later = Date.now() + limits.doctorClockMs + 3_600_000
    await recordAt(later)
    expect((await told(config)).at(-1)).toBe(
      `wrong clock: the newest record of the store is from ${new Date(later).toISOString().slice(0, 19)}Z, which is to come: the clock was set back, or is wrong → set the clock right: timedatectl set-ntp true`,
    )
  })
})

describeOnBothDialects('the clock of a database', (dialect) => {
  test('that differs from this machine’s is reported, with whose is ahead, and a second of difference is not', async () => {
    const config = configOf(await emptyDatabaseUrl(dialect))
    await changed(config.databaseUrl, (database) => migrate(database))
    const trueNow = Date.now.bind(Date)
    const clockWhen = async (machineAheadMs: number) => {
      const spy = spyOn(Date, 'now').mockImplementation(() => trueNow() + machineAheadMs)
      try {
        return (await told(config)).at(-1)
      } finally {
        spy.mockRestore()
      }
    }
    const remedy = 'let both follow a time server (timedatectl set-ntp true); records have the time of the database'
    expect(await clockWhen(7_200_000)).toBe(
      `advice clock: the database's clock is 2 h behind this machine's → ${remedy}`,
    )
    expect(await clockWhen(-7_200_000)).toBe(
      `advice clock: the database's clock is 2 h ahead of this machine's → ${remedy}`,
    )
    for (const machineAheadMs of [1_000, -1_000]) expect(await clockWhen(machineAheadMs)).toEqual(clock)
  })
})

test.if(postgresAvailable)(
  'a PostgreSQL is asked how many connections it has left, and too few are reported',
  async () => {
    const server = await launchPostgres(['-c', 'max_connections=14', '-c', 'superuser_reserved_connections=3'])
    const config = configOf(server.adminUrl)
    const clients = Array.from({ length: 4 }, () => postgres(config.databaseUrl, { max: 1 }))
    await Promise.all(clients.map((client) => client`select 1`))
    // The server notices a moment later that a connection has ended, that of its own start among them.
    const connection = connectionOf(clients[0]!)
    let free: number | undefined
    await until('nobody else is connected', async () => {
      free = (await readServerFacts(connection))?.free
      return free === undefined || free > 6
    })
    // 14 less the 3 of superusers and the 4 that are open.
    expect(free).toBe(7)
    for (const client of clients) await client.end()
    let said: unknown[] = []
    await until('those are gone', async () => {
      said = await told(config)
      return !said.some((line) => /room for [0-8] more/.test(String(line)))
    })
    expect(said).toContainEqual(
      expect.stringMatching(
        /^advice database: room for (9|10) more connections, and an instance holds 11 → raise max_connections$/,
      ),
    )
  },
)

test.if(postgresAvailable)('a PostgreSQL is reported with everything that a store can’t rely on', async () => {
  const config = configOf(await emptyDatabaseUrl('postgres'))
  const name = new URL(config.databaseUrl).pathname.slice(1)
  const set = (setting: string) => changed(config.databaseUrl, statement(`alter database ${name} set ${setting}`))
  await set('synchronous_commit = off')
  expect((await told(config))[0]).toStartWith('advice database: synchronous_commit is off: the last commits are lost')
  await set('synchronous_commit = on')
  expect(await told(config)).toEqual([clock])
  await set("statement_timeout = '30s'")
  await set('lock_timeout = 200')
  expect(await told(config)).toEqual([
    'advice database: statement_timeout is 30s: what takes longer, such as a backup or a migration, fails → set it to 0 for the role of Quire',
    'advice database: lock_timeout is 200ms: requests that wait longer for each other are answered with 500 → set it to 0 for the role of Quire',
    clock,
  ])
  await set('statement_timeout = 0')
  await set('lock_timeout = 0')
  // A short form of 127.0.0.1, which isn't taken for this machine by its name.
  const elsewhere = config.databaseUrl.replace('127.0.0.1', '127.1')
  expect(await told({ ...config, databaseUrl: elsewhere })).toEqual([
    'advice database: the connection is not encrypted → add ?sslmode=require to QUIRE_DATABASE_URL',
    clock,
  ])
  await set('default_transaction_read_only = on')
  expect((await told(config))[0]).toBe(
    'wrong database: the server only reads: it is a standby, or set so → name the primary in QUIRE_DATABASE_URL',
  )
})

describe('a database that can not be used', () => {
  test('is reported with its reason and a remedy for it, and without its password', async () => {
    const path = join(temporaryFolder(), 'quire.db')
    expect(await told(configOf(`file:${path}`))).toEqual([`fine database: file:${path} is made by the first start`])
    writeFileSync(path, 'no database at all, and longer than a header, which is of a hundred bytes'.repeat(20))
    expect(await told(configOf(`file:${path}`))).toEqual([
      expect.stringMatching(
        /^wrong database: file:\S+ can't be used: .*not a database → it is no database: name the right file, or restore a backup$/,
      ),
    ])
    const place = `127.0.0.1:${await freePort()}`
    expect(await told(configOf(`postgres://quire:hunter2@${place}/quire`))).toEqual([
      `wrong database: postgres://…@${place}/quire can't be used: connect ECONNREFUSED ${place} → start the server, or correct host and port in QUIRE_DATABASE_URL`,
    ])
  })

  test('and is gone is reported by the mark of the objects before the one beside the data', async () => {
    const config = configOf(`file:${join(temporaryFolder(), 'quire.db')}`)
    const other = id.replace(/0$/, '1')
    writeFileSync(`${config.dataFolder}.store`, `${other}\n`)
    const gone = async () =>
      /^wrong database: file:\S+ is not there, and (\S+) says that the store (\S+) was served here → bring its file back/
        .exec((await told(config))[0] ?? '')
        ?.slice(1)
    expect(await gone()).toEqual([`${config.dataFolder}.store`, other])
    writeMarks(config, id)
    writeFileSync(`${config.dataFolder}.store`, `${other}\n`)
    expect(await gone()).toEqual([join(config.dataFolder, 'objects/store'), id])
  })
})
