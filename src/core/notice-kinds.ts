/** Kinds of notices that users get about their own accounts. */
export const noticeKinds = [
  /** A sign-in from a browser in which they had not signed in before. */
  'signed_in',
  /** So many wrong passwords that the next attempts had to wait. */
  'attempts_throttled',
  /** The right password, and a wrong second factor. */
  'factor_refused',
  'password_changed',
  'password_reset',
  'factor_added',
  'factor_removed',
  'factors_reset',
  'recovery_codes_replaced',
  'provider_linked',
  'provider_unlinked',
  'token_created',
  'token_revoked',
  'token_expiring',
] as const

export type NoticeKind = (typeof noticeKinds)[number]
