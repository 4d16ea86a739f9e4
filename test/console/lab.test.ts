import { refusal } from '../support/canned.ts'
import { type Act, answering, type CannedWalk, describeWalks, key, open, press } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const done = '2026-11-20T09:30:01Z'
const hash = 'a'.repeat(64)
const other = 'b'.repeat(64)
const scenario = (id: string, months: number, expected: string, more: object = {}) => ({
  ...{ id, name: `The ${id} one`, description: `A policy that is ${id}.`, schedule_interval_months: months },
  ...{ expected_outcome: expected, raw_input: `{\n  "of": "${id}"\n}`, raw_input_hash: hash },
  metadata: { source_object: `policy:${id}`, source_actor: 'intake' },
  ...more,
})
const scenarios = [
  scenario('monthly', 1, 'Completed: a letter.'),
  scenario('invalid', 6, 'Failed at validate.'),
  scenario('annual', 12, 'Completed: a letter.', { raw_input: '{ "of": ' }),
]
const catalog = (ready = true) => ({ 'GET /api/v1/intake-test-lab/scenarios': { ready, scenarios } })
const [first, second, third, fourth] = ['1', '2', '3', '4'].map(
  (digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`,
) as [string, string, string, string]
const step = (name: string, position: number, status: string, more: object = {}) => ({
  ...{ name, position, status, attempt: 1, state_version: 2, started_at: at, finished_at: done, duration_ms: 400 },
  ...more,
})
const execution = (id: string, status: string, more: object = {}) => ({
  ...{ id, release_id: 'r-1', release_hash: hash, processing_kind: 'document_generation', input_hash: hash, status },
  ...{ raw_input_hash: hash, submitted_by: 'u-1', correlation_id: 'c-1', created_at: at, updated_at: done },
  ...{ completed_at: done, artifacts: [], steps: [step('validate', 1, 'succeeded'), step('compose', 3, 'succeeded')] },
  ...more,
})
const failure = {
  ...{ code: 'contract.invalid', message: 'The input breaks its contract.' },
  issues: [{ path: '/of', keyword: 'required', message: 'must be there' }],
}
const failed = {
  completed_at: undefined,
  raw_input: '{\n  "of": "invalid"\n}',
  steps: [step('validate', 1, 'failed', { failure })],
}
const accepted = (id: string) => ({ 'POST /api/v1/submissions': { submission: { id: 's-1', executions: [{ id }] } } })
const answers = (id: string, of: object = execution(id, 'completed')) => ({
  ...catalog(),
  ...accepted(id),
  [`GET /api/v1/executions/${id}`]: of,
})
const unable = () => refusal(503, 'unavailable', 'Not now.')
const scrolled: string[] = []
const watchScrolling: Act = [
  'watch what is scrolled into view',
  async () => {
    window.HTMLElement.prototype.scrollIntoView = function (this: HTMLElement) {
      if (this.dataset.scenario !== undefined) scrolled.push(this.dataset.scenario)
    }
  },
]
const isScrolledTo = (...ids: string[]): Act => [
  `the card in view is that of ${ids.join(', then ')}`,
  async () => {
    const seen = scrolled.splice(0).join(', ')
    if (seen !== ids.join(', ')) throw new Error(`scrolled to ${seen}`)
  },
]

const writeInput = (text: string): Act => [
  `write ${text}`,
  async (page) => {
    const area = document.querySelector<HTMLTextAreaElement>('textarea.source')!
    area.value = text
    area.dispatchEvent(new Event('input', { bubbles: true }))
    await page.settled()
  },
]

const isSelected = (text: string): Act => [
  `${text} is selected`,
  async () => {
    const { value, selectionStart, selectionEnd } = document.querySelector<HTMLTextAreaElement>('textarea.source')!
    const selected = value.slice(selectionStart, selectionEnd)
    if (selected !== text) throw new Error(`selected: ${selected}`)
  },
]

const walks: Record<string, CannedWalk> = {
  'the runs that an address names': {
    path: `/lab?scenario=monthly&run.monthly=${third}&run.nothing=no-id`,
    answers: answers(third),
    acts: [],
  },
  'a scenario that completes': {
    path: '/lab',
    answers: answers(first),
    acts: [
      watchScrolling,
      press('The annual one'),
      isScrolledTo('annual'),
      press('The monthly one'),
      isScrolledTo('monthly'),
      press('Run again'),
      // The same once more, with other input: nothing certain is expected of it.
      answering('another execution', {
        ...answers(second, execution(second, 'completed', { raw_input_hash: other, raw_input: '{}' })),
      }),
      writeInput('{}'),
      key('Enter', { ctrlKey: true }),
      press('Original'),
    ],
  },
  'a scenario that is to fail, and does': {
    path: '/lab?scenario=invalid',
    answers: answers(fourth, execution(fourth, 'failed', failed)),
    acts: [press('Run'), press('line 2, column 9'), isSelected('"invalid"')],
  },
  'a run from its card': {
    path: '/lab',
    answers: answers(second),
    acts: [press('Run The monthly one')],
  },
  'a run that is refused, and goes through when it is sent again': {
    path: '/lab?scenario=annual',
    answers: { ...catalog(), 'POST /api/v1/submissions': unable },
    acts: [press('Run'), answering('it is taken', answers(first)), press('Try again')],
  },
  'all of them': { path: '/lab', answers: answers(first), acts: [press('Run all four')] },
  'without its configuration': { path: '/lab', answers: catalog(false), acts: [open('/lab?scenario=nowhere')] },
  'for who may only read': {
    path: '/lab',
    as: ['auditor'],
    answers: catalog(),
    acts: [key('Enter', { ctrlKey: true })],
  },
  'that cannot be read': {
    path: '/lab',
    as: ['administrator', 'operator'],
    answers: { 'GET /api/v1/intake-test-lab/scenarios': unable },
    acts: [answering('it can', catalog()), press('Try again')],
  },
}

describeWalks('scenarios', 'runs what it shows, and sets each outcome beside what was expected', walks)
