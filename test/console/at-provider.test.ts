import { refusal, sessionOf } from '../support/canned.ts'
import { type Act, answering, being, type CannedWalk, describeWalks, fill, leave, open, press } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const methods = { 'GET /api/v1/auth/methods': { passwords: false, provider: { name: 'Acme' } } }
const there = { location: 'https://provider.test/sign-in' }
const unable = () => refusal(503, 'unavailable', 'Not now.')
const ended = () => refusal(401, 'authentication_required', 'The session ran out.')
const old = () => refusal(403, 'forbidden', 'You are to sign in again.')
const account = {
  'GET /api/v1/auth/account': {
    ...{ signs_in_by: 'provider', provider_name: 'Acme', issuer: 'https://provider.test', subject: 'sub-1' },
    confirmed_at: at,
  },
}
const holds = { 'GET /api/v1/holds': { holds: [] }, 'GET /api/v1/retention-policies': { retention: 0, policies: [] } }

/** Where the page was sent, and how often it was loaded again. */
const went: string[] = []
const watch: Act = [
  'watch where the page goes',
  async () => {
    window.location.assign = (address) => void went.push(`${address}`)
    window.location.reload = () => void went.push('itself again')
    window.open = () => opened as never
    window.close = () => void went.push('closed')
    // A page asks once how people sign in, and this one has been there before.
    const { methods: known } = await import('../../src/console/provider.ts')
    known.value = undefined
  },
]
const opened = { closed: false, location: { href: '' }, close: () => void went.push('the window is closed') }
const isAt = (...addresses: string[]): Act => [
  `went to ${addresses.join(', then ')}`,
  async () => {
    const seen = went.splice(0).join(', then ')
    if (seen !== addresses.join(', then ')) throw new Error(`went to ${seen}`)
  },
]
const signedInThere: Act = [
  'the provider signed the person in',
  async () => window.localStorage.setItem('quire.signed-in', 'provider'),
]
/** What the other window tells the one that waits. */
const tells = (told: object): Act => [
  `the window tells ${JSON.stringify(told)}`,
  async (shown) => {
    const [other, page] = [new BroadcastChannel('quire.provider'), new BroadcastChannel('quire.provider')]
    const heard = Promise.withResolvers<void>()
    page.onmessage = () => heard.resolve()
    other.postMessage(told)
    // The page listened before, so it has heard it, too.
    await heard.promise
    other.close()
    page.close()
    await shown.settled()
  },
]
const newUser: readonly Act[] = [
  press('New user'),
  fill('Username', 'grace'),
  fill('Name', 'Grace'),
  fill('First password', 'a-long-and-odd-phrase'),
  press('Create'),
]
const own = sessionOf(['administrator'])
const grace = {
  ...{ id: 'u-2', username: 'grace', display_name: 'Grace', roles: ['operator'], disabled: false, is_service: false },
  ...{ must_change_password: false, created_at: at, updated_at: at },
}
type Load = () => Promise<never>
/** The file of a screen comes so. */
const comes = (what: string, pattern: string, load: Load): Act => [
  `the screen ${pattern} ${what}`,
  async () => {
    const { views } = await import('../../src/console/views.ts')
    ;(views as Record<string, unknown>)[pattern] = load
  },
]
/** Waits of more than a moment are over at once. */
const withoutWaiting = ([what, act]: Act): Act => [
  `${what}, and wait`,
  async (page) => {
    const before = globalThis.setTimeout
    globalThis.setTimeout = ((action: () => void) => before(action, 1)) as never
    await act(page).finally(() => {
      globalThis.setTimeout = before
    })
  },
]
let times = 0
const comesBack = () => (times++ < 1 ? unable() : Response.json({ status: 'live', build: {} }))

const walks: Record<string, CannedWalk> = {
  'a sign-in at the provider': {
    path: '/users?x=1',
    answers: { ...methods, 'POST /api/v1/auth/oidc/start': unable },
    acts: [
      watch,
      leave,
      press('Sign in with Acme'),
      answering('it answers', { ...methods, 'POST /api/v1/auth/oidc/start': there }),
      press('Sign in with Acme'),
      isAt('https://provider.test/sign-in'),
      open('/login?refused=no_role&reference=c-9&next=https://elsewhere.test/'),
      press('Sign in with Acme'),
      isAt('https://provider.test/sign-in'),
      fill('Username', 'root'),
    ],
  },
  'how one signs in there': {
    path: '/nowhere',
    answers: { ...methods, ...account },
    acts: [
      being('somebody of the provider', ['administrator']),
      signedInThere,
      open('/password'),
      answering('it does not tell more', {
        'GET /api/v1/auth/account': { ...account['GET /api/v1/auth/account'], confirmed_at: null },
      }),
      open('/nowhere'),
      open('/password'),
      answering('it cannot be read', { 'GET /api/v1/auth/account': unable }),
      open('/nowhere'),
      open('/password'),
    ],
  },
  'the session runs out, and goes on in another window': {
    path: '/nowhere',
    answers: { 'GET /api/v1/admin/users': ended, 'POST /api/v1/auth/oidc/start': there },
    acts: [
      signedInThere,
      open('/users'),
      press('Sign in with Acme'),
      tells({ refused: 'other_person' }),
      isAt('the window is closed'),
      press('Sign in with Acme'),
      answering('there is a session', {
        'GET /api/v1/admin/users': { users: [] },
        'GET /api/v1/auth/session': sessionOf(['administrator']),
      }),
      tells({ ended: 'signed-in' }),
    ],
  },
  'it has to be the person': {
    path: '/users',
    answers: {
      'GET /api/v1/admin/users': { users: [] },
      'POST /api/v1/admin/users': old,
      'POST /api/v1/auth/oidc/confirm': there,
    },
    acts: [
      signedInThere,
      ...newUser,
      press('Sign in with Acme'),
      answering('it is', {
        'GET /api/v1/admin/users': { users: [] },
        'POST /api/v1/admin/users': { user: { id: 'u-9' } },
      }),
      tells({ ended: 'confirmed' }),
      answering('it is asked again', { 'POST /api/v1/admin/users': old }),
      ...newUser,
      press('Cancel'),
      press('Cancel'),
    ],
  },
  'a screen whose file is of another version': {
    path: '/nowhere',
    answers: { ...holds, 'GET /health/live': () => Response.json({ status: 'live', build: {} }) },
    acts: [
      comes('does not come', '/retention', () => Promise.reject(new Error('404'))),
      open('/retention'),
      press('Load again'),
      isAt('itself again'),
    ],
  },
  'a screen whose server is away for a while': {
    path: '/nowhere',
    answers: { ...holds, 'GET /health/live': comesBack },
    acts: [withoutWaiting(open('/retention')), isAt('itself again')],
  },
  'the window that comes back': {
    path: '/nowhere',
    answers: {},
    acts: [
      open('/login?window=1&ended=signed-in'),
      isAt('closed'),
      open('/login?window=1&refused=no_role'),
      isAt('closed'),
    ],
  },
  'somebody else signed in meanwhile': {
    path: '/nowhere',
    answers: { 'GET /api/v1/admin/users': { users: [grace] } },
    acts: [
      being('an administrator', ['administrator']),
      open('/users'),
      answering('the session is another person’s', {
        'GET /api/v1/admin/users': { users: [grace] },
        'PATCH /api/v1/admin/users/u-2': () => refusal(403, 'csrf_rejected', 'The token is another one.'),
        'GET /api/v1/auth/session': { ...own, user: { ...own.user, id: 'u-3', username: 'joan' } },
      }),
      press(/^Grace/),
      fill('Name', 'Grace H.'),
      press('Save'),
      isAt('/'),
    ],
  },
  'signing out there, too': {
    path: '/nowhere',
    answers: { 'POST /api/v1/auth/oidc/logout': { location: 'https://provider.test/out' } },
    acts: [
      signedInThere,
      [
        'sign out',
        async (page) => {
          const { signOut } = await import('../../src/console/session.ts')
          await signOut()
          await page.settled()
        },
      ],
      isAt('https://provider.test/out'),
    ],
  },
}

describeWalks('at a provider', 'lets people in who sign in elsewhere, and says why a screen doesn’t open', walks)
