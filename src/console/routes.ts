/** The console's table of contents: every address with its screen, who may see it, and its place in the navigation. */
import type { ComponentType } from 'preact'
import type { Role } from './api/types.ts'
import type { IconName } from './parts/icon.tsx'
import { ExecutionView } from './views/execution.tsx'
import { ExecutionsView } from './views/executions.tsx'
import { LabView } from './views/lab.tsx'

export interface ViewProps {
  parameters: Readonly<Record<string, string>>
}

export interface Route {
  pattern: string
  title: string
  view: ComponentType<ViewProps>
  /** Whom the server lets read it; everyone when left out. */
  roles?: readonly Role[]
  /** Its entry in the navigation; screens reached from others have none. */
  entry?: { group: string; icon: IconName }
}

const read4: readonly Role[] = ['administrator', 'engineer', 'operator', 'auditor']

export const routes: readonly Route[] = [
  {
    pattern: '/lab',
    title: 'Intake test lab',
    view: LabView,
    roles: read4,
    entry: { group: 'Work', icon: 'flask' },
  },
  {
    pattern: '/executions',
    title: 'Executions',
    view: ExecutionsView,
    roles: read4,
    entry: { group: 'Work', icon: 'list' },
  },
  { pattern: '/executions/:id', title: 'Execution', view: ExecutionView, roles: read4 },
]

/** Where `/` leads. */
export const homePath = '/lab'
