import type { Compiler } from './compiler.ts'
import { byHand, type Drawn, draw, type Fault, type Planted } from './draw.ts'
import { type Measure, Notes, runsPlace } from './measures.ts'
import { type Run, Scratch } from './scratch.ts'
import { ownTests, type Reach, reachedBy, roomOf, testsOfRoom } from './tests.ts'

export interface Plan {
  /** The project's folder. */
  root: string
  /** A folder or file in src/, such as `src/runner`; or all of `src`, where each fault meets the tests of its own part. */
  folder: string
  /** How many faults to draw, by the seed, from all that can be planted. */
  sample: number
  seed: number
  /** Draws the faults, if several folders share one. */
  compiler?: Compiler
  /** How many copies of the project work side by side; 1 by default. */
  jobs?: number
  /** Test files to use instead of the folder's own; paths in the project. */
  tests?: readonly string[]
  /** Leaves out test files that take more processor time, so that fewer faults may be noticed. */
  longestSeconds?: number
  /** Runs only the tests of the fault's own part. */
  nearest?: boolean
  /** Planted instead of a sample. */
  faults?: readonly Fault[]
  /** Earlier measurements and results, to which new ones are added. */
  notes?: Notes<Result>
  /** Begins no fault after this time, by `performance`'s clock. */
  untilMs?: number
  /** For the tests' environment. */
  environment?: Readonly<Record<string, string>>
  /** Called after each run of tests. */
  afterRun?: () => Promise<void>
  onResult?: (result: Result, done: number, of: number) => void
}

export interface Result extends Omit<Planted, 'text'> {
  /** `undecided`: the tests ran out of time, both with the fault and without it. */
  outcome: 'noticed' | 'noticed by time' | 'unnoticed' | 'reached by no test' | 'undecided'
  seconds: number
  /** The first test that failed. */
  noticedBy?: string
}

export interface Report extends Pick<Drawn, 'possible' | 'untyped'> {
  folder: string
  results: Result[]
}

export const isNoticed = ({ outcome }: Result) => outcome === 'noticed' || outcome === 'noticed by time'

/** Plants one fault after another and runs the folder's tests against each. @throws if the tests fail without any */
export async function mutate(plan: Plan): Promise<Report> {
  const { root, folder, notes = new Notes<Result>() } = plan
  const { planted, possible, untyped } =
    plan.faults === undefined
      ? await draw(root, folder, plan.sample, plan.seed, plan.compiler)
      : byHand(root, plan.faults)
  const testsOf = whoseTests(plan)
  const reached = reachedBy(root, [...new Set(planted.flatMap(({ file }) => testsOf(file)))])
  const scratches = Array.from({ length: plan.jobs ?? 1 }, () => new Scratch(root, plan.environment))
  const results: Result[] = []
  const underWay = new Map<string, Promise<void>>()
  const waiting = planted.entries()
  const work = async (scratch: Scratch) => {
    for (const [index, fault] of waiting) {
      const known = notes.resultOf(fault.fault)
      if (known === undefined && performance.now() > (plan.untilMs ?? Number.POSITIVE_INFINITY)) continue
      const reaching = testsOf(fault.file).filter((test) => reached.get(test)?.files.has(fault.file))
      const result = known ?? (await tryFault({ ...plan, scratch, notes, reached, underWay }, fault, reaching))
      if (known === undefined) notes.keep(result)
      results[index] = result
      await plan.afterRun?.()
      plan.onResult?.(result, Object.keys(results).length, planted.length)
    }
  }
  try {
    await Promise.all(scratches.map(work))
    return { folder, possible, untyped, results: results.filter((result) => result !== undefined) }
  } finally {
    for (const scratch of scratches) scratch.remove()
  }
}

/** The tests that should notice the faults of a file. */
function whoseTests({ root, folder, tests }: Plan): (file: string) => readonly string[] {
  if (tests !== undefined) return () => tests
  if (folder === 'src') {
    const known = new Map<string, string[]>()
    return (file) => {
      const room = roomOf(file)
      const found = known.get(room) ?? testsOfRoom(root, room)
      known.set(room, found)
      return found
    }
  }
  const own = ownTests(root, folder)
  if (own.length === 0) throw new Error(`${folder} has no tests of its own; name some with --tests`)
  return () => own
}

interface Trial extends Pick<Plan, 'root' | 'longestSeconds' | 'nearest'> {
  scratch: Scratch
  notes: Notes<Result>
  reached: ReadonlyMap<string, Reach>
  /** By test file: measurements that a copy of the project is making now, and that the others need as well. */
  underWay: Map<string, Promise<void>>
}

/** How often a test that ran out of time is repeated, without the fault and with it. */
const REPEATS = 2

/**
 * Runs the tests of the fault's own part first, then the folder's others: most of these are measured and run only for what the
 * first didn't notice.
 */
async function tryFault(trial: Trial, planted: Planted, reaching: readonly string[]): Promise<Result> {
  const own = new Set(testsOfRoom(trial.root, roomOf(planted.file)))
  const [near, far] = [reaching.filter((test) => own.has(test)), reaching.filter((test) => !own.has(test))]
  const first = await tryTests(trial, planted, near)
  if (isNoticed(first) || trial.nearest === true || far.length === 0) return first
  const second = await tryTests(trial, planted, far)
  const seconds = first.seconds + second.seconds
  return { ...(second.outcome === 'reached by no test' ? first : second), seconds }
}

async function tryTests(trial: Trial, planted: Planted, reaching: readonly string[]): Promise<Result> {
  const { scratch, notes } = trial
  await measureAll(trial, reaching)
  const { text, ...shown } = planted
  const tests = testsFor(trial, planted, reaching)
  if (tests.length === 0) return { ...shown, outcome: 'reached by no test', seconds: 0 }
  const begunAt = performance.now()
  const bounds = boundsOf(tests.flatMap((test) => notes.measures.get(test) ?? []))
  const withFault = () => scratch.withText(planted.file, text, () => scratch.test(tests, bounds))
  let run = await withFault()
  let isUndecided = false
  for (let repeat = 0; repeat < REPEATS && isForWantOfTime(run); repeat++) {
    isUndecided = (await scratch.test(failedFile(run) ?? tests, bounds)).outcome !== 'passed'
    if (!isUndecided) {
      const again = await withFault()
      const isAgain = isForWantOfTime(again)
      run = again
      if (isAgain) break
    }
  }
  const seconds = (performance.now() - begunAt) / 1_000
  return isUndecided ? { ...shown, outcome: 'undecided', seconds } : { ...shown, ...judged(run), seconds }
}

/**
 * Measures tests once for all copies, which share the work: first those that nobody is measuring yet, then waits for those that
 * others have begun.
 */
async function measureAll({ scratch, notes, underWay }: Trial, tests: readonly string[]): Promise<void> {
  for (const test of tests) {
    if (notes.measures.has(test) || underWay.has(test)) continue
    const measuring = measured(scratch, test).then((measure) => notes.measured(test, measure))
    underWay.set(test, measuring)
    await measuring
  }
  await Promise.all(tests.map((test) => underWay.get(test)))
}

async function measured(scratch: Scratch, test: string): Promise<Measure> {
  for (let repeat = 0; ; repeat++) {
    const measure = await scratch.measure(test)
    if (!('failure' in measure)) return measure
    if (repeat === REPEATS || !wantOfTime.test(measure.failure)) throw new Error(`${test} ${measure.failure}`)
  }
}

/**
 * The tests among these that can notice the fault, in the order in which to run them: first those that run its line themselves,
 * then those that start a process or a worker which may.
 */
function testsFor(trial: Trial, { file, line, lastLine }: Planted, reaching: readonly string[]): string[] {
  const { notes, reached, longestSeconds = Number.POSITIVE_INFINITY } = trial
  const costOf = (test: string) => notes.measures.get(test)?.cpuSeconds ?? 0
  const quickestFirst = reaching.filter((test) => costOf(test) <= longestSeconds).sort((a, b) => costOf(a) - costOf(b))
  const running = quickestFirst.filter((test) => {
    const measure = notes.measures.get(test)
    return measure !== undefined && runsPlace(measure, file, line, lastLine)
  })
  const mayRun = quickestFirst.filter((test) => !running.includes(test) && reached.get(test)?.elsewhere.has(file))
  return [...running, ...mayRun]
}

/** Bounds for a run of tests. A fault may make tests slower, and other programs may slow them down without limit by the clock. */
function boundsOf(measures: readonly Measure[]) {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return {
    cpuSeconds: 15 + 4 * sum(measures.map(({ cpuSeconds }) => cpuSeconds)),
    seconds: 120 + 10 * sum(measures.map(({ seconds }) => seconds)),
  }
}

const wantOfTime = /hook timed out|timed out after \d+|waited \d+ ms in vain/

/**
 * Whether it might have passed on a quiet machine: the clock's bound ended it, or one of its tests reports that it waited in
 * vain.
 */
function isForWantOfTime({ outcome, output }: Run): boolean {
  return outcome === 'over time' || (outcome === 'failed' && wantOfTime.test(output))
}

function failedFile({ output }: Run): string[] | undefined {
  const before = output.slice(0, output.indexOf('\n(fail) '))
  const file = [...before.matchAll(/^(test\/\S+\.test\.ts):$/gm)].at(-1)?.[1]
  return file === undefined ? undefined : [file]
}

function judged({ outcome, output }: Run): Pick<Result, 'outcome' | 'noticedBy'> {
  if (outcome === 'passed') return { outcome: 'unnoticed' }
  if (outcome !== 'failed') return { outcome: 'noticed by time' }
  const noticedBy = output.match(/^\(fail\) (.*?)( \[[\d.]+m?s\])?$/m)?.[1]
  return { outcome: 'noticed', ...(noticedBy === undefined ? {} : { noticedBy }) }
}
