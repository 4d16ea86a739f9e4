import { describe, expect, test } from 'bun:test'
import { getEventListeners } from 'node:events'
import { type AnyProblem, QuireClient, QuireRefusal, QuireUnreachable } from '../../src/client/client.ts'
import { isPassing, pause, retryAfterMs, usualRetries, waitAfter } from '../../src/client/retries.ts'
import { type ClientOptions, Transport } from '../../src/client/transport.ts'
import { rejectionOf } from '../support/outcome.ts'

const read = { method: 'GET', path: '/a' }
const keyed = { method: 'POST', path: '/a', key: true }
const unkeyed = { method: 'PUT', path: '/a' }
const soon = { attempts: 3, firstMs: 1, longestMs: 5_000 }
const busy: AnyProblem = {
  type: '/problems/dependency_unavailable',
  title: 'Dependency unavailable',
  status: 503,
  code: 'dependency_unavailable',
  detail: 'Too many requests are at work.',
  correlation_id: 'c-1',
}

type Answering = () => Response | Promise<Response>

const passing: Answering = () =>
  new Response(JSON.stringify(busy), {
    status: 503,
    headers: { 'content-type': 'application/problem+json', 'retry-after': '0', 'x-correlation-id': 'c-1' },
  })
const good: Answering = () => Response.json({ ok: true })
const lost: Answering = () => {
  throw new TypeError('fetch failed', { cause: new Error('connection reset') })
}

/** A transport whose requests get these answers in turn, the last one again and again. */
function answering(answers: readonly Answering[], options: Partial<ClientOptions> = {}) {
  const sent: { key: string | undefined; token: string | undefined; init: RequestInit }[] = []
  const transport = new Transport({
    origin: 'https://quire.example',
    retries: soon,
    fetch: async (_url, init) => {
      const headers = new Headers(init.headers)
      const at = Math.min(sent.length, answers.length - 1)
      sent.push({
        key: headers.get('idempotency-key') ?? undefined,
        token: headers.get('authorization') ?? undefined,
        init,
      })
      return (answers[at] ?? good)()
    },
    ...options,
  })
  return { sent, transport }
}

describe('what is sent again', () => {
  test('is a read and whatever has an Idempotency-Key, with the same key each time', async () => {
    for (const [spec, trouble] of [read, keyed].flatMap((spec) =>
      [passing, lost].map((each) => [spec, each] as const),
    )) {
      const { sent, transport } = answering([trouble, trouble, good])
      expect((await transport.call(spec)).body).toEqual({ ok: true })
      expect([sent.length, new Set(sent.map(({ key }) => key)).size]).toEqual([3, 1])
      expect(sent[0]?.key !== undefined).toBe(spec.method === 'POST')
    }
  })

  test('is nothing that could have an effect twice', async () => {
    for (const trouble of [passing, lost]) {
      const { sent, transport } = answering([trouble, good])
      expect(await rejectionOf(transport.call(unkeyed))).toBeInstanceOf(Error)
      expect(sent).toHaveLength(1)
    }
  })

  test('is nothing that was answered for good: a refusal, a defect, a readiness that says no', async () => {
    const refused = (status: number, headers: Record<string, string> = {}) =>
      new Response(JSON.stringify({ ...busy, status }), {
        status,
        headers: { 'content-type': 'application/problem+json', ...headers },
      })
    for (const status of [400, 401, 404, 409, 422, 500, 503]) {
      const { sent, transport } = answering([() => refused(status), good])
      expect(await rejectionOf(transport.call(read))).toMatchObject({ status })
      expect([status, sent.length]).toEqual([status, 1])
    }
    expect(isPassing(refused(503, { 'retry-after': '1' }))).toBe(true)
    expect(isPassing(new Response('<html>', { status: 503 }))).toBe(true)
    expect([429, 502, 504].map((status) => isPassing(refused(status)))).toEqual([true, true, true])
  })

  test('is an answer that broke off while it was read', async () => {
    const broken = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"ok"')),
          pull: (controller) => controller.error(new Error('connection reset')),
        }),
        { headers: { 'content-type': 'application/json' } },
      )
    const { sent, transport } = answering([broken, good])
    expect((await transport.call(keyed)).body).toEqual({ ok: true })
    expect(sent).toHaveLength(2)
  })

  test('is thrown in the end with what the server said, or what kept it from being heard', async () => {
    const refusal = await rejectionOf(answering([passing]).transport.call(read))
    expect(refusal).toBeInstanceOf(QuireRefusal)
    expect(refusal).toMatchObject({ status: 503, code: busy.code, correlationId: 'c-1', retryAfterMs: 0 })
    const unreachable = await rejectionOf(answering([lost]).transport.call(keyed))
    expect(unreachable).toBeInstanceOf(QuireUnreachable)
    expect(String(unreachable)).toBe(
      'QuireUnreachable: POST https://quire.example/a got no answer after 3 attempts: fetch failed (connection reset)',
    )
  })

  test('says how to mend it if nobody is there, however the runtime reports that', async () => {
    const refused = { code: 'ECONNREFUSED' }
    for (const [error, isTold] of [
      [Object.assign(new Error('connect failed'), refused), true],
      [new TypeError('fetch failed', { cause: Object.assign(new AggregateError([], ''), refused) }), true],
      [Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }), true],
      [Object.assign(new Error('reset'), { code: 'ECONNRESET' }), false],
    ] as const) {
      const unreachable = String(await rejectionOf(answering([() => Promise.reject(error)]).transport.call(read)))
      const remedy = '; start Quire there with quire serve, or give the client its address as origin'
      expect([error.message, unreachable.endsWith(remedy)]).toEqual([error.message, isTold])
    }
  })

  test('is nothing if the client is set to send once', async () => {
    const { sent, transport } = answering([passing, good], { retries: false })
    expect(await rejectionOf(transport.call(read))).toBeInstanceOf(QuireRefusal)
    expect(sent).toHaveLength(1)
  })
})

describe('the wait between attempts', () => {
  test('doubles from the first to the longest, half of it at random', () => {
    const waits = (random: number) =>
      [1, 2, 3, 4, 5].map((attempt) => waitAfter(attempt, usualRetries, undefined, random))
    expect(waits(0)).toEqual([125, 250, 500, 1000, undefined])
    expect(waits(1)).toEqual([250, 500, 1000, 2000, undefined])
    expect(waitAfter(9, { attempts: 20, firstMs: 250, longestMs: 30_000 }, undefined, 1)).toBe(30_000)
  })

  test('is what the server asks for, and no wait at all where that is too long', () => {
    const [atLeast, atMost] = [0, 1].map((random) => waitAfter(1, usualRetries, 7_000, random))
    expect([atLeast, atMost]).toEqual([7_000, 7_250])
    expect(waitAfter(1, usualRetries, 30_000, 1)).toBe(30_000)
    expect(waitAfter(1, usualRetries, 30_001, 1)).toBeUndefined()
  })

  test('is read as seconds or as a date', () => {
    const of = (value: string) =>
      retryAfterMs(new Headers({ 'retry-after': value }), Date.parse('2026-11-23T10:00:00Z'))
    expect(of('3')).toBe(3_000)
    expect(of('Mon, 23 Nov 2026 10:00:05 GMT')).toBe(5_000)
    expect(of('Mon, 23 Nov 2026 09:00:00 GMT')).toBe(0)
    expect(['', 'soon', '-1', '1.5'].map(of)).toEqual([undefined, undefined, undefined, undefined])
    expect(retryAfterMs(new Headers(), 0)).toBeUndefined()
  })
})

describe('a signal', () => {
  test('ends a wait between attempts with its own reason, and nothing is sent after it', async () => {
    const own = new AbortController()
    const { sent, transport } = answering(
      [
        () => {
          queueMicrotask(() => own.abort(new Error('enough')))
          return passing()
        },
      ],
      { retries: { ...soon, firstMs: 60_000, longestMs: 60_000 } },
    )
    expect(String(await rejectionOf(transport.call(read, { signal: own.signal })))).toBe('Error: enough')
    expect(sent).toHaveLength(1)
  })

  test('that has aborted sends nothing', async () => {
    const { transport } = answering([(): never => expect.unreachable()], {
      fetch: async (_url, init) => {
        init.signal?.throwIfAborted()
        return expect.unreachable()
      },
    })
    const signal = AbortSignal.abort(new Error('too late'))
    expect(String(await rejectionOf(transport.call(read, { signal })))).toBe('Error: too late')
  })

  test('of the client’s own ends an attempt that gets no answer', async () => {
    const { transport } = answering([], {
      attemptMs: 5,
      retries: false,
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    })
    expect(String(await rejectionOf(transport.call(read)))).toEndWith('got no answer: no answer within 5 ms')
  })
})

describe('a token', () => {
  test('loses blanks around it, and may come from a function for each attempt', async () => {
    const given = answering([good], { token: ' qr_one\n' })
    await given.transport.call(read)
    expect(given.sent[0]?.token).toBe('Bearer qr_one')
    const tokens = ['qr_one', 'qr_two']
    const asked = answering([passing, good], { token: async () => tokens.shift() ?? '' })
    await asked.transport.call(read)
    expect(asked.sent.map(({ token }) => token)).toEqual(['Bearer qr_one', 'Bearer qr_two'])
  })

  test('goes to no other host: a redirect is reported, not followed', async () => {
    const elsewhere = () => new Response(null, { status: 301, headers: { location: 'https://other.example/a' } })
    const { sent, transport } = answering([elsewhere], { retries: false, token: 'qr_one' })
    expect(String(await rejectionOf(transport.call(keyed)))).toContain(
      'the origin redirects to https://other.example/a',
    )
    expect(sent[0]?.init.redirect).toBe('manual')
  })
})

test('an origin is an address without a path, and anything else is refused at once', () => {
  const client = (origin: string) => () => new QuireClient({ origin })
  for (const origin of ['https://quire.example', 'https://quire.example/', 'http://[::1]:8080']) client(origin)()
  for (const origin of [
    '',
    'quire.example',
    'ftp://quire.example',
    'https://quire.example/api',
    'https://a:b@c.example',
  ]) {
    expect(client(origin)).toThrow('origin must be an address')
  }
})

test('the members of the union of problems are told apart by their code', async () => {
  const refusal = await rejectionOf(answering([passing], { retries: false }).transport.call(read))
  if (!(refusal instanceof QuireRefusal)) throw refusal
  const { problem } = refusal
  // Each of these accesses is an error of types where the union does not narrow.
  if (problem.code === 'unknown') return expect.unreachable(problem.detail)
  if (problem.code !== 'dependency_unavailable') return expect.unreachable(problem.correlation_id)
  const places = 'errors' in problem ? problem.errors.map(({ path }) => path) : problem.dependencies
  expect([problem.status satisfies 503, places]).toEqual([503, undefined])
})

test('a pause leaves nothing on a signal that lives on, and ends with it at once', async () => {
  const controller = new AbortController()
  const { signal } = controller
  for (let turn = 0; turn < 3; turn++) await pause(1, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  const long = rejectionOf(pause(3_600_000, signal))
  controller.abort(new Error('given up'))
  expect(await long).toMatchObject({ message: 'given up' })
  expect(await rejectionOf(pause(1, signal))).toMatchObject({ message: 'given up' })
})
