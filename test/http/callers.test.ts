import { beforeEach, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Fault } from '../../src/core/faults.ts'
import { createLog } from '../../src/core/log.ts'
import type { SpanContext } from '../../src/core/traceparent.ts'
import {
  AE,
  type Principal,
  permissionsOf,
  publicAccess,
  sessionAccess,
  type TokenGrant,
} from '../../src/http/access.ts'
import { AnswerRoom, BodyRoom, type RoomSize } from '../../src/http/admission.ts'
import { Closing } from '../../src/http/closing.ts'
import { defineOperation, type HandlerContext, jsonBody, type Operation } from '../../src/http/operation.ts'
import { type Answered, createPipeline, type Pipeline } from '../../src/http/pipeline.ts'
import { createSessionGuard } from '../../src/http/session.ts'
import { hashToken } from '../../src/http/tokens.ts'
import { object, text, uuid } from '../../src/http/wire.ts'
import { until } from '../support/until.ts'

/** The pipeline over operations of its own: whom it takes a request to be from, and what it hands to handlers, logs and metrics. */
const host = 'quire.test'
const origin = `https://${host}`
const id = '0198c3d2-7a10-7c00-8000-000000000001'
const ok = [{ status: 200, schema: Type.Any() }] as const
const common = {
  tag: 't',
  summary: '',
  success: ok,
  access: sessionAccess(AE, { scope: 'configuration_write' }),
} as const
const body = jsonBody(object({ name: text() }), 64)
const params = object({ thingId: uuid })

let contexts: Pick<
  HandlerContext,
  'idempotency' | 'ifMatch' | 'ifNoneMatch' | 'traceparent' | 'correlationId' | 'host'
>[]
/** What look-ups wait for, and what handlers do. */
let gates: { lookup: Promise<void>; handler: Promise<void> }
let logged: Record<string, unknown>[]
let answered: Answered[]
let begun: [trace: string | undefined, correlationId: string][]
let begunAnswers: Answered[]

const handle = async (context: unknown) => {
  contexts.push(context as HandlerContext)
  await gates.handler
  return { body: {} }
}
const operations: Operation[] = [
  defineOperation({
    ...common,
    ...{ id: 'keyed', method: 'PUT', path: '/api/v1/keyed/{thingId}', params, body },
    headers: { idempotencyKey: 'optional', ifMatch: 'used', ifNoneMatch: 'used' },
    failures: [404, 422, 503],
    handle,
  }),
  defineOperation({
    ...common,
    ...{ id: 'plain', method: 'POST', path: '/api/v1/plain', body },
    failures: [403, 422, 503],
    handle,
  }),
  defineOperation({
    ...common,
    ...{ id: 'kept', method: 'POST', path: '/api/v1/kept', isTrial: true, isKept: true, body },
    failures: [403, 422, 503],
    handle,
  }),
  defineOperation({
    ...common,
    ...{ id: 'try', method: 'POST', path: '/api/v1/try', isTrial: true, body },
    failures: [403, 422, 503],
    handle,
  }),
  defineOperation({
    ...common,
    ...{ id: 'long', method: 'POST', path: '/api/v1/long', body: jsonBody(object({ name: text() }), 100_000) },
    failures: [403, 422, 503],
    handle,
  }),
  defineOperation({ ...common, id: 'look', method: 'GET', path: '/api/v1/look', failures: [503], handle }),
  defineOperation({
    ...{ ...common, access: publicAccess },
    ...{ id: 'refusing', method: 'GET', path: '/api/v1/refusing', query: object({ after: text() }) },
    failures: [422, 429, 503],
    handle({ query }) {
      throw new Fault('rate_limited', 'Too often.', { retryAfterSeconds: Number(query.after) })
    },
  }),
]

/** A session or a token of a user, as the headers that show it. */
type Caller = Record<string, string>
const principals = new Map<string, Principal>()
const tokens = new Map<string, Principal>()
const guard = await createSessionGuard({
  secrets: ['x'.repeat(32)],
  origins: [origin],
  sessions: { findSession: async (hash) => looked(principals.get(hash)) },
  tokens: { findPrincipal: async (token) => looked(tokens.get(token)), familyOf: async () => undefined },
})
let lookups = 0
async function looked<T>(found: T): Promise<T> {
  lookups++
  await gates.lookup
  return found
}

function principalOf(userId: string, token?: TokenGrant): Principal {
  const roles = ['engineer'] as const
  return {
    ...{ sessionId: token === undefined ? `session of ${userId}` : '', userId, username: userId, displayName: userId },
    ...{ roles, permissions: permissionsOf(roles), mustChangePassword: false, passwordGivenAt: undefined },
    ...(token === undefined ? {} : { token }),
  } as unknown as Principal
}

async function sessionOf(userId: string, name = userId): Promise<Caller> {
  const principal = principalOf(userId)
  principals.set(await hashToken(name), principal)
  return {
    cookie: (await guard.cookies.issue('__Host-quire', name)).split(';')[0] ?? '',
    origin,
    'x-csrf-token': await guard.csrfToken(principal.sessionId, origin),
  }
}

function tokenOf(userId: string, tokenId: string): Caller {
  const token = `qr_${tokenId}`
  tokens.set(token, principalOf(userId, { id: tokenId, scopes: ['configuration_write'], families: undefined }))
  return { authorization: `Bearer ${token}` }
}

let pipeline: Pipeline
function open(
  rooms: Partial<Record<'arrivals' | 'reads' | 'changes', RoomSize>> = {},
  bodies = new BodyRoom(),
  answers = new AnswerRoom(),
): Pipeline {
  const wide: RoomSize = { atOnce: 50, atOncePerUser: 50, waiting: 0, waitingPerUser: 0, waitMs: 1 }
  const made = createPipeline({
    ...{ guard, closing: new Closing(), checkAnswers: true },
    log: createLog({ level: 'debug', readable: false, write: (line) => void logged.push(JSON.parse(line)) }),
    rooms: { arrivals: wide, reads: wide, changes: wide, trials: wide, ...rooms },
    bodies,
    answers,
    onAnswer: (one) => void answered.push(one),
    onRequest(trace: SpanContext | undefined, correlationId) {
      begun.push([trace?.traceId, correlationId])
      return (one) => void begunAnswers.push(one)
    },
  })
  for (const operation of operations) made.add(operation)
  return made
}

beforeEach(() => {
  contexts = []
  logged = []
  answered = []
  begun = []
  begunAnswers = []
  lookups = 0
  gates = { lookup: Promise.resolve(), handler: Promise.resolve() }
  pipeline = open()
})

function send(method: string, path: string, headers: Caller = {}, address = '192.0.2.1'): Promise<Response> {
  const isChange = method !== 'GET'
  const all = { host, ...(isChange ? { 'content-type': 'application/json' } : {}), ...headers }
  const init = { method, headers: all, ...(isChange ? { body: '{"name":"a"}' } : {}) }
  return pipeline.dispatch(new Request(`${origin}${path}`, init), address)
}
const statusOf = async (response: Promise<Response>) => (await response).status

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'key-0001' }

  test('is the user’s from every session, and from a token the token’s alone', async () => {
    const callers = [
      await sessionOf('ada', 'first'),
      await sessionOf('ada', 'second'),
      tokenOf('ada', 'token-1'),
      tokenOf('ada', 'token-2'),
    ]
    for (const caller of callers)
      expect(await statusOf(send('PUT', `/api/v1/keyed/${id}`, { ...caller, ...key }))).toBe(200)
    expect(contexts.map(({ idempotency }) => idempotency?.actorId)).toEqual(['ada', 'ada', 'token-1', 'token-2'])
    expect(contexts.map(({ idempotency }) => idempotency?.key)).toEqual(Array(4).fill('key-0001'))
  })

  test('is for one path and one If-Match, whatever else differs', async () => {
    const ada = await sessionOf('ada')
    const hashOf = async (path: string, headers: Caller) => {
      expect(await statusOf(send('PUT', path, { ...ada, ...key, ...headers }))).toBe(200)
      return contexts.at(-1)?.idempotency?.requestHash
    }
    const path = `/api/v1/keyed/${id}`
    const first = await hashOf(path, {})
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(await hashOf(path, { 'x-correlation-id': 'another' })).toBe(first ?? '')
    const others = [
      await hashOf(path.replace(/1$/, '2'), {}),
      await hashOf(path, { 'if-match': '"1"' }),
      await hashOf(path, { 'if-match': '"2"' }),
    ]
    expect(new Set([first, ...others]).size).toBe(4)
  })

  test('may be left out where it is optional, and then nothing is kept', async () => {
    expect(await statusOf(send('PUT', `/api/v1/keyed/${id}`, await sessionOf('ada')))).toBe(200)
    expect(contexts[0]?.idempotency).toBeUndefined()
  })
})

describe('conditions', () => {
  test('that an operation doesn’t use are neither read nor refused, whatever they say', async () => {
    const ada = await sessionOf('ada')
    const odd = { 'if-match': '*', 'if-none-match': '"x"', 'idempotency-key': '?' }
    expect(await statusOf(send('POST', '/api/v1/plain', { ...ada, ...odd }))).toBe(200)
    expect(await statusOf(send('POST', '/api/v1/plain', { ...ada, 'if-match': '"3"', 'if-none-match': '*' }))).toBe(200)
    expect(await statusOf(send('GET', '/api/v1/look', { ...ada, ...odd }))).toBe(200)
    for (const context of contexts) {
      expect([context.ifMatch, context.ifNoneMatch, context.idempotency]).toEqual([undefined, false, undefined])
    }
    expect(contexts).toHaveLength(3)
  })

  test('that it uses reach it, and are refused together where they are of another form', async () => {
    const ada = await sessionOf('ada')
    const path = `/api/v1/keyed/${id}`
    expect(await statusOf(send('PUT', path, { ...ada, 'if-match': 'W/"3", "4"' }))).toBe(200)
    expect(await statusOf(send('PUT', path, { ...ada, 'if-none-match': ' * ' }))).toBe(200)
    expect(contexts.map(({ ifMatch, ifNoneMatch }) => [ifMatch, ifNoneMatch])).toEqual([
      [
        [
          { revision: 3, weak: true },
          { revision: 4, weak: false },
        ],
        false,
      ],
      [undefined, true],
    ])
    const odd = { 'if-match': '*', 'if-none-match': '"x"', 'idempotency-key': '?' }
    const refused = await send('PUT', path, { ...ada, ...odd })
    const { detail } = (await refused.json()) as { detail: string }
    expect(refused.status).toBe(422)
    for (const header of ['Idempotency-Key', 'If-Match', 'If-None-Match']) expect(detail).toContain(header)
    expect(contexts).toHaveLength(2)
  })
})

describe('where one caller at a time is looked up', () => {
  const narrow: RoomSize = { atOnce: 50, atOncePerUser: 1, waiting: 0, waitingPerUser: 0, waitMs: 1 }

  /** Sends the requests at once and lets what they wait for end when each has got there, or was answered. */
  async function statusesOf(at: 'lookup' | 'handler', ...requests: (() => Promise<Response>)[]): Promise<number[]> {
    const { promise, resolve } = Promise.withResolvers<void>()
    gates[at] = promise
    let arrived = 0
    const before = at === 'lookup' ? lookups : contexts.length
    const sent = requests.map((request) => request().finally(() => arrived++))
    const there = () => (at === 'lookup' ? lookups : contexts.length) - before
    await until('all have come', () => arrived + there() === requests.length)
    resolve()
    return (await Promise.all(sent)).map(({ status }) => status)
  }

  test('callers are told apart by their cookie, else their token, else their address', async () => {
    pipeline = open({ arrivals: narrow })
    const [ada, eve] = [await sessionOf('ada'), await sessionOf('eve')]
    const [one, two] = [tokenOf('ada', 'token-1'), tokenOf('ada', 'token-2')]
    const look = (caller: Caller, address?: string) => () => send('GET', '/api/v1/look', caller, address)
    expect(await statusesOf('lookup', look(ada), look(eve), look(one), look(two))).toEqual([200, 200, 200, 200])
    expect(await statusesOf('lookup', look(ada, '192.0.2.1'), look(ada, '192.0.2.2'))).toEqual([200, 503])
    expect(await statusesOf('lookup', look(one, '192.0.2.1'), look(one, '192.0.2.2'))).toEqual([200, 503])
    // With both, a proxy's own header says nothing of the caller.
    const proxied = { authorization: 'Basic cHJveHk=' }
    expect(await statusesOf('lookup', look({ ...ada, ...proxied }), look({ ...eve, ...proxied }))).toEqual([200, 200])
    // Who shows a token that nobody has is looked up under it; who shows nothing at all needs no looking up.
    expect(
      await statusesOf('lookup', look({ authorization: 'Bearer qr_x' }), look({ authorization: 'Bearer qr_y' })),
    ).toEqual([401, 401])
  })

  test('a user with several sessions has one share of the room, and each token’s user theirs', async () => {
    pipeline = open({ reads: narrow })
    const [first, second] = [await sessionOf('ada', 'first'), await sessionOf('ada', 'second')]
    const look = (caller: Caller) => () => send('GET', '/api/v1/look', caller)
    expect(
      (await statusesOf('handler', look(first), look(second), look(tokenOf('eve', 'token-3')))).toSorted(),
    ).toEqual([200, 200, 503])
  })

  test('what anybody may ask is answered without a look-up', async () => {
    pipeline = open({ arrivals: { ...narrow, atOnce: 0 } })
    expect(await statusOf(send('GET', '/api/v1/refusing?after=1'))).toBe(429)
    expect(lookups).toBe(0)
    expect(await statusOf(send('GET', '/api/v1/look', await sessionOf('ada')))).toBe(503)
  })
})

describe('what is told of a request', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

  test('names its operation, who asked and from where, and the token where it had one', async () => {
    await send('POST', '/api/v1/plain', { ...tokenOf('ada', 'token-1'), 'x-correlation-id': 'c-1' })
    await send('GET', '/api/v1/look', await sessionOf('eve'), '192.0.2.9')
    const lines = logged.filter(({ message }) => message === 'request')
    expect(lines).toMatchObject([
      { method: 'POST', path: '/api/v1/plain', status: 200, user: 'ada', token_id: 'token-1', correlation_id: 'c-1' },
      { method: 'GET', path: '/api/v1/look', status: 200, user: 'eve', client_address: '192.0.2.9' },
    ])
    for (const { ms } of lines) expect(ms).toBeWithin(0, 60_000)
    expect(lines[1]).not.toHaveProperty('token_id')
    expect(lines[1]).not.toHaveProperty('trace_id')
    const { seconds, ...rest } = answered[0] ?? expect.unreachable()
    expect(rest).toEqual({ operationId: 'plain', route: '/api/v1/plain', method: 'POST', status: 200 })
    // As long as the line says, in seconds.
    expect(Math.abs(seconds * 1_000 - Number(lines[0]?.ms))).toBeLessThan(0.11)
    expect(begunAnswers).toEqual(answered)
  })

  test('tells at the usual level who was refused a right, and of no everyday refusal', async () => {
    const session = await sessionOf('eve')
    expect(await statusOf(send('POST', '/api/v1/plain', { ...session, 'x-csrf-token': 'wrong' }, '192.0.2.9'))).toBe(
      403,
    )
    expect(await statusOf(send('GET', '/api/v1/look', { authorization: 'Bearer qr_guessed' }, '192.0.2.8'))).toBe(401)
    expect(await statusOf(send('GET', '/api/v1/look', {}))).toBe(401)
    expect(await statusOf(send('GET', '/api/v1/nothing'))).toBe(404)
    const told = logged.filter(({ message }) => message === 'a request was refused')
    expect(told).toMatchObject([
      { level: 'info', status: 403, operation: 'plain', user: 'eve', client_address: '192.0.2.9' },
      { level: 'info', status: 401, operation: 'look', client_address: '192.0.2.8' },
    ])
    expect(JSON.stringify(told)).not.toContain('qr_guessed')
    expect(told[1]).not.toHaveProperty('user')
  })

  test('tells at the usual level who sent what breaks the rules, and not what it was', async () => {
    const session = await sessionOf('eve')
    const planted = { ...session, 'if-match': 'planted', 'idempotency-key': 'key' }
    expect(await statusOf(send('PUT', `/api/v1/keyed/${id}`, planted, '192.0.2.9'))).toBe(422)
    expect(await statusOf(send('GET', '/api/v1/look', session))).toBe(200)
    const told = logged.filter(({ message }) => message === 'an input was refused')
    expect(told).toMatchObject([
      { level: 'info', status: 422, operation: 'keyed', user: 'eve', client_address: '192.0.2.9' },
    ])
    expect(told).toHaveLength(1)
    expect(JSON.stringify(told)).not.toContain('planted')
  })

  test('names no operation where there is none at its path, or none of its method', async () => {
    expect(await statusOf(send('GET', '/api/v1/nothing'))).toBe(404)
    expect(await statusOf(send('PATCH', '/api/v1/look'))).toBe(405)
    expect(answered.map(({ operationId, route, status }) => [operationId, route, status])).toEqual([
      ['unknown', undefined, 404],
      ['unknown', undefined, 405],
    ])
    expect(logged.filter(({ message }) => message === 'request').every((line) => !('user' in line))).toBe(true)
  })

  test('is found by its trace, which is its correlation id unless it brings one', async () => {
    const ada = await sessionOf('ada')
    const answers = [
      await send('GET', '/api/v1/look', { ...ada, traceparent }),
      await send('GET', '/api/v1/look', { ...ada, traceparent, 'x-correlation-id': 'c-2' }),
      await send('GET', '/api/v1/look', ada),
    ]
    const [traced, named, bare] = answers.map(({ headers }) => headers.get('x-correlation-id'))
    expect([traced, named]).toEqual(['0af7651916cd43dd8448eb211c80319c', 'c-2'])
    expect(bare).toMatch(/^[0-9a-f-]{36}$/)
    expect(contexts.map((context) => context.traceparent)).toEqual([traceparent, traceparent, undefined])
    expect(contexts.map(({ correlationId }) => correlationId)).toEqual([traced, named, bare].map((one) => one ?? ''))
    expect(begun.map(([trace]) => trace)).toEqual([traced ?? '', traced ?? '', undefined])
    expect(begun.map(([, correlationId]) => correlationId)).toEqual([traced, named, bare].map((one) => one ?? ''))
    expect(logged.map((line) => line.trace_id)).toEqual([traced, traced, undefined])
  })

  test('has the host in lower case, from its header, else from its address', async () => {
    const headers = { ...(await sessionOf('ada')), host: 'QUIRE.test' }
    expect(await statusOf(send('GET', '/api/v1/look', headers))).toBe(200)
    const { host: _, ...bare } = headers
    const request = new Request(`${origin}/api/v1/look`, { headers: bare })
    request.headers.delete('host')
    expect((await pipeline.dispatch(request, '192.0.2.1')).status).toBe(200)
    expect(contexts.map((context) => context.host)).toEqual([host, host])
  })
})

describe('a refusal that says when to come again', () => {
  test.each([
    ['7', '7'],
    ['7.1', '8'],
    ['0', '1'],
    ['0.2', '1'],
  ])('says it in whole seconds, one at least: %s is %s', async (after, header) => {
    const refused = await send('GET', `/api/v1/refusing?after=${after}`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, header])
  })
})

describe('bodies', () => {
  /** A request whose body comes as it is told. */
  function begin(caller: Caller, headers: Caller = {}) {
    let end = (_text: string) => {}
    let push = (_text: string) => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (text) => controller.enqueue(new TextEncoder().encode(text))
        end = (text) => {
          push(text)
          controller.close()
        }
      },
    })
    const all = { host, 'content-type': 'application/json', ...caller, ...headers }
    const request = new Request(`${origin}/api/v1/long`, { method: 'POST', headers: all, body })
    return { push, end, answer: pipeline.dispatch(request, '192.0.2.1') }
  }
  const declared = { 'content-length': '90000' }

  test('are read as long as there is room for what has come of them', async () => {
    const [ada, ben] = [await sessionOf('ada'), await sessionOf('ben')]
    pipeline = open({}, new BodyRoom(100_000, 75))
    const some = ' '.repeat(35_000)
    // As many as anybody likes may be announced.
    const idle = [ada, ben].flatMap((who) => [1, 2, 3].flatMap(() => [begin(who, declared), begin(who)]))
    const slow = [begin(ada, declared), begin(ada)]
    for (const one of slow) one.push(some)
    expect(await statusOf(send('POST', '/api/v1/plain', ada))).toBe(200)
    const full = begin(ada)
    full.push(some)
    const refused = await full.answer
    expect([refused.status, refused.headers.get('retry-after'), (await refused.json()).detail]).toEqual([
      ...[503, '1', 'You have many large bodies at work. Nothing was changed. Send the request again shortly.'],
    ])
    const other = begin(ben, declared)
    other.push(some)
    expect([(await other.answer).status, (await (await other.answer).json()).detail]).toEqual([
      ...[503, 'Many large bodies are at work. Nothing was changed. Send the request again shortly.'],
    ])
    for (const one of [...slow, ...idle]) one.end('{"name":"a"}')
    for (const one of [...slow, ...idle]) expect(await statusOf(one.answer)).toBe(200)
    const after = begin(ben, declared)
    after.end(`${some}${some}{"name":"a"}`)
    expect(await statusOf(after.answer)).toBe(200)
    expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('hold their room while they are worked on, and one that is alone may be larger', async () => {
    const [ada, ben] = [await sessionOf('ada'), await sessionOf('ben')]
    const ends = Promise.withResolvers<void>()
    gates.handler = ends.promise
    // 12 bytes are sent.
    pipeline = open({}, new BodyRoom(28, 75))
    const first = send('POST', '/api/v1/plain', ada)
    await until('one at work', () => contexts.length === 1)
    expect(await statusOf(send('POST', '/api/v1/plain', { ...ada, 'content-length': '12' }))).toBe(503)
    const others = [send('POST', '/api/v1/plain', { ...ben, 'content-length': '12' })]
    await until('two at work', () => contexts.length === 2)
    expect(await statusOf(send('POST', '/api/v1/plain', await sessionOf('eve')))).toBe(503)
    const look = send('GET', '/api/v1/look', ada)
    ends.resolve()
    for (const one of [first, look, ...others]) expect((await one).status).toBe(200)
    pipeline = open({}, new BodyRoom(8, 75))
    for (const who of [ada, ben]) expect(await statusOf(send('POST', '/api/v1/plain', who))).toBe(200)
  })

  test('one that is refused gives its room back', async () => {
    pipeline = open({}, new BodyRoom(12, 100))
    const ada = await sessionOf('ada')
    for (let time = 0; time < 3; time++) {
      expect(await statusOf(send('POST', '/api/v1/plain', { ...ada, 'x-csrf-token': 'forged' }))).toBe(403)
      expect(await statusOf(send('POST', '/api/v1/plain', { ...ada, 'content-length': '65' }))).toBe(422)
      expect(await statusOf(send('POST', '/api/v1/plain', ada))).toBe(200)
    }
  })
})

describe('answers', () => {
  test('are sent as long as clients take them', async () => {
    // An answer has two bytes here.
    pipeline = open({}, undefined, new AnswerRoom(8, 2, 75))
    const [ada, ben] = [await sessionOf('ada'), await sessionOf('ben')]
    const isTaken = new Map<number, boolean>()
    const ask = (caller: Caller, number: number, posted?: string) => {
      const headers = { host, 'content-type': 'application/json', ...caller }
      const request =
        posted === undefined
          ? new Request(`${origin}/api/v1/look`, { headers })
          : new Request(`${origin}/api/v1/${posted}`, { method: 'POST', headers, body: '{"name":"a"}' })
      return pipeline.dispatch(request, '192.0.2.1', () => isTaken.get(number) === true)
    }
    for (const number of [1, 2, 3]) expect((await ask(ada, number)).status).toBe(200)
    const full = await ask(ada, 4)
    expect([full.status, full.headers.get('retry-after'), (await full.json()).detail]).toEqual([
      ...[503, '1'],
      'You have many large answers under way that are not taken. Nothing was changed. Send the request again shortly.',
    ])
    expect((await ask(ben, 5)).status).toBe(200)
    expect((await (await ask(ben, 6)).json()).detail).toStartWith('Many large answers are under way.')
    // What has changed something is never answered as if it had not.
    for (const posted of ['plain', 'kept']) expect((await ask(ada, 7, posted)).status).toBe(200)
    expect((await ask(ada, 8, 'try')).status).toBe(503)
    for (const number of [1, 2, 7]) isTaken.set(number, true)
    expect((await ask(ada, 8)).status).toBe(200)
    expect((await ask(ben, 9)).status).toBe(200)
  })

  test('that are small count for nobody', async () => {
    pipeline = open({}, undefined, new AnswerRoom(3, 3, 75))
    const ada = await sessionOf('ada')
    for (let time = 0; time < 5; time++) {
      const request = new Request(`${origin}/api/v1/look`, { headers: { host, ...ada } })
      expect((await pipeline.dispatch(request, '192.0.2.1', () => false)).status).toBe(200)
    }
  })
})
