import { and, eq, inArray, sql } from 'drizzle-orm'
import { Fault } from '../../core/faults.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Connection } from '../../db/database.ts'
import type { ErasedKind, Tables } from '../../db/schema.ts'

export type ErasureRow = Tables['erasures']['$inferSelect']
export type ErasedItemRow = Tables['erasedItems']['$inferSelect']

/** The erasure that took something away; undefined for what was never there, or still is. */
export async function findErasureOf(
  connection: Connection,
  kind: ErasedKind,
  id: string,
): Promise<ErasureRow | undefined> {
  const { erasures, erasedItems } = connection.t
  const [row] = await connection.q
    .select({ erasure: erasures })
    .from(erasedItems)
    .innerJoin(erasures, eq(erasures.id, erasedItems.erasureId))
    .where(and(eq(erasedItems.itemId, id), eq(erasedItems.kind, kind)))
    .limit(1)
  return row?.erasure
}

/** Why something is not there: nobody knows it, or it was erased. */
export async function missing(connection: Connection, kind: 'submission' | 'execution', id: string): Promise<Fault> {
  const erasure = await findErasureOf(connection, kind, id)
  if (erasure === undefined) return new Fault('not_found', `There is no ${kind} ${id}.`)
  const when = formatInstant(erasure.erasedAt)
  return new Fault('not_found', `The ${kind} ${id} was erased at ${when}; the erasure ${erasure.id} says why.`)
}

/** Tombstones of one kind among these ids. */
export async function listErasedItems(
  connection: Connection,
  kind: ErasedKind,
  ids: readonly string[],
): Promise<ErasedItemRow[]> {
  if (ids.length === 0) return []
  const { erasedItems } = connection.t
  return connection.q
    .select()
    .from(erasedItems)
    .where(and(inArray(erasedItems.itemId, [...ids]), eq(erasedItems.kind, kind)))
}

/** Some resources that were erased and are there nevertheless, as names. */
export async function listErasedButThere(connection: Connection, limit: number): Promise<string[]> {
  const { submissions, executions, erasedItems: i } = connection.t
  const rows = await connection.rows<{ name: string }>(
    sql`select ${i.kind} || ' ' || ${i.itemId} as name from ${i}
        where (${i.kind} = 'submission' and exists (select 1 from ${submissions} s where s.id = ${i.itemId}))
           or (${i.kind} = 'execution' and exists (select 1 from ${executions} e where e.id = ${i.itemId}))
        order by 1 limit ${limit}`,
  )
  return rows.map((row) => row.name)
}
