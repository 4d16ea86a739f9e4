import { type Static, Type } from '@sinclair/typebox'
import { hash, object, oneOf, text, uuid } from '../../http/wire.ts'
import { intakeMetadata, rawInput, scheduleInterval } from '../executions/executions.model.ts'

/** The interface's "Demo catalog". */
export const demoCatalog = object(
  {
    fixture_family: Type.Literal('clws-policy-v1'),
    ready: Type.Boolean(),
    release_id: Type.Optional(uuid),
    scenarios: Type.Array(
      object({
        id: oneOf(['monthly', 'semiannual', 'annual', 'invalid']),
        name: text(),
        description: text(),
        expected_outcome: text(),
        schedule_interval_months: scheduleInterval,
        raw_input: rawInput,
        raw_input_hash: hash,
        metadata: intakeMetadata,
      }),
      { minItems: 4, maxItems: 4 },
    ),
  },
  { $id: 'DemoCatalog' },
)
export type DemoCatalog = Static<typeof demoCatalog>
