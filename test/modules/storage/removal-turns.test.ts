/** Turns in which one process of several that share a store may remove objects. */
import { beforeAll, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { systemTimers } from '../../../src/core/timers.ts'
import type { Database } from '../../../src/db/database.ts'
import { removalTurns } from '../../../src/modules/storage/removal-turns.service.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

describeOnBothDialects('a turn to remove objects', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  /** A process that shares the database, with a monotonic clock of its own. */
  function process() {
    const timers = { ...systemTimers, aheadMs: 0, nowMs: () => timers.aheadMs }
    return { timers, turns: removalTurns(database, timers) }
  }

  test('is one process’s until it ends, and then the next one’s at once', async () => {
    const [first, second] = [process(), process()]
    const turn = await first.turns.take()
    expect(turn?.mayRemove()).toBe(true)
    expect(await second.turns.take()).toBeUndefined()
    await turn?.end()
    expect(turn?.mayRemove()).toBe(false)
    const next = await second.turns.take()
    expect(next?.mayRemove()).toBe(true)
    expect(await first.turns.take()).toBeUndefined()
    await next?.end()
  })

  test('that nobody ends is over for a process that has seen it as long as a turn lasts', async () => {
    const [first, second] = [process(), process()]
    const turn = await first.turns.take()
    expect(await second.turns.take()).toBeUndefined()
    second.timers.aheadMs = limits.objectTurnMs - 1
    expect(await second.turns.take()).toBeUndefined()
    second.timers.aheadMs = limits.objectTurnMs
    const next = await second.turns.take()
    expect(next?.mayRemove()).toBe(true)
    // Its holder has stopped removing before.
    first.timers.aheadMs = limits.objectTurnMs / 2
    expect(turn?.mayRemove()).toBe(false)
    // Its late end doesn't end the turn of the other.
    await turn?.end()
    expect(await first.turns.take()).toBeUndefined()
    await next?.end()
  })
})
