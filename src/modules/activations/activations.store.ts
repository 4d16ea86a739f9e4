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
 * Takes the lock under which versions are put in force, until the transaction ends. Each such transaction checks what would be in
 * force together, and would not see what another one is adding. Take it before holding any family, or two transactions deadlock.
 */
export async function holdActivations(tx: Transaction): Promise<void> {
  await holdLock(tx, 'activations')
}

const slots = new WeakMap<Database, Slots>()

/**
 * Runs a transaction that takes this lock. Each that waits for it occupies a connection, so only a few per instance run at once:
 * reads and submissions need the other connections.
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

/** Cancels an activation; undefined if it was cancelled before. */
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

/** What would be in force at an instant without the activations that begin at it. */
export function findJustBefore(
  connection: Connection,
  familyId: string,
  at: Instant,
): Promise<ActivationRow | undefined> {
  return nearest(justBefore, connection, familyId, at)
}

const justBefore = prepareNearest(lt, 'last')

/** The family's first activation that begins after an instant. */
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

/** The first or last of a family's activations on one side of an instant, cancelled ones excluded. */
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

/** A family and its version in force. Both version fields are null if none is, as for every contract. */
export interface FamilyInForce {
  familyId: string
  name: string
  versionId: string | null
  contentHash: string | null
}

/**
 * What each of these families has in force at an instant. One statement for any number of activations, and on PostgreSQL for all
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

/** SQL condition: this is the activation of its family that is in force at an instant. */
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

/** The activation that begins exactly at this instant and is not cancelled. */
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

/** Whether the version was in force by then; one that was cancelled before it began never was. */
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

/** Instants after this one at which anything comes into force, ascending, each once. */
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

/** SQL condition: the same family has a later activation that is in force by then. */
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

/** A page, the newest scheduling first. Statuses are as they were last settled. */
export function activationsPage(
  connection: Connection,
  filter: ActivationFilter,
  after: Pick<ActivationRow, 'scheduledAt' | 'id'> | undefined,
  limit: number,
) {
  const { activations, families } = connection.t
  const { familyId, kind, ...others } = filter
  // If the family is given, its kind is checked once instead of in every row.
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

/** Instants with `from` ≤ instant < `before`. */
export interface TimeRange {
  from: Instant
  before: Instant
}

/** An activation, the version in force before it, and when the family's next activation begins. */
export type ActivationInTime = ActivationRow & { fromVersion: number | null; until: Instant | null }

type CalendarFilter = Pick<ActivationFilter, 'kind' | 'familyId'>

/** Activations that begin in a range and are not cancelled, earliest first; those decided together are adjacent. */
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

/** How many activations begin in a range, and the nearest ones outside of it. */
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

/** When an activation begins, in the form of the calendar's index. */
function beginningOf({ t }: Connection) {
  return sql<Instant>`(${t.activations.effectiveFrom} || '')`
}

function standingIn(connection: Connection, { kind, familyId }: CalendarFilter): SQL[] {
  const { activations } = connection.t
  return [
    isNull(activations.cancelledAt),
    // An expression, or SQLite would choose an index on the kind and sort.
    ...(kind === undefined ? [] : [sql`(${activations.kind} || '') = ${kind}`]),
    ...(familyId === undefined ? [] : [eq(activations.familyId, familyId)]),
  ]
}

/** Scheduled activations that have begun since the last check. The condition on the status matches its partial index. */
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
