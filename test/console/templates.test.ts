import { refusal } from '../support/canned.ts'
import { answering, type CannedWalk, choose, describeWalks, fill, open, press } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const version = (number: number, more: object = {}) => ({
  id: `v-${number}`,
  number,
  status: 'versioned',
  content_hash: `h${number}`.repeat(8),
  created_at: at,
  created_by: 'u-2',
  bindings: [],
  ...more,
})
const template = (draft_revision: number, more: object = {}) => ({
  ...{
    id: 'p-1',
    slug: 'letterhead',
    name: 'Letterhead',
    description: '',
    draft_revision,
    versions: [],
    included_by: [],
    created_at: at,
    updated_at: at,
  },
  ...more,
})
const binding = (pointer: string, more: object = {}) => ({
  pointer,
  shape: 'scalar',
  required: true,
  part: 'word/document.xml',
  paragraph: 1,
  position: 2,
  ...more,
})
const draft = (revision: number, more: object = {}) => ({
  revision,
  byte_size: 20_000,
  content_hash: 'h'.repeat(64),
  updated_at: at,
  bindings: [binding('/a'), binding('/b')],
  ...more,
})
const base = (revision: number, more: object = {}) => ({
  'GET /api/v1/templates/p-1': template(revision),
  'GET /api/v1/templates/p-1/draft': draft(revision),
  'GET /api/v1/templates/p-1/fonts': { fonts: [] },
  'POST /api/v1/templates/p-1/validate': { valid: true, errors: [] },
  ...more,
})
const put = 'PUT /api/v1/templates/p-1/draft'
const changed = () => refusal(412, 'precondition_failed', 'It has another revision.')
const unable = () => refusal(503, 'unavailable', 'Not now.')
const page = (number: number, regions: object[]) => ({ number, width: 100, height: 200, svg: '<svg/>', regions })
const region = (x: number) => ({ x, y: 1, width: 10, height: 5 })
const noSample = { 'GET /api/v1/transformers': { transformers: [] }, 'GET /api/v1/contracts': { contracts: [] } }
const compared = (pairs: object[], difference = '') => ({
  ...noSample,
  'GET /api/v1/templates/p-1': template(2, { versions: [version(2), version(1)] }),
  'GET /api/v1/comparisons': { difference, pages: { pairs }, from: { content_hash: 'g' }, to: { content_hash: 'h' } },
})

const walks: Record<string, CannedWalk> = {
  'a file that takes the place of another': {
    path: '/templates/p-1',
    answers: base(3, { [put]: {} }),
    acts: [
      choose('letter.docx', 'PK'),
      answering(
        'it has mistakes',
        base(3, {
          'POST /api/v1/templates/p-1/validate': {
            valid: false,
            errors: [
              {
                code: 'template.tag',
                message: 'It is never closed.',
                path: 'word/document.xml',
                context: { paragraph: '3' },
              },
            ],
          },
        }),
      ),
      choose('broken.docx', 'PK'),
      answering('it cannot be looked at', base(3, { 'POST /api/v1/templates/p-1/validate': unable })),
      choose('any.docx', 'PK'),
    ],
  },
  'two files in one place': {
    path: '/templates/p-1',
    answers: base(3, { [put]: changed }),
    acts: [
      answering(
        'another was put there',
        base(4, {
          [put]: changed,
          'GET /api/v1/templates/p-1/draft': draft(4, { bindings: [binding('/b'), binding('/c'), binding('/c')] }),
        }),
      ),
      choose('mine.docx', 'PK'),
      answering('and a third', base(5, { [put]: unable })),
      press('Put mine in its place'),
      press('Keep theirs'),
      answering('it is taken', base(5, { [put]: {} })),
      choose('mine.docx', 'PK'),
    ],
  },
  'a first file': {
    path: '/templates/p-1',
    answers: {
      'GET /api/v1/templates/p-1': template(0),
      'POST /api/v1/templates/p-1/validate': { valid: true, errors: [] },
      [put]: changed,
    },
    acts: [
      answering(
        'there is one',
        base(1, { [put]: changed, 'GET /api/v1/templates/p-1/draft': draft(1, { bindings: [] }) }),
      ),
      choose('mine.docx', 'PK'),
      answering('it is taken', base(2, { [put]: {} })),
      press('Put mine in its place'),
    ],
  },
  'a version': {
    path: '/templates/p-1',
    answers: base(3, { 'POST /api/v1/templates/p-1/versions': { result: { number: 2, reused: false } } }),
    acts: [
      press('Freeze a version'),
      answering(
        'it is there',
        base(3, { 'POST /api/v1/templates/p-1/versions': { result: { number: 2, reused: true } } }),
      ),
      press('Freeze a version'),
      answering('somebody saved it', base(4, { 'POST /api/v1/templates/p-1/versions': changed })),
      press('Freeze a version'),
    ],
  },
  'a file that only may be read': {
    path: '/templates/p-1',
    as: ['auditor'],
    answers: base(3),
    acts: [open('/templates/p-1?tab=compare')],
  },
  'a draft that cannot be read': {
    path: '/templates/p-1',
    as: ['administrator', 'operator'],
    answers: base(3, { 'GET /api/v1/templates/p-1/draft': unable }),
    acts: [answering('it can', base(3)), press('Try again')],
  },
  bindings: {
    path: '/templates/p-1?tab=bindings',
    answers: base(3, {
      'GET /api/v1/templates/p-1': template(3, {
        versions: [
          version(2, {
            bindings: [
              binding('/a'),
              binding('/list', { shape: 'list', required: false, part: 'word/header1.xml' }),
              binding('/image', { shape: 'image' }),
            ],
          }),
          version(1),
        ],
      }),
    }),
    acts: [
      fill('Version', 'draft'),
      fill('Version', '1'),
      answering('mistakes', base(3, { 'GET /api/v1/templates/p-1/draft': draft(3, { bindings: undefined }) })),
      open('/templates/p-1?tab=bindings&version=draft'),
    ],
  },
  'no file to bind': {
    path: '/templates/p-1?tab=bindings',
    answers: { 'GET /api/v1/templates/p-1': template(0) },
    acts: [],
  },
  'bindings of a draft that cannot be read': {
    path: '/templates/p-1?tab=bindings',
    answers: base(3, { 'GET /api/v1/templates/p-1/draft': unable }),
    acts: [],
  },
  'versions and what includes them': {
    path: '/templates/p-1?tab=versions',
    answers: {
      'GET /api/v1/templates/p-1': template(3, {
        versions: [version(1), version(2, { fragments: ['frame', 'foot'] })],
        included_by: [
          { template_id: 'p-2', slug: 'two', version: 3, chain: ['two', 'letterhead'] },
          { template_id: 'p-3', slug: 'three', version: 1, chain: ['three', 'two', 'letterhead'] },
        ],
      }),
    },
    acts: [],
  },
  'pages compared': {
    path: '/templates/p-1?tab=compare',
    answers: compared(
      [
        { before: page(2, [region(1)]), after: page(2, [region(1), region(30)]) },
        { before: page(3, []), after: page(3, []) },
        { before: page(4, [region(2)]), after: page(4, []) },
        { after: page(5, []) },
        { before: page(6, []) },
      ],
      '@@ line 1 @@\n-a\n+b\n',
    ),
    acts: [
      fill('From', 'draft'),
      fill('To', '1'),
      answering('one page', compared([{ before: page(1, []), after: page(1, [region(1)]) }])),
      fill('From', '1'),
      answering('none', compared([])),
      fill('To', '2'),
      answering('not at all', {
        ...noSample,
        'GET /api/v1/templates/p-1': template(2),
        'GET /api/v1/comparisons': unable,
      }),
      fill('From', '2'),
    ],
  },
  'nothing to compare': {
    path: '/templates/p-1?tab=compare',
    answers: { 'GET /api/v1/templates/p-1': template(0, { versions: [version(1)] }) },
    acts: [],
  },
  'one version beside the draft': {
    path: '/templates/p-1?tab=compare',
    answers: {
      ...noSample,
      'GET /api/v1/templates/p-1': template(1, { versions: [version(1)] }),
      'GET /api/v1/comparisons': { difference: '', from: {}, to: {} },
    },
    acts: [],
  },
  templates: {
    path: '/templates',
    answers: {
      'GET /api/v1/templates': {
        templates: [
          template(1, { versions: [version(1)] }),
          template(0, { id: 'p-2', slug: 'other', name: 'Other', description: 'for others' }),
        ],
      },
      'POST /api/v1/templates': () => refusal(422, 'invalid', 'No DOCX.'),
    },
    acts: [
      press('Upload a DOCX'),
      choose('Head.DOCX', 'PK'),
      fill('Description', 'the head'),
      press('Upload'),
      answering('it is one', {
        'GET /api/v1/templates': { templates: [] },
        'POST /api/v1/templates': { template: { id: 'p-1' } },
        ...base(1),
      }),
      fill(/^Name/, ' Head '),
      press('Upload'),
    ],
  },
  'no template': {
    path: '/templates',
    answers: { 'GET /api/v1/templates': { templates: [] } },
    acts: [press('New template'), press('Cancel')],
  },
}

describeWalks('templates', 'show whose file is the draft, what it binds, and what differs on its pages', walks, {
  withLooks: true,
})
