import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { object, text, timestamp, uuid } from '../../http/wire.ts'
import { displayName, newPassword, role, username } from '../auth/auth.model.ts'

const roles = Type.Array(role, { minItems: 1, uniqueItems: true })

export const userId = object({ userId: uuid })

export const user = object(
  {
    id: uuid,
    username,
    display_name: displayName,
    roles,
    disabled: Type.Boolean(),
    must_change_password: Type.Boolean(),
    /** An account for programs: it has tokens, but no password. */
    is_service: Type.Boolean(),
    /** How many second factors the user has; only in lists. */
    second_factors: Type.Optional(Type.Integer({ minimum: 0 })),
    /** The provider's subject, if the user signs in there; such a user has no password, either. */
    provider_subject: Type.Optional(text({ minLength: 1, maxLength: limits.oidcSubjectChars })),
    created_at: timestamp,
    updated_at: timestamp,
  },
  { $id: 'User' },
)
export type UserBody = Static<typeof user>

export const wrappedUser = object({ user })

export const newUserBody = object({ username, display_name: displayName, roles, password: newPassword })

export const newServiceAccountBody = object({ username, display_name: displayName, roles })

export const userChangeBody = object(
  {
    display_name: Type.Optional(displayName),
    roles: Type.Optional(roles),
    disabled: Type.Optional(Type.Boolean()),
  },
  { minProperties: 1 },
)

export const passwordResetBody = object({ password: newPassword })
export const nothing = object({})
