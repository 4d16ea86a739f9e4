import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Answers, type CannedPage, openCannedPage, refusal } from '../support/canned.ts'

const at = '2026-11-20T09:30:00Z'
const schema = '{\n  "type": "object"\n}\n'
const unsaved = '/api/v1/unsaved-drafts/k-1'
const contract = {
  ...{ id: 'k-1', slug: 'letter', name: 'Letter', description: '', schema, draft_revision: 3 },
  ...{ versions: [], created_at: at, updated_at: at },
}
const state = (more: object) => ({
  ...{ id: 's-1', tab_id: 'other', browser_id: 'elsewhere', base_revision: 3, has_base: true, is_open: true },
  ...{ byte_size: 1, content_hash: 'h', begun_at: at, typed_at: at },
  ...more,
})

let page: CannedPage
let sent: { text: string; base_text?: string; step: number; tab_id: string; continues?: string }[]
let settled: string[][]

/** The server of one contract, which keeps what is typed unless told otherwise. */
const answers = (more: Answers = {}): Answers => ({
  'GET /api/v1/contracts/k-1': contract,
  [`GET ${unsaved}`]: { family_id: 'k-1', states: [] },
  [`PUT ${unsaved}`]: (body: unknown) => {
    sent.push(body as (typeof sent)[number])
    return state({ has_base: true })
  },
  [`POST ${unsaved}/settle`]: (body: unknown) => {
    settled.push((body as { tab_ids: string[] }).tab_ids)
    return undefined
  },
  ...more,
})
const leave = () => page.open('/nowhere')
const openDraft = () => page.open('/contracts/k-1')
const shown = () => page.shown().join('\n')

beforeAll(async () => {
  page = await openCannedPage()
})
afterAll(() => page?.close())
beforeEach(async () => {
  ;[sent, settled] = [[], []]
  page.answer(answers())
  await page.be(['administrator'])
  await leave()
  window.sessionStorage.clear()
  window.sessionStorage.setItem('quire.person', 'u-1')
  ;[sent, settled] = [[], []]
})

test('what is typed is sent once, with a growing step, and settled when it is no longer unsaved', async () => {
  await openDraft()
  await page.write('Schema', '{}')
  await leave()
  expect(sent.map(({ text }) => text)).toEqual(['{}'])
  await openDraft()
  await page.write('Schema', '{"a": 1}')
  await leave()
  expect(sent.map(({ text }) => text)).toEqual(['{}', '{"a": 1}'])
  expect(sent[1]!.step).toBeGreaterThan(sent[0]!.step)
  expect(settled).toEqual([])
  await openDraft()
  await page.press('Discard changes')
  expect(settled).toEqual([[sent[0]!.tab_id]])
})

test('what is on its way when it is discarded is settled all the same', async () => {
  await openDraft()
  await page.write('Schema', '{}')
  window.dispatchEvent(new Event('pagehide'))
  await page.press('Discard changes')
  expect(sent).toHaveLength(1)
  expect(settled).toEqual([[sent[0]!.tab_id]])
})

test('after a reload the text goes on where the tab before it was', async () => {
  const put = (name: string, value: string) => window.sessionStorage.setItem(`quire.draft.k-1${name}`, value)
  put('', 'typed before')
  put('.base', JSON.stringify({ text: schema, revision: 3 }))
  put('.served', 'before late')
  await openDraft()
  await page.write('Schema', '{}')
  await leave()
  expect(sent).toMatchObject([{ continues: 'before' }])
})

test('after a reload what the server has is not sent again: whoever left it elsewhere would be offered it once more', async () => {
  const put = (name: string, value: string) => window.sessionStorage.setItem(`quire.draft.k-1${name}`, value)
  put('', 'typed before')
  put('.base', JSON.stringify({ text: schema, revision: 3 }))
  put('.served', 'before')
  page.answer(
    answers({
      [`GET ${unsaved}`]: { family_id: 'k-1', states: [state({ tab_id: 'before' })] },
      [`GET ${unsaved}/states/s-1`]: state({ text: 'typed before' }),
    }),
  )
  await openDraft()
  expect(shown()).toContain('kept on the server')
  window.dispatchEvent(new Event('pagehide'))
  await page.settled()
  expect(sent).toEqual([])
  await page.write('Schema', '{}')
  await leave()
  expect(sent).toMatchObject([{ text: '{}', continues: 'before' }])
})

for (const [name, states] of [
  ['given up', [state({ tab_id: 'before', is_open: false })]],
  ['removed for good', []],
] as const) {
  test(`a copy of a tab doesn’t say that the server keeps what the first one has ${name}, and sends what is typed on`, async () => {
    const put = (key: string, value: string) => window.sessionStorage.setItem(`quire.draft.k-1${key}`, value)
    put('', 'typed before')
    put('.base', JSON.stringify({ text: schema, revision: 3 }))
    put('.served', 'before')
    page.answer(answers({ [`GET ${unsaved}`]: { family_id: 'k-1', states } }))
    await openDraft()
    expect(shown()).not.toContain('kept on the server')
    await page.write('Schema', '{}')
    await leave()
    expect(sent).toMatchObject([{ text: '{}' }])
  })
}

test('a copy of a tab sends its text where the first one has typed on', async () => {
  const put = (key: string, value: string) => window.sessionStorage.setItem(`quire.draft.k-1${key}`, value)
  put('', 'typed before')
  put('.base', JSON.stringify({ text: schema, revision: 3 }))
  put('.served', 'before')
  page.answer(
    answers({
      [`GET ${unsaved}`]: { family_id: 'k-1', states: [state({ tab_id: 'before' })] },
      [`GET ${unsaved}/states/s-1`]: state({ text: 'typed before and on' }),
    }),
  )
  await openDraft()
  await leave()
  expect(sent).toMatchObject([{ text: 'typed before', continues: 'before' }])
})

test('sends a text that was merged with a newer revision after a reload', async () => {
  const put = (name: string, value: string) => window.sessionStorage.setItem(`quire.draft.k-1${name}`, value)
  put('', `${schema}# mine`)
  put('.base', JSON.stringify({ text: schema, revision: 2 }))
  put('.served', 'before')
  page.answer(answers({ 'GET /api/v1/contracts/k-1': { ...contract, schema: `# theirs\n${schema}` } }))
  await openDraft()
  await leave()
  expect(sent).toMatchObject([{ text: `# theirs\n${schema}# mine`, continues: 'before' }])
})

test('what the browser had no room for is offered from the server', async () => {
  window.sessionStorage.setItem('quire.draft.k-1.served', 'before')
  page.answer(
    answers({
      [`GET ${unsaved}`]: { family_id: 'k-1', states: [state({ tab_id: 'before' })] },
      [`GET ${unsaved}/states/s-1`]: state({ text: '{"long": 1}', base_text: schema, tab_id: 'before' }),
    }),
  )
  await openDraft()
  await page.press('Take it')
  expect(shown()).toContain('Revision 3, with unsaved changes')
})

test('the text that editing began from is sent only if the server lacks it', async () => {
  let has = false
  page.answer(
    answers({
      [`PUT ${unsaved}`]: (body: unknown) => {
        sent.push(body as (typeof sent)[number])
        const before = has
        has = true
        return state({ has_base: before })
      },
    }),
  )
  await openDraft()
  await page.write('Schema', '{}')
  await leave()
  expect(sent.map(({ base_text }) => base_text)).toEqual([undefined, schema])
  await openDraft()
  await page.write('Schema', '{"a": 1}')
  await leave()
  expect(sent).toHaveLength(3)
})

test('what was removed for good is not sent again, but what is typed from then on', async () => {
  page.answer(
    answers({
      [`GET ${unsaved}`]: { family_id: 'k-1', states: [state({ is_open: false })] },
      [`GET ${unsaved}/states/s-1`]: state({ text: '{"was": 1}' }),
      [`DELETE ${unsaved}`]: () => undefined,
    }),
  )
  await openDraft()
  await page.write('Schema', '{}')
  await page.press('History')
  await page.press('Remove all')
  await page.press('Remove all for good')
  window.dispatchEvent(new Event('pagehide'))
  await page.settled()
  expect(sent.map(({ text }) => text)).toEqual(['{}'])
  await page.write('Schema', '{"a": 1}')
  await leave()
  expect(sent.map(({ text }) => text)).toEqual(['{}', '{"a": 1}'])
})

test('a tab whose copy went on from its text keeps its own once more', async () => {
  let states: object[] = []
  page.answer(answers({ [`GET ${unsaved}`]: () => ({ family_id: 'k-1', states }) }))
  await openDraft()
  await page.write('Schema', '{}')
  window.dispatchEvent(new Event('pagehide'))
  await page.settled()
  states = [state({ tab_id: sent[0]!.tab_id, is_open: false })]
  document.dispatchEvent(new Event('visibilitychange'))
  await page.settled()
  await leave()
  expect(sent.map(({ text }) => text)).toEqual(['{}', '{}'])
})

test('what was typed elsewhere without a known beginning is never merged over what is saved', async () => {
  page.answer(
    answers({
      [`GET ${unsaved}`]: { family_id: 'k-1', states: [state({ base_revision: 1, has_base: false })] },
      [`GET ${unsaved}/states/s-1`]: state({ text: '{"mine": 1}\n', base_revision: 1, has_base: false }),
    }),
  )
  await openDraft()
  expect(shown()).toContain('Typed on another device')
  await page.press('Take it')
  expect(shown()).toContain('where two people wrote')
  expect(settled).toEqual([['other']])
})

test('what was typed elsewhere and is saved by now is offered to nobody', async () => {
  page.answer(
    answers({
      [`GET ${unsaved}`]: { family_id: 'k-1', states: [state({})] },
      [`GET ${unsaved}/states/s-1`]: state({ text: schema }),
    }),
  )
  await openDraft()
  expect(shown()).not.toContain('Typed on another device')
  expect(settled).toEqual([['other']])
})

test('a server that refuses it stops nothing, and the menu says that leaving would lose it', async () => {
  const { keepsTyped } = await import('../../src/console/memory.ts')
  page.answer(answers({ [`PUT ${unsaved}`]: () => refusal(503, 'unavailable', 'Not now.') }))
  await openDraft()
  await page.write('Schema', '{}')
  await leave()
  expect(keepsTyped()).toBe(true)
  page.answer(answers())
  await openDraft()
  expect(shown()).toContain('This is what you had typed and not saved')
  await page.write('Schema', '{"a": 1}')
  await leave()
  expect(keepsTyped()).toBe(false)
})

test('signing out lets what is typed reach the server first, and waits for no server that refuses it', async () => {
  const { signOut } = await import('../../src/console/session.ts')
  for (const refuses of [false, true]) {
    const order: string[] = []
    page.answer(
      answers({
        [`PUT ${unsaved}`]: () => {
          order.push('typed')
          return refuses ? refusal(503, 'unavailable', 'Not now.') : state({})
        },
        'POST /api/v1/auth/logout': () => {
          order.push('signed out')
          return undefined
        },
      }),
    )
    await openDraft()
    await page.write('Schema', '{"a": 2}')
    await signOut()
    await page.settled()
    expect(order.slice(0, 2)).toEqual(['typed', 'signed out'])
    await page.be(['administrator'])
    await leave()
  }
})

test('a history that can’t be read says so, and a reader has no history', async () => {
  page.answer(answers({ [`GET ${unsaved}`]: () => refusal(503, 'unavailable', 'Not now.') }))
  await openDraft()
  await page.press('History')
  expect(shown()).toContain('Not now.')
  await page.press('Close')
  await page.be(['auditor'])
  await openDraft()
  expect(shown()).not.toContain('History')
})

test('what can be undone fits its own text alone, and the oldest steps give way', async () => {
  const { PastKeeper } = await import('../../src/console/views/configuration/kept-past.ts')
  const keeper = new PastKeeper('k-2', () => 'as it was')
  const step = (name: string, chars: number) => ({ name, changes: ['x'.repeat(chars)] })
  keeper.keep({ text: 'now', steps: { done: [step('old', 200_000), step('new', 200_000)], undone: [step('u', 10)] } })
  expect(keeper.recall('other')).toBeUndefined()
  const { steps } = keeper.recall('now') as { steps: { done: { name: string }[]; undone: object[] } }
  expect([steps.done.map(({ name }) => name), steps.undone.length]).toEqual([['new'], 1])
  keeper.keep({ text: 'as it was', steps: { done: [], undone: [] } })
  expect(keeper.recall('merged since')?.text).toBe('as it was')
})
