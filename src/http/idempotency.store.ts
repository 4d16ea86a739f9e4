import { and, asc, eq, lt, or, sql } from 'drizzle-orm'
import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { attestedAnswer } from '../db/audit-log.ts'
import { type Connection, MustWait, type Transaction } from '../db/database.ts'
import { gathered } from '../db/gathered.ts'
import {
  type Given,
  givenColumns,
  givenOnce,
  givenRows,
  givenValues,
  INSERT_ROWS,
  prepareBySize,
  prepareInsert,
  prepareOnce,
  rowPlaceholders,
  rowValues,
} from '../db/prepared.ts'
import type { Tables } from '../db/schema.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { IdempotentRequest } from './idempotent-request.ts'

/** Status of a claimed key whose effect still runs. Its transaction is uncommitted, so no other one ever sees it. */
const claimed = 0

/** The status of an answer that was erased, so that its key stays used. */
export const erasedAnswer = 410

/** Returns true when the key is now this transaction's, false when it was used before. Waits while another transaction uses it. */
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

/**
 * Locks the key until the transaction ends, without writing anything. PostgreSQL only.
 * @throws MustWait while another holds it, unless the writer may wait
 */
export async function holdKey(tx: Transaction, { actorId, key }: IdempotentRequest): Promise<void> {
  if (tx.mayWait === true) await heldKey(tx).execute({ actorId, key })
  else if (!(await tryKeys(tx, { actorId, key }))) throw new MustWait('another transaction holds the key')
}

const keyTypes = { actorId: 'text', key: 'text' } as const

const lockOf = ({ actorId, key }: Given<typeof keyTypes>) => sql`hashtextextended(${actorId} || ' ' || ${key}, 0)`

const heldKey = prepareOnce(({ q }) =>
  q
    .select({ held: sql`pg_advisory_xact_lock(${lockOf(givenOnce(keyTypes))})` })
    .from(sql`(select 1) as one`)
    .prepare(),
)

/** Of several writers with one key in one transaction, the first gets it. */
const tryKeys = gathered<Pick<IdempotentRequest, 'actorId' | 'key'>, boolean>(async (tx, calls) => {
  const held = await triedKeys(tx, calls.length).execute(givenValues(calls))
  const isFree = new Set(held.filter(({ isHeld }) => isHeld).map(({ place }) => place))
  return calls.map(
    ({ actorId, key }, place) =>
      isFree.has(place) && calls.findIndex((call) => call.actorId === actorId && call.key === key) === place,
  )
})

const triedKeys = prepareBySize(limits.databaseGroupWriters, ({ q }, size) =>
  q
    .select({
      place: sql<number>`given.place`,
      isHeld: sql<boolean>`pg_try_advisory_xact_lock(${lockOf(givenColumns(keyTypes))})`,
    })
    .from(givenRows(keyTypes, size))
    .prepare(),
)

type KeyRecord = Tables['idempotency']['$inferSelect']

export async function findRecord(tx: Transaction, request: IdempotentRequest): Promise<KeyRecord | undefined> {
  const found = await lookUp(tx, request)
  if ('error' in found) throw found.error
  return found.record
}

type Found = { record: KeyRecord | undefined } | { error: unknown }

/**
 * If the joint query fails, each key is looked up alone, so that a damaged record fails only its own request; not while the
 * database is away.
 */
const lookUp = gathered<IdempotentRequest, Found>(async (tx, requests) => {
  try {
    const found: KeyRecord[] = []
    const most = INSERT_ROWS[tx.dialect]
    for (let from = 0; from < requests.length; from += most) {
      const some = requests.slice(from, from + most)
      found.push(
        ...(await records(tx, some.length).execute(givenValues(some.map(({ actorId, key }) => ({ actorId, key }))))),
      )
    }
    return requests.map(({ actorId, key }) => ({
      record: found.find((record) => record.key === key && record.actorId === actorId),
    }))
  } catch (error) {
    if (requests.length === 1 || isDatabaseUnavailable(error)) return requests.map(() => ({ error }))
    const each: Found[] = []
    for (const request of requests) each.push(...(await lookUpAlone(tx, request)))
    return each
  }
})

async function lookUpAlone(tx: Transaction, { actorId, key }: IdempotentRequest): Promise<Found[]> {
  try {
    const [record] = await records(tx, 1).execute(givenValues([{ actorId, key }]))
    return [{ record }]
  } catch (error) {
    return [{ error }]
  }
}

const records = prepareBySize(INSERT_ROWS.postgres, ({ q, t: { idempotency } }, size) => {
  const asked = Array.from({ length: size }, (_request, place) =>
    and(
      eq(idempotency.actorId, sql.placeholder(`${place}.actorId`)),
      eq(idempotency.key, sql.placeholder(`${place}.key`)),
    ),
  )
  return q
    .select()
    .from(idempotency)
    .where(or(...asked))
    .prepare()
})

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

/** Removes one batch of expired records, which frees their keys. Returns how many it removed. */
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
