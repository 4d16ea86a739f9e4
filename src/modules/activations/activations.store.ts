import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  max,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { activationFilters, type FilterValues } from '../../core/list-filters.ts'
import { holdLock } from '../../db/advisory-locks.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { gathered } from '../../db/gathered.ts'
import { newestFirst, olderThan } from '../../db/keyset.ts'
import { narrow } from '../../db/narrow.ts'
import {
  givenColumns,
  givenRows,
  givenValues,
  prepareByIds,
  prepareBySize,
  prepareInsert,
  prepareOnce,
} from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'
import { Slots } from '../../db/write-groups.ts'

export type ActivationRow = Tables['activations']['$inferSelect']

/**
 * Waits until no other transaction puts anything in force, and keeps them waiting until this one ends: each checks what would be in
 * force together, and would not see what the other puts there. Whoever wants it asks before it holds any family, or two wait for each
 * other.
 */
export async function holdActivations(tx: Transaction): Promise<void> {
  await holdLock(tx, 'activations')
}

const slots = new WeakMap<Database, Slots>()

/**
 * Carries out a transaction that holds activations. Only a few of one instance are under way, since each that waits has a connection, and
 * reads and submissions need the others.
 */
export function holdingActivations<T>(database: Database, write: () => Promise<T>): Promise<T> {
  if (database.dialect === 'sqlite') return write()
  const own = slots.get(database) ?? new Slots(limits.databasePatientWriters)
  slots.set(database, own)
  return new Promise((resolve, reject) => void own.run(() => write().then(resolve, reject)))
}

const insert = prepareInsert(({ t }) => t.activations)

export function insertActivation(tx: Transaction, row: ActivationRow): Promise<void> {
  return insert(tx, [row])
}

export async function findActivation(connection: Connection, id: string): Promise<ActivationRow | undefined> {
  const { activations } = connection.t
  const [row] = await connection.q.select().from(activations).where(eq(activations.id, id))
  return row
}

export type CancelledActivation = ActivationRow & { cancelledAt: Instant; cancellationCode: string }

/** Cancels one that nobody has cancelled before; undefined otherwise. */
export async function markCancelled(
  tx: Transaction,
  id: string,
  at: Instant,
  code: string,
): Promise<CancelledActivation | undefined> {
  const { activations } = tx.t
  const [row] = await tx.q
    .update(activations)
    .set({ status: 'cancelled', cancelledAt: at, cancellationCode: code })
    .where(and(eq(activations.id, id), isNull(activations.cancelledAt)))
    .returning()
  return row === undefined ? undefined : { ...row, cancelledAt: at, cancellationCode: code }
}

/** The activation in force at an instant: not cancelled, with the greatest `effective_from` not after it. */
export function findInForce(connection: Connection, familyId: string, at: Instant): Promise<ActivationRow | undefined> {
  return nearest(inForceAt, connection, familyId, at)
}

const inForceAt = prepareNearest(lte, 'last')

/** What would be in force if nothing had begun at an instant. */
export function findJustBefore(
  connection: Connection,
  familyId: string,
  at: Instant,
): Promise<ActivationRow | undefined> {
  return nearest(justBefore, connection, familyId, at)
}

const justBefore = prepareNearest(lt, 'last')

/** The first that begins after an instant. */
export function findAfter(connection: Connection, familyId: string, at: Instant): Promise<ActivationRow | undefined> {
  return nearest(nextAfter, connection, familyId, at)
}

const nextAfter = prepareNearest(gt, 'first')

async function nearest(
  prepared: ReturnType<typeof prepareNearest>,
  connection: Connection,
  familyId: string,
  at: Instant,
): Promise<ActivationRow | undefined> {
  const [row] = await prepared(connection).execute({ familyId, at })
  return row
}

/** The first or last of a family's activations that are not cancelled and on one side of an instant. */
function prepareNearest(isOnSide: typeof lte, which: 'first' | 'last') {
  return prepareOnce(({ q, t: { activations } }) =>
    q
      .select()
      .from(activations)
      .where(
        and(
          eq(activations.familyId, sql.placeholder('familyId')),
          isNull(activations.cancelledAt),
          isOnSide(activations.effectiveFrom, sql.placeholder('at')),
        ),
      )
      .orderBy(which === 'first' ? activations.effectiveFrom : desc(activations.effectiveFrom))
      .limit(1)
      .prepare(),
  )
}

/** A family, and the version of it that is in force; both null if none is, as for every contract. */
export interface FamilyInForce {
  familyId: string
  name: string
  versionId: string | null
  contentHash: string | null
}

/**
 * What is in force of each of these families at an instant: one statement for any number of activations, and on PostgreSQL for all
 * writers of a transaction.
 */
export function listInForceOf(
  connection: Connection | Transaction,
  familyIds: readonly string[],
  at: Instant,
): Promise<readonly FamilyInForce[]> {
  const isShared = connection.dialect === 'postgres' && 'seat' in connection
  return isShared ? gatherInForce(connection, { familyIds, at }) : inForceOf(connection, familyIds, { at })
}

const inForceOf = prepareByIds<FamilyInForce>((connection, ids) => {
  const { families, activations } = connection.t
  return connection.q
    .select(columnsInForce(connection))
    .from(families)
    .leftJoin(activations, isInForce(connection, sql`${sql.placeholder('at')}`))
    .where(inArray(families.id, ids))
    .prepare()
})

const gatherInForce = gathered(async (tx, calls: readonly { familyIds: readonly string[]; at: Instant }[]) => {
  const keyOf = (familyId: string, at: Instant) => `${familyId} ${at}`
  const wanted = new Map(
    calls.flatMap(({ familyIds, at }) => familyIds.map((familyId) => [keyOf(familyId, at), { familyId, at }] as const)),
  )
  const found = new Map<string, FamilyInForce>()
  const all = [...wanted.values()]
  for (let from = 0; from < all.length; from += limits.databaseGroupWriters) {
    const some = all.slice(from, from + limits.databaseGroupWriters)
    for (const { at, ...row } of await inForceOfGiven(tx, some.length).execute(givenValues(some))) {
      found.set(keyOf(row.familyId, at), row)
    }
  }
  return calls.map(({ familyIds, at }) => familyIds.flatMap((familyId) => found.get(keyOf(familyId, at)) ?? []))
})

const inForceOfGiven = prepareBySize(limits.databaseGroupWriters, (connection, size) => {
  const { families, activations } = connection.t
  const types = { familyId: 'text', at: 'text' } as const
  const given = givenColumns(types)
  return connection.q
    .select({ ...columnsInForce(connection), at: sql<Instant>`${given.at}` })
    .from(givenRows(types, size))
    .innerJoin(families, eq(families.id, given.familyId))
    .leftJoin(activations, isInForce(connection, given.at))
    .prepare()
})

function columnsInForce({ t: { families, activations } }: Connection) {
  const { versionId, contentHash } = activations
  return { familyId: families.id, name: families.name, versionId, contentHash }
}

/** Of a family's activations. */
function isInForce({ q, t: { families, activations } }: Connection, at: SQL): SQL | undefined {
  const candidates = alias(activations, 'candidates')
  const newest = q
    .select({ effectiveFrom: max(candidates.effectiveFrom) })
    .from(candidates)
    .where(and(eq(candidates.familyId, families.id), isNull(candidates.cancelledAt), lte(candidates.effectiveFrom, at)))
  return and(
    eq(activations.familyId, families.id),
    isNull(activations.cancelledAt),
    sql`${activations.effectiveFrom} = ${newest}`,
  )
}

/** The one that is not cancelled and begins at this very instant. */
export async function findAtInstant(
  connection: Connection,
  familyId: string,
  at: Instant,
): Promise<ActivationRow | undefined> {
  const [row] = await atInstant(connection).execute({ familyId, at })
  return row
}

const atInstant = prepareOnce(({ q, t: { activations } }) =>
  q
    .select()
    .from(activations)
    .where(
      and(
        eq(activations.familyId, sql.placeholder('familyId')),
        isNull(activations.cancelledAt),
        eq(activations.effectiveFrom, sql.placeholder('at')),
      ),
    )
    .prepare(),
)

/** Whether the family has any activation that is not cancelled. */
export async function hasActivation(connection: Connection, familyId: string): Promise<boolean> {
  const { activations } = connection.t
  const rows = await connection.q
    .select({ id: activations.id })
    .from(activations)
    .where(and(eq(activations.familyId, familyId), isNull(activations.cancelledAt)))
    .limit(1)
  return rows.length > 0
}

/** Whether the version was in force by then; what was cancelled before it began never was. */
export async function hasBeenInForce(
  connection: Connection,
  { familyId, id }: { familyId: string; id: string },
  now: Instant,
): Promise<boolean> {
  const { activations } = connection.t
  const rows = await connection.q
    .select({ id: activations.id })
    .from(activations)
    .where(
      and(
        eq(activations.familyId, familyId),
        eq(activations.versionId, id),
        isNull(activations.cancelledAt),
        lte(activations.effectiveFrom, now),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** When anything comes into force after an instant, ascending, each instant once. */
export async function listLaterInstants(connection: Connection, after: Instant, limit: number): Promise<Instant[]> {
  const rows = await laterInstants(connection).execute({ after, limit })
  return rows.map(({ at }) => at)
}

const laterInstants = prepareOnce(({ q, t: { activations } }) =>
  q
    .selectDistinct({ at: activations.effectiveFrom })
    .from(activations)
    .where(and(isNull(activations.cancelledAt), gt(activations.effectiveFrom, sql.placeholder('after'))))
    .orderBy(activations.effectiveFrom)
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** For every family of a kind, the activation in force at an instant. */
export async function listInForce(
  connection: Connection,
  kind: ActivationRow['kind'],
  at: Instant,
): Promise<ActivationRow[]> {
  const { activations } = connection.t
  return connection.q
    .select()
    .from(activations)
    .where(
      and(
        eq(activations.kind, kind),
        isNull(activations.cancelledAt),
        lte(activations.effectiveFrom, at),
        sql`not ${laterInForce(connection, at)}`,
      ),
    )
}

/** Whether the same family has a later one that is in force by then. */
function laterInForce({ q, t }: Connection, at: Instant | Placeholder): SQL {
  const later = alias(t.activations, 'later')
  const found = q
    .select({ one: sql`1` })
    .from(later)
    .where(
      and(
        eq(later.familyId, t.activations.familyId),
        isNull(later.cancelledAt),
        gt(later.effectiveFrom, t.activations.effectiveFrom),
        lte(later.effectiveFrom, at),
      ),
    )
  return sql`exists ${found}`
}

type ActivationFilter = FilterValues<typeof activationFilters>

/** A page in the order in which they were scheduled, newest first; statuses are those that were settled last. */
export function activationsPage(
  connection: Connection,
  filter: ActivationFilter,
  after: Pick<ActivationRow, 'scheduledAt' | 'id'> | undefined,
  limit: number,
) {
  const { activations, families } = connection.t
  const { familyId, kind, ...others } = filter
  // With a family given, its kind is checked once and not in every row.
  const isOfFamily = familyId !== undefined && kind !== undefined
  const narrowed = narrow(connection, activationFilters, activations, isOfFamily ? { ...others, familyId } : filter)
  const conditions: SQL[] = isOfFamily
    ? [...narrowed, sql`(select kind from ${families} where id = ${familyId}) = ${kind}`]
    : narrowed
  // The whole list has an index of its own, on an expression.
  const scheduledAt = conditions.length > 0 ? activations.scheduledAt : sql<string>`(${activations.scheduledAt} || '')`
  if (after !== undefined) {
    conditions.push(olderThan(scheduledAt, activations.id, { createdAt: after.scheduledAt, id: after.id }))
  }
  return connection.q
    .select()
    .from(activations)
    .where(and(...conditions))
    .orderBy(...newestFirst(scheduledAt, activations.id))
    .limit(limit)
}

/** Instants from one on and before another. */
export interface TimeRange {
  from: Instant
  before: Instant
}

/** An activation with what is in force before it, and when the next one of its family begins. */
export type ActivationInTime = ActivationRow & { fromVersion: number | null; until: Instant | null }

type CalendarFilter = Pick<ActivationFilter, 'kind' | 'familyId'>

/** Those that are not cancelled and begin in a range, the earliest first; what was decided together is together. */
export function listBetween(
  connection: Connection,
  filter: CalendarFilter,
  { from, before }: TimeRange,
  limit: number,
): Promise<ActivationInTime[]> {
  const { q, t } = connection
  const { activations } = t
  const begins = beginningOf(connection)
  const other = alias(activations, 'other')
  const ofFamily = and(eq(other.familyId, activations.familyId), isNull(other.cancelledAt))
  const earlier = q
    .select({ version: other.version })
    .from(other)
    .where(and(ofFamily, lt(other.effectiveFrom, activations.effectiveFrom)))
    .orderBy(desc(other.effectiveFrom))
    .limit(1)
  const later = q
    .select({ effectiveFrom: other.effectiveFrom })
    .from(other)
    .where(and(ofFamily, gt(other.effectiveFrom, activations.effectiveFrom)))
    .orderBy(other.effectiveFrom)
    .limit(1)
  return q
    .select({
      ...getTableColumns(activations),
      fromVersion: sql<number | null>`${earlier}`,
      until: sql<Instant | null>`${later}`,
    })
    .from(activations)
    .where(and(...standingIn(connection, filter), gte(begins, from), lt(begins, before)))
    .orderBy(begins, activations.correlationId, activations.id)
    .limit(limit)
}

/** How many begin in a range, and the nearest ones outside of it. */
export async function aroundRange(
  connection: Connection,
  filter: CalendarFilter,
  { from, before }: TimeRange,
): Promise<{ total: number; previous: Instant | null; next: Instant | null }> {
  const begins = beginningOf(connection)
  const standing = standingIn(connection, filter)
  const { activations } = connection.t
  const instant = { at: begins }
  const [total, [previous], [next]] = await Promise.all([
    connection.q.$count(activations, and(...standing, gte(begins, from), lt(begins, before))),
    connection.q
      .select(instant)
      .from(activations)
      .where(and(...standing, lt(begins, from)))
      .orderBy(desc(begins))
      .limit(1),
    connection.q
      .select(instant)
      .from(activations)
      .where(and(...standing, gte(begins, before)))
      .orderBy(begins)
      .limit(1),
  ])
  return { total, previous: previous?.at ?? null, next: next?.at ?? null }
}

/** When an activation begins, as the calendar's index has it. */
function beginningOf({ t }: Connection) {
  return sql<Instant>`(${t.activations.effectiveFrom} || '')`
}

function standingIn(connection: Connection, { kind, familyId }: CalendarFilter): SQL[] {
  const { activations } = connection.t
  return [
    isNull(activations.cancelledAt),
    // An expression: SQLite would take an index on the kind, and sort.
    ...(kind === undefined ? [] : [sql`(${activations.kind} || '') = ${kind}`]),
    ...(familyId === undefined ? [] : [eq(activations.familyId, familyId)]),
  ]
}

/**
 * Scheduled activations that have started since the last check; the condition on the status is that of its partial
 * index.
 */
export function listDue(connection: Connection, now: Instant, limit: number) {
  const { activations } = connection.t
  return connection.q
    .select({ kind: activations.kind, familyId: activations.familyId })
    .from(activations)
    .where(and(sql`(${activations.status} || '') = 'scheduled'`, lte(activations.effectiveFrom, now)))
    .orderBy(activations.effectiveFrom)
    .limit(limit)
}

/** Updates the started activations of a family that the caller holds: the latest is active, earlier ones superseded. */
export async function settleFamily(tx: Transaction, familyId: string, now: Instant): Promise<void> {
  await settlement(tx).execute({ familyId, now })
}

const settlement = prepareOnce((connection) => {
  const { activations } = connection.t
  const now = sql.placeholder('now')
  return connection.q
    .update(activations)
    .set({ status: sql`case when ${laterInForce(connection, now)} then 'superseded' else 'active' end` })
    .where(
      and(
        eq(activations.familyId, sql.placeholder('familyId')),
        inArray(activations.status, ['scheduled', 'active']),
        lte(activations.effectiveFrom, now),
      ),
    )
    .prepare()
})
