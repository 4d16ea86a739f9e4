import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { ALL, permissions } from '../../http/access.ts'
import { object, oneOf, text, timestamp, uuid } from '../../http/wire.ts'

export const username = text({ minLength: 1, maxLength: limits.usernameChars, pattern: '^[a-z0-9][a-z0-9._@-]*$' })
export const displayName = text({
  minLength: 1,
  maxLength: limits.displayNameChars,
  pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$',
})
/** The service checks further rules; its refusal names the broken one. */
export const newPassword = text({ minLength: limits.passwordMinChars, maxLength: limits.passwordMaxChars })
export const role = oneOf(ALL as readonly ['administrator', 'engineer', 'operator', 'auditor', 'business_viewer'])
export const permission = oneOf(permissions)

/** Wider than accounts allow, so that a login with an impossible name or password is simply wrong: 401. */
export const loginBody = object({
  username: text({ minLength: 1, maxLength: limits.loginNameChars }),
  password: text({ minLength: 1, maxLength: limits.loginPasswordChars }),
})

export const passwordBody = object({ password: text({ minLength: 1, maxLength: limits.loginPasswordChars }) })

export const passwordChangeBody = object({
  current_password: text({ minLength: 1, maxLength: limits.loginPasswordChars }),
  new_password: newPassword,
})

export const session = object(
  {
    user: object({
      id: uuid,
      username,
      display_name: displayName,
      roles: Type.Array(role),
      permissions: Type.Array(permission),
    }),
    csrf_token: text({ minLength: 1 }),
    must_change_password: Type.Boolean(),
    /** What is still missing for the sign-in; left out once it is complete. */
    awaits: Type.Optional(oneOf(['second_factor', 'enrolment'])),
    expires_at: timestamp,
    idle_expires_at: timestamp,
  },
  { $id: 'Session' },
)
export type SessionBody = Static<typeof session>
