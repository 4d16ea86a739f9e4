import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { AuditHeadRow } from './audit.store.ts'

/** SQL condition: a record covers the state of this row. `kind` and `id` are expressions over the row. */
function covering({ t: { auditRecords } }: Connection, kind: SQL, id: SQL, more = sql``): SQL {
  return sql`exists (select 1 from ${auditRecords} a
    where a.resource_id = ${id} and a.resource_kind = ${kind} and a.content_hash is not null${more})`
}

/** A kind of row: its table, name and order, when its rows were created, and which of them no record covers. */
interface CoveredKind {
  what: string
  table: SQL
  /** Columns of the primary key; the last one names a row. */
  key: readonly [string] | readonly [string, string]
  madeAt: string
  /** More columns that the condition reads. */
  reads?: readonly string[]
  /** Over `r`. */
  isUncovered: SQL
}

function coveredKinds(connection: Connection): CoveredKind[] {
  const { t } = connection
  const without = (what: string, table: SQL, madeAt = 'created_at'): CoveredKind => {
    const isUncovered = sql`not ${covering(connection, sql`${what}`, sql`r.id`)}`
    return { what, table, key: ['id'], madeAt, isUncovered }
  }
  const isOver = sql` and a.action in ('execution.completed', 'execution.failed')`
  return [
    without('submission', sql`${t.submissions}`),
    {
      ...without('execution', sql`${t.executions}`),
      reads: ['status'],
      isUncovered: sql`r.status in ('completed', 'failed') and not ${covering(connection, sql`'execution'`, sql`r.id`, isOver)}`,
    },
    without('user', sql`${t.users}`),
    {
      ...without('api_token', sql`${t.apiTokens}`),
      // Records of versions before 0.34 count, too, although they don't cover the state.
      isUncovered: sql`not exists (select 1 from ${t.auditRecords} a
        where a.resource_id = r.id and a.resource_kind = 'api_token')`,
    },
    {
      ...without('family', sql`${t.families}`),
      reads: ['kind'],
      isUncovered: sql`not ${covering(connection, sql`r.kind`, sql`r.id`)}`,
    },
    without('activation', sql`${t.activations}`, 'scheduled_at'),
    without('release', sql`${t.releases}`),
    without('case', sql`${t.cases}`),
    without('batch', sql`${t.batches}`),
    without('erasure', sql`${t.erasures}`, 'erased_at'),
    without('hold', sql`${t.holds}`, 'placed_at'),
    without('retention', sql`${t.retention}`, 'set_at'),
    {
      what: 'answer',
      table: sql`${t.idempotency}`,
      key: ['actor_id', 'key'],
      madeAt: 'created_at',
      reads: ['status', 'attestation'],
      isUncovered: sql`r.attestation is null and r.status <> 0`,
    },
  ]
}

export interface UncoveredRow {
  what: string
  name: string
  madeAt: string
}

/**
 * How many rows of each kind no record covers; kinds without such rows are left out. Each statement reads one page of the table.
 *
 * @param counts whether a row is counted; all are by default
 */
export async function countUncovered(
  connection: Connection,
  counts: (row: UncoveredRow) => boolean = () => true,
): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  for (const kind of coveredKinds(connection)) {
    for await (const row of uncoveredOf(connection, kind)) {
      if (counts(row)) counted[kind.what] = (counted[kind.what] ?? 0) + 1
    }
  }
  return counted
}

async function* uncoveredOf(connection: Connection, kind: CoveredKind): AsyncGenerator<UncoveredRow> {
  const { what, table, key, madeAt, reads = [], isUncovered } = kind
  const named = (columns: readonly string[]) =>
    sql.join(
      columns.map((column) => sql.identifier(column)),
      sql`, `,
    )
  for (let last: readonly string[] | undefined; ; ) {
    const places = last?.map((value) => sql`${value}`)
    const from = places === undefined ? sql`` : sql`where (${named(key)}) > (${sql.join(places, sql`, `)})`
    const rows = await connection.rows<{ first: string; name: string; made_at: string; uncovered: number }>(
      sql`select r.${sql.identifier(key[0])} as first, r.${sql.identifier(key.at(-1) ?? '')} as name,
                 r.${sql.identifier(madeAt)} as made_at, case when ${isUncovered} then 1 else 0 end as uncovered
          from (select ${named([...key, madeAt, ...reads])} from ${table} ${from}
                order by ${named(key)} limit ${limits.tableHashRows}) as r
          order by 1, 2`,
    )
    for (const { name, made_at, uncovered } of rows) {
      if (uncovered === 1) yield { what, name, madeAt: made_at }
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tableHashRows) return
    last = key.length === 1 ? [end.first] : [end.first, end.name]
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Names of rows whose user or family is missing, so that no record covers them. Each statement reads one page. */
export async function* ownerlessRows(connection: Connection): AsyncGenerator<string> {
  const { versions, factors, suitePolicies, families, users } = connection.t
  const kinds = [
    { what: 'version', table: versions, key: 'id', names: 'family_id', owner: families },
    { what: 'factor', table: factors, key: 'id', names: 'user_id', owner: users },
    { what: 'suite policy', table: suitePolicies, key: 'family_id', names: 'family_id', owner: families },
  ]
  for (const { what, table, key, names, owner } of kinds) {
    const [id, ownerId] = [sql.identifier(key), sql.identifier(names)]
    for (let last = ''; ; ) {
      const rows = await connection.rows<{ id: string; owned: number }>(
        sql`select r.id as id, case when exists (select 1 from ${owner} o where o.id = r.owner_id) then 1 else 0 end as owned
            from (select ${id} as id, ${ownerId} as owner_id from ${table}
                  where ${id} > ${last} order by ${id} limit ${limits.tableHashRows}) as r order by 1`,
      )
      for (const row of rows) if (row.owned === 0) yield `${what} ${row.id}`
      const end = rows.at(-1)
      if (end === undefined || rows.length < limits.tableHashRows) break
      last = end.id
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** The position of the newest record about a resource, and whether one is still unsealed. */
export interface NewestRecord {
  position: number
  hasUnsealed: boolean
}

/** Newest records by kind and id, joined as by `recordKey`. */
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

/** Heads in order, each with the chain's hash at its position; null if there is no such record. */
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

/** Activations that are cancelled without a time of cancellation, or have one without being cancelled. */
export async function* wronglyCancelled(connection: Connection): AsyncGenerator<{ id: string; status: string }> {
  const { activations } = connection.t
  for (let last = ''; ; ) {
    const rows = await connection.rows<{ id: string; status: string }>(
      sql`select id, status from ${activations} where id > ${last} and (status = 'cancelled') <> (cancelled_at is not null)
          order by id limit ${limits.tablePageRows}`,
    )
    yield* rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tablePageRows) return
    last = end.id
  }
}

/**
 * Families whose activations are out of order. Sorted by when they come into force and without the cancelled ones, they must be
 * superseded ones, then one active, then scheduled ones. The database compares them, because a family may have any number.
 */
export async function* brokenOrders(connection: Connection): AsyncGenerator<string> {
  const { activations } = connection.t
  for (let last = ''; ; ) {
    const rows = await connection.rows<{ id: string }>(
      sql`select family_id as id from (
            select family_id, place, lag(place) over (partition by family_id order by effective_from) as previous from (
              select family_id, effective_from,
                     case status when 'superseded' then 0 when 'active' then 1 when 'scheduled' then 2 else -1 end as place
              from ${activations} where cancelled_at is null and family_id > ${last}) as placed) as paired
          group by family_id
          having sum(case when place < previous then 1 else 0 end) > 0
            or sum(case when place = 1 then 1 else 0 end) > 1
            or (sum(case when place = 1 then 1 else 0 end) = 0 and sum(case when place = 0 then 1 else 0 end) > 0)
          order by family_id limit ${limits.tablePageRows}`,
    )
    for (const { id } of rows) yield id
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tablePageRows) return
    last = end.id
  }
}

/** Statuses of the first page of a family's activations, in the order in which they come into force. */
export async function statusesInOrder(connection: Connection, familyId: string): Promise<string[]> {
  const { activations: a } = connection.t
  const rows = await connection.q
    .select({ status: a.status })
    .from(a)
    .where(eq(a.familyId, familyId))
    .orderBy(asc(a.effectiveFrom), asc(a.id))
    .limit(limits.tablePageRows)
  return rows.map(({ status }) => status)
}
