import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { objectReferenceRule, slugRule } from '../../core/list-filters.ts'
import { pageById, pageOf } from '../../http/paging.ts'
import { correlationId, hash, object, oneOf, text, timestamp, uuid } from '../../http/wire.ts'

/** Wire shapes of legal holds; docs/api.md describes them. */
const reason = text({ minLength: 1, maxLength: limits.erasureReasonChars, description: 'It is kept for good.' })

export const newHold = object(
  {
    object_reference: Type.Optional(text(objectReferenceRule)),
    ingestion_model: Type.Optional(text(slugRule)),
    reason,
  },
  { $id: 'NewHold', description: 'On an object or on an ingestion model: one of the two.' },
)
export type NewHold = Static<typeof newHold>

export const holdRelease = object({ reason }, { $id: 'HoldRelease' })

export const hold = object(
  {
    id: uuid,
    status: oneOf(['in_force', 'released']),
    /** Left out for a hold on a model, after the object was erased, and in a hold that a restore brought back. */
    object_reference: Type.Optional(text(objectReferenceRule)),
    object_reference_hash: Type.Optional(hash),
    ingestion_model: Type.Optional(text(slugRule)),
    reason,
    placed_by: uuid,
    placed_at: timestamp,
    correlation_id: correlationId,
    release_reason: Type.Optional(reason),
    released_by: Type.Optional(uuid),
    released_at: Type.Optional(timestamp),
  },
  { $id: 'Hold' },
)
export type Hold = Static<typeof hold>

export const holdList = pageOf('holds', hold)
export const holdQuery = object(pageById)
export const holdId = object({ holdId: uuid })
