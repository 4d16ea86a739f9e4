import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { formatInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { ADMINISTRATOR, ALL, loginAccess, type Principal, publicAccess, sessionAccess } from '../../http/access.ts'
import { type Acting, authorOf } from '../../http/actor.ts'
import { cookieNameFor, cookieValues } from '../../http/cookies.ts'
import type { DeviceUser } from '../../http/devices.ts'
import { defineOperation, emptyBody, jsonBody, type Operation } from '../../http/operation.ts'
import type { SessionGuard } from '../../http/session.ts'
import { object } from '../../http/wire.ts'
import type { AuthService } from '../auth/auth.service.ts'
import { userId, wrappedUser } from '../users/users.model.ts'
import { userBody } from '../users/users.routes.ts'
import type { UserService } from '../users/users.service.ts'
import { account, callbackQuery, flowBody, identityBody, location, logoutError, signInMethods } from './oidc.model.ts'
import { CALLBACK_PATH, type Ended, type OidcService } from './oidc.service.ts'

type OpenedSession = NonNullable<Ended['opened']>

interface Ports {
  auth: AuthService
  users: UserService
  oidc: OidcService | undefined
  guard: SessionGuard
  clock: Clock
  localSignIn?: string | undefined
}

export function oidcOperations(ports: Ports): Operation[] {
  return [...signInOperations(ports), ...sessionOperations(ports), ...linkOperations(ports)]
}

/** Answers 404 without a provider. */
function required(oidc: OidcService | undefined): OidcService {
  if (oidc === undefined) throw new Fault('not_found', 'No sign-in provider is set up. QUIRE_OIDC_ISSUER names one.')
  return oidc
}

const common = { tag: 'authentication' } as const
const flowCookie =
  'What is kept of the sign-in until its way back: HttpOnly, SameSite=Lax, Path=/, and Secure on https.'

function signInOperations({ oidc, guard, clock, localSignIn }: Ports): Operation[] {
  return [
    defineOperation({
      ...common,
      id: 'getSignInMethods',
      method: 'GET',
      path: '/api/v1/auth/methods',
      summary: 'Tell how people sign in here',
      access: publicAccess,
      success: [{ status: 200, schema: signInMethods }],
      failures: [],
      handle: () => ({
        body: {
          passwords: localSignIn === undefined,
          provider: oidc === undefined ? null : { name: oidc.config.name },
        },
      }),
    }),
    defineOperation({
      ...common,
      id: 'startProviderSignIn',
      method: 'POST',
      path: '/api/v1/auth/oidc/start',
      summary: 'Begin a sign-in at the OpenID provider: send the browser to the location',
      access: loginAccess,
      body: jsonBody(flowBody, limits.authBodyBytes),
      success: [{ status: 200, schema: location, headers: { 'Set-Cookie': flowCookie } }],
      failures: [403, 404, 415, 422, 503],
      async handle({ request, body, origin, host }) {
        const known = required(oidc)
        const sent = request.headers.get('cookie')
        const begun = await known.begin(sent, {
          ...{ origin, next: body.next ?? '/', isWindow: body.in_window ?? false },
          sessionBefore: (await guard.browserOf(request, host)).sessionBefore,
          device: await guard.devices.find(sent, browserUser(origin, clock)),
          deviceNotes: cookieValues(sent, cookieNameFor(origin, 'quire-device'))
            .join('~')
            .slice(0, limits.oidcDeviceChars),
        })
        return { body: { location: begun.location }, cookies: [begun.cookie] }
      },
    }),
    defineOperation({
      ...common,
      id: 'finishProviderSignIn',
      method: 'GET',
      path: CALLBACK_PATH,
      summary: 'The way back from the OpenID provider: opens a session and leads to the console',
      access: publicAccess,
      query: callbackQuery,
      success: [
        {
          status: 303,
          headers: {
            Location: 'The console, with `ended`, or `refused` and the `reference` of the record, in its query.',
            'Set-Cookie': 'The session cookie and the one of the browser, as a login sets them.',
          },
        },
      ],
      failures: [404, 422],
      async handle({ request, host, clientAddress, correlationId }) {
        const { searchParams: query } = new URL(request.url)
        const ended = await required(oidc).finish({
          ...{ query, host, clientAddress, correlationId, origins: guard.originsOf(host) },
          cookieHeader: request.headers.get('cookie'),
          browser: (await guard.browserOf(request, host)).name,
          isKnownTo: async ({ origin, deviceNotes }, username) =>
            (await guard.devices.find(notesIn(origin, deviceNotes), { username, origin, at: clock.now() })) !==
            undefined,
        })
        const { opened, cookie } = ended
        const cookies = cookie === undefined ? [] : [cookie]
        if (opened !== undefined) cookies.push(...(await sessionCookies(opened)))
        return { headers: { location: ended.location }, cookies }
      },
    }),
    defineOperation({
      ...common,
      id: 'endSessionsByProvider',
      method: 'POST',
      path: '/api/v1/auth/oidc/backchannel-logout',
      summary: 'For the OpenID provider: end the sessions that a logout token names (Back-Channel Logout 1.0)',
      access: publicAccess,
      body: { kind: 'bytes', mediaType: 'application/x-www-form-urlencoded', maxBytes: limits.oidcTokenChars },
      success: [
        { status: 200, schema: object({}) },
        { status: 400, schema: logoutError },
      ],
      failures: [404, 415, 422, 503],
      async handle({ body, clientAddress, correlationId }) {
        const tokens = new URLSearchParams(new TextDecoder().decode(body)).getAll('logout_token')
        const known = required(oidc)
        const [token = ''] = tokens
        const isEnded = tokens.length === 1 && (await known.endByProvider(token, { clientAddress, correlationId }))
        return isEnded ? { status: 200, body: {} } : { status: 400, body: { error: 'invalid_request' as const } }
      },
    }),
  ]

  /** Cookies as after a login. The browser becomes known for the user, and for signing in at the provider. */
  async function sessionCookies({ token, username, flow: { origin, deviceNotes } }: OpenedSession): Promise<string[]> {
    const user = { username, origin, at: clock.now() }
    const [withUser = ''] = (await guard.devices.issue(notesIn(origin, deviceNotes), user)).split(';')
    return [
      await guard.cookies.issue(cookieNameFor(origin), token),
      await guard.devices.issue(withUser, browserUser(origin, clock)),
    ]
  }
}

/** A Cookie header with the device cookie that the browser had when the sign-in began. */
function notesIn(origin: string, deviceNotes = ''): string {
  return `${cookieNameFor(origin, 'quire-device')}=${deviceNotes}`
}

/**
 * Stands for the provider in device cookies; no user can have this name. Attempts are counted before the user is known, so
 * browsers are known for the provider, too.
 */
function browserUser(origin: string, clock: Clock): DeviceUser {
  return { username: 'oidc:', origin, at: clock.now() }
}

function sessionOperations({ auth, oidc, guard, users }: Ports): Operation[] {
  return [
    defineOperation({
      ...common,
      id: 'getOwnAccount',
      method: 'GET',
      path: '/api/v1/auth/account',
      summary: 'Tell how you sign in, and when you last did',
      access: sessionAccess(ALL),
      success: [{ status: 200, schema: account }],
      failures: [403],
      async handle({ principal }) {
        const user = await users.find(principal.userId)
        const { passwordGivenAt } = principal
        return {
          body: {
            signs_in_by: principal.isExternal ? ('provider' as const) : ('password' as const),
            provider_name: oidc?.config.name ?? null,
            issuer: user?.oidcIssuer ?? null,
            subject: user?.oidcSubject ?? null,
            confirmed_at: passwordGivenAt === undefined ? null : formatInstant(passwordGivenAt),
          },
        }
      },
    }),
    defineOperation({
      ...common,
      id: 'confirmAtProvider',
      method: 'POST',
      path: '/api/v1/auth/oidc/confirm',
      summary:
        'Begin another sign-in at the provider, for what asks for the password again: send the browser to the location',
      access: sessionAccess(ALL),
      body: jsonBody(flowBody, limits.authBodyBytes),
      success: [{ status: 200, schema: location, headers: { 'Set-Cookie': flowCookie } }],
      failures: [403, 404, 415, 422],
      async handle({ request, body, origin, principal }) {
        const known = required(oidc)
        requireExternal(principal)
        const begun = await known.begin(request.headers.get('cookie'), {
          ...{ origin, next: body.next ?? '/', isWindow: body.in_window ?? false, sessionId: principal.sessionId },
        })
        return { body: { location: begun.location }, cookies: [begun.cookie] }
      },
    }),
    defineOperation({
      ...common,
      id: 'logoutAtProvider',
      method: 'POST',
      path: '/api/v1/auth/oidc/logout',
      summary: 'End this session, and tell where to sign out at the provider, too',
      access: sessionAccess(ALL),
      body: emptyBody,
      success: [{ status: 200, schema: location, headers: { 'Set-Cookie': 'Expires the session cookie.' } }],
      failures: [403, 404, 415, 422],
      async handle({ principal, origin, correlationId }) {
        const known = required(oidc)
        await auth.logout(principal, correlationId)
        const cookies = [guard.cookies.expire(cookieNameFor(origin))]
        return { body: { location: principal.isExternal ? await known.signOutLocation(origin) : null }, cookies }
      },
    }),
  ]
}

function requireExternal({ isExternal }: Principal): void {
  if (!isExternal) throw new Fault('forbidden', 'You have a password here. Use POST /api/v1/auth/confirm-password.')
}

function linkOperations({ auth, oidc, users }: Ports): Operation[] {
  const access = sessionAccess(ADMINISTRATOR, { permission: 'user_manage' })
  const shared = { tag: 'users', resourceKind: 'user', path: '/api/v1/admin/users/{userId}/identity', access } as const
  const administrating = (context: Acting) => ({
    ...authorOf(context),
    requirePassword: () => auth.requireRecentPassword(context.principal),
  })
  return [
    defineOperation({
      ...shared,
      id: 'linkUser',
      method: 'PUT',
      summary:
        'Let a user sign in as a subject of the provider, and no longer by password; asks for your own password again',
      params: userId,
      body: jsonBody(identityBody, limits.authBodyBytes),
      success: [{ status: 200, schema: wrappedUser }],
      failures: [403, 404, 409, 415, 422],
      async handle({ params, body, ...context }) {
        const { issuer } = required(oidc).config
        return {
          body: {
            user: userBody(await users.link(params.userId, { issuer, subject: body.subject }, administrating(context))),
          },
        }
      },
    }),
    defineOperation({
      ...shared,
      id: 'unlinkUser',
      method: 'DELETE',
      summary: 'End that: the user signs in again once a password is set; asks for your own password again',
      params: userId,
      body: emptyBody,
      success: [{ status: 200, schema: wrappedUser }],
      failures: [403, 404, 409, 415, 422],
      async handle({ params, ...context }) {
        return { body: { user: userBody(await users.link(params.userId, undefined, administrating(context))) } }
      },
    }),
  ]
}
