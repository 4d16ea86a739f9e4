/** What the audit trail and the events say of a batch. */
import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import type { Instant } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import type { Transaction } from '../../db/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { BatchRecord } from './batches.store.ts'

export function recordBatch(
  tx: Transaction,
  actor: Actor,
  { id }: Pick<BatchRecord, 'id'>,
  what: string,
  detail: Readonly<Record<string, JsonValue>> = {},
): Promise<void> {
  return recordAudit(tx, actor, { action: `batch.${what}`, resourceKind: 'batch', resourceId: id, detail })
}

export function appendBatchEvent(
  tx: Transaction,
  at: Instant,
  { id, modelSlug, rows, correlationId, traceparent }: BatchRecord,
  type: string,
  data: Record<string, unknown> = {},
): Promise<void> {
  const about = { aggregate: 'batch', aggregateId: id, type, correlationId, traceparent } as const
  return appendEvent(tx, at, { ...about, data: { model_slug: modelSlug, rows, ...data } })
}

/** The actor who submitted the batch, for its later changes. */
export function actorOfBatch({ createdBy, tokenId, correlationId, traceparent }: BatchRecord, at: Instant): Actor {
  return {
    ...{ userId: createdBy, correlationId, at },
    ...(tokenId === null ? {} : { tokenId }),
    ...(traceparent === null ? {} : { traceparent }),
  }
}
