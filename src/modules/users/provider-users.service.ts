/**
 * Users of an OpenID provider, identified by issuer and subject, never by name or e-mail address, which may be reassigned to
 * somebody else.
 */
import { type Author, SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import { newId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Transaction } from '../../db/database.ts'
import type { Role } from '../../http/access.ts'
import { endSessionsOf } from '../auth/provider-sessions.service.ts'
import { announce, inOrder, NO_PASSWORD } from './users.service.ts'
import {
  findUserByUsername,
  holdUserBySubject,
  insertUser,
  noteSignedIn,
  type UserRow,
  updateUser,
} from './users.store.ts'

/** A person according to the provider. */
export interface Person {
  issuer: string
  subject: string
  /** Possible names for a new user, best first. */
  usernames: readonly string[]
  displayName: string | undefined
  /** Undefined if the provider doesn't decide roles. */
  roles: readonly Role[] | undefined
}

export type Settled =
  | { user: UserRow; refused?: undefined }
  | { user: UserRow | undefined; refused: 'unknown_user' | 'disabled_account' | 'no_role' }

/**
 * Creates or updates the person's user: roles and display name follow the provider. Changed roles, or none, end the user's
 * sessions.
 */
export async function settlePerson(
  tx: Transaction,
  person: Person,
  { at, correlationId, createsUsers }: Omit<Author, 'userId'> & { at: Instant; createsUsers: boolean },
): Promise<Settled> {
  const actor = { userId: SYSTEM_ACTOR_ID, correlationId, at }
  const before = await holdUserBySubject(tx, person.issuer, person.subject)
  const roles = inOrder(person.roles ?? before?.roles ?? [])
  if (before === undefined) {
    if (!createsUsers) return { user: undefined, refused: 'unknown_user' }
    if (roles.length === 0) return { user: undefined, refused: 'no_role' }
    const user = await newUser(tx, person, roles, at)
    await announce(tx, actor, user, 'created')
    return { user }
  }
  if (before.disabled) return { user: before, refused: 'disabled_account' }
  if (roles.length === 0) {
    await endSessionsOf(tx, before.id)
    await noteSignedIn(tx, before.id, null)
    return { user: before, refused: 'no_role' }
  }
  const displayName = person.displayName ?? before.displayName
  await noteSignedIn(tx, before.id, at)
  const isOther = roles.join() !== before.roles.join()
  if (!isOther && displayName === before.displayName) return { user: { ...before, oidcSignedInAt: at } }
  const user: UserRow = { ...before, roles, displayName, oidcSignedInAt: at, updatedAt: at }
  await updateUser(tx, user.id, { roles, displayName, updatedAt: at })
  if (isOther) await endSessionsOf(tx, user.id)
  await announce(tx, actor, user, 'updated')
  return { user }
}

async function newUser(tx: Transaction, person: Person, roles: Role[], at: Instant): Promise<UserRow> {
  const { issuer: oidcIssuer, subject: oidcSubject, displayName } = person
  const username = await freeUsername(tx, person.usernames)
  const row: UserRow = {
    ...{ id: newId(), username, displayName: displayName ?? username, roles },
    ...{ disabled: false, mustChangePassword: false, isService: false },
    ...{ oidcIssuer, oidcSubject, oidcSignedInAt: at, createdAt: at, updatedAt: at },
  }
  await insertUser(tx, { ...row, passwordHash: NO_PASSWORD })
  return row
}

/** A free name: a name that is taken gets a number appended. */
async function freeUsername(tx: Transaction, wanted: readonly string[]): Promise<string> {
  const [name = 'user'] = wanted.map(usernameOf).filter((text) => text !== '')
  const numbers = Array.from({ length: 20 }, (_, index) => (index === 0 ? '' : `-${index + 1}`))
  for (const number of [...numbers, `-${newId().slice(-12)}`]) {
    const candidate = `${name.slice(0, limits.usernameChars - number.length)}${number}`
    if ((await findUserByUsername(tx, candidate)) === undefined) return candidate
  }
  return newId()
}

/**
 * The text reduced to the characters of usernames; may be empty. Only its beginning is read, because at many providers people
 * choose their own names and the pattern for the end takes quadratic time.
 */
function usernameOf(text: string): string {
  const plain = text.slice(0, limits.oidcSubjectChars).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/[^a-z0-9._@-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, limits.usernameChars)
}

export const findUserOfSubject = holdUserBySubject
