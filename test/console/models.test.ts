import { at, contracts, draft, family, listed, unable, version } from './families.ts'
import { answering, type CannedWalk, describeWalks, fill, open, press, write } from './walks.ts'

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
  'GET /api/v1/ingestion-models/m-1/draft': draft('m-1', text, 3),
  'POST /api/v1/ingestion-models/m-1/validate': { valid: true, errors: [] },
  'GET /api/v1/contracts': contracts({ status: 'published' }),
  'GET /api/v1/transformers': { transformers: [listed('t-1', 'to-letter', 'To letter')] },
  'GET /api/v1/templates': { templates: [listed('p-1', 'letterhead', 'Letterhead')] },
  ...more,
})
const contractIn = (status: string) => ({ 'GET /api/v1/contracts': contracts({ status }) })

const walks: Record<string, CannedWalk> = {
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
          'PUT /api/v1/ingestion-models/m-1/draft': (body: unknown) =>
            draft('m-1', (body as { source: string }).source, 4),
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
  'models',
  'are drawn as trees of what they name, with what is missing and what is not in force yet',
  walks,
  {
    withLooks: true,
  },
)
