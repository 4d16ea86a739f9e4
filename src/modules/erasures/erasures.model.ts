import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { objectReferenceRule, slugRule } from '../../core/list-filters.ts'
import { pageById, pageOf } from '../../http/paging.ts'
import { correlationId, hash, object, oneOf, text, timestamp, uuid } from '../../http/wire.ts'
import { keepDays, part } from '../tombstones/tombstones.model.ts'

/** Wire shapes of erasures; docs/api.md describes them. */
const objectReference = text(objectReferenceRule)
const count = Type.Integer({ minimum: 0 })

export const erasurePlanBody = object({ object_reference: objectReference }, { $id: 'NewErasurePlan' })

export const newErasure = object(
  {
    object_reference: objectReference,
    reason: text({
      minLength: 1,
      maxLength: limits.erasureReasonChars,
      description: 'The rule or request behind it. It is kept, so it must not tell of the object.',
    }),
  },
  { $id: 'NewErasure' },
)

export const erasedCounts = object(
  {
    submissions: count,
    executions: count,
    steps: count,
    artifacts: count,
    artifact_bytes: count,
    events: count,
    audit_records: count,
    answers: count,
  },
  { $id: 'ErasedCounts' },
)

/** Fields about batches, which the counts of submissions leave out. */
const ofBatches = {
  refused_rows: Type.Integer({ minimum: 0, description: 'Rows of batches about the object that the intake refused.' }),
  dropped_files: Type.Integer({
    minimum: 0,
    description: 'Files of cancelled batches that name the object and are still there.',
  }),
}

export const erasurePlan = object(
  {
    counts: erasedCounts,
    ...ofBatches,
    /** Submissions of the object beyond those that one erasure takes. */
    remaining: count,
    /** Executions that have not ended; while there are any, nothing is erased. */
    at_work: count,
    /** Legal holds on the object or on an ingestion model of it; while there are any, nothing is erased. */
    holds: Type.Array(uuid),
  },
  { $id: 'ErasurePlan' },
)
export type ErasurePlan = Static<typeof erasurePlan>

export const erasure = object(
  {
    id: uuid,
    /** SHA-256 of the reference: with the reference one finds the erasure, but nobody learns the reference from it. */
    object_reference_hash: Type.Optional(hash),
    /** The retention policy that removed it; left out if a person erased it. */
    rule: Type.Optional(
      object({
        retention: Type.Integer({ minimum: 1, description: 'The number of the set of policies.' }),
        ingestion_model: Type.Optional(text(slugRule)),
        keep_days: keepDays,
        part: Type.Optional(part),
      }),
    ),
    reason: newErasure.properties.reason,
    counts: erasedCounts,
    erased_by: uuid,
    correlation_id: correlationId,
    erased_at: timestamp,
    /** `finishing` while the object store or the database's files still hold some of it. */
    status: oneOf(['finishing', 'completed']),
    completed_at: Type.Optional(timestamp),
  },
  { $id: 'Erasure' },
)
export type Erasure = Static<typeof erasure>

export const madeErasure = object({ erasure, ...ofBatches, remaining: count })
export type MadeErasure = Static<typeof madeErasure>

export const erasureList = pageOf('erasures', erasure)
export const erasureQuery = object(pageById)
export const erasureId = object({ erasureId: uuid })
