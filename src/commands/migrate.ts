import { parseArgs } from 'node:util'
import { checkSchemaAt } from '../db/connect.ts'
import type { Command } from './command.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { waitingFor } from './progress.ts'
import { withDatabase } from './with-database.ts'

/** `quire migrate [--check] [--json]`: brings the schema up to date, or lists what it lacks. */
export const runMigrate: Command = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: { check: { type: 'boolean' }, json: { type: 'boolean' } },
    allowPositionals: false,
  })
  if (!values.check) {
    const opened = withDatabase(context, async () => {})
    await waitingFor('bringing the schema up to date', opened)
    if (values.json) printJson({ missing: [], changed: [], later: [] })
    else process.stdout.write('up to date\n')
    return 0
  }
  const { pending, changed, later } = await checkSchemaAt(context.prepare().databaseUrl)
  if (values.json) {
    printJson({ missing: pending, changed, later })
    return pending.length + changed.length === 0 ? 0 : 1
  }
  for (const difference of changed) process.stderr.write(`quire: the schema was changed: ${plain(difference)}\n`)
  if (pending.length > 0) process.stdout.write(`missing: ${pending.join(', ')}\n`)
  if (pending.length > 0 || changed.length > 0) return 1
  if (later.length > 0)
    process.stdout.write(`a newer version has added ${plain(later.join(', '))}; this one may run beside it\n`)
  process.stdout.write('up to date\n')
  return 0
}
