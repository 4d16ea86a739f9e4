import { refusal } from '../support/canned.ts'
import { answering, being, type CannedWalk, describeWalks, fill, pick, press } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const user = (id: string, name: string, more: object = {}) => ({
  ...{ id, username: name, display_name: `The ${name}`, roles: ['operator'], disabled: false, is_service: false },
  ...{ must_change_password: false, created_at: at, updated_at: at, ...more },
})
const users = [
  user('u-1', 'ada', { roles: ['administrator', 'business_viewer'], second_factors: 2 }),
  user('u-2', 'grace', { must_change_password: true, second_factors: 0 }),
  user('u-3', 'robot', { is_service: true }),
  user('u-4', 'joan', { provider_subject: 'sub-4' }),
  user('u-5', 'gone', { disabled: true, second_factors: 1 }),
]
const unable = () => refusal(503, 'unavailable', 'Not now.')
const refused = () => refusal(409, 'conflict', 'Somebody was quicker.')
const listed = (all: object[], more: object = {}) => ({ 'GET /api/v1/admin/users': { users: all }, ...more })
const path = 'PATCH /api/v1/admin/users'
const taken = Object.fromEntries(users.map((one) => [`${path}/${one.id}`, { user: one }]))

const token = (name: string, status: string, more: object = {}) => ({
  ...{ id: `t-${name}`, name, user: { id: 'u-1', username: 'ada', is_service: false }, scopes: ['submission_read'] },
  ...{ status, created_by: 'u-1', created_at: at, expires_at: '2099-01-01T00:00:00Z', ...more },
})
const tokens = [
  token('nightly', 'active', {
    scopes: ['submission_create', 'artifact_download'],
    families: [
      { id: 'm-1', kind: 'ingestion_model', slug: 'letters', name: 'Letters' },
      { id: 'm-2', kind: 'ingestion_model', slug: 'bills', name: 'Bills' },
    ],
    ...{ last_used_at: at, last_address: '10.0.0.7' },
  }),
  token('old', 'expired', { families: [] }),
  token('lost', 'revoked'),
]
const models = { 'GET /api/v1/ingestion-models': { ingestion_models: [{ id: 'm-1', name: 'Letters' }] } }
const secret = { secret: 'qr_secret', token: token('new', 'active') }

const walks: Record<string, CannedWalk> = {
  users: {
    path: '/users',
    answers: listed(users, {
      ...taken,
      'DELETE /api/v1/admin/users/u-1/factors': () => undefined,
      'POST /api/v1/admin/users/u-2/reset-password': refused,
      'GET /api/v1/admin/users/u-4/sessions': {
        sessions: [{ id: 'x-1', created_at: at, is_current: false, is_waiting: false, address: '10.0.0.8' }],
      },
      'DELETE /api/v1/admin/users/u-4/sessions/x-1': refused,
      'POST /api/v1/admin/users/u-4/revoke-sessions': () => undefined,
    }),
    acts: [
      // Oneself: nobody disables oneself.
      press(/^The ada/),
      press('Save'),
      press(/^The ada/),
      press('Remove second factors…'),
      press('Remove'),
      press(/^The ada/),
      pick('business viewer'),
      press('Save'),
      press(/^The ada/),
      pick('business viewer'),
      pick('auditor'),
      fill('Name', 'Ada L.'),
      press('Save'),
      press(/^The grace/),
      press('New password…'),
      fill('First password', 'a-long-and-odd-phrase'),
      press('Set password'),
      press('Cancel'),
      press(/^The grace/),
      pick('auditor'),
      press('Save'),
      press(/^The grace/),
      press('Disable…'),
      press('Disable'),
      // Neither has a password here.
      press(/^The robot/),
      press('Cancel'),
      press(/^The joan/),
      press('End sessions…'),
      press('End'),
      press('Try again'),
      press('End all'),
      press(/^The gone/),
      press('Enable…'),
      press('Enable'),
      press('New service account'),
      press('Cancel'),
      press('New user'),
    ],
  },
  'no users': { path: '/users', answers: listed([]), acts: [] },
  'more users than were read': {
    path: '/users',
    answers: { 'GET /api/v1/admin/users': { users: users.slice(0, 2), next_cursor: 'n-1' } },
    acts: [],
  },
  'users that cannot be read': {
    path: '/users',
    answers: { 'GET /api/v1/admin/users': unable },
    acts: [answering('they can', listed(users.slice(0, 1))), press('Try again')],
  },
  'everybody’s tokens': {
    path: '/tokens',
    answers: {
      'GET /api/v1/admin/tokens': { tokens },
      ...listed([...users, user('u-6', 'ended', { is_service: true, disabled: true })]),
      ...models,
      'POST /api/v1/tokens': refused,
      'POST /api/v1/tokens/t-nightly/revoke': refused,
    },
    acts: [
      press('nightly'),
      press('Revoke…'),
      press('Revoke'),
      press('Cancel'),
      press('old'),
      press('Close'),
      press('lost'),
      press('Close'),
      press('New token'),
      fill('Name', 'new'),
      pick('submission read'),
      pick('Letters'),
      fill('For', 'u-3'),
      fill('Days', '7'),
      press('Make token'),
      answering('it is made', { 'GET /api/v1/admin/tokens': { tokens }, 'POST /api/v1/tokens': secret }),
      fill('For', 'u-1'),
      pick('Letters'),
      press('Make token'),
      press('Done'),
      press('New token'),
      press('Cancel'),
    ],
  },
  'no token': { path: '/tokens', answers: { 'GET /api/v1/admin/tokens': { tokens: [] } }, acts: [] },
  'one’s own tokens': {
    path: '/tokens',
    as: ['engineer'],
    answers: { 'GET /api/v1/tokens': { tokens: tokens.slice(0, 1) }, ...models, 'POST /api/v1/tokens': secret },
    acts: [press('New token'), fill('Name', 'mine'), press('Make token')],
  },
  'tokens of who may not list models': {
    path: '/tokens',
    as: ['business_viewer'],
    answers: { 'GET /api/v1/tokens': { tokens: [] }, ...models },
    acts: [press('New token'), press('Cancel'), being('an administrator', ['administrator'])],
  },
}

describeWalks('people', 'are listed with what each may do, and changed, and their programs come in with tokens', walks)
