import { once } from 'node:events'
import { watch } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { findFonts } from '../font-files.ts'
import { affectedCases } from '../project/affected.ts'
import { htmlReport } from '../project/html-report.ts'
import { jsonReport, junitReport, tapReport } from '../project/machine-reports.ts'
import { type FileFinding, type Project, readProject } from '../project/project.ts'
import { type CaseResult, testCases } from '../project/test-cases.ts'
import { caseLines, summaryLine } from '../project/text-report.ts'
import { type EnginePool, openPool } from '../runner/pool.ts'
import { type Command, type CommandContext, type ExitCode, UsageError } from './command.ts'
import { writeOutput } from './files.ts'
import { findingLines } from './findings.ts'

const reports = {
  junit: (results: readonly CaseResult[]) => junitReport(results),
  tap: (results: readonly CaseResult[]) => tapReport(results),
  json: (results: readonly CaseResult[]) => jsonReport(results),
  html: htmlReport,
}

/**
 * `quire test [<folder>]`: runs the cases of a project folder through contract, transformer and template to DOCX and PDF,
 * in this process and its workers, and compares what they make with what is expected. Failures and the count go to
 * stdout; so does a report whose file is `-`, which then is all that goes there.
 */
export const runTest: Command = async (args, context) => {
  const wanted = readOptions(args)
  const pool = openEngines(context)
  try {
    const code = await runOnce(wanted, pool)
    if (wanted.watch) await watchProject(wanted, pool)
    return code
  } finally {
    await pool.close()
  }
}

type Wanted = ReturnType<typeof readOptions>

/** @throws UsageError */
function readOptions(args: readonly string[]) {
  const file = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      case: { type: 'string', multiple: true, default: [''] },
      update: { type: 'boolean' },
      pages: { type: 'boolean' },
      tolerance: { type: 'string', default: '0.5' },
      watch: { type: 'boolean', default: false },
      ...{ junit: file, tap: file, json: file, html: file },
    },
    allowPositionals: true,
  })
  const { junit, tap, json, html, update, pages } = values
  const [folder = '.', ...rest] = positionals
  if (rest.length > 0) throw new UsageError('test takes one folder: quire test letters')
  if (pages === true && update !== true) {
    throw new UsageError('--pages says what --update writes: quire test --update --pages')
  }
  const files = { junit, tap, json, html }
  const toStdout = Object.values(files).filter((path) => path === '-')
  if (toStdout.length > 1) throw new UsageError('only one report can go to stdout')
  return {
    folder,
    parts: values.case,
    update: update === true ? (pages === true ? ('all' as const) : ('kept' as const)) : undefined,
    tolerance: pointsOf(values.tolerance),
    watch: values.watch,
    files,
    isQuiet: toStdout.length > 0,
  }
}

function pointsOf(text: string): number {
  if (/^\d{1,3}(?:\.\d{1,3})?$/.test(text)) return Number(text)
  throw new UsageError(`--tolerance takes points, such as 0.5; ${text} is none`)
}

/**
 * Runs the cases, or those that a change concerns, and reports them.
 *
 * @throws UsageError when no case is wanted
 */
async function runOnce(wanted: Wanted, pool: EnginePool, changed?: readonly string[]): Promise<ExitCode> {
  const startedMs = performance.now()
  const project = openProject(wanted.folder)
  if (project === undefined) return 1
  const concerned = changed === undefined ? project.cases : affectedCases(project, changed)
  const cases = concerned.filter(({ stem }) => wanted.parts.some((part) => stem.includes(part)))
  if (cases.length === 0 && changed === undefined) throw new UsageError(noCases(project, wanted.parts))
  if (cases.length === 0) return 0
  const print = (text: string) => void (wanted.isQuiet || process.stdout.write(text))
  const results = await testCases(project, cases, {
    perform: (job) => pool.run(job),
    // While one case is read or compared, the workers have another one's steps.
    atOnce: pool.size * 2,
    tolerance: wanted.tolerance,
    update: wanted.update,
    onResult: (result) => print(caseLines(result)),
  })
  const durationMs = performance.now() - startedMs
  for (const [name, report] of Object.entries(reports)) {
    const path = wanted.files[name as keyof typeof reports]
    if (path === '-') process.stdout.write(report(results, durationMs))
    else if (path !== undefined) writeOutput(path, report(results, durationMs))
  }
  print(summaryLine(results, durationMs))
  return results.some(({ failures }) => failures.length > 0) ? 1 : 0
}

/** Editors write a file in several steps, which come as one change. */
const settledMs = 40

/** Runs what a change concerns, until the process is ended. */
async function watchProject(wanted: Wanted, pool: EnginePool): Promise<never> {
  process.stdout.write('Watching for changes.\n')
  const changed = new Set<string>()
  const watcher = watch(wanted.folder, { recursive: true })
  watcher.on('change', (_event, name) => changed.add(String(name).replaceAll('\\', '/')))
  for (;;) {
    if (changed.size === 0) await once(watcher, 'change')
    await Bun.sleep(settledMs)
    const names = [...changed]
    changed.clear()
    // What can't be read now, because it is just being written, comes as another change.
    await runOnce(wanted, pool, names).catch(({ message }: Error) => process.stderr.write(`quire: ${message}\n`))
  }
}

/** Says what is wrong with the project's files. */
function openProject(folder: string): Project | undefined {
  const { outcome, findings } = readProject(folder)
  for (const [file, found] of Map.groupBy(findings, (finding: FileFinding) => finding.file)) {
    process.stderr.write(findingLines(file, found))
  }
  return outcome.ok ? outcome.value : undefined
}

function openEngines(context: CommandContext): EnginePool {
  const config = context.readConfig()
  const { fontFolders } = config
  return openPool({
    size: availableParallelism(),
    log: context.logFor(config),
    ...(fontFolders.length === 0 ? {} : { fonts: findFonts(fontFolders) }),
  })
}

function noCases({ cases }: Project, parts: readonly string[]): string {
  if (cases.length > 0) return `no case has ${parts.join(' or ')} in its path`
  return 'the project has no case; put an input at cases/<ingestion model>/<name>.json'
}
