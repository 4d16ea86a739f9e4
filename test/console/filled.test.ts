import { at, contracts, family, listed, oneCase, unable, version } from './families.ts'
import { type Act, answering, type CannedWalk, describeWalks, fill, key, open, press } from './walks.ts'

const binding = (pointer: string, paragraph: number, more: object = {}) => ({
  ...{ pointer, shape: 'scalar', required: true, part: 'word/document.xml', paragraph, position: 0 },
  ...more,
})
const bindings = [
  binding('/number', 1),
  binding('/lines', 2, { shape: 'list', part: 'word/header1.xml' }),
  binding('/gone', 3, { shape: 'flag' }),
  binding('/maybe', 4, { shape: 'rich', required: false, part: 'docProps/core.xml' }),
  binding('/lines/0/amount', 5, { shape: 'object', required: false, part: 'word/my.xml' }),
]
const template = (draft_revision: number, more: object = {}) =>
  family('p-1', 'letterhead', 'Letterhead', {
    ...{ draft_revision, included_by: [], versions: [version(1, { bindings }), version(2, { bindings })] },
    ...more,
  })
const stored = (more: object = {}) => ({
  ...{ revision: 3, byte_size: 20_000, content_hash: 'h'.repeat(64), updated_at: at, bindings },
  ...more,
})
const source = (params = '', reads = '{ $require: /number, code: NUMBER_MISSING }') => `transform: declarative-v1
contract: Letter@2
${params}output:
  number: ${reads}
  lines: /lines
`
const schema = JSON.stringify({
  type: 'object',
  required: ['lines'],
  properties: {
    number: { type: 'string' },
    lines: { type: 'array', maxItems: 9, items: { type: 'object', properties: { amount: { type: 'number' } } } },
  },
})
const mark = (paragraph: number, x: number, more: object = {}) => ({
  ...{ part: 'word/document.xml', paragraph, position: 0, x, y: 40, width: 30, height: 10 },
  ...more,
})
const page = (...marks: object[]) => ({
  width: 100,
  height: 200,
  svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  marks,
})
/** As the server draws a filled template. */
const pages = (more: object = {}) => {
  const made = {
    total_pages: 2,
    pages: [page(mark(1, 10), mark(2, 20, { part: 'word/header1.xml' })), page(mark(1, 50))],
  }
  const body = JSON.stringify({ ...made, ...more })
  return () => new Response(body, { headers: { 'content-type': 'application/vnd.quire.pages+json' } })
}
const pdf = () => new Response('%PDF', { headers: { 'content-type': 'application/pdf' } })
const report = (more: object = {}) => ({
  ...{
    template_version_id: 'v-2',
    transform_version_id: 'tv-2',
    case_id: 'c-1',
    resolved: true,
    output: {},
    errors: [],
  },
  bindings: bindings.map(({ shape: _shape, ...one }, index) => ({
    ...one,
    resolved: one.pointer !== '/gone' && one.pointer !== '/maybe',
    ...(index === 0 ? { value: 'A-1' } : {}),
  })),
  ...more,
})
const transformers = [listed('t-1', 'other', 'Other'), listed('t-2', 'letterhead', 'To letterhead')]
const preview = 'POST /api/v1/templates/p-1/versions/2/preview'
const test = 'POST /api/v1/templates/p-1/test'
/** The first question of the two is for the report, the second for the pages. */
const reportThenPages = (told: object, drawn: () => Response) => {
  let count = 0
  return () => (count++ % 2 === 0 ? told : drawn())
}
/** With the transformer's source, and what the server answers to a filling. */
const sample = (text: string, more: object = {}) => ({
  'GET /api/v1/templates/p-1': template(3),
  'GET /api/v1/templates/p-1/draft': stored(),
  'GET /api/v1/transformers': { transformers },
  'GET /api/v1/transformers/t-1': family('t-1', 'other', 'Other'),
  'GET /api/v1/transformers/t-2': family('t-2', 'letterhead', 'To letterhead', {
    versions: [version(2, { id: 'tv-2' }), version(1, { id: 'tv-1' })],
  }),
  'GET /api/v1/transformers/t-2/versions/2': { ...version(2, { id: 'tv-2' }), format: 'yaml', source: text },
  'GET /api/v1/contracts': contracts(),
  'GET /api/v1/contracts/k-1/versions/2': { ...version(2, { id: 'kv-2' }), schema },
  'GET /api/v1/cases': {
    cases: [
      oneCase('c-0', 'invalid', 1),
      oneCase('c-1', 'valid', 7),
      oneCase('c-2', 'boundary', 9, { provider: 'svc fixture' }),
    ],
  },
  'GET /api/v1/cases/c-1': { ...oneCase('c-1', 'valid', 7), payload: '{"number":"A-1","lines":[{"amount":1}]}' },
  'GET /api/v1/cases/c-2': { ...oneCase('c-2', 'boundary', 9), payload: '{"number":"B","lines":[]}' },
  [preview]: reportThenPages(report(), pages()),
  [test]: pages(),
  ...more,
})
const pressMark = (index: number): Act => [
  `press mark ${index}`,
  async (shown) => {
    document.querySelectorAll<HTMLElement>('.sheet-mark')[index]?.click()
    await shown.settled()
  },
]
const withParams = source(
  'params: { day: date, count: decimal, tone: string, copy: boolean, due: datetime }\n',
  '$tone',
)

const walks: Record<string, CannedWalk> = {
  'a version filled with a case': {
    path: '/templates/p-1?tab=preview',
    answers: sample(source()),
    acts: [
      pressMark(1),
      press(/^\/number/),
      press(/^\/number/),
      press(/^\/gone/),
      answering('another case fails', sample(source(), { [preview]: unable })),
      fill('On the case', 'c-2'),
      answering(
        'it can be filled again',
        sample(source(), { [preview]: reportThenPages(report(), pages({ total_pages: 7 })) }),
      ),
      press('Try again'),
      answering('a PDF', sample(source(), { [preview]: pdf })),
      press('As PDF'),
      press('Close'),
      answering('no PDF', sample(source(), { [preview]: report() })),
      press('As PDF'),
      answering('a PDF', sample(source(), { [preview]: pdf })),
      press('Try again'),
    ],
  },
  'a version that cannot be filled': {
    path: '/templates/p-1?tab=preview',
    answers: sample(source(), {
      [preview]: report({
        errors: [
          { path: 'word/document.xml#3:0', message: 'There is no /gone.' },
          { path: '/maybe', message: 'Nor that.' },
        ],
        bindings: [],
      }),
    }),
    acts: [],
  },
  'one page, and every value is there': {
    path: '/templates/p-1?tab=preview',
    answers: sample(source(), {
      [preview]: reportThenPages(
        report({ bindings: [{ ...binding('/number', 1), shape: undefined, resolved: true, value: 'A' }] }),
        pages({ total_pages: 1, pages: [page()] }),
      ),
    }),
    acts: [key('Enter', { ctrlKey: true }), press('Fill again')],
  },
  'a draft filled with a case': {
    path: '/templates/p-1?tab=preview&of=draft&at=/lines',
    answers: sample(source()),
    acts: [
      answering(
        'it has errors',
        sample(source(), {
          [test]: { valid: false, errors: [{ code: 'x', message: 'No.', path: '/a' }], correlation_id: 'c-1' },
        }),
      ),
      press('Fill again'),
      answering('the case makes nothing', {
        ...sample(source()),
        'GET /api/v1/cases/c-2': { ...oneCase('c-2', 'boundary', 9), payload: '{"lines":[]}' },
      }),
      fill('On the case', 'c-2'),
      answering('the contract is not what it says', {
        ...sample(source()),
        'GET /api/v1/contracts/k-1/versions/2': { ...version(2, { id: 'kv-2' }), schema: '{"type": "object"}' },
      }),
      press('Try again'),
      answering('the transformer names no contract that there is', sample(source().replace('Letter@2', 'Other@2'))),
      press('Try again'),
      answering(
        'a version',
        sample(source(), { 'POST /api/v1/templates/p-1/versions/1/preview': reportThenPages(report(), pages()) }),
      ),
      fill('Template', '1'),
    ],
  },
  'values that somebody has to give': {
    path: '/templates/p-1?tab=preview',
    answers: sample(withParams),
    acts: [
      fill(/^\$day/, '2026-01-31'),
      fill(/^\$count/, 'many'),
      fill(/^\$count/, '3'),
      fill(/^\$copy/, 'false'),
      fill(/^\$due/, '2026-01-31T10:00'),
      fill(/^\$tone/, 'dear'),
      open('/templates/p-1?tab=preview&of=draft'),
    ],
  },
  'nothing to fill it with': {
    path: '/templates/p-1?tab=preview',
    answers: sample(source()),
    acts: [
      fill('Data from', 't-1'),
      answering('no contract', sample('transform: declarative-v1\noutput: {}\n')),
      open('/templates/p-1?tab=preview'),
      answering('no such version of it', sample(source().replace('@2', '@9'))),
      open('/templates/p-1?tab=bindings'),
      open('/templates/p-1?tab=preview'),
      answering('no case', sample(source(), { 'GET /api/v1/cases': { cases: [oneCase('c-0', 'invalid', 1)] } })),
      open('/templates/p-1?tab=bindings'),
      open('/templates/p-1?tab=preview'),
    ],
  },
  'a draft alone': {
    path: '/templates/p-1?tab=preview',
    answers: sample(source(), { 'GET /api/v1/templates/p-1': template(3, { versions: [] }) }),
    acts: [],
  },
  'bindings with what writes them': {
    path: '/templates/p-1?tab=bindings',
    answers: sample(source()),
    acts: [
      open('/templates/p-1?tab=bindings&at=/lines'),
      answering(
        'all of them',
        sample(source(), {
          'GET /api/v1/templates/p-1': template(3, { versions: [version(1, { bindings: [bindings[0]] })] }),
        }),
      ),
      open('/nowhere'),
      open('/templates/p-1?tab=bindings'),
      answering(
        'one without',
        sample(source(), {
          'GET /api/v1/templates/p-1': template(0, {
            versions: [
              version(1, {
                bindings: [
                  binding('/x', 1),
                  binding('/lines/*/y', 2),
                  binding('/lines/*', 3),
                  binding('/none', 4, { required: false }),
                ],
              }),
            ],
          }),
        }),
      ),
      open('/nowhere'),
      open('/templates/p-1?tab=bindings'),
    ],
  },
  'two versions filled with one case': {
    path: '/templates/p-1?tab=compare',
    answers: sample(source(), {
      'POST /api/v1/templates/p-1/versions/1/preview': reportThenPages(
        report(),
        pages({ total_pages: 1, pages: [page()] }),
      ),
      'GET /api/v1/comparisons': { difference: '@@ line 1 @@\n a\n+b\n', from: {}, to: {} },
    }),
    acts: [
      answering('the draft can not', {
        ...sample(source(), {
          [test]: { valid: false, errors: [{ code: 'x', message: 'No.', path: '/a' }], correlation_id: 'c-1' },
          'GET /api/v1/comparisons': { difference: '', from: {}, to: {} },
        }),
      }),
      fill('From', 'draft'),
      answering('nor the version', { ...sample(source(), { [preview]: unable, 'GET /api/v1/comparisons': unable }) }),
      fill('On the case', 'c-2'),
      press('Try again'),
    ],
  },
  'for who may only read': {
    path: '/templates/p-1?tab=preview',
    as: ['auditor'],
    answers: sample(source()),
    acts: [open('/templates/p-1?tab=bindings')],
  },
}

describeWalks('filled', 'show a template with a case in it, where each value stands, and why one is missing', walks, {
  withLooks: true,
})
