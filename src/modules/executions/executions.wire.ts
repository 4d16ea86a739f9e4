import type { CommittedEvent } from '../../bus/outbox.ts'
import { fileFormats } from '../../core/formats.ts'
import { formatInstant } from '../../core/instant.ts'
import { type JsonValue, readJsonInParts } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { RetainedPart } from '../../core/retained-parts.ts'
import type { InParts } from '../../core/turns.ts'
import { Unreadable } from '../../core/unreadable.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import type { readInput } from '../../engines/ingestion/read-input.ts'
import type { RemovedPartRow } from '../tombstones/tombstones.reads.ts'
import { removedToWire } from '../tombstones/tombstones.wire.ts'
import type { Execution, IntakeMetadata, TraceEvent } from './executions.model.ts'
import type { ArtifactRow, ExecutionRow, StepRow } from './executions.store.ts'

/** What an execution's own page shows in addition to a list's item. */
export interface ExecutionContent {
  /** Empty once a policy has removed it. */
  rawInput: string
  metadata: IntakeMetadata | null
  /** Undefined if the text isn't JSON, or is missing. */
  input: JsonValue | undefined
  output: JsonValue | undefined
}

/** The stored texts of an execution. */
export interface StoredContent {
  rawInput: string
  /** The input's format and its reader; JSON unless the model says otherwise. */
  formatted: { format: InputFormat; read: typeof readInput } | undefined
  /** For an execution that reads its parent's output instead of the raw input. */
  parent: { output: string | null } | undefined
  output: string | null
}

/** Reads an execution's texts, each of which may have half a megabyte. */
export function* readContent(stored: StoredContent): InParts<Pick<ExecutionContent, 'input' | 'output'>> {
  const { rawInput, formatted, parent, output } = stored
  if (parent !== undefined) return { input: yield* readStored(parent.output), output: yield* readStored(output) }
  const input = formatted === undefined ? yield* readStored(rawInput) : readFormatted(rawInput, formatted)
  return { input, output: yield* readStored(output) }
}

export function executionToWire(
  row: ExecutionRow,
  steps: readonly StepRow[],
  artifacts: readonly ArtifactRow[],
  content?: ExecutionContent,
  removed: readonly RemovedPartRow[] = [],
): Execution {
  const execution: Execution = {
    id: row.id,
    submission_id: row.submissionId,
    release_id: row.releaseId,
    release_hash: row.releaseHash,
    processing_kind: row.processingKind,
    input_hash: row.inputHash,
    raw_input_hash: row.rawInputHash,
    status: row.status,
    submitted_by: row.submittedBy,
    correlation_id: row.correlationId,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    steps: steps.map(stepToWire),
    artifacts: artifacts.map(artifactToWire),
  }
  if (row.processingNodeId !== null) execution.processing_node_id = row.processingNodeId
  if (row.completedAt !== null) execution.completed_at = formatInstant(row.completedAt)
  if (row.outputHash !== null) execution.output_hash = row.outputHash
  if (content !== undefined) addContent(execution, content)
  return Object.assign(execution, removedToWire(removed.filter((one) => hadPart(one.part, execution))))
}

/**
 * Whether the execution had the part: a policy removes it from the whole submission, but an execution that failed early may have
 * had none.
 */
function hadPart(part: RetainedPart, { output_hash: output, artifacts }: Execution): boolean {
  if (part === 'output') return output !== undefined
  return part !== 'artifacts' || artifacts.length > 0
}

function addContent(execution: Execution, { rawInput, metadata, input, output }: ExecutionContent): void {
  if (rawInput !== '') execution.raw_input = rawInput
  if (input !== undefined) execution.input = input
  if (metadata !== null) execution.metadata = metadata
  if (output !== undefined) execution.output = output
}

function readFormatted(
  rawInput: string,
  { format, read }: NonNullable<StoredContent['formatted']>,
): JsonValue | undefined {
  const outcome = read(rawInput, format)
  return outcome.ok ? outcome.value.value : undefined
}

/** Raw input may be anything; if it isn't JSON, it is shown only as raw input. */
function* readStored(text: string | null): InParts<JsonValue | undefined> {
  if (text === null) return undefined
  const outcome = yield* readJsonInParts(text)
  return outcome.ok ? outcome.value : undefined
}

function stepToWire(row: StepRow): Execution['steps'][number] {
  const step: Execution['steps'][number] = {
    name: row.name,
    position: row.position,
    status: row.status,
    attempt: row.attempt,
    state_version: row.stateVersion,
  }
  if (row.startedAt !== null) step.started_at = formatInstant(row.startedAt)
  if (row.finishedAt !== null) step.finished_at = formatInstant(row.finishedAt)
  if (row.durationMs !== null) step.duration_ms = row.durationMs
  if (row.summary !== null) step.summary = row.summary
  if (row.failure !== null) step.failure = readableFailure(row.failure)
  return step
}

/** The failure, or one that says that it can't be read. */
export function readableFailure(failure: NonNullable<StepRow['failure']>): NonNullable<StepRow['failure']> {
  if (!(failure instanceof Unreadable)) return failure
  const message = `What is stored of this failure can't be read: ${failure.unreadable}`.slice(
    0,
    limits.stepIssueMessageChars,
  )
  return { code: 'unreadable', message, issues: [] }
}

export function artifactToWire(row: ArtifactRow): Execution['artifacts'][number] {
  return {
    id: row.id,
    kind: row.kind,
    media_type: fileFormats[row.kind].mediaType,
    byte_size: row.byteSize,
    content_hash: row.contentHash,
    created_at: formatInstant(row.createdAt),
    ...(row.removedAt === null ? {} : { removed_at: formatInstant(row.removedAt) }),
  }
}

export function eventToWire(row: Omit<CommittedEvent, 'aggregate' | 'aggregateId' | 'traceparent'>): TraceEvent {
  return {
    id: row.id,
    sequence: row.sequence,
    type: row.type,
    data: row.data,
    correlation_id: row.correlationId,
    created_at: formatInstant(row.createdAt),
  }
}
