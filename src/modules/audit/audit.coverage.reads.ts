import { and, asc, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { AuditHeadRow } from './audit.store.ts'

/** Records that cover the state of a row, of whatever kind the row is. */
function covering({ t: { auditRecords } }: Connection, kind: SQL, id: SQL, more = sql``): SQL {
  return sql`exists (select 1 from ${auditRecords} a
    where a.resource_id = ${id} and a.resource_kind = ${kind} and a.content_hash is not null${more})`
}

/** Rows that no record covers, by what they are called: their table, and the condition. */
function uncovered(connection: Connection): Record<string, { from: SQL; where: SQL }> {
  const {
    submissions,
    executions,
    users,
    families,
    activations,
    releases,
    cases,
    erasures,
    holds,
    retention,
    idempotency,
  } = connection.t
  const without = (table: SQL, kind: string) => ({
    from: sql`${table} r`,
    where: sql`not ${covering(connection, sql`${kind}`, sql`r.id`)}`,
  })
  const isOver = sql` and a.action in ('execution.completed', 'execution.failed')`
  return {
    submission: without(sql`${submissions}`, 'submission'),
    execution: {
      from: sql`${executions} r`,
      where: sql`r.status in ('completed', 'failed') and not ${covering(connection, sql`'execution'`, sql`r.id`, isOver)}`,
    },
    user: without(sql`${users}`, 'user'),
    family: { from: sql`${families} r`, where: sql`not ${covering(connection, sql`r.kind`, sql`r.id`)}` },
    activation: without(sql`${activations}`, 'activation'),
    release: without(sql`${releases}`, 'release'),
    case: without(sql`${cases}`, 'case'),
    erasure: without(sql`${erasures}`, 'erasure'),
    hold: without(sql`${holds}`, 'hold'),
    retention: without(sql`${retention}`, 'retention'),
    answer: { from: sql`${idempotency} r`, where: sql`r.attestation is null and r.status <> 0` },
  }
}

export const isAnswer = (what: string): boolean => what === 'answer'

/** How many rows of each kind no record covers; kinds without such rows are left out. */
export async function countUncovered(connection: Connection): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [what, { from, where }] of Object.entries(uncovered(connection))) {
    const [row] = await connection.rows<{ n: number }>(sql`select count(*) as n from ${from} where ${where}`)
    const count = Number(row?.n ?? 0)
    if (count > 0) counts[what] = count
  }
  return counts
}

/** When a row was made, of kinds that don't call it `created_at`. */
const madeAt: Readonly<Record<string, SQL>> = {
  activation: sql`r.scheduled_at`,
  erasure: sql`r.erased_at`,
  hold: sql`r.placed_at`,
  retention: sql`r.set_at`,
}

/** Some of them that were made at or after an instant: their names. */
export async function uncoveredSince(connection: Connection, what: string, at: string): Promise<string[]> {
  const found = uncovered(connection)[what]
  if (found === undefined) return []
  const name = isAnswer(what) ? sql`r.key` : sql`r.id`
  const since = madeAt[what] ?? sql`r.created_at`
  const rows = await connection.rows<{ name: string }>(
    sql`select ${name} as name from ${found.from} where ${found.where} and ${since} >= ${at}
        order by 1 limit ${limits.tablePageRows}`,
  )
  return rows.map((row) => row.name)
}

/** The place of the newest record about each resource, and whether one is still outside the chain. */
export interface NewestRecord {
  position: number
  hasUnsealed: boolean
}

/** By kind and id, as `recordKey` joins them. */
export async function newestRecords(
  connection: Connection,
  ids: readonly string[],
): Promise<Map<string, NewestRecord>> {
  if (ids.length === 0) return new Map()
  const { auditRecords: a } = connection.t
  const rows = await connection.rows<{
    kind: string
    id: string
    newest: number | null
    sealed: number
    total: number
  }>(
    sql`select ${a.resourceKind} as kind, ${a.resourceId} as id, max(${a.position}) as newest,
               count(${a.position}) as sealed, count(*) as total
        from ${a} where ${inArray(a.resourceId, [...ids])} group by ${a.resourceKind}, ${a.resourceId}`,
  )
  return new Map(
    rows.map(({ kind, id, newest, sealed, total }) => [
      recordKey(kind, id),
      { position: Number(newest ?? 0), hasUnsealed: Number(total) > Number(sealed) },
    ]),
  )
}

export const recordKey = (kind: string, id: string): string => `${kind} ${id}`

/** Heads in order, each with the hash that the chain has at its place; null where it has none. */
export async function headsAfter(
  connection: Connection,
  position: number,
): Promise<(AuditHeadRow & { chainHash: string | null })[]> {
  const { auditHeads, auditRecords } = connection.t
  // Both tables have these columns, and drizzle leaves the tables' names out.
  const chainHash = sql<string | null>`(select r.hash from ${auditRecords} r where r.position = ${auditHeads}.position)`
  return connection.q
    .select({
      position: auditHeads.position,
      hash: auditHeads.hash,
      store: auditHeads.store,
      at: auditHeads.at,
      publicKey: auditHeads.publicKey,
      signature: auditHeads.signature,
      chainHash,
    })
    .from(auditHeads)
    .where(gt(auditHeads.position, position))
    .orderBy(asc(auditHeads.position))
    .limit(limits.tablePageRows)
}

export type AnswerRow = Tables['idempotency']['$inferSelect']

/** Recorded answers with a tag, in the order of their keys. */
export function answersAfter(connection: Connection, after: Pick<AnswerRow, 'actorId' | 'key'>): Promise<AnswerRow[]> {
  const { idempotency } = connection.t
  return connection.q
    .select()
    .from(idempotency)
    .where(
      and(
        sql`${idempotency.attestation} is not null`,
        sql`(${idempotency.actorId}, ${idempotency.key}) > (${after.actorId}, ${after.key})`,
      ),
    )
    .orderBy(asc(idempotency.actorId), asc(idempotency.key))
    .limit(limits.tablePageRows)
}

/** Activations that are not cancelled, by family and in the order in which they come into force. */
export function activationsInOrder(connection: Connection) {
  const { activations: a } = connection.t
  return connection.q
    .select({
      id: a.id,
      familyId: a.familyId,
      status: a.status,
      effectiveFrom: a.effectiveFrom,
      cancelledAt: a.cancelledAt,
    })
    .from(a)
    .orderBy(asc(a.familyId), asc(a.effectiveFrom))
}
