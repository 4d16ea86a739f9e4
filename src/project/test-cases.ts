/** Running and judging the cases of a project. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareCase, type Failure, readExpectations, updateCase } from './expectations.ts'
import { type Project, type ProjectCase, paramsEnd } from './project.ts'
import { type NodeRun, type Perform, runCase } from './run.ts'

export interface CaseResult {
  testCase: ProjectCase
  runs: readonly NodeRun[]
  failures: readonly Failure[]
  /** Files that were written or removed because an update was asked for. */
  updated: readonly string[]
  /** Milliseconds, of which other cases run beside it. */
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
  /** Told of each case when it has run. */
  onResult?: (result: CaseResult) => void
}

/**
 * Runs cases and answers their results in the order of the cases.
 *
 * @throws Error for files that can't be read or written
 */
export async function testCases(
  project: Project,
  cases: readonly ProjectCase[],
  options: TestOptions,
): Promise<CaseResult[]> {
  const results = new Array<CaseResult>(cases.length)
  const waiting = cases.entries()
  const work = async () => {
    for (const [index, testCase] of waiting) {
      const result = await testOne(project, testCase, options)
      results[index] = result
      options.onResult?.(result)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, work))
  return results
}

async function testOne(project: Project, testCase: ProjectCase, options: TestOptions): Promise<CaseResult> {
  const startedMs = performance.now()
  const path = join(project.folder, testCase.stem)
  const params = `${path}${paramsEnd}`
  const input = {
    raw: readFileSync(`${path}.json`, 'utf8'),
    params: existsSync(params) ? readFileSync(params, 'utf8') : undefined,
  }
  const runs = await runCase(testCase.model, input, options.perform)
  const expected = readExpectations(project.folder, testCase)
  const { update } = options
  const updated = update === undefined ? [] : await updateCase(project.folder, runs, expected, update)
  const failures = update === undefined ? await compareCase(runs, expected, options.tolerance) : []
  return { testCase, runs, failures, updated, durationMs: performance.now() - startedMs }
}
