import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { auditFilters, type FilterValues } from '../../core/list-filters.ts'
import type { AuditRow } from '../../db/audit-log.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { newerThan, newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import { narrow } from '../../db/narrow.ts'
import { givenValues, prepareBySize, prepareInsert, prepareOnce } from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'
import { shown } from '../../db/shown.ts'

export type AuditHeadRow = Tables['auditHeads']['$inferSelect']

/** One unreadable detail must not make the whole trail unreadable. */
function columnsOf({ t: { auditRecords } }: Pick<Connection, 't'>) {
  return { ...getTableColumns(auditRecords), detail: shown(auditRecords.detail) }
}

export async function findRecord(connection: Connection, id: string): Promise<AuditRow | undefined> {
  const { auditRecords } = connection.t
  const [row] = await connection.q.select(columnsOf(connection)).from(auditRecords).where(eq(auditRecords.id, id))
  return row
}

type AuditFilter = FilterValues<typeof auditFilters>

/** Newest first; every filter has an index that also gives the order. */
export async function listRecords(
  connection: Connection,
  filter: AuditFilter,
  after: PagePlace | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const { auditRecords } = connection.t
  const conditions = narrow(connection, auditFilters, auditRecords, filter)
  if (after !== undefined) conditions.push(olderThan(auditRecords.at, auditRecords.id, after))
  return connection.q
    .select(columnsOf(connection))
    .from(auditRecords)
    .where(and(...conditions))
    .orderBy(...newestFirst(auditRecords.at, auditRecords.id))
    .limit(limit)
}

/** Committed unsealed records, oldest first, after a given record. */
export async function listUnsealed(
  connection: Connection,
  limit: number,
  after?: Pick<AuditRow, 'at' | 'id'>,
): Promise<AuditRow[]> {
  if (after === undefined) return oldestUnsealed(connection).execute({ limit })
  const { auditRecords } = connection.t
  const isLater = newerThan(auditRecords.at, auditRecords.id, { createdAt: after.at, id: after.id })
  return unsealed(connection, isLater).limit(limit)
}

function unsealed(connection: Connection, condition?: SQL) {
  const { auditRecords } = connection.t
  return connection.q
    .select(columnsOf(connection))
    .from(auditRecords)
    .where(and(isNull(auditRecords.position), condition))
    .orderBy(asc(auditRecords.at), asc(auditRecords.id))
}

const oldestUnsealed = prepareOnce((connection) => unsealed(connection).limit(sql.placeholder('limit')).prepare())

export async function countUnsealed(connection: Connection, limit: number): Promise<number> {
  return (await unsealedIds(connection, limit)).length
}

/** Ids of the oldest unsealed records. */
export async function unsealedIds(connection: Connection, limit: number): Promise<string[]> {
  return (await someUnsealed(connection).execute({ limit })).map(({ id }) => id)
}

/** Runs after every commit. Without the order of the index, PostgreSQL may search all records. */
const someUnsealed = prepareOnce(({ q, t: { auditRecords } }) =>
  q
    .select({ id: auditRecords.id })
    .from(auditRecords)
    .where(isNull(auditRecords.position))
    .orderBy(asc(auditRecords.at), asc(auditRecords.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** The position of the last sealed record; 0 while there is none. */
export async function headPosition(connection: Connection): Promise<number> {
  const [row] = await lastSealed(connection).execute()
  return Math.max(0, row?.position ?? 0)
}

const lastSealed = prepareOnce(({ q, t: { auditRecords } }) =>
  q
    .select({ position: auditRecords.position })
    .from(auditRecords)
    .where(lte(auditRecords.position, Number.MAX_SAFE_INTEGER))
    .orderBy(desc(auditRecords.position))
    .limit(1)
    .prepare(),
)

/** The first position from this one on that has a record; undefined if there is none. */
export async function nextSealedPosition(connection: Connection, from: number): Promise<number | undefined> {
  const { auditRecords } = connection.t
  const [row] = await connection.q
    .select({ position: auditRecords.position })
    .from(auditRecords)
    .where(and(gte(auditRecords.position, from), lte(auditRecords.position, Number.MAX_SAFE_INTEGER)))
    .orderBy(asc(auditRecords.position))
    .limit(1)
  return row?.position ?? undefined
}

/** Ids of records at positions that the chain can't have; a walk along the chain doesn't meet them. */
export async function misplacedRecords(connection: Connection): Promise<string[]> {
  const { auditRecords } = connection.t
  const rows = await connection.q
    .select({ id: auditRecords.id })
    .from(auditRecords)
    // SQLite accepts text in a number column, and text sorts after all numbers.
    .where(or(lt(auditRecords.position, 1), gt(auditRecords.position, Number.MAX_SAFE_INTEGER)))
    .limit(limits.verifyProblemsShown)
  return rows.map(({ id }) => id)
}

/** The first position in the chain among the sealed records of this time or later; undefined while there is none. */
export async function firstPositionFrom(connection: Connection, at: Instant): Promise<number | undefined> {
  const { auditRecords } = connection.t
  const [row] = await connection.q
    .select({ position: auditRecords.position })
    .from(auditRecords)
    .where(and(gte(auditRecords.at, at), isNotNull(auditRecords.position)))
    .orderBy(asc(auditRecords.position))
    .limit(1)
  return row?.position ?? undefined
}

/** Sealed records with `from` ≤ position < `to`, in the order of the chain. */
export async function listSealed(connection: Connection, from: number, to: number): Promise<AuditRow[]> {
  return sealed(connection).execute({ from, to })
}

const sealed = prepareOnce(({ q, t, t: { auditRecords } }) =>
  q
    .select(columnsOf({ t }))
    .from(auditRecords)
    .where(and(gte(auditRecords.position, sql.placeholder('from')), lt(auditRecords.position, sql.placeholder('to'))))
    .orderBy(asc(auditRecords.position))
    .prepare(),
)

/** The hash of the record at a position; undefined if there is no such record. */
export async function findSealedHash(connection: Connection, position: number): Promise<string | undefined> {
  const { auditRecords } = connection.t
  const [row] = await connection.q
    .select({ hash: auditRecords.hash })
    .from(auditRecords)
    .where(eq(auditRecords.position, position))
  return row?.hash ?? undefined
}

/** The last position that an external receiver has; undefined before its first batch. */
export async function forwardedPosition(connection: Connection, name: string): Promise<number | undefined> {
  const { auditOutlets } = connection.t
  const [row] = await connection.q
    .select({ position: auditOutlets.position })
    .from(auditOutlets)
    .where(eq(auditOutlets.name, name))
  return row?.position
}

/** Saves a receiver's position. It never moves back, even if this instance has lost its lease. */
export async function saveForwarded(tx: Transaction, row: Tables['auditOutlets']['$inferSelect']): Promise<void> {
  const { auditOutlets } = tx.t
  await tx.q
    .insert(auditOutlets)
    .values(row)
    .onConflictDoUpdate({ target: auditOutlets.name, set: row, setWhere: lt(auditOutlets.position, row.position) })
}

export type Seal = Pick<AuditRow, 'id' | 'contentHash' | 'digest'> & {
  position: number
  previousHash: string
  hash: string
}

/**
 * Writes a batch of seals in a few statements, and empties the records' tags: the chain covers them now. If a lease ever fails,
 * two sealers collide on the position's unique index and one is rolled back; so is a batch with a record that an erasure emptied
 * meanwhile.
 */
export async function writeSeals(tx: Transaction, seals: readonly Seal[]): Promise<void> {
  if (seals.length === 0) return
  for (let from = 0; from < seals.length; from += STATEMENT_SEALS) {
    const some = seals.slice(from, from + STATEMENT_SEALS)
    const given = some.map(({ id, position, previousHash, hash, digest, contentHash }) => {
      return {
        id,
        position: String(position),
        previousHash,
        hash,
        digest: digest ?? '',
        contentHash: contentHash ?? '',
      }
    })
    const sealed = await sealing(tx, some.length).execute(givenValues(given))
    if (sealed.length !== some.length) throw new Error('another sealer was faster, or an erasure')
  }
}

/** Tuned: the most seals that one statement writes. */
const STATEMENT_SEALS = 32

/** Order of a seal's values: column1 to column6. */
const SEALED = ['id', 'position', 'previousHash', 'hash', 'digest', 'contentHash'] as const

const sealing = prepareBySize(STATEMENT_SEALS, ({ q, t: { auditRecords } }, size) => {
  const rows = Array.from({ length: size }, (_row, place) => {
    const values = SEALED.map((name) => sql`${sql.placeholder(`${place}.${name}`)}`)
    return sql`(${sql.join(values, sql`, `)})`
  })
  // Not `position is null`: PostgreSQL might then search all unsealed records. Both databases name the columns of VALUES column1,
  // column2 and so on; only one of them accepts other names.
  return q
    .update(auditRecords)
    .set({
      position: sql`cast(seals.column2 as bigint)`,
      previousHash: sql`seals.column3`,
      hash: sql`seals.column4`,
      digest: sql`nullif(seals.column5, '')`,
      attestation: null,
    })
    .from(sql`(values ${sql.join(rows, sql`, `)}) as seals`)
    .where(
      sql`${auditRecords}.id = seals.column1 and coalesce(${auditRecords}.position, 0) = 0
        and coalesce(${auditRecords}.content_hash, '') = seals.column6`,
    )
    .returning({ id: auditRecords.id })
    .prepare()
})

export async function insertHead(tx: Transaction, head: AuditHeadRow): Promise<void> {
  await insertHeads(tx, [head])
}

const insertHeads = prepareInsert(({ t }) => t.auditHeads)

/** The newest head, or the first one from a position on; undefined if there is none. */
export async function findHead(connection: Connection, from?: number): Promise<AuditHeadRow | undefined> {
  const { auditHeads } = connection.t
  const [row] = await connection.q
    .select()
    .from(auditHeads)
    .where(from === undefined ? undefined : gte(auditHeads.position, from))
    .orderBy(from === undefined ? desc(auditHeads.position) : asc(auditHeads.position))
    .limit(1)
  return row
}

/** The newest head before a position; undefined if there is none. */
export async function findHeadBefore(connection: Connection, position: number): Promise<AuditHeadRow | undefined> {
  const { auditHeads } = connection.t
  const [row] = await connection.q
    .select()
    .from(auditHeads)
    .where(lt(auditHeads.position, position))
    .orderBy(desc(auditHeads.position))
    .limit(1)
  return row
}

/** Records of an action, sealed or not, oldest first. Only for actions that few records have. */
export async function listByAction(connection: Connection, action: string): Promise<AuditRow[]> {
  return recordsOfAction(connection).execute({ action })
}

const recordsOfAction = prepareOnce(({ q, t, t: { auditRecords } }) =>
  q
    .select(columnsOf({ t }))
    .from(auditRecords)
    .where(eq(auditRecords.action, sql.placeholder('action')))
    .orderBy(asc(auditRecords.at), asc(auditRecords.id))
    .prepare(),
)
