import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { slugRule } from '../../core/list-filters.ts'
import type { RetainedPart } from '../../core/retained-parts.ts'
import { object, text, timestamp, uuid } from '../../http/wire.ts'
import { keepDays } from '../tombstones/tombstones.model.ts'

/** Wire shapes of retention policies; docs/api.md describes them. */
const daysOfPart = Type.Optional(keepDays)
const daysOfParts: Record<RetainedPart, typeof daysOfPart> = {
  raw_input: daysOfPart,
  output: daysOfPart,
  artifacts: daysOfPart,
  events: daysOfPart,
  steps: daysOfPart,
}

export const policy = object(
  {
    /** Left out for all models that have no policy of their own. */
    ingestion_model: Type.Optional(text(slugRule)),
    keep_days: keepDays,
    parts: Type.Optional(
      object(daysOfParts, {
        $id: 'RetentionParts',
        description: 'Days to keep parts of a submission that go before the rest; fewer than keep_days.',
      }),
    ),
  },
  { $id: 'RetentionPolicy' },
)

export const policies = Type.Array(policy, { maxItems: limits.retentionPolicies })

export const newRetention = object(
  {
    policies,
    expected_number: Type.Integer({
      minimum: 0,
      description: 'The number of the set that this one takes the place of; 0 for the first.',
    }),
  },
  { $id: 'NewRetention' },
)
export type NewRetention = Static<typeof newRetention>

export const retention = object(
  {
    /** 0 before the first set: everything is kept. */
    number: Type.Integer({ minimum: 0 }),
    policies,
    set_by: Type.Optional(uuid),
    set_at: Type.Optional(timestamp),
  },
  { $id: 'Retention' },
)
export type Retention = Static<typeof retention>
