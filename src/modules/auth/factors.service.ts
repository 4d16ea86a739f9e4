/**
 * Second factors: authenticator apps, passkeys, and recovery codes in case these are lost. A user's factors decide what a sign-in
 * by password still needs (auth.service.ts). A session that waits for a factor may only give it (second-factor.service.ts).
 * Adding or removing a factor ends the user's other sessions. A completed sign-in gets a new session, never the one that waited.
 */
import type { Actor } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { epochMsOf, type Instant } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import type { Principal, Role } from '../../http/access.ts'
import { seal, unseal } from '../../http/sealed.ts'
import { appKeyTexts, deriveKeys, type Keys } from '../../http/tokens.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { recordNotice } from '../notices/notices.service.ts'
import { newAppKey, stepOfCode } from './app-codes.ts'
import { type AuthService, newSession, openSession, principalOf } from './auth.service.ts'
import { deleteSessionsOf, findCredentialsById } from './auth.store.ts'
import { aboutFactor, ended, holdUser } from './factor-holding.ts'
import {
  countFactors,
  countFactorsOf,
  countRecoveryCodes,
  deleteFactor,
  deleteFactorsOf,
  type FactorRow,
  holdSession,
  insertFactor,
  listApps,
  listFactors,
  replaceKey,
  replaceRecoveryCodes,
} from './factors.store.ts'
import type { PasskeyChallenges } from './passkey-challenges.ts'
import { requireName, siteOf } from './passkey-proofs.ts'
import { checkRegistration, registrationOptions } from './passkeys.ts'
import { newRecoveryCodes, recoveryHashOf } from './recovery-codes.ts'
import type { Caller, OpenedSession } from './second-factor.service.ts'

export type { FactorRow } from './factors.store.ts'

export interface FactorService {
  /** The user's factors, and whether their roles require one. */
  overview(principal: Principal): Promise<{ factors: FactorRow[]; recoveryCodes: number; isRequired: boolean }>
  /** A key for an authenticator app. It counts once `addApp` has checked a code of it. @throws Fault forbidden */
  beginApp(principal: Principal): Promise<{ enrolment: string; uri: string; typed: string }>
  /** @throws Fault forbidden, validation_failed, conflict, authentication_required */
  addApp(caller: Caller, app: { enrolment: string; code: string; name: string }): Promise<Added>
  /** @throws Fault forbidden, conflict */
  beginPasskey(principal: Principal, origin: string): Promise<JsonValue>
  /** @throws Fault forbidden, validation_failed, conflict, authentication_required */
  addPasskey(caller: Caller, passkey: { answer: JsonValue; name: string }): Promise<Added>
  /** @throws Fault forbidden, not_found, conflict for the last factor of a user who must have one */
  remove(caller: Keeping, id: string): Promise<void>
  /** The earlier codes become invalid. @throws Fault forbidden, conflict without a second factor */
  replaceRecoveryCodes(caller: Keeping): Promise<string[]>
  /** Encrypts with the current key what was encrypted with an earlier one; call it at the start. @returns how many keys */
  sealAnew(): Promise<number>
}

/** A caller who changes existing factors, and gets no new session. */
export type Keeping = Pick<Caller, 'principal' | 'clientAddress' | 'correlationId'>

export interface Added extends OpenedSession {
  factor: FactorRow
  /** Given with the first factor only, and shown only now. */
  recoveryCodes: string[] | undefined
}

export interface FactorPorts {
  database: Database
  clock: Clock
  secrets: Keys
  challenges: PasskeyChallenges
  auth: Pick<AuthService, 'requireRecentPassword'>
  secondFactorRoles?: readonly Role[] | undefined
}

export async function createFactorService(ports: FactorPorts): Promise<FactorService> {
  const { database, clock, secrets, challenges, auth, secondFactorRoles = [] } = ports
  const keys = await deriveKeys(secrets, 'factor')

  const isRequiredOf = ({ roles }: Pick<Principal, 'roles'>) => roles.some((role) => secondFactorRoles.includes(role))

  /** @throws Fault forbidden */
  function requireOwnPassword(principal: Principal): void {
    if (principal.isExternal) {
      throw new Fault('forbidden', 'You sign in at the provider; second factors are its affair. Add one there.')
    }
    auth.requireRecentPassword(principal)
  }

  /** Adds a factor, ends all sessions, and opens the caller's next one. */
  async function add(caller: Caller, made: Pick<FactorRow, 'id' | 'kind' | 'name' | 'key'> & Partial<FactorRow>) {
    const { principal, host, clientAddress, correlationId } = caller
    const user = await findCredentialsById(database.read, principal.userId)
    const at = clock.now()
    const actor = { userId: principal.userId, correlationId, at }
    const factor: FactorRow = {
      ...{ userId: principal.userId, credentialId: null, host: null, transports: null, counter: 0 },
      ...{ failures: 0, createdAt: at, lastUsedAt: null },
      ...made,
    }
    const { passwordGivenAt = null } = principal
    // Replacing an open session is no news to the user; completing a sign-in with its first factor is.
    const isKnownTo = principal.awaits === undefined ? async () => true : caller.browser.isKnownTo
    const opener = { host, address: clientAddress, browser: { ...caller.browser, isKnownTo } }
    const owner = { id: principal.userId, username: principal.username }
    const session = await newSession({ user: owner, at, passwordGivenAt, ...opener })
    const codes = newRecoveryCodes()
    return database
      .write(async (tx) => {
        const held = await holdUser(tx, user)
        // If another session added a first factor while this one waited, this session has ended.
        const asBefore = { id: principal.sessionId, userId: held.id, awaits: principal.awaits ?? null }
        if (!(await holdSession(tx, asBefore))) throw ended()
        const before = await countFactors(tx, held.id)
        if (before >= limits.factorsPerUser) {
          throw new Fault('conflict', `You have ${before} second factors. Remove one first.`)
        }
        await insertFactor(tx, factor)
        if (before === 0)
          await replaceRecoveryCodes(
            tx,
            held.id,
            codes.map((code) => recoveryHashOf(held.id, code)),
            at,
          )
        await recordChange(tx, actor, 'user.factor_added', { kind: factor.kind, name: factor.name })
        const notice = { kind: 'factor_added', name: factor.name, address: clientAddress } as const
        await recordNotice(tx, actor, { userId: held.id, ...notice })
        await deleteSessionsOf(tx, held.id)
        await openSession(tx, session, actor, { host, client_address: clientAddress, by: 'factor_added' })
        const opened = { token: session.token, principal: principalOf({ ...held, ...session.row }) }
        return { ...opened, factor, recoveryCodes: before === 0 ? codes : undefined }
      })
      .catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error
        throw new Fault('conflict', 'This passkey is registered already. Use another.', { cause: error })
      })
  }

  return {
    async overview(principal) {
      const factors = await listFactors(database.read, principal.userId)
      const recoveryCodes = await countRecoveryCodes(database.read, principal.userId)
      return { factors, recoveryCodes, isRequired: isRequiredOf(principal) && principal.isExternal !== true }
    },

    async beginApp(principal) {
      requireOwnPassword(principal)
      const key = newAppKey()
      const seconds = secondsOf(clock.now())
      const enrolment = `${seconds}.${await seal(keys, key, enrolmentOf(principal, seconds))}`
      return { enrolment, ...appKeyTexts(key, principal.username) }
    },

    async addApp(caller, { enrolment, code, name }) {
      const { principal } = caller
      requireOwnPassword(principal)
      const at = clock.now()
      const [seconds = '', ...sealed] = enrolment.split('.')
      const age = Math.abs(secondsOf(at) - Number(seconds))
      const isRecent = age * 1000 <= limits.signInMs
      const opened = isRecent
        ? await unseal(keys, sealed.join('.'), enrolmentOf(principal, Number(seconds)))
        : undefined
      if (opened === undefined) {
        throw new Fault(
          'validation_failed',
          'Body field enrolment has expired, or is not of this session. Begin again.',
        )
      }
      const step = await stepOfCode(opened.bytes, code, at)
      if (step === undefined) {
        throw new Fault(
          'validation_failed',
          'Body field code is not what the app shows now. Check the clock of its device.',
        )
      }
      const id = newId()
      const key = await seal(keys, opened.bytes, aboutFactor(id))
      // This code counts as used, and so do all earlier ones.
      return add(caller, { id, kind: 'app', name, key, counter: step })
    },

    async beginPasskey(principal, origin) {
      requireOwnPassword(principal)
      const site = siteOf(origin)
      requireName(site)
      const { userId: id, username, displayName } = principal
      const challenge = await challenges.make({ kind: 'add', sessionId: principal.sessionId, origin }, clock.now())
      const known = await listFactors(database.read, id)
      return registrationOptions(site, { id, username, displayName }, challenge, known)
    },

    async addPasskey(caller, { answer, name }) {
      const { principal, origin } = caller
      requireOwnPassword(principal)
      const site = siteOf(origin)
      const purpose = { kind: 'add', sessionId: principal.sessionId, origin } as const
      const made = await checkRegistration(answer, site, (challenge) =>
        challenges.isFor(purpose, challenge, clock.now()),
      )
      if (made === undefined) {
        throw new Fault('validation_failed', 'Body field passkey is not an answer to what was asked here. Begin again.')
      }
      return add(caller, { id: newId(), kind: 'passkey', name, host: site.host, ...made })
    },

    async remove({ principal, clientAddress, correlationId }, id) {
      requireOwnPassword(principal)
      const user = await findCredentialsById(database.read, principal.userId)
      const at = clock.now()
      await database.write(async (tx) => {
        const held = await holdUser(tx, user)
        const factor = await deleteFactor(tx, { id, userId: held.id })
        if (factor === undefined) throw new Fault('not_found', 'There is no such second factor.')
        const left = await countFactors(tx, held.id)
        if (left === 0 && isRequiredOf(principal)) {
          throw new Fault('conflict', 'Your role wants a second factor, and this is the last. Add another first.')
        }
        if (left === 0) await replaceRecoveryCodes(tx, held.id, [], at)
        await deleteSessionsOf(tx, held.id, principal.sessionId)
        const { kind, name } = factor
        const actor = { userId: held.id, correlationId, at }
        await recordChange(tx, actor, 'user.factor_removed', { kind, name })
        await recordNotice(tx, actor, { userId: held.id, kind: 'factor_removed', name, address: clientAddress })
      })
    },

    async replaceRecoveryCodes({ principal, clientAddress, correlationId }) {
      requireOwnPassword(principal)
      const user = await findCredentialsById(database.read, principal.userId)
      const at = clock.now()
      const codes = newRecoveryCodes()
      await database.write(async (tx) => {
        const held = await holdUser(tx, user)
        if ((await countFactors(tx, held.id)) === 0) {
          throw new Fault('conflict', 'Recovery codes stand in for a second factor, and you have none. Add one first.')
        }
        await replaceRecoveryCodes(
          tx,
          held.id,
          codes.map((code) => recoveryHashOf(held.id, code)),
          at,
        )
        const actor = { userId: held.id, correlationId, at }
        await recordChange(tx, actor, 'user.recovery_codes_replaced', {})
        await recordNotice(tx, actor, { userId: held.id, kind: 'recovery_codes_replaced', address: clientAddress })
      })
      return codes
    },

    async sealAnew() {
      let count = 0
      for (const factor of await listApps(database.read)) {
        const opened = await unseal(keys, factor.key, aboutFactor(factor.id))
        if (opened === undefined || opened.isCurrent) continue
        const sealedAnew = await seal(keys, opened.bytes, aboutFactor(factor.id))
        await database.write((tx) => replaceKey(tx, factor, sealedAnew))
        count++
      }
      return count
    },
  }
}

/** Removes all of a user's factors and recovery codes, for administrators. @returns how many factors there were */
export const removeAllFactors = deleteFactorsOf
/** How many second factors each of these users has; those without one are left out. */
export const factorCounts = countFactorsOf

async function recordChange(tx: Transaction, actor: Actor, action: string, detail: Record<string, string>) {
  await recordAudit(tx, actor, { action, resourceKind: 'user', resourceId: actor.userId, detail })
}

function enrolmentOf({ sessionId }: Principal, seconds: number): string {
  return `enrolment\n${sessionId}\n${seconds}`
}

function secondsOf(at: Instant): number {
  return Math.floor(epochMsOf(at) / 1000)
}
