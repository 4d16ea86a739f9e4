import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { whileBound } from '../../src/db/bound.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { type Database, DatabaseGone, SchemaChanged } from '../../src/db/database.ts'
import { connectionOver } from '../../src/db/libsql-connection.ts'
import { migrate, requiredMigrations } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { ensureStoreId, findStoreId } from '../../src/db/store-id.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { sqldAvailable, startSqld } from './sqld.ts'

function addLease(database: Database, name: string): Promise<unknown> {
  return database.write(async (tx) => {
    await tx.q.insert(tx.t.leases).values({ name, owner: 'test', expiresAt: tx.clock })
  })
}

async function leaseNames(database: Database): Promise<string[]> {
  return (await database.read.q.select({ name: database.read.t.leases.name }).from(database.read.t.leases)).map(
    ({ name }) => name,
  )
}

describeOnBothDialects('the id of a store', (dialect) => {
  test('is made once, and is the preferred one where one is known', async () => {
    const database = await openTestDatabase(dialect)
    expect(await findStoreId(database.read)).toBeUndefined()
    const ids = await Promise.all([1, 2, 3].map(() => ensureStoreId(database)))
    expect(new Set(ids).size).toBe(1)
    expect(await ensureStoreId(database, 'another')).toBe(ids[0] ?? '')
    expect(await findStoreId(database.read)).toBe(ids[0])
    await database.close()
    const other = await openTestDatabase(dialect)
    expect(await ensureStoreId(other, 'known before')).toBe('known before')
    await other.close()
  })
})

async function refusesOthers(database: Database): Promise<void> {
  database.bindTo?.({ storeId: await ensureStoreId(database), required: requiredMigrations(database.dialect) })
  await addLease(database, 'before')
  await database.write((tx) => tx.rows(sql`update quire_store set value = 'other' where name = 'id'`))
  const refusal = await addLease(database, 'lost').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DatabaseGone)
  expect(isDatabaseUnavailable(refusal)).toBe(true)
  expect(await leaseNames(database)).toEqual(['before'])
  // An error of the statements doesn't hide whose database it is.
  expect(await rejectionOf(database.write((tx) => tx.rows(sql`select * from nothing_here`)))).toBeInstanceOf(
    DatabaseGone,
  )
}

/** An instance that was asleep, or just starting, while a newer version was put in the place of all others. */
async function refusesSchemas(database: Database): Promise<void> {
  const known = migrations[database.dialect]
  database.bindTo?.({ storeId: await ensureStoreId(database), required: requiredMigrations(database.dialect) })
  const expands = { name: '9000_expands', sql: '-- expands\nCREATE TABLE "shades" ("id" text PRIMARY KEY NOT NULL)' }
  await migrate(database, [...known, expands])
  await addLease(database, 'beside a newer version')
  // By whoever knows the schema: this one's transactions are refused as soon as it is there.
  const change = migrate(database, [...known, expands, { name: '9001_changes', sql: 'DROP TABLE "shades"' }])
  expect(await rejectionOf(change)).toBeInstanceOf(SchemaChanged)
  const refusal = await rejectionOf(addLease(database, 'lost'))
  expect(refusal).toBeInstanceOf(SchemaChanged)
  expect(isDatabaseUnavailable(refusal)).toBe(true)
  expect(await leaseNames(database)).toEqual(['beside a newer version'])
}

test.if(postgresAvailable)('a PostgreSQL database that a newer version has changed takes no commit', async () => {
  const database = await openTestDatabase('postgres')
  await refusesSchemas(database)
  await database.close()
})

test.if(postgresAvailable)('a PostgreSQL database that holds another store takes no commit', async () => {
  const database = await openTestDatabase('postgres')
  await refusesOthers(database)
  await database.close()
})

test.if(sqldAvailable)('a database of a libSQL server that holds another store takes no commit', async () => {
  const database = await openDatabase((await startSqld()).url)
  await migrate(database)
  await refusesOthers(database)
  await database.close()
})

test('a transaction whose question alone has no answer is not committed, and one that broke tells its own error', async () => {
  const execute = () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' }))
  const connection = connectionOver({ execute })
  const bound = { storeId: 'known', required: 1 }
  expect(await rejectionOf(whileBound(connection, bound, async () => 'done'))).toHaveProperty(
    'cause.code',
    'ECONNRESET',
  )
  const broken = () => Promise.reject(new Error('broken'))
  expect(await rejectionOf(whileBound(connection, bound, broken))).toHaveProperty('message', 'broken')
})

test.if(postgresAvailable)(
  'a PostgreSQL database that is dropped, made again and replaced refuses every commit, and is used again once the right one is back',
  async () => {
    const url = await (await startPostgres()).createDatabase()
    const name = new URL(url).pathname.slice(1)
    const admin = postgres(url.replace(/[^/]*$/, 'postgres'), { max: 1, onnotice: () => {} })
    const database = await openDatabase(url)
    await migrate(database)
    database.bindTo?.({ storeId: await ensureStoreId(database), required: requiredMigrations('postgres') })
    await addLease(database, 'before')
    // More than there are connections, and at once: one after the other, each would wait for the driver's pause after the last.
    const refused = async () => {
      const lost = Array.from({ length: 12 }, (_, index) => rejectionOf(addLease(database, `lost ${index}`)))
      for (const outcome of await Promise.all(lost)) expect(isDatabaseUnavailable(outcome)).toBe(true)
    }
    // Nobody comes back between the end of the connections and the new name.
    await admin.unsafe(`alter database ${name} allow_connections false`)
    await admin.unsafe(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`)
    await admin.unsafe(`alter database ${name} rename to ${name}_away`)
    await refused()
    // Empty, and then a store of its own.
    await admin.unsafe(`create database ${name}`)
    await refused()
    const other = await openDatabase(url)
    await migrate(other)
    await ensureStoreId(other)
    await refused()
    expect(await leaseNames(other)).toEqual([])
    await other.close()
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.unsafe(`alter database ${name}_away rename to ${name}`)
    await admin.unsafe(`alter database ${name} allow_connections true`)
    await until(
      'it is used again',
      () =>
        addLease(database, 'after').then(
          () => true,
          () => false,
        ),
      20_000,
    )
    expect((await leaseNames(database)).toSorted()).toEqual(['after', 'before'])
    await database.close()
    await admin.end()
  },
  60_000,
)
