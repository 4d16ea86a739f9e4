import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { openBus } from '../../src/bus/bus.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createLog } from '../../src/core/log.ts'
import type { Database } from '../../src/db/database.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import type { RunnerDependencies } from '../../src/runner/dependencies.ts'
import { WorkerCrashed } from '../../src/runner/faults.ts'
import { startRunner } from '../../src/runner/runner.ts'
import { openTestDatabase, temporaryFolder } from '../support/database.ts'
import { until } from '../support/until.ts'
import { scriptedPool } from './scripted-pool.ts'
import { seedExecution } from './seed.ts'
import { readExecution, untilEnded } from './snapshot.ts'

/** What a runner tells in its log of steps that go another way than they should. */
describe('the log of a runner', () => {
  let database: Database
  let objects: ObjectStore
  let bus: Bus
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
    objects = await openObjectStore(`file:${temporaryFolder()}`)
    bus = await openBus('embedded')
  })
  afterAll(async () => {
    await bus.close()
    await database.close()
  })

  /** Runs until `done`, and gives what was told by level and message. */
  async function told(
    options: Partial<RunnerDependencies>,
    done: (lines: Record<string, unknown>[]) => Promise<boolean> | boolean,
  ) {
    const lines: Record<string, unknown>[] = []
    const log = createLog({ level: 'info', readable: false, write: (line) => void lines.push(JSON.parse(line)) })
    const runner = startRunner({
      ...{ database, objects, bus, log, clock: systemClock, owner: 'runner', pool: scriptedPool() },
      ...options,
      timing: { pollMs: 20, backoffFirstMs: 5, backoffMaxMs: 10, ...options.timing },
    })
    await until('it is told', async () => (await done(lines)) || undefined)
    await runner.drain(1_000)
    return lines
  }
  const says = (lines: readonly Record<string, unknown>[], text: string) =>
    lines.find(({ message, msg }) => message === text || msg === text)

  test('says that another has taken a step over, and tries no more to record it', async () => {
    const id = await seedExecution(database, { stepCount: 2 })
    const pool = scriptedPool(async () => {
      // Somebody else claims the step while it is made here.
      await database.write((tx) =>
        tx.rows(
          sql`update ${tx.t.steps} set lease_owner = 'other', state_version = state_version + 1 where execution_id = ${id} and status = 'running'`,
        ),
      )
      return undefined
    })
    const lines = await told({ pool }, (all) => says(all, 'another runner has taken a step over') !== undefined)
    expect(says(lines, 'another runner has taken a step over')).toMatchObject({
      level: 'info',
      step: 'validate',
      execution_id: id,
    })
    expect(says(lines, 'a step could not be recorded yet')).toBeUndefined()
    expect(says(lines, 'a step was left to its lease')).toBeUndefined()
    expect((await readExecution(database, id)).steps[0]).toMatchObject({ status: 'running', leaseOwner: 'other' })
    await database.write((tx) => tx.q.delete(tx.t.steps).where(eq(tx.t.steps.executionId, id)))
  })

  test('says of a defect outside of the engines that the step was left to its lease', async () => {
    const id = await seedExecution(database, { stepCount: 2 })
    const onPoint = () => {
      throw new Error('a defect')
    }
    const lines = await told({ onPoint }, (all) => says(all, 'a step was left to its lease') !== undefined)
    expect(says(lines, 'a step was left to its lease')).toMatchObject({
      level: 'error',
      step: 'validate',
      execution_id: id,
    })
    expect(says(lines, 'another runner has taken a step over')).toBeUndefined()
    expect((await readExecution(database, id)).steps[0]).toMatchObject({ status: 'running', leaseOwner: 'runner' })
    await database.write((tx) => tx.q.delete(tx.t.steps).where(eq(tx.t.steps.executionId, id)))
  })

  test('says which attempt of which step met which fault, and nothing of a run without any', async () => {
    const id = await seedExecution(database, { stepCount: 2 })
    let times = 0
    const pool = scriptedPool(() => {
      if (++times === 1) throw new WorkerCrashed('for the test')
      return undefined
    })
    const lines = await told({ pool }, async () => (await readExecution(database, id)).execution.status === 'completed')
    expect(says(lines, 'a step met a fault')).toMatchObject({
      level: 'warn',
      step: 'validate',
      attempt: 1,
      code: 'worker_crashed',
    })
    expect(lines.filter((line) => line.level !== 'info')).toHaveLength(1)
    const fine = await seedExecution(database, { stepCount: 2 })
    const quiet = await told({}, async () => (await untilEnded(database, fine)).execution.status === 'completed')
    expect(quiet.filter((line) => line.level !== 'info')).toEqual([])
  })
})
