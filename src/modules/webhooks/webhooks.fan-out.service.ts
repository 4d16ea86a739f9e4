import { cloudEventType, type EventRow } from '../../bus/cloudevent.ts'
import { loadChains, type WaitingEvent } from '../../bus/relay.store.ts'
import { newId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Database } from '../../db/database.ts'
import {
  type DeliveryRow,
  familiesOf,
  familiesOfBatches,
  insertDeliveries,
  listWebhooks,
  type WebhookRow,
} from './webhooks.store.ts'

/**
 * Turns the oldest marked events into deliveries for the receivers that want them, in one transaction and in order per aggregate.
 * If it is killed, the events keep their mark.
 *
 * Receivers are read after the events, so that every receiver registered before an event is among them.
 *
 * @returns how many events
 */
export async function fanOut(database: Database, now: Instant): Promise<number> {
  const chains = await loadChains(database.read, 'webhooks', limits.webhookFanOutEvents)
  const events = chains.flat()
  if (events.length === 0) return 0
  const receivers = await listWebhooks(database.read)
  const needsFamilies = receivers.some(({ families }) => families !== null)
  const families = needsFamilies ? await familiesAbout(database.read, events) : new Map<string, string>()
  const wanted = events.flatMap((event) =>
    receivers
      .filter((receiver) => wants(receiver, event, families.get(event.id)))
      .map((receiver) => ({ receiver, event })),
  )
  await database.write(async (tx) => {
    const rows = wanted.map(({ receiver, event }): DeliveryRow => {
      const { aggregate, aggregateId, sequence, type, createdAt } = event
      // If the clock was set back since, it is due at once all the same.
      const dueAt = createdAt < now ? createdAt : now
      return {
        ...{ id: newId(), webhookId: receiver.id, eventId: event.id, aggregate, aggregateId, sequence, type },
        ...{ status: 'pending', attempts: 0, dueAt, createdAt, endedAt: null },
        ...{ lastAt: null, lastMs: null, lastStatus: null, lastAnswer: null },
      }
    })
    await insertDeliveries(
      tx,
      rows,
      events.map(({ id }) => id),
    )
  })
  return events.length
}

/**
 * A receiver gets no events from before its registration. The database's numbers decide that, not a clock, except for events that
 * a version without such numbers wrote.
 */
function wants(
  { eventTypes, families, number, createdAt }: WebhookRow,
  event: WaitingEvent,
  family: string | undefined,
): boolean {
  const isBefore = event.webhookNumber === null ? event.createdAt < createdAt : event.webhookNumber < number
  if (isBefore) return false
  if (eventTypes !== null && !eventTypes.includes(cloudEventType(event))) return false
  return families === null || (family !== undefined && families.includes(family))
}

/** The family that each event is about, by the event's id: its own, the activated one, or the submission's model. */
async function familiesAbout(connection: Connection, events: readonly EventRow[]): Promise<Map<string, string>> {
  const idsOf = (aggregate: string) => [
    ...new Set(events.flatMap((event) => (event.aggregate === aggregate ? [event.aggregateId] : []))),
  ]
  const models = await familiesOf(connection, idsOf('submission'), idsOf('execution'))
  const ofBatches = await familiesOfBatches(connection, idsOf('batch'))
  const known = events.flatMap((event): [string, string][] => {
    const { family_id: ofActivation } = event.data
    const family =
      event.aggregate === 'family'
        ? event.aggregateId
        : event.aggregate === 'activation'
          ? ofActivation
          : (models.get(event.aggregateId) ?? ofBatches.get(event.aggregateId))
    return typeof family === 'string' ? [[event.id, family]] : []
  })
  return new Map(known)
}
