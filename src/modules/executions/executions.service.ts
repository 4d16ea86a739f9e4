import { appendEvents, type CommittedEvent, type NewEvent, onEventsCommitted } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { FileFormat } from '../../core/formats.ts'
import { newId } from '../../core/ids.ts'
import { formatInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { executionFilters } from '../../core/list-filters.ts'
import { stepsFor } from '../../core/steps.ts'
import { atOnce, type InParts, inTurns } from '../../core/turns.ts'
import { requireReadable } from '../../core/unreadable.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { filterValues } from '../../http/list-query.ts'
import { readPage } from '../../http/paging.ts'
import { retryFailedStep } from '../../runner/retry.store.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { ReleaseRow } from '../releases/releases.service.ts'
import type { RemovedPart } from '../tombstones/tombstones.model.ts'
import { findErasureOf, listRemovedParts, missing, type RemovedPartRow } from '../tombstones/tombstones.reads.ts'
import { removalInWords, removedToWire } from '../tombstones/tombstones.wire.ts'
import { loadModel } from '../versions/compiled.service.ts'
import type { Execution, ExecutionQuery, IntakeMetadata, TraceEvent } from './executions.model.ts'
import {
  type ArtifactRow,
  type ExecutionRow,
  findArtifact,
  findExecution,
  findSubmissionContent,
  holdExecution,
  insertExecutions,
  listArtifacts,
  listEvents,
  listExecutions,
  listSteps,
  type NewStepRow,
} from './executions.store.ts'
import { eventToWire, executionToWire, readContent } from './executions.wire.ts'
import { readProvenance } from './provenance.ts'

export { type ArtifactRow, type ExecutionRow, listFailedSteps, listOfSubmissions } from './executions.store.ts'

export interface NewExecution {
  submissionId: string
  release: ReleaseRow
  /** The wanted document formats; empty for a transformation. */
  formats: readonly FileFormat[]
  processingNodeId: string | null
  nodeLabel: string
  nodeAddress: string
  parentExecutionId: string | null
  inputHash: string
  rawInputHash: string
}

/** An execution that is not written yet, with its steps and its event. */
export interface MadeExecution {
  row: ExecutionRow
  steps: NewStepRow[]
  event: NewEvent
}

/**
 * Makes an execution and its steps. A root's first step is queued at once; a child's waits until its parent has
 * completed (the runner queues it then).
 */
export function makeExecution(actor: Actor, wanted: NewExecution): MadeExecution {
  const row: ExecutionRow = {
    id: newId(),
    submissionId: wanted.submissionId,
    processingNodeId: wanted.processingNodeId,
    nodeLabel: wanted.nodeLabel,
    nodeAddress: wanted.nodeAddress,
    parentExecutionId: wanted.parentExecutionId,
    releaseId: wanted.release.id,
    releaseHash: wanted.release.releaseHash,
    processingKind: wanted.release.processingKind,
    status: 'queued',
    inputHash: wanted.inputHash,
    rawInputHash: wanted.rawInputHash,
    output: null,
    outputHash: null,
    submittedBy: actor.userId,
    correlationId: actor.correlationId,
    traceparent: actor.traceparent ?? null,
    createdAt: actor.at,
    updatedAt: actor.at,
    completedAt: null,
  }
  const steps = stepsFor(wanted.formats).map((name, index): NewStepRow => {
    const isReady = index === 0 && wanted.parentExecutionId === null
    return {
      id: newId(),
      executionId: row.id,
      position: index + 1,
      name,
      status: isReady ? 'queued' : 'not_started',
      attempt: 0,
      stateVersion: 1,
      leaseOwner: null,
      leaseExpiresAt: null,
      startedAt: null,
      finishedAt: null,
      durationMs: null,
      summary: null,
      failure: null,
    }
  })
  const event: NewEvent = {
    aggregate: 'execution',
    aggregateId: row.id,
    type: 'queued',
    data: {
      submission_id: row.submissionId,
      release_id: row.releaseId,
      release_hash: row.releaseHash,
      processing_kind: row.processingKind,
      input_hash: row.inputHash,
    },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  }
  return { row, steps, event }
}

/** Writes executions, parents before children, and appends their events after those in `before`. */
export async function saveExecutions(
  tx: Transaction,
  actor: Actor,
  made: readonly MadeExecution[],
  before: readonly NewEvent[],
): Promise<void> {
  await insertExecutions(
    tx,
    made.map(({ row }) => row),
    made.flatMap(({ steps }) => steps),
  )
  await appendEvents(tx, actor.at, [...before, ...made.map(({ event }) => event)])
}

export type ExecutionService = ReturnType<typeof createExecutionService>

/** How often a live trace polls for changes of which it isn't notified. */
export interface TracePolls {
  /** While events keep coming. */
  activeMs: number
  idleMs: number
}

const ownTracePolls: TracePolls = { activeMs: limits.traceIdlePollMs, idleMs: limits.traceIdlePollMs }

/** For a database that other instances write to as well, whose commits don't notify this process. */
export const sharedTracePolls: TracePolls = { activeMs: limits.traceActivePollMs, idleMs: limits.traceIdlePollMs }

export function createExecutionService(database: Database, tracePolls = ownTracePolls) {
  async function mustFind(id: string): Promise<ExecutionRow> {
    const row = await findExecution(database.read, id)
    if (row === undefined) throw await missing(database.read, 'execution', id)
    return row
  }

  return {
    /** A page, newest first, without inputs and outputs. The cursor is the id of the page's last execution. */
    async list(query: ExecutionQuery): Promise<{ executions: Execution[]; next_cursor?: string }> {
      const filter = filterValues(executionFilters, query)
      const page = await readPage(query, {
        find: (id) => findExecution(database.read, id),
        rowsAfter: (after, limit) => listExecutions(database.read, filter, after, limit),
      })
      const executions = await withParts(database.read, page.rows)
      return page.last === undefined ? { executions } : { executions, next_cursor: page.last.id }
    },

    /** One execution with its input, metadata and output. */
    read: (id: string): Promise<Execution> => readExecution(database.read, id, inTurns),

    /**
     * Puts the failed step back into the queue.
     * @throws Fault not_found; conflict if nothing has failed, only the parent has, no attempts are left, or a policy has removed
     * a part of the submission
     */
    retry(actor: Actor, id: string): Promise<Execution> {
      return database.write(async (tx) => {
        const row = await holdExecution(tx, id)
        if (row === undefined) throw await missing(tx, 'execution', id)
        const [removed] = await listRemovedParts(tx, [row.submissionId])
        if (removed !== undefined) {
          throw new Fault(
            'conflict',
            `The execution can't be retried: ${removalInWords(removed)}. Hand the input in again.`,
          )
        }
        const refusal = await retryFailedStep(tx, actor.at, id)
        if (refusal !== undefined) throw new Fault('conflict', retryRefusals[refusal])
        await recordAudit(tx, actor, { action: 'execution.retried', resourceKind: 'execution', resourceId: id })
        return readExecution(tx, id, atOnce)
      })
    },

    /** Read in one snapshot, which the manifest's hash covers. */
    provenance: (id: string) => database.snapshot((connection) => readProvenance(connection, id)),

    async trace(id: string): Promise<{ execution_id: string; events: TraceEvent[]; removed?: RemovedPart[] }> {
      const { submissionId } = await mustFind(id)
      const events = (await listEvents(database.read, id, 0, limits.traceEvents)).map(eventToWire)
      // An execution keeps its last event, so without any it may not exist.
      if (events.length === 0) await mustFind(id)
      const removed = await listRemovedParts(database.read, [submissionId])
      return { execution_id: id, events, ...removedToWire(removed.filter(({ part }) => part === 'events')) }
    },

    /**
     * The trace as it happens, starting after `afterSequence`; it ends after the execution's last event. Events of this process
     * are seen at their commit, those of other instances by polling.
     */
    async follow(id: string, afterSequence: number, signal: AbortSignal): Promise<AsyncIterable<TraceEvent>> {
      await mustFind(id)
      return followEvents(database.read, id, afterSequence, tracePolls, signal)
    },

    async artifact(executionId: string, artifactId: string): Promise<{ row: ArtifactRow; execution: ExecutionRow }> {
      const row = await findArtifact(database.read, executionId, artifactId)
      if (row === undefined) {
        const erasure = await findErasureOf(database.read, 'execution', executionId)
        if (erasure === undefined)
          throw new Fault('not_found', `The execution ${executionId} has no artifact ${artifactId}.`)
        const when = formatInstant(erasure.erasedAt)
        throw new Fault('content_unavailable', `The execution was erased at ${when}, with its documents.`)
      }
      if (row.removedAt !== null) {
        const removed = await listRemovedParts(database.read, [row.submissionId])
        const ofArtifacts = removed.find(({ part }) => part === 'artifacts')
        if (ofArtifacts !== undefined) {
          throw new Fault('content_unavailable', `The document is not there: ${removalInWords(ofArtifacts)}.`)
        }
      }
      return { row, execution: await mustFind(executionId) }
    },
  }
}

const retryRefusals = {
  not_failed: 'The execution has no failed step. Only a failed one can be retried.',
  parent_failed: 'The execution failed because its parent did. Retry the parent.',
  no_attempts_left: `The failed step has used its ${limits.stepAttempts} attempts. Hand the input in again.`,
} as const

/**
 * One execution with its input, metadata and output, as its transaction sees it.
 * @param work reads its texts: in slices, or at once in a transaction for which others wait
 * @throws Fault not_found
 */
export async function readExecution(
  connection: Connection,
  id: string,
  work: <T>(parts: InParts<T>) => T | Promise<T>,
): Promise<Execution> {
  const row = await findExecution(connection, id)
  if (row === undefined) throw await missing(connection, 'execution', id)
  const steps = await listSteps(connection, [id])
  const artifacts = await listArtifacts(connection, [id])
  const submission = await findSubmissionContent(connection, row.submissionId)
  // Read last: an erasure removes everything at once, so if the submission exists, all rows read before belong to it.
  if (submission === undefined) throw await missing(connection, 'execution', id)
  const parent = row.parentExecutionId === null ? undefined : await findExecution(connection, row.parentExecutionId)
  const { modelVersionId } = submission
  const model = modelVersionId === null ? undefined : await loadModel(connection, modelVersionId)
  const { rawInput } = submission
  const formatted =
    model?.input === undefined
      ? undefined
      : { format: model.input, read: (await import('../../engines/ingestion/read-input.ts')).readInput }
  const read = await work(readContent({ rawInput, formatted, parent, output: row.output }))
  const metadata = requireReadable(submission.metadata, 'metadata') as IntakeMetadata | null
  const content = { rawInput, metadata, ...read }
  return executionToWire(row, steps, artifacts, content, await removedOf(connection, [row]))
}

async function withParts(connection: Connection, rows: readonly ExecutionRow[]): Promise<Execution[]> {
  const ids = rows.map((row) => row.id)
  const [steps, artifacts, removed] = await Promise.all([
    listSteps(connection, ids),
    listArtifacts(connection, ids),
    removedOf(connection, rows),
  ])
  const removedFrom = Map.groupBy(removed, ({ submissionId }) => submissionId)
  const stepsOf = Map.groupBy(steps, (step) => step.executionId)
  const artifactsOf = Map.groupBy(artifacts, (artifact) => artifact.executionId)
  // Every execution has steps; one without was erased after its row was read.
  const there = rows.filter(({ id }) => stepsOf.has(id))
  return there.map((row) =>
    executionToWire(
      row,
      stepsOf.get(row.id) ?? [],
      artifactsOf.get(row.id) ?? [],
      undefined,
      removedFrom.get(row.submissionId),
    ),
  )
}

/** Removed parts of ended executions. Clients poll running ones, from which nothing is removed. */
function removedOf(connection: Connection, rows: readonly ExecutionRow[]): Promise<RemovedPartRow[]> {
  const ended = rows.filter(({ status }) => status === 'completed' || status === 'failed')
  return listRemovedParts(connection, [...new Set(ended.map(({ submissionId }) => submissionId))])
}

/** The committed events after `last`, as a query would return them; undefined if there are none, or some are missing. */
function following(committed: readonly CommittedEvent[], last: number): CommittedEvent[] | undefined {
  const later = committed.filter(({ sequence }) => sequence > last).sort((a, b) => a.sequence - b.sequence)
  const isWhole = later.every(({ sequence }, index) => sequence === last + index + 1)
  return later.length > 0 && isWhole ? later : undefined
}

async function* followEvents(
  connection: Connection,
  id: string,
  afterSequence: number,
  polls: TracePolls,
  signal: AbortSignal,
): AsyncGenerator<TraceEvent> {
  let wake = () => {}
  let lastNewsMs = performance.now()
  /** Events that this process committed since the last look. */
  const committedHere: CommittedEvent[] = []
  const unsubscribe = onEventsCommitted((committed) => {
    const own = committed.filter(({ aggregate, aggregateId }) => aggregate === 'execution' && aggregateId === id)
    if (own.length === 0) return
    committedHere.push(...own)
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    for (let last = afterSequence; !signal.aborted; ) {
      // Armed before the query, so that a commit between query and wait isn't missed.
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const rows =
        following(committedHere.splice(0), last) ?? (await listEvents(connection, id, last, limits.traceEvents))
      for (const row of rows) {
        yield eventToWire(row)
        last = row.sequence
      }
      if (rows.length > 0) lastNewsMs = performance.now()
      // Only the last event ends the trace: a failed execution may have been retried since.
      const type = rows.at(-1)?.type
      if (type === 'completed' || type === 'failed') return
      const isActive = performance.now() - lastNewsMs < limits.traceActiveMs
      await Promise.race([woken, Bun.sleep(isActive ? polls.activeMs : polls.idleMs)])
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', onAbort)
  }
}
