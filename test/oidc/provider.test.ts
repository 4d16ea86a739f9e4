import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { hostname } from 'node:os'
import type { JWTPayload } from 'jose'
import { limits } from '../../src/core/limits.ts'
import { boundedFetch, ProviderUnusable } from '../../src/oidc/fetch.ts'
import { createProvider, type Provider } from '../../src/oidc/provider.ts'
import type { OidcConfig } from '../../src/oidc/settings.ts'
import { TestClock } from '../http/harness.ts'
import { LyingProvider } from '../support/lying-provider.ts'
import { outcomeOf } from '../support/outcome.ts'

let there: LyingProvider
const clock = new TestClock()
beforeAll(async () => {
  there = await LyingProvider.start()
  there.clock = clock
})
beforeEach(() => there.beHonest())

const made = (change: Partial<OidcConfig> = {}): Provider =>
  createProvider({ config: there.config(change), clock, keysAgainMs: 0 })
const request = {
  redirectUri: 'https://quire.test/back',
  state: 'a-state',
  nonce: 'a-nonce',
  verifier: 'v'.repeat(43),
  isFresh: false,
}
async function identified(
  provider: Provider,
  change: Partial<typeof request> = {},
  answer: Record<string, string> = {},
) {
  const asked = { ...request, ...change }
  const path = there.authorize((await provider.authorizationUrl(asked)).href, answer)
  return provider.identify({ ...asked, query: new URL(path, request.redirectUri).searchParams })
}
const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: Error & { reason?: string }) => error.reason ?? error.name,
  )

describe('where the browser is sent', () => {
  const parametersOf = async (provider: Provider, isFresh = false) =>
    Object.fromEntries((await provider.authorizationUrl({ ...request, isFresh })).searchParams)
  const usual = {
    ...{ response_type: 'code', client_id: 'quire', redirect_uri: request.redirectUri, scope: 'openid profile email' },
    ...{ state: 'a-state', nonce: 'a-nonce', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(request.verifier).digest('base64url'),
  }

  test('carries what the code is bound to, and asks for no more than is wanted', async () => {
    expect(await parametersOf(made())).toEqual(usual)
  })

  test('asks for the strength that is required, and for a fresh sign-in before what needs one', async () => {
    const required = { acr: ['gold', 'silver'], amr: [], maxAgeSeconds: 600 }
    expect(await parametersOf(made({ required }))).toEqual({ ...usual, acr_values: 'gold silver', max_age: '600' })
    expect(await parametersOf(made({ required }), true)).toEqual({
      ...{ ...usual, acr_values: 'gold silver', max_age: '0', prompt: 'login' },
    })
  })

  test('keeps what the provider’s own address asks for', async () => {
    there.description = { authorization_endpoint: `${there.issuer}/authorize?tenant=7` }
    expect(await parametersOf(made())).toEqual({ ...usual, tenant: '7' })
  })

  test.each([
    ['another issuer', { issuer: 'http://127.0.0.1:1' }],
    ['no sign-in page', { authorization_endpoint: undefined }],
    ['no keys', { jwks_uri: undefined }],
  ])('is nowhere when the provider names %s', async (_what, description) => {
    there.description = description
    expect(await refusal(made().authorizationUrl(request))).toBe('ProviderUnusable')
  })

  test('is asked once for all who come at once, and remembered', async () => {
    const provider = made()
    await Promise.all([provider.authorizationUrl(request), provider.authorizationUrl(request)])
    await provider.authorizationUrl(request)
    expect(there.asked.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration'])
  })

  test('is asked again after a failure', async () => {
    there.answers['/.well-known/openid-configuration'] = () => new Response('later', { status: 503 })
    const provider = made()
    expect(await refusal(provider.authorizationUrl(request))).toBe('ProviderUnusable')
    there.beHonest()
    expect(await refusal(provider.authorizationUrl(request))).toBe('none')
  })
})

describe('who comes back', () => {
  test('is whom the token names, with the session and the moment of the sign-in', async () => {
    expect(await identified(made())).toMatchObject({
      ...{ subject: 'subject-1', sessionId: 'session-1', authenticatedAt: there.now() },
      claims: { preferred_username: 'Ada.Lovelace', name: 'Ada Lovelace', groups: ['quire-operators'] },
    })
    there.claims = { sid: 7, auth_time: undefined }
    expect(await identified(made())).toMatchObject({ sessionId: undefined, authenticatedAt: undefined })
  })

  test.each([
    ['in the body, where the provider takes it', ['client_secret_post'], 'a-client-secret-of-the-tests', null],
    ['in the header otherwise', ['client_secret_basic'], null, /^Basic /],
    ['in the header where it does not say', undefined, null, /^Basic /],
  ] as const)('is asked for with the secret %s', async (_where, methods, inBody, inHeader) => {
    there.description = { token_endpoint_auth_methods_supported: methods }
    await identified(made())
    const asked = there.asked.find(({ path }) => path === '/token')!
    expect(asked.body.get('client_secret')).toBe(inBody)
    if (inHeader === null) expect(asked.authorization).toBeNull()
    else expect(asked.authorization).toMatch(inHeader)
  })

  test('is asked for without a secret by a client that has none', async () => {
    await identified(made({ clientSecret: undefined }))
    const asked = there.asked.find(({ path }) => path === '/token')!
    expect([asked.body.get('client_secret'), asked.body.get('client_id'), asked.authorization]).toEqual([
      null,
      'quire',
      null,
    ])
  })

  test('is asked about at the other endpoint where the token says too little, and the token counts', async () => {
    there.userInfo = { name: 'Ada of the other', groups: ['quire-admins'], email: 'ada@example.test' }
    const whole = await identified(made())
    expect(there.asked.some(({ path }) => path === '/userinfo')).toBe(false)
    expect(whole.claims).not.toHaveProperty('email')
    for (const missing of ['groups', 'name', 'preferred_username']) {
      there.claims = { [missing]: undefined }
      const { claims } = await identified(made())
      expect(claims).toMatchObject({ email: 'ada@example.test' })
      if (missing === 'groups') expect(claims).toMatchObject({ name: 'Ada Lovelace', groups: ['quire-admins'] })
      if (missing === 'name') expect(claims).toMatchObject({ name: 'Ada of the other', groups: ['quire-operators'] })
    }
    there.asked.length = 0
    there.claims = { groups: undefined }
    await identified(made({ roles: undefined }))
    expect(there.asked.some(({ path }) => path === '/userinfo')).toBe(false)
  })

  test('is nobody where the other endpoint speaks of somebody else', async () => {
    there.userInfo = { sub: 'subject-2' }
    there.claims = { name: undefined }
    expect(await refusal(identified(made()))).toBe('wrong_answer')
  })

  test.each([
    ['the person refused', 'provider_refused', {}, { error: 'access_denied' }],
    ['another state', 'wrong_answer', {}, { state: 'another' }],
    ['another issuer in the answer', 'wrong_answer', {}, { iss: 'https://id.example.org' }],
    ['a code of nobody', 'code_refused', {}, { code: 'made-up' }],
    ['another nonce', 'wrong_nonce', { nonce: 'another' }, {}],
    ['another audience', 'wrong_token', { aud: 'another' }, {}],
    ['another issuer in the token', 'wrong_token', { iss: 'https://id.example.org' }, {}],
    ['a token that has ended', 'wrong_token', { exp: -60 }, {}],
    ['a subject that is too long', 'wrong_token', { sub: 's'.repeat(limits.oidcSubjectChars + 1) }, {}],
    ['an empty subject, which everybody might have', 'wrong_token', { sub: '' }, {}],
    ['a subject with a control character', 'wrong_token', { sub: 'a\u0000b' }, {}],
    ['a subject with half a character', 'wrong_token', { sub: 'a\ud800' }, {}],
  ] as const)('is nobody: %s', async (_what, reason, claims, answer) => {
    there.claims = 'exp' in claims ? { exp: there.now() + claims.exp } : claims
    expect(await refusal(identified(made(), {}, answer))).toBe(reason)
  })

  test('may have a subject of the greatest length, and a clock that is off by the tolerance', async () => {
    there.claims = { sub: 's'.repeat(limits.oidcSubjectChars), exp: there.now() - limits.oidcToleranceSeconds + 2 }
    expect((await identified(made())).subject).toHaveLength(limits.oidcSubjectChars)
  })

  test('has to have signed in as lately and as strongly as is required', async () => {
    const required = { acr: [], amr: [], maxAgeSeconds: 600 }
    there.claims = { auth_time: there.now() - 500 }
    expect(await refusal(identified(made({ required })))).toBe('none')
    expect(await refusal(identified(made({ required: { ...required, amr: ['mfa'] } })))).toBe('too_weak')
    there.claims = { auth_time: there.now() - 700 }
    expect(await refusal(identified(made({ required })))).toBe('not_fresh')
    expect(await refusal(identified(made()))).toBe('none')
    expect(await refusal(identified(made(), { isFresh: true }))).toBe('not_fresh')
  })

  test('is not known while the provider fails', async () => {
    there.answers['/token'] = () => new Response('', { status: 500 })
    expect(await refusal(identified(made()))).toBe('ProviderUnusable')
    there.answers['/token'] = () => new Response('<html>', { status: 200 })
    expect(await refusal(identified(made()))).toBe('wrong_token')
  })

  test.each([
    ['keys that it does not give out', '/jwks', 503],
    ['keys that have moved', '/jwks', 302],
    ['no keys but a page', '/jwks', 200],
    ['nothing to say of the person', '/userinfo', 503],
    ['too much to do for a code', '/token', 429],
    ['too much to do for a person', '/userinfo', 429],
  ])('is not known while the provider has %s, which is not the token’s fault', async (_what, path, status) => {
    there.claims = { groups: undefined }
    there.userInfo = {}
    there.answers[path] = () => new Response('<html>', { status, headers: { location: '/elsewhere' } })
    expect(await refusal(identified(made()))).toBe('ProviderUnusable')
    if (path !== '/jwks') return
    const token = await there.logoutToken()
    const provider = made()
    expect(await refusal(provider.readLogoutToken(token))).toBe('ProviderUnusable')
    there.beHonest()
    expect(await provider.readLogoutToken(token)).toMatchObject({ subject: 'subject-1' })
  })

  test('is nobody by a token that another key signed, or that is none', async () => {
    const other = await LyingProvider.start()
    there.sign = (claims: JWTPayload) => other.signed(claims)
    expect(await refusal(identified(made()))).toBe('wrong_token')
    there.sign = () => Promise.resolve('x'.repeat(limits.oidcTokenChars + 1))
    expect(await refusal(identified(made()))).toBe('wrong_token')
  })
})

describe('a logout token', () => {
  const read = async (change: Record<string, unknown> = {}) => made().readLogoutToken(await there.logoutToken(change))

  test('names a session, a subject or both', async () => {
    expect(await read({ jti: 'one', sid: 'session-1' })).toEqual({
      id: 'one',
      subject: 'subject-1',
      sessionId: 'session-1',
    })
    expect(await read({ jti: 'two', sid: 'session-1', sub: undefined })).toMatchObject({
      subject: undefined,
      sessionId: 'session-1',
    })
    expect(await read({ sid: '' })).toMatchObject({ subject: 'subject-1', sessionId: undefined })
  })

  test.each([
    ['a nonce', { nonce: 'n' }],
    ['no id', { jti: undefined }],
    ['an empty id', { jti: '' }],
    ['no event', { events: undefined }],
    ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['neither session nor subject', { sub: undefined }],
    ['both of them empty', { sub: '', sid: '' }],
    ['a subject with a control character', { sub: 'a\u0000b' }],
    ['no moment', { iat: undefined }],
    ['another audience', { aud: 'another' }],
  ])('with %s is refused', async (_what, change) => {
    expect(await refusal(read(change))).toBe('wrong_token')
  })

  test('counts for two minutes, and half a minute more for clocks that are off', async () => {
    const [age, tolerance] = [limits.oidcLogoutTokenMs / 1000, limits.oidcToleranceSeconds]
    const outcome = (seconds: number) => refusal(read({ iat: there.now() - seconds, exp: there.now() + 500 }))
    expect(await Promise.all([0, age + tolerance - 1, -(tolerance - 2)].map(outcome))).toEqual(['none', 'none', 'none'])
    expect(await Promise.all([age + tolerance + 2, -(tolerance + 2)].map(outcome))).toEqual([
      'wrong_token',
      'wrong_token',
    ])
  })
})

describe('signing out there, and describing it', () => {
  test('leads to its page, with the way back, where it has one', async () => {
    expect(await made().endSessionUrl('https://quire.test/login')).toBeUndefined()
    there.description = { end_session_endpoint: `${there.issuer}/end?x=1` }
    const url = (await made().endSessionUrl('https://quire.test/login'))!
    expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
      '/end',
      { x: '1', client_id: 'quire', post_logout_redirect_uri: 'https://quire.test/login' },
    ])
  })

  test.each([
    ['no address', 'nonsense'],
    ['a number', 42],
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
  ])('leads no browser to %s', async (_what, place) => {
    there.description = { authorization_endpoint: place, end_session_endpoint: place }
    const said = (name: string) => `the provider's ${name} is no https address`
    expect(await outcomeOf(made().authorizationUrl(request))).toThrow(said('authorization_endpoint'))
    expect(await outcomeOf(made().authorizationUrl(request))).toThrow(ProviderUnusable)
    expect(await outcomeOf(made().endSessionUrl('https://quire.test/login'))).toThrow(said('end_session_endpoint'))
  })

  test.each([
    ['names no sign-in page', { authorization_endpoint: undefined }],
    ["the provider's authorization_endpoint is no https address", { authorization_endpoint: 'nonsense' }],
    ['names no place that takes codes', { token_endpoint: undefined }],
    ['names no place that takes codes', { token_endpoint: 7 }],
  ])('is nothing for one at which nobody could sign in: %s', async (said, description) => {
    there.description = description
    expect(await outcomeOf(made().describe())).toThrow(said)
  })

  test('counts its keys, and none where it shows none', async () => {
    const described = await made().describe()
    expect([described.description.issuer, described.keys]).toEqual([there.issuer, 1])
    for (const answer of [
      new Response('', { status: 404 }),
      new Response('<html>'),
      Response.json({ keys: 3 }),
      Response.json(null),
    ]) {
      there.answers['/jwks'] = () => answer.clone()
      expect((await made().describe()).keys).toBe(0)
    }
  })
})

describe('a request to a provider', () => {
  const ask = (path: string) => boundedFetch(there.issuer)(`${there.issuer}${path}`)

  test('follows no redirect, and gives the answer as it is', async () => {
    there.answers['/moved'] = () => Response.redirect(`${there.issuer}/end`, 302)
    there.answers['/empty'] = () => new Response(null, { status: 204 })
    expect((await ask('/moved')).status).toBe(302)
    expect([(await ask('/empty')).status, await (await ask('/end')).text()]).toEqual([204, 'signed out'])
    expect(there.asked.map(({ path }) => path)).toEqual(['/moved', '/empty', '/end'])
  })

  test('takes an answer up to its limit and not one byte more', async () => {
    there.answers['/large'] = () => new Response(new Uint8Array(limits.oidcAnswerBytes))
    there.answers['/larger'] = () => new Response(new Uint8Array(limits.oidcAnswerBytes + 1))
    expect((await (await ask('/large')).bytes()).length).toBe(limits.oidcAnswerBytes)
    expect(await outcomeOf(ask('/larger'))).toThrow(`answers more than ${limits.oidcAnswerBytes} bytes`)
  })

  test('asks for plain bytes, and unpacks no more than its limit', async () => {
    const sendPacked = (packed: Uint8Array<ArrayBuffer>, coding: string) => {
      there.answers['/packed'] = () => new Response(packed, { headers: { 'content-encoding': coding } })
      return ask('/packed')
    }
    const sent: (string | null)[] = []
    there.answers['/plain'] = (request) => {
      sent.push(request.headers.get('accept-encoding'))
      return new Response('plain')
    }
    expect([await (await ask('/plain')).text(), sent]).toEqual(['plain', ['identity']])
    const exact = Bun.gzipSync(new Uint8Array(limits.oidcAnswerBytes))
    expect((await (await sendPacked(exact, 'gzip')).bytes()).length).toBe(limits.oidcAnswerBytes)
    const bomb = Bun.gzipSync(new Uint8Array(400 * limits.oidcAnswerBytes))
    const grownBy = async () => {
      const before = process.memoryUsage.rss()
      expect(await outcomeOf(sendPacked(bomb, 'gzip'))).toThrow(`answers more than ${limits.oidcAnswerBytes} bytes`)
      return process.memoryUsage.rss() - before
    }
    // What other files left in this process may take some of its memory in one of them.
    expect(Math.min(await grownBy(), await grownBy(), await grownBy())).toBeLessThan(32 * 1_048_576)
    expect(await outcomeOf(sendPacked(new Uint8Array(Bun.zstdCompressSync('{}')), 'zstd'))).toThrow('answers packed')
  })

  test('waits no longer for an address than for an answer', async () => {
    const never = () => new Promise<never>(() => {})
    const asking = boundedFetch('https://id.example.org', never, 100)('https://keys.example.org/jwks')
    expect(await outcomeOf(Promise.race([asking, Bun.sleep(3_000)]))).toThrow('does not answer within 0.1 s')
  })

  test.each([
    ['http://id.example.org/token', 'not https'],
    ['http://127.0.0.1:1/token', 'not https'],
    ['https://localhost/token', 'inside a private network'],
    ['https://10.0.0.1/token', 'inside a private network'],
    ['https://[::1]/token', 'inside a private network'],
  ])('that its description sends to %s is not made', async (url, why) => {
    expect(await outcomeOf(boundedFetch('https://id.example.org')(url))).toThrow(why)
  })

  test('that its description sends to a name goes to the address that was checked, and to none that it means later', async () => {
    // A name that leads to this machine, as a server of names may say it the second time.
    const name = hostname()
    let connections = 0
    const neighbour = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => neighbour.listen(0, '0.0.0.0', resolve))
    const { port } = neighbour.address() as AddressInfo
    const asked: string[] = []
    const resolve = async (asking: string) => {
      asked.push(asking)
      return [{ address: '192.0.2.1', family: 4 }]
    }
    const fetching = boundedFetch('https://id.example.org', resolve)(`https://${name}:${port}/token`)
    expect(await outcomeOf(fetching)).toThrow(ProviderUnusable)
    expect([asked, connections]).toEqual([[name.toLowerCase()], 0])
    const nowhere = boundedFetch('https://id.example.org', async () => [])(`https://${name}:${port}/token`)
    expect(await outcomeOf(nowhere)).toThrow('has no address')
    expect(connections).toBe(0)
    neighbour.close()
  }, 60_000)

  test('that nobody answers is the provider’s fault', async () => {
    expect(await outcomeOf(boundedFetch('http://127.0.0.1:1')('http://127.0.0.1:1/token'))).toThrow("can't be reached")
  })
})
