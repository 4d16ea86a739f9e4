import { describe, expect, test } from 'bun:test'
import { Fault } from '../../src/core/faults.ts'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import {
  AE,
  type Principal,
  permissionsOf,
  scopesOf,
  sessionAccess,
  type TokenGrant,
  tokenScopes,
} from '../../src/http/access.ts'
import { cookieNameFor, cookieValues, createSessionCookies, serializeCookie } from '../../src/http/cookies.ts'
import { createDeviceCookies } from '../../src/http/devices.ts'
import { createSessionGuard } from '../../src/http/session.ts'
import { deriveKeys, hashToken, isOriginOfHost, isSigned, randomToken, sign } from '../../src/http/tokens.ts'
import { rejectionOf } from '../support/outcome.ts'

const secret = 'x'.repeat(32)
const principal = (more: Partial<Principal> = {}): Principal => ({
  ...{ sessionId: 's', userId: 'u', username: 'ada', displayName: 'Ada', roles: ['engineer'] },
  ...{ permissions: [], mustChangePassword: false, passwordGivenAt: undefined },
  ...{ expiresAt: instantFromEpochMs(0), idleExpiresAt: instantFromEpochMs(0) },
  ...more,
})
const codeOf = async (promise: Promise<unknown>) => {
  const error = await rejectionOf(promise)
  return error instanceof Fault ? error.code : error
}

describe('a device cookie', () => {
  const at = (ms: number) => instantFromEpochMs(1_800_000_000_000 + ms)
  const ada = (ms = 0) => ({ username: 'ada', origin: 'https://quire.test', at: at(ms) })
  const pairOf = (setCookie: string) => setCookie.slice(0, setCookie.indexOf(';'))

  test('tells the browser of a user who has signed in there, and of nobody else', async () => {
    const devices = await createDeviceCookies([secret])
    const cookie = pairOf(await devices.issue(null, ada()))
    expect(cookie).toStartWith('__Host-quire-device=')
    const device = await devices.find(cookie, ada())
    expect(device).toMatch(/^[\w-]{43}$/)
    expect(await devices.find(cookie, { ...ada(), username: 'ADA' })).toBe(device ?? '')
    expect(await devices.find(cookie, { ...ada(), username: 'bob' })).toBeUndefined()
    // The name of the cookie is that of the origin's scheme.
    expect(await devices.find(cookie, { ...ada(), origin: 'http://quire.test' })).toBeUndefined()
    expect(await devices.find(null, ada())).toBeUndefined()
    expect(await devices.find(cookie.replace(/.{5}$/, 'AAAAA'), ada())).toBeUndefined()
    expect(await (await createDeviceCookies(['y'.repeat(32)])).find(cookie, ada())).toBeUndefined()
    expect(await (await createDeviceCookies(['y'.repeat(32), secret])).find(cookie, ada())).toBe(device ?? '')
  })

  test('holds for its time to the second, before and after, since a clock may be set back', async () => {
    const devices = await createDeviceCookies([secret])
    const setCookie = await devices.issue(null, ada())
    expect(setCookie).toContain(`Max-Age=${limits.throttleKnownMs / 1000}`)
    const cookie = pairOf(setCookie)
    const isKnown = async (ms: number) => (await devices.find(cookie, ada(ms))) !== undefined
    const life = limits.throttleKnownMs
    expect([
      await isKnown(life),
      await isKnown(life + 1_000),
      await isKnown(-life),
      await isKnown(-life - 1_000),
    ]).toEqual([...[true, false, true, false]])
  })

  test('keeps the notes of the last few users, the newest first, and one for each', async () => {
    const devices = await createDeviceCookies([secret])
    let header: string | null = null
    const names = Array.from({ length: limits.deviceCookieUsers + 1 }, (_, index) => `user${index}`)
    for (const [index, username] of names.entries())
      header = pairOf(await devices.issue(header, { ...ada(index * 1_000), username }))
    const known = async (cookie: string | null) =>
      (await Promise.all(names.map((username) => devices.find(cookie, { ...ada(), username })))).map(
        (one) => one !== undefined,
      )
    expect(await known(header)).toEqual(names.map((_, index) => index > 0))
    const before = await devices.find(header, { ...ada(), username: 'user3' })
    const again = pairOf(await devices.issue(header, { ...ada(), username: 'user3' }))
    expect(await devices.find(again, { ...ada(), username: 'user3' })).not.toBe(before ?? '')
    expect(decodeURIComponent(again).split('~')).toHaveLength(limits.deviceCookieUsers)
    expect(await known(again)).toEqual(names.map((_, index) => index > 0))
    // What is no note is left out.
    expect(decodeURIComponent(pairOf(await devices.issue('__Host-quire-device=a~b', ada()))).split('~')).toHaveLength(1)
  })
})

describe('the cookie of a session', () => {
  test('is read from all that were sent under its name, whoever planted others', async () => {
    const cookies = createSessionCookies([secret])
    const issued = await cookies.issue('quire', 'token-1')
    const pair = issued.slice(0, issued.indexOf(';'))
    expect(cookies.read(pair, ['quire'])).toBe('token-1')
    expect(cookies.read(`quire=planted; a=b;${pair}`, ['quire'])).toBe('token-1')
    expect(cookies.read(pair, ['__Host-quire'])).toBeUndefined()
    expect([cookies.read('quire=token-1', ['quire']), cookies.read(null, ['quire'])]).toEqual([undefined, undefined])
    expect(createSessionCookies(['y'.repeat(32), secret]).read(pair, ['quire'])).toBe('token-1')
  })

  test('is for this host, for requests from it, and not for scripts', async () => {
    expect([cookieNameFor('https://a'), cookieNameFor('http://a'), cookieNameFor('https://a', 'quire-device')]).toEqual(
      ['__Host-quire', 'quire', '__Host-quire-device'],
    )
    const attributes = serializeCookie('__Host-quire', { value: 'v', maxAge: 5 }).split('; ').sort()
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=5', 'Path=/', 'SameSite=Strict', 'Secure', '__Host-quire=v'])
    expect(serializeCookie('quire', { value: 'v' })).not.toContain('Secure')
    expect(createSessionCookies([secret]).expire('quire')).toContain('Max-Age=0')
    expect(cookieValues('a=1; b=%20x; a=%E0%A4%A; ab=3', 'a')).toEqual(['1', '%E0%A4%A'])
    expect(cookieValues('a=1; b=%20x', 'b')).toEqual([' x'])
  })
})

describe('a guard', () => {
  const origins = ['https://quire.test', 'http://localhost:8080', 'https://localhost:8080']
  const asked: unknown[] = []
  const guard = createSessionGuard({
    secrets: [secret],
    origins,
    sessions: {
      findSession: async (hash, host) => {
        asked.push([hash, host])
        return principal({ sessionId: hash })
      },
    },
    tokens: {
      findPrincipal: async (token, address) => (token === 'qr_good' ? principal({ username: address }) : undefined),
      familyOf: async () => undefined,
    },
  })
  const request = (headers: Record<string, string> = {}) => new Request('https://quire.test/', { headers })

  test('takes a token of ours from the Authorization header, and leaves those of others to proxies', async () => {
    const { authenticate } = await guard
    expect((await authenticate(request({ authorization: 'Bearer qr_good' }), 'quire.test', '192.0.2.1')).username).toBe(
      '192.0.2.1',
    )
    expect((await authenticate(request({ authorization: 'bearer  qr_good ' }), 'quire.test', 'x')).username).toBe('x')
    expect(await codeOf(authenticate(request({ authorization: 'Bearer qr_bad' }), 'quire.test', 'x'))).toBe(
      'authentication_required',
    )
    const { cookies } = await guard
    const pair = (await cookies.issue('__Host-quire', 'mine')).split(';')[0] ?? ''
    const found = await authenticate(request({ authorization: 'Bearer other', cookie: pair }), 'quire.test', 'x')
    expect(found.sessionId).toBe(await hashToken('mine'))
    expect(asked.at(-1)).toEqual([await hashToken('mine'), 'quire.test'])
  })

  test('reads the name of the cookie that the host is served under, never the bare one where it is https alone', async () => {
    const { authenticate, cookies } = await guard
    const bare = (await cookies.issue('quire', 'bare')).split(';')[0] ?? ''
    const named = (await cookies.issue('__Host-quire', 'named')).split(';')[0] ?? ''
    const sessionAt = async (host: string, cookie: string) =>
      (await authenticate(request({ cookie }), host, 'x')).sessionId
    expect(await codeOf(sessionAt('quire.test', bare))).toBe('authentication_required')
    expect(await sessionAt('localhost:8080', bare)).toBe(await hashToken('bare'))
    // Served under both schemes: the one that nobody else can set comes first.
    expect(await sessionAt('localhost:8080', `${bare}; ${named}`)).toBe(await hashToken('named'))
    expect(await codeOf(sessionAt('elsewhere', `${bare}; ${named}`))).toBe('authentication_required')
    expect(await codeOf(authenticate(request(), 'quire.test', 'x'))).toBe('authentication_required')
  })

  test('remembers a cookie for the host that it came to alone, and tells all cookies apart', async () => {
    const { authenticate, cookies } = await guard
    const pairs = await Promise.all(
      ['one', 'two'].map(async (name) => (await cookies.issue('quire', name)).split(';')[0]),
    )
    const sessionAt = async (host: string, cookie = '') =>
      (await authenticate(request({ cookie }), host, 'x')).sessionId
    for (let round = 0; round < 2; round++) {
      expect(await sessionAt('localhost:8080', pairs[0])).toBe(await hashToken('one'))
      expect(await sessionAt('localhost:8080', pairs[1])).toBe(await hashToken('two'))
      expect(await codeOf(sessionAt('quire.test', pairs[0]))).toBe('authentication_required')
    }
    // Too long to be kept, and still taken.
    const long = `${'x'.repeat(limits.cookieCharsKept)}=1; ${pairs[0]}`
    for (let round = 0; round < 2; round++) expect(await sessionAt('localhost:8080', long)).toBe(await hashToken('one'))
  })

  test('takes a change only from an origin of its host, with the token of that session and origin', async () => {
    const { requireCsrf, csrfToken } = await guard
    const [mine, origin] = [principal({ sessionId: 'one' }), 'https://quire.test']
    const token = await csrfToken('one', origin)
    const outcome = (headers: Record<string, string>, host = 'quire.test') =>
      requireCsrf(request(headers), host, mine).catch((error: Fault) => error.code)
    expect(await outcome({ origin, 'x-csrf-token': token })).toBe(origin)
    for (const headers of [
      { origin },
      { 'x-csrf-token': token },
      { origin: 'https://evil.test', 'x-csrf-token': await csrfToken('one', 'https://evil.test') },
      { origin: 'http://localhost:8080', 'x-csrf-token': await csrfToken('one', 'http://localhost:8080') },
      { origin, 'x-csrf-token': await csrfToken('two', origin) },
      { origin, 'x-csrf-token': await csrfToken('one', 'http://localhost:8080') },
      { origin, 'x-csrf-token': `${token}x` },
    ])
      expect([headers, await outcome(headers as Record<string, string>)]).toEqual([headers, 'csrf_rejected'])
    const local = 'http://localhost:8080'
    expect(await outcome({ origin: local, 'x-csrf-token': await csrfToken('one', local) }, 'localhost:8080')).toBe(
      local,
    )
  })

  test('takes a login from an origin of its host, which a referer names where there is no Origin', async () => {
    const { requireLoginOrigin } = await guard
    const outcome = (headers: Record<string, string>, host = 'quire.test') => {
      try {
        return requireLoginOrigin(request(headers), host)
      } catch (error) {
        return (error as Fault).code
      }
    }
    expect(outcome({ origin: 'https://quire.test' })).toBe('https://quire.test')
    expect(outcome({ referer: 'https://quire.test/login?x=1' })).toBe('https://quire.test')
    expect(outcome({ origin: 'https://evil.test', referer: 'https://quire.test/' })).toBe('origin_rejected')
    expect([outcome({}), outcome({ referer: 'no address' }), outcome({ referer: 'https://evil.test/' })]).toEqual(
      new Array(3).fill('origin_rejected'),
    )
    expect(outcome({ origin: 'https://quire.test' }, 'localhost:8080')).toBe('origin_rejected')
  })

  test('makes the token of a read for the origin that the browser names, else the first of the host', async () => {
    const { originOf } = await guard
    expect(originOf(request({ origin: 'https://localhost:8080' }), 'localhost:8080')).toBe('https://localhost:8080')
    expect(originOf(request({ referer: 'https://localhost:8080/x' }), 'localhost:8080')).toBe('https://localhost:8080')
    expect(originOf(request(), 'localhost:8080')).toBe('http://localhost:8080')
    expect(originOf(request({ origin: 'https://evil.test' }), 'quire.test')).toBe('https://quire.test')
    expect(() => originOf(request(), 'elsewhere')).toThrow('no configured origin')
  })

  test('lets through who has a role, the permission and the scope, and changed the password', async () => {
    const { authorize } = await guard
    const outcome = (access: Parameters<typeof sessionAccess>, who: Partial<Principal>) => {
      try {
        authorize(sessionAccess(...access), principal(who))
        return 'allowed'
      } catch (error) {
        return (error as Fault).code
      }
    }
    const grant = (...scopes: TokenGrant['scopes']): TokenGrant => ({ id: 't', scopes, families: undefined })
    expect([outcome([AE], {}), outcome([AE], { roles: ['auditor'] })]).toEqual(['allowed', 'forbidden'])
    expect(outcome([AE, { permission: 'audit_read' }], {})).toBe('forbidden')
    expect(outcome([AE, { permission: 'audit_read' }], { permissions: ['audit_read'] })).toBe('allowed')
    expect(outcome([AE, { permission: 'audit_read' }], { permissions: ['audit_read'], roles: [] })).toBe('forbidden')
    expect(outcome([AE], { mustChangePassword: true })).toBe('forbidden')
    expect(outcome([AE, { whileOwing: ['password_change'] }], { mustChangePassword: true })).toBe('allowed')
    expect(outcome([AE], { token: grant('configuration_read') })).toBe('authentication_required')
    expect(outcome([AE, { scope: 'configuration_read' }], { token: grant('configuration_read') })).toBe('allowed')
    expect(outcome([AE, { scope: 'configuration_read' }], { token: grant('configuration_write') })).toBe('forbidden')
    // A permission is also the scope that a token wants, unless another is named.
    const both = { permissions: permissionsOf(['engineer']), token: grant('submission_read') }
    expect(outcome([AE, { permission: 'submission_read' }], both)).toBe('allowed')
    expect(outcome([AE, { permission: 'submission_read', scope: 'configuration_read' }], both)).toBe('forbidden')
  })

  test('gives tokens no more scopes than the roles of their user', () => {
    expect(scopesOf(['administrator'])).toContain('readiness_read')
    for (const scope of ['configuration_write', 'readiness_read', 'audit_read', 'user_manage'] as const)
      expect([scope, scopesOf(['operator']).includes(scope)]).toEqual([scope, false])
    expect(scopesOf(['operator'])).toContain('configuration_read')
    expect(scopesOf(['engineer'])).toContain('configuration_write')
    const order = tokenScopes.filter((scope) => scopesOf(['operator', 'auditor']).includes(scope))
    expect(scopesOf(['auditor', 'operator'])).toEqual(order)
    expect(scopesOf([])).toEqual([])
  })
})

describe('tokens and keys', () => {
  test('are random, kept as hashes, and signed by a key for each purpose', async () => {
    expect(randomToken()).toMatch(/^[\w-]{43}$/)
    expect(randomToken()).not.toBe(randomToken())
    expect(await hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    const [cookie, csrf] = [await deriveKeys([secret], 'cookie'), await deriveKeys([secret], 'csrf')]
    expect(cookie[0]).not.toBe(csrf[0])
    const old = await deriveKeys(['y'.repeat(32), secret], 'cookie')
    expect([old.length, old[1]]).toEqual([2, cookie[0]])
    const signature = await sign(cookie[0], 'm')
    expect([await isSigned(cookie, 'm', signature), await isSigned(old, 'm', signature)]).toEqual([true, true])
    expect([
      await isSigned(csrf, 'm', signature),
      await isSigned(cookie, 'n', signature),
      await isSigned(cookie, 'm', ''),
    ]).toEqual([...[false, false, false]])
  })

  test('belong to a host by its name and port, with the usual port of the scheme', () => {
    expect(isOriginOfHost('https://a.test', 'a.test')).toBe(true)
    expect(isOriginOfHost('https://a.test:8443', 'a.test:8443')).toBe(true)
    expect([isOriginOfHost('https://a.test', 'b.test'), isOriginOfHost('https://a.test:8443', 'a.test')]).toEqual([
      false,
      false,
    ])
    expect(isOriginOfHost('https://evil.a.test', 'a.test')).toBe(false)
  })
})
