import { parseArgs } from 'node:util'
import { seedDemo } from '../modules/intake-lab/intake-lab.service.ts'
import type { Command } from './command.ts'
import { printJson } from './print-json.ts'
import { withDatabase } from './with-database.ts'

/** `quire demo [--json]`: seeds the demo configuration, once. */
export const runDemo: Command = async (args, context) => {
  const options = { json: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...args], options, allowPositionals: false })
  await withDatabase(context, async ({ database, clock }) => {
    const seeded = await seedDemo(database, clock)
    if (values.json) printJson({ seeded })
    else
      process.stdout.write(
        seeded ? 'the demo configuration is in force\n' : 'the demo configuration was already there\n',
      )
  })
  return 0
}
