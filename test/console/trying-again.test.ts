import { expect } from 'bun:test'
import { refusal } from '../support/canned.ts'
import { type Act, answering, type CannedWalk, describeWalks, fill, open, press } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const packed = `{"number": 1, "name": "${'x'.repeat(200)}"}`
const execution = (more: object = {}) => ({
  ...{ id: 'e-1', submission_id: 's-1', release_id: 'r-1', release_hash: 'h', processing_kind: 'document_generation' },
  ...{ input_hash: 'h', raw_input_hash: 'h', raw_input: packed, status: 'failed', submitted_by: 'u-1' },
  ...{ correlation_id: 'c-1', created_at: at, updated_at: at, steps: [], artifacts: [], ...more },
})
const submission = (more: object = {}) => ({
  ...{ id: 's-1', object_reference: 'policy:1', model_slug: 'letters', created_at: at, raw_input_hash: 'h' },
  ...{ object_time: '2026-10-01T08:15:30Z', correlation_id: 'c-1', submitted_by: 'u-1', executions: [] },
  params: { tone: 'warm', copies: 2, from: '2026-11-01T12:00:00+02:00', day: '2026-11-01' },
  ...more,
})
const param = (name: string, type: string) => ({ name, type, transformers: ['to-letter'] })
const plan = (more: object = {}) => ({
  ...{ contract: { family_id: 'k-1', version: 2, version_id: 'kv-2', name: 'Letter' }, issues: [], valid: true },
  ...{ object_time: at, object_time_from: 'default', object_reference_from: 'default', nodes: [] },
  params: [param('tone', 'string'), param('copies', 'decimal'), param('from', 'datetime'), param('day', 'date')],
  ...more,
})
const schema = '{"type": "object", "properties": {"number": {"type": "integer"}, "name": {"type": "string"}}}'
const noChoice = {
  'GET /api/v1/contracts/k-1/versions/2': {
    schema: '{"type": "object", "required": ["kind"], "properties": {"kind": {"const": "letter"}}}',
  },
}
const unable = () => refusal(503, 'unavailable', 'Not now.')
const answers = (planned: object | (() => Response) = plan(), more: object = {}) => ({
  'GET /api/v1/ingestion-models': { ingestion_models: [{ id: 'm-1', slug: 'letters', name: 'Letters' }] },
  'GET /api/v1/releases': { releases: [{ id: 'r-1', name: 'By hand', automatic: false }] },
  'POST /api/v1/submissions/plan': planned,
  'GET /api/v1/contracts/k-1/versions/2': { schema },
  'GET /api/v1/cases': { cases: [] },
  'GET /api/v1/submissions/s-1': submission(),
  'GET /api/v1/executions/e-1': execution(),
  'POST /api/v1/submissions': (body: unknown) => {
    submitted = body
    return refusal(409, 'conflict', 'It is corrected already.')
  },
  ...more,
})
let submitted: unknown
const isSubmitted = (body: object): Act => [
  'all of it was sent, with what it corrects',
  async () => expect(submitted).toMatchObject(body),
]
const path = '/submissions/new?model=letters&corrects=s-1&execution=e-1'

const cause = (step: string, code: string, executions: number, retried: number) => ({ step, code, executions, retried })
/** Two pages of what failed, the same when it is only counted. */
const retried = (body: unknown) =>
  (body as { after?: string }).after === undefined
    ? {
        retried: 3,
        causes: [cause('render', 'render_failed', 4, 3), cause('compose', 'no_value', 9, 0)],
        next_after: 'n-1',
      }
    : { retried: 2, causes: [cause('render', 'render_failed', 7, 2), cause('render', 'step_overran', 1, 0)] }
const listed = { 'GET /api/v1/executions': { executions: [] }, 'GET /api/v1/submissions': { submissions: [] } }
const retry = 'POST /api/v1/executions/retry'

const walks: Record<string, CannedWalk> = {
  'what was submitted is where its correction begins': {
    path,
    answers: answers(),
    acts: [
      press('Submit'),
      isSubmitted({
        ...{ ingestion_model: 'letters', corrects: 's-1', object_reference: 'policy:1' },
        official_time: '2026-10-01T08:15:30.000Z',
        params: { tone: 'warm', copies: 2, from: '2026-11-01T10:00:00Z', day: '2026-11-01' },
      }),
    ],
  },
  'what the input tells itself isn’t asked for beside it': {
    path,
    answers: answers(plan({ object_reference_from: 'input', object_time_from: 'input' })),
    acts: [],
  },
  'neither a reference nor a time of its own': {
    path,
    answers: answers(plan(), {
      'GET /api/v1/submissions/s-1': submission({ object_reference: 's-1', object_time: at, params: undefined }),
      'GET /api/v1/executions/e-1': execution({ raw_input: '{"number": 1}' }),
    }),
    acts: [],
  },
  'of a release, and a plan that cannot be made': {
    path: '/submissions/new?release=r-1&corrects=s-1&execution=e-1',
    answers: answers(unable),
    acts: [],
  },
  'an execution that cannot be read': {
    path,
    answers: answers(plan(), { 'GET /api/v1/executions/e-1': unable }),
    acts: [answering('it can', answers()), press('Try again')],
  },
  'an execution that cannot be read at first, under a contract that leaves no choice': {
    path: `${path}&again`,
    answers: answers(plan(), { ...noChoice, 'GET /api/v1/executions/e-1': unable }),
    acts: [
      answering('it can', answers(plan(), noChoice)),
      press('Try again'),
      press('Submit'),
      isSubmitted({
        corrects: 's-1',
        object_reference: 'policy:1',
        raw_input: expect.stringContaining('x'.repeat(200)),
      }),
    ],
  },
  'a submission that cannot be read': {
    path,
    answers: answers(plan(), { 'GET /api/v1/submissions/s-1': unable }),
    acts: [],
  },
  'all that failed': {
    path: '/executions?status=failed&release_id=r-1',
    answers: { ...listed, [retry]: retried },
    acts: [
      press('Retry failed'),
      press('Cancel'),
      press('Retry failed'),
      answering('it is refused', { ...listed, [retry]: unable }),
      press('Retry 5'),
      answering('it is taken', { ...listed, [retry]: retried }),
      press('Retry 5'),
    ],
  },
  'nothing that may pass': {
    path: '/executions?status=failed',
    answers: { ...listed, [retry]: { retried: 0, causes: [cause('compose', 'no_value', 2, 0)] } },
    acts: [
      press('Retry failed'),
      press('Cancel'),
      answering('nothing failed', { ...listed, [retry]: { retried: 0, causes: [] } }),
      press('Retry failed'),
      press('Cancel'),
      answering('it cannot be counted', { ...listed, [retry]: unable }),
      press('Retry failed'),
      answering('it can', { ...listed, [retry]: retried }),
      press('Try again'),
      press('Cancel'),
      fill('Status', 'completed'),
      open('/executions'),
    ],
  },
}

describeWalks('trying again', 'begins with what was submitted, and takes back into the queue what may pass', walks)
