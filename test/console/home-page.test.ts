import { refusal } from '../support/canned.ts'
import { answering, type CannedWalk, describeWalks, press, tick } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const dependency = (name: string, status: string) => ({ name, operation: 'asked', status, duration_ms: 1 })
const outbox = (backlog: number, ageSeconds: number) => ({
  ...{ backlog_size: backlog, oldest_unpublished_age_seconds: ageSeconds },
  ...{ consumer_last_success_at: at, publish_failures: 0 },
})
const ready = {
  status: 'ready',
  dependencies: [dependency('relational-db', 'ready'), dependency('object-store', 'ready')],
  outbox: outbox(0, 0),
}
const unready = (steps: number) => ({
  status: 'unavailable',
  dependencies: [
    dependency('relational-db', 'ready'),
    dependency('message-bus', 'unavailable'),
    dependency('object-store', 'unavailable'),
  ],
  paused: { dependency: 'object-store', code: 'away', since: at, steps },
  outbox: outbox(12, 61.4),
})
const failure = (code: string, more: object = {}) => ({ code, message: `It was ${code}.`, issues: [], ...more })
const execution = (id: string, status: string, more: object = {}) => ({
  ...{ id, submission_id: `s-${id}`, release_id: 'r-1', release_hash: 'h', processing_kind: 'document_generation' },
  ...{ input_hash: 'h', raw_input_hash: `hash-${id}`, status, submitted_by: 'u-1', correlation_id: 'c-1' },
  ...{ created_at: at, updated_at: at, artifacts: [], steps: [], ...more },
})
const failed = (id: string, code: string) =>
  execution(id, 'failed', {
    steps: [{ name: 'render', position: 4, status: 'failed', attempt: 5, state_version: 1, failure: failure(code) }],
  })
const submission = (id: string) => ({
  ...{ id, object_reference: `policy:${id}`, model_slug: 'letters', created_at: at, object_time: at },
  ...{ raw_input_hash: 'h', correlation_id: 'c-1', submitted_by: 'u-1' },
  executions: [
    { id: `e-${id}`, node_label: 'Letter', status: 'completed' },
    { id: `f-${id}`, node_label: 'Bill', status: 'failed' },
  ],
})
const activation = (kind: string, slug: string, status: string) => ({
  ...{ id: `a-${slug}`, kind, family_id: `f-${slug}`, family_slug: slug, version: 3, status, effective_from: at },
  ...{ scheduled_at: at, correlation_id: 'c-1' },
})
const scenario = (id: string, expected: string) => ({
  ...{ id, name: id, description: '', schedule_interval_months: 1, expected_outcome: expected, raw_input: '{}' },
  ...{ raw_input_hash: `hash-${id}`, metadata: { source_object: 'x', source_actor: 'y' } },
})
const query = (path: string, of: object | (() => Response)) => ({ [`GET /api/v1/${path}`]: of })
const unable = () => refusal(503, 'unavailable', 'Not now.')
const home = (more: Record<string, object | (() => Response)> = {}) => ({
  'GET /api/v1/admin/readiness': ready,
  'GET /health/ready': { status: 'ready', dependencies: [] },
  'GET /api/v1/intake-test-lab/scenarios': {
    ready: true,
    scenarios: [scenario('invalid', 'Failed at validate.'), scenario('monthly', 'Completed: a letter.')],
  },
  ...query('executions?status=failed&limit=100', { executions: [failed('invalid', 'contract_violated')] }),
  ...query('executions?status=processing&limit=100', { executions: [execution('p', 'processing')] }),
  ...query('submissions?limit=8', { submissions: [submission('1')] }),
  ...query('activations?status=active&limit=100', {
    activations: [activation('ingestion_model', 'letters', 'active'), activation('template', 'letterhead', 'active')],
  }),
  ...query('activations?status=scheduled&limit=100', {
    activations: [activation('transformer', 'to-letters', 'scheduled')],
  }),
  'GET /api/v1/submissions/s-monthly': { ...submission('s-monthly'), id: 's-monthly' },
  ...more,
})
const nothing = {
  ...query('executions?status=failed&limit=100', { executions: [] }),
  ...query('executions?status=processing&limit=100', { executions: [] }),
  ...query('submissions?limit=8', { submissions: [] }),
  ...query('activations?status=active&limit=100', { activations: [] }),
  ...query('activations?status=scheduled&limit=100', { activations: [] }),
}
/** More than are shown, and than were read. */
const many = ['monthly', 'a', 'b', 'c', 'd', 'e'].map((id) => failed(id, `bad_${id}`))
const refused = Object.fromEntries(Object.keys(home()).map((name) => [name, unable] as [string, () => Response]))

const walks: Record<string, CannedWalk> = {
  'all is well': {
    path: '/',
    answers: home(),
    acts: [
      answering(
        'much is not',
        home({
          'GET /api/v1/admin/readiness': unready(1),
          ...query('executions?status=failed&limit=100', { executions: many, next_cursor: 'n-1' }),
          ...query('executions?status=processing&limit=100', { executions: [], next_cursor: 'n-1' }),
        }),
      ),
      tick,
      answering(
        'less is not',
        home({
          'GET /api/v1/admin/readiness': { ...unready(2), outbox: outbox(3, 60) },
          ...query('executions?status=failed&limit=100', { executions: [failed('monthly', 'bad')] }),
        }),
      ),
      tick,
      answering('there is nothing', home(nothing)),
      tick,
      answering('it does not answer', refused),
      tick,
      answering('it does', home()),
      press('Try again'),
    ],
  },
  'nothing can be read': { path: '/', answers: refused, acts: [] },
  'for an engineer': { path: '/', as: ['engineer'], answers: home(), acts: [] },
  'for an auditor': { path: '/', as: ['auditor'], answers: home(), acts: [] },
  'for a business viewer': { path: '/', as: ['business_viewer'], answers: home(), acts: [] },
}

describeWalks('home', 'says whether it works, who is needed, what is in force and what came in', walks)
