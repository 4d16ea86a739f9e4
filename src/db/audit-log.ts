import { canonicalHash } from '../core/canonical.ts'
import { textOnce } from '../core/json-text.ts'
import type { Transaction } from './database.ts'
import { prepareInsert } from './prepared.ts'
import type { Tables } from './schema.ts'
import { isTrial } from './trials.ts'

/** The only insert of audit records, for services and the runner. Sealing is in modules/audit. */
export type AuditRow = Tables['auditRecords']['$inferSelect']

/** The content of a record. */
type AuditContent = Pick<
  AuditRow,
  'id' | 'actorId' | 'action' | 'resourceKind' | 'resourceId' | 'correlationId' | 'at' | 'detail'
>

/** The digest is that of the resource's state, if the writer has it. */
export type NewAuditRow = AuditContent & { digest?: string }

const insert = prepareInsert(({ t }) => t.auditRecords)

export async function insertAuditRecords(tx: Transaction, rows: readonly NewAuditRow[]): Promise<void> {
  if (isTrial(tx)) return
  await insert(
    tx,
    rows.map((row): AuditRow => {
      const [contentHash, digest] = [contentHashOf(row), row.digest ?? null]
      const attestation = tx.attest(attestedText({ contentHash, digest }))
      return { ...row, contentHash, digest, attestation, position: null, previousHash: null, hash: null }
    }),
  )
}

/** A record's content in the form that hashes cover. */
export function contentOf(row: AuditContent) {
  return {
    id: row.id,
    actor_id: row.actorId,
    action: row.action,
    resource_kind: row.resourceKind,
    resource_id: row.resourceId,
    correlation_id: row.correlationId,
    at: row.at,
    detail: row.detail,
  }
}

export function contentHashOf(row: AuditContent): string {
  return canonicalHash(contentOf(row))
}

/** The text that the tag of an unsealed record covers. */
export function attestedText({ contentHash, digest }: Pick<AuditRow, 'contentHash' | 'digest'>): string {
  return `audit record ${contentHash} ${digest}`
}

/** The text that the tag of a recorded answer covers; its body counts as JSON.stringify writes it. */
export function attestedAnswer(answer: Omit<Tables['idempotency']['$inferSelect'], 'attestation'>): string {
  const { actorId, key, requestHash, status, body, createdAt } = answer
  return `answer ${JSON.stringify([actorId, key, requestHash, status, textOnce(body), createdAt])}`
}
