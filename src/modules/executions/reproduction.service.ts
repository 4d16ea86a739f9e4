import { canonicalHash } from '../../core/canonical.ts'
import { type FileFormat, isFileFormat } from '../../core/formats.ts'
import { sha256Hex } from '../../core/hash.ts'
import { type Material, makerOf, type StepName, stepKinds } from '../../core/steps.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import type { ExecutionInputs } from '../../runner/executions.store.ts'
import { EngineThrew, WorkerOverran } from '../../runner/faults.ts'
import type { Source, StepJob, StepResult } from '../../runner/job.ts'
import { jobFor, keepMade, type MadeSoFar } from '../../runner/job-for.ts'
import { releaseHashOf } from '../releases/releases.service.ts'
import type { Verification } from './executions.model.ts'
import type { StepRow } from './executions.store.ts'

type Check = Verification['checks'][number]

export type RecordedStep = Pick<StepRow, 'name' | 'status' | 'failure' | 'summary'>

/** What was recorded about an ended execution, for reproducing it. Hashes are SHA-256. */
export interface Recorded {
  rawInputHash: string
  inputHash: string
  paramsHash: string | null
  releaseHash: string
  outputHash: string | null
  /** In their order. */
  steps: readonly RecordedStep[]
  artifacts: readonly { kind: FileFormat; contentHash: string }[]
}

/** Inputs without those that policies removed. Params may be missing only if the recorded hash says that there were some. */
export type ReproducedInputs = Pick<ExecutionInputs, 'inputFormat' | 'params' | 'readsParent'> & {
  rawInput: string | undefined
  input: string | undefined
}

export interface Reproduction {
  checks: Check[]
  /** Steps that can't run again, because a policy removed what they read. */
  skipped: StepName[]
}

/** Runs the engines over plain values, as `EnginePool.run` does. */
export type RunSteps = (job: StepJob) => Promise<StepResult[]>

/**
 * Runs every step again whose inputs still exist, and compares each hash with the recorded one.
 *
 * @param kept what the execution made and still has: it serves the steps after one that can't run again
 */
export async function reproduce(
  run: RunSteps,
  recorded: Recorded,
  inputs: ReproducedInputs,
  sources: ReproducedSources,
  kept: MadeSoFar = { files: new Map() },
): Promise<Reproduction> {
  const results = await runAgain(run, recorded, inputs, sources, kept)
  const skipped = [...results].flatMap(([name, result]) => (result === undefined ? [name] : []))
  const checks = await inputChecks(recorded, inputs, sources)
  return { checks: [...checks, ...resultChecks(recorded, results)], skipped }
}

/** The pinned configuration with its content. */
export interface ReproducedSources {
  contract: Source
  transformer: Source
  template?: Source
}

/** Undefined for a step whose inputs are gone. */
type Results = Map<StepName, StepResult | undefined>

/** Runs all steps, up to and including the one that fails now or failed originally. */
async function runAgain(
  run: RunSteps,
  { steps, paramsHash }: Recorded,
  inputs: ReproducedInputs,
  sources: ReproducedSources,
  kept: MadeSoFar,
): Promise<Results> {
  const results: Results = new Map()
  const made: MadeSoFar = { files: new Map() }
  const { rawInput, input, params } = inputs
  const isThere = (material: Material): boolean => {
    if (material === 'rawInput') return rawInput !== undefined
    if (material === 'input') return input !== undefined
    if (material === 'params') return params !== undefined || paramsHash === null
    if (material === 'output') return made.output !== undefined
    return !isFileFormat(material) || made.files.has(material)
  }
  for (const { name, status } of steps) {
    if (status !== 'succeeded' && status !== 'failed') break
    const { reads, makes } = stepKinds[name]
    if (!reads.every(isThere)) {
      results.set(name, undefined)
      if (makes === 'output' && kept.output !== undefined) made.output = kept.output
      const file = isFileFormat(makes) ? kept.files.get(makes) : undefined
      if (isFileFormat(makes) && file !== undefined) made.files.set(makes, file)
      continue
    }
    const job = await jobFor([name], {
      inputs: { ...inputs, rawInput: rawInput ?? '', input: input ?? '' },
      source: async (role) => given(sources[role], role),
      output: made.output,
      // Copied: the pool takes the bytes over, and another step may read them, too.
      file: async (format) => given(made.files.get(format), format).slice(),
    })
    const [result] = await tryRun(run, job)
    if (result === undefined) break
    results.set(name, result)
    if (!result.ok) break
    keepMade(made, result)
  }
  return results
}

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`a step that succeeded read a ${name} that is not there`)
  return value
}

/** Undefined if the engine took too long: a retry wouldn't help, so the hash can't be computed. */
async function tryRun(run: RunSteps, job: StepJob): Promise<StepResult[]> {
  try {
    return await run(job)
  } catch (error) {
    if (error instanceof WorkerOverran || error instanceof EngineThrew) return []
    throw error
  }
}

async function inputChecks(recorded: Recorded, inputs: ReproducedInputs, sources: ReproducedSources): Promise<Check[]> {
  const { rawInput, input, params, readsParent } = inputs
  const hashes = {
    contract: sha256Hex(sources.contract.content),
    transformer: sha256Hex(sources.transformer.content),
    template: sources.template === undefined ? undefined : sha256Hex(sources.template.content),
  }
  const pinOf = (hash: string) => ({ id: '', contentHash: hash })
  const release = releaseHashOf({
    contract: pinOf(hashes.contract),
    transformer: pinOf(hashes.transformer),
    template: hashes.template === undefined ? undefined : pinOf(hashes.template),
    fragments: (sources.template?.fragments ?? []).map(({ slug, content }) => {
      return { slug, versionId: '', contentHash: sha256Hex(content) }
    }),
  })
  return [
    ...(rawInput === undefined ? [] : [checkOf('raw_input', recorded.rawInputHash, sha256Hex(rawInput))]),
    ...(input === undefined
      ? []
      : [checkOf('input', recorded.inputHash, await inputHashOf(input, readsParent ? undefined : inputs.inputFormat))]),
    ...(recorded.paramsHash === null || params === undefined
      ? []
      : [checkOf('params', recorded.paramsHash, sha256Hex(params))]),
    checkOf('contract', sources.contract.hash, hashes.contract),
    checkOf('transformer', sources.transformer.hash, hashes.transformer),
    ...(sources.template === undefined ? [] : [checkOf('template', sources.template.hash, hashes.template)]),
    checkOf('release', recorded.releaseHash, release),
  ]
}

/** Hash of the value, independent of its notation; hash of the text if that isn't a value. */
async function inputHashOf(input: string, format: InputFormat | undefined): Promise<string> {
  const { readInput } = await import('../../engines/ingestion/read-input.ts')
  const value = readInput(input, format)
  return value.ok ? canonicalHash(value.value.value) : sha256Hex(input)
}

function resultChecks({ outputHash, steps, artifacts }: Recorded, results: Results): Check[] {
  const checks: Check[] = []
  const isSkipped = (name: StepName) => results.has(name) && results.get(name) === undefined
  const made = (name: StepName) => {
    const result = results.get(name)
    return result?.ok === true ? result : undefined
  }
  if (outputHash !== null && !isSkipped(makerOf('output'))) {
    checks.push(checkOf('output', outputHash, made(makerOf('output'))?.output?.hash))
  }
  for (const { kind, contentHash } of artifacts) {
    if (!isSkipped(makerOf(kind))) checks.push(checkOf(kind, contentHash, made(makerOf(kind))?.file?.hash))
  }
  if (!isSkipped(makerOf('pdf'))) checks.push(...fontChecks(steps, made(makerOf('pdf'))?.summary))
  const failed = steps.find(({ status }) => status === 'failed')
  if (failed?.failure != null && !isSkipped(failed.name)) {
    const result = results.get(failed.name)
    checks.push(checkOf('failure', failed.failure.code, result?.ok === false ? result.failure.code : undefined))
  }
  return checks
}

/** Different fonts explain a different PDF, so they are checked if there were or are any. */
function fontChecks(steps: readonly RecordedStep[], computed: Record<string, unknown> | undefined): Check[] {
  const hashOf = (summary: Record<string, unknown> | null | undefined) =>
    typeof summary?.fonts_hash === 'string' ? summary.fonts_hash : undefined
  const row = steps.find(({ name, status }) => name === makerOf('pdf') && status === 'succeeded')
  const recorded = hashOf(row?.summary)
  // Without the details of its steps, the fonts of the original run are unknown.
  if (row === undefined || row.summary === null || (recorded === undefined && hashOf(computed) === undefined)) return []
  const own = 'those of the executable'
  return [checkOf('fonts', recorded ?? own, computed === undefined ? undefined : (hashOf(computed) ?? own))]
}

function checkOf(subject: Check['subject'], recorded: string, computed: string | undefined): Check {
  return { subject, recorded, ...(computed === undefined ? {} : { computed }), identical: recorded === computed }
}
