import { refusal } from '../support/canned.ts'
import { type Act, answering, type CannedWalk, describeWalks, fill, key, open, press } from './walks.ts'

const past = '2026-01-05T08:00:00Z'
const older = '2025-12-01T08:00:00Z'
const later = '2099-01-05T08:00:00Z'
const activation = (
  id: string,
  kind: string,
  slug: string,
  version: number,
  status: string,
  at: string,
  more: object = {},
) => ({
  ...{
    id,
    kind,
    family_id: `f-${slug}`,
    family_slug: slug,
    version,
    status,
    effective_from: at,
    scheduled_at: older,
    correlation_id: `c-${at}`,
  },
  ...more,
})
const all = [
  activation('a-4', 'ingestion_model', 'letters', 3, 'scheduled', later),
  activation('a-3', 'template', 'letterhead', 2, 'scheduled', later),
  activation('a-2', 'ingestion_model', 'letters', 2, 'active', past),
  activation('a-1', 'ingestion_model', 'letters', 1, 'superseded', older),
]
const inForce = {
  'GET /api/v1/activations': { activations: all },
  'GET /api/v1/ingestion-models/f-letters/versions': { versions: [{ number: 4 }, { number: 3 }] },
  'POST /api/v1/activations/a-4/cancel': {},
  'GET /api/v1/templates/f-letterhead': {
    id: 'f-letterhead',
    slug: 'letterhead',
    name: 'Letterhead',
    description: '',
    draft_revision: 1,
    versions: [],
    included_by: [{ template_id: 'f-frame', slug: 'frame', version: 1, chain: ['frame'] }],
  },
  'GET /api/v1/templates/f-letterhead/versions': { versions: [{ number: 2 }] },
  'POST /api/v1/ingestion-models/f-letters/versions/3/publish': {},
}
const calendar = (activations: object[], more: object = {}) => ({
  'GET /api/v1/activations/calendar': { activations, total: activations.length, ...more },
  'POST /api/v1/activation-sets/cancel': {},
  'GET /api/v1/activations': { activations: [] },
  'POST /api/v1/templates/f-other/versions/1/publish': {},
})
const contract = { family_id: 'k-1', slug: 'letter', version: 2 }
const coming = [
  activation('b-1', 'transformer', 'to-letters', 2, 'scheduled', '2099-01-20T08:00:00Z', { from_version: 1 }),
  activation('b-2', 'ingestion_model', 'letters', 3, 'scheduled', '2099-01-20T08:00:00Z', {
    from_version: 2,
    contract,
  }),
  activation('b-3', 'template', 'letterhead', 2, 'active', '2099-01-20T08:00:00Z', { until: '2099-02-01T00:00:00Z' }),
]
const gone = [
  activation('d-1', 'ingestion_model', 'letters', 2, 'superseded', '2026-01-20T08:00:00Z', {
    from_version: 1,
    until: later,
  }),
  activation('d-2', 'template', 'other', 2, 'active', '2026-01-21T08:00:00Z', { from_version: 1 }),
  activation('d-3', 'template', 'first', 1, 'active', '2026-01-21T09:00:00Z'),
  activation('d-4', 'transformer', 'one', 2, 'superseded', '2026-01-21T10:00:00Z', { from_version: 1 }),
  activation('d-5', 'transformer', 'two', 2, 'superseded', '2026-01-21T10:00:00Z', { from_version: 1 }),
  activation('d-6', 'template', 'fifth', 1, 'active', '2026-01-21T11:00:00Z'),
  activation('d-7', 'template', 'sixth', 1, 'active', '2026-01-21T12:00:00Z'),
]
const refused = () => refusal(409, 'conflict', 'It is in force meanwhile.')
const unable = () => refusal(503, 'unavailable', 'Not now.')
const unfoldAll: Act = [
  'unfold all changes',
  async (page) => {
    for (const one of document.querySelectorAll<HTMLElement>('.calendar-change-head[aria-expanded=false]')) one.click()
    await page.settled()
  },
]
const ofDays = (name: string): Act => [
  `key ${name} in the grid`,
  async (page) => {
    document.querySelector<HTMLElement>('.month-grid [tabindex="0"]')?.focus()
    const [, act] = key(name)
    await act(page)
  },
]

const model = { id: 'm-1', slug: 'letters', name: 'Letters', description: '', draft_revision: 1, versions: [] }
const member = (kind: string, slug: string, action: string, more: object = {}) => ({
  ...{ kind, slug, name: `The ${slug}`, family_id: `f-${slug}`, action, nodes: [], content_hash: 'h' },
  ...more,
})
const plan = (more: object = {}) => ({
  ...{ valid: true, plan_hash: 'p-1', effective_from: later, issues: [], broken_cases: [], cases_run: 2 },
  members: [
    member('contract', 'letter', 'publish', { to_version: 2, from_version: 1 }),
    member('ingestion_model', 'letters', 'activate', {
      from_version: 2,
      to_version: 3,
      newest_version: 4,
      since: past,
      next: { version: 9, effective_from: later },
    }),
    member('transformer', 'to-letters', 'none', {
      from_version: 1,
      to_version: 1,
      newest_version: 1,
      nodes: ['a', 'b'],
      since: past,
    }),
    member('template', 'letterhead', 'activate', { to_version: 1, newest_version: 1 }),
    member('template', 'frame', 'missing'),
  ],
  ...more,
})
const reviewed = (planned: object, more: object = {}) => ({
  'GET /api/v1/ingestion-models/m-1': model,
  'POST /api/v1/activation-sets/plan': planned,
  'GET /api/v1/comparisons': {
    difference: '@@ line 3 @@\n a\n-b\n+c\n',
    from: { content_hash: 'g' },
    to: { content_hash: 'h' },
  },
  'GET /api/v1/templates/f-letterhead/fonts': { fonts: [] },
  ...more,
})
const applied = (status: string) => ({
  effective_from: later,
  activations: [
    activation('e-1', 'ingestion_model', 'letters', 3, status, later),
    activation('e-2', 'template', 'letterhead', 1, status, later),
  ],
})
const nothingToDo = {
  members: [member('ingestion_model', 'letters', 'none', { to_version: 3, newest_version: 3, since: past })],
}

const walks: Record<string, CannedWalk> = {
  'what is in force': {
    path: '/activations',
    answers: inForce,
    acts: [
      press(/^Take back letters/),
      fill('Why, as a code', 'a_mistake'),
      press('Take back'),
      press(/^Put in force Ingestion model/),
      fill('Version', '3'),
      press('Cancel'),
      press(/^Put in force Template/),
      ['a later instant', (page) => chooseWhen(page, 'later')],
      fill('In force from', '2098-01-01T00:00'),
      fill('In force from', '2020-01-01T00:00'),
      fill('In force from', ''),
      press('Cancel'),
      open('/activations?at=2025-12-24T00:00:00Z'),
      press('Back to now'),
      fill('State', 'scheduled'),
      press('Clear'),
    ],
  },
  'what cannot be taken back': {
    path: '/activations',
    answers: {
      ...inForce,
      'POST /api/v1/activations/a-4/cancel': refused,
      'GET /api/v1/ingestion-models/f-letters/versions': unable,
    },
    acts: [press(/^Take back letters/), press('Take back'), press('Cancel'), press(/^Put in force Ingestion model/)],
  },
  'nothing in force': { path: '/activations', answers: { 'GET /api/v1/activations': { activations: [] } }, acts: [] },
  'what is in force cannot be read': { path: '/activations', answers: { 'GET /api/v1/activations': unable }, acts: [] },
  'for who may only read': { path: '/activations', as: ['auditor'], answers: inForce, acts: [] },
  'a month to come': {
    path: '/activations?tab=month&month=2099-01&day=2099-01-20',
    as: ['administrator', 'operator'],
    answers: calendar(coming, { total: 9, previous_at: past, next_at: '2099-05-01T08:00:00Z' }),
    acts: [
      press(/^Take all back/),
      press('Take all back'),
      ofDays('ArrowLeft'),
      ofDays('ArrowDown'),
      ofDays('PageDown'),
      ofDays('ArrowUp'),
      press('Earlier month'),
      press('Later month'),
      press(/^After/),
      press(/^Before/),
    ],
  },
  'a set that cannot be taken back': {
    path: '/activations?tab=month&month=2099-01&day=2099-01-20',
    answers: { ...calendar(coming), 'POST /api/v1/activation-sets/cancel': refused },
    acts: [press(/^Take all back/), press('Take all back'), press('Cancel')],
  },
  'a day with many changes': {
    path: '/activations?tab=month&month=2026-01&day=2026-01-21',
    answers: calendar(gone),
    acts: [unfoldAll, press(/^Put v1 in force again/), press('Put in force')],
  },
  'a year': {
    path: '/activations?tab=list&month=2026-01',
    answers: calendar(gone),
    acts: [unfoldAll, fill('Kind', 'template')],
  },
  'an empty year': { path: '/activations?tab=list&month=2026-01', answers: calendar([]), acts: [] },
  'a month that cannot be read': {
    path: '/activations?tab=month&month=2026-02&day=2026-03-01&kind=template',
    answers: { 'GET /api/v1/activations/calendar': unable },
    acts: [answering('nothing', calendar([])), press('Try again')],
  },
  'a review': {
    path: '/ingestion-models/m-1/review',
    answers: reviewed(plan(), { 'POST /api/v1/activation-sets': applied('active') }),
    acts: [
      ['the drafts', (page) => chooseState(page, 1)],
      ['what was before', (page) => chooseState(page, 2)],
      ['the newest', (page) => chooseState(page, 0)],
      fill('Version of The letters', '2'),
      press('Put all in force'),
      press('Close'),
    ],
  },
  'a review of drafts': {
    path: '/ingestion-models/m-1/review?state=drafts',
    answers: reviewed(
      plan({
        members: [
          member('ingestion_model', 'letters', 'activate', {
            from_version: 2,
            to_version: 3,
            newest_version: 3,
            freezes_revision: 7,
            content_hash: 'other',
          }),
        ],
        cases_run: 0,
      }),
      { 'POST /api/v1/activation-sets': applied('scheduled'), 'POST /api/v1/activation-sets/cancel': {} },
    ),
    acts: [press('Freeze, and put all in force'), press('Take all back'), press('Take all back')],
  },
  'a first set': {
    path: '/ingestion-models/m-1/review',
    answers: reviewed(
      plan({
        members: [member('ingestion_model', 'letters', 'activate', { to_version: 1, newest_version: 1 })],
        cases_run: 1,
      }),
      { 'POST /api/v1/activation-sets': applied('active') },
    ),
    acts: [press('Put all in force'), press('Close')],
  },
  'a review of what was in force then': {
    path: '/ingestion-models/m-1/review?state=past&as_of=2026-01-04T00:00:00Z',
    answers: reviewed(plan()),
    acts: [
      ['a later instant', (page) => chooseWhen(page, 'later')],
      fill('In force from', '2020-01-01T00:00'),
      fill('In force from', '2098-01-01T00:00'),
      open('/ingestion-models/m-1/review?state=past&as_of=nonsense'),
    ],
  },
  'a plan that changed meanwhile': {
    path: '/ingestion-models/m-1/review',
    answers: reviewed(plan(), { 'POST /api/v1/activation-sets': refused }),
    acts: [
      answering(
        'there is nothing to do any more',
        reviewed(plan(nothingToDo), { 'POST /api/v1/activation-sets': refused }),
      ),
      press('Put all in force'),
    ],
  },
  'what does not fit': {
    path: '/ingestion-models/m-1/review',
    answers: reviewed(
      plan({
        valid: false,
        issues: [
          { code: 'x', path: '/a', message: 'No such contract.' },
          { code: 'y', message: 'No template.' },
        ],
        broken_cases: [
          { name: 'first', node: 'a', step: 'compose', message: 'Broken.' },
          { name: 'second', node: 'b', step: 'render', message: 'As well.' },
        ],
      }),
    ),
    acts: [],
  },
  'one case that fails': {
    path: '/ingestion-models/m-1/review',
    answers: reviewed(plan({ broken_cases: [{ name: 'first', node: 'a', step: 'compose', message: 'Broken.' }] })),
    acts: [],
  },
  'one own work': {
    path: '/ingestion-models/m-1/review',
    answers: reviewed(plan({ valid: false, issues: [{ code: 'four_eyes.own_work', message: 'It is yours.' }] })),
    acts: [],
  },
  'no difference, and pages that differ': {
    path: '/ingestion-models/m-1/review',
    answers: reviewed(plan(), {
      'GET /api/v1/comparisons': (): object => ({ difference: '', from: {}, to: { content_hash: 'other' } }),
    }),
    acts: [
      answering('comparisons fail', reviewed(plan(), { 'GET /api/v1/comparisons': unable })),
      fill('Version of The letters', '1'),
    ],
  },
  'a review that cannot be read': {
    path: '/ingestion-models/m-1/review',
    answers: { 'GET /api/v1/ingestion-models/m-1': unable },
    acts: [
      answering('the plan cannot be made', reviewed({}, { 'POST /api/v1/activation-sets/plan': unable })),
      press('Try again'),
    ],
  },
}

async function chooseState(page: { settled(): Promise<void> }, index: number): Promise<void> {
  document.querySelectorAll<HTMLInputElement>('input[name=state]')[index]?.click()
  await page.settled()
}

async function chooseWhen(page: { settled(): Promise<void> }, when: 'now' | 'later'): Promise<void> {
  document.querySelectorAll<HTMLInputElement>('input[name=when]')[when === 'now' ? 0 : 1]?.click()
  await page.settled()
}

describeWalks('changes', 'say what comes into force when, and take back and put in force what they say', walks, {
  withLooks: true,
})
