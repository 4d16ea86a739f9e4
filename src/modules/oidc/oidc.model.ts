import { Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { object, text, timestamp } from '../../http/wire.ts'

export const signInMethods = object(
  {
    /** False if only one named account may sign in by password. */
    passwords: Type.Boolean(),
    provider: Type.Union([object({ name: text({ minLength: 1 }) }), Type.Null()]),
  },
  { $id: 'SignInMethods' },
)

export const flowBody = object({
  next: Type.Optional(text({ maxLength: limits.oidcReturnChars })),
  in_window: Type.Optional(Type.Boolean()),
})

export const location = object({ location: Type.Union([text({ minLength: 1 }), Type.Null()]) })

/** Not closed: providers add fields of their own. */
export const callbackQuery = Type.Object(
  {
    state: Type.Optional(text({ maxLength: limits.oidcStateChars })),
    code: Type.Optional(text({ maxLength: limits.oidcCodeChars })),
    iss: Type.Optional(text({ maxLength: limits.oidcCodeChars })),
    error: Type.Optional(text({ maxLength: limits.oidcCodeChars })),
  },
  { additionalProperties: true },
)

export const account = object(
  {
    signs_in_by: Type.Union([Type.Literal('password'), Type.Literal('provider')]),
    /** The provider's name on the sign-in page. */
    provider_name: Type.Union([text({ minLength: 1 }), Type.Null()]),
    issuer: Type.Union([text({ minLength: 1 }), Type.Null()]),
    subject: Type.Union([text({ minLength: 1 }), Type.Null()]),
    /** When the person last gave the password, or signed in at the provider; null if that is unknown. */
    confirmed_at: Type.Union([timestamp, Type.Null()]),
  },
  { $id: 'OwnAccount' },
)

export const identityBody = object({ subject: text({ minLength: 1, maxLength: limits.oidcSubjectChars }) })

export const logoutError = object({ error: Type.Literal('invalid_request') })
