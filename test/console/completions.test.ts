import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { EditorView } from '@codemirror/view'
import { type CannedPage, openCannedPage } from '../support/canned.ts'
import { contracts, draft, family, listed, version } from './families.ts'

let page: CannedPage
beforeAll(async () => {
  page = await openCannedPage()
  await page.be(['administrator', 'operator'])
})
afterAll(() => page?.close())

const schema = JSON.stringify({ type: 'object', required: ['number'], properties: { number: { type: 'string' } } })
const source = 'transform: declarative-v1\ncontract: Letter@2\nlet:\n  no: /number\noutput:\n  number: $no\n'
const model =
  'model: ingestion-model-v1\ncontract: { name: Letter, version: 2 }\nobject: { reference: /number, time: metadata.official_time }\nnodes: []\n'
const common = {
  'GET /api/v1/contracts': contracts(),
  'GET /api/v1/contracts/k-1': family('k-1', 'letter', 'Letter', { schema, draft_revision: 1 }),
  'GET /api/v1/contracts/k-1/versions/2': { ...version(2, { id: 'kv-2' }), schema },
  'GET /api/v1/transformers': { transformers: [listed('t-1', 'to-letter', 'To letter')] },
  'GET /api/v1/templates': { templates: [listed('p-1', 'letterhead', 'Letterhead')] },
  'GET /api/v1/cases': { cases: [] },
  'GET /api/v1/transformers/t-1': family('t-1', 'to-letter', 'To letter', { kind: 'transformer' }),
  'GET /api/v1/transformers/t-1/draft': draft('t-1', source, 1),
  'POST /api/v1/transformers/t-1/validate': { valid: true, errors: [] },
  'GET /api/v1/ingestion-models/m-1': family('m-1', 'letters', 'Letters', { kind: 'ingestion_model' }),
  'GET /api/v1/ingestion-models/m-1/draft': draft('m-1', model, 1),
  'POST /api/v1/ingestion-models/m-1/validate': { valid: true, errors: [] },
}

async function editorOf(label: string): Promise<EditorView> {
  const view = await import('@codemirror/view')
  const host = document.querySelector(`[data-label="${label}"]`)
  const editor = view.EditorView.findFromDOM(host?.shadowRoot?.querySelector('.cm-editor') as HTMLElement)
  if (editor === null) throw new Error(`no editor is called ${label}`)
  return editor
}

async function offered(label: string): Promise<string[]> {
  const { currentCompletions, startCompletion } = await import('@codemirror/autocomplete')
  const editor = await editorOf(label)
  startCompletion(editor)
  for (let turn = 0; turn < 200 && currentCompletions(editor.state).length === 0; turn++) await Bun.sleep(5)
  return currentCompletions(editor.state).map(({ label: name, detail, type }) => `${name} (${detail}, ${type})`)
}

test.each([
  [
    '/ingestion-models/m-1',
    'Source',
    ['to-letter (To letter, variable)', 'letterhead (Letterhead, variable)', 'letter (Letter, variable)'],
  ],
  [
    '/transformers/t-1',
    'Source',
    ['/number (string, property)', '$no (a name of this source, variable)', '$text (text with {slots}, function)'],
  ],
  [
    '/contracts/k-1',
    'Schema',
    ['$ref (another schema of this document, keyword)', '$defs (schemas to refer to, keyword)'],
  ],
] as const)('the editor on %s offers in %s what can be written there', async (path, label, expected) => {
  page.answer(common)
  await page.open(path)
  const all = await offered(label)
  for (const one of expected) expect(all).toContain(one)
})
