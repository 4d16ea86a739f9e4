import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { systemTimers, type Timers } from '../core/timers.ts'
import type { Database } from '../db/database.ts'
import { cloudEvent, cloudEventContentType, eventTopic } from './cloudevent.ts'
import { Lease } from './lease.ts'
import { type Bus, BusUnavailable } from './message-bus.ts'
import { onEventsCommitted } from './outbox.ts'
import { type Chain, loadChains, markPublished, readBacklog } from './relay.store.ts'

/**
 * The outbox relay: round by round, the oldest unpublished events go to the broker and are marked once it has
 * acknowledged them. Within an aggregate one message is in flight at a time and a failure stops the aggregate's chain,
 * so order holds; over aggregates up to `limits.relayWindowMessages` are in flight. A crash between PUBACK and mark
 * delivers again, under the same id.
 */
export interface Relay {
  /** Looks for events now rather than at the next poll. */
  wake(): void
  health(): Promise<OutboxHealth>
  /** Publishes what is there until the outbox is empty, the broker fails or the deadline passes; then stops for good. */
  drain(deadlineMs: number): Promise<void>
}

export interface OutboxHealth {
  backlogSize: number
  /** 0 when nothing waits. */
  oldestUnpublishedAgeSeconds: number
  /** Publishes of this instance that were not acknowledged, since it started. */
  publishFailures: number
}

export interface RelayDependencies {
  database: Database
  bus: Bus
  log: Log
  /** Names this instance; one relay of a database runs at a time. */
  owner: string
  /** True if no other process can use the database. */
  isSoleInstance?: boolean
  /** For tests: an earlier poll, a shorter lease. */
  pollMs?: number
  leaseMs?: number
  timers?: Timers
}

export function startRelay(dependencies: RelayDependencies): Relay {
  return new OutboxRelay(dependencies)
}

type Round = 'idle' | 'progress' | 'failed' | 'not-leader'

class OutboxRelay implements Relay {
  readonly #database: Database
  readonly #bus: Bus
  readonly #log: Log
  readonly #lease: Lease
  readonly #pollMs: number
  readonly #timers: Timers
  readonly #stopListening: () => void
  readonly #running: Promise<void>
  #publishFailures = 0
  #isStopping = false
  #drainUntilMs = 0
  #isNewsPending = false
  #interrupt: ((cause: 'news' | 'wake') => void) | undefined

  constructor(dependencies: RelayDependencies) {
    this.#database = dependencies.database
    this.#bus = dependencies.bus
    this.#log = dependencies.log.with({ component: 'relay' })
    this.#pollMs = dependencies.pollMs ?? limits.relayPollMs
    this.#timers = dependencies.timers ?? systemTimers
    this.#lease = new Lease(dependencies.database, {
      name: 'outbox-relay',
      owner: dependencies.owner,
      leaseMs: dependencies.leaseMs ?? limits.relayLeaseMs,
      isSoleInstance: dependencies.isSoleInstance ?? false,
      timers: this.#timers,
    })
    this.#stopListening = onEventsCommitted(() => this.#noteNews())
    this.#bus.onConnected(() => this.wake())
    this.#running = this.#run()
  }

  wake(): void {
    this.#isNewsPending = true
    this.#interrupt?.('wake')
  }

  async health(): Promise<OutboxHealth> {
    const backlog = await readBacklog(this.#database.read)
    return {
      backlogSize: backlog.size,
      oldestUnpublishedAgeSeconds: backlog.oldestAgeSeconds,
      publishFailures: this.#publishFailures,
    }
  }

  async drain(deadlineMs: number): Promise<void> {
    this.#drainUntilMs = this.#timers.nowMs() + deadlineMs
    this.#isStopping = true
    this.#stopListening()
    this.#interrupt?.('wake')
    await Promise.race([this.#running, this.#timers.sleep(deadlineMs)])
    await this.#lease.release().catch((error) => this.#log.warn('the relay kept its lease', { error }))
  }

  #noteNews(): void {
    if (this.#isNewsPending) return
    this.#isNewsPending = true
    this.#interrupt?.('news')
  }

  async #run(): Promise<void> {
    let failures = 0
    for (;;) {
      this.#isNewsPending = false
      const round = await this.#round().catch((error: unknown): Round => {
        this.#log.warn('the relay could not use the database', { error })
        return 'failed'
      })
      if (this.#isStopping && (round !== 'progress' || this.#timers.nowMs() > this.#drainUntilMs)) return
      if (round !== 'failed') failures = 0
      if (round === 'failed') {
        const backoffMs = Math.min(limits.relayBackoffMaxMs, limits.relayBackoffMs * 2 ** Math.min(failures++, 10))
        await this.#pause(backoffMs * (0.5 + this.#timers.jitter() / 2), { heedsNews: false })
      } else if (round === 'not-leader') {
        await this.#pause(this.#pollMs, { heedsNews: false })
      } else if (round === 'idle') {
        await this.#pause(this.#pollMs, { heedsNews: true })
        if (!this.#isStopping && this.#isNewsPending) await this.#timers.sleep(limits.relayGatherMs)
      }
    }
  }

  /**
   * Waits until the time is over, somebody wakes the relay, or it stops. Commits end the wait only if they may: during
   * a back-off they would turn it into a busy loop.
   */
  async #pause(milliseconds: number, options: { heedsNews: boolean }): Promise<void> {
    if (this.#isStopping || (options.heedsNews && this.#isNewsPending)) return
    await new Promise<void>((resolve) => {
      const stop = this.#timers.after(milliseconds, resolve)
      this.#interrupt = (cause) => {
        if (cause === 'news' && !options.heedsNews) return
        stop()
        resolve()
      }
    })
    this.#interrupt = undefined
  }

  async #round(): Promise<Round> {
    const load = () => loadChains(this.#database.read, 'broker', limits.relayBatchEvents)
    const wasLeader = this.#lease.isHeld
    let chains = await load()
    if (chains.length === 0) return 'idle'
    if (!(await this.#lease.hold())) return 'not-leader'
    // The previous leader may have sent and marked some of these events, and later ones, since they were read.
    if (!wasLeader) chains = await load()
    const acknowledged: string[] = []
    let fault: BusUnavailable | undefined
    const waiting = chains.values()
    const publishChains = async () => {
      for (const chain of waiting) {
        fault = (await this.#publishChain(chain, acknowledged, () => fault !== undefined)) ?? fault
        if (fault !== undefined) return
      }
    }
    await Promise.all(Array.from({ length: Math.min(limits.relayWindowMessages, chains.length) }, publishChains))
    if (acknowledged.length > 0) await markPublished(this.#database, acknowledged)
    if (fault === undefined) return this.#lease.isHeld || acknowledged.length > 0 ? 'progress' : 'not-leader'
    this.#log.warn('the message broker did not take an event; the outbox keeps it', { error: fault })
    return 'failed'
  }

  /** One after the other, each only after the PUBACK of the one before. */
  async #publishChain(
    chain: Chain,
    acknowledged: string[],
    isStopped: () => boolean,
  ): Promise<BusUnavailable | undefined> {
    for (const event of chain) {
      // A relay that lost its lease, in a stopped process for example, must not publish beside its successor.
      if (isStopped() || !this.#lease.isHeld) return undefined
      try {
        await this.#bus.publish(eventTopic(event), cloudEvent(event), {
          deadlineMs: limits.busPublishMs,
          contentType: cloudEventContentType,
        })
        acknowledged.push(event.id)
      } catch (error) {
        if (!(error instanceof BusUnavailable)) throw error
        this.#publishFailures++
        return error
      }
    }
    return undefined
  }
}
