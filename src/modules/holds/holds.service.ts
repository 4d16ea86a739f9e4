/**
 * Legal holds. While a hold is in force on an object, or on the ingestion model of its submissions, nothing of it is erased or
 * removed. A hold is placed once and released once; who did each, when and why, is kept.
 */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newId } from '../../core/ids.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Database } from '../../db/database.ts'
import { mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { type PageRequest, readPage } from '../../http/paging.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { Hold, NewHold } from './holds.model.ts'
import { type HoldRow, isModel } from './holds.reads.ts'
import { findHold, insertHold, listHolds, releaseHold } from './holds.store.ts'

export type HoldService = ReturnType<typeof createHoldService>

export function createHoldService(database: Database) {
  return {
    /** @throws Fault validation_failed unless one of object and model is named, and not_found for an unknown model */
    async place(actor: Actor, request: IdempotentRequest, wanted: NewHold): Promise<Hold> {
      const { object_reference: reference, ingestion_model: model, reason } = wanted
      if ((reference === undefined) === (model === undefined)) {
        throw new Fault('validation_failed', 'A hold is on object_reference or on ingestion_model. Name one of them.')
      }
      const { answer } = await mutate(database, actor.at, request, async (tx) => {
        if (model !== undefined && !(await isModel(tx, model))) {
          throw new Fault('not_found', `There is no ingestion model ${model}.`)
        }
        const row: HoldRow = {
          id: newId(),
          // Objects may be held before anything about them exists.
          objectReference: reference ?? null,
          objectReferenceHash: reference === undefined ? null : sha256Hex(reference),
          modelSlug: model ?? null,
          reason,
          placedBy: actor.userId,
          correlationId: actor.correlationId,
          placedAt: actor.at,
          releaseReason: null,
          releasedBy: null,
          releasedAt: null,
          notedAt: null,
        }
        await insertHold(tx, row)
        await recordAudit(tx, actor, {
          action: 'hold.placed',
          resourceKind: 'hold',
          resourceId: row.id,
          detail: { ...subjectOf(row), reason },
        })
        return { status: 201, body: holdToWire(row) }
      })
      return answer.body
    },

    /** @throws Fault not_found, and conflict for a hold that was released before */
    async release(actor: Actor, request: IdempotentRequest, wanted: { id: string; reason: string }): Promise<Hold> {
      const { id, reason } = wanted
      const { answer } = await mutate(database, actor.at, request, async (tx) => {
        const row = await findHold(tx, id)
        if (row === undefined) throw missing(id)
        const release = { releaseReason: reason, releasedBy: actor.userId, releasedAt: actor.at }
        if (!(await releaseHold(tx, id, release))) {
          throw new Fault('conflict', `The hold ${id} was released before. Nothing is left to do.`)
        }
        await recordAudit(tx, actor, {
          action: 'hold.released',
          resourceKind: 'hold',
          resourceId: id,
          detail: { ...subjectOf(row), reason },
        })
        return { status: 200, body: holdToWire({ ...row, ...release }) }
      })
      return answer.body
    },

    async read(id: string): Promise<Hold> {
      const row = await findHold(database.read, id)
      if (row === undefined) throw missing(id)
      return holdToWire(row)
    },

    /** A page, newest first; the cursor is the id of the page's last hold. */
    async list(query: PageRequest): Promise<{ holds: Hold[]; next_cursor?: string }> {
      const { rows, last } = await readPage(query, {
        find: (id) => findHold(database.read, id),
        rowsAfter: (after, limit) =>
          listHolds(
            database.read,
            after === undefined ? undefined : { createdAt: after.placedAt, id: after.id },
            limit,
          ),
      })
      const holds = rows.map(holdToWire)
      return last === undefined ? { holds } : { holds, next_cursor: last.id }
    },
  }
}

function missing(id: string): Fault {
  return new Fault('not_found', `There is no hold ${id}.`)
}

/** What the audit trail says about a hold; it must not name the object, because it outlives it. */
function subjectOf({ objectReferenceHash, modelSlug }: HoldRow) {
  return {
    ...(objectReferenceHash === null ? {} : { object_reference_hash: objectReferenceHash }),
    ...(modelSlug === null ? {} : { ingestion_model: modelSlug }),
  }
}

function holdToWire(row: HoldRow): Hold {
  return {
    id: row.id,
    status: row.releasedAt === null ? 'in_force' : 'released',
    ...(row.objectReference === null ? {} : { object_reference: row.objectReference }),
    ...subjectOf(row),
    reason: row.reason,
    placed_by: row.placedBy,
    placed_at: formatInstant(row.placedAt),
    correlation_id: row.correlationId,
    ...(row.releaseReason === null ? {} : { release_reason: row.releaseReason }),
    ...(row.releasedBy === null ? {} : { released_by: row.releasedBy }),
    ...(row.releasedAt === null ? {} : { released_at: formatInstant(row.releasedAt) }),
  }
}
