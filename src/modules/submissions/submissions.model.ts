import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { submissionFilters } from '../../core/list-filters.ts'
import { executionStatuses } from '../../core/steps.ts'
import { filterSchemas } from '../../http/list-query.ts'
import { pageById } from '../../http/paging.ts'
import { correlationId, hash, object, oneOf, slug, text, timestamp, uuid } from '../../http/wire.ts'
import { intakeMetadata, rawInput } from '../executions/executions.model.ts'
import { transformerParams } from '../versions/versions.model.ts'

/** Wire shapes of submissions; the interface leaves them open, docs/api.md describes them. */
export const newSubmission = object(
  {
    ingestion_model: Type.Optional(slug),
    release_id: Type.Optional(uuid),
    raw_input: rawInput,
    metadata: Type.Optional(intakeMetadata),
    params: Type.Optional(transformerParams),
  },
  { $id: 'NewSubmission' },
)
export type NewSubmission = Static<typeof newSubmission>

/** Exactly one of `input` and `raw_input`. */
export const newExecution = object(
  {
    release_id: uuid,
    input: Type.Optional(Type.Unknown()),
    raw_input: Type.Optional(rawInput),
    metadata: Type.Optional(intakeMetadata),
    params: Type.Optional(transformerParams),
  },
  { $id: 'NewExecution' },
)
export type NewExecution = Static<typeof newExecution>

export const submission = object(
  {
    id: uuid,
    model_slug: slug,
    object_reference: text({ minLength: 1, maxLength: limits.objectReferenceChars }),
    object_time: timestamp,
    raw_input_hash: hash,
    metadata: Type.Optional(intakeMetadata),
    params: Type.Optional(transformerParams),
    params_hash: Type.Optional(hash),
    submitted_by: uuid,
    correlation_id: correlationId,
    created_at: timestamp,
    executions: Type.Array(
      object({
        id: uuid,
        node_label: text({ minLength: 1, maxLength: limits.nodeLabelChars }),
        node_address: text({ minLength: 3, maxLength: limits.nodeAddressChars }),
        status: oneOf(executionStatuses),
      }),
    ),
  },
  { $id: 'Submission' },
)
export type Submission = Static<typeof submission>

export const createdSubmission = object({ submission })

export const submissionList = object({
  submissions: Type.Array(submission, { maxItems: limits.pageSizeMax }),
  next_cursor: Type.Optional(uuid),
})

export const submissionQuery = object({ ...pageById, ...filterSchemas(submissionFilters) })
export type SubmissionQuery = Static<typeof submissionQuery>
