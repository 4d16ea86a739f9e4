import { type Static, Type } from '@sinclair/typebox'
import type { PinnedFragment } from '../../core/fragment.ts'
import { limits } from '../../core/limits.ts'
import { hash, object, oneOf, slug, text, uuid } from '../../http/wire.ts'

/** Values for the params that transformers declare, by name; stored with the submission. */
export const transformerParams = Type.Record(
  Type.String({ pattern: `^[A-Za-z_][A-Za-z0-9_-]{0,${limits.paramNameChars - 1}}$` }),
  Type.Union([text({ maxLength: limits.paramTextChars }), Type.Number(), Type.Boolean()]),
  { $id: 'TransformerParams', additionalProperties: false, maxProperties: limits.paramCount },
)

export type TransformerParams = Static<typeof transformerParams>

/** The templates that a release's template includes, directly or through others. */
export const pinnedFragments = Type.Array(
  object({
    slug: slug,
    template_version_id: uuid,
    content_hash: hash,
  }),
  { description: 'What the template includes, by slug. Absent without any; `release_hash` covers them.' },
)

export function fragmentToWire({ slug, versionId, contentHash }: PinnedFragment) {
  return { slug, template_version_id: versionId, content_hash: contentHash }
}

/** Additional refusals of operations that put something in force. */
export const ownWorkRefusals = {
  403: 'Refused. With QUIRE_FOUR_EYES also where the caller saved or froze what would come into force: the issue is `four_eyes.own_work`, and says who may.',
}

/** Only versions of contracts can also be deprecated. */
export const versionStatus = oneOf(['versioned', 'published'])

/** The effect of a change on documents that satisfied the older version. */
export const changeEffect = oneOf(['breaking', 'compatible', 'unknown'])

/** A rule of a contract that changed from one version to another. */
export const schemaChange = object({
  /** A JSON pointer into the schema of the named side. */
  pointer: text(),
  side: oneOf(['old', 'new']),
  keyword: text(),
  effect: changeEffect,
  message: text({ minLength: 1 }),
})
