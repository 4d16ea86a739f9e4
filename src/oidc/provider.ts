import {
  createRemoteJWKSet,
  errors,
  customFetch as fetchOfKeys,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import * as oauth from 'oauth4webapi'
import type { Clock } from '../core/clock.ts'
import { epochMsOf } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { boundedFetch, ProviderUnusable } from './fetch.ts'
import { type Claims, groupsOf } from './roles.ts'
import type { OidcConfig } from './settings.ts'
import { weaknessOf } from './strength.ts'

/**
 * The protocol with an OpenID provider: OpenID Connect Core 1.0 (authorization code with PKCE), Back-Channel Logout 1.0
 * and RP-Initiated Logout 1.0. oauth4webapi checks what the provider says, jose its signatures. Loaded by the first
 * sign-in; nothing of it runs before.
 */
export interface Provider {
  /** Where to send the browser. @throws ProviderUnusable */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>
  /** Who the answer in the callback's query is about. @throws AnswerRefused, ProviderUnusable */
  identify(answer: AuthorizationAnswer): Promise<Identity>
  /** @throws AnswerRefused, ProviderUnusable */
  readLogoutToken(token: string): Promise<LogoutToken>
  /** Where to send the browser to sign out there, too; undefined if the provider has no such place. */
  endSessionUrl(returnUri: string): Promise<URL | undefined>
  /** The provider's description, and how many keys it has. @throws ProviderUnusable when nobody could sign in with it */
  describe(): Promise<{ description: oauth.AuthorizationServer; keys: number }>
}

export interface AuthorizationRequest {
  redirectUri: string
  state: string
  nonce: string
  verifier: string
  /** The person must sign in again, even with a session at the provider. */
  isFresh: boolean
}

export interface AuthorizationAnswer extends AuthorizationRequest {
  query: URLSearchParams
}

export interface Identity {
  subject: string
  /** The provider's id of its session. */
  sessionId: string | undefined
  /** When the person signed in there, in seconds of the epoch. */
  authenticatedAt: number | undefined
  claims: Claims
}

export interface LogoutToken {
  id: string
  subject: string | undefined
  sessionId: string | undefined
}

/** Why an answer isn't believed: the word is for the audit trail. */
export type RefusalReason =
  | 'provider_refused'
  | 'wrong_answer'
  | 'code_refused'
  | 'wrong_token'
  | 'wrong_nonce'
  | 'not_fresh'
  | 'too_weak'

export class AnswerRefused extends Error {
  override readonly name = 'AnswerRefused'
  constructor(
    readonly reason: RefusalReason,
    why: string,
    options?: ErrorOptions,
  ) {
    super(why, options)
  }
}

/** Asymmetric ones alone: with `HS256` a public key would pass as a secret, and `none` is no signature. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

export interface ProviderOptions {
  config: OidcConfig
  clock: Clock
  /** How soon keys are asked for again when one is missing; tests don't wait. */
  keysAgainMs?: number
}

export function createProvider({ config, clock, keysAgainMs = limits.oidcKeysAgainMs }: ProviderOptions): Provider {
  const { required } = config
  const issuer = new URL(config.issuer)
  const ask = boundedFetch(config.issuer)
  // Only an issuer on this machine may have http: (settings.ts).
  const http = { [oauth.customFetch]: ask, [oauth.allowInsecureRequests]: issuer.protocol === 'http:' }
  let known: { description: oauth.AuthorizationServer; keys: JWTVerifyGetKey; until: number } | undefined
  let asking: Promise<NonNullable<typeof known>> | undefined

  async function discover() {
    const response = await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oidc' })
    const description = await oauth.processDiscoveryResponse(issuer, response)
    if (description.issuer !== config.issuer) {
      throw new ProviderUnusable(`the provider calls itself ${description.issuer}; write QUIRE_OIDC_ISSUER exactly so`)
    }
    if (description.jwks_uri === undefined) throw new ProviderUnusable('the provider names no keys (jwks_uri)')
    const keys = blamingProvider(
      createRemoteJWKSet(new URL(description.jwks_uri), {
        [fetchOfKeys]: ask,
        cooldownDuration: keysAgainMs,
        cacheMaxAge: limits.oidcKeysMs,
        timeoutDuration: limits.oidcRequestMs,
      }),
    )
    return { description, keys, until: performance.now() + limits.oidcDescriptionMs }
  }

  /** Asked for when it is needed, once for all who need it; one that is old is better than none. */
  async function provider() {
    if (known !== undefined && performance.now() < known.until) return known
    asking ??= discover().finally(() => {
      asking = undefined
    })
    try {
      known = await asking
      return known
    } catch (error) {
      if (known !== undefined) return known
      throw unusable(error)
    }
  }

  /** The library reads this machine's clock; ours may be the database's. */
  function client(): oauth.Client {
    const ahead = Math.round((epochMsOf(clock.now()) - Date.now()) / 1000)
    return {
      client_id: config.clientId,
      [oauth.clockSkew]: ahead,
      [oauth.clockTolerance]: limits.oidcToleranceSeconds,
    }
  }

  function authentication({ token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer) {
    if (config.clientSecret === undefined) return oauth.None()
    // Providers disagree on how a secret is encoded in the header, and agree on the body.
    const takesPost = methods?.includes('client_secret_post') === true
    return takesPost ? oauth.ClientSecretPost(config.clientSecret) : oauth.ClientSecretBasic(config.clientSecret)
  }

  async function verify(token: string, keys: JWTVerifyGetKey, options: { typ?: string } = {}): Promise<JWTPayload> {
    if (token.length > limits.oidcTokenChars) throw new AnswerRefused('wrong_token', 'the token is too long')
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...{ algorithms, issuer: config.issuer, audience: config.clientId },
        clockTolerance: limits.oidcToleranceSeconds,
        currentDate: new Date(epochMsOf(clock.now())),
        requiredClaims: ['iat'],
        ...options,
      })
      return payload
    } catch (error) {
      if (error instanceof ProviderUnusable) throw error
      throw new AnswerRefused('wrong_token', wordsOf(error), { cause: error })
    }
  }

  async function exchange(answer: AuthorizationAnswer) {
    const { description, keys } = await provider()
    const parameters = checked('wrong_answer', () =>
      oauth.validateAuthResponse(description, client(), answer.query, answer.state),
    )
    const response = await asked(() =>
      oauth.authorizationCodeGrantRequest(
        ...([description, client(), authentication(description), parameters] as const),
        ...([answer.redirectUri, answer.verifier, http] as const),
      ),
    )
    const maxAge = answer.isFresh ? limits.oidcFlowMs / 1000 : required.maxAgeSeconds
    requireAtWork(response, 'a code')
    const tokens = await oauth
      .processAuthorizationCodeResponse(description, client(), response, {
        expectedNonce: answer.nonce,
        requireIdToken: true,
        ...(maxAge === undefined ? {} : { maxAge }),
      })
      .catch((error: unknown) => {
        throw refusalOf(error)
      })
    await verify(tokens.id_token ?? '', keys)
    const idToken = oauth.getValidatedIdTokenClaims(tokens)
    if (idToken === undefined) throw new AnswerRefused('wrong_token', 'there is no ID token')
    const weakness = weaknessOf(idToken, required)
    if (weakness !== undefined) throw new AnswerRefused('too_weak', weakness)
    return { description, accessToken: tokens.access_token, idToken }
  }

  /** Some providers return names and groups from their UserInfo endpoint, not in the token. */
  async function withUserInfo({ description, accessToken, idToken }: Awaited<ReturnType<typeof exchange>>) {
    const isWhole =
      (config.roles === undefined || groupsOf(idToken, config.groupsClaim).length > 0) &&
      idToken.preferred_username !== undefined &&
      idToken.name !== undefined
    if (isWhole || description.userinfo_endpoint === undefined) return idToken
    const response = await asked(() => oauth.userInfoRequest(description, client(), accessToken, http))
    requireAtWork(response, 'a question about a person')
    const more = await oauth
      .processUserInfoResponse(description, client(), idToken.sub, response)
      .catch((error: unknown) => {
        throw new AnswerRefused('wrong_answer', wordsOf(error), { cause: error })
      })
    return { ...more, ...idToken }
  }

  return {
    async authorizationUrl({ redirectUri, state, nonce, verifier, isFresh }) {
      const { description } = await provider()
      const url = signInPageOf(description)
      const parameters: Record<string, string> = {
        ...{ response_type: 'code', client_id: config.clientId, redirect_uri: redirectUri, scope: config.scopes },
        ...{ state, nonce, code_challenge_method: 'S256' },
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        ...(required.acr.length === 0 ? {} : { acr_values: required.acr.join(' ') }),
        ...(required.maxAgeSeconds === undefined ? {} : { max_age: String(required.maxAgeSeconds) }),
        ...(isFresh ? { prompt: 'login', max_age: '0' } : {}),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url
    },

    async identify(answer) {
      const exchanged = await exchange(answer)
      const claims: Claims = await withUserInfo(exchanged)
      const { sub, sid, auth_time: authenticatedAt } = exchanged.idToken
      requireSubject(sub)
      return { subject: sub, sessionId: typeof sid === 'string' ? sid : undefined, authenticatedAt, claims }
    },

    async readLogoutToken(token) {
      const { keys } = await provider()
      const claims = await verify(token, keys)
      const { jti, sub, sid, iat = 0, nonce, events } = claims
      const refuse = (why: string): never => {
        throw new AnswerRefused('wrong_token', why)
      }
      if (nonce !== undefined) refuse('a logout token has no nonce')
      if (typeof jti !== 'string' || jti === '') refuse('a logout token has an id')
      const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT_EVENT)
      if (!isLogout) refuse('it is no logout token')
      const ageMs = epochMsOf(clock.now()) - iat * 1000
      const toleranceMs = limits.oidcToleranceSeconds * 1000
      if (ageMs > limits.oidcLogoutTokenMs + toleranceMs || ageMs < -toleranceMs)
        refuse('it is too old, or of the future')
      const sessionId = typeof sid === 'string' && sid !== '' ? sid : undefined
      const subject = typeof sub === 'string' && sub !== '' ? sub : undefined
      if (subject !== undefined) requireSubject(subject)
      if (sessionId === undefined && subject === undefined) refuse('it names neither session nor subject')
      return { id: String(jti), subject, sessionId }
    },

    async endSessionUrl(returnUri) {
      const { description } = await provider()
      if (description.end_session_endpoint === undefined) return undefined
      const url = pageOf(description, 'end_session_endpoint')
      url.searchParams.set('client_id', config.clientId)
      url.searchParams.set('post_logout_redirect_uri', returnUri)
      return url
    },

    async describe() {
      const { description } = await provider()
      signInPageOf(description)
      const { token_endpoint: tokens } = description as Record<string, unknown>
      if (typeof tokens !== 'string' || !URL.canParse(tokens)) {
        throw new ProviderUnusable('the provider names no place that takes codes (token_endpoint)')
      }
      const answer = await asked(() => ask(description.jwks_uri ?? ''))
      const keys: unknown = answer.status === 200 ? await answer.json().catch(() => undefined) : undefined
      const list: unknown = typeof keys === 'object' && keys !== null ? Reflect.get(keys, 'keys') : undefined
      return { description, keys: Array.isArray(list) ? list.length : 0 }
    },
  }
}

/** Blames the token only for the key that it names; any other failure with keys is the provider's. */
function blamingProvider(keys: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      const isTokens =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported
      throw isTokens ? error : unusable(error)
    }
  }
}

/** @throws ProviderUnusable for one that has failed, or has no time (RFC 6585, 4) */
function requireAtWork({ status }: Response, what: string): void {
  if (status >= 500 || status === 429) throw new ProviderUnusable(`the provider answers ${status} to ${what}`)
}

/**
 * A page of the provider to send a browser to: https: (never javascript: or file:), or http: for an issuer on this
 * machine.
 * @throws ProviderUnusable
 */
function pageOf(description: oauth.AuthorizationServer, name: 'authorization_endpoint' | 'end_session_endpoint'): URL {
  const text: unknown = description[name]
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  const isAllowed = url?.protocol === 'https:' || url?.protocol === new URL(description.issuer).protocol
  if (url === undefined || !isAllowed) throw new ProviderUnusable(`the provider's ${name} is no https address`)
  return url
}

function signInPageOf(description: oauth.AuthorizationServer): URL {
  if (description.authorization_endpoint === undefined) throw new ProviderUnusable('the provider names no sign-in page')
  return pageOf(description, 'authorization_endpoint')
}

/** Checks a user's name at the provider, which the database must be able to store unchanged. @throws AnswerRefused */
function requireSubject(subject: string): void {
  const refuse = (why: string): never => {
    throw new AnswerRefused('wrong_token', `its subject ${why}`)
  }
  if (subject === '') refuse('is empty')
  if (subject.length > limits.oidcSubjectChars) refuse('is too long')
  if (/\p{Cc}/u.test(subject) || !subject.isWellFormed()) refuse('has characters that no text has')
}

/** A request's failure is the provider's, whatever it is. */
async function asked(request: () => Promise<Response>): Promise<Response> {
  try {
    return await request()
  } catch (error) {
    throw unusable(error)
  }
}

function unusable(error: unknown): ProviderUnusable {
  if (error instanceof ProviderUnusable) return error
  return new ProviderUnusable(`its answer can't be used: ${wordsOf(error)}`, { cause: error })
}

function checked<T>(reason: RefusalReason, check: () => T): T {
  try {
    return check()
  } catch (error) {
    const said = error instanceof oauth.AuthorizationResponseError ? error.error : undefined
    if (said === undefined) throw new AnswerRefused(reason, wordsOf(error), { cause: error })
    throw new AnswerRefused('provider_refused', `the provider says ${said.replace(/[^\w.-]/g, '?').slice(0, 60)}`)
  }
}

function refusalOf(error: unknown): Error {
  if (error instanceof ProviderUnusable) return error
  if (error instanceof oauth.ResponseBodyError) {
    return new AnswerRefused('code_refused', `the provider says ${error.error.replace(/[^\w.-]/g, '?').slice(0, 60)}`)
  }
  const words = wordsOf(error)
  if (/nonce/.test(words)) return new AnswerRefused('wrong_nonce', words, { cause: error })
  if (/auth_time|max_age|last End-User authentication/.test(words))
    return new AnswerRefused('not_fresh', words, { cause: error })
  return new AnswerRefused('wrong_token', words, { cause: error })
}

/** The libraries' own words name claims and expectations, never a token. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown'
}
