/**
 * The console over answers that a test writes itself: any screen in any state, typical, empty, failing or long, without a service
 * behind it. What it asks for and what it sends is kept, so that a test can hold it.
 */
import { describedInterface } from '../../scripts/build-client.ts'
import { permissionsOf, type Role } from '../../src/http/access.ts'
import { createResponseCheck } from './described.ts'
import { byItself, openPage, type Page } from './page.ts'

/**
 * A body, which is answered with 200 and holds nothing that the interface doesn't describe; a Response, which may; or what makes one of
 * them, at once or later, of the body that was sent.
 */
export type Answer = object | ((body: unknown) => object | undefined)
/** By method and path: `GET /api/v1/batches`. One without a query answers for every query that has no answer of its own. */
export type Answers = Readonly<Record<string, Answer>>

export interface CannedPage extends Page {
  /** What is answered from now on, beside the session's own. */
  answer(answers: Answers): void
  /** Is the same person with other roles, or in another state of the session. */
  be(roles: readonly Role[], more?: object): Promise<void>
  /** Has no session any more, as a page that is loaded without one. */
  leave(): Promise<void>
  /** What was asked for since the last call, each once, in order of the alphabet; the session and notices apart. */
  asked(): string[]
  /** What of the answers so far the interface doesn't describe: a page must not be held against what no service says. */
  undescribed(): string[]
  /** Lets the time of everything that repeats pass once. */
  tick(): Promise<void>
}

/** An answer of the service that refuses. */
export function refusal(status: number, code: string, detail: string, more: object = {}): Response {
  const body = {
    type: `urn:quire:${code}`,
    title: `Refused: ${code}`,
    status,
    detail,
    code,
    correlation_id: 'c-1',
    ...more,
  }
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/problem+json' } })
}

export const sessionOf = (roles: readonly Role[], more: object = {}) => ({
  user: { id: 'u-1', username: 'ada', display_name: 'Ada', roles, permissions: permissionsOf(roles) },
  csrf_token: 'token',
  must_change_password: false,
  ...more,
})

const quiet = /^GET \/(health\/live|api\/v1\/auth\/(session|notices|methods))$/

export async function openCannedPage(first: Answers = {}): Promise<CannedPage> {
  let answers = first
  let session: object = sessionOf(['administrator', 'operator'])
  const asked = new Set<string>()
  const faults = new Set<string>()
  const own: Answers = {
    'GET /api/v1/auth/session': () => session,
    'GET /api/v1/auth/notices': { notices: [] },
    'GET /api/v1/auth/methods': { passwords: true, provider: null },
    'GET /api/v1/suites': { suites: [] },
  }
  const repeating = new Set<() => void>()
  const send = async ({ method = 'GET', path, body }: { method?: string; path: string; body?: unknown }) => {
    const name = `${method} ${path}`
    if (method === 'GET' && !quiet.test(name) && !byItself.test(path)) asked.add(name)
    const short = name.split('?')[0] ?? ''
    const found = answers[name] ?? answers[short] ?? own[short] ?? unsavedOf(method, path)
    const given = typeof found === 'function' ? await found(bodyOf(body)) : found
    if (given === undefined)
      return found === undefined
        ? refusal(404, 'not_found', `nothing answers ${short}`)
        : new Response(null, { status: 204 })
    if (given instanceof Response) return given.clone()
    const fault = await undescribed(method, path, given)
    if (fault !== undefined) faults.add(fault)
    return Response.json(given)
  }
  const page = await openPage(
    { send, addUser: async () => undefined },
    {
      setInterval: (action: () => void) => {
        repeating.add(action)
        return action
      },
      clearInterval: (action: () => void) => repeating.delete(action),
    },
  )
  const { openSession } = await import('../../src/console/session.ts')
  return {
    ...page,
    answer(given) {
      answers = given
    },
    async be(roles, more = {}) {
      session = sessionOf(roles, more)
      window.localStorage.setItem('quire.signed-in', 'yes')
      await openSession()
      await page.settled()
    },
    async leave() {
      window.localStorage.removeItem('quire.signed-in')
      await openSession()
      await page.settled()
    },
    asked() {
      const all = [...asked].sort()
      asked.clear()
      return all
    },
    undescribed: () => [...faults],
    async tick() {
      for (const action of [...repeating]) action()
      await page.settled()
    },
  }
}

/** Nothing was typed elsewhere, and all that is typed is kept. */
function unsavedOf(method: string, path: string): Answer | undefined {
  if (!byItself.test(path)) return undefined
  return method === 'GET' ? { family_id: 'f-1', states: [] } : method === 'PUT' ? { has_base: true } : () => undefined
}

/** What answers needn't keep, which have only what a screen shows and are easy to read: an id is `b-1`. */
const notHeld = ['required', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems']
const check = createResponseCheck(JSON.parse(JSON.stringify(describedInterface(), withoutBounds)))

function withoutBounds(this: unknown, name: string, value: unknown): unknown {
  const isOfSchema = typeof value !== 'object' || (Array.isArray(value) && typeof value[0] === 'string')
  return notHeld.includes(name) && isOfSchema ? undefined : value
}

/** What of a body no successful answer of the operation has: a name or a type that the interface doesn't know. */
async function undescribed(method: string, path: string, body: object): Promise<string | undefined> {
  let fault: string | undefined
  for (const status of [200, 201, 202]) {
    const answer = Response.json(body, { status, headers: { 'x-correlation-id': 'c-1' } })
    fault = await check(method, path, answer)
    if (fault?.endsWith('the status is not described') !== true) return fault
  }
  return fault
}

function bodyOf(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
