/** The steps of an execution over time, with state, attempt and duration; tells screen readers of every change. */
import { stepKinds } from '../../core/steps.ts'
import type { Execution } from '../api/types.ts'
import { type StepBar, stepBars } from '../execution-steps.ts'
import { formatDuration } from '../format.ts'
import { Icon } from './icon.tsx'
import { Status } from './status.tsx'

export function Waterfall({ execution }: { execution: Execution }) {
  const bars = stepBars(execution)
  return (
    <>
      <ol class="steps">
        {bars.map((bar) => (
          <StepRow key={bar.step.name} {...bar} />
        ))}
      </ol>
      <StepKey />
      <p class="offscreen" role="status">
        {announcement(execution)}
      </p>
    </>
  )
}

function StepRow({ step, bar, durationMs, spanMs }: StepBar) {
  const text = stepKinds[step.name]
  const told =
    durationMs === undefined || spanMs === undefined || spanMs <= durationMs
      ? undefined
      : `${formatDuration(durationMs)} of work, ${formatDuration(spanMs)} with waiting and recording`
  return (
    <li class="step" data-status={step.status} data-step={step.name}>
      <span class="step-mark">
        {step.status === 'succeeded' && <Icon name="check" size={14} />}
        {step.status === 'failed' && <Icon name="cross" size={14} />}
      </span>
      <span class="step-name">
        <span>{text.title}</span>
        <span class="step-does">{text.does}</span>
      </span>
      <span class="step-track" aria-hidden="true">
        {bar !== undefined && (
          <>
            <span class="step-bar step-bar-span" style={stretch(bar.from, bar.to)} />
            <span class="step-bar" style={stretch(bar.from, bar.worked)} />
          </>
        )}
      </span>
      <span class="step-facts">
        <Status of={step.status} />
        {step.attempt > 1 && <span class="step-attempt">attempt {step.attempt}</span>}
      </span>
      <span class="step-duration" title={told}>
        {durationMs === undefined ? '' : formatDuration(durationMs)}
        {told !== undefined && <span class="offscreen"> ({told})</span>}
      </span>
    </li>
  )
}

/** What the two tints of a bar mean; screen readers get it with each duration. */
function StepKey() {
  return (
    <p class="steps-key" aria-hidden="true">
      <span class="steps-key-work">at work</span>
      <span class="steps-key-span">waiting and recording</span>
    </p>
  )
}

function stretch(from: number, to: number) {
  return { left: `${from * 100}%`, width: `${(to - from) * 100}%` }
}

/** The same rows before anything ran, so that the page does not jump. */
export function WaterfallOutline() {
  return (
    <>
      <ol class="steps" aria-hidden="true">
        {Object.entries(stepKinds).map(([name, text]) => (
          <li class="step" data-status="not_started" key={name}>
            <span class="step-mark" />
            <span class="step-name">
              <span>{text.title}</span>
              <span class="step-does">{text.does}</span>
            </span>
            <span class="step-track" />
            <span class="step-facts" />
            <span class="step-duration" />
          </li>
        ))}
      </ol>
      <StepKey />
    </>
  )
}

function announcement(execution: Execution): string {
  const done = execution.steps.filter((step) => step.status === 'succeeded').length
  if (execution.status === 'completed') return `Completed: all ${done} steps succeeded.`
  const failed = execution.steps.find((step) => step.status === 'failed')
  if (failed !== undefined) return `Failed at ${stepKinds[failed.name].title}.`
  return `${done} of ${execution.steps.length} steps succeeded.`
}
