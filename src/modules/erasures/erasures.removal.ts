import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { limits } from '../../core/limits.ts'
import type { Transaction } from '../../db/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { digestOfState, erasureState } from '../audit/audit.states.reads.ts'
import type { ErasedItemRow, ErasureRow } from '../tombstones/tombstones.reads.ts'
import {
  emptyAnswer,
  emptyRecord,
  type Found,
  findAbout,
  holdFound,
  insertErasure,
  removeFound,
  type Subject,
} from './erasures.store.ts'

/**
 * Finds everything about a subject, and locks it until the transaction ends.
 * @throws Fault conflict if more keeps coming before it is locked
 */
export async function findAndHold(tx: Transaction, subject: Subject): Promise<Found> {
  let held = await findAbout(tx, subject, limits.erasureSubmissions)
  if (tx.dialect === 'sqlite') return held
  for (let look = 0; look < limits.erasureLooks; look++) {
    await holdFound(tx, held)
    // Read again: before the locks, others could change these rows or add more.
    const found = await findAbout(tx, subject, limits.erasureSubmissions)
    if (idsOf(found).isSubsetOf(idsOf(held))) return found
    held = found
  }
  throw new Fault('conflict', 'What is about to be erased grows while it is looked at. Erase once more.')
}

/** Ids of all locked rows. */
function idsOf({ submissionIds, executions, auditRecords }: Found): Set<string> {
  return new Set([...submissionIds, ...executions.map(({ id }) => id), ...auditRecords.map(({ id }) => id)])
}

export type Tombstone = Omit<ErasedItemRow, 'erasureId'>

export interface Removal {
  row: ErasureRow
  found: Found
  /**
   * Tombstones beside those of `found`: for batches' files and, if the erasure is repeated after a restore, for rows that are
   * missing now.
   */
  former?: readonly Tombstone[]
}

/** Removes what was found, and leaves tombstones that a record of the audit trail covers. */
export async function remove(tx: Transaction, actor: Actor, { row, found, former = [] }: Removal): Promise<void> {
  const tombstones = new Map<string, Tombstone>()
  const add = (kind: Tombstone['kind'], itemId: string, contentHash: string | null = null) =>
    tombstones.set(`${kind} ${itemId}`, { kind, itemId, contentHash })
  for (const { kind, itemId, contentHash } of former) add(kind, itemId, contentHash)
  for (const id of found.submissionIds) add('submission', id)
  for (const { id } of found.executions) add('execution', id)
  for (const { contentHash } of found.artifacts) add('object', contentHash)
  for (const contentHash of found.batchFiles) add('object', contentHash)
  for (const record of found.auditRecords) {
    const contentHash = await emptyRecord(tx, record, { ...found, erasureId: row.id })
    if (contentHash !== undefined) add('audit_record', record.id, contentHash)
  }
  for (const answer of found.answers) await emptyAnswer(tx, answer)
  await removeFound(tx, found)
  await insertWithRecord(tx, actor, row, [...tombstones.values()])
}

/** Writes an erasure with its tombstones, and the record of the audit trail that covers them. */
export async function insertWithRecord(
  tx: Transaction,
  actor: Actor,
  row: ErasureRow,
  tombstones: readonly Tombstone[],
): Promise<void> {
  const items = tombstones.map((tombstone) => ({ ...tombstone, erasureId: row.id }))
  await insertErasure(tx, row, items)
  const { objectReferenceHash, rule, reason, counts } = row
  await recordAudit(tx, actor, {
    action: rule === null ? 'object.erased' : 'retention.removed',
    resourceKind: 'erasure',
    resourceId: row.id,
    detail: {
      ...(rule === null ? { object_reference_hash: objectReferenceHash } : { rule: { ...rule } }),
      reason,
      counts: { ...counts },
    },
    digest: digestOfState(erasureState(tx, row, items)),
  })
}
