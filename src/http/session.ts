import { Fault } from '../core/faults.ts'
import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { type Owed, owedBy, type Principal, type SessionAccess, type TokenGrant, type TokenScope } from './access.ts'
import { cookieNameFor, createSessionCookies, type SessionCookies } from './cookies.ts'
import { createDeviceCookies, type DeviceCookies } from './devices.ts'
import { type Asked, type FamilySource, requireReach } from './reach.ts'
import { deriveKeys, hashToken, isOriginOfHost, isSigned, type Keys, sign } from './tokens.ts'

/** Where sessions are kept. */
export interface SessionSource {
  /** The live session of a token on the host that issued it; undefined if there is none or it has ended. */
  findSession(tokenHash: string, host: string): Promise<Principal | undefined>
}

/** Where tokens are kept. */
export interface TokenSource {
  /** Who a live token acts for; undefined if there is no such token. */
  findPrincipal(token: string, clientAddress: string): Promise<Principal | undefined>
}

/** The browser in which somebody signs in. */
export interface Browser {
  /** What it calls itself. */
  name: string
  /** The token hash of the session that it had before. */
  sessionBefore: string | undefined
  /** Whether this user has signed in there lately. */
  isKnownTo(username: string, at: Instant): Promise<boolean>
}

/** Everything about who is calling and from where: cookies, origins, CSRF tokens, and the guards made of them. */
export interface SessionGuard {
  readonly cookies: SessionCookies
  readonly devices: DeviceCookies
  /** @throws Fault authentication_required */
  authenticate(request: Request, host: string, clientAddress: string): Promise<Principal>
  /** The browser that a request comes from. */
  browserOf(request: Request, host: string): Promise<Browser>
  /** The checked origin of a mutation. @throws Fault csrf_rejected */
  requireCsrf(request: Request, host: string, principal: Principal): Promise<string>
  /** The checked origin of a login. @throws Fault origin_rejected */
  requireLoginOrigin(request: Request, host: string): string
  /** @throws Fault forbidden; authentication_required for a token where a session is wanted */
  authorize(access: SessionAccess, principal: Principal): void
  /** @throws Fault forbidden for a token of other families */
  requireReach(operationId: string, asked: Asked, principal: Principal | undefined): Promise<void>
  /** The origin that a session read's CSRF token is for. */
  originOf(request: Request, host: string): string
  csrfToken(sessionId: string, origin: string): Promise<string>
  /** The configured origins of a host; most hosts have one. */
  originsOf(host: string): readonly string[]
}

export async function createSessionGuard(options: {
  secrets: Keys
  origins: readonly string[]
  sessions: SessionSource
  tokens: TokenSource & FamilySource
  /** Whether nobody may put their own work in force. */
  fourEyes?: boolean
}): Promise<SessionGuard> {
  const { secrets, origins, sessions, tokens, fourEyes = false } = options
  const csrfKeys = await deriveKeys(secrets, 'csrf')
  const cookies = createSessionCookies(await deriveKeys(secrets, 'cookie'))
  const devices = await createDeviceCookies(secrets)

  const originsAt = (host: string) => origins.filter((origin) => isOriginOfHost(origin, host))
  // A host may be written in many ways; those of the origins themselves are known.
  const knownHosts = new Map(origins.map((origin) => new URL(origin).host).map((host) => [host, originsAt(host)]))
  const originsOf = (host: string): readonly string[] => knownHosts.get(host) ?? originsAt(host)

  const sessionHashes = new Map<string, string>()
  /**
   * The hash of the session's token that a request carries. Genuine cookies are remembered, because checking the signature and
   * hashing can take as long as the request itself.
   */
  async function sessionHashOf(request: Request, host: string): Promise<string | undefined> {
    const sent = `${host}\n${request.headers.get('cookie')}`
    const known = sessionHashes.get(sent)
    if (known !== undefined) return known
    const token = tokenOf(request, host)
    if (token === undefined) return undefined
    const hash = await hashToken(token)
    if (sent.length > limits.cookieCharsKept) return hash
    // A map keeps the order in which its keys came.
    const [oldest] = sessionHashes.keys()
    if (oldest !== undefined && sessionHashes.size >= limits.sessionsKept) sessionHashes.delete(oldest)
    sessionHashes.set(sent, hash)
    return hash
  }

  const isAllowed = (origin: string, host: string) => originsOf(host).includes(origin)

  function tokenOf(request: Request, host: string): string | undefined {
    // If the host is served over https only, never read the unprefixed name: a sibling domain could have set it.
    const names = [...new Set(originsOf(host).map((origin) => cookieNameFor(origin)))].sort()
    return cookies.read(request.headers.get('cookie'), names)
  }

  const guard: SessionGuard = {
    cookies,
    devices,
    originsOf,

    async authenticate(request, host, clientAddress) {
      const bearer = tokenIn(request)
      if (bearer !== undefined) {
        const owner = await tokens.findPrincipal(bearer, clientAddress)
        if (owner !== undefined) return { ...owner, fourEyes }
        throw new Fault('authentication_required', 'The token is unknown, has expired or was revoked. Make a new one.')
      }
      const tokenHash = await sessionHashOf(request, host)
      const principal = tokenHash === undefined ? undefined : await sessions.findSession(tokenHash, host)
      if (principal === undefined) {
        throw new Fault(
          'authentication_required',
          'There is no valid session. Log in and send its cookie, or send a token.',
        )
      }
      return { ...principal, fourEyes }
    },

    async browserOf(request, host) {
      const said = (request.headers.get('user-agent') ?? '').replace(/\p{Cc}/gu, ' ').toWellFormed()
      const sessionBefore = await sessionHashOf(request, host)
      return {
        ...{ name: said.slice(0, limits.browserChars), sessionBefore },
        async isKnownTo(username, at) {
          const user = { username, origin: guard.originOf(request, host), at }
          return (await devices.find(request.headers.get('cookie'), user)) !== undefined
        },
      }
    },

    async requireCsrf(request, host, principal) {
      const origin = request.headers.get('origin')
      const token = request.headers.get('x-csrf-token')
      const isGenuine =
        origin !== null &&
        token !== null &&
        isAllowed(origin, host) &&
        (await isSigned(csrfKeys, csrfMessage(principal.sessionId, origin), token))
      if (!isGenuine) {
        throw new Fault(
          'csrf_rejected',
          'Origin or X-CSRF-Token is missing or not accepted. Send the configured browser origin and the token of this session.',
        )
      }
      return origin
    },

    requireLoginOrigin(request, host) {
      const origin = request.headers.get('origin') ?? refererOrigin(request)
      if (origin === undefined || !isAllowed(origin, host)) {
        throw new Fault('origin_rejected', 'The login must come from a configured browser origin on this host.')
      }
      return origin
    },

    authorize(access, principal) {
      const owed = owedBy(principal)
      if (owed !== undefined && !access.whileOwing.includes(owed)) throw new Fault('forbidden', remedies[owed])
      const { permission, scope } = access
      if (principal.token !== undefined) requireScope(principal.token, scope)
      const hasRole = access.roles.some((role) => principal.roles.includes(role))
      if (!hasRole || (permission !== undefined && !principal.permissions.includes(permission))) {
        throw new Fault('forbidden', 'Your roles do not allow this operation. Ask an administrator for one that does.')
      }
    },

    requireReach: (operationId, asked, principal) => requireReach(tokens, operationId, asked, principal),

    originOf(request, host) {
      // Browsers send no Origin with a same-origin GET; what they do send picks among origins of one host.
      const named = request.headers.get('origin') ?? refererOrigin(request)
      if (named !== undefined && isAllowed(named, host)) return named
      const [first] = originsOf(host)
      // A session is found only by the cookie names of such origins.
      if (first === undefined) throw new Error(`there is a session for ${host}, which has no configured origin`)
      return first
    },

    csrfToken: (sessionId, origin) => sign(csrfKeys[0], csrfMessage(sessionId, origin)),
  }
  return guard
}

const remedies: Readonly<Record<Owed, string>> = {
  second_factor:
    'The sign-in is not over: give the second factor with POST /api/v1/auth/second-factor. Programs use tokens.',
  password_change: 'The password must be changed first. Use POST /api/v1/auth/password.',
  enrolment: 'Your role wants a second factor. Add one first: POST /api/v1/auth/factors/app or /passkey.',
}

/**
 * Requires a token's scope. An operation without one is for sessions only, and answers 401 as it would without a token.
 *
 * @throws Fault authentication_required where there is no scope for it; forbidden for a token that lacks it
 */
export function requireScope({ scopes }: TokenGrant, scope: TokenScope | undefined): void {
  if (scope === undefined) {
    throw new Fault('authentication_required', 'This is for people, and takes no token. Log in for it.')
  }
  if (scopes.includes(scope)) return
  throw new Fault('forbidden', `The token has no scope ${scope}, which this wants. Use one that has it.`)
}

/** Quire's token in the Authorization header. Any other value may be a proxy's, sent beside the session's cookie. */
function tokenIn(request: Request): string | undefined {
  return /^bearer +(qr_\S*)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

function csrfMessage(sessionId: string, origin: string): string {
  return `${sessionId}\n${origin}`
}

function refererOrigin(request: Request): string | undefined {
  const referer = request.headers.get('referer')
  return referer !== null && URL.canParse(referer) ? new URL(referer).origin : undefined
}
