import { and, count, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'

export type HoldRow = Tables['holds']['$inferSelect']

/** Objects by reference, and ingestion models by slug. */
export interface HeldThings {
  objects: readonly string[]
  models: readonly string[]
}

/** Holds in force on any of these. */
export async function listHoldsOn(connection: Connection, { objects, models }: HeldThings): Promise<HoldRow[]> {
  const { holds } = connection.t
  const hashes = objects.map((reference) => sha256Hex(reference))
  return connection.q
    .select()
    .from(holds)
    .where(
      and(
        isNull(holds.releasedAt),
        or(inArray(holds.objectReferenceHash, hashes), inArray(holds.modelSlug, [...models])),
      ),
    )
}

/** Holds in force on objects, by the reference's hash: a hold that a restore brought back has only that. */
export async function holdsOnObjects(connection: Connection): Promise<Map<string, HoldRow>> {
  const { holds } = connection.t
  const rows = await connection.q
    .select()
    .from(holds)
    .where(and(isNull(holds.releasedAt), isNotNull(holds.objectReferenceHash)))
  return new Map(rows.map((row) => [row.objectReferenceHash ?? '', row]))
}

/** How many holds were released so far; a new number means that something may have become removable. */
export async function countReleased(connection: Connection): Promise<number> {
  const [row] = await released(connection).execute()
  return Number(row?.holds ?? 0)
}

/** Runs before each round of removal. */
const released = prepareOnce(({ q, t: { holds } }) =>
  q.select({ holds: count() }).from(holds).where(isNotNull(holds.releasedAt)).prepare(),
)

/**
 * Keeps holds from being placed until the transaction ends, so that what it removes is not held at its commit either. SQLite has
 * only one writer anyway.
 */
export async function keepHoldsOut(tx: Transaction): Promise<void> {
  if (tx.dialect === 'postgres') await tx.rows(sql`lock table ${tx.t.holds} in share row exclusive mode`)
}

/** @throws Fault conflict if one of these is held */
export async function requireNotHeld(tx: Transaction, things: HeldThings): Promise<void> {
  const [hold] = await listHoldsOn(tx, things)
  if (hold !== undefined) throw refuseHeld(hold)
}

/** @param what names the held thing, if the hold itself doesn't */
export function refuseHeld(hold: HoldRow, what?: string): Fault {
  const subject = what ?? (hold.modelSlug === null ? 'The object' : `The ingestion model ${hold.modelSlug}`)
  return new Fault('conflict', `${subject} is under the legal hold ${hold.id}. Nothing is erased until it is released.`)
}

/** Whether an ingestion model has this slug. */
export async function isModel(connection: Connection, slug: string): Promise<boolean> {
  const { families } = connection.t
  const rows = await connection.rows(
    sql`select 1 from ${families} where ${families.kind} = 'ingestion_model' and ${families.slug} = ${slug} limit 1`,
  )
  return rows.length > 0
}
