import { sourceFormats } from '../core/formats.ts'
import { activatedKinds, batchFormats, familyKinds } from '../core/kinds.ts'
import { limits } from '../core/limits.ts'
import { noticeKinds } from '../core/notice-kinds.ts'
import { executionStatuses, processingKinds, stepNames } from '../core/steps.ts'
import { API_VERSION } from '../core/version.ts'
import { cloudEventContentType, cloudEventType } from './cloudevent.ts'
import type { Aggregate } from './outbox.ts'

type Json = Record<string, unknown>

/**
 * Describes every event: what it tells, and what its data holds. `/asyncapi.json` is made from this, and a test checks
 * every event that the service writes against it.
 */
export interface EventDescription {
  aggregate: Aggregate
  type: string
  summary: string
  data: Readonly<Record<string, Json>>
  /** Members of `data` that an event may leave out. */
  optional?: readonly string[]
}

const uuid = { type: 'string', format: 'uuid' }
const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const time = { type: 'string', format: 'date-time' }
const slug = { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' }
const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }
const positive = { type: 'integer', minimum: 1 }
const step = { enum: stepNames }
const status = { enum: executionStatuses }
const processingKind = { enum: processingKinds }
const familyKind = { enum: familyKinds }
const activatedKind = { enum: activatedKinds }

const versionData = { kind: familyKind, version_id: uuid, number: positive, content_hash: hash }
const userData = { id: uuid, username: text, roles: { type: 'array', items: text }, disabled: { type: 'boolean' } }
const batchData = { model_slug: slug, rows: count }
const stepData = { execution_id: uuid, step, position: positive, attempt: count }
const failure = {
  type: 'object',
  required: ['code', 'message', 'issues'],
  properties: {
    code: text,
    message: text,
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: text, keyword: text, message: text },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}

export const eventDescriptions: readonly EventDescription[] = [
  {
    aggregate: 'family',
    type: 'created',
    summary: 'A contract, ingestion model, transformer or template was made.',
    data: { kind: familyKind, slug, name: text },
  },
  {
    aggregate: 'family',
    type: 'draft.saved',
    summary: 'New content became the draft, under the next revision.',
    data: { kind: familyKind, revision: positive, format: { enum: sourceFormats } },
  },
  { aggregate: 'family', type: 'version.frozen', summary: 'A draft became a version.', data: versionData },
  { aggregate: 'family', type: 'version.published', summary: 'Releases may use the version.', data: versionData },
  {
    aggregate: 'family',
    type: 'version.deprecated',
    summary: 'A contract version takes no new releases.',
    data: versionData,
  },
  {
    aggregate: 'activation',
    type: 'scheduled',
    summary: 'A version is or will be in force from an instant on.',
    data: {
      kind: activatedKind,
      family_id: uuid,
      family_slug: slug,
      version_id: uuid,
      version: positive,
      content_hash: hash,
      effective_from: time,
    },
  },
  {
    aggregate: 'activation',
    type: 'cancelled',
    summary: 'An activation was cancelled before it began.',
    data: {
      kind: activatedKind,
      family_id: uuid,
      version_id: uuid,
      effective_from: time,
      cancellation_code: text,
    },
  },
  {
    aggregate: 'release',
    type: 'created',
    summary: 'Versions were pinned together.',
    data: { name: text, release_hash: hash, processing_kind: processingKind },
  },
  {
    aggregate: 'submission',
    type: 'created',
    summary: 'A raw input was taken in.',
    data: { model_slug: slug, object_reference: text, object_time: time, raw_input_hash: hash, params_hash: hash },
    optional: ['params_hash'],
  },
  {
    aggregate: 'batch',
    type: 'created',
    summary: 'A file of many inputs was taken in.',
    data: { ...batchData, format: { enum: batchFormats }, content_hash: hash },
  },
  {
    aggregate: 'batch',
    type: 'paused',
    summary:
      'Nothing more of the batch is submitted until it is resumed; somebody paused it, or Quire did and says why.',
    data: { ...batchData, reason: text },
    optional: ['reason'],
  },
  { aggregate: 'batch', type: 'resumed', summary: 'Its rows are submitted again.', data: batchData },
  {
    aggregate: 'batch',
    type: 'cancelled',
    summary: 'What was not submitted of the batch never will be.',
    data: { ...batchData, submitted: count },
  },
  {
    aggregate: 'batch',
    type: 'completed',
    summary: 'Every row is submitted and at an end. After a retry it is told of again.',
    data: { ...batchData, completed: count, failed: count, refused: count },
  },
  {
    aggregate: 'execution',
    type: 'queued',
    summary: 'A step may be claimed: the first one, or the one that is retried.',
    data: {
      execution_id: uuid,
      status,
      submission_id: uuid,
      release_id: uuid,
      release_hash: hash,
      processing_kind: processingKind,
      input_hash: hash,
    },
    optional: [
      'execution_id',
      'status',
      'submission_id',
      'release_id',
      'release_hash',
      'processing_kind',
      'input_hash',
    ],
  },
  { aggregate: 'execution', type: 'step.started', summary: 'A runner claimed a step.', data: stepData },
  {
    aggregate: 'execution',
    type: 'step.succeeded',
    summary: "A step's result is recorded.",
    data: { ...stepData, duration_ms: count, summary: { type: 'object' } },
  },
  {
    aggregate: 'execution',
    type: 'step.deferred',
    summary: 'A step met a passing fault, and waits for another attempt.',
    data: { ...stepData, code: text, message: text },
  },
  {
    aggregate: 'execution',
    type: 'step.failed',
    summary: 'A step failed for good.',
    data: { ...stepData, failure },
  },
  {
    aggregate: 'execution',
    type: 'retried',
    summary: 'Somebody asked for another attempt of the failed step.',
    data: { ...stepData, status },
  },
  {
    aggregate: 'execution',
    type: 'completed',
    summary: 'The last step succeeded.',
    data: { execution_id: uuid, status },
  },
  {
    aggregate: 'execution',
    type: 'failed',
    summary: 'The execution failed; the step that did is told of before.',
    data: { execution_id: uuid, status, code: text, message: text },
  },
  {
    aggregate: 'audit',
    type: 'head.signed',
    summary: 'The audit trail goes on to a signed head, told of at most once a minute. The subject is the store.',
    data: {
      format: { const: 'quire-head-1' },
      store: uuid,
      position: positive,
      hash,
      at: time,
      public_key: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      signature: { type: 'string', pattern: '^[0-9a-f]{128}$' },
    },
  },
  {
    aggregate: 'webhook',
    type: 'stopped',
    summary: 'A receiver of webhooks gets nothing more until somebody resumes it: it answered 410, or failed for days.',
    data: { name: text, status: { enum: ['gone', 'disabled'] } },
  },
  {
    aggregate: 'notice',
    type: 'recorded',
    summary: 'A user is told of something about their account: a sign-in from a new browser, a changed credential.',
    data: { user_id: uuid, username: text, kind: { enum: noticeKinds }, name: text, address: text, expires_at: time },
    optional: ['name', 'address', 'expires_at'],
  },
  { aggregate: 'user', type: 'created', summary: 'A user was made.', data: userData },
  { aggregate: 'user', type: 'updated', summary: 'Roles, name or the disabling changed.', data: userData },
  { aggregate: 'user', type: 'password_reset', summary: 'An administrator set a password.', data: userData },
  {
    aggregate: 'user',
    type: 'factors_reset',
    summary: "An administrator took a user's second factors away.",
    data: userData,
  },
  { aggregate: 'user', type: 'sessions_revoked', summary: "All of a user's sessions were ended.", data: userData },
]

/** Their names in CloudEvents. */
export const cloudEventTypes: readonly string[] = eventDescriptions.map(cloudEventType)

/** JSON Schema of an event's `data`. */
export function dataSchemaOf({ data, optional = [] }: EventDescription): Json {
  return {
    type: 'object',
    required: Object.keys(data).filter((name) => !optional.includes(name)),
    properties: data,
    additionalProperties: false,
  }
}

/** The AsyncAPI 3.0 description of what Quire publishes. */
export function describeEvents(): Json {
  const channels: Json = {}
  const operations: Json = {}
  const messages: Json = {}
  for (const event of eventDescriptions) {
    // Keys of AsyncAPI maps may hold no dots where references go through them without escapes.
    const key = `${event.aggregate}_${event.type.replaceAll('.', '_')}`
    messages[key] = messageOf(event)
    channels[key] = {
      address: `quire/v1/${event.aggregate}/{id}/${event.type}`,
      parameters: { id: { description: `The ${event.aggregate}'s id.` } },
      messages: { [key]: { $ref: `#/components/messages/${key}` } },
    }
    operations[key] = {
      action: 'send',
      summary: event.summary,
      channel: { $ref: `#/channels/${key}` },
      messages: [{ $ref: `#/channels/${key}/messages/${key}` }],
      bindings: { mqtt: { qos: 1, retain: false, bindingVersion: '0.2.0' } },
    }
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Quire events',
      version: API_VERSION,
      description:
        'CloudEvents 1.0 in structured mode over MQTT, at least once, in order per aggregate. Ids and bytes are the same in every delivery.',
    },
    defaultContentType: cloudEventContentType,
    channels,
    operations,
    components: { messages },
  }
}

function messageOf(event: EventDescription): Json {
  return {
    name: cloudEventType(event),
    summary: event.summary,
    contentType: cloudEventContentType,
    payload: {
      type: 'object',
      required: [
        'specversion',
        'id',
        'source',
        'type',
        'subject',
        'time',
        'datacontenttype',
        'sequence',
        'sequencetype',
        'correlationid',
        'data',
      ],
      properties: {
        specversion: { const: '1.0' },
        id: uuid,
        source: { const: `/quire/v1/${event.aggregate}` },
        type: { const: cloudEventType(event) },
        subject: uuid,
        time,
        datacontenttype: { const: 'application/json' },
        sequence: { type: 'string', pattern: '^[1-9][0-9]*$' },
        sequencetype: { const: 'Integer' },
        correlationid: { type: 'string', minLength: 1, maxLength: limits.correlationIdChars },
        traceparent: { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$' },
        data: dataSchemaOf(event),
      },
      additionalProperties: false,
    },
  }
}
