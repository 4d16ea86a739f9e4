import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { readStoredObject } from '../core/unreadable.ts'

/**
 * A column of JSON objects for readings of many rows, which one bad value must not end: in its place is an `Unreadable`, an
 * object that says so.
 */
export function shown<C extends SQLiteColumn>(column: C): SQL<C['_']['data']> {
  return sql<C['_']['data']>`${column}`.mapWith(readStoredObject)
}
