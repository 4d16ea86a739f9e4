/** Passkeys: the browser makes them and answers with them; this code passes requests and answers on unread. */

import { call } from './api/client.ts'
import { ApiProblem } from './api/problem.ts'
import type { Session } from './api/types.ts'
import { t } from './language.ts'
import { enter, giveSecondFactor } from './session.ts'

/** Browsers have passkeys on https and localhost only, and for host names, not addresses; those before 2025 don't read JSON. */
export function passkeysWork(): boolean {
  const { hostname } = window.location
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  if (!window.isSecureContext || isAddress || !('PublicKeyCredential' in window)) return false
  return 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

async function optionsAt<T>(path: string, options: { body?: unknown; confirms?: boolean } = {}): Promise<T> {
  const answer = await call<{ options: T }>(path, { method: 'POST', renews: false, ...options })
  return answer.options
}

/** @throws ApiProblem in words for what the browser refused */
async function jsonOf(asked: Promise<Credential | null>): Promise<unknown> {
  try {
    return ((await asked) as PublicKeyCredential | null)?.toJSON()
  } catch (error) {
    const isTaken = error instanceof DOMException && error.name === 'InvalidStateError'
    const detail = isTaken
      ? t`This device has a passkey for you already. Use another one.`
      : t`The browser gave no passkey: there is none, it was refused, or it took too long. Try again, or use
        another way.`
    throw new ApiProblem(0, 'passkey_refused', t`No passkey`, detail)
  }
}

function answerTo(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return jsonOf(navigator.credentials.get({ publicKey }))
}

/** Throws `ApiProblem`. */
export async function signInByPasskey(): Promise<void> {
  const passkey = await answerTo(await optionsAt('/api/v1/auth/passkey/start', { body: {} }))
  enter(await call<Session>('/api/v1/auth/passkey', { method: 'POST', body: { passkey }, renews: false }))
}

/** Throws `ApiProblem`. */
export async function giveSecondFactorByPasskey(): Promise<void> {
  await giveSecondFactor({ passkey: await answerTo(await optionsAt('/api/v1/auth/second-factor/passkey')) })
}

/** RegistrationResponseJSON of a new passkey. Throws `ApiProblem`. */
export async function makePasskey(): Promise<unknown> {
  const options = await optionsAt<PublicKeyCredentialCreationOptionsJSON>('/api/v1/auth/factors/passkey/start', {
    confirms: true,
  })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return jsonOf(navigator.credentials.create({ publicKey }))
}
