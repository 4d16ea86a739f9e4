/** Signing in at an OpenID provider: the page goes there and comes back, or a window does while the page waits. */

import { signal } from '@preact/signals'
import { call } from './api/client.ts'
import { ApiProblem } from './api/problem.ts'
import type { SignInMethods } from './api/types.ts'
import { t } from './language.ts'

/** Undefined until the server has told, and where it can't: then there are passwords. */
export const methods = signal<SignInMethods | undefined>(undefined)

export async function readMethods(): Promise<void> {
  if (methods.value !== undefined) return
  try {
    methods.value = await call<SignInMethods>('/api/v1/auth/methods', { renews: false })
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
  }
}

type Purpose = 'start' | 'confirm'

async function locationOf(purpose: Purpose, body: { next?: string; in_window?: boolean }): Promise<string> {
  const path = `/api/v1/auth/oidc/${purpose}`
  const { location } = await call<{ location: string }>(path, { method: 'POST', body, renews: false })
  return location
}

/** Leaves this page; what is typed here is lost. */
export async function goToProvider(next: string): Promise<void> {
  window.location.assign(await locationOf('start', { next }))
}

/** What the window tells the page. */
interface Told {
  ended?: string
  refused?: string
}

const channel = 'quire.provider'
const windowLeft = 'window_left'

/** How often the page looks whether the window is still open. */
const lookMs = 1_000

/**
 * Resolves once the window is closed and has told nothing. A provider can make an open window look closed
 * (`Cross-Origin-Opener-Policy`), but then it has the focus and the page has not. The window's last message may still be
 * on its way at the first look, so it takes two.
 */
async function left(opened: Window, abort: AbortSignal): Promise<void> {
  for (let looks = 0; looks < 2; ) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    if (abort.aborted) return
    looks = opened.closed && document.hasFocus() ? looks + 1 : 0
  }
}

/** Hears a window that only looked closed. */
let given: BroadcastChannel | undefined

/**
 * Signs in in a window of its own; resolves when that has worked, and fails when the person closes it before.
 *
 * @param onLate called when a window that looked closed tells later that it has worked
 */
export async function askProvider(purpose: Purpose, onLate: () => unknown): Promise<void> {
  // At once, while the click still counts: browsers open no window later.
  const opened = window.open('', 'quire-provider', 'popup,width=520,height=720')
  if (opened === null) throw problemOf('window_blocked')
  given?.close()
  given = undefined
  const told = Promise.withResolvers<Told>()
  const messages = new BroadcastChannel(channel)
  messages.onmessage = ({ data }: MessageEvent<Told>) => told.resolve(data)
  const over = new AbortController()
  void left(opened, over.signal).then(() => told.resolve({ refused: windowLeft }))
  try {
    opened.location.href = await locationOf(purpose, { in_window: true })
    const { refused } = await told.promise
    if (refused === windowLeft) {
      given = messages
      given.onmessage = ({ data }: MessageEvent<Told>) => data.refused === undefined && onLate()
    }
    if (refused !== undefined) throw problemOf(refused)
  } catch (error) {
    opened.close()
    throw error
  } finally {
    over.abort()
    if (given !== messages) messages.close()
  }
}

/** Called in the window that came back. */
export function tellPage(query: URLSearchParams): void {
  const messages = new BroadcastChannel(channel)
  const [ended, refused] = [query.get('ended'), query.get('refused')]
  messages.postMessage({ ...(ended === null ? {} : { ended }), ...(refused === null ? {} : { refused }) })
  messages.close()
  window.close()
}

const EXPIRED = t`The sign-in took too long, or was begun in another browser. Begin it again here.`
const words: Readonly<Record<string, string>> = {
  unknown_state: EXPIRED,
  expired_state: EXPIRED,
  replayed_state: EXPIRED,
  provider_refused: t`The provider did not sign you in.`,
  provider_unavailable: t`The provider does not answer as it should. Try again shortly.`,
  no_role: t`You are known, and none of your groups has a role here. Ask an administrator for one.`,
  unknown_user: t`You are known there, and not here. Ask an administrator to link your account.`,
  disabled_account: t`Your account here is disabled. Ask an administrator.`,
  other_person: t`Somebody else signed in there, or your session here has ended. Nothing was changed.`,
  not_fresh: t`The provider did not ask you to sign in again, or does not say when you did. Sign out here and
      there, and sign in again.`,
  too_weak: t`Quire wants a stronger sign-in there, such as one with a second factor. Sign out there, and try
    again.`,
  throttled: t`Too many sign-ins failed. Try again in a few minutes.`,
  window_blocked: t`The browser opened no window. Allow windows of this page, and try again.`,
  [windowLeft]: t`You left the sign-in at the provider before it had ended. Begin it again here.`,
}

/** A refusal in words. Only known ones are shown: the address may come from anywhere. */
export function problemOf(refused: string, reference = ''): ApiProblem {
  const detail = Object.hasOwn(words, refused) ? words[refused] : undefined
  const shown = /^[A-Za-z0-9._:-]{1,128}$/.test(reference) ? reference : ''
  const told =
    detail ?? t`The answer of the provider could not be believed. Try again; if it goes on, tell an administrator.`
  return new ApiProblem(403, 'sign_in_refused', t`Not signed in`, told, { correlationId: shown })
}
