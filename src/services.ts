import type { Networks } from './core/networks.ts'
import { probeDatabase } from './db/probe.ts'
import { createSessionGuard, type SessionGuard } from './http/session.ts'
import { deriveKeys, type Keys } from './http/tokens.ts'
import { createIncluded } from './modules/activations/activations.fragments.service.ts'
import { type ActivationService, createActivationService } from './modules/activations/activations.service.ts'
import {
  type ActivationSetService,
  createActivationSetService,
} from './modules/activations/activations.sets.service.ts'
import { type AuditService, createAuditService } from './modules/audit/audit.service.ts'
import type { AuthPorts } from './modules/auth/auth.service.ts'
import { createFactorService, type FactorService } from './modules/auth/factors.service.ts'
import { createPasskeyChallenges } from './modules/auth/passkey-challenges.ts'
import { createPasskeySignIn, type PasskeySignIn } from './modules/auth/passkey-sign-in.service.ts'
import { createSecondFactorService, type SecondFactorService } from './modules/auth/second-factor.service.ts'
import { type BatchResultService, createBatchResultService } from './modules/batches/batches.results.service.ts'
import { type BatchRetryService, createBatchRetryService } from './modules/batches/batches.retries.service.ts'
import { type BatchService, createBatchService } from './modules/batches/batches.service.ts'
import { type CaseService, createCaseService } from './modules/cases/cases.service.ts'
import { type ComparisonService, createComparisonService } from './modules/comparisons/comparisons.service.ts'
import { type ConfigurationService, createConfigurationService } from './modules/configuration/configuration.service.ts'
import { type ContractService, createContractService } from './modules/contracts/contracts.service.ts'
import type { Judge } from './modules/drafts/judge.service.ts'
import { createErasureService, type ErasureService } from './modules/erasures/erasures.service.ts'
import { type ArtifactService, createArtifactService } from './modules/executions/artifacts.service.ts'
import {
  createExecutionService,
  type ExecutionService,
  type TracePolls,
} from './modules/executions/executions.service.ts'
import { createRetryService, type RetryService } from './modules/executions/retries.service.ts'
import { createVerifyService, type VerifyService } from './modules/executions/verify.service.ts'
import { createHealthService, type HealthPorts, type HealthService } from './modules/health/health.service.ts'
import { createHoldService, type HoldService } from './modules/holds/holds.service.ts'
import { createIntakeLabService, type IntakeLabService } from './modules/intake-lab/intake-lab.service.ts'
import { createNoticeService, type NoticeService } from './modules/notices/notices.service.ts'
import { createOidcService, type OidcService } from './modules/oidc/oidc.service.ts'
import {
  createOperationsService,
  type Instance,
  type OperationsService,
} from './modules/operations/operations.service.ts'
import { createPolicyService, type PolicyService } from './modules/policies/policies.service.ts'
import { storedCases } from './modules/projects/projects.cases.ts'
import { createProjectService, type ProjectService } from './modules/projects/projects.service.ts'
import { createReleaseService, type ReleaseService } from './modules/releases/releases.service.ts'
import { createRetentionService, type RetentionService } from './modules/retention/retention.service.ts'
import { createSearchService, type SearchService } from './modules/search/search.service.ts'
import { createStorageService, type StorageService } from './modules/storage/storage.service.ts'
import {
  createSubmissionPlanService,
  type SubmissionPlanService,
} from './modules/submissions/submissions.outlook.service.ts'
import { createSubmissionService, type SubmissionService } from './modules/submissions/submissions.service.ts'
import { createSuiteGate } from './modules/suites/gate.service.ts'
import { createSuiteRunner } from './modules/suites/suites.runner.ts'
import { createSuiteService, type SuiteService } from './modules/suites/suites.service.ts'
import { createTemplateService, type TemplateService } from './modules/templates/templates.service.ts'
import { createTokenService, type TokenService } from './modules/tokens/tokens.service.ts'
import { createTransformService, type TransformService } from './modules/transforms/transforms.service.ts'
import { createUnsavedService, type UnsavedService } from './modules/unsaved/unsaved.service.ts'
import { type Accounts, createAccounts } from './modules/users/accounts.service.ts'
import { createWebhookService, type WebhookService } from './modules/webhooks/webhooks.service.ts'
import type { ObjectStore } from './objects/object-store.ts'
import type { Provider } from './oidc/provider.ts'
import type { OidcConfig } from './oidc/settings.ts'
import type { PdfJoiner } from './runner/join-process.ts'
import type { EnginePool } from './runner/pool.ts'

/** What the services are built from. */
export interface ServicePorts extends AuthPorts {
  objects: ObjectStore
  pool: EnginePool
  judge: Judge
  /** Keys of CSRF tokens, cookies and cursors are derived from them. */
  secrets: Keys
  /** Sign-in at an OpenID provider; left out if there is none. */
  oidc?: OidcConfig | undefined
  /** Replaces the provider that the settings name. */
  provider?: Provider
  /** Private networks that webhooks may be sent to. */
  webhookNetworks: Networks
  /** The exact origins that browsers may call from. */
  origins: readonly string[]
  /** Whether nobody may put in force a version that they worked on. */
  fourEyes: boolean
  /** How many steps may be queued before submissions are refused; by default `limits.queuedSteps`. */
  queueLimit?: number
  /** Called when a submission is accepted, because it needs the engines in a moment. */
  warmEngines?: () => void
  /** How often a live trace polls for events of other instances; left out if there are none. */
  tracePolls?: TracePolls
  /** Joins many PDFs into one; by default in a process of its own. */
  openJoiner?: () => PdfJoiner
  /** What readiness probes besides database and object store; these can be replaced, too. */
  health: Pick<HealthPorts, 'bus' | 'relay' | 'runner'> & Partial<HealthPorts>
  /** What the process knows about its own work; without it, the operations' status says that this is unknown. */
  instance?: Instance
}

/** Every service of the interface, and the guard of its sessions. */
export interface Services extends Accounts {
  factors: FactorService
  secondFactor: SecondFactorService
  passkeySignIn: PasskeySignIn
  tokens: TokenService
  notices: NoticeService
  guard: SessionGuard
  /** Undefined without a provider. */
  oidc: OidcService | undefined
  health: HealthService
  operations: OperationsService
  intakeLab: IntakeLabService
  submissions: SubmissionService
  submissionPlans: SubmissionPlanService
  batches: BatchService
  batchRetries: BatchRetryService
  batchResults: BatchResultService
  executions: ExecutionService
  artifacts: ArtifactService
  verify: VerifyService
  retries: RetryService
  storage: StorageService
  search: SearchService
  audit: AuditService
  contracts: ContractService
  cases: CaseService
  transforms: TransformService
  configuration: ConfigurationService
  templates: TemplateService
  activations: ActivationService
  activationSets: ActivationSetService
  comparisons: ComparisonService
  releases: ReleaseService
  projects: ProjectService
  suites: SuiteService
  unsaved: UnsavedService
  erasures: ErasureService
  holds: HoldService
  policies: PolicyService
  retention: RetentionService
  webhooks: WebhookService
}

/** The only list of constructor calls, so that program and tests have the same services. */
export async function createServices(ports: ServicePorts): Promise<Services> {
  const { database, objects, pool, judge, clock, log, secrets, origins } = ports
  const accounts = createAccounts(ports)
  const tokens = createTokenService(ports)
  const challenges = await createPasskeyChallenges(secrets)
  const executions = createExecutionService(database, ports.tracePolls)
  const batches = createBatchService({ database, objects })
  const cases = createCaseService({ database, judge })
  const runner = createSuiteRunner({ connection: database.read, pool, judge })
  const suites = createSuiteGate({ database, judge, runner })
  const configuration = createConfigurationService({ database, pool, judge, suites })
  return {
    ...accounts,
    factors: await createFactorService({ ...ports, auth: accounts.auth, challenges }),
    secondFactor: await createSecondFactorService({ ...ports, challenges }),
    passkeySignIn: createPasskeySignIn({ ...ports, challenges }),
    tokens,
    notices: createNoticeService(ports),
    oidc: ports.oidc === undefined ? undefined : await createOidcService({ ...ports, config: ports.oidc }),
    guard: await createSessionGuard({ secrets, origins, sessions: accounts.auth, tokens, fourEyes: ports.fourEyes }),
    health: createHealthService({
      database: { probe: () => probeDatabase(database) },
      ...{ objects, log },
      ...ports.health,
    }),
    operations: createOperationsService({ ...ports, ...ports.health, database }),
    intakeLab: createIntakeLabService({ database, judge }),
    submissions: createSubmissionService({
      database,
      judge,
      queueLimit: ports.queueLimit,
      warmEngines: ports.warmEngines,
    }),
    submissionPlans: createSubmissionPlanService({ database, judge }),
    batches,
    batchRetries: createBatchRetryService(database, batches),
    batchResults: createBatchResultService({ ...ports, openJoiner: ports.openJoiner }),
    executions,
    artifacts: createArtifactService({ executions, objects, database, clock }),
    verify: createVerifyService({ database, pool }),
    retries: createRetryService(database),
    storage: createStorageService(database, clock, await deriveKeys(secrets, 'cursor')),
    search: createSearchService(database),
    audit: createAuditService(database),
    contracts: createContractService({ database, judge, suites }),
    cases,
    transforms: createTransformService({ database, pool, judge, suites, cases }),
    configuration,
    templates: createTemplateService({
      database,
      pool,
      judge,
      configuration,
      cases,
      clock,
      included: createIncluded(database, judge),
      suites,
    }),
    activations: createActivationService(database, clock, suites),
    activationSets: createActivationSetService({ database, clock, judge, suites, storedCases }),
    comparisons: createComparisonService({ database, clock, judge }),
    releases: createReleaseService(database, judge),
    suites: createSuiteService({ database, clock, judge, runner }),
    unsaved: createUnsavedService(ports),
    projects: createProjectService({ database, clock, judge, suites }),
    erasures: createErasureService(database, objects),
    holds: createHoldService(database),
    policies: createPolicyService(database),
    retention: createRetentionService(database, clock),
    webhooks: await createWebhookService(ports),
  }
}
