/** Codes of authenticator apps (TOTP, RFC 6238): six digits, a new one every 30 s, each step of an app used once. */
import { epochMsOf, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { isSameSecret } from '../../core/same-secret.ts'
import { codeOf } from '../../http/tokens.ts'

/** 160 random bits, as RFC 4226 recommends. */
export function newAppKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(20))
}

/** The newest step near this instant that has this code; undefined if none has. */
export async function stepOfCode(key: Uint8Array, code: string, at: Instant): Promise<number | undefined> {
  const now = Math.floor(epochMsOf(at) / (limits.codeStepSeconds * 1000))
  let found: number | undefined
  // Compare all of them: the time taken must not tell which matched.
  for (let step = now - limits.codeStepsOff; step <= now + limits.codeStepsOff; step++) {
    if (isSameSecret(code, await codeOf(key, step))) found = step
  }
  return found
}
