import { type Static, Type } from '@sinclair/typebox'
import { fileFormatNames } from '../../core/formats.ts'
import { limits } from '../../core/limits.ts'
import { objectReferenceRule, submissionFilters } from '../../core/list-filters.ts'
import { executionStatuses, stepNames } from '../../core/steps.ts'
import { paramTypes } from '../../engines/declarative/params.ts'
import { filterSchemas } from '../../http/list-query.ts'
import { pageById } from '../../http/paging.ts'
import {
  configurationIssue,
  correlationId,
  hash,
  object,
  oneOf,
  positiveInteger,
  slug,
  text,
  timestamp,
  uuid,
} from '../../http/wire.ts'
import { intakeMetadata, rawInput, removed, stepFailure } from '../executions/executions.model.ts'
import { transformerParams } from '../versions/versions.model.ts'

/** Wire shapes of submissions; the interface leaves them open, and docs/api.md describes them. */

/** Either intake metadata, as the test lab sends it, or the object's own reference and time. */
const aboutObject = {
  metadata: Type.Optional(intakeMetadata),
  object_reference: Type.Optional(
    text({
      ...objectReferenceRule,
      description: "Unless the model takes it from the input; else the submission's id.",
    }),
  ),
  official_time: Type.Optional(
    text({
      format: 'date-time',
      description: 'Unless the model takes it from the input; else the instant of receipt. Decides what is in force.',
    }),
  ),
}

const corrects = Type.Optional(text({ format: 'uuid', description: 'The submission in whose place this one is made.' }))

export const newSubmission = object(
  {
    ingestion_model: Type.Optional(slug),
    release_id: Type.Optional(uuid),
    raw_input: rawInput,
    ...aboutObject,
    params: Type.Optional(transformerParams),
    corrects,
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
    ...aboutObject,
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
    corrects,
    submitted_by: uuid,
    correlation_id: correlationId,
    created_at: timestamp,
    executions: Type.Array(
      object({
        id: uuid,
        node_label: text({ minLength: 1, maxLength: limits.nodeLabelChars }),
        node_address: text({ minLength: 3, maxLength: limits.nodeAddressChars }),
        status: oneOf(executionStatuses),
        failure: Type.Optional(
          object(
            { step: oneOf(stepNames), code: stepFailure.properties.code },
            { description: 'Where it failed, and as what; the execution itself says why.' },
          ),
        ),
      }),
    ),
    removed,
  },
  { $id: 'Submission' },
)
export type Submission = Static<typeof submission>

/** A version that a submission would use. */
const plannedVersion = {
  family_id: uuid,
  version_id: uuid,
  version: positiveInteger,
}
const versionInForce = object({
  ...plannedVersion,
  slug,
  in_force_since: Type.Optional(text({ format: 'date-time', description: 'Left out where a release names it.' })),
})

export const planReasons = ['always', 'condition_true', 'undecided', 'condition_false', 'parent_unwanted'] as const

const plannedNode = object({
  address: text({ minLength: 3, maxLength: limits.nodeAddressChars }),
  label: text({ minLength: 1, maxLength: limits.nodeLabelChars }),
  depth: Type.Integer({ minimum: 0 }),
  runs: Type.Boolean(),
  reason: oneOf(planReasons, {
    description:
      'always: it has no condition. undecided: its condition needs what the input has not, so validate will say why. parent_unwanted: its parent does not run.',
  }),
  transformer: Type.Optional(versionInForce),
  template: Type.Optional(versionInForce),
  formats: Type.Array(oneOf(fileFormatNames)),
  steps: Type.Array(oneOf(stepNames)),
})
export type PlannedNodeShape = Static<typeof plannedNode>

const sources = oneOf(['metadata', 'input', 'request', 'default'], {
  description: "default: the submission's id, and the instant of receipt.",
})

const valuesOfFormat = {
  decimal: oneOf(['.', ',']),
  trim: Type.Boolean(),
  empty: oneOf(['omit', 'null', 'text']),
  types: Type.Record(Type.String(), oneOf(['text', 'number', 'boolean'])),
}

/** The model's `input`, with all defaults filled in. */
const inputFormat = Type.Union(
  [
    object({
      format: Type.Literal('csv'),
      delimiter: text(),
      columns: Type.Optional(
        Type.Array(text(), { description: 'The names of the columns, where the text has no line of them.' }),
      ),
      rows: text({ description: 'The member that holds the rows.' }),
      ...valuesOfFormat,
    }),
    object({
      format: Type.Literal('xml'),
      root: text(),
      namespaces: Type.Record(Type.String(), text(), { description: 'By the prefix that names have in the input.' }),
      lists: Type.Array(text(), { description: 'Places of elements that make an array.' }),
      objects: Type.Array(text(), { description: 'Places of elements that make an object.' }),
      text: text({ description: "The member that holds an object's own text." }),
      attributes: text({ description: 'What comes before the name of an attribute.' }),
      ...valuesOfFormat,
    }),
  ],
  { description: 'What the model reads; left out for JSON.' },
)
export type InputFormatShape = Static<typeof inputFormat>

export const submissionPlan = object(
  {
    model: Type.Optional(versionInForce),
    release_id: Type.Optional(uuid),
    contract: object({ ...plannedVersion, name: text({ minLength: 1 }) }),
    object_reference: Type.Optional(text({ minLength: 1, maxLength: limits.objectReferenceChars })),
    object_reference_from: sources,
    object_reference_source: Type.Optional(text({ description: 'Where the model takes it from.' })),
    object_time: timestamp,
    object_time_from: sources,
    object_time_source: Type.Optional(text({ description: 'Where the model takes it from.' })),
    nodes: Type.Array(plannedNode, { maxItems: limits.modelNodes }),
    params: Type.Array(object({ name: text(), type: oneOf(paramTypes), transformers: Type.Array(text()) }), {
      description: 'All that must be handed in.',
    }),
    valid: Type.Boolean({ description: 'Whether the input satisfies its contract, the params fit, and a node runs.' }),
    input_format: Type.Optional(inputFormat),
    input: Type.Optional(
      Type.Unknown({
        description: 'The input as its contract sees it, where it is in another format and can be read.',
      }),
    ),
    input_is_json: Type.Boolean({ description: 'Whether the input can be read; also of input in another format.' }),
    issues: Type.Array(configurationIssue, {
      maxItems: limits.configurationIssues,
      description: 'Of the stage "input", by the place in it; of the stage "params", at /params/<name>.',
    }),
    correlation_id: correlationId,
  },
  { $id: 'SubmissionPlan' },
)
export type SubmissionPlan = Static<typeof submissionPlan>

export const createdSubmission = object({ submission })

export const submissionList = object({
  submissions: Type.Array(submission, { maxItems: limits.pageSizeMax }),
  next_cursor: Type.Optional(uuid),
})

export const submissionQuery = object({ ...pageById, ...filterSchemas(submissionFilters) })
export type SubmissionQuery = Static<typeof submissionQuery>
