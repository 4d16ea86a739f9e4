import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { slugRule } from '../../core/list-filters.ts'
import { retainedParts } from '../../core/retained-parts.ts'
import { object, oneOf, text, timestamp, uuid } from '../../http/wire.ts'

/** Wire shapes of removed parts of submissions; docs/api.md describes them. */
export const keepDays = Type.Integer({ minimum: 1, maximum: limits.retentionDaysMax })

export const part = oneOf(retainedParts)

export const removedPart = object(
  {
    part,
    removed_at: timestamp,
    /** The policy under which it was removed. */
    policy: object({
      retention: Type.Integer({ minimum: 1, description: 'The number of the set of policies.' }),
      ingestion_model: Type.Optional(text(slugRule)),
      keep_days: keepDays,
    }),
    erasure_id: uuid,
  },
  { $id: 'RemovedPart' },
)
export type RemovedPart = Static<typeof removedPart>
