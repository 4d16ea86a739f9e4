/**
 * Gives the second factor that completes a sign-in by password. The session that waited for it can do nothing else, and ends when
 * the complete one begins. Every attempt is counted before it is checked.
 */
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import type { Instant } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import type { Principal } from '../../http/access.ts'
import { unseal } from '../../http/sealed.ts'
import type { Browser } from '../../http/session.ts'
import { deriveKeys, type Keys } from '../../http/tokens.ts'
import { stepOfCode } from './app-codes.ts'
import { attemptSucceeded, beginSecondFactor, createAttempts } from './attempts.service.ts'
import { newSession, openSession, principalOf } from './auth.service.ts'
import { type CredentialsRow, deleteSession, findCredentialsById } from './auth.store.ts'
import { aboutFactor, ended, holdUser } from './factor-holding.ts'
import {
  countWrongCode,
  findPasskey,
  forgetWrongCodes,
  holdSession,
  listFactors,
  useAppStep,
  useRecoveryCode,
} from './factors.store.ts'
import type { PasskeyChallenges } from './passkey-challenges.ts'
import { credentialIdOf, type Proven, provePasskey, siteOf } from './passkey-proofs.ts'
import { authenticationOptions } from './passkeys.ts'
import { recoveryHashOf } from './recovery-codes.ts'

export interface SecondFactorService {
  /** Completes a sign-in. @throws Fault invalid_credentials, rate_limited, authentication_required */
  give(given: GivenFactor): Promise<OpenedSession>
  /** Options for the browser to ask for one of the user's passkeys. @throws Fault conflict without one for this site */
  ask(principal: Principal, origin: string): Promise<JsonValue>
}

export interface Caller {
  principal: Principal
  host: string
  origin: string
  clientAddress: string
  browser: Browser
  correlationId: string
}

export interface GivenFactor extends Caller {
  proof: { code: string } | { recoveryCode: string } | { passkey: JsonValue }
}

export interface OpenedSession {
  token: string
  principal: Principal
}

export interface SecondFactorPorts {
  database: Database
  clock: Clock
  log: Log
  secrets: Keys
  challenges: PasskeyChallenges
}

export async function createSecondFactorService(ports: SecondFactorPorts): Promise<SecondFactorService> {
  const { database, clock, log, secrets, challenges } = ports
  const keys = await deriveKeys(secrets, 'factor')
  const attempts = createAttempts(ports)

  /** Reads the apps' keys and computes codes before any transaction. */
  async function proveCode(user: CredentialsRow, code: string, at: Instant): Promise<Proven | undefined> {
    for (const factor of await listFactors(database.read, user.id)) {
      if (factor.kind !== 'app' || factor.failures >= limits.codeFailures) continue
      const opened = await unseal(keys, factor.key, aboutFactor(factor.id))
      if (opened === undefined) {
        log.warn('the key of an authenticator app was sealed with another QUIRE_SECRET', { user: user.username })
        continue
      }
      const step = await stepOfCode(opened.bytes, code, at)
      if (step !== undefined) return { by: 'app', use: (tx, now) => useAppStep(tx, { id: factor.id, step }, now) }
    }
    return undefined
  }

  async function prove(user: CredentialsRow, { proof, principal, origin }: GivenFactor): Promise<Proven | undefined> {
    const at = clock.now()
    if ('code' in proof) return proveCode(user, proof.code, at)
    if ('recoveryCode' in proof) {
      const codeHash = recoveryHashOf(user.id, proof.recoveryCode)
      return { by: 'recovery_code', use: (tx, now) => useRecoveryCode(tx, { userId: user.id, codeHash }, now) }
    }
    const passkey = await findPasskey(database.read, credentialIdOf(proof.passkey))
    const purpose = { kind: 'second_factor', sessionId: principal.sessionId, origin } as const
    return passkey?.userId === user.id
      ? provePasskey(challenges, { passkey, answer: proof.passkey, purpose }, at)
      : undefined
  }

  return {
    async give(given) {
      const { principal, host, clientAddress, correlationId } = given
      const { userId } = principal
      const attempt = await attempts.begin((tx, at) => beginSecondFactor(tx, at, userId), {
        action: 'session.factor_throttled',
        userId: async () => userId,
        ...{ clientAddress, correlationId },
      })
      const user = await findCredentialsById(database.read, userId)
      const proven = user === undefined ? undefined : await prove(user, given)
      const at = clock.now()
      const { passwordGivenAt = null } = principal
      const opener = { host, address: clientAddress, browser: given.browser }
      const session = await newSession({
        user: { id: userId, username: principal.username },
        at,
        passwordGivenAt,
        ...opener,
      })
      const opened = await database.write(async (tx) => {
        const held = await holdUser(tx, user)
        const waiting = { id: principal.sessionId, userId, awaits: 'second_factor' } as const
        if (!(await holdSession(tx, waiting))) throw ended()
        if (proven === undefined || !(await proven.use(tx, at))) {
          if ('code' in given.proof) await countWrongCode(tx, userId)
          return undefined
        }
        await forgetWrongCodes(tx, userId)
        await deleteSession(tx, principal.sessionId)
        const actor = { userId, correlationId, at }
        await openSession(tx, session, actor, { host, client_address: clientAddress, by: proven.by })
        await attemptSucceeded(tx, at, attempt)
        return { token: session.token, principal: principalOf({ ...held, ...session.row }) }
      })
      if (opened !== undefined) return opened
      const reason =
        'code' in given.proof ? 'wrong_code' : 'passkey' in given.proof ? 'wrong_passkey' : 'wrong_recovery_code'
      const detail = { reason, client_address: clientAddress }
      await attempts.refuse({ userId, correlationId }, 'session.factor_refused', userId, detail, 'factor_refused')
      throw new Fault(
        'invalid_credentials',
        'The second factor is wrong, or was used before. Wait for the next code, or use a recovery code.',
      )
    },

    async ask(principal, origin) {
      const site = siteOf(origin)
      const known = await listFactors(database.read, principal.userId)
      if (!known.some(({ kind, host }) => kind === 'passkey' && host === site.host)) {
        throw new Fault('conflict', `You have no passkey for ${site.host}. Use a code.`)
      }
      const purpose = { kind: 'second_factor', sessionId: principal.sessionId, origin } as const
      const challenge = await challenges.make(purpose, clock.now())
      return authenticationOptions(site, challenge, known)
    },
  }
}
