/**
 * Sets of policies in the ledger: after a restore of an older backup, an earlier set must not remove what is to be kept longer
 * now.
 */
import { type Static, Type } from '@sinclair/typebox'
import { SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { instantOf } from '../../core/instant.ts'
import { retainedParts } from '../../core/retained-parts.ts'
import type { Database } from '../../db/database.ts'
import { oneOf } from '../../http/wire.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { Ledger } from '../ledger/ledger.service.ts'
import { findSet, keepSetsOut, type RetentionRow } from './policies.reads.ts'
import { insertSet, listNumbers, listUnnoted, markNoted } from './policies.store.ts'

const days = Type.Integer({ minimum: 1 })

const note = Type.Object({
  /** 2 if a policy names parts: versions that don't know parts must not read it as a set without any. */
  format: Type.Union([Type.Literal('quire-retention-1'), Type.Literal('quire-retention-2')]),
  id: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  policies: Type.Array(
    Type.Object({
      ingestion_model: Type.Optional(Type.String()),
      keep_days: days,
      parts: Type.Optional(Type.Partial(Type.Record(oneOf(retainedParts), days))),
    }),
  ),
  set_by: Type.String(),
  correlation_id: Type.String(),
  set_at: Type.String(),
})
type Note = Static<typeof note>

export interface RetentionNotesPorts {
  database: Database
  ledger: Ledger
  clock: Clock
}

/** Notes the sets that were made since the last call. */
export async function noteRetention({ database, ledger }: Omit<RetentionNotesPorts, 'clock'>): Promise<void> {
  for (const row of await listUnnoted(database.read)) {
    await ledger.write('retention', row.id, noteOf(row))
    await database.write((tx) => markNoted(tx, row.id))
  }
}

/**
 * Brings back sets that only the ledger has, and notes those that it lacks.
 *
 * @returns the numbers of the sets that were brought back
 */
export async function reconcileRetention(ports: RetentionNotesPorts): Promise<number[]> {
  const { database, ledger, clock } = ports
  const { inSome } = await ledger.names('retention')
  const own = new Set((await listNumbers(database.read)).map(({ id }) => id))
  const lacking: Note[] = []
  for (const id of inSome.difference(own)) lacking.push(await ledger.read('retention', id, note))
  const brought: number[] = []
  for (const noted of lacking.toSorted((one, other) => one.number - other.number)) {
    const isNew = await database.write(async (tx) => {
      await keepSetsOut(tx)
      // The number belongs to another store's set, or another instance was faster.
      if ((await findSet(tx, noted.number)) !== undefined) return false
      const row = rowOf(noted)
      await insertSet(tx, row)
      const actor = { userId: SYSTEM_ACTOR_ID, correlationId: row.correlationId, at: clock.now() }
      const detail = { number: row.number, from: 'ledger' }
      await recordAudit(tx, actor, { action: 'retention.set', resourceKind: 'retention', resourceId: row.id, detail })
      return true
    })
    if (isNew) brought.push(noted.number)
  }
  await noteRetention(ports)
  return brought
}

function noteOf(row: RetentionRow): Note {
  return {
    format: row.policies.some(({ parts }) => parts !== undefined) ? 'quire-retention-2' : 'quire-retention-1',
    id: row.id,
    number: row.number,
    policies: row.policies,
    set_by: row.setBy,
    correlation_id: row.correlationId,
    set_at: row.setAt,
  }
}

function rowOf(noted: Note): RetentionRow {
  return {
    id: noted.id,
    number: noted.number,
    policies: noted.policies,
    setBy: noted.set_by,
    correlationId: noted.correlation_id,
    setAt: instantOf(noted.set_at),
    notedAt: null,
  }
}
