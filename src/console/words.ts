/** Names of the interface, in words. */
import { stepKinds } from '../core/steps.ts'
import { translated } from './language.ts'

/** A role, a scope, a status or a field: `business_viewer` is `business viewer`. */
export function wordOf(name: string): string {
  return translated(name.replaceAll(/[_-]/g, ' '))
}

const kinds: Readonly<Record<string, { title: string } | undefined>> = stepKinds

export function stepTitle(name: string): string {
  return translated(kinds[name]?.title ?? name)
}
