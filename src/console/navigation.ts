/** The console's table of contents: every address, who may see it, and its place in the navigation. */

import type { Permission, Role } from './api/types.ts'
import { t } from './language.ts'
import type { IconName } from './parts/icon.tsx'

export interface ViewProps {
  parameters: Readonly<Record<string, string>>
}

export interface Route {
  pattern: string
  title: string
  /** Roles that the server lets read it; without them, everyone who is signed in. */
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

const work = t`Work`
const configuration = t`Configuration`
const administration = t`Administration`

const declared = [
  {
    pattern: '/',
    title: t`Home`,
    entry: { group: work, icon: 'home', key: 'h' },
  },
  {
    pattern: '/lab',
    title: t`Intake test lab`,
    roles: read4,
    entry: { group: work, icon: 'flask', key: 'l' },
  },
  {
    pattern: '/submissions',
    title: t`Submissions`,
    permission: 'submission_read',
    entry: { group: work, icon: 'inbox', key: 's' },
  },
  {
    pattern: '/submissions/new',
    title: t`New submission`,
    roles: read4,
    permission: 'submission_create',
    entry: { group: work, icon: 'add', key: 'n' },
  },
  {
    pattern: '/submissions/:id',
    title: t`Submission`,
    permission: 'submission_read',
  },
  {
    pattern: '/batches',
    title: t`Batches`,
    permission: 'submission_read',
    entry: { group: work, icon: 'stack', key: 'f' },
  },
  {
    pattern: '/batches/:id',
    title: t`Batch`,
    permission: 'submission_read',
  },
  {
    pattern: '/executions',
    title: t`Executions`,
    roles: read4,
    entry: { group: work, icon: 'list', key: 'e' },
  },
  {
    pattern: '/executions/:id',
    title: t`Execution`,
    roles: read4,
  },
  {
    pattern: '/storage',
    title: t`Storage`,
    permission: 'submission_read',
    entry: { group: work, icon: 'box', key: 'd' },
  },
  {
    pattern: '/contracts',
    title: t`Contracts`,
    entry: { group: configuration, icon: 'contract', key: 'c' },
  },
  {
    pattern: '/contracts/:id',
    title: t`Contract`,
    roles: read4,
  },
  {
    pattern: '/transformers',
    title: t`Transformers`,
    roles: read4,
    entry: { group: configuration, icon: 'transform', key: 't' },
  },
  {
    pattern: '/transformers/:id',
    title: t`Transformer`,
    roles: read4,
  },
  {
    pattern: '/templates',
    title: t`Templates`,
    roles: read4,
    entry: { group: configuration, icon: 'document', key: 'p' },
  },
  {
    pattern: '/templates/:id',
    title: t`Template`,
    roles: read4,
  },
  {
    pattern: '/ingestion-models',
    title: t`Ingestion models`,
    roles: read4,
    entry: { group: configuration, icon: 'tree', key: 'm' },
  },
  {
    pattern: '/ingestion-models/:id',
    title: t`Ingestion model`,
    roles: read4,
  },
  {
    pattern: '/ingestion-models/:id/review',
    title: t`Review`,
    roles: authors,
  },
  {
    pattern: '/ingestion-models/:id/workspace',
    title: t`Workspace`,
    roles: authors,
  },
  {
    pattern: '/activations',
    title: t`In force`,
    roles: read4,
    entry: { group: configuration, icon: 'calendar', key: 'a' },
  },
  {
    pattern: '/audit',
    title: t`Audit`,
    permission: 'audit_read',
    entry: { group: administration, icon: 'chain', key: 'u' },
  },
  {
    pattern: '/users',
    title: t`Users`,
    permission: 'user_manage',
    entry: { group: administration, icon: 'user', key: 'w' },
  },
  {
    pattern: '/tokens',
    title: t`Tokens`,
    entry: { group: administration, icon: 'key', key: 'k' },
  },
  {
    pattern: '/retention',
    title: t`Retention`,
    roles: ['administrator', 'auditor'],
    permission: 'audit_read',
    entry: { group: administration, icon: 'calendar', key: 'o' },
  },
  {
    pattern: '/webhooks',
    title: t`Webhooks`,
    roles: ['administrator'],
    entry: { group: administration, icon: 'external', key: 'b' },
  },
  {
    pattern: '/webhooks/:id',
    title: t`Receiver`,
    roles: ['administrator'],
  },
  {
    pattern: '/operations',
    title: t`Operations`,
    roles: ['administrator'],
    entry: { group: administration, icon: 'gauge', key: 'v' },
  },
  {
    pattern: '/readiness',
    title: t`Readiness`,
    roles: ['administrator'],
    entry: { group: administration, icon: 'pulse', key: 'r' },
  },
  {
    pattern: '/changelog',
    title: t`Changelog`,
    isPublic: true,
  },
  {
    pattern: '/docs',
    title: t`API reference`,
    isPublic: true,
  },
  {
    pattern: '/account',
    title: t`Your account`,
  },
  {
    pattern: '/password',
    title: t`Change password`,
  },
] as const satisfies readonly Route[]

/** The addresses that are screens; views.ts has the view of each. */
export type Pattern = (typeof declared)[number]['pattern']

export const routes: readonly (Route & { pattern: Pattern })[] = declared
