import type { Author } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { addMs, dayMs, epochMsOf, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Connection, Database } from '../../db/database.ts'
import { untilChanged } from '../../db/until-changed.ts'
import { type Principal, permissionsOf, scopesOf, type TokenScope } from '../../http/access.ts'
import { cutPage, type Page } from '../../http/paging.ts'
import type { FamilySource } from '../../http/reach.ts'
import type { TokenSource } from '../../http/session.ts'
import { hashToken } from '../../http/tokens.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { type FamilyHead, findFamilyBySlug, listFamilyHeads } from '../families/families.reads.ts'
import { recordNotice } from '../notices/notices.service.ts'
import { findUser, holdUser, type UserRow } from '../users/users.service.ts'
import { isTokenText, newTokenText } from './token-text.ts'
import {
  countLiveTokens,
  familyOfExecution,
  familyOfSubmission,
  findGrant,
  findToken,
  type GrantRow,
  insertToken,
  listExpiring,
  listTokens,
  markReminded,
  modelOfBatch,
  revokeToken,
  type TokenRow,
  touchToken,
} from './tokens.store.ts'

export interface NewToken {
  name: string
  /** The token's user. */
  userId: string
  scopes: readonly TokenScope[]
  /** Ids; undefined for all families. */
  families?: readonly string[] | undefined
  days: number
}

/** A token with its families. */
export interface Token extends TokenRow {
  familyNames: readonly Pick<FamilyHead, 'id' | 'kind' | 'slug' | 'name'>[]
}

/** Who manages tokens. */
export interface Managing extends Author {
  /** The person who asks; left out for the command line, which may do everything. */
  principal?: Principal
}

/**
 * Tokens of the API. A token acts for its user, with the user's current rights, within its scopes. Its text is shown once; the
 * database has only a hash.
 */
export interface TokenService extends TokenSource, FamilySource {
  /** Newest first, of one user or of all. The calling operations decide who may see whose tokens. */
  list(asked: { userId?: string | undefined; limit: number; cursor?: string | undefined }): Promise<Page<Token>>
  /** @throws Fault validation_failed, forbidden, conflict when the user has too many */
  create(token: NewToken, by: Managing): Promise<{ token: Token; text: string }>
  /** Ends a token at once, unless it has ended. @throws Fault not_found */
  revoke(id: string, by: Managing): Promise<void>
  /** Notifies users of their tokens that expire soon, and the makers of service accounts' tokens; call it now and then. */
  remind(): Promise<void>
  /** Resolves when no background write is under way; await it before the database closes. */
  settled(): Promise<void>
}

export function createTokenService(ports: { database: Database; clock: Clock; log: Log }): TokenService {
  const { database, clock, log } = ports
  const touching = new Map<string, Promise<void>>()
  const grantOf = untilChanged(database, limits.sessionsKept, (tokenHash) => findGrant(database.read, tokenHash))

  /** Notes the use of a token, at most once a minute. Nothing waits for it. */
  function touch(grant: GrantRow, now: Instant, address: string): void {
    const { id, lastUsedAt } = grant
    const isRecent = lastUsedAt !== null && lastUsedAt >= addMs(now, -limits.sessionTouchMs) && lastUsedAt <= now
    if (touching.has(id) || (isRecent && grant.lastAddress === address)) return
    const write = database
      .write((tx) => touchToken(tx, id, now, address))
      .catch((error: unknown) => log.warn('a token could not be marked as used', { cause: error }))
      .finally(() => touching.delete(id))
    touching.set(id, write)
  }

  async function withFamilies(connection: Connection, rows: readonly TokenRow[]): Promise<Token[]> {
    const ids = [...new Set(rows.flatMap(({ families }) => families ?? []))]
    const heads = ids.length === 0 ? [] : await listFamilyHeads(connection, ids)
    const names = heads.map(({ id, kind, slug, name }) => ({ id, kind, slug, name }))
    return rows.map((row) => ({ ...row, familyNames: names.filter(({ id }) => row.families?.includes(id)) }))
  }

  return {
    async findPrincipal(text, address) {
      if (!isTokenText(text)) return undefined
      const grant = await grantOf(await hashToken(text))
      const now = clock.now()
      if (grant === undefined || grant.revokedAt !== null || grant.expiresAt <= now || grant.disabled) return undefined
      if (!isVouchedFor(grant, now)) return undefined
      touch(grant, now, address)
      return principalOf(grant)
    },

    async familyOf(subject) {
      switch (subject.kind) {
        case 'family':
          return subject.id
        case 'model':
          return (await findFamilyBySlug(database.read, 'ingestion_model', subject.slug))?.id
        case 'batch': {
          const slug = await modelOfBatch(database.read, subject.id)
          return slug === undefined ? undefined : (await findFamilyBySlug(database.read, 'ingestion_model', slug))?.id
        }
        case 'submission':
          return familyOfSubmission(database.read, subject.id)
        case 'execution':
          return familyOfExecution(database.read, subject.id)
      }
    },

    async list({ userId, limit, cursor }) {
      const page = cutPage(await listTokens(database.read, userId, cursor, limit + 1), limit)
      const rows = await withFamilies(database.read, page.rows)
      return { rows, last: page.last === undefined ? undefined : rows.at(-1) }
    },

    async create(wanted, { principal, ...author }) {
      const user = await findUser(database.read, wanted.userId)
      if (user === undefined) throw new Fault('validation_failed', 'Body field user_id: there is no such user.')
      requireMayGive(user, principal)
      requireScopes(wanted.scopes, user)
      await requireFamilies(database.read, wanted.families)
      const text = newTokenText()
      const now = clock.now()
      const row = {
        id: newId(),
        userId: user.id,
        name: wanted.name,
        scopes: [...wanted.scopes],
        families: wanted.families === undefined ? null : [...new Set(wanted.families)],
        createdBy: author.userId,
        createdAt: now,
        expiresAt: addMs(now, wanted.days * dayMs),
        ...{ revokedAt: null, lastUsedAt: null, lastAddress: null },
      }
      const tokenHash = await hashToken(text)
      await database.write(async (tx) => {
        // A concurrent creation waits here, and then counts this token.
        await holdUser(tx, user.id)
        if ((await countLiveTokens(tx, user.id, now)) >= limits.tokensPerUser) {
          throw new Fault('conflict', `${user.username} has ${limits.tokensPerUser} tokens. Revoke one first.`)
        }
        await insertToken(tx, { ...row, tokenHash })
        const { scopes, families, name } = row
        const detail = { user_id: user.id, name, scopes, ...(families === null ? {} : { families }) }
        await recordAudit(tx, { ...author, at: now }, { ...about(row.id), action: 'api_token.created', detail })
        await recordNotice(tx, { ...author, at: now }, { userId: user.id, kind: 'token_created', name })
      })
      const { username, isService } = user
      const [token] = await withFamilies(database.read, [{ ...row, username, isService }])
      if (token === undefined) throw new Error('a token was lost on the way')
      return { token, text }
    },

    async revoke(id, { principal, ...author }) {
      const at = clock.now()
      await database.write(async (tx) => {
        const token = await findToken(tx, id)
        const isVisible = principal === undefined || managesUsers(principal) || token?.userId === principal.userId
        if (token === undefined || !isVisible) throw new Fault('not_found', 'There is no such token.')
        if (!(await revokeToken(tx, id, at))) return
        const detail = { user_id: token.userId, name: token.name }
        await recordAudit(tx, { ...author, at }, { ...about(id), action: 'api_token.revoked', detail })
        await recordNotice(tx, { ...author, at }, { userId: token.userId, kind: 'token_revoked', name: token.name })
      })
    },

    async remind() {
      const at = clock.now()
      const soon = addMs(at, limits.tokenReminderMs)
      for (const token of await listExpiring(database.read, at, soon, limits.tokensReminded)) {
        const { id, name, expiresAt } = token
        const left = epochMsOf(expiresAt) - epochMsOf(at)
        // Remind only in the last quarter of its life: a token of a few days would be due as soon as it is made.
        if (left > (epochMsOf(expiresAt) - epochMsOf(token.createdAt)) / 4) continue
        const userId = token.isService ? token.createdBy : token.userId
        await database.write(async (tx) => {
          if (!(await markReminded(tx, id, at))) return
          const actor = { at, correlationId: newId() }
          await recordNotice(tx, actor, { userId, kind: 'token_expiring', name, expiresAt })
        })
      }
    },

    async settled() {
      while (touching.size > 0) await Promise.all(touching.values())
    },
  }
}

/** Whether a token is still valid. */
export function statusOf({ revokedAt, expiresAt }: TokenRow, now: Instant): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt <= now ? 'expired' : 'active'
}

function about(id: string) {
  return { resourceKind: 'api_token', resourceId: id }
}

function principalOf(grant: GrantRow): Principal {
  const granted = new Set<TokenScope>(grant.scopes)
  return {
    sessionId: '',
    token: { id: grant.id, scopes: grant.scopes, families: grant.families ?? undefined },
    userId: grant.userId,
    username: grant.username,
    displayName: grant.displayName,
    roles: grant.roles,
    permissions: permissionsOf(grant.roles).filter((permission) => granted.has(permission)),
    mustChangePassword: grant.mustChangePassword && !grant.isService,
    passwordGivenAt: undefined,
    expiresAt: grant.expiresAt,
    idleExpiresAt: grant.expiresAt,
  }
}

function managesUsers({ permissions }: Principal): boolean {
  return permissions.includes('user_manage')
}

/** People manage their own tokens; administrators manage those of service accounts. */
function requireMayGive(user: UserRow, principal: Principal | undefined): void {
  if (user.disabled) throw new Fault('validation_failed', `Body field user_id: ${user.username} is disabled.`)
  if (principal === undefined || user.id === principal.userId) return
  if (managesUsers(principal) && user.isService) return
  throw new Fault(
    'forbidden',
    managesUsers(principal)
      ? 'A person makes their own tokens. Make a service account for what belongs to nobody.'
      : 'Only administrators make tokens for others. Leave user_id out.',
  )
}

function requireScopes(scopes: readonly TokenScope[], user: UserRow): void {
  const held = scopesOf(user.roles)
  const missing = scopes.filter((scope) => !held.includes(scope))
  if (missing.length === 0) return
  throw new Fault(
    'validation_failed',
    `Body field scopes: the roles of ${user.username} do not allow ${missing.join(', ')}. Leave it out, or give a role first.`,
  )
}

async function requireFamilies(connection: Connection, ids: readonly string[] | undefined): Promise<void> {
  if (ids === undefined) return
  const known = new Set((await listFamilyHeads(connection, ids)).map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw new Fault('validation_failed', `Body field families: there is no family ${unknown}.`)
}

/**
 * Whether a user's tokens may still be used. A provider doesn't report that somebody left, so users who no longer sign in there
 * lose their tokens, too. A user who was unlinked from it has none until there is a password: nobody vouches for a user who can't
 * sign in.
 */
function isVouchedFor({ isService, oidcSubject, oidcSignedInAt, passwordHashChars }: GrantRow, now: Instant): boolean {
  if (oidcSubject === null) return isService || passwordHashChars > 0
  return oidcSignedInAt !== null && oidcSignedInAt >= addMs(now, -limits.oidcVouchedMs)
}
