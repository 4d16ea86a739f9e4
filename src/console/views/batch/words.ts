/** The words for a batch's parts and states. Pure. */

import type { Batch } from '../../../client/quire.ts'
import { formatNumber } from '../../format.ts'
import { t } from '../../language.ts'

/** The parts of its rows in the order of the bar, with their words; those without rows are left out. */
export interface Part {
  name: string
  rows: number
  tone: 'success' | 'danger' | 'work' | 'muted'
}

export function partsOf({ counts }: Pick<Batch, 'counts'>): Part[] {
  const all: Part[] = [
    { name: t`completed`, rows: counts.completed, tone: 'success' },
    { name: t`failed`, rows: counts.failed, tone: 'danger' },
    { name: t`refused`, rows: counts.refused, tone: 'danger' },
    { name: t`at work`, rows: counts.at_work, tone: 'work' },
    { name: t`waiting`, rows: counts.waiting, tone: 'muted' },
    { name: t`never submitted`, rows: counts.dropped, tone: 'muted' },
    { name: t`erased`, rows: counts.erased, tone: 'muted' },
  ]
  return all.filter(({ rows }) => rows > 0)
}

/** All parts in a line. */
export function partsInWords(batch: Pick<Batch, 'counts'>): string {
  return partsOf(batch)
    .map(({ name, rows }) => `${formatNumber(rows)} ${name}`)
    .join(', ')
}

/** In whole percent of the rows: 100 only once none is left. */
export function shareDone({ counts, rows }: Pick<Batch, 'counts' | 'rows'>): number {
  return rows === 0 ? 100 : Math.floor(((rows - counts.waiting - counts.at_work) / rows) * 100)
}

export const stateWords = {
  running: t`Running`,
  paused: t`Paused`,
  completed: t`Completed`,
  cancelled: t`Taken back`,
} as const satisfies Record<Batch['status'], string>

export function countOf(rows: number): string {
  return rows === 1 ? t`1 row` : t`${formatNumber(rows)} rows`
}

/** Whether it changes by itself: rows of a paused one may still be at work. */
export function isMoving({ status, counts }: Pick<Batch, 'status' | 'counts'>): boolean {
  return status === 'running' || counts.at_work > 0
}

/** By the end of its name: browsers know neither type for sure. */
export function mediaTypeOf(fileName: string): string {
  return /\.csv$/i.test(fileName) ? 'text/csv' : 'application/x-ndjson'
}
