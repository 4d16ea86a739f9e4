import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { auditFilters, auditWordRule, resourceIdRule } from '../../core/list-filters.ts'
import { filterSchemas } from '../../http/list-query.ts'
import { pageById, pageOf } from '../../http/paging.ts'
import { correlationId, hash, object, positiveInteger, text, timestamp, uuid } from '../../http/wire.ts'

/** Wire shapes of the audit trail; the interface leaves them open, docs/api-authoring.md describes them. */
const word = text(auditWordRule)
const resourceId = text(resourceIdRule)

export const auditQuery = object({ ...pageById, ...filterSchemas(auditFilters) })
export type AuditQuery = Static<typeof auditQuery>

export const auditRecord = object(
  {
    id: uuid,
    actor_id: uuid,
    action: word,
    resource_kind: word,
    resource_id: Type.Optional(resourceId),
    correlation_id: correlationId,
    at: timestamp,
    detail: Type.Record(Type.String(), Type.Unknown()),
    /** The record's place in the chain and its links; missing until the record is sealed, at most a second later. */
    position: Type.Optional(positiveInteger),
    previous_hash: Type.Optional(hash),
    hash: Type.Optional(hash),
  },
  { $id: 'AuditRecord' },
)
export type AuditRecord = Static<typeof auditRecord>

export const auditList = pageOf('audit', auditRecord)

export const auditVerifyQuery = object({
  from_position: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
})

export const auditVerification = object(
  {
    ok: Type.Boolean(),
    /** Records whose hashes were computed again. */
    checked: Type.Integer({ minimum: 0, maximum: limits.auditVerifyRecords }),
    from_position: positiveInteger,
    /** The last record that holds. Kept elsewhere, these two show later whether the chain was cut or rewritten. */
    head_position: Type.Integer({ minimum: 0 }),
    head_hash: hash,
    /** Committed records that the sealer has yet to take in, counted up to one batch. */
    unsealed: Type.Integer({ minimum: 0 }),
    /** Where to go on, when the chain is longer than one answer checks. */
    next_position: Type.Optional(positiveInteger),
    broken: Type.Optional(
      object({
        position: positiveInteger,
        record_id: Type.Optional(uuid),
        reason: text({ minLength: 1, maxLength: limits.auditReasonChars }),
      }),
    ),
  },
  { $id: 'AuditVerification' },
)
export type AuditVerification = Static<typeof auditVerification>
