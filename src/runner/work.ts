import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { REVISION } from '../core/version.ts'
import { isConnectionLost, type Transaction } from '../db/database.ts'
import type { StepName } from '../db/schema.ts'
import { release } from './claim.store.ts'
import { type ExecutionInputs, loadDocxHash, loadInputs } from './executions.store.ts'
import { backoffMs, classifyFault, ObjectMissing, WorkerOverran } from './faults.ts'
import type { Source, StepJob, StepRefusal, StepResult, StepSuccess } from './job.ts'
import { recordFailure, recordSuccesses, recordTransientFault, type SuccessRecord } from './record.store.ts'
import type { Held, RunnerDependencies, RunnerTiming } from './runner.ts'
import { type Claim, FenceLost } from './steps.store.ts'

/**
 * From a claim to the end of its execution, as long as nothing goes wrong: load, compute, store the file, record, and
 * claim the next step with the same commit. What one step made is handed to the next in memory; a runner that takes an
 * execution up in the middle reads it from the store instead.
 */
export interface WorkDependencies extends RunnerDependencies {
  log: Log
  timing: RunnerTiming
  source: (versionId: string) => Promise<Source>
  isDraining: () => boolean
}

/** What an earlier step of this run made. */
interface Carried {
  output?: string
  docx?: Uint8Array
}

const RECORD_TRIES = 6
const RECORD_RETRY_MS = 100

export async function runClaim(held: Held, dependencies: WorkDependencies): Promise<void> {
  const point = dependencies.onPoint ?? (() => {})
  try {
    await point('claimed', held.claim)
    const inputs = await attempt(held, dependencies, () =>
      loadInputs(dependencies.database.read, held.claim.executionId),
    )
    if (inputs === undefined) return
    const carried: Carried = {}
    for (;;) {
      const next = await makeAndRecord(held, inputs, carried, dependencies)
      if (next === undefined) return
      held.claim = next
      held.isRecording = false
      await point('claimed', next)
    }
  } catch (error) {
    if (!(error instanceof FenceLost)) throw error
    dependencies.log.info('another runner has taken a step over', { step: held.claim.name })
  }
}

/** One job, from the worker to the commit; gives the claim of the step that follows, if any. */
async function makeAndRecord(
  held: Held,
  inputs: ExecutionInputs,
  carried: Carried,
  dependencies: WorkDependencies,
): Promise<Claim | undefined> {
  const { claim } = held
  try {
    const results = await attempt(held, dependencies, () => makeStep(claim, inputs, carried, dependencies))
    if (results === undefined) return undefined
    await dependencies.onPoint?.('before-record', claim)
    const next = await record(held, results, inputs, dependencies)
    await dependencies.onPoint?.('recorded', claim)
    return next
  } finally {
    dependencies.atWork?.end(claim.stepId)
  }
}

/** Runs one part of a step; a passing fault is recorded, and gives undefined. */
async function attempt<T>(held: Held, dependencies: WorkDependencies, part: () => Promise<T>): Promise<T | undefined> {
  try {
    return await part()
  } catch (error) {
    const { claim } = held
    const { backoffFirstMs: firstMs, backoffMaxMs: maxMs } = dependencies.timing
    if (isConnectionLost(error)) {
      // That says nothing about the step: an outage, however long, must not use its attempts up.
      dependencies.log.warn('a step waits for the database', { error, step: claim.name })
      await write(held, dependencies, (tx) => release(tx, claim, firstMs))
      return undefined
    }
    const fault = classifyFault(error)
    const delayMs = backoffMs(claim.attempt, { firstMs, maxMs })
    if (!held.isLost) {
      dependencies.log.warn('a step met a fault', { error, step: claim.name, attempt: claim.attempt, code: fault.code })
    }
    await write(held, dependencies, (tx) => recordTransientFault(tx, claim, { ...fault, backoffMs: delayMs }))
    return undefined
  }
}

/**
 * On their first attempt the two small steps share one job, which spares a round trip to the worker. From the second
 * attempt on each runs alone, so that a fault is counted against the step that has it.
 */
function stepsToMake(claim: Claim): StepName[] {
  return claim.name === 'validate' && claim.attempt === 1 ? ['validate', 'transform.declarative'] : [claim.name]
}

async function makeStep(
  claim: Claim,
  inputs: ExecutionInputs,
  carried: Carried,
  dependencies: WorkDependencies,
): Promise<StepResult[]> {
  const { pool, objects, atWork, onPoint } = dependencies
  const job = { ...(await jobFor(claim, inputs, carried, dependencies)), isRepeated: claim.attempt > 1 }
  const results = await pool.run(job, () => atWork?.begin(claim.stepId)).catch((error) => [refuseOverrun(claim, error)])
  await onPoint?.('computed', claim)
  for (const result of results) {
    if (!result.ok) continue
    if (result.output !== undefined) carried.output = result.output.text
    if (result.file === undefined) continue
    await objects.put(result.file.hash, result.file.bytes)
    await onPoint?.('object-stored', claim)
    if (result.step === 'compose') carried.docx = result.file.bytes
  }
  return results
}

/** The first time, the machine may have been asleep or busy; the second time it is the step, and would be each time. */
function refuseOverrun({ name, attempt }: Claim, error: unknown): StepRefusal {
  if (!(error instanceof WorkerOverran) || attempt < 2) throw error
  const message = `It took longer than ${limits.renderMs / 1000} s, again; give it less data, or a simpler document.`
  // Compose and render work on the document as a whole; its main part is the place that there is.
  const path = name === 'compose' || name === 'render' ? 'word/document.xml' : ''
  return {
    step: name,
    ok: false,
    durationMs: limits.renderMs,
    failure: { code: 'step_overran', message, issues: [{ path, message }] },
  }
}

async function jobFor(
  claim: Claim,
  inputs: ExecutionInputs,
  carried: Carried,
  dependencies: WorkDependencies,
): Promise<StepJob> {
  const { source } = dependencies
  const steps = stepsToMake(claim)
  switch (claim.name) {
    case 'validate':
    case 'transform.declarative': {
      const contract = await source(inputs.contractVersionId)
      const transformer = await source(inputs.transformVersionId)
      const { rawInput, input, params, readsParent } = inputs
      const given = params === undefined ? {} : { params }
      return { steps, sources: { contract, transformer }, rawInput, input, readsParent, ...given }
    }
    case 'compose': {
      if (inputs.templateVersionId === undefined) throw new Error('a release without a template has no compose step')
      const template = await source(inputs.templateVersionId)
      const output = carried.output ?? inputs.output
      return { steps, sources: { template }, ...(output === undefined ? {} : { output }) }
    }
    case 'render': {
      const docx = carried.docx ?? (await storedDocx(claim, dependencies))
      // The pool moves the buffer away, so a second attempt reads the store.
      delete carried.docx
      return { steps, sources: {}, docx }
    }
  }
}

async function storedDocx(claim: Claim, { database, objects }: WorkDependencies): Promise<Uint8Array> {
  const hash = await loadDocxHash(database.read, claim.executionId)
  const bytes = hash === undefined ? undefined : await objects.get(hash)
  if (bytes === undefined) throw new ObjectMissing(`the DOCX of execution ${claim.executionId} is not in the store`)
  return bytes
}

/** Records every step of the job in one transaction, in order; gives the claim of the step that follows, if any. */
function record(
  held: Held,
  results: readonly StepResult[],
  inputs: ExecutionInputs,
  dependencies: WorkDependencies,
): Promise<Claim | undefined> {
  const { leaseMs } = dependencies.timing
  const first = held.claim
  held.isRecording = true
  const successes: SuccessRecord[] = []
  for (const [index, result] of results.entries()) {
    if (!result.ok) break
    const laterMs = results.slice(index + 1).reduce((sum, later) => sum + later.durationMs, 0)
    successes.push({ ...successRecord(result, inputs), laterMs })
  }
  const failed = results.find((result) => !result.ok)
  // A step that is made already is claimed even while the runner drains: only new work is refused.
  const claimsNext = failed !== undefined || !dependencies.isDraining()
  return write(held, dependencies, async (tx) => {
    const next =
      successes.length === 0 ? first : await recordSuccesses(tx, first, successes, claimsNext ? { leaseMs } : undefined)
    if (failed === undefined || failed.ok || next === undefined) return next
    await recordFailure(tx, next, failed)
    return undefined
  })
}

function successRecord(result: StepSuccess, inputs: ExecutionInputs): SuccessRecord {
  const { durationMs, output, file } = result
  // The manifest of an execution names the build that made each step.
  const made = { ...result.summary, engine_revision: REVISION }
  const summary = file === undefined ? made : { ...made, byte_size: file.bytes.length, content_hash: file.hash }
  if (file === undefined) return { durationMs, summary, ...(output === undefined ? {} : { output }) }
  const kind = result.step === 'compose' ? 'docx' : 'pdf'
  const artifact = { kind, byteSize: file.bytes.length, contentHash: file.hash, ...inputs.projection } as const
  return { durationMs, summary, artifact }
}

/**
 * A result is worth more than the moment: while the database is away it is kept and tried again, as long as the step
 * is this runner's. After that its lease runs out, and the step is made anew.
 */
async function write<T>(held: Held, dependencies: WorkDependencies, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    if (held.isLost) throw new FenceLost(held.claim)
    try {
      return await dependencies.database.write(work)
    } catch (error) {
      if (error instanceof FenceLost || tries >= RECORD_TRIES) throw error
      dependencies.log.warn('a step could not be recorded yet', { error, step: held.claim.name })
      await Bun.sleep(RECORD_RETRY_MS * 2 ** tries)
    }
  }
}
