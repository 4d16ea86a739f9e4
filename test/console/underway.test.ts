import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Answers, type CannedPage, openCannedPage } from '../support/canned.ts'
import { expectGoldenLines } from '../support/golden.ts'
import { at, contracts, draft, family, listed, oneCase, version } from './families.ts'
import { changes } from './walks.ts'

/** What somebody does, and what the page shows while one of its requests has no answer yet. */
interface Wait {
  path: string
  /** Done and answered before. */
  first?: (page: CannedPage) => Promise<void>
  /** Method and path of the request that is answered later. */
  held: string
  act: () => void
  /** What is done while it is under way. */
  then?: () => void
}

const source = 'transform: declarative-v1\ncontract: Letter@2\noutput:\n  number: /number\n'
const schema = '{"type": "object", "required": ["number"], "properties": {"number": {"type": "string"}}}'
const model = family('m-1', 'letters', 'Letters', { kind: 'ingestion_model', versions: [version(1)] })
const transformer = family('t-1', 'letterhead', 'To letter', {
  kind: 'transformer',
  versions: [version(1), version(2)],
})
const binding = {
  pointer: '/number',
  shape: 'scalar',
  required: true,
  part: 'word/document.xml',
  paragraph: 1,
  position: 0,
}
const template = family('p-1', 'letterhead', 'Letterhead', {
  versions: [version(1, { bindings: [binding] }), version(2, { bindings: [binding] })],
  included_by: [],
})
const contract = family('k-1', 'letter', 'Letter', { schema, versions: [version(1), version(2, { id: 'kv-2' })] })
const activation = {
  ...{ id: 'a-1', kind: 'transformer', family_id: 't-1', family_slug: 'letterhead', version_id: 'v-1', version: 1 },
  ...{ status: 'scheduled', effective_from: '2099-01-01T00:00:00Z', scheduled_at: at, correlation_id: 'c-1' },
}
const plan = {
  ...{ valid: true, plan_hash: 'p-1', effective_from: at, issues: [], broken_cases: [], cases_run: 0 },
  members: [
    {
      ...{ kind: 'ingestion_model', slug: 'letters', name: 'Letters', family_id: 'm-1', action: 'activate', nodes: [] },
      ...{ content_hash: 'h', from_version: 1, to_version: 2, newest_version: 2 },
    },
  ],
}
const pages = () =>
  new Response(JSON.stringify({ total_pages: 1, pages: [] }), {
    headers: { 'content-type': 'application/vnd.quire.pages+json' },
  })
const report = {
  ...{
    template_version_id: 'v-2',
    transform_version_id: 'v-2',
    case_id: 'c-1',
    resolved: true,
    output: {},
    errors: [],
  },
  bindings: [],
}
let asked = 0
const filling = () => (asked++ % 2 === 0 ? report : pages())
const unsaved = '/api/v1/unsaved-drafts/t-1'
const state = {
  ...{ id: 's-1', tab_id: 'other', browser_id: 'elsewhere', base_revision: 1, has_base: true, is_open: false },
  ...{ byte_size: 1, content_hash: 'h', begun_at: at, typed_at: at },
}
const everything: Answers = {
  'GET /api/v1/transformers/t-1': transformer,
  'GET /api/v1/transformers/t-1/draft': draft('t-1', source, 1),
  'GET /api/v1/transformers/t-1/versions/2': { ...version(2), format: 'yaml', source },
  'POST /api/v1/transformers/t-1/validate': { valid: true, errors: [] },
  'PUT /api/v1/transformers/t-1/draft': (body: unknown) => draft('t-1', (body as { source: string }).source, 2),
  'POST /api/v1/transformers/t-1/versions': { result: { number: 3, reused: false } },
  'POST /api/v1/transformers/t-1/versions/2/publish': {},
  'GET /api/v1/transformers': { transformers: [listed('t-1', 'letterhead', 'To letter')] },
  'GET /api/v1/templates/p-1': template,
  'GET /api/v1/templates/p-1/draft': {
    revision: 1,
    byte_size: 2_000,
    content_hash: 'h',
    updated_at: at,
    bindings: [binding],
  },
  'GET /api/v1/templates/p-1/fonts': { fonts: [] },
  'POST /api/v1/templates/p-1/validate': { valid: true, errors: [] },
  'PUT /api/v1/templates/p-1/draft': {},
  'POST /api/v1/templates/p-1/versions': { result: { number: 3, reused: false } },
  'POST /api/v1/templates/p-1/versions/1/preview': filling,
  'POST /api/v1/templates/p-1/versions/2/preview': filling,
  'GET /api/v1/templates': { templates: [] },
  'GET /api/v1/contracts': contracts(),
  'GET /api/v1/contracts/k-1': contract,
  'GET /api/v1/contracts/k-1/versions/1': { ...version(1), schema },
  'GET /api/v1/contracts/k-1/versions/2': { ...version(2, { id: 'kv-2' }), schema },
  'GET /api/v1/cases': { cases: [oneCase('c-1', 'valid', 7)] },
  'GET /api/v1/cases/c-1': { ...oneCase('c-1', 'valid', 7), payload: '{"number":"A"}' },
  'GET /api/v1/comparisons': { difference: '', from: { content_hash: 'g' }, to: { content_hash: 'h' } },
  'GET /api/v1/activations': { activations: [activation] },
  'GET /api/v1/activations/calendar': { activations: [], total: 0 },
  'POST /api/v1/activations/a-1/cancel': {},
  'GET /api/v1/ingestion-models/m-1': model,
  'POST /api/v1/activation-sets/plan': plan,
  'POST /api/v1/activation-sets': { effective_from: at, activations: [] },
  [`GET ${unsaved}`]: { family_id: 't-1', states: [state] },
  [`GET ${unsaved}/states/s-1`]: { ...state, text: 'other' },
  [`DELETE ${unsaved}`]: () => undefined,
}

let page: CannedPage
const press = (name: RegExp) => {
  const part = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const found = [...part.querySelectorAll<HTMLElement>('button, a, [type=submit]')].find((one) =>
    name.test((one.getAttribute('aria-label') ?? one.textContent ?? '').trim()),
  )
  if (found === undefined) throw new Error(`nothing is called ${name}`)
  found.click()
}
const go = (path: string) => () => void page.open(path)
const twice = (name: RegExp) => () => {
  press(name)
  press(name)
}
/** A draft keeps itself when typing pauses, which may be meanwhile. test/console/autosave.test.ts has it. */
const shown = () => page.shown().filter((line) => !/^ *span data-state=/.test(line))
const preview = 'POST /api/v1/templates/p-1/versions/2/preview'
const chooseFile = (name: string) => {
  const field = document.querySelector('input[type=file]') as HTMLInputElement
  Object.defineProperties(field, {
    files: { value: [new File(['PK'], name)], configurable: true },
    checkValidity: { value: () => true, configurable: true },
  })
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

const waits: Readonly<Record<string, Wait>> = {
  'a family is read': { path: '/nowhere', held: 'GET /api/v1/transformers/t-1', act: go('/transformers/t-1') },
  'the draft of a source is read': {
    path: '/nowhere',
    held: 'GET /api/v1/transformers/t-1/draft',
    act: go('/transformers/t-1'),
  },
  'a draft is saved': {
    path: '/transformers/t-1',
    first: (on) => on.write('Source', source.replace('number: /', 'no: /')),
    held: 'PUT /api/v1/transformers/t-1/draft',
    act: twice(/^Save/),
  },
  'a version is frozen': {
    path: '/transformers/t-1',
    held: 'POST /api/v1/transformers/t-1/versions',
    act: twice(/^Freez/),
  },
  'what was typed is read': { path: '/transformers/t-1', held: `GET ${unsaved}`, act: () => press(/^History/) },
  'a state of it is read': {
    path: '/transformers/t-1',
    held: `GET ${unsaved}/states/s-1`,
    act: () => press(/^History/),
  },
  'a version is put in force': {
    path: '/transformers/t-1?tab=versions',
    first: (on) => on.press(/^Put in force v2/),
    held: 'POST /api/v1/transformers/t-1/versions/2/publish',
    act: twice(/^Put in force/),
    then: () => press(/^Cancel/),
  },
  'what is in force is read before': {
    path: '/transformers/t-1?tab=versions',
    held: 'GET /api/v1/activations',
    act: () => press(/^Put in force v2/),
  },
  'the draft of a template is read': {
    path: '/nowhere',
    held: 'GET /api/v1/templates/p-1/draft',
    act: go('/templates/p-1'),
  },
  'a file is checked': {
    path: '/templates/p-1',
    held: 'POST /api/v1/templates/p-1/validate',
    act: () => chooseFile('a.docx'),
    then: () => chooseFile('b.docx'),
  },
  'a file is put in its place': {
    path: '/templates/p-1',
    held: 'PUT /api/v1/templates/p-1/draft',
    act: () => chooseFile('a.docx'),
  },
  'a version of a template is frozen': {
    path: '/templates/p-1',
    held: 'POST /api/v1/templates/p-1/versions',
    act: twice(/^Freez/),
  },
  'the bindings of a draft are read': {
    path: '/templates/p-1?tab=bindings',
    held: 'GET /api/v1/templates/p-1/draft',
    act: go('/templates/p-1?tab=bindings&version=draft'),
  },
  'a template is filled': { path: '/nowhere', held: preview, act: go('/templates/p-1?tab=preview') },
  'a template is filled again': { path: '/templates/p-1?tab=preview', held: preview, act: () => press(/^Fill again/) },
  'a PDF is made': { path: '/templates/p-1?tab=preview', held: preview, act: () => press(/^As PDF/) },
  'two versions are filled': { path: '/nowhere', held: preview, act: go('/templates/p-1?tab=compare') },
  'two versions of a contract are read': {
    path: '/nowhere',
    held: 'GET /api/v1/contracts/k-1/versions/1',
    act: go('/contracts/k-1?tab=compare'),
  },
  'cases are read': { path: '/nowhere', held: 'GET /api/v1/cases', act: go('/contracts/k-1?tab=cases') },
  'a case is read': { path: '/contracts/k-1?tab=cases', held: 'GET /api/v1/cases/c-1', act: () => press(/^Valid/) },
  'what is in force is read': { path: '/nowhere', held: 'GET /api/v1/activations', act: go('/activations') },
  'the calendar is read': {
    path: '/nowhere',
    held: 'GET /api/v1/activations/calendar',
    act: go('/activations?tab=list&month=2099-01'),
  },
  'an activation is taken back': {
    path: '/activations',
    first: (on) => on.press(/^Take back/),
    held: 'POST /api/v1/activations/a-1/cancel',
    act: twice(/^Take back/),
    then: () => document.querySelector('dialog[open]')?.dispatchEvent(new Event('cancel', { cancelable: true })),
  },
  'the model of a review is read': {
    path: '/nowhere',
    held: 'GET /api/v1/ingestion-models/m-1',
    act: go('/ingestion-models/m-1/review'),
  },
  'a set is planned': {
    path: '/nowhere',
    held: 'POST /api/v1/activation-sets/plan',
    act: go('/ingestion-models/m-1/review'),
  },
  'a set is planned again': {
    path: '/ingestion-models/m-1/review',
    held: 'POST /api/v1/activation-sets/plan',
    act: () => document.querySelectorAll<HTMLInputElement>('input[name=state]')[1]?.click(),
  },
  'a set is put in force': {
    path: '/ingestion-models/m-1/review',
    held: 'POST /api/v1/activation-sets',
    act: twice(/^(Put all in force|One moment)/),
  },
}

describe('while something is under way', () => {
  beforeAll(async () => {
    page = await openCannedPage(everything)
    await page.be(['administrator', 'operator'])
  })
  afterAll(() => page?.close())

  test('the page says so, keeps what it had, and asks for nothing twice', async () => {
    const lines: string[] = []
    for (const [name, { path, first, held, act, then }] of Object.entries(waits)) {
      asked = 0
      page.answer(everything)
      await page.open('/nowhere')
      for (const kept of Object.keys(window.sessionStorage)) {
        if (kept !== 'quire.person') window.sessionStorage.removeItem(kept)
      }
      await page.open(path)
      await first?.(page)
      const before = shown()
      page.sent()
      let release = () => {}
      const free = new Promise<void>((resolve) => {
        release = resolve
      })
      const answer = everything[held]
      let times = 0
      const later = async (body: unknown) => {
        times++
        await free
        return typeof answer === 'function' ? answer(body) : answer
      }
      page.answer({ ...everything, [held]: later })
      act()
      await atRest(() => times > 0)
      const during = shown()
      then?.()
      await atRest(() => true)
      lines.push(`# ${name}`, ...changes(before, during), ...changes(during, shown()).map((line) => `then ${line}`))
      release()
      await page.settled()
      lines.push(`asked for ${times === 1 ? 'once' : `${times} times`}`, ...page.sent())
    }
    expect(page.undescribed()).toEqual([])
    expectGoldenLines(join(import.meta.dir, 'golden', 'underway.txt'), lines)
  }, 180_000)
})

/** What can be done without the answer is done: the page has not changed for some turns. */
async function atRest(isBegun: () => boolean): Promise<void> {
  let hasChanged = false
  const observer = new MutationObserver(() => {
    hasChanged = true
  })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })
  let quiet = 0
  for (let turn = 0; turn < 2_000 && quiet < 12; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    quiet = isBegun() && !hasChanged ? quiet + 1 : 0
    hasChanged = false
    if (turn > 200) await Bun.sleep(2)
  }
  observer.disconnect()
  if (quiet < 12) throw new Error('the page does not come to rest')
}
