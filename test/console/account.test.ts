import { noticeKinds } from '../../src/core/notice-kinds.ts'
import { refusal, sessionOf } from '../support/canned.ts'
import { type Act, answering, being, type CannedWalk, describeWalks, fill, leave, open, press } from './walks.ts'

const at = '2026-11-20T09:30:00Z'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'
const edge = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0'
const app = { id: 'f-1', kind: 'app', name: 'phone', created_at: at, last_used_at: at }
const passkey = { id: 'f-2', kind: 'passkey', name: 'laptop', host: 'quire.test', created_at: at }
const both = { factors: [app, passkey], recovery_codes: 1, required: false }
const sessions = {
  sessions: [
    { id: 's-1', created_at: at, browser: firefox, address: '10.0.0.1', is_current: true },
    { id: 's-2', created_at: at, browser: edge, is_waiting: true },
    { id: 's-3', created_at: at, browser: 'python-requests/2' },
    { id: 's-4', created_at: at, browser: 'unheard of' },
  ],
}
const notices = noticeKinds.map((kind, index) => ({
  ...{ id: `n-${index}`, kind, name: 'nightly', created_at: at, is_read: index !== 1 },
  ...(index === 0 ? { address: '10.0.0.1', browser: edge } : {}),
  ...(kind === 'token_expiring' ? { expires_at: at } : {}),
}))
const begun = { enrolment: 'begun', key: 'ABCDEFGHIJ', qr_code: { size: 21, path: 'M0 0' } }
const added = { factor: app, recovery_codes: ['aaaa-1111', 'bbbb-2222'], session: sessionOf(['administrator']) }
const wrongCode = () => refusal(422, 'invalid_code', 'The code is not the one of now.')
const old = () => refusal(403, 'forbidden', 'Your password is wanted again.')
const ended = () => refusal(401, 'authentication_required', 'The session ran out.')
const account = {
  'GET /api/v1/auth/factors': both,
  'GET /api/v1/auth/sessions': sessions,
  'GET /api/v1/auth/notices': { notices },
}
const unable = () => refusal(503, 'unavailable', 'The database does not answer.')
const half = { ...sessionOf([]), awaits: 'second_factor' }
const byPassword = { 'POST /api/v1/auth/login': half, 'GET /api/v1/tokens': { tokens: [] } }
const provider = { 'GET /api/v1/auth/methods': { passwords: true, provider: { name: 'Acme' } } }

const signIn: Act[] = [fill('Username', ' ada '), fill('Password', 'a-long-and-odd-phrase'), press('Sign in')]
let asksAgain = true
const onceMore = (answer: object) => () => {
  asksAgain = !asksAgain
  return asksAgain ? answer : old()
}
const withPasskeys: Act = [
  'the browser has passkeys',
  async () => {
    const parse = (options: unknown) => options
    const Credential = { parseCreationOptionsFromJSON: parse, parseRequestOptionsFromJSON: parse }
    Object.defineProperty(window, 'PublicKeyCredential', { value: Credential, configurable: true })
    Object.defineProperty(globalThis, 'PublicKeyCredential', { value: Credential, configurable: true })
    Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true })
    const give = async () => ({ toJSON: () => ({ id: 'key' }) })
    Object.defineProperty(navigator, 'credentials', { value: { get: give, create: give }, configurable: true })
  },
]
const refusesPasskeys = (name: string): Act => [
  `the browser refuses: ${name}`,
  async () => {
    const refuse = async () => {
      throw new DOMException('no', name)
    }
    Object.defineProperty(navigator, 'credentials', { value: { get: refuse, create: refuse }, configurable: true })
  },
]
const withoutPasskeys: Act = [
  'the browser has no passkeys',
  async () => {
    delete (window as { PublicKeyCredential?: unknown }).PublicKeyCredential
    delete (globalThis as { PublicKeyCredential?: unknown }).PublicKeyCredential
  },
]

const walks: Record<string, CannedWalk> = {
  'the own account': {
    path: '/account',
    answers: {
      ...account,
      'POST /api/v1/auth/notices/read': () => undefined,
      'DELETE /api/v1/auth/sessions/s-2': () => undefined,
      'POST /api/v1/auth/sessions/end-others': () => undefined,
      'DELETE /api/v1/auth/factors/f-1': () => undefined,
      'POST /api/v1/auth/recovery-codes': { recovery_codes: ['cccc-3333'] },
    },
    acts: [
      press('Show all 14'),
      press('End'),
      press('End all others'),
      press('End them'),
      press('Remove phone'),
      press('Remove'),
      press('New codes'),
      press('Make them'),
      press('I have kept them'),
    ],
  },
  'an account with one factor that the role wants': {
    path: '/account',
    answers: { ...account, 'GET /api/v1/auth/factors': { factors: [passkey], recovery_codes: 8, required: true } },
    acts: [],
  },
  'an account without anything': {
    path: '/account',
    answers: {
      'GET /api/v1/auth/factors': { factors: [], recovery_codes: 0, required: false },
      'GET /api/v1/auth/sessions': { sessions: [] },
      'GET /api/v1/auth/notices': { notices: [] },
    },
    acts: [],
  },
  'an account that cannot be read': {
    path: '/account',
    answers: {
      'GET /api/v1/auth/factors': unable,
      'GET /api/v1/auth/sessions': unable,
      'GET /api/v1/auth/notices': unable,
    },
    acts: [],
  },
  'what cannot be ended': {
    path: '/account',
    answers: { ...account, 'DELETE /api/v1/auth/sessions/s-2': unable, 'DELETE /api/v1/auth/factors/f-1': unable },
    acts: [press('End'), press('Remove phone'), press('Remove'), press('Cancel')],
  },
  'an app is added': {
    path: '/account',
    answers: { ...account, 'POST /api/v1/auth/factors/app/start': begun, 'POST /api/v1/auth/factors/app': wrongCode },
    acts: [
      press('Add an app'),
      fill('Code', '123 456'),
      fill('Name', 'phone'),
      press('Add'),
      answering('the code is right', { ...account, 'POST /api/v1/auth/factors/app': added }),
      press('Add'),
      press('I have kept them'),
    ],
  },
  'an app that cannot be begun': {
    path: '/account',
    answers: { ...account, 'POST /api/v1/auth/factors/app/start': unable },
    acts: [press('Add an app'), press('Cancel')],
  },
  'the password is asked for again': {
    path: '/account',
    answers: {
      ...account,
      'POST /api/v1/auth/recovery-codes': onceMore({ recovery_codes: ['dddd-4444'] }),
      'POST /api/v1/auth/confirm-password': () => undefined,
    },
    acts: [
      press('New codes'),
      press('Make them'),
      fill('Password', 'a-long-and-odd-phrase'),
      press('Go on'),
      press('I have kept them'),
    ],
  },
  'the password is not given again': {
    path: '/account',
    answers: {
      ...account,
      'POST /api/v1/auth/recovery-codes': old,
      'POST /api/v1/auth/confirm-password': () => refusal(401, 'invalid_credentials', 'That is not it.'),
    },
    acts: [
      press('New codes'),
      press('Make them'),
      fill('Password', 'wrong'),
      press('Go on'),
      press('Cancel'),
      press('Cancel'),
    ],
  },
  'the session runs out, and goes on': {
    path: '/account',
    answers: {
      ...account,
      'POST /api/v1/auth/sessions/end-others': ended,
      'POST /api/v1/auth/login': sessionOf(['operator']),
    },
    acts: [
      press('End all others'),
      press('End them'),
      fill('Password', 'a-long-and-odd-phrase'),
      answering('there is a session', {
        ...account,
        'POST /api/v1/auth/login': sessionOf(['operator']),
        'POST /api/v1/auth/sessions/end-others': () => undefined,
      }),
      press('Sign in'),
    ],
  },
  'the session runs out, and is left': {
    path: '/account',
    answers: { ...account, 'POST /api/v1/auth/sessions/end-others': ended },
    acts: [press('End all others'), press('End them'), press('Leave')],
  },
  'another token of the page in another tab': {
    path: '/account',
    as: ['administrator', 'operator'],
    answers: {
      ...account,
      'DELETE /api/v1/auth/sessions/s-2': () => refusal(403, 'csrf_rejected', 'The token is another one.'),
    },
    acts: [press('End')],
  },
  passkeys: {
    path: '/nowhere',
    answers: {
      ...account,
      'POST /api/v1/auth/factors/passkey/start': { options: { challenge: 'x' } },
      'POST /api/v1/auth/factors/passkey': { factor: passkey, session: sessionOf(['administrator']) },
    },
    acts: [
      withPasskeys,
      open('/account'),
      press('Add a passkey'),
      fill('Name', 'laptop'),
      press('Make it'),
      press('Add a passkey'),
      fill('Name', 'laptop'),
      refusesPasskeys('InvalidStateError'),
      press('Make it'),
      refusesPasskeys('NotAllowedError'),
      press('Make it'),
      press('Cancel'),
    ],
  },
  'a role that wants a second factor': {
    path: '/account',
    answers: {
      ...account,
      'POST /api/v1/auth/factors/app/start': begun,
      'POST /api/v1/auth/factors/app': { ...added, session: sessionOf(['administrator', 'operator']) },
    },
    acts: [
      being('somebody who has none', ['administrator'], { awaits: 'enrolment' }),
      press('Passkey'),
      press('Cancel'),
      withoutPasskeys,
      press('Authenticator app'),
      fill('Code', '123456'),
      fill('Name', 'phone'),
      press('Add'),
      press('I have kept them'),
    ],
  },
  'a first password': {
    path: '/account',
    answers: { 'POST /api/v1/auth/password': () => refusal(422, 'weak_password', 'It is too common.') },
    acts: [
      being('somebody with a first one', ['operator'], { must_change_password: true }),
      fill('Present password', 'first'),
      fill('New password', 'ada'),
      fill('New password', 'a-long-and-odd-phrase'),
      fill('New password, again', 'a-long-and-odd-phrase'),
      press('Change password'),
      answering('it is good', {
        'POST /api/v1/auth/password': () => undefined,
        'POST /api/v1/auth/login': sessionOf(['operator'], { must_change_password: false }),
      }),
      press('Change password'),
      being('an operator', ['operator']),
    ],
  },
  'another password': {
    path: '/password',
    answers: {
      'POST /api/v1/auth/password': () => undefined,
      'POST /api/v1/auth/login': { csrf_token: 'next' },
    },
    acts: [
      fill('Present password', 'before'),
      fill('New password', 'x'.repeat(200)),
      fill('New password', 'a-long-and-odd-phrase'),
      fill('New password, again', 'a-long-and-odd-phrase'),
      press('Change password'),
    ],
  },
  'a sign-in': {
    path: '/tokens?x=1',
    answers: {
      'POST /api/v1/auth/login': () => refusal(401, 'invalid_credentials', 'Wrong name or password.'),
      'GET /api/v1/tokens': { tokens: [] },
    },
    acts: [
      leave,
      ...signIn,
      answering('the password is right', {
        'POST /api/v1/auth/login': sessionOf(['auditor']),
        'GET /api/v1/tokens': { tokens: [] },
      }),
      press('Sign in'),
    ],
  },
  'a second factor': {
    path: '/tokens',
    answers: { ...byPassword, 'POST /api/v1/auth/second-factor': wrongCode },
    acts: [
      leave,
      ...signIn,
      fill('Code', '123 456'),
      press('Sign in'),
      press('Use a recovery code'),
      fill('Recovery code', 'aaaa 1111'),
      press('Sign in'),
      press('Use a code of the app'),
      fill('Code', '1'),
      answering('it took too long', { ...byPassword, 'POST /api/v1/auth/second-factor': ended }),
      fill('Code', '123456'),
      press('Sign in'),
      ...signIn,
      press('Sign in as somebody else'),
      ...signIn,
      answering('the code is right', { ...byPassword, 'POST /api/v1/auth/second-factor': sessionOf(['auditor']) }),
      fill('Code', '123456'),
      press('Sign in'),
    ],
  },
  'a passkey in place of a password': {
    path: '/tokens',
    answers: {
      ...byPassword,
      'POST /api/v1/auth/passkey/start': { options: {} },
      'POST /api/v1/auth/passkey': half,
      'POST /api/v1/auth/second-factor/passkey': { options: {} },
      'POST /api/v1/auth/second-factor': sessionOf(['auditor']),
    },
    acts: [
      withPasskeys,
      leave,
      press('Sign in with a passkey'),
      refusesPasskeys('NotAllowedError'),
      press('Use a passkey'),
      withPasskeys,
      press('Use a passkey'),
      withoutPasskeys,
    ],
  },
  'a provider': {
    path: '/tokens',
    answers: { ...provider, 'POST /api/v1/auth/oidc/start': unable },
    acts: [
      leave,
      open('/login?refused=no_role&reference=c-7&next=/tokens'),
      open('/login?refused=unheard_of&reference=%3Cb%3E'),
    ],
  },
  'what everybody may read': {
    path: '/nowhere',
    answers: {},
    acts: [leave, open('/docs'), open('/tokens'), being('an operator', ['operator']), open('/audit')],
  },
  'a session that cannot be read': {
    path: '/account',
    answers: { ...account, 'GET /api/v1/auth/session': unable },
    acts: [being('unknown', ['operator']), answering('it can', account), press('Try again')],
  },
}

describeWalks('account', 'lets nobody in without what they owe, and says what a refusal is about', walks)
