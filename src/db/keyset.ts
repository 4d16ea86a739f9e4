import { type AnyColumn, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Connection } from './database.ts'

/** Where a page begins: after the previous page's last row. */
export interface PagePlace {
  createdAt: string
  id: string
}

/**
 * Rows older than a place, in the order of `newestFirst`. A row comparison, because both databases answer it from an index on the
 * two columns; for `a < x or (a = x and b < y)` SQLite would sort.
 */
export function olderThan(createdAt: AnyColumn | SQL, id: AnyColumn, place: PagePlace): SQL {
  return sql`(${createdAt}, ${id}) < (${place.createdAt}, ${place.id})`
}

/** A place as placeholders, named after its fields. */
export const placeGiven = { createdAt: sql.placeholder('createdAt'), id: sql.placeholder('id') }

/** Rows newer than a place, for pages that begin with the oldest. */
export function newerThan(createdAt: AnyColumn | SQL, id: AnyColumn, place: PagePlace | typeof placeGiven): SQL {
  return sql`(${createdAt}, ${id}) > (${place.createdAt}, ${place.id})`
}

export function newestFirst(createdAt: AnyColumn | SQL, id: AnyColumn): [SQL, SQL] {
  return [desc(createdAt), desc(id)]
}

/**
 * Conditions of which only the first may choose the index on SQLite; the others are expressions that no index serves, and are
 * checked row by row. Without statistics SQLite would choose arbitrarily. PostgreSQL has statistics of columns, not of
 * expressions, and chooses by them.
 * @param filters ordered from the one that leaves the fewest rows
 */
export function selective(
  { dialect }: Connection,
  filters: readonly (readonly [column: AnyColumn, value: string | undefined])[],
): SQL[] {
  const asked = filters.filter(([, value]) => value !== undefined)
  return asked.map(([column, value], place) =>
    place === 0 || dialect === 'postgres' ? eq(column, value) : sql`(${column} || '') = ${value}`,
  )
}
