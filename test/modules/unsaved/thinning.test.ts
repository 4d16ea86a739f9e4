import { expect, test } from 'bun:test'
import { addMs, type Instant, parseInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { type Kept, statesToRemove } from '../../../src/modules/unsaved/unsaved.thinning.ts'

const now = parseInstant('2026-11-29T12:30:00Z') as Instant
const minute = 60_000
/** Newest first, one a minute. */
const states = (count: number, more: Partial<Kept> = {}): Kept[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `s${index}`, isOpen: false, typedAt: addMs(now, -index * minute) },
    ...more,
  }))

test('all states of the last hour stay, and of each hour before it the newest', () => {
  const all = states(60 * 5)
  const removed = new Set(statesToRemove(all, now))
  const left = all.filter(({ id }) => !removed.has(id)).map(({ typedAt }) => typedAt)
  expect(left.filter((at) => at >= addMs(now, -60 * minute))).toHaveLength(61)
  const older = left.filter((at) => at < addMs(now, -60 * minute))
  expect(older.map((at) => at.slice(11, 16))).toEqual(['11:29', '10:59', '09:59', '08:59', '07:59'])
})

test('what is unsaved stays at any age, and counts first where there is too much', () => {
  const old = { id: 'open', isOpen: true, typedAt: addMs(now, -13 * 86_400_000) }
  const crowd = Array.from({ length: 200 }, (_, index) => ({
    ...{ id: `h${index}`, isOpen: false, typedAt: addMs(now, -index * 3_600_000) },
  }))
  const removed = statesToRemove([...crowd, old], now)
  expect(removed).not.toContain('open')
  expect(crowd.length + 1 - removed.length).toBe(limits.unsavedStates)
  expect(removed).toEqual(crowd.slice(limits.unsavedStates - 1).map(({ id }) => id))
  const tabs = states(limits.unsavedStates + 3, { isOpen: true })
  expect(statesToRemove(tabs, now)).toEqual(['s100', 's101', 's102'])
})
