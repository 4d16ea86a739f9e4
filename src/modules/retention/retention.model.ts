import { type Static, Type } from '@sinclair/typebox'
import { object } from '../../http/wire.ts'
import { erasedCounts } from '../erasures/erasures.model.ts'
import { policies, policy } from '../policies/policies.model.ts'

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
      }),
    ),
    is_complete: Type.Boolean({ description: 'False where there is more to count than is counted at once.' }),
  },
  { $id: 'RetentionPlan' },
)
export type RetentionPlan = Static<typeof retentionPlan>
