/**
 * How many published schemas are valid contracts, as they are and after conversion to 2020-12, and why the others aren't.
 * QUIRE_REAL_SCHEMAS names a folder of schemas. Each file is read once; the slowest conversion is printed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertContract } from '../src/engines/schema/convert/convert.ts'
import { compileSchema } from '../src/engines/schema/schema.ts'

const folder = process.env.QUIRE_REAL_SCHEMAS
if (folder === undefined) throw new Error('Name a folder of schemas with QUIRE_REAL_SCHEMAS.')
const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
const counts = { 'as they are': 0, 'after conversion': 0 }
const reasons = new Map<string, number>()
let slowest = { name: '', ms: 0 }
for (const name of names) {
  const text = readFileSync(join(folder, name), 'utf8').replace(/^\uFEFF/, '')
  const began = performance.now()
  const made = convertContract(text)
  const ms = performance.now() - began
  if (ms > slowest.ms) slowest = { name, ms }
  const refused = made.kind === 'refused' ? made.findings : made.kind === 'current' ? compileSchema(text).findings : []
  const reason = refused.find(({ severity }) => severity === 'error')?.code
  if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  else counts[made.kind === 'older' ? 'after conversion' : 'as they are']++
}
console.log(
  `${names.length} schemas: ${counts['as they are']} compile as they are, ${counts['after conversion']} more after conversion`,
)
for (const [reason, count] of [...reasons].sort(([, one], [, other]) => other - one)) console.log(`${count} ${reason}`)
console.log(`slowest: ${slowest.name}, ${slowest.ms.toFixed(0)} ms`)
