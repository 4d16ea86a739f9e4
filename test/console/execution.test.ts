import { refusal } from '../support/canned.ts'
import { until } from '../support/until.ts'
import { type Act, answering, type CannedWalk, describeWalks, press, reads, unfold } from './walks.ts'

const at = '2026-11-20T09:30:00.000Z'
const after = (ms: number) => new Date(Date.parse(at) + ms).toISOString()
const hash = (digit: string) => digit.repeat(64)
const step = (name: string, position: number, status: string, more: object = {}) => ({
  ...{ name, position, status, attempt: 1, state_version: 2, ...more },
})
const done = (name: string, position: number, fromMs: number, toMs: number, workMs: number, more: object = {}) =>
  step(name, position, 'succeeded', {
    ...{ started_at: after(fromMs), finished_at: after(toMs), duration_ms: workMs, ...more },
  })
const validated = done('validate', 1, 100, 150, 40)
const transformed = done('transform.declarative', 2, 150, 2_150, 2_000)
const steps = [done('compose', 3, 2_150, 3_000, 700, { attempt: 2 }), transformed, validated]
const file = (kind: string, bytes: number, more: object = {}) => ({
  ...{ id: `a-${kind}`, kind, byte_size: bytes, content_hash: hash(kind === 'pdf' ? 'd' : 'e'), ...more },
})
const node = { id: 'e-1', release_id: 'r-1', release_hash: hash('1'), processing_kind: 'document_generation' }
const execution = (status: string, more: object = {}) => ({
  ...node,
  ...{ input_hash: hash('2'), raw_input_hash: hash('3'), submitted_by: 'u-1', submission_id: 's-1', status },
  ...{ processing_node_id: 'n-1', correlation_id: 'c-1', created_at: at, updated_at: after(3_000), artifacts: [] },
  ...{ steps, raw_input: '{"number": 1}', ...more },
})
const completed = execution('completed', {
  ...{ completed_at: after(3_250), output_hash: hash('4'), output: { number: 1 } },
  metadata: { source_object: 'policy:7', source_actor: 'intake' },
  artifacts: [file('docx', 812), file('pdf', 14_200)],
})
const submission = (more: object = {}) => ({
  ...{ id: 's-1', model_slug: 'letters', object_reference: 'policy:8', created_at: at, raw_input_hash: hash('3') },
  executions: [
    { id: 'e-0', node_label: 'Other', status: 'completed' },
    { id: 'e-1', node_label: 'Letter', status: 'completed' },
  ],
  ...more,
})
const pinned = (slug: string, version: number, digit: string) => ({
  ...{ family_id: `f-${slug}`, slug, name: `The ${slug}`, version_id: `v-${slug}`, version },
  content_hash: hash(digit),
})
const manifest = (more: object = {}) => ({
  ...{ execution_id: 'e-1', submission_id: 's-1', status: 'completed', node_label: 'Letter', node_address: '/letter' },
  ...{ contract: pinned('contract', 2, '5'), transformer: pinned('transformer', 3, '6') },
  ...{ object_time: at, product_version: '9.8.7', manifest_hash: hash('9'), ...more },
})
const whole = manifest({
  ...{ ingestion_model: pinned('model', 4, '7'), template: pinned('template', 5, '8') },
  parent_execution_id: '11111111-1111-4111-8111-222222222222',
})
const unable = () => refusal(503, 'unavailable', 'Not now.')
const refused = () => refusal(409, 'conflict', 'It runs again.')
const pdf = () => new Response('%PDF-1.7', { headers: { 'content-type': 'application/pdf' } })
const later = (...submissions: object[]) => ({
  'GET /api/v1/submissions?corrects=s-1&limit=10': { submissions },
})

/** What the page is told of an execution while it is looked at. */
let trace: ReadableStreamDefaultController<Uint8Array> | undefined
const stream = () =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(opened) {
        trace = opened
      },
    }),
    {
      headers: { 'content-type': 'text/event-stream' },
    },
  )
const told = (event: string): Act => [
  `the trace tells ${event}`,
  async (page) => {
    trace?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: {}\n\n`))
    await until('the page has read it', () => (trace?.desiredSize ?? 0) > 0)
    await page.settled()
  },
]
const hasFocus = (label: string): Act => [
  `${label} has the focus`,
  async () => {
    const focused = document.activeElement?.getAttribute('aria-label')
    if (focused !== label) throw new Error(`the focus is on ${focused}`)
  },
]

/** Each walk has an execution of its own: what has ended is never read again. */
const of = (id: string, what: object, more: object = {}) => ({
  [`GET /api/v1/executions/${id}`]: { ...what, id },
  [`GET /api/v1/executions/${id}/trace`]: stream,
  'GET /api/v1/submissions/s-1': submission(),
  [`GET /api/v1/executions/${id}/provenance`]: manifest(),
  [`GET /api/v1/executions/${id}/artifacts/a-pdf/download`]: pdf,
  ...later(),
  ...more,
})
const failedAt = (name: string, position: number, code: string, message: string, issues: object[], attempt = 1) =>
  step(name, position, 'failed', {
    ...{ attempt, started_at: after(200), finished_at: after(240) },
    ...{ failure: { code, message, issues } },
  })
const failed = (last: object, more: object = {}) =>
  execution('failed', {
    steps: [validated, last].slice((last as { position: number }).position === 1 ? 1 : 0),
    ...more,
  })
const packed = `{"number": "one", "lines": [{"amount": 1}, {"amount": "much"}], "text": "${'x'.repeat(200)}"}`
const ofInput = (issues: object[], message = 'Two places break the contract.') =>
  failedAt('validate', 1, 'contract_violated', message, issues)
const issue = (path: string, keyword: string, message: string) => ({ path, keyword, message })
const check = (subject: string, more: object = {}) => ({ subject, recorded: hash('a'), identical: true, ...more })
const verified = (identical: boolean, checks: object[]) => ({
  ...{ execution_id: 'e-1', identical, engine_revision: '1', product_version: '9.8.7', checks },
})

const walks: Record<string, CannedWalk> = {
  'one that completed': {
    path: '/executions/e-1',
    answers: of('e-1', completed, {
      'GET /api/v1/submissions/s-1': submission({ corrects: 's-0' }),
      'GET /api/v1/executions/e-1/provenance': whole,
      'POST /api/v1/executions/e-1/verify': verified(
        true,
        ['raw_input', 'input', 'params', 'contract', 'transformer', 'template', 'release', 'fonts', 'output'].map(
          (subject) => check(subject),
        ),
      ),
      'GET /api/v1/executions/e-1/trace': (): object => ({
        events: [
          { id: 'v-1', sequence: 1, type: 'queued', data: {}, created_at: after(-5) },
          { id: 'v-2', sequence: 2, type: 'step.started', data: { step: 'compose', attempt: 1 }, created_at: after(7) },
          {
            ...{ id: 'v-3', sequence: 3, type: 'step.failed', created_at: after(1_700) },
            data: { step: 'compose', attempt: 2, code: 'render_failed', message: 'No.', other: 'x' },
          },
          {
            id: 'v-4',
            sequence: 4,
            type: 'failed',
            data: { step: 1, attempt: '2', code: '', message: 3 },
            created_at: after(9),
          },
        ],
      }),
    }),
    acts: [
      reads('.lede-facts > span:not(.status)', 'letters · Letter', '3.25 s'),
      reads('.step-name > span:first-child', 'Validate', 'Transform', 'Compose'),
      reads(
        '.step-duration',
        '40 ms (40 ms of work, 50 ms with waiting and recording)',
        '2.00 s',
        '700 ms (700 ms of work, 850 ms with waiting and recording)',
      ),
      reads('.artifact-facts > span:first-child', '14.2 KB', '812 B'),
      unfold('Trace'),
      reads('.trace-time', '+0 ms', '+7 ms', '+1700 ms', '+9 ms'),
      unfold('Trace'),
      unfold('Output'),
      unfold('Metadata'),
      press('Make it again'),
      answering('it is different', {
        'POST /api/v1/executions/e-1/verify': verified(false, [
          check('docx', { identical: false, computed: 'b'.repeat(64) }),
          check('pdf', { identical: false }),
          check('failure'),
        ]),
      }),
      press('Make it again'),
      reads('td.tone-danger', 'bbbbbbbbbb', 'not made'),
      answering('it cannot be made', { 'POST /api/v1/executions/e-1/verify': unable }),
      press('Make it again'),
    ],
  },
  'one whose documents nobody may download': {
    path: '/executions/e-2',
    beside: '/executions/e-1',
    as: ['auditor'],
    answers: of('e-2', completed),
    acts: [],
  },
  'one without an object’s name, and without documents': {
    path: '/executions/e-3',
    beside: '/executions/e-1',
    as: ['administrator', 'operator'],
    answers: of('e-3', execution('completed', { processing_kind: 'transformation', completed_at: after(1) }), {
      'GET /api/v1/submissions/s-1': submission({ object_reference: 's-1' }),
    }),
    acts: [],
  },
  'one that policies have taken from': {
    path: '/executions/e-4',
    beside: '/executions/e-1',
    answers: of('e-4', {
      ...completed,
      raw_input: undefined,
      artifacts: [file('pdf', 1_000, { removed_at: at })],
      removed: [
        { part: 'raw_input', removed_at: at, policy: { retention: 3, keep_days: 1 }, erasure_id: 'x-1' },
        { part: 'artifacts', removed_at: at, policy: { retention: 4, keep_days: 90 }, erasure_id: 'x-2' },
      ],
    }),
    acts: [],
  },
  'one at work': {
    path: '/executions/e-5',
    beside: '/executions/e-1',
    answers: of(
      'e-5',
      execution('processing', {
        steps: [
          validated,
          step('transform.declarative', 2, 'running', { started_at: after(150) }),
          step('compose', 3, 'not_started'),
        ],
      }),
    ),
    acts: [told('something unheard of'), answering('it has ended', of('e-5', completed)), told('completed')],
  },
  'one whose trace ends': {
    path: '/executions/e-6',
    beside: '/executions/e-1',
    answers: of('e-6', execution('queued', { steps: [step('validate', 1, 'queued')] })),
    acts: [
      answering('it is gone', { 'GET /api/v1/executions/e-6': () => refusal(404, 'not_found', 'Gone.') }),
      told('retried'),
    ],
  },
  'input that breaks its contract': {
    path: '/executions/e-7',
    answers: of(
      'e-7',
      failed(
        ofInput([
          issue('/number', 'type', 'must be a number'),
          issue('/lines/1/amount', 'type', 'must be a number'),
          issue('', 'required', 'Two places break the contract.'),
          issue('/nowhere', 'required', 'is missing'),
        ]),
        { raw_input: packed },
      ),
    ),
    acts: [
      reads(
        '.issue-place',
        '/numbertypeline 2, column 13',
        '/lines/1/amounttypeline 8, column 17',
        'the whole inputrequiredline 1, column 1',
        '/nowhererequired',
      ),
      press('line 8, column 17'),
      hasFocus('Raw input'),
      unfold('Raw input'),
    ],
  },
  'input that was corrected later': {
    path: '/executions/e-8',
    beside: '/executions/e-7',
    answers: of(
      'e-8',
      failed(ofInput([])),
      later(
        submission({ id: 's-3', executions: [{ id: 'e-30', node_label: 'A', status: 'failed' }] }),
        submission({ id: 's-4' }),
        submission({ id: 's-5' }),
      ),
    ),
    acts: [],
  },
  'input of lines that breaks its contract': {
    path: '/executions/e-9',
    beside: '/executions/e-7',
    answers: of(
      'e-9',
      failed(ofInput([issue('/number', 'type', 'must be a number (line 2, column 3)')]), {
        raw_input: 'number,name\none,Ada\n',
        processing_node_id: undefined,
      }),
      later(submission({ id: 's-3' })),
    ),
    acts: [press('line 2, column 3'), hasFocus('Raw input')],
  },
  'input that is no JSON': {
    path: '/executions/e-10',
    beside: '/executions/e-7',
    answers: of('e-10', failed(ofInput([], 'It is no JSON.'), { raw_input: '{\n "number": ]' })),
    acts: [],
  },
  'packed input that is no JSON': {
    path: '/executions/e-11',
    beside: '/executions/e-7',
    answers: of(
      'e-11',
      failed(ofInput([], 'It is no JSON.'), { raw_input: `{"text": "${'x'.repeat(200)}", "number": ]` }),
    ),
    acts: [],
  },
  'a transformer that fails': {
    path: '/executions/e-12',
    beside: '/executions/e-1',
    answers: of(
      'e-12',
      failed(
        failedAt('transform.declarative', 2, 'transform_failed', 'No such member.', [
          issue('/output/a b', 'lookup', 'is missing'),
        ]),
      ),
    ),
    acts: [],
  },
  'a template that fails, beside a document that was made': {
    path: '/executions/e-13',
    beside: '/executions/e-1',
    answers: of(
      'e-13',
      failed(failedAt('compose', 3, 'compose_failed', 'No value.', [issue('word/document.xml', 'x', 'No.')]), {
        artifacts: [file('docx', 999)],
      }),
      { 'GET /api/v1/executions/e-13/provenance': whole },
    ),
    acts: [],
  },
  'a step that may pass': {
    path: '/executions/e-14',
    beside: '/executions/e-1',
    answers: of('e-14', failed(failedAt('render', 4, 'render_failed', 'The renderer went away.', [], 2)), {
      'POST /api/v1/executions/e-14/retry': refused,
    }),
    acts: [
      press('Retry'),
      press('Cancel'),
      press('Retry'),
      press('Retry'),
      answering(
        'it goes back',
        of('e-14', completed, {
          'POST /api/v1/executions/e-14/retry': { ...execution('queued', { steps: [validated] }), id: 'e-14' },
        }),
      ),
      press('Retry'),
    ],
  },
  'a step that may pass, for who may only read': {
    path: '/executions/e-15',
    beside: '/executions/e-1',
    as: ['auditor'],
    answers: of('e-15', failed(failedAt('render', 4, 'render_failed', 'The renderer went away.', [], 1))),
    acts: [],
  },
  'a step whose attempts are used up': {
    path: '/executions/e-16',
    beside: '/executions/e-1',
    as: ['administrator', 'operator'],
    answers: of('e-16', failed(failedAt('render', 4, 'render_failed', 'The renderer went away.', [], 5))),
    acts: [],
  },
  'one whose parent failed': {
    path: '/executions/e-17',
    beside: '/executions/e-7',
    answers: of(
      'e-17',
      failed(failedAt('validate', 1, 'parent_failed', 'Its parent failed.', []), {
        raw_input: '{"of": "its parent"}',
      }),
      { 'GET /api/v1/executions/e-17/provenance': whole },
    ),
    acts: [],
  },
  'a step that may pass, of which policies have taken the input': {
    path: '/executions/e-19',
    beside: '/executions/e-1',
    answers: of(
      'e-19',
      failed(failedAt('render', 4, 'render_failed', 'The renderer went away.', [], 2), {
        raw_input: undefined,
        removed: [{ part: 'raw_input', removed_at: at, policy: { retention: 3, keep_days: 2 }, erasure_id: 'x-1' }],
      }),
    ),
    acts: [],
  },
  'one that cannot be read': {
    path: '/executions/e-18',
    beside: '/executions/e-1',
    answers: { 'GET /api/v1/executions/e-18': () => refusal(404, 'not_found', 'No such execution.') },
    acts: [],
  },
}

describeWalks('an execution', 'says what it made, from what, and what can be done where it failed', walks)
