/** Mutation: which small changes of a project's sources no case would notice. */

import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { formatMadeBy, type StepName, sourceRoles, stepKinds } from '../../core/steps.ts'
import type { Source, StepJob, StepResult } from '../../runner/job.ts'
import { LruCache } from '../../runner/lru.ts'
import type { Expectations } from '../../suite/compare.ts'
import { type Perform, runCase } from '../../suite/run.ts'
import type { CoverageMeter } from '../coverage/coverage.ts'
import { compareCase, readExpectations } from '../expectations.ts'
import { ProjectFolder } from '../folder.ts'
import type { Project, ProjectCase, ProjectModel } from '../project.ts'
import type { CaseResult } from '../test-cases.ts'
import { type Planted, plantable } from './plant.ts'

export interface MutationOptions {
  perform: Perform
  /** How many changes are tried at once. */
  atOnce: number
  /** Points. */
  tolerance: number
  /** How many of the changes are tried; all of them where it is left out. */
  sample?: number | undefined
  /** Another seed draws another sample. */
  seed: number
  /** Milliseconds after which no further change is tried. */
  withinMs: number
  /** Called with each change that was tried, the number tried so far and the number in all. */
  onTried?: (done: number, total: number) => void
}

/** A change that no case noticed. */
export interface Survivor extends Omit<Planted, 'models' | 'key' | 'change' | 'reachedAt'> {
  /** Lines that go, with `-` before them, and lines that come, with `+`. */
  change: readonly string[]
  /** Whether any case gets to its place at all. */
  isReached: boolean
}

export interface MutationResult {
  noticed: number
  /** In the order of files and places. */
  survivors: readonly Survivor[]
  /** Changes that failed to compile, so that no case ran, as for an author; not counted. */
  refused: number
  /** How many of the sample were left for want of time. */
  untried: number
  /** All changes that could be planted. */
  possible: number
}

/**
 * Plants changes one at a time and runs the cases that reach them, until one of these fails.
 *
 * @param results of all cases, each as expected
 * @param meter the one that measured them
 */
export async function mutate(
  project: Project,
  results: readonly CaseResult[],
  meter: CoverageMeter,
  options: MutationOptions,
): Promise<MutationResult> {
  const startedMs = performance.now()
  const all = plantable(project)
  const drawn = sampleOf(all, options)
  const outcomes = new Map<Planted, 'noticed' | 'refused' | 'survived' | 'unreached'>()
  const trial = new Trial(project, results, options)
  const waiting = drawn.values()
  const work = async () => {
    for (const planted of waiting) {
      if (performance.now() - startedMs > options.withinMs) return
      const cases = new Set(planted.reachedAt.flatMap(({ file, place }) => meter.casesAt(file, place)))
      outcomes.set(planted, await trial.of(planted, [...cases]))
      options.onTried?.(outcomes.size, drawn.length)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, work))
  const count = (outcome: string) => [...outcomes.values()].filter((each) => each === outcome).length
  const survivors = all.flatMap((planted): Survivor[] => {
    const outcome = outcomes.get(planted)
    if (outcome !== 'survived' && outcome !== 'unreached') return []
    const { file, place, line, what } = planted
    const at = { file, place, ...(line === undefined ? {} : { line }) }
    return [{ ...at, what, change: planted.change(), isReached: outcome === 'survived' }]
  })
  return {
    noticed: count('noticed'),
    survivors,
    refused: count('refused'),
    untried: drawn.length - outcomes.size,
    possible: all.length,
  }
}

/** In percent, never 100 while a change survives; undefined if none was tried. */
export function scoreOf({ noticed, survivors }: MutationResult): number | undefined {
  const tried = noticed + survivors.length
  return tried === 0 ? undefined : Math.floor((100 * noticed) / tried)
}

/** Samples by the hash of each change, so that editing one source leaves the rest of the sample the same. */
function sampleOf(all: readonly Planted[], { sample, seed }: MutationOptions): readonly Planted[] {
  if (sample === undefined || sample >= all.length) return all
  const keyed = all.map((planted) => ({
    planted,
    key: sha256Hex(`${seed} ${planted.file} ${planted.key}`),
  }))
  keyed.sort((one, other) => (one.key < other.key ? -1 : 1))
  return keyed.slice(0, sample).map(({ planted }) => planted)
}

/** Tries changes on the cases of one project. */
class Trial {
  private readonly byCase: ReadonlyMap<ProjectCase, CaseResult>
  private readonly expected = new Map<ProjectCase, Expectations>()
  private readonly perform: Perform

  constructor(
    private readonly project: Project,
    results: readonly CaseResult[],
    private readonly options: MutationOptions,
  ) {
    this.byCase = new Map(results.map((result) => [result.testCase, result]))
    this.perform = withoutRepetition(options.perform, hashesOf(project))
  }

  async of(planted: Planted, cases: readonly ProjectCase[]): Promise<'noticed' | 'refused' | 'survived' | 'unreached'> {
    const models = planted.models()
    if (models === undefined) return 'refused'
    const concerned = cases.flatMap((testCase) => {
      const model = models.get(testCase.model)
      return model === undefined ? [] : [{ testCase, model }]
    })
    for (const { testCase, model } of concerned) if (await this.isNoticed(testCase, model)) return 'noticed'
    return concerned.length === 0 ? 'unreached' : 'survived'
  }

  private async isNoticed(testCase: ProjectCase, model: ProjectModel): Promise<boolean> {
    const result = this.byCase.get(testCase)
    if (result === undefined) return false
    const expected = this.expectedOf(testCase)
    const { tolerance } = this.options
    try {
      const runs = await runCase(model, result.input, this.perform, 'discarded')
      // Pages take longer than all the rest, and mostly something else has differed by then.
      const texts = new Map([...expected.files].filter(([file]) => !file.endsWith('.svg')))
      if ((await compareCase(runs, { ...expected, files: texts }, tolerance)).length > 0) return true
      return texts.size < expected.files.size && (await compareCase(runs, expected, tolerance)).length > 0
    } catch {
      // What ends an engine, or takes too long, ends the test as well.
      return true
    }
  }

  private expectedOf(testCase: ProjectCase): Expectations {
    const known = this.expected.get(testCase)
    if (known !== undefined) return known
    const read = readExpectations(new ProjectFolder(this.project.folder), testCase)
    this.expected.set(testCase, read)
    return read
  }
}

function hashesOf({ models }: Project): ReadonlySet<string> {
  return new Set(
    models.flatMap(({ contract, transformers, templates }) =>
      [contract, ...transformers.values(), ...templates.values()].map(contentOf),
    ),
  )
}

/** The hash of a source, and of what it includes. */
function contentOf({ hash, fragments = [] }: Pick<Source, 'hash' | 'fragments'>): string {
  return [hash, ...fragments.map((fragment) => `${fragment.slug} ${fragment.hash}`)].join('+')
}

/** Of files only the DOCX is compared, by its text and its pages. */
function isCompared(step: StepName): boolean {
  const format = formatMadeBy(step)
  return format === undefined || format === 'docx'
}

/** Caches steps that no change touches, so each step is a job of its own; skips files that nothing compares. */
function withoutRepetition(perform: Perform, unchanged: ReadonlySet<string>): Perform {
  const kept = new LruCache<StepResult[]>(limits.mutationKeptBytes)
  const performStep: Perform = async (job) => {
    const [step] = job.steps
    if (step !== undefined && !isCompared(step)) return [{ step, ok: true, durationMs: 0, summary: {} }]
    const isUnchanged = Object.values(job.sources).every((source) => unchanged.has(contentOf(source)))
    if (!isUnchanged || job.draws === true) return perform(job)
    const key = keyOf(job)
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = await perform(job)
    kept.set(key, made, 1000 + made.reduce((sum, result) => sum + sizeOf(result), 0))
    return made
  }
  return async (job) => {
    const results: StepResult[] = []
    let { output } = job
    for (const step of job.steps) {
      const [result] = await performStep({ ...job, ...given(output), steps: [step], sources: sourcesOf(step, job) })
      if (result === undefined) throw new Error(`the step ${step} gave no result`)
      results.push(result)
      if (!result.ok) break
      output = result.output?.text ?? output
    }
    return results
  }
}

const given = (output: string | undefined) => (output === undefined ? {} : { output })

function sourcesOf(step: StepName, { sources }: StepJob): StepJob['sources'] {
  const { reads } = stepKinds[step]
  return Object.fromEntries(Object.entries(sources).filter(([role]) => reads.some((material) => material === role)))
}

function keyOf({ steps, sources, rawInput, input, params, output, readsParent }: StepJob): string {
  const hashes = sourceRoles.map((role) => {
    const source = sources[role]
    return source === undefined ? undefined : contentOf(source)
  })
  return sha256Hex(JSON.stringify([steps, hashes, rawInput, input, params, output, readsParent]))
}

function sizeOf(result: StepResult): number {
  return result.ok ? ((result.output?.text.length ?? 0) + (result.text?.length ?? 0)) * 2 : 0
}
