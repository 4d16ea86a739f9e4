/** The steps of an execution over time, with state, attempt and duration; tells screen readers of every change. */

import { stepKinds, stepNames } from '../../core/steps.ts'
import type { Execution } from '../api/types.ts'
import { type StepBar, spanText, stepBars } from '../execution-steps.ts'
import { formatDuration } from '../format.ts'
import { rich, t, translated } from '../language.ts'
import { stepTitle } from '../words.ts'
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
  const told = spanText(durationMs, spanMs)
  return (
    <li class="step" data-status={step.status} data-step={step.name}>
      <span class="step-mark">
        {step.status === 'succeeded' && <Icon name="check" size={14} />}
        {step.status === 'failed' && <Icon name="cross" size={14} />}
      </span>
      <span class="step-name">
        <span>{stepTitle(step.name)}</span>
        <span class="step-does">{translated(stepKinds[step.name].does)}</span>
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
        {step.attempt > 1 && <span class="step-attempt">{rich`attempt ${step.attempt}`}</span>}
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
      <span class="steps-key-work">{t`at work`}</span>
      <span class="steps-key-span">{t`waiting and recording`}</span>
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
        {stepNames.map((name) => (
          <li class="step" data-status="not_started" key={name}>
            <span class="step-mark" />
            <span class="step-name">
              <span>{stepTitle(name)}</span>
              <span class="step-does">{translated(stepKinds[name].does)}</span>
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
  if (execution.status === 'completed') return t`Completed: all ${done} steps succeeded.`
  const failed = execution.steps.find((step) => step.status === 'failed')
  if (failed !== undefined) return t`Failed at ${stepTitle(failed.name)}`
  return t`${done} of ${execution.steps.length} steps succeeded.`
}
