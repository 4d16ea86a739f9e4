import { beforeEach, expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { webhookOperations } from '../../../src/modules/webhooks/webhooks.routes.ts'
import { handled, notingService, sessionAuthor, tokenAuthor } from '../../support/handled.ts'

const instant = (day: number) => instantOf(`2026-12-0${day}T00:00:00Z`)
const shownAt = (day: number) => `2026-12-0${day}T00:00:00Z`
const row = {
  ...{
    id: 'w',
    name: 'crm',
    url: 'https://a',
    status: 'active',
    pending: 2,
    failures: 1,
    eventTypes: null,
    families: null,
  },
  ...{ familyNames: [], failingSince: null, retryAt: null, lastSuccessAt: null, previousUntil: null, createdBy: 'u' },
  ...{ createdAt: instant(1), updatedAt: instant(2) },
}
const shown = {
  ...{ id: 'w', name: 'crm', url: 'https://a', status: 'active', pending: 2, failures: 1, created_by: 'u' },
  ...{ created_at: shownAt(1), updated_at: shownAt(2) },
}
const full = {
  ...{ ...row, eventTypes: ['x'], families: ['f'], familyNames: ['model/a'], failingSince: instant(3) },
  ...{ retryAt: instant(4), lastSuccessAt: instant(5), previousUntil: instant(6) },
}
const delivery = {
  ...{ id: 'd', eventId: 'e', aggregate: 'execution', type: 'completed', aggregateId: 'x', sequence: 3, attempts: 1 },
  ...{ status: 'pending', dueAt: instant(2), lastAt: null, lastStatus: null, lastMs: null, lastAnswer: null },
  ...{ createdAt: instant(1), endedAt: null },
}
const shownDelivery = {
  ...{ id: 'd', event_id: 'e', event_type: expect.stringMatching(/execution\.completed/), subject: 'x', sequence: 3 },
  ...{ status: 'pending', attempts: 1, due_at: shownAt(2), created_at: shownAt(1) },
}
const made = { webhook: row, secret: 'whsec_x' }
const answers = {
  ...{ list: [row, full], create: made, read: row, change: row, renewSecret: made, sendAgain: delivery },
  listDeliveries: { rows: [delivery], last: undefined } as object,
}
const { calls, service } = notingService(answers)
const operations = webhookOperations({ webhooks: service, auth: service })
const params = { webhookId: 'w', deliveryId: 'd' }
const password = ['requireRecentPassword', expect.objectContaining({ userId: 'u' })]

beforeEach(() => void calls.splice(0))

test('changing where events go needs the password again in a session; other changes, and tokens, don’t', async () => {
  const body = { name: 'crm', url: 'https://a', event_types: ['x'], families: ['F'] }
  const wanted = { name: 'crm', url: 'https://a', eventTypes: ['x'], families: ['f'] }
  const answer = { body: { webhook: shown, secret: 'whsec_x' } }
  expect(await handled(operations, 'createWebhook', { body })).toEqual(answer)
  expect(await handled(operations, 'renewWebhookSecret', { params })).toEqual(answer)
  await handled(operations, 'updateWebhook', { params, body: { url: 'https://b', families: ['F'] } })
  expect(calls.splice(0)).toEqual([
    ...[password, ['create', wanted, sessionAuthor], password, ['renewSecret', 'w', sessionAuthor]],
    ...[password, ['change', 'w', { url: 'https://b', families: ['f'] }, sessionAuthor]],
  ])
  expect(await handled(operations, 'updateWebhook', { params, body: { status: 'paused' } })).toEqual({
    body: { webhook: shown },
  })
  await handled(operations, 'updateWebhook', { params, body: { families: null } })
  await handled(operations, 'createWebhook', { body: { name: 'crm', url: 'https://a' }, isToken: true })
  expect(await handled(operations, 'deleteWebhook', { params })).toEqual({})
  expect(calls).toEqual([
    ['change', 'w', { status: 'paused' }, sessionAuthor],
    ['change', 'w', { families: null }, sessionAuthor],
    ['create', { name: 'crm', url: 'https://a', eventTypes: undefined, families: undefined }, tokenAuthor],
    ['remove', 'w', sessionAuthor],
  ])
})

test('a receiver is shown with what it has, and without what it lacks', async () => {
  expect(await handled(operations, 'listWebhooks')).toEqual({
    body: {
      webhooks: [
        shown,
        {
          ...{ ...shown, event_types: ['x'], families: ['model/a'], failing_since: shownAt(3), retry_at: shownAt(4) },
          ...{ last_success_at: shownAt(5), previous_secret_until: shownAt(6) },
        },
      ],
    },
  })
  expect(await handled(operations, 'getWebhook', { params })).toEqual({ body: { webhook: shown } })
  expect(calls).toEqual([['list'], ['read', 'w']])
})

test('a delivery is told with when it is due while it waits, and with its last try and its end after that', async () => {
  expect(await handled(operations, 'listWebhookDeliveries', { params })).toEqual({
    body: { deliveries: [shownDelivery] },
  })
  const tried = {
    ...delivery,
    status: 'delivered',
    lastAt: instant(3),
    lastMs: 12,
    lastStatus: 204,
    endedAt: instant(4),
  }
  const unanswered = { ...delivery, lastAt: instant(3), lastAnswer: 'refused' }
  answers.listDeliveries = { rows: [tried, unanswered], last: unanswered }
  const query = { status: 'delivered', limit: 2, cursor: 'c' }
  const { due_at: _, ...ended } = shownDelivery
  expect(await handled(operations, 'listWebhookDeliveries', { params, query })).toEqual({
    body: {
      deliveries: [
        {
          ...{ ...ended, status: 'delivered', ended_at: shownAt(4) },
          last_attempt: { at: shownAt(3), duration_ms: 12, answer: '', status: 204 },
        },
        { ...shownDelivery, last_attempt: { at: shownAt(3), duration_ms: 0, answer: 'refused' } },
      ],
      next_cursor: 'd',
    },
  })
  expect(await handled(operations, 'sendWebhookAgain', { params })).toEqual({ body: { delivery: shownDelivery } })
  expect(calls).toEqual([
    ['listDeliveries', 'w', { limit: undefined, cursor: undefined, status: undefined }],
    ['listDeliveries', 'w', { limit: 2, cursor: 'c', status: 'delivered' }],
    ['sendAgain', 'w', 'd', sessionAuthor],
  ])
})
