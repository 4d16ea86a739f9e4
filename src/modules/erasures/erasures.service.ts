/**
 * Erases everything about one object. Rows are deleted. For rows that the audit chain covers, the hash stays and a tombstone
 * names the erasure, so that the chain still verifies (docs/decisions/0019). Objects, and the free space of the database's files,
 * are cleared afterwards (erasures.finisher.service.ts).
 */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newId } from '../../core/ids.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import type { ErasedCounts, RetentionRule } from '../../db/schema.ts'
import { mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { type PageRequest, readPage } from '../../http/paging.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { keepHoldsOut, listHoldsOn, refuseHeld, requireNotHeld } from '../holds/holds.reads.ts'
import type { ErasureRow } from '../tombstones/tombstones.reads.ts'
import { noCounts } from './erasures.counts.ts'
import { droppedFilesNaming, type Files, filesNaming } from './erasures.files.ts'
import type { Erasure, ErasurePlan, MadeErasure } from './erasures.model.ts'
import { holdRefused, lookAtRefused, type Refused } from './erasures.refused.service.ts'
import { eraseRefused, listFilesOf, listWithFile } from './erasures.refused.store.ts'
import { findAndHold, remove, type Tombstone } from './erasures.removal.ts'
import { type Found, findAbout, findErasure, forgetReference, holdWork, listErasures } from './erasures.store.ts'

export type ErasureService = ReturnType<typeof createErasureService>

export interface WantedErasure {
  objectReference: string
  reason: string
}

export function createErasureService(database: Database, objects: Pick<ObjectStore, 'get'>) {
  return {
    /** What an erasure would delete now. Changes nothing. */
    async plan(objectReference: string, at: Instant): Promise<ErasurePlan> {
      const found = await findAbout(database.read, { objectReference }, limits.erasureSubmissions)
      const held = await listHoldsOn(database.read, { objects: [objectReference], models: found.models })
      const refused = await (await lookAtRefused(database.read, { objectReference }))(database.read)
      const { counts, remaining } = found
      const dropped = await droppedFilesNaming(database.read, objects, { objectReference, at })
      const { naming } = await filesNaming(database.read, objects, objectReference)
      const waiting = naming.union(new Set(found.batchesAtWork))
      const holds = [...new Set([...held, ...refused.held.values()].map(({ id }) => id))]
      const ofBatches = { refused_rows: refused.rows.length, dropped_files: dropped.length }
      return { counts, ...ofBatches, remaining, at_work: atWork(found) + waiting.size, holds }
    },

    /**
     * Erases the object's oldest submissions with everything about them.
     * @throws Fault not_found if nothing is about the object; conflict while a legal hold is on it or one of its executions has
     * not ended
     */
    async erase(actor: Actor, request: IdempotentRequest, wanted: WantedErasure): Promise<MadeErasure> {
      const { objectReference } = wanted
      const files = await filesNaming(database.read, objects, objectReference)
      const dropped = await droppedFilesNaming(database.read, objects, { objectReference, at: actor.at })
      const findRefused = await lookAtRefused(database.read, { objectReference })
      const { answer } = await mutate(database, actor.at, request, async (tx) => ({
        status: 201,
        body: await eraseIn(tx, actor, { ...wanted, files, dropped, findRefused }),
      }))
      return answer.body
    },

    async read(id: string): Promise<Erasure> {
      const row = await findErasure(database.read, id)
      if (row === undefined) throw new Fault('not_found', `There is no erasure ${id}.`)
      return erasureToWire(row)
    },

    /** A page, newest first; the cursor is the id of the page's last erasure. */
    async list(query: PageRequest): Promise<{ erasures: Erasure[]; next_cursor?: string }> {
      const { rows, last } = await readPage(query, {
        find: (id) => findErasure(database.read, id),
        rowsAfter: (after, limit) =>
          listErasures(
            database.read,
            after === undefined ? undefined : { createdAt: after.erasedAt, id: after.id },
            limit,
          ),
      })
      const erasures = rows.map(erasureToWire)
      return last === undefined ? { erasures } : { erasures, next_cursor: last.id }
    },
  }
}

function atWork({ executions }: Found): number {
  return executions.filter(({ status }) => status !== 'completed' && status !== 'failed').length
}

/** A wanted erasure with the results of searching long texts, which is done before the transaction. */
interface LookedErasure extends WantedErasure {
  files: Files
  /** Hashes of files of cancelled batches that name the object. */
  dropped: readonly string[]
  findRefused(tx: Transaction): Promise<Refused>
}

async function eraseIn(
  tx: Transaction,
  actor: Actor,
  { objectReference, reason, files, dropped, findRefused }: LookedErasure,
): Promise<MadeErasure> {
  await keepHoldsOut(tx)
  // Read in the order in which a row moves: from a batch's file to a refused row or a submission. So none is missed.
  const open = await listWithFile(tx)
  const refused = await holdRefused(tx, findRefused)
  if (refused === undefined) throw cameMeanwhile('A row of a batch')
  const found = await findAndHold(tx, { objectReference })
  if (found.submissionIds.length === 0 && refused.rows.length === 0 && dropped.length === 0) {
    throw new Fault('not_found', `Nothing is about the object ${objectReference}. Check its spelling.`)
  }
  await requireNotHeld(tx, { objects: [objectReference], models: found.models })
  // A refused row about this object may also be about another one, which is held.
  const [held] = refused.held.values()
  if (held !== undefined)
    throw refuseHeld(held, held.modelSlug === null ? 'Another object that a refused row of a batch names' : undefined)
  const working = atWork(found)
  if (working > 0) {
    const subject = working === 1 ? 'One execution has' : `${working} executions have`
    throw new Fault('conflict', `${subject} not ended yet. Wait for that, then erase.`)
  }
  if (found.batchesAtWork.length > 0 || open.some(({ id }) => files.naming.has(id))) {
    const detail =
      'A batch with a row about the object is not wholly submitted. Wait for that or cancel it, then erase.'
    throw new Fault('conflict', detail)
  }
  if (open.some(({ id }) => !files.looked.has(id))) throw cameMeanwhile('A batch')
  if (!files.naming.isSubsetOf(new Set(open.map(({ id }) => id)))) {
    const detail = 'A batch with a row about the object was cancelled meanwhile, or wholly submitted. Erase once more.'
    throw new Fault('conflict', detail)
  }
  const row: ErasureRow = {
    id: newId(),
    objectReferenceHash: sha256Hex(objectReference),
    rule: null,
    reason,
    counts: found.counts,
    erasedBy: actor.userId,
    correlationId: actor.correlationId,
    erasedAt: actor.at,
    completedAt: null,
  }
  // Nothing names these files any more, but their bytes exist until they are swept.
  const former = [...dropped, ...(await listFilesOf(tx, refused.rows))].map(objectTombstone)
  await eraseRefused(tx, refused.rows)
  await remove(tx, actor, { row, found, former })
  await forgetReference(tx, row.objectReferenceHash)
  const ofBatches = { refused_rows: refused.rows.length, dropped_files: dropped.length }
  return { erasure: erasureToWire(row), ...ofBatches, remaining: found.remaining }
}

function cameMeanwhile(what: string): Fault {
  return new Fault('conflict', `${what} came in meanwhile, and may be about the object. Erase once more.`)
}

function objectTombstone(itemId: string): Tombstone {
  return { kind: 'object', itemId, contentHash: null }
}

export { addCounts, noCounts } from './erasures.counts.ts'
export { listUnfit } from './erasures.parts.store.ts'
export { countPart, type PartPoint, removePartByPolicy } from './erasures.parts.ts'
export { holdRefused, lookAtRefused } from './erasures.refused.service.ts'
export { eraseRefused } from './erasures.refused.store.ts'

/** Counts everything about some submissions, up to what one erasure takes. */
export async function countAbout(connection: Connection, submissionIds: readonly string[]): Promise<ErasedCounts> {
  if (submissionIds.length === 0) return noCounts()
  return (await findAbout(connection, { submissionIds }, limits.erasureSubmissions)).counts
}

export interface PolicyRemoval {
  rule: RetentionRule
  submissionIds: readonly string[]
  /** Which of them may be removed; called again inside the transaction. */
  sortDue(tx: Transaction, ids: readonly string[]): Promise<{ removable: string[] }>
}

/** Removes submissions under a retention policy. @returns how many of them still existed and could be removed */
export async function removeByPolicy(
  tx: Transaction,
  actor: Actor,
  { rule, submissionIds, sortDue }: PolicyRemoval,
): Promise<number> {
  await keepHoldsOut(tx)
  await holdWork(tx, submissionIds)
  const { removable } = await sortDue(tx, submissionIds)
  if (removable.length === 0) return 0
  const found = await findAndHold(tx, { submissionIds: removable })
  // One may have been retried before it was locked; the next round takes the rest.
  if (found.submissionIds.length === 0 || atWork(found) > 0 || found.batchesAtWork.length > 0) return 0
  const row: ErasureRow = {
    id: newId(),
    objectReferenceHash: '',
    rule,
    reason: `kept for ${rule.keep_days} ${rule.keep_days === 1 ? 'day' : 'days'} (${rule.ingestion_model ?? 'all models'})`,
    counts: found.counts,
    erasedBy: actor.userId,
    correlationId: actor.correlationId,
    erasedAt: actor.at,
    completedAt: null,
  }
  await remove(tx, actor, { row, found })
  return found.submissionIds.length
}

function erasureToWire(row: ErasureRow): Erasure {
  return {
    id: row.id,
    ...(row.rule === null ? { object_reference_hash: row.objectReferenceHash } : { rule: row.rule }),
    reason: row.reason,
    counts: row.counts,
    erased_by: row.erasedBy,
    correlation_id: row.correlationId,
    erased_at: formatInstant(row.erasedAt),
    status: row.completedAt === null ? 'finishing' : 'completed',
    ...(row.completedAt === null ? {} : { completed_at: formatInstant(row.completedAt) }),
  }
}
