import { refusal } from '../support/canned.ts'
import { at, family, unable } from './families.ts'
import { type Act, answering, type CannedWalk, describeWalks, press, write } from './walks.ts'

const unsaved = '/api/v1/unsaved-drafts/k-1'
const schemaOf = (...names: string[]) =>
  `{\n  "type": "object",\n  "properties": {\n${names.map((name) => `    "${name}": {"type": "string"}`).join(',\n')}\n  }\n}\n`
const saved = schemaOf('a', 'b')
const state = (id: string, more: object = {}) => ({
  ...{ id, tab_id: `tab-${id}`, browser_id: 'elsewhere', base_revision: 3, has_base: true, is_open: false },
  ...{ byte_size: 1, content_hash: 'h', begun_at: at, typed_at: at },
  ...more,
})
/** How long ago something was typed is said in days. */
const threeDaysAgo = new Date(Date.now() - 3.04 * 86_400_000).toISOString()
const withStates = (states: readonly object[], more: object = {}) => ({
  'GET /api/v1/contracts/k-1': family('k-1', 'letter', 'Letter', { draft_revision: 3, schema: saved }),
  [`GET ${unsaved}`]: { family_id: 'k-1', states },
  [`GET ${unsaved}/states/s-1`]: state('s-1', { text: schemaOf('a', 'mine') }),
  [`GET ${unsaved}/states/s-2`]: state('s-2', { text: saved }),
  [`GET ${unsaved}/states/s-3`]: unable,
  [`GET ${unsaved}/states/s-4`]: state('s-4', { text: schemaOf('a', 'b', 'c'), base_text: saved }),
  [`PUT ${unsaved}`]: state('s-9'),
  [`POST ${unsaved}/settle`]: () => undefined,
  ...more,
})
const stateAt = (index: number): Act => [
  `press state ${index}`,
  async (page) => {
    document.querySelectorAll<HTMLElement>('.history-state')[index]?.click()
    await page.settled()
  },
]
const rememberTab: Act = [
  'the tab was reloaded after its text was sent',
  async () => window.sessionStorage.setItem('quire.draft.k-1.served', 'tab-s-1'),
]
const ofThisBrowser = () => window.localStorage.getItem('quire.browser') ?? ''
const states = [state('s-1'), state('s-2', { base_revision: 0 }), state('s-3')]
const offered = [state('s-3'), state('s-4', { is_open: true, typed_at: threeDaysAgo })]

const walks: Record<string, CannedWalk> = {
  'what was typed before': {
    path: '/contracts/k-1',
    answers: withStates(states),
    acts: [
      rememberTab,
      press('History'),
      stateAt(1),
      stateAt(2),
      answering('it can be read', withStates(states, { [`GET ${unsaved}/states/s-3`]: state('s-3', { text: '' }) })),
      press('Try again'),
      stateAt(0),
      press('Bring this back'),
      press('History'),
      answering(
        'it cannot be removed',
        withStates(states, { [`DELETE ${unsaved}`]: () => refusal(503, 'unavailable', 'Not now.') }),
      ),
      press('Remove all'),
      press('Remove all for good'),
      answering('it can', withStates([], { [`DELETE ${unsaved}`]: () => undefined })),
      press('Remove all for good'),
      press('History'),
      press('Close'),
    ],
  },
  'what was typed on another device': {
    path: '/contracts/k-1',
    answers: withStates(offered),
    acts: [press('Look at it'), press('Close'), press('Leave it')],
  },
  'what was typed on another device, beside what is typed here': {
    path: '/contracts/k-1',
    answers: withStates(offered),
    acts: [write('Schema', schemaOf('x', 'b')), press('Take it'), press(/^Save/)],
  },
  'what was typed in another tab': {
    path: '/contracts/k-1',
    answers: withStates([], {
      [`GET ${unsaved}`]: () => ({
        family_id: 'k-1',
        states: [state('s-4', { is_open: true, typed_at: threeDaysAgo, browser_id: ofThisBrowser() })],
      }),
    }),
    acts: [press('History'), press('Close'), press('Take it')],
  },
}

describeWalks('unsaved', 'keeps what was typed and not saved in reach, wherever it was typed', walks)
