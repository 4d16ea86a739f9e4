import { API_VERSION, PRODUCT_VERSION, REVISION } from '../core/version.ts'
import type { Command } from './command.ts'

/** `quire version`: of the product, its interface, its source and its runtime. */
export const runVersion: Command = async () => {
  process.stdout.write(`quire ${PRODUCT_VERSION} (API ${API_VERSION}, revision ${REVISION}, bun ${Bun.version})\n`)
  return 0
}
