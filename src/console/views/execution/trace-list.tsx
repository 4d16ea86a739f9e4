/** Everything that happened to an execution, in order. */

import { useSignal } from '@preact/signals'
import { useResource } from '../../api/resource.ts'
import type { Execution } from '../../api/types.ts'
import { instantMs } from '../../format.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'

interface TraceEvent {
  id: string
  sequence: number
  type: string
  data: Record<string, unknown>
  created_at: string
}

export function TraceList({ execution }: { execution: Execution }) {
  const open = useSignal(false)
  return (
    <details
      class="more"
      onToggle={(event) => {
        open.value = event.currentTarget.open
      }}
    >
      <summary>
        <Icon name="chevron" size={14} /> {t`Trace`}
      </summary>
      {/* Read again whenever the execution has moved. */}
      {open.value && <Events key={execution.updated_at} execution={execution} />}
    </details>
  )
}

function Events({ execution }: { execution: Execution }) {
  const { value, problem, reload } = useResource<{ events: TraceEvent[] }>(`/api/v1/executions/${execution.id}/trace`)
  if (problem.value !== undefined) return <ProblemNote problem={problem.value} retry={reload} />
  const start = instantMs(execution.created_at)
  return (
    <ol class="trace">
      {value.value?.events.map((event) => (
        <li class="trace-event" key={event.id}>
          <span class="trace-time">{rich`+${Math.max(0, instantMs(event.created_at) - start)} ms`}</span>
          <code>{event.type}</code>
          <span class="trace-data">{describe(event.data)}</span>
        </li>
      ))}
    </ol>
  )
}

/** The few facts that tell events apart; the rest is shown above. */
function describe({ step, attempt, code, message }: Record<string, unknown>): string {
  const facts = [
    typeof step === 'string' ? step : '',
    typeof attempt === 'number' && attempt > 1 ? t`attempt ${attempt}` : '',
    typeof code === 'string' ? code : '',
    typeof message === 'string' ? message : '',
  ]
  return facts.filter((fact) => fact !== '').join(' · ')
}
