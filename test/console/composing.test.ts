import { refusal } from '../support/canned.ts'
import {
  type Act,
  answering,
  type CannedWalk,
  choose,
  describeWalks,
  fill,
  key,
  open,
  press,
  tick,
  write,
} from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const schema = JSON.stringify({
  type: 'object',
  required: ['number', 'name'],
  properties: {
    number: { type: 'integer', minimum: 1 },
    name: { type: 'string', minLength: 1, maxLength: 20, description: 'As in the policy.' },
    sum: { type: ['number', 'null'] },
    paid: { type: 'boolean' },
    kind: { enum: ['a', 'b', 3] },
    due: { type: 'string', format: 'date' },
    note: { type: 'string', maxLength: 4000 },
    any: {},
    parts: {
      type: 'array',
      maxItems: 2,
      items: { type: 'object', required: ['code'], properties: { code: { type: 'integer' } } },
    },
    names: { type: 'object', additionalProperties: { type: 'string' } },
    who: {
      oneOf: [
        { type: 'object', required: ['type', 'one'], properties: { type: { const: 'x' }, one: { type: 'string' } } },
        { type: 'object', required: ['type'], properties: { type: { const: 'y' } } },
      ],
    },
  },
})
const models = {
  ingestion_models: [
    { id: 'm-1', slug: 'letters', name: 'Letters' },
    { id: 'm-2', slug: 'bills', name: 'Bills' },
  ],
}
const version = (slug: string) => ({ family_id: `f-${slug}`, slug, version: 2, in_force_since: at })
const node = (label: string, reason: string, more: object = {}) => ({
  ...{
    address: label,
    label,
    depth: 0,
    runs: true,
    reason,
    formats: ['docx', 'pdf'],
    transformer: version('to-letters'),
    template: version('letterhead'),
  },
  ...more,
})
const plan = (more: object = {}) => ({
  ...{
    contract: { family_id: 'k-1', version: 2, version_id: 'kv-2', name: 'Letter' },
    model: version('letters'),
    params: [],
    issues: [],
  },
  ...{ object_time: at, object_time_from: 'default', object_reference_from: 'default' },
  nodes: [node('letter', 'always')],
  ...more,
})
const from = {
  object_reference: 'policy:1',
  object_reference_from: 'input',
  object_reference_source: '/number',
  object_time_from: 'input',
  object_time_source: '/due',
  nodes: [
    node('a', 'condition_true', { formats: [] }),
    node('b', 'condition_false', { runs: false, depth: 1, template: undefined }),
    node('c', 'parent_unwanted', { runs: false, depth: 2, transformer: undefined }),
    node('d', 'undecided', { formats: ['pdf'] }),
  ],
}
const step = (name: string, position: number, status: string, more: object = {}) => ({
  name,
  position,
  status,
  attempt: 1,
  state_version: 1,
  started_at: at,
  finished_at: at,
  ...more,
})
const execution = (status: string, more: object = {}) => ({
  ...{
    id: 'e-1',
    submission_id: 's-1',
    release_id: 'r-1',
    release_hash: 'h',
    processing_kind: 'document_generation',
    input_hash: 'h',
    raw_input_hash: 'h',
    raw_input: '{"number": 0}',
  },
  ...{
    status,
    submitted_by: 'u-1',
    correlation_id: 'c-1',
    created_at: at,
    updated_at: at,
    steps: [step('validate', 1, 'succeeded')],
    artifacts: [],
  },
  ...more,
})
const failure = {
  code: 'invalid',
  message: 'It breaks its contract.',
  issues: [{ path: '/number', keyword: 'minimum', message: 'must be at least 1' }],
}
const failed = execution('failed', { steps: [step('validate', 1, 'failed', { failure })] })
const submission = (more: object = {}) => ({
  ...{
    id: 's-1',
    object_reference: 'policy:1',
    model_slug: 'letters',
    created_at: at,
    object_time: at,
    raw_input_hash: 'h',
    correlation_id: 'c-1',
    submitted_by: 'u-1',
    executions: [{ id: 'e-1', status: 'processing', node_label: 'letter' }],
  },
  ...more,
})
const answers = (planned: object = plan(), more: object = {}) => ({
  'GET /api/v1/ingestion-models': models,
  'GET /api/v1/releases': {
    releases: [
      { id: 'r-1', name: 'By hand', automatic: false },
      { id: 'r-2', name: 'By itself', automatic: true },
    ],
  },
  'POST /api/v1/submissions/plan': planned,
  'GET /api/v1/contracts/k-1/versions/2': { schema },
  'GET /api/v1/cases': {
    cases: [
      { id: 'case-1', kind: 'valid', seed: 1 },
      { id: 'case-2', kind: 'invalid', seed: 2 },
    ],
  },
  'GET /api/v1/cases/case-1': { payload: '{"number":7,"name":"seven","parts":[{"code":1}]}' },
  'POST /api/v1/submissions': { submission: submission() },
  'GET /api/v1/submissions/s-1': submission(),
  'GET /api/v1/executions/e-1': execution('completed'),
  ...more,
})
const enter = (pointer: string, value: string): Act => [
  `enter ${pointer}: ${value}`,
  async (page) => {
    const field = document.querySelector<HTMLInputElement>(`[data-field="${pointer}"]`)
    if (field === null) throw new Error(`no field ${pointer}`)
    field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
    field.dispatchEvent(new Event('blur', { bubbles: true }))
    await page.settled()
  },
]
const enterKey = (held: KeyboardEventInit = {}) =>
  new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...held })
/** Does something about the new member of `names`; another group that takes any member has the same button. */
const add = (act: (member: { field: HTMLInputElement; button: HTMLButtonElement }) => void): Act => [
  'add the member',
  async (page) => {
    const field = document.querySelector<HTMLInputElement>('[aria-label="Name of a new member of names"]')!
    act({ field, button: field.parentElement!.querySelector('button')! })
    await page.settled()
  },
]
const variant = (label: string, index: string): Act => [
  `choose alternative ${index} of ${label}`,
  async (page) => {
    const field = document.querySelector<HTMLSelectElement>('[data-kind=variant] select')
    if (field === null) throw new Error('no alternative')
    field.value = index
    field.dispatchEvent(new Event('change', { bubbles: true }))
    await page.settled()
  },
]
const drop = (name: string, text: BlobPart): Act => [
  `drop ${name}`,
  async (page) => {
    const given = { types: ['Files'], files: [new File([text], name)] }
    for (const type of ['dragover', 'drop']) {
      const event = new Event(type, { bubbles: true, cancelable: true })
      Object.defineProperty(event, 'dataTransfer', { value: given })
      window.dispatchEvent(event)
    }
    await page.settled()
  },
]
const csv = {
  format: 'csv',
  delimiter: ';',
  decimal: ',',
  rows: 'rows',
  empty: 'omit',
  trim: false,
  types: { sum: 'number' },
  columns: undefined,
}
const csvSchema = JSON.stringify({
  type: 'object',
  properties: {
    rows: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', minLength: 2 }, sum: { type: 'number', minimum: 0 } },
      },
    },
  },
})
const ofCsv = (more: object = {}) =>
  answers(plan({ input_format: { ...csv, ...more } }), {
    'GET /api/v1/contracts/k-1/versions/2': { schema: csvSchema },
  })
const xml = { format: 'xml', root: 'letter', lists: ['/letter/part'], types: { '/letter/sum': 'number' } }
const path = '/submissions/new?model=letters'
const unable = () => refusal(503, 'unavailable', 'Not now.')

const walks: Record<string, CannedWalk> = {
  'nothing chosen': {
    path: '/submissions/new',
    answers: answers(),
    acts: [fill('Submit to', 'release:r-1'), fill('Submit to', 'model:bills')],
  },
  'nothing to choose': {
    path: '/submissions/new',
    answers: { 'GET /api/v1/ingestion-models': { ingestion_models: [] }, 'GET /api/v1/releases': { releases: [] } },
    acts: [],
  },
  'the only model': {
    path: '/submissions/new',
    answers: answers(plan(from), {
      'GET /api/v1/ingestion-models': { ingestion_models: models.ingestion_models.slice(0, 1) },
      'GET /api/v1/releases': { releases: [] },
    }),
    acts: [],
  },
  'a form': {
    path,
    answers: answers(),
    acts: [
      press('Submit'),
      enter('/number', 'x'),
      press('Submit'),
      enter('/number', '1.5'),
      enter('/number', '0'),
      enter('/name', 'Ada'),
      enter('/sum', '12.50'),
      press('Set sum to null'),
      press('Remove sum'),
      enter('/paid', 'true'),
      enter('/kind', '3'),
      enter('/due', '2026-01-31'),
      enter('/note', 'long'),
      enter('/any', '{"a": '),
      enter('/any', '{"a": 1}'),
      press(/^Add parts/),
      press(/^Add an item to parts/),
      press(/^Add an item to parts/),
      press(/^parts/),
      press(/^parts/),
      press(/^parts/),
      press(/^Add names/),
      fill('Name of a new member of names', 'first'),
      add(({ button }) => button.click()),
      fill('Name of a new member of names', 'second'),
      add(({ field }) => field.dispatchEvent(enterKey({ ctrlKey: true }))),
      add(({ field }) => field.dispatchEvent(enterKey())),
      press(/^Add who/),
      variant('who', '1'),
      press('Remove names'),
      press('Submit'),
      press('Submit'),
      press('Empty the form'),
      press('Bring back what was there'),
    ],
  },
  'a form kept over a reload': {
    path,
    answers: answers(),
    acts: [enter('/number', '5'), open('/nowhere'), open(path)],
  },
  'a case as a start, and files': {
    path,
    answers: answers(),
    acts: [
      fill('Begin with', 'case-1'),
      press('Bring back what was there'),
      choose('one.json', '{"number": 2, "name": "two"}'),
      drop('empty.json', ' \n'),
      drop('odd.json', new Uint8Array([0xff, 0xfe])),
      drop('large.json', 'x'.repeat(3_000_000)),
      drop('two.json', '{"number": 3, "name": "three"}'),
      write('Raw input', '{"number": '),
      key('Enter', { ctrlKey: true }),
    ],
  },
  'a case that is gone': {
    path,
    answers: answers(plan(), { 'GET /api/v1/cases/case-1': unable }),
    acts: [fill('Begin with', 'case-1')],
  },
  'a submission': {
    path,
    answers: answers(),
    acts: [
      write('Raw input', '{"number": 1, "name": "Ada"}'),
      fill('Object reference', ' policy:1 '),
      fill('Official time, local', '2026-01-01T10:00'),
      key('Enter', { ctrlKey: true }),
    ],
  },
  'a submission that fails, corrected': {
    path,
    answers: answers(plan(), { 'GET /api/v1/executions/e-1': failed }),
    acts: [write('Raw input', '{"number": 1, "name": "Ada"}'), press('Submit'), press('Submit')],
  },
  'a submission that is refused': {
    path,
    answers: answers(plan(), { 'POST /api/v1/submissions': unable }),
    acts: [write('Raw input', '{"number": 1, "name": "Ada"}'), press('Submit'), press('Submit')],
  },
  'an execution that cannot be read': {
    path: `${path}&sent=s-1`,
    answers: answers(plan(), {
      'GET /api/v1/executions/e-1': unable,
      'GET /api/v1/submissions/s-1': submission({ corrects: 's-0', object_reference: 's-1' }),
    }),
    acts: [],
  },
  'a submission that is gone': { path: `${path}&sent=s-9`, answers: answers(), acts: [] },
  parameters: {
    path,
    answers: answers(
      plan({
        params: [
          { name: 'text', type: 'string' },
          { name: 'flag', type: 'boolean' },
          { name: 'rate', type: 'decimal' },
          { name: 'day', type: 'date' },
          { name: 'instant', type: 'datetime' },
        ],
        issues: [{ stage: 'params', path: '/rate', message: 'rate is wanted.', code: 'x' }],
      }),
    ),
    acts: [
      write('Raw input', '{"number": 1, "name": "Ada"}'),
      press('Submit'),
      fill(/^\$text/, 'words'),
      fill(/^\$flag/, 'true'),
      fill(/^\$rate/, '1,5'),
      fill(/^\$rate/, '1.5'),
      fill(/^\$day/, '2026-01-01'),
      fill(/^\$instant/, '2026-01-01T10:00'),
    ],
  },
  'a plan that is refused': {
    path,
    answers: answers(plan(), {
      'POST /api/v1/submissions/plan': () => refusal(422, 'invalid', 'Body field official_time is before everything.'),
    }),
    acts: [fill('Official time, local', '1900-01-01T10:00')],
  },
  'a contract that cannot be read': {
    path,
    answers: answers(plan(), { 'GET /api/v1/contracts/k-1/versions/2': unable }),
    acts: [],
  },
  rows: {
    path,
    answers: ofCsv(),
    acts: [
      write('Raw input', 'name;sum\nAda;1,5\n;2\nBob;-1\n'),
      ['show a line', (page) => page.press('Show line 3 in the text')],
      press('Submit'),
      press('Submit'),
      write('Raw input', 'name;sum\nAda;1,5\n'),
      write('Raw input', 'name;sum\n"Ada'),
      press('Empty the text'),
    ],
  },
  'rows without a head': {
    path,
    answers: ofCsv({ columns: ['name', 'sum'], delimiter: '\t', decimal: '.' }),
    acts: [write('Raw input', 'Ada\t1\n')],
  },
  xml: {
    path,
    answers: answers(plan({ input_format: xml })),
    acts: [
      answering('it is read', answers(plan({ input_format: xml, input: { letter: { sum: 1 } } }))),
      write('Raw input', '<letter><sum>1</sum></letter>'),
      answering(
        'it is wrong',
        answers(
          plan({
            input_format: xml,
            issues: [
              { stage: 'input', code: 'x', message: 'No sum.', path: '/letter', context: { line: '1', column: '3' } },
              { stage: 'input', code: 'y', message: 'Nothing.' },
            ],
          }),
        ),
      ),
      write('Raw input', '<letter></letter>'),
      press('Submit'),
      press('Submit'),
    ],
  },
  submissions: {
    path: '/submissions',
    answers: {
      'GET /api/v1/submissions': {
        submissions: [
          submission(),
          submission({ id: 's-2', object_reference: 's-2', corrects: 's-1', executions: [] }),
        ],
      },
    },
    acts: [
      answering('no object is called so', {
        'GET /api/v1/submissions': { submissions: [submission(), submission({ id: 's-2', object_reference: 's-2' })] },
        'GET /api/v1/submissions?object_reference=policy&limit=100': { submissions: [] },
      }),
      fill(/^Object/, 'policy'),
      press('Clear'),
      tick,
    ],
  },
  'no submission': {
    path: '/submissions',
    answers: { 'GET /api/v1/submissions': { submissions: [] } },
    acts: [open('/submissions?object_reference=x')],
  },
  'submissions that cannot be read': { path: '/submissions', answers: { 'GET /api/v1/submissions': unable }, acts: [] },
  'a submission that was corrected twice': {
    path: '/submissions/s-1',
    answers: {
      'GET /api/v1/submissions/s-1': submission({
        metadata: { source_system: 'post', source_actor: '' },
        corrects: 's-0',
      }),
      'GET /api/v1/submissions': {
        submissions: [
          submission({ id: 's-3', executions: [{ id: 'e-3', status: 'failed', node_label: 'x' }] }),
          submission({ id: 's-2' }),
        ],
      },
      'GET /api/v1/executions/e-1': failed,
    },
    acts: [],
  },
}

describeWalks(
  'composing',
  'turns what is typed into the text that is submitted, and says what is wrong with it first',
  walks,
)
