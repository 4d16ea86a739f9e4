/** Running and judging the cases of a project. */
import { describeFinding } from '../core/finding.ts'
import type { Failure } from '../suite/compare.ts'
import { type CaseInput, type NodeRun, type Perform, runCase } from '../suite/run.ts'
import { compareCase, readExpectations, refusingNodes, updateCase } from './expectations.ts'
import { ProjectFolder } from './folder.ts'
import type { Project, ProjectCase } from './project.ts'

export interface CaseResult {
  testCase: ProjectCase
  /** What was submitted. */
  input: CaseInput
  runs: readonly NodeRun[]
  failures: readonly Failure[]
  /** Whether anything is written down that it was compared with. */
  hasExpectations: boolean
  /** Files that were written or removed because an update was asked for. */
  updated: readonly string[]
  /** Milliseconds from start to end; other cases run at the same time. */
  durationMs: number
}

export interface TestOptions {
  perform: Perform
  /** How many cases run at once. */
  atOnce: number
  /** Points. */
  tolerance: number
  /** Writes what was made in place of comparing it. */
  update?: 'all' | 'kept' | undefined
  /** Whether runs have the documents; those of a whole project's cases are kept nowhere. */
  files?: 'kept' | 'discarded'
  /** Called with each case when it has run. */
  onResult?: (result: CaseResult) => void
}

/**
 * Runs cases and returns their results in the order of the cases. A case with unreadable files fails without being run.
 *
 * @throws Error for files that can't be written
 */
export async function testCases(
  project: Project,
  cases: readonly ProjectCase[],
  options: TestOptions,
): Promise<CaseResult[]> {
  const results = new Array<CaseResult>(cases.length)
  const next = byModel(cases)
  const work = async () => {
    for (let own = next([]); own.length > 0; own = next(own)) {
      const [index, testCase] = own.shift() ?? []
      if (index === undefined || testCase === undefined) continue
      const result = await testOne(project, testCase, options)
      results[index] = result
      options.onResult?.(result)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, work))
  return results
}

type Waiting = [index: number, testCase: ProjectCase][]

/**
 * Distributes cases to loops: each takes all cases of one model, so that few workers compile its sources. When no model
 * is left, loops share the longest remaining queue.
 *
 * @returns a function that gives the queue to continue with: the given one, while it has cases
 */
function byModel(cases: readonly ProjectCase[]): (own: Waiting) => Waiting {
  const rows = [...Map.groupBy(cases.entries(), ([, { model }]) => model).values()]
  const unbegun = rows.values()
  return (own) => {
    if (own.length > 0) return own
    const longest = () => rows.reduce((long, row) => (row.length > long.length ? row : long), own)
    return unbegun.next().value ?? longest()
  }
}

/** The input of a case; the folder has the findings of files that can't be read. */
export function readCaseInput(folder: ProjectFolder, { input, params }: ProjectCase): CaseInput {
  return { raw: folder.text(input) ?? '', params: folder.optionalText(params) }
}

/** The nodes that are expected to refuse a case before its instant. They may still do so if no newer expectation exists. */
function refusingBefore(folder: ProjectFolder, { earlier = [] }: ProjectCase): Set<string> {
  const known = earlier.map((stem) => readExpectations(folder, { stem })).find(({ files }) => files.size > 0)
  return known === undefined ? new Set() : refusingNodes(known)
}

async function testOne(project: Project, testCase: ProjectCase, options: TestOptions): Promise<CaseResult> {
  const startedMs = performance.now()
  const folder = new ProjectFolder(project.folder)
  const input = readCaseInput(folder, testCase)
  const expected = readExpectations(folder, testCase)
  const refusing = refusingBefore(folder, testCase)
  if (folder.findings.length > 0) {
    const failures = folder.findings.map(({ file, ...finding }): Failure => {
      return { kind: 'other', file, message: describeFinding(finding) }
    })
    const durationMs = performance.now() - startedMs
    return { testCase, input, runs: [], failures, hasExpectations: true, updated: [], durationMs }
  }
  const runs = await runCase(testCase.model, input, options.perform, options.files)
  const { update } = options
  const updated = update === undefined ? [] : await updateCase(project.folder, runs, expected, update)
  const failures = update === undefined ? await compareCase(runs, expected, options.tolerance, refusing) : []
  const hasExpectations = expected.files.size > 0
  return { testCase, input, runs, failures, hasExpectations, updated, durationMs: performance.now() - startedMs }
}
