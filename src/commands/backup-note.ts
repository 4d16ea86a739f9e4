import { parseInstant } from '../core/instant.ts'
import { openDatabase } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { noteStoreFact } from '../db/store-id.ts'
import { ranBeside } from './beside.ts'
import { type CommandContext, UsageError } from './command.ts'

/**
 * Notes in the database that a backup of it was made, for the status of the operations. A server that uses the embedded database
 * writes the note itself. If the database can't be written, the backup is good all the same.
 */
export async function noteMade(context: CommandContext, madeAt: string): Promise<void> {
  try {
    if (await ranBeside(context, 'backup-note', [madeAt])) return
    const database = await openDatabase(context.prepare().databaseUrl)
    try {
      await noteIn(database, [madeAt])
    } finally {
      await database.close()
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      `the backup is whole, but was not noted in the database, whose status won't know of it: ${why}\n`,
    )
  }
}

/** What a server does for it. */
export async function noteIn(database: Database, [madeAt = '']: readonly string[]): Promise<void> {
  if (parseInstant(madeAt) === undefined) throw new UsageError('backup-note takes the instant of a backup')
  await database.write((tx) => noteStoreFact(tx, 'backup', madeAt))
}
