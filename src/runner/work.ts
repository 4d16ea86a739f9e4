import type { FileFormat } from '../core/formats.ts'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { formatMadeBy, type StepName, stepKinds, stepsMadeWith } from '../core/steps.ts'
import type { Timers } from '../core/timers.ts'
import { REVISION } from '../core/version.ts'
import type { Transaction } from '../db/database.ts'
import { heartbeat, release } from './claim.store.ts'
import type { DocumentTimes } from './costs.ts'
import type { Held, RunnerDependencies, RunnerTiming } from './dependencies.ts'
import { type ExecutionInputs, loadFileHash, loadInputs, loadSteps } from './executions.store.ts'
import {
  backoffMs,
  classifyFault,
  FileMissing,
  type Unavailable,
  unavailable,
  WorkerOutgrew,
  WorkerOverran,
} from './faults.ts'
import type { Gate } from './gate.ts'
import type { Source, StepRefusal, StepResult, StepSuccess } from './job.ts'
import { jobFor, keepMade, type MadeSoFar, pinnedSource } from './job-for.ts'
import { recordFailure, recordSuccesses, recordTransientFault, type SuccessRecord } from './record.store.ts'
import { type Claim, FenceLost } from './steps.store.ts'

/**
 * Takes a claim to the end of its execution, as long as nothing fails: load, compute, store the file, record, and claim the next
 * step in the same commit. A step's results are passed to the next in memory; a runner that takes over in the middle reads them
 * from the store.
 */
export interface WorkDependencies extends RunnerDependencies {
  log: Log
  timing: RunnerTiming
  timers: Timers
  source: (versionId: string) => Promise<Source>
  /** Whether the next step may be claimed in the commit of the one before it. */
  mayGoOn: () => boolean
  gate: Gate
  documentTimes: DocumentTimes
}

export async function runClaim(held: Held, dependencies: WorkDependencies): Promise<void> {
  const point = dependencies.onPoint ?? (() => {})
  try {
    await point('claimed', held.claim)
    const inputs = await attempt(held, dependencies, () =>
      loadInputs(dependencies.database.read, held.claim.executionId, dependencies.source),
    )
    if (inputs === undefined) return
    const made: MadeSoFar = { files: new Map() }
    for (;;) {
      const next = await makeAndRecord(held, inputs, made, dependencies)
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

/** Runs one job, from the worker to the commit. @returns the claim of the next step, if any */
async function makeAndRecord(
  held: Held,
  inputs: ExecutionInputs,
  made: MadeSoFar,
  dependencies: WorkDependencies,
): Promise<Claim | undefined> {
  const { claim } = held
  try {
    const results = await attempt(held, dependencies, () => makeStep(claim, inputs, made, dependencies))
    if (results === undefined) return undefined
    await dependencies.onPoint?.('before-record', claim)
    const next = await record(held, results, inputs, made.storedSinceMs, dependencies)
    await dependencies.onPoint?.('recorded', claim)
    dependencies.gate.settle(claim.stepId)
    return next
  } finally {
    dependencies.atWork?.end(claim.stepId)
  }
}

/** Runs one part of a step. A passing fault is recorded and returns undefined. */
async function attempt<T>(held: Held, dependencies: WorkDependencies, part: () => Promise<T>): Promise<T | undefined> {
  try {
    return await part()
  } catch (error) {
    if (error instanceof FenceLost) throw error
    const { claim } = held
    const { backoffFirstMs: firstMs, backoffMaxMs: maxMs } = dependencies.timing
    const away = unavailable(error) ?? (await storeBehind(error, dependencies))
    if (away !== undefined) {
      await putBack(held, away, dependencies, error)
      return undefined
    }
    dependencies.gate.settle(claim.stepId)
    const fault = classifyFault(error)
    const delayMs = backoffMs(claim.attempt, { firstMs, maxMs }, dependencies.timers.jitter())
    if (!held.isLost) {
      dependencies.log.warn('a step met a fault', { error, step: claim.name, attempt: claim.attempt, code: fault.code })
    }
    await write(held, dependencies, (tx) => recordTransientFault(tx, claim, { ...fault, backoffMs: delayMs }))
    return undefined
  }
}

/** The object store, if it is to blame: a file may be missing because the whole store is, such as a disk that isn't mounted. */
async function storeBehind(error: unknown, { objects }: WorkDependencies): Promise<Unavailable | undefined> {
  if (!(error instanceof FileMissing)) return undefined
  return objects.probe().then(() => undefined, unavailable)
}

/** Gives a step back because of a dependency: uncounted, later each time, and logged once. */
async function putBack(held: Held, away: Unavailable, dependencies: WorkDependencies, error: unknown): Promise<void> {
  const { claim } = held
  const { gate, log, timers, timing } = dependencies
  log.warn('a step waits for a dependency', { error, step: claim.name, dependency: away.dependency, code: away.code })
  const isStore = away.dependency === 'object-store'
  const times = isStore ? gate.close(claim.stepId, away) : 1
  const bounds = { firstMs: timing.backoffFirstMs, maxMs: timing.backoffMaxMs }
  const afterMs = backoffMs(times, bounds, timers.jitter())
  const news = isStore && times === 1 ? away : undefined
  await write(held, dependencies, (tx) => release(tx, claim, { afterMs, ...(news === undefined ? {} : { news }) }))
}

/** Groups documents that take about equally long: those of one template, with inputs of one size to a factor of four. */
function kindOf({ templateVersionId, input }: ExecutionInputs): string | undefined {
  return templateVersionId === undefined ? undefined : `${templateVersionId} ${Math.clz32(input.length) >> 1}`
}

/**
 * On their first attempt small steps share one job, and so do all remaining steps if similar documents were quick. From the
 * second attempt on, and after a step with a second attempt, each runs alone, so that a fault counts against the right step.
 */
async function stepsToMake(
  { name, attempt, executionId, position }: Claim,
  inputs: ExecutionInputs,
  { database, documentTimes }: WorkDependencies,
): Promise<StepName[]> {
  if (attempt > 1) return [name]
  const kind = kindOf(inputs)
  if (kind !== undefined && documentTimes.isKnown(kind)) {
    const steps = await loadSteps(database.read, executionId)
    const left = steps.slice(position - 1).map((step) => step.name)
    if (steps.every((step) => step.attempt <= 1) && documentTimes.areShort(kind, left)) return left
  }
  return stepsMadeWith(name)
}

async function makeStep(
  claim: Claim,
  inputs: ExecutionInputs,
  made: MadeSoFar,
  dependencies: WorkDependencies,
): Promise<StepResult[]> {
  const { pool, objects, atWork, onPoint, documentTimes, timers, timing } = dependencies
  const begunMs = timers.nowMs()
  const steps = await stepsToMake(claim, inputs, dependencies)
  const job = await jobFor(steps, {
    inputs,
    source: (role) => pinnedSource(inputs, role, dependencies.source),
    output: made.output ?? inputs.output,
    file: (format) => takeFile(format, made, claim, dependencies),
  })
  job.isRepeated = claim.attempt > 1
  job.hasOneDeadline = true
  const data = made.output ?? inputs.output
  if (claim.name === 'render' && data !== undefined) job.dataChars = data.length
  if (inputs.templateVersionId !== undefined) job.alike = inputs.templateVersionId
  const kind = kindOf(inputs)
  const results = await pool
    .run(job, () => atWork?.begin(claim.stepId))
    .catch((error) => {
      if (kind !== undefined) documentTimes.forget(kind)
      return [refuseExcess(claim, error)]
    })
  if (kind !== undefined && results.every(({ ok }) => ok)) documentTimes.note(kind, results)
  await onPoint?.('computed', claim)
  const madeMs = timers.nowMs()
  const mayStore = madeMs - begunMs < timing.leaseMs || (await isKnownHeld(claim, dependencies))
  // Otherwise `keepingFiles` stores them once the database answers again.
  made.storedSinceMs = mayStore ? madeMs : Number.NEGATIVE_INFINITY
  const store = async ({ hash, bytes }: NonNullable<StepSuccess['file']>) => {
    await objects.put(hash, bytes)
    await onPoint?.('object-stored', claim)
  }
  if (mayStore) {
    await Promise.all(results.map((result) => result.ok && result.file !== undefined && store(result.file)))
  }
  for (const result of results) if (result.ok) keepMade(made, result)
  return results
}

/** The first time, the machine may have been asleep, busy or short of memory; the second time the step itself is to blame. */
function refuseExcess({ name, attempt }: Claim, error: unknown): StepRefusal {
  const excess = excesses.find(([Kind]) => error instanceof Kind)
  if (excess === undefined || attempt < 2) throw error
  const [, code, what] = excess
  const message = `${what}, again; give it less data, or a simpler document.`
  // These steps work on the whole document, so the finding points to its main part.
  const path = stepKinds[name].issuesPointInto === 'template' ? 'word/document.xml' : ''
  return {
    step: name,
    ok: false,
    durationMs: limits.renderMs,
    failure: { code, message, issues: [{ path, message }] },
  }
}

const excesses = [
  [WorkerOverran, 'step_overran', `It took longer than ${limits.renderMs / 1000} s`],
  [
    WorkerOutgrew,
    'step_outgrew',
    `It took more than ${limits.engineMemoryBytes / 2 ** 30} GiB of memory, or broke the engine`,
  ],
] as const

/** A file from this run, else from the store. The pool takes the buffer over, so another step or attempt reads the store. */
async function takeFile(
  format: FileFormat,
  made: MadeSoFar,
  { executionId }: Claim,
  { database, objects }: WorkDependencies,
): Promise<Uint8Array> {
  const kept = made.files.get(format)
  made.files.delete(format)
  if (kept !== undefined) return kept
  const hash = await loadFileHash(database.read, executionId, format)
  const bytes = hash === undefined ? undefined : await objects.get(hash)
  if (bytes === undefined) throw new FileMissing(format, executionId)
  return bytes
}

/** Records all steps of the job in one transaction, in order. @returns the claim of the next step, if any */
function record(
  held: Held,
  results: readonly StepResult[],
  inputs: ExecutionInputs,
  storedSinceMs: number | undefined,
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
  // A step that has already run is claimed even while the runner drains or pauses: only new work is refused.
  const claimsNext = failed !== undefined || dependencies.mayGoOn()
  const files = results.flatMap((result) => (result.ok && result.file !== undefined ? [result.file] : []))
  return write(
    held,
    dependencies,
    async (tx) => {
      const next =
        successes.length === 0
          ? first
          : await recordSuccesses(tx, first, successes, claimsNext ? { leaseMs } : undefined)
      if (failed === undefined || failed.ok || next === undefined) return next
      await recordFailure(tx, next, failed)
      return undefined
    },
    keepingFiles(held, { files, storedSinceMs }, dependencies),
  )
}

/**
 * Called before a file is stored, if a lease may have run out since the claim: another runner may have recorded the step long
 * ago, and a policy or an erasure removed the file since.
 * @throws FenceLost if another runner has the step
 */
async function requireHeld(claim: Claim, { database, timing }: WorkDependencies): Promise<void> {
  if (!(await heartbeat(database, [claim], timing.leaseMs)).has(claim.stepId)) throw new FenceLost(claim)
}

/** False while the database is unavailable. */
async function isKnownHeld(claim: Claim, dependencies: WorkDependencies): Promise<boolean> {
  try {
    await requireHeld(claim, dependencies)
    return true
  } catch (error) {
    if (unavailable(error) === undefined) throw error
    return false
  }
}

/**
 * Stores files again that have no row yet and will soon be old enough to be removed; called before each attempt to record them.
 */
function keepingFiles(
  { claim }: Held,
  { files, storedSinceMs }: { files: readonly NonNullable<StepSuccess['file']>[]; storedSinceMs: number | undefined },
  dependencies: WorkDependencies,
): () => Promise<void> {
  const { objects, timers } = dependencies
  let sinceMs = storedSinceMs ?? timers.nowMs()
  return async () => {
    const nowMs = timers.nowMs()
    if (files.length === 0 || nowMs - sinceMs < limits.objectRenewMs) return
    await requireHeld(claim, dependencies)
    await Promise.all(files.map(({ hash, bytes }) => objects.put(hash, bytes)))
    // The time before storing: one file may have been stored at once while another waited long.
    sinceMs = nowMs
  }
}

function successRecord(result: StepSuccess, inputs: ExecutionInputs): SuccessRecord {
  const { durationMs, output, file } = result
  // The manifest of an execution names the build that made each step.
  const made = { ...result.summary, engine_revision: REVISION }
  const kind = formatMadeBy(result.step)
  if (file === undefined || kind === undefined) {
    return { durationMs, summary: made, ...(output === undefined ? {} : { output }) }
  }
  const { bytes, hash: contentHash } = file
  const summary = { ...made, byte_size: bytes.length, content_hash: contentHash }
  return { durationMs, summary, artifact: { kind, byteSize: bytes.length, contentHash, ...inputs.projection } }
}

/**
 * Keeps a result and tries again while the database is unavailable, for seconds or days, as long as this runner holds the step. A
 * refusal is tried again a few times; then the lease runs out, and the step runs again.
 */
async function write<T>(
  held: Held,
  dependencies: WorkDependencies,
  work: (tx: Transaction) => Promise<T>,
  prepare = async () => {},
): Promise<T> {
  const { recordFirstMs, recordMaxMs } = dependencies.timing
  for (let tries = 1; ; tries++) {
    if (held.isLost) throw new FenceLost(held.claim)
    try {
      await prepare()
      return await dependencies.database.write(work, 'steps')
    } catch (error) {
      if (error instanceof FenceLost) throw error
      if (tries >= limits.stepRecordTries && unavailable(error) === undefined) throw error
      if (tries <= limits.stepRecordTries) {
        dependencies.log.warn('a step could not be recorded yet', { error, step: held.claim.name })
      }
      await dependencies.timers.sleep(Math.min(recordMaxMs, recordFirstMs * 2 ** (tries - 1)))
    }
  }
}
