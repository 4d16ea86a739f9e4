import type { Clock } from '../../core/clock.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { ADMINISTRATOR, ALL, sessionAccess } from '../../http/access.ts'
import { type Acting, authorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { type Page, pageOf } from '../../http/paging.ts'
import { nothing } from '../../http/wire.ts'
import type { AuthService } from '../auth/auth.service.ts'
import {
  type ApiTokenBody,
  allTokensQuery,
  apiToken,
  createdToken,
  newTokenBody,
  tokenId,
  tokenQuery,
} from './tokens.model.ts'
import { type Managing, statusOf, type Token, type TokenService } from './tokens.service.ts'

export interface TokenPorts {
  tokens: TokenService
  auth: Pick<AuthService, 'requireRecentPassword'>
  clock: Clock
}

/** For sessions only: a leaked token must not make others. */
export function tokenOperations({ tokens, auth, clock }: TokenPorts): Operation[] {
  const common = { tag: 'tokens', resourceKind: 'api_token' } as const
  const page = ({ rows, last }: Page<Token>) => {
    const body = { tokens: rows.map((row) => tokenBody(row, clock.now())) }
    return { body: last === undefined ? body : { ...body, next_cursor: last.id } }
  }
  return [
    defineOperation({
      ...common,
      id: 'listTokens',
      method: 'GET',
      path: '/api/v1/tokens',
      summary: 'Your own API tokens, newest first',
      access: sessionAccess(ALL),
      query: tokenQuery,
      success: [{ status: 200, schema: pageOf('tokens', apiToken) }],
      failures: [403, 422],
      handle: async ({ query, principal }) =>
        page(
          await tokens.list({
            userId: principal.userId,
            limit: query.limit ?? limits.pageSizeDefault,
            cursor: query.cursor,
          }),
        ),
    }),
    defineOperation({
      ...common,
      id: 'listAllTokens',
      method: 'GET',
      path: '/api/v1/admin/tokens',
      summary: 'The API tokens of all users, or of one, newest first',
      access: { ...sessionAccess(ADMINISTRATOR, { permission: 'user_manage' }), scope: undefined },
      query: allTokensQuery,
      success: [{ status: 200, schema: pageOf('tokens', apiToken) }],
      failures: [403, 422],
      handle: async ({ query }) =>
        page(
          await tokens.list({
            userId: query.user_id?.toLowerCase(),
            limit: query.limit ?? limits.pageSizeDefault,
            cursor: query.cursor,
          }),
        ),
    }),
    defineOperation({
      ...common,
      id: 'createToken',
      method: 'POST',
      path: '/api/v1/tokens',
      summary:
        'Make an API token, for yourself or, as an administrator, for a service account; its text is shown only here. Asks for your own password again',
      access: sessionAccess(ALL),
      body: jsonBody(newTokenBody, limits.smallBodyBytes),
      success: [{ status: 201, schema: createdToken }],
      failures: [403, 409, 415, 422],
      async handle({ body, ...context }) {
        auth.requireRecentPassword(context.principal)
        const { name, scopes, families, expires_in_days: days = limits.tokenLifetimeDefaultDays } = body
        const userId = body.user_id?.toLowerCase() ?? context.principal.userId
        const wanted = { name, scopes, families: families?.map((id) => id.toLowerCase()), days, userId }
        const { token, text } = await tokens.create(wanted, managing(context))
        return { body: { token: tokenBody(token, clock.now()), secret: text } }
      },
    }),
    defineOperation({
      ...common,
      id: 'revokeToken',
      method: 'POST',
      path: '/api/v1/tokens/{tokenId}/revoke',
      summary: 'End an API token at once: one of yours or, as an administrator, any',
      access: sessionAccess(ALL),
      params: tokenId,
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 204 }],
      failures: [403, 404, 415, 422],
      async handle({ params, ...context }) {
        await tokens.revoke(params.tokenId, managing(context))
        return {}
      },
    }),
  ]
}

function managing(context: Acting): Managing {
  return { ...authorOf(context), principal: context.principal }
}

function tokenBody(token: Token, now: Instant): ApiTokenBody {
  const { revokedAt, lastUsedAt, lastAddress } = token
  return {
    id: token.id,
    name: token.name,
    user: { id: token.userId, username: token.username, is_service: token.isService },
    scopes: token.scopes,
    ...(token.families === null ? {} : { families: [...token.familyNames] }),
    status: statusOf(token, now),
    created_by: token.createdBy,
    created_at: formatInstant(token.createdAt),
    expires_at: formatInstant(token.expiresAt),
    ...(revokedAt === null ? {} : { revoked_at: formatInstant(revokedAt) }),
    ...(lastUsedAt === null ? {} : { last_used_at: formatInstant(lastUsedAt) }),
    ...(lastAddress === null ? {} : { last_address: lastAddress }),
  }
}
