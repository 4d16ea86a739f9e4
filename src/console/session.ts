/**
 * Who is signed in. `unknown` until the first answer; `open` with a session; `closed` without one; `failed` when the
 * server could not say. Only the functions below move it. An open session that runs out stays open for the page: a
 * dialog asks for the password, and the calls that waited go on.
 */

import { computed, signal } from '@preact/signals'
import { call, type SessionSource, useSessionSource } from './api/client.ts'
import { ApiProblem } from './api/problem.ts'
import type { Permission, Role, Session } from './api/types.ts'
import { t } from './language.ts'
import { beforeLeaving, claimTab, emptyTab, leaveTab, recall, remember } from './memory.ts'
import { askProvider, readMethods } from './provider.ts'
import { place } from './router.ts'

export type SessionState =
  | { kind: 'unknown' }
  | { kind: 'open'; session: Session }
  | { kind: 'closed' }
  | { kind: 'failed'; problem: ApiProblem }

const state = signal<SessionState>({ kind: 'unknown' })
export const sessionState = computed(() => state.value)
export const session = computed(() => (state.value.kind === 'open' ? state.value.session : undefined))

/** Calls that wait for the person. */
interface Waiting {
  promise: Promise<void>
  resolve(): void
  reject(reason: unknown): void
}

const half = signal<Session | undefined>(undefined)
/** A sign-in that waits for the second factor. */
export const halfSession = computed(() => half.value)

const renewal = signal<Waiting | undefined>(undefined)
/** True while calls wait for the person to sign in again. */
export const renewing = computed(() => renewal.value !== undefined)

const confirmation = signal<Waiting | undefined>(undefined)
/** True while calls wait for the person to give the password again. */
export const confirming = computed(() => confirmation.value !== undefined)

function open(next: Session): void {
  const before = session.value
  claimTab(next.user.id)
  state.value = { kind: 'open', session: next }
  remember('signed-in', signsInAtProvider() ? PROVIDER : 'yes')
  useSessionSource({ csrfToken, renew, confirm, refresh })
  // The page shows the previous person's data, so another person gets a fresh one.
  if (before === undefined || before.user.id === next.user.id) return
  leaveTab()
  window.location.assign('/')
}

function csrfToken(): string | undefined {
  return half.value?.csrf_token ?? session.value?.csrf_token
}

/** The mark's value for a session that the provider opened. */
const PROVIDER = 'provider'

/** The person signed in at the provider, and has no password here. */
export function signsInAtProvider(): boolean {
  return recall('signed-in') === PROVIDER
}

function close(): void {
  state.value = { kind: 'closed' }
  remember('signed-in', undefined)
  useSessionSource(withoutSession)
}

/** A sign-in that waits for the second factor has a token, too. */
const withoutSession: SessionSource = { csrfToken, renew: undefined, confirm: undefined, refresh: async () => {} }

/** Reads the session a reload left in the browser. */
export async function openSession(): Promise<void> {
  if (place.peek().query.get('ended') === 'signed-in') remember('signed-in', PROVIDER)
  // Asking without a session would log an error in the browser, so the mark says whether there can be one.
  if (recall('signed-in') === undefined) {
    close()
    return
  }
  if (signsInAtProvider()) void readMethods()
  state.value = { kind: 'unknown' }
  try {
    enter(await call<Session>('/api/v1/auth/session'))
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    if (error.status === 401) close()
    else state.value = { kind: 'failed', problem: error }
  }
}

async function refresh(): Promise<void> {
  enter(await call<Session>('/api/v1/auth/session'))
}

/** Opens the session, or waits for the second factor: until then the page, and the calls that wait, stay as they are. */
export function enter(next: Session): void {
  remember('signed-in', signsInAtProvider() ? PROVIDER : 'yes')
  if (next.awaits === 'second_factor') {
    half.value = next
    if (state.value.kind === 'open') return
    state.value = { kind: 'closed' }
    useSessionSource(withoutSession)
    return
  }
  half.value = undefined
  open(next)
  renewal.value?.resolve()
  renewal.value = undefined
}

export type SecondFactorProof = { code: string } | { recovery_code: string } | { passkey: unknown }

/** Throws `ApiProblem`: `invalid_credentials`, `rate_limited`; `authentication_required` when it took too long. */
export async function giveSecondFactor(proof: SecondFactorProof): Promise<void> {
  try {
    enter(await call<Session>('/api/v1/auth/second-factor', { method: 'POST', body: proof, renews: false }))
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'authentication_required') half.value = undefined
    throw error
  }
}

/** Back to the password. */
export async function abandonSecondFactor(): Promise<void> {
  await call('/api/v1/auth/logout', { method: 'POST', renews: false }).catch(() => {})
  half.value = undefined
}

/** Throws `ApiProblem`: `invalid_credentials`, `rate_limited`, `origin_rejected`. */
export async function signIn(username: string, password: string): Promise<void> {
  const body = { username, password }
  const answer = await call<Partial<Session>>('/api/v1/auth/login', { method: 'POST', body })
  remember('signed-in', 'yes')
  // The interface promises only the token in the login's answer; the rest comes with the session read.
  enter(isWhole(answer) ? answer : await call<Session>('/api/v1/auth/session'))
}

/** The session ran out: the person signs in at the provider, in another window. Throws `ApiProblem`. */
export async function renewAtProvider(): Promise<void> {
  const isBack = async () => {
    remember('signed-in', PROVIDER)
    await refresh()
    renewal.value?.resolve()
    renewal.value = undefined
  }
  await askProvider('start', isBack)
  await isBack()
}

/** The person signs in at the provider again, in another window. Throws `ApiProblem`. */
export async function confirmAtProvider(): Promise<void> {
  await askProvider('confirm', confirmed)
  confirmed()
}

function confirmed(): void {
  confirmation.value?.resolve()
  confirmation.value = undefined
}

function isWhole(answer: Partial<Session>): answer is Session {
  return answer.user !== undefined && answer.csrf_token !== undefined && answer.must_change_password !== undefined
}

function renew(): Promise<void> {
  if (renewal.value === undefined) renewal.value = Promise.withResolvers<void>()
  return renewal.value.promise
}

/** The person leaves instead of signing in again: the waiting calls fail. */
export function abandonRenewal(): void {
  renewal.value?.reject(
    new ApiProblem(401, 'authentication_required', t`Signed out`, t`The session ran out. Sign in to go on.`),
  )
  renewal.value = undefined
  half.value = undefined
  close()
}

function confirm(): Promise<void> {
  if (confirmation.value === undefined) confirmation.value = Promise.withResolvers<void>()
  return confirmation.value.promise
}

/** Throws `ApiProblem`: `invalid_credentials`, `rate_limited`. */
export async function confirmPassword(password: string): Promise<void> {
  await call('/api/v1/auth/confirm-password', { method: 'POST', body: { password } })
  confirmed()
}

/** The person doesn't give it: the waiting calls fail. */
export function abandonConfirmation(): void {
  const detail = signsInAtProvider()
    ? t`This needs you to sign in again, and nothing was changed.`
    : t`This needs your password again, and nothing was changed.`
  confirmation.value?.reject(new ApiProblem(403, 'forbidden', t`Not confirmed`, detail))
  confirmation.value = undefined
}

/** How long signing out waits for what is typed to reach the server. */
const leavingMs = 2_000

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Signs out and leaves nothing: removes what the tab keeps, and reloads the page to empty its memory. */
export async function signOut(): Promise<void> {
  let next = '/login'
  await Promise.race([Promise.allSettled([...beforeLeaving].map((work) => work())), sleep(leavingMs)])
  try {
    if (!signsInAtProvider()) await call('/api/v1/auth/logout', { method: 'POST', renews: false })
    else {
      const path = '/api/v1/auth/oidc/logout'
      const { location } = await call<{ location: string | null }>(path, { method: 'POST', renews: false })
      if (location !== null) next = location
    }
  } finally {
    close()
    leaveTab()
    emptyTab()
    window.location.assign(next)
  }
}

/**
 * Changes the password. The server then revokes every session of the user, so the new password opens the next one.
 * Throws `ApiProblem`; when only signing in again failed, the session is closed and nothing is thrown.
 */
export async function changePassword(current: string, next: string): Promise<void> {
  const username = session.value?.user.username ?? ''
  const body = { current_password: current, new_password: next }
  await call('/api/v1/auth/password', { method: 'POST', body })
  try {
    await signIn(username, next)
  } catch (error) {
    close()
    if (!(error instanceof ApiProblem)) throw error
  }
}

/** Whether the person holds one of the roles; without a list everyone does. */
export function holdsRole(roles: readonly Role[] | undefined): boolean {
  const held = session.value?.user.roles ?? []
  return roles === undefined || held.some((role) => roles.includes(role))
}

export function holdsPermission(permission: Permission): boolean {
  return session.value?.user.permissions.includes(permission) ?? false
}

/** Whether the server would let the person see a screen. */
export function maySee({ roles, permission }: { roles?: readonly Role[]; permission?: Permission }): boolean {
  return holdsRole(roles) && (permission === undefined || holdsPermission(permission))
}
