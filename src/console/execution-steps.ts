/** What the waterfall draws: when each step ran, on one scale for the whole execution. Pure. */

import { limits } from '../core/limits.ts'
import { mayPass } from '../core/step-failures.ts'
import { stepKinds } from '../core/steps.ts'
import type { Execution, Step } from './api/types.ts'
import { formatDuration, instantMs } from './format.ts'
import { t } from './language.ts'

export interface StepBar {
  step: Step
  /**
   * Shares of the execution's span, 0 to 1; undefined while the step has not started. The step works until `worked`,
   * for its recorded duration; the rest until `to` is waiting and recording.
   */
  bar?: { from: number; worked: number; to: number }
  durationMs?: number
  /** From its start to its end, waiting and recording included. */
  spanMs?: number
}

/** The steps in order with their place on the scale. A running step reaches to the end of what is known. */
export function stepBars(execution: Execution): StepBar[] {
  const steps = [...execution.steps].sort((a, b) => a.position - b.position)
  const starts = steps.flatMap((step) => (step.started_at === undefined ? [] : [instantMs(step.started_at)]))
  const ends = steps.flatMap((step) => (step.finished_at === undefined ? [] : [instantMs(step.finished_at)]))
  const first = Math.min(instantMs(execution.created_at), ...starts)
  const last = Math.max(first + 1, instantMs(execution.updated_at), ...starts, ...ends)
  const share = (ms: number) => Math.min(1, Math.max(0, (ms - first) / (last - first)))
  return steps.map((step) => {
    const durationMs = durationOf(step)
    const made: StepBar = { step }
    if (durationMs !== undefined) made.durationMs = durationMs
    if (step.started_at !== undefined) {
      const from = instantMs(step.started_at)
      const to = step.finished_at === undefined ? last : instantMs(step.finished_at)
      made.bar = { from: share(from), worked: share(Math.min(to, from + (durationMs ?? to - from))), to: share(to) }
      if (step.finished_at !== undefined) made.spanMs = Math.max(0, to - from)
    }
    return made
  })
}

function durationOf(step: Step): number | undefined {
  if (step.duration_ms !== undefined) return step.duration_ms
  if (step.started_at === undefined || step.finished_at === undefined) return undefined
  return Math.max(0, instantMs(step.finished_at) - instantMs(step.started_at))
}

/** From acceptance to the end; undefined while it is running. */
export function totalMs(execution: Execution): number | undefined {
  if (execution.completed_at !== undefined) return instantMs(execution.completed_at) - instantMs(execution.created_at)
  if (execution.status !== 'failed' && execution.status !== 'completed') return undefined
  return instantMs(execution.updated_at) - instantMs(execution.created_at)
}

/** Whether the paths of the step's issues point into the raw input. */
export function blamesInput({ name, failure }: Step): boolean {
  return stepKinds[name].issuesPointInto === 'rawInput' && failure?.code !== 'parent_failed'
}

/** The step that ended the execution. */
export function failedStep(execution: Execution): Step | undefined {
  return execution.steps.find((step) => step.status === 'failed')
}

/** What a list says of a failure: its first issue, since its message may only count them. */
export function reasonOf({ failure }: Step): string {
  return failure?.issues[0]?.message ?? failure?.message ?? ''
}

export function mayRetry({ attempt, failure }: Step): boolean {
  return failure !== undefined && mayPass(attempt, failure.code)
}

/** What helps against a step's failure, in words. */
export function remedyOf(step: Step): string | undefined {
  if (step.failure === undefined) return undefined
  const { code } = step.failure
  if (mayRetry(step)) {
    return t`Another attempt may pass: ${limits.stepAttempts - step.attempt} of ${limits.stepAttempts} are left.`
  }
  if (code === 'parent_failed') return t`Its parent failed, and this execution goes on by itself when the parent does.`
  if (step.attempt >= limits.stepAttempts) {
    return t`All ${limits.stepAttempts} attempts are used up. Once the cause is gone, submit the input again.`
  }
  if (blamesInput(step)) return t`The same input fails the same way each time. Mend the input and submit it again.`
  const role = stepKinds[step.name].issuesPointInto
  return t`The same versions fail the same way each time. Mend the ${role} or the input, then submit the input again.`
}

/** What a step took beside its work; undefined if nothing. */
export function spanText(durationMs: number | undefined, spanMs: number | undefined): string | undefined {
  if (durationMs === undefined || spanMs === undefined || spanMs <= durationMs) return undefined
  return t`${formatDuration(durationMs)} of work, ${formatDuration(spanMs)} with waiting and recording`
}
