import { expect, test } from 'bun:test'
import { addMs, parseInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { ThrottleTally } from '../../../src/modules/auth/throttle-tally.ts'

const now = parseInstant('2026-11-20T09:30:00Z')!
const later = (seconds: number) => addMs(now, seconds * 1_000)

test('of the attempts that a block refuses, the first, the tenth and the hundredth are told', () => {
  const tally = new ThrottleTally()
  const told = Array.from({ length: 1_100 }, () => tally.add('ann', later(60), now)).filter(Boolean)
  expect(told).toEqual([1, 10, 100, 1_000])
})

test('each counter, and each block of one, is counted by itself', () => {
  const tally = new ThrottleTally()
  expect([tally.add('ann', later(60), now), tally.add('bob', later(60), now)]).toEqual([1, 1])
  expect([tally.add('ann', later(60), now), tally.add('ann', later(120), later(61))]).toEqual([undefined, 1])
})

test('where all counters are taken, those of blocks that are over make room, and otherwise nothing more is told', () => {
  const tally = new ThrottleTally()
  for (let index = 0; index < limits.throttleTallies; index++) {
    expect(tally.add(`user-${index}`, later(index === 0 ? 60 : 120), now)).toBe(1)
  }
  expect(tally.add('one more', later(120), later(59))).toBeUndefined()
  // Who is counted already goes on.
  for (let attempt = 2; attempt < 10; attempt++) tally.add('user-1', later(120), later(59))
  expect(tally.add('user-1', later(120), later(59))).toBe(10)
  // The first block is over with its last moment.
  expect(tally.add('one more', later(180), later(60))).toBe(1)
  expect(tally.add('and another', later(180), later(60))).toBeUndefined()
})
