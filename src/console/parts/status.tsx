/** A state as a word with a coloured dot; never the colour alone. */
import type { ExecutionStatus, StepStatus } from '../api/types.ts'

type Tone = 'success' | 'danger' | 'active' | 'idle'

const words: Readonly<Record<ExecutionStatus | StepStatus, readonly [string, Tone]>> = {
  not_started: ['Not started', 'idle'],
  queued: ['Queued', 'idle'],
  running: ['Running', 'active'],
  processing: ['Processing', 'active'],
  awaiting_compose: ['Awaiting compose', 'active'],
  succeeded: ['Succeeded', 'success'],
  completed: ['Completed', 'success'],
  failed: ['Failed', 'danger'],
}

export function Status({ of }: { of: ExecutionStatus | StepStatus }) {
  const [word, tone] = words[of]
  return <span class={`status status-${tone}`}>{word}</span>
}
