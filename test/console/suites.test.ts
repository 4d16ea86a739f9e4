import { expect } from 'bun:test'
import { refusal } from '../support/canned.ts'
import { type Act, answering, type CannedWalk, choose, describeWalks, fill, pick, press, unfold } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const model = (more: object = {}) => ({
  ...{ id: 'm-1', slug: 'letters', name: 'Letters', description: '', draft_revision: 7, versions: [] },
  ...{ created_at: at, updated_at: at, ...more },
})
const draft = { revision: 7, format: 'yaml', source: 'model: ingestion-model-v1\n', updated_at: at }
const about = (more: object = {}) => ({
  ...{ ingestion_model_id: 'm-1', slug: 'letters', name: 'Letters', requires: 'nothing', ...more },
})
const testCase = (name: string, more: object = {}) => ({
  ...{ name, origin: 'suite', format: 'json', case_hash: `h-${name}`, has_params: false, expects: ['output'], ...more },
})
const result = (name: string, verdict: string, failures: object[] = [], more: object = {}) => ({
  ...{ name, case_hash: `h-${name}`, made_hash: `made-${name}`, verdict, failures, ...more },
})
const parts = [{ kind: 'ingestion_model', family_id: 'm-1', slug: 'letters', draft_revision: 7, content_hash: 'p-1' }]
const run = (cases: object[], more: object = {}) => ({ parts, cases, issues: [], correlation_id: 'c-1', ...more })
const unable = () => refusal(503, 'unavailable', 'Not now.')
const refused = () => refusal(409, 'conflict', 'Somebody changed it.')
const suiteOf = (suite: object, more: object = {}) => ({
  'GET /api/v1/ingestion-models/m-1': model(),
  'GET /api/v1/ingestion-models/m-1/draft': draft,
  'GET /api/v1/contracts': { contracts: [] },
  'GET /api/v1/transformers': { transformers: [] },
  'GET /api/v1/templates': { templates: [] },
  'GET /api/v1/suites': { suites: [about({ cases: 1 })] },
  'GET /api/v1/suites/m-1': suite,
  ...more,
})
const page = (number: number, regions: number) => ({
  ...{ number, width: 100, height: 140, svg: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  regions: Array.from({ length: regions }, (_, index) => ({ x: index, y: 1, width: 2, height: 3 })),
})
const changes = [{ line: 2, lines: [' a', '-b', '+c'] }]
const all = [
  result('large', 'red', [
    { kind: 'text', file: 'cases/large.expected/letter/output.json', changes },
    { kind: 'text', file: 'cases/large.expected/letter/text.txt', message: 'It is longer.' },
    { kind: 'page', file: 'cases/large.expected/letter/pages/2.png', page: 2 },
    { kind: 'page', file: 'cases/large.expected/letter/pages/3.png', page: 3 },
    { kind: 'page', file: 'cases/large.expected/letter/pages/4.png', page: 4 },
  ]),
  result('small', 'red', [{ kind: 'text', file: 'cases/small.expected/output.json', changes }]),
  result('odd', 'red', [{ kind: 'other', file: 'cases/odd.json', message: 'It was refused:\nno number' }]),
  result('made', 'unwritten'),
  result('fine', 'green'),
]
const suite = about({
  cases: [
    testCase('large', { expects: ['output', 'text', 'pages'] }),
    testCase('small'),
    testCase('odd', { expects: ['refusal'] }),
    testCase('made', { origin: 'contract', expects: [] }),
    testCase('fine', { expects: ['text', 'refusal'] }),
    testCase('waits', { expects: [] }),
  ],
})
const drawn = run([
  result('large', 'red', [
    { kind: 'text', file: 'cases/large.expected/letter/output.json', changes },
    { kind: 'page', file: 'p2', page: 2, before: page(2, 1), after: page(2, 2) },
    { kind: 'page', file: 'p3', page: 3, before: page(3, 0), after: page(3, 1) },
    { kind: 'page', file: 'p4', page: 4 },
  ]),
])
/** What differs is asked for with its pictures by itself. */
const runs = (body: unknown) => ((body as { pictures?: boolean }).pictures === true ? drawn : run(all))
const many = Array.from({ length: 21 }, (_, index) => `case-${index + 1}`)
const names = (body: unknown): string[] => (body as { cases: string[] }).cases
const unwritten = (body: unknown) => {
  meanwhile.push(
    ['.suite-verdict', '.suite-cases[aria-busy=true]', '.panel-tools [aria-disabled=true]']
      .map((selector) => document.querySelector(selector)?.textContent.slice(0, 25).trim() ?? 'none')
      .join(', '),
  )
  return run(names(body).map((name) => result(name, 'unwritten')))
}
/** What was shown while cases ran. */
const meanwhile: string[] = []
const isShownMeanwhile = (...lines: string[]): Act => [
  `meanwhile there was ${lines.join(' | ')}`,
  async () => expect(meanwhile.splice(0)).toEqual(lines),
]
const open = (name: string, line: string): Act => unfold(`${name}${line}`)

const walks: Record<string, CannedWalk> = {
  'a suite whose cases are green, red, unwritten and not run': {
    path: '/ingestion-models/m-1',
    answers: suiteOf(suite, {
      'POST /api/v1/suites/m-1/runs': runs,
      'POST /api/v1/suites/m-1/acceptances': { cases: [], correlation_id: 'c-1' },
    }),
    acts: [
      open('Red', 'largeletter/output.json, letter/text.txt, page 2, page 3, page 4 differ'),
      open('Red', 'smalloutput.json differs'),
      open('Red', 'oddIt was refused:'),
      open('Unwritten', 'mademade for the contract'),
      open('Green', 'finetext, refused on purpose'),
      open('Not run', 'waits'),
      press('Accept what it gives now'),
      press('Cancel'),
      press('Accept all 4'),
      press('Accept'),
      press('Accept all 4'),
      press('all'),
      answering('a draft was saved meanwhile', {
        'POST /api/v1/suites/m-1/runs': run(all, { parts: [{ ...parts[0], content_hash: 'p-2' }] }),
      }),
      press('Accept'),
      answering('nothing was', {
        'POST /api/v1/suites/m-1/runs': runs,
        'POST /api/v1/suites/m-1/acceptances': refused,
      }),
      press('Accept'),
    ],
  },
  'a case that is changed and removed': {
    path: '/ingestion-models/m-1',
    answers: suiteOf(about({ cases: [testCase('small')] }), {
      'POST /api/v1/suites/m-1/runs': run([result('small', 'green')]),
      'GET /api/v1/suites/m-1/cases/small': {
        ...testCase('small', { format: 'csv', has_params: true }),
        ...{ input: 'a,b\n1,2\n', params: '{"tone": "warm"}', expected: [] },
      },
      'PUT /api/v1/suites/m-1/cases/small': testCase('small'),
      'DELETE /api/v1/suites/m-1/cases/small': refused,
    }),
    acts: [
      open('Green', 'smalloutput'),
      press('Change its input'),
      fill('Params', ' '),
      press('Save'),
      answering(
        'it cannot be read',
        suiteOf(about({ cases: [testCase('small')] }), {
          'GET /api/v1/suites/m-1/cases/small': unable,
          'POST /api/v1/suites/m-1/runs': run([result('small', 'green')]),
          'DELETE /api/v1/suites/m-1/cases/small': refused,
        }),
      ),
      press('Change its input'),
      press('Cancel'),
      press('Remove'),
      press('Remove'),
      answering(
        'it is taken',
        suiteOf(about({ cases: [] }), { 'DELETE /api/v1/suites/m-1/cases/small': () => undefined }),
      ),
      press('Remove'),
    ],
  },
  'a first case': {
    path: '/ingestion-models/m-1',
    answers: suiteOf(about({ cases: [] }), { 'PUT /api/v1/suites/m-1/cases/a%20b': refused }),
    acts: [
      press('Add a case'),
      choose('Large.XML', '<a/>'),
      fill('Name', 'a b'),
      choose('other.txt', '{"a": 1}'),
      press('Add'),
      fill('Format', 'json'),
      fill('Params', '{"b": 2}'),
      answering(
        'it is taken',
        suiteOf(about({ cases: [testCase('a b')] }), {
          'PUT /api/v1/suites/m-1/cases/a%20b': testCase('a b'),
          'POST /api/v1/suites/m-1/runs': run([result('a b', 'unwritten')]),
        }),
      ),
      press('Add'),
    ],
  },
  'more cases than run at once': {
    path: '/ingestion-models/m-1',
    answers: suiteOf(about({ cases: many.map((name) => testCase(name)) }), {
      'POST /api/v1/suites/m-1/runs': unwritten,
      'POST /api/v1/suites/m-1/acceptances': { cases: [], correlation_id: 'c-1' },
    }),
    acts: [
      isShownMeanwhile(
        'Running 0 of 21 cases, Not runcase-1outputNot ru, Run',
        'Running 20 of 21 cases, Unwrittencase-1outputUnwr, Run',
      ),
      press('Accept all 21'),
      press('Accept'),
      answering(
        'no case can be run',
        suiteOf(about({ cases: many.map((name) => testCase(name)) }), {
          'POST /api/v1/suites/m-1/runs': run([], {
            issues: [
              { code: 'x', path: '/nodes/0', message: 'No such template.' },
              { code: 'y', message: 'No contract.' },
            ],
          }),
        }),
      ),
      press('Run'),
      answering(
        'it cannot be run',
        suiteOf(about({ cases: [testCase('case-1')] }), { 'POST /api/v1/suites/m-1/runs': unable }),
      ),
      press('Run'),
      answering(
        'it can',
        suiteOf(about({ cases: [testCase('case-1')] }), {
          'POST /api/v1/suites/m-1/runs': run([result('case-1', 'green')]),
        }),
      ),
      press('Try again'),
    ],
  },
  'what broke off is not accepted with the others': {
    path: '/ingestion-models/m-1',
    answers: suiteOf(about({ cases: [testCase('one'), testCase('two')] }), {
      'POST /api/v1/suites/m-1/runs': run([
        result('one', 'red', [{ kind: 'other', file: 'one.json' }], { broke_off: true }),
        result('two', 'red', [{ kind: 'page', file: 'p', page: 1 }]),
      ]),
    }),
    acts: [
      answering(
        'one of them is gone',
        suiteOf(about({ cases: [testCase('two')] }), {
          'POST /api/v1/suites/m-1/runs': run([result('two', 'red', [{ kind: 'page', file: 'p', page: 1 }])]),
        }),
      ),
      press('Run'),
    ],
  },
  'when it has to be green': {
    path: '/ingestion-models/m-1',
    answers: suiteOf(about({ cases: [], requires: 'in_force' }), { 'PUT /api/v1/suites/m-1/policy': refused }),
    acts: [
      press('Policy'),
      pick('Let it pass'),
      fill('Hours', '3'),
      fill('Reason', 'a hurry'),
      press('Set'),
      pick('Before a version is frozen'),
      press('Set'),
      pick('Never'),
      answering('it is taken', suiteOf(about({ cases: [] }), { 'PUT /api/v1/suites/m-1/policy': about() })),
      press('Set'),
    ],
  },
  'one that has to be green before a version is frozen': {
    path: '/ingestion-models/m-1',
    answers: suiteOf(about({ cases: [], requires: 'freeze', lifted_until: '2020-01-01T00:00:00Z' })),
    acts: [],
  },
  'one that passes for now': {
    path: '/ingestion-models/m-1',
    answers: suiteOf(about({ cases: [], requires: 'freeze', lifted_until: '2099-01-01T00:00:00Z' })),
    acts: [],
  },
  'for an engineer': {
    path: '/ingestion-models/m-1',
    as: ['engineer'],
    answers: suiteOf(about({ cases: [testCase('one')] }), {
      'POST /api/v1/suites/m-1/runs': run([result('one', 'unwritten')]),
    }),
    acts: [open('Unwritten', 'oneoutput')],
  },
  'for who may only read': {
    path: '/ingestion-models/m-1',
    as: ['auditor'],
    answers: suiteOf(about({ cases: [testCase('one')] })),
    acts: [
      answering('there are two', suiteOf(about({ cases: [testCase('one'), testCase('two')] }))),
      open('Not run', 'oneoutput'),
    ],
  },
  'suites of a contract': {
    path: '/contracts/k-1',
    as: ['administrator'],
    answers: suiteOf(about({ cases: [testCase('one')] }), {
      'GET /api/v1/contracts/k-1': {
        ...{
          id: 'k-1',
          slug: 'letter',
          name: 'Letter',
          description: '',
          schema: '{"type": "object"}\n',
          draft_revision: 2,
        },
        ...{ versions: [], created_at: at, updated_at: at },
      },
      'POST /api/v1/suites/m-1/runs': run([result('one', 'green')]),
    }),
    acts: [],
  },
  'no suite': {
    path: '/ingestion-models/m-1',
    answers: { ...suiteOf({}), 'GET /api/v1/suites': { suites: [] } },
    acts: [],
  },
  'suites that cannot be read': {
    path: '/ingestion-models/m-1',
    answers: { ...suiteOf({}), 'GET /api/v1/suites': unable },
    acts: [
      answering('one of them cannot', suiteOf(about(), { 'GET /api/v1/suites/m-1': unable })),
      press('Try again'),
      answering('it can', suiteOf(about({ cases: [] }))),
      press('Try again'),
    ],
  },
}

describeWalks('suites', 'say of each case how it comes out, and accept what somebody looked at', walks)
