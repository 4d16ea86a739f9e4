import { type Actor, type Author, SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { addMs, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { untilChanged } from '../../db/until-changed.ts'
import { type Principal, permissionsOf, type Role, type SignInStep } from '../../http/access.ts'
import type { Browser, SessionSource } from '../../http/session.ts'
import { hashToken, randomToken } from '../../http/tokens.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { recordNotice } from '../notices/notices.service.ts'
import { attemptSucceeded, beginLogin, beginPasswordChange, createAttempts } from './attempts.service.ts'
import {
  type CredentialsRow,
  confirmSession,
  deleteSession,
  deleteSessionByToken,
  deleteSessionOf,
  deleteSessionsExpiredAt,
  deleteSessionsOf,
  findCredentials,
  findCredentialsById,
  findSessionByToken,
  holdCredentials,
  insertSession,
  type ListedSession,
  listSessions,
  replacePassword,
  type SessionRow,
  touchSession,
} from './auth.store.ts'
import { countFactors } from './factors.store.ts'
import { createPasswords, generatePassword, type Passwords, requireGoodPassword } from './passwords.ts'
import { deleteStaleCounters } from './throttle.store.ts'

/** Sessions and passwords. */
export interface AuthService extends SessionSource {
  /** @throws Fault invalid_credentials, rate_limited */
  login(attempt: LoginAttempt): Promise<{ token: string; principal: Principal }>
  /** Revokes every session of the user. @throws Fault invalid_credentials, rate_limited, validation_failed */
  changePassword(change: PasswordChange): Promise<void>
  /** Confirms that the person is still there. @throws Fault invalid_credentials, rate_limited */
  confirmPassword(confirmation: Confirmation): Promise<void>
  /** @throws Fault forbidden unless the password was given lately in this session */
  requireRecentPassword(principal: Principal): void
  logout(principal: Principal, correlationId: string): Promise<void>
  /** Hashes a new password. `subject` begins the sentence of a refusal. @throws Fault validation_failed */
  hashNewPassword(password: string, username: string, subject: string): Promise<string>
  generatePassword(): string
  revokeSessionsOf(tx: Transaction, userId: string): Promise<number>
  /** A user's open sessions, newest first; at most `limits.sessionsListed`. */
  listSessions(userId: string): Promise<ListedSession[]>
  /** Ends one of a user's sessions. @throws Fault not_found */
  endSession(session: { id: string; userId: string }, author: Author): Promise<void>
  /** Ends all of the user's sessions but this one. */
  endOtherSessions(principal: Principal, author: Author): Promise<void>
  /** Removes expired sessions; call it now and then. */
  sweep(): Promise<void>
  /** Resolves when no background write is under way; await it before the database closes. */
  settled(): Promise<void>
}

export interface LoginAttempt {
  username: string
  password: string
  host: string
  clientAddress: string
  /** The id of the browser, if it is known for this user. */
  device?: string | undefined
  browser: Browser
  correlationId: string
}

/** The password that somebody gives again in an open session. */
export interface Confirmation {
  principal: Principal
  password: string
  clientAddress: string
  correlationId: string
}

export interface PasswordChange extends Confirmation {
  newPassword: string
}

export interface AuthPorts {
  database: Database
  clock: Clock
  log: Log
  /** The only username that may sign in by password; undefined if everybody may. */
  localSignIn?: string | undefined
  /** Users with one of these roles must have a second factor; nobody must by default. */
  secondFactorRoles?: readonly Role[] | undefined
  /** Cheaper hashes for tests. */
  passwords?: Passwords
}

export function createAuthService(ports: AuthPorts): AuthService {
  const { database, clock, log, localSignIn, secondFactorRoles = [], passwords = createPasswords() } = ports
  const touching = new Map<string, Promise<void>>()
  const attempts = createAttempts(ports)
  const sessionOf = untilChanged(
    database,
    limits.sessionsKept,
    async (tokenHash): Promise<KnownSession | undefined> => {
      const session = await findSessionByToken(database.read, tokenHash)
      if (session === undefined) return undefined
      return { session, principal: principalOf(session), touchAt: addMs(session.lastSeenAt, limits.sessionTouchMs) }
    },
  )

  /** Notes that a session was used, at most once a minute, so that most requests cost no commit. Nothing waits for this write. */
  function touch({ session, touchAt }: KnownSession, now: Instant): void {
    // A session seen later than now was seen before the clock was set back: mark it, or it could stay idle for that much longer.
    const isRecent = now <= touchAt && session.lastSeenAt <= now
    if (isRecent || touching.has(session.id)) return
    const write = database
      .write((tx) => touchSession(tx, session.id, now))
      .catch((error: unknown) => log.warn('a session could not be marked as seen', { cause: error }))
      .finally(() => touching.delete(session.id))
    touching.set(session.id, write)
  }

  /**
   * Checks that the caller's own password is right and that their guesses are not throttled.
   * @param action prefix of the audit trail's actions for refusals
   * @throws Fault invalid_credentials, rate_limited
   */
  async function checkOwnPassword({ principal, password, clientAddress, correlationId }: Confirmation, action: string) {
    const attempt = await attempts.begin((tx, at) => beginPasswordChange(tx, at, principal.userId), {
      action: `${action}_throttled`,
      userId: async () => principal.userId,
      ...{ clientAddress, correlationId },
    })
    const user = await findCredentialsById(database.read, principal.userId)
    const isRight = await passwords.verify(password, user?.passwordHash, 'known')
    if (user !== undefined && isRight) return { user, attempt }
    const author = { userId: principal.userId, correlationId }
    await attempts.refuse(author, `${action}_refused`, principal.userId, { reason: 'wrong_password' })
    throw wrongCredentials(action === 'user.password_change' ? 'current_password' : 'password')
  }

  return {
    async findSession(tokenHash, host) {
      const now = clock.now()
      const known = await sessionOf(tokenHash)
      if (known === undefined || known.session.host !== host || known.session.disabled) return undefined
      const { expiresAt, idleExpiresAt } = known.principal
      if (expiresAt <= now || idleExpiresAt <= now) return undefined
      touch(known, now)
      return known.principal
    },

    async login({ username: typedName, password, host, clientAddress, device, browser, correlationId }) {
      const username = typedName.toLowerCase()
      const attempt = await attempts.begin(
        (tx, at) => beginLogin(tx, at, { username, address: clientAddress, device }),
        {
          action: 'session.throttled',
          userId: async () => (await findCredentials(database.read, username))?.id,
          ...{ clientAddress, correlationId },
        },
      )
      const user = await findCredentials(database.read, username)
      const lane = device === undefined ? 'strangers' : 'known'
      // Service accounts and users of a provider have no password; refusing them takes as long as comparing one.
      const isRight = await passwords.verify(password, user === undefined ? undefined : passwordHashOf(user), lane)
      const author = { userId: user?.id ?? SYSTEM_ACTOR_ID, correlationId }
      const isLetIn = localSignIn === undefined || localSignIn === username
      if (user === undefined || !isRight || user.disabled || !isLetIn) {
        const wrong = user === undefined ? 'unknown_account' : isRight ? 'disabled_account' : 'wrong_password'
        const reason = isRight && !isLetIn ? 'local_sign_in_off' : wrong
        await attempts.refuse(author, 'session.refused', user?.id, { reason, client_address: clientAddress })
        throw wrongCredentials('username or password')
      }
      const now = clock.now()
      const awaits = await stillAwaited(database.read, user, secondFactorRoles)
      const opener = { host, address: clientAddress, browser }
      const session = await newSession({ user, at: now, passwordGivenAt: now, awaits, ...opener })
      await database.write(async (tx) => {
        const held = await holdCredentials(tx, user.id, user.passwordHash)
        if (held === undefined) throw wrongCredentials('username or password')
        // Check again: a factor, or a role that requires one, may have been added in the meantime.
        if ((await stillAwaited(tx, held, secondFactorRoles)) !== awaits) throw wrongCredentials('username or password')
        await openSession(tx, session, { ...author, at: now }, { host, client_address: clientAddress })
        await endSessionBefore(tx, browser, { ...author, at: now })
        await attemptSucceeded(tx, now, awaits === undefined ? attempt : { ...attempt, knownKey: undefined })
      })
      return { token: session.token, principal: principalOf({ ...user, ...session.row }) }
    },

    async changePassword({ newPassword, ...confirmation }) {
      const { principal, password, correlationId } = confirmation
      if (principal.isExternal) {
        throw new Fault(
          'forbidden',
          'You sign in at the provider and have no password here. Change the one you have there.',
        )
      }
      requireGoodPassword(newPassword, principal.username, 'Body field new_password')
      if (password === newPassword) {
        throw new Fault('validation_failed', 'Body field new_password must differ from current_password.')
      }
      const { user, attempt } = await checkOwnPassword(confirmation, 'user.password_change')
      const passwordHash = await passwords.hash(newPassword)
      const now = clock.now()
      await database.write(async (tx) => {
        if (!(await holdCredentials(tx, user.id, user.passwordHash))) throw wrongCredentials('current_password')
        await replacePassword(tx, user.id, { passwordHash, mustChangePassword: false, updatedAt: now })
        await deleteSessionsOf(tx, user.id)
        await attemptSucceeded(tx, now, attempt)
        const actor = { userId: principal.userId, correlationId, at: now }
        await recordAudit(tx, actor, { action: 'user.password_changed', resourceKind: 'user', resourceId: user.id })
        const notice = { kind: 'password_changed', address: confirmation.clientAddress } as const
        await recordNotice(tx, actor, { userId: user.id, ...notice })
      })
    },

    async confirmPassword(confirmation) {
      const { principal, correlationId } = confirmation
      if (principal.isExternal) throw new Fault('forbidden', `You have no password here. ${SIGN_IN_AGAIN}`)
      const { user, attempt } = await checkOwnPassword(confirmation, 'session.confirm')
      const actor = { userId: user.id, correlationId, at: clock.now() }
      const resource = { resourceKind: 'session', resourceId: principal.sessionId }
      await database.write(async (tx) => {
        if (!(await holdCredentials(tx, user.id, user.passwordHash))) throw wrongCredentials('password')
        await confirmSession(tx, { id: principal.sessionId, userId: user.id }, actor.at)
        await attemptSucceeded(tx, actor.at, attempt)
        await recordAudit(tx, actor, { action: 'session.confirmed', ...resource })
      })
    },

    requireRecentPassword({ passwordGivenAt, token, isExternal }) {
      if (token !== undefined) throw new Fault('forbidden', 'No token may do this. Sign in for it.')
      const now = clock.now()
      const isRecent =
        passwordGivenAt !== undefined &&
        passwordGivenAt <= now &&
        passwordGivenAt >= addMs(now, -limits.passwordRecentMs)
      if (isRecent) return
      if (isExternal) throw new Fault('forbidden', `You signed in more than ten minutes ago. ${SIGN_IN_AGAIN}`)
      throw new Fault(
        'forbidden',
        'This wants your password again, since you gave it more than ten minutes ago. Use POST /api/v1/auth/confirm-password first.',
      )
    },

    async logout({ userId, sessionId }, correlationId) {
      const actor = { userId, correlationId, at: clock.now() }
      await database.write(async (tx) => {
        await deleteSession(tx, sessionId)
        await recordAudit(tx, actor, { action: 'session.closed', resourceKind: 'session', resourceId: sessionId })
      })
    },

    async hashNewPassword(password, username, subject) {
      requireGoodPassword(password, username, subject)
      return passwords.hash(password)
    },

    generatePassword,
    revokeSessionsOf: deleteSessionsOf,

    async listSessions(userId) {
      const at = clock.now()
      const live = { at, seenSince: addMs(at, -limits.sessionIdleMs) }
      return listSessions(database.read, userId, live, limits.sessionsListed)
    },

    async endSession(session, author) {
      const at = clock.now()
      await database.write(async (tx) => {
        if (!(await deleteSessionOf(tx, session))) throw new Fault('not_found', 'There is no such session.')
        const entry = { action: 'session.ended', resourceKind: 'session', resourceId: session.id }
        await recordAudit(tx, { ...author, at }, { ...entry, detail: { user_id: session.userId } })
      })
    },

    async endOtherSessions({ userId, sessionId }, author) {
      const at = clock.now()
      await database.write(async (tx) => {
        const ended = await deleteSessionsOf(tx, userId, sessionId)
        const entry = { action: 'user.other_sessions_ended', resourceKind: 'user', resourceId: userId }
        await recordAudit(tx, { ...author, at }, { ...entry, detail: { sessions: ended } })
      })
    },

    async sweep() {
      const now = clock.now()
      await database.write(async (tx) => {
        await deleteSessionsExpiredAt(tx, now)
        await deleteStaleCounters(tx, now)
      })
    },

    async settled() {
      while (touching.size > 0) await Promise.all(touching.values())
    },
  }
}

interface KnownSession {
  session: SessionRow
  principal: Principal
  /** When the session must be marked as seen again. */
  touchAt: Instant
}

/** The caller whose session this is. */
export function principalOf(session: SessionRow): Principal {
  return {
    sessionId: session.id,
    userId: session.userId,
    username: session.username,
    displayName: session.displayName,
    roles: session.roles,
    permissions: permissionsOf(session.roles),
    mustChangePassword: session.mustChangePassword,
    awaits: session.awaits ?? undefined,
    isExternal: session.oidcSubject !== null,
    passwordGivenAt: session.passwordGivenAt ?? undefined,
    expiresAt: session.expiresAt,
    idleExpiresAt: addMs(session.lastSeenAt, limits.sessionIdleMs),
  }
}

const SIGN_IN_AGAIN =
  'Sign in at the provider again: POST /api/v1/auth/oidc/confirm says where. Then repeat what you did.'

/** Undefined for a user without a password. */
function passwordHashOf(user: Pick<CredentialsRow, 'passwordHash'>): string | undefined {
  return user.passwordHash === '' ? undefined : user.passwordHash
}

/** A session that isn't opened yet, and its token, which can't be read again later. */
export interface NewSession {
  token: string
  row: Parameters<typeof insertSession>[1]
  /** The user had not recently signed in from this browser. */
  isInNewBrowser: boolean
}

/** What a sign-in by password still needs. */
async function stillAwaited(
  connection: Connection,
  { id, roles }: Pick<CredentialsRow, 'id' | 'roles'>,
  secondFactorRoles: readonly Role[],
): Promise<SignInStep | undefined> {
  if ((await countFactors(connection, id)) > 0) return 'second_factor'
  return roles.some((role) => secondFactorRoles.includes(role)) ? 'enrolment' : undefined
}

/**
 * @param from.oidcSession the id by which the provider can end it
 * @param from.awaits what the sign-in still needs; such a session expires soon
 */
export async function newSession(from: {
  user: { id: string; username: string }
  host: string
  address: string
  browser: Pick<Browser, 'name' | 'isKnownTo'>
  at: Instant
  passwordGivenAt: Instant | null
  oidcSession?: string | undefined
  awaits?: SignInStep | undefined
}): Promise<NewSession> {
  const { user, host, address, browser, at, passwordGivenAt, oidcSession = null, awaits = null } = from
  const token = randomToken()
  const row = {
    ...{ id: newId(), tokenHash: await hashToken(token), userId: user.id, host, createdAt: at, lastSeenAt: at },
    ...{ expiresAt: addMs(at, awaits === null ? limits.sessionAbsoluteMs : limits.signInMs) },
    ...{ passwordGivenAt, oidcSession, awaits, address, browser: browser.name },
  }
  return { token, row, isInNewBrowser: !(await browser.isKnownTo(user.username, at)) }
}

/**
 * Opens a session and records it. One that still waits for a second factor is recorded as `session.begun`.
 * The user is notified of a session in a new browser.
 */
export async function openSession(
  tx: Transaction,
  { row, isInNewBrowser }: NewSession,
  actor: Actor,
  detail: Record<string, string>,
): Promise<void> {
  await insertSession(tx, row)
  const resource = { resourceKind: 'session', resourceId: row.id }
  await recordAudit(
    tx,
    actor,
    row.awaits === null
      ? { action: 'session.opened', ...resource, detail }
      : { action: 'session.begun', ...resource, detail: { ...detail, awaits: row.awaits } },
  )
  if (row.awaits !== null || !isInNewBrowser) return
  const { userId, address, browser } = row
  await recordNotice(tx, actor, { userId, kind: 'signed_in', address, browser })
}

/** Ends this browser's previous session: signing in again, also as somebody else, leaves none behind. */
export async function endSessionBefore(
  tx: Transaction,
  { sessionBefore }: Pick<Browser, 'sessionBefore'>,
  actor: Actor,
): Promise<void> {
  if (sessionBefore === undefined) return
  const ended = await deleteSessionByToken(tx, sessionBefore)
  if (ended === undefined) return
  const resource = { resourceKind: 'session', resourceId: ended.id }
  await recordAudit(tx, actor, { action: 'session.replaced', ...resource, detail: { user_id: ended.userId } })
}

/** Doesn't say which one is wrong, nor whether the account exists or is disabled. */
function wrongCredentials(what: string): Fault {
  return new Fault('invalid_credentials', `The ${what} is wrong.`)
}
