import { sql } from 'drizzle-orm'
import { causesOf, detailOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import type { Connection, Database } from './database.ts'
import { type Migration, statementsOf } from './migrations.ts'
import { prepareOnce } from './prepared.ts'

/** Tables by name, each with its columns, indexes and rules by name. The values are texts by which definitions are compared. */
export type Schema = ReadonlyMap<string, TableShape>

interface TableShape {
  columns: Map<string, string>
  indexes: Map<string, string>
  /** Checks, foreign keys, triggers and rules, by kind and name: `trigger audit_copy`. Keys and unique columns are indexes. */
  rules: Map<string, string>
}

/** Quire's own records about the database, which no migration makes. */
const RECORDS = /^quire_/

/** Whether a rule is compared. In Quire's own records, only those that make a database act by itself are. */
function isCompared(place: string, rule: string): boolean {
  return !RECORDS.test(place) || /^(?:trigger|rule) /.test(rule)
}

/** Reads the schema of a database. */
export async function readSchema(connection: Connection): Promise<Schema> {
  if (connection.dialect === 'sqlite') return readSqlite(connection)
  return readPostgres(connection, sql`(select relnamespace from pg_class where oid = to_regclass('quire_migrations'))`)
}

/**
 * The schema that these migrations make, read from a database of their dialect: one in memory, or temporary tables that vanish
 * with their transaction.
 */
export async function schemaOf(database: Database, applied: readonly Migration[]): Promise<Schema> {
  return database.dialect === 'sqlite' ? inMemory(applied) : inTemporaryTables(database, applied)
}

export async function hasTable(connection: Connection, name: string): Promise<boolean> {
  return (await tableByName(connection).execute({ name })).length > 0
}

const tableByName = prepareOnce(({ dialect, q }) => {
  const name = sql.placeholder('name')
  const found = q.select({ found: sql<number>`1` })
  return dialect === 'postgres'
    ? found.from(sql`(select 1) as one`).where(sql`to_regclass(${name}) is not null`).prepare()
    : found.from(sql`sqlite_master`).where(sql`type = 'table' and name = ${name}`).prepare()
})

/**
 * What a live schema lacks or has differently from the expected one, as sentences. Other tables are ignored, and so are
 * additional indexes unless they refuse rows. Additions of a newer version can't be told from those of others.
 */
export function schemaDifferences(
  expected: Schema,
  live: Schema,
  additions: 'of other hands' | 'of a newer version' = 'of other hands',
): string[] {
  const found: string[] = []
  for (const [name, table] of expected) {
    const other = live.get(name)
    if (other === undefined) {
      found.push(`the table ${name} is missing`)
      continue
    }
    compare(`the column ${name}.`, table.columns, other.columns, found)
    compare('the index ', table.indexes, other.indexes, found)
    compare(`of the table ${name}, the `, table.rules, other.rules, found)
    if (additions === 'of a newer version') continue
    for (const rule of other.rules.keys()) {
      if (!table.rules.has(rule)) found.push(`of the table ${name}, the ${rule} is not Quire's`)
    }
    for (const column of other.columns.keys()) {
      if (!table.columns.has(column)) found.push(`the column ${name}.${column} is not Quire's`)
    }
    for (const [index, shape] of other.indexes) {
      if (!table.indexes.has(index) && shape.startsWith('unique'))
        found.push(`the unique index ${index} is not Quire's`)
    }
  }
  // No version puts a trigger on Quire's own records, which are written all the time.
  for (const [name, { rules }] of live) {
    if (!RECORDS.test(name)) continue
    for (const rule of rules.keys()) found.push(`of the table ${name}, the ${rule} is not Quire's`)
  }
  return found
}

function compare(
  what: string,
  expected: ReadonlyMap<string, string>,
  live: ReadonlyMap<string, string>,
  found: string[],
): void {
  for (const [name, shape] of expected) {
    const other = live.get(name)
    if (other === undefined) found.push(`${what}${name} is missing`)
    else if (other !== shape) found.push(`${what}${name} is ${other} instead of ${shape}`)
  }
}

/** The first few differences, for one line. */
export function listed(differences: readonly string[]): string {
  const shown = differences.slice(0, limits.schemaDifferencesShown)
  const more = differences.length - shown.length
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

class Shapes {
  readonly tables = new Map<string, TableShape>()

  of(name: string): TableShape {
    let table = this.tables.get(name)
    if (table === undefined) {
      table = { columns: new Map(), indexes: new Map(), rules: new Map() }
      this.tables.set(name, table)
    }
    return table
  }
}

async function readSqlite(connection: Connection): Promise<Schema> {
  const shapes = new Shapes()
  const columns = await connection.rows<{ place: string; name: string; shape: string }>(
    sql`select m.name as place, c.name, lower(c.type) || case when c."notnull" then ' not null' else '' end
          || case when c.pk > 0 then ' key ' || c.pk else '' end || coalesce(' default ' || c.dflt_value, '') as shape
        from sqlite_master m join pragma_table_xinfo(m.name) c where m.type = 'table'`,
  )
  for (const { place, name, shape } of columns) if (!RECORDS.test(place)) shapes.of(place).columns.set(name, shape)
  const indexes = await connection.rows<{ place: string; name: string; text: string }>(
    sql`select tbl_name as place, name, sql as text from sqlite_master where type = 'index' and sql is not null`,
  )
  for (const { place, name, text } of indexes) {
    if (!RECORDS.test(place)) shapes.of(place).indexes.set(name, indexShape(text))
  }
  const rules = await connection.rows<{ place: string; name: string; shape: string }>(
    sql`select tbl_name as place, 'trigger ' || name as name, sql as shape from sqlite_master where type = 'trigger'
        union all select m.name, 'foreign key on ' || f."from", 'to ' || f."table"
          from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table'
        union all select name, 'check', sql from sqlite_master where type = 'table'`,
  )
  for (const { place, name, shape } of rules) {
    // Only the text of a table's definition has its checks.
    const checks = name === 'check' ? shape.match(/\bcheck\s*\(/gi)?.join() : shape
    if (checks !== undefined && isCompared(place, name)) shapes.of(place).rules.set(name, checks)
  }
  return shapes.tables
}

/** An index's definition without its name, and without spaces and quotes that mean nothing. */
function indexShape(text: string): string {
  const [, unique, on] = /^create\s+(unique\s+)?index\s.*?\son\s+(.*)$/is.exec(text) ?? []
  const plain = (on ?? text)
    .replace(/[`"[\]]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
  return `${unique === undefined ? '' : 'unique '}on ${plain}`
}

async function readPostgres(connection: Connection, namespace: ReturnType<typeof sql>): Promise<Schema> {
  const shapes = new Shapes()
  const columns = await connection.rows<{ place: string; name: string; shape: string }>(
    sql`select c.relname as place, a.attname as name, format_type(a.atttypid, a.atttypmod)
          || coalesce(' collate ' || (select collname from pg_collation l where l.oid = a.attcollation and l.oid <> t.typcollation), '')
          || case when a.attnotnull then ' not null' else '' end
          || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as shape
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          join pg_type t on t.oid = a.atttypid
          left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where c.relkind in ('r', 'p') and c.relnamespace = ${namespace}`,
  )
  for (const { place, name, shape } of columns) if (!RECORDS.test(place)) shapes.of(place).columns.set(name, shape)
  const indexes = await connection.rows<{ place: string; name: string; shape: string }>(
    sql`select c.relname as place, i.relname as name, case when x.indisunique then 'unique ' else '' end || 'on ' || c.relname || '('
          || (select string_agg(pg_get_indexdef(x.indexrelid, k, true), ',' order by k) from generate_series(1, x.indnkeyatts) k) || ')'
          || coalesce(' where ' || pg_get_expr(x.indpred, x.indrelid, true), '')
          || case when x.indisvalid then '' else ' (not valid)' end as shape
        from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
        where c.relkind in ('r', 'p') and c.relnamespace = ${namespace}`,
  )
  for (const { place, name, shape } of indexes) if (!RECORDS.test(place)) shapes.of(place).indexes.set(name, shape)
  const rules = await connection.rows<{ place: string; name: string; shape: string }>(
    sql`select c.relname as place, 'constraint ' || k.conname as name, pg_get_constraintdef(k.oid) as shape
        from pg_constraint k join pg_class c on c.oid = k.conrelid
        where k.contype in ('c', 'f', 'x') and c.relnamespace = ${namespace}
        union all select c.relname, 'trigger ' || t.tgname, pg_get_triggerdef(t.oid)
        from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and c.relnamespace = ${namespace}
        union all select c.relname, 'rule ' || r.rulename, pg_get_ruledef(r.oid)
        from pg_rewrite r join pg_class c on c.oid = r.ev_class where c.relkind in ('r', 'p') and c.relnamespace = ${namespace}`,
  )
  for (const { place, name, shape } of rules) if (isCompared(place, name)) shapes.of(place).rules.set(name, shape)
  return shapes.tables
}

async function inMemory(applied: readonly Migration[]): Promise<Schema> {
  const [{ createClient }, { connectionOver }] = await Promise.all([
    import('@libsql/client/sqlite3'),
    import('./libsql-connection.ts'),
  ])
  const client = createClient({ url: ':memory:' })
  try {
    for (const statement of applied.flatMap(statementsOf)) await client.execute(statement)
    return await readSqlite(connectionOver(client))
  } finally {
    client.close()
  }
}

/** Thrown to roll back; carries what was found. */
class Found extends Error {
  constructor(readonly schema: Schema) {
    super('rolled back')
  }
}

async function inTemporaryTables(database: Database, applied: readonly Migration[]): Promise<Schema> {
  try {
    return await database.write<Schema>(async (tx) => {
      await tx.rows(sql`set local search_path to pg_temp`)
      for (const statement of applied.flatMap(statementsOf)) await tx.rows(sql.raw(statement))
      throw new Found(await readPostgres(tx, sql`pg_my_temp_schema()`))
    })
  } catch (error) {
    if (error instanceof Found) return error.schema
    const isRefused = [...causesOf(error)].some((cause) => detailOf(cause) === '42501')
    if (!isRefused) throw error
    throw new Error('the schema can not be compared: grant the database user TEMPORARY on the database', {
      cause: error,
    })
  }
}
