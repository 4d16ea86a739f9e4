/** What putting a version in force changes, or taking that back, in words. Pure. */

import type { Activation, Template } from '../../api/types.ts'
import { formatInstant, instantMs } from '../../format.ts'
import { t } from '../../language.ts'

/** Activations that are not cancelled, oldest first. */
export function standing(activations: readonly Activation[]): Activation[] {
  return activations
    .filter((activation) => activation.status !== 'cancelled')
    .sort((a, b) => instantMs(a.effective_from) - instantMs(b.effective_from))
}

/** In force at an instant: the one with the greatest `effective_from` that isn't later. */
export function inForceAt(activations: readonly Activation[], atMs: number): Activation | undefined {
  return standing(activations).findLast((activation) => instantMs(activation.effective_from) <= atMs)
}

export function consequenceOfForce(activations: readonly Activation[], version: number, at: Date): string {
  const before = inForceAt(activations, at.getTime())
  const next = standing(activations).find((activation) => instantMs(activation.effective_from) > at.getTime())
  const until =
    next === undefined ? '' : t` until ${formatInstant(new Date(next.effective_from))}, when v${next.version} follows`
  if (before === undefined)
    return t`Objects of ${formatInstant(at)} and later are made with v${version}${until}. Earlier ones find nothing in force.`
  if (instantMs(before.effective_from) === at.getTime())
    return t`v${before.version} has this very instant already: choose another one.`
  const same = before.version === version ? t`, the same version again` : ''
  return t`v${version} takes over from v${before.version}${same} at ${formatInstant(at)}${until}. Objects of an earlier time stay with v${before.version}.`
}

/** What else changes with a template: what includes it. Empty without any. */
export function consequenceForIncluding(users: Template['included_by'] = []): string {
  const names = users.map(({ slug, version }) => `${slug} v${version}`)
  const last = names.pop()
  if (last === undefined) return ''
  const all = names.length === 0 ? last : t`${names.join(', ')} and ${last}`
  return t`${all} ${names.length === 0 ? t`includes` : t`include`} it: what ${names.length === 0 ? t`it makes` : t`they make`} changes at the same instant.`
}

export function consequenceOfTakingBack(activations: readonly Activation[], cancelled: Activation): string {
  const from = instantMs(cancelled.effective_from)
  const rest = activations.filter((activation) => activation.id !== cancelled.id)
  const stays = inForceAt(rest, from)
  const when = formatInstant(new Date(cancelled.effective_from))
  if (stays === undefined)
    return t`v${cancelled.version} won't come into force at ${when}, and nothing else is in force then.`
  return t`v${cancelled.version} won't come into force at ${when}: v${stays.version} stays in force.`
}
