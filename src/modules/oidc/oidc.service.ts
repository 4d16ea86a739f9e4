import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { addMs, epochMsOf, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import { Room } from '../../http/admission.ts'
import { createRefusals, type Refusals } from '../../http/refusals.ts'
import type { Keys } from '../../http/tokens.ts'
import type { ProviderUnusable } from '../../oidc/fetch.ts'
import type { AnswerRefused, Identity, Provider } from '../../oidc/provider.ts'
import { rolesOf } from '../../oidc/roles.ts'
import type { OidcConfig } from '../../oidc/settings.ts'
import { endSessionBefore, newSession, openSession } from '../auth/auth.service.ts'
import {
  confirmProviderSession,
  createProviderAttempts,
  endProviderSessions,
  isThrottled,
  type ProviderCaller,
  providerAttemptSucceeded,
  providerSessionOf,
  useOnce,
} from '../auth/provider-sessions.service.ts'
import { findUserOfSubject, type Person, settlePerson } from '../users/provider-users.service.ts'
import { createFlowCookies, type Flow, returnPathOf, type Wanted } from './oidc.flow.ts'

/** Sign-in at an OpenID provider; it results in the same session as one by password. */
export interface OidcService {
  readonly config: OidcConfig
  /** Where to send the browser, and the cookie for its return. @throws Fault dependency_unavailable */
  begin(cookieHeader: string | null, wanted: Wanted): Promise<{ location: string; cookie: string }>
  /** Handles the return from the provider. Throws nothing that the person could mend. */
  finish(arrival: Arrival): Promise<Ended>
  /** Where to send the browser to sign out at the provider, too. */
  signOutLocation(origin: string): Promise<string | null>
  /** The provider reports that it ended a session. @returns false if the token isn't its logout token */
  endByProvider(token: string, arrival: Pick<Arrival, 'clientAddress' | 'correlationId'>): Promise<boolean>
}

export interface Arrival {
  query: URLSearchParams
  cookieHeader: string | null
  /** The configured origins with the request's host. */
  origins: readonly string[]
  host: string
  clientAddress: string
  /** Its User-Agent. */
  browser: string
  /** Whether this user has recently signed in from the sign-in's browser. */
  isKnownTo(flow: Flow, username: string): Promise<boolean>
  correlationId: string
}

export interface Ended {
  /** A path of the console. */
  location: string
  /** The cookie with the sign-ins still open, if it has changed. */
  cookie?: string
  /** A new session; set its cookies in the browser of this sign-in. */
  opened?: { token: string; username: string; flow: Flow }
}

export interface OidcPorts {
  config: OidcConfig
  database: Database
  clock: Clock
  log: Log
  secrets: Keys
  /** A provider for tests. */
  provider?: Provider
}

export const CALLBACK_PATH = '/api/v1/auth/oidc/callback'

/** Why a sign-in ended without a session: precise for the audit trail, less so for the person. */
class Refused extends Error {
  constructor(
    readonly reason: string,
    readonly details: { userId?: string; why?: string } = {},
  ) {
    super(reason)
  }
}

export async function createOidcService(ports: OidcPorts): Promise<OidcService> {
  const { config, database, clock, log, secrets } = ports
  const flows = await createFlowCookies(secrets)
  const attempts = createProviderAttempts(ports)
  const outages = createRefusals('the OpenID provider could not be used', () => performance.now(), 'warn')
  const room = new Room({
    ...{ atOnce: limits.oidcAtOnce, atOncePerUser: limits.oidcAtOnce / 2, waiting: limits.oidcWaiting },
    ...{ waitingPerUser: limits.oidcWaiting / 2, waitMs: limits.requestWaitMs },
  })
  let loaded: Promise<Provider> | undefined

  /** Loaded by the first sign-in, so that no start waits for the protocol and no idle service keeps it in memory. */
  function provider(): Promise<Provider> {
    loaded ??=
      ports.provider === undefined
        ? import('../../oidc/provider.ts').then(({ createProvider }) => createProvider({ config, clock }))
        : Promise.resolve(ports.provider)
    return loaded
  }

  const requestOf = ({ origin, state, nonce, verifier, sessionId }: Flow) => ({
    ...{ redirectUri: `${origin}${CALLBACK_PATH}`, state, nonce, verifier, isFresh: sessionId !== undefined },
  })

  /** @throws Refused, ProviderUnusable */
  async function identify(flow: Flow, arrival: Arrival): Promise<Identity> {
    const { query } = arrival
    const work = async () => (await provider()).identify({ ...requestOf(flow), query })
    try {
      return await room.run(arrival.clientAddress, work)
    } catch (error) {
      if (isRefusal(error)) throw new Refused(error.reason, { why: error.message })
      throw error
    }
  }

  /** Refuses a state that was used before: by the back button, or by somebody who copied it. */
  async function requireFirstUse(tx: Transaction, flow: Flow, at: Instant): Promise<void> {
    const isFirst = await useOnce(tx, `state\n${flow.state}`, at, addMs(at, 2 * limits.oidcFlowMs))
    if (!isFirst) throw new Refused('replayed_state')
  }

  async function signIn(identity: Identity, flow: Flow, arrival: Arrival, attempt: Attempt) {
    const { host, clientAddress, correlationId } = arrival
    const browser = {
      ...{ name: arrival.browser, sessionBefore: flow.sessionBefore },
      isKnownTo: (username: string) => arrival.isKnownTo(flow, username),
    }
    const at = clock.now()
    const person = personOf(identity, config)
    const settle = () =>
      database.write(async (tx) => {
        const settled = await settlePerson(tx, person, { at, correlationId, createsUsers: config.createsUsers })
        if (settled.refused !== undefined) return settled
        const { user } = settled
        const oidcSession =
          identity.sessionId === undefined ? undefined : providerSessionOf(config.issuer, identity.sessionId)
        const passwordGivenAt = authenticatedAtOf(identity, at)
        const opener = { host, address: clientAddress, browser }
        const session = await newSession({ user, at, passwordGivenAt, oidcSession, ...opener })
        const detail = { host, client_address: clientAddress, by: 'provider', issuer: config.issuer }
        await openSession(tx, session, { userId: user.id, correlationId, at }, detail)
        await endSessionBefore(tx, browser, { userId: user.id, correlationId, at })
        await providerAttemptSucceeded(tx, at, attempt)
        return { token: session.token, username: user.username, refused: undefined }
      })
    // Two first sign-ins at once make the same user, or want the same name: the later one tries again.
    const settled = await settle().catch((error: unknown) => {
      if (isUniqueViolation(error)) return settle()
      throw error
    })
    if (settled.refused === undefined) return { token: settled.token, username: settled.username, flow }
    throw new Refused(settled.refused, settled.user === undefined ? {} : { userId: settled.user.id })
  }

  /** Confirms a session after the same person signed in again, for actions that require that. */
  async function confirm(identity: Identity, flow: Flow, attempt: Attempt, correlationId: string): Promise<void> {
    const at = clock.now()
    const givenAt = authenticatedAtOf(identity, at)
    // The provider may have ignored `prompt=login`.
    const isFresh =
      identity.authenticatedAt !== undefined &&
      identity.authenticatedAt >= flow.startedAtSeconds - limits.oidcToleranceSeconds
    if (!isFresh || givenAt === null) throw new Refused('not_fresh')
    await database.write(async (tx) => {
      const user = await findUserOfSubject(tx, config.issuer, identity.subject)
      const session = { id: flow.sessionId ?? '', userId: user?.id ?? '' }
      const actor = { userId: session.userId, correlationId, at }
      if (user === undefined || user.disabled || !(await confirmProviderSession(tx, session, givenAt, actor))) {
        throw new Refused('other_person', user === undefined ? {} : { userId: user.id })
      }
      await providerAttemptSucceeded(tx, at, attempt)
    })
  }

  /** @throws Refused, ProviderUnusable, Fault */
  async function carryOut(flow: Flow | undefined, arrival: Arrival, attempt: Attempt): Promise<Ended['opened']> {
    if (flow === undefined) throw new Refused('unknown_state')
    if (flow.isExpired) throw new Refused('expired_state')
    await database.write((tx) => requireFirstUse(tx, flow, clock.now()))
    const identity = await identify(flow, arrival)
    if (flow.sessionId === undefined) return signIn(identity, flow, arrival, attempt)
    await confirm(identity, flow, attempt, arrival.correlationId)
    return undefined
  }

  return {
    config,

    async begin(cookieHeader, wanted) {
      const next = returnPathOf(wanted.next)
      const { flow, cookie } = await flows.begin(cookieHeader, { ...wanted, next }, clock.now())
      const ask = async () => (await provider()).authorizationUrl(requestOf(flow))
      const url = await room.run(wanted.origin, ask).catch((error: unknown) => {
        throw isUnusable(error) ? unavailable(error, outages, log) : error
      })
      return { location: url.href, cookie }
    },

    async finish(arrival) {
      const state = arrival.query.get('state') ?? ''
      const found = await flows.end(arrival.cookieHeader, arrival.origins, state, clock.now())
      const { flow } = found ?? {}
      const cookie = found === undefined ? {} : { cookie: found.cookie }
      const { clientAddress, correlationId } = arrival
      const caller: ProviderCaller = { clientAddress, correlationId, device: flow?.device }
      const action = flow?.sessionId === undefined ? 'session.refused' : 'session.confirm_refused'
      let attempt: Attempt | undefined
      try {
        attempt = await attempts.begin(caller)
        const opened = await carryOut(flow, arrival, attempt)
        const location = placeOf(flow, { ended: flow?.sessionId === undefined ? 'signed-in' : 'confirmed' })
        return { location, ...cookie, ...(opened === undefined ? {} : { opened }) }
      } catch (error) {
        const refused = (reason: string): Ended => {
          return { location: placeOf(flow, { refused: reason, reference: correlationId }), ...cookie }
        }
        if (isThrottled(error)) return refused('throttled')
        if (error instanceof Refused) {
          await attempts.refuse(caller, { action, reason: error.reason, ...error.details })
          return refused(toldReasons.has(error.reason) ? error.reason : 'not_believed')
        }
        if (!isUnusable(error) && !(error instanceof Fault)) throw error
        // Not the caller's fault: their network must be let in once the provider is back.
        if (attempt !== undefined) await attempts.forgive(attempt)
        if (isUnusable(error)) unavailable(error, outages, log)
        await attempts.refuse(caller, { action, reason: 'provider_unavailable' })
        return refused('provider_unavailable')
      }
    },

    async signOutLocation(origin) {
      // Signing out of Quire never fails because of the provider.
      const url = await provider()
        .then((known) => known.endSessionUrl(`${origin}/login`))
        .catch((error: unknown) => {
          if (!isUnusable(error)) throw error
          unavailable(error, outages, log)
          return undefined
        })
      return url?.href ?? null
    },

    async endByProvider(token, { clientAddress, correlationId }) {
      const at = clock.now()
      try {
        const logout = await room.run(clientAddress, async () => (await provider()).readLogoutToken(token))
        const isFirst = await database.write(async (tx) => {
          const until = addMs(at, 2 * limits.oidcLogoutTokenMs)
          if (!(await useOnce(tx, `logout\n${config.issuer}\n${logout.id}`, at, until))) return false
          const { subject, sessionId } = logout
          const user = subject === undefined ? undefined : await findUserOfSubject(tx, config.issuer, subject)
          // An unknown subject has no session.
          if (subject !== undefined && user === undefined) return true
          const oidcSession = sessionId === undefined ? undefined : providerSessionOf(config.issuer, sessionId)
          await endProviderSessions(tx, { oidcSession, userId: user?.id }, { correlationId, at })
          return true
        })
        if (!isFirst) throw new Refused('wrong_token', { why: 'it was used before' })
        return true
      } catch (error) {
        if (isUnusable(error)) throw unavailable(error, outages, log)
        const why = error instanceof Refused ? error.details.why : isRefusal(error) ? error.message : undefined
        if (why === undefined) throw error
        await refuseLogout({ clientAddress, correlationId, device: undefined }, why)
        return false
      }
    },
  }

  /**
   * Records a refused logout token. The provider itself is never blocked by what others send; only the number of records is
   * bounded.
   */
  async function refuseLogout(caller: ProviderCaller, why: string): Promise<void> {
    try {
      await attempts.begin(caller)
    } catch (error) {
      if (isThrottled(error)) return
      throw error
    }
    await attempts.refuse(caller, { action: 'session.logout_token_refused', reason: 'wrong_token', why })
  }
}

type Attempt = Awaited<ReturnType<ReturnType<typeof createProviderAttempts>['begin']>>

/** Reasons shown to the person as they are: they can act on them, and a stranger learns nothing. */
const toldReasons: ReadonlySet<string> = new Set([
  ...['unknown_state', 'expired_state', 'replayed_state', 'provider_refused', 'not_fresh', 'too_weak'],
  ...['no_role', 'unknown_user', 'disabled_account', 'other_person'],
])

/** A path of this console. The request decides only about its query. */
function placeOf(flow: Flow | undefined, told: Record<string, string>): string {
  const query = new URLSearchParams(told)
  if (flow !== undefined && flow.next !== '/') query.set('next', flow.next)
  if (flow?.isWindow) query.set('window', '1')
  return `/login?${query}`
}

function personOf({ subject, claims }: Identity, config: OidcConfig): Person {
  const texts = [claims.preferred_username, claims.email, subject].filter((text) => typeof text === 'string')
  const name = typeof claims.name === 'string' ? claims.name : undefined
  const displayName = name
    ?.replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, limits.displayNameChars)
    .toWellFormed()
  return {
    ...{ issuer: config.issuer, subject, usernames: texts },
    displayName: displayName === '' ? undefined : displayName,
    roles: rolesOf(claims, config),
  }
}

/** When the person signed in at the provider, if it says so; never later than now. */
function authenticatedAtOf({ authenticatedAt }: Identity, at: Instant): Instant | null {
  if (authenticatedAt === undefined) return null
  const agoMs = Math.max(0, epochMsOf(at) - authenticatedAt * 1000)
  return addMs(at, -Math.min(agoMs, limits.sessionAbsoluteMs))
}

// By name, because the classes are loaded with the protocol and this file with the server.
function isRefusal(error: unknown): error is AnswerRefused {
  return error instanceof Error && error.name === 'AnswerRefused'
}

function isUnusable(error: unknown): error is ProviderUnusable {
  return error instanceof Error && error.name === 'ProviderUnusable'
}

/** @param outages bounds the log, because anybody can begin a sign-in and so cause an entry */
function unavailable(error: ProviderUnusable, outages: Refusals, log: Log): Fault {
  outages.tell(log, { why: error.message })
  return new Fault('dependency_unavailable', 'The sign-in provider does not answer as it should. Try again shortly.', {
    cause: error,
    retryAfterSeconds: limits.dependencyRetrySeconds,
    isTurnedAway: true,
  })
}
