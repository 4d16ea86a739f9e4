import { fileFormats } from '../../core/formats.ts'
import { formatInstant } from '../../core/instant.ts'
import { type JsonValue, readJson } from '../../core/json.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import { readInput } from '../../engines/ingestion/read-input.ts'
import type { Execution, IntakeMetadata, TraceEvent } from './executions.model.ts'
import type { ArtifactRow, EventRow, ExecutionRow, StepRow } from './executions.store.ts'

/** What reading one execution shows beyond a list's item. */
export interface ExecutionContent {
  rawInput: string
  /** What it is written in; JSON unless its model says otherwise. */
  inputFormat: InputFormat | undefined
  /** The JSON text that was transformed: a parent's output, or nothing for the raw input itself. */
  parentOutput: string | null
  metadata: IntakeMetadata | null
}

export function executionToWire(
  row: ExecutionRow,
  steps: readonly StepRow[],
  artifacts: readonly ArtifactRow[],
  content?: ExecutionContent,
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
  if (content !== undefined) addContent(execution, row, content)
  return execution
}

function addContent(execution: Execution, row: ExecutionRow, content: ExecutionContent): void {
  execution.raw_input = content.rawInput
  const input = row.parentExecutionId === null ? inputOf(content) : parseStored(content.parentOutput)
  if (input !== undefined) execution.input = input
  if (content.metadata !== null) execution.metadata = content.metadata
  const output = parseStored(row.output)
  if (output !== undefined) execution.output = output
}

function inputOf({ rawInput, inputFormat }: ExecutionContent): JsonValue | undefined {
  const read = readInput(rawInput, inputFormat)
  return read.ok ? read.value.value : undefined
}

/** Raw input may be anything at all; what isn't JSON is shown as raw input only. */
function parseStored(text: string | null): JsonValue | undefined {
  if (text === null) return undefined
  const outcome = readJson(text)
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
  if (row.failure !== null) step.failure = row.failure
  return step
}

export function artifactToWire(row: ArtifactRow): Execution['artifacts'][number] {
  return {
    id: row.id,
    kind: row.kind,
    media_type: fileFormats[row.kind].mediaType,
    byte_size: row.byteSize,
    content_hash: row.contentHash,
    created_at: formatInstant(row.createdAt),
  }
}

export function eventToWire(row: EventRow): TraceEvent {
  return {
    id: row.id,
    sequence: row.sequence,
    type: row.type,
    data: row.data,
    correlation_id: row.correlationId,
    created_at: formatInstant(row.createdAt),
  }
}
