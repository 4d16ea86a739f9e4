/** Receivers and deliveries by the statements that the sender is built on, from rows that are written for it. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '../../../src/core/ids.ts'
import { addMs } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import {
  countFailure,
  countPending,
  countSuccess,
  type DeliveryRow,
  deleteWebhook,
  findDelivery,
  findWebhook,
  listDeliveries,
  listDue,
  listWebhooks,
  mendDueTimes,
  nextWebhookNumber,
  postponeChain,
  pruneDeliveries,
  readWebhookBacklog,
  releaseChain,
  resealWebhook,
  stopWebhook,
  type WebhookRow,
} from '../../../src/modules/webhooks/webhooks.store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addDelivery, addReceiver, now } from './rows.ts'

let database: Database
beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async (tx) => {
    for (const table of [tx.t.webhooks, tx.t.webhookDeliveries, tx.t.events]) await tx.q.delete(table)
  })
})
afterAll(() => database?.close())

const receiver = (change: Partial<WebhookRow> = {}) => addReceiver(database, change)
const delivery = (webhookId: string, change: Partial<DeliveryRow> = {}) => addDelivery(database, webhookId, change)
const dueOf = async ({ id, webhookId }: DeliveryRow) => (await findDelivery(database.read, webhookId, id))?.dueAt

async function event(change: { forWebhooks: boolean | null; webhookNumber: number }): Promise<string> {
  const id = newId()
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.events).values({
      ...{ id, aggregate: 'batch', aggregateId: newId(), sequence: 1, type: 'created', data: { a: 1 } },
      ...{ correlationId: 'c', traceparent: null, createdAt: now, publishedAt: null, ...change },
    })
  })
  return id
}

describe('a receiver', () => {
  test('that is registered has a higher number than every other one and than every event that waits', async () => {
    const next = () => database.write(nextWebhookNumber)
    expect(await next()).toBe(1)
    await receiver({ number: 4 })
    await event({ forWebhooks: true, webhookNumber: 3 })
    expect(await next()).toBe(5)
    await event({ forWebhooks: true, webhookNumber: 7 })
    // One that has become deliveries waits no more.
    await event({ forWebhooks: null, webhookNumber: 20 })
    expect(await next()).toBe(8)
  })

  test('has its failures counted from the first one on, and a success ends that', async () => {
    const { id } = await receiver()
    const other = await receiver()
    const fail = (at = now) => database.write((tx) => countFailure(tx, id, at))
    expect(await fail()).toEqual({ failures: 1, failingSince: now })
    expect(await fail(addMs(now, 5))).toEqual({ failures: 2, failingSince: now })
    await database.write((tx) => countSuccess(tx, id, addMs(now, 9)))
    expect(await findWebhook(database.read, id)).toMatchObject({
      ...{ failures: 0, failingSince: null, retryAt: null, lastSuccessAt: addMs(now, 9) },
    })
    expect(await findWebhook(database.read, other.id)).toEqual(other)
  })

  test('has a success noted once a minute while all is well, and at once after a failure or a clock set back', async () => {
    const minuteMs = 60_000
    const { id } = await receiver({ lastSuccessAt: now })
    const noted = async (at: typeof now) => {
      await database.write((tx) => countSuccess(tx, id, at))
      return (await findWebhook(database.read, id))?.lastSuccessAt
    }
    expect(await noted(addMs(now, minuteMs - 1))).toBe(now)
    expect(await noted(addMs(now, minuteMs))).toBe(addMs(now, minuteMs))
    await database.write((tx) => countFailure(tx, id, now))
    expect(await noted(addMs(now, minuteMs + 1))).toBe(addMs(now, minuteMs + 1))
    expect(await noted(addMs(now, -1))).toBe(addMs(now, -1))
  })

  test('is stopped once, while it is active', async () => {
    const { id } = await receiver()
    const paused = await receiver({ status: 'paused' })
    const stop = (which: string) => database.write((tx) => stopWebhook(tx, which, 'gone', addMs(now, 1)))
    expect([await stop(id), await stop(id), await stop(paused.id)]).toEqual([true, false, false])
    expect(await findWebhook(database.read, id)).toMatchObject({ status: 'gone', updatedAt: addMs(now, 1) })
    expect(await findWebhook(database.read, paused.id)).toEqual(paused)
  })

  test('gets no sealed secret over one that was renewed meanwhile', async () => {
    const own = await receiver({ secret: 'before' })
    const other = await receiver({ secret: 'before' })
    const change = { secret: 'again', previousSecret: 'older' }
    await database.write((tx) => resealWebhook(tx, own.id, 'another', change))
    expect(await findWebhook(database.read, own.id)).toEqual(own)
    await database.write((tx) => resealWebhook(tx, own.id, 'before', change))
    expect(await findWebhook(database.read, own.id)).toEqual({ ...own, ...change })
    expect(await findWebhook(database.read, other.id)).toEqual(other)
  })

  test('goes with its deliveries and no other’s, and those left are listed oldest first', async () => {
    const [one, two, three] = [await receiver(), await receiver(), await receiver()]
    for (const { id } of [one, two]) await delivery(id)
    await database.write((tx) => deleteWebhook(tx, one.id))
    expect((await listWebhooks(database.read)).map(({ id }) => id)).toEqual([two.id, three.id])
    const left = await database.read.q.select().from(database.read.t.webhookDeliveries)
    expect(left.map(({ webhookId }) => webhookId)).toEqual([two.id])
  })
})

describe('what waits for receivers', () => {
  test('is counted for each up to a bound, and for the backlog of active ones alone, with the oldest', async () => {
    const [active, paused, idle] = [await receiver(), await receiver({ status: 'paused' }), await receiver()]
    expect(await readWebhookBacklog(database.read)).toEqual({ pending: 0, oldest: null })
    await delivery(active.id, { createdAt: addMs(now, -9), status: 'delivered' })
    for (const ms of [-5, -2, -1]) await delivery(active.id, { createdAt: addMs(now, ms) })
    await delivery(paused.id, { createdAt: addMs(now, -8) })
    expect(Object.fromEntries(await countPending(database.read))).toEqual({
      ...{ [active.id]: 3, [paused.id]: 1, [idle.id]: 0 },
    })
    expect((await countPending(database.read, 2)).get(active.id)).toBe(2)
    expect(await readWebhookBacklog(database.read)).toEqual({ pending: 3, oldest: addMs(now, -5) })
    expect((await readWebhookBacklog(database.read, 2)).pending).toBe(2)
    await delivery(idle.id, { createdAt: addMs(now, -7) })
    expect(await readWebhookBacklog(database.read)).toEqual({ pending: 4, oldest: addMs(now, -7) })
  })

  test('is due by its time, longest due first, and of each aggregate only the earliest', async () => {
    const { id } = await receiver()
    const other = await receiver()
    const aggregateId = newId()
    const eventId = await event({ forWebhooks: null, webhookNumber: 0 })
    const second = await delivery(id, { aggregateId, sequence: 2, dueAt: addMs(now, -9) })
    const first = await delivery(id, { aggregateId, sequence: 1, dueAt: addMs(now, -1) })
    const longest = await delivery(id, { dueAt: addMs(now, -5), eventId })
    const exact = await delivery(id, { dueAt: now })
    await delivery(id, { dueAt: addMs(now, 1) })
    await delivery(id, { dueAt: addMs(now, -5), status: 'delivered' })
    await delivery(other.id, { aggregateId, sequence: 0 })
    // The same id of another kind is another aggregate.
    const alike = await delivery(id, { aggregateId, aggregate: 'release', sequence: 9, dueAt: addMs(now, -2) })
    const due = async (except: string[] = [], limit = 9) =>
      (await listDue(database.read, id, { now, except, limit })).map(({ delivery: { id: of } }) => of)
    expect(await due()).toEqual([longest.id, alike.id, first.id, exact.id])
    expect(await due([], 2)).toEqual([longest.id, alike.id])
    expect(await due([longest.id, first.id])).toEqual([alike.id, exact.id])
    const [found, without] = await listDue(database.read, id, { now, except: [], limit: 2 })
    expect([found?.event?.id, found?.event?.data, without?.event]).toEqual([eventId, { a: 1 }, null])
    await database.write(async (tx) => {
      await tx.q.update(tx.t.webhookDeliveries).set({ status: 'failed' }).where(eq(tx.t.webhookDeliveries.id, first.id))
    })
    expect(await due()).toEqual([second.id, longest.id, alike.id, exact.id])
  })

  test('behind a delivery is put off and let go with it, and nothing else is', async () => {
    const { id } = await receiver()
    const other = await receiver()
    const aggregateId = newId()
    const of = (change: Partial<DeliveryRow>) => delivery(id, { aggregateId, ...change })
    const own = await of({ sequence: 1 })
    const [early, late] = [await of({ sequence: 2 }), await of({ sequence: 3, dueAt: addMs(now, 900) })]
    const tried = await of({ sequence: 4, attempts: 2 })
    const apart = [
      await of({ sequence: 5, status: 'delivered' }),
      await of({ aggregate: 'release' }),
      await delivery(id),
      await delivery(other.id, { aggregateId }),
    ]
    const then = addMs(now, 500)
    await database.write((tx) => postponeChain(tx, own, then))
    expect(await Promise.all([own, early, late, tried].map(dueOf))).toEqual([then, then, addMs(now, 900), then])
    expect(await Promise.all(apart.map(dueOf))).toEqual(apart.map(() => now))
    await database.write((tx) => releaseChain(tx, own, addMs(now, 100)))
    const free = addMs(now, 100)
    // One that was tried itself keeps its own wait.
    expect(await Promise.all([own, early, late, tried].map(dueOf))).toEqual([free, free, free, then])
    await database.write((tx) => releaseChain(tx, own, addMs(now, 200)))
    expect(await dueOf(early)).toBe(free)
  })

  test('so far ahead that only a clock set back explains it is due at once, and a receiver is asked again', async () => {
    const far = addMs(now, 1_000)
    const asked = await receiver({ retryAt: addMs(far, 1) })
    const waiting = await receiver({ retryAt: far })
    const paused = await receiver({ retryAt: addMs(far, 1), status: 'paused' })
    const [ahead, exact] = [
      await delivery(asked.id, { dueAt: addMs(far, 1) }),
      await delivery(asked.id, { dueAt: far }),
    ]
    const ended = await delivery(asked.id, { dueAt: addMs(far, 1), status: 'failed' })
    await database.write((tx) => mendDueTimes(tx, now, far))
    expect(await Promise.all([ahead, exact, ended].map(dueOf))).toEqual([now, far, addMs(far, 1)])
    const retries = [asked, waiting, paused].map(async ({ id }) => (await findWebhook(database.read, id))?.retryAt)
    expect(await Promise.all(retries)).toEqual([null, far, addMs(far, 1)])
  })
})

test('deliveries are listed newest first, of one receiver and status, and from one on', async () => {
  const [own, other] = [await receiver(), await receiver()]
  const [oldest, failed, newest] = [
    await delivery(own.id),
    await delivery(own.id, { status: 'failed' }),
    await delivery(own.id),
  ]
  await delivery(other.id)
  const asked = { webhookId: own.id, status: undefined, afterId: undefined, limit: 9 }
  const ids = async (change: object) =>
    (await listDeliveries(database.read, { ...asked, ...change })).map(({ id }) => id)
  expect(await ids({})).toEqual([newest.id, failed.id, oldest.id])
  expect(await ids({ limit: 1 })).toEqual([newest.id])
  expect(await ids({ afterId: newest.id })).toEqual([failed.id, oldest.id])
  expect(await ids({ status: 'failed' })).toEqual([failed.id])
  expect(await ids({ status: 'pending', afterId: failed.id })).toEqual([oldest.id])
  expect(await findDelivery(database.read, other.id, newest.id)).toBeUndefined()
})

test('old deliveries go once they have ended, and those of nobody active also while they wait, some at a time', async () => {
  const [active, paused] = [await receiver(), await receiver({ status: 'paused' })]
  const old = { createdAt: addMs(now, -1) }
  const kept = [
    await delivery(active.id, old),
    await delivery(active.id, { status: 'delivered' }),
    await delivery(paused.id),
  ]
  await delivery(active.id, { ...old, status: 'delivered' })
  await delivery(active.id, { ...old, status: 'failed' })
  await delivery(paused.id, old)
  await delivery(newId(), old)
  expect(await database.write((tx) => pruneDeliveries(tx, now))).toBe(4)
  const left = await database.read.q.select().from(database.read.t.webhookDeliveries)
  expect(left.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort())
  expect(await database.write((tx) => pruneDeliveries(tx, now))).toBe(0)
  const many = Array.from({ length: limits.webhookPruneRows + 1 }, (): DeliveryRow => {
    return { ...kept[0]!, ...old, id: newId(), aggregateId: newId(), status: 'delivered' }
  })
  for (let from = 0; from < many.length; from += 100) {
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.webhookDeliveries).values(many.slice(from, from + 100))
    })
  }
  expect(await database.write((tx) => pruneDeliveries(tx, now))).toBe(limits.webhookPruneRows)
  expect(await database.write((tx) => pruneDeliveries(tx, now))).toBe(1)
})
