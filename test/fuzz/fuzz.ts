/**
 * Fuzzes the readers of what comes from outside, each in a process of its own:
 *
 *     bun test/fuzz/fuzz.ts [TARGET…] [--seconds N] [--seed N] [--corpus FOLDER]
 *
 * Each target gets that many seconds (60) with inputs made from the seed (1). A folder of a corpus (made if it isn't there) keeps
 * the inputs that came to something new, and the next round, with another seed, begins with them. What breaks a bound is written below
 * `test/fuzz/found`, from where fuzz.test.ts tries it again ever after. Ends with 1 if anything was found.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sha256Hex } from '../../src/core/hash.ts'
import { targets } from './targets.ts'
import { watchedRounds } from './watched.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    corpus: { type: 'string' },
  },
})
const unknown = positionals.filter((wanted) => !targets.some(({ name }) => name === wanted))
if (unknown.length > 0) throw new Error(`there is no target ${unknown}; there are ${targets.map(({ name }) => name)}`)
const wanted = positionals.length > 0 ? positionals : targets.map(({ name }) => name)
const found = join(import.meta.dir, 'found')
mkdirSync(found, { recursive: true })
const corpus = values.corpus === undefined ? {} : { corpus: values.corpus }
if (values.corpus !== undefined) mkdirSync(values.corpus, { recursive: true })
let problems = 0
for (const name of wanted) {
  const begin = performance.now()
  const ms = Number(values.seconds) * 1_000
  const [round] = await watchedRounds([name], { seed: Number(values.seed), ms, ...corpus })
  if (round === undefined) continue
  const perSecond = Math.round(round.inputs / ((performance.now() - begin) / 1_000))
  const usable = round.usable === undefined ? '' : `${Math.round((round.usable / round.inputs) * 100)} % usable, `
  process.stdout.write(
    `${name}: ${round.inputs} inputs (${perSecond}/s), ${usable}${round.outcomes} outcomes, slowest ${Math.round(round.slowestMs)} ms, ${round.problems.length} problems\n`,
  )
  for (const { input, what } of round.problems) {
    const file = `${name}-${sha256Hex(input).slice(0, 12)}`
    writeFileSync(join(found, file), input)
    process.stdout.write(`  ${file}: ${what}\n`)
    problems++
  }
}
process.exit(problems > 0 ? 1 : 0)
