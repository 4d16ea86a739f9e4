import { formatInstant } from '../../core/instant.ts'
import type { BatchRowState } from '../../core/kinds.ts'
import type { Batch, BatchRowShape } from './batches.model.ts'
import type { BatchRecord, RowRecord, StateCount } from './batches.store.ts'

export function batchesToWire(rows: readonly BatchRecord[], states: readonly StateCount[]): Batch[] {
  const statesOf = Map.groupBy(states, ({ batchId }) => batchId)
  return rows.map((row) => batchToWire(row, statesOf.get(row.id) ?? []))
}

/** @param states of all rows but the completed ones; the batch may have progressed since it was read */
export function countsOf(
  { rows, nextRow: before, status }: Pick<BatchRecord, 'rows' | 'nextRow' | 'status'>,
  states: readonly StateCount[],
): Batch['counts'] {
  const nextRow = states[0]?.nextRow ?? before
  const of = (wanted: BatchRowState) => states.find(({ state }) => state === wanted)?.rows ?? 0
  const left = rows - nextRow + 1 + of('waiting')
  const isCancelled = status === 'cancelled'
  return {
    waiting: isCancelled ? 0 : left,
    at_work: of('submitted'),
    completed: nextRow - 1 - states.reduce((sum, { rows: some }) => sum + some, 0),
    failed: of('failed'),
    refused: of('refused'),
    erased: of('erased'),
    dropped: isCancelled ? left : 0,
  }
}

function batchToWire(row: BatchRecord, states: readonly StateCount[]): Batch {
  const batch: Batch = {
    id: row.id,
    name: row.name,
    model_slug: row.modelSlug,
    format: row.format,
    content_hash: row.contentHash,
    byte_size: row.byteSize,
    rows: row.rows,
    counts: countsOf(row, states),
    status: row.status,
    file_kept: row.fileHash !== null,
    created_by: row.createdBy,
    correlation_id: row.correlationId,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
  if (row.pauseReason !== null) batch.pause_reason = row.pauseReason
  if (row.officialTime !== null) batch.official_time = formatInstant(row.officialTime)
  if (row.completedAt !== null) batch.completed_at = formatInstant(row.completedAt)
  return batch
}

export function rowToWire(row: RowRecord): BatchRowShape {
  const shown: BatchRowShape = { number: row.number, line: row.line, state: row.state }
  if (row.objectReference !== null) shown.object_reference = row.objectReference
  if (row.submissionId !== null) shown.submission_id = row.submissionId
  if (row.cause !== null) shown.cause = row.cause
  if (row.code !== null) shown.code = row.code
  if (row.step !== null) shown.step = row.step
  if (row.place !== null) shown.place = row.place
  if (row.message !== null) shown.message = row.message
  return shown
}
