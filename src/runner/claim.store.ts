import { and, eq, inArray, notInArray, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { appendEvents } from '../bus/outbox.ts'
import { epochMsOf, type Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Connection, Database, Transaction } from '../db/database.ts'
import { prepareByIds, prepareOnce } from '../db/prepared.ts'
import type { PassingFault } from './faults.ts'
import { exhaustedFailure, failExecution } from './record.store.ts'
import {
  type Claim,
  claimFields,
  claimOf,
  deferred,
  heldBy,
  type MovedStep,
  moveExecutionsOf,
  moveStep,
  noLease,
  prepareMove,
  started,
} from './steps.store.ts'

export interface ClaimOptions {
  owner: string
  leaseMs: number
  limit: number
  /** Steps that the owner still holds, however old their lease is: it finds out by itself whether they are lost. */
  except?: readonly string[]
}

/** Whether a claim would find something; spares the writer if there is nothing to do. */
export async function hasReadyStep(connection: Connection): Promise<boolean> {
  return (await someReady(connection).execute()).length > 0
}

const someReady = prepareOnce((connection) => someStep(connection, isReady(connection), readyOrder))

const readyOrder = sql`position desc, available_at, id`

/** Ordered as the index, or PostgreSQL may search all ended steps. */
function someStep({ q, t: { steps } }: Connection, condition: SQL, order: SQL) {
  return q.select({ found: sql<number>`1` }).from(steps).where(condition).orderBy(order).limit(1).prepare()
}

/** How many steps could be claimed now, and how long the first of them has waited. */
export async function readQueue(connection: Connection): Promise<{ ready: number; oldestAgeSeconds: number }> {
  const { steps } = connection.t
  const [row] = await connection.rows<{ ready: number; oldest: Instant | null; now: Instant }>(
    sql`select count(*) as ready, min(available_at) as oldest, ${connection.clock} as now from ${steps}
        where status = 'queued' and available_at <= ${connection.clock}`,
  )
  const ageMs = row?.oldest == null ? 0 : epochMsOf(row.now) - epochMsOf(row.oldest)
  return { ready: Number(row?.ready ?? 0), oldestAgeSeconds: Math.max(0, ageMs / 1_000) }
}

/** How many steps are in the queue, including those not due yet; counted up to `most`. */
export async function countQueued(connection: Connection, most?: number): Promise<number> {
  const [row] = await queuedSteps(connection).execute({ most: most ?? Number.MAX_SAFE_INTEGER })
  return Number(row?.queued ?? 0)
}

/** Runs before every submission. */
const queuedSteps = prepareOnce(({ q, t: { steps } }) =>
  q
    .select({ queued: sql<number>`count(*)` })
    .from(sql`(select 1 from ${steps} where status = 'queued' limit ${sql.placeholder('most')}) as queue`)
    .prepare(),
)

/**
 * SQL condition: the lease has run out, and so has the rest after it. The first takeover is immediate. A step that was started
 * more often rests longer: it may be what kills its process, so others go first. And if something else kills process after
 * process, the claimed steps don't use up their attempts within seconds.
 */
function hasRunOut(connection: Connection): SQL {
  const rested = limits.stepTakeoverRestMs.map(
    (restMs, index) => sql`when ${index + 1} then ${connection.clockPlus(-restMs)}`,
  )
  return sql`status = 'running' and lease_expires_at < ${connection.clock}
    and lease_expires_at < case attempt ${sql.join(rested, sql` `)} else ${connection.clock} end`
}

export async function hasExpiredStep(connection: Connection): Promise<boolean> {
  return (await someExpired(connection).execute()).length > 0
}

const someExpired = prepareOnce((connection) => someStep(connection, hasRunOut(connection), sql`lease_expires_at`))

function isReady(connection: Connection): SQL {
  return sql`status = 'queued' and available_at <= ${connection.clock}`
}

/** The ready steps that come next, in the order of the index, which has only such steps. */
export function longestWaiting(connection: Connection): SQL {
  return sql`select id, execution_id, position, available_at from ${connection.t.steps}
    where ${isReady(connection)} order by ${readyOrder} limit ${limits.stepTurnWindow}`
}

/**
 * Claims ready steps: first those nearest to their execution's completion, then round-robin among submissions, so that one with
 * many processing nodes doesn't block the others, then the longest waiting.
 */
export async function claimReady(tx: Transaction, { owner, leaseMs, limit }: ClaimOptions): Promise<Claim[]> {
  // While its statistics know of no queue, PostgreSQL would read and sort everything queued.
  if (tx.dialect === 'postgres') await tx.rows(sql`set local enable_bitmapscan = off`)
  const moved = await takeReady(tx, { owner, leaseMs: tx.millisecondsFor(leaseMs), limit })
  return claimsOf(tx, moved, owner)
}

const takeReady = prepareMove((connection) => {
  const { steps, executions } = connection.t
  const turns = sql`select waiting.id as turn_id, waiting.position as turn_position, waiting.available_at as waits_since,
      row_number() over (partition by ${executions.submissionId}, waiting.position
        order by waiting.available_at, waiting.id) as turn
    from (${longestWaiting(connection)}) as waiting join ${executions} on ${executions.id} = waiting.execution_id`
  const from = sql`${steps} join (${turns}) as turns on turns.turn_id = ${steps.id}`
  const order = sql`turn_position desc, turn, waits_since, turn_id`
  const options = { owner: sql`${sql.placeholder('owner')}`, leaseMs: sql.placeholder('leaseMs') }
  return {
    to: 'running',
    where: pick(connection, isReady(connection), order, sql.placeholder('limit'), from),
    fields: claimFields(connection, options),
  }
})

/** Takes over steps whose lease has run out, and fails those whose attempts are used up. */
export async function claimExpired(tx: Transaction, options: ClaimOptions): Promise<Claim[]> {
  const inHand = options.except ?? []
  const isOthers = inHand.length === 0 ? sql`` : sql` and ${notInArray(tx.t.steps.id, [...inHand])}`
  const expired = sql`${hasRunOut(tx)}${isOthers}`
  const exhausted = await moveStep(
    tx,
    'failed',
    pick(tx, sql`${expired} and attempt >= ${limits.stepAttempts}`, sql`lease_expires_at, id`, options.limit),
    {
      leaseOwner: null,
      leaseExpiresAt: null,
      finishedAt: tx.clock,
      failure: exhaustedFailure('The step was begun five times and never reported back.'),
    },
  )
  for (const step of exhausted) {
    await failExecution(tx, step, exhaustedFailure('The step was begun five times and never reported back.'))
  }
  const others = sql`${expired} and attempt < ${limits.stepAttempts}`
  const picked = pick(tx, others, sql`lease_expires_at, id`, options.limit)
  return claimsOf(tx, await moveStep(tx, 'running', picked, claimFields(tx, options)), options.owner)
}

/**
 * The condition is repeated outside the sub-select: PostgreSQL evaluates the inner one on a snapshot, and only checks the outer
 * one again on the locked row. The array makes PostgreSQL run the sub-select once; a join may run it again for every row, and
 * lock `limit` more of them each time.
 */
function pick(connection: Connection, condition: SQL, order: SQL, limit: Placeholder | number, from?: SQL): SQL {
  const { steps } = connection.t
  const { id } = steps
  const chosen = sql`select ${id} from ${from ?? steps} where ${condition} order by ${order} limit ${limit}`
  const isChosen =
    connection.dialect === 'postgres'
      ? sql`${steps.id} = any(array(${chosen} for update of steps skip locked))`
      : sql`${steps.id} in (${chosen})`
  return sql`${isChosen} and ${condition}`
}

async function claimsOf(
  tx: Transaction,
  moved: (MovedStep & { startedAt: Instant })[],
  owner: string,
): Promise<Claim[]> {
  const [first] = moved
  if (first === undefined) return []
  const ordered = moved.sort((a, b) => b.position - a.position || (a.availableAt < b.availableAt ? -1 : 1))
  const owned = await moveExecutionsOf(tx, 'processing', first.startedAt, ordered)
  const claims = owned.map(({ step, origin }) => claimOf(step, origin, owner))
  await appendEvents(tx, first.startedAt, claims.map(started))
  return claims
}

/** Prolongs the owner's leases among these. @returns the steps that it still holds */
export async function heartbeat(database: Database, claims: readonly Claim[], leaseMs: number): Promise<Set<string>> {
  const owner = claims[0]?.owner
  if (owner === undefined) return new Set()
  const ids = claims.map(({ stepId }) => stepId)
  const kept = await database.write((tx) => prolonged(tx, ids, { owner, lease: tx.millisecondsFor(leaseMs) }), 'steps')
  return new Set(kept.map((step) => step.id))
}

/**
 * Prolonging a lease isn't a state change: it keeps the fence, or the owner could not record its result. Only running steps have
 * an owner.
 */
const prolonged = prepareByIds<{ id: string }>((connection, ids) => {
  const { steps } = connection.t
  return connection.q
    .update(steps)
    .set({ leaseExpiresAt: connection.clockPlus(sql.placeholder('lease')) })
    .where(and(inArray(steps.id, ids), eq(steps.leaseOwner, sql.placeholder('owner'))))
    .returning({ id: steps.id })
    .prepare()
})

/**
 * Ends every lease, for a process that knows that none of their owners is alive. If it also knows which steps they were working
 * on, it gives the others back uncounted.
 */
export async function expireLeases(tx: Transaction, atWork?: readonly string[]): Promise<void> {
  const { steps } = tx.t
  if (atWork !== undefined) {
    const isOther = atWork.length === 0 ? undefined : notInArray(steps.id, [...atWork])
    await moveStep(tx, 'queued', and(eq(steps.status, 'running'), isOther), {
      ...noLease,
      attempt: sql`${steps.attempt} - 1`,
      availableAt: tx.clock,
    })
  }
  await allExpired(tx).execute()
}

const allExpired = prepareOnce((connection) => {
  const { steps } = connection.t
  return connection.q
    .update(steps)
    .set({ leaseExpiresAt: connection.clockPlus(-1) })
    .where(eq(steps.status, 'running'))
    .prepare()
})

/**
 * Gives the step back unchanged and uncounted, for any runner, at once or after a while; `news` of the reason goes into its
 * trace. A lost claim is ignored.
 */
export async function release(
  tx: Transaction,
  claim: Claim,
  { afterMs = 0, news }: { afterMs?: number; news?: PassingFault } = {},
): Promise<void> {
  const [step] = await moveStep(tx, 'queued', heldBy(tx, claim), {
    ...noLease,
    attempt: sql`${tx.t.steps.attempt} - 1`,
    availableAt: tx.clockPlus(afterMs),
    finishedAt: tx.clock,
  })
  if (step !== undefined && news !== undefined) await appendEvents(tx, step.finishedAt, [deferred(claim, news)])
}
