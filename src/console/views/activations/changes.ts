/** Changes with one instant, as one group; and the days that a calendar shows. Pure. */

import type { CalendarActivation } from '../../../client/quire.ts'
import { instantFromEpochMs, formatInstant as wireInstant } from '../../../core/instant.ts'
import { instantMs } from '../../format.ts'
import { t } from '../../language.ts'

/** What one decision puts in force at one instant. */
export interface Change {
  key: string
  at: string
  atMs: number
  members: readonly CalendarActivation[]
  /** Coming if any member is, and past once every one is superseded. */
  status: 'scheduled' | 'active' | 'superseded'
  title: string
}

/** Entries by instant and by the request that scheduled them, the earliest first. */
export function changesOf(entries: readonly CalendarActivation[]): Change[] {
  const groups = Map.groupBy(entries, (entry) => `${entry.effective_from} ${entry.correlation_id}`)
  return [...groups].flatMap(([key, members]): Change[] => {
    const [first] = members
    if (first === undefined) return []
    const has = (status: CalendarActivation['status']) => members.some((member) => member.status === status)
    const status = has('scheduled') ? 'scheduled' : has('active') ? 'active' : 'superseded'
    const at = first.effective_from
    return [{ key, at, atMs: instantMs(at), members: orderly(members), status, title: titleOf(members, first) }]
  })
}

/** Models first, then what they consist of. */
function orderly(members: readonly CalendarActivation[]): CalendarActivation[] {
  const place = (entry: CalendarActivation) =>
    `${entry.kind === 'ingestion_model' ? 0 : 1} ${entry.kind} ${entry.family_slug}`
  return [...members].sort((one, other) => (place(one) < place(other) ? -1 : 1))
}

function titleOf(members: readonly CalendarActivation[], first: CalendarActivation): string {
  const models = members.filter(({ kind }) => kind === 'ingestion_model').map(({ family_slug: slug }) => slug)
  if (models.length > 0) return models.join(', ')
  return members.length === 1 ? first.family_slug : t`${first.family_slug} and ${members.length - 1} more`
}

/** How a change, or its time, is taken back: in one step where a model holds its parts together. */
export type WayBack =
  | { how: 'take back'; ids: readonly string[] }
  | { how: 'review'; model: CalendarActivation; asOf: string; word: string }
  | { how: 'force'; member: CalendarActivation; version: number; word: string }

export function waysBack({ status, members, at }: Change): WayBack[] {
  if (status === 'scheduled') {
    return [{ how: 'take back', ids: members.filter((one) => one.status === 'scheduled').map(({ id }) => id) }]
  }
  const models = members.filter(({ kind }) => kind === 'ingestion_model')
  const held = models.length > 0 ? models : members
  return held.flatMap((one): WayBack[] => {
    const isPast = one.status === 'superseded'
    if (!isPast && one.from_version === undefined) return []
    const name = held.length > 1 ? t` of ${one.family_slug}` : ''
    if (models.length > 0) {
      const asOf = isPast ? at : justBefore(at)
      const word = isPast ? t`Put this set${name} in force again` : t`Put what was before${name} in force again`
      return [{ how: 'review', model: one, asOf, word }]
    }
    const version = isPast ? one.version : (one.from_version ?? one.version)
    const what = held.length > 1 ? `${one.family_slug} v${version}` : `v${version}`
    return [{ how: 'force', member: one, version, word: t`Put ${what} in force again` }]
  })
}

/** The last millisecond before an instant. */
export function justBefore(at: string): string {
  const ms = instantMs(at)
  // An instant may have nanoseconds; its whole millisecond is before it then.
  const isWhole = wireInstant(instantFromEpochMs(ms)) === at
  return wireInstant(instantFromEpochMs(isWhole ? ms - 1 : ms))
}

/** `2026-11-24`, as the person's calendar has it. */
export function dayOf(at: Date | number): string {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/** The local midnight at which a day begins; undefined for what is no day. */
export function startOf(day: string): Date | undefined {
  const match = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(day)
  if (match === null) return undefined
  const [, year, month, date = '01'] = match
  const start = new Date(Number(year), Number(month) - 1, Number(date))
  return start.getMonth() === Number(month) - 1 && start.getDate() === Number(date) ? start : undefined
}

/** The day some days later. */
export function addDays(day: string, days: number): string {
  const start = startOf(day)
  return start === undefined ? day : dayOf(new Date(start.getFullYear(), start.getMonth(), start.getDate() + days))
}

/** The same day some months later, or the last of that month: the month alone keeps no day. */
export function addMonths(month: string, months: number): string {
  const start = startOf(month.slice(0, 7))
  if (start === undefined) return month
  const first = new Date(start.getFullYear(), start.getMonth() + months, 1)
  if (month.length === 7) return dayOf(first).slice(0, 7)
  const last = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate()
  return dayOf(new Date(first.getFullYear(), first.getMonth(), Math.min(Number(month.slice(8)), last)))
}

/** The weeks that a month touches, each from its Monday on. */
export function weeksOf(month: string): string[][] {
  const first = startOf(month)
  if (first === undefined) return []
  const monday = addDays(dayOf(first), -((first.getDay() + 6) % 7))
  const weeks: string[][] = []
  for (let day = monday; day.slice(0, 7) <= month; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)))
  }
  return weeks
}
