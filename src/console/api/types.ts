/**
 * The interface's bodies under the names that the console's code uses. They are those of the generated client, so the
 * console can't disagree with the interface.
 */
import type * as wire from '../../client/quire.ts'

export type User = wire.Session['user']
export type Role = User['roles'][number]
export type Permission = User['permissions'][number]
export type Session = wire.Session
/** A user as administrators see it. */
export type Account = wire.User
export type SignInMethods = wire.SignInMethods
export type OwnAccount = wire.OwnAccount
export type SecondFactor = wire.SecondFactor
export type FactorOverview = wire.SecondFactorOverview
export type Notice = wire.Notice
export type OpenedSession = wire.OpenedSession
export type BegunApp = wire.BegunApp
export type ApiToken = wire.ApiToken
export type Hold = wire.Hold
export type Erasure = wire.Erasure
export type Retention = wire.Retention
export type RemovedPart = wire.RemovedPart
export type RetentionPlan = wire.RetentionPlan
export type TokenScope = ApiToken['scopes'][number]
export type Webhook = wire.Webhook
export type WebhookDelivery = wire.WebhookDelivery

export type IntakeMetadata = wire.IntakeMetadata
export type Catalog = wire.DemoCatalog
export type Scenario = Catalog['scenarios'][number]

export type Execution = wire.Execution
export type ExecutionStatus = Execution['status']
export type Step = wire.Step
export type StepStatus = Step['status']
export type StepName = Step['name']
export type StepFailure = wire.StepFailure
export type StepIssue = StepFailure['issues'][number]
export type RetryOutcome = wire.RetryOutcome
export type Artifact = wire.Artifact
export type Submission = wire.Submission
export type PinnedVersion = wire.PinnedVersion
export type Manifest = wire.Provenance
export type Verification = wire.Verification
export type StorageItem = wire.StorageItem

export type UnsavedDraft = wire.UnsavedDraft
export type UnsavedState = wire.UnsavedState
export type NewUnsavedText = wire.NewUnsavedText
export type UnsavedText = wire.UnsavedText

export type SourceFormat = wire.SourceDraft['format']
export type SourceDraft = wire.SourceDraft

/** A frozen version of any kind of configuration: what all of them say of themselves, and what some do. */
export type Version = wire.ContractVersionItem &
  Partial<Pick<wire.DefinitionVersion, 'format' | 'source'>> &
  Partial<Pick<wire.ContractVersion, 'schema'>>
export type VersionStatus = Version['status']
/** What a contract, an ingestion model, a transformer and a template say of themselves alike. */
export type Family = Omit<wire.DefinitionFamily, 'kind'>
export type DefinitionFamily = wire.DefinitionFamilyRead
export type ConfigurationKind = DefinitionFamily['kind']
export type Contract = wire.Contract
/** A contract as lists have it: without its schema. */
export type ContractItem = wire.ContractItem
export type Case = wire.Case
/** A case as lists have it: without its payload. */
export type CaseItem = wire.CaseItem
export type CaseKind = Case['kind']

export type Comparison = wire.Comparison
export type Binding = wire.Binding
export type Template = wire.Template
export type TemplateVersion = wire.TemplateVersion
export type TemplateDraft = wire.TemplateDraft
export type TemplatePages = wire.TemplatePages
export type DrawnPage = TemplatePages['pages'][number]
/** A place in a template, as a binding has it. */
export type TagPlace = Pick<Binding, 'part' | 'paragraph' | 'position'>
export type ArtifactProof = wire.ArtifactProof
export type TemplateTest = wire.TemplateTestResult
export type TemplatePreview = wire.TemplatePreview

/** One located finding of the configuration variant. */
export type WireIssue = wire.ConfigurationIssue
export type ValidationResult = wire.ConfigurationValidationResult
export type Activation = wire.ConfigurationActivation
export type ActivationStatus = Activation['status']

export type AuditRecord = wire.AuditRecord
export type AuditVerification = wire.AuditVerification
export type Liveness = wire.Liveness
export type Readiness = wire.DetailedReadiness
export type OperationsStatus = wire.OperationsStatus
