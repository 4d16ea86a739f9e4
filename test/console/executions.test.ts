import { answering, type CannedWalk, describeWalks, fill, open, press, tick } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const done = '2026-11-20T09:30:01Z'
const hash = 'a'.repeat(64)
const step = (name: string, position: number, status: string, more: object = {}) => ({
  ...{ name, position, status, attempt: 1, state_version: 2, started_at: at, ...more },
})
const execution = (id: string, status: string, steps: object[], more: object = {}) => ({
  ...{ id, release_id: 'r-1', release_hash: hash, processing_kind: 'document_generation', input_hash: hash, status },
  ...{ raw_input_hash: hash, submitted_by: 'u-1', submission_id: `s-${id}`, processing_node_id: 'n-1' },
  ...{ correlation_id: 'c-1', created_at: at, updated_at: done, artifacts: [], steps },
  ...more,
})
const file = (kind: string) => ({ id: `a-${kind}`, kind, byte_size: 10, content_hash: hash })
const failure = { code: 'docx.missing_value', message: 'No number.', issues: [] }
const all = [
  execution('e-1', 'completed', [step('validate', 1, 'succeeded')], {
    completed_at: done,
    artifacts: [file('docx'), file('pdf')],
  }),
  execution('e-2', 'failed', [step('validate', 1, 'succeeded'), step('compose', 3, 'failed', { failure })]),
  execution('e-3', 'processing', [step('validate', 1, 'succeeded'), step('compose', 3, 'running')]),
  execution('e-4', 'completed', [step('validate', 1, 'succeeded')], { completed_at: done }),
  execution('e-5', 'queued', []),
]
const submission = (id: string, reference: string) => ({
  ...{ id, model_slug: 'letters', object_reference: reference, created_at: at },
  executions: [{ id: id.slice(2), node_label: 'Letter', status: 'completed' }],
})
const submissions = all.map(({ id }, index) => submission(`s-${id}`, `policy:${index}`))
const listed = (executions: object[], more: object = {}) => ({
  'GET /api/v1/executions': { executions },
  'GET /api/v1/submissions': { submissions },
  ...more,
})
const found = (reference: string, submissions: object[]) => ({
  [`GET /api/v1/submissions?object_reference=${reference}&limit=100`]: { submissions },
})
const ofOld = { ...found('old%3A9', [submission('s-e-9', 'old:9')]), ...found('unheard-of', []) }

const walks: Record<string, CannedWalk> = {
  'all executions': {
    path: '/executions',
    answers: listed(all),
    acts: [
      fill('Object or id', 'POLICY:1'),
      press('Clear'),
      fill('Object or id', 'e-3'),
      answering('it is done', listed([{ ...all[2], status: 'completed', completed_at: done }])),
      tick,
      press('Clear'),
      fill('Status', 'failed'),
      press('Clear'),
    ],
  },
  'an object whose executions are further back': {
    path: '/executions?find=old:9',
    answers: listed(all, ofOld),
    acts: [open('/executions?find=unheard-of')],
  },
  'nothing has run': { path: '/executions', answers: listed([]), acts: [open('/executions?status=failed')] },
  'for who may not repeat them': {
    path: '/executions?status=failed',
    as: ['auditor'],
    answers: listed([all[1] as object]),
    acts: [],
  },
}

describeWalks('executions', 'say of each what it is about, where it is, what it made or why it failed', walks)
