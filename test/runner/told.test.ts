import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { openBus } from '../../src/bus/bus.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import type { StepName } from '../../src/core/steps.ts'
import { systemTimers } from '../../src/core/timers.ts'
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

  /** A database that takes nothing of some writes, those of steps, for so many tries, and what it was slept between them. */
  function refusing(times: number, fault: () => Error, isRefused = (lane?: string): boolean => lane === 'steps') {
    const seen = { tries: 0, sleptMs: [] as number[] }
    const refusingDatabase = new Proxy(database, {
      get(target, name) {
        if (name !== 'write') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
        const write: Database['write'] = (work, lane) => {
          if (!isRefused(lane)) return target.write(work, lane)
          return ++seen.tries <= times ? Promise.reject(fault()) : target.write(work, lane)
        }
        return write
      },
    })
    const timers = {
      ...systemTimers,
      async sleep(ms: number) {
        seen.sleptMs.push(ms)
      },
    }
    const timing = { recordFirstMs: 7, recordMaxMs: 50 }
    return { seen, options: { database: refusingDatabase, timers, timing } as Partial<RunnerDependencies> }
  }

  test('recording a result is tried again while the database is away, after pauses that double up to a bound', async () => {
    const id = await seedExecution(database, { stepCount: 2 })
    const away = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    const times = limits.stepRecordTries + 3
    const { seen, options } = refusing(times, away)
    const lines = await told(options, async () => (await readExecution(database, id)).execution.status === 'completed')
    expect(seen.sleptMs.slice(0, times)).toEqual(
      Array.from({ length: times }, (_, tries) => Math.min(50, 7 * 2 ** tries)),
    )
    expect(
      lines.filter(({ message, msg }) => [message, msg].includes('a step could not be recorded yet')),
    ).toHaveLength(limits.stepRecordTries)
  })

  test('leases of the run before are ended as soon as the database takes it, after waits that double up to the longest', async () => {
    const id = await seedExecution(database, { stepCount: 2 })
    const away = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    const { seen, options } = refusing(5, away, (lane) => lane === undefined)
    const isDone = async () => (await readExecution(database, id)).execution.status === 'completed'
    const lines = await told({ ...options, isSoleInstance: true }, isDone)
    expect(seen.sleptMs.slice(0, 5)).toEqual([7, 14, 28, 50, 50])
    const notYet = 'the runner could not end the leases of the run before it yet'
    expect(lines.filter(({ message, msg }) => [message, msg].includes(notYet))).toHaveLength(1)
  })

  /** A runner that stores files while the database is away for half a minute and an erasure removes what no row names. */
  function longAway(meanwhile: () => Promise<unknown> = async () => {}) {
    const away = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    let unrecorded: string[] = []
    const puts: string[] = []
    const noting: ObjectStore = Object.create(objects, {
      put: {
        value: async (hash: string, bytes: Uint8Array) => {
          await objects.put(hash, bytes)
          puts.push(hash)
          unrecorded.push(hash)
        },
      },
      get: { value: (hash: string) => objects.get(hash) },
    })
    let aheadMs = 0
    const timers = { ...systemTimers, nowMs: () => performance.now() + aheadMs }
    const waiting = new Proxy(database, {
      get(target, name) {
        if (name !== 'write') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
        const write: Database['write'] = async (work, lane) => {
          const [hash] = lane === 'steps' ? unrecorded : []
          if (hash === undefined) return target.write(work, lane)
          unrecorded = []
          if (puts.filter((one) => one === hash).length > 1) return target.write(work, lane)
          aheadMs += limits.erasureObjectAgeMs / 2
          await objects.delete(hash)
          await meanwhile()
          throw away()
        }
        return write
      },
    })
    const options = { database: waiting, objects: noting, timers, timing: { leaseMs: 600_000, recordFirstMs: 7 } }
    return { options: options as Partial<RunnerDependencies>, puts }
  }

  test('a file is stored again where its row had to wait for so long that the file may have been removed', async () => {
    const id = await seedExecution(database)
    const { options, puts } = longAway()
    await told(options, async () => (await readExecution(database, id)).execution.status === 'completed')
    const { artifacts } = await readExecution(database, id)
    expect(artifacts).toHaveLength(2)
    for (const { contentHash } of artifacts) {
      expect(puts.filter((hash) => hash === contentHash)).toHaveLength(2)
      expect(await objects.get(contentHash)).toBeDefined()
    }
  })

  test('a file is not stored again by a runner whose step another has taken over meanwhile', async () => {
    const id = await seedExecution(database)
    const { steps } = database.read.t
    const { options, puts } = longAway(() =>
      database.write((tx) =>
        tx.q
          .update(steps)
          .set({ leaseOwner: 'another' })
          .where(and(eq(steps.executionId, id), eq(steps.status, 'running'))),
      ),
    )
    await told(options, (lines) => says(lines, 'another runner has taken a step over') !== undefined)
    expect(puts).toHaveLength(1)
    expect(await objects.get(puts[0] ?? '')).toBeUndefined()
    await database.write((tx) => tx.q.delete(steps).where(eq(steps.executionId, id)))
  })

  /** A runner whose process is stopped, for longer than its lease, just before it has made a document. */
  function stopped(meanwhile: () => Promise<unknown>, behind: Database = database) {
    let aheadMs = 0
    const made: StepName[] = []
    const puts: string[] = []
    const pool = scriptedPool(async (step) => {
      made.push(step)
      if (step !== 'compose') return undefined
      aheadMs += 600_000
      await meanwhile()
      return undefined
    })
    const noting: ObjectStore = Object.create(objects, {
      put: {
        value: async (hash: string, bytes: Uint8Array) => {
          await objects.put(hash, bytes)
          puts.push(hash)
        },
      },
      get: { value: (hash: string) => objects.get(hash) },
    })
    const timers = { ...systemTimers, nowMs: () => performance.now() + aheadMs }
    const timing = { leaseMs: 600_000, recordFirstMs: 7 }
    return {
      options: { pool, database: behind, objects: noting, timers, timing } as Partial<RunnerDependencies>,
      made,
      puts,
    }
  }

  test('a file is not stored by a runner that goes on after its lease, when another has taken the step over', async () => {
    const id = await seedExecution(database)
    const { steps } = database.read.t
    const { options, puts } = stopped(() =>
      database.write((tx) =>
        tx.q
          .update(steps)
          .set({ leaseOwner: 'another' })
          .where(and(eq(steps.executionId, id), eq(steps.status, 'running'))),
      ),
    )
    const lines = await told(options, (all) => says(all, 'another runner has taken a step over') !== undefined)
    expect(puts).toEqual([])
    expect(says(lines, 'a step met a fault')).toBeUndefined()
    await database.write((tx) => tx.q.delete(steps).where(eq(steps.executionId, id)))
  })

  test('a document that took longer than a lease is not made again because the database is away when it is done', async () => {
    const id = await seedExecution(database)
    let awayFor = 0
    const behind = new Proxy(database, {
      get(target, name) {
        if (name !== 'write') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
        const write: Database['write'] = async (work, lane) => {
          if (lane !== 'steps' || awayFor === 0) return target.write(work, lane)
          awayFor--
          throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
        }
        return write
      },
    })
    const { options, made, puts } = stopped(async () => {
      awayFor = 2
    }, behind)
    await told(options, async () => (await readExecution(database, id)).execution.status === 'completed')
    expect(made).toEqual(['validate', 'transform.declarative', 'compose', 'render'])
    const { artifacts } = await readExecution(database, id)
    expect(artifacts.map(({ contentHash }) => contentHash).toSorted()).toEqual(puts.toSorted())
    for (const hash of puts) expect(await objects.get(hash)).toBeDefined()
  })

  test('a result that the database refuses is tried a few times, and its step left to the lease', async () => {
    const id = await seedExecution(database, { stepCount: 2 })
    const { seen, options } = refusing(Number.POSITIVE_INFINITY, () => new Error('refused'))
    const lines = await told(options, (all) => says(all, 'a step was left to its lease') !== undefined)
    expect(seen.tries).toBe(limits.stepRecordTries)
    expect(seen.sleptMs).toHaveLength(limits.stepRecordTries - 1)
    expect(says(lines, 'a step was left to its lease')).toMatchObject({ step: 'validate', execution_id: id })
    await database.write((tx) => tx.q.delete(tx.t.steps).where(eq(tx.t.steps.executionId, id)))
  })
})
