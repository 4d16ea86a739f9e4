import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { openBus } from '../../src/bus/bus.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import type { Database } from '../../src/db/database.ts'
import {
  type ObjectStore,
  ObjectStoreFull,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
} from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { claimReady } from '../../src/runner/claim.store.ts'
import type { RunnerDependencies } from '../../src/runner/dependencies.ts'
import { WorkerCrashed } from '../../src/runner/faults.ts'
import { type Runner, startRunner } from '../../src/runner/runner.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../support/database.ts'
import { until } from '../support/until.ts'
import { scriptedPool } from './scripted-pool.ts'
import { seedExecution } from './seed.ts'
import { readExecution, untilEnded } from './snapshot.ts'

const logged: string[] = []
const log = createLog({ level: 'info', readable: false, write: (line) => logged.push(line) })

/** So many probes, 10 to 50 ms apart, outlast five attempts with the back-off of these tests: 60 ms together. */
const OUTAGE_PROBES = 6

/** The store with a fault that can be put in front of its puts and of its probe. */
function withFault(store: ObjectStore) {
  const state: { puts?: Error; probes?: Error; isRemoved?: boolean; probed: number } = { probed: 0 }
  const outlasted = () => {
    const last = state.probed + OUTAGE_PROBES
    return until('it was probed for long', () => state.probed >= last)
  }
  const faulty: ObjectStore = {
    put: async (hash, bytes) => {
      if (state.puts !== undefined) throw state.puts
      return store.put(hash, bytes)
    },
    get: async (hash) => (state.isRemoved === true ? undefined : store.get(hash)),
    open: (hash) => store.open(hash),
    size: (hash) => store.size(hash),
    modifiedAtMs: (hash) => store.modifiedAtMs(hash),
    delete: (hash) => store.delete(hash),
    deleteUnlessSince: (hash, sinceMs) => store.deleteUnlessSince(hash, sinceMs),
    list: () => store.list(),
    notes: store.notes,
    async probe() {
      state.probed++
      if (state.probes !== undefined) throw state.probes
      await store.probe()
    },
    close: () => store.close(),
  }
  return { faulty, state, outlasted }
}

describeOnBothDialects('a runner whose object store can not be used', (dialect) => {
  let database: Database
  let bus: Bus
  let store: ObjectStore
  let runners: Runner[]
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    bus = await openBus('embedded')
    store = await openObjectStore(`file:${temporaryFolder()}`)
  })
  beforeEach(() => {
    runners = []
    logged.length = 0
  })
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.drain(1_000)))
    await database.write((tx) => tx.q.delete(tx.t.steps))
  })
  afterAll(async () => {
    await bus.close()
    await database.close()
  })

  let owners = 0
  function start(options: Partial<RunnerDependencies>): Runner {
    const runner = startRunner({
      ...{ database, objects: store, pool: scriptedPool(), bus, clock: systemClock, log, owner: `runner-${++owners}` },
      ...options,
      timing: { pollMs: 20, backoffFirstMs: 5, backoffMaxMs: 20, probeFirstMs: 10, probeMaxMs: 50, ...options.timing },
    })
    runners.push(runner)
    return runner
  }

  test.each([
    ['object_store_unavailable', new ObjectStoreUnavailable('503', { cause: new Error('SlowDown') })],
    ['object_store_full', new ObjectStoreFull('below its reserve')],
    ['object_store_refused', new ObjectStoreRefused('403')],
  ])('pauses for as long as that lasts, uses no attempt up, and goes on by itself: %s', async (code, fault) => {
    const { faulty, state, outlasted } = withFault(store)
    state.puts = fault
    state.probes = fault
    const runner = start({ objects: faulty })
    const ids = await Promise.all(Array.from({ length: 10 }, () => seedExecution(database)))
    await until('work is paused', () => runner.pause !== undefined)
    expect(runner.pause).toMatchObject({ dependency: 'object-store', code })
    // A claim that was under way when the gate closed comes in hand for a moment after it.
    await until('all ten are put back', async () => (await runner.countPaused()) === 10 && runner.inHand === 0)
    await outlasted()
    expect(runner.pause).toMatchObject({ code })
    await until('nothing is in hand', () => runner.inHand === 0)
    for (const id of ids) {
      const { execution, steps } = await readExecution(database, id)
      expect(execution.status).not.toBe('failed')
      for (const step of steps) expect(step.attempt).toBeLessThanOrEqual(1)
    }
    // Once, and seldom again: on a busy machine this takes more probes than that.
    const complaints = 1 + Math.floor(state.probed / limits.gateProbesPerComplaint)
    expect(logged.filter((line) => line.includes('work is paused')).length).toBe(complaints)

    delete state.puts
    delete state.probes
    let deferred = 0
    for (const id of ids) {
      const { execution, steps, events } = await untilEnded(database, id)
      expect(execution.status).toBe('completed')
      expect(steps.map((step) => [step.status, step.attempt])).toEqual(
        Array.from({ length: 4 }, () => ['succeeded', 1]),
      )
      const news = events.filter(({ type }) => type === 'step.deferred')
      deferred += news.length
      for (const { data } of news) expect(data).toMatchObject({ step: 'compose', attempt: 1, code })
    }
    // Those that met the fault say so, once; the others were never begun.
    expect(deferred).toBeWithin(1, 11)
    expect(runner.pause).toBeUndefined()
    await until('no step is counted as paused', async () => (await runner.countPaused()) === 0)
  })

  test('makes everything else while the store refuses one object and its probe succeeds, and that one later', async () => {
    const { faulty, state } = withFault(store)
    const refused = await seedExecution(database, { rawInput: '{"refused":true}' })
    const put = faulty.put
    faulty.put = async (hash, bytes) => {
      const isRefused = state.puts === undefined && new TextDecoder().decode(bytes).includes('refused')
      if (isRefused) throw new ObjectStoreRefused('413')
      return put(hash, bytes)
    }
    const runner = start({ objects: faulty })
    await until('it was refused', () => state.probed > 8)
    const other = await seedExecution(database)
    expect((await untilEnded(database, other)).execution.status).toBe('completed')
    expect((await readExecution(database, refused)).execution.status).toBe('processing')
    // It is tried again after each probe, and for that moment it is no paused step.
    await until('one step is counted as paused', async () => (await runner.countPaused()) === 1)
    faulty.put = put
    const { execution, steps, events } = await untilEnded(database, refused)
    expect(execution.status).toBe('completed')
    expect(steps.map((step) => step.attempt)).toEqual([1, 1, 1, 1])
    expect(events.filter(({ type }) => type === 'step.deferred')).toHaveLength(1)
    await until('no step is counted as paused', async () => (await runner.countPaused()) === 0)
  })

  test('takes a file that is missing for an outage while the whole store is, and for a fault of its own when not', async () => {
    const { faulty, state, outlasted } = withFault(store)
    // What is taken up again has to read the file that the step before made.
    const pool = scriptedPool((step, job) => {
      if (step !== 'render' || job.isRepeated === true) return undefined
      state.isRemoved = true
      state.probes = new ObjectStoreUnavailable('not mounted')
      throw new WorkerCrashed('for the test')
    })
    const runner = start({ objects: faulty, pool })
    const id = await seedExecution(database)
    await until('work is paused', () => runner.pause !== undefined)
    await outlasted()
    expect((await readExecution(database, id)).steps[3]).toMatchObject({ status: 'queued', attempt: 1 })
    delete state.probes
    // The disk is there again, and the file is not: that is counted.
    const { execution, steps } = await untilEnded(database, id)
    expect(execution.status).toBe('failed')
    expect(steps[3]).toMatchObject({ attempt: 5, failure: { code: 'attempts_exhausted' } })
  })

  test('claims nothing while paused, and stops at once when it is told to', async () => {
    const { faulty, state, outlasted } = withFault(store)
    state.puts = new ObjectStoreFull('x')
    state.probes = state.puts
    const pool = scriptedPool()
    const runner = start({ objects: faulty, pool })
    await seedExecution(database)
    await until('work is paused', () => runner.pause !== undefined)
    // A claim that was under way when the gate closed still takes what is ready.
    await outlasted()
    await until('nothing is in hand', () => runner.inHand === 0)
    const made = pool.jobs.length
    await seedExecution(database)
    await outlasted()
    expect(pool.jobs.length).toBe(made)
    const startedMs = performance.now()
    await runner.drain(60_000)
    expect(performance.now() - startedMs).toBeLessThan(30_000)
  })
})

describeOnBothDialects('a runner whose database can not be used', (dialect) => {
  let database: Database
  let bus: Bus
  let objects: ObjectStore
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    bus = await openBus('embedded')
    objects = await openObjectStore(`file:${temporaryFolder()}`)
  })
  afterEach(() => database.write((tx) => tx.q.delete(tx.t.steps)))
  afterAll(async () => {
    await bus.close()
    await database.close()
  })

  /** The database with faults in front of it. */
  function withFaults() {
    const state: { reads?: Error; writes?: Error; refusedWrites: number; lastRefusedMs: number } = {
      refusedWrites: 0,
      lastRefusedMs: 0,
    }
    const faulty: Database = {
      ...{ dialect: database.dialect, writeLoad: database.writeLoad },
      ...{ snapshot: (work) => database.snapshot(work), close: () => database.close() },
      get read() {
        if (state.reads === undefined) return database.read
        state.lastRefusedMs = performance.now()
        throw state.reads
      },
      write: (work) => {
        if (state.writes === undefined) return database.write(work)
        state.refusedWrites++
        return Promise.reject(state.writes)
      },
    }
    return { faulty, state }
  }
  const full = () => Object.assign(new Error('full'), { code: dialect === 'sqlite' ? 'SQLITE_FULL' : '53100' })

  test('keeps a result for as long as nothing can be committed, and makes it once', async () => {
    const { faulty, state } = withFaults()
    const pool = scriptedPool((step) => {
      if (step === 'compose') state.writes = full()
      return undefined
    })
    const runner = startRunner({
      ...{ database: faulty, objects, pool, bus, log, clock: systemClock, owner: 'this run' },
      timing: { pollMs: 50, heartbeatMs: 100, recordFirstMs: 1, recordMaxMs: 5 },
    })
    const id = await seedExecution(database)
    await until('it composes', () => state.writes !== undefined)
    // More often than a refusal of one step is tried again; heartbeats are among them.
    await until('it was tried many times', () => state.refusedWrites > 5 * limits.stepRecordTries)
    expect((await readExecution(database, id)).steps[2]).toMatchObject({ status: 'running', attempt: 1 })
    delete state.writes
    const { execution, steps } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(steps.map((step) => step.attempt)).toEqual([1, 1, 1, 1])
    expect(pool.jobs.filter((job) => job.steps[0] === 'compose')).toHaveLength(1)
    await runner.drain(1_000)
  }, 60_000)

  test('leaves owners the time of a lease after an outage, in which they could not prolong theirs', async () => {
    const { faulty, state } = withFaults()
    const id = await seedExecution(database)
    await database.write((tx) => claimReady(tx, { owner: 'another', leaseMs: -60_000, limit: 5 }))
    state.reads = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const leaseMs = 600
    const runner = startRunner({
      ...{ database: faulty, objects, bus, log, clock: systemClock, owner: 'this run' },
      pool: scriptedPool(),
      timing: { pollMs: 20, heartbeatMs: 100, leaseMs },
    })
    await until('it has met the outage', () => state.lastRefusedMs > 0)
    delete state.reads
    const taken = async () => (await readExecution(database, id)).steps[0]?.leaseOwner !== 'another'
    await until('it is taken over', taken, 30_000)
    expect(performance.now() - state.lastRefusedMs).toBeGreaterThanOrEqual(leaseMs)
    expect((await untilEnded(database, id)).steps[0]?.attempt).toBe(2)
    await runner.drain(1_000)
  }, 60_000)
})
