import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, min, or, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { BatchRowState, BatchStatus } from '../../core/kinds.ts'
import type { batchFilters, batchRowFilters, FilterValues } from '../../core/list-filters.ts'
import type { StepName } from '../../core/steps.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace, selective } from '../../db/keyset.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { StepFailure, Tables } from '../../db/schema.ts'

export type BatchRecord = Tables['batches']['$inferSelect']
export type RowRecord = Tables['batchRows']['$inferSelect']

export async function insertBatch(tx: Transaction, row: BatchRecord): Promise<void> {
  await tx.q.insert(tx.t.batches).values(row)
}

export async function findBatch(connection: Connection, id: string): Promise<BatchRecord | undefined> {
  const [row] = await batchById(connection).execute({ id })
  return row
}

const batchById = prepareOnce(({ q, t: { batches } }) =>
  q
    .select()
    .from(batches)
    .where(eq(batches.id, sql.placeholder('id')))
    .prepare(),
)

/** Newest first. */
export function listBatches(
  connection: Connection,
  { status, modelSlug }: FilterValues<typeof batchFilters>,
  after: PagePlace | undefined,
  limit: number,
): Promise<BatchRecord[]> {
  const { batches } = connection.t
  return connection.q
    .select()
    .from(batches)
    .where(
      and(
        ...selective(connection, [
          [batches.modelSlug, modelSlug],
          [batches.status, status],
        ]),
        after === undefined ? undefined : olderThan(batches.createdAt, batches.id, after),
      ),
    )
    .orderBy(...newestFirst(batches.createdAt, batches.id))
    .limit(limit)
}

/** Running batches that still have rows to submit, oldest first. */
export function listRunning(connection: Connection, limit: number): Promise<BatchRecord[]> {
  return running(connection).execute({ limit })
}

const running = prepareOnce(({ q, t: { batches } }) =>
  q
    .select()
    .from(batches)
    .where(eq(batches.status, 'running'))
    .orderBy(asc(batches.createdAt), asc(batches.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

export interface StateCount {
  batchId: string
  /** The feeder's next row. Rows before it that have no other state are completed. */
  nextRow: number
  /** Null if each row that the feeder has reached is completed. */
  state: BatchRowState | null
  rows: number
}

/** How many rows of each batch are in which state. One statement, because a running batch changes between two. */
export async function countStates(connection: Connection, ids: readonly string[]): Promise<StateCount[]> {
  if (ids.length === 0) return []
  const { batches, batchRows } = connection.t
  return connection.q
    .select({
      ...{ batchId: batches.id, nextRow: batches.nextRow },
      ...{ state: batchRows.state, rows: count(batchRows.number) },
    })
    .from(batches)
    .leftJoin(batchRows, and(eq(batchRows.batchId, batches.id), isNotCompleted))
    .where(inArray(batches.id, [...ids]))
    .groupBy(batches.id, batches.nextRow, batchRows.state)
}

/** A literal, to match the partial index. */
const isNotCompleted = sql`state <> 'completed'`

/** Changes a batch that is still in one of these states. False if it isn't. */
export async function moveBatch(
  tx: Transaction,
  { id, from }: { id: string; from: readonly BatchStatus[] },
  fields: Partial<Pick<BatchRecord, 'status' | 'pauseReason' | 'completedAt' | 'fileHash'>> & { updatedAt: Instant },
): Promise<boolean> {
  const { batches } = tx.t
  const moved = await tx.q
    .update(batches)
    .set(fields)
    .where(and(eq(batches.id, id), inArray(batches.status, [...from])))
    .returning({ id: batches.id })
  return moved.length === 1
}

/**
 * Reserves the next rows of a running batch for this transaction: another feeder finds the place moved, and a pause waits for the
 * commit. False if the batch no longer runs, or its place has moved.
 */
export async function takeRows(
  tx: Transaction,
  { id, nextRow, rows }: Pick<BatchRecord, 'id' | 'nextRow' | 'rows'>,
  to: { nextRow: number; nextOffset: number },
): Promise<boolean> {
  const { batches } = tx.t
  const isLast = to.nextRow > rows
  const taken = await tx.q
    .update(batches)
    // After the last row the file isn't needed: its rows are in the submissions.
    .set({ ...to, ...(isLast ? { fileHash: null } : {}) })
    .where(and(eq(batches.id, id), eq(batches.status, 'running'), eq(batches.nextRow, nextRow)))
    .returning({ id: batches.id })
  return taken.length === 1
}

export async function insertRows(tx: Transaction, rows: readonly RowRecord[]): Promise<void> {
  if (rows.length > 0) await tx.q.insert(tx.t.batchRows).values([...rows])
}

/** Rows that wait to be submitted again, in order. */
export function listWaiting(connection: Connection, batchId: string, limit: number): Promise<RowRecord[]> {
  return waiting(connection).execute({ batchId, limit })
}

const waiting = prepareOnce(({ q, t: { batchRows } }) =>
  q
    .select()
    .from(batchRows)
    .where(and(eq(batchRows.batchId, sql.placeholder('batchId')), isNotCompleted, eq(batchRows.state, 'waiting')))
    .orderBy(asc(batchRows.number))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/**
 * Drops what a cancelled batch no longer needs, as its rows can't be submitted again: their inputs, and the waiting rows'
 * references.
 */
export async function dropInputs(tx: Transaction, batchId: string): Promise<void> {
  const { batchRows } = tx.t
  await tx.q
    .update(batchRows)
    .set({ rawInput: null })
    .where(and(eq(batchRows.batchId, batchId), isNotNull(batchRows.rawInput)))
  await tx.q
    .update(batchRows)
    .set({ objectReference: null })
    .where(
      and(
        eq(batchRows.batchId, batchId),
        isNotCompleted,
        eq(batchRows.state, 'waiting'),
        isNull(batchRows.submissionId),
      ),
    )
}

/** Writes the outcome of a waiting row; false if somebody else was first, or the batch no longer runs. */
export async function settleWaiting(
  tx: Transaction,
  { batchId, number, reopened }: RowRecord,
  fields: Partial<RowRecord>,
): Promise<boolean> {
  const { batchRows } = tx.t
  const isIt = and(eq(batchRows.batchId, batchId), eq(batchRows.number, number), eq(batchRows.reopened, reopened))
  const settled = await tx.q
    .update(batchRows)
    .set(fields)
    .where(and(isIt, eq(batchRows.state, 'waiting')))
    .returning({ number: batchRows.number })
  return settled.length === 1
}

/** Reads and locks a batch until the transaction ends, so that nobody completes or cancels it meanwhile. */
export async function holdBatch(tx: Transaction, id: string): Promise<BatchRecord | undefined> {
  const { batches } = tx.t
  const [row] = await tx.q.update(batches).set({ id }).where(eq(batches.id, id)).returning()
  return row
}

/** Locks rows against removal with their submissions until the transaction ends. SQLite has only one writer anyway. */
export async function holdRows(tx: Transaction, batchId: string, numbers: readonly number[]): Promise<void> {
  if (tx.dialect === 'sqlite' || numbers.length === 0) return
  const { batchRows } = tx.t
  const isOne = and(eq(batchRows.batchId, batchId), inArray(batchRows.number, [...numbers]))
  await tx.rows(sql`select number from ${batchRows} where ${isOne} order by number for update`)
}

/** Locks a running batch until the transaction ends; false if it doesn't run. */
export async function holdRunning(tx: Transaction, id: string): Promise<boolean> {
  const { batches } = tx.t
  const held = await tx.q
    .update(batches)
    .set({ status: 'running' })
    .where(and(eq(batches.id, id), eq(batches.status, 'running')))
    .returning({ id: batches.id })
  return held.length === 1
}

/**
 * Completes a batch if all its rows are submitted and have ended, unless the batch was changed or a row reopened since it was
 * read.
 */
export async function completeBatch(tx: Transaction, { id, updatedAt }: BatchRecord, at: Instant): Promise<boolean> {
  return (await completion(tx).execute({ id, updatedAt, at })).length === 1
}

/** Runs on every look at a batch. */
const completion = prepareOnce(({ q, t: { batches, batchRows } }) => {
  const at = sql`${sql.placeholder('at')}`
  return q
    .update(batches)
    .set({ status: 'completed', completedAt: at, updatedAt: at })
    .where(
      and(
        eq(batches.id, sql.placeholder('id')),
        eq(batches.status, 'running'),
        eq(batches.updatedAt, sql.placeholder('updatedAt')),
        gt(batches.nextRow, batches.rows),
        sql`not exists (select 1 from ${batchRows} where batch_id = ${batches.id} and state in ('waiting', 'submitted'))`,
      ),
    )
    .returning({ id: batches.id })
    .prepare()
})

/** Ids of batches with submitted or waiting rows. */
export async function listOpen(connection: Connection, limit: number): Promise<string[]> {
  return (await openBatches(connection).execute({ limit })).map(({ id }) => id)
}

/** Polled. The condition is a literal, to match the partial index. */
const openBatches = prepareOnce(({ q, t: { batchRows } }) =>
  q
    .selectDistinct({ id: batchRows.batchId })
    .from(batchRows)
    .where(sql`state in ('waiting', 'submitted')`)
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** Submitted rows whose executions have all ended, and whether one of these has failed. */
export async function listEnded(
  connection: Connection,
  batchId: string,
  limit: number,
): Promise<Pick<RowRecord, 'number' | 'reopened' | 'submissionId'>[]> {
  const { batchRows, executions } = connection.t
  const rows = await connection.rows<{ number: number; reopened: number; submission: string }>(
    sql`select number, reopened, submission_id as submission from
          (select * from ${batchRows} where batch_id = ${batchId} and ${isNotCompleted} and state = 'submitted' order by number limit ${limit}) r
        where not exists (select 1 from ${executions} e
                          where e.submission_id = r.submission_id and e.status not in ('completed', 'failed'))
        order by number`,
  )
  return rows.map(({ number, reopened, submission: submissionId }) => ({
    ...{ number: Number(number), reopened: Number(reopened), submissionId },
  }))
}

export interface FailedExecution {
  submissionId: string
  executionId: string
  step: StepName
  failure: StepFailure
}

/** Failed executions of some submissions with the failed step, without those that failed only because their parent did. */
export async function listFailures(
  connection: Connection,
  submissionIds: readonly string[],
): Promise<FailedExecution[]> {
  if (submissionIds.length === 0) return []
  const { executions, steps } = connection.t
  // An expression, or SQLite would read all failed executions by the index on the status.
  const hasFailed = sql`(${executions.status} || '') = 'failed'`
  const rows = await connection.q
    .select({
      submissionId: executions.submissionId,
      executionId: executions.id,
      step: steps.name,
      failure: steps.failure,
    })
    .from(executions)
    .innerJoin(steps, and(eq(steps.executionId, executions.id), eq(steps.status, 'failed')))
    .where(and(inArray(executions.submissionId, [...submissionIds]), hasFailed))
    .orderBy(asc(executions.createdAt), asc(executions.id))
  return rows.flatMap(({ failure, ...row }) =>
    failure === null || failure.code === 'parent_failed' ? [] : [{ ...row, failure }],
  )
}

/** Writes how rows ended, unless they were reopened since they were read. */
export async function closeRows(
  tx: Transaction,
  batchId: string,
  rows: readonly Pick<RowRecord, 'number' | 'reopened'>[],
  fields: Pick<RowRecord, 'state' | 'cause' | 'code' | 'step' | 'place' | 'message'>,
): Promise<void> {
  if (rows.length === 0) return
  const { batchRows } = tx.t
  const isRead = rows.map(({ number, reopened }) => and(eq(batchRows.number, number), eq(batchRows.reopened, reopened)))
  await tx.q
    .update(batchRows)
    .set(fields)
    .where(and(eq(batchRows.batchId, batchId), eq(batchRows.state, 'submitted'), or(...isRead)))
}

export interface CauseRow {
  cause: string
  state: BatchRowState
  code: string
  step: string
  place: string
  message: string
  rows: number
  firstRow: number
}

/** The most frequent causes first, with the message of each one's first row. */
export async function listCauses(connection: Connection, batchId: string, limit: number): Promise<CauseRow[]> {
  const { batchRows } = connection.t
  const groups = await connection.q
    .select({ cause: batchRows.cause, rows: count(), firstRow: min(batchRows.number) })
    .from(batchRows)
    .where(and(eq(batchRows.batchId, batchId), sql`cause is not null`))
    .groupBy(batchRows.cause)
    .orderBy(desc(count()), asc(min(batchRows.number)))
    .limit(limit)
  const numbers = groups.flatMap(({ firstRow }) => (firstRow === null ? [] : [firstRow]))
  const firsts = await connection.q
    .select()
    .from(batchRows)
    .where(and(eq(batchRows.batchId, batchId), inArray(batchRows.number, numbers)))
  const firstOf = new Map(firsts.map((row) => [row.number, row]))
  return groups.flatMap(({ cause, rows, firstRow }) => {
    const first = firstRow === null ? undefined : firstOf.get(firstRow)
    if (first === undefined || cause === null) return []
    const { state, code, step, place, message } = first
    const said = { code: code ?? '', step: step ?? '', place: place ?? '', message: message ?? '' }
    return [{ cause, state, ...said, rows, firstRow: first.number }]
  })
}

/** Rows in order; `after` is the number of the previous page's last row. */
export function listRows(
  connection: Connection,
  batchId: string,
  { state, cause, after }: FilterValues<typeof batchRowFilters> & { after: number },
  limit: number,
): Promise<RowRecord[]> {
  const { batchRows } = connection.t
  const conditions: SQL[] = [eq(batchRows.batchId, batchId), gt(batchRows.number, after)]
  if (cause !== undefined) conditions.push(eq(batchRows.cause, cause), sql`cause is not null`)
  if (state !== undefined) {
    // All rows of one cause have the same state, and completed rows are found in the order of their numbers.
    if (cause !== undefined || state === 'completed') conditions.push(sql`(${batchRows.state} || '') = ${state}`)
    else conditions.push(eq(batchRows.state, state), isNotCompleted)
  }
  return connection.q
    .select()
    .from(batchRows)
    .where(and(...conditions))
    .orderBy(asc(batchRows.number))
    .limit(limit)
}

export async function findRow(connection: Connection, batchId: string, number: number): Promise<RowRecord | undefined> {
  const { batchRows } = connection.t
  const [row] = await connection.q
    .select()
    .from(batchRows)
    .where(and(eq(batchRows.batchId, batchId), eq(batchRows.number, number)))
  return row
}

export async function countRows(connection: Connection, batchId: string, cause: string): Promise<number> {
  const { batchRows } = connection.t
  const [row] = await connection.q
    .select({ n: count() })
    .from(batchRows)
    .where(and(eq(batchRows.batchId, batchId), eq(batchRows.cause, cause), sql`cause is not null`))
  return row?.n ?? 0
}

/** Makes rows wait to be submitted again, as if received now. @returns how many still had the cause */
export async function queueAgain(
  tx: Transaction,
  batchId: string,
  { cause, numbers, at }: { cause: string; numbers: readonly number[]; at: Instant },
): Promise<number> {
  const { batchRows } = tx.t
  const moved = await tx.q
    .update(batchRows)
    .set({
      state: 'waiting',
      receivedAt: at,
      reopened: sql`${batchRows.reopened} + 1`,
      ...{ cause: null, code: null, step: null, place: null, message: null },
    })
    .where(and(eq(batchRows.batchId, batchId), inArray(batchRows.number, [...numbers]), eq(batchRows.cause, cause)))
    .returning({ number: batchRows.number })
  return moved.length
}

/** The raw input of a submission. */
export async function findRawInput(connection: Connection, submissionId: string): Promise<string | undefined> {
  const { submissions } = connection.t
  const [row] = await connection.q
    .select({ rawInput: submissions.rawInput })
    .from(submissions)
    .where(eq(submissions.id, submissionId))
  return row?.rawInput
}
