/** Shows a state as a word with a coloured dot, never by colour alone. */
import type { ActivationStatus, ExecutionStatus, StepStatus, VersionStatus } from '../api/types.ts'

type Tone = 'success' | 'danger' | 'active' | 'idle' | 'warning'
export type State = ExecutionStatus | StepStatus | VersionStatus | ActivationStatus | 'ready' | 'unavailable'

const words: Readonly<Record<State, readonly [string, Tone]>> = {
  not_started: ['Not started', 'idle'],
  queued: ['Queued', 'idle'],
  running: ['Running', 'active'],
  processing: ['Processing', 'active'],
  awaiting_compose: ['Awaiting compose', 'active'],
  succeeded: ['Succeeded', 'success'],
  completed: ['Completed', 'success'],
  failed: ['Failed', 'danger'],
  versioned: ['Frozen', 'idle'],
  published: ['Published', 'success'],
  deprecated: ['Deprecated', 'warning'],
  scheduled: ['Coming', 'active'],
  active: ['In force', 'success'],
  superseded: ['Superseded', 'idle'],
  cancelled: ['Taken back', 'warning'],
  ready: ['Ready', 'success'],
  unavailable: ['Unavailable', 'danger'],
}

export function stateWord(state: State): string {
  return words[state][0]
}

export function Status({ of }: { of: State }) {
  const [word, tone] = words[of]
  return <span class={`status status-${tone}`}>{word}</span>
}
