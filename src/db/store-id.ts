import { sql } from 'drizzle-orm'
import { newId } from '../core/ids.ts'
import type { Connection, Database, Transaction } from './database.ts'
import { hasTable } from './live-schema.ts'
import { lockSchema } from './migrate.ts'
import { prepareOnce } from './prepared.ts'

/**
 * The id of the store in a database; made once, and copied by `quire move`. A store without one gets `preferred`, if marks beside
 * it name one, or else a new id.
 */
export async function ensureStoreId(database: Database, preferred?: string): Promise<string> {
  const known = await findStoreId(database.read)
  if (known !== undefined) return known
  return database.write(async (tx) => {
    await lockSchema(tx)
    await tx.rows(sql`create table if not exists quire_store (name text primary key not null, value text not null)`)
    await tx.rows(
      sql`insert into quire_store (name, value) values ('id', ${preferred ?? newId()}) on conflict (name) do nothing`,
    )
    const [row] = await tx.rows<{ value: string }>(sql`select value from quire_store where name = 'id'`)
    return row?.value ?? ''
  })
}

/** Undefined for a store of a version that made none. */
export function findStoreId(connection: Connection): Promise<string | undefined> {
  return findStoreFact(connection, 'id')
}

/**
 * A fact that a database keeps about itself, outside of its tables. The catalog is queried first, because only it can answer that
 * there is none.
 */
export async function findStoreFact(connection: Connection, name: 'id' | 'backup'): Promise<string | undefined> {
  if (!(await hasTable(connection, 'quire_store'))) return undefined
  const [row] = await factByName(connection).execute({ name })
  return row?.value
}

/** Runs whenever records are sealed. */
const factByName = prepareOnce(({ q }) =>
  q
    .select({ value: sql<string>`value` })
    .from(sql`quire_store`)
    .where(sql`name = ${sql.placeholder('name')}`)
    .prepare(),
)

/** @param tx of a database that already has an id */
export async function noteStoreFact(tx: Transaction, name: 'backup', value: string): Promise<void> {
  await tx.rows(
    sql`insert into quire_store (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`,
  )
}
