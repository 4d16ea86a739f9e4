import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { openBus } from '../../src/bus/bus.ts'
import { type Bus, BusUnavailable } from '../../src/bus/message-bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { epochMsOf } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import type { StepName } from '../../src/core/steps.ts'
import type { Database } from '../../src/db/database.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { ObjectStoreGone } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import type { AtWork } from '../../src/runner/at-work.ts'
import { openAtWork } from '../../src/runner/at-work.ts'
import { claimExpired, claimReady, longestWaiting, readQueue, release } from '../../src/runner/claim.store.ts'
import type { RunnerDependencies } from '../../src/runner/dependencies.ts'
import { WorkerCrashed, WorkerOutgrew, WorkerOverran } from '../../src/runner/faults.ts'
import type { StepJob } from '../../src/runner/job.ts'
import { recordFailure, recordSuccess, recordTransientFault } from '../../src/runner/record.store.ts'
import { type Runner, startRunner } from '../../src/runner/runner.ts'
import { FenceLost } from '../../src/runner/steps.store.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder, testOf } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { plannedBy } from '../support/plan.ts'
import { until } from '../support/until.ts'
import { refuse, type Script, scriptedPool } from './scripted-pool.ts'
import { endLeases, LONG_AGO_MS, seedExecution } from './seed.ts'
import { readExecution, untilEnded } from './snapshot.ts'

/** Faults are made on purpose here, so only what is an error is worth reading. */
const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

describeOnBothDialects('the runner', (dialect) => {
  let database: Database
  let objects: ObjectStore
  let bus: Bus
  let runners: Runner[] = []
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    objects = await openObjectStore(`file:${temporaryFolder()}`)
    bus = await openBus('embedded')
  })
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.drain(1_000)))
    runners = []
  })
  afterAll(async () => {
    await bus.close()
    await database.close()
  })

  let owners = 0
  function start(options: Partial<RunnerDependencies> = {}): Runner {
    const runner = startRunner({
      database,
      objects,
      pool: scriptedPool(),
      bus,
      clock: systemClock,
      log,
      owner: `runner-${++owners}`,
      ...options,
      timing: { pollMs: 50, backoffFirstMs: 10, backoffMaxMs: 20, ...options.timing },
    })
    runners.push(runner)
    return runner
  }

  test('takes an execution through its four steps, with its files, its events and their order', async () => {
    start()
    const id = await seedExecution(database, { rawInput: '{"name":"Ä"}' })
    const { execution, steps, artifacts, events } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(execution.completedAt).not.toBeNull()
    expect(execution.output).toBe('{"from":"{\\"name\\":\\"Ä\\"}"}')
    expect(execution.outputHash).toBe(sha256Hex(execution.output!))
    expect(steps.map((step) => [step.status, step.attempt, step.leaseOwner, step.leaseExpiresAt])).toEqual(
      Array.from({ length: 4 }, () => ['succeeded', 1, null, null]),
    )
    // Created, queued (the first is so from the start), claimed, recorded: one version each.
    expect(steps.map((step) => step.stateVersion)).toEqual([3, 4, 4, 4])
    for (const step of steps) expect(step.startedAt! <= step.finishedAt!).toBe(true)
    const [docx, pdf] = artifacts
    expect([docx!.kind, pdf!.kind]).toEqual(['docx', 'pdf'])
    expect(docx).toMatchObject({
      objectReference: 'policy-1',
      modelSlug: 'model',
      nodeLabel: 'Letter',
      nodeAddress: 'model:letter',
    })
    expect(new TextDecoder().decode(await objects.get(docx!.contentHash))).toBe(`compose of ${execution.output}`)
    expect(new TextDecoder().decode(await objects.get(pdf!.contentHash))).toBe(
      `render of compose of ${execution.output}`,
    )
    expect(events.map((event) => event.type)).toEqual([
      'queued',
      ...Array.from({ length: 4 }, () => ['step.started', 'step.succeeded']).flat(),
      'completed',
    ])
  })

  test('ends an execution of two steps with its output, and one of three with its DOCX', async () => {
    start()
    const two = await seedExecution(database, { stepCount: 2 })
    const three = await seedExecution(database, { stepCount: 3 })
    const ended = [await untilEnded(database, two), await untilEnded(database, three)]
    expect(ended.map((one) => one.execution.status)).toEqual(['completed', 'completed'])
    expect(ended.map((one) => one.artifacts.map((row) => row.kind))).toEqual([[], ['docx']])
    expect(ended[0]!.execution.output).not.toBeNull()
  })

  test('fails at once where an engine refuses, with the located issues, and begins nothing after it', async () => {
    const pool = scriptedPool((step) => (step === 'validate' ? refuse(step, 'contract_violated') : undefined))
    start({ pool })
    const id = await seedExecution(database)
    const { execution, steps, artifacts, events } = await untilEnded(database, id)
    expect(execution.status).toBe('failed')
    expect(steps.map((step) => [step.status, step.attempt])).toEqual([
      ['failed', 1],
      ['not_started', 0],
      ['not_started', 0],
      ['not_started', 0],
    ])
    expect(steps[0]!.failure).toEqual({
      code: 'contract_violated',
      message: 'Refused for the test.',
      issues: [{ path: '/policy/number', keyword: 'required', message: 'must be there' }],
    })
    expect(artifacts).toEqual([])
    expect(events.map((event) => event.type)).toEqual(['queued', 'step.started', 'step.failed', 'failed'])
  })

  test('gives a child its parent’s output, and begins it only when the parent is complete', async () => {
    const parent = await seedExecution(database)
    const child = await seedExecution(database, { parentId: parent, stepCount: 2 })
    expect((await readExecution(database, child)).steps[0]!.status).toBe('not_started')
    const pool = scriptedPool()
    start({ pool })
    const done = await untilEnded(database, child)
    const above = await readExecution(database, parent)
    expect(done.execution.status).toBe('completed')
    expect(done.execution.inputHash).toBe(above.execution.outputHash!)
    expect(done.execution.output).toContain('\\"from\\"')
    expect(done.events[0]).toMatchObject({ type: 'queued', data: { status: 'queued' } })
    expect(done.steps[0]!.startedAt! >= above.execution.completedAt!).toBe(true)
    const [job] = pool.jobs.filter((one) => one.input === above.execution.output)
    // The one contract of a submission is its raw input's; a child transforms its parent's output.
    expect(job?.rawInput).toBe('{"a":1}')
    expect(pool.jobs.filter((one) => one.readsParent)).toEqual([job!])
    expect(done.execution.rawInputHash).toBe(above.execution.rawInputHash)
    expect(done.execution.rawInputHash).not.toBe(done.execution.inputHash)
  })

  // On libSQL transactions follow each other in any case.
  testOf(dialect, 'postgres')('claims apart from records, so that it never sees half of one', async () => {
    const released = Promise.withResolvers<void>()
    const recording = database.write(() => released.promise, 'steps')
    const id = await seedExecution(database, { stepCount: 2 })
    start()
    await until('it is claimed', async () => (await readExecution(database, id)).steps[0]?.status === 'running')
    released.resolve()
    await recording
    expect((await untilEnded(database, id)).execution.status).toBe('completed')
  })

  test('shows steps that were made in one job one after the other, each as long as it took', async () => {
    const id = await seedExecution(database, { stepCount: 2 })
    const output = { text: '{}', hash: sha256Hex('{}') }
    const slow: Script = async (step) => {
      await Bun.sleep(40)
      return { step, ok: true, durationMs: 40, summary: {}, ...(step === 'validate' ? {} : { output }) }
    }
    start({ pool: scriptedPool(slow) })
    const { steps } = await untilEnded(database, id)
    const spanMs = (step: (typeof steps)[number]) => epochMsOf(step.finishedAt!) - epochMsOf(step.startedAt!)
    expect(steps[1]!.startedAt).toBe(steps[0]!.finishedAt)
    expect(spanMs(steps[1]!)).toBeGreaterThanOrEqual(39)
  })

  const releaseOf = async (id: string) => (await readExecution(database, id)).execution.releaseId

  test('makes a document in one job where one like it took moments, and in several where it took long', async () => {
    let renderMs = 1
    const pool = scriptedPool((step) => {
      const bytes = new TextEncoder().encode('a PDF')
      return step === 'render'
        ? { step, ok: true, durationMs: renderMs, summary: {}, file: { bytes, hash: sha256Hex(bytes) } }
        : undefined
    })
    start({ pool })
    const first = await seedExecution(database)
    await untilEnded(database, first)
    const releaseId = await releaseOf(first)
    const stepsOf = async (options: Parameters<typeof seedExecution>[1]) => {
      const before = pool.jobs.length
      const id = await seedExecution(database, options)
      const ended = await untilEnded(database, id)
      expect(ended.execution.status).toBe('completed')
      return { ...ended, jobs: pool.jobs.slice(before).map(({ steps }) => [...steps]) }
    }
    const all = ['validate', 'transform.declarative', 'compose', 'render'] as const
    const separately: StepName[][] = [['validate', 'transform.declarative'], ['compose'], ['render']]
    const { jobs, steps, artifacts, events } = await stepsOf({ releaseId })
    expect(jobs).toEqual([[...all]])
    // As if each had been claimed by itself.
    expect(steps.map(({ status, attempt }) => [status, attempt])).toEqual(all.map(() => ['succeeded', 1]))
    expect(steps.map(({ stateVersion }) => stateVersion)).toEqual([3, 4, 4, 4])
    expect(artifacts.map(({ kind }) => kind)).toEqual(['docx', 'pdf'])
    expect(events.map(({ type }) => type)).toEqual([
      'queued',
      ...all.flatMap(() => ['step.started', 'step.succeeded']),
      'completed',
    ])
    expect((await stepsOf({ releaseId, stepCount: 3 })).jobs).toEqual([all.slice(0, 3)])
    // Another template, or another size of the data, says nothing.
    expect((await stepsOf({})).jobs).toEqual(separately)
    expect((await stepsOf({ releaseId, rawInput: `{"a":"${'x'.repeat(200)}"}` })).jobs).toEqual(separately)
    renderMs = limits.jobWholeMs
    expect((await stepsOf({ releaseId })).jobs).toEqual([[...all]])
    expect((await stepsOf({ releaseId })).jobs).toEqual(separately)
  })

  test('makes each step by itself again after a fault of a document that was made in one job', async () => {
    let faults = 0
    const pool = scriptedPool((step) => {
      if (step === 'render' && faults-- > 0) throw new WorkerCrashed('for the test')
      return undefined
    })
    start({ pool })
    const first = await seedExecution(database)
    await untilEnded(database, first)
    faults = 2
    const before = pool.jobs.length
    const id = await seedExecution(database, { releaseId: await releaseOf(first) })
    const { execution, steps } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(steps.map(({ attempt }) => attempt)).toEqual([2, 1, 1, 2])
    expect(pool.jobs.slice(before).map((job) => job.steps.length)).toEqual([4, 1, 1, 1, 1, 1])
    expect(pool.jobs[before]?.hasOneDeadline).toBe(true)
  })

  test('counts the faults of a document against its own step, whatever others of its kind do meanwhile', async () => {
    // Every other document of the kind ends well, so that those are made in one job again and again.
    const poison = '{"a":2}'
    let releaseId: string | undefined
    const others: string[] = []
    const another = async () => {
      const id = await seedExecution(database, releaseId === undefined ? {} : { releaseId })
      await untilEnded(database, id)
      others.push(id)
    }
    const pool = scriptedPool(async (step, job) => {
      if (!isPoison(job)) return undefined
      if (step === 'render') throw new WorkerCrashed('poison, for the test')
      // The second of them was begun after this document's last fault.
      const before = others.length
      if (step === job.steps[0]) await until('two others have ended', () => others.length >= before + 2)
      return undefined
    })
    const isPoison = ({ rawInput, input, output, docx }: StepJob) =>
      rawInput === poison ||
      input === poison ||
      [output, docx && new TextDecoder().decode(docx)].some((text) => text?.includes('\\"a\\":2'))
    start({ pool })
    await another()
    releaseId = await releaseOf(others[0]!)
    await another()
    const id = await seedExecution(database, { releaseId, rawInput: poison })
    let hasEnded = false
    const stream = (async () => {
      while (!hasEnded) await another()
    })()
    const ended = untilEnded(database, id).finally(() => {
      hasEnded = true
    })
    const [{ execution, steps }] = await Promise.all([ended, stream])
    expect(execution.status).toBe('failed')
    expect(steps.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['succeeded', 2],
      ['succeeded', 1],
      ['succeeded', 1],
      ['failed', 5],
    ])
    expect(pool.jobs.filter(isPoison).map((job) => job.steps.length)).toEqual([4, 1, 1, 1, 1, 1, 1, 1, 1])
    const ofOthers = pool.jobs.filter((job) => !isPoison(job)).map((job) => job.steps.length)
    expect(ofOthers.filter((count) => count === 4).length).toBeGreaterThan(5)
  })

  test('lets go of an execution whose rows are removed while it is made', async () => {
    const pool = scriptedPool((step) =>
      step === 'render' ? { step, ok: true, durationMs: limits.jobWholeMs, summary: {} } : undefined,
    )
    let removed: string | undefined
    const points: string[] = []
    start({
      pool,
      onPoint: async (point, { executionId, name }) => {
        if (executionId !== removed) return
        points.push(`${point} ${name}`)
        if (point !== 'claimed' || name !== 'compose') return
        const { steps } = database.read.t
        await database.write((tx) => tx.q.delete(steps).where(eq(steps.executionId, executionId)))
      },
    })
    const first = await seedExecution(database)
    await untilEnded(database, first)
    removed = await seedExecution(database, { releaseId: await releaseOf(first) })
    await until('compose is made', () => points.includes('before-record compose'))
    await Bun.sleep(100)
    expect(pool.jobs.filter(({ steps }) => steps.length === 0)).toHaveLength(0)
    expect(points.slice(points.indexOf('claimed compose'))).toEqual([
      'claimed compose',
      'computed compose',
      'object-stored compose',
      'before-record compose',
    ])
  })

  test('fails the children of a failed parent, and theirs, saying why', async () => {
    const parent = await seedExecution(database)
    const child = await seedExecution(database, { parentId: parent })
    const grandchild = await seedExecution(database, { parentId: child })
    start({ pool: scriptedPool((step) => (step === 'compose' ? refuse(step, 'compose_failed') : undefined)) })
    for (const id of [child, grandchild]) {
      const { execution, steps } = await untilEnded(database, id)
      expect(execution.status).toBe('failed')
      expect(steps.map((step) => step.status)).toEqual(['failed', 'not_started', 'not_started', 'not_started'])
      expect(steps[0]!.failure?.code).toBe('parent_failed')
      expect(steps[0]!.attempt).toBe(0)
    }
  })

  test('tries again after a passing fault, and counts the attempts', async () => {
    let faults = 0
    const pool = scriptedPool((step) => {
      if (step === 'compose' && faults++ < 3) throw new WorkerCrashed('for the test')
      return undefined
    })
    start({ pool })
    const id = await seedExecution(database)
    const { execution, steps, events } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(steps.map((step) => step.attempt)).toEqual([1, 1, 4, 1])
    expect(steps[2]!.failure).toBeNull()
    // What never changes is read from the database once.
    const templates = pool.jobs.flatMap(({ sources }) => sources.template ?? [])
    expect([templates.length, new Set(templates).size]).toEqual([4, 1])
    const deferred = events.filter((event) => event.type === 'step.deferred')
    expect(deferred.map((event) => event.data.code)).toEqual(Array.from({ length: 3 }, () => 'worker_crashed'))
    expect(events.filter((event) => event.type === 'step.failed')).toEqual([])
  })

  test('ends a step that brings its worker down every time after five attempts', async () => {
    const pool = scriptedPool((step) => {
      if (step === 'render') throw new WorkerCrashed('poison, for the test')
      return undefined
    })
    start({ pool })
    const id = await seedExecution(database)
    const { execution, steps, artifacts } = await untilEnded(database, id)
    expect(execution.status).toBe('failed')
    expect(steps.map((step) => step.attempt)).toEqual([1, 1, 1, 5])
    expect(steps[3]!.failure?.code).toBe('attempts_exhausted')
    expect(steps[3]!.failure?.message).toContain('worker')
    expect(artifacts.map((row) => row.kind)).toEqual(['docx'])
    // From the second attempt on, others are let go first.
    const tries = pool.jobs.filter((job) => job.steps[0] === 'render')
    expect(tries.map(({ isRepeated }) => isRepeated)).toEqual([false, true, true, true, true])
  })

  test.each([
    ['ran too long', 'step_overran', WorkerOverran],
    ['took too much memory', 'step_outgrew', WorkerOutgrew],
  ])(
    'retries a step that %s once, then fails it with its place, while other work continues',
    async (_, code, Excess) => {
      const always = await seedExecution(database, { rawInput: '{"a":"always"}' })
      const once = await seedExecution(database, { rawInput: '{"a":"once"}' })
      let overruns = 0
      const pool = scriptedPool((step, job) => {
        const docx = step === 'render' ? new TextDecoder().decode(job.docx) : ''
        if (docx.includes('always') || (docx.includes('once') && overruns++ === 0)) throw new Excess('for the test')
        return undefined
      })
      start({ pool })
      const { execution, steps, artifacts } = await untilEnded(database, always)
      expect([execution.status, steps[3]!.attempt]).toEqual(['failed', 2])
      expect(steps[3]!.failure).toMatchObject({ code, issues: [{ path: 'word/document.xml' }] })
      expect(artifacts.map((row) => row.kind)).toEqual(['docx'])
      const other = await untilEnded(database, once)
      expect([other.execution.status, other.steps[3]!.attempt]).toEqual(['completed', 2])
    },
  )

  test('counts a fault of the second small step against that step', async () => {
    const pool = scriptedPool((step) => {
      if (step === 'transform.declarative') throw new WorkerCrashed('poison, for the test')
      return undefined
    })
    start({ pool })
    const id = await seedExecution(database)
    const { steps } = await untilEnded(database, id)
    expect(steps.map((step) => [step.status, step.attempt]).slice(0, 2)).toEqual([
      ['succeeded', 2],
      ['failed', 5],
    ])
  })

  test('ends a step whose runner dies every time after five attempts', async () => {
    const id = await seedExecution(database)
    for (let attempt = 1; attempt <= 5; attempt++) {
      const options = { owner: 'dying', leaseMs: 60_000, limit: 50 }
      const claims = await database.write((tx) => (attempt === 1 ? claimReady(tx, options) : claimExpired(tx, options)))
      expect(claims.find((claim) => claim.executionId === id)?.attempt).toBe(attempt)
      await database.write((tx) => endLeases(tx, LONG_AGO_MS))
    }
    start()
    const { execution, steps, events } = await untilEnded(database, id)
    expect(execution.status).toBe('failed')
    expect([steps[0]!.attempt, steps[0]!.failure?.code]).toEqual([5, 'attempts_exhausted'])
    expect(events.filter((event) => event.type === 'step.started')).toHaveLength(5)
  })

  test('counts no attempt that the database broke off, however often that happens', async () => {
    let broken = 0
    const pool = scriptedPool((step) => {
      if (step !== 'compose' || ++broken > 8) return undefined
      throw Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
    })
    start({ pool, timing: { backoffFirstMs: 5 } })
    const id = await seedExecution(database)
    const { execution, steps, events } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(steps.map((step) => step.attempt)).toEqual([1, 1, 1, 1])
    expect(broken).toBe(9)
    expect(events.filter((event) => event.type === 'step.deferred')).toEqual([])
  })

  test('delays a step that was started more than once, and takes it over within 5 s of its lease’s end', async () => {
    const database = await openTestDatabase(dialect)
    const id = await seedExecution(database)
    const taken = (afterMs: number) =>
      database.write(async (tx) => {
        await endLeases(tx, -afterMs)
        const claims = await claimExpired(tx, { owner: 'next', leaseMs: 60_000, limit: 50 })
        return claims.map((claim) => [claim.executionId, claim.attempt])
      })
    await database.write((tx) => claimReady(tx, { owner: 'first', leaseMs: 60_000, limit: 50 }))
    // After the first time at once; a process that is killed again and again must not use up its steps' attempts.
    expect(await taken(1)).toEqual([[id, 2]])
    expect(await taken(4_000)).toEqual([[id, 3]])
    expect(await taken(1)).toEqual([])
    expect(await taken(4_000)).toEqual([[id, 4]])
    expect(await taken(1)).toEqual([])
    expect(await taken(4_000)).toEqual([[id, 5]])
    // The last is not waited for: the step ends.
    expect(await taken(1)).toEqual([])
    expect((await readExecution(database, id)).steps[0]?.failure?.code).toBe('attempts_exhausted')
    await database.close()
  })

  test('refuses what a stale owner records after its lease ran out', async () => {
    let resume = () => {}
    const stopped = new Promise<void>((resolve) => {
      resume = resolve
    })
    let isStopped = false
    const stale = start({
      timing: { leaseMs: 100, heartbeatMs: 60_000 },
      onPoint: (point, claim) => {
        if (point !== 'before-record' || claim.name !== 'compose') return
        isStopped = true
        return stopped
      },
    })
    const id = await seedExecution(database)
    await until('the first runner stops before its record', () => isStopped)
    start()
    const done = await untilEnded(database, id)
    resume()
    await stale.drain(1_000)
    const after = await readExecution(database, id)
    expect(after).toEqual(done)
    expect(after.execution.status).toBe('completed')
    expect(after.steps.map((step) => step.attempt)).toEqual([1, 1, 2, 1])
    expect(after.artifacts.map((row) => row.kind)).toEqual(['docx', 'pdf'])
    expect(after.events.filter((event) => event.type === 'step.succeeded')).toHaveLength(4)
  })

  test('refuses a claim that another owner, or the same one again, has taken over and still works on', async () => {
    const id = await seedExecution(database)
    const take = (owner: string) => database.write((tx) => claimExpired(tx, { owner, leaseMs: LONG_AGO_MS, limit: 50 }))
    const options = { owner: 'one', leaseMs: LONG_AGO_MS, limit: 50 }
    const [first] = await database.write((tx) => claimReady(tx, options))
    const [second] = await take('two')
    const [third] = await take('two')
    const success = { durationMs: 1, summary: {} }
    const failure = { durationMs: 1, failure: { code: 'stale', message: 'stale', issues: [] } }
    const fault = { code: 'stale', message: 'stale', backoffMs: 0 }
    for (const stale of [first!, second!, { ...third!, owner: 'one' }]) {
      expect(await outcomeOf(database.write((tx) => recordSuccess(tx, stale, success)))).toThrow(FenceLost)
      expect(await outcomeOf(database.write((tx) => recordFailure(tx, stale, failure)))).toThrow(FenceLost)
      expect(await outcomeOf(database.write((tx) => recordTransientFault(tx, stale, fault)))).toThrow(FenceLost)
      await database.write((tx) => release(tx, stale))
    }
    const { execution, steps, events } = await readExecution(database, id)
    expect([steps[0]!.status, steps[0]!.attempt, steps[0]!.stateVersion]).toEqual(['running', 3, third!.fence])
    expect(execution.status).toBe('processing')
    expect(events.filter((event) => event.type !== 'step.started').map((event) => event.type)).toEqual(['queued'])
    await database.write((tx) => recordSuccess(tx, third!, success))
    expect((await readExecution(database, id)).steps.map((step) => step.status).slice(0, 2)).toEqual([
      'succeeded',
      'queued',
    ])
    await database.write((tx) => tx.q.delete(tx.t.steps))
  })

  test.each(['validate', 'compose'])(
    'drops %s, which another has taken over, as soon as a heartbeat finds out, and asks the database no more about it',
    async (made) => {
      let writes = 0
      let underWay = 0
      const counting: Database = {
        ...{ dialect: database.dialect, read: database.read, writeLoad: database.writeLoad },
        ...{ snapshot: (work) => database.snapshot(work), close: () => database.close() },
        write: (work) => {
          writes++
          underWay++
          return database.write(work).finally(() => underWay--)
        },
      }
      const making = Promise.withResolvers<void>()
      let isMaking = false
      const pool = scriptedPool(async (step) => {
        if (step === made) {
          isMaking = true
          await making.promise
        }
        return undefined
      })
      const heartbeatMs = 10
      const stale = start({ database: counting, pool, timing: { heartbeatMs, pollMs: 60_000 } })
      const id = await seedExecution(database)
      await until('it makes the step', () => isMaking)
      await database.write(async (tx) => {
        const { steps } = tx.t
        await tx.q.update(steps).set({ leaseOwner: 'another' }).where(eq(steps.status, 'running'))
      })
      await until('its heartbeat has stopped', async () => {
        const before = writes
        await Bun.sleep(20 * heartbeatMs)
        return writes === before && underWay === 0
      })
      const before = { writes, of: await readExecution(database, id) }
      making.resolve()
      await until('it has let go', () => stale.inHand === 0)
      expect({ writes, of: await readExecution(database, id) }).toEqual(before)
      await database.write((tx) => tx.q.delete(tx.t.steps))
    },
  )

  test('leaves to an owner what it has claimed, though the lease ran out', async () => {
    const id = await seedExecution(database)
    const options = { owner: 'busy', leaseMs: LONG_AGO_MS, limit: 50 }
    const [claim] = await database.write((tx) => claimReady(tx, options))
    expect(claim?.executionId).toBe(id)
    const inHand = await database.write((tx) => claimExpired(tx, { ...options, except: [claim!.stepId] }))
    expect(inHand).toEqual([])
    const dropped = await database.write((tx) => claimExpired(tx, options))
    expect(dropped.map((one) => one.stepId)).toEqual([claim!.stepId])
    await database.write((tx) => tx.q.delete(tx.t.steps))
  })

  test('keeps a step that takes longer than its lease, by heartbeats', async () => {
    const rendering = Promise.withResolvers<void>()
    let isRendering = false
    const pool = scriptedPool(async (step) => {
      if (step === 'render') {
        isRendering = true
        await rendering.promise
      }
      return undefined
    })
    start({ pool, timing: { leaseMs: 60_000, heartbeatMs: 50 } })
    const id = await seedExecution(database)
    await until('it renders', () => isRendering)
    const leaseOf = async () => (await readExecution(database, id)).steps[3]!.leaseExpiresAt!
    // Its lease is over, and nobody has noticed yet.
    await database.write((tx) => endLeases(tx, -1))
    const ended = await leaseOf()
    await until('the lease is prolonged', async () => (await leaseOf()) > ended)
    start()
    rendering.resolve()
    const { execution, steps } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(steps.map((step) => step.attempt)).toEqual([1, 1, 1, 1])
  })

  test('shares the work of many executions among three runners, each step made once', async () => {
    const pools = [scriptedPool(), scriptedPool(), scriptedPool()]
    for (const pool of pools) start({ pool })
    const ids = await Promise.all(Array.from({ length: 40 }, () => seedExecution(database)))
    for (const id of ids) {
      const { execution, steps, events } = await untilEnded(database, id)
      expect(execution.status).toBe('completed')
      expect(steps.map((step) => step.attempt)).toEqual([1, 1, 1, 1])
      expect(events).toHaveLength(10)
    }
    expect(pools.reduce((sum, pool) => sum + pool.jobs.length, 0)).toBe(40 * 3)
  }, 120_000)

  test('claims no more steps than it asked for', async () => {
    for (let index = 0; index < 12; index++) await seedExecution(database)
    const counts: number[] = []
    for (const limit of [1, 1, 3, 5, 5]) {
      const options = { owner: 'modest', leaseMs: 60_000, limit }
      counts.push((await database.write((tx) => claimReady(tx, options))).length)
    }
    expect(counts).toEqual([1, 1, 3, 5, 2])
    await database.write(async (tx) => {
      await tx.q.delete(tx.t.steps)
    })
  })

  test('lets submissions take turns, so that one with many nodes does not keep those behind it waiting', async () => {
    const database = await openTestDatabase(dialect)
    const { executions } = database.read.t
    const large: string[] = []
    for (let index = 0; index < 12; index++) large.push(await seedExecution(database))
    const [first] = await database.read.q
      .select({ submissionId: executions.submissionId })
      .from(executions)
      .where(eq(executions.id, large[0]!))
    await database.write(async (tx) => {
      await tx.q.update(executions).set({ submissionId: first!.submissionId })
    })
    const small = [await seedExecution(database), await seedExecution(database)]
    const options = { owner: 'one', leaseMs: 5_000, limit: 4 }
    const claims = await database.write((tx) => claimReady(tx, options))
    const claimed = claims.map((claim) => claim.executionId)
    expect(claimed).toHaveLength(4)
    expect(claimed).toEqual(expect.arrayContaining([large[0]!, ...small]))
    // Within a submission it stays first come, first served; and nobody is left out.
    expect(claimed).toContain(large[1]!)
    expect(await readQueue(database.read)).toMatchObject({ ready: 10 })
    const rest = await database.write((tx) => claimReady(tx, { ...options, limit: 20 }))
    expect(rest).toHaveLength(10)
    await database.close()
  })

  test('claims the steps nearest to completion first', async () => {
    const early = await seedExecution(database)
    const late = await seedExecution(database)
    await database.write(async (tx) => {
      const { steps } = tx.t
      const ofLate = await tx.q
        .select({ id: steps.id, position: steps.position })
        .from(steps)
        .where(eq(steps.executionId, late))
      for (const { id, position } of ofLate) {
        const status = position < 3 ? 'succeeded' : position === 3 ? 'queued' : 'not_started'
        await tx.q.update(steps).set({ status }).where(eq(steps.id, id))
      }
    })
    const options = { owner: 'picky', leaseMs: 1, limit: 1 }
    const first = await database.write((tx) => claimReady(tx, options))
    const second = await database.write((tx) => claimReady(tx, options))
    expect([first, second].map((claims) => claims.map((claim) => claim.executionId))).toEqual([[late], [early]])
    await database.write(async (tx) => {
      await tx.q.delete(tx.t.steps)
    })
  })

  test('finds ready steps in the index that holds no others, in the order that it takes them', async () => {
    const [planned] = await plannedBy(database, () => database.read.rows(longestWaiting(database.read)))
    expect(planned!.plan).toContain('steps_ready')
    expect(planned!.plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
  })

  test('gives back what it could not finish before its deadline, without counting the attempt', async () => {
    const rendering = Promise.withResolvers<void>()
    let isOver = false
    const pool = scriptedPool(async (step) => {
      if (step !== 'render') return undefined
      await rendering.promise
      isOver = true
      return undefined
    })
    const first = start({ pool })
    const id = await seedExecution(database)
    await until('it renders', async () => (await readExecution(database, id)).steps[3]!.status === 'running')
    await first.drain(20)
    const given = await readExecution(database, id)
    expect(given.steps.map((step) => [step.status, step.attempt])).toEqual([
      ['succeeded', 1],
      ['succeeded', 1],
      ['succeeded', 1],
      ['queued', 0],
    ])
    expect(given.steps[3]!.leaseOwner).toBeNull()
    start()
    const { execution, steps } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(steps[3]!.attempt).toBe(1)
    rendering.resolve()
    await until('the first has rendered after all, and let go', () => isOver && first.inHand === 0)
    expect(await readExecution(database, id)).toMatchObject({ steps })
  })

  test('keeps results while the database refuses writes, and records them later in the same attempt', async () => {
    let refused = 0
    let isComposed = false
    const failing: Database = {
      ...{ dialect: database.dialect, read: database.read, writeLoad: database.writeLoad },
      ...{ snapshot: (work) => database.snapshot(work), close: () => database.close() },
      write: (work) => {
        if (!isComposed || refused >= 2) return database.write(work)
        refused++
        return Promise.reject(new Error('the disk is full, for the test'))
      },
    }
    const pool = scriptedPool((step) => {
      if (step === 'compose') isComposed = true
      return undefined
    })
    start({ database: failing, pool, timing: { pollMs: 60_000, heartbeatMs: 60_000, recordFirstMs: 10 } })
    const id = await seedExecution(database)
    const { execution, steps } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(steps.map((step) => step.attempt)).toEqual([1, 1, 1, 1])
    expect(refused).toBe(2)
    expect(pool.jobs.filter((job) => job.steps[0] === 'compose')).toHaveLength(1)
  })

  test('finishes the step at work and claims nothing more while it drains', async () => {
    let isComposing = false
    const composing = Promise.withResolvers<void>()
    const pool = scriptedPool(async (step) => {
      if (step === 'compose') {
        isComposing = true
        await composing.promise
      }
      return undefined
    })
    const runner = start({ pool })
    const id = await seedExecution(database)
    await until('it composes', () => isComposing)
    const drained = runner.drain(20_000)
    composing.resolve()
    await drained
    const { execution, steps } = await readExecution(database, id)
    expect(steps.map((step) => step.status)).toEqual(['succeeded', 'succeeded', 'succeeded', 'queued'])
    expect(execution.status).toBe('processing')
    expect(runner.inHand).toBe(0)
  })

  test('keeps its leases while it drains', async () => {
    const composing = Promise.withResolvers<void>()
    let isComposing = false
    const pool = scriptedPool(async (step) => {
      if (step === 'compose') {
        isComposing = true
        await composing.promise
      }
      return undefined
    })
    const runner = start({ pool, timing: { heartbeatMs: 20 } })
    const id = await seedExecution(database)
    await until('it composes', () => isComposing)
    const leaseOf = async () => (await readExecution(database, id)).steps[2]!.leaseExpiresAt!
    const drained = runner.drain(20_000)
    // What was on its way when it was told to drain may still arrive.
    await Bun.sleep(60)
    const lease = await leaseOf()
    await until('the lease is prolonged', async () => (await leaseOf()) > lease)
    composing.resolve()
    await drained
    expect((await readExecution(database, id)).steps[2]).toMatchObject({ status: 'succeeded', attempt: 1 })
  })

  test('works without a message broker', async () => {
    const dead: Bus = {
      publish: () => Promise.reject(new BusUnavailable('for the test')),
      subscribe: () => Promise.reject(new BusUnavailable('for the test')),
      onConnected: () => {},
      probe: () => Promise.reject(new BusUnavailable('for the test')),
      close: async () => {},
    }
    const runner = start({ bus: dead })
    const id = await seedExecution(database)
    expect((await untilEnded(database, id)).execution.status).toBe('completed')
    expect(runner.consumerLastSuccessAt).toBeNull()
  })

  test('notes when it last handled a message', async () => {
    const runner = start()
    expect(runner.consumerLastSuccessAt).toBeNull()
    let heard = 0
    await bus.subscribe('quire/v1/execution/e/completed', () => heard++)
    await bus.publish('quire/v1/execution/e/completed', '{}', { deadlineMs: 20_000 })
    await until('others have heard of a completion', () => heard > 0)
    expect(runner.consumerLastSuccessAt).toBeNull()
    await bus.publish('quire/v1/execution/e/queued', '{}', { deadlineMs: 20_000 })
    await until('it is noted', () => runner.consumerLastSuccessAt !== null)
  })

  test('gives back uncounted, where it is alone, what a killed run had claimed and was not at work on', async () => {
    const database = await openTestDatabase(dialect)
    const ids = [await seedExecution(database), await seedExecution(database), await seedExecution(database)]
    const options = { owner: 'killed', leaseMs: 600_000, limit: 50 }
    const claims = await database.write((tx) => claimReady(tx, options))
    const path = join(temporaryFolder(), 'at-work')
    const before = openAtWork(path, 4)
    for (const claim of claims.slice(0, 2)) before.begin(claim.stepId)
    before.end(claims[0]!.stepId)
    before.close()
    const atWork = openAtWork(path, 4)
    expect(atWork.left).toEqual([claims[1]!.stepId])
    const runner = startRunner({
      ...{ database, objects, bus, clock: systemClock, log, pool: scriptedPool() },
      ...{ owner: 'next', isSoleInstance: true, atWork },
    })
    for (const id of ids) {
      const { execution, steps } = await untilEnded(database, id)
      expect(execution.status).toBe('completed')
      expect(steps[0]!.attempt).toBe(id === claims[1]!.executionId ? 2 : 1)
    }
    await runner.drain(1_000)
    // Nothing is left of a run that ended in order.
    atWork.close()
    expect(openAtWork(path, 4).left).toEqual([])
    await database.close()
  })

  test.each([
    ['the database takes no commit', Object.assign(new Error('full'), { code: 'SQLITE_FULL' })],
    ['the object store is gone, so that nothing may be written', new ObjectStoreGone('removed')],
  ])('gives back uncounted what a killed run had only claimed, also where %s at its start', async (_what, refusal) => {
    const id = await seedExecution(database)
    await database.write((tx) => claimReady(tx, { owner: 'killed', leaseMs: 600_000, limit: 50 }))
    let refusals = 3
    const full: Database = {
      ...database,
      read: database.read,
      write: (work, lane) => (refusals-- > 0 ? Promise.reject(refusal) : database.write(work, lane)),
    }
    const atWork: AtWork = { left: [], forget() {}, begin() {}, end() {}, close() {} }
    start({ database: full, isSoleInstance: true, atWork, timing: { recordFirstMs: 1 } })
    const { execution, steps } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(steps[0]!.attempt).toBe(1)
  })

  test('takes over the steps of an earlier run even if it is drained right after its start', async () => {
    let forgotten = 0
    const atWork: AtWork = { left: [], forget: () => forgotten++, begin() {}, end() {}, close() {} }
    await start({ isSoleInstance: true, atWork }).drain(1_000)
    expect(forgotten).toBe(1)
  })

  test('takes over the steps of an earlier run at once if it is the only instance', async () => {
    const id = await seedExecution(database)
    await database.write((tx) => claimReady(tx, { owner: 'the run before', leaseMs: 600_000, limit: 50 }))
    start({ isSoleInstance: true })
    const { execution, steps } = await untilEnded(database, id)
    expect(execution.status).toBe('completed')
    expect(steps[0]!.attempt).toBe(2)
  })
})
