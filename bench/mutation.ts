/**
 * Plants small faults in a folder of src/, one at a time, and says which of them the folder's own tests don't notice:
 * `bun bench/mutation.ts --folder src/runner [--folder src/bus …] [--sample 60] [--seed 1] [--jobs 1]`.
 * Each fault is one changed operator, condition, constant, statement or clause that TypeScript's parser found and its checker accepts; it is
 * planted in a copy of the project. `--tests <file>` runs these test files instead. `--unnoticed <file.json>` keeps what nobody noticed
 * as `[{file, find, replace}]`, and `--faults <file.json>` plants such a list, kept or made by hand.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cleanUp } from '../test/support/cleanup.ts'
import { dropLeftDatabases, launchPostgres, postgresAvailable } from '../test/support/postgres.ts'
import { type Fault, isNoticed, mutate, type Report, type Result } from './mutation/run.ts'
import { removeScratches } from './mutation/scratch.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string' },
    tests: { type: 'string', multiple: true },
    faults: { type: 'string' },
    unnoticed: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
if (values.folder.length === 0) {
  console.error('name a folder: bun bench/mutation.ts --folder src/runner')
  process.exit(2)
}

const faults: Fault[] | undefined = values.faults === undefined ? undefined : await Bun.file(values.faults).json()
// Starting a server takes longer than most tests, and nothing here needs to outlive the machine.
const server = postgresAvailable ? await launchPostgres(['-c', 'fsync=off', '-c', 'full_page_writes=off']) : undefined
const sharing =
  server === undefined
    ? {}
    : { environment: { QUIRE_TEST_POSTGRES: server.adminUrl }, afterRun: () => dropLeftDatabases(server.adminUrl) }
// Told to stop, it leaves neither servers nor copies of the project behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
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
    root: resolve(import.meta.dir, '..'),
    folder,
    sample: Number(values.sample),
    seed: Number(values.seed),
    ...(values.jobs === undefined ? {} : { jobs: Number(values.jobs) }),
    ...(values.tests === undefined ? {} : { tests: values.tests }),
    ...(faults === undefined ? {} : { faults }),
    ...sharing,
    onResult: (result, done, of) => print(result, `${done}/${of}`),
  })
  reports.push(report)
  console.log(`${line(report)}, in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
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
