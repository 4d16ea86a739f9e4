import { existsSync } from 'node:fs'
import type { Log } from '../core/log.ts'
import type { Database } from './database.ts'
import { changedSchema, laterMigrations, pendingMigrations, requireOwnSchema } from './migrate.ts'
import { migrations } from './migrations.ts'

export interface OpenDatabaseOptions {
  /**
   * For commands that only read: a local file is then opened beside the process that has it, and must exist. Without it a
   * local file is for one process.
   */
  readOnly?: boolean
  /** Logs when the database is gone, and when it is back. */
  log?: Log
}

/**
 * Opens `file:…`, `libsql://…` (also http, https, ws, wss) or `postgres://…`; the driver is imported only then.
 *
 * @throws DatabaseInUse when another process has the local file
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
  /** What else differs from the schema that the others make. */
  changed: string[]
  /** Names of migrations of a newer version, beside which this one may run. */
  later: string[]
}

/**
 * Compares the database at that address with what its migrations make; opens for reading only, and makes no file.
 *
 * @throws for a database of another version that this one may not run beside, or with migrations of other content
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
