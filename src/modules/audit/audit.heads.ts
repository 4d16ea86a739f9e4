import { canonicalJson } from '../../core/canonical.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { type Instant, parseInstant } from '../../core/instant.ts'
import { isJsonObject, type JsonValue, readJson } from '../../core/json.ts'
import { isSignedBy, type SigningKey } from '../../core/signing-key.ts'
import type { AuditHeadRow } from './audit.store.ts'

/**
 * The end of the chain after a batch (docs/decisions/0017). Its hash covers every record before it, so a head that is kept
 * outside of the database shows later whether the chain up to it was cut or rewritten.
 */
export type Head = Pick<AuditHeadRow, 'store' | 'position' | 'hash' | 'at' | 'publicKey'>

const FORMAT = 'quire-head-1'

function statementOf({ store, position, hash, at, publicKey }: Head) {
  return { format: FORMAT, store, position, hash, at, public_key: publicKey }
}

/** The text that a head's signature covers. */
export function headStatement(head: Head): string {
  return canonicalJson(statementOf(head))
}

/** A head as others see it: the signed statement and its signature. */
export type SignedHead = ReturnType<typeof signedHead>

export function signedHead(head: AuditHeadRow) {
  return { ...statementOf(head), signature: head.signature }
}

/** A head as a line of a file. */
export function headLine(head: AuditHeadRow): string {
  return `${canonicalJson(signedHead(head))}\n`
}

/** Reads a head that others kept; its signature is not checked here. Undefined for anything else. */
export function readHead(value: JsonValue | undefined): AuditHeadRow | undefined {
  if (value === undefined || !isJsonObject(value) || value.format !== FORMAT) return undefined
  const { store, position, hash, at: time, public_key: publicKey, signature } = value
  const at = typeof time === 'string' ? parseInstant(time) : undefined
  if (at === undefined || at !== time || typeof store !== 'string' || typeof hash !== 'string') return undefined
  if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 1) return undefined
  if (typeof publicKey !== 'string' || typeof signature !== 'string') return undefined
  return { store, position, hash, at, publicKey, signature }
}

/** Reads kept heads, one JSON object per line. Fails for a line that isn't one, and for a text without any head. */
export function readHeads(text: string): Outcome<AuditHeadRow[]> {
  const heads: AuditHeadRow[] = []
  const findings: Finding[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const read = readJson(line)
    const head = read.ok ? readHead(read.value) : undefined
    if (head !== undefined) heads.push(head)
    else findings.push(headFinding(`Line ${index + 1} is no head of an audit trail.`))
  }
  if (heads.length === 0 && findings.length === 0) findings.push(headFinding('It holds no head of an audit trail.'))
  return findings.length === 0 ? succeed(heads) : fail(...findings)
}

function headFinding(message: string): Finding {
  const hint =
    'Give lines as `quire verify --save-head` or QUIRE_AUDIT_HEADS writes them, and remove one that a full disk broke off.'
  return { code: 'audit.head', severity: 'error', message, hint }
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
