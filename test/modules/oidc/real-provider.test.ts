import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { epochMsOf } from '../../../src/core/instant.ts'
import type { OidcConfig } from '../../../src/oidc/settings.ts'
import { cookiesOf, host, jsonOf, origin, startTestApp, type TestApp } from '../../http/harness.ts'

/** oidc-provider, which is certified by the OpenID Foundation, with its own pages for signing in and consenting. */
describe('with a real provider', () => {
  let server: Server
  let issuer: string
  let oidc: OidcConfig
  let started: TestApp
  let backchannel: ReturnType<typeof Bun.serve>
  const told: number[] = []

  beforeAll(async () => {
    const { default: Provider } = await import('oidc-provider')
    // Told by the provider of sign-outs, as it would reach the service.
    backchannel = Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0 },
      async fetch(request) {
        const { pathname } = new URL(request.url)
        const headers = { 'content-type': request.headers.get('content-type') ?? '' }
        const answer = await started.send({ method: 'POST', path: pathname, headers, body: await request.text() })
        told.push(answer.status)
        return answer
      },
    })
    server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const provider = new Provider(issuer, {
      clients: [
        {
          ...{ client_id: 'quire', client_secret: 'a-client-secret-of-the-tests', grant_types: ['authorization_code'] },
          redirect_uris: [`${origin}/api/v1/auth/oidc/callback`],
          post_logout_redirect_uris: [`${origin}/login`],
          backchannel_logout_uri: `http://127.0.0.1:${backchannel.port}/api/v1/auth/oidc/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      pkce: { required: () => true },
      features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
      acrValues: ['strong'],
      claims: { openid: ['sub', 'groups', 'amr'], profile: ['name', 'preferred_username'] },
      cookies: { keys: ['a key of the tests'] },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, name: `${id} of the tests`, preferred_username: id, groups: ['staff'] }),
      }),
    })
    // Its development pages say nothing of how strong a sign-in was: this name is one with a second factor.
    const end = provider.interactionFinished.bind(provider)
    provider.interactionFinished = (request, response, result, options) => {
      if (result.login?.accountId === 'strong-ada') Object.assign(result.login, { acr: 'strong', amr: ['pwd', 'otp'] })
      return end(request, response, result, options)
    }
    server.on('request', provider.callback())
    oidc = {
      ...{ issuer, clientId: 'quire', clientSecret: 'a-client-secret-of-the-tests', name: 'Real', createsUsers: true },
      ...{ scopes: 'openid profile', groupsClaim: 'groups', roles: [{ role: 'operator', group: 'staff' }] },
      required: { acr: [], amr: [], maxAgeSeconds: undefined },
    }
    await startWith(oidc)
  })

  async function startWith(config: OidcConfig) {
    started = await startTestApp('sqlite', { oidc: config })
    // The provider has this machine's clock.
    started.clock.advance(Date.now() - epochMsOf(started.clock.now()))
  }

  afterAll(async () => {
    server?.closeAllConnections()
    server?.close()
    await backchannel?.stop(true)
  })

  /** A browser at the provider: its cookies, and its forms filled in with this name. */
  function browser() {
    const jar = new Map<string, string>()
    async function follow(target: string, form?: Record<string, string>): Promise<{ url: string; page: string }> {
      let url = target
      let body: URLSearchParams | undefined = form && new URLSearchParams(form)
      for (let step = 0; step < 20; step++) {
        if (!url.startsWith(issuer)) return { url, page: '' }
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const response: Response = await fetch(url, {
          ...{ redirect: 'manual', headers: { cookie }, method: body === undefined ? 'GET' : 'POST' },
          ...(body === undefined ? {} : { body }),
        })
        for (const set of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          if (/expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name)
          else jar.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null) return { url, page: await response.text() }
        url = new URL(location, url).href
        body = undefined
      }
      throw new Error('the provider leads nowhere')
    }
    async function signIn(location: string, login: string): Promise<string> {
      let at = await follow(location)
      for (let form = 0; form < 3 && at.url.startsWith(issuer); form++) {
        const action = /action="([^"]+)"/.exec(at.page)?.[1]
        if (action === undefined) throw new Error(`no form at ${at.url}: ${at.page.slice(0, 500)}`)
        const prompt = /name="prompt" value="(\w+)"/.exec(at.page)?.[1] ?? ''
        at = await follow(new URL(action, at.url).href, { prompt, login, password: 'any' })
      }
      return at.url
    }
    return { follow, signIn }
  }

  async function begin(path = '/api/v1/auth/oidc/start', headers: Record<string, string> = {}) {
    const asked = await started.send({
      ...{ method: 'POST', path, body: {}, headers: { 'content-type': 'application/json', origin, ...headers } },
    })
    return { location: String((await jsonOf(asked)).location), cookie: cookiesOf(asked).join('; ') }
  }

  async function finish(url: string, cookie: string) {
    expect(url.startsWith(`${origin}/api/v1/auth/oidc/callback?`)).toBe(true)
    const ended = await started.send({ path: url.slice(origin.length), headers: { cookie } })
    const location = new URL(ended.headers.get('location') ?? '', origin)
    return { told: Object.fromEntries(location.searchParams), cookies: cookiesOf(ended).join('; ') }
  }

  test('a person signs in, confirms, signs out there, and the session here has ended', async () => {
    const person = browser()
    const begun = await begin()
    const ended = await finish(await person.signIn(begun.location, 'ada'), begun.cookie)
    expect(ended.told).toEqual({ ended: 'signed-in' })
    const read = () => started.send({ path: '/api/v1/auth/session', headers: { cookie: ended.cookies } })
    const session = await jsonOf(await read())
    expect(session).toMatchObject({ user: { username: 'ada', display_name: 'ada of the tests', roles: ['operator'] } })

    const headers = { cookie: ended.cookies, 'x-csrf-token': String(session.csrf_token) }
    const asked = await begin('/api/v1/auth/oidc/confirm', headers)
    const confirmed = await finish(await person.signIn(asked.location, 'ada'), asked.cookie)
    expect(confirmed.told).toEqual({ ended: 'confirmed' })

    // Signed out by the provider's own page, which then tells us behind the browser's back.
    const page = await person.follow(`${issuer}/session/end?client_id=quire`)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.page)?.[1] ?? ''
    await person.follow(`${issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
    expect(told).toEqual([200])
    expect((await read()).status).toBe(401)
    expect(host).toBe('quire.test:8080')
  })

  test('a code is taken once, and another person can not confirm', async () => {
    const person = browser()
    const begun = await begin()
    const url = await person.signIn(begun.location, 'bob')
    const ended = await finish(url, begun.cookie)
    expect(ended.told).toEqual({ ended: 'signed-in' })
    expect((await finish(url, begun.cookie)).told).toMatchObject({ refused: 'replayed_state' })
    const session = await jsonOf(
      await started.send({ path: '/api/v1/auth/session', headers: { cookie: ended.cookies } }),
    )
    const headers = { cookie: ended.cookies, 'x-csrf-token': String(session.csrf_token) }
    const asked = await begin('/api/v1/auth/oidc/confirm', headers)
    const other = await finish(await browser().signIn(asked.location, 'eve'), asked.cookie)
    expect(other.told).toMatchObject({ refused: 'other_person' })
  })

  test('only a sign-in of the required strength lets somebody in', async () => {
    for (const required of [
      { acr: ['strong'], amr: [], maxAgeSeconds: 600 },
      { acr: [], amr: ['otp'], maxAgeSeconds: undefined },
    ]) {
      await startWith({ ...oidc, required })
      const signIn = async (name: string) => {
        const { location, cookie } = await begin()
        return (await finish(await browser().signIn(location, name), cookie)).told
      }
      expect(await signIn('weak-ada')).toMatchObject({ refused: 'too_weak' })
      expect(await signIn('strong-ada')).toEqual({ ended: 'signed-in' })
    }
  })
})
