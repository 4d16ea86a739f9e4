import { afterAll, beforeAll } from 'bun:test'
import { sliceClock } from '../../src/core/turns.ts'

/** For tests that plan without a judge: on a busy machine a condition may take longer than the thread has for it. */
export function noConditionTakesLong(): void {
  const { nowMs } = sliceClock
  beforeAll(() => {
    sliceClock.nowMs = () => 0
  })
  afterAll(() => {
    sliceClock.nowMs = nowMs
  })
}
