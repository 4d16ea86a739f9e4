import type { EndState } from './model.ts'
import type { PlannedBatch } from './plan.ts'

/** What a client was told of its batch, and what it saw. */
export interface ToldBatch {
  id: string
  /** How many rows were submitted when it was told that the batch is paused, or cancelled. */
  pausedAt: number | undefined
  cancelledAt: number | undefined
}

interface Row {
  number: number
  state: string
  submission: string | null
  reference: string | null
}

/** What a batch's last event says of its rows. */
const ENDS = ['completed', 'failed'] as const

/** Each row has one submission and ended as its input calls for; what was taken back has none. */
export function batchProblems(end: EndState): string[] {
  const { batch: planned } = end.plan
  if (planned === undefined) return []
  const { memory, batch: told } = end
  const problems: string[] = []
  const batches = memory.all<{ id: string; status: string; nextRow: number; fileHash: string | null }>(
    'select id, status, next_row as nextRow, file_hash as fileHash from batches',
  )
  const [batch] = batches
  if (batches.length !== 1 || batch === undefined || told?.id !== batch.id)
    return [`the batch that was acknowledged is there ${batches.length} times`]
  const rows = memory.all<Row>(
    'select number, state, submission_id as submission, object_reference as reference from batch_rows order by number',
  )
  const made = memory.all<{ id: string; reference: string }>(
    "select id, object_reference as reference from submissions where object_reference like 'row-%'",
  )
  const isCancelled = batch.status === 'cancelled'
  if (!isCancelled && batch.status !== 'completed') problems.push(`the batch is left ${batch.status}`)
  if (told.cancelledAt !== undefined && !isCancelled) problems.push('the batch was cancelled, and went on')
  if (batch.fileHash !== null) problems.push('the batch still has its file')
  const count = isCancelled ? (told.cancelledAt ?? rows.length) : planned.rows.length
  if (rows.length !== count || made.length !== count)
    problems.push(`the batch has ${rows.length} rows and ${made.length} submissions instead of ${count}`)
  for (const [index, row] of rows.entries()) problems.push(...rowProblems(planned, made, row, index + 1))
  for (const { topic, payload } of end.taken) {
    if (topic !== `quire/v1/batch/${batch.id}/completed`) continue
    const { data } = JSON.parse(payload) as { data: Record<string, unknown> }
    for (const state of ENDS) {
      const wanted = planned.rows.filter(({ refused }) => (refused === undefined ? 'completed' : 'failed') === state)
      if (data[state] !== wanted.length)
        problems.push(
          `the batch was told to be completed with ${data[state]} ${state} rows instead of ${wanted.length}`,
        )
    }
  }
  return problems
}

function rowProblems(
  planned: PlannedBatch,
  made: readonly { id: string; reference: string }[],
  { number, state, submission, reference }: Row,
  place: number,
): string[] {
  const problems: string[] = []
  const wanted = planned.rows[place - 1]
  if (wanted === undefined || number !== place) return [`the batch has a row ${number} at ${place}`]
  const own = made.filter(({ reference: of }) => of === wanted.key)
  if (own.length !== 1) problems.push(`row ${number} was submitted ${own.length} times`)
  if (own[0]?.id !== submission || reference !== wanted.key) problems.push(`row ${number} names another submission`)
  const end = wanted.refused === undefined ? 'completed' : 'failed'
  if (state !== end) problems.push(`row ${number} is ${state} instead of ${end}`)
  return problems
}
