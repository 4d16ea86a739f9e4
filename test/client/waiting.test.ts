import { describe, expect, test } from 'bun:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ExecutionUnfinished, QuireClient, QuireRefusal, QuireUnreachable } from '../../src/client/client.ts'
import { download } from '../../src/client/download.ts'
import { executionEvents } from '../../src/client/events.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { rejectionOf } from '../support/outcome.ts'

/** A server that answers by its test's own rules, over real connections. */
function serving(answer: (request: Request, nth: number) => Response | Promise<Response>) {
  const requests: Request[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      requests.push(request)
      return answer(request, requests.length)
    },
  })
  onTestsEnd(() => server.stop(true))
  const quire = new QuireClient({
    origin: server.url.origin,
    token: 'qr_test',
    retries: { attempts: 2, firstMs: 1 },
  })
  return { quire, requests }
}

const id = '3f0c9a52-6d0e-4a6f-9a57-2c2b8a2f0c11'

const isTrace = (request: Request) => request.url.endsWith('/trace')
const execution = (status: string) => Response.json({ id, status, steps: [], artifacts: [] })
const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code, detail: 'Refused.' }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
const event = (sequence: number, type: string) =>
  `id: ${sequence}\nevent: ${type}\ndata: ${JSON.stringify({ sequence, type, id, data: {} })}\n\n`
const trace = (...parts: string[]) => new Response(parts.join(''), { headers: { 'content-type': 'text/event-stream' } })

describe('waitForExecution', () => {
  test('resumes a trace that broke off, so that each event is reported once', async () => {
    const { quire, requests } = serving((request, nth) => {
      if (!isTrace(request)) return execution(nth < 4 ? 'processing' : 'completed')
      if (request.headers.get('last-event-id') === null)
        return trace('retry: 1000\n\n: still here\n\n', event(1, 'queued'))
      return trace(event(2, 'completed'))
    })
    const told: number[] = []
    const ended = await quire.waitForExecution(id, { onEvent: ({ sequence }) => told.push(sequence) })
    expect([ended.status, told]).toEqual(['completed', [1, 2]])
    expect(requests.filter(isTrace).map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '1'])
  })

  test('reads events that come in pieces of any size', async () => {
    const bytes = new TextEncoder().encode(event(1, 'queued') + event(2, 'zusammengefügt'))
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    const told: string[] = []
    for await (const { type } of executionEvents(async () => new Response(body), id, {})) told.push(type)
    expect(told).toEqual(['queued', 'zusammengefügt'])
  })

  test('refuses an event that never ends, and a trace that is lost while it is read', async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(100_000).fill(65)) })
    const ended = new ReadableStream({ pull: (controller) => controller.error(new Error('connection reset')) })
    for (const [body, reason] of [
      [endless, 'an event has more than 1000000 characters'],
      [ended, 'connection reset'],
    ] as const) {
      const first = executionEvents(async () => new Response(body), id, {}).next()
      expect(String(await rejectionOf(first))).toBe(
        `QuireUnreachable: the trace of execution ${id} got no answer: ${reason}`,
      )
    }
  })

  test('sits out a server that is away or busy for a while', async () => {
    const { quire, requests } = serving((request, nth) => {
      if (nth < 6) return problem(503, 'dependency_unavailable', { 'retry-after': '0' })
      return isTrace(request) ? trace(event(1, 'completed')) : execution('completed')
    })
    expect((await quire.waitForExecution(id)).status).toBe('completed')
    expect(requests.length).toBe(7)
  })

  test('ends at once where waiting can’t help', async () => {
    const { quire, requests } = serving(() => problem(403, 'forbidden'))
    expect(await rejectionOf(quire.waitForExecution(id))).toMatchObject({ code: 'forbidden' })
    expect(requests).toHaveLength(1)
  })

  test('says when the time is over that the execution goes on, and what kept it from being read', async () => {
    const { quire } = serving((request) => (isTrace(request) ? trace() : execution('processing')))
    const unfinished = await rejectionOf(quire.waitForExecution(id, { timeoutMs: 30 }))
    expect(unfinished).toBeInstanceOf(ExecutionUnfinished)
    expect(String(unfinished)).toContain(`Execution ${id} has not ended within 30 ms`)
    const away = new QuireClient({ origin: 'http://127.0.0.1:1', token: 'qr_test', retries: false })
    const unreached = await rejectionOf(away.waitForExecution(id, { timeoutMs: 100 }))
    expect(unreached).toBeInstanceOf(ExecutionUnfinished)
    expect((unreached as Error).cause).toBeInstanceOf(QuireUnreachable)
  })

  test('ends with the reason of its signal, on a trace that is silent', async () => {
    const own = new AbortController()
    const { quire } = serving(() => {
      own.abort(new Error('enough'))
      return new Response(new ReadableStream({ start: () => {} }))
    })
    expect(String(await rejectionOf(quire.waitForExecution(id, { signal: own.signal })))).toBe('Error: enough')
  })
})

describe('download', () => {
  const bytes = new Uint8Array(300_000).map((_, at) => at % 251)
  const etag = `"${'a'.repeat(64)}"`

  /** Answers ranges, and sends no more than so many bytes of each; `cut` then ends the last connection. */
  async function breaking(limits: (number | undefined)[], tag = () => etag) {
    const ranges: unknown[] = []
    let cut = () => {}
    const server = createServer((request, response) => {
      const { range, 'if-range': ifRange } = request.headers
      const limit = limits[ranges.length]
      ranges.push([range, ifRange])
      const isRest = range !== undefined && ifRange === tag()
      const rest = isRest ? bytes.subarray(Number(/^bytes=(\d+)-$/.exec(range)?.[1])) : bytes
      const headers = { 'content-type': 'application/pdf', 'content-length': rest.length, etag: tag() }
      response.writeHead(isRest ? 206 : 200, headers)
      if (limit === undefined) response.end(rest)
      else response.write(rest.subarray(0, limit))
      cut = () => response.destroy()
    })
    onTestsEnd(async () => void server.close())
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    )
    return {
      quire: new QuireClient({ origin: `http://127.0.0.1:${port}`, token: 'qr_test' }),
      ranges,
      cut: () => cut(),
    }
  }

  test('asks for the rest where a connection breaks, and gives every byte once', async () => {
    const { quire, ranges, cut } = await breaking([100_000, 50_000, undefined])
    const { byteSize, body } = await quire.download(id, id)
    const read: Uint8Array[] = []
    let length = 0
    for await (const chunk of body) {
      read.push(chunk)
      length += chunk.length
      if (length === 100_000 || length === 150_000) cut()
    }
    expect(Buffer.concat(read).equals(bytes)).toBe(true)
    expect([byteSize, read.length > 1]).toEqual([bytes.length, true])
    expect(ranges).toEqual([
      [undefined, undefined],
      ['bytes=100000-', etag],
      ['bytes=150000-', etag],
    ])
  })

  test('fails where the rest is no longer of the same document', async () => {
    let tag = etag
    const { quire, cut } = await breaking([100_000, undefined], () => tag)
    const download = await quire.download(id, id)
    tag = '"b"'
    cut()
    expect(String(await rejectionOf(download.bytes()))).toContain('the rest of the download got no answer')
  })

  test('goes on after a stream that ended too early without an error, and gives up after three that bring nothing', async () => {
    const text = 'six by'
    const asked: (string | undefined)[] = []
    const answer = (part: string, status: number) => ({
      status,
      headers: new Headers({ 'content-length': String(part.length), etag }),
      body: new Blob([part.slice(0, 4)]).stream(),
    })
    const open = async ({ range }: Readonly<Record<string, string>>) => {
      asked.push(range)
      return range === undefined ? answer(text, 200) : answer(text.slice(4), 206)
    }
    expect(new TextDecoder().decode(await (await download(open, undefined)).bytes())).toBe(text)
    expect(asked).toEqual([undefined, 'bytes=4-'])
    const empty = async ({ range }: Readonly<Record<string, string>>) =>
      range === undefined ? answer(text, 200) : { ...answer('', 206), body: new Blob([]).stream() }
    expect(String(await rejectionOf((await download(empty, undefined)).bytes()))).toContain(
      'the download got no answer after 4 attempts: the connection ended after 4 of 6 bytes',
    )
  })

  test('throws a refusal before there is a stream', async () => {
    const { quire } = serving(() => problem(410, 'content_unavailable'))
    const refusal = await rejectionOf(quire.download(id, id))
    expect(refusal).toBeInstanceOf(QuireRefusal)
    expect(refusal).toMatchObject({ status: 410, code: 'content_unavailable' })
  })

  test('is one of the operations that give their bytes as a stream', async () => {
    const { quire } = serving(() => new Response(bytes, { headers: { 'content-type': 'application/zip' } }))
    const { body, headers } = await quire.stream('exportProject')
    expect([body instanceof ReadableStream, headers.get('content-type')]).toEqual([true, 'application/zip'])
    expect((await new Response(body).bytes()).length).toBe(bytes.length)
  })
})
