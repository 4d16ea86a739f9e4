/** When the feeder looks, and when it leaves off: with timers that pass when the test says so. */
import { expect, test } from 'bun:test'
import { appendEvent } from '../../../src/bus/outbox.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { newId } from '../../../src/core/ids.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { systemTimers, type Timers } from '../../../src/core/timers.ts'
import {
  type FeederDependencies,
  openFeeder,
  startFeeder,
} from '../../../src/modules/batches/batches.feeder.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { openObjectStore } from '../../../src/objects/objects.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { until } from '../../support/until.ts'

interface Wait {
  milliseconds: number
  action: () => void
  isStopped: boolean
}

/** A feeder over an empty database, or one with a batch that has nothing left to submit. */
async function feeding(options: { isBusy?: boolean; isLeader?: () => Promise<boolean> } = {}) {
  const database = await openTestDatabase('sqlite')
  if (options.isBusy === true) {
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.batchRows).values({
        ...{ batchId: newId(), number: 1, line: 1, state: 'submitted', submissionId: newId(), rawInput: null },
        ...{ objectReference: null, receivedAt: null, reopened: 0 },
        ...{ cause: null, code: null, step: null, place: null, message: null },
      })
    })
  }
  const waits: Wait[] = []
  const warned: string[] = []
  const timers: Timers = {
    ...systemTimers,
    after(milliseconds, action) {
      const wait = { milliseconds, action, isStopped: false }
      waits.push(wait)
      return () => {
        wait.isStopped = true
      }
    },
  }
  let asked = 0
  const dependencies: FeederDependencies = {
    ...{ database, judge: judgeHere, clock: systemClock, timers },
    objects: await openObjectStore(`file:${temporaryFolder()}`),
    submissions: {} as FeederDependencies['submissions'],
    log: createLog({ level: 'warn', readable: false, write: (line) => warned.push(line) }),
    async isLeader() {
      asked++
      return (await options.isLeader?.()) ?? true
    },
  }
  const told = (aggregate: 'batch' | 'execution') =>
    database.write((tx) =>
      appendEvent(tx, systemClock.now(), {
        ...{ aggregate, aggregateId: newId(), type: 'created', data: {}, correlationId: 'c' },
      }),
    )
  return { database, dependencies, waits, warned, told, asked: () => asked }
}

test('looks now and then while no batch runs, and soon again while one does', async () => {
  for (const [isBusy, milliseconds] of [
    [false, limits.batchIdleMs],
    [true, limits.batchFeedMs],
  ] as const) {
    const { dependencies, waits } = await feeding({ isBusy })
    const feeder = startFeeder(dependencies)
    await until('it has looked', () => waits.length === 1)
    expect(waits[0]?.milliseconds).toBe(milliseconds)
    waits[0]?.action()
    await until('it has looked again', () => waits.length === 2)
    await feeder.stop()
    expect(waits.at(-1)?.isStopped).toBe(true)
  }
})

test('looks at once when something happens to a batch here, and at nothing else', async () => {
  const { dependencies, waits, told } = await feeding()
  const feeder = startFeeder(dependencies)
  await until('it has looked', () => waits.length === 1)
  await told('execution')
  await Bun.sleep(5)
  expect(waits.length).toBe(1)
  await told('batch')
  await until('it has looked again', () => waits.length === 2)
  // It waits for one moment only.
  expect(waits.map(({ isStopped }) => isStopped)).toEqual([true, false])
  await feeder.stop()
  await told('batch')
  waits[1]?.action()
  await Bun.sleep(5)
  expect(waits.length).toBe(2)
})

test('submits nothing without the role, which it asks for only where there is something to do', async () => {
  const idle = await feeding()
  expect(await openFeeder(idle.dependencies).round()).toBe(false)
  expect(idle.asked()).toBe(0)
  const other = await feeding({ isBusy: true, isLeader: async () => false })
  expect(await openFeeder(other.dependencies).round()).toBe(true)
  const { batchRows } = other.database.read.t
  const [row] = await other.database.read.q.select().from(batchRows)
  expect([other.asked(), row?.state]).toEqual([1, 'submitted'])
  // With the role, a row whose submission has no execution left to wait for is at its end.
  const leader = await feeding({ isBusy: true })
  expect(await openFeeder(leader.dependencies).round()).toBe(true)
  const [closed] = await leader.database.read.q.select().from(leader.database.read.t.batchRows)
  expect(closed?.state).toBe('completed')
})

test('goes on with the next round after one that failed, and says why it did', async () => {
  const { dependencies, warned } = await feeding({ isBusy: true, isLeader: () => Promise.reject(new Error('no role')) })
  const feeder = openFeeder(dependencies)
  expect([await feeder.round(), await feeder.round()]).toEqual([true, true])
  expect(warned.length).toBe(2)
  expect(warned[0]).toContain('no role')
})

test('has one round at a time, whoever asks', async () => {
  const { dependencies, asked } = await feeding({ isBusy: true })
  const feeder = openFeeder(dependencies)
  await Promise.all([feeder.round(), feeder.round(), feeder.round()])
  expect(asked()).toBe(1)
})
