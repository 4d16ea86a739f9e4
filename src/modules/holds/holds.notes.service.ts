/** Holds in the ledger: after a restore of an older backup, later holds must be in force, and released ones must not. */
import { type Static, Type } from '@sinclair/typebox'
import { SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { instantOf } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Database } from '../../db/database.ts'
import { findStoreId } from '../../db/store-id.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { Ledger } from '../ledger/ledger.service.ts'
import { type HoldRow, keepHoldsOut } from './holds.reads.ts'
import { findHold, insertHold, listHoldIds, listUnnoted, markNoted, releaseHold } from './holds.store.ts'

/** Has only the hash of the object's reference, because the note stays when the object is erased. */
const note = Type.Object({
  format: Type.Literal('quire-hold-1'),
  store: Type.String(),
  id: Type.String(),
  object_reference_hash: Type.Union([Type.String(), Type.Null()]),
  ingestion_model: Type.Union([Type.String(), Type.Null()]),
  reason: Type.String(),
  placed_by: Type.String(),
  correlation_id: Type.String(),
  placed_at: Type.String(),
  release_reason: Type.Union([Type.String(), Type.Null()]),
  released_by: Type.Union([Type.String(), Type.Null()]),
  released_at: Type.Union([Type.String(), Type.Null()]),
})
type Note = Static<typeof note>

export interface HoldNotesPorts {
  database: Database
  ledger: Ledger
  clock: Clock
}

/** Notes holds that were placed or released since the last call. */
export async function noteHolds({ database, ledger }: Omit<HoldNotesPorts, 'clock'>): Promise<void> {
  const rows = await listUnnoted(database.read, limits.tablePageRows)
  if (rows.length === 0) return
  const store = (await findStoreId(database.read)) ?? ''
  for (const row of rows) {
    await ledger.write('hold', row.id, noteOf(row, store))
    await database.write((tx) => markNoted(tx, row))
  }
}

/**
 * Brings back holds and releases that only the ledger has, and notes those that it lacks. Holds of other stores are brought back
 * as well, because a store may be restored under another id: holding too much does no harm, and can be undone by a release.
 *
 * @returns the ids of the holds that were brought back or released
 */
export async function reconcileHolds(ports: HoldNotesPorts): Promise<string[]> {
  const { database, ledger } = ports
  const { inSome } = await ledger.names('hold')
  const own = new Map((await listHoldIds(database.read)).map(({ id, isReleased }) => [id, isReleased]))
  const changed: string[] = []
  for (const id of [...inSome].sort()) {
    if (own.get(id) === true) continue
    if (await bringBack(ports, await ledger.read('hold', id, note))) changed.push(id)
  }
  await noteHolds(ports)
  return changed
}

/** @returns false if the database already has it in this state */
async function bringBack({ database, clock }: HoldNotesPorts, noted: Note): Promise<boolean> {
  const row = rowOf(noted)
  return database.write(async (tx) => {
    await keepHoldsOut(tx)
    const known = await findHold(tx, row.id)
    if (known !== undefined && (row.releasedAt === null || known.releasedAt !== null)) return false
    if (known === undefined) await insertHold(tx, row)
    else await releaseHold(tx, row.id, row)
    const actor = { userId: SYSTEM_ACTOR_ID, correlationId: row.correlationId, at: clock.now() }
    const action = row.releasedAt === null ? 'hold.placed' : 'hold.released'
    await recordAudit(tx, actor, { action, resourceKind: 'hold', resourceId: row.id, detail: { from: 'ledger' } })
    return true
  })
}

function noteOf(row: HoldRow, store: string): Note {
  return {
    format: 'quire-hold-1',
    store,
    id: row.id,
    object_reference_hash: row.objectReferenceHash,
    ingestion_model: row.modelSlug,
    reason: row.reason,
    placed_by: row.placedBy,
    correlation_id: row.correlationId,
    placed_at: row.placedAt,
    release_reason: row.releaseReason,
    released_by: row.releasedBy,
    released_at: row.releasedAt,
  }
}

function rowOf(noted: Note): HoldRow {
  return {
    id: noted.id,
    objectReference: null,
    objectReferenceHash: noted.object_reference_hash,
    modelSlug: noted.ingestion_model,
    reason: noted.reason,
    placedBy: noted.placed_by,
    correlationId: noted.correlation_id,
    placedAt: instantOf(noted.placed_at),
    releaseReason: noted.release_reason,
    releasedBy: noted.released_by,
    releasedAt: noted.released_at === null ? null : instantOf(noted.released_at),
    notedAt: null,
  }
}
