import { refusal } from '../support/canned.ts'
import { type Act, answering, type CannedWalk, describeWalks, fill, open, press, tick, write } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const schemaOf = (name: string, sum: string, more = '') =>
  `{\n  "type": "object",\n  "properties": {\n    "${name}": {"type": "string"},\n    "kept": {"type": "string"},\n    "${sum}": {"type": "number"}${more}\n  }\n}\n`
const first = schemaOf('name', 'sum')
const version = (number: number, status: string) => ({
  id: `v-${number}`,
  number,
  status,
  content_hash: `h${number}`.repeat(8),
  created_at: at,
  created_by: 'u-2',
})
const contract = (draft_revision: number, schema: string, more: object = {}) => ({
  ...{
    id: 'k-1',
    slug: 'letter',
    name: 'Letter',
    description: 'letters',
    schema,
    draft_revision,
    versions: [],
    created_at: at,
    updated_at: at,
  },
  ...more,
})
/** As a list has it, without its schema. */
const listed = (draft_revision: number) => ({ ...contract(draft_revision, ''), schema: undefined })
const path = 'GET /api/v1/contracts/k-1'
const put = 'PUT /api/v1/contracts/k-1'
const changed = () => refusal(412, 'precondition_failed', 'It has another revision.')
/** Taken as it is sent. */
const taken = (body: unknown) => {
  const { schema, expected_revision: revision } = body as { schema: string; expected_revision: number }
  return { contract: contract(revision + 1, schema) }
}
const mine = schemaOf('mine', 'sum')
const discardAll: Act = press('Discard changes')

const walks: Record<string, CannedWalk> = {
  'a draft that somebody else saved elsewhere in it': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, first), [put]: changed },
    acts: [
      write('Schema', mine),
      answering('another place was changed', { [path]: contract(4, schemaOf('name', 'total')), [put]: changed }),
      press(/^Save/),
      answering('it is taken', { [path]: contract(4, schemaOf('name', 'total')), [put]: taken }),
      press(/^Save/),
    ],
  },
  'a draft that somebody else saved at the same place': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, first), [put]: changed },
    acts: [
      write('Schema', schemaOf('mine', 'cost')),
      answering('the same places were changed', { [path]: contract(4, schemaOf('theirs', 'price')), [put]: changed }),
      press(/^Save/),
      press('Theirs everywhere'),
      press('Mine everywhere'),
      ['choose both', (page) => chooseAt(page, 2)],
      press('Go on with the merged text'),
      discardAll,
      press('Bring them back'),
      discardAll,
    ],
  },
  'a draft at the same place, given up': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, first), [put]: changed },
    acts: [
      write('Schema', schemaOf('mine', 'sum')),
      answering('the same place was changed', { [path]: contract(4, schemaOf('theirs', 'sum')), [put]: changed }),
      press(/^Save/),
      press('Discard mine'),
    ],
  },
  'a name that somebody else changed': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, first), [put]: changed },
    acts: [
      write('Schema', mine),
      answering('only the name is another', {
        [path]: contract(5, first, { name: 'Letters' }),
        [put]: (body) => ((body as { expected_revision: number }).expected_revision === 5 ? taken(body) : changed()),
      }),
      press(/^Save/),
    ],
  },
  'a draft that is never the one that was read': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, first), [put]: changed },
    acts: [write('Schema', mine), press(/^Save/), discardAll],
  },
  'what was typed before a reload': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, first), [put]: taken },
    acts: [write('Schema', mine), open('/nowhere'), open('/contracts/k-1'), press(/^Save/)],
  },
  'a draft that cannot be saved': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, first), [put]: () => refusal(503, 'unavailable', 'Not now.') },
    acts: [
      write('Schema', mine),
      press(/^Save/),
      answering('it can', { [path]: contract(3, first), [put]: taken }),
      press('Try again'),
    ],
  },
  'a version': {
    path: '/contracts/k-1',
    answers: {
      [path]: contract(3, first),
      'POST /api/v1/contracts/k-1/versions': { version: version(1, 'versioned') },
    },
    acts: [press('Freeze a version'), tick],
  },
  'a version of a draft that somebody else saved': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, first), 'POST /api/v1/contracts/k-1/versions': changed },
    acts: [
      answering('another revision', { [path]: contract(4, mine), 'POST /api/v1/contracts/k-1/versions': changed }),
      press('Freeze a version'),
    ],
  },
  'a version that is refused': {
    path: '/contracts/k-1',
    answers: {
      [path]: contract(3, first),
      'POST /api/v1/contracts/k-1/versions': () => refusal(409, 'conflict', 'No.'),
    },
    acts: [press('Freeze a version')],
  },
  'a schema with errors, and none': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, '{"type": "objekt"}') },
    acts: [write('Schema', ''), write('Schema', '{"type": '), discardAll],
  },
  'a schema of an older draft': {
    path: '/contracts/k-1',
    answers: {
      [path]: contract(
        3,
        '{\n  "$schema": "http://json-schema.org/draft-07/schema#",\n  "definitions": {"a": {"type": "string"}},\n  "type": "object",\n  "properties": {"a": {"$ref": "#/definitions/a"}},\n  "dependencies": {"a": ["b"]}\n}\n',
      ),
    },
    acts: [
      press('Convert to 2020-12'),
      press('Cancel'),
      press('Convert to 2020-12'),
      press('Take the converted schema'),
    ],
  },
  'a contract that only may be read': {
    path: '/contracts/k-1',
    as: ['auditor'],
    answers: { [path]: contract(3, first) },
    acts: [],
  },
  'another name': {
    path: '/contracts/k-1',
    as: ['administrator', 'operator'],
    answers: { [path]: contract(3, first), [put]: taken },
    acts: [press('Name and description'), fill('Name', 'Letters '), press('Save')],
  },
  'another name that somebody else changed, too': {
    path: '/contracts/k-1',
    answers: { [path]: contract(3, first), [put]: taken },
    acts: [
      press('Name and description'),
      fill('Description', 'mine'),
      answering('they changed it', {
        [path]: contract(4, first, { description: 'theirs', name: 'Theirs' }),
        [put]: taken,
      }),
      press('Save'),
      press('Cancel'),
    ],
  },
  versions: {
    path: '/contracts/k-1?tab=versions',
    answers: {
      [path]: contract(3, first, {
        versions: [version(3, 'versioned'), version(2, 'published'), version(1, 'deprecated')],
      }),
      'GET /api/v1/contracts/k-1/versions/3': { ...version(3, 'versioned'), schema: first },
      'GET /api/v1/contracts/k-1/versions/2': { ...version(2, 'published'), schema: mine },
      'POST /api/v1/contracts/k-1/versions/3/publish': {},
      'POST /api/v1/contracts/k-1/versions/2/deprecate': () => refusal(409, 'conflict', 'It is in force.'),
    },
    acts: [press('v2'), press(/^Publish/), press('Publish'), press(/^Deprecate/), press('Deprecate'), press('Cancel')],
  },
  'no version': { path: '/contracts/k-1?tab=versions', answers: { [path]: contract(0, '') }, acts: [] },
  contracts: {
    path: '/contracts',
    answers: {
      'GET /api/v1/contracts': {
        contracts: [
          { ...listed(3), versions: [version(1, 'published')] },
          { ...listed(0), id: 'k-2', name: 'Empty', slug: 'empty', description: '' },
        ],
      },
      'POST /api/v1/contracts': () => refusal(409, 'conflict', 'There is one of that name.'),
    },
    acts: [press('New contract'), fill('Name', 'Letter'), press('Create'), press('Cancel')],
  },
  'lines compared': {
    path: '/transformers/t-1?tab=compare',
    answers: {
      'GET /api/v1/transformers/t-1': {
        id: 't-1',
        slug: 'small',
        name: 'Small',
        description: '',
        draft_revision: 2,
        versions: [version(2, 'versioned'), version(1, 'versioned')],
      },
      'GET /api/v1/transformers/t-1/draft': {
        source: 'a: 1\nb: 2\nc: completely other\n',
        revision: 2,
        format: 'yaml',
      },
      'GET /api/v1/transformers/t-1/versions/1': { ...version(1, 'versioned'), source: 'a: 1\nb: 20\nc: 3\nd: 4' },
      'GET /api/v1/transformers/t-1/versions/2': { ...version(2, 'versioned'), source: 'a: 1\nb: 2\nc: 3' },
    },
    acts: [
      open('/transformers/t-1?tab=compare&from=1&to=2'),
      open('/transformers/t-1?tab=compare&from=2&to=2'),
      open('/transformers/t-1?tab=compare&from=9&to=draft'),
    ],
  },
}

async function chooseAt(page: { settled(): Promise<void> }, index: number): Promise<void> {
  const choices = [...document.querySelectorAll<HTMLInputElement>('.meeting-choices input')]
  choices[index]?.click()
  await page.settled()
}

describeWalks('drafts', 'lose nothing of what two people typed, and save nothing that nobody looked at', walks, {
  withLooks: true,
})
