/** What the client does with a server that lies, breaks or never ends. */
import { describe, expect, test } from 'bun:test'
import { QuireClient, QuireRefusal, QuireUnreachable } from '../../src/client/client.ts'
import { download } from '../../src/client/download.ts'
import { bytesOf, longestArtifactBytes, UnusableAnswer } from '../../src/client/reading.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { rejectionOf } from '../support/outcome.ts'

const id = '3f0c9a52-6d0e-4a6f-9a57-2c2b8a2f0c11'
const artifact = '5f0c9a52-6d0e-4a6f-9a57-2c2b8a2f0c12'

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
  const origin = server.url.origin
  return { quire: new QuireClient({ origin, token: 'qr_test', retries: { attempts: 3, firstMs: 1 } }), requests }
}

/** Counts what was taken of it. */
function endless(chunkBytes: number) {
  const sent = { bytes: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent.bytes += chunkBytes
      controller.enqueue(new Uint8Array(chunkBytes).fill(0x20))
    },
    cancel() {
      sent.isCancelled = true
    },
  })
  return { sent, body }
}

describe('an answer without an end', () => {
  test('is abandoned when it is longer than any', async () => {
    const { sent, body } = endless(1_000)
    const error = await rejectionOf(bytesOf(new Response(body), 10_000))
    expect(error).toBeInstanceOf(UnusableAnswer)
    expect(error).toHaveProperty('message', 'the answer has more than 10000 bytes')
    expect(sent.bytes).toBeLessThan(20_000)
    expect(sent.isCancelled).toBe(true)
    expect(await bytesOf(new Response('exactly ten'.slice(0, 10)), 10)).toHaveLength(10)
  })

  test('of a refusal is a refusal without a problem', async () => {
    const { quire } = serving(
      () =>
        new Response(endless(100_000).body, { status: 422, headers: { 'content-type': 'application/problem+json' } }),
    )
    const error = await rejectionOf(quire.listExecutions())
    expect(String(error)).toContain('the answer has more than 1048576 bytes')
  })

  test('of a document ends with the most that a document has', async () => {
    const { sent, body } = endless(1_000_000)
    const { bytes } = await download(
      async () => ({ status: 200, headers: new Headers({ etag: '"a"' }), body }),
      undefined,
    )
    const error = await rejectionOf(bytes())
    expect(error).toBeInstanceOf(QuireUnreachable)
    expect(String(error)).toContain(`it has more than ${longestArtifactBytes} bytes`)
    expect(sent.bytes).toBeLessThan(longestArtifactBytes + 3_000_000)
  })
})

test('a document that stops in the middle is asked for again, and given up', async () => {
  const asked: (string | undefined)[] = []
  const silent = async (headers: Readonly<Record<string, string>>) => {
    asked.push(headers.range)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (asked.length === 1) controller.enqueue(new Uint8Array([0x25, 0x50]))
      },
    })
    const status = asked.length === 1 ? 200 : 206
    return { status, headers: new Headers({ etag: '"a"', 'content-length': '4' }), body }
  }
  const { bytes } = await download(silent, undefined, 20)
  expect(String(await rejectionOf(bytes()))).toContain('nothing was heard for 20 ms')
  expect(asked).toEqual([undefined, 'bytes=2-', 'bytes=2-', 'bytes=2-'])
})

test('a redirect is reported after one request, because asking again leads to it again', async () => {
  const { quire, requests } = serving(() => Response.redirect('http://localhost:1/', 307))
  const error = await rejectionOf(quire.getExecution({ params: { executionId: id } }))
  expect(String(error)).toContain('the origin redirects to http://localhost:1/')
  expect(requests).toHaveLength(1)
})

test('invalid issues make no problem', async () => {
  for (const errors of ['x', [null], [{ path: '/a' }], {}]) {
    const { quire } = serving(() => Response.json({ code: 'conflict', detail: 'd', errors }, { status: 422 }))
    const error = await rejectionOf(quire.download(id, artifact))
    expect(error).toBeInstanceOf(QuireRefusal)
    expect((error as QuireRefusal).code).toBe('unknown' as never)
  }
})

describe('waitForExecution', () => {
  const isTrace = (request: Request) => request.url.endsWith('/trace')
  const ended = () => Response.json({ id, status: 'completed', steps: [], artifacts: [] })
  const stream = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })

  test.each([
    ['is answered by a proxy', () => new Response('', { status: 504 })],
    ['holds no JSON', () => stream('data: {{{\n\n')],
    ['holds something else', () => stream('data: null\n\n')],
    ['holds events without a sequence', () => stream('data: {"type":"queued"}\n\n')],
  ])('reads the execution where its trace %s', async (_what, trace) => {
    const { quire } = serving((request) => (isTrace(request) ? trace() : ended()))
    const told: unknown[] = []
    const execution = await quire.waitForExecution(id, { timeoutMs: 20_000, onEvent: (event) => told.push(event) })
    expect([execution.status, told]).toEqual(['completed', []])
  })

  test('tells an event once that a server repeats', async () => {
    const { quire } = serving((request, nth) =>
      isTrace(request)
        ? stream('data: {"sequence":1,"type":"queued","data":{}}\n\n'.repeat(3))
        : nth < 4
          ? Response.json({ id, status: 'processing', steps: [], artifacts: [] })
          : ended(),
    )
    const told: number[] = []
    await quire.waitForExecution(id, { timeoutMs: 20_000, onEvent: ({ sequence }) => told.push(sequence) })
    expect(told).toEqual([1])
  })
})

describe('what is no answer of Quire', () => {
  test('is reported as a page of HTML, once, with what may be in between if it is a refusal', async () => {
    const page = { headers: { 'content-type': 'text/html; charset=utf-8' } }
    const { quire, requests } = serving(() => new Response('<html>Sign in</html>', page))
    const error = await rejectionOf(quire.listExecutions())
    expect(String(error)).toContain("a page of HTML came in place of Quire's answer; see whether something in between")
    expect(requests).toHaveLength(1)
    const refusing = serving(() => new Response('<html>', { status: 403, ...page }))
    const refusal = await rejectionOf(refusing.quire.listExecutions())
    expect(refusal).toBeInstanceOf(QuireRefusal)
    expect(String(refusal)).toContain('The answer was 403, without a problem in it; see whether something in between')
  })

  test('is reported as broken off if it isn’t JSON', async () => {
    for (const body of ['{"a":', '', 'nonsense']) {
      const { quire } = serving(() => new Response(body, { headers: { 'content-type': 'application/json' } }))
      expect(String(await rejectionOf(quire.listExecutions()))).toContain('the answer is broken off, or no JSON')
    }
  })

  test('ends the wait for an execution, for it would come again each time', async () => {
    const { quire, requests } = serving(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }))
    const error = await rejectionOf(quire.waitForExecution(id, { timeoutMs: 20_000 }))
    expect(error).toBeInstanceOf(QuireUnreachable)
    expect(requests.length).toBeLessThan(4)
  })
})

test.each(['..', '.', ''])('no id leads to another operation: %p is refused before anything is sent', async (wrong) => {
  const { quire, requests } = serving(() => Response.json({}))
  const error = await rejectionOf(quire.getExecution({ params: { executionId: wrong } }))
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toContain(`params.executionId must be an id or a name; it is "${wrong}"`)
  expect(requests).toEqual([])
})

test.each([
  ['letter.pdf', 'letter.pdf'],
  ['Brief für Ann (2).pdf', 'Brief für Ann (2).pdf'],
  ['../../.bashrc', 'document'],
  ['/etc/passwd', 'document'],
  ['..\\evil.dll', 'document'],
  ['C:evil', 'document'],
  ['.bashrc', 'document'],
  ['a\u001b[2J.pdf', 'document'],
  ['', 'document'],
  ['a'.repeat(300), 'document'],
])('a document that the server calls %p is called %p, so that it can be written by its name', async (given, name) => {
  const { fileName } = await download(
    async () =>
      ({
        status: 200,
        headers: { get: (key: string) => (key === 'content-disposition' ? `attachment; filename="${given}"` : null) },
        body: new Blob(['%PDF']).stream(),
        // biome-ignore lint/suspicious/noExplicitAny: `Headers` refuses what a server may send all the same.
      }) as any,
    undefined,
  )
  expect(fileName).toBe(name)
})

test('the rest of a document that begins elsewhere is not put behind what came', async () => {
  const bytes = new TextEncoder().encode('%PDF-1.7')
  const opened: Readonly<Record<string, string>>[] = []
  const { bytes: all } = await download(async (headers) => {
    opened.push(headers)
    const isFirst = opened.length === 1
    return {
      status: isFirst ? 200 : 206,
      headers: new Headers({
        etag: '"a"',
        'content-length': String(isFirst ? bytes.length : 2),
        ...(isFirst ? {} : { 'content-range': 'bytes 0-7/8' }),
      }),
      body: new Blob([isFirst ? bytes.slice(0, 4) : bytes]).stream(),
    }
  }, undefined)
  const error = await rejectionOf(all())
  expect(error).toBeInstanceOf(QuireUnreachable)
  expect(opened.map(({ range }) => range)).toEqual([undefined, 'bytes=4-'])
})
