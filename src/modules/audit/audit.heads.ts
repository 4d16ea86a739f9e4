import { canonicalJson } from '../../core/canonical.ts'
import type { Instant } from '../../core/instant.ts'
import { isSignedBy, type SigningKey } from '../../core/signing-key.ts'
import type { AuditHeadRow } from './audit.store.ts'

/**
 * The end of the chain after a batch, as docs/decisions/0017 describes it. Kept outside of the database, a head shows later
 * whether the chain up to it was cut or rewritten: its hash covers every record before.
 */
export type Head = Pick<AuditHeadRow, 'store' | 'position' | 'hash' | 'at' | 'publicKey'>

/** What a head's signature is made over. */
export function headStatement({ store, position, hash, at, publicKey }: Head): string {
  return canonicalJson({ format: 'quire-head-1', store, position, hash, at, public_key: publicKey })
}

export function signHead(
  head: { store: string; position: number; hash: string; at: Instant },
  key: SigningKey,
): AuditHeadRow {
  const whole = { ...head, publicKey: key.publicKey }
  return { ...whole, signature: key.sign(headStatement(whole)) }
}

export function isGenuine(head: AuditHeadRow): boolean {
  return isSignedBy(head.publicKey, headStatement(head), head.signature)
}
