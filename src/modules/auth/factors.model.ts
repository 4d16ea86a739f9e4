import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { json, object, oneOf, text, timestamp, uuid } from '../../http/wire.ts'
import { session } from './auth.model.ts'

export const factorId = object({ factorId: uuid })

const factorName = text({
  minLength: 1,
  maxLength: limits.factorNameChars,
  pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$',
  description: 'What you call it: the phone, or the key, that it is on.',
})
const code = text({ pattern: '^\\d{6}$' })
const recoveryCodes = Type.Array(text({ minLength: 1 }), { minItems: limits.recoveryCodes })

export const factor = object(
  {
    id: uuid,
    /** An authenticator app, or a passkey. */
    kind: oneOf(['app', 'passkey']),
    name: factorName,
    /** The host name that a passkey was made for. */
    host: Type.Optional(text({ minLength: 1 })),
    created_at: timestamp,
    last_used_at: Type.Optional(timestamp),
  },
  { $id: 'SecondFactor' },
)
export type FactorBody = Static<typeof factor>

export const factorOverview = object(
  {
    factors: Type.Array(factor, { maxItems: limits.factorsPerUser }),
    /** How many recovery codes are left. */
    recovery_codes: Type.Integer({ minimum: 0 }),
    /** The user's roles require a second factor. */
    required: Type.Boolean(),
  },
  { $id: 'SecondFactorOverview' },
)

/** Exactly one of the three; the service checks that. */
export const secondFactorBody = object({
  code: Type.Optional(code),
  recovery_code: Type.Optional(text({ minLength: 1, maxLength: limits.loginPasswordChars })),
  /** What the browser's `PublicKeyCredential.toJSON()` gives (AuthenticationResponseJSON). */
  passkey: Type.Optional(json),
})

/** For the browser: `PublicKeyCredential.parseRequestOptionsFromJSON` and `parseCreationOptionsFromJSON` read it. */
export const passkeyOptions = object({ options: json })

export const begunApp = object(
  {
    /** To be sent back with the first code; it expires after ten minutes. */
    enrolment: text({ minLength: 1 }),
    /** What authenticator apps read: `otpauth://totp/…`. */
    uri: text({ minLength: 1 }),
    /** The same as a QR code: an SVG path of its dark modules, in a square of `size` modules. */
    qr_code: object({ size: Type.Integer({ minimum: 21 }), path: text({ minLength: 1 }) }),
    /** The key for typing: base32. */
    key: text({ minLength: 1 }),
  },
  { $id: 'BegunApp' },
)

export const newAppBody = object({
  enrolment: text({ minLength: 1, maxLength: limits.cursorChars }),
  code,
  name: factorName,
})

/** `passkey` is RegistrationResponseJSON. */
export const newPasskeyBody = object({ passkey: json, name: factorName })

export const passkeySignInBody = object({ passkey: json })

export const addedFactor = object({
  factor,
  /** Given with the first factor only, and shown only here. */
  recovery_codes: Type.Optional(recoveryCodes),
  /** The new session; all others have ended. */
  session,
})

export const newRecoveryCodes = object({ recovery_codes: recoveryCodes })
