import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { pageOf } from '../../http/paging.ts'
import {
  configurationIssue,
  correlationId,
  hash,
  json,
  object,
  oneOf,
  slug,
  text,
  timestamp,
  uuid,
} from '../../http/wire.ts'
import { sourceFormat, sourceText } from '../drafts/drafts.model.ts'
import { configurationKind, familyDescription, familyName } from '../families/families.model.ts'
import { transformerParams, versionStatus } from '../versions/versions.model.ts'

/** Wire shapes of the canonical configuration: the interface's drafts, versions, activations and mutation results. */

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

export type NewDraft = Static<typeof newDraft>

export const validateBody = object({ source: sourceText, format: sourceFormat })

export const testBody = object({ data: json })

export const transformerTestBody = object({ data: json, params: Type.Optional(transformerParams) })

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

export const cancellationCode = text({ pattern: '^[a-z0-9]+(?:_[a-z0-9]+)*$', maxLength: limits.codeChars })

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
