import type { Author } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { addMs } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import type { DeliveryStatus } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import type { Networks } from '../../core/networks.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { cutPage, type Page, type PageRequest } from '../../http/paging.ts'
import { deriveKeys, type Keys } from '../../http/tokens.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { type FamilyHead, listFamilyHeads } from '../families/families.reads.ts'
import type { WebhookChange } from './webhooks.model.ts'
import { requireUsableUrl } from './webhooks.request.ts'
import { newWebhookSecret, sealSecret } from './webhooks.secrets.ts'
import {
  countPending,
  countWebhooks,
  type DeliveryRow,
  deleteWebhook,
  eventWriters,
  findDelivery,
  findWebhook,
  holdNewWebhooks,
  holdWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  nextWebhookNumber,
  updateDelivery,
  updateWebhook,
  type WebhookRow,
} from './webhooks.store.ts'

export interface NewWebhook {
  name: string
  url: string
  /** Undefined for all types. */
  eventTypes: readonly string[] | undefined
  /** Ids; undefined for events of all families. */
  families: readonly string[] | undefined
}

/** A receiver with its families and its waiting deliveries. */
export interface Webhook extends WebhookRow {
  familyNames: readonly Pick<FamilyHead, 'id' | 'kind' | 'slug' | 'name'>[]
  pending: number
}

export interface WebhookPorts {
  database: Database
  clock: Clock
  secrets: Keys
  /** Private networks that receivers may be in. */
  webhookNetworks: Networks
}

export type WebhookService = Awaited<ReturnType<typeof createWebhookService>>

/** Receivers of events over HTTP, and their deliveries; webhooks.sender.service.ts sends. */
export async function createWebhookService({ database, clock, secrets, webhookNetworks }: WebhookPorts) {
  const keys = await deriveKeys(secrets, 'webhook')

  async function told(connection: Connection, rows: readonly WebhookRow[]): Promise<Webhook[]> {
    const ids = [...new Set(rows.flatMap(({ families }) => families ?? []))]
    const heads = ids.length === 0 ? [] : await listFamilyHeads(connection, ids)
    const names = heads.map(({ id, kind, slug, name }) => ({ id, kind, slug, name }))
    const pending = await countPending(connection)
    return rows.map((row) => ({
      ...row,
      familyNames: names.filter(({ id }) => row.families?.includes(id)),
      pending: pending.get(row.id) ?? 0,
    }))
  }

  async function read(id: string): Promise<Webhook> {
    const [webhook] = await told(database.read, [await found(database.read, id)])
    if (webhook === undefined) throw noWebhook()
    return webhook
  }

  return {
    read,

    /** All receivers, oldest first. */
    async list(): Promise<Webhook[]> {
      return told(database.read, await listWebhooks(database.read))
    },

    /** @throws Fault validation_failed, and conflict if there are too many */
    async create(wanted: NewWebhook, author: Author): Promise<{ webhook: Webhook; secret: string }> {
      requireUsableUrl(wanted.url, webhookNetworks)
      await requireFamilies(database.read, wanted.families)
      const [id, at, secret] = [newId(), clock.now(), newWebhookSecret()]
      const row: Omit<WebhookRow, 'number'> = {
        ...{ id, name: wanted.name, url: wanted.url, status: 'active' },
        eventTypes: wanted.eventTypes === undefined ? null : [...wanted.eventTypes],
        families: wanted.families === undefined ? null : [...wanted.families],
        secret: await sealSecret(keys, id, secret),
        ...{ previousSecret: null, previousUntil: null, failures: 0, failingSince: null, retryAt: null },
        ...{ lastSuccessAt: null, createdBy: author.userId, createdAt: at, updatedAt: at },
      }
      await database.write(async (tx) => {
        // A concurrent registration waits here, and then counts this one.
        await holdNewWebhooks(tx)
        if ((await countWebhooks(tx)) >= limits.webhooks) {
          throw new Fault('conflict', `There are ${limits.webhooks} webhooks. Remove one first.`)
        }
        await insertWebhook(tx, { ...row, number: await nextWebhookNumber(tx) })
        const { name, url } = row
        await audit(tx, author, at, { action: 'webhook.created', id, detail: { name, url, ...filtersOf(row) } })
      })
      await eventsWritten(database.read)
      return { webhook: await read(id), secret }
    },

    /** @throws Fault not_found, validation_failed */
    async change(id: string, wanted: WebhookChange, author: Author): Promise<Webhook> {
      await found(database.read, id)
      if (wanted.url !== undefined) requireUsableUrl(wanted.url, webhookNetworks)
      await requireFamilies(database.read, wanted.families ?? undefined)
      const at = clock.now()
      await database.write(async (tx) => {
        const row = await held(tx, id)
        const { name = row.name, url = row.url, status = row.status } = wanted
        const { event_types: eventTypes = row.eventTypes, families = row.families } = wanted
        // A resumed or moved receiver is tried at once, and its days of failures start over.
        const isAnew = url !== row.url || (status === 'active' && row.status !== 'active')
        const change = { name, url, status, eventTypes, families, updatedAt: at }
        const anew = isAnew ? { failures: 0, failingSince: null, retryAt: null } : {}
        await updateWebhook(tx, id, { ...change, ...anew })
        const detail = { name, url, status, ...filtersOf(change) }
        await audit(tx, author, at, { action: 'webhook.changed', id, detail })
      })
      return read(id)
    },

    /** The previous secret signs as well for a day. @throws Fault not_found */
    async renewSecret(id: string, author: Author): Promise<{ webhook: Webhook; secret: string }> {
      const [at, secret] = [clock.now(), newWebhookSecret()]
      const sealed = await sealSecret(keys, id, secret)
      await database.write(async (tx) => {
        const { name, secret: previousSecret } = await held(tx, id)
        const previousUntil = addMs(at, limits.webhookSecretOverlapMs)
        // A receiver whose secret could not be read was waiting for this.
        await updateWebhook(tx, id, { secret: sealed, previousSecret, previousUntil, retryAt: null, updatedAt: at })
        await audit(tx, author, at, { action: 'webhook.secret_renewed', id, detail: { name } })
      })
      return { webhook: await read(id), secret }
    },

    /** Removes a receiver with all its deliveries, waiting ones included. @throws Fault not_found */
    async remove(id: string, author: Author): Promise<void> {
      const at = clock.now()
      await database.write(async (tx) => {
        const { name, url } = await found(tx, id)
        await deleteWebhook(tx, id)
        await audit(tx, author, at, { action: 'webhook.removed', id, detail: { name, url } })
      })
    },

    /** Newest first. @throws Fault not_found */
    async listDeliveries(
      webhookId: string,
      { limit = limits.pageSizeDefault, cursor, status }: PageRequest & { status?: DeliveryStatus | undefined },
    ): Promise<Page<DeliveryRow>> {
      await found(database.read, webhookId)
      const asked = { webhookId, status, afterId: cursor?.toLowerCase(), limit: limit + 1 }
      return cutPage(await listDeliveries(database.read, asked), limit)
    },

    /** Makes a delivery wait again; one that waits already is due at once. @throws Fault not_found */
    async sendAgain(webhookId: string, id: string, author: Author): Promise<DeliveryRow> {
      const at = clock.now()
      return database.write(async (tx) => {
        const { name } = await found(tx, webhookId)
        const delivery = await findDelivery(tx, webhookId, id)
        if (delivery === undefined) throw new Fault('not_found', 'There is no such delivery.')
        const change = { status: 'pending', dueAt: at, endedAt: null, attempts: 0 } as const
        await updateDelivery(tx, id, change)
        const detail = { name, delivery_id: id, event_id: delivery.eventId }
        await audit(tx, author, at, { action: 'webhook.sent_again', id: webhookId, detail })
        return { ...delivery, ...change }
      })
    },
  }
}

/** Waits, within a bound, for transactions that are writing events now: all later events know the new receiver. */
async function eventsWritten(connection: Connection): Promise<void> {
  const endMs = performance.now() + limits.webhookRegistrationMs
  let writers = await eventWriters(connection)
  while (writers.length > 0 && performance.now() < endMs) {
    await Bun.sleep(limits.webhookRegistrationPollMs)
    const still = new Set(await eventWriters(connection))
    writers = writers.filter((writer) => still.has(writer))
  }
}

function noWebhook(): Fault {
  return new Fault('not_found', 'There is no such webhook.')
}

async function found(connection: Connection, id: string): Promise<WebhookRow> {
  const row = await findWebhook(connection, id)
  if (row === undefined) throw noWebhook()
  return row
}

async function held(tx: Transaction, id: string): Promise<WebhookRow> {
  const row = await holdWebhook(tx, id)
  if (row === undefined) throw noWebhook()
  return row
}

interface Recorded {
  action: string
  id: string
  detail: Record<string, JsonValue>
}

async function audit(
  tx: Transaction,
  author: Author,
  at: WebhookRow['createdAt'],
  { action, id, detail }: Recorded,
): Promise<void> {
  await recordAudit(tx, { ...author, at }, { action, resourceKind: 'webhook', resourceId: id, detail })
}

function filtersOf({ eventTypes, families }: Pick<WebhookRow, 'eventTypes' | 'families'>): Record<string, JsonValue> {
  return {
    ...(eventTypes === null ? {} : { event_types: eventTypes }),
    ...(families === null ? {} : { families }),
  }
}

async function requireFamilies(connection: Connection, ids: readonly string[] | undefined): Promise<void> {
  if (ids === undefined) return
  const known = new Set((await listFamilyHeads(connection, ids)).map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id.toLowerCase()))
  if (unknown !== undefined) throw new Fault('validation_failed', `Body field families: there is no family ${unknown}.`)
}
