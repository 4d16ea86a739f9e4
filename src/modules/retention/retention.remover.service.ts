/**
 * Removes what is due under the policies in force, oldest first, in small transactions with pauses, so that no writer waits long.
 * One instance at a time does so. Each transaction is an erasure with tombstones, audit record and note in the ledger, so that an
 * interruption leaves nothing half done.
 */
import { type Actor, systemAuthor } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { RetainedPart } from '../../core/retained-parts.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import type { Database, Transaction } from '../../db/database.ts'
import type { PagePlace } from '../../db/keyset.ts'
import type { RetentionPolicy, RetentionRule } from '../../db/schema.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { recordAudit } from '../audit/audit.service.ts'
import {
  eraseRefused,
  holdRefused,
  lookAtRefused,
  type PartPoint,
  removeByPolicy,
  removePartByPolicy,
} from '../erasures/erasures.service.ts'
import { heldInFile, type LookedFiles } from '../holds/holds.files.service.ts'
import { countReleased, keepHoldsOut, listHoldsOn } from '../holds/holds.reads.ts'
import { findInForce, keepSetsOut, policyOf, type RetentionRow } from '../policies/policies.reads.ts'
import { dueBefore, duePages, sortDue, type Term, termsOf } from './retention.due.service.ts'
import { dropFile, type HoldingBatch, listHoldingBatches } from './retention.store.ts'

/** Points at which tests may end the process: a kill has a different effect between any two of them. */
export type RemoverPoint = 'sorted' | PartPoint | 'committed'

export interface RemoverDependencies {
  database: Database
  /** Has the files of batches. */
  objects: Pick<ObjectStore, 'get'>
  clock: Clock
  log: Log
  /** True while this instance has the role; one of several removes. */
  isLeader: () => Promise<boolean>
  timers?: Timers
  /** For tests, which don't pause. */
  pauseMs?: number
  everyMs?: number
  batch?: number
  onPoint?: (point: RemoverPoint, part: RetainedPart | undefined) => void
}

/**
 * How far each term of a set of policies was searched, so that rounds don't search everything again. When a hold is released, the
 * search starts over, because what was held may be due.
 */
interface Progress {
  number: number
  releasedHolds: number
  /** By model and part. */
  terms: Map<string, Reached>
}

interface Reached {
  place: PagePlace | undefined
  /** Submissions before the place that had not ended; each round looks at them again. */
  waiting: Set<string>
}

export function startRemover(dependencies: RemoverDependencies) {
  const { database, objects, clock, log, isLeader, timers = systemTimers, onPoint = () => {} } = dependencies
  const { pauseMs = limits.retentionPauseMs, batch = limits.retentionBatch } = dependencies
  let isStopping = false
  let running: Promise<void> | undefined
  const looked: LookedFiles = new Map()
  let progress: Progress = { number: 0, releasedHolds: 0, terms: new Map() }

  async function round(): Promise<void> {
    try {
      const inForce = await findInForce(database.read)
      if (inForce === undefined || inForce.policies.length === 0 || !(await isLeader())) return
      const [{ number }, releasedHolds] = [inForce, await countReleased(database.read)]
      if (progress.number !== number || progress.releasedHolds !== releasedHolds) {
        progress = { number, releasedHolds, terms: new Map() }
      }
      for (const policy of inForce.policies) {
        await emptyBatches(inForce, policy)
        for (const term of termsOf(policy)) {
          const { part, days: keep_days } = term
          const { ingestion_model: model } = policy
          const known = JSON.stringify([model, part])
          const reached = progress.terms.get(known) ?? { place: undefined, waiting: new Set() }
          progress.terms.set(known, reached)
          const removed = await removeUnder(inForce, term, reached)
          if (removed === 0) continue
          const what = part === undefined ? 'submissions were' : 'a part of submissions was'
          log.info(`${what} removed under a retention policy`, {
            ...{ removed, retention: inForce.number, keep_days },
            ...(model === undefined ? {} : { ingestion_model: model }),
            ...(part === undefined ? {} : { part }),
          })
        }
      }
    } catch (error) {
      if (error instanceof PoliciesReplaced) return
      log.warn('retention policies could not be carried out; the next round tries again', { cause: error })
    }
  }

  /** @param reached updated with what was looked at */
  async function removeUnder({ number, policies }: RetentionRow, term: Term, reached: Reached): Promise<number> {
    const before = dueBefore(term, clock.now())
    const { place: after, waiting } = reached
    const isFull = () => waiting.size >= limits.retentionWaiting
    let removed = 0

    /** False if the round should end. */
    async function removeSome(ids: readonly string[]): Promise<boolean> {
      for (let from = 0; from < ids.length; from += batch) {
        if (isStopping || !(await isLeader())) return false
        const some = ids.slice(from, from + batch)
        const { removable, atWork } = await sortDue(database.read, some, term.part)
        const { gone, again } = await removeSorted(removable)
        for (const id of some) waiting.delete(id)
        for (const id of [...atWork, ...again]) if (!isFull()) waiting.add(id)
        removed += gone
      }
      return true
    }

    async function removeSorted(ids: readonly string[]): Promise<{ gone: number; again: readonly string[] }> {
      if (ids.length === 0) return { gone: 0, again: [] }
      const actor = { ...systemAuthor(), at: clock.now() }
      const pass = (point: RemoverPoint) => onPoint(point, term.part)
      pass('sorted')
      const gone = await database.write((tx) => removeBatch(tx, actor, { number, term, ids, onPoint: pass }))
      pass('committed')
      await timers.sleep(pauseMs)
      // Some were held or retried after they were sorted.
      return { gone, again: gone < ids.length ? ids : [] }
    }

    if (!(await removeSome([...waiting]))) return removed
    for await (const page of duePages(database.read, policies, { term, before, after, turn: timers.turn })) {
      if (!(await removeSome(page.ids))) return removed
      // If the waiting set is full, the place stays before this page, so that the next round searches it again.
      if (!isFull()) reached.place = page.last
    }
    return removed
  }

  /** Empties batches of inputs that no submission has; they are due when the submissions' inputs are. */
  async function emptyBatches({ policies, number }: RetentionRow, policy: RetentionPolicy): Promise<void> {
    const before = dueBefore({ days: policy.parts?.raw_input ?? policy.keep_days }, clock.now())
    const limit = limits.retentionPageRows
    // Pages through all of them: a held batch stays, and must not block those after it.
    for (let after: PagePlace | undefined; ; ) {
      const holding = await listHoldingBatches(database.read, { before, after, limit })
      for (const batch of holding.filter(({ modelSlug }) => policyOf(policies, modelSlug) === policy)) {
        if (isStopping || !(await isLeader())) return
        if (await emptyBatch(batch, { ...policy, retention: number })) await timers.sleep(pauseMs)
      }
      after = holding.at(-1)
      if (after === undefined || holding.length < limit) return
    }
  }

  /** @returns whether anything was removed; rows that name a held object stay, and a file that does, too */
  async function emptyBatch({ id, modelSlug, fileHash }: HoldingBatch, rule: RetentionRule): Promise<boolean> {
    const actor = { ...systemAuthor(), at: clock.now() }
    const holdOnFile = await heldInFile({ connection: database.read, objects, looked }, fileHash)
    const findRefused = await lookAtRefused(database.read, { batchId: id })
    return database.write(async (tx) => {
      await requireInForce(tx, rule.retention)
      await keepHoldsOut(tx)
      if ((await listHoldsOn(tx, { objects: [], models: [modelSlug] })).length > 0) return false
      if ((await holdOnFile(tx)) !== undefined) return false
      const refused = await holdRefused(tx, findRefused)
      // More rows came meanwhile; the next round finds them all.
      if (refused === undefined) return false
      const removable = refused.rows.filter((row) => !refused.held.has(row))
      if (fileHash === null && removable.length === 0) return false
      if (fileHash !== null) await dropFile(tx, id, actor.at)
      await eraseRefused(tx, removable)
      await recordAudit(tx, actor, {
        action: 'batch.emptied',
        resourceKind: 'batch',
        resourceId: id,
        detail: { rule: { ...rule } },
      })
      return true
    })
  }

  const once = () => (running ??= round().finally(() => (running = undefined)))
  const everyMs = dependencies.everyMs ?? limits.retentionEveryMs
  let nextAtMs = 0
  const look = () => {
    nextAtMs = Date.now() + everyMs
    if (!isStopping) void once()
  }
  const stopLooking = timers.every(everyMs, look)
  look()
  return {
    round: once,
    /** When it looks for due submissions next. */
    get nextAtMs() {
      return nextAtMs
    },
    async stop() {
      isStopping = true
      stopLooking()
      await running
    },
  }
}

/** Somebody has put another set in force since the round began. */
class PoliciesReplaced extends Error {}

/**
 * Checks, in each transaction, that the round's set of policies is still in force, and keeps it so until the transaction ends. A
 * round may take hours, and its removals can't be undone.
 *
 * @throws PoliciesReplaced
 */
async function requireInForce(tx: Transaction, number: number): Promise<void> {
  await keepSetsOut(tx)
  if ((await findInForce(tx))?.number !== number) throw new PoliciesReplaced()
}

/** @returns how many of the submissions were removed, or lost the part. @throws PoliciesReplaced */
async function removeBatch(
  tx: Transaction,
  actor: Actor,
  {
    number,
    term,
    ids: submissionIds,
    onPoint,
  }: { number: number; term: Term; ids: readonly string[]; onPoint: (point: PartPoint) => void },
): Promise<number> {
  const { policy, part, days } = term
  const { ingestion_model: model } = policy
  const rule = { ...(model === undefined ? {} : { ingestion_model: model }), keep_days: days, retention: number }
  const again = (tx: Transaction, ids: readonly string[]) => sortDue(tx, ids, part)
  await requireInForce(tx, number)
  return part === undefined
    ? removeByPolicy(tx, actor, { rule, submissionIds, sortDue: again })
    : removePartByPolicy(tx, actor, { rule: { ...rule, part }, submissionIds, sortDue: again, onPoint })
}
