import { sql } from 'drizzle-orm'
import type { Binding } from '../core/binding.ts'
import type { FileFormat, SourceFormat } from '../core/formats.ts'
import type { PinnedFragment } from '../core/fragment.ts'
import type { JsonValue } from '../core/json.ts'
import type {
  ActivatedKind,
  ActivationStatus,
  BatchFormat,
  BatchRowState,
  BatchStatus,
  CaseKind,
  DeliveryStatus,
  FamilyKind,
  WebhookStatus,
} from '../core/kinds.ts'
import type { NoticeKind } from '../core/notice-kinds.ts'
import type { Reading } from '../core/reading.ts'
import type { RetainedPart } from '../core/retained-parts.ts'
import type { ExecutionStatus, ProcessingKind, StepName, StepStatus } from '../core/steps.ts'
import type { Kit } from './kit.ts'

/** Literals stored in rows; the interface's words. */
export type Role = 'administrator' | 'engineer' | 'operator' | 'auditor' | 'business_viewer'
/** What a token may do: permissions of roles, and rights that for a session the role alone decides. */
export type TokenScope =
  | 'submission_read'
  | 'submission_create'
  | 'artifact_download'
  | 'audit_read'
  | 'user_manage'
  | 'configuration_read'
  | 'configuration_write'
  | 'readiness_read'
  | 'object_erase'
  | 'webhook_manage'
/** What a sign-in by password still needs. */
export type SignInStep = 'second_factor' | 'enrolment'
export type FactorKind = 'app' | 'passkey'
export type VersionStatus = 'versioned' | 'published' | 'deprecated'
export type CaseProvider = 'external-generator' | 'svc fixture'

/** When a model's suite must be green: before a part of it is put in force, or already before it is frozen. */
export type SuiteRequirement = 'in_force' | 'freeze'

/** What an erasure removed: counts by kind, and the documents' bytes. */
export interface ErasedCounts {
  submissions: number
  executions: number
  steps: number
  artifacts: number
  artifact_bytes: number
  events: number
  audit_records: number
  answers: number
}

/** Days to keep, by part; an unnamed part stays as long as the submission. */
export type PartDays = Partial<Record<RetainedPart, number>>

/** How long submissions are kept; without a model, those of every model that has no policy of its own. */
export interface RetentionPolicy {
  ingestion_model?: string
  keep_days: number
  /** Parts that are removed before the submissions themselves. */
  parts?: PartDays
}

/** The policy under which something was removed, and the number of its set. */
export interface RetentionRule {
  retention: number
  ingestion_model?: string
  /** How long the part was kept, if the policy removed one. */
  keep_days: number
  part?: RetainedPart
}

/**
 * What an erasure leaves tombstones for. A part's tombstone has the submission's id; `execution_state` has the state of an
 * execution after a part of it was removed.
 */
export type ErasedKind = 'submission' | 'execution' | 'audit_record' | 'object' | 'execution_state' | RetainedPart

export interface StepFailure {
  code: string
  message: string
  issues: { path: string; keyword?: string; message: string }[]
}

/** The tables of both dialects; drizzle-kit reads them through sqlite-schema.ts and postgres-schema.ts. */
export function makeSchema(kit: Kit) {
  const { table, text, int, bool, json, instant, bytes, index, uniqueIndex, primaryKey } = kit

  const users = table(
    'users',
    {
      id: text('id').primaryKey(),
      username: text('username').notNull(),
      displayName: text('display_name').notNull(),
      roles: json<Role[]>('roles').notNull(),
      passwordHash: text('password_hash').notNull(),
      mustChangePassword: bool('must_change_password').notNull(),
      disabled: bool('disabled').notNull(),
      /** A service account: it has no password and can't sign in; only its tokens act for it. */
      isService: bool('is_service').notNull().default(false),
      /** The provider's issuer and subject; null for a user with a password. */
      oidcIssuer: text('oidc_issuer'),
      oidcSubject: text('oidc_subject'),
      /** When the provider last vouched for the user; null after it assigned no role. */
      oidcSignedInAt: instant('oidc_signed_in_at'),
      createdAt: instant('created_at').notNull(),
      updatedAt: instant('updated_at').notNull(),
    },
    (t) => [uniqueIndex('users_username').on(t.username), uniqueIndex('users_oidc').on(t.oidcIssuer, t.oidcSubject)],
  )

  const sessions = table(
    'sessions',
    {
      id: text('id').primaryKey(),
      tokenHash: text('token_hash').notNull(),
      userId: text('user_id').notNull(),
      /** The host that issued the cookie; the session is valid for no other. */
      host: text('host').notNull(),
      createdAt: instant('created_at').notNull(),
      lastSeenAt: instant('last_seen_at').notNull(),
      expiresAt: instant('expires_at').notNull(),
      /** When the person last gave the password in this session; null for a session from before this was stored. */
      passwordGivenAt: instant('password_given_at'),
      /** Hash of the issuer and its session id, by which the provider can end the session; null for other sessions. */
      oidcSession: text('oidc_session'),
      /** What is missing before the session may do anything; null for a complete one. */
      awaits: text('awaits').$type<SignInStep>(),
      /** The address from which it was opened, and the browser's User-Agent; null for a session from before this was stored. */
      address: text('address'),
      browser: text('browser'),
    },
    (t) => [
      uniqueIndex('sessions_token').on(t.tokenHash),
      index('sessions_oidc').on(t.oidcSession),
      index('sessions_user').on(t.userId),
      index('sessions_expiry').on(t.expiresAt),
    ],
  )

  /** Second factors of users. */
  const factors = table(
    'factors',
    {
      id: text('id').primaryKey(),
      userId: text('user_id').notNull(),
      kind: text('kind').$type<FactorKind>().notNull(),
      name: text('name').notNull(),
      /** The key shared with an authenticator app, encrypted (http/sealed.ts); a passkey's public key as base64url. */
      key: text('key').notNull(),
      /** A passkey's id, and its host name; null for an app. */
      credentialId: text('credential_id'),
      host: text('host'),
      transports: json<string[]>('transports'),
      /** The last step whose code was used; for a passkey, its count of signatures. */
      counter: int('counter').notNull(),
      /** Wrong codes in a row. */
      failures: int('failures').notNull(),
      createdAt: instant('created_at').notNull(),
      lastUsedAt: instant('last_used_at'),
    },
    (t) => [uniqueIndex('factors_credential').on(t.credentialId), index('factors_user').on(t.userId, t.id)],
  )

  /** Each replaces a second factor once. Used ones stay until new ones are made. */
  const recoveryCodes = table(
    'recovery_codes',
    {
      codeHash: text('code_hash').primaryKey(),
      userId: text('user_id').notNull(),
      createdAt: instant('created_at').notNull(),
      usedAt: instant('used_at'),
    },
    (t) => [index('recovery_codes_user').on(t.userId)],
  )

  /** Tokens of the API, each of one user. A row stays after the token has ended, for readers of the audit trail. */
  const apiTokens = table(
    'api_tokens',
    {
      id: text('id').primaryKey(),
      tokenHash: text('token_hash').notNull(),
      userId: text('user_id').notNull(),
      name: text('name').notNull(),
      scopes: json<TokenScope[]>('scopes').notNull(),
      /** Ids of the families that it reaches; null for all. */
      families: json<string[]>('families'),
      createdBy: text('created_by').notNull(),
      createdAt: instant('created_at').notNull(),
      expiresAt: instant('expires_at').notNull(),
      revokedAt: instant('revoked_at'),
      lastUsedAt: instant('last_used_at'),
      lastAddress: text('last_address'),
      /** When the owner was notified that it expires. */
      remindedAt: instant('reminded_at'),
    },
    (t) => [
      uniqueIndex('api_tokens_token').on(t.tokenHash),
      index('api_tokens_user').on(t.userId, t.id),
      index('api_tokens_expiry').on(t.expiresAt),
    ],
  )

  /** Notices to users about their own accounts. The audit trail has the same facts, so nothing covers these rows. */
  const notices = table(
    'notices',
    {
      id: text('id').primaryKey(),
      userId: text('user_id').notNull(),
      kind: text('kind').$type<NoticeKind>().notNull(),
      /** The name of the factor or token. */
      name: text('name'),
      /** The address from which it was done, and the browser's User-Agent. */
      address: text('address'),
      browser: text('browser'),
      /** For a token. */
      expiresAt: instant('expires_at'),
      createdAt: instant('created_at').notNull(),
      readAt: instant('read_at'),
    },
    (t) => [index('notices_user').on(t.userId, t.id), index('notices_age').on(t.createdAt)],
  )

  /** One counter per throttled account or address; shared by all instances. */
  const throttles = table(
    'throttles',
    {
      key: text('key').primaryKey(),
      failures: int('failures').notNull(),
      windowStartedAt: instant('window_started_at').notNull(),
      blockedUntil: instant('blocked_until').notNull(),
    },
    (t) => [index('throttles_window').on(t.windowStartedAt)],
  )

  const families = table(
    'families',
    {
      id: text('id').primaryKey(),
      kind: text('kind').$type<FamilyKind>().notNull(),
      slug: text('slug').notNull(),
      name: text('name').notNull(),
      description: text('description').notNull(),
      /** 0 without a draft. */
      draftRevision: int('draft_revision').notNull(),
      draftSource: text('draft_source'),
      draftFormat: text('draft_format').$type<SourceFormat>(),
      /** The draft's file, for templates; a large one is in pieces under `draft_file_id`. */
      draftBytes: bytes('draft_bytes'),
      draftFileId: text('draft_file_id'),
      draftUpdatedAt: instant('draft_updated_at'),
      latestNumber: int('latest_number').notNull(),
      createdBy: text('created_by').notNull(),
      createdAt: instant('created_at').notNull(),
      updatedAt: instant('updated_at').notNull(),
    },
    (t) => [
      uniqueIndex('families_slug').on(t.kind, t.slug),
      uniqueIndex('families_name').on(t.kind, t.name),
      index('families_page').on(t.kind, t.createdAt, t.id),
    ],
  )

  const versions = table(
    'versions',
    {
      id: text('id').primaryKey(),
      familyId: text('family_id').notNull(),
      kind: text('kind').$type<FamilyKind>().notNull(),
      number: int('number').notNull(),
      contentHash: text('content_hash').notNull(),
      sourceRevision: int('source_revision').notNull(),
      status: text('status').$type<VersionStatus>().notNull(),
      source: text('source'),
      format: text('format').$type<SourceFormat>().notNull(),
      bytes: bytes('bytes'),
      /** For a large file; a draft may share its pieces. */
      fileId: text('file_id'),
      byteSize: int('byte_size').notNull(),
      bindings: json<Binding[]>('bindings'),
      /** Slugs of the templates that a template includes directly, in order; null for none. */
      fragments: json<string[]>('fragments'),
      /** The rules by which its content is always read (core/reading.ts). */
      reading: int('reading').$type<Reading>().notNull().default(1),
      createdBy: text('created_by').notNull(),
      createdAt: instant('created_at').notNull(),
      publishedAt: instant('published_at'),
      deprecatedAt: instant('deprecated_at'),
    },
    (t) => [
      uniqueIndex('versions_number').on(t.familyId, t.number),
      index('versions_hash').on(t.familyId, t.contentHash),
    ],
  )

  /**
   * Large files of drafts and versions, in order (decision 35). A file never changes; it is deleted when nothing refers to it any
   * more.
   */
  const filePieces = table(
    'file_pieces',
    {
      fileId: text('file_id').notNull(),
      number: int('number').notNull(),
      bytes: bytes('bytes').notNull(),
    },
    (t) => [primaryKey({ columns: [t.fileId, t.number] })],
  )

  const activations = table(
    'activations',
    {
      id: text('id').primaryKey(),
      kind: text('kind').$type<ActivatedKind>().notNull(),
      familyId: text('family_id').notNull(),
      familySlug: text('family_slug').notNull(),
      versionId: text('version_id').notNull(),
      version: int('version').notNull(),
      contentHash: text('content_hash').notNull(),
      effectiveFrom: instant('effective_from').notNull(),
      scheduledBy: text('scheduled_by').notNull(),
      correlationId: text('correlation_id').notNull(),
      scheduledAt: instant('scheduled_at').notNull(),
      /**
       * The status at the last read, because time alone can change it. Every reader first settles what is due, so that lists by
       * status have an index in the order of their pages.
       */
      status: text('status').$type<ActivationStatus>().notNull(),
      cancelledAt: instant('cancelled_at'),
      cancellationCode: text('cancellation_code'),
    },
    (t) => [
      // A cancelled activation frees its instant, so only the others must be unique.
      uniqueIndex('activations_instant').on(t.familyId, t.effectiveFrom).where(sql`cancelled_at is null`),
      // An expression, or SQLite would choose the index on the status below, and sort.
      index('activations_due').on(t.effectiveFrom).where(sql`(status || '') = 'scheduled'`),
      // An expression, or lists of what is in force would use it instead of their family's index.
      index('activations_calendar')
        .on(sql`(effective_from || '')`, t.correlationId, t.id)
        .where(sql`cancelled_at is null`),
      // An expression, or PostgreSQL would walk this index far back for a frequent status.
      index('activations_page').on(sql`(scheduled_at || '')`, t.id),
      index('activations_status_page').on(t.status, t.scheduledAt, t.id),
      index('activations_family_page').on(t.familyId, t.scheduledAt, t.id),
      index('activations_family_status_page').on(t.familyId, t.status, t.scheduledAt, t.id),
      index('activations_kind_page').on(t.kind, t.scheduledAt, t.id),
      index('activations_kind_status_page').on(t.kind, t.status, t.scheduledAt, t.id),
    ],
  )

  const releases = table(
    'releases',
    {
      id: text('id').primaryKey(),
      name: text('name').notNull(),
      releaseHash: text('release_hash').notNull(),
      processingKind: text('processing_kind').$type<ProcessingKind>().notNull(),
      contractVersionId: text('contract_version_id').notNull(),
      transformVersionId: text('transform_version_id').notNull(),
      templateVersionId: text('template_version_id'),
      /** All templates that the template includes, directly or through others, by slug in order; null for none. */
      fragments: json<PinnedFragment[]>('fragments'),
      /** The pinned version ids, for releases made by submissions: one release for each distinct pin. */
      automaticPin: text('automatic_pin'),
      /**
       * Whether the release was checked against its contract. Only a root's use checks that, since children read their parent's
       * output.
       */
      contractChecked: bool('contract_checked').notNull(),
      createdBy: text('created_by').notNull(),
      createdAt: instant('created_at').notNull(),
    },
    (t) => [uniqueIndex('releases_pin').on(t.automaticPin), index('releases_page').on(t.createdAt, t.id)],
  )

  const submissions = table(
    'submissions',
    {
      id: text('id').primaryKey(),
      modelSlug: text('model_slug').notNull(),
      modelVersionId: text('model_version_id'),
      objectReference: text('object_reference').notNull(),
      /** The official object time, for which everything in force was resolved. */
      objectTime: instant('object_time').notNull(),
      rawInput: text('raw_input').notNull(),
      rawInputHash: text('raw_input_hash').notNull(),
      /** The transformers' params as canonical JSON text, and its hash; null if there were none. */
      params: text('params'),
      paramsHash: text('params_hash'),
      metadata: json<unknown>('metadata'),
      /** The submission that this one replaces. */
      corrects: text('corrects'),
      submittedBy: text('submitted_by').notNull(),
      correlationId: text('correlation_id').notNull(),
      createdAt: instant('created_at').notNull(),
    },
    (t) => [
      index('submissions_page').on(t.createdAt, t.id),
      index('submissions_object_page').on(t.objectReference, t.createdAt, t.id),
      // Partial, because few have one.
      index('submissions_corrects_page').on(t.corrects, t.createdAt, t.id).where(sql`corrects is not null`),
    ],
  )

  const executions = table(
    'executions',
    {
      id: text('id').primaryKey(),
      submissionId: text('submission_id').notNull(),
      /** A stable id of the node within its model version, and its label in the storage list. */
      processingNodeId: text('processing_node_id'),
      nodeLabel: text('node_label').notNull(),
      nodeAddress: text('node_address').notNull(),
      /** The execution whose output is this one's input; null for a root node, which reads the raw input. */
      parentExecutionId: text('parent_execution_id'),
      releaseId: text('release_id').notNull(),
      releaseHash: text('release_hash').notNull(),
      processingKind: text('processing_kind').$type<ProcessingKind>().notNull(),
      status: text('status').$type<ExecutionStatus>().notNull(),
      inputHash: text('input_hash').notNull(),
      rawInputHash: text('raw_input_hash').notNull(),
      /** The transformer's result as JSON text; null until it has succeeded. */
      output: text('output'),
      outputHash: text('output_hash'),
      submittedBy: text('submitted_by').notNull(),
      correlationId: text('correlation_id').notNull(),
      /** Trace context (W3C) of the request, for every step, whichever instance runs it. */
      traceparent: text('traceparent'),
      createdAt: instant('created_at').notNull(),
      updatedAt: instant('updated_at').notNull(),
      completedAt: instant('completed_at'),
    },
    (t) => [
      index('executions_page').on(t.createdAt, t.id),
      index('executions_status_page').on(t.status, t.createdAt, t.id),
      index('executions_submission').on(t.submissionId, t.createdAt, t.id),
      index('executions_release').on(t.releaseId, t.createdAt, t.id),
      // Failed is the only status that is rare and final: nearly all executions complete, and few are running.
      index('executions_release_failed').on(t.releaseId, t.createdAt, t.id).where(sql`status = 'failed'`),
      index('executions_parent').on(t.parentExecutionId),
    ],
  )

  const steps = table(
    'steps',
    {
      id: text('id').primaryKey(),
      executionId: text('execution_id').notNull(),
      position: int('position').notNull(),
      name: text('name').$type<StepName>().notNull(),
      status: text('status').$type<StepStatus>().notNull(),
      attempt: int('attempt').notNull(),
      /** Raised by every change of the row: the fence that a runner must still hold to record an outcome. */
      stateVersion: int('state_version').notNull(),
      leaseOwner: text('lease_owner'),
      leaseExpiresAt: instant('lease_expires_at'),
      /** When a queued step may be claimed: at once, or after a back-off. */
      availableAt: instant('available_at').notNull(),
      startedAt: instant('started_at'),
      finishedAt: instant('finished_at'),
      durationMs: int('duration_ms'),
      summary: json<Record<string, unknown>>('summary'),
      failure: json<StepFailure>('failure'),
    },
    (t) => [
      uniqueIndex('steps_position').on(t.executionId, t.position),
      // Partial, so both stay small: they hold only steps that still need work. The first is in the order in which the runner
      // claims: nearest to completion first, then oldest.
      index('steps_ready').on(sql`position desc`, t.availableAt, t.id).where(sql`status = 'queued'`),
      index('steps_leased').on(t.leaseExpiresAt).where(sql`status = 'running'`),
    ],
  )

  const artifacts = table(
    'artifacts',
    {
      id: text('id').primaryKey(),
      executionId: text('execution_id').notNull(),
      submissionId: text('submission_id').notNull(),
      kind: text('kind').$type<FileFormat>().notNull(),
      byteSize: int('byte_size').notNull(),
      contentHash: text('content_hash').notNull(),
      // The storage list's columns, copied here so that listing needs no join and every filter has an index.
      objectReference: text('object_reference').notNull(),
      modelSlug: text('model_slug').notNull(),
      nodeLabel: text('node_label').notNull(),
      nodeAddress: text('node_address').notNull(),
      createdAt: instant('created_at').notNull(),
      /** When a policy removed the bytes; the row then names no object any more. */
      removedAt: instant('removed_at'),
    },
    (t) => [
      uniqueIndex('artifacts_kind').on(t.executionId, t.kind),
      // Each by format: a page over both formats is merged from two, without an index of its own. The first is on an expression,
      // or SQLite would choose it on later pages although another filter has an index.
      index('artifacts_page').on(sql`(kind || '')`, t.createdAt, t.id),
      index('artifacts_reference_page').on(t.objectReference, t.kind, t.createdAt, t.id),
      index('artifacts_model_page').on(t.modelSlug, t.kind, t.createdAt, t.id),
      index('artifacts_node_page').on(t.nodeAddress, t.kind, t.createdAt, t.id),
      index('artifacts_hash').on(t.contentHash),
    ],
  )

  /**
   * Files of many inputs for one ingestion model. The file is an object until its last row is submitted or the batch is
   * cancelled, and is dropped then, because the submissions have the rows.
   */
  const batches = table(
    'batches',
    {
      id: text('id').primaryKey(),
      name: text('name').notNull(),
      modelSlug: text('model_slug').notNull(),
      format: text('format').$type<BatchFormat>().notNull(),
      contentHash: text('content_hash').notNull(),
      /** Hash of the object with the file; null once it was dropped. */
      fileHash: text('file_hash'),
      byteSize: int('byte_size').notNull(),
      rows: int('rows').notNull(),
      /** How a row of the file becomes a raw input (engines/ingestion/batch-file.ts). */
      reading: json<unknown>('reading').notNull(),
      /** From the request; null for the instant of receipt. */
      officialTime: instant('official_time'),
      /** The transformers' params as canonical JSON text; null if there were none. */
      params: text('params'),
      status: text('status').$type<BatchStatus>().notNull(),
      /** Why Quire paused it by itself; null if a person did. */
      pauseReason: text('pause_reason'),
      /** The feeder's fence: it moves in the transaction that submits the rows before it. */
      nextRow: int('next_row').notNull(),
      /** Offset in the file's text, in UTF-16 units. */
      nextOffset: int('next_offset').notNull(),
      createdBy: text('created_by').notNull(),
      /** The token used to submit it; null for a session. */
      tokenId: text('token_id'),
      correlationId: text('correlation_id').notNull(),
      traceparent: text('traceparent'),
      createdAt: instant('created_at').notNull(),
      updatedAt: instant('updated_at').notNull(),
      completedAt: instant('completed_at'),
    },
    (t) => [
      index('batches_page').on(t.createdAt, t.id),
      index('batches_model_page').on(t.modelSlug, t.createdAt, t.id),
      index('batches_status_page').on(t.status, t.createdAt, t.id),
      index('batches_file').on(t.fileHash).where(sql`file_hash is not null`),
    ],
  )

  /** Rows of batches that the feeder has reached, by number from 1. */
  const batchRows = table(
    'batch_rows',
    {
      batchId: text('batch_id').notNull(),
      number: int('number').notNull(),
      /** The line at which it begins in the file. */
      line: int('line').notNull(),
      state: text('state').$type<BatchRowState>().notNull(),
      /** Its newest submission; null if none was made, or it was erased. */
      submissionId: text('submission_id'),
      objectReference: text('object_reference'),
      /** Kept for a refused row, so that it can be submitted again. */
      rawInput: text('raw_input'),
      /** When it counts as received; null for the batch's time. */
      receivedAt: instant('received_at'),
      /** Raised whenever the row is reopened: an outcome read before must not close it. */
      reopened: int('reopened').notNull(),
      /** Id of why it failed or was refused, in 16 digits: a hash of step, code and place. `step` is empty for a refusal. */
      cause: text('cause'),
      code: text('code'),
      step: text('step'),
      place: text('place'),
      message: text('message'),
    },
    (t) => [
      primaryKey({ columns: [t.batchId, t.number] }),
      // Partial, because nearly all rows of nearly all batches complete.
      index('batch_rows_state').on(t.batchId, t.state, t.number).where(sql`state <> 'completed'`),
      index('batch_rows_cause').on(t.batchId, t.cause, t.number).where(sql`cause is not null`),
      index('batch_rows_submission').on(t.submissionId),
      index('batch_rows_open').on(t.batchId).where(sql`state in ('waiting', 'submitted')`),
      index('batch_rows_kept').on(t.batchId).where(sql`raw_input is not null`),
    ],
  )

  /** The event log and the outbox in one: an event is unpublished until `published_at` is set. */
  const events = table(
    'events',
    {
      id: text('id').primaryKey(),
      aggregate: text('aggregate').notNull(),
      aggregateId: text('aggregate_id').notNull(),
      /** Per aggregate, from 1, without gaps. */
      sequence: int('sequence').notNull(),
      type: text('type').notNull(),
      data: json<Record<string, unknown>>('data').notNull(),
      correlationId: text('correlation_id').notNull(),
      /** Trace context (W3C) of the request, if it had one. */
      traceparent: text('traceparent'),
      createdAt: instant('created_at').notNull(),
      publishedAt: instant('published_at'),
      /** True until the deliveries to all receivers that want it exist; null if there was no receiver when it was written. */
      forWebhooks: bool('for_webhooks'),
      /** Number of the newest receiver at that time; null if there was none, or a version before 0.34 wrote the row. */
      webhookNumber: int('webhook_number'),
    },
    (t) => [
      uniqueIndex('events_sequence').on(t.aggregate, t.aggregateId, t.sequence),
      index('events_unpublished').on(t.createdAt, t.id).where(sql`published_at is null`),
      index('events_for_webhooks').on(t.createdAt, t.id).where(sql`for_webhooks is not null`),
    ],
  )

  /** Receivers of events over HTTP. */
  const webhooks = table('webhooks', {
    id: text('id').primaryKey(),
    /** In the order of registration, from 1; 0 if a version before 0.34 registered it. */
    number: int('number').notNull().default(0),
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** Types of CloudEvents; null for all. */
    eventTypes: json<string[]>('event_types'),
    /** Ids of the families whose events it gets; null for all events. */
    families: json<string[]>('families'),
    status: text('status').$type<WebhookStatus>().notNull(),
    /** Encrypted with a key derived from QUIRE_SECRET: every delivery is signed with it. */
    secret: text('secret').notNull(),
    /** The previous secret, which also signs until that time. */
    previousSecret: text('previous_secret'),
    previousUntil: instant('previous_until'),
    /** How many requests have failed since the last success, and when the first of them did. */
    failures: int('failures').notNull(),
    failingSince: instant('failing_since'),
    /** Nothing is sent before this time; null while all is well. */
    retryAt: instant('retry_at'),
    lastSuccessAt: instant('last_success_at'),
    createdBy: text('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  })

  /** An event's delivery to one receiver, kept for a while afterwards. Its body is made from the event each time. */
  const webhookDeliveries = table(
    'webhook_deliveries',
    {
      id: text('id').primaryKey(),
      webhookId: text('webhook_id').notNull(),
      eventId: text('event_id').notNull(),
      aggregate: text('aggregate').notNull(),
      aggregateId: text('aggregate_id').notNull(),
      sequence: int('sequence').notNull(),
      type: text('type').notNull(),
      status: text('status').$type<DeliveryStatus>().notNull(),
      /** Tries that count; those while the receiver was away don't. */
      attempts: int('attempts').notNull(),
      dueAt: instant('due_at').notNull(),
      /**
       * The last attempt: its time and duration, the HTTP status if there was an answer, and the answer's beginning or the error.
       */
      lastAt: instant('last_at'),
      lastMs: int('last_ms'),
      lastStatus: int('last_status'),
      lastAnswer: text('last_answer'),
      createdAt: instant('created_at').notNull(),
      endedAt: instant('ended_at'),
    },
    (t) => [
      // For finding an earlier delivery of the same aggregate, and for erasures.
      uniqueIndex('webhook_deliveries_sequence').on(t.aggregateId, t.aggregate, t.webhookId, t.sequence),
      index('webhook_deliveries_due').on(t.webhookId, t.dueAt, t.id).where(sql`status = 'pending'`),
      index('webhook_deliveries_page').on(t.webhookId, t.id),
      index('webhook_deliveries_status_page').on(t.webhookId, t.status, t.id),
      index('webhook_deliveries_age').on(t.createdAt),
    ],
  )

  /** The answer under an Idempotency-Key, which a replay gets again. */
  const idempotency = table(
    'idempotency',
    {
      actorId: text('actor_id').notNull(),
      key: text('key').notNull(),
      /** SHA-256 over method, path, If-Match and canonical body. */
      requestHash: text('request_hash').notNull(),
      status: int('status').notNull(),
      body: json<unknown>('body').notNull(),
      createdAt: instant('created_at').notNull(),
      /** The store's tag over the answer (core/signing-key.ts); null in rows of versions before 0.34. */
      attestation: text('attestation'),
    },
    (t) => [primaryKey({ columns: [t.actorId, t.key] }), index('idempotency_age').on(t.createdAt)],
  )

  /** Test payloads of contract versions. A case never changes, so the facts that it was made from are copied into it. */
  const cases = table(
    'cases',
    {
      id: text('id').primaryKey(),
      contractId: text('contract_id').notNull(),
      contractVersionId: text('contract_version_id').notNull(),
      contractVersionNumber: int('contract_version_number').notNull(),
      contractHash: text('contract_hash').notNull(),
      kind: text('kind').$type<CaseKind>().notNull(),
      seed: int('seed').notNull(),
      /** Also determines provider version, locale and generator version, which the interface ties to it. */
      provider: text('provider').$type<CaseProvider>().notNull(),
      invalidPath: text('invalid_path'),
      invalidKeyword: text('invalid_keyword'),
      payload: text('payload').notNull(),
      contentHash: text('content_hash').notNull(),
      correlationId: text('correlation_id').notNull(),
      createdBy: text('created_by').notNull(),
      createdAt: instant('created_at').notNull(),
    },
    (t) => [
      // A generated case is identified by kind and seed, an imported one by kind and bytes.
      uniqueIndex('cases_generated')
        .on(t.contractVersionId, t.kind, t.seed)
        .where(sql`provider = 'external-generator'`),
      uniqueIndex('cases_imported').on(t.contractVersionId, t.kind, t.contentHash).where(sql`provider = 'svc fixture'`),
      index('cases_page').on(t.createdAt, t.id),
      index('cases_version_page').on(t.contractVersionId, t.createdAt, t.id),
      index('cases_kind_page').on(t.kind, t.createdAt, t.id),
      index('cases_version_kind_page').on(t.contractVersionId, t.kind, t.createdAt, t.id),
    ],
  )

  /** Case files of projects, as applied last; `GET /api/v1/project` returns them. */
  const projectFiles = table('project_files', {
    /** Path within the project's folder, beginning with `cases/`. */
    path: text('path').primaryKey(),
    content: bytes('content').notNull(),
    contentHash: text('content_hash').notNull(),
    writtenBy: text('written_by').notNull(),
    correlationId: text('correlation_id').notNull(),
    writtenAt: instant('written_at').notNull(),
  })

  /** Models whose cases must pass; a model without a row has no such policy. */
  const suitePolicies = table('suite_policies', {
    /** The family of the ingestion model. */
    familyId: text('family_id').primaryKey(),
    requires: text('requires').notNull().$type<SuiteRequirement>(),
    /** Until when an administrator has lifted the policy, and why. */
    liftedUntil: instant('lifted_until'),
    liftReason: text('lift_reason'),
    setBy: text('set_by').notNull(),
    correlationId: text('correlation_id').notNull(),
    setAt: instant('set_at').notNull(),
  })

  /**
   * Texts that somebody typed into a draft and hasn't saved, as of several times. A convenience that expires by itself, so the
   * audit trail doesn't cover these rows (decision 33).
   */
  const unsavedTexts = table(
    'unsaved_texts',
    {
      id: text('id').primaryKey(),
      userId: text('user_id').notNull(),
      familyId: text('family_id').notNull(),
      /** The browser page in which it was typed. */
      tabId: text('tab_id').notNull(),
      browserId: text('browser_id').notNull(),
      /** Counts what the tab sent, so that a late request undoes nothing. */
      step: int('step').notNull(),
      content: text('content').notNull(),
      contentHash: text('content_hash').notNull(),
      /** Revision of the draft from which it was edited; 0 without one. Only an open state keeps that draft's text. */
      baseRevision: int('base_revision').notNull(),
      base: text('base'),
      byteSize: int('byte_size').notNull(),
      /** Neither saved nor discarded. */
      isOpen: bool('is_open').notNull(),
      begunAt: instant('begun_at').notNull(),
      typedAt: instant('typed_at').notNull(),
    },
    (t) => [index('unsaved_texts_user').on(t.userId, t.familyId, t.id), index('unsaved_texts_age').on(t.typedAt)],
  )

  /**
   * Who did what to which resource. Written with the change itself; the sealer fills in position, the two hashes of the chain
   * and, if the writer gave none, the digest. Decision 14 says what covers what.
   */
  const auditRecords = table(
    'audit_records',
    {
      id: text('id').primaryKey(),
      actorId: text('actor_id').notNull(),
      action: text('action').notNull(),
      resourceKind: text('resource_kind').notNull(),
      resourceId: text('resource_id'),
      correlationId: text('correlation_id').notNull(),
      at: instant('at').notNull(),
      detail: json<Record<string, JsonValue>>('detail').notNull(),
      /** Hash of the columns above; null in records of versions before 0.34, whose chain hash covers the columns. */
      contentHash: text('content_hash'),
      /** Hash of the resource's state: its rows and those that belong to it. Null if no state is covered. */
      digest: text('digest'),
      /** The store's tag over content hash and digest; only until the record is sealed. */
      attestation: text('attestation'),
      /** The position in the chain, from 1 without gaps; null while unsealed. */
      position: int('position'),
      previousHash: text('previous_hash'),
      hash: text('hash'),
    },
    (t) => [
      uniqueIndex('audit_position').on(t.position).where(sql`position is not null`),
      index('audit_unsealed').on(t.at, t.id).where(sql`position is null`),
      index('audit_page').on(t.at, t.id),
      index('audit_actor_page').on(t.actorId, t.at, t.id),
      index('audit_action_page').on(t.action, t.at, t.id),
      index('audit_kind_page').on(t.resourceKind, t.at, t.id),
      index('audit_resource_page').on(t.resourceId, t.at, t.id),
    ],
  )

  /** How far external receivers have the audit trail. */
  const auditOutlets = table('audit_outlets', {
    /** `syslog` or `otlp`. */
    name: text('name').primaryKey(),
    /** Position of the last record that it has. */
    position: int('position').notNull(),
    sentAt: instant('sent_at').notNull(),
  })

  /** Ends of the chain, one for each sealed batch, signed with the store's key. */
  const auditHeads = table('audit_heads', {
    position: int('position').primaryKey(),
    hash: text('hash').notNull(),
    /** The store's id at signing; a restore elsewhere makes another. */
    store: text('store').notNull(),
    at: instant('at').notNull(),
    publicKey: text('public_key').notNull(),
    signature: text('signature').notNull(),
  })

  /** What was erased, when, by whom and why; of the object itself only the hash of its reference. */
  const erasures = table(
    'erasures',
    {
      id: text('id').primaryKey(),
      /** Empty if a policy removed it, which may be about many objects. */
      objectReferenceHash: text('object_reference_hash').notNull(),
      rule: json<RetentionRule>('rule'),
      reason: text('reason').notNull(),
      counts: json<ErasedCounts>('counts').notNull(),
      erasedBy: text('erased_by').notNull(),
      correlationId: text('correlation_id').notNull(),
      erasedAt: instant('erased_at').notNull(),
      /** When nothing was left in the object store and in the database's files. */
      completedAt: instant('completed_at'),
    },
    (t) => [
      index('erasures_page').on(t.erasedAt, t.id),
      index('erasures_pending').on(t.id).where(sql`completed_at is null`),
    ],
  )

  /**
   * Tombstones: ids of what an erasure removed or emptied. `content_hash` is set for an emptied audit record (the hash of its new
   * content) and for an execution's state (its digest).
   */
  const erasedItems = table(
    'erased_items',
    {
      erasureId: text('erasure_id').notNull(),
      kind: text('kind').$type<ErasedKind>().notNull(),
      itemId: text('item_id').notNull(),
      contentHash: text('content_hash'),
    },
    (t) => [primaryKey({ columns: [t.erasureId, t.kind, t.itemId] }), index('erased_items_item').on(t.itemId, t.kind)],
  )

  /**
   * Legal holds, each on an object or an ingestion model: while one is in force, nothing of it is erased or removed. The
   * reference is removed when the object is erased; its hash stays.
   */
  const holds = table(
    'holds',
    {
      id: text('id').primaryKey(),
      objectReference: text('object_reference'),
      objectReferenceHash: text('object_reference_hash'),
      modelSlug: text('model_slug'),
      reason: text('reason').notNull(),
      placedBy: text('placed_by').notNull(),
      correlationId: text('correlation_id').notNull(),
      placedAt: instant('placed_at').notNull(),
      releaseReason: text('release_reason'),
      releasedBy: text('released_by'),
      releasedAt: instant('released_at'),
      /** When the hold's current state was written to the ledger outside of the database; null until then. */
      notedAt: instant('noted_at'),
    },
    (t) => [
      index('holds_page').on(t.placedAt, t.id),
      index('holds_object').on(t.objectReferenceHash).where(sql`released_at is null`),
      index('holds_model').on(t.modelSlug).where(sql`released_at is null`),
      index('holds_unnoted').on(t.id).where(sql`noted_at is null`),
    ],
  )

  /** Sets of retention policies, numbered from 1; the newest is in force. A set never changes. */
  const retention = table(
    'retention',
    {
      id: text('id').primaryKey(),
      number: int('number').notNull(),
      policies: json<RetentionPolicy[]>('policies').notNull(),
      setBy: text('set_by').notNull(),
      correlationId: text('correlation_id').notNull(),
      setAt: instant('set_at').notNull(),
      /** When it was written to the ledger outside of the database; null until then. */
      notedAt: instant('noted_at'),
    },
    (t) => [
      uniqueIndex('retention_number').on(t.number),
      index('retention_unnoted').on(t.id).where(sql`noted_at is null`),
    ],
  )

  /** Roles that one instance at a time may hold, such as the outbox relay's; they expire by the database's clock. */
  const leases = table('leases', {
    name: text('name').primaryKey(),
    owner: text('owner').notNull(),
    expiresAt: instant('expires_at').notNull(),
  })

  return {
    users,
    sessions,
    factors,
    recoveryCodes,
    apiTokens,
    notices,
    throttles,
    families,
    versions,
    filePieces,
    activations,
    releases,
    submissions,
    executions,
    steps,
    artifacts,
    batches,
    batchRows,
    events,
    webhooks,
    webhookDeliveries,
    idempotency,
    cases,
    projectFiles,
    suitePolicies,
    unsavedTexts,
    auditRecords,
    auditHeads,
    auditOutlets,
    erasures,
    erasedItems,
    holds,
    retention,
    leases,
  }
}

export type Tables = ReturnType<typeof makeSchema>
