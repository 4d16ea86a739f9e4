import { type Static, Type } from '@sinclair/typebox'
import { cloudEventTypes } from '../../bus/asyncapi.ts'
import { deliveryStatuses, familyKinds, webhookStatuses } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { deliveryFilters } from '../../core/list-filters.ts'
import { filterSchemas } from '../../http/list-query.ts'
import { pageById } from '../../http/paging.ts'
import { object, oneOf, slug, text, timestamp, uuid } from '../../http/wire.ts'

const webhookName = text({
  minLength: 1,
  maxLength: limits.webhookNameChars,
  pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$',
})
const url = text({ format: 'uri', maxLength: limits.webhookUrlChars, pattern: '^https?://' })
const eventTypes = Type.Array(oneOf(cloudEventTypes), { minItems: 1, uniqueItems: true })
const families = Type.Array(uuid, { minItems: 1, maxItems: limits.webhookFamilies, uniqueItems: true })
const count = Type.Integer({ minimum: 0 })

export const webhookId = object({ webhookId: uuid })
export const deliveryId = object({ webhookId: uuid, deliveryId: uuid })
export const deliveryQuery = object({ ...pageById, ...filterSchemas(deliveryFilters) })

export const newWebhookBody = object({
  name: webhookName,
  url,
  event_types: Type.Optional(eventTypes),
  families: Type.Optional(families),
})

/** `null` removes a filter. */
export const webhookChangeBody = object(
  {
    name: Type.Optional(webhookName),
    url: Type.Optional(url),
    event_types: Type.Optional(Type.Union([eventTypes, Type.Null()])),
    families: Type.Optional(Type.Union([families, Type.Null()])),
    status: Type.Optional(oneOf(['active', 'paused'])),
  },
  { minProperties: 1 },
)
export type WebhookChange = Static<typeof webhookChangeBody>

export const webhook = object(
  {
    id: uuid,
    name: webhookName,
    url,
    /** Missing if it gets all types. */
    event_types: Type.Optional(Type.Array(text({ minLength: 1 }))),
    /** Missing if it gets events of all families; empty if none of its families exists any more. */
    families: Type.Optional(
      Type.Array(object({ id: uuid, kind: oneOf(familyKinds), slug, name: text({ minLength: 1 }) })),
    ),
    status: oneOf(webhookStatuses),
    /** How many deliveries wait. */
    pending: count,
    /** How many requests have failed since the last success, and since when. */
    failures: count,
    failing_since: Type.Optional(timestamp),
    /** Nothing is sent before this time. */
    retry_at: Type.Optional(timestamp),
    last_success_at: Type.Optional(timestamp),
    /** Until then the previous secret signs as well. */
    previous_secret_until: Type.Optional(timestamp),
    created_by: uuid,
    created_at: timestamp,
    updated_at: timestamp,
  },
  { $id: 'Webhook' },
)
export type WebhookBody = Static<typeof webhook>

export const wrappedWebhook = object({ webhook })
export const allWebhooks = object({ webhooks: Type.Array(webhook, { maxItems: limits.webhooks }) })
/** The only answers that ever contain a secret. */
export const webhookWithSecret = object({ webhook, secret: text({ pattern: '^whsec_[0-9A-Za-z+/]{43}=$' }) })

export const webhookDelivery = object(
  {
    id: uuid,
    /** The event's id, sent in the header `webhook-id`. */
    event_id: uuid,
    event_type: text({ minLength: 1 }),
    subject: uuid,
    sequence: Type.Integer({ minimum: 1 }),
    status: oneOf(deliveryStatuses),
    /** Tries that count; those while the receiver was away don't. */
    attempts: count,
    /** When it may be sent next; missing once it has ended. */
    due_at: Type.Optional(timestamp),
    last_attempt: Type.Optional(
      object({
        at: timestamp,
        duration_ms: count,
        /** Missing if there was no answer. */
        status: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
        /** The beginning of the answer, or why there was none. */
        answer: text({}),
      }),
    ),
    created_at: timestamp,
    ended_at: Type.Optional(timestamp),
  },
  { $id: 'WebhookDelivery' },
)
export type DeliveryBody = Static<typeof webhookDelivery>
export const wrappedDelivery = object({ delivery: webhookDelivery })
