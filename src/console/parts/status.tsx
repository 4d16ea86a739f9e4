/** Shows a state as a word with a coloured dot, never by colour alone. */

import type { ActivationStatus, ExecutionStatus, StepStatus, VersionStatus } from '../api/types.ts'
import { t } from '../language.ts'

type Tone = 'success' | 'danger' | 'active' | 'idle' | 'warning'
export type State = ExecutionStatus | StepStatus | VersionStatus | ActivationStatus | 'ready' | 'unavailable'

const words: Readonly<Record<State, readonly [string, Tone]>> = {
  not_started: [t`Not started`, 'idle'],
  queued: [t`Queued`, 'idle'],
  running: [t`Running`, 'active'],
  processing: [t`Processing`, 'active'],
  awaiting_compose: [t`Awaiting compose`, 'active'],
  succeeded: [t`Succeeded`, 'success'],
  completed: [t`Completed`, 'success'],
  failed: [t`Failed`, 'danger'],
  versioned: [t`Frozen`, 'idle'],
  published: [t`Published`, 'success'],
  deprecated: [t`Deprecated`, 'warning'],
  scheduled: [t`Coming`, 'active'],
  active: [t`In force`, 'success'],
  superseded: [t`Superseded`, 'idle'],
  cancelled: [t`Taken back`, 'warning'],
  ready: [t`Ready`, 'success'],
  unavailable: [t`Unavailable`, 'danger'],
}

export function stateWord(state: State): string {
  return words[state][0]
}

export function Status({ of }: { of: State }) {
  const [word, tone] = words[of]
  return <span class={`status status-${tone}`}>{word}</span>
}
