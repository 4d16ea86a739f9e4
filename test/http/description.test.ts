import { beforeAll, describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { clientSources, type Description } from '../../scripts/build-client.ts'
import { describeOperations } from '../../src/http/openapi.ts'
import { createResponseCheck, type ResponseCheck } from '../support/described.ts'
import { startTestApp, type TestApp } from './harness.ts'

interface BindingDescription {
  components: {
    schemas: {
      Binding: {
        properties: { use: { description?: string; properties: Record<string, { description?: string }> } }
      }
    }
  }
}

let started: TestApp
let document: object
let check: ResponseCheck

beforeAll(async () => {
  started = await startTestApp()
  document = (await (await started.send({ path: '/openapi.json' })).json()) as object
  check = createResponseCheck(document)
})

describe('/openapi.json', () => {
  test('is valid by the OpenAPI Initiative’s own schema of OpenAPI 3.1, every reference resolved', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document) as Record<string, unknown>)
    expect(errors ?? []).toEqual([])
    expect([valid, validator.version]).toEqual([true, '3.1'])
    const broken = structuredClone(document) as { paths: Record<string, unknown> }
    broken.paths['/broken'] = { get: { responses: { '200': { content: [] } } } }
    expect((await new Validator().validate(broken as Record<string, unknown>)).valid).toBe(false)
  })

  test('is what the table of operations says', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(describeOperations(started.app.operations))))
  })

  test('says what a template does with a value, part by part', () => {
    const { use } = (document as BindingDescription).components.schemas.Binding.properties
    expect(use.description).toStartWith('What the tag does with the value')
    const parts = Object.entries(use.properties).map(([name, { description }]) => [name, description?.split(/[ ,]/)[0]])
    expect(parts).toEqual([
      ['as', 'A'],
      ['values', 'What'],
      ['pointers', 'JSON'],
    ])
  })

  test('refuses additional properties in every object that an operation answers or takes', () => {
    const open: string[] = []
    const visit = (value: unknown, place: string) => {
      if (value === null || typeof value !== 'object') return
      const schema = value as { type?: unknown; properties?: unknown; additionalProperties?: unknown }
      if (schema.type === 'object' && schema.properties !== undefined && schema.additionalProperties !== false) {
        open.push(place)
      }
      for (const [key, one] of Object.entries(value)) visit(one, `${place}/${key}`)
    }
    visit(document, '')
    expect(open).toEqual([])
  })

  test('is what the client in src/client was made from', async () => {
    for (const [path, source] of clientSources(document as Description)) {
      expect(await Bun.file(path).text()).toBe(source)
    }
  })
})

/** The harness runs every response of the suite through this; here it is shown to find what it is there for. */
describe('the check of every response', () => {
  const headers = { 'content-type': 'application/json', 'x-correlation-id': 'c' }
  const session = {
    user: { id: crypto.randomUUID(), username: 'a', display_name: 'A', roles: ['operator'], permissions: [] },
    csrf_token: 'x',
    must_change_password: false,
    expires_at: '2026-01-01T00:00:00Z',
    idle_expires_at: '2026-01-01T00:00:00Z',
  }
  const problem = {
    type: '/problems/forbidden',
    title: 'Forbidden',
    status: 403,
    code: 'forbidden',
    detail: 'No.',
    correlation_id: 'c',
  }
  const path = '/api/v1/auth/session'
  const answer = (body: unknown, status = 200, changed: Record<string, string> = {}) =>
    new Response(JSON.stringify(body), { status, headers: { ...headers, ...changed } })
  const refusal = (body: unknown, status = 403) => answer(body, status, { 'content-type': 'application/problem+json' })

  test('accepts what is described', async () => {
    expect(await check('GET', path, answer(session))).toBeUndefined()
    expect(await check('POST', '/api/v1/auth/logout', refusal(problem))).toBeUndefined()
    expect(await check('GET', '/api/v1/releases', refusal({ ...problem, errors: [] }))).toBeUndefined()
    expect(await check('GET', '/nowhere', refusal({ ...problem, status: 404 }, 404))).toBeUndefined()
  })

  test('finds a field more, a field less, another type, another status, another variant and another media type', async () => {
    const { csrf_token: _, ...less } = session
    const wrong: [string, string, Response][] = [
      ['GET', path, answer({ ...session, colour: 'red' })],
      ['GET', path, answer({ ...session, user: { ...session.user, password_hash: 'x' } })],
      ['GET', path, answer(less)],
      ['GET', path, answer({ ...session, csrf_token: 7 })],
      ['GET', path, answer(session, 201)],
      ['GET', path, answer(session, 200, { 'content-type': 'text/html' })],
      ['GET', '/api/v1/releases', refusal(problem)],
      ['POST', '/api/v1/auth/logout', refusal({ ...problem, errors: [] })],
      ['POST', '/api/v1/auth/logout', refusal({ ...problem, code: 'whatever' })],
      ['GET', '/nowhere', refusal({ ...problem, status: 'x' }, 404)],
      ['POST', '/api/v1/releases', refusal({ ...problem, errors: [] }, 405)],
    ]
    for (const [index, [method, at, response]] of wrong.entries()) {
      expect([index, typeof (await check(method, at, response))]).toEqual([index, 'string'])
    }
  })
})
