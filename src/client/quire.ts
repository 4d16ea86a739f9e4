/** Made by scripts/build-client.ts from the OpenAPI description: change that, and run `bun run build:client`. */
import type { ConfigurationIssue, Dependency } from './problems.ts'
import {
  type Answer,
  type ClientOptions,
  type OperationInput,
  type OperationSpec,
  type StreamAnswer,
  Transport,
} from './transport.ts'

export type * from './problems.ts'

export type Liveness = { status: 'live'; build: { version: string; revision: string; api_version: string } }

export type Readiness = { status: 'ready'; dependencies: Dependency[] }

export type DetailedReadiness = {
  status: 'ready' | 'unavailable'
  dependencies: {
    name: 'relational-db' | 'message-bus' | 'object-store' | 'outbox'
    operation: string
    status: 'ready' | 'unavailable'
    duration_ms: number
    reason?: string
  }[]
  outbox?: {
    backlog_size: number
    oldest_unpublished_age_seconds: number
    consumer_last_success_at: string | null
    publish_failures: number
  }
  paused?: {
    dependency: 'relational-db' | 'message-bus' | 'object-store' | 'outbox'
    code: string
    since: string
    steps: number
  }
}

export type OperationsStatus = {
  at: string
  steps: {
    queued: { count: number; is_exact: boolean }
    oldest_queued_seconds: number | null
    running: { count: number; is_exact: boolean }
    longest_running_seconds: number | null
  } | null
  paused: {
    dependency: 'relational-db' | 'message-bus' | 'object-store' | 'outbox'
    code: string
    since: string
    steps: number | null
  } | null
  ended: {
    hour: { completed: { count: number; is_exact: boolean }; failed: { count: number; is_exact: boolean } }
    day: { completed: { count: number; is_exact: boolean }; failed: { count: number; is_exact: boolean } }
  } | null
  failures: {
    causes: { step: string; code: string; executions: number; last_execution_id: string; last_at: string }[]
    is_complete: boolean
  } | null
  storage: {
    artifacts_day: { count: number; is_exact: boolean } | null
    objects: { count: number; bytes: number; at: string } | null
    data_disk: { free_bytes: number; total_bytes: number } | null
    objects_disk: { free_bytes: number; total_bytes: number } | null
  }
  orphan_sweep: { next_at: string | null; last: { at: string; found: number; removed: number } | null }
  retention: {
    policies: number | null
    next_at: string | null
    last_removed: { at: string; submissions: number; artifact_bytes: number; part?: string } | null
  }
  outbox: { waiting: { count: number; is_exact: boolean }; oldest_seconds: number | null } | null
  publish_failures: number | null
  webhooks: {
    waiting: { count: number; is_exact: boolean }
    failing: {
      id: string
      name: string
      status: 'active' | 'paused' | 'gone' | 'disabled'
      failures: number
      failing_since: string | null
    }[]
  } | null
  instances: { own: { version: string; revision: string; started_at: string | null }; other_versions: string[] | null }
  replica: { is_configured: boolean | null; lag_seconds: number | null; failures: number | null }
  backup: { at: string } | null
  audit_receivers:
    | { name: string; waiting: number | null; oldest_seconds: number | null; failures: number | null }[]
    | null
}

export type Session = {
  user: {
    id: string
    username: string
    display_name: string
    roles: ('administrator' | 'engineer' | 'operator' | 'auditor' | 'business_viewer')[]
    permissions: ('submission_read' | 'submission_create' | 'artifact_download' | 'audit_read' | 'user_manage')[]
  }
  csrf_token: string
  must_change_password: boolean
  awaits?: 'second_factor' | 'enrolment'
  expires_at: string
  idle_expires_at: string
}

export type BegunApp = { enrolment: string; uri: string; qr_code: { size: number; path: string }; key: string }

export type SecondFactor = {
  id: string
  kind: 'app' | 'passkey'
  name: string
  host?: string
  created_at: string
  last_used_at?: string
}

export type SecondFactorOverview = { factors: SecondFactor[]; recovery_codes: number; required: boolean }

export type OpenedSession = {
  id: string
  is_current: boolean
  created_at: string
  last_seen_at: string
  expires_at: string
  address?: string
  browser?: string
  is_waiting: boolean
}

export type Notice = {
  id: string
  kind:
    | 'signed_in'
    | 'attempts_throttled'
    | 'factor_refused'
    | 'password_changed'
    | 'password_reset'
    | 'factor_added'
    | 'factor_removed'
    | 'factors_reset'
    | 'recovery_codes_replaced'
    | 'provider_linked'
    | 'provider_unlinked'
    | 'token_created'
    | 'token_revoked'
    | 'token_expiring'
  created_at: string
  is_read: boolean
  name?: string
  address?: string
  browser?: string
  expires_at?: string
}

export type SignInMethods = { passwords: boolean; provider: { name: string } | null }

export type OwnAccount = {
  signs_in_by: 'password' | 'provider'
  provider_name: string | null
  issuer: string | null
  subject: string | null
  confirmed_at: string | null
}

export type User = {
  id: string
  username: string
  display_name: string
  roles: ('administrator' | 'engineer' | 'operator' | 'auditor' | 'business_viewer')[]
  disabled: boolean
  must_change_password: boolean
  is_service: boolean
  second_factors?: number
  provider_subject?: string
  created_at: string
  updated_at: string
}

export type ApiToken = {
  id: string
  name: string
  user: { id: string; username: string; is_service: boolean }
  scopes: (
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
  )[]
  families?: {
    id: string
    kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
    slug: string
    name: string
  }[]
  status: 'active' | 'expired' | 'revoked'
  created_by: string
  created_at: string
  expires_at: string
  revoked_at?: string
  last_used_at?: string
  last_address?: string
}

export type DemoCatalog = {
  fixture_family: 'clws-policy-v1'
  ready: boolean
  release_id?: string
  scenarios: {
    id: 'monthly' | 'semiannual' | 'annual' | 'invalid'
    name: string
    description: string
    expected_outcome: string
    schedule_interval_months: 1 | 6 | 12
    raw_input: string
    raw_input_hash: string
    metadata: IntakeMetadata
  }[]
}

export type IntakeMetadata = {
  schema: 'svc-intake-metadata-v1'
  source_object: string
  source_timestamp: string
  source_actor: string
  source_system: string
  fixture_family: string
  scenario_id: string
  schedule_interval_months: 1 | 6 | 12
}

export type NewSubmission = {
  ingestion_model?: string
  release_id?: string
  raw_input: string
  metadata?: IntakeMetadata
  object_reference?: string
  official_time?: string
  params?: TransformerParams
  corrects?: string
}

export type TransformerParams = Record<string, string | number | boolean>

export type SubmissionPlan = {
  model?: { family_id: string; version_id: string; version: number; slug: string; in_force_since?: string }
  release_id?: string
  contract: { family_id: string; version_id: string; version: number; name: string }
  object_reference?: string
  object_reference_from: 'metadata' | 'input' | 'request' | 'default'
  object_reference_source?: string
  object_time: string
  object_time_from: 'metadata' | 'input' | 'request' | 'default'
  object_time_source?: string
  nodes: {
    address: string
    label: string
    depth: number
    runs: boolean
    reason: 'always' | 'condition_true' | 'undecided' | 'condition_false' | 'parent_unwanted'
    transformer?: { family_id: string; version_id: string; version: number; slug: string; in_force_since?: string }
    template?: { family_id: string; version_id: string; version: number; slug: string; in_force_since?: string }
    formats: ('docx' | 'pdf')[]
    steps: ('validate' | 'transform.declarative' | 'compose' | 'render')[]
  }[]
  params: { name: string; type: 'string' | 'boolean' | 'decimal' | 'date' | 'datetime'; transformers: string[] }[]
  valid: boolean
  input_format?:
    | {
        format: 'csv'
        delimiter: string
        columns?: string[]
        rows: string
        decimal: '.' | ','
        trim: boolean
        empty: 'omit' | 'null' | 'text'
        types: Record<string, 'text' | 'number' | 'boolean'>
      }
    | {
        format: 'xml'
        root: string
        namespaces: Record<string, string>
        lists: string[]
        objects: string[]
        text: string
        attributes: string
        decimal: '.' | ','
        trim: boolean
        empty: 'omit' | 'null' | 'text'
        types: Record<string, 'text' | 'number' | 'boolean'>
      }
  input?: unknown
  input_is_json: boolean
  issues: ConfigurationIssue[]
  correlation_id: string
}

export type Submission = {
  id: string
  model_slug: string
  object_reference: string
  object_time: string
  raw_input_hash: string
  metadata?: IntakeMetadata
  params?: TransformerParams
  params_hash?: string
  corrects?: string
  submitted_by: string
  correlation_id: string
  created_at: string
  executions: {
    id: string
    node_label: string
    node_address: string
    status: 'queued' | 'processing' | 'awaiting_compose' | 'completed' | 'failed'
    failure?: { step: 'validate' | 'transform.declarative' | 'compose' | 'render'; code: string }
  }[]
  removed?: RemovedPart[]
}

export type RemovedPart = {
  part: 'raw_input' | 'output' | 'artifacts' | 'events' | 'steps'
  removed_at: string
  policy: { retention: number; ingestion_model?: string; keep_days: number }
  erasure_id: string
}

export type NewExecution = {
  release_id: string
  input?: unknown
  raw_input?: string
  metadata?: IntakeMetadata
  object_reference?: string
  official_time?: string
  params?: TransformerParams
}

export type Execution = {
  id: string
  submission_id?: string
  processing_node_id?: string
  release_id: string
  release_hash: string
  processing_kind: 'transformation' | 'document_generation'
  input?: unknown
  input_hash: string
  raw_input?: string
  raw_input_hash: string
  metadata?: IntakeMetadata
  output?: unknown
  output_hash?: string
  status: 'queued' | 'processing' | 'awaiting_compose' | 'completed' | 'failed'
  submitted_by: string
  correlation_id: string
  created_at: string
  updated_at: string
  completed_at?: string
  steps: Step[]
  artifacts: Artifact[]
  removed?: RemovedPart[]
}

export type Step = {
  name: 'validate' | 'transform.declarative' | 'compose' | 'render'
  position: number
  status: 'not_started' | 'queued' | 'running' | 'succeeded' | 'failed'
  attempt: number
  state_version: number
  started_at?: string
  finished_at?: string
  duration_ms?: number
  summary?: Record<string, unknown>
  failure?: StepFailure
}

export type StepFailure = {
  code: string
  message: string
  issues: { path: string; keyword?: string; message: string }[]
}

export type Artifact = {
  id: string
  kind: 'docx' | 'pdf'
  media_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' | 'application/pdf'
  byte_size: number
  content_hash: string
  created_at: string
  removed_at?: string
}

export type Batch = {
  id: string
  name: string
  model_slug: string
  format: 'csv' | 'ndjson'
  content_hash: string
  byte_size: number
  rows: number
  counts: {
    waiting: number
    at_work: number
    completed: number
    failed: number
    refused: number
    erased: number
    dropped: number
  }
  status: 'running' | 'paused' | 'cancelled' | 'completed'
  pause_reason?: string
  official_time?: string
  file_kept: boolean
  created_by: string
  correlation_id: string
  created_at: string
  updated_at: string
  completed_at?: string
}

export type BatchFailures = {
  causes: {
    cause: string
    state: 'failed' | 'refused'
    code: string
    step: string
    place: string
    message: string
    rows: number
    first_row: number
    remedy: 'retry' | 'submit_again'
  }[]
}

export type BatchRetry = { cause: string }

export type TraceEvent = {
  id: string
  sequence: number
  type: string
  data: Record<string, unknown>
  correlation_id: string
  created_at: string
}

export type FailedExecutions = {
  step?: 'validate' | 'transform.declarative' | 'compose' | 'render'
  code?: string
  release_id?: string
  from?: string
  to?: string
  dry_run?: boolean
  after?: string
}

export type RetryOutcome = {
  retried: number
  causes: {
    step: 'validate' | 'transform.declarative' | 'compose' | 'render'
    code: string
    executions: number
    retried: number
  }[]
  next_after?: string
}

export type Provenance = {
  execution_id: string
  submission_id: string
  parent_execution_id?: string
  status: 'queued' | 'processing' | 'awaiting_compose' | 'completed' | 'failed'
  release: { id: string; name: string; release_hash: string; processing_kind: 'transformation' | 'document_generation' }
  contract: PinnedVersion
  transformer: PinnedVersion
  template?: PinnedVersion
  fragments?: PinnedVersion[]
  ingestion_model?: PinnedVersion
  model_slug: string
  object_reference: string
  object_time: string
  node_label: string
  node_address: string
  raw_input_hash: string
  input_hash: string
  params?: TransformerParams
  params_hash?: string
  output_hash?: string
  product_version: string
  steps: {
    name: 'validate' | 'transform.declarative' | 'compose' | 'render'
    position: number
    status: 'not_started' | 'queued' | 'running' | 'succeeded' | 'failed'
    attempts: number
    engine_revision?: string
    renderer?: string
    fonts_hash?: string
    fonts?: { family: string; drawn_with: string; match: 'itself' | 'twin' | 'measured' | 'guessed' | 'borrowed' }[]
    started_at?: string
    finished_at?: string
    duration_ms?: number
  }[]
  artifacts: Artifact[]
  submitted_by: string
  correlation_id: string
  submitted_at: string
  created_at: string
  completed_at?: string
  removed?: RemovedPart[]
  manifest_hash: string
}

export type PinnedVersion = {
  family_id: string
  slug: string
  name: string
  version_id: string
  version: number
  content_hash: string
}

export type Verification = {
  execution_id: string
  identical: boolean
  engine_revision: string
  product_version: string
  checks: {
    subject:
      | 'raw_input'
      | 'input'
      | 'params'
      | 'contract'
      | 'transformer'
      | 'template'
      | 'release'
      | 'fonts'
      | 'output'
      | 'docx'
      | 'pdf'
      | 'failure'
    recorded: string
    computed?: string
    identical: boolean
  }[]
}

export type StorageItem = {
  artifact_id: string
  submission_id: string
  object_reference: string
  model_slug: string
  producing_node_label: string
  producing_node_address: string
  format: 'docx' | 'pdf'
  media_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' | 'application/pdf'
  byte_size: number
  content_hash: string
  created_at: string
  removed_at?: string
  download_path: string
}

export type FoundThing = {
  kind: 'contract' | 'ingestion_model' | 'transformer' | 'template' | 'submission' | 'execution'
  id: string
  title: string
  words: string
  found_in: 'title' | 'words' | 'id' | 'content'
}

export type AuditRecord = {
  id: string
  actor_id: string
  action: string
  resource_kind: string
  resource_id?: string
  correlation_id: string
  at: string
  detail: Record<string, unknown>
  position?: number
  previous_hash?: string
  hash?: string
}

export type AuditVerification = {
  ok: boolean
  checked: number
  from_position: number
  head_position: number
  head_hash: string
  unsealed: number
  next_position?: number
  broken?: { position: number; record_id?: string; reason: string }
}

export type NewErasurePlan = { object_reference: string }

export type ErasurePlan = {
  counts: ErasedCounts
  refused_rows: number
  dropped_files: number
  remaining: number
  at_work: number
  holds: string[]
}

export type ErasedCounts = {
  submissions: number
  executions: number
  steps: number
  artifacts: number
  artifact_bytes: number
  events: number
  audit_records: number
  answers: number
}

export type NewErasure = { object_reference: string; reason: string }

export type Erasure = {
  id: string
  object_reference_hash?: string
  rule?: {
    retention: number
    ingestion_model?: string
    keep_days: number
    part?: 'raw_input' | 'output' | 'artifacts' | 'events' | 'steps'
  }
  reason: string
  counts: ErasedCounts
  erased_by: string
  correlation_id: string
  erased_at: string
  status: 'finishing' | 'completed'
  completed_at?: string
}

export type NewHold = { object_reference?: string; ingestion_model?: string; reason: string }

export type Hold = {
  id: string
  status: 'in_force' | 'released'
  object_reference?: string
  object_reference_hash?: string
  ingestion_model?: string
  reason: string
  placed_by: string
  placed_at: string
  correlation_id: string
  release_reason?: string
  released_by?: string
  released_at?: string
}

export type HoldRelease = { reason: string }

export type Retention = { number: number; policies: RetentionPolicy[]; set_by?: string; set_at?: string }

export type RetentionPolicy = { ingestion_model?: string; keep_days: number; parts?: RetentionParts }

export type RetentionParts = {
  raw_input?: number
  output?: number
  artifacts?: number
  events?: number
  steps?: number
}

export type NewRetention = { policies: RetentionPolicy[]; expected_number: number }

export type NewRetentionPlan = { policies?: RetentionPolicy[] }

export type RetentionPlan = {
  policies: {
    policy: RetentionPolicy
    counts: ErasedCounts
    held: number
    at_work: number
    parts?: {
      part: 'raw_input' | 'output' | 'artifacts' | 'events' | 'steps'
      counts: ErasedCounts
      held: number
      at_work: number
    }[]
  }[]
  is_complete: boolean
}

export type Webhook = {
  id: string
  name: string
  url: string
  event_types?: string[]
  families?: {
    id: string
    kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
    slug: string
    name: string
  }[]
  status: 'active' | 'paused' | 'gone' | 'disabled'
  pending: number
  failures: number
  failing_since?: string
  retry_at?: string
  last_success_at?: string
  previous_secret_until?: string
  created_by: string
  created_at: string
  updated_at: string
}

export type WebhookDelivery = {
  id: string
  event_id: string
  event_type: string
  subject: string
  sequence: number
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  due_at?: string
  last_attempt?: { at: string; duration_ms: number; status?: number; answer: string }
  created_at: string
  ended_at?: string
}

export type ContractItem = {
  id: string
  slug: string
  name: string
  description: string
  draft_revision: number
  created_by: string
  created_at: string
  updated_at: string
  versions: ContractVersionItem[]
}

export type ContractVersionItem = {
  id: string
  number: number
  status: 'versioned' | 'published' | 'deprecated'
  content_hash: string
  source_revision: number
  byte_size: number
  created_by: string
  created_at: string
  published_at?: string
  deprecated_at?: string
}

export type Contract = {
  id: string
  slug: string
  name: string
  description: string
  draft_revision: number
  created_by: string
  created_at: string
  updated_at: string
  schema: string
  versions: ContractVersionItem[]
}

export type ContractValidationResult = {
  valid: boolean
  errors: ConfigurationIssue[]
  warnings: ConfigurationIssue[]
  correlation_id: string
}

export type ContractVersion = {
  id: string
  number: number
  status: 'versioned' | 'published' | 'deprecated'
  content_hash: string
  source_revision: number
  byte_size: number
  created_by: string
  created_at: string
  published_at?: string
  deprecated_at?: string
  schema: string
}

export type ContractDiff = {
  older: number
  newer: number
  effect: 'breaking' | 'compatible' | 'unknown'
  changes: {
    pointer: string
    side: 'old' | 'new'
    keyword: string
    effect: 'breaking' | 'compatible' | 'unknown'
    message: string
  }[]
}

export type CaseItem = {
  id: string
  contract_id: string
  contract_version_id: string
  created_by: string
  contract_version_number: number
  contract_hash: string
  content_hash: string
  kind: 'valid' | 'boundary' | 'invalid'
  seed: number
  provider: 'external-generator' | 'svc fixture'
  provider_version: '40.28.1' | '1'
  locale: 'en_US' | 'synthetic'
  generator_version: 'svc-json-schema-v1' | 'svc-fixture-import-v1'
  invalid_path?: string
  invalid_keyword?: string
  correlation_id: string
  created_at: string
}

export type Case = {
  id: string
  contract_id: string
  contract_version_id: string
  created_by: string
  contract_version_number: number
  contract_hash: string
  content_hash: string
  kind: 'valid' | 'boundary' | 'invalid'
  seed: number
  provider: 'external-generator' | 'svc fixture'
  provider_version: '40.28.1' | '1'
  locale: 'en_US' | 'synthetic'
  generator_version: 'svc-json-schema-v1' | 'svc-fixture-import-v1'
  invalid_path?: string
  invalid_keyword?: string
  correlation_id: string
  created_at: string
  payload: string
}

export type TransformItem = {
  id: string
  slug: string
  name: string
  description: string
  draft_revision: number
  created_by: string
  created_at: string
  updated_at: string
}

export type Transform = {
  id: string
  slug: string
  name: string
  description: string
  draft_revision: number
  created_by: string
  created_at: string
  updated_at: string
  source?: string
  format?: 'yaml' | 'json'
  versions: TransformVersion[]
}

export type TransformVersion = {
  id: string
  number: number
  status: 'versioned' | 'published' | 'deprecated'
  content_hash: string
  source_revision: number
  byte_size: number
  created_by: string
  created_at: string
  published_at?: string
  deprecated_at?: string
}

export type ConfigurationValidationResult = { valid: boolean; errors: ConfigurationIssue[]; correlation_id: string }

export type TransformPreview = { output: unknown; output_hash: string }

export type NewFamily = { slug: string; name: string; description: string }

export type ConfigurationMutationResult = {
  resource_kind: 'activation' | 'ingestion_model' | 'transformer' | 'template'
  resource_id: string
  result: PublicationOutcome | CancellationOutcome | DefinitionFamily | DefinitionVersionOutcome
  response_hash: string
  idempotent_replay: boolean
  correlation_id: string
}

export type PublicationOutcome = {
  kind: 'ingestion_model' | 'transformer' | 'template'
  family_id: string
  family_slug: string
  version_id: string
  version: number
  content_hash: string
  activation_id: string
  effective_from: string
  scheduled_at: string
}

export type CancellationOutcome = {
  activation_id: string
  kind: 'ingestion_model' | 'transformer' | 'template'
  family_id: string
  version_id: string
  effective_from: string
  cancelled_at: string
  cancellation_code: string
}

export type DefinitionFamily = {
  kind: 'ingestion_model' | 'transformer' | 'template'
  id: string
  slug: string
  name: string
  description: string
  draft_revision: number
  created_at: string
  updated_at: string
}

export type DefinitionVersionOutcome = {
  kind: 'ingestion_model' | 'transformer' | 'template'
  id: string
  family_id: string
  number: number
  content_hash: string
  source_revision: number
  status: 'versioned' | 'published'
  created_at: string
  reused: boolean
}

export type DefinitionFamilyRead = {
  kind: 'ingestion_model' | 'transformer' | 'template'
  id: string
  slug: string
  name: string
  description: string
  draft_revision: number
  created_at: string
  updated_at: string
  versions: DefinitionVersion[]
}

export type DefinitionVersion = {
  kind: 'ingestion_model' | 'transformer' | 'template'
  id: string
  family_id: string
  number: number
  content_hash: string
  source_revision: number
  status: 'versioned' | 'published'
  format: 'yaml' | 'json'
  byte_size: number
  created_at: string
  created_by: string
  published_at?: string
  source?: string
}

export type SourceDraft = {
  id: string
  slug: string
  name: string
  description: string
  source: string
  format: 'yaml' | 'json'
  revision: number
  updated_at: string
}

export type NewDraft = { source: string; format: 'yaml' | 'json'; name?: string; description?: string }

export type TransformerTestResult = {
  valid: boolean
  result?: {
    transformer_id: string
    draft_revision: number
    transformer_hash: string
    input_hash: string
    output: unknown
    output_hash: string
  }
  errors: ConfigurationIssue[]
  correlation_id: string
}

export type Template = {
  kind: 'ingestion_model' | 'transformer' | 'template'
  id: string
  slug: string
  name: string
  description: string
  draft_revision: number
  created_at: string
  updated_at: string
  versions: TemplateVersion[]
  included_by?: { template_id: string; slug: string; version: number; chain: string[] }[]
}

export type TemplateVersion = {
  id: string
  kind: 'ingestion_model' | 'transformer' | 'template'
  family_id: string
  number: number
  byte_size: number
  content_hash: string
  source_revision: number
  status: 'versioned' | 'published'
  bindings: Binding[]
  fragments?: string[]
  created_at: string
  created_by: string
  published_at?: string
}

export type Binding = {
  pointer: string
  shape: 'scalar' | 'list' | 'object' | 'flag' | 'image' | 'rich'
  required: boolean
  part: string
  paragraph: number
  position: number
  use?: {
    as: 'members' | 'number' | 'date' | 'time' | 'color' | 'test' | 'equal' | 'order'
    values?: (string | number | boolean | null)[]
    pointers?: string[]
  }
}

export type TemplateDraft = {
  id: string
  slug: string
  name: string
  description: string
  format: 'docx'
  media_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  byte_size: number
  content_hash: string
  revision: number
  updated_at: string
  bindings?: Binding[]
  fragments?: string[]
}

export type TemplateFonts = {
  fonts: { family: string; drawn_with: string; match: 'itself' | 'twin' | 'measured' | 'guessed' | 'borrowed' }[]
}

export type TemplateTestResult = {
  valid: boolean
  result?: {
    template_id: string
    draft_revision: number
    template_hash: string
    input_hash: string
    bindings_hash: string
    docx: ArtifactProof
    pdf: ArtifactProof
  }
  errors: ConfigurationIssue[]
  bindings?: Binding[]
  fragments?: string[]
  correlation_id: string
}

export type ArtifactProof = {
  media_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' | 'application/pdf'
  byte_size: number
  content_hash: string
}

export type TemplatePages = {
  total_pages: number
  bindings?: Binding[]
  fragments?: string[]
  pages: {
    width: number
    height: number
    svg: string
    marks: {
      part: string
      paragraph: number
      position: number
      pointer?: string
      x: number
      y: number
      width: number
      height: number
    }[]
  }[]
}

export type TemplatePreview = {
  template_version_id: string
  transform_version_id: string
  case_id: string
  input_hash: string
  output: unknown
  output_hash: string
  resolved: boolean
  bindings: {
    pointer: string
    part: string
    paragraph: number
    position: number
    required: boolean
    resolved: boolean
    value?: string
  }[]
  docx?: ArtifactProof
  pdf?: ArtifactProof
  errors: { path: string; message: string }[]
}

export type ConfigurationActivation = {
  id: string
  kind: 'ingestion_model' | 'transformer' | 'template'
  family_id: string
  family_slug: string
  version_id: string
  version: number
  content_hash: string
  effective_from: string
  scheduled_by: string
  correlation_id: string
  scheduled_at: string
  status: 'scheduled' | 'active' | 'superseded' | 'cancelled'
  cancelled_at?: string
  cancellation_code?: string
}

export type ActivationCalendar = {
  activations: CalendarActivation[]
  total: number
  previous_at?: string
  next_at?: string
}

export type CalendarActivation = {
  id: string
  kind: 'ingestion_model' | 'transformer' | 'template'
  family_id: string
  family_slug: string
  version_id: string
  version: number
  content_hash: string
  effective_from: string
  scheduled_by: string
  correlation_id: string
  scheduled_at: string
  status: 'scheduled' | 'active' | 'superseded' | 'cancelled'
  cancelled_at?: string
  cancellation_code?: string
  from_version?: number
  until?: string
  contract?: { family_id: string; slug: string; version: number }
}

export type VersionApproval = { four_eyes: boolean; allowed: boolean; reason?: string }

export type ActivationSetRequest = {
  ingestion_model_id: string
  state?: 'newest' | 'drafts' | 'before' | 'past'
  as_of?: string
  versions?: { family_id: string; version: number }[]
  effective_from?: string
}

export type ActivationSetPlan = {
  plan_hash: string
  effective_from: string
  members: ActivationSetMember[]
  valid: boolean
  cases_run: number
  broken_cases: BrokenSetCase[]
  issues: ConfigurationIssue[]
  correlation_id: string
}

export type ActivationSetMember = {
  kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
  family_id: string
  slug: string
  name: string
  action: 'none' | 'activate' | 'publish' | 'missing'
  from_version?: number
  to_version?: number
  newest_version?: number
  content_hash?: string
  freezes_revision?: number
  since?: string
  next?: { version: number; effective_from: string }
  nodes: string[]
}

export type BrokenSetCase = { name: string; node: string; step: string; message: string }

export type ActivationSetApplication = {
  ingestion_model_id: string
  state?: 'newest' | 'drafts' | 'before' | 'past'
  as_of?: string
  versions?: { family_id: string; version: number }[]
  effective_from?: string
  plan_hash: string
}

export type AppliedActivationSet = {
  plan_hash: string
  effective_from: string
  activations: ConfigurationActivation[]
  correlation_id: string
}

export type Comparison = {
  kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
  family_id: string
  from: ComparedState
  to: ComparedState
  difference: string
  contract_changes?: {
    pointer: string
    side: 'old' | 'new'
    keyword: string
    effect: 'breaking' | 'compatible' | 'unknown'
    message: string
  }[]
  contract_changes_left_out?: number
  pages?: ComparedPages
  correlation_id: string
}

export type ComparedState = {
  version?: number
  draft_revision?: number
  content_hash: string
  earlier_reading?: ConfigurationIssue[]
}

export type ComparedPages = {
  before: number
  after: number
  pairs: { before?: ComparedPage; after?: ComparedPage }[]
  left_out?: number
}

export type ComparedPage = {
  number: number
  width: number
  height: number
  svg: string
  regions: { x: number; y: number; width: number; height: number }[]
}

export type ProjectPlan = {
  plan_hash: string
  effective_from?: string
  freeze_only?: true
  changes: ProjectChange[]
  unchanged: number
  case_files: { added: number; changed: number; removed: number }
  cases_run: number
  cases_run_later?: number
  broken_cases: { path: string; effective_from?: string; node: string; step: string; message: string }[]
  drift: { path: string; version: number; changed_at: string; changed_by: string }[]
  later: { path: string; version: number; effective_from: string }[]
  warnings: ConfigurationIssue[]
  absent: string[]
  valid: boolean
  issues: ConfigurationIssue[]
  left_out?: { broken_cases?: number; drift?: number; later?: number; warnings?: number; issues?: number }
  correlation_id: string
}

export type ProjectChange = {
  path: string
  kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
  slug: string
  action: 'create' | 'new_version' | 'activate' | 'publish' | 'describe'
  from_version?: number
  to_version: number
  content_hash: string
  effective_from?: string
  replaces_draft: boolean
  renames: boolean
  difference: string
  contract_changes?: {
    pointer: string
    side: 'old' | 'new'
    keyword: string
    effect: 'breaking' | 'compatible' | 'unknown'
    message: string
  }[]
  contract_changes_left_out?: number
  earlier_reading?: ConfigurationIssue[]
  pages?: { before: number; after: number; changed: number[] }
}

export type ProjectApplied = {
  plan_hash: string
  effective_from?: string
  changes: AppliedChange[]
  unchanged: number
  case_files: { added: number; changed: number; removed: number }
  correlation_id: string
}

export type AppliedChange = {
  path: string
  kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
  slug: string
  action: 'create' | 'new_version' | 'activate' | 'publish' | 'describe'
  from_version?: number
  to_version: number
  content_hash: string
  effective_from?: string
  replaces_draft: boolean
  renames: boolean
}

export type SuiteItem = {
  ingestion_model_id: string
  slug: string
  name: string
  requires: 'nothing' | 'in_force' | 'freeze'
  lifted_until?: string
  lift_reason?: string
  cases: number
}

export type Suite = {
  ingestion_model_id: string
  slug: string
  name: string
  requires: 'nothing' | 'in_force' | 'freeze'
  lifted_until?: string
  lift_reason?: string
  cases: SuiteCaseItem[]
}

export type SuiteCaseItem = {
  name: string
  origin: 'suite' | 'contract'
  format: 'json' | 'csv' | 'xml'
  case_hash: string
  has_params: boolean
  expects: ('output' | 'text' | 'pages' | 'refusal')[]
  written_by?: string
  written_at?: string
}

export type SuiteRunRequest = {
  state?: 'drafts' | 'in_force'
  versions?: { family_id: string; version: number }[]
  contract?: 'draft'
  pages?: 'kept' | 'all'
  cases?: string[]
  pictures?: boolean
}

export type SuiteRun = {
  parts: {
    kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
    family_id: string
    slug: string
    version?: number
    draft_revision?: number
    content_hash: string
  }[]
  cases: SuiteCaseResult[]
  issues: ConfigurationIssue[]
  correlation_id: string
}

export type SuiteCaseResult = {
  name: string
  case_hash: string
  made_hash: string
  verdict: 'green' | 'red' | 'unwritten'
  failures: SuiteFailure[]
  broke_off?: boolean
}

export type SuiteFailure = {
  kind: 'text' | 'page' | 'other'
  file: string
  message?: string
  changes?: { line: number; lines: string[] }[]
  page?: number
  before?: {
    number: number
    width: number
    height: number
    svg: string
    regions: { x: number; y: number; width: number; height: number }[]
  }
  after?: {
    number: number
    width: number
    height: number
    svg: string
    regions: { x: number; y: number; width: number; height: number }[]
  }
}

export type SuiteAcceptance = {
  state?: 'drafts' | 'in_force'
  versions?: { family_id: string; version: number }[]
  contract?: 'draft'
  pages?: 'kept' | 'all'
  cases: { name: string; case_hash: string; made_hash: string }[]
}

export type AcceptedCases = { cases: { name: string; case_hash: string; files: number }[]; correlation_id: string }

export type NewSuitePolicy = { requires: 'nothing' | 'in_force' | 'freeze'; lift?: { hours: number; reason: string } }

export type SuitePolicy = {
  ingestion_model_id: string
  slug: string
  name: string
  requires: 'nothing' | 'in_force' | 'freeze'
  lifted_until?: string
  lift_reason?: string
}

export type SuiteCase = {
  name: string
  origin: 'suite' | 'contract'
  format: 'json' | 'csv' | 'xml'
  case_hash: string
  has_params: boolean
  expects: ('output' | 'text' | 'pages' | 'refusal')[]
  written_by?: string
  written_at?: string
  input: string
  params?: string
  expected: { file: string; content_hash: string }[]
}

export type NewSuiteCase = { input: string; format?: 'json' | 'csv' | 'xml'; params?: string; case_hash?: string }

export type UnsavedDraft = { family_id: string; states: UnsavedState[] }

export type UnsavedState = {
  id: string
  tab_id: string
  browser_id: string
  base_revision: number
  has_base: boolean
  is_open: boolean
  byte_size: number
  content_hash: string
  begun_at: string
  typed_at: string
}

export type NewUnsavedText = {
  text: string
  base_revision: number
  base_text?: string
  tab_id: string
  browser_id: string
  step: number
  continues?: string
}

export type UnsavedSettlement = { tab_ids: string[] }

export type UnsavedText = {
  id: string
  tab_id: string
  browser_id: string
  base_revision: number
  has_base: boolean
  is_open: boolean
  byte_size: number
  content_hash: string
  begun_at: string
  typed_at: string
  text: string
  base_text?: string
}

export type NewRelease = {
  name: string
  contract_version_id: string
  transform_version_id: string
  template_version_id?: string
}

export type Release = {
  id: string
  name: string
  release_hash: string
  processing_kind: 'transformation' | 'document_generation'
  contract_version_id: string
  transform_version_id: string
  template_version_id?: string
  fragments?: { slug: string; template_version_id: string; content_hash: string }[]
  automatic: boolean
  created_by: string
  created_at: string
}

/** What an operation may carry beside its own input. */
export interface CallOptions {
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

export const operations = {
  getLiveness: { method: 'GET', path: '/health/live' },
  getReadiness: { method: 'GET', path: '/health/ready' },
  getDetailedReadiness: { method: 'GET', path: '/api/v1/admin/readiness' },
  getOperationsStatus: { method: 'GET', path: '/api/v1/admin/operations' },
  login: { method: 'POST', path: '/api/v1/auth/login' },
  getCurrentSession: { method: 'GET', path: '/api/v1/auth/session' },
  changePassword: { method: 'POST', path: '/api/v1/auth/password' },
  confirmPassword: { method: 'POST', path: '/api/v1/auth/confirm-password' },
  logout: { method: 'POST', path: '/api/v1/auth/logout' },
  giveSecondFactor: { method: 'POST', path: '/api/v1/auth/second-factor' },
  askSecondFactorPasskey: { method: 'POST', path: '/api/v1/auth/second-factor/passkey' },
  askPasskeySignIn: { method: 'POST', path: '/api/v1/auth/passkey/start' },
  signInByPasskey: { method: 'POST', path: '/api/v1/auth/passkey' },
  beginApp: { method: 'POST', path: '/api/v1/auth/factors/app/start' },
  addApp: { method: 'POST', path: '/api/v1/auth/factors/app' },
  beginPasskey: { method: 'POST', path: '/api/v1/auth/factors/passkey/start' },
  addPasskey: { method: 'POST', path: '/api/v1/auth/factors/passkey' },
  listFactors: { method: 'GET', path: '/api/v1/auth/factors' },
  removeFactor: { method: 'DELETE', path: '/api/v1/auth/factors/{factorId}' },
  replaceRecoveryCodes: { method: 'POST', path: '/api/v1/auth/recovery-codes' },
  listSessions: { method: 'GET', path: '/api/v1/auth/sessions' },
  endSession: { method: 'DELETE', path: '/api/v1/auth/sessions/{sessionId}' },
  endOtherSessions: { method: 'POST', path: '/api/v1/auth/sessions/end-others' },
  listUserSessions: { method: 'GET', path: '/api/v1/admin/users/{userId}/sessions' },
  endUserSession: { method: 'DELETE', path: '/api/v1/admin/users/{userId}/sessions/{sessionId}' },
  listNotices: { method: 'GET', path: '/api/v1/auth/notices' },
  readNotices: { method: 'POST', path: '/api/v1/auth/notices/read' },
  getSignInMethods: { method: 'GET', path: '/api/v1/auth/methods' },
  startProviderSignIn: { method: 'POST', path: '/api/v1/auth/oidc/start' },
  finishProviderSignIn: { method: 'GET', path: '/api/v1/auth/oidc/callback' },
  endSessionsByProvider: {
    method: 'POST',
    path: '/api/v1/auth/oidc/backchannel-logout',
    fileType: 'application/x-www-form-urlencoded',
  },
  getOwnAccount: { method: 'GET', path: '/api/v1/auth/account' },
  confirmAtProvider: { method: 'POST', path: '/api/v1/auth/oidc/confirm' },
  logoutAtProvider: { method: 'POST', path: '/api/v1/auth/oidc/logout' },
  linkUser: { method: 'PUT', path: '/api/v1/admin/users/{userId}/identity' },
  unlinkUser: { method: 'DELETE', path: '/api/v1/admin/users/{userId}/identity' },
  listUsers: { method: 'GET', path: '/api/v1/admin/users' },
  createUser: { method: 'POST', path: '/api/v1/admin/users' },
  createServiceAccount: { method: 'POST', path: '/api/v1/admin/service-accounts' },
  updateUser: { method: 'PATCH', path: '/api/v1/admin/users/{userId}' },
  resetUserPassword: { method: 'POST', path: '/api/v1/admin/users/{userId}/reset-password' },
  resetUserFactors: { method: 'DELETE', path: '/api/v1/admin/users/{userId}/factors' },
  revokeUserSessions: { method: 'POST', path: '/api/v1/admin/users/{userId}/revoke-sessions' },
  listTokens: { method: 'GET', path: '/api/v1/tokens' },
  createToken: { method: 'POST', path: '/api/v1/tokens' },
  listAllTokens: { method: 'GET', path: '/api/v1/admin/tokens' },
  revokeToken: { method: 'POST', path: '/api/v1/tokens/{tokenId}/revoke' },
  getIntakeTestLabCatalog: { method: 'GET', path: '/api/v1/intake-test-lab/scenarios' },
  planSubmission: { method: 'POST', path: '/api/v1/submissions/plan' },
  createSubmission: { method: 'POST', path: '/api/v1/submissions', key: true },
  listSubmissions: { method: 'GET', path: '/api/v1/submissions' },
  createExecution: { method: 'POST', path: '/api/v1/executions', key: true },
  listExecutions: { method: 'GET', path: '/api/v1/executions' },
  getSubmission: { method: 'GET', path: '/api/v1/submissions/{submissionId}' },
  createBatch: { method: 'POST', path: '/api/v1/batches', key: true, fileType: 'text/csv, application/x-ndjson' },
  listBatches: { method: 'GET', path: '/api/v1/batches' },
  getBatch: { method: 'GET', path: '/api/v1/batches/{batchId}' },
  listBatchRows: { method: 'GET', path: '/api/v1/batches/{batchId}/rows' },
  pauseBatch: { method: 'POST', path: '/api/v1/batches/{batchId}/pause' },
  resumeBatch: { method: 'POST', path: '/api/v1/batches/{batchId}/resume' },
  cancelBatch: { method: 'POST', path: '/api/v1/batches/{batchId}/cancel' },
  listBatchFailures: { method: 'GET', path: '/api/v1/batches/{batchId}/failures' },
  retryBatchRows: { method: 'POST', path: '/api/v1/batches/{batchId}/retry' },
  downloadBatchResults: { method: 'GET', path: '/api/v1/batches/{batchId}/results' },
  getExecution: { method: 'GET', path: '/api/v1/executions/{executionId}' },
  getExecutionTrace: { method: 'GET', path: '/api/v1/executions/{executionId}/trace' },
  retryExecution: { method: 'POST', path: '/api/v1/executions/{executionId}/retry' },
  retryExecutions: { method: 'POST', path: '/api/v1/executions/retry' },
  getExecutionProvenance: { method: 'GET', path: '/api/v1/executions/{executionId}/provenance' },
  verifyExecution: { method: 'POST', path: '/api/v1/executions/{executionId}/verify' },
  downloadArtifact: { method: 'GET', path: '/api/v1/executions/{executionId}/artifacts/{artifactId}/download' },
  listStorage: { method: 'GET', path: '/api/v1/storage' },
  search: { method: 'GET', path: '/api/v1/search' },
  listAudit: { method: 'GET', path: '/api/v1/audit' },
  verifyAudit: { method: 'GET', path: '/api/v1/audit/verify' },
  planErasure: { method: 'POST', path: '/api/v1/erasures/plan' },
  createErasure: { method: 'POST', path: '/api/v1/erasures', key: true },
  listErasures: { method: 'GET', path: '/api/v1/erasures' },
  getErasure: { method: 'GET', path: '/api/v1/erasures/{erasureId}' },
  placeHold: { method: 'POST', path: '/api/v1/holds', key: true },
  listHolds: { method: 'GET', path: '/api/v1/holds' },
  releaseHold: { method: 'POST', path: '/api/v1/holds/{holdId}/release', key: true },
  getHold: { method: 'GET', path: '/api/v1/holds/{holdId}' },
  getRetention: { method: 'GET', path: '/api/v1/retention' },
  setRetention: { method: 'POST', path: '/api/v1/retention', key: true },
  planRetention: { method: 'POST', path: '/api/v1/retention/plan' },
  listWebhooks: { method: 'GET', path: '/api/v1/webhooks' },
  createWebhook: { method: 'POST', path: '/api/v1/webhooks' },
  getWebhook: { method: 'GET', path: '/api/v1/webhooks/{webhookId}' },
  updateWebhook: { method: 'PATCH', path: '/api/v1/webhooks/{webhookId}' },
  deleteWebhook: { method: 'DELETE', path: '/api/v1/webhooks/{webhookId}' },
  renewWebhookSecret: { method: 'POST', path: '/api/v1/webhooks/{webhookId}/renew-secret' },
  listWebhookDeliveries: { method: 'GET', path: '/api/v1/webhooks/{webhookId}/deliveries' },
  sendWebhookAgain: { method: 'POST', path: '/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/send-again' },
  listContracts: { method: 'GET', path: '/api/v1/contracts' },
  createContract: { method: 'POST', path: '/api/v1/contracts' },
  getContract: { method: 'GET', path: '/api/v1/contracts/{contractId}' },
  updateContractDraft: { method: 'PUT', path: '/api/v1/contracts/{contractId}' },
  validateContractDraft: { method: 'POST', path: '/api/v1/contracts/{contractId}/validate' },
  createContractVersion: { method: 'POST', path: '/api/v1/contracts/{contractId}/versions' },
  getContractVersion: { method: 'GET', path: '/api/v1/contracts/{contractId}/versions/{number}' },
  compareContractVersions: { method: 'GET', path: '/api/v1/contracts/{contractId}/versions/{older}/diff/{newer}' },
  publishContractVersion: { method: 'POST', path: '/api/v1/contracts/{contractId}/versions/{number}/publish' },
  deprecateContractVersion: { method: 'POST', path: '/api/v1/contracts/{contractId}/versions/{number}/deprecate' },
  listCases: { method: 'GET', path: '/api/v1/cases' },
  generateCase: { method: 'POST', path: '/api/v1/cases/generate' },
  importFixtureCase: { method: 'POST', path: '/api/v1/cases/import' },
  getCase: { method: 'GET', path: '/api/v1/cases/{caseId}' },
  listTransforms: { method: 'GET', path: '/api/v1/transforms' },
  createTransform: { method: 'POST', path: '/api/v1/transforms' },
  getTransform: { method: 'GET', path: '/api/v1/transforms/{transformId}' },
  updateTransformDraft: { method: 'PUT', path: '/api/v1/transforms/{transformId}' },
  validateTransformDraft: { method: 'POST', path: '/api/v1/transforms/{transformId}/validate' },
  previewTransform: { method: 'POST', path: '/api/v1/transforms/{transformId}/preview' },
  createTransformVersion: { method: 'POST', path: '/api/v1/transforms/{transformId}/versions' },
  publishTransformVersion: { method: 'POST', path: '/api/v1/transforms/{transformId}/versions/{number}/publish' },
  createIngestionModel: { method: 'POST', path: '/api/v1/ingestion-models', key: true },
  listIngestionModels: { method: 'GET', path: '/api/v1/ingestion-models' },
  getIngestionModel: { method: 'GET', path: '/api/v1/ingestion-models/{ingestionModelId}' },
  getCanonicalIngestionModelDraft: { method: 'GET', path: '/api/v1/ingestion-models/{ingestionModelId}/draft' },
  updateCanonicalIngestionModelDraft: {
    method: 'PUT',
    path: '/api/v1/ingestion-models/{ingestionModelId}/draft',
    key: true,
  },
  validateCanonicalIngestionModel: {
    method: 'POST',
    path: '/api/v1/ingestion-models/{ingestionModelId}/validate',
    key: true,
  },
  freezeIngestionModelVersion: {
    method: 'POST',
    path: '/api/v1/ingestion-models/{ingestionModelId}/versions',
    key: true,
  },
  listIngestionModelVersions: { method: 'GET', path: '/api/v1/ingestion-models/{ingestionModelId}/versions' },
  getIngestionModelVersion: { method: 'GET', path: '/api/v1/ingestion-models/{ingestionModelId}/versions/{number}' },
  createTransformer: { method: 'POST', path: '/api/v1/transformers', key: true },
  listTransformers: { method: 'GET', path: '/api/v1/transformers' },
  getTransformer: { method: 'GET', path: '/api/v1/transformers/{transformerId}' },
  getCanonicalTransformerDraft: { method: 'GET', path: '/api/v1/transformers/{transformerId}/draft' },
  updateCanonicalTransformerDraft: { method: 'PUT', path: '/api/v1/transformers/{transformerId}/draft', key: true },
  validateCanonicalTransformer: { method: 'POST', path: '/api/v1/transformers/{transformerId}/validate', key: true },
  freezeTransformerVersion: { method: 'POST', path: '/api/v1/transformers/{transformerId}/versions', key: true },
  listTransformerVersions: { method: 'GET', path: '/api/v1/transformers/{transformerId}/versions' },
  getTransformerVersion: { method: 'GET', path: '/api/v1/transformers/{transformerId}/versions/{number}' },
  testCanonicalTransformerDraft: { method: 'POST', path: '/api/v1/transformers/{transformerId}/test', key: true },
  listTemplates: { method: 'GET', path: '/api/v1/templates' },
  createTemplate: {
    method: 'POST',
    path: '/api/v1/templates',
    key: true,
    fileType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  getTemplate: { method: 'GET', path: '/api/v1/templates/{templateId}' },
  getCanonicalTemplateDraft: { method: 'GET', path: '/api/v1/templates/{templateId}/draft' },
  updateCanonicalTemplateDraft: {
    method: 'PUT',
    path: '/api/v1/templates/{templateId}/draft',
    key: true,
    fileType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  getCanonicalTemplateDraftContent: { method: 'GET', path: '/api/v1/templates/{templateId}/draft/content' },
  getTemplateFonts: { method: 'GET', path: '/api/v1/templates/{templateId}/fonts' },
  validateCanonicalTemplate: {
    method: 'POST',
    path: '/api/v1/templates/{templateId}/validate',
    key: true,
    fileType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  testCanonicalTemplateDraft: {
    method: 'POST',
    path: '/api/v1/templates/{templateId}/test',
    key: true,
    fileType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  createTemplateVersion: {
    method: 'POST',
    path: '/api/v1/templates/{templateId}/versions',
    key: true,
    fileType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  listTemplateVersions: { method: 'GET', path: '/api/v1/templates/{templateId}/versions' },
  getTemplateVersion: { method: 'GET', path: '/api/v1/templates/{templateId}/versions/{number}' },
  previewTemplateVersion: { method: 'POST', path: '/api/v1/templates/{templateId}/versions/{number}/preview' },
  publishIngestionModelVersion: {
    method: 'POST',
    path: '/api/v1/ingestion-models/{ingestionModelId}/versions/{number}/publish',
    key: true,
  },
  resolveIngestionModelActivation: {
    method: 'GET',
    path: '/api/v1/ingestion-models/{ingestionModelId}/versions:resolve',
  },
  publishTransformerVersion: {
    method: 'POST',
    path: '/api/v1/transformers/{transformerId}/versions/{number}/publish',
    key: true,
  },
  resolveTransformerActivation: { method: 'GET', path: '/api/v1/transformers/{transformerId}/versions:resolve' },
  publishTemplateVersion: {
    method: 'POST',
    path: '/api/v1/templates/{templateId}/versions/{number}/publish',
    key: true,
  },
  resolveTemplateActivation: { method: 'GET', path: '/api/v1/templates/{templateId}/versions:resolve' },
  listActivations: { method: 'GET', path: '/api/v1/activations' },
  readActivationCalendar: { method: 'GET', path: '/api/v1/activations/calendar' },
  readVersionApproval: { method: 'GET', path: '/api/v1/approvals' },
  cancelActivation: { method: 'POST', path: '/api/v1/activations/{activationId}/cancel', key: true },
  planActivationSet: { method: 'POST', path: '/api/v1/activation-sets/plan' },
  applyActivationSet: { method: 'POST', path: '/api/v1/activation-sets', key: true },
  cancelActivationSet: { method: 'POST', path: '/api/v1/activation-sets/cancel', key: true },
  compareConfiguration: { method: 'GET', path: '/api/v1/comparisons' },
  exportProject: { method: 'GET', path: '/api/v1/project' },
  planProject: { method: 'POST', path: '/api/v1/project/plan', fileType: 'application/zip' },
  applyProject: { method: 'POST', path: '/api/v1/project/apply', key: true, fileType: 'application/zip' },
  listSuites: { method: 'GET', path: '/api/v1/suites' },
  getSuite: { method: 'GET', path: '/api/v1/suites/{ingestionModelId}' },
  runSuite: { method: 'POST', path: '/api/v1/suites/{ingestionModelId}/runs' },
  acceptSuite: { method: 'POST', path: '/api/v1/suites/{ingestionModelId}/acceptances', key: true },
  setSuitePolicy: { method: 'PUT', path: '/api/v1/suites/{ingestionModelId}/policy', key: true },
  getSuiteCase: { method: 'GET', path: '/api/v1/suites/{ingestionModelId}/cases/{caseName}' },
  putSuiteCase: { method: 'PUT', path: '/api/v1/suites/{ingestionModelId}/cases/{caseName}', key: true },
  deleteSuiteCase: { method: 'DELETE', path: '/api/v1/suites/{ingestionModelId}/cases/{caseName}' },
  getUnsavedDraft: { method: 'GET', path: '/api/v1/unsaved-drafts/{familyId}' },
  putUnsavedDraft: { method: 'PUT', path: '/api/v1/unsaved-drafts/{familyId}' },
  deleteUnsavedDraft: { method: 'DELETE', path: '/api/v1/unsaved-drafts/{familyId}' },
  settleUnsavedDraft: { method: 'POST', path: '/api/v1/unsaved-drafts/{familyId}/settle' },
  getUnsavedState: { method: 'GET', path: '/api/v1/unsaved-drafts/{familyId}/states/{stateId}' },
  createRelease: { method: 'POST', path: '/api/v1/releases', key: true },
  listReleases: { method: 'GET', path: '/api/v1/releases' },
  getRelease: { method: 'GET', path: '/api/v1/releases/{releaseId}' },
} as const satisfies Record<string, OperationSpec>

/** The operations that answer bytes or events, which `stream` gives as they come. */
export type StreamedOperation =
  | 'downloadBatchResults'
  | 'getExecutionTrace'
  | 'downloadArtifact'
  | 'getCanonicalTemplateDraftContent'
  | 'testCanonicalTemplateDraft'
  | 'previewTemplateVersion'
  | 'exportProject'

/** Every operation of the interface as a method. A refusal is thrown as a QuireRefusal, anything else is answered. */
export class QuireOperations {
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  /** The response itself, whatever its status. */
  raw(operation: keyof typeof operations, input: OperationInput = {}): Promise<Response> {
    return this.#transport.send(operations[operation], input)
  }

  /** The bytes of an answer as they come, however many there are. */
  stream(operation: StreamedOperation, input: OperationInput = {}): Promise<StreamAnswer> {
    return this.#transport.stream(operations[operation], input)
  }

  /** Whether the process lives; asks no dependency */
  getLiveness(input: {} & CallOptions = {}): Promise<Answer<Liveness>> {
    return this.#transport.call(operations.getLiveness, input) as Promise<Answer<never>>
  }

  /** Whether every dependency answers */
  getReadiness(input: {} & CallOptions = {}): Promise<Answer<Readiness>> {
    return this.#transport.call(operations.getReadiness, input) as Promise<Answer<never>>
  }

  /** Every dependency with its probe, and the outbox */
  getDetailedReadiness(input: {} & CallOptions = {}): Promise<Answer<DetailedReadiness>> {
    return this.#transport.call(operations.getDetailedReadiness, input) as Promise<Answer<never>>
  }

  /** Queue, throughput, failures by cause, storage, retention, outbox, receivers, instances and replica at one look */
  getOperationsStatus(input: {} & CallOptions = {}): Promise<Answer<OperationsStatus>> {
    return this.#transport.call(operations.getOperationsStatus, input) as Promise<Answer<never>>
  }

  /** Open a session */
  login(input: ({} & { body: { username: string; password: string } }) & CallOptions): Promise<Answer<Session>> {
    return this.#transport.call(operations.login, input) as Promise<Answer<never>>
  }

  /** Read the session and its CSRF token */
  getCurrentSession(input: {} & CallOptions = {}): Promise<Answer<Session>> {
    return this.#transport.call(operations.getCurrentSession, input) as Promise<Answer<never>>
  }

  /** Change the password and end every session of the user */
  changePassword(
    input: ({} & { body: { current_password: string; new_password: string } }) & CallOptions,
  ): Promise<Answer<undefined>> {
    return this.#transport.call(operations.changePassword, input) as Promise<Answer<never>>
  }

  /** Give the password again, for what asks for it: granting roles, resetting passwords of administrators */
  confirmPassword(input: ({} & { body: { password: string } }) & CallOptions): Promise<Answer<undefined>> {
    return this.#transport.call(operations.confirmPassword, input) as Promise<Answer<never>>
  }

  /** End this session */
  logout(input: {} & CallOptions = {}): Promise<Answer<undefined>> {
    return this.#transport.call(operations.logout, input) as Promise<Answer<never>>
  }

  /** End a sign-in with a code of an authenticator app, a recovery code or a passkey; opens a new session */
  giveSecondFactor(
    input: ({} & { body: { code?: string; recovery_code?: string; passkey?: unknown } }) & CallOptions,
  ): Promise<Answer<Session>> {
    return this.#transport.call(operations.giveSecondFactor, input) as Promise<Answer<never>>
  }

  /** Tell the browser what to ask a passkey, to end a sign-in with it */
  askSecondFactorPasskey(input: {} & CallOptions = {}): Promise<Answer<{ options: unknown }>> {
    return this.#transport.call(operations.askSecondFactorPasskey, input) as Promise<Answer<never>>
  }

  /** Tell the browser what to ask a passkey, to sign in with it alone */
  askPasskeySignIn(input: ({} & { body: Record<string, never> }) & CallOptions): Promise<Answer<{ options: unknown }>> {
    return this.#transport.call(operations.askPasskeySignIn, input) as Promise<Answer<never>>
  }

  /** Open a session with a passkey that has made sure who holds it */
  signInByPasskey(input: ({} & { body: { passkey: unknown } }) & CallOptions): Promise<Answer<Session>> {
    return this.#transport.call(operations.signInByPasskey, input) as Promise<Answer<never>>
  }

  /** Make a key for an authenticator app, which counts once a code of it was given; asks for your own password again */
  beginApp(input: {} & CallOptions = {}): Promise<Answer<BegunApp>> {
    return this.#transport.call(operations.beginApp, input) as Promise<Answer<never>>
  }

  /** Add an authenticator app as a second factor; ends your other sessions. The first factor comes with recovery codes, shown only here */
  addApp(
    input: ({} & { body: { enrolment: string; code: string; name: string } }) & CallOptions,
  ): Promise<Answer<{ factor: SecondFactor; recovery_codes?: string[]; session: Session }>> {
    return this.#transport.call(operations.addApp, input) as Promise<Answer<never>>
  }

  /** Tell the browser to make a passkey; asks for your own password again */
  beginPasskey(input: {} & CallOptions = {}): Promise<Answer<{ options: unknown }>> {
    return this.#transport.call(operations.beginPasskey, input) as Promise<Answer<never>>
  }

  /** Add a passkey as a second factor; ends your other sessions. The first factor comes with recovery codes, shown only here */
  addPasskey(
    input: ({} & { body: { passkey: unknown; name: string } }) & CallOptions,
  ): Promise<Answer<{ factor: SecondFactor; recovery_codes?: string[]; session: Session }>> {
    return this.#transport.call(operations.addPasskey, input) as Promise<Answer<never>>
  }

  /** Your second factors, and whether you must have one */
  listFactors(input: {} & CallOptions = {}): Promise<Answer<SecondFactorOverview>> {
    return this.#transport.call(operations.listFactors, input) as Promise<Answer<never>>
  }

  /** Remove a second factor; ends your other sessions. Asks for your own password again */
  removeFactor(input: { params: { factorId: string } } & CallOptions): Promise<Answer<undefined>> {
    return this.#transport.call(operations.removeFactor, input) as Promise<Answer<never>>
  }

  /** Make new recovery codes, shown only here; the earlier ones open nothing any more. Asks for your own password again */
  replaceRecoveryCodes(input: {} & CallOptions = {}): Promise<Answer<{ recovery_codes: string[] }>> {
    return this.#transport.call(operations.replaceRecoveryCodes, input) as Promise<Answer<never>>
  }

  /** Your open sessions, newest first */
  listSessions(input: {} & CallOptions = {}): Promise<Answer<{ sessions: OpenedSession[] }>> {
    return this.#transport.call(operations.listSessions, input) as Promise<Answer<never>>
  }

  /** End one of your sessions */
  endSession(input: { params: { sessionId: string } } & CallOptions): Promise<Answer<undefined>> {
    return this.#transport.call(operations.endSession, input) as Promise<Answer<never>>
  }

  /** End all of your sessions but this one */
  endOtherSessions(input: {} & CallOptions = {}): Promise<Answer<undefined>> {
    return this.#transport.call(operations.endOtherSessions, input) as Promise<Answer<never>>
  }

  /** A user's open sessions, newest first */
  listUserSessions(
    input: { params: { userId: string } } & CallOptions,
  ): Promise<Answer<{ sessions: OpenedSession[] }>> {
    return this.#transport.call(operations.listUserSessions, input) as Promise<Answer<never>>
  }

  /** End one of a user's sessions */
  endUserSession(input: { params: { userId: string; sessionId: string } } & CallOptions): Promise<Answer<undefined>> {
    return this.#transport.call(operations.endUserSession, input) as Promise<Answer<never>>
  }

  /** What you are told of about your account: sign-ins from new browsers, changed credentials; newest first */
  listNotices(input: {} & CallOptions = {}): Promise<Answer<{ notices: Notice[] }>> {
    return this.#transport.call(operations.listNotices, input) as Promise<Answer<never>>
  }

  /** Mark notices as read; those that are not yours, or are gone, change nothing */
  readNotices(input: ({} & { body: { notice_ids: string[] } }) & CallOptions): Promise<Answer<undefined>> {
    return this.#transport.call(operations.readNotices, input) as Promise<Answer<never>>
  }

  /** Tell how people sign in here */
  getSignInMethods(input: {} & CallOptions = {}): Promise<Answer<SignInMethods>> {
    return this.#transport.call(operations.getSignInMethods, input) as Promise<Answer<never>>
  }

  /** Begin a sign-in at the OpenID provider: send the browser to the location */
  startProviderSignIn(
    input: ({} & { body: { next?: string; in_window?: boolean } }) & CallOptions,
  ): Promise<Answer<{ location: string | null }>> {
    return this.#transport.call(operations.startProviderSignIn, input) as Promise<Answer<never>>
  }

  /** The way back from the OpenID provider: opens a session and leads to the console */
  finishProviderSignIn(
    input: { query?: { state?: string; code?: string; iss?: string; error?: string } } & CallOptions = {},
  ): Promise<Answer<undefined>> {
    return this.#transport.call(operations.finishProviderSignIn, input) as Promise<Answer<never>>
  }

  /** For the OpenID provider: end the sessions that a logout token names (Back-Channel Logout 1.0) */
  endSessionsByProvider(
    input: ({} & { bytes: Blob | Uint8Array<ArrayBuffer> }) & CallOptions,
  ): Promise<Answer<Record<string, never>>> {
    return this.#transport.call(operations.endSessionsByProvider, input) as Promise<Answer<never>>
  }

  /** Tell how you sign in, and when you last did */
  getOwnAccount(input: {} & CallOptions = {}): Promise<Answer<OwnAccount>> {
    return this.#transport.call(operations.getOwnAccount, input) as Promise<Answer<never>>
  }

  /** Begin another sign-in at the provider, for what asks for the password again: send the browser to the location */
  confirmAtProvider(
    input: ({} & { body: { next?: string; in_window?: boolean } }) & CallOptions,
  ): Promise<Answer<{ location: string | null }>> {
    return this.#transport.call(operations.confirmAtProvider, input) as Promise<Answer<never>>
  }

  /** End this session, and tell where to sign out at the provider, too */
  logoutAtProvider(input: {} & CallOptions = {}): Promise<Answer<{ location: string | null }>> {
    return this.#transport.call(operations.logoutAtProvider, input) as Promise<Answer<never>>
  }

  /** Let a user sign in as a subject of the provider, and no longer by password; asks for your own password again */
  linkUser(
    input: ({ params: { userId: string } } & { body: { subject: string } }) & CallOptions,
  ): Promise<Answer<{ user: User }>> {
    return this.#transport.call(operations.linkUser, input) as Promise<Answer<never>>
  }

  /** End that: the user signs in again once a password is set; asks for your own password again */
  unlinkUser(input: { params: { userId: string } } & CallOptions): Promise<Answer<{ user: User }>> {
    return this.#transport.call(operations.unlinkUser, input) as Promise<Answer<never>>
  }

  /** List users, newest first */
  listUsers(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ users: User[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listUsers, input) as Promise<Answer<never>>
  }

  /** Create a user, who must change the password at the first login; asks for your own password again */
  createUser(
    input: ({} & {
      body: {
        username: string
        display_name: string
        roles: ('administrator' | 'engineer' | 'operator' | 'auditor' | 'business_viewer')[]
        password: string
      }
    }) &
      CallOptions,
  ): Promise<Answer<{ user: User }>> {
    return this.#transport.call(operations.createUser, input) as Promise<Answer<never>>
  }

  /** Create an account for programs, which has tokens and no password; asks for your own password again */
  createServiceAccount(
    input: ({} & {
      body: {
        username: string
        display_name: string
        roles: ('administrator' | 'engineer' | 'operator' | 'auditor' | 'business_viewer')[]
      }
    }) &
      CallOptions,
  ): Promise<Answer<{ user: User }>> {
    return this.#transport.call(operations.createServiceAccount, input) as Promise<Answer<never>>
  }

  /** Change roles, display name or whether the user is disabled; more rights ask for your own password again */
  updateUser(
    input: ({ params: { userId: string } } & {
      body: {
        display_name?: string
        roles?: ('administrator' | 'engineer' | 'operator' | 'auditor' | 'business_viewer')[]
        disabled?: boolean
      }
    }) &
      CallOptions,
  ): Promise<Answer<{ user: User }>> {
    return this.#transport.call(operations.updateUser, input) as Promise<Answer<never>>
  }

  /** Set a password that the user must change at the next login; ends all sessions; for an administrator asks for your own password again */
  resetUserPassword(
    input: ({ params: { userId: string } } & { body: { password: string } }) & CallOptions,
  ): Promise<Answer<{ user: User }>> {
    return this.#transport.call(operations.resetUserPassword, input) as Promise<Answer<never>>
  }

  /** Take away a user's second factors and recovery codes, which were lost; ends all sessions. Asks for your own password again */
  resetUserFactors(input: { params: { userId: string } } & CallOptions): Promise<Answer<undefined>> {
    return this.#transport.call(operations.resetUserFactors, input) as Promise<Answer<never>>
  }

  /** End all sessions of a user */
  revokeUserSessions(
    input: ({ params: { userId: string } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<undefined>> {
    return this.#transport.call(operations.revokeUserSessions, input) as Promise<Answer<never>>
  }

  /** Your own API tokens, newest first */
  listTokens(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ tokens: ApiToken[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listTokens, input) as Promise<Answer<never>>
  }

  /** Make an API token, for yourself or, as an administrator, for a service account; its text is shown only here. Asks for your own password again */
  createToken(
    input: ({} & {
      body: {
        name: string
        scopes: (
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
        )[]
        families?: string[]
        expires_in_days?: number
        user_id?: string
      }
    }) &
      CallOptions,
  ): Promise<Answer<{ token: ApiToken; secret: string }>> {
    return this.#transport.call(operations.createToken, input) as Promise<Answer<never>>
  }

  /** The API tokens of all users, or of one, newest first */
  listAllTokens(
    input: { query?: { limit?: number; cursor?: string; user_id?: string } } & CallOptions = {},
  ): Promise<Answer<{ tokens: ApiToken[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listAllTokens, input) as Promise<Answer<never>>
  }

  /** End an API token at once: one of yours or, as an administrator, any */
  revokeToken(
    input: ({ params: { tokenId: string } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<undefined>> {
    return this.#transport.call(operations.revokeToken, input) as Promise<Answer<never>>
  }

  /** The four synthetic scenarios, and whether the configuration they need is in force. */
  getIntakeTestLabCatalog(input: {} & CallOptions = {}): Promise<Answer<DemoCatalog>> {
    return this.#transport.call(operations.getIntakeTestLabCatalog, input) as Promise<Answer<never>>
  }

  /** What handing in this body now would run, with which versions and why; nothing is made. */
  planSubmission(input: ({} & { body: NewSubmission }) & CallOptions): Promise<Answer<SubmissionPlan>> {
    return this.#transport.call(operations.planSubmission, input) as Promise<Answer<never>>
  }

  /** Hands in one raw input; every processing node of the model in force that wants it becomes an execution. */
  createSubmission(
    input: ({ idempotencyKey?: string } & { body: NewSubmission }) & CallOptions,
  ): Promise<Answer<{ submission: Submission }>> {
    return this.#transport.call(operations.createSubmission, input) as Promise<Answer<never>>
  }

  /** Submissions, newest first; all of them, or those of one object. */
  listSubmissions(
    input: {
      query?: { limit?: number; cursor?: string; object_reference?: string; corrects?: string }
    } & CallOptions = {},
  ): Promise<Answer<{ submissions: Submission[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listSubmissions, input) as Promise<Answer<never>>
  }

  /** Runs one release on one input; a submission is made for it. */
  createExecution(
    input: ({ idempotencyKey?: string } & { body: NewExecution }) & CallOptions,
  ): Promise<Answer<Execution>> {
    return this.#transport.call(operations.createExecution, input) as Promise<Answer<never>>
  }

  /** Executions, newest first, without their inputs and outputs. */
  listExecutions(
    input: {
      query?: {
        limit?: number
        cursor?: string
        status?: 'queued' | 'processing' | 'awaiting_compose' | 'completed' | 'failed'
        release_id?: string
        submission_id?: string
      }
    } & CallOptions = {},
  ): Promise<Answer<{ executions: Execution[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listExecutions, input) as Promise<Answer<never>>
  }

  /** One submission with the state of its executions. */
  getSubmission(input: { params: { submissionId: string } } & CallOptions): Promise<Answer<Submission>> {
    return this.#transport.call(operations.getSubmission, input) as Promise<Answer<never>>
  }

  /** Hands in a file of many inputs for one ingestion model, CSV or NDJSON; each row becomes a submission. */
  createBatch(
    input: ({ idempotencyKey?: string } & {
      form: {
        ingestion_model: string
        name?: string
        official_time?: string
        object_reference_field?: string
        params?: string
        file: Blob | Uint8Array<ArrayBuffer>
      }
    }) &
      CallOptions,
  ): Promise<Answer<Batch>> {
    return this.#transport.call(operations.createBatch, input) as Promise<Answer<never>>
  }

  /** Batches with what became of their rows, newest first. */
  listBatches(
    input: {
      query?: {
        limit?: number
        cursor?: string
        model_slug?: string
        status?: 'running' | 'paused' | 'cancelled' | 'completed'
      }
    } & CallOptions = {},
  ): Promise<Answer<{ batches: Batch[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listBatches, input) as Promise<Answer<never>>
  }

  /** One batch with what became of its rows. */
  getBatch(input: { params: { batchId: string } } & CallOptions): Promise<Answer<Batch>> {
    return this.#transport.call(operations.getBatch, input) as Promise<Answer<never>>
  }

  /** Rows of a batch in their order, as far as it has come; all of them, or those of one state or cause. */
  listBatchRows(
    input: {
      params: { batchId: string }
      query?: {
        limit?: number
        cursor?: string
        state?: 'waiting' | 'submitted' | 'completed' | 'failed' | 'refused' | 'erased'
        cause?: string
      }
    } & CallOptions,
  ): Promise<
    Answer<{
      rows: {
        number: number
        line: number
        state: 'waiting' | 'submitted' | 'completed' | 'failed' | 'refused' | 'erased'
        object_reference?: string
        submission_id?: string
        cause?: string
        code?: string
        step?: string
        place?: string
        message?: string
      }[]
      next_cursor?: string
    }>
  > {
    return this.#transport.call(operations.listBatchRows, input) as Promise<Answer<never>>
  }

  /** Submits nothing more of a batch until it is resumed; what was submitted goes on. */
  pauseBatch(
    input: ({ params: { batchId: string } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<Batch>> {
    return this.#transport.call(operations.pauseBatch, input) as Promise<Answer<never>>
  }

  /** Goes on with a batch that was paused. */
  resumeBatch(
    input: ({ params: { batchId: string } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<Batch>> {
    return this.#transport.call(operations.resumeBatch, input) as Promise<Answer<never>>
  }

  /** Drops what was not submitted of a batch, and its file, for good. */
  cancelBatch(
    input: ({ params: { batchId: string } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<Batch>> {
    return this.#transport.call(operations.cancelBatch, input) as Promise<Answer<never>>
  }

  /** Why rows of a batch failed or were refused, by cause, the most frequent first. */
  listBatchFailures(input: { params: { batchId: string } } & CallOptions): Promise<Answer<BatchFailures>> {
    return this.#transport.call(operations.listBatchFailures, input) as Promise<Answer<never>>
  }

  /** Gives the rows of one cause another try, some hundreds in a request; it says how many remain. */
  retryBatchRows(
    input: ({ params: { batchId: string } } & { body: BatchRetry }) & CallOptions,
  ): Promise<Answer<{ retried: number; remaining: number; batch: Batch }>> {
    return this.#transport.call(operations.retryBatchRows, input) as Promise<Answer<never>>
  }

  /** What the rows of a batch have made, as a ZIP of all documents or as one PDF with bookmarks. */
  downloadBatchResults(
    input: {
      params: { batchId: string }
      query?: { form?: 'zip' | 'pdf'; from_row?: number; to_row?: number }
    } & CallOptions,
  ): Promise<Answer<Uint8Array<ArrayBuffer>>> {
    return this.#transport.call(operations.downloadBatchResults, input) as Promise<Answer<never>>
  }

  /** One execution with its steps, input, output and artifacts. */
  getExecution(input: { params: { executionId: string } } & CallOptions): Promise<Answer<Execution>> {
    return this.#transport.call(operations.getExecution, input) as Promise<Answer<never>>
  }

  /** What happened so far, in order; with Accept: text/event-stream live, resumable by Last-Event-ID. */
  getExecutionTrace(
    input: { params: { executionId: string } } & CallOptions,
  ): Promise<Answer<{ execution_id: string; events: TraceEvent[]; removed?: RemovedPart[] }>> {
    return this.#transport.call(operations.getExecutionTrace, input) as Promise<Answer<never>>
  }

  /** Puts the failed step back into the queue while attempts remain. A token needs submission_read as well. */
  retryExecution(
    input: ({ params: { executionId: string } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<Execution>> {
    return this.#transport.call(operations.retryExecution, input) as Promise<Answer<never>>
  }

  /** Puts the failed steps of many executions back into the queue, oldest first, or counts them by cause. */
  retryExecutions(input: ({} & { body: FailedExecutions }) & CallOptions): Promise<Answer<RetryOutcome>> {
    return this.#transport.call(operations.retryExecutions, input) as Promise<Answer<never>>
  }

  /** The manifest: every hash from raw input to artifact, versions, engines, attempts and times. */
  getExecutionProvenance(input: { params: { executionId: string } } & CallOptions): Promise<Answer<Provenance>> {
    return this.#transport.call(operations.getExecutionProvenance, input) as Promise<Answer<never>>
  }

  /** Runs the execution again from its pinned inputs, and says hash by hash whether all is the same. */
  verifyExecution(
    input: ({ params: { executionId: string } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<Verification>> {
    return this.#transport.call(operations.verifyExecution, input) as Promise<Answer<never>>
  }

  /** The bytes of a DOCX or PDF, checked against their hash; byte ranges and If-None-Match are honoured. */
  downloadArtifact(
    input: { params: { executionId: string; artifactId: string } } & CallOptions,
  ): Promise<Answer<Uint8Array<ArrayBuffer> | undefined>> {
    return this.#transport.call(operations.downloadArtifact, input) as Promise<Answer<never>>
  }

  /** Successful artifacts in a window of time, newest first. */
  listStorage(
    input: {
      query?: {
        from?: string
        to?: string
        object_reference?: string
        model_slug?: string
        producing_node_address?: string
        format?: 'docx' | 'pdf'
        limit?: number
        cursor?: string
      }
    } & CallOptions = {},
  ): Promise<Answer<{ storage: StorageItem[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listStorage, input) as Promise<Answer<never>>
  }

  /** Configuration, submissions and executions by any part of a name, slug, reference, id or source */
  search(
    input: { query: { text: string } } & CallOptions,
  ): Promise<Answer<{ found: FoundThing[]; looked_back_to: string | null }>> {
    return this.#transport.call(operations.search, input) as Promise<Answer<never>>
  }

  /** Audit records, newest first */
  listAudit(
    input: {
      query?: {
        limit?: number
        cursor?: string
        actor_id?: string
        action?: string
        resource_kind?: string
        resource_id?: string
        from?: string
        to?: string
      }
    } & CallOptions = {},
  ): Promise<Answer<{ audit: AuditRecord[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listAudit, input) as Promise<Answer<never>>
  }

  /** Compute the chain of audit records again and say where it breaks */
  verifyAudit(input: { query?: { from_position?: number } } & CallOptions = {}): Promise<Answer<AuditVerification>> {
    return this.#transport.call(operations.verifyAudit, input) as Promise<Answer<never>>
  }

  /** Count what erasing an object would take away; nothing is changed */
  planErasure(input: ({} & { body: NewErasurePlan }) & CallOptions): Promise<Answer<ErasurePlan>> {
    return this.#transport.call(operations.planErasure, input) as Promise<Answer<never>>
  }

  /** Erase all that is about an object, for good. In a session it asks for your own password again */
  createErasure(
    input: ({ idempotencyKey?: string } & { body: NewErasure }) & CallOptions,
  ): Promise<Answer<{ erasure: Erasure; refused_rows: number; dropped_files: number; remaining: number }>> {
    return this.#transport.call(operations.createErasure, input) as Promise<Answer<never>>
  }

  /** Erasures, newest first */
  listErasures(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ erasures: Erasure[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listErasures, input) as Promise<Answer<never>>
  }

  /** One erasure */
  getErasure(input: { params: { erasureId: string } } & CallOptions): Promise<Answer<Erasure>> {
    return this.#transport.call(operations.getErasure, input) as Promise<Answer<never>>
  }

  /** Place a legal hold on an object or an ingestion model: nothing of it is erased until it is released */
  placeHold(input: ({ idempotencyKey?: string } & { body: NewHold }) & CallOptions): Promise<Answer<Hold>> {
    return this.#transport.call(operations.placeHold, input) as Promise<Answer<never>>
  }

  /** Legal holds, in force and released, newest first */
  listHolds(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ holds: Hold[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listHolds, input) as Promise<Answer<never>>
  }

  /** Release a legal hold, for good; asks for your own password again */
  releaseHold(
    input: ({ params: { holdId: string }; idempotencyKey?: string } & { body: HoldRelease }) & CallOptions,
  ): Promise<Answer<Hold>> {
    return this.#transport.call(operations.releaseHold, input) as Promise<Answer<never>>
  }

  /** One legal hold */
  getHold(input: { params: { holdId: string } } & CallOptions): Promise<Answer<Hold>> {
    return this.#transport.call(operations.getHold, input) as Promise<Answer<never>>
  }

  /** The retention policies in force: how long submissions are kept, with all that is about them */
  getRetention(input: {} & CallOptions = {}): Promise<Answer<Retention>> {
    return this.#transport.call(operations.getRetention, input) as Promise<Answer<never>>
  }

  /** Put another set of retention policies in force; asks for your own password again */
  setRetention(
    input: ({ idempotencyKey?: string } & { body: NewRetention }) & CallOptions,
  ): Promise<Answer<Retention>> {
    return this.#transport.call(operations.setRetention, input) as Promise<Answer<never>>
  }

  /** Count what retention policies would remove now; nothing is changed */
  planRetention(input: ({} & { body: NewRetentionPlan }) & CallOptions): Promise<Answer<RetentionPlan>> {
    return this.#transport.call(operations.planRetention, input) as Promise<Answer<never>>
  }

  /** The receivers of events over HTTP, oldest first */
  listWebhooks(input: {} & CallOptions = {}): Promise<Answer<{ webhooks: Webhook[] }>> {
    return this.#transport.call(operations.listWebhooks, input) as Promise<Answer<never>>
  }

  /** Register a receiver of events; the secret that signs them is shown only here. Asks for your own password again */
  createWebhook(
    input: ({} & {
      body: {
        name: string
        url: string
        event_types?: (
          | 'quire.family.created'
          | 'quire.family.draft.saved'
          | 'quire.family.version.frozen'
          | 'quire.family.version.published'
          | 'quire.family.version.deprecated'
          | 'quire.activation.scheduled'
          | 'quire.activation.cancelled'
          | 'quire.release.created'
          | 'quire.submission.created'
          | 'quire.batch.created'
          | 'quire.batch.paused'
          | 'quire.batch.resumed'
          | 'quire.batch.cancelled'
          | 'quire.batch.completed'
          | 'quire.execution.queued'
          | 'quire.execution.step.started'
          | 'quire.execution.step.succeeded'
          | 'quire.execution.step.deferred'
          | 'quire.execution.step.failed'
          | 'quire.execution.retried'
          | 'quire.execution.completed'
          | 'quire.execution.failed'
          | 'quire.audit.head.signed'
          | 'quire.webhook.stopped'
          | 'quire.notice.recorded'
          | 'quire.user.created'
          | 'quire.user.updated'
          | 'quire.user.password_reset'
          | 'quire.user.factors_reset'
          | 'quire.user.sessions_revoked'
        )[]
        families?: string[]
      }
    }) &
      CallOptions,
  ): Promise<Answer<{ webhook: Webhook; secret: string }>> {
    return this.#transport.call(operations.createWebhook, input) as Promise<Answer<never>>
  }

  /** A receiver, how it does, and what waits for it */
  getWebhook(input: { params: { webhookId: string } } & CallOptions): Promise<Answer<{ webhook: Webhook }>> {
    return this.#transport.call(operations.getWebhook, input) as Promise<Answer<never>>
  }

  /** Change a receiver, pause it, or resume one that was paused, gone or disabled; another URL asks for your own password again */
  updateWebhook(
    input: ({ params: { webhookId: string } } & {
      body: {
        name?: string
        url?: string
        event_types?:
          | (
              | 'quire.family.created'
              | 'quire.family.draft.saved'
              | 'quire.family.version.frozen'
              | 'quire.family.version.published'
              | 'quire.family.version.deprecated'
              | 'quire.activation.scheduled'
              | 'quire.activation.cancelled'
              | 'quire.release.created'
              | 'quire.submission.created'
              | 'quire.batch.created'
              | 'quire.batch.paused'
              | 'quire.batch.resumed'
              | 'quire.batch.cancelled'
              | 'quire.batch.completed'
              | 'quire.execution.queued'
              | 'quire.execution.step.started'
              | 'quire.execution.step.succeeded'
              | 'quire.execution.step.deferred'
              | 'quire.execution.step.failed'
              | 'quire.execution.retried'
              | 'quire.execution.completed'
              | 'quire.execution.failed'
              | 'quire.audit.head.signed'
              | 'quire.webhook.stopped'
              | 'quire.notice.recorded'
              | 'quire.user.created'
              | 'quire.user.updated'
              | 'quire.user.password_reset'
              | 'quire.user.factors_reset'
              | 'quire.user.sessions_revoked'
            )[]
          | null
        families?: string[] | null
        status?: 'active' | 'paused'
      }
    }) &
      CallOptions,
  ): Promise<Answer<{ webhook: Webhook }>> {
    return this.#transport.call(operations.updateWebhook, input) as Promise<Answer<never>>
  }

  /** Remove a receiver with its deliveries, those that wait included */
  deleteWebhook(input: { params: { webhookId: string } } & CallOptions): Promise<Answer<undefined>> {
    return this.#transport.call(operations.deleteWebhook, input) as Promise<Answer<never>>
  }

  /** Give a receiver a new secret, shown only here; the one before signs as well for 24 hours. Asks for your own password again */
  renewWebhookSecret(
    input: ({ params: { webhookId: string } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<{ webhook: Webhook; secret: string }>> {
    return this.#transport.call(operations.renewWebhookSecret, input) as Promise<Answer<never>>
  }

  /** Deliveries to a receiver, newest first, each with what came of its last try */
  listWebhookDeliveries(
    input: {
      params: { webhookId: string }
      query?: { limit?: number; cursor?: string; status?: 'pending' | 'delivered' | 'failed' }
    } & CallOptions,
  ): Promise<Answer<{ deliveries: WebhookDelivery[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listWebhookDeliveries, input) as Promise<Answer<never>>
  }

  /** Send an event to a receiver again, under the same id; one that waits is sent at once */
  sendWebhookAgain(
    input: ({ params: { webhookId: string; deliveryId: string } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<{ delivery: WebhookDelivery }>> {
    return this.#transport.call(operations.sendWebhookAgain, input) as Promise<Answer<never>>
  }

  /** List contracts with their versions, newest first */
  listContracts(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ contracts: ContractItem[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listContracts, input) as Promise<Answer<never>>
  }

  /** Create a contract with its first draft */
  createContract(
    input: ({} & { body: { name: string; description: string; schema: string } }) & CallOptions,
  ): Promise<Answer<{ contract: Contract }>> {
    return this.#transport.call(operations.createContract, input) as Promise<Answer<never>>
  }

  /** Read a contract: its draft and its versions */
  getContract(input: { params: { contractId: string } } & CallOptions): Promise<Answer<Contract>> {
    return this.#transport.call(operations.getContract, input) as Promise<Answer<never>>
  }

  /** Replace the draft, if it is still at the expected revision */
  updateContractDraft(
    input: ({ params: { contractId: string } } & {
      body: { name: string; description: string; schema: string; expected_revision: number }
    }) &
      CallOptions,
  ): Promise<Answer<{ contract: Contract }>> {
    return this.#transport.call(operations.updateContractDraft, input) as Promise<Answer<never>>
  }

  /** Say what is wrong with the draft, or with the schema given; changes nothing */
  validateContractDraft(
    input: ({ params: { contractId: string } } & { body: { schema?: string } }) & CallOptions,
  ): Promise<Answer<ContractValidationResult>> {
    return this.#transport.call(operations.validateContractDraft, input) as Promise<Answer<never>>
  }

  /** Freeze the draft as the next version */
  createContractVersion(
    input: ({ params: { contractId: string } } & { body: { expected_revision: number } }) & CallOptions,
  ): Promise<Answer<{ version: ContractVersionItem }>> {
    return this.#transport.call(operations.createContractVersion, input) as Promise<Answer<never>>
  }

  /** Read one version with its schema */
  getContractVersion(
    input: { params: { contractId: string; number: number } } & CallOptions,
  ): Promise<Answer<ContractVersion>> {
    return this.#transport.call(operations.getContractVersion, input) as Promise<Answer<never>>
  }

  /** Say what changed between two versions, and what that means for documents */
  compareContractVersions(
    input: { params: { contractId: string; older: number; newer: number } } & CallOptions,
  ): Promise<Answer<ContractDiff>> {
    return this.#transport.call(operations.compareContractVersions, input) as Promise<Answer<never>>
  }

  /** Let releases use a version */
  publishContractVersion(
    input: ({ params: { contractId: string; number: number } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<{ version: ContractVersionItem }>> {
    return this.#transport.call(operations.publishContractVersion, input) as Promise<Answer<never>>
  }

  /** Close a published version to new releases */
  deprecateContractVersion(
    input: ({ params: { contractId: string; number: number } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<{ version: ContractVersionItem }>> {
    return this.#transport.call(operations.deprecateContractVersion, input) as Promise<Answer<never>>
  }

  /** List cases without their payloads, newest first */
  listCases(
    input: {
      query?: { limit?: number; cursor?: string; contract_version_id?: string; kind?: 'valid' | 'boundary' | 'invalid' }
    } & CallOptions = {},
  ): Promise<Answer<{ cases: CaseItem[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listCases, input) as Promise<Answer<never>>
  }

  /** Generate a payload for a contract version; the same kind and seed give the same case */
  generateCase(
    input: ({} & { body: { contract_version_id: string; kind: 'valid' | 'boundary' | 'invalid'; seed: number } }) &
      CallOptions,
  ): Promise<Answer<Case>> {
    return this.#transport.call(operations.generateCase, input) as Promise<Answer<never>>
  }

  /** Store a payload that satisfies its contract; the same payload and kind give the same case */
  importFixtureCase(
    input: ({} & { body: { contract_version_id: string; kind: 'valid' | 'boundary'; payload: string } }) & CallOptions,
  ): Promise<Answer<Case>> {
    return this.#transport.call(operations.importFixtureCase, input) as Promise<Answer<never>>
  }

  /** Read one case with its payload */
  getCase(input: { params: { caseId: string } } & CallOptions): Promise<Answer<Case>> {
    return this.#transport.call(operations.getCase, input) as Promise<Answer<never>>
  }

  /** List transforms, newest first */
  listTransforms(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ transforms: TransformItem[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listTransforms, input) as Promise<Answer<never>>
  }

  /** Create a transform with its first draft */
  createTransform(
    input: ({} & { body: { name: string; description: string; source: string; format: 'yaml' | 'json' } }) &
      CallOptions,
  ): Promise<Answer<{ transform: Transform }>> {
    return this.#transport.call(operations.createTransform, input) as Promise<Answer<never>>
  }

  /** Read a transform: its draft and its versions */
  getTransform(input: { params: { transformId: string } } & CallOptions): Promise<Answer<Transform>> {
    return this.#transport.call(operations.getTransform, input) as Promise<Answer<never>>
  }

  /** Replace the draft, if it is still at the expected revision */
  updateTransformDraft(
    input: ({ params: { transformId: string } } & {
      body: { name: string; description: string; source: string; format: 'yaml' | 'json'; expected_revision: number }
    }) &
      CallOptions,
  ): Promise<Answer<{ transform: Transform }>> {
    return this.#transport.call(operations.updateTransformDraft, input) as Promise<Answer<never>>
  }

  /** Say what is wrong with a source; changes nothing */
  validateTransformDraft(
    input: ({ params: { transformId: string } } & { body: { source: string; format: 'yaml' | 'json' } }) & CallOptions,
  ): Promise<Answer<ConfigurationValidationResult>> {
    return this.#transport.call(operations.validateTransformDraft, input) as Promise<Answer<never>>
  }

  /** Run a source on a case; keeps nothing */
  previewTransform(
    input: ({ params: { transformId: string } } & {
      body: { source: string; format: 'yaml' | 'json'; case_id: string; params?: TransformerParams }
    }) &
      CallOptions,
  ): Promise<Answer<TransformPreview>> {
    return this.#transport.call(operations.previewTransform, input) as Promise<Answer<never>>
  }

  /** Freeze the draft as the next version */
  createTransformVersion(
    input: ({ params: { transformId: string } } & { body: { expected_revision: number } }) & CallOptions,
  ): Promise<Answer<{ version: TransformVersion }>> {
    return this.#transport.call(operations.createTransformVersion, input) as Promise<Answer<never>>
  }

  /** Let releases use a version; puts nothing in force */
  publishTransformVersion(
    input: ({ params: { transformId: string; number: number } } & { body: Record<string, never> }) & CallOptions,
  ): Promise<Answer<{ version: TransformVersion }>> {
    return this.#transport.call(operations.publishTransformVersion, input) as Promise<Answer<never>>
  }

  /** Makes an empty family; its first draft comes with a PUT. */
  createIngestionModel(
    input: ({ idempotencyKey?: string } & { body: NewFamily }) & CallOptions,
  ): Promise<Answer<ConfigurationMutationResult>> {
    return this.#transport.call(operations.createIngestionModel, input) as Promise<Answer<never>>
  }

  /** Families, newest first. */
  listIngestionModels(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ ingestion_models: DefinitionFamily[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listIngestionModels, input) as Promise<Answer<never>>
  }

  /** One family with its newest versions. */
  getIngestionModel(
    input: { params: { ingestionModelId: string } } & CallOptions,
  ): Promise<Answer<DefinitionFamilyRead>> {
    return this.#transport.call(operations.getIngestionModel, input) as Promise<Answer<never>>
  }

  /** The mutable draft and its revision. */
  getCanonicalIngestionModelDraft(
    input: { params: { ingestionModelId: string } } & CallOptions,
  ): Promise<Answer<SourceDraft>> {
    return this.#transport.call(operations.getCanonicalIngestionModelDraft, input) as Promise<Answer<never>>
  }

  /** Writes the draft: the first one with If-None-Match: *, every later one with If-Match. */
  updateCanonicalIngestionModelDraft(
    input: ({ params: { ingestionModelId: string }; idempotencyKey?: string; ifMatch?: string; ifNoneMatch?: '*' } & {
      body: NewDraft
    }) &
      CallOptions,
  ): Promise<Answer<SourceDraft>> {
    return this.#transport.call(operations.updateCanonicalIngestionModelDraft, input) as Promise<Answer<never>>
  }

  /** Says what is wrong with a source text; writes nothing. */
  validateCanonicalIngestionModel(
    input: ({ params: { ingestionModelId: string }; idempotencyKey?: string } & {
      body: { source: string; format: 'yaml' | 'json' }
    }) &
      CallOptions,
  ): Promise<Answer<ConfigurationValidationResult>> {
    return this.#transport.call(operations.validateCanonicalIngestionModel, input) as Promise<Answer<never>>
  }

  /** Freezes the draft into an immutable version: 201; 200 when one has the very same content already. */
  freezeIngestionModelVersion(
    input: ({ params: { ingestionModelId: string }; idempotencyKey?: string; ifMatch?: string } & {
      body: Record<string, never>
    }) &
      CallOptions,
  ): Promise<Answer<ConfigurationMutationResult>> {
    return this.#transport.call(operations.freezeIngestionModelVersion, input) as Promise<Answer<never>>
  }

  /** Versions, newest first, without their source. */
  listIngestionModelVersions(
    input: { params: { ingestionModelId: string }; query?: { limit?: number; cursor?: string } } & CallOptions,
  ): Promise<Answer<{ versions: DefinitionVersion[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listIngestionModelVersions, input) as Promise<Answer<never>>
  }

  /** One version with its source. */
  getIngestionModelVersion(
    input: { params: { ingestionModelId: string; number: number } } & CallOptions,
  ): Promise<Answer<DefinitionVersion>> {
    return this.#transport.call(operations.getIngestionModelVersion, input) as Promise<Answer<never>>
  }

  /** Makes an empty family; its first draft comes with a PUT. */
  createTransformer(
    input: ({ idempotencyKey?: string } & { body: NewFamily }) & CallOptions,
  ): Promise<Answer<ConfigurationMutationResult>> {
    return this.#transport.call(operations.createTransformer, input) as Promise<Answer<never>>
  }

  /** Families, newest first. */
  listTransformers(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ transformers: DefinitionFamily[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listTransformers, input) as Promise<Answer<never>>
  }

  /** One family with its newest versions. */
  getTransformer(input: { params: { transformerId: string } } & CallOptions): Promise<Answer<DefinitionFamilyRead>> {
    return this.#transport.call(operations.getTransformer, input) as Promise<Answer<never>>
  }

  /** The mutable draft and its revision. */
  getCanonicalTransformerDraft(
    input: { params: { transformerId: string } } & CallOptions,
  ): Promise<Answer<SourceDraft>> {
    return this.#transport.call(operations.getCanonicalTransformerDraft, input) as Promise<Answer<never>>
  }

  /** Writes the draft: the first one with If-None-Match: *, every later one with If-Match. */
  updateCanonicalTransformerDraft(
    input: ({ params: { transformerId: string }; idempotencyKey?: string; ifMatch?: string; ifNoneMatch?: '*' } & {
      body: NewDraft
    }) &
      CallOptions,
  ): Promise<Answer<SourceDraft>> {
    return this.#transport.call(operations.updateCanonicalTransformerDraft, input) as Promise<Answer<never>>
  }

  /** Says what is wrong with a source text; writes nothing. */
  validateCanonicalTransformer(
    input: ({ params: { transformerId: string }; idempotencyKey?: string } & {
      body: { source: string; format: 'yaml' | 'json' }
    }) &
      CallOptions,
  ): Promise<Answer<ConfigurationValidationResult>> {
    return this.#transport.call(operations.validateCanonicalTransformer, input) as Promise<Answer<never>>
  }

  /** Freezes the draft into an immutable version: 201; 200 when one has the very same content already. */
  freezeTransformerVersion(
    input: ({ params: { transformerId: string }; idempotencyKey?: string; ifMatch?: string } & {
      body: Record<string, never>
    }) &
      CallOptions,
  ): Promise<Answer<ConfigurationMutationResult>> {
    return this.#transport.call(operations.freezeTransformerVersion, input) as Promise<Answer<never>>
  }

  /** Versions, newest first, without their source. */
  listTransformerVersions(
    input: { params: { transformerId: string }; query?: { limit?: number; cursor?: string } } & CallOptions,
  ): Promise<Answer<{ versions: DefinitionVersion[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listTransformerVersions, input) as Promise<Answer<never>>
  }

  /** One version with its source. */
  getTransformerVersion(
    input: { params: { transformerId: string; number: number } } & CallOptions,
  ): Promise<Answer<DefinitionVersion>> {
    return this.#transport.call(operations.getTransformerVersion, input) as Promise<Answer<never>>
  }

  /** Runs the draft on the given data; keeps nothing. */
  testCanonicalTransformerDraft(
    input: ({ params: { transformerId: string }; idempotencyKey?: string } & {
      body: { data: unknown; params?: TransformerParams }
    }) &
      CallOptions,
  ): Promise<Answer<TransformerTestResult>> {
    return this.#transport.call(operations.testCanonicalTransformerDraft, input) as Promise<Answer<never>>
  }

  /** Templates with their newest versions, newest first. */
  listTemplates(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ templates: Template[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listTemplates, input) as Promise<Answer<never>>
  }

  /** JSON makes an empty family; multipart stores the file as version 1 at once. */
  createTemplate(
    input: ({ idempotencyKey?: string } & (
      | { body: NewFamily }
      | { form: { name: string; description: string; file: Blob | Uint8Array<ArrayBuffer> } }
    )) &
      CallOptions,
  ): Promise<Answer<{ template: Template }>> {
    return this.#transport.call(operations.createTemplate, input) as Promise<Answer<never>>
  }

  /** One template with its newest versions and their bindings. */
  getTemplate(input: { params: { templateId: string } } & CallOptions): Promise<Answer<Template>> {
    return this.#transport.call(operations.getTemplate, input) as Promise<Answer<never>>
  }

  /** The draft and its revision; its file is at draft/content. */
  getCanonicalTemplateDraft(input: { params: { templateId: string } } & CallOptions): Promise<Answer<TemplateDraft>> {
    return this.#transport.call(operations.getCanonicalTemplateDraft, input) as Promise<Answer<never>>
  }

  /** Writes the draft file: the first one with If-None-Match: *, every later one with If-Match. */
  updateCanonicalTemplateDraft(
    input: ({ params: { templateId: string }; idempotencyKey?: string; ifMatch?: string; ifNoneMatch?: '*' } & (
      | { form: { name?: string; description?: string; file: Blob | Uint8Array<ArrayBuffer> } }
      | { bytes: Blob | Uint8Array<ArrayBuffer> }
    )) &
      CallOptions,
  ): Promise<Answer<TemplateDraft>> {
    return this.#transport.call(operations.updateCanonicalTemplateDraft, input) as Promise<Answer<never>>
  }

  /** The draft's DOCX. */
  getCanonicalTemplateDraftContent(
    input: { params: { templateId: string } } & CallOptions,
  ): Promise<Answer<Uint8Array<ArrayBuffer>>> {
    return this.#transport.call(operations.getCanonicalTemplateDraftContent, input) as Promise<Answer<never>>
  }

  /** The fonts that draw the texts of the draft, or of a version: which are the ones that it names, and which are guessed. */
  getTemplateFonts(
    input: { params: { templateId: string }; query?: { version?: number } } & CallOptions,
  ): Promise<Answer<TemplateFonts>> {
    return this.#transport.call(operations.getTemplateFonts, input) as Promise<Answer<never>>
  }

  /** Says what is wrong with a file, or with the draft; writes nothing. */
  validateCanonicalTemplate(
    input: ({ params: { templateId: string }; idempotencyKey?: string } & (
      | { body: Record<string, never> }
      | { form: { file: Blob | Uint8Array<ArrayBuffer> } }
    )) &
      CallOptions,
  ): Promise<Answer<ConfigurationValidationResult>> {
    return this.#transport.call(operations.validateCanonicalTemplate, input) as Promise<Answer<never>>
  }

  /** Composes and renders the draft, or a file that is sent, with the given data; keeps nothing. */
  testCanonicalTemplateDraft(
    input: ({ params: { templateId: string }; idempotencyKey?: string } & (
      | { body: { data: unknown } }
      | { form: { data: string; file: Blob | Uint8Array<ArrayBuffer> } }
    )) &
      CallOptions,
  ): Promise<Answer<TemplateTestResult | Uint8Array<ArrayBuffer>>> {
    return this.#transport.call(operations.testCanonicalTemplateDraft, input) as Promise<Answer<never>>
  }

  /** Multipart stores a file as the next version; JSON freezes the draft, and takes both headers. */
  createTemplateVersion(
    input: ({ params: { templateId: string }; idempotencyKey?: string; ifMatch?: string } & (
      | { body: Record<string, never> }
      | { form: { file: Blob | Uint8Array<ArrayBuffer> } }
    )) &
      CallOptions,
  ): Promise<Answer<ConfigurationMutationResult | ({ version: TemplateVersion } | ConfigurationMutationResult)>> {
    return this.#transport.call(operations.createTemplateVersion, input) as Promise<Answer<never>>
  }

  /** Versions, newest first. */
  listTemplateVersions(
    input: { params: { templateId: string }; query?: { limit?: number; cursor?: string } } & CallOptions,
  ): Promise<Answer<{ versions: TemplateVersion[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listTemplateVersions, input) as Promise<Answer<never>>
  }

  /** One version with its bindings. */
  getTemplateVersion(
    input: { params: { templateId: string; number: number } } & CallOptions,
  ): Promise<Answer<TemplateVersion>> {
    return this.#transport.call(operations.getTemplateVersion, input) as Promise<Answer<never>>
  }

  /** Fills a version with what a transform makes of a case; keeps nothing. */
  previewTemplateVersion(
    input: ({ params: { templateId: string; number: number } } & {
      body: { transform_version_id: string; case_id: string; params?: TransformerParams }
    }) &
      CallOptions,
  ): Promise<Answer<TemplatePreview | Uint8Array<ArrayBuffer>>> {
    return this.#transport.call(operations.previewTemplateVersion, input) as Promise<Answer<never>>
  }

  /** Publishes a version, and puts it in force from an instant on. */
  publishIngestionModelVersion(
    input: ({ params: { ingestionModelId: string; number: number }; idempotencyKey?: string } & {
      body: { effective_from: string }
    }) &
      CallOptions,
  ): Promise<Answer<ConfigurationMutationResult>> {
    return this.#transport.call(operations.publishIngestionModelVersion, input) as Promise<Answer<never>>
  }

  /** The activation in force at an instant. */
  resolveIngestionModelActivation(
    input: { params: { ingestionModelId: string }; query: { at: string } } & CallOptions,
  ): Promise<Answer<ConfigurationActivation>> {
    return this.#transport.call(operations.resolveIngestionModelActivation, input) as Promise<Answer<never>>
  }

  /** Publishes a version, and puts it in force from an instant on. */
  publishTransformerVersion(
    input: ({ params: { transformerId: string; number: number }; idempotencyKey?: string } & {
      body: { effective_from: string }
    }) &
      CallOptions,
  ): Promise<Answer<ConfigurationMutationResult>> {
    return this.#transport.call(operations.publishTransformerVersion, input) as Promise<Answer<never>>
  }

  /** The activation in force at an instant. */
  resolveTransformerActivation(
    input: { params: { transformerId: string }; query: { at: string } } & CallOptions,
  ): Promise<Answer<ConfigurationActivation>> {
    return this.#transport.call(operations.resolveTransformerActivation, input) as Promise<Answer<never>>
  }

  /** Publishes a version, and puts it in force from an instant on. With {} it only lets releases use the version. */
  publishTemplateVersion(
    input: ({ params: { templateId: string; number: number }; idempotencyKey?: string } & {
      body: { effective_from?: string }
    }) &
      CallOptions,
  ): Promise<Answer<{ version: TemplateVersion } | ConfigurationMutationResult>> {
    return this.#transport.call(operations.publishTemplateVersion, input) as Promise<Answer<never>>
  }

  /** The activation in force at an instant. */
  resolveTemplateActivation(
    input: { params: { templateId: string }; query: { at: string } } & CallOptions,
  ): Promise<Answer<ConfigurationActivation>> {
    return this.#transport.call(operations.resolveTemplateActivation, input) as Promise<Answer<never>>
  }

  /** Activations, newest scheduling first. */
  listActivations(
    input: {
      query?: {
        limit?: number
        cursor?: string
        kind?: 'ingestion_model' | 'transformer' | 'template'
        family_id?: string
        status?: 'scheduled' | 'active' | 'superseded' | 'cancelled'
      }
    } & CallOptions = {},
  ): Promise<Answer<{ activations: ConfigurationActivation[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listActivations, input) as Promise<Answer<never>>
  }

  /** What comes into force in a range of time, what it takes over from, and until when it is in force. */
  readActivationCalendar(
    input: {
      query: { from: string; before: string; kind?: 'ingestion_model' | 'transformer' | 'template'; family_id?: string }
    } & CallOptions,
  ): Promise<Answer<ActivationCalendar>> {
    return this.#transport.call(operations.readActivationCalendar, input) as Promise<Answer<never>>
  }

  /** Whether the policy of four eyes lets the caller put a version in force. */
  readVersionApproval(
    input: {
      query: { kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'; family_id: string; version: number }
    } & CallOptions,
  ): Promise<Answer<VersionApproval>> {
    return this.#transport.call(operations.readVersionApproval, input) as Promise<Answer<never>>
  }

  /** Cancels an activation that has not begun; its instant is free again. */
  cancelActivation(
    input: ({ params: { activationId: string }; idempotencyKey?: string } & { body: { cancellation_code: string } }) &
      CallOptions,
  ): Promise<Answer<ConfigurationMutationResult>> {
    return this.#transport.call(operations.cancelActivation, input) as Promise<Answer<never>>
  }

  /** What putting an ingestion model in force with all that it names would change and break; nothing is changed. */
  planActivationSet(input: ({} & { body: ActivationSetRequest }) & CallOptions): Promise<Answer<ActivationSetPlan>> {
    return this.#transport.call(operations.planActivationSet, input) as Promise<Answer<never>>
  }

  /** Puts an ingestion model in force with all that it names, at one instant, as it was planned. */
  applyActivationSet(
    input: ({ idempotencyKey?: string } & { body: ActivationSetApplication }) & CallOptions,
  ): Promise<Answer<AppliedActivationSet>> {
    return this.#transport.call(operations.applyActivationSet, input) as Promise<Answer<never>>
  }

  /** Cancels activations that have not begun, all of them or none. */
  cancelActivationSet(
    input: ({ idempotencyKey?: string } & { body: { activation_ids: string[]; cancellation_code: string } }) &
      CallOptions,
  ): Promise<Answer<{ activations: ConfigurationActivation[]; correlation_id: string }>> {
    return this.#transport.call(operations.cancelActivationSet, input) as Promise<Answer<never>>
  }

  /** What differs between two states of a family: lines, rules of a contract, pages of a template with the places that changed. */
  compareConfiguration(
    input: {
      query: {
        kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
        family_id: string
        from: string
        to: string
        pages?: 'drawn' | 'none'
      }
    } & CallOptions,
  ): Promise<Answer<Comparison>> {
    return this.#transport.call(operations.compareConfiguration, input) as Promise<Answer<never>>
  }

  /** All that is in force as a ZIP archive of files, the same bytes each time. */
  exportProject(input: { query?: { at?: string } } & CallOptions = {}): Promise<Answer<Uint8Array<ArrayBuffer>>> {
    return this.#transport.call(operations.exportProject, input) as Promise<Answer<never>>
  }

  /** What bringing an archive of files into force would change and break; nothing is changed. */
  planProject(
    input: ({} & {
      form: { effective_from?: string; freeze_only?: 'true' | 'false'; file: Blob | Uint8Array<ArrayBuffer> }
    }) &
      CallOptions,
  ): Promise<Answer<ProjectPlan>> {
    return this.#transport.call(operations.planProject, input) as Promise<Answer<never>>
  }

  /** Brings an archive of files into force as it was planned, or only freezes it, all in one transaction. */
  applyProject(
    input: ({ idempotencyKey?: string } & {
      form: {
        plan_hash: string
        effective_from?: string
        freeze_only?: 'true' | 'false'
        file: Blob | Uint8Array<ArrayBuffer>
      }
    }) &
      CallOptions,
  ): Promise<Answer<ProjectApplied>> {
    return this.#transport.call(operations.applyProject, input) as Promise<Answer<never>>
  }

  /** The suites of ingestion models, newest model first; or of those that use a family. */
  listSuites(input: { query?: { family_id?: string } } & CallOptions = {}): Promise<Answer<{ suites: SuiteItem[] }>> {
    return this.#transport.call(operations.listSuites, input) as Promise<Answer<never>>
  }

  /** A model's cases, and when they have to be green. */
  getSuite(input: { params: { ingestionModelId: string } } & CallOptions): Promise<Answer<Suite>> {
    return this.#transport.call(operations.getSuite, input) as Promise<Answer<never>>
  }

  /** Runs cases with drafts, or with what is in force, and says what is not as expected; keeps nothing. */
  runSuite(
    input: ({ params: { ingestionModelId: string } } & { body: SuiteRunRequest }) & CallOptions,
  ): Promise<Answer<SuiteRun>> {
    return this.#transport.call(operations.runSuite, input) as Promise<Answer<never>>
  }

  /** Writes down what cases make now as what is expected of them, as quire test --update does. */
  acceptSuite(
    input: ({ params: { ingestionModelId: string }; idempotencyKey?: string } & { body: SuiteAcceptance }) &
      CallOptions,
  ): Promise<Answer<AcceptedCases>> {
    return this.#transport.call(operations.acceptSuite, input) as Promise<Answer<never>>
  }

  /** Says when the suite has to be green, and may let it pass for some hours. */
  setSuitePolicy(
    input: ({ params: { ingestionModelId: string }; idempotencyKey?: string } & { body: NewSuitePolicy }) & CallOptions,
  ): Promise<Answer<SuitePolicy>> {
    return this.#transport.call(operations.setSuitePolicy, input) as Promise<Answer<never>>
  }

  /** A case: its input, its params, and which files say what is expected of it. */
  getSuiteCase(
    input: { params: { ingestionModelId: string; caseName: string } } & CallOptions,
  ): Promise<Answer<SuiteCase>> {
    return this.#transport.call(operations.getSuiteCase, input) as Promise<Answer<never>>
  }

  /** Stores an input as a case; what is expected of it stays as it is. */
  putSuiteCase(
    input: ({ params: { ingestionModelId: string; caseName: string }; idempotencyKey?: string } & {
      body: NewSuiteCase
    }) &
      CallOptions,
  ): Promise<Answer<SuiteCase>> {
    return this.#transport.call(operations.putSuiteCase, input) as Promise<Answer<never>>
  }

  /** Removes a case with all that is expected of it. */
  deleteSuiteCase(
    input: { params: { ingestionModelId: string; caseName: string }; query: { case_hash: string } } & CallOptions,
  ): Promise<Answer<undefined>> {
    return this.#transport.call(operations.deleteSuiteCase, input) as Promise<Answer<never>>
  }

  /** What you typed into a draft and haven’t saved, as it was from time to time, newest first. */
  getUnsavedDraft(input: { params: { familyId: string } } & CallOptions): Promise<Answer<UnsavedDraft>> {
    return this.#transport.call(operations.getUnsavedDraft, input) as Promise<Answer<never>>
  }

  /** Keeps what one tab has now. Sent again, or late, it changes nothing. */
  putUnsavedDraft(
    input: ({ params: { familyId: string } } & { body: NewUnsavedText }) & CallOptions,
  ): Promise<Answer<UnsavedState>> {
    return this.#transport.call(operations.putUnsavedDraft, input) as Promise<Answer<never>>
  }

  /** Removes all that is kept of what you typed into a draft, for good. */
  deleteUnsavedDraft(input: { params: { familyId: string } } & CallOptions): Promise<Answer<undefined>> {
    return this.#transport.call(operations.deleteUnsavedDraft, input) as Promise<Answer<never>>
  }

  /** Says that what these tabs typed was saved or given up; it stays in the history. */
  settleUnsavedDraft(
    input: ({ params: { familyId: string } } & { body: UnsavedSettlement }) & CallOptions,
  ): Promise<Answer<undefined>> {
    return this.#transport.call(operations.settleUnsavedDraft, input) as Promise<Answer<never>>
  }

  /** One of them with its text, and while it is unsaved with the text that it began from. */
  getUnsavedState(
    input: { params: { familyId: string; stateId: string } } & CallOptions,
  ): Promise<Answer<UnsavedText>> {
    return this.#transport.call(operations.getUnsavedState, input) as Promise<Answer<never>>
  }

  /** Pins published versions of contract, transformer and template that fit together. */
  createRelease(
    input: ({ idempotencyKey?: string } & { body: NewRelease }) & CallOptions,
  ): Promise<Answer<{ release: Release }>> {
    return this.#transport.call(operations.createRelease, input) as Promise<Answer<never>>
  }

  /** Releases, newest first. */
  listReleases(
    input: { query?: { limit?: number; cursor?: string } } & CallOptions = {},
  ): Promise<Answer<{ releases: Release[]; next_cursor?: string }>> {
    return this.#transport.call(operations.listReleases, input) as Promise<Answer<never>>
  }

  /** One release. */
  getRelease(input: { params: { releaseId: string } } & CallOptions): Promise<Answer<Release>> {
    return this.#transport.call(operations.getRelease, input) as Promise<Answer<never>>
  }
}
