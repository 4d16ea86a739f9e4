import { type Static, Type } from '@sinclair/typebox'
import { batchFormats, batchRowStates, batchStatuses } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { batchFilters, batchRowFilters, causeRule } from '../../core/list-filters.ts'
import { filterSchemas } from '../../http/list-query.ts'
import { pageById, pageLimit, pageOf } from '../../http/paging.ts'
import { correlationId, hash, object, oneOf, slug, text, timestamp, uuid } from '../../http/wire.ts'

/** Wire shapes of batches; docs/api.md describes them. */
export const batchMediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

export const newBatch = object({
  ingestion_model: slug,
  name: Type.Optional(text({ minLength: 1, maxLength: limits.batchNameChars, description: "Else the file's." })),
  official_time: Type.Optional(
    text({
      format: 'date-time',
      description: 'Of every row, unless the model takes it from the input; else the instant of receipt of the batch.',
    }),
  ),
  object_reference_field: Type.Optional(
    text({
      minLength: 1,
      maxLength: limits.batchNameChars,
      description: "The column, or for NDJSON the member or JSON Pointer, that holds each object's reference.",
    }),
  ),
  params: Type.Optional(
    text({ minLength: 2, maxLength: limits.batchParamsChars, description: 'Of the transformers, as JSON.' }),
  ),
})
export type NewBatch = Static<typeof newBatch>

const counted = Type.Integer({ minimum: 0 })

export const batchCounts = object({
  waiting: Type.Integer({ minimum: 0, description: 'Not submitted yet, or to be submitted again.' }),
  at_work: counted,
  completed: counted,
  failed: Type.Integer({ minimum: 0, description: 'An execution of theirs failed.' }),
  refused: Type.Integer({ minimum: 0, description: 'The intake refused them; no submission was made.' }),
  erased: counted,
  dropped: Type.Integer({ minimum: 0, description: 'Never submitted, because the batch was cancelled.' }),
})

export const batch = object(
  {
    id: uuid,
    name: text({ minLength: 1, maxLength: limits.batchNameChars }),
    model_slug: slug,
    format: oneOf(batchFormats),
    content_hash: hash,
    byte_size: counted,
    rows: counted,
    counts: batchCounts,
    status: oneOf(batchStatuses),
    pause_reason: Type.Optional(text({ description: 'Why Quire paused it by itself.' })),
    official_time: Type.Optional(timestamp),
    file_kept: Type.Boolean({ description: 'The file is kept until its last row is submitted.' }),
    created_by: uuid,
    correlation_id: correlationId,
    created_at: timestamp,
    updated_at: timestamp,
    completed_at: Type.Optional(timestamp),
  },
  { $id: 'Batch' },
)
export type Batch = Static<typeof batch>

export const batchList = pageOf('batches', batch)
export const batchQuery = object({ ...pageById, ...filterSchemas(batchFilters) })
export type BatchQuery = Static<typeof batchQuery>
export const batchId = object({ batchId: uuid })

const remedies = ['retry', 'submit_again'] as const
const place = text({
  maxLength: limits.batchPlaceChars,
  description: 'In the input, as a JSON Pointer; * for any index.',
})

const cause = text({ pattern: causeRule.pattern, description: 'Its name: the same for all rows of the cause.' })

export const batchFailures = object(
  {
    causes: Type.Array(
      object({
        cause,
        state: oneOf(['failed', 'refused']),
        code: text({ minLength: 1, maxLength: limits.codeChars }),
        step: text({
          maxLength: limits.codeChars,
          description: 'That failed; empty for rows that the intake refused.',
        }),
        place,
        message: text({ description: 'Of the first row.' }),
        rows: counted,
        first_row: counted,
        remedy: oneOf(remedies, {
          description:
            'retry: what failed may pass, and is tried again with the same versions. submit_again: the rows are submitted again, with the versions in force now; the new submissions correct the old ones.',
        }),
      }),
      { maxItems: limits.batchCauses },
    ),
  },
  { $id: 'BatchFailures' },
)
export type BatchFailures = Static<typeof batchFailures>

export const batchRetry = object({ cause }, { $id: 'BatchRetry' })
export type BatchRetry = Static<typeof batchRetry>

export const batchRetried = object({
  retried: counted,
  remaining: Type.Integer({ minimum: 0, description: 'Rows of the cause that this request has not come to.' }),
  batch,
})
export type BatchRetried = Static<typeof batchRetried>

export const batchRow = object({
  number: Type.Integer({ minimum: 1 }),
  line: Type.Integer({ minimum: 1, description: 'Of the file, where the row begins.' }),
  state: oneOf(batchRowStates),
  object_reference: Type.Optional(text({ minLength: 1, maxLength: limits.objectReferenceChars })),
  submission_id: Type.Optional(uuid),
  cause: Type.Optional(cause),
  code: Type.Optional(text()),
  step: Type.Optional(text()),
  place: Type.Optional(place),
  message: Type.Optional(text()),
})
export type BatchRowShape = Static<typeof batchRow>

export const batchRowList = pageOf('rows', batchRow)
export const batchRowQuery = object({
  limit: pageLimit,
  cursor: Type.Optional(text({ minLength: 1, maxLength: 9, pattern: '^[1-9][0-9]*$' })),
  ...filterSchemas(batchRowFilters),
})
export type BatchRowQuery = Static<typeof batchRowQuery>

export const resultForms = ['zip', 'pdf'] as const
export const batchResultQuery = object({
  form: Type.Optional(
    oneOf(resultForms, { description: 'zip: every document as a file. pdf: all PDFs as one, with bookmarks.' }),
  ),
  from_row: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.batchRows })),
  to_row: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.batchRows })),
})
export type BatchResultQuery = Static<typeof batchResultQuery>
