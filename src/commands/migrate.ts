import { parseArgs } from 'node:util'
import { pendingMigrationsAt } from '../db/connect.ts'
import type { Command } from './command.ts'
import { withDatabase } from './with-database.ts'

/** `quire migrate [--check]`: brings the schema up to date, or lists what it lacks. */
export const runMigrate: Command = async (args, context) => {
  const { values } = parseArgs({ args: [...args], options: { check: { type: 'boolean' } }, allowPositionals: false })
  if (!values.check) {
    await withDatabase(context, async () => {})
    process.stdout.write('up to date\n')
    return 0
  }
  const pending = await pendingMigrationsAt(context.prepare().databaseUrl)
  process.stdout.write(pending.length === 0 ? 'up to date\n' : `missing: ${pending.join(', ')}\n`)
  return pending.length === 0 ? 0 : 1
}
