import { existsSync } from 'node:fs'
import type { Log } from '../core/log.ts'
import type { Database } from './database.ts'
import { changedSchema, laterMigrations, pendingMigrations, requireOwnSchema } from './migrate.ts'
import { migrations } from './migrations.ts'

export interface OpenDatabaseOptions {
  /**
   * For commands that only read: opens an existing local file beside the process that uses it. Otherwise a local file is opened
   * for one process alone.
   */
  readOnly?: boolean
  /** Logs when the database is gone, and when it is back. */
  log?: Log
}

/**
 * Opens `file:…`, `libsql://…` (also http, https, ws, wss) or `postgres://…`; only then imports the driver.
 *
 * @throws DatabaseInUse if another process uses the local file
 */
export async function openDatabase(url: string, options: OpenDatabaseOptions = {}): Promise<Database> {
  if (url.startsWith('file:')) {
    const path = url.slice('file:'.length)
    if (options.readOnly === true) {
      const { openLibsqlFileToRead } = await import('./libsql.ts')
      return openLibsqlFileToRead(path)
    }
    const { openLibsqlFile } = await import('./embedded.ts')
    return openLibsqlFile(path, options.log)
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(url)
  }
  const { openLibsqlRemote } = await import('./libsql.ts')
  return openLibsqlRemote(url)
}

export interface CheckedSchema {
  /** Names of migrations that are missing. */
  pending: string[]
  /** Other differences from the schema that the applied migrations make. */
  changed: string[]
  /** Names of migrations of a newer version that this one may run beside. */
  later: string[]
}

/**
 * Compares the database at an address with the schema that its migrations make. Opens it for reading only, and creates no file.
 *
 * @throws for a database of another version that this one may not run beside, or with other content in its migrations
 */
export async function checkSchemaAt(url: string): Promise<CheckedSchema> {
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) {
    return { pending: migrations.sqlite.map(({ name }) => name), changed: [], later: [] }
  }
  const database = await openDatabase(url, { readOnly: true })
  try {
    await requireOwnSchema(database)
    const [pending, later] = [await pendingMigrations(database), await laterMigrations(database.read)]
    return { pending, later, changed: await changedSchema(database) }
  } finally {
    await database.close()
  }
}
