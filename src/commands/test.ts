import { once } from 'node:events'
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { activationsFile, scheduledFolder } from '../core/project-layout.ts'
import { findFonts } from '../font-files.ts'
import { affectedCases, projectOf } from '../project/affected.ts'
import { CoverageMeter, type ProjectCoverage } from '../project/coverage/coverage.ts'
import { coverageLines, missedLimits } from '../project/coverage/coverage-report.ts'
import type { FileFinding } from '../project/folder.ts'
import { htmlReport } from '../project/html-report.ts'
import type { LaterCases } from '../project/later.ts'
import { jsonReport, junitReport, tapReport } from '../project/machine-reports.ts'
import { ProjectMemory } from '../project/memory.ts'
import { type MutationResult, mutate } from '../project/mutation/mutate.ts'
import { missedScore, mutationLines } from '../project/mutation/mutation-report.ts'
import { type Project, type ProjectCase, readProject } from '../project/project.ts'
import { type CaseResult, testCases } from '../project/test-cases.ts'
import { caseLines, differingLine, laterLines, summaryLine, unwrittenLine } from '../project/text-report.ts'
import type { StepJob } from '../runner/job.ts'
import { type EnginePool, openPool } from '../runner/pool.ts'
import { painted, paintFor, testPalette } from './colours.ts'
import { type Command, type CommandContext, type ExitCode, UsageError } from './command.ts'
import { CommandFailure, folderNamed, writeOutput } from './files.ts'
import { type FileFindings, findingLines } from './findings.ts'
import { plainLines } from './plain.ts'
import { createProgress } from './progress.ts'
import { readOptions, type Wanted } from './test-options.ts'

/** What a run came to. */
interface Run {
  results: readonly CaseResult[]
  durationMs: number
  coverage: ProjectCoverage | undefined
  mutation: MutationResult | undefined
}

const reports = {
  junit: ({ results }: Run) => junitReport(results),
  tap: ({ results }: Run) => tapReport(results),
  json: ({ results, coverage, mutation }: Run) => jsonReport(results, coverage, mutation),
  html: ({ results, durationMs, ...more }: Run) => htmlReport(results, durationMs, more),
}

/**
 * `quire test [<folder>]`: runs the cases of a project folder through contract, transformer and template to DOCX and PDF,
 * in this process and its workers, and compares what they make with what is expected. Failures and the count go to
 * stdout; so does a report whose file is `-`, which then is all that goes there.
 */
export const runTest: Command = async (args, context) => {
  const wanted = readOptions(args)
  if (!existsSync(folderNamed(wanted.folder))) {
    throw new CommandFailure(`${wanted.folder} cannot be read: there is no such file or folder`)
  }
  // For a part of the cases one worker may be enough.
  const startsNow = wanted.parts.includes('') ? availableParallelism() : 1
  const engines = { pool: openEngines(context, startsNow), memory: new ProjectMemory() }
  // From the first run on, so that nothing that changes meanwhile is missed.
  const changes = wanted.watch ? changesOf(wanted.folder) : undefined
  if (wanted.update !== undefined) endBetweenCases()
  try {
    const code = await runOnce(wanted, engines)
    if (changes !== undefined) await watchProject(wanted, engines, changes)
    return code
  } finally {
    changes?.watcher.close()
    await engines.pool.close()
  }
}

/** An update that is interrupted has written all of a case, or nothing. */
function endBetweenCases(): void {
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}

/** What one run after the other uses. */
interface Engines {
  pool: EnginePool
  memory: ProjectMemory
}

/**
 * Runs the cases, or those that a change concerns, and reports them.
 *
 * @throws UsageError when no case is wanted
 */
async function runOnce(wanted: Wanted, engines: Engines, changed?: readonly string[]): Promise<ExitCode> {
  const startedMs = performance.now()
  const project = openProject(wanted.folder, engines.memory)
  const errors = await errorsOfSchedule(wanted.folder)
  for (const [file, found] of errors) process.stderr.write(findingLines(file, found, paintFor(process.stderr)))
  if (project === undefined || errors.length > 0) return 1
  const scheduled = await openLater(project, engines.memory)
  if (scheduled === undefined) return 1
  const begins = changed?.some((path) => path === activationsFile || path.startsWith(`${scheduledFolder}/`)) ?? true
  const concerned = [
    ...(changed === undefined ? project.cases : affectedCases(project, changed)),
    ...(begins || changed === undefined ? scheduled.cases : affectedCases(scheduled, changed)),
  ]
  const cases = concerned.filter(({ stem }) => wanted.parts.some((part) => stem.includes(part)))
  if (cases.length === 0 && changed === undefined) throw new UsageError(noCases(project, wanted.parts))
  if (cases.length === 0) return 0
  const found = await runCases(project, cases, wanted, engines.pool)
  return reportRun({ ...found, durationMs: performance.now() - startedMs }, wanted)
}

async function runCases(
  project: Project,
  cases: readonly ProjectCase[],
  wanted: Wanted,
  pool: EnginePool,
): Promise<Omit<Run, 'durationMs'>> {
  const { mutation: mutating } = wanted
  // A run of some cases needs nothing that only the others could reach.
  const atOnce = cases.filter(isAtOnce)
  const asked = wanted.parts.includes('') ? project : projectOf(project, atOnce)
  const meter = wanted.coverage || mutating !== undefined ? new CoverageMeter(asked) : undefined
  // While one case is read or compared, the workers have another one's steps.
  const running = { perform: (job: StepJob) => pool.run(job), atOnce: pool.size * 2, tolerance: wanted.tolerance }
  const progress = createProgress()
  let count = 0
  const results = await testCases(project, cases, {
    ...running,
    files: 'discarded',
    update: wanted.update,
    onResult: (result) => {
      if (isAtOnce(result.testCase)) meter?.measure(result)
      const lines = caseLines(result)
      if (lines !== '') progress.clear()
      print(wanted, lines)
      progress.tell(`${++count} of ${cases.length} cases`)
    },
  })
  progress.clear()
  const coverage = wanted.coverage ? meter?.result() : undefined
  if (mutating === undefined || meter === undefined || results.some(isFailed)) {
    return { results, coverage, mutation: undefined }
  }
  const onTried = (done: number, total: number) => progress.tell(`${done} of ${total} changes tried`)
  const own = results.filter(({ testCase }) => isAtOnce(testCase))
  const mutation = await mutate(asked, own, meter, { ...running, ...mutating, onTried })
  progress.clear()
  return { results, coverage, mutation }
}

function reportRun(run: Run, wanted: Wanted): ExitCode {
  const { results, durationMs, coverage, mutation } = run
  for (const [name, report] of Object.entries(reports)) {
    const path = wanted.files[name as keyof typeof reports]
    if (path !== undefined) writeOutput(path, report(run))
  }
  if (coverage !== undefined) print(wanted, coverageLines(coverage))
  if (mutation !== undefined) print(wanted, mutationLines(mutation))
  print(
    wanted,
    laterLines(results) + unwrittenLine(results) + differingLine(results) + summaryLine(results, durationMs),
  )
  const isUntried = wanted.mutation !== undefined && mutation === undefined
  const missed = [
    ...(coverage === undefined ? [] : missedLimits(coverage, wanted.minima)),
    ...(mutation === undefined ? [] : missedScore(mutation, wanted.minScore)),
    ...(isUntried ? ['no change was tried, because not all cases are as expected'] : []),
  ]
  for (const line of missed) process.stderr.write(`quire: ${line}\n`)
  return missed.length > 0 || results.some(isFailed) ? 1 : 0
}

/** What coverage and mutation are about: the files that are not scheduled. */
function isAtOnce({ from }: ProjectCase): boolean {
  return from === undefined
}

function isFailed({ failures }: CaseResult): boolean {
  return failures.length > 0
}

function print({ isQuiet }: Wanted, text: string): void {
  if (!isQuiet) process.stdout.write(painted(plainLines(text), testPalette, paintFor(process.stdout)))
}

/** Tuned: editors write a file in several steps, which come as one change. */
const settledMs = 40

interface Changes {
  /** Paths below the folder, with slashes. */
  names: Set<string>
  watcher: FSWatcher
}

function changesOf(folder: string): Changes {
  const names = new Set<string>()
  const watcher = watch(folder, { recursive: true })
  watcher.on('change', (_event, name) => names.add(String(name).replaceAll('\\', '/')))
  return { names, watcher }
}

/** Runs what a change concerns, until the process is ended. */
async function watchProject(wanted: Wanted, engines: Engines, { names, watcher }: Changes): Promise<never> {
  print(wanted, 'Watching for changes.\n')
  for (;;) {
    if (names.size === 0) await once(watcher, 'change')
    await Bun.sleep(settledMs)
    const changed = [...names]
    names.clear()
    // What can't be read now, because it is just being written, comes as another change.
    await runOnce(wanted, engines, changed).catch(({ message }: Error) => process.stderr.write(`quire: ${message}\n`))
  }
}

/** Says what is wrong with the project's files. */
function openProject(folder: string, memory: ProjectMemory): Project | undefined {
  const { outcome, findings } = readProject(folder, memory)
  tell(findings)
  return outcome.ok ? outcome.value : undefined
}

function tell(findings: readonly FileFinding[]): void {
  for (const [file, found] of Map.groupBy(findings, (finding) => finding.file)) {
    process.stderr.write(findingLines(file, found, paintFor(process.stderr)))
  }
}

function isScheduling(folder: string): boolean {
  return [scheduledFolder, activationsFile].some((name) => existsSync(join(folder, name)))
}

/** Cases for the versions that are scheduled. Prints what keeps them from running, and is undefined then. */
async function openLater(project: Project, memory: ProjectMemory): Promise<LaterCases | undefined> {
  if (!isScheduling(project.folder) && project.dated.length === 0) return { models: [], cases: [] }
  const { readLater } = await import('../project/later.ts')
  const { later, findings } = readLater(project, memory)
  tell(findings)
  return findings.some(({ severity }) => severity === 'error') ? undefined : later
}

/** Errors in what is scheduled. */
async function errorsOfSchedule(folder: string): Promise<FileFindings> {
  if (!isScheduling(folder)) return []
  // Projects without a schedule need not load what checks one.
  const { scheduledErrors } = await import('./check-schedule.ts')
  return scheduledErrors(folder)
}

/** Workers with the fonts of the settings; this many load the engines at once, while the project is read. */
export function openEngines(context: CommandContext, startsNow: number): EnginePool {
  const config = context.readConfig()
  const { fontFolders } = config
  return openPool({
    size: availableParallelism(),
    startsNow,
    log: context.logFor(config),
    ...(fontFolders.length === 0 ? {} : { fonts: findFonts(fontFolders) }),
  })
}

function noCases({ cases }: Project, parts: readonly string[]): string {
  if (cases.length > 0) return `no case has ${parts.join(' or ')} in its path`
  return 'the project has no case; put an input at cases/<ingestion model>/<name>.json'
}
