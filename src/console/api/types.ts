/** The interface's bodies as the console reads them, with the interface's own names. */

export type Role = 'administrator' | 'engineer' | 'operator' | 'auditor' | 'business_viewer'

export interface User {
  id: string
  username: string
  display_name: string
  roles: Role[]
  permissions: string[]
}

export interface Session {
  user: User
  csrf_token: string
  must_change_password: boolean
}

/** A user as administrators see it. */
export interface Account {
  id: string
  username: string
  display_name: string
  roles: Role[]
  disabled: boolean
  must_change_password: boolean
  created_at: string
  updated_at: string
}

export interface IntakeMetadata {
  schema: string
  source_object: string
  source_timestamp: string
  source_actor: string
  source_system: string
  fixture_family: string
  scenario_id: string
  schedule_interval_months: number
}

export interface Scenario {
  id: string
  name: string
  description: string
  expected_outcome: string
  schedule_interval_months: number
  raw_input: string
  raw_input_hash: string
  metadata: IntakeMetadata
}

export interface Catalog {
  fixture_family: string
  ready: boolean
  release_id?: string
  scenarios: Scenario[]
}

export type ExecutionStatus = 'queued' | 'processing' | 'awaiting_compose' | 'completed' | 'failed'
export type StepStatus = 'not_started' | 'queued' | 'running' | 'succeeded' | 'failed'
export type StepName = 'validate' | 'transform.declarative' | 'compose' | 'render'

export interface StepIssue {
  path: string
  keyword?: string
  message: string
}

export interface StepFailure {
  code: string
  message: string
  issues?: StepIssue[]
}

export interface Step {
  name: StepName
  position: number
  status: StepStatus
  attempt: number
  started_at?: string
  finished_at?: string
  duration_ms?: number
  summary?: Record<string, unknown>
  failure?: StepFailure
}

export interface Artifact {
  id: string
  kind: 'docx' | 'pdf'
  media_type: string
  byte_size: number
  content_hash: string
  created_at: string
}

export interface Execution {
  id: string
  release_id: string
  release_hash: string
  processing_kind: string
  submission_id?: string
  input_hash: string
  raw_input_hash: string
  raw_input?: string
  metadata?: IntakeMetadata
  output?: unknown
  output_hash?: string
  status: ExecutionStatus
  submitted_by?: string
  correlation_id: string
  created_at: string
  updated_at: string
  completed_at?: string
  steps: Step[]
  artifacts: Artifact[]
}

export interface Submission {
  id: string
  model_slug: string
  object_reference: string
  object_time: string
  raw_input_hash: string
  metadata?: IntakeMetadata
  submitted_by: string
  correlation_id: string
  created_at: string
  executions: { id: string; node_label: string; node_address: string; status: ExecutionStatus }[]
}

export interface PinnedVersion {
  family_id: string
  slug: string
  name: string
  version_id: string
  version: number
  content_hash: string
}

export interface Manifest {
  execution_id: string
  submission_id: string
  parent_execution_id?: string
  release: { id: string; name: string; release_hash: string; processing_kind: string }
  contract: PinnedVersion
  transformer: PinnedVersion
  template?: PinnedVersion
  ingestion_model?: PinnedVersion
  object_reference: string
  object_time: string
  node_label: string
  node_address: string
  submission_raw_input_hash: string
  raw_input_hash: string
  input_hash: string
  output_hash?: string
  product_version: string
  steps: { name: StepName; position: number; attempts: number; engine_revision?: string }[]
  manifest_hash: string
}

export interface Verification {
  identical: boolean
  engine_revision: string
  product_version: string
  checks: { subject: string; recorded: string; computed?: string; identical: boolean }[]
}

export interface StorageItem {
  artifact_id: string
  submission_id: string
  object_reference: string
  model_slug: string
  producing_node_label: string
  producing_node_address: string
  format: 'docx' | 'pdf'
  media_type: string
  byte_size: number
  content_hash: string
  created_at: string
  download_path: string
}

export type VersionStatus = 'versioned' | 'published' | 'deprecated'

/** What every frozen version says of itself. */
export interface Version {
  id: string
  number: number
  status: VersionStatus
  content_hash: string
  source_revision: number
  byte_size: number
  created_by: string
  created_at: string
  published_at?: string
  deprecated_at?: string
  format?: SourceFormat
  /** Where one version is read. */
  source?: string
  schema?: string
}

export type SourceFormat = 'yaml' | 'json'
export type ConfigurationKind = 'ingestion_model' | 'transformer' | 'template'

export interface Family {
  kind?: ConfigurationKind
  id: string
  slug: string
  name: string
  description: string
  draft_revision: number
  created_at: string
  updated_at: string
}

export interface Contract extends Family {
  /** Left out in lists. */
  schema?: string
  versions: Version[]
}

export interface DefinitionFamily extends Family {
  versions: Version[]
}

export interface SourceDraft {
  id: string
  slug: string
  name: string
  description: string
  source: string
  format: SourceFormat
  revision: number
  updated_at: string
}

export type CaseKind = 'valid' | 'boundary' | 'invalid'

export interface Case {
  id: string
  contract_id: string
  contract_version_id: string
  contract_version_number: number
  content_hash: string
  kind: CaseKind
  seed: number
  provider: string
  provider_version: string
  locale: string
  generator_version: string
  invalid_path?: string
  invalid_keyword?: string
  created_at: string
  /** Left out in lists. */
  payload?: string
}

export interface Binding {
  pointer: string
  shape: 'scalar' | 'list' | 'flag' | 'image' | 'rich'
  required: boolean
  part: string
  paragraph: number
  position: number
}

export interface TemplateVersion extends Version {
  bindings: Binding[]
}

export interface Template extends Family {
  versions: TemplateVersion[]
}

export interface TemplateDraft {
  id: string
  byte_size: number
  content_hash: string
  revision: number
  updated_at: string
  /** Absent where the file has mistakes. */
  bindings?: Binding[]
}

/** A place in a template, as a binding has it. */
export type TagPlace = Pick<Binding, 'part' | 'paragraph' | 'position'>

/** The pages of a filled template as pictures; lengths in points. */
export interface TemplatePages {
  total_pages: number
  pages: DrawnPage[]
}

export interface DrawnPage {
  width: number
  height: number
  svg: string
  marks: (TagPlace & { x: number; y: number; width: number; height: number })[]
}

export interface ArtifactProof {
  media_type: string
  byte_size: number
  content_hash: string
}

export interface TemplateTest {
  valid: boolean
  result?: { draft_revision: number; docx: ArtifactProof; pdf: ArtifactProof }
  errors: WireIssue[]
}

export interface TemplatePreview {
  output: unknown
  resolved: boolean
  bindings: (Omit<Binding, 'shape'> & { resolved: boolean; value?: string })[]
  docx?: ArtifactProof
  pdf?: ArtifactProof
  errors: { path: string; message: string }[]
}

/** One located finding of the configuration variant. */
export interface WireIssue {
  code: string
  path?: string
  message: string
  context?: Record<string, string>
}

export interface ValidationResult {
  valid: boolean
  errors: WireIssue[]
}

export type ActivationStatus = 'scheduled' | 'active' | 'superseded' | 'cancelled'

export interface Activation {
  id: string
  kind: ConfigurationKind
  family_id: string
  family_slug: string
  version_id: string
  version: number
  content_hash: string
  effective_from: string
  scheduled_by: string
  scheduled_at: string
  status: ActivationStatus
  cancelled_at?: string
  cancellation_code?: string
}

export interface AuditRecord {
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

export interface AuditVerification {
  ok: boolean
  checked: number
  from_position: number
  head_position: number
  head_hash: string
  unsealed: number
  next_position?: number
  broken?: { position: number; record_id?: string; reason: string }
}

export interface Liveness {
  build: { version: string; revision?: string; api_version?: string }
}

export interface Readiness {
  status: 'ready' | 'unavailable'
  dependencies: { name: string; operation: string; status: 'ready' | 'unavailable'; duration_ms: number }[]
  outbox?: {
    backlog_size: number
    oldest_unpublished_age_seconds: number
    consumer_last_success_at: string | null
    publish_failures: number
  }
}
