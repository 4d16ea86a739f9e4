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
  correlation_id: string
  created_at: string
  updated_at: string
  completed_at?: string
  steps: Step[]
  artifacts: Artifact[]
}

export interface ExecutionPage {
  executions: Execution[]
  next_cursor?: string
}

export interface Submission {
  id: string
  executions: { id: string }[]
}

export interface Liveness {
  build: { version: string; revision?: string; api_version?: string }
}
