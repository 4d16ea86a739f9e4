/** What a workspace is made of: a contract, a transformer and a template that fit together, and the pages that come of them. */
import { refusal } from '../support/canned.ts'

const at = '2026-11-20T09:30:00Z'
export const family = (id: string, slug: string, more: object = {}) => ({
  ...{ id, slug, name: `The ${slug}`, description: '', draft_revision: 1, created_at: at },
  ...{ updated_at: at, ...more },
})
export const modelText = (nodes: string) =>
  `model: ingestion-model-v1\ncontract: { name: notice, version: 2 }\nnodes:\n${nodes}`
export const letter = `  - key: letter
    label: Letter
    transformer: to-letter
    template: letterhead
    formats: [docx, pdf]
`
export const chain = `  - key: data
    label: Data
    transformer: to-data
    children:
      - key: letter
        label: Letter
        transformer: to-letter
        template: letterhead
        formats: [docx]
`
export const property = (schema: string) => `{
  "type": "object",
  "required": ["number", "customer", "lines"],
  "properties": {
    "number": { "type": "string" },
    "customer": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } },
    ${schema}
    "lines": {
      "type": "array",
      "maxItems": 9,
      "items": { "type": "object", "required": ["amount"], "properties": { "amount": { "type": "number" } } }
    }
  }
}
`
const contractText = property('')
export const source = `transform: declarative-v1
output:
  reference: /number
  to: /customer/name
  rows:
    $each: /lines
    as: l
    do: { price: $l/amount }
`
const payload =
  '{ "number": "A-1", "customer": { "name": "Ada, whose name is rather long for one line" }, "lines": [{ "amount": 1.5 }, { "amount": 2 }] }'
export const bound = (pointer: string, paragraph: number, more: object = {}) => ({
  ...{ pointer, shape: 'scalar', required: true, part: 'word/document.xml', paragraph, position: 0, ...more },
})
export const bindings = [
  bound('/reference', 1, { part: 'word/header1.xml' }),
  bound('/to', 2),
  bound('/rows', 3, { shape: 'list' }),
  bound('/rows/*/price', 4),
]
const mark = (pointer: string, paragraph: number, part = 'word/document.xml', position = 0) => ({
  ...{ part, paragraph, position, pointer, x: 10, y: 20, width: 30, height: 5 },
})
const page = (...marks: object[]) => ({
  width: 100,
  height: 140,
  svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  marks,
})
const pagesType = { headers: { 'content-type': 'application/vnd.quire.pages+json' } }
export const drawn = (total: number, more: object = {}) =>
  new Response(
    JSON.stringify({
      total_pages: total,
      pages: [
        page(mark('/reference', 1, 'word/header1.xml'), mark('/to', 2)),
        page(mark('/rows/0/price', 4), mark('/rows/1/price', 4)),
      ],
      ...more,
    }),
    pagesType,
  )
export const draft = (more: object = {}) => ({
  ...{ id: 't-1', slug: 'letterhead', name: 'Letterhead', description: '', format: 'docx', byte_size: 14_200 },
  ...{ content_hash: 'h', revision: 3, updated_at: at, bindings, ...more },
})
export const textDraft = (id: string, text: string, more: object = {}) => ({
  ...{ id, slug: id, name: id, description: '', source: text, format: 'yaml', revision: 1, updated_at: at, ...more },
})
export const unable = () => refusal(503, 'unavailable', 'Not now.')
export const none = { versions: [] }
export const spaceOf = (more: object = {}) => ({
  'GET /api/v1/ingestion-models/m-1': family('m-1', 'letters'),
  'GET /api/v1/ingestion-models/m-1/draft': textDraft('m-1', modelText(letter)),
  'GET /api/v1/contracts': { contracts: [family('k-1', 'notice')] },
  'GET /api/v1/transformers': { transformers: [family('f-1', 'to-letter'), family('f-2', 'to-data')] },
  'GET /api/v1/templates': { templates: [family('t-1', 'letterhead')] },
  'GET /api/v1/contracts/k-1': family('k-1', 'notice', {
    schema: contractText,
    versions: [{ id: 'k-1-2', number: 2 }],
  }),
  'GET /api/v1/transformers/f-1': family('f-1', 'to-letter'),
  'GET /api/v1/transformers/f-1/draft': textDraft('f-1', source),
  'GET /api/v1/transformers/f-2/draft': textDraft('f-2', 'transform: declarative-v1\noutput: { number: /id }\n'),
  'GET /api/v1/transformers/f-2': family('f-2', 'to-data'),
  'GET /api/v1/templates/t-1': family('t-1', 'letterhead', none),
  'GET /api/v1/templates/t-1/draft': draft(),
  'GET /api/v1/cases': { cases: [{ id: 'x-1', kind: 'valid', seed: 7, provider: 'external-generator' }] },
  'GET /api/v1/cases/x-1': { id: 'x-1', kind: 'valid', seed: 7, provider: 'external-generator', payload },
  'GET /api/v1/suites/m-1': {
    ...{ ingestion_model_id: 'm-1', slug: 'letters', name: 'Letters', requires: 'nothing', cases: [] },
  },
  'POST /api/v1/templates/t-1/test': () => drawn(2),
  ...more,
})
export const path = '/ingestion-models/m-1/workspace'
