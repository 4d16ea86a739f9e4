import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { readStoredObject } from '../core/unreadable.ts'

/**
 * Selects a column of JSON objects for reading many rows, so that one bad value doesn't fail them all: it becomes an
 * `Unreadable`, an object that says so.
 */
export function shown<C extends SQLiteColumn>(column: C): SQL<C['_']['data']> {
  return sql<C['_']['data']>`${column}`.mapWith(readStoredObject)
}
