import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { Clock } from '../../src/core/clock.ts'
import { epochMsOf } from '../../src/core/instant.ts'
import type { OidcConfig } from '../../src/oidc/settings.ts'
import { onTestsEnd } from './cleanup.ts'

/**
 * A provider of the tests: honest until a test makes it lie. It keeps the protocol's rules about codes and PKCE, and
 * signs whatever it is told to.
 */
export class LyingProvider {
  readonly clientId = 'quire'
  readonly clientSecret = 'a-client-secret-of-the-tests'
  /** What the next ID tokens say otherwise; undefined takes a claim away. */
  claims: Record<string, unknown> = {}
  /** Changes the description. */
  description: Record<string, unknown> = {}
  /** Signs tokens in place of the usual key. */
  sign: (claims: JWTPayload) => Promise<string> = (claims) => this.signed(claims)
  /** Answers a path in place of the usual answer. */
  answers: Record<string, (request: Request) => Response | Promise<Response>> = {}
  userInfo: Record<string, unknown> | undefined
  readonly asked: { path: string; body: URLSearchParams; authorization: string | null }[] = []
  clock: Clock | undefined
  #keys: { kid: string; privateKey: CryptoKey; publicKey: CryptoKey }[] = []
  readonly #codes = new Map<string, URL>()
  readonly #server: ReturnType<typeof Bun.serve>

  private constructor() {
    this.#server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => this.#answer(request) })
  }

  static async start(): Promise<LyingProvider> {
    const provider = new LyingProvider()
    await provider.changeKeys()
    onTestsEnd(() => provider.#server.stop(true))
    return provider
  }

  /** Ends all lies of the test before. */
  beHonest(): void {
    this.claims = {}
    this.description = {}
    this.sign = (claims) => this.signed(claims)
    this.answers = {}
    this.userInfo = undefined
    this.asked.length = 0
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  config(change: Partial<OidcConfig> = {}): OidcConfig {
    const { issuer, clientId, clientSecret } = this
    return {
      ...{ issuer, clientId, clientSecret, name: 'Test provider', scopes: 'openid profile email' },
      ...{ groupsClaim: 'groups', createsUsers: true },
      required: { acr: [], amr: [], maxAgeSeconds: undefined },
      roles: [
        { role: 'administrator', group: 'quire-admins' },
        { role: 'operator', group: 'quire-operators' },
      ],
      ...change,
    }
  }

  /** The keys that it signs with and shows from now on. */
  async changeKeys(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    this.#keys = [{ kid: randomUUID(), privateKey, publicKey }]
  }

  async publicPem(): Promise<string> {
    return exportSPKI(this.#keys[0]!.publicKey)
  }

  get kid(): string {
    return this.#keys[0]!.kid
  }

  signed(claims: JWTPayload): Promise<string> {
    const { kid, privateKey } = this.#keys[0]!
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
  }

  /** What a person's browser comes back with, who has signed in. */
  authorize(location: string, change: Record<string, string> = {}): string {
    const code = randomUUID()
    const asked = new URL(location)
    this.#codes.set(code, asked)
    const query = { code, state: asked.searchParams.get('state') ?? '', iss: this.issuer, ...change }
    return `/api/v1/auth/oidc/callback?${new URLSearchParams(query)}`
  }

  /** Lets everybody in at once, as a provider does where the person has signed in already. */
  #letIn(request: Request): Response {
    const back = new URL(new URL(request.url).searchParams.get('redirect_uri') ?? '')
    return Response.redirect(new URL(this.authorize(request.url), back).href, 303)
  }

  now(): number {
    return Math.floor((this.clock === undefined ? Date.now() : epochMsOf(this.clock.now())) / 1000)
  }

  async logoutToken(change: Record<string, unknown> = {}): Promise<string> {
    const claims = {
      ...{ iss: this.issuer, aud: this.clientId, iat: this.now(), exp: this.now() + 120, jti: randomUUID() },
      ...{ sub: 'subject-1', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
      ...change,
    }
    return this.sign(JSON.parse(JSON.stringify(claims)) as JWTPayload)
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const text = await request.clone().text()
    this.asked.push({
      ...{ path: pathname, body: new URLSearchParams(text), authorization: request.headers.get('authorization') },
    })
    const other = this.answers[pathname]
    if (other !== undefined) return other(request)
    if (pathname === '/.well-known/openid-configuration') return Response.json(this.#describe())
    if (pathname === '/authorize') return this.#letIn(request)
    if (pathname === '/end') return new Response('signed out')
    if (pathname === '/jwks') return Response.json({ keys: await this.#publicKeys() })
    if (pathname === '/token') return this.#token(new URLSearchParams(text))
    if (pathname === '/userinfo') return Response.json({ sub: 'subject-1', ...this.userInfo })
    return new Response('no such page', { status: 404 })
  }

  #describe(): Record<string, unknown> {
    const { issuer } = this
    return {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/jwks`, authorization_response_iss_parameter_supported: true },
      ...{ id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'], response_types_supported: ['code'] },
      ...{ subject_types_supported: ['public'], code_challenge_methods_supported: ['S256'] },
      ...(this.userInfo === undefined ? {} : { userinfo_endpoint: `${issuer}/userinfo` }),
      ...this.description,
    }
  }

  #publicKeys() {
    return Promise.all(
      this.#keys.map(async ({ kid, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg: 'RS256',
        use: 'sig',
      })),
    )
  }

  async #token(body: URLSearchParams): Promise<Response> {
    const asked = this.#codes.get(body.get('code') ?? '')
    this.#codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      asked !== undefined &&
      asked.searchParams.get('code_challenge_method') === 'S256' &&
      asked.searchParams.get('code_challenge') === challenge &&
      asked.searchParams.get('redirect_uri') === body.get('redirect_uri')
    if (!isRight) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const claims = {
      ...{ iss: this.issuer, aud: this.clientId, sub: 'subject-1', iat: this.now(), exp: this.now() + 300 },
      ...{ nonce: asked.searchParams.get('nonce'), auth_time: this.now(), sid: 'session-1' },
      ...{ preferred_username: 'Ada.Lovelace', name: 'Ada Lovelace', groups: ['quire-operators'] },
      ...this.claims,
    }
    const idToken = await this.sign(JSON.parse(JSON.stringify(claims)) as JWTPayload)
    return Response.json({ access_token: 'an-access-token', token_type: 'Bearer', id_token: idToken })
  }
}
