/**
 * Submits the rows of running batches, a few per transaction, and notes how they end. One instance at a time does so, but
 * correctness doesn't depend on that. A transaction first moves the batch's place on from where it was read: of two that would
 * submit the same rows, the second finds the place moved. A kill leaves either the rows submitted and the place behind them, or
 * neither. The feeder keeps the queue short, so that other submissions are never behind thousands of rows; batches take turns.
 */
import { onEventsCommitted } from '../../bus/outbox.ts'
import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { type Stop, systemTimers, type Timers } from '../../core/timers.ts'
import type { Database } from '../../db/database.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { countQueued } from '../../runner/claim.store.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { withVerdicts } from '../drafts/judge-known.service.ts'
import type { SubmissionService } from '../submissions/submissions.service.ts'
import { closedAs } from './batches.causes.ts'
import { BatchFiles, FileLost } from './batches.files.ts'
import { actorOfBatch, appendBatchEvent, recordBatch } from './batches.record.ts'
import {
  type BatchRecord,
  closeRows,
  completeBatch,
  countStates,
  findBatch,
  findRawInput,
  holdRunning,
  insertRows,
  listEnded,
  listFailures,
  listOpen,
  listRunning,
  listWaiting,
  moveBatch,
  type RowRecord,
  settleWaiting,
  takeRows,
} from './batches.store.ts'
import { type PreparedRow, prepareRow, submitRow } from './batches.submitting.ts'
import { countsOf } from './batches.wire.ts'

/** Points at which tests may stop a feeder: a kill has a different effect between any two of them. */
export type FeederPoint =
  | 'rows-read'
  | 'place-moved'
  | 'rows-submitted'
  | 'rows-noted'
  | 'committed'
  /** A row is submitted again: the new submission exists, and the row names it. */
  | 'row-submitted'
  | 'row-settled'
  /** The outcomes of rows are noted, and a batch is completed. */
  | 'rows-closed'
  | 'batch-completed'

export interface FeederDependencies {
  database: Database
  objects: ObjectStore
  submissions: Pick<SubmissionService, 'readRow' | 'submitRow'>
  judge: Judge
  clock: Clock
  log: Log
  /** True while this instance has the role; one of several feeds. */
  isLeader: () => Promise<boolean>
  timers?: Timers
  /** Nothing is fed while the queue has more steps than this. */
  queuedSteps?: number
  /** Rows per transaction; for a simulation, whose batches are small. */
  feedRows?: number
  onPoint?: (point: FeederPoint) => void
}

/** A feeder that runs a round only when asked. */
export function openFeeder(dependencies: FeederDependencies) {
  const { database, objects, submissions, judge, clock, isLeader } = dependencies
  const { timers = systemTimers, onPoint = () => {} } = dependencies
  const { queuedSteps = limits.batchQueuedSteps, feedRows = limits.batchFeedRows } = dependencies
  const log = dependencies.log.with({ component: 'batches' })
  const files = new BatchFiles(objects)
  let isStopping = false
  let running: Promise<boolean> | undefined

  /** @returns whether there is anything to do soon */
  async function round(): Promise<boolean> {
    try {
      const batches = await listRunning(database.read, limits.batchesAtOnce)
      const open = await listOpen(database.read, limits.tablePageRows)
      files.keepOnly(batches.map(({ id }) => id))
      if (batches.length === 0 && open.length === 0) return false
      if (!(await isLeader())) return true
      for (const id of open) await settle(id)
      await feedInTurns(batches)
      for (const { id } of batches) await complete(id)
    } catch (error) {
      log.warn('rows of batches could not be submitted; the next round goes on', { cause: error })
    }
    return true
  }

  async function feedInTurns(batches: readonly BatchRecord[]): Promise<void> {
    let room = queuedSteps - (await countQueued(database.read, queuedSteps))
    for (let turn = batches; turn.length > 0 && room > 0; ) {
      const next: BatchRecord[] = []
      for (const batch of turn) {
        if (isStopping || room <= 0 || !(await isLeader())) return
        const fed = await feed(batch)
        room -= fed?.steps ?? 0
        if (fed?.batch !== undefined) next.push(fed.batch)
        await timers.turn()
      }
      turn = next
    }
  }

  /**
   * Submits some rows.
   * @returns how many steps that put into the queue, and the batch if it has more rows; undefined if somebody else moved it
   */
  async function feed(batch: BatchRecord): Promise<{ steps: number; batch: BatchRecord | undefined } | undefined> {
    const waiting = await listWaiting(database.read, batch.id, feedRows)
    if (waiting.length > 0) {
      const { steps, moved } = await feedWaiting(batch, waiting)
      // Nothing moves if somebody has paused the batch meanwhile.
      return moved === 0 ? undefined : { steps, batch }
    }
    if (batch.nextRow > batch.rows) return undefined
    try {
      const rows = await files.next(batch, feedRows)
      const prepared: PreparedRow[] = []
      for (const row of rows) prepared.push(await prepareRow(submissions, batch, row))
      onPoint('rows-read')
      const fed = await feedFile(batch, prepared)
      onPoint('committed')
      return fed
    } catch (error) {
      if (!(error instanceof FileLost)) throw error
      await pause(batch, error.message)
      return undefined
    }
  }

  async function feedFile(batch: BatchRecord, rows: readonly PreparedRow[]) {
    const last = rows.at(-1)
    if (last === undefined) throw new Error(`batch ${batch.id} has fewer rows than were counted`)
    const to = { nextRow: batch.nextRow + rows.length, nextOffset: last.end }
    const actor = actorOfBatch(batch, clock.now())
    return withVerdicts(judge, () =>
      database.write(async (tx) => {
        if (!(await takeRows(tx, batch, to))) return undefined
        onPoint('place-moved')
        const outcomes: RowRecord[] = []
        let steps = 0
        for (const row of rows) {
          const { record, executions } = await submitRow({ tx, actor, submissions, batch }, row)
          outcomes.push(record)
          steps += executions
        }
        onPoint('rows-submitted')
        await insertRows(tx, outcomes)
        onPoint('rows-noted')
        const hasMore = to.nextRow <= batch.rows
        return { steps, batch: hasMore ? { ...batch, ...to } : undefined }
      }),
    )
  }

  async function feedWaiting(batch: BatchRecord, waiting: readonly RowRecord[]) {
    const actor = actorOfBatch(batch, clock.now())
    const fed = { steps: 0, moved: 0 }
    for (const row of waiting) {
      const corrects = row.submissionId
      const rawInput = row.rawInput ?? (corrects === null ? undefined : await findRawInput(database.read, corrects))
      // The submission, and the row with it, was erased since it was read.
      if (rawInput === undefined) continue
      const read = { number: row.number, line: row.line, end: 0, rawInput, reference: row.objectReference ?? undefined }
      const prepared = { ...(await prepareRow(submissions, batch, read)), corrects: corrects ?? undefined }
      const receivedAt = row.receivedAt ?? batch.createdAt
      const made = await withVerdicts(judge, () =>
        database.write(async (tx) => {
          if (!(await holdRunning(tx, batch.id))) return undefined
          const { record, executions } = await submitRow({ tx, actor, submissions, batch, receivedAt }, prepared)
          onPoint('row-submitted')
          const { state, submissionId, objectReference, rawInput: kept, cause, code, step, place, message } = record
          const fields = { state, submissionId, objectReference, rawInput: kept, cause, code, step, place, message }
          // Rolls the submission back if somebody else was first.
          if (!(await settleWaiting(tx, row, { ...fields, reopened: row.reopened + 1 }))) throw new RowMoved()
          onPoint('row-settled')
          return executions
        }),
      ).catch((error) => {
        if (error instanceof RowMoved) return undefined
        throw error
      })
      if (made === undefined) continue
      fed.steps += made
      fed.moved++
    }
    return fed
  }

  async function pause(batch: BatchRecord, reason: string): Promise<void> {
    const actor = actorOfBatch(batch, clock.now())
    log.error('a batch was paused', { batch: batch.id, reason })
    await database.write(async (tx) => {
      const fields = { status: 'paused', pauseReason: reason, updatedAt: actor.at } as const
      if (!(await moveBatch(tx, { id: batch.id, from: ['running'] }, fields))) return
      await recordBatch(tx, actor, batch, 'paused', { reason })
      await appendBatchEvent(tx, actor.at, batch, 'paused', { reason })
    })
  }

  /** Notes the outcome of a batch's rows whose executions have all ended. */
  async function settle(batchId: string): Promise<void> {
    const ended = await listEnded(database.read, batchId, limits.batchSettleRows)
    if (ended.length === 0) return
    const submissionIds = ended.flatMap(({ submissionId }) => (submissionId === null ? [] : [submissionId]))
    const closing = closedAs(ended, await listFailures(database.read, submissionIds))
    await database.write(async (tx) => {
      for (const { rows, fields } of closing) await closeRows(tx, batchId, rows, fields)
      onPoint('rows-closed')
    })
  }

  async function complete(batchId: string): Promise<void> {
    const batch = await findBatch(database.read, batchId)
    if (batch?.status !== 'running' || batch.nextRow <= batch.rows) return
    const at = clock.now()
    await database.write(async (tx) => {
      if (!(await completeBatch(tx, batch, at))) return
      const { completed, failed, refused } = countsOf(batch, await countStates(tx, [batchId]))
      await appendBatchEvent(tx, at, batch, 'completed', { completed, failed, refused })
      onPoint('batch-completed')
    })
  }

  return {
    round: (): Promise<boolean> => (running ??= round().finally(() => (running = undefined))),
    /** Stops, and waits for the current round, which ends as soon as it can. */
    async stop(): Promise<void> {
      isStopping = true
      await running
    },
  }
}

/** Looks at once when a batch is submitted or resumed here. It also polls, because other instances don't notify this one. */
export function startFeeder(dependencies: FeederDependencies) {
  const feeder = openFeeder(dependencies)
  const { timers = systemTimers } = dependencies
  let isStopping = false
  let isAsked = false
  let isLooking = false
  let stopWaiting: Stop = () => {}

  async function look(): Promise<void> {
    stopWaiting()
    if (isStopping || isLooking) return
    isLooking = true
    isAsked = false
    const isBusy = await feeder.round()
    isLooking = false
    if (!isStopping) stopWaiting = timers.after(isBusy || isAsked ? limits.batchFeedMs : limits.batchIdleMs, look)
  }

  const unlisten = onEventsCommitted((events) => {
    if (isAsked || !events.some(({ aggregate }) => aggregate === 'batch')) return
    isAsked = true
    void timers.turn().then(look)
  })
  void look()
  return {
    async stop(): Promise<void> {
      isStopping = true
      unlisten()
      stopWaiting()
      await feeder.stop()
    },
  }
}

/** Somebody else has submitted the row, or opened it again. */
class RowMoved extends Error {}
