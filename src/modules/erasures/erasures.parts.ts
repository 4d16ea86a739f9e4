/**
 * Removes one part of submissions under a policy: raw input, output, documents, events or the details of steps. Rows and hashes
 * stay, so that the chain and everything it covers still verify (docs/decisions/0029).
 */
import type { Actor } from '../../core/actor.ts'
import { newId } from '../../core/ids.ts'
import { addMs } from '../../core/instant.ts'
import { partTitles, type RetainedPart } from '../../core/retained-parts.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { ErasedCounts, RetentionRule } from '../../db/schema.ts'
import { digestOfState, readStates } from '../audit/audit.states.reads.ts'
import { keepHoldsOut } from '../holds/holds.reads.ts'
import { type ErasureRow, lastRemovalAt } from '../tombstones/tombstones.reads.ts'
import { noCounts } from './erasures.counts.ts'
import { type FoundPart, findPart, takePart } from './erasures.parts.store.ts'
import { insertWithRecord, type Tombstone } from './erasures.removal.ts'
import { holdWork } from './erasures.store.ts'

/** Points of the removal's transaction at which tests may end the process. */
export type PartPoint = 'part-taken' | 'recorded'

export interface PartRemoval {
  rule: RetentionRule & { part: RetainedPart }
  submissionIds: readonly string[]
  /** Which of them may lose the part; called again inside the transaction. */
  sortDue(tx: Transaction, ids: readonly string[]): Promise<{ removable: string[] }>
  onPoint?: (point: PartPoint) => void
}

/** Removes a part of submissions under a policy. @returns how many of them still had it, and could lose it */
export async function removePartByPolicy(
  tx: Transaction,
  actor: Actor,
  { rule, submissionIds, sortDue, onPoint }: PartRemoval,
): Promise<number> {
  await keepHoldsOut(tx)
  await holdWork(tx, submissionIds)
  const { removable } = await sortDue(tx, submissionIds)
  if (removable.length === 0) return 0
  const found = await findPart(tx, rule.part, removable)
  const days = `${rule.keep_days} ${rule.keep_days === 1 ? 'day' : 'days'}`
  const row: ErasureRow = {
    id: newId(),
    objectReferenceHash: '',
    rule,
    reason: `${partTitles[rule.part]} kept for ${days} (${rule.ingestion_model ?? 'all models'})`,
    counts: countsOf(rule.part, found),
    erasedBy: actor.userId,
    correlationId: actor.correlationId,
    erasedAt: actor.at,
    completedAt: null,
  }
  await removePart(tx, actor, { row, part: rule.part, found, ...(onPoint === undefined ? {} : { onPoint }) })
  return found.submissionIds.length
}

/** Counts what removing a part of some submissions would delete. */
export async function countPart(
  connection: Connection,
  part: RetainedPart,
  submissionIds: readonly string[],
): Promise<ErasedCounts> {
  return submissionIds.length === 0 ? noCounts() : countsOf(part, await findPart(connection, part, submissionIds))
}

/** Executions count only if their output is removed; other parts take nothing from an execution's row. */
function countsOf(part: RetainedPart, found: FoundPart): ErasedCounts {
  return {
    ...noCounts(),
    submissions: found.submissionIds.length,
    executions: part === 'output' ? found.outputs : 0,
    steps: found.steps,
    artifacts: found.artifacts.length,
    artifact_bytes: found.artifacts.reduce((sum, { byteSize }) => sum + byteSize, 0),
    events: found.events,
    answers: found.answers.length,
  }
}

export interface OnePart {
  row: ErasureRow
  part: RetainedPart
  found: FoundPart
  /** Tombstones beside those of `found`, if the removal is repeated after a restore. */
  former?: readonly Tombstone[]
  onPoint?: (point: PartPoint) => void
}

/** Removes what was found, and leaves tombstones that a record of the audit trail covers. */
export async function removePart(
  tx: Transaction,
  actor: Actor,
  { row, part, found, former = [], onPoint }: OnePart,
): Promise<void> {
  await takePart(tx, { part, found, at: row.erasedAt })
  onPoint?.('part-taken')
  const tombstones = new Map<string, Tombstone>()
  const add = (tombstone: Tombstone) => tombstones.set(`${tombstone.kind} ${tombstone.itemId}`, tombstone)
  for (const tombstone of former) add(tombstone)
  for (const itemId of found.submissionIds) add({ kind: part, itemId, contentHash: null })
  for (const { contentHash } of found.artifacts) add({ kind: 'object', itemId: contentHash, contentHash: null })
  let { at } = actor
  if (part === 'events' || part === 'steps') {
    // This record must be sealed after the previous removal's. Unsealed records are sealed by time, and clocks may be set back.
    const lastAt = await lastRemovalAt(tx, found.executionIds)
    if (lastAt !== undefined && lastAt >= at) at = addMs(lastAt, 1)
    // The state now; the record of the execution's end covers the one before.
    for (const [itemId, state] of await readStates(tx, 'execution', found.executionIds)) {
      add({ kind: 'execution_state', itemId, contentHash: digestOfState(state) })
    }
  }
  await insertWithRecord(tx, { ...actor, at }, row, [...tombstones.values()])
  onPoint?.('recorded')
}
