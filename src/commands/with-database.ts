import { type Clock, systemClock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { prepareDataFolder } from '../data-folder.ts'
import { startDatabaseClock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { openMigratedDatabase } from '../migrated-database.ts'
import type { CommandContext } from './command.ts'

export interface OpenStore {
  database: Database
  clock: Clock
  log: Log
}

/** Runs work on the configured database, which is brought up to date first and closed afterwards. */
export async function withDatabase(context: CommandContext, work: (store: OpenStore) => Promise<void>): Promise<void> {
  const config = context.prepare()
  const log = context.logFor(config)
  for (const note of await prepareDataFolder(config)) log.warn(note)
  const database = await openMigratedDatabase(config, log)
  const shared = config.databaseUrl.startsWith('file:') ? undefined : await startDatabaseClock(database, log)
  try {
    await work({ database, clock: shared ?? systemClock, log })
  } finally {
    shared?.stop()
    await database.close()
  }
}
