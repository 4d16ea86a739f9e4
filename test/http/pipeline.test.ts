import { beforeAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Fault } from '../../src/core/faults.ts'
import { createLog } from '../../src/core/log.ts'
import { AE, loginAccess, type Principal, permissionsOf, publicAccess, sessionAccess } from '../../src/http/access.ts'
import { Closing } from '../../src/http/closing.ts'
import { requireRevision } from '../../src/http/conditional.ts'
import { mount } from '../../src/http/mount.ts'
import { type Answer, defineOperation, emptyBody, jsonBody, type Operation } from '../../src/http/operation.ts'
import { createPipeline, type Pipeline } from '../../src/http/pipeline.ts'
import { createSessionGuard } from '../../src/http/session.ts'
import { checkShape } from '../../src/http/shape.ts'
import { hashToken } from '../../src/http/tokens.ts'
import { configurationProblem, object, positiveInteger, problem, text, uuid } from '../../src/http/wire.ts'

/** The pipeline over operations of its own, so that every kind of refusal can be had at will. */
const host = 'quire.test'
const origin = `https://${host}`
const id = '0198c3d2-7a10-7c00-8000-000000000001'
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const handled: string[] = []
const logged: string[] = []

const access = sessionAccess(AE)
const params = object({ thingId: uuid })
const thing = object({ name: text({ minLength: 1, maxLength: 8 }), size: Type.Optional(positiveInteger) })
const ok = [{ status: 200, schema: Type.Any() }] as const
const answer = (name: string) => (context: unknown) => {
  handled.push(name)
  const { params: given, query, body, idempotency } = context as Record<string, unknown>
  return { body: { name, params: given, query, body: body instanceof Uint8Array ? body.length : body, idempotency } }
}

const operations: Operation[] = [
  defineOperation({
    id: 'open',
    method: 'GET',
    path: '/api/v1/open',
    tag: 't',
    summary: '',
    access: publicAccess,
    query: object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })), at: Type.Optional(text()) }),
    success: ok,
    failures: [422],
    handle: answer('open'),
  }),
  defineOperation({
    id: 'noQuery',
    method: 'GET',
    path: '/api/v1/plain/{thingId}',
    tag: 't',
    summary: '',
    access: publicAccess,
    params,
    success: ok,
    failures: [404],
    handle: answer('noQuery'),
  }),
  defineOperation({
    id: 'enter',
    method: 'POST',
    path: '/api/v1/enter',
    tag: 't',
    summary: '',
    access: loginAccess,
    body: jsonBody(thing, 64),
    success: ok,
    failures: [403, 415, 422],
    handle: answer('enter'),
  }),
  defineOperation({
    id: 'write',
    method: 'PUT',
    path: '/api/v1/templates/{thingId}/draft',
    tag: 't',
    summary: '',
    variant: 'configuration',
    resourceKind: 'template',
    access,
    params,
    headers: { idempotencyKey: 'required', ifMatch: 'used' },
    body: jsonBody(thing, 64),
    success: ok,
    failures: [403, 404, 409, 412, 415, 422, 428],
    handle(context) {
      if (context.params.thingId !== id) throw new Fault('not_found', 'There is no such template.')
      requireRevision(context.ifMatch, 3)
      if (context.body.name === 'taken') throw new Fault('conflict', 'The name is taken.')
      return answer('write')(context)
    },
  }),
  defineOperation({
    id: 'resolve',
    method: 'GET',
    path: '/api/v1/templates/{thingId}/versions:resolve',
    tag: 't',
    summary: '',
    variant: 'configuration',
    access: publicAccess,
    params,
    success: ok,
    failures: [422],
    handle: answer('resolve'),
  }),
  defineOperation({
    id: 'versions',
    method: 'GET',
    path: '/api/v1/templates/{templateId}/versions',
    tag: 't',
    summary: '',
    variant: 'configuration',
    access: publicAccess,
    params: object({ templateId: uuid }),
    success: ok,
    failures: [422],
    handle: answer('versions'),
  }),
  defineOperation({
    id: 'version',
    method: 'GET',
    path: '/api/v1/templates/{templateId}/versions/{number}',
    tag: 't',
    summary: '',
    variant: 'configuration',
    access: publicAccess,
    params: object({ templateId: uuid, number: positiveInteger }),
    success: ok,
    failures: [422],
    handle: answer('version'),
  }),
  defineOperation({
    id: 'upload',
    method: 'POST',
    path: '/api/v1/templates',
    tag: 't',
    summary: '',
    variant: 'configuration-unless-multipart',
    resourceKind: 'template',
    access,
    body: {
      kind: 'choice',
      of: [
        jsonBody(thing, 64),
        { kind: 'multipart', fields: object({ name: text({ maxLength: 8 }) }), fileMediaTypes: [docx], maxBytes: 4096 },
        { kind: 'bytes', mediaType: docx, maxBytes: 16 },
      ],
    },
    success: ok,
    failures: [403, 415, 422],
    handle: answer('upload'),
  }),
  defineOperation({
    id: 'forms',
    method: 'GET',
    path: '/api/v1/forms',
    tag: 't',
    summary: '',
    access: publicAccess,
    query: object({ how: text() }),
    success: [
      { status: 200, schema: object({ first: Type.Boolean() }) },
      { status: 200, schema: object({ second: Type.Boolean() }) },
      { status: 203, mediaType: docx },
      { status: 204 },
    ],
    failures: [422],
    handle({ query: { how } }) {
      const answers: Record<string, Answer> = {
        first: { body: { first: true } },
        second: { body: { second: true } },
        neither: { body: { third: true } },
        tagged: { body: { first: true }, headers: { etag: '"3"' } },
        kept: { body: { first: true }, headers: { 'cache-control': 'private', 'content-type': 'text/json' } },
        bytes: { status: 203, stream: new TextEncoder().encode('docx'), headers: { 'content-type': docx } },
        nothing: { status: 204 },
        something: { status: 204, body: {} },
        misplaced: { stream: new TextEncoder().encode('docx') },
      }
      return answers[how] as Answer<never>
    },
  }),
  defineOperation({
    id: 'leave',
    method: 'POST',
    path: '/api/v1/leave',
    tag: 't',
    summary: '',
    access,
    body: emptyBody,
    success: [{ status: 204 }],
    failures: [403, 415, 422],
    handle: () => ({}),
  }),
  defineOperation({
    id: 'broken',
    method: 'GET',
    path: '/api/v1/broken',
    tag: 't',
    summary: '',
    access: publicAccess,
    query: object({ how: text() }),
    success: [{ status: 200, schema: object({ fine: Type.Boolean() }) }],
    failures: [422, 503],
    handle({ query }) {
      if (query.how === 'throws') throw new Error('the secret reason')
      if (query.how === 'lost') throw Object.assign(new Error('x'), { code: 'CONNECTION_CLOSED' })
      if (query.how === 'undeclared') throw new Fault('conflict', 'Not declared.')
      if (query.how === 'status') return { status: 201, body: { fine: true } }
      if (query.how === 'extra') return { body: { fine: true, more: 1 } as { fine: boolean } }
      return { body: { fine: true } }
    },
  }),
]

let send: (
  method: string,
  path: string,
  headers?: Record<string, string | undefined>,
  body?: BodyInit,
) => Promise<Response>
let signedIn: Record<string, string>
let mustChange: Record<string, string>
let auditor: Record<string, string>

let crowded: Pipeline

beforeAll(async () => {
  const principals = new Map<string, Principal>()
  const guard = await createSessionGuard({
    secrets: ['x'.repeat(32)],
    origins: [origin],
    sessions: { findSession: async (hash, at) => (at === host ? principals.get(hash) : undefined) },
    tokens: { findPrincipal: async () => undefined, familyOf: async () => undefined },
  })
  const log = createLog({ level: 'debug', readable: false, write: (line) => logged.push(line) })
  const pipeline = createPipeline({ guard, log, closing: new Closing(), checkAnswers: true })
  const app = new Elysia({ normalize: false })
  mount(app, operations, pipeline, () => ({ address: '192.0.2.1', isTaken: undefined }))
  app.onError(({ request }) => pipeline.dispatch(request, '192.0.2.1'))
  const nobody = { atOnce: 0, atOncePerUser: 0, waiting: 0, waitingPerUser: 0, waitMs: 1 }
  const somebody = { ...nobody, atOnce: 1, atOncePerUser: 1 }
  const rooms = { arrivals: somebody, reads: somebody, changes: nobody, trials: nobody }
  crowded = createPipeline({ guard, log, closing: new Closing(), checkAnswers: true, rooms })
  for (const operation of operations) crowded.add(operation)
  send = async (method, path, headers = {}, body) => {
    const all = new Headers({ host })
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.set(name, value)
    return app.fetch(new Request(`${origin}${path}`, { method, headers: all, ...(body === undefined ? {} : { body }) }))
  }
  const session = async (token: string, roles: Principal['roles'], mustChangePassword = false) => {
    const principal = {
      sessionId: token,
      userId: id,
      username: token,
      displayName: token,
      roles,
      permissions: permissionsOf(roles),
      mustChangePassword,
    } as unknown as Principal
    principals.set(await hashToken(token), principal)
    return {
      cookie: (await guard.cookies.issue('__Host-quire', token)).split(';')[0]!,
      origin,
      'x-csrf-token': await guard.csrfToken(token, origin),
      'content-type': 'application/json',
    }
  }
  signedIn = await session('engineer-session', ['engineer'])
  auditor = await session('auditor-session', ['auditor'])
  mustChange = await session('new-session', ['administrator'], true)
})

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const body = (await response.json()) as Record<string, unknown>
  expect(body.correlation_id).toBe(response.headers.get('x-correlation-id'))
  expect(body.status).toBe(response.status)
  expect(body.type).toBe(`/problems/${body.code}`)
  expect(checkShape('errors' in body ? configurationProblem : problem, body, 'response')).toEqual([])
  return body
}

const draft = `/api/v1/templates/${id}/draft`
const key = { 'idempotency-key': 'key-0001' }
const good = JSON.stringify({ name: 'letter' })

describe('the order of checks', () => {
  // Each row removes one more reason for refusal than the row before it, so the first of them all must be the answer.
  const worst = { 'content-type': 'text/plain', 'if-match': 'nonsense', 'idempotency-key': 'x' }
  const rows: [
    name: string,
    method: string,
    path: string,
    headers: () => Record<string, string>,
    body: string,
    status: number,
    code: string,
  ][] = [
    ['an unknown path', 'BREW', '/api/v1/templates/no/such/path', () => worst, 'x', 404, 'not_found'],
    ['an unsupported method', 'POST', draft, () => worst, 'x', 405, 'method_not_allowed'],
    ['no session', 'PUT', draft, () => worst, 'x', 401, 'authentication_required'],
    ['no origin', 'PUT', draft, () => ({ ...worst, cookie: mustChange.cookie! }), 'x', 403, 'csrf_rejected'],
    ['a password to change', 'PUT', draft, () => ({ ...mustChange, ...worst }), 'x', 403, 'forbidden'],
    ['a lacking role', 'PUT', draft, () => ({ ...auditor, ...worst }), 'x', 403, 'forbidden'],
    ['a wrong media type', 'PUT', draft, () => ({ ...signedIn, ...worst }), 'x', 415, 'unsupported_media_type'],
    [
      'a body too large',
      'PUT',
      draft,
      () => ({ ...signedIn, 'if-match': 'x' }),
      ' '.repeat(65),
      422,
      'validation_failed',
    ],
    [
      'a bad shape',
      'PUT',
      draft.replace(id, id.replace(/1$/, '2')),
      () => ({ ...signedIn, ...key }),
      '{}',
      422,
      'validation_failed',
    ],
    [
      'an unknown resource',
      'PUT',
      draft.replace(id, id.replace(/1$/, '2')),
      () => ({ ...signedIn, ...key }),
      good,
      404,
      'not_found',
    ],
    ['no If-Match', 'PUT', draft, () => ({ ...signedIn, ...key }), '{"name":"taken"}', 428, 'precondition_required'],
    [
      'a stale If-Match',
      'PUT',
      draft,
      () => ({ ...signedIn, ...key, 'if-match': '"2"' }),
      '{"name":"taken"}',
      412,
      'precondition_failed',
    ],
    [
      'a conflict',
      'PUT',
      draft,
      () => ({ ...signedIn, ...key, 'if-match': '"3"' }),
      '{"name":"taken"}',
      409,
      'conflict',
    ],
  ]
  for (const [name, method, path, headers, body, status, code] of rows) {
    test(`answers ${status} for ${name} before anything that comes later`, async () => {
      handled.length = 0
      const refused = await problemOf(await send(method, path, headers(), body))
      expect([refused.status, refused.code]).toEqual([status, code])
      expect(refused.errors).toBeArray()
      expect(handled).toEqual([])
    })
  }

  test('lets through what has no reason to be refused', async () => {
    const response = await send('PUT', draft, { ...signedIn, ...key, 'if-match': '"3"' }, good)
    expect(response.status).toBe(200)
    const body = (await response.json()) as { idempotency: { actorId: string; key: string; requestHash: string } }
    expect(body.idempotency).toEqual({
      actorId: id,
      key: 'key-0001',
      requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})

describe('paths and methods', () => {
  test('a verb after a colon is its own path, and nothing like it is', async () => {
    const named = async (path: string) => {
      const response = await send('GET', path)
      return response.status === 200 ? ((await response.json()) as { name: string }).name : response.status
    }
    const base = `/api/v1/templates/${id}`
    expect(await named(`${base}/versions:resolve`)).toBe('resolve')
    expect(await named(`${base}/versions`)).toBe('versions')
    expect(await named(`${base}/versions/2`)).toBe('version')
    for (const path of [
      'versions:resolves',
      'versionsX',
      'versions:',
      'versions/',
      'Versions',
      'versions/2/',
      'versions%3Aresolve',
    ]) {
      expect([path, await named(`${base}/${path}`)]).toEqual([path, 404])
    }
    expect(await named(`//api/v1/templates/${id}/versions`)).toBe(404)
  })

  test('405 lists exactly the methods of the path, HEAD and OPTIONS included among the refused', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'QUERY']) {
      const response = await send(method, '/api/v1/open')
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET'])
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('404 and 405 take the configuration form under configuration paths only', async () => {
    for (const path of ['templates/x/y/z', 'transformers', 'ingestion-models/a', 'activations', 'releases/1']) {
      expect(await problemOf(await send('GET', `/api/v1/${path}`))).toHaveProperty('errors')
    }
    for (const path of ['/api/v1/templatesX', '/api/v1/executions', '/health/x', '/api', '/api/v2/templates']) {
      expect(await problemOf(await send('GET', path))).not.toHaveProperty('errors')
    }
  })

  test('405 takes the form of the operation whose method it isn’t, wherever its path is', async () => {
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    expect(await problemOf(await send('PATCH', '/api/v1/templates', form))).not.toHaveProperty('errors')
    const refused = await problemOf(await send('PATCH', '/api/v1/templates', { 'content-type': 'application/json' }))
    expect(refused.errors).toMatchObject([{ resource_kind: 'template' }])
  })

  test('a malformed id is 422 where the operation lists it, else the resource is not found', async () => {
    expect((await problemOf(await send('GET', '/api/v1/templates/not-a-uuid/versions'))).status).toBe(422)
    expect((await problemOf(await send('GET', '/api/v1/templates/%zz/versions'))).status).toBe(422)
    expect((await problemOf(await send('GET', `/api/v1/templates/${id}/versions/0`))).status).toBe(422)
    expect((await problemOf(await send('GET', `/api/v1/templates/${id}/versions/01`))).status).toBe(422)
    expect((await problemOf(await send('GET', '/api/v1/plain/not-a-uuid'))).status).toBe(404)
    expect((await send('GET', `/api/v1/plain/${id.toUpperCase()}`)).status).toBe(200)
  })
})

describe('queries', () => {
  const refused = [
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=1.0', 'limit'],
    ['?limit=+1', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=1&limit=1', 'limit'],
    ['?lmit=1', 'lmit'],
    ['?at=%00', 'NUL'],
    ['?at=%ff', 'percent'],
  ] as const
  for (const [query, word] of refused) {
    test(`${query} is refused, naming ${word}`, async () => {
      const body = await problemOf(await send('GET', `/api/v1/open${query}`))
      expect(body.status).toBe(422)
      expect(body.detail).toContain(word)
      expect(body).not.toHaveProperty('errors')
    })
  }

  test('numbers arrive as numbers, and operations that cannot refuse a query ignore it', async () => {
    expect(await (await send('GET', '/api/v1/open?limit=100')).json()).toMatchObject({ query: { limit: 100 } })
    expect(await (await send('GET', `/api/v1/plain/${id}?x=1`)).json()).toMatchObject({ query: {} })
  })
})

describe('bodies', () => {
  const login = (body: BodyInit | undefined, type: string | undefined = 'application/json') =>
    send('POST', '/api/v1/enter', { origin, 'content-type': type }, body)

  const refused: [name: string, body: string | Uint8Array, word: string][] = [
    ['no body', '', 'empty'],
    ['text that is not JSON', '{', 'JSON'],
    ['an array', '[]', 'an object'],
    ['a missing field', '{}', 'name'],
    ['a field of another type', '{"name":1}', 'name'],
    ['a number as text', '{"name":"a","size":"5"}', 'size'],
    ['a fraction', '{"name":"a","size":1.5}', 'size'],
    ['a number below', '{"name":"a","size":0}', 'size'],
    ['an empty text', '{"name":""}', 'name'],
    ['a text one too long', '{"name":"123456789"}', 'at most 8'],
    ['an unknown field', '{"name":"a","nmae":"b"}', 'nmae'],
    ['a field twice', '{"name":"a","name":"b"}', 'name'],
    ['half a surrogate pair', '{"name":"\\ud800"}', 'surrogate'],
    ['the NUL character', '{"name":"\\u0000"}', 'NUL'],
    ['a number a double would change', '{"name":"a","size":12345678901234567890}', 'number'],
    ['broken UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'UTF-8'],
    ['depth', `${'['.repeat(32)}${']'.repeat(32)}`, 'object'],
    ['__proto__', '{"name":"a","__proto__":{"size":1}}', '__proto__'],
  ]
  for (const [name, body, word] of refused) {
    test(`${name} is 422 and names ${word}`, async () => {
      const answered = await problemOf(await login(body as BodyInit))
      expect(answered.status).toBe(422)
      expect(String(answered.detail)).toContain(word)
    })
  }

  test('a body of exactly the limit is read, one byte more is not', async () => {
    expect((await login('{"name":"a"}'.padEnd(64))).status).toBe(200)
    expect((await problemOf(await login('{"name":"a"}'.padEnd(65)))).detail).toContain('64 bytes')
  })

  test('lengths count characters, not UTF-16 units', async () => {
    expect((await login(JSON.stringify({ name: '😀'.repeat(8) }))).status).toBe(200)
    expect((await login(JSON.stringify({ name: '😀'.repeat(9) }))).status).toBe(422)
  })

  test('a body without declared length is cut off at the limit', async () => {
    let pulled = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(32).fill(0x20))
        if (pulled === 10_000) controller.close()
      },
    })
    expect((await problemOf(await login(stream))).status).toBe(422)
    expect(pulled).toBeLessThan(20)
  })

  for (const type of [
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json, text/plain',
    undefined,
  ]) {
    test(`Content-Type ${type} is 415`, async () => {
      expect(
        (
          await problemOf(
            await send('POST', '/api/v1/enter', { origin, 'content-type': type }, new Uint8Array([0x7b, 0x7d])),
          )
        ).status,
      ).toBe(415)
    })
  }

  test('application/json with charset utf-8, in any case, is accepted', async () => {
    expect((await login('{"name":"a"}', 'Application/JSON; Charset="UTF-8"')).status).toBe(200)
  })

  test('an operation without input reads not a single byte', async () => {
    expect((await send('POST', '/api/v1/leave', signedIn)).status).toBe(204)
    expect((await send('POST', '/api/v1/leave', signedIn, '')).status).toBe(204)
    expect((await problemOf(await send('POST', '/api/v1/leave', signedIn, '{}'))).status).toBe(422)
    const { 'content-type': _, ...without } = signedIn
    expect((await problemOf(await send('POST', '/api/v1/leave', without))).status).toBe(415)
  })

  test('a choice of forms follows Content-Type, and so does the problem', async () => {
    const { 'content-type': _, ...bare } = signedIn
    const form = (file: Blob | undefined, name = 'a') => {
      const data = new FormData()
      data.set('name', name)
      if (file !== undefined) data.set('file', file, 'letter.docx')
      return data
    }
    const post = (body: BodyInit, type?: string) =>
      send('POST', '/api/v1/templates', { ...bare, 'content-type': type }, body)
    const json = (await (await post('{"name":"a"}', 'application/json')).json()) as { body: unknown }
    expect(json.body).toEqual({ kind: 'json', value: { name: 'a' } })
    const bytes = (await (await post('PK..', docx)).json()) as { body: unknown }
    expect(bytes.body).toMatchObject({ kind: 'bytes', value: { '3': 0x2e } })
    const multipart = (await (await post(form(new Blob(['PK..'], { type: docx })))).json()) as { body: unknown }
    expect(multipart.body).toMatchObject({
      kind: 'multipart',
      value: { fields: { name: 'a' }, file: { fileName: 'letter.docx' } },
    })

    expect(await problemOf(await post('{}', 'application/json'))).toHaveProperty('errors')
    const missing = await problemOf(await post(form(undefined)))
    expect([missing.status, missing.detail]).toEqual([422, expect.stringContaining('file')])
    expect(missing).not.toHaveProperty('errors')
    expect((await problemOf(await post(form(new Blob(['x'], { type: 'text/plain' }))))).status).toBe(422)
    expect((await problemOf(await post(form(new Blob(['x'], { type: docx }), 'far too long')))).detail).toContain(
      'name',
    )
    expect((await problemOf(await post(new Uint8Array(17), docx))).status).toBe(422)
    expect((await problemOf(await post('x', 'multipart/form-data'))).status).toBe(422)
    expect((await problemOf(await post('x', 'image/png'))).status).toBe(415)
  })
})

describe('headers', () => {
  const put = (headers: Record<string, string | undefined>) =>
    send('PUT', draft, { ...signedIn, ...key, 'if-match': '"3"', ...headers }, good)

  for (const value of [undefined, 'short', 'x'.repeat(129), '-startsbad', 'has space', 'ümlautkey']) {
    test(`Idempotency-Key ${value?.slice(0, 12)} is 422`, async () => {
      const body = await problemOf(await put({ 'idempotency-key': value }))
      expect([body.status, body.detail]).toEqual([422, expect.stringContaining('Idempotency-Key')])
    })
  }
  for (const value of ['a2345678', 'x'.repeat(128), '0._:-ABC']) {
    test(`Idempotency-Key ${value.slice(0, 12)} of ${value.length} characters is accepted`, async () => {
      expect((await put({ 'idempotency-key': value })).status).toBe(200)
    })
  }
  const tags: [tag: string, status: number][] = [
    ['"3"', 200],
    ['"1", "3"', 200],
    ['W/"3"', 412],
    ['"4"', 412],
    ['3', 422],
    ['"03"', 422],
    ['"0"', 422],
    ['"-3"', 422],
    ['"abc"', 422],
    ['*', 422],
    ['"3', 422],
    ['"3",', 422],
  ]
  for (const [tag, status] of tags) {
    test(`If-Match ${tag} is ${status}`, async () => {
      expect((await put({ 'if-match': tag })).status).toBe(status)
    })
  }

  test("the correlation id is the request's when it is valid, and a new one otherwise", async () => {
    const given = async (value: string) =>
      (await send('GET', '/api/v1/open', { 'x-correlation-id': value })).headers.get('x-correlation-id')
    expect(await given('order-1:a._Z')).toBe('order-1:a._Z')
    expect(await given('x'.repeat(128))).toBe('x'.repeat(128))
    for (const bad of ['x'.repeat(129), 'has space', '<script>']) {
      expect(await given(bad)).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})

describe('CSRF and origin', () => {
  const rows: [name: string, change: Record<string, string | undefined>, status: number][] = [
    ['everything right', {}, 204],
    ['no Origin', { origin: undefined }, 403],
    ['no Origin but a good Referer', { origin: undefined, referer: `${origin}/` }, 403],
    ['a foreign Origin', { origin: 'https://evil.test' }, 403],
    ['the null Origin', { origin: 'null' }, 403],
    ['the same host over http', { origin: `http://${host}` }, 403],
    ['a trailing slash', { origin: `${origin}/` }, 403],
    ['another port', { origin: `${origin}:444` }, 403],
    ['no token', { 'x-csrf-token': undefined }, 403],
    ['an empty token', { 'x-csrf-token': '' }, 403],
    ['a wrong token', { 'x-csrf-token': 'A'.repeat(43) }, 403],
    ['no cookie', { cookie: undefined }, 401],
    ['a forged cookie', { cookie: '__Host-quire=engineer-session.AAAA' }, 401],
    ['an unsigned cookie', { cookie: '__Host-quire=engineer-session' }, 401],
    ['junk before the cookie', { cookie: `a=b; __Host-quire=junk; ` }, 401],
  ]
  for (const [name, change, status] of rows) {
    test(`${name}: ${status}`, async () => {
      const response = await send('POST', '/api/v1/leave', { ...signedIn, ...change })
      expect(response.status).toBe(status)
      if (status === 403) expect((await problemOf(response)).code).toBe('csrf_rejected')
    })
  }

  test("another session's token is refused", async () => {
    const response = await send('POST', '/api/v1/leave', { ...signedIn, 'x-csrf-token': auditor['x-csrf-token'] })
    expect((await problemOf(response)).code).toBe('csrf_rejected')
  })

  test.each([1, 4, 200])('%d cookies planted in front of the genuine one change nothing', async (count) => {
    const cookie = `${'__Host-quire=planted.AAAA; '.repeat(count)}${signedIn.cookie}`
    expect((await send('POST', '/api/v1/leave', { ...signedIn, cookie })).status).toBe(204)
  })

  test('on https the unprefixed name, which a sibling domain could set, is not read', async () => {
    const cookie = signedIn.cookie!.replace('__Host-quire', 'quire')
    expect((await send('POST', '/api/v1/leave', { ...signedIn, cookie })).status).toBe(401)
  })

  test('login takes the Referer only where there is no Origin', async () => {
    const enter = async (headers: Record<string, string>) => {
      const response = await send(
        'POST',
        '/api/v1/enter',
        { 'content-type': 'application/json', ...headers },
        '{"name":"a"}',
      )
      return response.status === 200 ? 200 : (await problemOf(response)).code
    }
    expect(await enter({ origin })).toBe(200)
    expect(await enter({ referer: `${origin}/login?next=/` })).toBe(200)
    expect(await enter({ origin: 'https://evil.test', referer: `${origin}/` })).toBe('origin_rejected')
    expect(await enter({ origin: `http://${host}` })).toBe('origin_rejected')
    expect(await enter({ origin: `${origin}/` })).toBe('origin_rejected')
    expect(await enter({ origin: 'null', referer: `${origin}/` })).toBe('origin_rejected')
    expect(await enter({ referer: 'https://evil.test/' })).toBe('origin_rejected')
    expect(await enter({ referer: 'not a url' })).toBe('origin_rejected')
    expect(await enter({})).toBe('origin_rejected')
    expect(await enter({ origin, host: 'other.test' })).toBe('origin_rejected')
  })
})

describe('answers', () => {
  const ask = (how: string) => send('GET', `/api/v1/forms?how=${how}`)

  test('have one of the forms that the operation declares for their status, else they are 500', async () => {
    for (const [how, status, body] of [
      ['first', 200, '{"first":true}'],
      ['second', 200, '{"second":true}'],
      ['bytes', 203, 'docx'],
      ['nothing', 204, ''],
    ] as const) {
      const response = await ask(how)
      expect([how, response.status, await response.text()]).toEqual([how, status, body])
    }
    for (const how of ['neither', 'something', 'misplaced']) {
      expect([how, (await problemOf(await ask(how))).code]).toEqual([how, 'internal_error'])
    }
  })

  test('tell caches, browsers and logs what they need, unless the handler says otherwise', async () => {
    const headersOf = async (how: string, names: readonly string[]) => {
      const { headers } = await ask(how)
      return names.map((name) => headers.get(name))
    }
    const caching = ['cache-control', 'content-type']
    expect(await headersOf('first', caching)).toEqual(['no-store', 'application/json'])
    expect(await headersOf('tagged', caching)).toEqual(['no-store, no-transform', 'application/json'])
    expect(await headersOf('kept', caching)).toEqual(['private', 'text/json'])
    expect(await headersOf('bytes', caching)).toEqual(['no-store', docx])
    expect(await headersOf('nothing', caching)).toEqual(['no-store', null])
    for (const how of ['first', 'bytes', 'nothing']) {
      const guards = ['x-content-type-options', 'referrer-policy', 'cross-origin-resource-policy']
      expect(await headersOf(how, guards)).toEqual(['nosniff', 'same-origin', 'same-origin'])
      expect((await headersOf(how, ['x-correlation-id']))[0]).toBeTruthy()
    }
    const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    for (const how of ['first', 'bytes', 'nothing', 'tagged']) {
      expect([how, ...(await headersOf(how, ['content-security-policy']))]).toEqual([how, policy])
    }
  })
})

describe('failures', () => {
  const fail = async (how: string) => problemOf(await send('GET', `/api/v1/broken?how=${how}`))

  test('an unknown error is 500, and its reason goes to the log alone', async () => {
    logged.length = 0
    const body = await fail('throws')
    expect(body.code).toBe('internal_error')
    expect(JSON.stringify(body)).not.toContain('secret reason')
    const line = logged.find((one) => one.includes('the secret reason'))
    expect(line).toContain(String(body.correlation_id))
  })

  test('a lost database connection is 503 and says which dependency', async () => {
    expect(await fail('lost')).toMatchObject({
      status: 503,
      code: 'dependency_unavailable',
      dependencies: [{ name: 'relational-db', status: 'unavailable' }],
    })
  })

  for (const how of ['undeclared', 'status', 'extra']) {
    test(`an answer that the operation does not declare (${how}) is 500`, async () => {
      expect((await fail(how)).code).toBe('internal_error')
    })
  }
})

test("where there is no room, changes are refused with their surface's problem, unlogged, and reads are answered", async () => {
  const ask = (method: string, path: string, body?: string) => {
    const headers = { host, ...signedIn, 'idempotency-key': 'crowded-1', 'if-match': '"3"' }
    return crowded.dispatch(
      new Request(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
      '192.0.2.1',
    )
  }
  const before = logged.length
  const refused = await ask('PUT', `/api/v1/templates/${id}/draft`, '{"name":"new"}')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({
    code: 'dependency_unavailable',
    errors: [{ resource_kind: 'template' }],
  })
  expect(logged.slice(before).filter((line) => line.includes('"error"'))).toEqual([])
  expect((await ask('GET', '/api/v1/open')).status).toBe(200)
})
