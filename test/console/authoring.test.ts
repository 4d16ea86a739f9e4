import { contracts, draft, family, listed, oneCase, unable, version } from './families.ts'
import { type Act, answering, type CannedWalk, describeWalks, fill, open, press, write } from './walks.ts'

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
const binding = (pointer: string) => ({
  ...{ pointer, shape: 'scalar', required: true, part: 'word/document.xml', paragraph: 1, position: 0 },
})
const transformer = (more: object = {}) =>
  family('t-1', 'to-letter', 'To letter', { kind: 'transformer', draft_revision: 3, ...more })
const put = 'PUT /api/v1/transformers/t-1/draft'
const checked = 'POST /api/v1/transformers/t-1/validate'
const frozen = 'POST /api/v1/transformers/t-1/versions'
const bench = (text: string, more: object = {}) => ({
  'GET /api/v1/transformers/t-1': transformer(),
  'GET /api/v1/transformers/t-1/draft': draft('t-1', text, 3),
  'GET /api/v1/contracts': contracts(),
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
  [put]: (body: unknown) => draft('t-1', (body as { source: string }).source, 4),
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
}

describeWalks(
  'authoring',
  'show what a source makes of an input, where that comes from, and what is wrong with it',
  walks,
  {
    withLooks: true,
  },
)
