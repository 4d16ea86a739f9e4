import { sql } from 'drizzle-orm'
import { newId } from '../core/ids.ts'
import type { Connection, Database, Transaction } from './database.ts'
import { hasTable } from './live-schema.ts'
import { lockSchema } from './migrate.ts'
import { prepareOnce } from './prepared.ts'

/**
 * The id of the store that a database holds; made once, and copied by `quire move`. A store without one gets `preferred`,
 * where marks beside it name one, or a new id.
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

/** Undefined for a store of a version that gave none. */
export function findStoreId(connection: Connection): Promise<string | undefined> {
  return findStoreFact(connection, 'id')
}

/**
 * Facts that a database keeps about itself, beside its tables. The catalog is asked first, because it can answer that
 * there is none.
 */
export async function findStoreFact(connection: Connection, name: 'id' | 'backup'): Promise<string | undefined> {
  if (!(await hasTable(connection, 'quire_store'))) return undefined
  const [row] = await factByName(connection).execute({ name })
  return row?.value
}

/** Asked whenever records are sealed. */
const factByName = prepareOnce(({ q }) =>
  q
    .select({ value: sql<string>`value` })
    .from(sql`quire_store`)
    .where(sql`name = ${sql.placeholder('name')}`)
    .prepare(),
)

/** @param tx of a database that has an id already */
export async function noteStoreFact(tx: Transaction, name: 'backup', value: string): Promise<void> {
  await tx.rows(
    sql`insert into quire_store (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`,
  )
}
