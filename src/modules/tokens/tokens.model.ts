import { type Static, Type } from '@sinclair/typebox'
import { familyKinds } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { tokenScopes } from '../../http/access.ts'
import { pageById } from '../../http/paging.ts'
import { object, oneOf, slug, text, timestamp, uuid } from '../../http/wire.ts'
import { username } from '../auth/auth.model.ts'

const tokenName = text({
  minLength: 1,
  maxLength: limits.tokenNameChars,
  pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$',
})
const scope = oneOf(tokenScopes)

export const tokenId = object({ tokenId: uuid })
export const tokenQuery = object(pageById)
export const allTokensQuery = object({ ...pageById, user_id: Type.Optional(uuid) })

export const newTokenBody = object({
  name: tokenName,
  scopes: Type.Array(scope, { minItems: 1, uniqueItems: true }),
  families: Type.Optional(Type.Array(uuid, { minItems: 1, maxItems: limits.tokenFamilies, uniqueItems: true })),
  expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.tokenLifetimeDays })),
  user_id: Type.Optional(uuid),
})

export const apiToken = object(
  {
    id: uuid,
    name: tokenName,
    user: object({ id: uuid, username, is_service: Type.Boolean() }),
    scopes: Type.Array(scope),
    /** Missing if the token reaches all families; empty if none of its families exists any more. */
    families: Type.Optional(
      Type.Array(object({ id: uuid, kind: oneOf(familyKinds), slug, name: text({ minLength: 1 }) })),
    ),
    status: oneOf(['active', 'expired', 'revoked']),
    created_by: uuid,
    created_at: timestamp,
    expires_at: timestamp,
    revoked_at: Type.Optional(timestamp),
    last_used_at: Type.Optional(timestamp),
    last_address: Type.Optional(text({})),
  },
  { $id: 'ApiToken' },
)
export type ApiTokenBody = Static<typeof apiToken>

/** The only answer that ever contains the token's text. */
export const createdToken = object({ token: apiToken, secret: text({ pattern: '^qr_[0-9A-Za-z]{46}$' }) })
export const wrappedToken = object({ token: apiToken })
