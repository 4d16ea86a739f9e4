import { Fault } from '../../core/faults.ts'
import type { Instant } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { Transaction } from '../../db/database.ts'
import { type FactorRow, usePasskey } from './factors.store.ts'
import type { ChallengePurpose, PasskeyChallenges } from './passkey-challenges.ts'
import { checkAuthentication, partsOf, type Site } from './passkeys.ts'

/** A checked proof; `use` returns false if it was used before. */
export interface Proven {
  by: 'app' | 'passkey' | 'recovery_code'
  use(tx: Transaction, at: Instant): Promise<boolean>
}

export function siteOf(origin: string): Site {
  return { origin, host: new URL(origin).hostname }
}

/** Browsers make passkeys only for host names, not for addresses. @throws Fault conflict */
export function requireName({ host }: Site): void {
  if (host.includes(':') || /^[\d.]+$/.test(host)) {
    throw new Fault('conflict', `Browsers make no passkeys for an address. Open Quire by a name instead of ${host}.`)
  }
}

/** @returns the proof with the challenge that it answers; undefined if the answer isn't valid */
export async function provePasskey(
  challenges: PasskeyChallenges,
  asked: { passkey: FactorRow; answer: JsonValue; purpose: ChallengePurpose },
  at: Instant,
): Promise<(Proven & { challenge: string }) | undefined> {
  const { passkey, answer, purpose } = asked
  const site = siteOf(purpose.origin)
  if (passkey.host !== site.host) return undefined
  let answered = ''
  const counter = await checkAuthentication(answer, passkey, site, {
    isOurs: (challenge) => {
      answered = challenge
      return challenges.isFor(purpose, challenge, at)
    },
    verifiesUser: purpose.kind === 'sign_in',
  })
  if (counter === undefined) return undefined
  const use = (tx: Transaction, now: Instant) => usePasskey(tx, { id: passkey.id, counter }, now)
  return { by: 'passkey', challenge: answered, use }
}

/** The id of the passkey that an answer names; empty if it names none. */
export function credentialIdOf(answer: JsonValue): string {
  return partsOf(answer).id.slice(0, limits.passkeyIdChars)
}
