import { refusal } from '../support/canned.ts'
import { answering, type CannedWalk, describeWalks, press, reads, tick } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const count = (of: number, isExact = true) => ({ count: of, is_exact: isExact })
const own = { version: '9.8.7', revision: 'abcdef0123456789', started_at: null }
const calm = {
  at,
  steps: { queued: count(0), oldest_queued_seconds: null, running: count(0), longest_running_seconds: null },
  paused: null,
  ended: { hour: { completed: count(7), failed: count(1) }, day: { completed: count(1_200), failed: count(2) } },
  failures: { causes: [], is_complete: true },
  storage: {
    artifacts_day: count(30),
    objects: null,
    data_disk: { free_bytes: 57_800_000_000, total_bytes: 100_000_000_000 },
    objects_disk: { free_bytes: 57_800_000_000, total_bytes: 100_000_000_000 },
  },
  orphan_sweep: { next_at: null, last: null },
  retention: { policies: 0, next_at: null, last_removed: null },
  outbox: { waiting: count(0), oldest_seconds: null },
  publish_failures: 0,
  webhooks: { waiting: count(0), failing: [] },
  instances: { own, other_versions: [] },
  replica: { is_configured: false, lag_seconds: null, failures: null },
  backup: { at: '2026-11-20T06:10:00Z' },
  audit_receivers: [],
}
const failure = (step: string, code: string, executions: number) => ({
  ...{ step, code, executions, last_execution_id: `e-${code}`, last_at: at },
})
const busy = {
  ...calm,
  steps: {
    ...{ queued: count(10_000, false), oldest_queued_seconds: 42, running: count(8) },
    longest_running_seconds: 0.5,
  },
  paused: { dependency: 'object-store', code: 'away', since: at, steps: 1 },
  failures: {
    causes: [
      failure('compose', 'docx.missing_value', 5),
      failure('validate', 'contract_violated', 1),
      ...['a', 'b', 'c', 'd', 'e'].map((code) => failure('render', code, 1)),
    ],
    is_complete: false,
  },
  storage: {
    artifacts_day: count(10_000, false),
    objects: { count: 1_234, bytes: 14_200, at: '2026-11-20T00:00:00Z' },
    data_disk: { free_bytes: 9, total_bytes: 100 },
    objects_disk: { free_bytes: 10, total_bytes: 100 },
  },
  orphan_sweep: { next_at: at, last: { at, found: 5, removed: 3 } },
  retention: { policies: 1, next_at: at, last_removed: { at, submissions: 4, artifact_bytes: 1, part: 'raw_input' } },
  outbox: { waiting: count(12), oldest_seconds: 200 },
  publish_failures: 3,
  webhooks: {
    waiting: count(6),
    failing: [{ id: 'w-1', name: 'Ledger', status: 'paused', failures: 9, failing_since: at }],
  },
  instances: { own: { ...own, started_at: at }, other_versions: ['9.8.7', '9.8.6'] },
  replica: { is_configured: true, lag_seconds: 90, failures: 2 },
  backup: { at: '2026-11-15T09:30:00Z' },
  audit_receivers: [
    { name: 'otlp', waiting: 4, oldest_seconds: 61, failures: 2 },
    { name: 'syslog', waiting: 0, oldest_seconds: null, failures: 0 },
    { name: 'archive', waiting: null, oldest_seconds: null, failures: null },
  ],
}
const unread = {
  ...calm,
  ...{ steps: null, ended: null, failures: null, outbox: null, publish_failures: null, webhooks: null },
  storage: { artifacts_day: null, objects: null, data_disk: null, objects_disk: null },
  retention: { policies: null, next_at: null, last_removed: null },
  instances: { own, other_versions: null },
  replica: { is_configured: true, lag_seconds: null, failures: 0 },
  ...{ backup: null, audit_receivers: null },
}
const several = {
  ...calm,
  retention: { policies: 2, next_at: null, last_removed: { at, submissions: 4, artifact_bytes: 1 } },
  instances: { own, other_versions: ['9.8.7'] },
  replica: { is_configured: true, lag_seconds: 0.2, failures: 0 },
}
const unable = () => refusal(503, 'unavailable', 'Not now.')
const status = (of: object | (() => Response)) => ({ 'GET /api/v1/admin/operations': of })

const dependency = (name: string, state: string, ms: number, more: object = {}) => ({
  ...{ name, operation: 'asked', status: state, duration_ms: ms, ...more },
})
const ready = {
  status: 'ready',
  dependencies: [
    dependency('relational-db', 'ready', 1.26),
    dependency('message-bus', 'ready', 0),
    dependency('object-store', 'ready', 12_345),
    dependency('outbox', 'ready', 0.04),
  ],
}
const build = { version: '9.8.7', revision: 'abcdef0123456789', api_version: '1.2' }
const readiness = (of: object, live: object | (() => Response) = { status: 'live', build }) => ({
  'GET /api/v1/admin/readiness': of,
  'GET /health/live': live,
})
const outbox = (backlog: number, more: object = {}) => ({
  ...{ backlog_size: backlog, oldest_unpublished_age_seconds: 0, consumer_last_success_at: null, publish_failures: 0 },
  ...more,
})

const walks: Record<string, CannedWalk> = {
  'all is well': {
    path: '/operations',
    answers: status(calm),
    acts: [
      reads(
        '.ops-value',
        '0',
        '7',
        '0',
        '57.8 GB',
        'Not known',
        'Off',
        'Empty',
        'Empty',
        'None',
        '1',
        '3 h 20 min',
        'None',
      ),
      answering('much is to be done', status(busy)),
      tick,
      reads('.ops-value', '10,000+', '7', '11+', '9 B', '3', '1', '12', '6', '3', '3', '5 days', '1 min 30 s'),
      reads(
        '.ops-note',
        ...[
          'steps wait, the oldest for 42 s',
          'executions completed in the last hour',
          'failed in the last day, not retried',
        ],
        ...[
          'free of 100 B for the data',
          'removed of 5 found',
          'policy in force',
          'events wait, the oldest for 3 min 20 s',
        ],
        ...['deliveries wait', 'have the trail as it is sealed', 'with this one', 'since the last quire backup'],
        'behind the database',
      ),
      reads('#queue div:not(:last-child) dd', '8', 'less than 1 s'),
      answering('nothing can be read', status(unread)),
      tick,
      answering('more than one of each', status(several)),
      tick,
      answering('it does not answer', status(unable)),
      tick,
      answering('it does', status(calm)),
      press('Try again'),
    ],
  },
  'what cannot be read': { path: '/operations', answers: status(unable), acts: [] },
  'every dependency is ready': {
    path: '/readiness',
    answers: readiness({ ...ready, outbox: outbox(0) }),
    acts: [
      reads('td.number', '1.3 ms', '0.0 ms', '12,345.0 ms', '0.0 ms'),
      answering(
        'one is not',
        readiness({
          status: 'unavailable',
          dependencies: [dependency('object-store', 'unavailable', 5_000, { reason: 'It refuses.' })],
          paused: { dependency: 'object-store', code: 'away', since: at, steps: 17 },
          outbox: outbox(4, {
            oldest_unpublished_age_seconds: 61.6,
            consumer_last_success_at: at,
            publish_failures: 5,
          }),
        }),
      ),
      tick,
      reads('section:not([aria-label]) div:not(:nth-child(3)) dd', '4 events', '62 s', '5 since the start'),
      answering('it does not answer', readiness(unable)),
      tick,
      answering('it does', readiness(ready)),
      press('Try again'),
    ],
  },
  'an instance that tells no build': {
    path: '/readiness',
    answers: readiness(ready, unable),
    acts: [],
  },
  'an instance of before': {
    path: '/readiness',
    answers: readiness(ready, () => Response.json({ status: 'live', build: { version: '0.1.0' } })),
    acts: [],
  },
  'readiness that cannot be read': { path: '/readiness', answers: readiness(unable), acts: [] },
}

describeWalks(
  'operations',
  'say how it goes, what somebody has to look at first, and whether everything answers',
  walks,
)
