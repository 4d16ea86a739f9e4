import type { AuditLine } from '../../core/audit-line.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { isUnreadable } from '../../core/unreadable.ts'
import type { AuditRow } from '../../db/audit-log.ts'
import type { Connection } from '../../db/database.ts'
import { CHAIN_START, erasedContents, readLink, recordToWire } from './audit.service.ts'
import { findHead, firstPositionFrom, headPosition, listSealed, nextSealedPosition } from './audit.store.ts'
import { introducedKeys } from './audit.unsealed.ts'

/** Some records of the trail as they go elsewhere. */
export interface ExportedRecords {
  /** In the order of the chain. */
  lines: AuditLine[]
  /** The position of the last of them; the next export begins after it. */
  position: number
  /** Where the chain does not hold, in words. */
  broken: string[]
}

/**
 * The sealed records after a position, in the order of the chain. Records are sealed within a second, and a position is
 * given once and for good: whoever goes on from the last position that they have kept gets every record at least once.
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
    // What was sealed since the head was read has a later one.
    if (Math.min(position, head) > signed) broken.push(`the records after position ${signed} have no signed head`)
    // However many batches long a hole is, the first record behind it reports it.
    if (rows.length === 0) {
      const next = (await nextSealedPosition(connection, position + 1)) ?? head
      const batches = Math.floor((next - position - 1) / limits.auditSealBatch)
      position = Math.min(head, position + Math.max(1, batches) * limits.auditSealBatch)
    } else yield { lines, position, broken }
  }
}

/** How far an export came: its last position, and the hash of the record there, unless that could not be read. */
export interface ExportState {
  position: number
  hash?: string | undefined
}

/**
 * Why an export can't go on from there; undefined if it can. A store that was put back to an earlier state has given the
 * positions behind it to other records, which nobody who goes on from the last one would get.
 */
export async function otherTrail(connection: Connection, { position, hash }: ExportState): Promise<string | undefined> {
  const head = await headPosition(connection)
  if (position > head) return `the audit trail ends at position ${head}, before ${position}`
  if (position === 0 || hash === undefined) return undefined
  const [record] = await listSealed(connection, position, position + 1)
  // A record that is missing breaks the chain, which the export says.
  if (record === undefined || record.hash === hash) return undefined
  return `the audit trail has another record at position ${position}`
}

/** The position before the first record of this time or a later one: where an export since then begins. */
export async function positionBefore(connection: Connection, at: Instant): Promise<number> {
  const first = await firstPositionFrom(connection, at)
  return first === undefined ? headPosition(connection) : first - 1
}

/** Up to where the store's keys have signed; infinite before there was one. */
async function signedUpTo(connection: Connection): Promise<number> {
  // Before the head: the first key is introduced in the batch that ends in the first head.
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

/**
 * As the API shows it, with the two hashes that its own hash is made of, so that a reader can compute the chain again.
 */
function jsonOf(row: AuditRow): string {
  const { contentHash: content_hash, digest } = row
  return JSON.stringify({ ...recordToWire(row), ...(content_hash === null ? {} : { content_hash, digest }) })
}
