import type { Clock } from '../../core/clock.ts'
import { formatInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { ALL, loginAccess, owedThings, type Principal, sessionAccess } from '../../http/access.ts'
import { cookieNameFor } from '../../http/cookies.ts'
import { defineOperation, emptyBody, jsonBody, type Operation } from '../../http/operation.ts'
import type { SessionGuard } from '../../http/session.ts'
import { loginBody, passwordBody, passwordChangeBody, type SessionBody, session } from './auth.model.ts'
import type { AuthService } from './auth.service.ts'

export function authOperations(auth: AuthService, guard: SessionGuard, clock: Clock): Operation[] {
  const always = sessionAccess(ALL, { whileOwing: owedThings })
  const setsCookie = {
    'Set-Cookie':
      'The session cookie, then one by which this browser is known at the next login: HttpOnly, SameSite=Strict, Path=/, and Secure on https.',
  }
  const expiresCookie = { 'Set-Cookie': 'Expires the session cookie.' }
  return [
    defineOperation({
      id: 'login',
      method: 'POST',
      path: '/api/v1/auth/login',
      tag: 'authentication',
      summary: 'Open a session',
      access: loginAccess,
      body: jsonBody(loginBody, limits.authBodyBytes),
      success: [{ status: 200, schema: session, headers: setsCookie }],
      failures: [401, 403, 415, 422, 429, 503],
      async handle({ request, body, host, origin, clientAddress, correlationId }) {
        const sent = request.headers.get('cookie')
        const user = { username: body.username, origin, at: clock.now() }
        const device = await guard.devices.find(sent, user)
        const browser = await guard.browserOf(request, host)
        const { token, principal } = await auth.login({ ...body, host, clientAddress, device, browser, correlationId })
        const cookies = [await guard.cookies.issue(cookieNameFor(origin), token)]
        // A browser becomes known only after a complete sign-in.
        if (principal.awaits === undefined) cookies.push(await guard.devices.issue(sent, user))
        return { body: await sessionBody(guard, principal, origin), cookies }
      },
    }),
    defineOperation({
      id: 'getCurrentSession',
      method: 'GET',
      path: '/api/v1/auth/session',
      tag: 'authentication',
      summary: 'Read the session and its CSRF token',
      access: always,
      success: [{ status: 200, schema: session }],
      failures: [],
      handle: async ({ principal, origin }) => ({ body: await sessionBody(guard, principal, origin) }),
    }),
    defineOperation({
      id: 'changePassword',
      method: 'POST',
      path: '/api/v1/auth/password',
      tag: 'authentication',
      summary: 'Change the password and end every session of the user',
      access: sessionAccess(ALL, { whileOwing: ['password_change', 'enrolment'] }),
      body: jsonBody(passwordChangeBody, limits.authBodyBytes),
      success: [{ status: 204, headers: expiresCookie }],
      failures: [403, 415, 422, 429],
      async handle({ principal, body, origin, clientAddress, correlationId }) {
        const { current_password: password, new_password: newPassword } = body
        await auth.changePassword({ principal, password, newPassword, clientAddress, correlationId })
        return { cookies: [guard.cookies.expire(cookieNameFor(origin))] }
      },
    }),
    defineOperation({
      id: 'confirmPassword',
      method: 'POST',
      path: '/api/v1/auth/confirm-password',
      tag: 'authentication',
      summary: 'Give the password again, for what asks for it: granting roles, resetting passwords of administrators',
      access: sessionAccess(ALL),
      body: jsonBody(passwordBody, limits.authBodyBytes),
      success: [{ status: 204 }],
      failures: [403, 415, 422, 429],
      async handle({ principal, body, clientAddress, correlationId }) {
        await auth.confirmPassword({ principal, password: body.password, clientAddress, correlationId })
        return {}
      },
    }),
    defineOperation({
      id: 'logout',
      method: 'POST',
      path: '/api/v1/auth/logout',
      tag: 'authentication',
      summary: 'End this session',
      access: always,
      body: emptyBody,
      success: [{ status: 204, headers: expiresCookie }],
      failures: [403, 415, 422],
      async handle({ principal, origin, correlationId }) {
        await auth.logout(principal, correlationId)
        return { cookies: [guard.cookies.expire(cookieNameFor(origin))] }
      },
    }),
  ]
}

export async function sessionBody(guard: SessionGuard, principal: Principal, origin: string): Promise<SessionBody> {
  return {
    user: {
      id: principal.userId,
      username: principal.username,
      display_name: principal.displayName,
      roles: [...principal.roles],
      permissions: [...principal.permissions],
    },
    csrf_token: await guard.csrfToken(principal.sessionId, origin),
    must_change_password: principal.mustChangePassword,
    ...(principal.awaits === undefined ? {} : { awaits: principal.awaits }),
    expires_at: formatInstant(principal.expiresAt),
    idle_expires_at: formatInstant(principal.idleExpiresAt),
  }
}
