import { describe, expect, test } from 'bun:test'
import { describedInterface } from '../../scripts/build-client.ts'
import { operations, QuireClient, QuireRefusal } from '../../src/client/client.ts'
import { Transport } from '../../src/client/transport.ts'
import { rejectionOf } from '../support/outcome.ts'

interface Sent {
  url: string
  init: RequestInit
  headers: Record<string, string>
}

/** What is sent to a server that answers these, one after another, the last one again and again. */
function answering(...answers: (() => Response)[]) {
  const sent: Sent[] = []
  const options = {
    origin: 'https://quire.example',
    fetch: async (url: string, init: RequestInit) => {
      sent.push({ url, init, headers: { ...(init.headers as Record<string, string>) } })
      return (answers[sent.length - 1] ?? answers.at(-1) ?? (() => Response.json({})))()
    },
  }
  return { sent, options }
}
const json =
  (body: unknown, status = 200, headers: [string, string][] = []) =>
  () =>
    new Response(JSON.stringify(body), { status, headers: [['content-type', 'application/json'], ...headers] })

describe('the client’s operations', () => {
  const { paths } = describedInterface()
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

  test('are those of the description, each with a method of its own', () => {
    expect(described.length).toBeGreaterThan(80)
    expect(Object.keys(operations).sort()).toEqual(described.map(({ operation }) => operation.operationId).sort())
  })

  test('go where the description says, with a key and a media type where it asks for them', async () => {
    for (const { path, method, operation } of described) {
      const { operationId, parameters = [], requestBody } = operation
      const { sent, options } = answering()
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
      const params = Object.fromEntries(inPath.map((name, at) => [name, `a/${at}`]))
      const types = Object.keys(requestBody?.content ?? {})
      const fileType = types.find((type) => type !== 'application/json' && type !== 'multipart/form-data')
      const call = new QuireClient(options)[operationId as 'getContract'].bind(new QuireClient(options))
      await call({ params, ...(fileType === undefined ? {} : { bytes: new Uint8Array(1) }) } as never)
      const [request] = sent
      const expected = inPath.reduce(
        (url, name) => url.replace(`{${name}}`, encodeURIComponent(params[name] ?? '')),
        path,
      )
      expect([operationId, request?.init.method, request?.url]).toEqual([
        ...[operationId, method, `https://quire.example${expected}`],
      ])
      const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key')
      expect([operationId, request?.headers['idempotency-key'] !== undefined]).toEqual([operationId, takesKey])
      if (fileType !== undefined)
        expect([operationId, request?.headers['content-type']]).toEqual([operationId, fileType])
      const part = requestBody?.content['multipart/form-data']?.encoding?.file?.contentType
      if (part === undefined) continue
      await call({ params, form: { file: new Uint8Array(1) } } as never)
      const form = sent[1]?.init.body as FormData
      const file = form.get('file') as File
      expect([operationId, file.type, file.name]).toEqual([operationId, part, 'file'])
    }
  })
})

describe('the client’s transport', () => {
  const get = { method: 'GET', path: '/a/{id}' }
  const post = { method: 'POST', path: '/a', key: true, fileType: 'text/x' }

  test('sends what is given of a query, and nothing where nothing is', async () => {
    const { sent, options } = answering()
    const transport = new Transport(options)
    await transport.call(get, { params: { id: 'ä b' }, query: { limit: 2, all: false, cursor: undefined } })
    await transport.call(get, { params: { id: 1 }, query: { cursor: undefined } })
    expect(sent.map(({ url }) => url.slice(21))).toEqual(['/a/%C3%A4%20b?limit=2&all=false', '/a/1'])
  })

  test('keeps cookies and the token of a session, and sends them with every change', async () => {
    const set = ([name, value]: [string, string]): [string, string] => [
      'set-cookie',
      `${name}=${value}; Path=/; HttpOnly`,
    ]
    const { sent, options } = answering(
      json({ csrf_token: 'T' }, 200, [set(['s', 'one']), set(['t', 'x=y'])]),
      json({ csrf_token: 5 }, 200, [set(['s', 'two'])]),
      json(null),
    )
    const transport = new Transport(options)
    for (const input of [{}, { body: { a: 1 } }, { body: {} }]) await transport.call(post, input)
    await transport.call(get, { params: { id: 1 } })
    expect(sent.map(({ headers }) => [headers.cookie, headers['x-csrf-token'], headers.origin])).toEqual([
      [undefined, undefined, 'https://quire.example'],
      ['s=one; t=x=y', 'T', 'https://quire.example'],
      ['s=two; t=x=y', 'T', 'https://quire.example'],
      ['s=two; t=x=y', undefined, undefined],
    ])
    expect(sent.map(({ init }) => [init.body, init.credentials])).toEqual([
      ...[undefined, '{"a":1}', '{}', undefined].map((body) => [body, 'include']),
    ])
  })

  test('makes a key for each request that takes one, unless one is given to repeat it', async () => {
    const { sent, options } = answering()
    const transport = new Transport(options)
    for (const input of [{}, {}, { idempotencyKey: 'mine' }]) await transport.call(post, input)
    await transport.call(get, { params: { id: 1 }, idempotencyKey: 'mine' })
    const [first, second, third, fourth] = sent.map(({ headers }) => headers['idempotency-key'])
    // A random UUID by RFC 9562: version 4, and the variant in two bits of the ninth byte.
    const random = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (let more = 0; more < 20; more++) await transport.call(post)
    for (const { headers } of [...sent.slice(0, 2), ...sent.slice(4)])
      expect(headers['idempotency-key']).toMatch(random)
    expect(sent.slice(4)).toHaveLength(20)
    expect(second).not.toBe(first ?? '')
    expect([third, fourth]).toEqual(['mine', undefined])
  })

  test('names the type of what it sends, and leaves that of a form to fetch', async () => {
    const { sent, options } = answering()
    const transport = new Transport(options)
    const bytes = new Uint8Array([1, 2])
    await transport.call(post, { body: {} })
    await transport.call(post, { bytes })
    await transport.call(post, { form: { note: 'text', file: bytes } })
    await transport.call({ method: 'POST', path: '/a' }, { bytes })
    expect(sent.map(({ headers }) => headers['content-type'])).toEqual([
      ...['application/json', 'text/x', undefined, 'application/json'],
    ])
    expect(sent[1]?.init.body).toBe(bytes)
    const form = sent[2]?.init.body as FormData
    expect(form.get('note')).toBe('text')
    expect(new Uint8Array(await (form.get('file') as File).arrayBuffer())).toEqual(bytes)
  })

  test('sends conditions, own headers and a signal', async () => {
    const { sent, options } = answering()
    const own = new AbortController()
    const { signal } = own
    await new Transport(options).call(get, {
      ...{ params: { id: 1 }, ifMatch: '"3"', ifNoneMatch: '*', headers: { 'x-own': 'a' }, signal },
    })
    await new Transport(options).call(get, { params: { id: 1 } })
    expect(sent[0]?.headers).toEqual({ 'if-match': '"3"', 'if-none-match': '*', 'x-own': 'a' })
    own.abort()
    expect([sent[0]?.init.signal?.aborted, sent[1]?.headers, sent[1]?.init.signal?.aborted]).toEqual([true, {}, false])
  })

  test('reads JSON, bytes or nothing by the type of the answer', async () => {
    const bodyOf = async (type: string | undefined) => {
      const body = type === undefined ? null : '[1]'
      const { options } = answering(
        () => new Response(body, { headers: type === undefined ? {} : { 'content-type': type } }),
      )
      return (await new Transport(options).call(get)).body
    }
    expect(await bodyOf('application/problem+json')).toEqual([1])
    expect(await bodyOf('application/pdf')).toEqual(new TextEncoder().encode('[1]'))
    expect(await bodyOf(undefined)).toBeUndefined()
  })

  test('throws what is refused from 400 on, with its problem or without one', async () => {
    const answer = (body: unknown, status: number) =>
      new Transport({ ...answering(json(body, status)).options, retries: false }).call(get)
    const problem = { code: 'stale', detail: 'It changed.', errors: [{ path: '/a', message: 'is old' }], more: 1 }
    const refusal = await answer(problem, 400).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(QuireRefusal)
    expect(refusal).toMatchObject({
      status: 400,
      code: 'stale',
      problem,
      message: 'stale: It changed.\n  /a: is old',
      name: 'QuireRefusal',
    })
    expect(await answer(problem, 399)).toMatchObject({ status: 399, body: problem })
    for (const body of [null, 'text', {}, { code: 'x' }, { code: 1, detail: 'x' }, { code: 'x', detail: 1 }])
      expect(await rejectionOf(answer(body, 502))).toMatchObject({
        code: 'unknown',
        message: expect.stringContaining('502'),
      })
  })
})
