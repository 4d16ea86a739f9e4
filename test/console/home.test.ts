import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CannedPage, openCannedPage } from '../support/canned.ts'

const at = '2026-11-20T09:30:00Z'

/** A failed execution, whose step failed for that reason. */
const failed = (id: string, code: string, path?: string) => ({
  ...{
    id,
    submission_id: `s-${id}`,
    model_slug: 'letter',
    model_version: 1,
    node_label: 'Letter',
    node_address: 'letter',
  },
  ...{
    status: 'failed',
    object_reference: id,
    raw_input_hash: `hash-${id}`,
    created_at: at,
    updated_at: at,
    artifacts: [],
  },
  steps: [
    {
      name: 'render',
      status: 'failed',
      attempt: 1,
      failure: { code, message: `It was ${code}.`, issues: path === undefined ? [] : [{ path }] },
    },
  ],
})
const activation = (slug: string, effectiveFrom: string) => ({
  ...{
    id: slug,
    kind: 'template',
    family_id: slug,
    family_slug: slug,
    version: 2,
    status: 'scheduled',
    created_at: at,
  },
  effective_from: effectiveFrom,
})

let page: CannedPage

beforeAll(async () => {
  page = await openCannedPage()
  await page.be(['administrator'])
})
afterAll(() => page?.close())

/** The lines of a card. */
async function linesOf(card: string, answers: Record<string, object>): Promise<string[]> {
  page.answer({ 'GET /api/v1/intake-test-lab/scenarios': { scenarios: [] }, ...answers })
  await page.open('/nowhere')
  await page.open('/')
  const title = [...document.querySelectorAll('h2')].find(({ textContent }) => textContent?.trim() === card)
  return [...(title?.closest('section')?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent ?? '')
}

test('a reason for which several executions failed is named once, with how many there are', async () => {
  const executions = [failed('a', 'slow'), failed('b', 'broken'), failed('c', 'slow')]
  const all = await linesOf('Needs someone', { 'GET /api/v1/executions': { executions } })
  expect(all).toEqual([
    expect.stringMatching(/^Render: It was slow\.2 executions, the last of …a/),
    expect.stringMatching(/^Render: It was broken\.…b/),
  ])
})

test('one code at several places is as many reasons, except for the items of a list', async () => {
  const executions = [
    failed('a', 'slow', '/lines/1/price'),
    failed('b', 'slow', '/number'),
    failed('c', 'slow', '/lines/12/price'),
  ]
  const lines = await linesOf('Needs someone', { 'GET /api/v1/executions': { executions } })
  expect(lines).toEqual([expect.stringMatching(/2 executions, the last of …a/), expect.stringMatching(/slow\.…b/)])
})

test('a reason is dated by its last failure, which it names, and the one that was seen last comes first', async () => {
  const at = (finished: string, execution: ReturnType<typeof failed>) => ({
    ...execution,
    // Its last change came later: something of it was removed.
    updated_at: '2026-11-25T00:00:00Z',
    steps: execution.steps.map((step) => ({ ...step, finished_at: `2026-11-${finished}T10:00:00Z` })),
  })
  const executions = [at('22', failed('a', 'slow')), at('21', failed('b', 'broken')), at('23', failed('c', 'broken'))]
  const lines = await linesOf('Needs someone', { 'GET /api/v1/executions': { executions } })
  expect(lines).toEqual([
    expect.stringMatching(/^Render: It was broken\.2 executions, the last of …c/),
    expect.stringMatching(/^Render: It was slow\.…a/),
  ])
  const times = [...document.querySelectorAll('.lines-caused time')].map((time) => time.getAttribute('datetime'))
  expect(times).toEqual(['2026-11-23T10:00:00Z', '2026-11-22T10:00:00Z'])
})

test('that there are more failures than were read is said of each count, of one as well', async () => {
  const executions = [failed('a', 'slow'), failed('c', 'slow'), failed('b', 'broken')]
  const some = await linesOf('Needs someone', { 'GET /api/v1/executions': { executions, next_cursor: 'more' } })
  expect(some).toEqual([
    expect.stringMatching(/2\+ executions, the last of …a/),
    expect.stringMatching(/1\+ executions, the last of …b/),
  ])
})

test('scheduled versions are listed soonest first', async () => {
  const days = [9, 3, 7, 1, 8, 5]
  const activations = days.map((day) => activation(`on-${day}`, `2027-01-0${day}T00:00:00Z`))
  const lines = await linesOf('In force today', {
    'GET /api/v1/activations?status=active&limit=100': { activations: [] },
    'GET /api/v1/activations?status=scheduled&limit=100': { activations },
  })
  expect(lines.map((line) => line.slice(0, 4))).toEqual(['on-1', 'on-3', 'on-5', 'on-7', 'on-8'])
})
