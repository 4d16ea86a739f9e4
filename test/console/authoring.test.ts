import { refusal } from '../support/canned.ts'
import { type Act, answering, type CannedWalk, describeWalks, fill, open, press, write } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const unable = () => refusal(503, 'unavailable', 'Not now.')
const version = (number: number, more: object = {}) => ({
  ...{ id: `v-${number}`, number, status: 'versioned', content_hash: `h${number}`.repeat(8), byte_size: 2_000 },
  ...{ created_at: at, created_by: 'u-2' },
  ...more,
})
const family = (id: string, slug: string, name: string, more: object = {}) => ({
  ...{ id, slug, name, description: '', draft_revision: 1, created_at: at, updated_at: at, versions: [] },
  ...more,
})
/** As a list has it, without its versions. */
const listed = (id: string, slug: string, name: string) => ({ ...family(id, slug, name), versions: undefined })

const source = `transform: declarative-v1
contract: Letter@2
output:
  number: /number
  total: { $sum: /lines, as: line, of: $line/amount }
  fixed: yes it is
`
const schema = JSON.stringify({
  type: 'object',
  required: ['number', 'lines'],
  properties: {
    number: { type: 'string', maxLength: 4 },
    lines: {
      type: 'array',
      maxItems: 9,
      items: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } },
    },
  },
})
const oneCase = (id: string, kind: string, seed: number, more: object = {}) => ({
  ...{
    id,
    kind,
    seed,
    provider: 'external-generator',
    provider_version: '40.28.1',
    content_hash: `${id}-hash`.repeat(8),
  },
  ...{ created_at: at, contract_version_number: 2 },
  ...more,
})
const binding = (pointer: string) => ({
  ...{ pointer, shape: 'scalar', required: true, part: 'word/document.xml', paragraph: 1, position: 0 },
})
const draft = (text: string, revision: number) => ({
  ...{ id: 't-1', slug: 'to-letter', name: 'To letter', description: '' },
  ...{ source: text, format: 'yaml', revision, updated_at: at },
})
const transformer = (more: object = {}) =>
  family('t-1', 'to-letter', 'To letter', { kind: 'transformer', draft_revision: 3, ...more })
const put = 'PUT /api/v1/transformers/t-1/draft'
const checked = 'POST /api/v1/transformers/t-1/validate'
const frozen = 'POST /api/v1/transformers/t-1/versions'
const contracts = [{ ...family('k-1', 'letter', 'Letter'), versions: [version(1), version(2, { id: 'kv-2' })] }]
const bench = (text: string, more: object = {}) => ({
  'GET /api/v1/transformers/t-1': transformer(),
  'GET /api/v1/transformers/t-1/draft': draft(text, 3),
  'GET /api/v1/contracts': { contracts },
  'GET /api/v1/templates': { templates: [listed('p-1', 'letterhead', 'Letterhead')] },
  'GET /api/v1/contracts/k-1/versions/2': { ...version(2, { id: 'kv-2' }), schema },
  'GET /api/v1/templates/p-1/versions/1': { ...version(1), bindings: [binding('/number'), binding('/missing')] },
  'GET /api/v1/cases': {
    cases: [oneCase('c-0', 'invalid', 1), oneCase('c-1', 'valid', 7), oneCase('c-2', 'boundary', 9)],
  },
  'GET /api/v1/cases/c-1': {
    ...oneCase('c-1', 'valid', 7),
    payload: '{"number":"A-1","lines":[{"amount":1.5},{"amount":2}]}',
  },
  'GET /api/v1/cases/c-2': { ...oneCase('c-2', 'boundary', 9), payload: '{"number":"B","lines":[]}' },
  [checked]: { valid: true, errors: [] },
  [put]: (body: unknown) => draft((body as { source: string }).source, 4),
  ...more,
})
const value = (pointer: string): Act => [
  `press the value ${pointer}`,
  async (page) => {
    document.querySelector<HTMLElement>(`[data-pointer="${pointer}"]`)?.click()
    await page.settled()
  },
]
/** Puts the cursor on a line, as a click there does. */
const cursor = (label: string, line: number): Act => [
  `cursor in ${label}, line ${line}`,
  async (page) => {
    const { EditorView } = await import('@codemirror/view')
    const place = document.querySelector(`[data-label="${label}"]`)
    const editor = EditorView.findFromDOM(place?.shadowRoot?.querySelector('.cm-editor') as HTMLElement)
    editor?.dispatch({ selection: { anchor: editor.state.doc.line(line).from } })
    await page.settled()
  },
]

const model = (nodes: string) => `model: ingestion-model-v1
contract: { name: Letter, version: 2 }
object: { reference: /number, time: metadata.official_time }
nodes:
${nodes}`
const wholeModel = model(`  - key: letter
    label: The letter
    transformer: to-letter
    template: letterhead
    formats: [docx, pdf]
    children:
      - key: copy
        label: A copy
        when: { $is: [/number, "=", "A"] }
        transformer: nobody
      - key: short
        label: A short one
        transformer: to-letter
        template: none
        formats: [docx]
`)
const modelFamily = (more: object = {}) =>
  family('m-1', 'letters', 'Letters', { kind: 'ingestion_model', draft_revision: 3, ...more })
const models = (text: string, more: object = {}) => ({
  'GET /api/v1/ingestion-models/m-1': modelFamily(),
  'GET /api/v1/ingestion-models/m-1/draft': { ...draft(text, 3), id: 'm-1' },
  'POST /api/v1/ingestion-models/m-1/validate': { valid: true, errors: [] },
  'GET /api/v1/contracts': {
    contracts: [{ ...family('k-1', 'letter', 'Letter'), versions: [version(1), version(2, { status: 'published' })] }],
  },
  'GET /api/v1/transformers': { transformers: [listed('t-1', 'to-letter', 'To letter')] },
  'GET /api/v1/templates': { templates: [listed('p-1', 'letterhead', 'Letterhead')] },
  ...more,
})
const contractIn = (status: string) => ({
  'GET /api/v1/contracts': {
    contracts: [{ ...family('k-1', 'letter', 'Letter'), versions: [version(2, { status })] }],
  },
})

const walks: Record<string, CannedWalk> = {
  'a transformer on a case': {
    path: '/transformers/t-1',
    answers: bench(source),
    acts: [
      value('/total'),
      value('/fixed'),
      value('/fixed'),
      cursor('Source', 5),
      cursor('Source', 1),
      fill('Input from', 'c-2'),
      fill('Input from', 'pasted'),
      write('Input', '{"number":"too long","lines":[]}'),
      write('Input', '{"number":"too long","lines":[{}]}'),
      write('Input', '{"number":'),
      write('Input', ' '),
      fill('Input from', 'c-1'),
    ],
  },
  'a source with errors': {
    path: '/transformers/t-1',
    answers: bench(source),
    acts: [
      write('Source', source.replace('/number', '/numbr')),
      press(/^line/),
      write('Source', `${source}  then: $nothing\n`),
      write('Source', source.replace('Letter@2', 'Letter@1')),
      write('Source', source.replace('Letter@2', 'Other@2')),
      write('Source', source.replace('contract: Letter@2\n', '')),
      write('Source', source.replace('Letter@2\n', 'Letter@2\ntemplate: letterhead@1\n')),
      write('Source', source.replace('Letter@2\n', 'Letter@2\ntemplate: nobody@1\n')),
      write('Source', ''),
      answering(
        'the server finds more',
        bench(source, {
          [checked]: {
            valid: false,
            errors: [
              { code: 'unknown_version', message: 'There is no such version.', path: '/contract' },
              { code: 'elsewhere', message: 'Here.', context: { line: '4', column: '3' } },
              { code: 'nowhere', message: 'Somewhere.', path: '/none' },
            ],
          },
        }),
      ),
      write('Source', `${source}\n`),
      answering('the server does not answer', bench(source, { [checked]: unable })),
      write('Source', `${source}\n\n`),
    ],
  },
  'a source that asks for values': {
    path: '/transformers/t-1',
    answers: bench(
      `transform: declarative-v1\nparams: { tone: string, rate: decimal }\noutput: { tone: $tone, rate: $rate }\n`,
    ),
    acts: [
      write('Input', '{}'),
      fill(/^\$tone/, 'dear'),
      fill(/^\$rate/, 'x'),
      fill(/^\$rate/, '1.5'),
      write('Source', 'transform: declarative-v1\nparams: { tone: string }\noutput: { tone: $'),
      write('Source', 'transform: declarative-v1\noutput: { a: /a }\n'),
      write('Source', 'transform: declarative-v1\noutput: { a: { $require: /a, code: A_MISSING } }\n'),
    ],
  },
  'a contract without cases': {
    path: '/transformers/t-1',
    answers: bench(source, { 'GET /api/v1/cases': { cases: [] } }),
    acts: [open('/transformers/t-1?case=c-9')],
  },
  'a contract whose cases all break it': {
    path: '/transformers/t-1',
    answers: bench(source, { 'GET /api/v1/cases': { cases: [oneCase('c-0', 'invalid', 1)] } }),
    acts: [],
  },
  'nothing is known': {
    path: '/transformers/t-1',
    answers: bench(source, { 'GET /api/v1/contracts': { contracts: [] } }),
    acts: [],
  },
  'a version of a transformer': {
    path: '/transformers/t-1',
    answers: bench(source, { [frozen]: { result: { number: 2, reused: false } } }),
    acts: [
      write('Source', source.replace('fixed', 'other')),
      press(/^Save/),
      press('Freeze a version'),
      answering('it is there', bench(source, { [frozen]: { result: { number: 2, reused: true } } })),
      press('Freeze a version'),
    ],
  },
  'a transformer without a draft': {
    path: '/transformers/t-1',
    answers: bench(source, { 'GET /api/v1/transformers/t-1': transformer({ draft_revision: 0 }), [frozen]: unable }),
    acts: [press('Freeze a version'), write('Source', source), press(/^Save/), press('Freeze a version')],
  },
  'a transformer that only may be read': {
    path: '/transformers/t-1',
    as: ['auditor'],
    answers: bench(source),
    acts: [],
  },
  'a transformer that cannot be read': {
    path: '/transformers/t-1',
    as: ['administrator', 'operator'],
    answers: { 'GET /api/v1/transformers/t-1': unable },
    acts: [
      answering('its draft can not', bench(source, { 'GET /api/v1/transformers/t-1/draft': unable })),
      press('Try again'),
      answering('it can', bench(source)),
      press('Try again'),
    ],
  },
  'versions of a transformer': {
    path: '/transformers/t-1?tab=versions',
    answers: bench(source, {
      'GET /api/v1/transformers/t-1': transformer({
        versions: [version(1), version(2, { id: 'v-2' }), version(3), version(4)],
      }),
      'GET /api/v1/transformers/t-1/versions/4': { ...version(4), format: 'yaml', source },
      'GET /api/v1/transformers/t-1/versions/2': {
        ...version(2),
        format: 'yaml',
        source: 'a: 1\nb:\n  - x: 1\n  - x: 2\n',
      },
      'GET /api/v1/transformers/t-1/versions/1': unable,
      'GET /api/v1/activations': {
        activations: [
          {
            ...{
              id: 'a-1',
              kind: 'transformer',
              family_id: 't-1',
              family_slug: 'to-letter',
              version_id: 'v-1',
              version: 1,
              status: 'superseded',
            },
            effective_from: at,
          },
          {
            ...{
              id: 'a-2',
              kind: 'transformer',
              family_id: 't-1',
              family_slug: 'to-letter',
              version_id: 'v-2',
              version: 2,
              status: 'superseded',
            },
            effective_from: '2026-01-01T00:00:00Z',
          },
          {
            ...{
              id: 'a-3',
              kind: 'transformer',
              family_id: 't-1',
              family_slug: 'to-letter',
              version_id: 'v-2',
              version: 2,
              status: 'scheduled',
            },
            effective_from: '2099-01-01T00:00:00Z',
          },
          {
            ...{
              id: 'a-4',
              kind: 'transformer',
              family_id: 't-1',
              family_slug: 'to-letter',
              version_id: 'v-4',
              version: 4,
              status: 'scheduled',
            },
            effective_from: '2099-02-01T00:00:00Z',
          },
          {
            ...{
              id: 'a-5',
              kind: 'transformer',
              family_id: 't-1',
              family_slug: 'to-letter',
              version_id: 'v-4',
              version: 4,
              status: 'active',
            },
            effective_from: at,
          },
        ],
      },
    }),
    acts: [
      press('v2'),
      open('/transformers/t-1?tab=versions&version=2&at=/b/1/x'),
      open('/transformers/t-1?tab=versions&version=2&at=/b/7/x'),
      open('/transformers/t-1?tab=versions&version=2&at='),
      press('v1'),
    ],
  },
  'versions that only may be read': {
    path: '/transformers/t-1?tab=versions',
    as: ['auditor'],
    answers: bench(source, { 'GET /api/v1/transformers/t-1': transformer({ versions: [version(1)] }) }),
    acts: [],
  },
  'no version of a transformer': {
    path: '/transformers/t-1?tab=versions',
    as: ['administrator', 'operator'],
    answers: bench(source),
    acts: [open('/transformers/t-1?tab=compare')],
  },
  'a transformer compared with what its earlier rules said': {
    path: '/transformers/t-1?tab=compare',
    answers: bench(source, {
      'GET /api/v1/transformers/t-1': transformer({ versions: [version(1), version(2)] }),
      'GET /api/v1/transformers/t-1/versions/1': { ...version(1), source: 'a: 1\n' },
      'GET /api/v1/transformers/t-1/versions/2': { ...version(2), source },
      'GET /api/v1/comparisons': {
        difference: '',
        from: {
          version: 1,
          content_hash: 'g',
          earlier_reading: [
            { code: 'x', message: 'Read otherwise.', path: '/a', context: { line: '1' } },
            { code: 'y', message: 'That, too.', path: '/b' },
          ],
        },
        to: { version: 2, content_hash: 'h' },
      },
    }),
    acts: [
      fill('From', '1'),
      fill('To', '2'),
      answering(
        'the draft is the same',
        bench(source, {
          'GET /api/v1/transformers/t-1': transformer({ versions: [version(1), version(2)] }),
          'GET /api/v1/transformers/t-1/versions/1': unable,
        }),
      ),
      fill('To', 'draft'),
      fill('From', 'draft'),
      open('/transformers/t-1'),
      write('Source', `${source}# more\n`),
      open('/transformers/t-1?tab=compare&from=draft'),
      fill('To', 'draft'),
      fill('To', 'typed'),
    ],
  },
  'a model as a tree': {
    path: '/ingestion-models/m-1',
    answers: models(wholeModel),
    acts: [
      write(
        'Source',
        model('  - key: letter\n    label: L\n    transformer: to-letter\n').replace(
          'object: { reference: /number, time: metadata.official_time }\n',
          '',
        ),
      ),
      write('Source', 'model: ingestion-model-v1\n'),
      press(/^line/),
      answering(
        'the server finds more',
        models(wholeModel, {
          'POST /api/v1/ingestion-models/m-1/validate': {
            valid: false,
            errors: [{ code: 'unknown', message: 'There is none.', path: '/nodes/0/transformer' }],
          },
        }),
      ),
      write('Source', `${wholeModel}\n`),
      answering(
        'the server does not answer',
        models(wholeModel, { 'POST /api/v1/ingestion-models/m-1/validate': unable }),
      ),
      write('Source', `${wholeModel}\n\n`),
      answering(
        'it is saved and frozen',
        models(wholeModel, {
          'PUT /api/v1/ingestion-models/m-1/draft': (body: unknown) => ({
            ...draft((body as { source: string }).source, 4),
            id: 'm-1',
          }),
          'POST /api/v1/ingestion-models/m-1/versions': { result: { number: 1, reused: false } },
        }),
      ),
      write('Source', `${wholeModel}\n\n\n`),
      press('Freeze a version'),
    ],
  },
  'a model with a contract that is not published': {
    path: '/ingestion-models/m-1',
    answers: models(wholeModel, contractIn('versioned')),
    acts: [],
  },
  'a model with a contract that is deprecated': {
    path: '/ingestion-models/m-1',
    answers: models(wholeModel, contractIn('deprecated')),
    acts: [],
  },
  'a model of which nothing is known': {
    path: '/ingestion-models/m-1',
    answers: models(wholeModel, {
      'GET /api/v1/contracts': { contracts: [] },
      'GET /api/v1/transformers': unable,
      'GET /api/v1/templates': { templates: [] },
    }),
    acts: [],
  },
  'a model without a draft': {
    path: '/ingestion-models/m-1',
    answers: models('', { 'GET /api/v1/ingestion-models/m-1': modelFamily({ draft_revision: 0 }) }),
    acts: [
      answering(
        'there is a version',
        models('', { 'GET /api/v1/ingestion-models/m-1': modelFamily({ draft_revision: 0, versions: [version(1)] }) }),
      ),
      open('/nowhere'),
      open('/ingestion-models/m-1'),
    ],
  },
  'a model that only may be read': {
    path: '/ingestion-models/m-1',
    as: ['auditor'],
    answers: models(wholeModel),
    acts: [],
  },
  'ingestion models': {
    path: '/ingestion-models',
    as: ['administrator', 'operator'],
    answers: {
      'GET /api/v1/ingestion-models': {
        ingestion_models: [
          { ...modelFamily(), versions: undefined },
          { ...modelFamily({ id: 'm-2', draft_revision: 0 }), versions: undefined },
        ],
      },
      'GET /api/v1/activations': {
        activations: [
          {
            ...{
              id: 'a-1',
              kind: 'ingestion_model',
              family_id: 'm-2',
              family_slug: 'letters',
              version_id: 'v-1',
              version: 1,
              status: 'active',
            },
            effective_from: at,
          },
        ],
      },
      'POST /api/v1/ingestion-models': unable,
    },
    acts: [
      press('New ingestion model'),
      fill('Name', '  Größe & Wert – Nr. 1  '),
      fill('Slug', 'own-slug'),
      fill('Name', 'Another'),
      fill('Description', 'what it is'),
      press('Create'),
      press('Cancel'),
    ],
  },
  transformers: {
    path: '/transformers',
    as: ['auditor'],
    answers: { 'GET /api/v1/transformers': { transformers: [] }, 'GET /api/v1/activations': { activations: [] } },
    acts: [],
  },
}

describeWalks(
  'authoring',
  'show what a source makes of an input, where that comes from, and what is wrong with it',
  walks,
  {
    withLooks: true,
  },
)
