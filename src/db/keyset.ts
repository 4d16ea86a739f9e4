import { type AnyColumn, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Connection } from './database.ts'

/** The place after which a page begins: the last row of the page before it. */
export interface PagePlace {
  createdAt: string
  id: string
}

/**
 * Rows older than a place, in the order of `newestFirst`. A row comparison, because both databases answer it from the
 * index on the two columns, while `a < x or (a = x and b < y)` makes SQLite sort.
 */
export function olderThan(createdAt: AnyColumn | SQL, id: AnyColumn, place: PagePlace): SQL {
  return sql`(${createdAt}, ${id}) < (${place.createdAt}, ${place.id})`
}

/** A place that each use of a statement gives, by its fields' names. */
export const placeGiven = { createdAt: sql.placeholder('createdAt'), id: sql.placeholder('id') }

/** Rows newer than a place, for pages from the oldest on. */
export function newerThan(createdAt: AnyColumn | SQL, id: AnyColumn, place: PagePlace | typeof placeGiven): SQL {
  return sql`(${createdAt}, ${id}) > (${place.createdAt}, ${place.id})`
}

export function newestFirst(createdAt: AnyColumn | SQL, id: AnyColumn): [SQL, SQL] {
  return [desc(createdAt), desc(id)]
}

/**
 * Only the first equality that is asked for may choose the index on SQLite; the others are checked row by row, as
 * expressions that no index serves. Without statistics SQLite would choose by chance. PostgreSQL has statistics of
 * columns, not of expressions, and chooses by them.
 * @param filters from the one that leaves the fewest rows on
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
