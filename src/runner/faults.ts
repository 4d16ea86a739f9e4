import { type DependencyName, unavailableDependency } from '../core/faults.ts'
import { type FileFormat, fileFormats } from '../core/formats.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { ObjectDamaged, ObjectStoreFull, ObjectStoreRefused, ObjectStoreUnavailable } from '../objects/object-store.ts'

/** An unusable dependency, as pauses and traces name it. */
export interface Unavailable extends PassingFault {
  dependency: DependencyName
}

/**
 * The dependency that an error is about, if any. Such a fault says nothing about the step, so it uses up no attempt, however
 * often it occurs and however long it lasts.
 */
export function unavailable(error: unknown): Unavailable | undefined {
  const behind = unavailableDependency(error)
  if (isDatabaseUnavailable(error)) {
    return { dependency: 'relational-db', code: 'database_unavailable', message: 'The database could not be used.' }
  }
  if (behind !== undefined) return { dependency: behind.dependency, ...classifyFault(behind) }
  return undefined
}

/** The worker process ended while it made a step. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed'
}

/** The worker was ended because the step overran its deadline. */
export class WorkerOverran extends Error {
  override readonly name = 'WorkerOverran'
}

/** The worker was ended because it exceeded its memory, or ended itself during the step, mostly because it ran out of memory. */
export class WorkerOutgrew extends Error {
  override readonly name = 'WorkerOutgrew'
}

/** An engine threw instead of answering, which is a defect of Quire's. The message is for the log. */
export class EngineThrew extends Error {
  override readonly name = 'EngineThrew'
}

/** A file that an earlier step made is missing in the store, although its row may exist. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'

  constructor(
    readonly format: FileFormat,
    executionId: string,
  ) {
    super(`the ${fileFormats[format].label} of execution ${executionId} is not in the store`)
  }
}

/**
 * Faults around an engine, and how a step's trace names them. All of these may pass, so the step is tried again until its
 * attempts are used up, which also ends a step that brings its worker down every time. An engine's refusal isn't such a fault: it
 * is a result that would be the same each time, and fails at once.
 */
const passingFaults: readonly (readonly [kind: new (...args: never[]) => Error, code: string, message: string])[] = [
  [ObjectStoreRefused, 'object_store_refused', 'The object store refuses access.'],
  [ObjectStoreFull, 'object_store_full', 'The object store has no room left for the artifact.'],
  [ObjectStoreUnavailable, 'object_store_unavailable', 'The object store could not be used.'],
  [ObjectDamaged, 'object_damaged', 'The object store gave bytes that do not match their content hash.'],
  [WorkerCrashed, 'worker_crashed', 'The engine worker ended while it made this step.'],
  [EngineThrew, 'engine_fault', 'The engine met an unexpected fault over this step; see the log.'],
  [WorkerOutgrew, 'worker_outgrew', 'The engine worker took more memory than a step may take, or broke over it.'],
  [WorkerOverran, 'worker_overran', 'The engine worker took longer than a step may take.'],
]

export interface PassingFault {
  code: string
  message: string
}

/** How a fault is recorded. One that isn't listed is most likely Quire's or the database's, and is tried again as well. */
export function classifyFault(error: unknown): PassingFault {
  if (error instanceof FileMissing) {
    const { label } = fileFormats[error.format]
    const message = `The object store does not hold the ${label} that was stored for this execution.`
    return { code: 'object_missing', message }
  }
  const listed = passingFaults.find(([kind]) => error instanceof kind)
  if (listed === undefined) return { code: 'internal_error', message: 'The step met an unexpected fault; see the log.' }
  return { code: listed[1], message: listed[2] }
}

/** Doubles with every attempt, with jitter (0 to 1), so that steps which failed together aren't retried together. */
export function backoffMs(attempt: number, bounds: { firstMs: number; maxMs: number }, jitter: number): number {
  const fullMs = Math.min(bounds.maxMs, bounds.firstMs * 2 ** (attempt - 1))
  return Math.round(fullMs * (0.5 + jitter / 2))
}
