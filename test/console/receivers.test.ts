import { refusal } from '../support/canned.ts'
import { answering, type CannedWalk, describeWalks, fill, open, press, tick } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const receiver = (more: object = {}) => ({
  ...{
    id: 'w-1',
    name: 'Ledger',
    url: 'https://hooks.invalid:8443/quire',
    status: 'active',
    pending: 3,
    failures: 0,
    created_at: at,
  },
  ...more,
})
const delivery = (id: string, status: string, more: object = {}) => ({
  ...{
    id,
    status,
    event_id: `event-${id}`,
    event_type: 'quire.execution.failed',
    subject: 'execution:0123456789ab',
    sequence: 7,
    attempts: 2,
    created_at: at,
  },
  ...more,
})
const deliveries = [
  delivery('d-1', 'delivered', { last_attempt: { at, status: 204, duration_ms: 12, answer: '' } }),
  delivery('d-2', 'failed', { last_attempt: { at, duration_ms: 30_000, answer: 'no connection' } }),
  delivery('d-3', 'pending', { due_at: at, last_attempt: { at, status: 500, duration_ms: 9, answer: 'broken' } }),
  delivery('d-4', 'pending'),
]
const all = {
  event_types: ['quire.execution.failed', 'quire.execution.completed'],
  families: [
    { id: 'f-1', name: 'Letters' },
    { id: 'f-2', name: 'Bills' },
  ],
  last_success_at: at,
  failing_since: at,
  retry_at: at,
  previous_secret_until: at,
}
const answers = (webhook: object, more: object = {}) => ({
  'GET /api/v1/webhooks/w-1': { webhook },
  'GET /api/v1/webhooks/w-1/deliveries': { deliveries },
  ...more,
})
const refused = () => refusal(403, 'forbidden', 'Your password is wanted again.')
const unable = () => refusal(503, 'unavailable', 'Not now.')

const walks: Record<string, CannedWalk> = {
  'a receiver': {
    path: '/webhooks/w-1',
    answers: answers(receiver(all), {
      'PATCH /api/v1/webhooks/w-1': {},
      'POST /api/v1/webhooks/w-1/renew-secret': { secret: 'the secret' },
      'POST /api/v1/webhooks/w-1/deliveries/d-3/send-again': {},
      'DELETE /api/v1/webhooks/w-1': () => undefined,
      'GET /api/v1/webhooks': { webhooks: [] },
    }),
    acts: [
      press('Pause'),
      press('New secret…'),
      press('Make secret'),
      press('Done'),
      press('execution.failed'),
      press('Close'),
      fill('Status', 'failed'),
      press('Clear'),
      open('/webhooks/w-1?delivery=d-2'),
      press('Close'),
      open('/webhooks/w-1?delivery=d-3'),
      press('Send again'),
      open('/webhooks/w-1?delivery=d-4'),
      press('Close'),
      tick,
      press('Remove…'),
      tick,
      press('Remove'),
    ],
  },
  'a paused receiver of nothing': {
    path: '/webhooks/w-1',
    answers: answers(receiver({ status: 'paused', families: [], pending: 0 }), {
      'GET /api/v1/webhooks/w-1/deliveries': { deliveries: [] },
      'PATCH /api/v1/webhooks/w-1': {},
      'POST /api/v1/webhooks/w-1/renew-secret': refused,
      'POST /api/v1/auth/confirm-password': () => undefined,
      'DELETE /api/v1/webhooks/w-1': unable,
    }),
    acts: [
      press('Resume'),
      press('New secret…'),
      press('Make secret'),
      press('Cancel'),
      press('Cancel'),
      press('Remove…'),
      press('Remove'),
      press('Cancel'),
    ],
  },
  'a receiver that cannot be read': {
    path: '/webhooks/w-1',
    answers: { 'GET /api/v1/webhooks/w-1': unable },
    acts: [answering('it can', answers(receiver())), press('Try again')],
  },
  receivers: {
    path: '/webhooks',
    answers: {
      'GET /api/v1/webhooks': {
        webhooks: [
          receiver(all),
          receiver({ id: 'w-2', name: 'Off', status: 'paused' }),
          receiver({ id: 'w-3', name: 'Broken', status: 'disabled', failures: 9 }),
          receiver({ id: 'w-4', name: 'Failing', failures: 2, failing_since: at, families: [] }),
        ],
      },
      'POST /api/v1/webhooks': () =>
        refusal(422, 'invalid', 'No such host.', { errors: [{ path: '/url', message: 'unknown' }] }),
    },
    acts: [
      press('New receiver'),
      fill('Name', 'x'),
      fill('Address', 'https://x.invalid/'),
      press('Register'),
      press('Cancel'),
    ],
  },
  'no receiver': { path: '/webhooks', answers: { 'GET /api/v1/webhooks': { webhooks: [] } }, acts: [] },
  'receivers that cannot be read': { path: '/webhooks', answers: { 'GET /api/v1/webhooks': unable }, acts: [] },
  'receivers for an engineer': { path: '/webhooks', as: ['engineer'], answers: {}, acts: [open('/webhooks/w-1')] },
}

describeWalks('receivers', 'show how they do, and what was sent to them', walks)
