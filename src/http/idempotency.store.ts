import { and, asc, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { attestedAnswer } from '../db/audit-log.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { gathered } from '../db/gathered.ts'
import {
  givenColumns,
  givenRows,
  givenValues,
  prepareBySize,
  prepareInsert,
  prepareOnce,
  rowPlaceholders,
  rowValues,
} from '../db/prepared.ts'
import type { IdempotentRequest } from './idempotent-request.ts'

/** A claimed key whose effect is under way in an uncommitted transaction, and so never seen by another. */
const claimed = 0

/** The status of an answer that was erased, so that its key stays used. */
export const erasedAnswer = 410

/** True when the key is now this transaction's; false when it was used before. Waits for one that is being used. */
export async function claimKey(tx: Transaction, at: Instant, request: IdempotentRequest): Promise<boolean> {
  const { actorId, key, requestHash } = request
  const row = { actorId, key, requestHash, status: claimed, body: {}, createdAt: at, attestation: null }
  return (await claims(tx).execute(rowValues(tx.t.idempotency, [row]))).length === 1
}

/** Records a key and its answer at once, when nobody else can have claimed the key meanwhile. */
export function recordKey(
  tx: Transaction,
  at: Instant,
  { actorId, key, requestHash }: IdempotentRequest,
  { status, body }: { status: number; body: object },
): Promise<void> {
  const row = { actorId, key, requestHash, status, body, createdAt: at }
  return insertKeys(tx, [{ ...row, attestation: tx.attest(attestedAnswer(row)) }])
}

const insertKeys = prepareInsert(({ t }) => t.idempotency)

const claims = prepareOnce(({ q, t: { idempotency } }) =>
  q
    .insert(idempotency)
    .values(rowPlaceholders(idempotency))
    .onConflictDoNothing()
    .returning({ key: idempotency.key })
    .prepare(),
)

/** On PostgreSQL, those that the writers of a transaction look for are found by one statement. */
export const findRecord = gathered(async (tx, calls: readonly Pick<IdempotentRequest, 'actorId' | 'key'>[]) => {
  const [first, ...others] = calls
  if (first === undefined) return []
  if (tx.dialect === 'postgres' && others.length > 0) {
    const found = await recordsOf(tx, calls.length).execute(
      givenValues(calls.map(({ actorId, key }) => ({ actorId, key }))),
    )
    const byPlace = new Map(found.map((record) => [record.place, record]))
    return calls.map((_call, place) => byPlace.get(place))
  }
  const all: Awaited<ReturnType<typeof findOne>>[] = []
  for (const call of calls) all.push(await findOne(tx, call))
  return all
})

async function findOne(connection: Connection, { actorId, key }: Pick<IdempotentRequest, 'actorId' | 'key'>) {
  const [record] = await records(connection).execute({ actorId, key })
  return record
}

const recordsOf = prepareBySize(limits.databaseGroupWriters, ({ q, t: { idempotency } }, size) => {
  const types = { actorId: 'text', key: 'text' } as const
  const given = givenColumns(types)
  return q
    .select({ ...getTableColumns(idempotency), place: sql<number>`given.place` })
    .from(givenRows(types, size))
    .innerJoin(idempotency, and(eq(idempotency.actorId, given.actorId), eq(idempotency.key, given.key)))
    .prepare()
})

const records = prepareOnce(({ q, t: { idempotency } }) =>
  q
    .select()
    .from(idempotency)
    .where(and(eq(idempotency.actorId, sql.placeholder('actorId')), eq(idempotency.key, sql.placeholder('key'))))
    .prepare(),
)

export async function recordAnswer(
  tx: Transaction,
  at: Instant,
  { actorId, key, requestHash }: IdempotentRequest,
  { status, body }: { status: number; body: object },
): Promise<void> {
  const attestation = tx.attest(attestedAnswer({ actorId, key, requestHash, status, body, createdAt: at }))
  await recordings(tx).execute({ actorId, key, status, body: JSON.stringify(body), attestation })
}

const recordings = prepareOnce(({ q, t: { idempotency } }) =>
  q
    .update(idempotency)
    .set({
      status: sql`${sql.placeholder('status')}`,
      body: sql`${sql.placeholder('body')}`,
      attestation: sql`${sql.placeholder('attestation')}`,
    })
    .where(and(eq(idempotency.actorId, sql.placeholder('actorId')), eq(idempotency.key, sql.placeholder('key'))))
    .prepare(),
)

export async function forgetKey(tx: Transaction, request: IdempotentRequest): Promise<void> {
  await tx.q.delete(tx.t.idempotency).where(isOf(tx, request))
}

/** Removes records that have expired, some at a time; a used key is free again afterwards. How many they were. */
export async function forgetKeysBefore(tx: Transaction, before: Instant): Promise<number> {
  return (await sweep(tx).execute({ before })).length
}

const sweep = prepareOnce(({ q, t: { idempotency } }) => {
  const oldest = q
    .select({ actorId: idempotency.actorId, key: idempotency.key })
    .from(idempotency)
    .where(lt(idempotency.createdAt, sql.placeholder('before')))
    .orderBy(asc(idempotency.createdAt))
    .limit(limits.idempotencySweepRows)
  return q
    .delete(idempotency)
    .where(sql`(${idempotency.actorId}, ${idempotency.key}) in ${oldest}`)
    .returning({ status: idempotency.status })
    .prepare()
})

function isOf({ t }: Connection, request: IdempotentRequest) {
  return and(eq(t.idempotency.actorId, request.actorId), eq(t.idempotency.key, request.key))
}
