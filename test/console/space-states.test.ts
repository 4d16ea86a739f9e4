import { refusal } from '../support/canned.ts'
import {
  bound,
  chain,
  draft,
  drawn,
  family,
  modelText,
  none,
  path,
  source,
  spaceOf,
  textDraft,
  unable,
} from './space-answers.ts'
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
  reads,
  write,
} from './walks.ts'

const narrow = (isNarrow: boolean): Act => [
  isNarrow ? 'the window is narrow' : 'the window is wide',
  async () => {
    const query = { matches: isNarrow, addEventListener() {}, removeEventListener() {} }
    window.matchMedia = () => query as never
  },
]
const refuses = (detail: string) => () =>
  Response.json({ valid: false, errors: [{ code: 'x', path: '/to', message: detail }] })

const walks: Record<string, CannedWalk> = {
  'another file': {
    path: `${path}?tab=template`,
    beside: path,
    answers: spaceOf({
      'POST /api/v1/templates/t-1/test': () => drawn(5, { bindings: [bound('/to', 1)], fragments: ['frame'] }),
      'PUT /api/v1/templates/t-1/draft': () => refusal(412, 'precondition_failed', 'It has another revision.'),
    }),
    acts: [
      choose('other.docx', 'PK'),
      reads('.workspace-pane:not([hidden]) .draft-state', 'other.docx, 2 B, not saved yet'),
      press('Discard the file'),
      press('Bring it back'),
      answering(
        'somebody else saved one',
        spaceOf({
          'POST /api/v1/templates/t-1/test': () => drawn(5, { bindings: [bound('/to', 1)] }),
          'GET /api/v1/templates/t-1/draft': draft({ revision: 4, bindings: [bound('/to', 2)] }),
          'PUT /api/v1/templates/t-1/draft': () => refusal(412, 'precondition_failed', 'It has another revision.'),
        }),
      ),
      press('Contract'),
      key('s', { ctrlKey: true }),
      press('Keep theirs'),
      choose('third.docx', 'PKPK'),
      answering(
        'it is taken',
        spaceOf({
          'GET /api/v1/templates/t-1/draft': draft({ revision: 5, bindings: [bound('/to', 2)] }),
          'PUT /api/v1/templates/t-1/draft': draft({ revision: 5 }),
        }),
      ),
      press('Save'),
    ],
  },
  'as a PDF': {
    path: `${path}?tab=template`,
    beside: path,
    answers: spaceOf(),
    acts: [
      answering(
        'a PDF',
        spaceOf({
          'POST /api/v1/templates/t-1/test': () =>
            new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }),
        }),
      ),
      press('As PDF'),
      press('Close'),
      answering('none', spaceOf({ 'POST /api/v1/templates/t-1/test': refuses('No value.') })),
      press('As PDF'),
    ],
  },
  'a template that cannot be filled': {
    path,
    answers: spaceOf({ 'POST /api/v1/templates/t-1/test': refuses('No value.') }),
    acts: [
      open(`${path}?tab=template`),
      answering('it does not answer', spaceOf({ 'POST /api/v1/templates/t-1/test': unable })),
      write('Source', source.replace('/customer/name', '/number')),
      answering('it does', spaceOf()),
      press('Try again'),
      answering('one page', spaceOf({ 'POST /api/v1/templates/t-1/test': () => drawn(1) })),
      write('Source', source),
    ],
  },
  'a template without a file': {
    path: `${path}?tab=template`,
    beside: path,
    answers: spaceOf({ 'GET /api/v1/templates/t-1': family('t-1', 'letterhead', { ...none, draft_revision: 0 }) }),
    acts: [choose('first.docx', 'PK'), write('Input', ''), press('Discard the file')],
  },
  'a narrow window': {
    path: '/nowhere',
    answers: spaceOf(),
    acts: [narrow(true), open(`${path}?tab=pages`), narrow(false), open('/nowhere'), open(`${path}?tab=pages`)],
  },
  'a node below another, and one of data alone': {
    path,
    answers: spaceOf({ 'GET /api/v1/ingestion-models/m-1/draft': textDraft('m-1', modelText(chain)) }),
    acts: [fill('Document', 'data'), fill('Document', 'data:letter')],
  },
  'params that every run must be given': {
    path,
    answers: spaceOf({
      'GET /api/v1/transformers/f-1/draft': textDraft(
        'f-1',
        source.replace('output:', 'params: { tone: string }\noutput:').replace('/customer/name', '$tone'),
      ),
    }),
    acts: [fill(/^\$tone/, 'warm')],
  },
  'no draft of the model': {
    path,
    answers: spaceOf({ 'GET /api/v1/ingestion-models/m-1': family('m-1', 'letters', { draft_revision: 0 }) }),
    acts: [],
  },
  'a draft with errors': {
    path,
    answers: spaceOf({ 'GET /api/v1/ingestion-models/m-1/draft': textDraft('m-1', modelText('  - key: 1\n')) }),
    acts: [],
  },
  'what is not there': {
    path,
    answers: spaceOf({
      'GET /api/v1/contracts': { contracts: [] },
      'GET /api/v1/transformers': { transformers: [] },
      'GET /api/v1/templates': { templates: [] },
    }),
    acts: [],
  },
  ...Object.fromEntries(
    ['contracts/k-1', 'transformers/f-1', 'templates/t-1', 'ingestion-models/m-1', 'ingestion-models/m-1/draft'].map(
      (unread): [string, CannedWalk] => [
        `that ${unread} cannot be read`,
        {
          path,
          answers: spaceOf({ [`GET /api/v1/${unread}`]: unable }),
          acts: [answering('it can be read', spaceOf()), press('Try again')],
        },
      ],
    ),
  ),
  'a contract without a case': { path, answers: spaceOf({ 'GET /api/v1/cases': { cases: [] } }), acts: [] },
}

describeWalks('states of a workspace', 'say what is missing, what is not saved and what cannot be drawn', walks)
