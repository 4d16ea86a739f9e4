/** Signing in by a passkey alone: with user verification, it counts as both factors. */
import { SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { addMs } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { Database } from '../../db/database.ts'
import { attemptSucceeded, beginPasskeySignIn, createAttempts } from './attempts.service.ts'
import { endSessionBefore, newSession, openSession, principalOf } from './auth.service.ts'
import { type CredentialsRow, findCredentialsById, holdCredentials } from './auth.store.ts'
import { findPasskey } from './factors.store.ts'
import type { PasskeyChallenges } from './passkey-challenges.ts'
import { credentialIdOf, provePasskey, requireName, siteOf } from './passkey-proofs.ts'
import { authenticationOptions } from './passkeys.ts'
import { useOnce } from './provider-sessions.service.ts'
import type { Caller, OpenedSession } from './second-factor.service.ts'

export interface PasskeySignIn {
  /**
   * Options for the browser to ask for any passkey of this site.
   * @throws Fault conflict if there are none
   */
  ask(origin: string): Promise<JsonValue>
  /** @throws Fault invalid_credentials, rate_limited */
  signIn(given: Omit<Caller, 'principal'> & { answer: JsonValue }): Promise<OpenedSession>
}

export interface PasskeySignInPorts {
  database: Database
  clock: Clock
  challenges: PasskeyChallenges
  localSignIn?: string | undefined
}

export function createPasskeySignIn(ports: PasskeySignInPorts): PasskeySignIn {
  const { database, clock, challenges, localSignIn } = ports
  const attempts = createAttempts(ports)

  const mayEnter = (user: CredentialsRow) =>
    !user.disabled &&
    !user.isService &&
    user.oidcSubject === null &&
    (localSignIn === undefined || localSignIn === user.username)

  return {
    async ask(origin) {
      const site = siteOf(origin)
      requireName(site)
      const challenge = await challenges.make({ kind: 'sign_in', sessionId: '', origin }, clock.now())
      return authenticationOptions(site, challenge)
    },

    async signIn({ answer, host, origin, clientAddress, browser, correlationId }) {
      const passkey = await findPasskey(database.read, credentialIdOf(answer))
      const attempt = await attempts.begin((tx, at) => beginPasskeySignIn(tx, at, clientAddress), {
        action: 'session.throttled',
        userId: async () => passkey?.userId,
        ...{ clientAddress, correlationId },
      })
      const at = clock.now()
      const user = passkey === undefined ? undefined : await findCredentialsById(database.read, passkey.userId)
      const purpose = { kind: 'sign_in', sessionId: '', origin } as const
      const proven =
        passkey === undefined ? undefined : await provePasskey(challenges, { passkey, answer, purpose }, at)
      const refuse = async () => {
        const detail = { reason: 'wrong_passkey', client_address: clientAddress, by: 'passkey' }
        const author = { userId: user?.id ?? SYSTEM_ACTOR_ID, correlationId }
        await attempts.refuse(author, 'session.refused', user?.id, detail)
        return new Fault('invalid_credentials', 'This passkey opens nothing here. Sign in with your password.')
      }
      if (user === undefined || proven === undefined || !mayEnter(user)) throw await refuse()
      const opener = { host, address: clientAddress, browser }
      const session = await newSession({ user, at, passwordGivenAt: at, ...opener })
      const isOpened = await database.write(async (tx) => {
        if (!(await holdCredentials(tx, user.id, user.passwordHash))) return false
        const isFirst = await useOnce(tx, `passkey\n${proven.challenge}`, at, addMs(at, 2 * limits.passkeyMs))
        if (!isFirst || !(await proven.use(tx, at))) return false
        const actor = { userId: user.id, correlationId, at }
        await openSession(tx, session, actor, { host, client_address: clientAddress, by: 'passkey' })
        await endSessionBefore(tx, browser, actor)
        await attemptSucceeded(tx, at, attempt)
        return true
      })
      if (!isOpened) throw await refuse()
      return { token: session.token, principal: principalOf({ ...user, ...session.row }) }
    },
  }
}
