/** Compares a run's outcome with what its scenario expects. Pure. */

import { fileFormats } from '../../../core/formats.ts'
import { stepKinds, stepNames } from '../../../core/steps.ts'
import type { Execution } from '../../api/types.ts'
import { failedStep } from '../../execution-steps.ts'
import { t } from '../../language.ts'

export interface Verdict {
  tone: 'success' | 'danger' | 'neutral'
  headline: string
  actual: string
}

/** The catalog tells the expected outcome in words: a failure by its verb, everything else is a completion. */
export function expectsFailure(expectedOutcome: string): boolean {
  return /\b(?:fails?|failed|failure|rejected|refused)\b/i.test(expectedOutcome)
}

/**
 * @param expectedOutcome the scenario's own sentence; undefined for an edited input, which the scenario says nothing about
 * @returns undefined while the execution is running
 */
export function verdictOf(execution: Execution, expectedOutcome: string | undefined): Verdict | undefined {
  if (execution.status !== 'completed' && execution.status !== 'failed') return undefined
  const failed = execution.status === 'failed'
  const actual = failed ? t`Failed at ${failurePlace(execution)}` : t`Completed with ${documents(execution)}`
  if (expectedOutcome === undefined) return { tone: 'neutral', headline: failed ? t`Failed` : t`Completed`, actual }
  const asExpected = failed === expectsFailure(expectedOutcome) && (!failed || rightPlace(execution, expectedOutcome))
  if (asExpected)
    return { tone: 'success', headline: failed ? t`Failed as expected` : t`Completed as expected`, actual }
  return { tone: 'danger', headline: failed ? t`Failed, not as expected` : t`Completed, not as expected`, actual }
}

function failurePlace(execution: Execution): string {
  const step = failedStep(execution)
  return step === undefined ? t`an unknown step` : step.name
}

/** Titles without their last e, for "at validate" and "at validation" alike. */
const stepStems = stepNames.map(
  (name) => [name, new RegExp(`\\b${stepKinds[name].title.replace(/e$/, '')}`, 'i')] as const,
)

/** When the expectation names steps, the failure has to be at one of them. */
function rightPlace(execution: Execution, expectedOutcome: string): boolean {
  const named = stepStems.filter(([, stem]) => stem.test(expectedOutcome)).map(([name]) => name)
  const step = failedStep(execution)
  return named.length === 0 || (step !== undefined && named.includes(step.name))
}

function documents(execution: Execution): string {
  const kinds = execution.artifacts.map((artifact) => fileFormats[artifact.kind].label).sort()
  return kinds.length === 0 ? t`no document` : kinds.join(t` and `)
}
