import { refusal } from '../support/canned.ts'
import { answering, type CannedWalk, describeWalks, fill, open, press, reads } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const hash = (digit: string) => digit.repeat(64)
const quire = '00000000-0000-0000-0000-000000000000'
const someone = '11111111-2222-3333-4444-555555555555'
const record = (id: string, action: string, more: object = {}) => ({
  ...{ id, actor_id: 'u-1', action, resource_kind: 'ingestion_model', correlation_id: 'c-1', at, detail: {}, ...more },
})
const records = [
  record('r-3', 'contract.created', { resource_id: 'k-1', actor_id: 'u-1' }),
  record('r-2', 'session.opened', {
    ...{ actor_id: quire, position: 2, hash: hash('a'), previous_hash: hash('b'), detail: { address: '10.0.0.7' } },
    resource_kind: 'session',
  }),
  record('r-1', 'model.frozen', { actor_id: someone, position: 1, hash: hash('b') }),
]
const users = { users: [{ id: 'u-1', username: 'ada' }] }
const unable = () => refusal(503, 'unavailable', 'Not now.')
const audit = (all: object[] | (() => Response), more: object = {}) => ({
  'GET /api/v1/audit': typeof all === 'function' ? all : { audit: all },
  'GET /api/v1/admin/users': users,
  ...more,
})
const part = (of: object) => ({
  ok: true,
  from_position: 1,
  head_position: 9,
  head_hash: hash('c'),
  unsealed: 0,
  ...of,
})
const verify = 'GET /api/v1/audit/verify'

const id = '22222222-3333-4444-5555-666666666666'
const document = (name: string, format: string, more: object = {}) => ({
  ...{ artifact_id: name, submission_id: 's-1', object_reference: `policy:${name}`, model_slug: 'letters', format },
  ...{ producing_node_label: 'Letter', producing_node_address: '/letter', byte_size: 14_200, content_hash: hash('d') },
  ...{ created_at: at, download_path: `/api/v1/executions/${id}/artifacts/${name}/download`, ...more },
})
const documents = [
  document('a', 'pdf'),
  document('b', 'docx', { byte_size: 812 }),
  document('c', 'pdf', { removed_at: at }),
  document('d', 'pdf', { object_reference: 's-1', download_path: '/api/v1/other' }),
]
const storage = (all: object[] | (() => Response)) => ({
  'GET /api/v1/storage': typeof all === 'function' ? all : { storage: all },
  [`GET /api/v1/executions/${id}/artifacts/a/download`]: () =>
    new Response('%PDF-1.7', { headers: { 'content-type': 'application/pdf' } }),
  'GET /api/v1/other': unable,
})

const walks: Record<string, CannedWalk> = {
  'the trail': {
    path: '/audit',
    answers: audit(records, {
      [verify]: part({ checked: 5, next_position: 6 }),
      [`${verify}?from_position=6`]: part({ checked: 4, unsealed: 2 }),
    }),
    acts: [
      press('session.opened'),
      press('Close'),
      press('contract.created'),
      press('Close'),
      press('model.frozen'),
      press('Close'),
      press('Check the chain'),
      answering('nothing waits to be sealed', audit(records, { [verify]: part({ checked: 1 }) })),
      press('Check the chain'),
      answering(
        'it breaks, and nothing more is asked',
        audit(records, {
          [verify]: part({ ok: false, checked: 3, next_position: 4, broken: { position: 3, reason: 'another hash' } }),
        }),
      ),
      press('Check the chain'),
      answering('it cannot be checked', audit(records, { [verify]: unable })),
      press('Check the chain'),
      answering('it can', audit(records, { [verify]: part({ checked: 9 }) })),
      press('Try again'),
      fill('Action', 'contract.created'),
      fill('Kind', 'contract'),
      fill('Until', '2026-11-20T10:00'),
      press('Clear'),
    ],
  },
  'a record that the address names': { path: '/audit?record=r-1', answers: audit(records), acts: [] },
  'for an auditor, who sees no names': { path: '/audit', as: ['auditor'], answers: audit(records), acts: [] },
  'no record': { path: '/audit?action=x.y', answers: audit([]), acts: [] },
  'a trail that cannot be read': {
    path: '/audit',
    answers: audit(unable),
    acts: [answering('it can', audit([])), press('Try again')],
  },
  documents: {
    path: '/storage',
    as: ['administrator', 'operator'],
    answers: storage(documents),
    acts: [
      reads('td.number:not(:last-child)', '14.2 KB', '812 B', '14.2 KB', '14.2 KB'),
      press(/^policy:a/),
      reads('dialog .lede-facts > span', '14.2 KB'),
      press('Close'),
      press(/^…/),
      press('Close'),
      fill('Format', 'docx'),
      fill('Object', 'policy:a'),
      press('Clear'),
    ],
  },
  'no document': { path: '/storage', answers: storage([]), acts: [open('/storage?format=pdf')] },
  'documents for who sees no executions': {
    path: '/storage?show=a',
    as: ['business_viewer'],
    answers: storage(documents),
    acts: [],
  },
  'documents for who may not download': {
    path: '/storage?show=a',
    as: ['auditor'],
    answers: storage(documents),
    acts: [],
  },
  'documents that cannot be read': { path: '/storage', answers: storage(unable), acts: [] },
}

describeWalks('records', 'are listed as they are filtered, and say who did what and what was made', walks)
