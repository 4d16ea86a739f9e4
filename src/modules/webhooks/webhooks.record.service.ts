import { appendEvent } from '../../bus/outbox.ts'
import { type Actor, systemAuthor } from '../../core/actor.ts'
import { addMs, type Instant } from '../../core/instant.ts'
import type { WebhookStatus } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { Outcome } from './webhooks.request.ts'
import {
  countFailure,
  countSuccess,
  type DeliveryRow,
  findWebhook,
  postponeChain,
  releaseChain,
  stopWebhook,
  updateDelivery,
  updateWebhook,
  type WebhookRow,
} from './webhooks.store.ts'

/**
 * Records the outcome of a request for its delivery and receiver. The states of a delivery:
 *
 *   pending ── 2xx ──────────────────────────▶ delivered
 *      │ ╰─ refused after the last wait ─────▶ failed
 *      ╰─── sent again by a person: from either back to pending
 *
 * An answer that refuses counts against the delivery, which waits longer each time, and so do the deliveries behind it. No
 * answer, or one that says that the receiver is away or overloaded, counts against the receiver, and the delivery keeps its
 * tries. The exception: if the receiver accepted others since this delivery's last try, the delivery itself is at fault. An
 * outcome from an address that the receiver had when the request began, and no longer has, counts against neither.
 */
export type Told = { status: Exclude<WebhookStatus, 'active' | 'paused'>; why: string } | undefined

/** 429 and 503, and what proxies answer for a receiver that is away. */
const AWAY = new Set([429, 502, 503, 504])

/** The time of the outcome, and a random number from 0 up to 1 that varies waits. */
export interface Moment {
  now: Instant
  jitter(): number
}

/**
 * @param receiver as it was when the request began
 * @returns that the receiver was stopped, for the log; else undefined
 */
export function recordOutcome(
  database: Database,
  { id: webhookId, url: sentTo }: Pick<WebhookRow, 'id' | 'url'>,
  delivery: DeliveryRow,
  outcome: Outcome,
  { now, jitter }: Moment,
): Promise<Told> {
  return database.write(async (tx) => {
    const receiver = await findWebhook(tx, webhookId)
    if (receiver === undefined) return undefined
    const tried = {
      lastAt: now,
      lastMs: outcome.ms,
      lastStatus: outcome.kind === 'answered' ? outcome.status : null,
      lastAnswer: outcome.kind === 'answered' ? outcome.answer : outcome.why,
    }
    if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299) {
      await updateDelivery(tx, delivery.id, { ...tried, status: 'delivered', endedAt: now })
      if (delivery.attempts > 0) await releaseChain(tx, delivery, now)
      await countSuccess(tx, receiver.id, now)
      return undefined
    }
    // Stays due, and goes to the new address.
    if (receiver.url !== sentTo) return undefined
    const isGone = outcome.kind === 'answered' && outcome.status === 410
    const isAway = isGone || outcome.kind === 'unanswered' || AWAY.has(outcome.status)
    const isOwnFault = !isAway || tookOthersSince(receiver, delivery, now)
    if (isOwnFault && !isGone) await recordRefusal(tx, delivery, tried, { now, jitter })
    else {
      await updateDelivery(tx, delivery.id, tried)
      await postponeChain(tx, delivery, addMs(now, jittered(limits.webhookAwayMs, jitter)))
    }
    return noteFailure(tx, receiver, { outcome, isGone, now, jitter })
  })
}

function tookOthersSince({ lastSuccessAt }: WebhookRow, { lastAt }: DeliveryRow, now: Instant): boolean {
  if (lastAt === null || lastSuccessAt === null) return false
  // A success in the future is from before the clock was set back.
  return lastSuccessAt > lastAt && lastSuccessAt <= now
}

async function recordRefusal(
  tx: Transaction,
  delivery: DeliveryRow,
  tried: Partial<DeliveryRow>,
  { now, jitter }: Moment,
): Promise<void> {
  const attempts = delivery.attempts + 1
  const waitSeconds = limits.webhookRetrySeconds[delivery.attempts]
  if (waitSeconds === undefined) {
    await updateDelivery(tx, delivery.id, { ...tried, attempts, status: 'failed', endedAt: now })
    return releaseChain(tx, delivery, now)
  }
  const dueAt = addMs(now, jittered(waitSeconds * 1_000, jitter))
  await updateDelivery(tx, delivery.id, { ...tried, attempts, dueAt })
  await postponeChain(tx, delivery, dueAt)
}

interface Failure extends Moment {
  outcome: Outcome
  isGone: boolean
}

async function noteFailure(
  tx: Transaction,
  receiver: WebhookRow,
  { outcome, isGone, now, jitter }: Failure,
): Promise<Told> {
  const { failures, failingSince } = await countFailure(tx, receiver.id, now)
  const asked = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined
  const waitMs = Math.max(awayMs(failures, jitter), Math.min(asked ?? 0, limits.webhookRetryAfterMs))
  if (waitMs > 0) await updateWebhook(tx, receiver.id, { retryAt: addMs(now, waitMs) })
  if (isGone) return stop(tx, receiver, { status: 'gone', why: 'it answered 410' }, now)
  if (failingSince > addMs(now, -limits.webhookDisableMs)) return undefined
  const why = `it has failed since ${failingSince.slice(0, 10)}`
  return stop(tx, receiver, { status: 'disabled', why }, now)
}

/** How long to wait for a receiver that is away; 0 before it counts as away. */
function awayMs(failures: number, jitter: Moment['jitter']): number {
  const doublings = failures - limits.webhookAwayFailures
  if (doublings < 0) return 0
  return jittered(Math.min(limits.webhookAwayMaxMs, limits.webhookAwayMs * 2 ** Math.min(doublings, 20)), jitter)
}

/** 90 to 100 % of a wait, so that deliveries that failed together are not retried together. */
function jittered(milliseconds: number, jitter: Moment['jitter']): number {
  return Math.round(milliseconds * (0.9 + jitter() / 10))
}

/** Stops a receiver, with an audit record and an event, which other receivers may get. */
async function stop(tx: Transaction, { id, name }: WebhookRow, told: NonNullable<Told>, now: Instant): Promise<Told> {
  if (!(await stopWebhook(tx, id, told.status, now))) return undefined
  const actor: Actor = { ...systemAuthor(), at: now }
  const data = { name, status: told.status }
  await recordAudit(tx, actor, {
    ...{ action: 'webhook.stopped', resourceKind: 'webhook', resourceId: id },
    detail: { ...data, why: told.why },
  })
  await appendEvent(tx, now, {
    ...{ aggregate: 'webhook', aggregateId: id, type: 'stopped', data },
    correlationId: actor.correlationId,
  })
  return told
}
