import { type Static, Type } from '@sinclair/typebox'
import { type Actor, SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { instantOf } from '../../core/instant.ts'
import type { Log } from '../../core/log.ts'
import { type RetainedPart, retainedParts } from '../../core/retained-parts.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { findStoreId } from '../../db/store-id.ts'
import { oneOf } from '../../http/wire.ts'
import { reconcileHolds } from '../holds/holds.notes.service.ts'
import { keepHoldsOut } from '../holds/holds.reads.ts'
import type { Ledger } from '../ledger/ledger.service.ts'
import { reconcileRetention } from '../policies/policies.notes.service.ts'
import type { ErasureRow } from '../tombstones/tombstones.reads.ts'
import { findPart, listAtWork } from './erasures.parts.store.ts'
import { removePart } from './erasures.parts.ts'
import { findRefusedNaming, unchanged } from './erasures.refused.service.ts'
import { eraseRefused, type RefusedRow } from './erasures.refused.store.ts'
import { findAndHold, remove, type Tombstone } from './erasures.removal.ts'
import {
  erasureIds,
  findErasure,
  forgetReference,
  holdWork,
  listItems,
  listThere,
  pauseOlderBatches,
} from './erasures.store.ts'

const count = Type.Integer({ minimum: 0 })

/** A note of an erasure: ids, and of the object only the hash of its reference. */
const entry = Type.Object({
  /** 2 if one part of the submissions was removed: versions that don't know parts must not remove all of them. */
  format: Type.Union([Type.Literal('quire-erasure-1'), Type.Literal('quire-erasure-2')]),
  /** The store's id. */
  store: Type.String(),
  id: Type.String(),
  object_reference_hash: Type.String(),
  rule: Type.Union([
    Type.Object({
      retention: count,
      ingestion_model: Type.Optional(Type.String()),
      keep_days: count,
      part: Type.Optional(oneOf(retainedParts)),
    }),
    Type.Null(),
  ]),
  reason: Type.String(),
  counts: Type.Object({
    submissions: count,
    executions: count,
    steps: count,
    artifacts: count,
    artifact_bytes: count,
    events: count,
    audit_records: count,
    answers: count,
  }),
  erased_by: Type.String(),
  correlation_id: Type.String(),
  /** In the database's form. */
  erased_at: Type.String(),
  submissions: Type.Array(Type.String()),
  executions: Type.Array(Type.String()),
  objects: Type.Array(Type.String()),
})
type LedgerEntry = Static<typeof entry>

export interface ReconcilePorts {
  database: Database
  ledger: Ledger
  clock: Clock
}

export interface Reconciled {
  /** Ids of erasures that were repeated, because the database was restored from a backup older than they are. */
  repeated: string[]
  /** How many erasures the ledger lacked in one of its places. */
  noted: number
}

/**
 * Makes ledger and database agree: repeats erasures that only the ledger has, and notes those that it lacks. Every start does
 * this before anything is served; if both agree, nothing happens.
 *
 * @throws LedgerDamaged, and the error of a place of the ledger that can't be used
 */
export async function reconcile(ports: ReconcilePorts): Promise<Reconciled> {
  const { database, ledger } = ports
  // In this order, because other instances commit an erasure before they note it.
  const { inSome, inAll } = await ledger.names('erasure')
  const unknown = new Set(inSome)
  const lacking: string[] = []
  for await (const id of erasureIds(database.read)) {
    unknown.delete(id)
    if (!inAll.has(id)) lacking.push(id)
  }
  const repeated: string[] = []
  const undone = await entriesFor(database.read, ledger, unknown)
  const refused = await refusedAbout(database, undone)
  for (const entry of undone) {
    if (await repeat(ports, entry, refused.get(entry.object_reference_hash) ?? [])) repeated.push(entry.id)
  }
  for (const id of lacking) await note(ports, id)
  return { repeated, noted: lacking.length }
}

/** What the ledger brought back into the database: ids of erasures and holds, numbers of sets of policies. */
export interface BroughtBack {
  erasures: string[]
  holds: string[]
  retention: number[]
}

/** Reconciles holds and policies, too. They come first, so that nothing held is removed, and nothing too early. */
export async function reconcileAll(ports: ReconcilePorts): Promise<BroughtBack> {
  const holds = await reconcileHolds(ports)
  const retention = await reconcileRetention(ports)
  const { repeated } = await reconcile(ports)
  return { holds, retention, erasures: repeated }
}

/** Logs what was brought back, if anything. */
export function logBroughtBack(log: Log, brought: BroughtBack): void {
  if (Object.values(brought).every(({ length }) => length === 0)) return
  log.warn('what a restore had undone is as it was again', { ...brought })
}

/** Ids of erasures that a restore has undone. */
export async function listUndone(connection: Connection, ledger: Ledger): Promise<string[]> {
  const { inSome } = await ledger.names('erasure')
  const unknown = new Set(inSome)
  for await (const id of erasureIds(connection)) unknown.delete(id)
  return (await entriesFor(connection, ledger, unknown)).map(({ id }) => id)
}

/** This store's entries, oldest first, and entries of other stores that match something here. */
async function entriesFor(connection: Connection, ledger: Ledger, ids: ReadonlySet<string>): Promise<LedgerEntry[]> {
  const store = (await findStoreId(connection)) ?? ''
  const entries: LedgerEntry[] = []
  for (const id of [...ids].sort()) {
    const noted = await ledger.read('erasure', id, entry)
    // A store that was restored elsewhere has another id, but the same submissions.
    if (noted.store === store || (await listThere(connection, noted.submissions)).length > 0) entries.push(noted)
  }
  return entries
}

/** Writes an erasure into the ledger. */
export async function note({ database, ledger }: Omit<ReconcilePorts, 'clock'>, id: string): Promise<void> {
  const row = await findErasure(database.read, id)
  if (row !== undefined) await ledger.write('erasure', id, await entryOf(database.read, row))
}

async function entryOf(connection: Connection, row: ErasureRow): Promise<LedgerEntry> {
  const items = await listItems(connection, row.id)
  const of = (kind: Tombstone['kind']) => items.filter((item) => item.kind === kind).map(({ itemId }) => itemId)
  const part = row.rule?.part
  return {
    format: row.rule?.part === undefined ? 'quire-erasure-1' : 'quire-erasure-2',
    store: (await findStoreId(connection)) ?? '',
    id: row.id,
    object_reference_hash: row.objectReferenceHash,
    rule: row.rule === null ? null : { ...row.rule },
    reason: row.reason,
    counts: row.counts,
    erased_by: row.erasedBy,
    correlation_id: row.correlationId,
    erased_at: row.erasedAt,
    submissions: of(part ?? 'submission'),
    executions: of('execution'),
    objects: of('object'),
  }
}

const restored =
  'An erasure was made again after a restore, and rows that are still to be submitted may be about what it erased. Cancel the batch, or resume it if they are not.'

/**
 * Refused rows about erased objects, by the hash of the object's reference. Pauses older batches, so that no rows are fed
 * meanwhile.
 */
async function refusedAbout(database: Database, undone: readonly LedgerEntry[]): Promise<Map<string, RefusedRow[]>> {
  const ofObjects = undone.filter(({ rule }) => rule === null)
  if (ofObjects.length === 0) return new Map()
  await database.write(async (tx) => {
    for (const entry of ofObjects) await pauseOlderBatches(tx, instantOf(entry.erased_at), restored)
  })
  return findRefusedNaming(database.read, new Set(ofObjects.map((entry) => entry.object_reference_hash)))
}

/**
 * Repeats an erasure. Executions that had not ended when the backup was made are removed, too, since the erasure came after their
 * end.
 *
 * @param refused rows of batches that were about the object
 * @returns false if another instance that starts at the same time was faster
 */
async function repeat(
  { database, clock }: ReconcilePorts,
  entry: LedgerEntry,
  refused: readonly RefusedRow[],
): Promise<boolean> {
  const tombstone = (kind: Tombstone['kind']) => (itemId: string) => ({ kind, itemId, contentHash: null })
  const row: ErasureRow = {
    id: entry.id,
    objectReferenceHash: entry.object_reference_hash,
    rule: entry.rule,
    reason: entry.reason,
    counts: entry.counts,
    erasedBy: entry.erased_by,
    correlationId: entry.correlation_id,
    erasedAt: instantOf(entry.erased_at),
    completedAt: null,
  }
  const part = entry.rule?.part
  return database.write(async (tx) => {
    // Every erasure takes this lock first, and another instance may be repeating the same one.
    await keepHoldsOut(tx)
    if ((await findErasure(tx, entry.id)) !== undefined) return false
    const actor: Actor = { userId: SYSTEM_ACTOR_ID, correlationId: entry.correlation_id, at: clock.now() }
    const objects = entry.objects.map(tombstone('object'))
    if (part !== undefined) {
      await repeatPart(tx, actor, { row, part, submissionIds: entry.submissions, objects })
      return true
    }
    const former = [
      ...entry.submissions.map(tombstone('submission')),
      ...entry.executions.map(tombstone('execution')),
      ...objects,
    ]
    const found = await findAndHold(tx, { submissionIds: entry.submissions })
    await remove(tx, actor, { row, found, former })
    if (row.rule === null) {
      await eraseRefused(tx, await unchanged(tx, refused))
      await forgetReference(tx, row.objectReferenceHash)
    }
    await pauseOlderBatches(tx, row.erasedAt, restored)
    return true
  })
}

/**
 * Repeats the removal of a part. Submissions with an execution that had not ended when the backup was made keep their part,
 * because the execution needs it; the policy removes it once the execution has ended.
 */
async function repeatPart(
  tx: Transaction,
  actor: Actor,
  {
    row,
    part,
    submissionIds,
    objects,
  }: { row: ErasureRow; part: RetainedPart; submissionIds: readonly string[]; objects: readonly Tombstone[] },
): Promise<void> {
  await holdWork(tx, submissionIds)
  const working = new Set(await listAtWork(tx, submissionIds))
  const ended = submissionIds.filter((id) => !working.has(id))
  const former = [...ended.map((itemId): Tombstone => ({ kind: part, itemId, contentHash: null })), ...objects]
  await removePart(tx, actor, { row, part, found: await findPart(tx, part, ended), former })
}
