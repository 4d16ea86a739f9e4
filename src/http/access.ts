import type { Instant } from '../core/instant.ts'
import { namesOf } from '../core/names.ts'
import type { Role, SignInStep, TokenScope } from '../db/schema.ts'

/** Who may call what: roles, the permissions they carry, and how an operation says which it wants. */
export type { Role, SignInStep, TokenScope }

export const ALL: readonly Role[] = ['administrator', 'engineer', 'operator', 'auditor', 'business_viewer']
export const READ4: readonly Role[] = ['administrator', 'engineer', 'operator', 'auditor']
export const AE: readonly Role[] = ['administrator', 'engineer']
export const ADMINISTRATOR: readonly Role[] = ['administrator']

export type Permission = 'submission_read' | 'submission_create' | 'artifact_download' | 'audit_read' | 'user_manage'

const holders: Readonly<Record<Permission, readonly Role[]>> = {
  submission_read: ALL,
  submission_create: ['administrator', 'engineer', 'operator'],
  artifact_download: ['administrator', 'engineer', 'operator', 'business_viewer'],
  audit_read: ['administrator', 'auditor'],
  user_manage: ADMINISTRATOR,
}

export const permissions: readonly Permission[] = namesOf(holders)

/** What these roles may do together, in the order of `permissions`. */
export function permissionsOf(roles: readonly Role[]): Permission[] {
  return permissions.filter((permission) => holders[permission].some((role) => roles.includes(role)))
}

/** Roles whose users may have a token of each scope. Every request checks the user's own roles again. */
const scopeHolders: Readonly<Record<TokenScope, readonly Role[]>> = {
  ...holders,
  configuration_read: ALL,
  configuration_write: AE,
  readiness_read: ADMINISTRATOR,
  object_erase: ADMINISTRATOR,
  webhook_manage: ADMINISTRATOR,
}

export const tokenScopes: readonly TokenScope[] = namesOf(scopeHolders)

/** What tokens of somebody with these roles may do, in the order of `tokenScopes`. */
export function scopesOf(roles: readonly Role[]): TokenScope[] {
  return tokenScopes.filter((scope) => scopeHolders[scope].some((role) => roles.includes(role)))
}

export interface PublicAccess {
  readonly kind: 'public'
}
/** Login: there is no session yet, so only Origin (or, without one, Referer) says where the request comes from. */
export interface LoginAccess {
  readonly kind: 'login'
}
export interface SessionAccess {
  readonly kind: 'session'
  readonly roles: readonly Role[]
  readonly permission: Permission | undefined
  /** What a token must be for; without one, the operation is for sessions alone. */
  readonly scope: TokenScope | undefined
  /** What a session may still owe when it calls this; nothing for nearly all. */
  readonly whileOwing: readonly Owed[]
}

/** What a session owes before it may do anything else, first things first. */
export const owedThings = ['second_factor', 'password_change', 'enrolment'] as const
export type Owed = (typeof owedThings)[number]

export type Access = PublicAccess | LoginAccess | SessionAccess

export const publicAccess: PublicAccess = { kind: 'public' }
export const loginAccess: LoginAccess = { kind: 'login' }

/** Access for sessions that hold one of these roles, and the permission where one is named. */
export function sessionAccess(
  roles: readonly Role[],
  options: { permission?: Permission; scope?: TokenScope; whileOwing?: readonly Owed[] } = {},
): SessionAccess {
  return {
    kind: 'session',
    roles,
    permission: options.permission,
    scope: options.scope ?? options.permission,
    whileOwing: options.whileOwing ?? [],
  }
}

/** What the token of a request allows. */
export interface TokenGrant {
  id: string
  scopes: readonly TokenScope[]
  /** The ids of the only families that it reaches. */
  families: readonly string[] | undefined
}

/** Who is calling, as the session or the token says. */
export interface Principal {
  /** Empty with a token. */
  sessionId: string
  token?: TokenGrant
  userId: string
  username: string
  displayName: string
  roles: readonly Role[]
  permissions: readonly Permission[]
  mustChangePassword: boolean
  /** What the sign-in still wants; undefined when it is over. */
  awaits?: SignInStep | undefined
  /** Signs in at the OpenID provider, and has no password. */
  isExternal?: boolean
  /** Puts no work of their own in force (QUIRE_FOUR_EYES). */
  fourEyes?: boolean
  /** When the person last gave the password, here or at the provider; undefined if that is unknown. */
  passwordGivenAt: Instant | undefined
  /** The latest end of the session, and its end if it is not used. */
  expiresAt: Instant
  idleExpiresAt: Instant
}

/** The first step still owed. A user with a second factor gives it before changing the password. */
export function owedBy({
  awaits,
  mustChangePassword,
}: Pick<Principal, 'awaits' | 'mustChangePassword'>): Owed | undefined {
  if (awaits === 'second_factor') return awaits
  return mustChangePassword ? 'password_change' : awaits
}
