import type { Role } from '../../src/http/access.ts'
import { type CannedWalk, describeWalks } from './walks.ts'

/** Every screen, with an id where it shows one thing. */
const paths = [
  '/',
  '/lab',
  '/submissions',
  '/submissions/new',
  '/submissions/x-1',
  '/batches',
  '/batches/x-1',
  '/executions',
  '/executions/x-1',
  '/storage',
  '/contracts',
  '/contracts/x-1',
  '/transformers',
  '/transformers/x-1',
  '/templates',
  '/templates/x-1',
  '/ingestion-models',
  '/ingestion-models/x-1',
  '/ingestion-models/x-1/review',
  '/activations',
  '/audit',
  '/users',
  '/tokens',
  '/retention',
  '/webhooks',
  '/webhooks/x-1',
  '/operations',
  '/readiness',
]
const roles: readonly Role[] = ['administrator', 'engineer', 'operator', 'auditor', 'business_viewer']

const walks: Record<string, CannedWalk> = Object.fromEntries(
  roles.flatMap((role) =>
    paths.map((path): [string, CannedWalk] => [
      `${path} for the role ${role}`,
      { path, as: [role], answers: {}, acts: [] },
    ]),
  ),
)

describeWalks('refusals', 'are told on every screen with a way to go on, and a role sees only its own screens', walks)
