import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { Fault } from '../../core/faults.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { type RetainedPart, retainedParts } from '../../core/retained-parts.ts'
import type { Connection } from '../../db/database.ts'
import type { ErasedKind, RetentionRule, Tables } from '../../db/schema.ts'

export type ErasureRow = Tables['erasures']['$inferSelect']
export type ErasedItemRow = Tables['erasedItems']['$inferSelect']

/** The erasure that removed something; undefined if it never existed, or still exists. */
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

/** Why something is missing: it never existed, or it was erased. */
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

/** A part of a submission that a policy has removed. */
export interface RemovedPartRow {
  submissionId: string
  part: RetainedPart
  erasureId: string
  removedAt: Instant
  rule: RetentionRule
}

/** Parts of these submissions that policies have removed, in the order of the parts. */
export async function listRemovedParts(
  connection: Connection,
  submissionIds: readonly string[],
): Promise<RemovedPartRow[]> {
  if (submissionIds.length === 0) return []
  const { erasures, erasedItems } = connection.t
  const rows = await connection.q
    .select({
      submissionId: erasedItems.itemId,
      kind: erasedItems.kind,
      erasureId: erasures.id,
      removedAt: erasures.erasedAt,
      rule: erasures.rule,
    })
    .from(erasedItems)
    .innerJoin(erasures, eq(erasures.id, erasedItems.erasureId))
    .where(and(inArray(erasedItems.itemId, [...submissionIds]), inArray(erasedItems.kind, [...retainedParts])))
  return retainedParts.flatMap((part) =>
    rows.flatMap(({ kind, rule, ...row }) => (kind === part && rule !== null ? [{ ...row, part, rule }] : [])),
  )
}

/** An execution's state after the last removal of a part that changed it. */
export interface StateAfter {
  digest: string
  /**
   * Position of the removal's record in the chain, which orders states even if clocks are set back; infinite until it is sealed.
   */
  position: number
}

/** By execution id; executions still in the state of their end are left out. */
export async function statesAfterRemoval(
  connection: Connection,
  executionIds: readonly string[],
): Promise<Map<string, StateAfter>> {
  if (executionIds.length === 0) return new Map()
  const { erasures, erasedItems, auditRecords } = connection.t
  const rows = await connection.q
    .select({ id: erasedItems.itemId, digest: erasedItems.contentHash, position: auditRecords.position })
    .from(erasedItems)
    .innerJoin(erasures, eq(erasures.id, erasedItems.erasureId))
    // Not by kind as well: a database might then read every removal there ever was.
    .leftJoin(auditRecords, eq(auditRecords.resourceId, erasures.id))
    .where(and(inArray(erasedItems.itemId, [...executionIds]), eq(erasedItems.kind, 'execution_state')))
    .orderBy(asc(auditRecords.at), asc(auditRecords.id))
  const states = new Map<string, StateAfter>()
  for (const { id, digest, position: sealed } of rows) {
    const position = sealed ?? Number.POSITIVE_INFINITY
    if (position >= (states.get(id)?.position ?? 0)) states.set(id, { digest: digest ?? '', position })
  }
  return states
}

/** When the newest removal that changed one of these executions' states was recorded; undefined before the first. */
export async function lastRemovalAt(
  connection: Connection,
  executionIds: readonly string[],
): Promise<Instant | undefined> {
  const { erasedItems, auditRecords } = connection.t
  const items = await connection.q
    .selectDistinct({ id: erasedItems.erasureId })
    .from(erasedItems)
    .where(and(inArray(erasedItems.itemId, [...executionIds]), eq(erasedItems.kind, 'execution_state')))
  if (items.length === 0) return undefined
  const ids = items.map(({ id }) => id)
  // Neither joined, ordered, nor by kind: either database might then read every removal there ever was.
  const records = await connection.q
    .select({ at: auditRecords.at })
    .from(auditRecords)
    .where(inArray(auditRecords.resourceId, ids))
  return records
    .map(({ at }) => at)
    .sort()
    .at(-1)
}

/** A tombstone that is wrong: what it calls removed still exists, or its erasure doesn't. */
export interface WrongTombstone {
  name: string
  wrong: 'there' | 'without_erasure'
}

/** Each statement reads one page of the tombstones. */
export async function* wrongTombstones(connection: Connection): AsyncGenerator<WrongTombstone> {
  const { submissions, executions, artifacts, erasures, erasedItems } = connection.t
  for (let last = ['', '', '']; ; ) {
    const rows = await connection.rows<{ erasure: string; kind: string; item: string; there: number; known: number }>(
      sql`select i.erasure_id as erasure, i.kind as kind, i.item_id as item,
                 case when i.kind = 'submission' and exists (select 1 from ${submissions} s where s.id = i.item_id)
                        or i.kind = 'execution' and exists (select 1 from ${executions} e where e.id = i.item_id)
                        or i.kind = 'raw_input' and exists (select 1 from ${submissions} s where s.id = i.item_id
                          and (s.raw_input <> '' or s.params is not null))
                        or i.kind = 'output' and exists (select 1 from ${executions} e where e.submission_id = i.item_id
                          and e.output is not null)
                        or i.kind = 'artifacts' and exists (select 1 from ${executions} e
                          join ${artifacts} a on a.execution_id = e.id
                          where e.submission_id = i.item_id and a.removed_at is null)
                      then 1 else 0 end as there,
                 case when exists (select 1 from ${erasures} e where e.id = i.erasure_id) then 1 else 0 end as known
          from (select erasure_id, kind, item_id from ${erasedItems}
                where (erasure_id, kind, item_id) > (${last[0]}, ${last[1]}, ${last[2]})
                order by erasure_id, kind, item_id limit ${limits.tableHashRows}) as i
          order by 1, 2, 3`,
    )
    for (const { kind, item, there, known } of rows) {
      if (there === 1) yield { name: nameOf(kind, item), wrong: 'there' }
      // A tombstone is covered by its erasure's record, so without an erasure nothing covers it.
      if (known === 0) yield { name: nameOf(kind, item), wrong: 'without_erasure' }
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tableHashRows) return
    last = [end.erasure, end.kind, end.item]
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function nameOf(kind: string, id: string): string {
  const part = retainedParts.find((one) => one === kind)
  return part === undefined ? `${kind} ${id}` : `${part} of the submission ${id}`
}
