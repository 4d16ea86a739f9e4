import { refusal } from '../support/canned.ts'
import { at, draft, family, oneCase, unable, version } from './families.ts'
import { type Act, answering, type CannedWalk, choose, describeWalks, fill, open, press, write } from './walks.ts'

const source = `transform: declarative-v1
contract: Letter@2
output:
  number: /number
  total: { $sum: /lines, as: line, of: $line/amount }
  fixed: yes it is
`
const transformer = (more: object = {}) =>
  family('t-1', 'to-letter', 'To letter', { kind: 'transformer', draft_revision: 3, ...more })
const bench = (text: string, more: object = {}) => ({
  'GET /api/v1/transformers/t-1': transformer(),
  'GET /api/v1/transformers/t-1/draft': draft('t-1', text, 3),
  'GET /api/v1/contracts': { contracts: [] },
  'GET /api/v1/templates': { templates: [] },
  'POST /api/v1/transformers/t-1/validate': { valid: true, errors: [] },
  ...more,
})
const activation = (id: string, number: number, status: string, from: string) => ({
  ...{
    id,
    kind: 'transformer',
    family_id: 't-1',
    family_slug: 'to-letter',
    version_id: `v-${number}`,
    version: number,
  },
  ...{ status, effective_from: from },
})
const past = '2026-01-01T00:00:00Z'
const publish = 'POST /api/v1/transformers/t-1/versions/2/publish'
const schemaOf = (...names: string[]) =>
  `${JSON.stringify({ type: 'object', required: ['a'], properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }, undefined, 2)}\n`
const contract = (draft_revision: number, schema: string, more: object = {}) =>
  family('k-1', 'letter', 'Letter', { draft_revision, schema, ...more })
const three = [
  version(1, { status: 'deprecated' }),
  version(3, { status: 'versioned' }),
  version(2, { status: 'published' }),
]
const contractWith = (versions: object[], more: object = {}) => ({
  'GET /api/v1/contracts/k-1': contract(4, schemaOf('a', 'b'), { versions }),
  'GET /api/v1/contracts/k-1/versions/1': { ...version(1), schema: schemaOf('a', 'c') },
  'GET /api/v1/contracts/k-1/versions/2': { ...version(2), schema: schemaOf('a') },
  'GET /api/v1/contracts/k-1/versions/3': { ...version(3), schema: schemaOf('a', 'b') },
  ...more,
})
const cases = [
  oneCase('c-1', 'valid', 7),
  oneCase('c-2', 'invalid', 8, { invalid_path: '/a', invalid_keyword: 'type' }),
  oneCase('c-3', 'boundary', 0, { provider: 'svc fixture', provider_version: '1' }),
]
const whole = (one: object, payload: string) => ({
  ...one,
  ...{ payload, locale: 'en_US', generator_version: 'svc-json-schema-v1', contract_hash: 'k'.repeat(64) },
})
const withCases = (more: object = {}) =>
  contractWith(three, {
    'GET /api/v1/cases': { cases },
    'GET /api/v1/cases/c-1': whole(cases[0] ?? {}, '{"a":"x","b":[1,2]}'),
    'GET /api/v1/cases/c-2': whole(cases[1] ?? {}, '{\n"a": 1}'),
    'GET /api/v1/cases/c-3': whole(cases[2] ?? {}, ''),
    'POST /api/v1/cases/generate': whole(cases[0] ?? {}, '{}'),
    'POST /api/v1/cases/import': whole(cases[2] ?? {}, '{}'),
    ...more,
  })
const later: Act = [
  'a later instant',
  async (page) => {
    document.querySelectorAll<HTMLInputElement>('input[name=when]')[1]?.click()
    await page.settled()
  },
]
const older = `{
  "$schema": "http://json-schema.org/draft-04/schema#",
  "type": "object",
  "properties": {"a": {"type": "number", "minimum": 1, "exclusiveMinimum": true}}
}
`

const walks: Record<string, CannedWalk> = {
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
  'a version that may come into force': {
    path: '/transformers/t-1?tab=versions',
    answers: bench(source, {
      'GET /api/v1/transformers/t-1': transformer({ versions: [version(1), version(2)] }),
      'GET /api/v1/activations': { activations: [] },
      [publish]: () => undefined,
    }),
    acts: [
      press(/^Put in force v2/),
      later,
      fill('In force from', '2020-01-01T00:00'),
      fill('In force from', ''),
      fill('In force from', '2098-01-01T00:00'),
      press('Put in force'),
      answering(
        'somebody else has to',
        bench(source, {
          'GET /api/v1/transformers/t-1': transformer({ versions: [version(1), version(2)] }),
          'GET /api/v1/activations': { activations: [activation('a-1', 2, 'active', past)] },
          'GET /api/v1/approvals': { four_eyes: true, allowed: false, reason: 'You wrote it.' },
        }),
      ),
      press(/^Put in force v2/),
      press('Cancel'),
      answering(
        'nobody has to, but it is refused',
        bench(source, {
          'GET /api/v1/transformers/t-1': transformer({ versions: [version(1), version(2)] }),
          'GET /api/v1/activations': { activations: [activation('a-1', 2, 'active', past)] },
          'GET /api/v1/approvals': { four_eyes: true, allowed: true, reason: 'Not told.' },
          [publish]: () => refusal(409, 'conflict', 'It is taken.'),
        }),
      ),
      press(/^Put in force v2/),
      press('Put in force'),
    ],
  },
  'a template that others include': {
    path: '/templates/p-1?tab=versions',
    answers: {
      'GET /api/v1/templates/p-1': family('p-1', 'head', 'Head', {
        versions: [version(1, { bindings: [] })],
        included_by: [
          { template_id: 'p-2', slug: 'one', version: 1, chain: ['one', 'head'] },
          { template_id: 'p-3', slug: 'two', version: 2, chain: ['two', 'head'] },
        ],
      }),
      'GET /api/v1/activations': { activations: [] },
    },
    acts: [press(/^Put in force v1/)],
  },
  'versions of a contract': {
    path: '/contracts/k-1?tab=versions',
    answers: contractWith(three, {
      'GET /api/v1/approvals': { four_eyes: true, allowed: false, reason: 'You wrote it.' },
      'POST /api/v1/contracts/k-1/versions/2/deprecate': {},
    }),
    acts: [press('v2'), press(/^Publish/), press('Cancel'), press(/^Deprecate/), press('Deprecate')],
  },
  'versions of a contract that only may be read': {
    path: '/contracts/k-1?tab=versions',
    as: ['auditor'],
    answers: contractWith(three),
    acts: [],
  },
  'a contract compared': {
    path: '/contracts/k-1?tab=compare',
    as: ['administrator', 'operator'],
    answers: contractWith(three),
    acts: [
      fill('From', '1'),
      fill('To', '1'),
      fill('To', 'draft'),
      open('/contracts/k-1'),
      write('Schema', schemaOf('a', 'z')),
      open('/contracts/k-1?tab=compare'),
      fill('To', 'typed'),
      answering(
        'it has errors',
        contractWith(three, { 'GET /api/v1/contracts/k-1/versions/2': { ...version(2), schema: '{"type": "x"}' } }),
      ),
      fill('From', '3'),
      fill('From', '2'),
      answering('it cannot be read', contractWith(three, { 'GET /api/v1/contracts/k-1/versions/1': unable })),
      fill('From', '1'),
    ],
  },
  'a contract with one version': { path: '/contracts/k-1?tab=compare', answers: contractWith([version(1)]), acts: [] },
  'a contract without a version': {
    path: '/contracts/k-1?tab=compare',
    answers: contractWith([]),
    acts: [open('/contracts/k-1?tab=cases'), open('/contracts/k-1?tab=versions')],
  },
  'cases of a contract': {
    path: '/contracts/k-1?tab=cases',
    answers: withCases(),
    acts: [
      press(/^Valid, seed 7/),
      press('Close'),
      press(/^Invalid/),
      press('Close'),
      press(/^Boundary/),
      press('Close'),
      fill('Kind', 'boundary'),
      fill('Version', '2'),
      press('Generate'),
      fill('Seed', '12'),
      press('Generate'),
      press('Close'),
      press('Import'),
      fill('Payload', '{"a":"y"}'),
      choose('case.json', '{"a": "of a file"}'),
      press('Import'),
      press('Close'),
      answering(
        'it is refused',
        withCases({ 'POST /api/v1/cases/import': () => refusal(422, 'invalid', 'It breaks the contract.') }),
      ),
      press('Import'),
      fill('Payload', '{}'),
      press('Import'),
      press('Cancel'),
      answering('there is none', withCases({ 'GET /api/v1/cases': { cases: [] }, 'GET /api/v1/cases/c-9': unable })),
      open('/contracts/k-1?tab=cases&version=1&case=c-9'),
    ],
  },
  'cases that only may be read': { path: '/contracts/k-1?tab=cases', as: ['auditor'], answers: withCases(), acts: [] },
  'a schema of draft 4, converted': {
    path: '/contracts/k-1',
    as: ['administrator', 'operator'],
    answers: { 'GET /api/v1/contracts/k-1': contract(3, older) },
    acts: [
      press('Convert to 2020-12'),
      press('Cancel'),
      write('Schema', older.replace('"$schema": "http://json-schema.org/draft-04/schema#",\n  ', '')),
      write(
        'Schema',
        '{"$schema": "http://json-schema.org/draft-07/schema#", "additionalItems": false, "items": [{}], "$recursiveRef": "#"}',
      ),
      write('Schema', '{"$schema": "http://json-schema.org/draft-03/schema#", "extends": {"type": "any"}}'),
      write('Schema', 'true'),
      write('Schema', '{"type": ["string", "null"], "enum": ["a", null], "pattern": "^a", "description": "x"}'),
    ],
  },
  'a schema of draft 4 that only may be read': {
    path: '/contracts/k-1',
    as: ['auditor'],
    answers: { 'GET /api/v1/contracts/k-1': contract(3, older) },
    acts: [],
  },
  'a schema with all that a form shows': {
    path: '/contracts/k-1',
    answers: {
      'GET /api/v1/contracts/k-1': contract(
        3,
        JSON.stringify({
          type: 'object',
          required: ['kind'],
          properties: {
            kind: { title: 'Kind', description: 'Which.', enum: ['a', 1] },
            code: { type: 'string', pattern: '^x', minLength: 1, maxLength: 3 },
            parts: { type: 'array', items: { type: 'object', properties: { sum: { type: 'number', minimum: 0 } } } },
          },
        }),
      ),
    },
    acts: [],
  },
}

describeWalks(
  'versions',
  'tell what is in force, what differs, and what a contract takes, and send what somebody decides',
  walks,
  { withLooks: true },
)
