/**
 * The audit trail. A record is written in the transaction of the change that it describes, so neither exists without the other.
 * The sealer (audit.sealer.ts) then chains committed records by hash. Each hash covers the record, the state of its resource, its
 * position and the previous hash. So nothing in the chain, and nothing that it covers, can be changed, removed or inserted
 * unnoticed.
 */
import type { Actor } from '../../core/actor.ts'
import { canonicalHash } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { formatInstant } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { auditFilters } from '../../core/list-filters.ts'
import { isUnreadable, Unreadable } from '../../core/unreadable.ts'
import { type AuditRow, contentHashOf, contentOf, insertAuditRecords } from '../../db/audit-log.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { filterValues } from '../../http/list-query.ts'
import { cutPage, foreignCursor } from '../../http/paging.ts'
import { listErasedItems } from '../tombstones/tombstones.reads.ts'
import type { AuditQuery, AuditRecord, AuditVerification } from './audit.model.ts'
import { countUnsealed, findRecord, findSealedHash, headPosition, listRecords, listSealed } from './audit.store.ts'

/** One audit record, as the caller states it. */
export interface AuditEntry {
  /** Kind of resource and what happened to it, past tense: `contract.created`, `transformer.version_published`. */
  action: string
  /** The interface's word, as in `resource_kind`: `contract`, `case`, `artifact`. */
  resourceKind: string
  /** Left out if there is no resource, as for a login to an account that doesn't exist. */
  resourceId?: string
  /** What else a reader of the trail wants to know. Never a secret, never a payload. */
  detail?: Readonly<Record<string, JsonValue>>
  /**
   * The digest of the resource's state (audit.states.reads.ts), if the caller has all of it. Otherwise the sealer reads the
   * state.
   */
  digest?: string
}

/** Call it in every mutation, login and download, within the same transaction. */
export async function recordAudit(tx: Transaction, actor: Actor, entry: AuditEntry): Promise<void> {
  const row = {
    id: newId(),
    actorId: actor.userId,
    action: entry.action,
    resourceKind: entry.resourceKind,
    resourceId: entry.resourceId ?? null,
    correlationId: actor.correlationId,
    at: actor.at,
    detail: { ...entry.detail, ...(actor.tokenId === undefined ? {} : { token_id: actor.tokenId }) },
    ...(entry.digest === undefined ? {} : { digest: entry.digest }),
  }
  await insertAuditRecords(tx, [row])
}

/** Previous hash of the first record. */
export const CHAIN_START = '0'.repeat(64)

type Chained = Pick<AuditRow, 'contentHash' | 'digest'>

/**
 * The hash of a record at its position in the chain: SHA-256 over canonical JSON. Records of versions before 0.34 have no content
 * hash; theirs covers their whole content.
 */
export function auditHashOf(row: AuditRow, position: number, previousHash: string): string {
  if (row.contentHash !== null) return linkOf(row, position, previousHash)
  return canonicalHash({ position, previous_hash: previousHash, ...contentOf(row) })
}

/** Needs only the record's hashes, so that a proof can lead past records without showing them. */
export function linkOf({ contentHash, digest }: Chained, position: number, previousHash: string): string {
  return canonicalHash({ position, previous_hash: previousHash, content_hash: contentHash, digest })
}

export type AuditService = ReturnType<typeof createAuditService>

export function createAuditService(database: Database) {
  return {
    /** A page, newest first. @throws Fault validation_failed for a cursor of no record */
    async list(query: AuditQuery): Promise<{ audit: AuditRecord[]; next_cursor?: string }> {
      const after = query.cursor === undefined ? undefined : await findRecord(database.read, query.cursor)
      if (query.cursor !== undefined && after === undefined) throw foreignCursor()
      const limit = query.limit ?? limits.pageSizeDefault
      const filter = filterValues(auditFilters, query)
      const place = after === undefined ? undefined : { createdAt: after.at, id: after.id }
      const page = cutPage(await listRecords(database.read, filter, place, limit + 1), limit)
      const audit = page.rows.map(recordToWire)
      return page.last === undefined ? { audit } : { audit, next_cursor: page.last.id }
    },

    verify: (fromPosition: number | undefined) => verifyChain(database.read, fromPosition ?? 1),
  }
}

/**
 * Recomputes the chain from a position on, at most `most` records; `next_position` says where the next call continues. Says where
 * the chain first breaks, and how.
 * @throws Fault validation_failed for a position after the chain's end
 */
export async function verifyChain(
  connection: Connection,
  from: number,
  most: number = limits.auditVerifyRecords,
): Promise<AuditVerification> {
  const head = await headPosition(connection)
  if (from > head + 1) {
    throw new Fault('validation_failed', `Query field from_position must be at most ${head + 1}, the chain's end.`)
  }
  const end = Math.min(head, from + most - 1)
  const before = from === 1 ? CHAIN_START : await findSealedHash(connection, from - 1)
  const state = { previousHash: before ?? CHAIN_START, position: from - 1, checked: 0 }
  const unsealed = await countUnsealed(connection, limits.auditSealBatch)
  const answer = (broken?: AuditVerification['broken']): AuditVerification => ({
    ok: broken === undefined,
    checked: state.checked,
    from_position: from,
    head_position: state.position,
    head_hash: state.previousHash,
    unsealed,
    ...(broken === undefined ? {} : { broken }),
    ...(broken === undefined && end < head ? { next_position: end + 1 } : {}),
  })
  if (before === undefined) {
    return answer(missingAt(from - 1))
  }
  while (state.position < end) {
    const next = state.position + 1
    const rows = await listSealed(connection, next, Math.min(next + limits.auditSealBatch, end + 1))
    if (rows.length === 0) return answer(missingAt(next))
    const erased = await erasedContents(connection, rows)
    for (const row of rows) {
      const link = readLink(row, state, erased)
      if (typeof link !== 'string') return answer(link)
      state.position++
      state.checked++
      state.previousHash = link
    }
    // Reading a long chain must not hold other requests up.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return answer()
}

type Broken = NonNullable<AuditVerification['broken']>

function missingAt(position: number): Broken {
  return { position, reason: 'the record at this position is missing' }
}

function unreadableAt(position: number, row: AuditRow): Broken {
  return { position, record_id: row.id, reason: "the record at this position can't be read" }
}

/** @returns the record's hash, or how it breaks the chain */
export function readLink(
  row: AuditRow,
  before: { position: number; previousHash: string },
  erased: ReadonlyMap<string, string | null>,
): string | Broken {
  const position = before.position + 1
  if (row.position !== position) return missingAt(position)
  if (row.detail instanceof Unreadable) return unreadableAt(position, row)
  try {
    const isErased = erased.get(row.id) === contentHashOf(row)
    // The hash of a record before 0.34 can't be recomputed once its content is erased; the next record's hash covers it.
    const kept = isErased && row.contentHash === null ? row.hash : null
    const hash = kept ?? auditHashOf(row, position, before.previousHash)
    return brokenLink(row, before, hash, isErased) ?? hash
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return unreadableAt(position, row)
  }
}

/** Content hashes, from the tombstones, of those records that an erasure emptied, by the records' ids. */
export async function erasedContents(
  connection: Connection,
  rows: readonly AuditRow[],
): Promise<Map<string, string | null>> {
  // `Object(…)`: anybody with write access to the database may have put any JSON value here.
  const emptied = rows.filter(({ detail }) => Object.hasOwn(Object(detail), 'erasure_id')).map(({ id }) => id)
  const items = await listErasedItems(connection, 'audit_record', emptied)
  return new Map(items.map(({ itemId, contentHash }) => [itemId, contentHash]))
}

function brokenLink(
  row: AuditRow,
  { position: before, previousHash }: { position: number; previousHash: string },
  hash: string,
  isErased: boolean,
): Broken | undefined {
  const position = before + 1
  if (row.previousHash !== previousHash) {
    return { position, record_id: row.id, reason: 'the record is not chained to the one before it' }
  }
  const isSame = isErased || row.contentHash === null || row.contentHash === contentHashOf(row)
  if (row.hash !== hash || !isSame || row.attestation !== null) {
    return { position, record_id: row.id, reason: 'the record is not what it was when it was sealed' }
  }
  return undefined
}

/** A record as the API and exports show it. */
export function recordToWire(row: AuditRow): AuditRecord {
  const record: AuditRecord = {
    id: row.id,
    actor_id: row.actorId,
    action: row.action,
    resource_kind: row.resourceKind,
    correlation_id: row.correlationId,
    at: formatInstant(row.at),
    detail: row.detail,
  }
  if (row.resourceId !== null) record.resource_id = row.resourceId
  if (row.position !== null) record.position = row.position
  if (row.previousHash !== null) record.previous_hash = row.previousHash
  if (row.hash !== null) record.hash = row.hash
  return record
}
