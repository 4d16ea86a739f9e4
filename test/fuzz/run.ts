/**
 * The rounds of some targets in this process, each reported as a line of JSON. The input under way is always in the file
 * that `--at` names: `bun test/fuzz/run.ts TARGET… --seed N [--ms N] [--corpus FOLDER] --at FILE`. `watched.ts` starts it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sha256Hex } from '../../src/core/hash.ts'
import { closeBroker } from './mqtt-target.ts'
import { fuzz } from './round.ts'
import type { Target } from './target.ts'
import { targets } from './targets.ts'
import { UnderWay } from './under-way.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    ms: { type: 'string' },
    at: { type: 'string', default: '' },
    corpus: { type: 'string' },
  },
})
const underWay = new UnderWay(values.at, false)
/** Where inputs are that are tried before others; those in `found` have broken something once. */
const folders = [join(import.meta.dir, 'found'), ...(values.corpus === undefined ? [] : [values.corpus])]

/** Ends the process, so that the test of `watched.ts` sees what comes of that. */
const plantedEnd: Target = {
  name: 'planted-end',
  words: [],
  maxBytes: 100,
  shortRound: 2,
  seeds: () => [new TextEncoder().encode('an input'), new TextEncoder().encode('the end')],
  run: (bytes) => (bytes.length === 7 ? process.exit(3) : 'fine'),
}

for (const target of [...targets, plantedEnd].filter(({ name }) => positionals.includes(name))) {
  const corpus = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(`${target.name}-`))
      .sort()
      .map((name) => new Uint8Array(readFileSync(join(folder, name)))),
  )
  const round = await fuzz(target, {
    seed: Number(values.seed),
    ...(values.ms === undefined
      ? { inputs: target.shortRound }
      : { inputs: Number.POSITIVE_INFINITY, ms: Number(values.ms) }),
    corpus,
    announce: (input) => underWay.begin(input),
  })
  const problems = round.problems.map(({ input, what }) => ({ input: Buffer.from(input).toString('base64'), what }))
  if (values.corpus !== undefined)
    for (const input of round.kept)
      writeFileSync(join(values.corpus, `${target.name}-${sha256Hex(input).slice(0, 12)}`), input)
  // What is still on its way to a pipe would be lost with the process.
  await Bun.write(
    Bun.stdout,
    `${JSON.stringify({ target: target.name, ...round, problems, kept: round.kept.length })}\n`,
  )
}
await closeBroker()
process.exit(0)
