import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { formatInstant } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { ALL, loginAccess, type Principal, sessionAccess } from '../../http/access.ts'
import { cookieNameFor } from '../../http/cookies.ts'
import { defineOperation, emptyBody, jsonBody, type Operation } from '../../http/operation.ts'
import type { SessionGuard } from '../../http/session.ts'
import { nothing } from '../../http/wire.ts'
import { session } from './auth.model.ts'
import { sessionBody } from './auth.routes.ts'
import {
  addedFactor,
  begunApp,
  type FactorBody,
  factorId,
  factorOverview,
  newAppBody,
  newPasskeyBody,
  newRecoveryCodes,
  passkeyOptions,
  passkeySignInBody,
  secondFactorBody,
} from './factors.model.ts'
import type { Added, FactorRow, FactorService } from './factors.service.ts'
import type { PasskeySignIn } from './passkey-sign-in.service.ts'
import { qrCodeOf } from './qr-code.ts'
import type { GivenFactor, OpenedSession, SecondFactorService } from './second-factor.service.ts'

interface Ports {
  factors: FactorService
  secondFactor: SecondFactorService
  passkeySignIn: PasskeySignIn
  guard: SessionGuard
  clock: Clock
}

/** Only for people with sessions: no token reaches these. */
export function factorOperations(ports: Ports): Operation[] {
  return [...signInOperations(ports), ...addingOperations(ports), ...keepingOperations(ports)]
}

const common = { tag: 'authentication' } as const
const setsCookies = {
  'Set-Cookie': 'The session cookie, then one by which this browser is known, as a login sets them.',
}

/** Answers with the new session and makes the browser a known one. */
async function opened(
  { guard, clock }: Pick<Ports, 'guard' | 'clock'>,
  { token, principal }: OpenedSession,
  { request, origin }: { request: Request; origin: string },
) {
  const user = { username: principal.username, origin, at: clock.now() }
  return {
    session: await sessionBody(guard, principal, origin),
    cookies: [
      await guard.cookies.issue(cookieNameFor(origin), token),
      await guard.devices.issue(request.headers.get('cookie'), user),
    ],
  }
}

function signInOperations(ports: Ports): Operation[] {
  const { secondFactor, passkeySignIn } = ports
  const awaiting = sessionAccess(ALL, { whileOwing: ['second_factor'] })
  return [
    defineOperation({
      ...common,
      id: 'giveSecondFactor',
      method: 'POST',
      path: '/api/v1/auth/second-factor',
      summary: 'End a sign-in with a code of an authenticator app, a recovery code or a passkey; opens a new session',
      access: awaiting,
      body: jsonBody(secondFactorBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: session, headers: setsCookies }],
      failures: [403, 409, 415, 422, 429],
      async handle({ body, ...context }) {
        requireAwaiting(context.principal)
        const browser = await ports.guard.browserOf(context.request, context.host)
        const done = await secondFactor.give({ ...context, browser, proof: proofOf(body) })
        const { session: answer, cookies } = await opened(ports, done, context)
        return { body: answer, cookies }
      },
    }),
    defineOperation({
      ...common,
      id: 'askSecondFactorPasskey',
      method: 'POST',
      path: '/api/v1/auth/second-factor/passkey',
      summary: 'Tell the browser what to ask a passkey, to end a sign-in with it',
      access: awaiting,
      body: emptyBody,
      success: [{ status: 200, schema: passkeyOptions }],
      failures: [403, 409, 415, 422],
      async handle({ principal, origin }) {
        requireAwaiting(principal)
        return { body: { options: await secondFactor.ask(principal, origin) } }
      },
    }),
    defineOperation({
      ...common,
      id: 'askPasskeySignIn',
      method: 'POST',
      path: '/api/v1/auth/passkey/start',
      summary: 'Tell the browser what to ask a passkey, to sign in with it alone',
      access: loginAccess,
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 200, schema: passkeyOptions }],
      failures: [403, 409, 415, 422],
      handle: async ({ origin }) => ({ body: { options: await passkeySignIn.ask(origin) } }),
    }),
    defineOperation({
      ...common,
      id: 'signInByPasskey',
      method: 'POST',
      path: '/api/v1/auth/passkey',
      summary: 'Open a session with a passkey that has made sure who holds it',
      access: loginAccess,
      body: jsonBody(passkeySignInBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: session, headers: setsCookies }],
      failures: [401, 403, 415, 422, 429, 503],
      async handle({ body, ...context }) {
        const browser = await ports.guard.browserOf(context.request, context.host)
        const done = await passkeySignIn.signIn({ ...context, browser, answer: body.passkey })
        const { session: answer, cookies } = await opened(ports, done, context)
        return { body: answer, cookies }
      },
    }),
  ]
}

/** A complete session has nothing to give here. */
function requireAwaiting({ awaits }: Principal): void {
  if (awaits !== 'second_factor') throw new Fault('conflict', 'This session has its second factor, or needs none.')
}

function proofOf(body: { code?: string; recovery_code?: string; passkey?: JsonValue }): GivenFactor['proof'] {
  const given = [body.code, body.recovery_code, body.passkey].filter((proof) => proof !== undefined)
  if (given.length === 1) {
    if (body.code !== undefined) return { code: body.code }
    if (body.recovery_code !== undefined) return { recoveryCode: body.recovery_code }
    if (body.passkey !== undefined) return { passkey: body.passkey }
  }
  throw new Fault('validation_failed', 'The body wants one of code, recovery_code and passkey.')
}

function addingOperations(ports: Ports): Operation[] {
  const { factors } = ports
  const access = sessionAccess(ALL, { whileOwing: ['enrolment'] })
  const caller = async <C extends { request: Request; host: string }>(context: C) => ({
    ...context,
    browser: await ports.guard.browserOf(context.request, context.host),
  })
  const added = async (done: Added, context: { request: Request; origin: string }) => {
    const { session: going, cookies } = await opened(ports, done, context)
    const { factor, recoveryCodes: codes } = done
    const body = { factor: factorBody(factor), session: going }
    return { body: codes === undefined ? body : { ...body, recovery_codes: codes }, cookies }
  }
  return [
    defineOperation({
      ...common,
      id: 'beginApp',
      method: 'POST',
      path: '/api/v1/auth/factors/app/start',
      summary:
        'Make a key for an authenticator app, which counts once a code of it was given; asks for your own password again',
      access,
      body: emptyBody,
      success: [{ status: 200, schema: begunApp }],
      failures: [403, 415, 422],
      async handle({ principal }) {
        const { enrolment, uri, typed } = await factors.beginApp(principal)
        return { body: { enrolment, uri, qr_code: await qrCodeOf(uri), key: typed } }
      },
    }),
    defineOperation({
      ...common,
      id: 'addApp',
      method: 'POST',
      path: '/api/v1/auth/factors/app',
      summary:
        'Add an authenticator app as a second factor; ends your other sessions. The first factor comes with recovery codes, shown only here',
      access,
      body: jsonBody(newAppBody, limits.authBodyBytes),
      success: [{ status: 201, schema: addedFactor, headers: setsCookies }],
      failures: [403, 409, 415, 422],
      handle: async ({ body, ...context }) => added(await factors.addApp(await caller(context), body), context),
    }),
    defineOperation({
      ...common,
      id: 'beginPasskey',
      method: 'POST',
      path: '/api/v1/auth/factors/passkey/start',
      summary: 'Tell the browser to make a passkey; asks for your own password again',
      access,
      body: emptyBody,
      success: [{ status: 200, schema: passkeyOptions }],
      failures: [403, 409, 415, 422],
      handle: async ({ principal, origin }) => ({ body: { options: await factors.beginPasskey(principal, origin) } }),
    }),
    defineOperation({
      ...common,
      id: 'addPasskey',
      method: 'POST',
      path: '/api/v1/auth/factors/passkey',
      summary:
        'Add a passkey as a second factor; ends your other sessions. The first factor comes with recovery codes, shown only here',
      access,
      body: jsonBody(newPasskeyBody, limits.smallBodyBytes),
      success: [{ status: 201, schema: addedFactor, headers: setsCookies }],
      failures: [403, 409, 415, 422],
      handle: async ({ body: { passkey, name }, ...context }) =>
        added(await factors.addPasskey(await caller(context), { answer: passkey, name }), context),
    }),
  ]
}

function keepingOperations({ factors }: Ports): Operation[] {
  return [
    defineOperation({
      ...common,
      id: 'listFactors',
      method: 'GET',
      path: '/api/v1/auth/factors',
      summary: 'Your second factors, and whether you must have one',
      access: sessionAccess(ALL, { whileOwing: ['enrolment'] }),
      success: [{ status: 200, schema: factorOverview }],
      failures: [403],
      async handle({ principal }) {
        const { factors: rows, recoveryCodes, isRequired } = await factors.overview(principal)
        return { body: { factors: rows.map(factorBody), recovery_codes: recoveryCodes, required: isRequired } }
      },
    }),
    defineOperation({
      ...common,
      id: 'removeFactor',
      method: 'DELETE',
      path: '/api/v1/auth/factors/{factorId}',
      summary: 'Remove a second factor; ends your other sessions. Asks for your own password again',
      access: sessionAccess(ALL),
      params: factorId,
      body: emptyBody,
      success: [{ status: 204 }],
      failures: [403, 404, 409, 415, 422],
      async handle({ params, ...context }) {
        await factors.remove(context, params.factorId)
        return {}
      },
    }),
    defineOperation({
      ...common,
      id: 'replaceRecoveryCodes',
      method: 'POST',
      path: '/api/v1/auth/recovery-codes',
      summary:
        'Make new recovery codes, shown only here; the earlier ones open nothing any more. Asks for your own password again',
      access: sessionAccess(ALL),
      body: emptyBody,
      success: [{ status: 201, schema: newRecoveryCodes }],
      failures: [403, 409, 415, 422],
      handle: async (context) => ({ body: { recovery_codes: await factors.replaceRecoveryCodes(context) } }),
    }),
  ]
}

function factorBody({ id, kind, name, host, createdAt, lastUsedAt }: FactorRow): FactorBody {
  return {
    ...{ id, kind, name },
    ...(host === null ? {} : { host }),
    created_at: formatInstant(createdAt),
    ...(lastUsedAt === null ? {} : { last_used_at: formatInstant(lastUsedAt) }),
  }
}
