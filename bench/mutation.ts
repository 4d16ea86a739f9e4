/**
 * Plants small faults in a folder of src/, one at a time, and lists those that the folder's own tests don't notice:
 * `bun bench/mutation.ts --folder src/runner [--sample 60] [--folder src/bus --sample 20 …] [--seed 1]`. Each fault is one
 * changed operator, condition, constant, statement or clause that TypeScript's parser found and its checker accepts, planted in a
 * copy of the project. `--tests <file or folder>` runs these tests instead. `--unnoticed <file.json>` saves the unnoticed faults
 * as `[{file, find, replace}]`, and `--faults <file.json>` plants such a list, saved or written by hand.
 *
 * `--folder src` draws from all sources, each part in proportion to its lines, and runs the tests of a fault's own part
 * (`src/runner`, `src/modules/audit`, `src/engines/pdf`) against it. `--state <folder>` saves what tests cost, which lines they
 * run and what was noticed: the same command continues there after it was ended, or after `--minutes 20`. Use a new folder when
 * sources or tests have changed. `--nearest` runs only the tests of a fault's own part (`test/modules/audit` for
 * `src/modules/audit`) and not the others after them. `--longest 8` leaves out test files that take more processor seconds: on a
 * busy machine, for a score that is a lower bound.
 */
import { mkdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cleanUp } from '../test/support/cleanup.ts'
import { dropLeftDatabases, launchPostgres, postgresAvailable } from '../test/support/postgres.ts'
import { openCompiler } from './mutation/compiler.ts'
import type { Fault } from './mutation/draw.ts'
import { Notes } from './mutation/measures.ts'
import { isNoticed, mutate, type Report, type Result } from './mutation/run.ts'
import { scoreLines } from './mutation/score.ts'
import { removeScratches } from './mutation/scratch.ts'
import { namedTests } from './mutation/tests.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string', multiple: true, default: ['60'] },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string' },
    tests: { type: 'string', multiple: true },
    faults: { type: 'string' },
    unnoticed: { type: 'string' },
    state: { type: 'string' },
    minutes: { type: 'string' },
    longest: { type: 'string' },
    nearest: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})
if (values.folder.length === 0) {
  refuse('name a folder: bun bench/mutation.ts --folder src/runner')
}

const root = resolve(import.meta.dir, '..')
// Everything else on the machine goes first.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
if (values.state !== undefined) mkdirSync(values.state, { recursive: true })
const notes = new Notes<Result>(values.state)
const untilMs = values.minutes === undefined ? undefined : performance.now() + Number(values.minutes) * 60_000
const tests = values.tests?.flatMap((name) => namedOr(name))
const faults: Fault[] | undefined = values.faults === undefined ? undefined : await Bun.file(values.faults).json()
// Opening a compiler takes longer than drawing from a folder, so all folders share one.
const compiler = faults === undefined ? await openCompiler(root) : undefined
// Starting a server takes longer than most tests, so they share one; nothing in it must survive a crash.
const server = postgresAvailable ? await launchPostgres(['-c', 'fsync=off', '-c', 'full_page_writes=off']) : undefined
const sharing =
  server === undefined
    ? {}
    : { environment: { QUIRE_TEST_POSTGRES: server.adminUrl }, afterRun: () => dropLeftDatabases(server.adminUrl) }
// When stopped by a signal, it leaves neither servers nor copies of the project behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    removeScratches()
    await cleanUp()
    process.exit(1)
  })
}
const reports: Report[] = []
try {
  for (const [index, folder] of values.folder.entries()) {
    await runOver(folder.replace(/\/$/, ''), Number(values.sample[index] ?? values.sample.at(-1)))
  }
} finally {
  await compiler?.close()
  await cleanUp()
}
if (values.unnoticed !== undefined) {
  const kept = reports.flatMap(({ results }) => results).filter((result) => !isNoticed(result))
  const list = kept.map(({ fault }) => fault)
  await Bun.write(values.unnoticed, `${JSON.stringify(list, undefined, 2)}\n`)
}
if (reports.length > 0) console.log(scoreLines(reports.flatMap(({ results }) => results)).join('\n'))

async function runOver(folder: string, sample: number): Promise<void> {
  const startedAt = performance.now()
  const report = await mutate({
    root,
    folder,
    sample,
    seed: Number(values.seed),
    ...(values.jobs === undefined ? {} : { jobs: Number(values.jobs) }),
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(values.longest === undefined ? {} : { longestSeconds: Number(values.longest) }),
    nearest: values.nearest,
    ...(compiler === undefined ? {} : { compiler }),
    ...(tests === undefined ? {} : { tests }),
    notes,
    ...(faults === undefined ? {} : { faults }),
    ...sharing,
    onResult: (result, done, of) => print(result, `${done}/${of}`),
  })
  reports.push(report)
  const took = Math.round((performance.now() - startedAt) / 1_000)
  console.log(`${folder}: ${report.possible} possible, ${report.untyped} drawn that don't type-check; in ${took} s`)
}

function namedOr(name: string): string[] {
  try {
    return namedTests(root, name)
  } catch (error) {
    return refuse(`--tests: ${(error as Error).message}`)
  }
}

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

function print(result: Result, progress: string): void {
  if (isNoticed(result) && !values.verbose) return
  const { file, line, kind, outcome, diff, seconds, noticedBy } = result
  const by = noticedBy === undefined ? '' : ` by "${noticedBy}"`
  console.log(`${progress} ${outcome}${by} (${seconds.toFixed(1)} s): ${file}:${line} ${kind}\n${diff}`)
}
