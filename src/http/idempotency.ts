import { Fault } from '../core/faults.ts'
import { addMs, type Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Database, Transaction, WriteLane } from '../db/database.ts'
import {
  claimKey,
  erasedAnswer,
  findRecord,
  forgetKey,
  forgetKeysBefore,
  holdKey,
  recordAnswer,
  recordKey,
} from './idempotency.store.ts'
import type { IdempotentRequest } from './idempotent-request.ts'

/**
 * Runs `effect` at most once per key, in the caller's transaction, and answers every exact repetition with the first answer. Only
 * answers (2xx) are recorded: to refuse, `effect` throws. So a refusal or a crash never uses a key up, and fifty requests at once have
 * one effect.
 *
 * On PostgreSQL the key is claimed before the effect. A second transaction under it waits on the primary key for the first one's
 * outcome, then replays it or, after a rollback, becomes the first. On SQLite only one transaction writes at a time, so a look-up is
 * enough, and key and answer are written together. The same holds for effects that can collide only by their key (`isTriedAgain`): they
 * lock the key without writing it, and a transaction that doesn't get the lock waits apart.
 *
 * @throws Fault conflict when the key was used for other content
 */
export async function withIdempotency<Answer extends { status: number; body: object }>(
  tx: Transaction,
  at: Instant,
  request: IdempotentRequest,
  effect: () => Promise<Answer>,
  { isTriedAgain = false } = {},
): Promise<{ answer: Answer; replayed: boolean }> {
  const isAlone = tx.dialect === 'sqlite' || isTriedAgain
  if (tx.dialect === 'postgres' && isTriedAgain) await holdKey(tx, request)
  if (isAlone || !(await claimKey(tx, at, request))) {
    const record = await findRecord(tx, request)
    if (record !== undefined && record.createdAt >= addMs(at, -limits.idempotencyMs)) {
      if (record.requestHash !== request.requestHash) {
        throw new Fault('conflict', 'This Idempotency-Key was used for another request. Send a new key.')
      }
      if (record.status === erasedAnswer) {
        throw new Fault('conflict', 'What was made under this Idempotency-Key has been erased. Send a new key.')
      }
      return { answer: { status: record.status, body: record.body } as unknown as Answer, replayed: true }
    }
    if (record !== undefined) await forgetKey(tx, request)
    if (!isAlone && !(await claimKey(tx, at, request))) {
      throw new Fault('conflict', 'Another request is using this Idempotency-Key. Repeat the request.')
    }
  }
  const answer = await effect()
  if (answer.status < 200 || answer.status > 299) throw new Error('an idempotent effect must throw to refuse')
  await (isAlone ? recordKey(tx, at, request, answer) : recordAnswer(tx, at, request, answer))
  return { answer, replayed: false }
}

export interface Mutated<Body extends object> {
  status: number
  body: Body
}

/** Runs an effect in one transaction, once per key if the request has one. `effect` throws to refuse. */
export async function mutate<Body extends object>(
  database: Database,
  at: Instant,
  request: IdempotentRequest | undefined,
  effect: (tx: Transaction) => Promise<Mutated<Body>>,
  lane: WriteLane = 'requests',
): Promise<{ answer: Mutated<Body>; replayed: boolean }> {
  return database.write(
    async (tx) =>
      request === undefined
        ? { answer: await effect(tx), replayed: false }
        : withIdempotency(tx, at, request, () => effect(tx), { isTriedAgain: lane === 'submissions' }),
    lane,
  )
}

/** Removes expired records; call it now and then. */
export async function sweepIdempotency(database: Database, at: Instant): Promise<void> {
  for (let gone: number = limits.idempotencySweepRows; gone === limits.idempotencySweepRows; ) {
    gone = await database.write((tx) => forgetKeysBefore(tx, addMs(at, -limits.idempotencyMs)))
  }
}
