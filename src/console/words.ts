/** Names of the interface, in words. */
import { type StepName, stepKinds } from '../core/steps.ts'
import { translated } from './language.ts'

/** A role, a scope, a status or a field: `business_viewer` is `business viewer`. */
export function wordOf(name: string): string {
  return translated(name.replaceAll(/[_-]/g, ' '))
}

export function stepTitle(name: StepName): string {
  return translated(stepKinds[name].title)
}
