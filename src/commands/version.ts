import { parseArgs } from 'node:util'
import { API_VERSION, PRODUCT_VERSION, REVISION } from '../core/version.ts'
import type { Command } from './command.ts'
import { printJson } from './print-json.ts'

/** `quire version [--json]`: of the product, its interface, its source and its runtime. */
export const runVersion: Command = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } }, allowPositionals: false })
  if (values.json) {
    printJson({ product: PRODUCT_VERSION, api: API_VERSION, revision: REVISION, bun: Bun.version })
    return 0
  }
  process.stdout.write(`quire ${PRODUCT_VERSION} (API ${API_VERSION}, revision ${REVISION}, bun ${Bun.version})\n`)
  return 0
}
