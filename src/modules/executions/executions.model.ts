import { type Static, Type } from '@sinclair/typebox'
import { fileFormatNames, fileMediaTypes } from '../../core/formats.ts'
import { limits } from '../../core/limits.ts'
import { executionFilters } from '../../core/list-filters.ts'
import { executionStatuses, processingKinds, stepNames, stepStatuses, stepsFor } from '../../core/steps.ts'
import { drawnFonts } from '../../http/drawn-fonts.ts'
import { filterSchemas } from '../../http/list-query.ts'
import { pageById } from '../../http/paging.ts'
import { correlationId, hash, object, oneOf, text, timestamp, uuid } from '../../http/wire.ts'
import { removedPart } from '../tombstones/tombstones.model.ts'
import { transformerParams } from '../versions/versions.model.ts'

/** Wire shapes of executions, steps, artifacts and traces: the interface's "Execution" and "Intake metadata". */
const lowerName = text({ pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' })

export const scheduleInterval = Type.Union([Type.Literal(1), Type.Literal(6), Type.Literal(12)])

export const intakeMetadata = object(
  {
    schema: Type.Literal('svc-intake-metadata-v1'),
    source_object: text({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$' }),
    source_timestamp: text({ minLength: 1, maxLength: limits.sourceTimestampChars }),
    source_actor: text({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}$' }),
    source_system: lowerName,
    fixture_family: lowerName,
    scenario_id: lowerName,
    schedule_interval_months: scheduleInterval,
  },
  { $id: 'IntakeMetadata' },
)
export type IntakeMetadata = Static<typeof intakeMetadata>

export const rawInput = text({ minLength: 1, maxBytes: limits.payloadBytes })

export const mediaType = oneOf(fileMediaTypes)
export const byteSize = Type.Integer({ minimum: 1, maximum: limits.artifactBytes })

export const removedAt = text({
  format: 'date-time',
  description: 'Since then a retention policy has removed its bytes: downloading it is 410.',
})

export const artifact = object(
  {
    id: uuid,
    kind: oneOf(fileFormatNames),
    media_type: mediaType,
    byte_size: byteSize,
    content_hash: hash,
    created_at: timestamp,
    removed_at: Type.Optional(removedAt),
  },
  { $id: 'Artifact' },
)

const issueMessage = text({ minLength: 1, maxLength: limits.stepIssueMessageChars })

export const stepFailure = object(
  {
    code: text({ pattern: '^[a-z][a-z0-9_.-]{0,63}$' }),
    message: issueMessage,
    issues: Type.Array(
      object({
        path: text({ maxLength: limits.issuePathChars }),
        keyword: Type.Optional(text({ maxLength: limits.issueKeywordChars })),
        message: issueMessage,
      }),
      { maxItems: limits.stepIssues },
    ),
  },
  { $id: 'StepFailure' },
)

const stepPosition = Type.Integer({ minimum: 1, maximum: stepNames.length })

export const step = object(
  {
    name: oneOf(stepNames),
    position: stepPosition,
    status: oneOf(stepStatuses),
    attempt: Type.Integer({ minimum: 0, maximum: limits.stepAttempts }),
    state_version: Type.Integer({ minimum: 1 }),
    started_at: Type.Optional(timestamp),
    finished_at: Type.Optional(timestamp),
    duration_ms: Type.Optional(Type.Integer({ minimum: 0 })),
    summary: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    failure: Type.Optional(stepFailure),
  },
  { $id: 'Step' },
)

export const removed = Type.Optional(
  Type.Array(removedPart, { description: 'What retention policies have removed of it; their hashes stay.' }),
)

const executionStatus = oneOf(executionStatuses)

export const executionQuery = object({ ...pageById, ...filterSchemas(executionFilters) })
export type ExecutionQuery = Static<typeof executionQuery>

export const execution = object(
  {
    id: uuid,
    submission_id: Type.Optional(uuid),
    processing_node_id: Type.Optional(uuid),
    release_id: uuid,
    release_hash: hash,
    processing_kind: oneOf(processingKinds),
    input: Type.Optional(Type.Unknown()),
    input_hash: hash,
    raw_input: Type.Optional(rawInput),
    raw_input_hash: hash,
    metadata: Type.Optional(intakeMetadata),
    output: Type.Optional(Type.Unknown()),
    output_hash: Type.Optional(hash),
    status: executionStatus,
    submitted_by: uuid,
    correlation_id: correlationId,
    created_at: timestamp,
    updated_at: timestamp,
    completed_at: Type.Optional(timestamp),
    steps: Type.Array(step, { minItems: stepsFor([]).length, maxItems: stepNames.length }),
    artifacts: Type.Array(artifact, { maxItems: fileFormatNames.length }),
    removed,
  },
  { $id: 'Execution' },
)
export type Execution = Static<typeof execution>

export const executionList = object({
  executions: Type.Array(execution, { maxItems: limits.pageSizeMax }),
  next_cursor: Type.Optional(uuid),
})

export const traceEvent = object(
  {
    id: uuid,
    sequence: Type.Integer({ minimum: 1 }),
    type: text({ minLength: 1 }),
    data: Type.Record(Type.String(), Type.Unknown()),
    correlation_id: correlationId,
    created_at: timestamp,
  },
  { $id: 'TraceEvent' },
)
export type TraceEvent = Static<typeof traceEvent>

export const trace = object({ execution_id: uuid, events: Type.Array(traceEvent), removed })

const pinnedVersion = object(
  {
    family_id: uuid,
    slug: text(),
    name: text(),
    version_id: uuid,
    version: Type.Integer({ minimum: 1 }),
    content_hash: hash,
  },
  { $id: 'PinnedVersion' },
)

export const provenance = object(
  {
    execution_id: uuid,
    submission_id: uuid,
    parent_execution_id: Type.Optional(uuid),
    status: executionStatus,
    release: object({
      id: uuid,
      name: text(),
      release_hash: hash,
      processing_kind: oneOf(processingKinds),
    }),
    contract: pinnedVersion,
    transformer: pinnedVersion,
    template: Type.Optional(pinnedVersion),
    /** Included templates, by slug. */
    fragments: Type.Optional(Type.Array(pinnedVersion)),
    ingestion_model: Type.Optional(pinnedVersion),
    model_slug: text(),
    object_reference: text(),
    object_time: timestamp,
    node_label: text(),
    node_address: text(),
    raw_input_hash: hash,
    input_hash: hash,
    /** As submitted; the transformer gets those that it declares. */
    params: Type.Optional(transformerParams),
    params_hash: Type.Optional(hash),
    output_hash: Type.Optional(hash),
    /** The answering service's version; each step names the build that ran it. */
    product_version: text(),
    steps: Type.Array(
      object({
        name: step.properties.name,
        position: stepPosition,
        status: step.properties.status,
        attempts: Type.Integer({ minimum: 0, maximum: limits.stepAttempts }),
        engine_revision: Type.Optional(text()),
        /** The PDF's renderer, unless it was the product itself, and the fonts it had besides its own. */
        renderer: Type.Optional(text()),
        fonts_hash: Type.Optional(hash),
        fonts: Type.Optional(drawnFonts),
        started_at: Type.Optional(timestamp),
        finished_at: Type.Optional(timestamp),
        duration_ms: Type.Optional(Type.Integer({ minimum: 0 })),
      }),
    ),
    artifacts: Type.Array(artifact, { maxItems: fileFormatNames.length }),
    submitted_by: uuid,
    correlation_id: correlationId,
    submitted_at: timestamp,
    created_at: timestamp,
    completed_at: Type.Optional(timestamp),
    removed,
    manifest_hash: hash,
  },
  { $id: 'Provenance' },
)
export type Provenance = Static<typeof provenance>

export const verification = object(
  {
    execution_id: uuid,
    /** True if every hash equals the recorded one. */
    identical: Type.Boolean(),
    engine_revision: text(),
    product_version: text(),
    checks: Type.Array(
      object({
        subject: oneOf([
          'raw_input',
          'input',
          'params',
          'contract',
          'transformer',
          'template',
          'release',
          'fonts',
          'output',
          ...fileFormatNames,
          'failure',
        ]),
        recorded: text(),
        /** Absent if it could not be reproduced. */
        computed: Type.Optional(text()),
        identical: Type.Boolean(),
      }),
    ),
  },
  { $id: 'Verification' },
)
export type Verification = Static<typeof verification>

export const nothing = object({})

export const retryBody = object(
  {
    step: Type.Optional(oneOf(stepNames)),
    code: Type.Optional(stepFailure.properties.code),
    release_id: Type.Optional(uuid),
    from: Type.Optional(timestamp),
    to: Type.Optional(timestamp),
    dry_run: Type.Optional(Type.Boolean()),
    after: Type.Optional(uuid),
  },
  {
    $id: 'FailedExecutions',
    description:
      'Which failed executions: those made from `from` on and before `to`, of a release, whose step failed with a code. ' +
      'Without a code, those whose failure may pass. `after` is the `next_after` of the answer before.',
  },
)
export type RetryBody = Static<typeof retryBody>

const count = Type.Integer({ minimum: 0 })

export const retryOutcome = object(
  {
    retried: count,
    causes: Type.Array(
      object({
        step: oneOf(stepNames),
        code: stepFailure.properties.code,
        executions: Type.Integer({ minimum: 1 }),
        retried: count,
      }),
    ),
    next_after: Type.Optional(uuid),
  },
  {
    $id: 'RetryOutcome',
    description:
      'What was put back into the queue, or would be: by the cause of the failure, the most frequent first. With ' +
      '`next_after` there are more.',
  },
)
export type RetryOutcome = Static<typeof retryOutcome>
