import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Scenario } from '../../src/console/api/types.ts'
import { refusal } from '../support/canned.ts'
import { openWindow } from '../support/window.ts'

let lab: typeof import('../../src/console/views/lab/runs.ts')
let giveBack: () => void
/** Keys and bodies of what was submitted. */
let sent: { key: string | null; body: Record<string, unknown> }[]
let answer: (count: number) => Response | Promise<Response>
const fetchBefore = globalThis.fetch
const executionId = (digit: string) => `${digit.repeat(8)}-1111-4111-8111-111111111111`
const accepted = (...ids: string[]) =>
  Response.json({ submission: { id: 's-1', executions: ids.map((id) => ({ id })) } })
const scenario = (id: string) =>
  ({ id, raw_input: `{"of": "${id}"}`, metadata: { source_object: `policy:${id}` } }) as unknown as Scenario
const monthly = scenario('monthly')
const invalid = scenario('invalid')
const run = (of: Scenario) => lab.runs.value.get(of.id)

async function load(): Promise<void> {
  lab = await import('../../src/console/views/lab/runs.ts')
}
beforeEach(async () => {
  giveBack = openWindow()
  sent = []
  answer = () => accepted(executionId('1'))
  globalThis.fetch = (async (_: string, { headers, body }: RequestInit) => {
    sent.push({ key: new Headers(headers).get('idempotency-key'), body: JSON.parse(body as string) })
    return answer(sent.length)
  }) as never
  await load()
})
afterEach(() => {
  globalThis.fetch = fetchBefore
  giveBack()
})

test('an input that was changed is run as it is, and its original text again is no change', async () => {
  lab.editInput(monthly, '{}')
  expect([lab.inputOf(monthly), lab.isEdited(monthly), lab.isEdited(invalid)]).toEqual(['{}', true, false])
  await lab.runScenario(monthly)
  expect(sent[0]?.body).toEqual({ ingestion_model: 'clws-policy', raw_input: '{}', metadata: monthly.metadata })
  expect(run(monthly)).toMatchObject({ phase: 'accepted', rawInput: '{}', executionIds: [executionId('1')] })
  lab.editInput(monthly, monthly.raw_input)
  expect([lab.inputOf(monthly), lab.isEdited(monthly)]).toEqual([monthly.raw_input, false])
})

test.each([
  ['what it can read', '{"monthly":"{}","invalid":7}', true],
  ['nothing of what is no object', '"{}"', false],
  ['nothing of null', 'null', false],
  ['nothing of what is no JSON', '{"monthly":', false],
])('a tab keeps the inputs that were changed, and takes up %s', async (_, kept, isKept) => {
  lab.editInput(monthly, '{}')
  const name = Object.keys(window.sessionStorage).find((one) => one.endsWith('lab-edits'))!
  expect(JSON.parse(window.sessionStorage.getItem(name)!)).toEqual({ monthly: '{}' })
  lab.editInput(monthly, monthly.raw_input)
  expect(window.sessionStorage.getItem(name)).toBeNull()
  window.sessionStorage.setItem(name, kept)
  const { forgetConsole } = await import('../support/window.ts')
  forgetConsole()
  await load()
  expect([lab.isEdited(monthly), lab.isEdited(invalid), lab.isEdited(scenario('0'))]).toEqual([isKept, false, false])
})

test('every run has a key of its own and remembers the one before', async () => {
  await lab.runScenario(monthly)
  expect(run(monthly)?.earlierIds).toEqual([])
  answer = () => accepted(executionId('2'), executionId('3'))
  await lab.runScenario(monthly)
  expect(run(monthly)).toMatchObject({
    executionIds: [executionId('2'), executionId('3')],
    earlierIds: [executionId('1')],
  })
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
  expect(sent[0]?.key).toBeString()
})

test('a run that is being sent is left alone', async () => {
  const answered = Promise.withResolvers<Response>()
  answer = () => answered.promise
  const first = lab.runScenario(monthly)
  expect(run(monthly)?.phase).toBe('sending')
  await lab.runScenario(monthly)
  await lab.retryRun(monthly)
  answered.resolve(accepted(executionId('1')))
  await first
  expect([sent.length, run(monthly)?.phase]).toEqual([1, 'accepted'])
})

test('what was refused is sent again with the same input and the same key; nothing else is', async () => {
  answer = () => refusal(503, 'unavailable', 'Not now.')
  await lab.runScenario(monthly)
  expect(run(monthly)).toMatchObject({ phase: 'refused', problem: { code: 'unavailable' } })
  lab.editInput(monthly, '{"changed": "meanwhile"}')
  answer = () => accepted(executionId('1'))
  await lab.retryRun(monthly)
  expect(run(monthly)).toMatchObject({ phase: 'accepted', executionIds: [executionId('1')] })
  expect(run(monthly)).not.toHaveProperty('problem')
  expect(sent[1]).toEqual(sent[0]!)
  await lab.retryRun(monthly)
  await lab.retryRun(invalid)
  expect(sent).toHaveLength(2)
})

test('the address names the scenario and the executions of every run, and none of what was refused', async () => {
  answer = (count) =>
    count === 1 ? accepted(executionId('1'), executionId('2')) : refusal(503, 'unavailable', 'Not now.')
  await lab.runScenario(monthly)
  await lab.runScenario(invalid)
  expect(lab.labAddress('in valid')).toBe(`/lab?scenario=in+valid&run.monthly=${executionId('1')}.${executionId('2')}`)
})

test('runs of an address are taken up, unless the page has run the scenario or they are no ids', async () => {
  await lab.runScenario(monthly)
  const before = lab.runs.value
  lab.adoptRuns(new URLSearchParams({ 'run.monthly': executionId('9'), 'run.invalid': 'x.y', scenario: 'invalid' }))
  expect(lab.runs.value).toBe(before)
  lab.adoptRuns(
    new URLSearchParams({
      'run.monthly': executionId('9'),
      'run.invalid': `${executionId('4')}.no-id.${executionId('5')}x.${executionId('6')}`,
    }),
  )
  expect(run(invalid)).toMatchObject({
    phase: 'accepted',
    executionIds: [executionId('4'), executionId('6')],
    earlierIds: [],
  })
  expect(run(monthly)?.executionIds).toEqual([executionId('1')])
})
