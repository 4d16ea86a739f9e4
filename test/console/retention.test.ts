import { refusal } from '../support/canned.ts'
import { answering, type CannedWalk, describeWalks, fill, press } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const held = (id: string, subject: object, more: object = {}) => ({
  ...{ id, status: 'in_force', reason: 'a lawsuit', placed_by: 'u-1', placed_at: at },
  ...subject,
  ...more,
})
const released = held(
  'h-3',
  { object_reference_hash: 'abcdefabcdefabcdef' },
  { status: 'released', release_reason: 'it is over', released_by: 'u-2', released_at: '2026-11-21T10:00:00Z' },
)
const holds = [held('h-1', { object_reference: 'policy:1' }), held('h-2', { ingestion_model: 'letters' }), released]
const erasure = (id: string, status: string, submissions: number) => ({
  ...{
    id,
    status,
    reason: 'a request',
    counts: { submissions, artifacts: 2 * submissions },
    erased_by: 'u-2-of-nobody',
  },
  erased_at: at,
})
const policies = [{ ingestion_model: 'letters', keep_days: 1, parts: { raw_input: 1 } }, { keep_days: 3650 }]
const kept = (more: object = {}) => ({ number: 4, policies, set_by: 'u-1', set_at: at, ...more })
const counts = (submissions: number, artifacts: number) => ({ submissions, artifacts })
const plan = (more: object = {}) => ({
  policies: [
    {
      ...{ policy: { ingestion_model: 'letters', keep_days: 1 }, counts: counts(5, 9), held: 2, at_work: 1 },
      parts: [{ part: 'raw_input', counts: counts(3, 0), held: 1, at_work: 4 }],
    },
    { policy: { keep_days: 3650 }, counts: counts(0, 0), held: 0, at_work: 0 },
  ],
  is_complete: true,
  ...more,
})
const answers = (more: object = {}) => ({
  'GET /api/v1/holds': { holds },
  'GET /api/v1/erasures': { erasures: [erasure('e-1', 'completed', 3), erasure('e-2', 'finishing', 1)] },
  'GET /api/v1/retention': kept(),
  'GET /api/v1/admin/users?limit=100': {
    users: [
      { id: 'u-1', username: 'ada' },
      { id: 'u-2', username: 'grace' },
    ],
  },
  'GET /api/v1/ingestion-models': { ingestion_models: [{ id: 'm-1', slug: 'letters', name: 'Letters' }] },
  'POST /api/v1/retention/plan': plan(),
  'POST /api/v1/retention': kept({ number: 5 }),
  'POST /api/v1/holds': held('h-4', { ingestion_model: 'letters' }),
  'POST /api/v1/holds/h-1/release': released,
  ...more,
})
const nothing = { 'GET /api/v1/holds': { holds: [] }, 'GET /api/v1/erasures': { erasures: [] } }
const refused = () => refusal(409, 'conflict', 'Somebody changed it meanwhile.')

const walks: Record<string, CannedWalk> = {
  'what is kept': {
    path: '/retention',
    answers: answers(),
    acts: [
      press('Change policies'),
      fill('Policies', '* 3650'),
      press('Count'),
      // What was counted is another text.
      fill('Policies', '* 30'),
      answering(
        'nothing is kept for a time',
        answers({ 'POST /api/v1/retention/plan': plan({ policies: [], is_complete: false }) }),
      ),
      press('Count'),
      press('Put in force'),
    ],
  },
  'a change that comes too late': {
    path: '/retention',
    answers: answers({ 'POST /api/v1/retention': refused }),
    acts: [press('Change policies'), press('Count'), press('Put in force'), press('Cancel')],
  },
  holds: {
    path: '/retention',
    answers: answers(),
    acts: [
      press('New hold'),
      fill('On', 'letters'),
      fill('Why', 'a lawsuit'),
      press('Place hold'),
      press('Release policy:1'),
      fill('Why', 'it is over'),
      press('Release'),
    ],
  },
  'nothing is held or erased, and everything kept': {
    path: '/retention',
    answers: answers({ ...nothing, 'GET /api/v1/retention': { number: 0, policies: [] } }),
    acts: [],
  },
  'for who may only read': { path: '/retention', as: ['auditor'], answers: answers(), acts: [] },
}

describeWalks('retention', 'tells what is removed when, what is kept, and sends what was counted', walks)
