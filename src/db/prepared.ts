import { eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { textMade } from '../core/json-text.ts'
import type { Connection, Dialect, Executable } from './database.ts'
import { gathered } from './gathered.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/**
 * A statement that is built once instead of for each use: building is half of a statement's cost. Every connection of a dialect
 * runs the one that the first has built; on PostgreSQL and a libSQL server, each transaction is a connection of its own.
 */
export function prepareOnce<Prepared extends Executable>(
  build: (connection: Connection) => Prepared,
): (connection: Connection) => Pick<Prepared, 'execute'> {
  const built: { [Name in Dialect]?: Prepared } = {}
  return (connection) => {
    built[connection.dialect] ??= build(connection)
    return connection.over(built[connection.dialect] as Prepared)
  }
}

/**
 * Statements for 1 to `most` rows or ids at once, each built once.
 * @throws RangeError for another size
 */
export function prepareBySize<Prepared extends Executable>(
  most: number,
  build: (connection: Connection, size: number) => Prepared,
): (connection: Connection, size: number) => Pick<Prepared, 'execute'> {
  const bySize = Array.from({ length: most }, (_, index) => prepareOnce((connection) => build(connection, index + 1)))
  return (connection, size) => {
    const prepared = bySize[size - 1]
    if (prepared === undefined) throw new RangeError(`a statement takes 1 to ${most} at once, not ${size}`)
    return prepared(connection)
  }
}

/** Tuned: the most ids that a prepared statement takes; more need several statements. */
const MOST_IDS = 32

interface Reading<Row> {
  execute(values: Record<string, unknown>): Promise<Row[]>
}

/**
 * Reads rows by ids, with a statement built once for each number of ids. Each row is returned once. The rows of one id must not
 * depend on the other ids, because many ids are read in several statements.
 */
export function prepareByIds<Row>(build: (connection: Connection, ids: Placeholder[]) => Reading<Row>) {
  const reading = prepareBySize(MOST_IDS, (connection, size) => {
    const ids = Array.from({ length: size }, (_id, place) => sql.placeholder(`id${place}`))
    return build(connection, ids)
  })
  return async (connection: Connection, ids: readonly string[], more: Record<string, unknown> = {}): Promise<Row[]> => {
    const rows: Row[] = []
    // A repeated id could be in two of the statements.
    const distinct = [...new Set(ids)]
    for (let from = 0; from < distinct.length; from += MOST_IDS) {
      const batch = distinct.slice(from, from + MOST_IDS)
      const values = { ...more }
      for (const [place, id] of batch.entries()) values[`id${place}`] = id
      rows.push(...(await reading(connection, batch.length).execute(values)))
    }
    return rows
  }
}

/**
 * Reads the rows of one id, sharing a statement among concurrent calls. If it fails, each id is read by itself, so that a damaged
 * row fails only its own caller; but not while the database is unavailable.
 */
export function readTogether<Row>(
  read: (connection: Connection, ids: readonly string[]) => Promise<Row[]>,
  idOf: (row: Row) => string,
) {
  const asked = new WeakMap<Connection, { ids: string[]; rows: Promise<Row[]> }>()
  return async (connection: Connection, id: string): Promise<Row[]> => {
    let reading = asked.get(connection)
    if (reading === undefined) {
      const ids: string[] = []
      const rows = Promise.resolve().then(() => {
        asked.delete(connection)
        return read(connection, ids)
      })
      reading = { ids, rows }
      asked.set(connection, reading)
    }
    reading.ids.push(id)
    const { ids, rows } = reading
    const shared = await rows.catch((error) => {
      if (ids.length === 1 || isDatabaseUnavailable(error)) throw error
      return read(connection, [id])
    })
    return shared.filter((row) => idOf(row) === id)
  }
}

/** Placeholders for all columns of a row, named after the columns and the row's index. */
export function rowPlaceholders<T extends SQLiteTable>(table: T, place = 0): T['$inferInsert'] {
  const columns = Object.keys(getTableColumns(table))
  // As expressions: drizzle would encode null for a bare placeholder like a value.
  return Object.fromEntries(
    columns.map((name): [string, SQL] => [name, sql`${sql.placeholder(`${place}.${name}`)}`]),
  ) as T['$inferInsert']
}

/** Values for the placeholders of whole rows, encoded for the driver. */
export function rowValues<T extends SQLiteTable>(table: T, rows: readonly object[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [place, row] of rows.entries()) {
    const fields = row as Readonly<Record<string, unknown>>
    for (const { key, name, column } of placed(table, place)) {
      const value = fields[name] ?? null
      values[key] = value === null ? null : (textMade(value) ?? column.mapToDriverValue(value))
    }
  }
  return values
}

interface PlacedColumn {
  key: string
  name: string
  column: SQLiteColumn
}

const placedColumns = new WeakMap<SQLiteTable, PlacedColumn[][]>()

/**
 * A table's columns with the names of their placeholders for a row. Cached, because making the names takes longer than everything
 * else.
 */
function placed(table: SQLiteTable, place: number): readonly PlacedColumn[] {
  let places = placedColumns.get(table)
  if (places === undefined) {
    places = []
    placedColumns.set(table, places)
  }
  places[place] ??= Object.entries(getTableColumns(table)).map(([name, column]) => ({
    key: `${place}.${name}`,
    ...{ name, column },
  }))
  return places[place]
}

/** Updates one row by its id, with a statement built once for each set of columns. Undefined values stay unchanged. */
export function prepareUpdate<T extends SQLiteTable & { id: SQLiteColumn }>(tableOf: (connection: Connection) => T) {
  const byColumns = new Map<string, (connection: Connection) => Executable>()
  return async (tx: Connection, id: string, change: Partial<T['$inferSelect']>): Promise<void> => {
    const given = Object.entries(change).filter(([, value]) => value !== undefined)
    const names = given.map(([name]) => name)
    const key = names.join()
    let update = byColumns.get(key)
    if (update === undefined) {
      update = prepareOnce((connection) => {
        const table = tableOf(connection)
        const values = rowPlaceholders(table) as Readonly<Record<string, SQL>>
        const set = Object.fromEntries(names.map((name) => [name, values[name]])) as T['$inferInsert']
        return connection.q
          .update(table)
          .set(set)
          .where(eq(table.id, sql.placeholder('id')))
          .prepare()
      })
      byColumns.set(key, update)
    }
    await update(tx).execute({ ...rowValues(tableOf(tx), [change]), id })
  }
}

/** Names of the values that differ between a statement's calls, with their types on PostgreSQL. */
export type GivenTypes = Readonly<Record<string, GivenType>>

type GivenType = 'text' | 'bigint' | 'boolean' | 'bytea'

export type Given<Types extends GivenTypes> = { readonly [Name in keyof Types]: SQL }

/** The values of a single call, as expressions of its statement. */
export function givenOnce<Types extends GivenTypes>(types: Types): Given<Types> {
  // As expressions: drizzle would encode null for a bare placeholder like a value.
  return Object.fromEntries(Object.keys(types).map((name) => [name, sql`${sql.placeholder(name)}`])) as Given<Types>
}

/** The columns of `givenRows`. */
export function givenColumns<Types extends GivenTypes>(types: Types): Given<Types> {
  return Object.fromEntries(
    Object.keys(types).map((name) => [name, sql`given.${sql.identifier(name)}`]),
  ) as Given<Types>
}

/** The types of a table's columns. */
export function typesOf<T extends SQLiteTable>(table: T): { readonly [Name in keyof T['$inferInsert']]-?: GivenType } {
  // The type's name only, without a collation.
  const types = Object.entries(getTableColumns(table)).map(([name, column]) => [
    name,
    column.getSQLType().split(' ')[0],
  ])
  return Object.fromEntries(types)
}

/**
 * The values of many calls, as a table to select from on PostgreSQL; `givenValues` fills it. `given.place` is the call's index.
 */
export function givenRows(types: GivenTypes, size: number): SQL {
  const names = Object.entries(types)
  // The first row's types apply to all rows.
  const rows = Array.from({ length: size }, (_row, place) => {
    const values = names.map(([name, type]) => {
      const value = sql.placeholder(`${place}.${name}`)
      return place === 0 ? sql`${value}::${sql.raw(type)}` : sql`${value}`
    })
    return sql`(${sql.join([sql.raw(String(place)), ...values], sql`, `)})`
  })
  const columns = ['place', ...names.map(([name]) => name)].map((name) => sql.identifier(name))
  return sql`(values ${sql.join(rows, sql`, `)}) as given(${sql.join(columns, sql`, `)})`
}

export function givenValues(calls: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [place, call] of calls.entries()) {
    for (const name in call) values[`${place}.${name}`] = call[name] ?? null
  }
  return values
}

/**
 * Tuned: the most rows that a prepared insert takes at once; a larger batch needs several. On PostgreSQL, all events that one
 * instance with two workers has in hand.
 */
export const INSERT_ROWS = { sqlite: 8, postgres: 32 } as const

/**
 * An insert of whole rows into one table, built once for each number of rows.
 * @param computed columns that the database fills in itself
 */
export function prepareInsert<T extends SQLiteTable, Computed extends keyof T['$inferInsert'] = never>(
  tableOf: (connection: Connection) => T,
  computed: (connection: Connection) => Record<Computed, SQL> = () => ({}) as Record<Computed, SQL>,
) {
  const insert = prepareBySize(INSERT_ROWS.postgres, (connection, size) => {
    const table = tableOf(connection)
    const filled = computed(connection)
    const rows = Array.from({ length: size }, (_row, place) => ({ ...rowPlaceholders(table, place), ...filled }))
    return connection.q.insert(table).values(rows).prepare()
  })
  type Row = Omit<T['$inferInsert'], Computed>
  return gathered<readonly Row[], void>(async (tx, calls) => {
    const table = tableOf(tx)
    const rows = calls.flat()
    const most = INSERT_ROWS[tx.dialect]
    for (let from = 0; from < rows.length; from += most) {
      const batch = rows.slice(from, from + most)
      await insert(tx, batch.length).execute(rowValues(table, batch))
    }
    return []
  })
}
