/**
 * How long an owner takes to sign in while somebody behind the same proxy, and from the same address, guesses at their account.
 *
 * Method: the executable behind a trusted proxy, with a second factor for administrators and a provider for single sign-on. Two
 * callers guess the owner's password from the owner's own address, one from 250 others, and one begins sign-ins at the provider,
 * each again as soon as it is answered. Meanwhile the owner signs in ten times, in a browser that has signed in before: password,
 * then a recovery code. QUIRE_BINARY names another build.
 * Run: bun run build && bun bench/sign-in.bench.ts
 */
import { appCode } from '../test/support/authenticator.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { LyingProvider } from '../test/support/lying-provider.ts'
import { startQuire } from '../test/support/quire.ts'
import { percentile, show } from './figures.ts'

const OWN_ADDRESS = '203.0.113.5'
/** Until the account and the address are blocked. */
const FIRST_GUESSES = 30

const provider = await LyingProvider.start()
const quire = await startQuire({
  environment: {
    ...{ QUIRE_LOG: 'error', QUIRE_TRUSTED_PROXIES: '127.0.0.1/32', QUIRE_SECOND_FACTOR: 'administrator' },
    ...{ QUIRE_OIDC_ISSUER: provider.issuer, QUIRE_OIDC_ROLES: 'administrator=admins' },
    ...{ QUIRE_OIDC_CLIENT_ID: provider.clientId, QUIRE_OIDC_CLIENT_SECRET: provider.clientSecret },
  },
})

function post(path: string, body: unknown, from: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${quire.origin}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { origin: quire.origin, 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** The owner's browser: keeps its cookies. */
const cookies = new Map<string, string>()
let csrfToken = ''

// biome-ignore lint/suspicious/noExplicitAny: a bench looks at answers field by field
async function asOwner(path: string, body?: unknown): Promise<any> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await post(path, body, OWN_ADDRESS, { cookie, 'x-csrf-token': csrfToken })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  }
  csrfToken = answer.csrf_token ?? answer.session?.csrf_token ?? csrfToken
  return answer
}

const credentials = { username: quire.username, password: quire.password }
await asOwner('login', credentials)
const { enrolment, key } = await asOwner('factors/app/start')
const added = await asOwner('factors/app', { enrolment, code: appCode(key, Date.now()), name: 'Phone' })

let isOver = false
const statuses = new Map<string, number>()
let tries = 0

async function attack(what: string, send: () => Promise<Response>): Promise<void> {
  while (!isOver) {
    const response = await send()
    await response.arrayBuffer()
    tries++
    statuses.set(`${what} ${response.status}`, (statuses.get(`${what} ${response.status}`) ?? 0) + 1)
  }
}

const guess = (from: string) => post('login', { username: quire.username, password: `guess ${tries}` }, from)
const attacks = [
  ...[1, 2].map(() => attack('guess', () => guess(OWN_ADDRESS))),
  attack('guess elsewhere', () => guess(`198.51.100.${tries % 250}`)),
  attack('begin at the provider', () => post('oidc/start', {}, OWN_ADDRESS)),
]
while (tries < FIRST_GUESSES) await Bun.sleep(10)
const times: number[] = []
for (const recovery_code of added.recovery_codes as string[]) {
  const begin = performance.now()
  await asOwner('login', credentials)
  await asOwner('second-factor', { recovery_code })
  times.push(performance.now() - begin)
}
isOver = true
await Promise.all(attacks)
const sorted = times.toSorted((a, b) => a - b)
console.log(
  `${times.length} sign-ins of the owner: p50 ${show(percentile(sorted, 50))}, longest ${show(sorted.at(-1) ?? 0)} ms`,
)
console.log(`meanwhile ${[...statuses].map(([what, count]) => `${what}: ${count}`).join(', ')}`)
await quire.stop()
await cleanUp()
process.exit(0)
