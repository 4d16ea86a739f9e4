import { appendEvent } from '../../bus/outbox.ts'
import { type Actor, type Author, systemAuthor } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import { ALL, type Role } from '../../http/access.ts'
import { cutPage, type Page } from '../../http/paging.ts'
import { brokenTextRule } from '../../http/wire.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { displayName, username } from '../auth/auth.model.ts'
import type { AuthService } from '../auth/auth.service.ts'
import { factorCounts, removeAllFactors } from '../auth/factors.service.ts'
import { recordNotice } from '../notices/notices.service.ts'
import { forgetUnsaved } from '../unsaved/unsaved.service.ts'
import {
  findUser,
  findUserByUsername,
  hasAdministrator,
  holdAdministrators,
  holdUser,
  insertUser,
  listUsers,
  type UserRow,
  updateUser,
} from './users.store.ts'

export { findUser, holdUser, type UserRow } from './users.store.ts'

export interface NewUser {
  username: string
  displayName: string
  roles: readonly Role[]
  password: string
  mustChangePassword: boolean
}

/** An account for programs, without a password. */
export type NewServiceAccount = Pick<NewUser, 'username' | 'displayName' | 'roles'>

export interface UserChange {
  displayName?: string | undefined
  roles?: readonly Role[] | undefined
  disabled?: boolean | undefined
}

export interface ListedUser extends UserRow {
  /** How many second factors the user has. */
  secondFactors: number
}

/** Who changes accounts. */
export interface Administrating extends Author {
  /** Asks for the caller's password again. Left out for the command line, whose users need no account. */
  requirePassword?: () => void
}

/** Accounts, for administrators over HTTP and for the command line. Every change writes an event and an audit record. */
export interface UserService {
  list(limit: number, cursor: string | undefined): Promise<Page<ListedUser>>
  findByUsername(username: string): Promise<UserRow | undefined>
  find(id: string): Promise<UserRow | undefined>
  /** @throws Fault conflict for a username that is taken, validation_failed for a bad password, forbidden */
  create(user: NewUser, author: Administrating): Promise<UserRow>
  /** @throws Fault conflict for a username that is taken, forbidden */
  createServiceAccount(account: NewServiceAccount, author: Administrating): Promise<UserRow>
  /**
   * Ends the user's sessions if roles or `disabled` change.
   * @throws Fault not_found; conflict if no enabled administrator would be left; forbidden to grant more rights without the
   * caller's password
   */
  update(id: string, change: UserChange, author: Administrating): Promise<UserRow>
  /**
   * The user must change the password at the next login.
   * @throws Fault not_found, validation_failed; forbidden for an administrator's password without the caller's own
   */
  resetPassword(id: string, password: string, author: Administrating): Promise<UserRow>
  /**
   * From now on the user signs in as this subject of the provider, and has no password. With undefined, the user is unlinked and
   * can't sign in until a password is set. Ends the user's sessions.
   * @throws Fault not_found, conflict for a subject that another user has, forbidden without the caller's password
   */
  link(id: string, identity: { issuer: string; subject: string } | undefined, author: Administrating): Promise<UserRow>
  /**
   * Removes the second factors and recovery codes of a user who has lost them, and ends the sessions.
   * @throws Fault not_found, conflict if there are none, forbidden without the caller's password
   */
  resetFactors(id: string, author: Administrating): Promise<UserRow>
  /** @throws Fault not_found */
  revokeSessions(id: string, author: Author): Promise<void>
  /**
   * Makes the first administrator of a store that has none. @returns the password if it was generated here
   * @throws Fault validation_failed naming QUIRE_ADMIN_USERNAME or QUIRE_ADMIN_PASSWORD if that breaks a rule, or the name is
   * taken
   */
  ensureFirstAdministrator(given: { username: string; password?: string | undefined }): Promise<string | undefined>
}

export function createUserService({
  database,
  clock,
  auth,
}: {
  database: Database
  clock: Clock
  auth: AuthService
}): UserService {
  async function existing(tx: Transaction, id: string): Promise<UserRow> {
    const user = await holdUser(tx, id)
    if (user === undefined) throw new Fault('not_found', 'There is no such user.')
    return user
  }

  async function insert(
    tx: Transaction,
    at: Instant,
    user: Omit<NewUser, 'password'> & { isService?: boolean },
    passwordHash: string,
    author: Author,
  ) {
    const row: UserRow = {
      id: newId(),
      username: user.username,
      displayName: user.displayName,
      roles: inOrder(user.roles),
      disabled: false,
      mustChangePassword: user.mustChangePassword,
      isService: user.isService ?? false,
      ...{ oidcIssuer: null, oidcSubject: null, oidcSignedInAt: null },
      createdAt: at,
      updatedAt: at,
    }
    await insertUser(tx, { ...row, passwordHash })
    await announce(tx, { ...author, at }, row, 'created')
    return row
  }

  async function insertNamed(user: Parameters<typeof insert>[2], passwordHash: string, author: Author) {
    const at = clock.now()
    return database
      .write((tx) => insert(tx, at, user, passwordHash, author))
      .catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error
        throw new Fault('conflict', `The username ${user.username} is taken. Choose another.`, { cause: error })
      })
  }

  const service: UserService = {
    async list(limit, cursor) {
      const rows = await listUsers(database.read, limit + 1, cursor)
      const ids = rows.map(({ id }) => id)
      const counts = ids.length === 0 ? new Map<string, number>() : await factorCounts(database.read, ids)
      return cutPage(
        rows.map((row) => ({ ...row, secondFactors: counts.get(row.id) ?? 0 })),
        limit,
      )
    },

    find: (id) => findUser(database.read, id),
    findByUsername: (username) => findUserByUsername(database.read, username),

    async create({ password, ...user }, author) {
      author.requirePassword?.()
      requireNames(user)
      const passwordHash = await auth.hashNewPassword(password, user.username, 'Body field password')
      return insertNamed(user, passwordHash, author)
    },

    async createServiceAccount(account, author) {
      author.requirePassword?.()
      requireNames(account)
      return insertNamed({ ...account, isService: true, mustChangePassword: false }, NO_PASSWORD, author)
    },

    async update(id, change, author) {
      const at = clock.now()
      return database.write(async (tx) => {
        const administrators = await holdAdministrators(tx)
        const before = await existing(tx, id)
        const after: UserRow = {
          ...before,
          displayName: change.displayName ?? before.displayName,
          roles: change.roles === undefined ? before.roles : inOrder(change.roles),
          disabled: change.disabled ?? before.disabled,
          updatedAt: at,
        }
        if (gainsRights(before, after)) author.requirePassword?.()
        const staysAdministrator = !after.disabled && after.roles.includes('administrator')
        if (
          !staysAdministrator &&
          administrators.every((administrator) => administrator === id) &&
          administrators.length > 0
        ) {
          throw new Fault('conflict', 'This is the last enabled administrator. Make another one first.')
        }
        const { displayName, roles, disabled, updatedAt } = after
        await updateUser(tx, id, { displayName, roles, disabled, updatedAt })
        const losesSessions = disabled !== before.disabled || roles.join() !== before.roles.join()
        if (losesSessions) await auth.revokeSessionsOf(tx, id)
        if (disabled) await forgetUnsaved(tx, id)
        await announce(tx, { ...author, at }, after, 'updated')
        return after
      })
    },

    async resetPassword(id, password, author) {
      const user = await findUser(database.read, id)
      if (user === undefined) throw new Fault('not_found', 'There is no such user.')
      requireResettable(user, author)
      const passwordHash = await auth.hashNewPassword(password, user.username, 'Body field password')
      const at = clock.now()
      return database.write(async (tx) => {
        const before = await existing(tx, id)
        // The user may have been linked, or given more rights, while the hash was computed.
        requireResettable(before, author)
        const after: UserRow = { ...before, mustChangePassword: true, updatedAt: at }
        await updateUser(tx, id, { passwordHash, mustChangePassword: true, updatedAt: at })
        await auth.revokeSessionsOf(tx, id)
        await announce(tx, { ...author, at }, after, 'password_reset')
        await recordNotice(tx, { ...author, at }, { userId: id, kind: 'password_reset' })
        return after
      })
    },

    async link(id, identity, author) {
      author.requirePassword?.()
      const at = clock.now()
      const { issuer: oidcIssuer, subject: oidcSubject } = identity ?? { issuer: null, subject: null }
      const oidcSignedInAt = identity === undefined ? null : at
      const change = { oidcIssuer, oidcSubject, oidcSignedInAt, mustChangePassword: false, updatedAt: at }
      return database
        .write(async (tx) => {
          const before = await existing(tx, id)
          if (before.isService) throw new Fault('conflict', 'A service account signs in nowhere. Make a token for it.')
          await updateUser(tx, id, { ...change, passwordHash: NO_PASSWORD })
          // The provider is now responsible for second factors, and a passkey must open nothing.
          await removeAllFactors(tx, id)
          await auth.revokeSessionsOf(tx, id)
          const after: UserRow = { ...before, ...change }
          await announce(tx, { ...author, at }, after, identity === undefined ? 'unlinked' : 'linked')
          const kind = identity === undefined ? 'provider_unlinked' : 'provider_linked'
          await recordNotice(tx, { ...author, at }, { userId: id, kind })
          return after
        })
        .catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error
          throw new Fault('conflict', "This subject of the provider is another user's. Unlink that user first.", {
            cause: error,
          })
        })
    },

    async resetFactors(id, author) {
      author.requirePassword?.()
      const at = clock.now()
      return database.write(async (tx) => {
        const user = await existing(tx, id)
        if ((await removeAllFactors(tx, id)) === 0) throw new Fault('conflict', 'This user has no second factor.')
        await auth.revokeSessionsOf(tx, id)
        await announce(tx, { ...author, at }, user, 'factors_reset')
        await recordNotice(tx, { ...author, at }, { userId: id, kind: 'factors_reset' })
        return user
      })
    },

    async revokeSessions(id, author) {
      const at = clock.now()
      await database.write(async (tx) => {
        const user = await existing(tx, id)
        await auth.revokeSessionsOf(tx, id)
        await announce(tx, { ...author, at }, user, 'sessions_revoked')
      })
    },

    async ensureFirstAdministrator({ username: name, password }) {
      if (await hasAdministrator(database.read)) return undefined
      const chosen = password ?? auth.generatePassword()
      requireUsername(name, 'QUIRE_ADMIN_USERNAME')
      const passwordHash = await auth.hashNewPassword(chosen, name, 'QUIRE_ADMIN_PASSWORD')
      const user = {
        username: name,
        displayName: 'Administrator',
        roles: ['administrator'] as const,
        mustChangePassword: password === undefined,
      }
      const at = clock.now()
      const isMade = await database
        .write(async (tx) => {
          if (await hasAdministrator(tx)) return false
          await insert(tx, at, user, passwordHash, systemAuthor())
          return true
        })
        .catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error
          return false
        })
      // Another instance that started at the same moment was first, or the name is taken.
      if (!isMade && !(await hasAdministrator(database.read))) {
        throw new Fault('validation_failed', `QUIRE_ADMIN_USERNAME must name nobody yet; ${name} is no administrator.`)
      }
      return isMade && password === undefined ? chosen : undefined
    },
  }
  return service
}

/** Stored for users without a password: service accounts, and users of a provider. It is never compared. */
export const NO_PASSWORD = ''

/**
 * Needed for the command line, which has no checked body. @throws Fault validation_failed for a name that the interface would
 * refuse
 */
function requireNames(account: Pick<NewUser, 'username' | 'displayName'>): void {
  requireUsername(account.username, 'The username')
  const rule = brokenTextRule(displayName, account.displayName)
  if (rule !== undefined) throw new Fault('validation_failed', `The name ${rule}.`)
}

/** @throws Fault validation_failed for a name the interface would refuse */
function requireUsername(name: string, subject: string): void {
  const rule = brokenTextRule(username, name)
  if (rule !== undefined) throw new Fault('validation_failed', `${subject} ${rule}.`)
}

/** @throws Fault conflict for a user without a password, forbidden for an administrator's password without the caller's own */
function requireResettable(user: UserRow, author: Administrating): void {
  if (user.isService) throw new Fault('conflict', 'A service account has no password. Make a token for it.')
  if (user.oidcSubject !== null) {
    throw new Fault('conflict', 'This user signs in at the provider, and has no password here. Unlink the user first.')
  }
  if (user.roles.includes('administrator')) author.requirePassword?.()
}

/** Whether the change adds a role, or enables the account. */
function gainsRights(before: UserRow, after: UserRow): boolean {
  return (before.disabled && !after.disabled) || after.roles.some((role) => !before.roles.includes(role))
}

/** Sorts roles, which have no order of their own, so that two sets can be compared as lists. */
export function inOrder(roles: readonly Role[]): Role[] {
  return ALL.filter((role) => roles.includes(role))
}

/** Writes an event and an audit record. */
export async function announce(tx: Transaction, actor: Actor, user: UserRow, type: string): Promise<void> {
  const { id, username, roles, disabled } = user
  const data = { id, username, roles, disabled }
  const { at, correlationId } = actor
  await appendEvent(tx, at, { aggregate: 'user', aggregateId: id, type, data, correlationId })
  const detail = { username, roles, disabled }
  await recordAudit(tx, actor, { action: `user.${type}`, resourceKind: 'user', resourceId: id, detail })
}
