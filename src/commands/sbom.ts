import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { builtNotices } from './notices.ts'

/** `quire sbom`: the bill of materials of this executable, CycloneDX in JSON. */
export const runSbom: Command = async (args) => {
  parseArgs({ args: [...args], options: {}, allowPositionals: false })
  process.stdout.write(builtNotices().bill)
  return 0
}
