import { beforeAll, describe, expect, test } from 'bun:test'
import { ALL, type Role } from '../../src/http/access.ts'
import { isMutation, type Operation } from '../../src/http/operation.ts'
import { elysiaPath } from '../../src/http/path.ts'
import { checkShape } from '../../src/http/shape.ts'
import { configurationProblem, problem } from '../../src/http/wire.ts'
import { describeOnBothDialects } from '../support/database.ts'
import { stateOf } from '../support/refused.ts'
import { host, jsonOf, origin, otherOrigin, secondOrigin, startTestApp, type TestApp } from './harness.ts'

/** Tests made from the table of operations, so that an operation can't be added without them. */
let started: TestApp
const headersOf = new Map<string, Record<string, string>>()

/** Every parameter a well-formed id of nothing, so that no call finds anything to change. */
function pathOf(operation: Operation): string {
  return operation.path
    .replace(/\{(?:number|older|newer)\}/g, '1')
    .replace(/\{\w+\}/g, '0198c3d2-7a10-7c00-8000-00000000dead')
}

function call(operation: Operation, headers: Record<string, string | undefined> = {}) {
  // No Content-Type: what passes the guards of a mutation ends at 415, so that nothing is changed by being tried.
  const { 'content-type': _, ...rest } = headers
  return started.send({ method: operation.method, path: pathOf(operation), headers: rest })
}

async function codeOf(response: Response): Promise<string> {
  return response.headers.get('content-type') === 'application/problem+json'
    ? String((await jsonOf(response)).code)
    : 'answered'
}

async function problemOf(response: Response): Promise<{ status: number; code: unknown }> {
  const isProblem = response.headers.get('content-type') === 'application/problem+json'
  return { status: response.status, code: isProblem ? (await jsonOf(response)).code : 'answered' }
}

/** The administrator's own token, as the same session would get it at another origin of the same host. */
async function tokenAt(other: string): Promise<string> {
  const { cookie } = headersOf.get('administrator')!
  const response = await started.send({ path: '/api/v1/auth/session', headers: { cookie, origin: other } })
  const { csrf_token: token } = await jsonOf(response)
  return token === headersOf.get('administrator')!['x-csrf-token'] ? `${token}0` : String(token)
}

function swapCase(token: string): string {
  const swapped = token.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  if (swapped === token) throw new Error('a token without letters can not be tried in other ones')
  return swapped
}

describeOnBothDialects('operations', (dialect) => {
  beforeAll(async () => {
    headersOf.clear()
    started = await startTestApp(dialect)
    for (const role of ALL) {
      await started.addUser(role, [role])
      headersOf.set(role, await started.signIn(role))
    }
    await started.addUser('newcomer', ['administrator'], true)
    headersOf.set('newcomer', await started.signIn('newcomer'))
  })

  describe('the table of operations', () => {
    test('is all that Elysia routes', () => {
      const routed = started.app.routes.routes.map(({ method, path }) => `${method} ${path}`).sort()
      const declared = started.app.operations.map(({ method, path }) => `${method} ${elysiaPath(path)}`).sort()
      expect(routed).toEqual(declared)
      expect(routed.length).toBeGreaterThan(10)
    })

    test('declares every operation once, with refusals that fit its access and its body', () => {
      const { operations } = started.app
      expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
      for (const { id, access, method, body, path, params, failures, success, headers } of operations) {
        const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
        expect([id, Object.keys(params?.properties ?? {})]).toEqual([id, named])
        expect([id, success.length > 0]).toEqual([id, true])
        // What the provider signs needs no cookie, and so no Origin.
        const isOpen = access.kind === 'login' || !isMutation(method) || id === 'endSessionsByProvider'
        if (access.kind !== 'session') expect([id, isOpen]).toEqual([id, true])
        const wanted = [405, 500]
        if (access.kind === 'session') wanted.push(401, 503)
        if (access.kind === 'session' && (isMutation(method) || !access.whileOwing.includes('password_change')))
          wanted.push(403)
        if (isMutation(method)) wanted.push(415, 422)
        if (headers.idempotencyKey !== undefined) wanted.push(422)
        for (const status of wanted) expect([id, failures.includes(status), status]).toEqual([id, true, status])
        expect([id, isMutation(method)]).toEqual([id, body !== undefined])
      }
    })

    test('says of trials which keep what they make, so that nobody is told that nothing was changed', () => {
      const kept = started.app.operations.filter(({ isKept }) => isKept)
      expect(kept.map(({ id }) => id).sort()).toEqual(['acceptSuite', 'generateCase', 'importFixtureCase'])
      const making = started.app.operations.filter(({ success }) => success.some(({ status }) => status === 201))
      for (const { id, isTrial, isKept } of making) expect([id, isTrial]).toEqual([id, isKept])
    })
  })

  describe('guards', () => {
    test('every operation but probes, ways to sign in and the way through the provider refuses a request without session', async () => {
      const open: string[] = []
      for (const operation of started.app.operations) {
        const response = await call(operation)
        if (operation.access.kind !== 'session') open.push(operation.id)
        else
          expect([operation.id, response.status, await codeOf(response)]).toEqual([
            operation.id,
            401,
            'authentication_required',
          ])
      }
      const provider = ['getSignInMethods', 'startProviderSignIn', 'finishProviderSignIn', 'endSessionsByProvider']
      const passkeys = ['askPasskeySignIn', 'signInByPasskey']
      expect(open).toEqual(['getLiveness', 'getReadiness', 'login', ...passkeys, ...provider])
    })

    test('every operation is open to exactly its roles', async () => {
      for (const operation of started.app.operations) {
        const { access } = operation
        if (access.kind !== 'session') continue
        for (const role of ALL) {
          const code = await codeOf(await call(operation, headersOf.get(role)))
          const hasPermission =
            access.permission === undefined || (await permissionsOfSession(role)).includes(access.permission)
          const isAllowed = access.roles.includes(role) && hasPermission
          expect([operation.id, role, code === 'forbidden']).toEqual([operation.id, role, !isAllowed])
          expect([operation.id, role, code]).not.toEqual([operation.id, role, 'internal_error'])
          if (isAllowed && isMutation(operation.method))
            expect([operation.id, code]).toEqual([operation.id, 'unsupported_media_type'])
        }
      }
    })

    test('a session that must change its password reads itself, changes it or leaves, and nothing else', async () => {
      const open: string[] = []
      for (const operation of started.app.operations) {
        if (operation.access.kind !== 'session') continue
        if ((await codeOf(await call(operation, headersOf.get('newcomer')))) !== 'forbidden') open.push(operation.id)
      }
      expect(open).toEqual(['getCurrentSession', 'changePassword', 'logout'])
    })

    test('every mutation refuses a session whose Origin or token is not exactly its own, and changes nothing', async () => {
      const headers = headersOf.get('administrator')!
      const token = headers['x-csrf-token']!
      const others = headersOf.get('operator')!['x-csrf-token']!
      const elsewhere = await tokenAt(otherOrigin)
      const changes: [name: string, change: Record<string, string | undefined>][] = [
        ['no Origin', { origin: undefined }],
        ['no Origin, its own Referer', { origin: undefined, referer: `${origin}/` }],
        ['the Origin null', { origin: 'null' }],
        ['an empty Origin', { origin: '' }],
        ['a foreign Origin', { origin: 'https://evil.test' }],
        ['another scheme', { origin: origin.replace('http:', 'https:') }],
        ['another port', { origin: `${origin}1` }],
        ['no port', { origin: origin.replace(/:\d+$/, '') }],
        ['a path behind it', { origin: `${origin}/` }],
        ['a name that begins like it', { origin: `${origin}.evil.test` }],
        ['a name that ends like it', { origin: origin.replace('//', '//evil-') }],
        ['somebody in front of it', { origin: origin.replace('//', '//evil@') }],
        ['two Origins', { origin: `${origin}, ${origin}` }],
        ['another configured Origin', { origin: otherOrigin }],
        ['no token', { 'x-csrf-token': undefined }],
        ['an empty token', { 'x-csrf-token': '' }],
        ["somebody else's token", { 'x-csrf-token': others }],
        ['its token for another Origin', { 'x-csrf-token': elsewhere }],
        ['a token cut short', { 'x-csrf-token': token.slice(0, -1) }],
        ['a token with more', { 'x-csrf-token': `${token}a` }],
        ['a token in other letters', { 'x-csrf-token': swapCase(token) }],
      ]
      const before = await stateOf(started.database)
      for (const operation of started.app.operations) {
        if (operation.access.kind !== 'session' || !isMutation(operation.method)) continue
        for (const [name, change] of changes) {
          const { status, code } = await problemOf(await call(operation, { ...headers, ...change }))
          expect([operation.id, name, status, code]).toEqual([operation.id, name, 403, 'csrf_rejected'])
        }
      }
      expect(await stateOf(started.database)).toBe(before)
    })

    test('no read wants an Origin or a token, or is refused for one', async () => {
      const { cookie } = headersOf.get('administrator')!
      for (const operation of started.app.operations) {
        if (isMutation(operation.method)) continue
        for (const more of [{}, { origin: 'https://evil.test', 'x-csrf-token': 'wrong' }]) {
          const { code } = await problemOf(await call(operation, { cookie, ...more }))
          expect([operation.id, code]).not.toEqual([operation.id, 'csrf_rejected'])
        }
      }
    })

    test('login requires a configured Origin with its own host, or such a Referer if there is no Origin', async () => {
      const login = started.app.operations.find(({ access }) => access.kind === 'login')!
      const attempts: [headers: Record<string, string | undefined>, isTaken: boolean][] = [
        [{ origin }, true],
        [{ referer: `${origin}/login?x=1` }, true],
        [{}, false],
        [{ origin: 'null' }, false],
        [{ origin: 'https://evil.test' }, false],
        [{ origin: 'https://evil.test', referer: `${origin}/` }, false],
        [{ referer: 'https://evil.test/' }, false],
        [{ referer: `${origin}.evil.test/` }, false],
        [{ origin: otherOrigin }, false],
        [{ origin: `${origin}/` }, false],
        [{ origin: origin.replace('http:', 'https:') }, false],
      ]
      for (const [headers, isTaken] of attempts) {
        const { status, code } = await problemOf(await call(login, headers))
        const wanted = isTaken ? [415, 'unsupported_media_type'] : [403, 'origin_rejected']
        expect([headers, status, code]).toEqual([headers, ...wanted])
      }
    })

    test('a session is worth nothing on another host', async () => {
      for (const operation of started.app.operations) {
        if (operation.access.kind !== 'session') continue
        const headers = { ...headersOf.get('administrator'), host: new URL(secondOrigin).host, origin: secondOrigin }
        expect([operation.id, (await call(operation, headers as Record<string, string>)).status]).toEqual([
          operation.id,
          401,
        ])
      }
    })

    async function permissionsOfSession(role: Role): Promise<string[]> {
      const response = await started.send({ path: '/api/v1/auth/session', headers: headersOf.get(role)! })
      return ((await jsonOf(response)).user as { permissions: string[] }).permissions
    }
  })

  describe('methods', () => {
    test('every path refuses every method it lacks, and lists those it has', async () => {
      const methodsOf = new Map<string, string[]>()
      for (const operation of started.app.operations) {
        const path = pathOf(operation)
        methodsOf.set(path, [...(methodsOf.get(path) ?? []), operation.method])
      }
      for (const [path, methods] of methodsOf) {
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
          (one) => !methods.includes(one),
        )) {
          const response = await started.send({ method, path })
          expect([path, method, response.status, response.headers.get('allow')]).toEqual([
            path,
            method,
            405,
            methods.sort().join(', '),
          ])
          if (method === 'HEAD') continue
          const body = await jsonOf(response)
          expect(checkShape('errors' in body ? configurationProblem : problem, body, 'response')).toEqual([])
        }
      }
    })
  })

  describe('the description', () => {
    test('is OpenAPI 3.1.1 and holds every operation once, every reference resolved', async () => {
      const text = await (await started.send({ path: '/openapi.json' })).text()
      const document = JSON.parse(text) as {
        openapi: string
        info: { version: string }
        paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
        components: { schemas: Record<string, unknown> }
      }
      expect([document.openapi, document.info.version]).toEqual(['3.1.1', '0.8.0'])
      const described = Object.values(document.paths).flatMap((item) => Object.values(item))
      expect(described.map(({ operationId }) => operationId).sort()).toEqual(
        started.app.operations.map(({ id }) => id).sort(),
      )
      for (const operation of started.app.operations) {
        const { responses } = described.find(({ operationId }) => operationId === operation.id)!
        const statuses = [...operation.success.map(({ status }) => status), ...operation.failures]
        expect(Object.keys(responses).sort()).toEqual([...new Set(statuses.map(String))].sort())
      }
      const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]!)
      expect(references.length).toBeGreaterThan(0)
      for (const name of references) expect(Object.keys(document.components.schemas)).toContain(name)
      expect(text).not.toContain('"$id"')
      expect(text).not.toContain('QuireText')
    })

    test('is served with a validator, and to GET and HEAD only', async () => {
      const first = await started.send({ path: '/openapi.json' })
      const etag = first.headers.get('etag')!
      expect((await started.send({ path: '/openapi.json', headers: { 'if-none-match': etag } })).status).toBe(304)
      expect((await started.send({ path: '/openapi.json', method: 'HEAD' })).status).toBe(200)
      expect((await started.send({ path: '/openapi.json', method: 'POST' })).status).toBe(404)
    })
  })

  test('hosts compare without regard to case', async () => {
    const headers = { ...headersOf.get('auditor'), host: host.toUpperCase() }
    expect((await started.send({ path: '/api/v1/auth/session', headers })).status).toBe(200)
  })
})
