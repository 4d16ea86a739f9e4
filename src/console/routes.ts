/** The console's table of contents: every address with its screen, who may see it, and its place in the navigation. */
import type { ComponentType } from 'preact'
import type { Permission, Role } from './api/types.ts'
import type { IconName } from './parts/icon.tsx'

export interface ViewProps {
  parameters: Readonly<Record<string, string>>
}

export interface Route {
  pattern: string
  title: string
  /** Its code, loaded when the screen is first opened. */
  load(): Promise<ComponentType<ViewProps>>
  /** Whom the server lets read it; everyone who is signed in when left out. */
  roles?: readonly Role[]
  /** A permission the server asks for as well. */
  permission?: Permission
  /** Shown without a session too. */
  isPublic?: boolean
  /** Its entry in the navigation; screens reached from others have none. `key`: what leads here after `g`. */
  entry?: { group: string; icon: IconName; key: string }
}

/** Who may read configuration and executions. */
export const read4: readonly Role[] = ['administrator', 'engineer', 'operator', 'auditor']
/** Who may change configuration. */
export const authors: readonly Role[] = ['administrator', 'engineer']

const work = 'Work'
const configuration = 'Configuration'
const administration = 'Administration'

export const routes: readonly Route[] = [
  {
    pattern: '/',
    title: 'Home',
    load: async () => (await import('./views/home.tsx')).HomeView,
    entry: { group: work, icon: 'home', key: 'h' },
  },
  {
    pattern: '/lab',
    title: 'Intake test lab',
    load: async () => (await import('./views/lab.tsx')).LabView,
    roles: read4,
    entry: { group: work, icon: 'flask', key: 'l' },
  },
  {
    pattern: '/submissions',
    title: 'Submissions',
    load: async () => (await import('./views/submissions.tsx')).SubmissionsView,
    permission: 'submission_read',
    entry: { group: work, icon: 'inbox', key: 's' },
  },
  {
    pattern: '/submissions/:id',
    title: 'Submission',
    load: async () => (await import('./views/submission.tsx')).SubmissionView,
    permission: 'submission_read',
  },
  {
    pattern: '/executions',
    title: 'Executions',
    load: async () => (await import('./views/executions.tsx')).ExecutionsView,
    roles: read4,
    entry: { group: work, icon: 'list', key: 'e' },
  },
  {
    pattern: '/executions/:id',
    title: 'Execution',
    load: async () => (await import('./views/execution.tsx')).ExecutionView,
    roles: read4,
  },
  {
    pattern: '/storage',
    title: 'Storage',
    load: async () => (await import('./views/storage.tsx')).StorageView,
    permission: 'submission_read',
    entry: { group: work, icon: 'box', key: 'd' },
  },
  {
    pattern: '/contracts',
    title: 'Contracts',
    load: async () => (await import('./views/contracts.tsx')).ContractsView,
    entry: { group: configuration, icon: 'contract', key: 'c' },
  },
  {
    pattern: '/contracts/:id',
    title: 'Contract',
    load: async () => (await import('./views/contract.tsx')).ContractView,
    roles: read4,
  },
  {
    pattern: '/transformers',
    title: 'Transformers',
    load: async () => (await import('./views/transformers.tsx')).TransformersView,
    roles: read4,
    entry: { group: configuration, icon: 'transform', key: 't' },
  },
  {
    pattern: '/transformers/:id',
    title: 'Transformer',
    load: async () => (await import('./views/transformer.tsx')).TransformerView,
    roles: read4,
  },
  {
    pattern: '/templates',
    title: 'Templates',
    load: async () => (await import('./views/templates.tsx')).TemplatesView,
    roles: read4,
    entry: { group: configuration, icon: 'document', key: 'p' },
  },
  {
    pattern: '/templates/:id',
    title: 'Template',
    load: async () => (await import('./views/template.tsx')).TemplateView,
    roles: read4,
  },
  {
    pattern: '/ingestion-models',
    title: 'Ingestion models',
    load: async () => (await import('./views/ingestion-models.tsx')).IngestionModelsView,
    roles: read4,
    entry: { group: configuration, icon: 'tree', key: 'm' },
  },
  {
    pattern: '/ingestion-models/:id',
    title: 'Ingestion model',
    load: async () => (await import('./views/ingestion-model.tsx')).IngestionModelView,
    roles: read4,
  },
  {
    pattern: '/activations',
    title: 'Activations',
    load: async () => (await import('./views/activations.tsx')).ActivationsView,
    roles: read4,
    entry: { group: configuration, icon: 'calendar', key: 'a' },
  },
  {
    pattern: '/audit',
    title: 'Audit',
    load: async () => (await import('./views/audit.tsx')).AuditView,
    permission: 'audit_read',
    entry: { group: administration, icon: 'chain', key: 'u' },
  },
  {
    pattern: '/users',
    title: 'Users',
    load: async () => (await import('./views/users.tsx')).UsersView,
    permission: 'user_manage',
    entry: { group: administration, icon: 'user', key: 'w' },
  },
  {
    pattern: '/readiness',
    title: 'Readiness',
    load: async () => (await import('./views/readiness.tsx')).ReadinessView,
    roles: ['administrator'],
    entry: { group: administration, icon: 'pulse', key: 'r' },
  },
  {
    pattern: '/changelog',
    title: 'Changelog',
    load: async () => (await import('./views/changelog.tsx')).ChangelogView,
    isPublic: true,
  },
  {
    pattern: '/docs',
    title: 'API reference',
    load: async () => (await import('./views/api-reference.tsx')).ApiReferenceView,
    isPublic: true,
  },
  {
    pattern: '/password',
    title: 'Change password',
    load: async () => (await import('./views/change-password.tsx')).ChangePasswordView,
  },
]
