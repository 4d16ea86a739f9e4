import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createLog } from '../../src/core/log.ts'
import type { Role, TokenScope } from '../../src/http/access.ts'
import { Closing } from '../../src/http/closing.ts'
import { listen, type RunningServer } from '../../src/http/server.ts'
import { outcomeOf } from '../support/outcome.ts'
import { host, startTestApp, type TestApp, testAuthor } from './harness.ts'

/**
 * Every operation that /openapi.json describes, asked over HTTP by every role and every scope that a role may give. Who may
 * what is written down here once more, so that a right that is widened by mistake is found.
 */
const [all, authors, only] = [
  ['administrator', 'engineer', 'operator', 'auditor', 'business_viewer'],
  ['administrator', 'engineer'],
  ['administrator'],
] as const satisfies readonly (readonly Role[])[]
const mayHave: Readonly<Record<TokenScope, readonly Role[]>> = {
  submission_read: all,
  submission_create: [...authors, 'operator'],
  artifact_download: [...authors, 'operator', 'business_viewer'],
  audit_read: ['administrator', 'auditor'],
  user_manage: only,
  configuration_read: all,
  configuration_write: authors,
  readiness_read: only,
  object_erase: only,
  webhook_manage: only,
}
const scopes = Object.keys(mayHave) as TokenScope[]

interface Described {
  operationId: string
  security: Record<string, unknown>[]
  'x-roles'?: Role[]
  'x-permission'?: TokenScope
  'x-token-scope'?: TokenScope
}

let app: TestApp
let server: RunningServer
let at: string
let operations: { method: string; path: string; described: Described }[]

beforeAll(async () => {
  app = await startTestApp()
  const log = createLog({ level: 'error', readable: false, write: () => {} })
  server = listen(app.app, { address: { hostname: '127.0.0.1', port: 0 }, log, closing: new Closing() })
  at = `http://127.0.0.1:${server.port}`
  const { paths } = (await (await fetch(`${at}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  )
  expect(operations.length).toBeGreaterThan(150)
})
afterAll(() => server.close(0))

/** What an operation answers about nothing; without Content-Type, so that a change that is let in ends at 415. */
async function answered({ method, path }: (typeof operations)[number], headers: Record<string, string> = {}) {
  const { 'content-type': _, ...rest } = headers
  const url = at + path.replace(/\{(?:number|older|newer)\}/g, '1').replace(/\{\w+\}/g, nowhere)
  const response = await fetch(url, { method, headers: { ...rest, host }, redirect: 'manual' })
  const isProblem = response.headers.get('content-type') === 'application/problem+json'
  if (isProblem) return `${response.status} ${((await response.json()) as { code: string }).code}`
  await response.body?.cancel()
  return `${response.status}`
}
const nowhere = '0198c3d2-7a10-7c00-8000-00000000dead'

/**
 * Where the answers differ from what is expected: `let in`, or a refusal in its words. Undefined for an operation that nothing is
 * expected of.
 */
async function leaks(
  who: string,
  headers: Record<string, string>,
  expected: (described: Described) => string | undefined,
) {
  const found: string[] = []
  for (const operation of operations) {
    const wanted = expected(operation.described)
    if (wanted === undefined) continue
    const answer = await answered(operation, headers)
    const isRefused = /^40[13] (authentication_required|forbidden|csrf_rejected)$/.test(answer)
    const fits = wanted === 'let in' ? !isRefused && !answer.startsWith('5') : answer === wanted
    if (!fits) found.push(`${who}, ${operation.described.operationId}: ${answer}, not ${wanted}`)
  }
  return found
}

/** These look neither at sessions nor at tokens, and may refuse for reasons of their own. */
const signingIn = [
  ...['login', 'askPasskeySignIn', 'signInByPasskey', 'startProviderSignIn', 'finishProviderSignIn'],
  ...['endSessionsByProvider', 'getReadiness'],
]
const isOpen = ({ security }: Described) => security.length === 0
const whereOpen = ({ operationId }: Described) => (signingIn.includes(operationId) ? undefined : 'let in')

const mayCall = (role: Role, { 'x-roles': roles = [], 'x-permission': permission }: Described) =>
  roles.includes(role) && (permission === undefined || mayHave[permission].includes(role))

test('whoever has not signed in reaches nothing that is for sessions or tokens', async () => {
  const open = operations.filter(({ described }) => isOpen(described))
  expect(open.map(({ described }) => described.operationId).sort()).toEqual(
    [...signingIn, 'getLiveness', 'getSignInMethods'].sort(),
  )
  const expected = (described: Described) => (isOpen(described) ? undefined : '401 authentication_required')
  expect(await leaks('nobody', {}, expected)).toEqual([])
})

test('every role is let in exactly where the description says so', async () => {
  for (const role of all) {
    await app.addUser(role, [role])
    const session = await app.signIn(role)
    const expected = (described: Described) =>
      isOpen(described) ? whereOpen(described) : mayCall(role, described) ? 'let in' : '403 forbidden'
    expect(await leaks(role, session, expected)).toEqual([])
  }
}, 120_000)

test('every scope of every role is let in exactly where it is named, and nowhere that is for people', async () => {
  for (const role of all) {
    for (const scope of scopes.filter((one) => mayHave[one].includes(role))) {
      const account = { username: `robot-${role}-${scope}`, displayName: 'Robot', roles: [role] }
      const { id: userId } = await app.users.createServiceAccount(account, testAuthor)
      const wanted = { name: 'one', userId, scopes: [scope], families: undefined, days: 1 }
      const { text } = await app.tokens.create(wanted, testAuthor)
      const found = await leaks(`${role} ${scope}`, { authorization: `Bearer ${text}` }, (described) => {
        if (isOpen(described)) return whereOpen(described)
        if (!described.security.some((one) => 'token' in one)) return '401 authentication_required'
        return described['x-token-scope'] === scope && mayCall(role, described) ? 'let in' : '403 forbidden'
      })
      expect(found).toEqual([])
    }
  }
}, 240_000)

test('no role gives a scope that is not its own', async () => {
  for (const role of all) {
    const account = { username: `poor-${role}`, displayName: 'Robot', roles: [role] }
    const { id: userId } = await app.users.createServiceAccount(account, testAuthor)
    for (const scope of scopes.filter((one) => !mayHave[one].includes(role))) {
      const wanted = { name: 'more', userId, scopes: [scope], families: undefined, days: 1 }
      expect(await outcomeOf(app.tokens.create(wanted, testAuthor))).toThrow(scope)
    }
  }
})
