import type { AuditLine } from '../../core/audit-line.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { isUnreadable } from '../../core/unreadable.ts'
import type { AuditRow } from '../../db/audit-log.ts'
import type { Connection } from '../../db/database.ts'
import { CHAIN_START, erasedContents, readLink, recordToWire } from './audit.service.ts'
import { findHead, firstPositionFrom, headPosition, listSealed, nextSealedPosition } from './audit.store.ts'
import { introducedKeys } from './audit.unsealed.ts'

/** One batch of exported records. */
export interface ExportedRecords {
  /** In the order of the chain. */
  lines: AuditLine[]
  /** The position of the last of them; the next export begins after it. */
  position: number
  /** Where the chain is broken: sentences without a full stop. */
  broken: string[]
}

/**
 * The sealed records after a position, in the order of the chain. Records are sealed within a second, and positions never change:
 * a reader that continues from the last position it kept gets every record at least once.
 */
export async function* exportRecords(connection: Connection, after: number): AsyncGenerator<ExportedRecords> {
  const [before] = after === 0 ? [] : await listSealed(connection, after, after + 1)
  let previousHash = after === 0 ? CHAIN_START : (before?.hash ?? undefined)
  const head = await headPosition(connection)
  const signed = await signedUpTo(connection)
  for (let position = after; position < head; ) {
    const rows = await listSealed(connection, position + 1, position + 1 + limits.auditSealBatch)
    const broken: string[] = []
    const lines: AuditLine[] = []
    const erased = await erasedContents(connection, rows)
    for (const row of rows) {
      if (!isLinked(row, { position, previousHash }, erased))
        broken.push(`the chain does not hold at position ${position + 1}`)
      position = row.position ?? position + 1
      previousHash = row.hash ?? undefined
      try {
        lines.push({ position, hash: row.hash ?? '', at: row.at, action: row.action, json: jsonOf(row) })
      } catch (error) {
        if (!isUnreadable(error)) throw error
        broken.push(`the record at position ${position} can't be read, and is left out`)
      }
    }
    // Records that were sealed after `head` was read have a later signed head.
    if (Math.min(position, head) > signed) broken.push(`the records after position ${signed} have no signed head`)
    // Skip a hole in one step, however many batches long it is; the first record behind it reports it.
    if (rows.length === 0) {
      const next = (await nextSealedPosition(connection, position + 1)) ?? head
      const batches = Math.floor((next - position - 1) / limits.auditSealBatch)
      position = Math.min(head, position + Math.max(1, batches) * limits.auditSealBatch)
    } else yield { lines, position, broken }
  }
}

/** How far an export came: its last position, and the hash of that record unless it could not be read. */
export interface ExportState {
  position: number
  hash?: string | undefined
}

/**
 * Why an export can't continue from a state; undefined if it can. A store that was restored to an earlier state gives later
 * positions to other records, and a reader that continues from its last position would miss them.
 */
export async function otherTrail(connection: Connection, { position, hash }: ExportState): Promise<string | undefined> {
  const head = await headPosition(connection)
  if (position > head) return `the audit trail ends at position ${head}, before ${position}`
  if (position === 0 || hash === undefined) return undefined
  const [record] = await listSealed(connection, position, position + 1)
  // A missing record breaks the chain, which the export reports.
  if (record === undefined || record.hash === hash) return undefined
  return `the audit trail has another record at position ${position}`
}

/** The position before the first record of this time or a later one: where an export since then begins. */
export async function positionBefore(connection: Connection, at: Instant): Promise<number> {
  const first = await firstPositionFrom(connection, at)
  return first === undefined ? headPosition(connection) : first - 1
}

/** The last position that a key of the store signed; infinite before there was a key. */
async function signedUpTo(connection: Connection): Promise<number> {
  // Read before the head: the first key is introduced in the batch that ends in the first head.
  const introduced = await introducedKeys(connection)
  const newest = await findHead(connection).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error
    return { position: 0 }
  })
  if (newest !== undefined) return newest.position
  return introduced.size > 0 ? 0 : Number.POSITIVE_INFINITY
}

/** @param before its hash is undefined if there is no such record */
function isLinked(
  row: AuditRow,
  before: { position: number; previousHash: string | undefined },
  erased: ReadonlyMap<string, string | null>,
): boolean {
  const { previousHash } = before
  return previousHash !== undefined && typeof readLink(row, { ...before, previousHash }, erased) === 'string'
}

/** A record as the API shows it, plus the two hashes from which its own is computed, so that readers can recompute the chain. */
function jsonOf(row: AuditRow): string {
  const { contentHash: content_hash, digest } = row
  return JSON.stringify({ ...recordToWire(row), ...(content_hash === null ? {} : { content_hash, digest }) })
}
