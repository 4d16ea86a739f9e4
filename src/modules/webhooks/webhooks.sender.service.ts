import { cloudEvent, cloudEventContentType } from '../../bus/cloudevent.ts'
import { Lease } from '../../bus/lease.ts'
import { onEventsCommitted } from '../../bus/outbox.ts'
import type { Clock } from '../../core/clock.ts'
import { addMs, epochMsOf } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import { PRODUCT_VERSION } from '../../core/version.ts'
import type { Database } from '../../db/database.ts'
import { deriveKeys, type Keys } from '../../http/tokens.ts'
import { fanOut } from './webhooks.fan-out.service.ts'
import { recordOutcome } from './webhooks.record.service.ts'
import type { Outcome, Send } from './webhooks.request.ts'
import { openSecret, sealSecret, signaturesOf } from './webhooks.secrets.ts'
import {
  type DueDelivery,
  deleteDelivery,
  hasMarkedEvents,
  listDue,
  listWebhooks,
  mendDueTimes,
  pruneDeliveries,
  readWebhookBacklog,
  resealWebhook,
  type WebhookRow,
} from './webhooks.store.ts'

/**
 * Sends events to the receivers of webhooks, at least once and in order per aggregate and receiver. Marked events first become
 * deliveries. Each receiver has its own window of requests, so that none waits for another. A delivery is recorded after its
 * answer: a crash in between sends it again, under the same id. One sender per database works at a time, by lease, and begins no
 * request that could outlast its lease.
 */
export interface WebhookSender {
  /** Looks now instead of at the next poll. */
  wake(): void
  health(): Promise<WebhookHealth>
  /** Begins nothing more, waits for running requests, and passes the role to the next instance. */
  drain(deadlineMs: number): Promise<void>
}

export interface WebhookHealth {
  /** Deliveries that wait for active receivers. */
  pending: number
  /** 0 if nothing waits. */
  oldestAgeSeconds: number
  /** This instance's accepted and failed requests since it started. */
  taken: number
  failed: number
}

export interface SenderDependencies {
  database: Database
  clock: Clock
  log: Log
  /** Names this instance. */
  owner: string
  secrets: Keys
  send: Send
  /** True if no other process can use the database. */
  isSoleInstance?: boolean
  timers?: Timers
  /** For tests: poll sooner, a shorter lease. */
  pollMs?: number
  leaseMs?: number
}

export function startWebhookSender(dependencies: SenderDependencies): WebhookSender {
  return new Sender(dependencies)
}

/** A running request. */
interface Begun {
  /** The aggregate of its event. */
  about: string
  work: Promise<void>
}

class Sender implements WebhookSender {
  readonly #given: SenderDependencies
  readonly #log: Log
  readonly #timers: Timers
  readonly #lease: Lease
  readonly #keys: Promise<Keys>
  readonly #stopListening: () => void
  /** Running requests by receiver, then by delivery id. */
  readonly #underWay = new Map<string, Map<string, Begun>>()
  readonly #running: Promise<void>
  /** Whether no secret needs the previous key any more. */
  #isSealed = false
  #taken = 0
  #failed = 0
  #isStopping = false
  #isNewsPending = false
  /** Events were committed: wait a moment, so that the following ones become deliveries together with them. */
  #gathers = false
  #interrupt: (() => void) | undefined

  constructor(given: SenderDependencies) {
    const { database, owner, secrets, isSoleInstance = false, timers = systemTimers } = given
    const { leaseMs = limits.webhookLeaseMs } = given
    this.#given = given
    this.#timers = timers
    this.#log = given.log.with({ component: 'webhooks' })
    this.#lease = new Lease(database, { name: 'webhook-sender', owner, leaseMs, isSoleInstance, timers })
    this.#keys = deriveKeys(secrets, 'webhook')
    this.#stopListening = onEventsCommitted(() => {
      this.#gathers = true
      this.wake()
    })
    this.#running = this.#run()
  }

  wake(): void {
    this.#isNewsPending = true
    this.#interrupt?.()
  }

  async health(): Promise<WebhookHealth> {
    const { pending, oldest } = await readWebhookBacklog(this.#given.database.read)
    const ageMs = oldest === null ? 0 : epochMsOf(this.#given.clock.now()) - epochMsOf(oldest)
    const oldestAgeSeconds = Math.max(0, Math.floor(ageMs / 1_000))
    return { pending, oldestAgeSeconds, taken: this.#taken, failed: this.#failed }
  }

  async drain(deadlineMs: number): Promise<void> {
    this.#isStopping = true
    this.#stopListening()
    this.#interrupt?.()
    const ended = async () => {
      await this.#running
      await Promise.all(
        [...this.#underWay.values()].flatMap((requests) => [...requests.values()].map(({ work }) => work)),
      )
    }
    await Promise.race([ended(), this.#timers.sleep(deadlineMs)])
    await this.#lease.release().catch((error) => this.#log.warn('the sender of webhooks kept its lease', { error }))
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isNewsPending = false
      const isMore = await this.#round().catch((error: unknown) => {
        this.#log.warn('webhooks could not use the database; the next round tries again', { cause: error })
        return false
      })
      if (isMore || this.#isStopping) continue
      await this.#pause()
      if (this.#gathers && !this.#isStopping) await this.#timers.sleep(limits.relayGatherMs)
      this.#gathers = false
    }
  }

  async #pause(): Promise<void> {
    if (this.#isNewsPending) return
    await new Promise<void>((resolve) => {
      const stopWaiting = this.#timers.after(this.#given.pollMs ?? limits.webhookPollMs, resolve)
      this.#interrupt = () => {
        stopWaiting()
        resolve()
      }
    })
    this.#interrupt = undefined
  }

  /** @returns whether there may be more to do at once */
  async #round(): Promise<boolean> {
    const { database } = this.#given
    const receivers = await listWebhooks(database.read)
    if (!this.#isSealed) await this.#sealAnew(receivers)
    this.#isSealed = true
    const isLeader = this.#lease.isHeld
    const due = await this.#loadDue(receivers)
    const isWorking = [...this.#underWay.values()].some(({ size }) => size > 0)
    // Don't ask for the lease without work: an idle service writes nothing.
    if (due.length === 0 && !isWorking && !(await hasMarkedEvents(database.read))) return false
    if (!(await this.#lease.hold())) return false
    // Another leader may just have sent what was read before.
    if (!isLeader) return true
    // First of all, so that a receiver that is removed meanwhile gets nothing more.
    for (const { receiver, found } of due) this.#begin(receiver, found)
    return (await fanOut(database, this.#given.clock.now())) > 0
  }

  async #loadDue(receivers: readonly WebhookRow[]): Promise<{ receiver: WebhookRow; found: DueDelivery }[]> {
    const { database, clock } = this.#given
    const now = clock.now()
    const due: { receiver: WebhookRow; found: DueDelivery }[] = []
    for (const receiver of receivers) {
      if (receiver.status !== 'active' || (receiver.retryAt !== null && receiver.retryAt > now)) continue
      const window = receiver.failures >= limits.webhookAwayFailures ? 1 : limits.webhookWindow
      const underWay = [...(this.#underWay.get(receiver.id)?.keys() ?? [])]
      const limit = window - underWay.length
      if (limit <= 0) continue
      const rows = await listDue(database.read, receiver.id, { now, except: underWay, limit })
      due.push(...rows.map((found) => ({ receiver, found })))
    }
    return due
  }

  #begin(receiver: WebhookRow, found: DueDelivery): void {
    // A request that outlasts the lease would run beside a successor's.
    if (this.#isStopping || !this.#lease.isHeldFor(limits.webhookRequestMs)) return
    const requests = this.#underWay.get(receiver.id) ?? new Map<string, Begun>()
    this.#underWay.set(receiver.id, requests)
    const { id, aggregate, aggregateId } = found.delivery
    const about = `${aggregate} ${aggregateId}`
    // This happens if another instance has recorded the previous delivery: the lease doesn't prevent that when the database's
    // clock jumps ahead.
    if ([...requests.values()].some((request) => request.about === about)) return
    const work = this.#deliver(receiver, found)
      .catch((error: unknown) => {
        this.#log.warn('a delivery could not be recorded; it is sent again', { delivery_id: id, cause: error })
        // Not at once: give the database time to recover.
        return this.#timers.sleep(limits.webhookPollMs)
      })
      .finally(() => {
        requests.delete(id)
        this.wake()
      })
    requests.set(id, { about, work })
  }

  async #deliver(receiver: WebhookRow, { delivery, event }: DueDelivery): Promise<void> {
    const { database, clock } = this.#given
    if (event === null) return database.write((tx) => deleteDelivery(tx, delivery.id))
    const outcome = await this.#post(receiver, event.id, cloudEvent(event))
    const isTaken = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299
    if (isTaken) this.#taken++
    else this.#failed++
    const stopped = await recordOutcome(database, receiver, delivery, outcome, {
      now: clock.now(),
      jitter: this.#timers.jitter,
    })
    if (stopped !== undefined) {
      const fields = { webhook_id: receiver.id, name: receiver.name, why: stopped.why }
      this.#log.error('a webhook gets nothing more until somebody resumes it', fields)
    }
  }

  async #post(receiver: WebhookRow, id: string, body: string): Promise<Outcome> {
    const secrets = await this.#secretsOf(receiver)
    if (secrets.length === 0) {
      return { kind: 'unanswered', why: 'its secret is of another QUIRE_SECRET: make a new one', ms: 0 }
    }
    const timestamp = Math.floor(epochMsOf(this.#given.clock.now()) / 1_000)
    const headers = {
      'content-type': cloudEventContentType,
      'user-agent': `Quire/${PRODUCT_VERSION}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signaturesOf(secrets, { id, timestamp, body }),
    }
    return this.#given.send({ url: receiver.url, headers, body })
  }

  /** The current secret, and the previous one while it still signs. */
  async #secretsOf({ id, secret, previousSecret, previousUntil }: WebhookRow): Promise<string[]> {
    const keys = await this.#keys
    const isOver = previousUntil === null || previousUntil <= this.#given.clock.now()
    const sealed = previousSecret === null || isOver ? [secret] : [secret, previousSecret]
    const opened = await Promise.all(sealed.map((one) => openSecret(keys, id, one)))
    // Without the current secret, the receiver couldn't verify the message.
    return opened[0] === undefined ? [] : opened.flatMap((one) => (one === undefined ? [] : [one.secret]))
  }

  /** Encrypts secrets again that still use the previous key, so that the key can be removed. */
  async #sealAnew(receivers: readonly WebhookRow[]): Promise<void> {
    const keys = await this.#keys
    const again = async (id: string, sealed: string | null) => {
      const opened = sealed === null ? undefined : await openSecret(keys, id, sealed)
      return opened === undefined || opened.isCurrent ? sealed : sealSecret(keys, id, opened.secret)
    }
    for (const { id, secret, previousSecret } of receivers) {
      const [current, previous] = [await again(id, secret), await again(id, previousSecret)]
      if (current === null || (current === secret && previous === previousSecret)) continue
      const change = { secret: current, previousSecret: previous }
      await this.#given.database.write((tx) => resealWebhook(tx, id, secret, change))
    }
  }
}

/** Removes old deliveries; call it now and then. */
export async function sweepDeliveries(database: Database, clock: Clock): Promise<void> {
  const now = clock.now()
  const [lastWait = 0] = limits.webhookRetrySeconds.slice(-1)
  const farthest = addMs(now, Math.max(lastWait * 1_000, limits.webhookRetryAfterMs) + limits.leaseMarginMs)
  await database.write((tx) => mendDueTimes(tx, now, farthest))
  for (let removed: number = limits.webhookPruneRows; removed === limits.webhookPruneRows; ) {
    removed = await database.write((tx) => pruneDeliveries(tx, addMs(now, -limits.webhookKeptMs)))
  }
}
