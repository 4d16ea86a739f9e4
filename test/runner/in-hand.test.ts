import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { openBus } from '../../src/bus/bus.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import type { Database } from '../../src/db/database.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { claimReady } from '../../src/runner/claim.store.ts'
import { type Runner, startRunner } from '../../src/runner/runner.ts'
import { openTestDatabase, temporaryFolder } from '../support/database.ts'
import { until } from '../support/until.ts'
import { scriptedPool } from './scripted-pool.ts'
import { endLeases, LONG_AGO_MS, seedExecution } from './seed.ts'
import { readExecution } from './snapshot.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

describe('a runner with one worker', () => {
  let database: Database
  let objects: ObjectStore
  let bus: Bus
  let runner: Runner | undefined
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
    objects = await openObjectStore(`file:${temporaryFolder()}`)
    bus = await openBus('embedded')
  })
  beforeEach(() => database.write((tx) => tx.q.delete(tx.t.steps)))
  afterEach(() => runner?.drain(1_000))
  afterAll(async () => {
    await bus.close()
    await database.close()
  })

  /** Makes no step before it is let to, and then one for each time; nothing but what it is told wakes it. */
  function start() {
    const held: (() => void)[] = []
    const pool = scriptedPool(async () => {
      await new Promise<void>((resolve) => held.push(resolve))
      return undefined
    }, 1)
    runner = startRunner({
      ...{ database, objects, bus, log, clock: systemClock, owner: 'runner', pool },
      timing: { pollMs: 600_000, heartbeatMs: 600_000 },
    })
    return { runner, pool, held }
  }
  const seed = (count: number) =>
    Promise.all(Array.from({ length: count }, () => seedExecution(database, { stepCount: 2 })))
  const statusesOf = async (ids: readonly string[]) => {
    const all = await Promise.all(ids.map((id) => readExecution(database, id)))
    return all.map(({ steps }) => steps[0]?.status ?? '')
  }
  const countOf = (statuses: readonly string[], status: string) => statuses.filter((one) => one === status).length

  test('holds as many steps as it has places, takes one more for each that is made, and leaves the others', async () => {
    const ids = await seed(limits.stepsInHandPerWorker + 5)
    const { runner, pool, held } = start()
    const places = limits.stepsInHandPerWorker
    await until('its places are taken', () => held.length === places)
    runner.wake()
    for (let made = 1; made <= 2; made++) {
      const isMade = until('the next is at work', () => pool.jobs.length === places + made)
      // Both steps of an execution are one job, which asks for each.
      const [first] = held.splice(0, 1)
      first?.()
      await until('its second step is asked for', () => held.length === places)
      held.splice(-1, 1)[0]?.()
      await isMade
      await until('that has begun', () => held.length === places)
      expect(runner.inHand).toBe(places)
      expect(countOf(await statusesOf(ids), 'running')).toBe(places)
    }
    expect(countOf(await statusesOf(ids), 'queued')).toBe(3)
    // What it leaves is anybody's.
    const others = await database.write((tx) => claimReady(tx, { owner: 'other', leaseMs: 60_000, limit: 50 }))
    expect(others).toHaveLength(3)
    expect(pool.jobs).toHaveLength(places + 2)
    for (const resume of held) resume()
    await until('it has nothing in hand', () => {
      for (const resume of held.splice(0)) resume()
      return runner.inHand === 0
    })
  })

  test('takes as many more as wait at the workers because they are long', async () => {
    const places = limits.stepsInHandPerWorker
    const ids = await seed(places + 5)
    const { runner, pool, held } = start()
    await until('its places are taken', () => held.length === places)
    pool.longWaiting = 3
    runner.wake()
    await until('three more are in hand', () => held.length === places + 3)
    expect(runner.inHand).toBe(places + 3)
    expect(countOf(await statusesOf(ids), 'queued')).toBe(2)
    pool.longWaiting = 0
    await until('it has nothing in hand', () => {
      for (const resume of held.splice(0)) resume()
      return runner.inHand === 0
    })
  })

  test('fills its places with what others left and with what waits, together no more than it has', async () => {
    const left = await seed(2)
    await database.write((tx) => claimReady(tx, { owner: 'dead', leaseMs: 60_000, limit: 50 }))
    await database.write((tx) => endLeases(tx, LONG_AGO_MS))
    const waiting = await seed(limits.stepsInHandPerWorker + 1)
    const { runner, held } = start()
    await until('its places are taken', () => held.length === limits.stepsInHandPerWorker)
    expect(runner.inHand).toBe(limits.stepsInHandPerWorker)
    const { steps } = database.read.t
    const taken = await database.read.q.select().from(steps).where(eq(steps.leaseOwner, 'runner'))
    expect(taken).toHaveLength(limits.stepsInHandPerWorker)
    for (const id of left) expect(taken.find((step) => step.executionId === id)?.attempt).toBe(2)
    expect(countOf(await statusesOf(waiting), 'queued')).toBe(3)
    await until('it has nothing in hand', () => {
      for (const resume of held.splice(0)) resume()
      return runner.inHand === 0
    })
  })
})
