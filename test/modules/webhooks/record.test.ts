/** What an answer, or none, makes of a delivery, of those behind it and of the receiver. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { addMs } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import { recordOutcome } from '../../../src/modules/webhooks/webhooks.record.service.ts'
import type { Outcome } from '../../../src/modules/webhooks/webhooks.request.ts'
import {
  type DeliveryRow,
  findDelivery,
  findWebhook,
  type WebhookRow,
} from '../../../src/modules/webhooks/webhooks.store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addDelivery, addReceiver, now } from './rows.ts'

let database: Database
beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async (tx) => {
    const { webhooks, webhookDeliveries, events, auditRecords } = tx.t
    for (const table of [webhooks, webhookDeliveries, events, auditRecords]) await tx.q.delete(table)
  })
})
afterAll(() => database?.close())

const answered = (status: number, more: Partial<Outcome> = {}): Outcome =>
  ({ kind: 'answered', status, answer: 'said', ms: 7, ...more }) as Outcome
const unanswered: Outcome = { kind: 'unanswered', why: 'it is away', ms: 9 }
/** Nine tenths of a wait and half of the last tenth. */
const halfway = 0.95

interface Given {
  receiver?: Partial<WebhookRow>
  delivery?: Partial<DeliveryRow>
}
/** A delivery with one behind it, and what becomes of both and of the receiver. */
async function recorded(outcome: Outcome, given: Given = {}) {
  const receiver = await addReceiver(database, given.receiver)
  const delivery = await addDelivery(database, receiver.id, given.delivery)
  const { aggregateId } = delivery
  const behind = await addDelivery(database, receiver.id, { aggregateId, sequence: 2, dueAt: addMs(now, 1) })
  const told = await recordOutcome(database, receiver, delivery, outcome, { now, jitter: () => 0.5 })
  return {
    told,
    delivery: (await findDelivery(database.read, receiver.id, delivery.id))!,
    behind: (await findDelivery(database.read, receiver.id, behind.id))!,
    receiver: (await findWebhook(database.read, receiver.id))!,
  }
}

describe('an answer that takes it', () => {
  test.each([200, 204, 299])('delivers it, notes the answer and ends the failures: %d', async (status) => {
    const failing = { failures: 4, failingSince: addMs(now, -9), retryAt: addMs(now, 9) }
    const { told, delivery, behind, receiver } = await recorded(answered(status), { receiver: failing })
    expect(told).toBeUndefined()
    expect(delivery).toMatchObject({
      ...{ status: 'delivered', endedAt: now, lastAt: now, lastMs: 7, lastStatus: status, lastAnswer: 'said' },
      attempts: 0,
    })
    expect(receiver).toMatchObject({ failures: 0, failingSince: null, retryAt: null, lastSuccessAt: now })
    // It was never refused, so what is behind it waits for its own moment.
    expect(behind.dueAt).toBe(addMs(now, 1))
  })

  test('lets what waited behind it go where it was refused before', async () => {
    const { behind } = await recorded(answered(200), { delivery: { attempts: 1 } })
    expect(behind.dueAt).toBe(now)
  })
})

describe('an answer that refuses it', () => {
  test.each([199, 300, 400, 404, 500])('makes it wait longer each time, with what is behind it: %d', async (status) => {
    for (const [attempts, seconds] of limits.webhookRetrySeconds.entries()) {
      const { told, delivery, behind } = await recorded(answered(status), { delivery: { attempts } })
      const dueAt = addMs(now, seconds * 1_000 * halfway)
      expect([told, delivery.status, delivery.attempts]).toEqual([undefined, 'pending', attempts + 1])
      expect([delivery.dueAt, behind.dueAt, delivery.lastStatus]).toEqual([dueAt, dueAt, status])
    }
  })

  test('ends it after the last wait, and lets go of what is behind it', async () => {
    const attempts = limits.webhookRetrySeconds.length
    const { delivery, behind } = await recorded(answered(500), { delivery: { attempts } })
    expect(delivery).toMatchObject({ status: 'failed', attempts: attempts + 1, endedAt: now, lastStatus: 500 })
    expect(behind.dueAt).toBe(now)
  })

  test('is a failure of the receiver, too, which is asked again at once until it counts as away', async () => {
    const few = await recorded(answered(500), { receiver: { failures: limits.webhookAwayFailures - 2 } })
    expect(few.receiver).toMatchObject({ failures: limits.webhookAwayFailures - 1, failingSince: now, retryAt: null })
    const more = await recorded(answered(500), { receiver: { failures: limits.webhookAwayFailures - 1 } })
    expect(more.receiver.retryAt).toBe(addMs(now, limits.webhookAwayMs * halfway))
  })
})

describe('no answer, or one that says that the receiver is away', () => {
  test.each([0, 429, 502, 503, 504])(
    'costs the delivery no try, and makes it wait a moment with what is behind it: %d',
    async (status) => {
      const outcome = status === 0 ? unanswered : answered(status)
      const { told, delivery, behind, receiver } = await recorded(outcome, { delivery: { attempts: 2 } })
      const dueAt = addMs(now, limits.webhookAwayMs * halfway)
      expect([told, delivery.status, delivery.attempts, receiver.failures]).toEqual([undefined, 'pending', 2, 1])
      expect([delivery.dueAt, behind.dueAt]).toEqual([dueAt, dueAt])
      expect(delivery).toMatchObject(
        outcome.kind === 'answered'
          ? { lastAt: now, lastMs: 7, lastStatus: outcome.status, lastAnswer: 'said' }
          : { lastAt: now, lastMs: 9, lastStatus: null, lastAnswer: 'it is away' },
      )
    },
  )

  test('counts against the delivery where the receiver has taken others since its last try', async () => {
    const tries = async (lastSuccessAt: typeof now | null, lastAt: typeof now | null) =>
      (await recorded(answered(503), { receiver: { lastSuccessAt }, delivery: { lastAt } })).delivery.attempts
    const before = addMs(now, -5)
    expect(await tries(addMs(before, 1), before)).toBe(1)
    expect(await tries(before, before)).toBe(0)
    expect(await tries(null, before)).toBe(0)
    expect(await tries(before, null)).toBe(0)
  })

  test('takes what the receiver took in the future for what came before the clock was set back', async () => {
    const ahead = { receiver: { lastSuccessAt: addMs(now, 1) }, delivery: { lastAt: addMs(now, -5) } }
    const { delivery, receiver } = await recorded(unanswered, ahead)
    expect([delivery.attempts, receiver.lastSuccessAt]).toEqual([0, now])
    const atOnce = { receiver: { lastSuccessAt: now }, delivery: { lastAt: addMs(now, -5) } }
    expect((await recorded(unanswered, atOnce)).delivery.attempts).toBe(1)
  })

  test('makes the receiver wait twice as long each time, up to a bound', async () => {
    const waitMs = async (failures: number) => {
      const { receiver } = await recorded(unanswered, { receiver: { failures } })
      return receiver.retryAt === null ? 0 : Date.parse(receiver.retryAt) - Date.parse(now)
    }
    const first = limits.webhookAwayFailures - 1
    expect(await waitMs(first - 1)).toBe(0)
    expect(await waitMs(first)).toBe(limits.webhookAwayMs * halfway)
    expect(await waitMs(first + 1)).toBe(2 * limits.webhookAwayMs * halfway)
    expect(await waitMs(first + 4)).toBe(16 * limits.webhookAwayMs * halfway)
    for (const failures of [first + 8, first + 500])
      expect(await waitMs(failures)).toBe(limits.webhookAwayMaxMs * halfway)
  })

  test('is believed about how long to wait, up to a bound, where that is longer', async () => {
    const retryAt = async (retryAfterMs: number, failures = 0) =>
      (await recorded(answered(503, { retryAfterMs } as never), { receiver: { failures } })).receiver.retryAt
    expect(await retryAt(90_000)).toBe(addMs(now, 90_000))
    expect(await retryAt(limits.webhookRetryAfterMs)).toBe(addMs(now, limits.webhookRetryAfterMs))
    expect(await retryAt(limits.webhookRetryAfterMs + 1)).toBe(addMs(now, limits.webhookRetryAfterMs))
    const away = limits.webhookAwayFailures - 1
    expect(await retryAt(1, away)).toBe(addMs(now, limits.webhookAwayMs * halfway))
  })
})

describe('a receiver is stopped', () => {
  const stopped = async ({ id }: WebhookRow) => {
    const { auditRecords, events } = database.read.t
    const records = await database.read.q.select().from(auditRecords).orderBy(asc(auditRecords.id))
    const told = await database.read.q.select().from(events).orderBy(asc(events.id))
    expect(records.map(({ resourceId }) => resourceId)).toEqual(told.map(() => id))
    expect(records.map(({ correlationId }) => correlationId)).toEqual(told.map((one) => one.correlationId))
    return {
      records: records.map(({ action, actorId, resourceKind, detail }) => ({ action, actorId, resourceKind, detail })),
      events: told.map(({ aggregate, aggregateId, type, data }) => ({ aggregate, aggregateId, type, data })),
    }
  }
  const by = { action: 'webhook.stopped', actorId: SYSTEM_ACTOR_ID, resourceKind: 'webhook' }

  test('by a 410, which costs the delivery no try, and is in the trail and an event', async () => {
    const others = { lastSuccessAt: now }
    const given = { receiver: { name: 'Ledger', ...others }, delivery: { lastAt: addMs(now, -5) } }
    const { told, delivery, receiver } = await recorded(answered(410), given)
    expect(told).toEqual({ status: 'gone', why: 'it answered 410' })
    expect([delivery.status, delivery.attempts, receiver.status, receiver.updatedAt]).toEqual([
      'pending',
      0,
      'gone',
      now,
    ])
    expect(await stopped(receiver)).toEqual({
      records: [{ ...by, detail: { name: 'Ledger', status: 'gone', why: 'it answered 410' } }],
      events: [
        { aggregate: 'webhook', aggregateId: receiver.id, type: 'stopped', data: { name: 'Ledger', status: 'gone' } },
      ],
    })
  })

  test('after so many days of failures without a success, whatever the failures are', async () => {
    for (const outcome of [unanswered, answered(500)]) {
      const since = addMs(now, -limits.webhookDisableMs)
      const early = await recorded(outcome, { receiver: { failures: 8, failingSince: addMs(since, 1) } })
      expect([early.told, early.receiver.status]).toEqual([undefined, 'active'])
      const late = await recorded(outcome, { receiver: { failures: 8, failingSince: since } })
      expect(late.told).toEqual({ status: 'disabled', why: 'it has failed since 2026-11-15' })
      expect(late.receiver.status).toBe('disabled')
    }
  })

  test('once: whoever comes second tells nothing', async () => {
    const { told, receiver } = await recorded(answered(410), { receiver: { status: 'gone' } })
    expect([told, (await stopped(receiver)).events]).toEqual([undefined, []])
  })
})

test('what comes of a receiver that was removed meanwhile is noted nowhere', async () => {
  const receiver = await addReceiver(database)
  const delivery = await addDelivery(database, receiver.id)
  const gone = { id: '0198c3d2-7a10-7c00-8000-00000000dead', url: 'https://example.test/' }
  expect(await recordOutcome(database, gone, delivery, answered(200), { now, jitter: () => 0 })).toBeUndefined()
  expect(await findDelivery(database.read, receiver.id, delivery.id)).toEqual(delivery)
})
