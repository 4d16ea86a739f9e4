import { beforeEach, describe, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { type JWTPayload, SignJWT } from 'jose'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import { createProvider } from '../../../src/oidc/provider.ts'
import type { OidcConfig } from '../../../src/oidc/settings.ts'
import {
  cookiesOf as cookieList,
  forgetUsers,
  host,
  jsonOf,
  origin,
  startTestApp,
  type TestApp,
} from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { LyingProvider } from '../../support/lying-provider.ts'

const minute = 60_000
const cookiesOf = (response: Response) => cookieList(response).join('; ')
const json = { 'content-type': 'application/json', origin }

describeOnBothDialects('sign-in at a provider', (dialect) => {
  let provider: LyingProvider
  let database: Database
  let started: TestApp

  async function startWith(change: Partial<OidcConfig> = {}, more: { localSignIn?: string } = {}) {
    const config = provider.config(change)
    started = await startTestApp(dialect, {
      ...{ database, oidc: config, ...more },
      // Keys are asked for again at once, where the service waits a few seconds.
      provider: (clock) => createProvider({ config, clock, keysAgainMs: 0 }),
    })
    provider.clock = started.clock
  }

  beforeEach(async () => {
    provider ??= await LyingProvider.start()
    provider.beHonest()
    database ??= await openTestDatabase(dialect)
    await forgetUsers(database)
    await startWith()
  })

  async function begin(body: unknown = {}, headers: Record<string, string> = {}) {
    const response = await started.send({
      ...{ method: 'POST', path: '/api/v1/auth/oidc/start', headers: { ...json, ...headers }, body },
    })
    expect(response.status).toBe(200)
    return { location: String((await jsonOf(response)).location), cookie: cookiesOf(response) }
  }

  async function signIn(callback: Record<string, string> = {}, body: unknown = {}) {
    const { location, cookie } = await begin(body)
    return back(provider.authorize(location, callback), cookie)
  }

  async function back(path: string, cookie: string, from: { address?: string } = {}) {
    const response = await started.send({ path, headers: { cookie }, ...from })
    expect(response.status).toBe(303)
    const location = new URL(response.headers.get('location') ?? '', origin)
    return { response, location, told: location.searchParams, cookies: cookiesOf(response) }
  }

  const session = (cookie: string) => started.send({ path: '/api/v1/auth/session', headers: { cookie } })

  async function open() {
    const { cookies, told } = await signIn()
    expect(told.get('ended')).toBe('signed-in')
    const read = await session(cookies)
    expect(read.status).toBe(200)
    const body = await jsonOf(read)
    return { body, headers: { ...json, cookie: cookies, 'x-csrf-token': String(body.csrf_token) } }
  }

  async function trail(): Promise<{ action: string; detail: Record<string, unknown> }[]> {
    const { auditRecords } = database.read.t
    const rows = await database.read.q.select().from(auditRecords).orderBy(asc(auditRecords.id))
    return rows.map(({ action, detail }) => ({ action, detail: detail as Record<string, unknown> }))
  }

  /** Nobody is let in, and the trail says why. */
  async function expectRefused(ended: Awaited<ReturnType<typeof back>>, reason: string, shown = 'not_believed') {
    expect(ended.told.get('refused')).toBe(shown)
    expect(ended.location.pathname).toBe('/login')
    expect(ended.cookies).not.toMatch(/(?:^|; )quire=[^;]/)
    expect((await trail()).at(-1)).toMatchObject({ action: 'session.refused', detail: { reason, by: 'provider' } })
    expect(await database.read.q.select().from(database.read.t.sessions)).toEqual([])
  }

  test('opens the same session as a password, for a user made at the first sign-in', async () => {
    const { response, cookies, told } = await signIn()
    expect(Object.fromEntries(told)).toEqual({ ended: 'signed-in' })
    const set = response.headers.getSetCookie()
    expect(set.find((text) => text.startsWith('quire='))).toMatch(/^quire=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(set.find((text) => text.startsWith('quire-oidc='))).toMatch(/^quire-oidc=; Max-Age=0; /)
    expect(set.some((text) => text.startsWith('quire-device='))).toBe(true)
    const read = await jsonOf(await session(cookies))
    expect(read).toMatchObject({
      ...{ user: { username: 'ada.lovelace', display_name: 'Ada Lovelace', roles: ['operator'] } },
      must_change_password: false,
    })
    const out = await started.send({
      ...{ method: 'POST', path: '/api/v1/auth/logout' },
      headers: { ...json, cookie: cookies, 'x-csrf-token': String(read.csrf_token) },
    })
    expect(out.status).toBe(204)
    expect((await trail()).map(({ action }) => action)).toEqual(['user.created', 'session.opened', 'session.closed'])
  })

  test('asks with PKCE, state and nonce for the address that is configured, and keeps the verifier to itself', async () => {
    const { location, cookie } = await begin({}, { 'x-forwarded-host': 'evil.test', referer: 'https://evil.test/' })
    const asked = new URL(location).searchParams
    expect(Object.fromEntries(asked)).toEqual({
      ...{ response_type: 'code', client_id: 'quire', scope: 'openid profile email' },
      redirect_uri: `${origin}/api/v1/auth/oidc/callback`,
      ...{ code_challenge_method: 'S256', code_challenge: expect.stringMatching(/^[\w-]{43}$/) },
      ...{ state: expect.stringMatching(/^[\w-]{43}$/), nonce: expect.stringMatching(/^[\w-]{43}$/) },
    })
    await back(provider.authorize(location), cookie)
    const { body, authorization } = provider.asked.find(({ path }) => path === '/token')!
    expect(body.get('code_verifier')).toMatch(/^[\w-]{43}$/)
    expect(Buffer.from(cookie, 'base64url').toString('latin1')).not.toContain(body.get('code_verifier')!)
    expect(cookie).not.toContain(body.get('code_verifier')!)
    expect(decodeURIComponent(atob(authorization!.slice(6)))).toBe(`quire:${provider.clientSecret}`)
  })

  test('tells people of a sign-in in a browser in which only others have signed in', async () => {
    const notices = async () => {
      const { q, t } = database.read
      const rows = await q
        .select({ username: t.users.username })
        .from(t.notices)
        .innerJoin(t.users, eq(t.users.id, t.notices.userId))
        .orderBy(asc(t.notices.id))
      return rows.map(({ username }) => username)
    }
    const signInHere = async (subject: string, cookies: string) => {
      provider.claims = { sub: subject, preferred_username: subject }
      const { location, cookie } = await begin({}, { cookie: cookies })
      const ended = await back(provider.authorize(location), cookie)
      expect(ended.told.get('ended')).toBe('signed-in')
      return ended.cookies
    }
    let cookies = await signInHere('ann', '')
    expect(await notices()).toEqual(['ann'])
    cookies = await signInHere('ann', cookies)
    expect(await notices()).toEqual(['ann'])
    cookies = await signInHere('bob', cookies)
    expect(await notices()).toEqual(['ann', 'bob'])
    for (const again of ['ann', 'bob']) cookies = await signInHere(again, cookies)
    expect(await notices()).toEqual(['ann', 'bob'])
    started.clock.advance(31 * 24 * 60 * minute)
    await signInHere('ann', cookies)
    expect(await notices()).toEqual(['ann', 'bob', 'ann'])
  })

  test('keeps what is under way in a lax cookie that expires, __Host- on https, and begins for configured origins only', async () => {
    const response = await started.send({
      ...{ method: 'POST', path: '/api/v1/auth/oidc/start', body: {} },
      headers: { ...json, host: 'other.test', origin: 'https://other.test' },
    })
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-quire-oidc=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const foreign = await started.send({
      ...{
        method: 'POST',
        path: '/api/v1/auth/oidc/start',
        body: {},
        headers: { ...json, origin: 'https://evil.test' },
      },
    })
    expect(foreign.status).toBe(403)
    let cookie = ''
    for (let at = 0; at < 6; at++) cookie = (await begin({ next: `/${'x'.repeat(498)}` }, { cookie })).cookie
    expect(cookie.length).toBeLessThan(4_096)
  })

  test.each([
    '//evil.test/',
    '/\\evil.test',
    'https://evil.test/',
    '/\t/evil.test',
    'javascript:alert(1)',
    '/ok\u007f',
    '/é',
  ])('never leads to %j afterwards', async (next) => {
    const { location, told } = await signIn({}, { next })
    expect([location.origin, location.pathname, told.get('next')]).toEqual([origin, '/login', null])
  })

  test('leads back to where the person was', async () => {
    const { told } = await signIn({}, { next: '/users?limit=5', in_window: true })
    expect(Object.fromEntries(told)).toEqual({ ended: 'signed-in', next: '/users?limit=5', window: '1' })
  })

  describe('refuses', () => {
    const lies: [name: string, lie: () => void | Promise<void>, reason: string][] = [
      [
        'a nonce of another sign-in',
        () => {
          provider.claims = { nonce: 'another' }
        },
        'wrong_nonce',
      ],
      [
        'no nonce',
        () => {
          provider.claims = { nonce: undefined }
        },
        'wrong_nonce',
      ],
      [
        'a token for another client',
        () => {
          provider.claims = { aud: 'another' }
        },
        'wrong_token',
      ],
      [
        'a token of several clients that was made for another',
        () => {
          provider.claims = { aud: ['quire', 'another'], azp: 'another' }
        },
        'wrong_token',
      ],
      [
        'a token of another issuer',
        () => {
          provider.claims = { iss: 'https://evil.test' }
        },
        'wrong_token',
      ],
      [
        'an expired token',
        () => {
          provider.claims = { exp: provider.now() - 60 }
        },
        'wrong_token',
      ],
      [
        'a token of the future',
        () => {
          provider.claims = { nbf: provider.now() + 600 }
        },
        'wrong_token',
      ],
      [
        'a token without a subject',
        () => {
          provider.claims = { sub: undefined }
        },
        'wrong_token',
      ],
      [
        'a token that nobody signed',
        () => {
          provider.sign = async (claims) => unsigned(claims)
        },
        'wrong_token',
      ],
      [
        'a token that is signed with the public key as a secret',
        async () => {
          const pem = new TextEncoder().encode(await provider.publicPem())
          provider.sign = (claims) =>
            new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: provider.kid }).sign(pem)
        },
        'wrong_token',
      ],
      [
        'a token that is signed with the client secret',
        () => {
          const secret = new TextEncoder().encode(provider.clientSecret)
          provider.sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
        },
        'wrong_token',
      ],
      [
        'a token of a key that the provider does not show',
        async () => {
          const other = await LyingProvider.start()
          provider.sign = (claims) => other.signed(claims)
        },
        'wrong_token',
      ],
      [
        'another key under a known name',
        async () => {
          const other = await LyingProvider.start()
          provider.sign = async (claims) => {
            const [, payload, signature] = (await other.signed(claims)).split('.')
            return `${encoded({ alg: 'RS256', kid: provider.kid })}.${payload}.${signature}`
          }
        },
        'wrong_token',
      ],
      [
        'an answer without an ID token',
        () => {
          provider.answers['/token'] = () => Response.json({ access_token: 'a', token_type: 'Bearer' })
        },
        'wrong_token',
      ],
    ]
    test.each(lies)('%s', async (_name, lie, reason) => {
      await lie()
      await expectRefused(await signIn(), reason)
    })

    test('an answer that names another issuer, or none where the provider names itself', async () => {
      await expectRefused(await signIn({ iss: 'https://evil.test' }), 'wrong_answer')
      const { location, cookie } = await begin()
      const path = provider.authorize(location).replace(/&iss=[^&]*/, '')
      await expectRefused(await back(path, cookie), 'wrong_answer')
    })

    test('a code that was used before, or that another browser began', async () => {
      const first = await begin()
      const path = provider.authorize(first.location)
      const code = new URL(path, origin).searchParams.get('code')!
      const second = await begin()
      // The second browser gives the first one's code: PKCE and the nonce are of another sign-in.
      const injected = provider.authorize(second.location, { code }).replace(/code=[^&]*/, `code=${code}`)
      await expectRefused(await back(injected, second.cookie), 'code_refused')
      await expectRefused(await back(path, first.cookie), 'code_refused')
    })

    test('an answer to nobody, to another browser, and one that comes a second time', async () => {
      const { location, cookie } = await begin()
      const path = provider.authorize(location)
      await expectRefused(await back(path, ''), 'unknown_state', 'unknown_state')
      await expectRefused(await back(path, (await begin()).cookie), 'unknown_state', 'unknown_state')
      await expectRefused(await back(path, `${cookie.slice(0, -2)}xx`), 'unknown_state', 'unknown_state')
      const forged = cookie.replace(/=([\w-]+)\./, (_all, payload: string) => {
        const note = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
        return `=${encoded({ ...note, next: '/other' })}.`
      })
      await expectRefused(await back(path, forged), 'unknown_state', 'unknown_state')
      expect((await back(path, cookie)).told.get('ended')).toBe('signed-in')
      const again = await back(path, cookie)
      expect(again.told.get('refused')).toBe('replayed_state')
      expect(provider.asked.filter(({ path }) => path === '/token')).toHaveLength(1)
    })

    test('a sign-in that took too long, on either side of the limit', async () => {
      const early = await begin()
      started.clock.advance(10 * minute)
      expect((await back(provider.authorize(early.location), early.cookie)).told.get('ended')).toBe('signed-in')
      const late = await begin()
      started.clock.advance(10 * minute + 1_000)
      const ended = await back(provider.authorize(late.location), late.cookie)
      expect(ended.told.get('refused')).toBe('expired_state')
    })

    test('what the provider refuses, with its word and nothing else in the trail', async () => {
      await expectRefused(
        await signIn({ error: 'access_denied', error_description: 'secret words' }),
        'provider_refused',
        'provider_refused',
      )
      expect(JSON.stringify(await trail())).not.toContain('secret words')
    })

    test('somebody whose groups give no role, and ends the sessions and tokens of one who lost them', async () => {
      provider.claims = { groups: ['others'] }
      await expectRefused(await signIn(), 'no_role', 'no_role')
      provider.claims = {}
      const { headers, body } = await open()
      const { user } = body as { user: { id: string } }
      const token = await started.tokens.create(
        { name: 'mine', userId: user.id, scopes: ['submission_read'], days: 90 },
        { userId: user.id, correlationId: 'test' },
      )
      const withToken = () =>
        started.send({ path: '/api/v1/submissions', headers: { authorization: `Bearer ${token.text}` } })
      expect((await withToken()).status).toBe(200)
      provider.claims = { groups: [] }
      await expectRefused(await signIn(), 'no_role', 'no_role')
      expect((await session(headers.cookie)).status).toBe(401)
      expect((await withToken()).status).toBe(401)
      provider.claims = {}
      await open()
      expect((await withToken()).status).toBe(200)
      started.clock.advance(30 * 24 * 60 * minute + 1)
      expect((await withToken()).status).toBe(401)
    })

    test('somebody who is disabled here, whatever the provider says', async () => {
      const { body } = await open()
      const { user } = body as { user: { id: string } }
      await started.users.update(user.id, { disabled: true }, { userId: user.id, correlationId: 'test' })
      await expectRefused(await signIn(), 'disabled_account', 'disabled_account')
    })

    test('strangers, where only those who are linked may come', async () => {
      await startWith({ createsUsers: false, roles: undefined })
      await expectRefused(await signIn(), 'unknown_user', 'unknown_user')
    })
  })

  test('follows the groups at each sign-in, and other roles end the sessions before', async () => {
    const first = await open()
    provider.claims = { groups: ['quire-admins', 'quire-operators'], name: 'Ada King' }
    const second = await open()
    expect(second.body).toMatchObject({ user: { display_name: 'Ada King', roles: ['administrator', 'operator'] } })
    expect((await session(first.headers.cookie)).status).toBe(401)
    expect((await session(second.headers.cookie)).status).toBe(200)
  })

  test('takes groups from a path of names, from the claim of that very name, and from the user information', async () => {
    await startWith({ groupsClaim: 'realm_access.roles', roles: [{ role: 'auditor', group: 'cn=a,dc=b' }] })
    provider.claims = { realm_access: { roles: ['cn=a,dc=b'] } }
    expect((await open()).body).toMatchObject({ user: { roles: ['auditor'] } })
    provider.claims = { 'realm_access.roles': 'cn=a,dc=b' }
    await open()
    provider.userInfo = { 'realm_access.roles': ['cn=a,dc=b'], sub: 'subject-1' }
    provider.claims = { name: undefined }
    await startWith({ groupsClaim: 'realm_access.roles', roles: [{ role: 'engineer', group: 'cn=a,dc=b' }] })
    expect((await open()).body).toMatchObject({ user: { roles: ['engineer'] } })
    provider.userInfo = { 'realm_access.roles': ['cn=a,dc=b'], sub: 'somebody else' }
    expect((await signIn()).told.get('refused')).toBe('not_believed')
  })

  test('knows people by issuer and subject: nobody gets a user by a name or an e-mail that is the same', async () => {
    await started.addUser('ada.lovelace', ['administrator'])
    const { body } = await open()
    expect(body).toMatchObject({ user: { username: 'ada.lovelace-2', roles: ['operator'] } })
    provider.claims = { sub: 'subject-2', email: 'ada.lovelace' }
    expect((await open()).body).toMatchObject({ user: { username: 'ada.lovelace-3' } })
  })

  test('makes one user of two first sign-ins at once', async () => {
    const ended = await Promise.all([signIn(), signIn(), signIn()])
    expect(ended.map(({ told }) => told.get('ended'))).toEqual(['signed-in', 'signed-in', 'signed-in'])
    expect(await database.read.q.select().from(database.read.t.users)).toHaveLength(1)
  })

  test('refuses tokens signed with the provider’s earlier keys', async () => {
    await open()
    const old = await provider.logoutToken()
    await provider.changeKeys()
    await open()
    const ended = await started.send(logout(old))
    expect(ended.status).toBe(400)
  })

  test('is in nobody’s way while the provider is down, and works when it is back', async () => {
    const closed = () => new Response('down', { status: 503 })
    provider.answers['/.well-known/openid-configuration'] = closed
    const refused = await started.send({ method: 'POST', path: '/api/v1/auth/oidc/start', headers: json, body: {} })
    expect(refused.status).toBe(503)
    expect((await started.send({ path: '/health/ready' })).status).toBe(200)
    provider.answers = {}
    const { location, cookie } = await begin()
    provider.answers['/token'] = closed
    const ended = await back(provider.authorize(location), cookie)
    expect(ended.told.get('refused')).toBe('provider_unavailable')
    provider.answers = {}
    await open()
  })

  test('follows no redirect of the provider, asks none of its neighbours, and reads no endless answer', async () => {
    let asked = 0
    const neighbour = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(String(++asked)) })
    const elsewhere = `http://127.0.0.1:${neighbour.port}/token`
    provider.answers['/token'] = () => Response.redirect(elsewhere, 307)
    expect((await signIn()).told.get('refused')).toBe('not_believed')
    provider.answers = {}
    for (const token_endpoint of [
      elsewhere,
      `https://127.0.0.1:${neighbour.port}/`,
      'https://169.254.169.254/',
      'https://[::1]/',
    ]) {
      provider.description = { token_endpoint }
      await startWith()
      expect((await signIn()).told.get('refused')).toBe('provider_unavailable')
    }
    provider.description = {}
    await startWith()
    provider.answers['/token'] = () =>
      new Response('x'.repeat(600 * 1024), { headers: { 'content-type': 'application/json' } })
    expect((await signIn()).told.get('refused')).toBe('provider_unavailable')
    expect(asked).toBe(0)
    await neighbour.stop(true)
  })

  test('a network that fails too often is told to wait, and keeps out neither known browsers nor other networks', async () => {
    const known = await open()
    for (let at = 0; at < 50; at++) await back('/api/v1/auth/oidc/callback?state=guess', '')
    const last = await back('/api/v1/auth/oidc/callback?state=guess', '')
    expect(last.told.get('refused')).toBe('throttled')
    expect((await signIn()).told.get('refused')).toBe('throttled')
    const { location, cookie } = await begin({}, { cookie: known.headers.cookie })
    expect((await back(provider.authorize(location), cookie)).told.get('ended')).toBe('signed-in')
    const elsewhere = await begin()
    const ended = await back(provider.authorize(elsewhere.location), elsewhere.cookie, { address: '198.51.100.7' })
    expect(ended.told.get('ended')).toBe('signed-in')
    expect((await trail()).filter(({ action }) => action === 'session.throttled')).toHaveLength(1)
  })

  const logout = (token: string) => ({
    ...{ method: 'POST', path: '/api/v1/auth/oidc/backchannel-logout' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })

  describe('a logout token', () => {
    test('ends the session that it names, or all of its subject, and nobody else’s', async () => {
      const first = await open()
      provider.claims = { sid: 'session-2' }
      const second = await open()
      provider.claims = { sub: 'subject-2', sid: 'session-3' }
      const other = await open()
      const states = async () =>
        Promise.all([first, second, other].map(async ({ headers }) => (await session(headers.cookie)).status))
      expect((await started.send(logout(await provider.logoutToken({ sid: 'session-1' })))).status).toBe(200)
      expect(await states()).toEqual([401, 200, 200])
      expect(
        (await started.send(logout(await provider.logoutToken({ sid: 'session-3', sub: undefined })))).status,
      ).toBe(200)
      expect(await states()).toEqual([401, 200, 401])
      expect((await started.send(logout(await provider.logoutToken()))).status).toBe(200)
      expect(await states()).toEqual([401, 401, 401])
      expect((await trail()).filter(({ action }) => action === 'session.ended_by_provider')).toHaveLength(3)
    })

    test.each<[string, Record<string, unknown>]>([
      ['a nonce', { nonce: 'n' }],
      ['no event', { events: undefined }],
      ['another event', { events: { other: {} } }],
      ['neither subject nor session', { sub: undefined }],
      ['no id', { jti: undefined }],
      ['another audience', { aud: 'another' }],
      ['another issuer', { iss: 'https://evil.test' }],
      ['an old time', { iat: 1_700_000_000, exp: undefined }],
      ['no time', { iat: undefined }],
    ])('with %s ends nothing', async (_name, change) => {
      const { headers } = await open()
      const answer = await started.send(logout(await provider.logoutToken(change)))
      expect([answer.status, await answer.json()]).toEqual([400, { error: 'invalid_request' }])
      expect((await session(headers.cookie)).status).toBe(200)
      expect((await trail()).at(-1)).toMatchObject({ action: 'session.logout_token_refused' })
    })

    test('that comes while the provider’s keys are away is asked for again, and counts then', async () => {
      const { headers } = await open()
      const token = await provider.logoutToken()
      await startWith()
      provider.answers['/jwks'] = () => new Response('', { status: 503 })
      const answer = await started.send(logout(token))
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, String(limits.dependencyRetrySeconds)])
      expect((await trail()).map(({ action }) => action)).not.toContain('session.logout_token_refused')
      const { location, cookie } = await begin()
      const ended = await back(provider.authorize(location), cookie)
      expect(ended.told.get('refused')).toBe('provider_unavailable')
      provider.answers = {}
      expect((await started.send(logout(token))).status).toBe(200)
      expect((await session(headers.cookie)).status).toBe(401)
    })

    test('that is an ID token, unsigned, or used before ends nothing', async () => {
      const token = await provider.logoutToken()
      expect((await started.send(logout(token))).status).toBe(200)
      const { headers } = await open()
      expect((await started.send(logout(token))).status).toBe(400)
      const [, payload] = (await provider.logoutToken()).split('.')
      expect((await started.send(logout(`${encoded({ alg: 'none' })}.${payload}.`))).status).toBe(400)
      expect((await started.send(logout('nonsense'))).status).toBe(400)
      expect((await session(headers.cookie)).status).toBe(200)
    })
  })

  test('people who sign in at the provider confirm there again, and have no password to give or change', async () => {
    provider.claims = { groups: ['quire-admins'] }
    const { headers } = await open()
    started.clock.advance(11 * minute)
    const body = { username: 'newcomer', display_name: 'New', roles: ['operator'], password: 'a-long-and-odd-phrase' }
    const make = () => started.send({ method: 'POST', path: '/api/v1/admin/users', headers, body })
    const refused = await make()
    expect([refused.status, (await jsonOf(refused)).detail]).toEqual([
      403,
      expect.stringContaining('/api/v1/auth/oidc/confirm'),
    ])
    for (const [path, given] of [
      ['/api/v1/auth/confirm-password', { password: 'x' }],
      ['/api/v1/auth/password', { current_password: 'x', new_password: 'a-long-and-odd-phrase' }],
    ] as const) {
      expect((await started.send({ method: 'POST', path, headers, body: given })).status).toBe(403)
    }
    const confirm = async () => {
      const asked = await started.send({ method: 'POST', path: '/api/v1/auth/oidc/confirm', headers, body: {} })
      const location = String((await jsonOf(asked)).location)
      expect(new URL(location).searchParams.get('prompt')).toBe('login')
      expect(new URL(location).searchParams.get('max_age')).toBe('0')
      return back(provider.authorize(location), cookiesOf(asked))
    }
    // A provider that signs in again without asking, one that doesn't say when, and somebody else at the keyboard.
    provider.claims = { groups: ['quire-admins'], auth_time: provider.now() - 600 }
    expect((await confirm()).told.get('refused')).toBe('not_fresh')
    provider.claims = { groups: ['quire-admins'], auth_time: undefined }
    expect((await confirm()).told.get('refused')).toBe('not_fresh')
    provider.claims = { groups: ['quire-admins'], sub: 'subject-2' }
    expect((await confirm()).told.get('refused')).toBe('other_person')
    expect((await make()).status).toBe(403)
    provider.claims = { groups: ['quire-admins'] }
    const confirmed = await confirm()
    expect(confirmed.told.get('ended')).toBe('confirmed')
    expect(confirmed.cookies).not.toMatch(/(?:^|; )quire=/)
    expect((await make()).status).toBe(201)
    const account = await jsonOf(await started.send({ path: '/api/v1/auth/account', headers }))
    expect(account).toMatchObject({ signs_in_by: 'provider', subject: 'subject-1', provider_name: 'Test provider' })
  })

  test('a sign-in that was weaker or longer ago than is required lets nobody in', async () => {
    await startWith({ required: { acr: ['gold', 'silver'], amr: ['mfa', 'hwk'], maxAgeSeconds: 600 } })
    const asked = new URL((await begin()).location).searchParams
    expect([asked.get('acr_values'), asked.get('max_age')]).toEqual(['gold silver', '600'])
    const strong = { acr: 'silver', amr: ['pwd', 'hwk'], auth_time: provider.now() - 500 }
    for (const [change, reason] of [
      [{ acr: undefined }, 'too_weak'],
      [{ acr: 'bronze' }, 'too_weak'],
      [{ acr: ['gold'] }, 'too_weak'],
      [{ amr: undefined }, 'too_weak'],
      [{ amr: ['pwd'] }, 'too_weak'],
      [{ amr: 'mfa' }, 'too_weak'],
      [{ auth_time: provider.now() - 700 }, 'not_fresh'],
      [{ auth_time: undefined }, 'not_fresh'],
    ] as const) {
      provider.claims = { ...strong, ...change }
      await expectRefused(await signIn(), reason, reason)
    }
    // What the provider says outside of the signed token counts for nothing.
    provider.userInfo = { acr: 'gold', amr: ['mfa'] }
    provider.claims = { ...strong, acr: undefined, preferred_username: undefined }
    await expectRefused(await signIn(), 'too_weak', 'too_weak')
    provider.claims = strong
    expect((await signIn()).told.get('ended')).toBe('signed-in')
  })

  test('signing out never fails because of the provider, whatever it says of its page', async () => {
    provider.description = { end_session_endpoint: 'nonsense' }
    await startWith()
    const { headers } = await open()
    const signOut = { method: 'POST', path: '/api/v1/auth/oidc/logout', headers }
    const answer = await started.send(signOut)
    expect([answer.status, await jsonOf(answer)]).toEqual([200, { location: null }])
    expect(cookiesOf(answer)).toContain('quire=')
    provider.description = { authorization_endpoint: 42 }
    await startWith()
    const begun = await started.send({ method: 'POST', path: '/api/v1/auth/oidc/start', headers: json, body: {} })
    expect(begun.status).toBe(503)
  })

  test('signing out tells where to sign out at the provider, if it has such a place', async () => {
    provider.description = { end_session_endpoint: `${provider.issuer}/end` }
    const { headers } = await open()
    const out = await started.send({ method: 'POST', path: '/api/v1/auth/oidc/logout', headers })
    const location = new URL(String((await jsonOf(out)).location))
    expect([location.pathname, Object.fromEntries(location.searchParams)]).toEqual([
      '/end',
      { client_id: 'quire', post_logout_redirect_uri: `${origin}/login` },
    ])
    expect((await session(headers.cookie)).status).toBe(401)
  })

  test('an administrator links a user to a subject, who then has no password, and unlinks again', async () => {
    await startWith({ createsUsers: false, roles: undefined })
    const { id } = await started.addUser('clerk', ['operator'])
    await started.addUser('boss', ['administrator'])
    const headers = await started.signIn('boss')
    const path = `/api/v1/admin/users/${id}/identity`
    const linked = await started.send({ method: 'PUT', path, headers, body: { subject: 'subject-1' } })
    expect([linked.status, await jsonOf(linked)]).toMatchObject([200, { user: { provider_subject: 'subject-1' } }])
    expect((await started.login('clerk')).status).toBe(401)
    expect((await open()).body).toMatchObject({ user: { id, username: 'clerk', roles: ['operator'] } })
    const reset = {
      method: 'POST',
      path: `/api/v1/admin/users/${id}/reset-password`,
      headers,
      body: { password: 'a-long-and-odd-phrase' },
    }
    expect((await started.send(reset)).status).toBe(409)
    const { id: other } = await started.addUser('other', ['operator'])
    const taken = await started.send({
      ...{ method: 'PUT', path: `/api/v1/admin/users/${other}/identity`, headers, body: { subject: 'subject-1' } },
    })
    expect(taken.status).toBe(409)
    expect((await started.send({ method: 'DELETE', path, headers })).status).toBe(200)
    expect((await signIn()).told.get('refused')).toBe('unknown_user')
    expect((await started.login('clerk')).status).toBe(401)
    expect((await started.send(reset)).status).toBe(200)
    expect((await started.login('clerk')).status).toBe(200)
  })

  test('tokens that stopped with the sign-ins at the provider stay so when the user is unlinked, until there is a password', async () => {
    await started.addUser('boss', ['administrator'])
    provider.claims = { groups: ['quire-operators'] }
    const { body } = await open()
    const { id } = body.user as { id: string }
    const wanted = { name: 'nightly', userId: id, scopes: ['submission_read' as const], days: 300 }
    const author = { userId: id, correlationId: 'making' }
    const { text } = await started.tokens.create(wanted, author)
    const authorization = `Bearer ${text}`
    const status = async () => (await started.send({ path: '/api/v1/submissions', headers: { authorization } })).status
    expect(await status()).toBe(200)
    started.clock.advance(31 * 24 * 60 * minute)
    expect(await status()).toBe(401)
    const headers = await started.signIn('boss')
    const user = `/api/v1/admin/users/${id}`
    expect((await started.send({ method: 'DELETE', path: `${user}/identity`, headers })).status).toBe(200)
    expect(await status()).toBe(401)
    const phrase = 'a-long-and-odd-phrase'
    const reset = { method: 'POST', path: `${user}/reset-password`, headers, body: { password: phrase } }
    expect((await started.send(reset)).status).toBe(200)
    const { user: back } = (await jsonOf(await started.login('ada.lovelace', phrase))) as { user: { id: string } }
    expect(back.id).toBe(id)
  })

  test('where local sign-in is off, the break-glass account alone signs in by password', async () => {
    await startWith({}, { localSignIn: 'glass' })
    await started.addUser('glass', ['administrator'])
    await started.addUser('clerk', ['operator'])
    expect((await started.login('clerk')).status).toBe(401)
    expect((await trail()).at(-1)).toMatchObject({ action: 'session.refused', detail: { reason: 'local_sign_in_off' } })
    expect((await started.login('Glass')).status).toBe(200)
    await open()
    const methods = await jsonOf(await started.send({ path: '/api/v1/auth/methods' }))
    expect(methods).toEqual({ passwords: false, provider: { name: 'Test provider' } })
  })

  test('no secret, code, state or token of it is in the log or the trail', async () => {
    const { location, cookie } = await begin()
    const path = provider.authorize(location)
    const { cookies } = await back(path, cookie)
    provider.claims = { nonce: 'another' }
    await signIn()
    const query = new URL(path, origin).searchParams
    const { body } = provider.asked.find(({ path }) => path === '/token')!
    const secrets = [
      query.get('code'),
      query.get('state'),
      body.get('code_verifier'),
      provider.clientSecret,
      'an-access-token',
    ]
    const written = `${JSON.stringify(await trail())}${started.logged.join('')}`
    for (const secret of [...secrets, /quire=([^;.]+)/.exec(cookies)![1]]) expect(written).not.toContain(secret!)
    expect(host).toBe('quire.test:8080')
  })
})

test('without a provider, nobody can sign in at one', async () => {
  const started = await startTestApp()
  expect(await jsonOf(await started.send({ path: '/api/v1/auth/methods' }))).toEqual({
    passwords: true,
    provider: null,
  })
  const start = await started.send({ method: 'POST', path: '/api/v1/auth/oidc/start', headers: json, body: {} })
  expect(start.status).toBe(404)
})

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function unsigned(claims: JWTPayload): string {
  return `${encoded({ alg: 'none' })}.${encoded(claims)}.`
}
