import { refusal } from '../support/canned.ts'
import { type Act, type CannedWalk, describeWalks, fill, key, open, press } from './walks.ts'

const found = {
  found: [
    { kind: 'contract', id: 'c-1', title: 'Letter', words: 'letters of policies', found_in: 'title' },
    { kind: 'transformer', id: 't-1', title: 'To letters', words: 'to-letters', found_in: 'content' },
    { kind: 'template', id: 'p-1', title: 'Letterhead', words: 'letterhead', found_in: 'title' },
    { kind: 'ingestion_model', id: 'm-1', title: 'Letters in', words: 'letters', found_in: 'words' },
    { kind: 'submission', id: 's-1', title: 'policy:letter', words: 'letters', found_in: 'title' },
    { kind: 'execution', id: 'e-1', title: 'policy:letter', words: 'letters', found_in: 'words' },
  ],
}
const answers = {
  'GET /api/v1/tokens': { tokens: [] },
  'GET /api/v1/search': { found: [] },
  'GET /api/v1/search?text=letter': found,
  'GET /api/v1/search?text=broken': () => refusal(500, 'internal', 'Not now.'),
}
const ctrlK = key('k', { ctrlKey: true })
const search = (text: string) => fill('Search or go to', text)
const option = (title: RegExp): Act => [
  `click the option ${title}`,
  async (page) => {
    const options = [...document.querySelectorAll<HTMLElement>('[role=option]')]
    options.find(({ textContent }) => title.test(textContent ?? ''))?.click()
    await page.settled()
  },
]
const point = (title: RegExp): Act => [
  `point at the option ${title}`,
  async (page) => {
    const options = [...document.querySelectorAll<HTMLElement>('[role=option]')]
    const at = options.find(({ textContent }) => title.test(textContent ?? ''))
    at?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
    await page.settled()
  },
]
const walks: Record<string, CannedWalk> = {
  'the palette': {
    path: '/tokens',
    answers,
    acts: [
      ctrlK,
      key('ArrowDown'),
      key('ArrowUp'),
      key('ArrowUp'),
      ctrlK,
      ctrlK,
      search('letter'),
      key('ArrowDown'),
      point(/^Letterhead/),
      key('Enter'),
    ],
  },
  'what the palette does': {
    path: '/tokens',
    answers,
    acts: [
      ctrlK,
      search('zzzz'),
      search('broken'),
      search('dark'),
      key('Enter'),
      ctrlK,
      search('show all'),
      option(/^Show all keys/),
      press('Close'),
    ],
  },
  'the palette of an auditor': {
    path: '/tokens',
    as: ['auditor'],
    answers,
    acts: [ctrlK, search('letter'), option(/Execution/)],
  },
  'the palette of a business viewer': {
    path: '/tokens',
    as: ['business_viewer'],
    answers,
    acts: [ctrlK, search('letter'), search('change pass'), key('Enter')],
  },
  keys: {
    path: '/tokens',
    as: ['administrator', 'operator'],
    answers,
    acts: [
      key('?', { shiftKey: true }),
      press('Close'),
      key('g'),
      key('u'),
      key('g'),
      key('K'),
      key('g'),
      key('9'),
      key('/'),
      ctrlK,
      key('k', { ctrlKey: true, shiftKey: true }),
      open('/audit'),
      key('/'),
    ],
  },
  'keys that lead nowhere without the permission': {
    path: '/tokens',
    as: ['business_viewer'],
    answers,
    acts: [key('?', { shiftKey: true }), key('g'), press('Close'), key('g'), key('u'), key('g'), key('s')],
  },
}

describeWalks('palette', 'leads by keys and words where somebody may go, and nowhere else', walks, { withLooks: true })
