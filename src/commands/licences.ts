import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { builtNotices } from './notices.ts'

/** `quire licences [--texts]`: the parts of this executable with their licences, or the licences' texts. */
export const runLicences: Command = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { texts: { type: 'boolean' } }, allowPositionals: false })
  const { list, texts } = builtNotices().licences
  process.stdout.write(values.texts ? texts : list)
  return 0
}
