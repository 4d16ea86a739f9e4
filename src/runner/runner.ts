import { onEventsCommitted } from '../bus/outbox.ts'
import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Log, LogFields } from '../core/log.ts'
import { type Stop, systemTimers, type Timers } from '../core/timers.ts'
import { parseTraceparent } from '../core/traceparent.ts'
import {
  claimExpired,
  claimReady,
  countQueued,
  expireLeases,
  hasExpiredStep,
  hasReadyStep,
  heartbeat,
  release,
} from './claim.store.ts'
import { DocumentTimes } from './costs.ts'
import type { Held, RunnerDependencies, RunnerTiming } from './dependencies.ts'
import { hasDisplacedStep, placeDueTimes } from './due-times.store.ts'
import { loadSource } from './executions.store.ts'
import { unavailable } from './faults.ts'
import { Gate, type Pause } from './gate.ts'
import type { Source } from './job.ts'
import { LruCache } from './lru.ts'
import type { Claim } from './steps.store.ts'
import { runClaim } from './work.ts'

/**
 * The runner claims steps while it has room, keeps their leases, and lets work.ts run them. Only the database decides what is to
 * be done; a commit in this process, a message on the bus and a clock tick merely say when to look.
 */
export interface Runner {
  /** Looks for work now instead of at the next poll. */
  wake(): void
  /** The last message that the runner's own subscription handled; null before the first. */
  readonly consumerLastSuccessAt: Instant | null
  /** Claimed steps that have no outcome yet. */
  readonly inHand: number
  /** Why nothing is claimed at the moment; undefined while the runner works. */
  readonly pause: Pause | undefined
  /** How many steps wait until a dependency is usable again. */
  countPaused(): Promise<number>
  /** Claims nothing more, waits for the claimed steps until the deadline, and gives the rest back. Call it once. */
  drain(deadlineMs: number): Promise<void>
}

const wakingTopic = 'quire/v1/execution/+/queued'

export function startRunner(dependencies: RunnerDependencies): Runner {
  return new StepRunner(dependencies)
}

class StepRunner implements Runner {
  readonly #dependencies: RunnerDependencies
  readonly #timing: RunnerTiming
  readonly #timers: Timers
  readonly #log: Log
  readonly #held = new Set<Held>()
  readonly #sources = new LruCache<Source>(limits.sourceCacheBytes)
  readonly #documentTimes = new DocumentTimes()
  readonly #gate: Gate
  readonly #workersCapacity: number
  readonly #stopPolling: Stop
  readonly #stopHeartbeat: Stop
  readonly #stopListening: () => void
  #claiming: Promise<void> | undefined
  readonly #starting: Promise<void>
  #isStarted = false
  #isWoken = false
  /** The last claim used all its room, so more may be ready. */
  #isMoreReady = false
  #isTickPending = true
  #noTakeoverUntilMs = 0
  #isDraining = false
  #drained: Promise<void> | undefined
  #whenIdle: (() => void) | undefined
  #consumerLastSuccessAt: Instant | null = null

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies
    this.#log = dependencies.log.with({ component: 'runner' })
    this.#timers = dependencies.timers ?? systemTimers
    this.#timing = {
      leaseMs: limits.stepLeaseMs,
      heartbeatMs: limits.stepHeartbeatMs,
      pollMs: limits.stepPollMs,
      backoffFirstMs: limits.stepBackoffMs,
      backoffMaxMs: limits.stepBackoffMaxMs,
      recordFirstMs: limits.stepRecordRetryMs,
      recordMaxMs: limits.stepRecordRetryMaxMs,
      probeFirstMs: limits.gateProbeMs,
      probeMaxMs: limits.gateProbeMaxMs,
      ...dependencies.timing,
    }
    this.#gate = new Gate({
      probe: () => dependencies.objects.probe(),
      now: () => dependencies.clock.now(),
      log: this.#log,
      timers: this.#timers,
      onOpen: () => this.wake(),
      firstMs: this.#timing.probeFirstMs,
      maxMs: this.#timing.probeMaxMs,
    })
    this.#workersCapacity = dependencies.pool.size * limits.stepsInHandPerWorker
    this.#stopPolling = this.#timers.every(this.#timing.pollMs, () => {
      this.#isTickPending = true
      this.wake()
    })
    this.#stopHeartbeat = this.#timers.every(this.#timing.heartbeatMs, () => {
      void this.#heartbeat()
      void this.#placeDueTimes()
    })
    this.#stopListening = onEventsCommitted((events) => {
      if (events.some((event) => event.aggregate === 'execution' && event.type === 'queued')) this.wake()
    })
    this.#subscribe()
    this.#starting = this.#start()
  }

  async #start(): Promise<void> {
    const { isSoleInstance, atWork } = this.#dependencies
    if (isSoleInstance !== true || (await this.#endEarlierLeases())) atWork?.forget()
    await this.#placeDueTimes()
    this.#isStarted = true
    this.wake()
  }

  /**
   * Ends the leases of the previous run, whose process is dead. While nothing can be written, because the database or the object
   * store is away, it tries again for as long as it takes: nothing could be claimed meanwhile anyway. Steps that were only
   * waiting are given back uncounted.
   * @returns whether they were ended
   */
  async #endEarlierLeases(): Promise<boolean> {
    const { database, atWork } = this.#dependencies
    const { recordFirstMs, recordMaxMs } = this.#timing
    for (let tries = 1; ; tries++) {
      try {
        await database.write((tx) => expireLeases(tx, atWork?.left))
        return true
      } catch (error) {
        if (tries === 1) this.#log.warn('the runner could not end the leases of the run before it yet', { error })
        if (unavailable(error) === undefined || this.#isDraining) return false
        await this.#timers.sleep(Math.min(recordMaxMs, recordFirstMs * 2 ** (tries - 1)))
      }
    }
  }

  /** Corrects due times: if the database's clock was set back, waiting steps would wait for that much longer. */
  async #placeDueTimes(): Promise<void> {
    const { database } = this.#dependencies
    const waits = {
      backoffMs: Math.max(limits.stepBackoffMaxMs, this.#timing.backoffMaxMs),
      leaseMs: Math.max(limits.stepLeaseMs, this.#timing.leaseMs),
    }
    try {
      if (!(await hasDisplacedStep(database.read, waits))) return
      await database.write((tx) => placeDueTimes(tx, waits))
      this.#log.warn('steps waited for a time before which the clock was set back; they go on')
      this.wake()
    } catch (error) {
      this.#noteOutage(error)
      this.#log.warn('the runner could not look for steps that wait for too long', { error })
    }
  }

  get consumerLastSuccessAt(): Instant | null {
    return this.#consumerLastSuccessAt
  }

  get inHand(): number {
    return this.#held.size
  }

  get pause(): Pause | undefined {
    return this.#gate.pause
  }

  async countPaused(): Promise<number> {
    if (this.#gate.pause === undefined) return this.#gate.setBack
    return this.#held.size + (await countQueued(this.#dependencies.database.read))
  }

  #subscribe(): void {
    const { bus, clock } = this.#dependencies
    bus
      .subscribe(wakingTopic, () => {
        this.wake()
        this.#consumerLastSuccessAt = clock.now()
      })
      .catch((error: unknown) =>
        this.#log.warn('the runner works without messages until the broker is back', { error }),
      )
  }

  wake(): void {
    this.#isWoken = true
    if (this.#claiming !== undefined || this.#isDraining || !this.#isStarted) return
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = undefined
    })
  }

  /** Room for new claims. Jobs that wait only because they are long don't reduce it. */
  get #capacity(): number {
    return this.#workersCapacity + Math.min(this.#dependencies.pool.longWaiting, limits.stepsLongInHand)
  }

  get #mayClaim(): boolean {
    return !this.#isDraining && this.#gate.pause === undefined
  }

  async #claim(): Promise<void> {
    try {
      while (this.#isWoken && this.#mayClaim && this.#held.size < this.#capacity) {
        this.#isWoken = false
        await this.#claimOnce()
      }
    } catch (error) {
      this.#noteOutage(error)
      this.#log.warn('the runner could not claim steps', { error })
    }
  }

  /**
   * During an outage nobody can prolong a lease, so one that runs out then says nothing about its owner. After it, owners get the
   * time of one lease to prolong theirs. Otherwise a few outages would use up all attempts.
   */
  #noteOutage(error: unknown): void {
    if (unavailable(error) !== undefined) this.#noTakeoverUntilMs = this.#timers.nowMs() + this.#timing.leaseMs
  }

  async #claimOnce(): Promise<void> {
    const { database, owner } = this.#dependencies
    // Steps that end in the same turn make room as well.
    await this.#timers.turn()
    const ready = this.#isMoreReady || (await hasReadyStep(database.read))
    this.#isMoreReady = false
    // A lease runs out by the clock, so only clock ticks look for expired ones.
    const mayTakeOver = this.#isTickPending && this.#timers.nowMs() >= this.#noTakeoverUntilMs
    const expired = mayTakeOver && (await hasExpiredStep(database.read))
    this.#isTickPending = false
    if (!ready && !expired) return
    const limit = this.#capacity - this.#held.size
    if (limit <= 0) return
    const inHand = [...this.#held].filter((held) => !held.isLost).map((held) => held.claim.stepId)
    const claims = await database.write(async (tx) => {
      const options = { owner, leaseMs: this.#timing.leaseMs, limit }
      const taken = expired ? await claimExpired(tx, { ...options, except: inHand }) : []
      if (taken.length >= limit || !ready) return taken
      return [...taken, ...(await claimReady(tx, { ...options, limit: limit - taken.length }))]
    }, 'claims')
    this.#isMoreReady = claims.length >= limit
    for (const claim of claims) void this.#work(claim)
  }

  async #work(claim: Claim): Promise<void> {
    const held: Held = { claim, isLost: false, isRecording: false }
    this.#held.add(held)
    try {
      await runClaim(held, {
        ...this.#dependencies,
        log: this.#log.with(namesOf(claim)),
        timing: this.#timing,
        timers: this.#timers,
        source: (versionId) => this.#source(versionId),
        mayGoOn: () => this.#mayClaim,
        gate: this.#gate,
        documentTimes: this.#documentTimes,
      })
    } catch (error) {
      // Nothing is lost: the lease runs out, and the step is claimed again.
      this.#log.error('a step was left to its lease', { ...namesOf(claim), error, step: claim.name })
    } finally {
      this.#held.delete(held)
      if (this.#held.size === 0) this.#whenIdle?.()
      this.wake()
    }
  }

  async #source(versionId: string): Promise<Source> {
    const known = this.#sources.get(versionId)
    if (known !== undefined) return known
    const source = await loadSource(this.#dependencies.database.read, versionId)
    this.#sources.set(versionId, source, source.content.length)
    return source
  }

  async #heartbeat(): Promise<void> {
    const inHand = [...this.#held].filter((held) => !held.isLost)
    if (inHand.length === 0) return
    try {
      const claims = inHand.map((held) => ({ held, claim: held.claim }))
      const kept = await heartbeat(
        this.#dependencies.database,
        claims.map(({ claim }) => claim),
        this.#timing.leaseMs,
      )
      // A step that was recorded during the heartbeat isn't lost: its work continues with the next step.
      for (const { held, claim } of claims) {
        if (!kept.has(claim.stepId) && held.claim === claim && !held.isRecording) held.isLost = true
      }
    } catch (error) {
      this.#noteOutage(error)
      this.#log.warn('the runner could not prolong its leases', { error })
    }
  }

  drain(deadlineMs: number): Promise<void> {
    this.#drained ??= this.#drain(deadlineMs)
    return this.#drained
  }

  async #drain(deadlineMs: number): Promise<void> {
    this.#isDraining = true
    this.#gate.stop()
    this.#stopListening()
    this.#stopPolling()
    await this.#starting
    await this.#claiming
    if (this.#held.size > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
      await Promise.race([idle, this.#timers.sleep(deadlineMs)])
    }
    this.#stopHeartbeat()
    const left = [...this.#held].filter((held) => !held.isLost)
    if (left.length === 0) return
    for (const held of left) held.isLost = true
    await this.#dependencies.database
      .write(async (tx) => {
        for (const held of left) await release(tx, held.claim)
      })
      .catch((error) => this.#log.warn('the runner left steps to their leases', { error }))
  }
}

/** Log fields that identify a claim's work. */
function namesOf({ correlationId, traceparent, executionId }: Claim): LogFields {
  const trace = parseTraceparent(traceparent)
  return {
    correlation_id: correlationId,
    ...(trace === undefined ? {} : { trace_id: trace.traceId }),
    execution_id: executionId,
  }
}
