import { afterAll, beforeEach, expect, test } from 'bun:test'
import {
  type Call,
  call,
  callForBlob,
  mutate,
  type SessionSource,
  serverNow,
  useSessionSource,
} from '../../src/console/api/client.ts'
import { ApiProblem } from '../../src/console/api/problem.ts'

type Answer = () => Response
let answers: Answer[] = []
let asked: { method: string; headers: Headers; body: string }[] = []
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    asked.push({ method: request.method, headers: request.headers, body: await request.text() })
    return (answers.shift() ?? (() => Response.json({ done: true })))()
  },
})
afterAll(() => server.stop(true))
const path = `${server.url}api`

const problem = (code: string, status = 401): Answer => {
  const body = { code, status, title: 'T', detail: `It is ${code}.`, correlation_id: 'c' }
  return () => Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } })
}
let told: string[] = []
const session = (changes: Partial<SessionSource> = {}): SessionSource => ({
  csrfToken: () => `token ${told.length}`,
  renew: async () => void told.push('renew'),
  confirm: async () => void told.push('confirm'),
  refresh: async () => void told.push('refresh'),
  ...changes,
})
beforeEach(() => {
  ;[answers, asked, told] = [[], [], []]
  useSessionSource(session())
})
/** The code that a call fails with, or its answer. */
const outcome = (options: Call = {}) =>
  call(path, options).catch((error: unknown) => (error instanceof ApiProblem ? error.code : error))

test('a read sends no token and no body, and gives the JSON of its answer, or nothing', async () => {
  expect(await call<object>(path)).toEqual({ done: true })
  expect(asked[0]).toMatchObject({ method: 'GET', body: '' })
  expect(asked[0]?.headers.get('accept')).toBe('application/json, application/problem+json')
  for (const name of ['x-csrf-token', 'content-type', 'idempotency-key']) expect(asked[0]?.headers.get(name)).toBeNull()
  answers = [() => new Response(null, { status: 204 })]
  expect(await call(path, { method: 'DELETE' })).toBeUndefined()
})

test('a change sends the token, and its body as JSON, as a form or as it is', async () => {
  const form = new FormData()
  form.set('file', 'x')
  for (const body of [{ a: 1 }, form, new Blob(['<x/>'], { type: 'text/x' }), undefined])
    await call(path, { method: 'POST', ...(body === undefined ? {} : { body }) })
  expect(asked.map(({ headers }) => headers.get('x-csrf-token'))).toEqual(new Array(4).fill('token 0'))
  const types = asked.map(({ headers }) => headers.get('content-type')?.split(';')[0])
  expect(types).toEqual(['application/json', 'multipart/form-data', 'text/x', 'application/json'])
  expect([asked[0]?.body, asked[2]?.body, asked[3]?.body]).toEqual(['{"a":1}', '<x/>', ''])
  useSessionSource(session({ csrfToken: () => undefined }))
  await call(path, { method: 'POST' })
  expect(asked.at(-1)?.headers.get('x-csrf-token')).toBeNull()
})

test('each change by a click has a key of its own, and keeps it when the call is repeated', async () => {
  answers = [problem('authentication_required')]
  await mutate(path, { method: 'POST', headers: { 'if-match': '"1"' } })
  await mutate(path, { method: 'POST' })
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toMatch(/^console-[0-9a-f]{32}$/)
  expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false])
  expect(asked[0]?.headers.get('if-match')).toBe('"1"')
})

test('a session that ran out is renewed once, and the call repeated with the new token', async () => {
  answers = [problem('authentication_required')]
  expect(await outcome({ method: 'POST' })).toEqual({ done: true })
  expect([told, asked.map(({ headers }) => headers.get('x-csrf-token'))]).toEqual([['renew'], ['token 0', 'token 1']])
  answers = [problem('authentication_required'), problem('authentication_required')]
  expect([await outcome(), told]).toEqual(['authentication_required', ['renew', 'renew']])
})

test('a call that is pointless without the present session, or before there was one, fails at once', async () => {
  answers = [problem('authentication_required'), problem('authentication_required')]
  expect(await outcome({ renews: false })).toBe('authentication_required')
  useSessionSource(session({ renew: undefined }))
  expect(await outcome()).toBe('authentication_required')
  expect([told, asked.length]).toEqual([[], 2])
})

test('a person who does not come back leaves the call with that reason', async () => {
  useSessionSource(session({ renew: () => Promise.reject(new Error('left')) }))
  answers = [problem('authentication_required')]
  expect(await outcome()).toEqual(new Error('left'))
})

test('a password is asked for again once, only by a call that may need it', async () => {
  answers = [problem('forbidden', 403), problem('forbidden', 403), problem('forbidden', 403), problem('forbidden', 403)]
  expect([await outcome(), told]).toEqual(['forbidden', []])
  expect([await outcome({ confirms: true }), told]).toEqual(['forbidden', ['confirm']])
  expect([await outcome({ confirms: true }), told]).toEqual([{ done: true }, ['confirm', 'confirm']])
  useSessionSource(session({ confirm: undefined }))
  answers = [problem('forbidden', 403)]
  expect(await outcome({ confirms: true })).toBe('forbidden')
})

test('a token that another tab has changed is read again once', async () => {
  answers = [problem('csrf_rejected', 403)]
  expect([await outcome({ method: 'POST' }), told]).toEqual([{ done: true }, ['refresh']])
  answers = [problem('csrf_rejected', 403), problem('csrf_rejected', 403)]
  expect([await outcome({ method: 'POST' }), told.length]).toEqual(['csrf_rejected', 2])
})

test('any other problem is thrown, and a server that does not answer is one of them', async () => {
  answers = [problem('conflict', 409)]
  expect([await outcome(), told]).toEqual(['conflict', []])
  const gone = call('http://127.0.0.1:1/api').catch((error: unknown) => error)
  expect(await gone).toMatchObject({ status: 0, code: 'unreachable' })
  const leaving = new AbortController()
  leaving.abort('the page was left')
  expect(await call(path, { signal: leaving.signal }).catch((error: unknown) => error)).toBe('the page was left')
})

test('a file comes as its bytes', async () => {
  answers = [() => new Response('%PDF', { headers: { 'content-type': 'application/pdf' } })]
  const blob = await callForBlob(path)
  expect([await blob.text(), blob.type]).toEqual(['%PDF', 'application/pdf'])
})

test('the present is the server’s, where its clock is more than two seconds off', async () => {
  const aheadMs = async (ms: number) => {
    answers = [() => Response.json({}, { headers: { date: new Date(Date.now() + ms).toUTCString() } })]
    await call(path)
    return serverNow().getTime() - Date.now()
  }
  expect(await aheadMs(3_600_000)).toBeWithin(3_590_000, 3_600_001)
  expect(await aheadMs(-3_600_000)).toBeWithin(-3_610_000, -3_599_999)
  /** However long this process is held up between two looks at a clock. */
  const isPresent = () => {
    const [before, now, after] = [Date.now(), serverNow().getTime(), Date.now()]
    return before <= now && now <= after
  }
  await aheadMs(500)
  expect(isPresent()).toBe(true)
  answers = [() => Response.json({}, { headers: { date: 'soon' } })]
  await call(path)
  expect(isPresent()).toBe(true)
})
