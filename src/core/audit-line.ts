import type { Instant } from './instant.ts'

/** A sealed record of the audit trail on its way elsewhere. */
export interface AuditLine {
  /** Its place in the chain. */
  position: number
  /** The hash of the record at this place, which covers all before it. */
  hash: string
  at: Instant
  /** What happened, as in `user.password_changed`. */
  action: string
  /** All of it as JSON, as `quire audit export` writes it. */
  json: string
}

/** Somebody was refused: a receiver may want to look at it. */
export function isRefusal({ action }: Pick<AuditLine, 'action'>): boolean {
  return /[._](?:refused|throttled)$/.test(action)
}
