import { type Static, Type } from '@sinclair/typebox'
import { textFormats } from '../../core/formats.ts'
import { limits } from '../../core/limits.ts'
import { pageOf } from '../../http/paging.ts'
import { configurationIssue, correlationId, hash, object, oneOf, slug, text, timestamp, uuid } from '../../http/wire.ts'

/** Wire shapes of the canonical configuration: the interface's drafts, versions, activations and mutation results. */

export const configurationKind = oneOf(['ingestion_model', 'transformer', 'template'])
export type ConfigurationKind = Static<typeof configurationKind>

/** One line with at least one visible character. */
export const familyName = text({
  minLength: 1,
  maxLength: limits.familyNameChars,
  pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$',
})
/** May be empty, and have several lines. */
export const familyDescription = text({
  maxLength: limits.familyDescriptionChars,
  pattern: '^[^\\p{Cc}\\n\\r\\t]*(?:[\\n\\r\\t][^\\p{Cc}\\n\\r\\t]*)*$',
})
export const sourceText = text({ minLength: 1, maxBytes: limits.sourceBytes })
export const sourceFormat = oneOf(textFormats)
export const nothing = object({})

export const newFamily = object({ slug, name: familyName, description: familyDescription }, { $id: 'NewFamily' })

export const newDraft = object(
  {
    source: sourceText,
    format: sourceFormat,
    name: Type.Optional(familyName),
    description: Type.Optional(familyDescription),
  },
  { $id: 'NewDraft' },
)
export const validateBody = object({ source: sourceText, format: sourceFormat })
/** Values for the params that transformers declare, by name; recorded with whatever they were handed in with. */
export const transformerParams = Type.Record(
  Type.String({ pattern: `^[A-Za-z_][A-Za-z0-9_-]{0,${limits.paramNameChars - 1}}$` }),
  Type.Union([text({ maxLength: limits.paramTextChars }), Type.Number(), Type.Boolean()]),
  { $id: 'TransformerParams', additionalProperties: false, maxProperties: limits.paramCount },
)
export type TransformerParams = Static<typeof transformerParams>

/** `data` may be any JSON value, null included, but must be there. */
export const testBody = object({ data: Type.Unknown() })
export const transformerTestBody = object({ data: Type.Unknown(), params: Type.Optional(transformerParams) })
export type TransformerToTest = Static<typeof transformerTestBody>

/** The interface's "Canonical transformer draft"; ingestion models take the same. */
export const sourceDraft = object(
  {
    id: uuid,
    slug,
    name: familyName,
    description: text(),
    source: text({ maxBytes: limits.sourceBytes }),
    format: sourceFormat,
    revision: Type.Integer({ minimum: 1 }),
    updated_at: timestamp,
  },
  { $id: 'SourceDraft' },
)
export type SourceDraft = Static<typeof sourceDraft>

const positive = Type.Integer({ minimum: 1 })
/** Only contract versions can be deprecated as well. */
export const versionStatus = oneOf(['versioned', 'published'])

const familyFields = {
  kind: configurationKind,
  id: uuid,
  slug,
  name: text({ minLength: 1 }),
  description: text(),
  draft_revision: Type.Integer({ minimum: 0 }),
  created_at: timestamp,
  updated_at: timestamp,
}

export const definitionVersion = object(
  {
    kind: configurationKind,
    id: uuid,
    family_id: uuid,
    number: positive,
    content_hash: hash,
    source_revision: positive,
    status: versionStatus,
    format: sourceFormat,
    byte_size: positive,
    created_at: timestamp,
    created_by: uuid,
    published_at: Type.Optional(timestamp),
    source: Type.Optional(text({ maxBytes: limits.sourceBytes })),
  },
  { $id: 'DefinitionVersion' },
)
export type DefinitionVersion = Static<typeof definitionVersion>

export const definitionFamily = object(familyFields, { $id: 'DefinitionFamily' })
export type DefinitionFamily = Static<typeof definitionFamily>

export const definitionFamilyRead = object(
  { ...familyFields, versions: Type.Array(definitionVersion, { maxItems: limits.versionsShown }) },
  { $id: 'DefinitionFamilyRead' },
)
export type DefinitionFamilyRead = Static<typeof definitionFamilyRead>

export const versionList = pageOf('versions', definitionVersion)

/** The interface's four outcomes of a configuration mutation. */
export const publicationOutcome = object(
  {
    kind: configurationKind,
    family_id: uuid,
    family_slug: slug,
    version_id: uuid,
    version: positive,
    content_hash: hash,
    activation_id: uuid,
    effective_from: timestamp,
    scheduled_at: timestamp,
  },
  { $id: 'PublicationOutcome' },
)

export const cancellationCode = text({ pattern: '^[a-z0-9]+(?:_[a-z0-9]+)*$', maxLength: 64 })

export const cancellationOutcome = object(
  {
    activation_id: uuid,
    kind: configurationKind,
    family_id: uuid,
    version_id: uuid,
    effective_from: timestamp,
    cancelled_at: timestamp,
    cancellation_code: cancellationCode,
  },
  { $id: 'CancellationOutcome' },
)

export const versionOutcome = object(
  {
    kind: configurationKind,
    id: uuid,
    family_id: uuid,
    number: positive,
    content_hash: hash,
    source_revision: positive,
    status: versionStatus,
    created_at: timestamp,
    reused: Type.Boolean(),
  },
  { $id: 'DefinitionVersionOutcome' },
)

export const mutationResult = object(
  {
    resource_kind: oneOf(['activation', 'ingestion_model', 'transformer', 'template']),
    resource_id: uuid,
    result: Type.Union([publicationOutcome, cancellationOutcome, definitionFamily, versionOutcome]),
    response_hash: hash,
    idempotent_replay: Type.Boolean(),
    correlation_id: correlationId,
  },
  { $id: 'ConfigurationMutationResult' },
)
export type MutationResult = Static<typeof mutationResult>
export type MutationOutcome = MutationResult['result']

export const transformerTestResult = object(
  {
    valid: Type.Boolean(),
    result: Type.Optional(
      object({
        transformer_id: uuid,
        draft_revision: positive,
        transformer_hash: hash,
        input_hash: hash,
        output: Type.Unknown(),
        output_hash: hash,
      }),
    ),
    errors: Type.Array(configurationIssue, { maxItems: limits.configurationIssues }),
    correlation_id: correlationId,
  },
  { $id: 'TransformerTestResult' },
)
export type TransformerTestResult = Static<typeof transformerTestResult>
