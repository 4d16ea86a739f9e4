/**
 * Plants small faults in a folder of src/, one at a time, and says which of them the folder's own tests don't notice:
 * `bun bench/mutation.ts --folder src/runner [--folder src/bus …] [--sample 60] [--seed 1] [--jobs 1]`.
 * Each fault is one changed operator, condition, constant, statement or clause that TypeScript's parser found and its checker accepts; it is
 * planted in a copy of the project. `--tests <file or folder>` runs these tests instead. `--unnoticed <file.json>` keeps what nobody noticed
 * as `[{file, find, replace}]`, and `--faults <file.json>` plants such a list, kept or made by hand.
 *
 * `--folder src` draws from all of the source, and each fault meets the tests of its own part (`src/runner`, `src/modules/audit`,
 * `src/engines/pdf`). A large sample can be planted in parts: `--part 3/10 --timings <file.json>`, where the file keeps how long
 * tests take from one part to the next.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cleanUp } from '../test/support/cleanup.ts'
import { dropLeftDatabases, launchPostgres, postgresAvailable } from '../test/support/postgres.ts'
import { type Fault, isNoticed, mutate, type Report, type Result } from './mutation/run.ts'
import { removeScratches } from './mutation/scratch.ts'
import { namedTests } from './mutation/tests.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string' },
    tests: { type: 'string', multiple: true },
    faults: { type: 'string' },
    unnoticed: { type: 'string' },
    part: { type: 'string' },
    timings: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
if (values.folder.length === 0) {
  refuse('name a folder: bun bench/mutation.ts --folder src/runner')
}

const root = resolve(import.meta.dir, '..')
const part = partOf(values.part)
const tests = values.tests?.flatMap((name) => namedOr(name))
const seconds = new Map<string, number>(await kept(values.timings))
const faults: Fault[] | undefined = values.faults === undefined ? undefined : await Bun.file(values.faults).json()
// Starting a server takes longer than most tests, and nothing here needs to outlive the machine.
const server = postgresAvailable ? await launchPostgres(['-c', 'fsync=off', '-c', 'full_page_writes=off']) : undefined
const sharing =
  server === undefined
    ? {}
    : { environment: { QUIRE_TEST_POSTGRES: server.adminUrl }, afterRun: () => dropLeftDatabases(server.adminUrl) }
// Told to stop, it leaves neither servers nor copies of the project behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    removeScratches()
    await cleanUp()
    process.exit(1)
  })
}
const reports: Report[] = []
try {
  for (const folder of values.folder) await runOver(folder.replace(/\/$/, ''))
} finally {
  await cleanUp()
}
if (values.unnoticed !== undefined) {
  const kept = reports.flatMap(({ results }) => results).filter((result) => !isNoticed(result))
  const list = kept.map(({ fault }) => fault)
  await Bun.write(values.unnoticed, `${JSON.stringify(list, undefined, 2)}\n`)
}
if (reports.length > 1) console.log(['', ...reports.map(line)].join('\n'))

async function runOver(folder: string): Promise<void> {
  const startedAt = performance.now()
  const report = await mutate({
    root,
    folder,
    sample: Number(values.sample),
    seed: Number(values.seed),
    ...(values.jobs === undefined ? {} : { jobs: Number(values.jobs) }),
    ...(part === undefined ? {} : { part }),
    ...(tests === undefined ? {} : { tests }),
    seconds,
    ...(faults === undefined ? {} : { faults }),
    ...sharing,
    onResult: (result, done, of) => print(result, `${done}/${of}`),
  })
  reports.push(report)
  if (values.timings !== undefined) await Bun.write(values.timings, JSON.stringify([...seconds]))
  console.log(`${line(report)}, in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
}

function partOf(text: string | undefined) {
  if (text === undefined) return undefined
  const [index = 0, of = 0] = text.split('/').map(Number)
  if (!(Number.isInteger(index) && Number.isInteger(of) && index >= 1 && index <= of)) refuse('--part is like 3/10')
  return { index, of }
}

function namedOr(name: string): string[] {
  try {
    return namedTests(root, name)
  } catch (error) {
    return refuse(`--tests: ${(error as Error).message}`)
  }
}

async function kept(file: string | undefined): Promise<[string, number][]> {
  return file === undefined || !(await Bun.file(file).exists()) ? [] : Bun.file(file).json()
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

function line({ folder, results, possible, untyped, baselineSeconds }: Report): string {
  const noticed = results.filter(isNoticed).length
  const share = results.length === 0 ? '–' : `${((100 * noticed) / results.length).toFixed(0)} %`
  const drawn = `${noticed} of ${results.length} noticed (${share})`
  return `${folder.padEnd(28)} ${drawn}; ${possible} possible, ${untyped} drawn that don't type-check; tests ${baselineSeconds.toFixed(1)} s`
}
