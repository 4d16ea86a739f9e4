import { ConfigError } from './config.ts'
import type { Log } from './core/log.ts'
import { openDatabase } from './db/connect.ts'
import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'

/** The configured database, its schema brought up to date. @throws ConfigError when it can't be opened, or is a newer version's */
export async function openMigratedDatabase(url: string, log: Log): Promise<Database> {
  const refuse = refuseAddress('QUIRE_DATABASE_URL', url)
  const database = await openDatabase(url, { log }).catch(refuse)
  try {
    const applied = await migrate(database)
    if (applied.length > 0) log.info('the database schema was brought up to date', { migrations: applied })
    return database
  } catch (error) {
    await database.close().catch(() => {})
    return refuse(error)
  }
}

/** Turns a fault of opening something into one line that names the setting; a password in a URL is never shown. */
export function refuseAddress(variable: string, url: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ConfigError) throw error
    const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0]
    throw new ConfigError(`${variable}: ${url.replace(/\/\/[^/@]*@/, '//…@')} can't be opened: ${reason}`)
  }
}
