import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { oneOf, text } from '../../http/wire.ts'

/** Values for the params that transformers declare, by name; stored with the submission. */
export const transformerParams = Type.Record(
  Type.String({ pattern: `^[A-Za-z_][A-Za-z0-9_-]{0,${limits.paramNameChars - 1}}$` }),
  Type.Union([text({ maxLength: limits.paramTextChars }), Type.Number(), Type.Boolean()]),
  { $id: 'TransformerParams', additionalProperties: false, maxProperties: limits.paramCount },
)

export type TransformerParams = Static<typeof transformerParams>

/** Only contract versions can be deprecated as well. */
export const versionStatus = oneOf(['versioned', 'published'])
