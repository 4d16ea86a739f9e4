import { getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Connection } from './database.ts'

/**
 * A statement that is built once instead of once for each use: building is half of what a statement costs. It is built for each
 * connection of a libSQL file, of which there are few. On PostgreSQL every transaction is a connection of its own, and runs the one
 * that the first of them has built.
 */
export function prepareOnce<Prepared extends object>(
  build: (connection: Connection) => Prepared,
): (connection: Connection) => Prepared {
  const prepared = new WeakMap<Connection['q'], Prepared>()
  let ofAll: Prepared | undefined
  return (connection) => {
    if (connection.over !== undefined) {
      ofAll ??= build(connection)
      return connection.over(ofAll)
    }
    let known = prepared.get(connection.q)
    if (known === undefined) {
      known = build(connection)
      prepared.set(connection.q, known)
    }
    return known
  }
}

/**
 * Statements for 1 to `most` rows or ids at once, each built once for each connection.
 * @throws RangeError for another size
 */
export function prepareBySize<Prepared extends object>(
  most: number,
  build: (connection: Connection, size: number) => Prepared,
): (connection: Connection, size: number) => Prepared {
  const bySize = Array.from({ length: most }, (_, index) => prepareOnce((connection) => build(connection, index + 1)))
  return (connection, size) => {
    const prepared = bySize[size - 1]
    if (prepared === undefined) throw new RangeError(`a statement takes 1 to ${most} at once, not ${size}`)
    return prepared(connection)
  }
}

/** Tuned: the most ids that a prepared statement takes at once; more go in several. */
const MOST_IDS = 32

interface Reading<Row> {
  execute(values: Record<string, unknown>): Promise<Row[]>
}

/**
 * A reading of rows by some ids, built once for each number of ids. The rows of one id must not depend on the other
 * ids: many ids are read in several statements.
 */
export function prepareByIds<Row>(build: (connection: Connection, ids: Placeholder[]) => Reading<Row>) {
  const reading = prepareBySize(MOST_IDS, (connection, size) => {
    const ids = Array.from({ length: size }, (_id, place) => sql.placeholder(`id${place}`))
    return build(connection, ids)
  })
  return async (connection: Connection, ids: readonly string[], more: Record<string, unknown> = {}): Promise<Row[]> => {
    const rows: Row[] = []
    for (let from = 0; from < ids.length; from += MOST_IDS) {
      const batch = ids.slice(from, from + MOST_IDS)
      const values = { ...more }
      for (const [place, id] of batch.entries()) values[`id${place}`] = id
      rows.push(...(await reading(connection, batch.length).execute(values)))
    }
    return rows
  }
}

/** Placeholders for every column of a row, named after its columns and its place among several rows. */
export function rowPlaceholders<T extends SQLiteTable>(table: T, place = 0): T['$inferInsert'] {
  const columns = Object.keys(getTableColumns(table))
  // As expressions, since a bare placeholder would have null encoded as if it were a value.
  return Object.fromEntries(
    columns.map((name): [string, SQL] => [name, sql`${sql.placeholder(`${place}.${name}`)}`]),
  ) as T['$inferInsert']
}

/** The values of the placeholders of whole rows, as the driver takes them. */
export function rowValues<T extends SQLiteTable>(table: T, rows: readonly object[]): Record<string, unknown> {
  const columns = Object.entries(getTableColumns(table))
  const values: Record<string, unknown> = {}
  for (const [place, row] of rows.entries()) {
    const fields = row as Readonly<Record<string, unknown>>
    for (const [name, column] of columns) {
      const value = fields[name] ?? null
      values[`${place}.${name}`] = value === null ? null : column.mapToDriverValue(value)
    }
  }
  return values
}

/** Tuned: the most rows that a prepared insert takes at once; a larger batch goes in several. */
const BATCH_ROWS = 8

/**
 * An insert of whole rows into one table, built once for each number of rows.
 * @param computed columns that the database fills in itself
 */
export function prepareInsert<T extends SQLiteTable, Computed extends keyof T['$inferInsert'] = never>(
  tableOf: (connection: Connection) => T,
  computed: (connection: Connection) => Record<Computed, SQL> = () => ({}) as Record<Computed, SQL>,
) {
  const insert = prepareBySize(BATCH_ROWS, (connection, size) => {
    const table = tableOf(connection)
    const filled = computed(connection)
    const rows = Array.from({ length: size }, (_row, place) => ({ ...rowPlaceholders(table, place), ...filled }))
    return connection.q.insert(table).values(rows).prepare()
  })
  return async (connection: Connection, rows: readonly Omit<T['$inferInsert'], Computed>[]): Promise<void> => {
    const table = tableOf(connection)
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      const batch = rows.slice(from, from + BATCH_ROWS)
      await insert(connection, batch.length).execute(rowValues(table, batch))
    }
  }
}
