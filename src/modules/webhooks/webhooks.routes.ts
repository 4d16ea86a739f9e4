import { cloudEventType } from '../../bus/cloudevent.ts'
import { formatInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { deliveryFilters } from '../../core/list-filters.ts'
import { ADMINISTRATOR, type Principal, sessionAccess } from '../../http/access.ts'
import { authorOf } from '../../http/actor.ts'
import { filterValues } from '../../http/list-query.ts'
import { defineOperation, emptyBody, jsonBody, type Operation } from '../../http/operation.ts'
import { pageOf } from '../../http/paging.ts'
import { nothing } from '../../http/wire.ts'
import type { AuthService } from '../auth/auth.service.ts'
import {
  allWebhooks,
  type DeliveryBody,
  deliveryId,
  deliveryQuery,
  newWebhookBody,
  type WebhookBody,
  webhookChangeBody,
  webhookDelivery,
  webhookId,
  webhookWithSecret,
  wrappedDelivery,
  wrappedWebhook,
} from './webhooks.model.ts'
import type { Webhook, WebhookService } from './webhooks.service.ts'
import type { DeliveryRow } from './webhooks.store.ts'

export interface WebhookRoutePorts {
  webhooks: WebhookService
  auth: Pick<AuthService, 'requireRecentPassword'>
}

export function webhookOperations({ webhooks, auth }: WebhookRoutePorts): Operation[] {
  const common = {
    tag: 'webhooks',
    resourceKind: 'webhook',
    access: sessionAccess(ADMINISTRATOR, { scope: 'webhook_manage' }),
  } as const

  /** A stolen session must not redirect events; a token needs the scope for exactly this. */
  function requirePassword(principal: Principal): void {
    if (principal.token === undefined) auth.requireRecentPassword(principal)
  }

  return [
    defineOperation({
      ...common,
      id: 'listWebhooks',
      method: 'GET',
      path: '/api/v1/webhooks',
      summary: 'The receivers of events over HTTP, oldest first',
      success: [{ status: 200, schema: allWebhooks }],
      failures: [403],
      handle: async () => ({ body: { webhooks: (await webhooks.list()).map(webhookBody) } }),
    }),
    defineOperation({
      ...common,
      id: 'createWebhook',
      method: 'POST',
      path: '/api/v1/webhooks',
      summary:
        'Register a receiver of events; the secret that signs them is shown only here. Asks for your own password again',
      body: jsonBody(newWebhookBody, limits.smallBodyBytes),
      success: [{ status: 201, schema: webhookWithSecret }],
      failures: [403, 409, 415, 422],
      async handle({ body, ...context }) {
        requirePassword(context.principal)
        const { name, url, event_types: eventTypes, families } = body
        const made = await webhooks.create({ name, url, eventTypes, families: lowerCase(families) }, authorOf(context))
        return { body: { webhook: webhookBody(made.webhook), secret: made.secret } }
      },
    }),
    defineOperation({
      ...common,
      id: 'getWebhook',
      method: 'GET',
      path: '/api/v1/webhooks/{webhookId}',
      summary: 'A receiver, how it does, and what waits for it',
      params: webhookId,
      success: [{ status: 200, schema: wrappedWebhook }],
      failures: [403, 404, 422],
      handle: async ({ params }) => ({ body: { webhook: webhookBody(await webhooks.read(params.webhookId)) } }),
    }),
    defineOperation({
      ...common,
      id: 'updateWebhook',
      method: 'PATCH',
      path: '/api/v1/webhooks/{webhookId}',
      summary:
        'Change a receiver, pause it, or resume one that was paused, gone or disabled; another URL asks for your own password again',
      params: webhookId,
      body: jsonBody(webhookChangeBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: wrappedWebhook }],
      failures: [403, 404, 415, 422],
      async handle({ params, body, ...context }) {
        if (body.url !== undefined) requirePassword(context.principal)
        const families = body.families === undefined ? {} : { families: lowerCase(body.families) }
        const changed = await webhooks.change(params.webhookId, { ...body, ...families }, authorOf(context))
        return { body: { webhook: webhookBody(changed) } }
      },
    }),
    defineOperation({
      ...common,
      id: 'renewWebhookSecret',
      method: 'POST',
      path: '/api/v1/webhooks/{webhookId}/renew-secret',
      summary:
        'Give a receiver a new secret, shown only here; the one before signs as well for 24 hours. Asks for your own password again',
      params: webhookId,
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 200, schema: webhookWithSecret }],
      failures: [403, 404, 415, 422],
      async handle({ params, ...context }) {
        requirePassword(context.principal)
        const renewed = await webhooks.renewSecret(params.webhookId, authorOf(context))
        return { body: { webhook: webhookBody(renewed.webhook), secret: renewed.secret } }
      },
    }),
    defineOperation({
      ...common,
      id: 'deleteWebhook',
      method: 'DELETE',
      path: '/api/v1/webhooks/{webhookId}',
      summary: 'Remove a receiver with its deliveries, those that wait included',
      params: webhookId,
      body: emptyBody,
      success: [{ status: 204 }],
      failures: [403, 404, 415, 422],
      async handle({ params, ...context }) {
        await webhooks.remove(params.webhookId, authorOf(context))
        return {}
      },
    }),
    defineOperation({
      ...common,
      id: 'listWebhookDeliveries',
      method: 'GET',
      path: '/api/v1/webhooks/{webhookId}/deliveries',
      summary: 'Deliveries to a receiver, newest first, each with what came of its last try',
      params: webhookId,
      query: deliveryQuery,
      success: [{ status: 200, schema: pageOf('deliveries', webhookDelivery) }],
      failures: [403, 404, 422],
      async handle({ params, query }) {
        const { status } = filterValues(deliveryFilters, query)
        const { limit, cursor } = query
        const { rows, last } = await webhooks.listDeliveries(params.webhookId, { limit, cursor, status })
        const body = { deliveries: rows.map(deliveryBody) }
        return { body: last === undefined ? body : { ...body, next_cursor: last.id } }
      },
    }),
    defineOperation({
      ...common,
      id: 'sendWebhookAgain',
      method: 'POST',
      path: '/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/send-again',
      summary: 'Send an event to a receiver again, under the same id; one that waits is sent at once',
      params: deliveryId,
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 200, schema: wrappedDelivery }],
      failures: [403, 404, 415, 422],
      async handle({ params, ...context }) {
        const delivery = await webhooks.sendAgain(params.webhookId, params.deliveryId, authorOf(context))
        return { body: { delivery: deliveryBody(delivery) } }
      },
    }),
  ]
}

function lowerCase<T extends readonly string[] | null | undefined>(ids: T) {
  return (ids?.map((id) => id.toLowerCase()) ?? ids) as T extends readonly string[] ? string[] : T
}

function webhookBody(row: Webhook): WebhookBody {
  const { failingSince, retryAt, lastSuccessAt, previousUntil } = row
  return {
    ...{ id: row.id, name: row.name, url: row.url, status: row.status, pending: row.pending, failures: row.failures },
    ...(row.eventTypes === null ? {} : { event_types: row.eventTypes }),
    ...(row.families === null ? {} : { families: [...row.familyNames] }),
    ...(failingSince === null ? {} : { failing_since: formatInstant(failingSince) }),
    ...(retryAt === null ? {} : { retry_at: formatInstant(retryAt) }),
    ...(lastSuccessAt === null ? {} : { last_success_at: formatInstant(lastSuccessAt) }),
    ...(previousUntil === null ? {} : { previous_secret_until: formatInstant(previousUntil) }),
    created_by: row.createdBy,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

function deliveryBody(row: DeliveryRow): DeliveryBody {
  const { lastAt, lastStatus } = row
  return {
    ...{ id: row.id, event_id: row.eventId, event_type: cloudEventType(row), subject: row.aggregateId },
    ...{ sequence: row.sequence, status: row.status, attempts: row.attempts },
    ...(row.status === 'pending' ? { due_at: formatInstant(row.dueAt) } : {}),
    ...(lastAt === null
      ? {}
      : {
          last_attempt: {
            ...{ at: formatInstant(lastAt), duration_ms: row.lastMs ?? 0, answer: row.lastAnswer ?? '' },
            ...(lastStatus === null ? {} : { status: lastStatus }),
          },
        }),
    created_at: formatInstant(row.createdAt),
    ...(row.endedAt === null ? {} : { ended_at: formatInstant(row.endedAt) }),
  }
}
