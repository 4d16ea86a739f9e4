import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { SourceFile } from 'typescript/unstable/ast'
import { Random } from '../../src/engines/schema/generate/random.ts'
import { type Compiler, openCompiler } from './compiler.ts'
import { type Mutant, mutantsOf, planted } from './mutants.ts'
import { type Run, Scratch } from './scratch.ts'
import { ownTests, reachedBy, roomOf, testsOfRoom } from './tests.ts'

export interface Plan {
  /** The project's folder. */
  root: string
  /** A folder below src/, or one file: `src/runner`; or all of `src`, where each fault meets the tests of its own part. */
  folder: string
  /** So many faults, drawn by the seed from all that can be planted. */
  sample: number
  seed: number
  /** Its share of the sample alone: a large one can be planted in parts. */
  part?: Part
  /** Copies of the project that work side by side. */
  jobs?: number
  /** Instead of the folder's own: test files below the project. */
  tests?: readonly string[]
  /** Planted instead of a sample. */
  faults?: readonly Fault[]
  /** How long tests take without a fault, in seconds by file, where that is known; what is measured is added. */
  seconds?: Map<string, number>
  /** For the environment of the tests. */
  environment?: Readonly<Record<string, string>>
  /** Called after each run of tests. */
  afterRun?: () => Promise<void>
  onResult?: (result: Result, done: number, of: number) => void
}

/** Counted from 1. */
export interface Part {
  index: number
  of: number
}

/** A fault as text, by which it can be planted again: the file holds `find` once. */
export interface Fault {
  file: string
  find: string
  replace: string
}

export interface Result {
  file: string
  line: number
  kind: string
  /** The changed lines, as a diff shows them. */
  diff: string
  fault: Fault
  outcome: 'noticed' | 'noticed by time' | 'unnoticed' | 'reached by no test'
  seconds: number
  /** The first test that failed. */
  noticedBy?: string
}

export interface Report {
  folder: string
  /** How many faults could be planted in the folder, those that don't type-check among them. */
  possible: number
  /** How many were drawn and left, because the compiler notices them. */
  untyped: number
  /** How long the folder's tests take as they are. */
  baselineSeconds: number
  results: Result[]
}

type Planted = Pick<Result, 'file' | 'line' | 'kind' | 'diff' | 'fault'> & { text: string }

export const isNoticed = ({ outcome }: Result) => outcome === 'noticed' || outcome === 'noticed by time'

/** Plants one fault after another and runs the folder's tests against each; throws where they fail without any. */
export async function mutate(plan: Plan): Promise<Report> {
  const { root, folder, seconds = new Map<string, number>() } = plan
  const testsOf = whoseTests(plan)
  const drawn = plan.faults === undefined ? await draw(plan) : byHand(root, plan.faults)
  const tests = [...new Set(drawn.planted.flatMap(({ file }) => testsOf(file)))]
  const reached = reachedBy(root, tests)
  const reaching = (file: string) => testsOf(file).filter((test) => reached.get(test)?.has(file))
  const needed = [...new Set(drawn.planted.flatMap(({ file }) => reaching(file)))]
  const jobs = Math.max(1, plan.jobs ?? Math.floor(cpus().length / 2))
  const scratches = Array.from({ length: jobs }, () => new Scratch(root, plan.environment))
  try {
    await measure(scratches, needed, seconds)
    const results: Result[] = []
    const waiting = drawn.planted.entries()
    const work = async (scratch: Scratch) => {
      for (const [index, fault] of waiting) {
        const quickestFirst = reaching(fault.file).sort((a, b) => (seconds.get(a) ?? 0) - (seconds.get(b) ?? 0))
        const result = await tryFault(scratch, fault, quickestFirst, seconds)
        results[index] = result
        await plan.afterRun?.()
        plan.onResult?.(result, Object.keys(results).length, drawn.planted.length)
      }
    }
    await Promise.all(scratches.map(work))
    return { folder, ...drawn, baselineSeconds: sum(needed.map((test) => seconds.get(test) ?? 0)), results }
  } finally {
    for (const scratch of scratches) scratch.remove()
  }
}

/** The tests that have to notice the faults of a file. */
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

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Notes how long each test file takes without a fault. */
async function measure(
  scratches: readonly Scratch[],
  tests: readonly string[],
  seconds: Map<string, number>,
): Promise<void> {
  const waiting = tests.filter((test) => !seconds.has(test)).values()
  await Promise.all(
    scratches.map(async (scratch) => {
      for (const test of waiting) {
        const run = await scratch.test([test], 600)
        if (run.outcome !== 'passed') throw new Error(`${test} ${run.outcome} without a fault:\n${run.output}`)
        seconds.set(test, run.seconds)
      }
    }),
  )
}

async function tryFault(
  scratch: Scratch,
  fault: Planted,
  tests: readonly string[],
  seconds: ReadonlyMap<string, number>,
): Promise<Result> {
  const { text, ...shown } = fault
  if (tests.length === 0) return { ...shown, outcome: 'reached by no test', seconds: 0 }
  const usual = sum(tests.map((test) => seconds.get(test) ?? 0))
  const run = await scratch.withText(fault.file, text, () => scratch.test(tests, 15 + 4 * usual))
  return { ...shown, ...judged(run), seconds: run.seconds }
}

function judged({ outcome, output }: Run): Pick<Result, 'outcome' | 'noticedBy'> {
  if (outcome === 'passed') return { outcome: 'unnoticed' }
  if (outcome === 'over time') return { outcome: 'noticed by time' }
  const noticedBy = output.match(/^\(fail\) (.*?)( \[[\d.]+m?s\])?$/m)?.[1]
  return { outcome: 'noticed', ...(noticedBy === undefined ? {} : { noticedBy }) }
}

type Drawn = Pick<Report, 'possible' | 'untyped'> & { planted: Planted[] }

/** Draws as many faults as were asked for, no two at one place, and leaves those that don't type-check. */
async function draw({ root, folder, sample, seed, part = { index: 1, of: 1 } }: Plan): Promise<Drawn> {
  const compiler = await openCompiler(root)
  try {
    const all = await everyMutant(compiler, root, sourcesBelow(root, folder))
    const drawn: Drawn = { possible: all.length, untyped: 0, planted: [] }
    // The faults are dealt out before any is checked, which takes longer than all else here.
    const dealt = onePerPlace(new Random(seed, 0).shuffled(all)).filter((_, at) => at % part.of === part.index - 1)
    const wanted = Math.floor((sample + part.of - part.index) / part.of)
    for (const { file, tree, mutant } of dealt) {
      if (drawn.planted.length === wanted) break
      const text = planted(tree.text, mutant)
      if ((await compiler.complaints(join(root, file), text)).length > 0) drawn.untyped++
      else drawn.planted.push(described(file, tree.text, text, mutant))
    }
    return drawn
  } finally {
    await compiler.close()
  }
}

function onePerPlace(candidates: readonly Candidate[]): Candidate[] {
  const places = new Set<string>()
  return candidates.filter(({ file, mutant: { start, end } }) => {
    const place = `${file}:${start}:${end}`
    return !places.has(place) && places.add(place)
  })
}

interface Candidate {
  file: string
  tree: SourceFile
  mutant: Mutant
}

async function everyMutant(compiler: Compiler, root: string, files: readonly string[]): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const file of files) {
    const tree = await compiler.parse(join(root, file))
    for (const mutant of mutantsOf(tree)) found.push({ file, tree, mutant })
  }
  return found
}

function sourcesBelow(root: string, folder: string): string[] {
  if (/\.tsx?$/.test(folder)) return [folder]
  const files = [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(root)]
  return files.filter((file) => !file.endsWith('.generated.ts') && !file.endsWith('.d.ts')).sort()
}

function byHand(root: string, faults: readonly Fault[]): Drawn {
  const made = faults.map(({ file, find, replace }) => {
    const text = readFileSync(join(root, file), 'utf8')
    const start = text.indexOf(find)
    if (text.split(find).length !== 2) throw new Error(`${file} doesn't hold this once: ${find}`)
    const mutant = { start, end: start + find.length, replacement: replace, kind: 'by hand' }
    return described(file, text, planted(text, mutant), mutant)
  })
  return { possible: made.length, untyped: 0, planted: made }
}

/** The fault with its place and its lines before and after. */
function described(file: string, before: string, after: string, mutant: Mutant): Planted {
  const { start, end, replacement, kind, appendix = '' } = mutant
  const line = before.slice(0, start).split('\n').length
  const first = lineStart(before, start)
  const removed = before.slice(first, lineEnd(before, end))
  const added = after.slice(first, lineEnd(after, start + replacement.length))
  // As many lines before it as make the text the only one of its kind.
  let from = first
  while (from > 0 && before.split(before.slice(from, lineEnd(before, end))).length !== 2)
    from = lineStart(before, from - 1)
  const to = appendix === '' ? lineEnd(before, end) : before.length
  const fault = { file, find: before.slice(from, to), replace: after.slice(from, after.length - (before.length - to)) }
  const show = (sign: string, text: string) =>
    text
      .split('\n')
      .map((one) => `    ${sign} ${one.trim()}`)
      .slice(0, 6)
      .join('\n')
  return { file, line, kind, diff: `${show('-', removed)}\n${show('+', added)}`, fault, text: after }
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

function lineEnd(text: string, at: number): number {
  return text.includes('\n', at) ? text.indexOf('\n', at) : text.length
}
