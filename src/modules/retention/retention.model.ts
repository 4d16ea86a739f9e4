import { type Static, Type } from '@sinclair/typebox'
import { object } from '../../http/wire.ts'
import { erasedCounts } from '../erasures/erasures.model.ts'
import { policies, policy } from '../policies/policies.model.ts'
import { part } from '../tombstones/tombstones.model.ts'

/** Wire shapes of what retention policies remove; docs/api.md describes them. */
export const retentionPlanBody = object(
  { policies: Type.Optional(policies) },
  { $id: 'NewRetentionPlan', description: 'Without policies, those in force.' },
)

export const retentionPlan = object(
  {
    policies: Type.Array(
      object({
        policy,
        counts: erasedCounts,
        held: Type.Integer({ minimum: 0, description: 'Submissions under a legal hold, which stay.' }),
        at_work: Type.Integer({ minimum: 0, description: 'Submissions that stay until their executions have ended.' }),
        parts: Type.Optional(
          Type.Array(
            object({
              part,
              counts: erasedCounts,
              held: Type.Integer({ minimum: 0 }),
              at_work: Type.Integer({
                minimum: 0,
                description: 'Also submissions with events that are not sent to everybody yet.',
              }),
            }),
            { description: 'What goes of submissions that stay: `submissions` counts them.' },
          ),
        ),
      }),
    ),
    is_complete: Type.Boolean({ description: 'False where there is more to count than is counted at once.' }),
  },
  { $id: 'RetentionPlan' },
)
export type RetentionPlan = Static<typeof retentionPlan>
