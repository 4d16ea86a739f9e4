import {
  bigint,
  boolean,
  customType as pgCustomType,
  index as pgIndex,
  primaryKey as pgPrimaryKey,
  pgTable,
  uniqueIndex as pgUniqueIndex,
} from 'drizzle-orm/pg-core'
import { customType, index, integer, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Instant } from '../core/instant.ts'
import { StoredValueUnreadable } from '../core/unreadable.ts'

/**
 * One schema, two dialects: `makeSchema` is written once against a column kit. In both, text is compared by code unit (PostgreSQL
 * needs `collate "C"` for that), JSON is text, and instants are fixed-width text.
 */
const sqliteText = customType<{ data: string; driverData: string }>({ dataType: () => 'text' })
const sqliteInstant = customType<{ data: Instant; driverData: string }>({ dataType: () => 'text' })
const sqliteJson = (name: string) =>
  customType<{ data: unknown; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => parseStored(name, value),
  })(name)
const sqliteBytes = customType<{ data: Uint8Array; driverData: Uint8Array | ArrayBuffer }>({
  dataType: () => 'blob',
  fromDriver: (value) => new Uint8Array(value as ArrayBuffer),
})

export const sqliteKit = {
  table: sqliteTable,
  index,
  uniqueIndex,
  primaryKey,
  text: (name: string) => sqliteText(name),
  instant: (name: string) => sqliteInstant(name),
  json: <T>(name: string) => sqliteJson(name).$type<T>(),
  int: (name: string) => integer(name),
  bool: (name: string) => integer(name, { mode: 'boolean' }),
  bytes: (name: string) => sqliteBytes(name),
}

export type Kit = typeof sqliteKit

const pgText = pgCustomType<{ data: string; driverData: string }>({ dataType: () => 'text collate "C"' })
const pgJson = (name: string) =>
  pgCustomType<{ data: unknown; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => parseStored(name, value),
  })(name)
const pgBytes = pgCustomType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => new Uint8Array(value),
})

/** Cast to the SQLite kit's type: the builders' classes differ, but every method that schema and stores use is the same. */
export const postgresKit = {
  table: pgTable,
  index: pgIndex,
  uniqueIndex: pgUniqueIndex,
  primaryKey: pgPrimaryKey,
  text: (name: string) => pgText(name),
  instant: (name: string) => pgText(name),
  json: (name: string) => pgJson(name),
  int: (name: string) => bigint(name, { mode: 'number' }),
  bool: (name: string) => boolean(name),
  bytes: (name: string) => pgBytes(name),
} as unknown as Kit

function parseStored(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StoredValueUnreadable(name, cause)
  }
}
