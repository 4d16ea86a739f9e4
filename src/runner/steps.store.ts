import { and, eq, inArray, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { NewEvent } from '../bus/outbox.ts'
import { SYSTEM_ACTOR_ID } from '../core/actor.ts'
import { newId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { ExecutionStatus, StepName, StepStatus } from '../core/steps.ts'
import { insertAuditRecords } from '../db/audit-log.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { gathered } from '../db/gathered.ts'
import {
  type Given,
  type GivenTypes,
  givenColumns,
  givenOnce,
  givenRows,
  givenValues,
  prepareBySize,
  prepareOnce,
} from '../db/prepared.ts'
import type { StepFailure } from '../db/schema.ts'

/**
 * The state of steps and of the executions they belong to. Everything that moves a step goes through `moveStep`, an execution
 * through `moveExecutions`. Nothing else writes these columns, except for the rows' creation, the leases' ends, and
 * due-times.store.ts after the clock was set back. claim.store.ts says when a step is taken, record.store.ts its result.
 *
 *   not_started → queued      the step before it succeeded; for a first step, the submission was accepted, or the
 *                             parent execution completed
 *   queued      → running     a runner claimed it: attempt + 1, lease set
 *   running     → running     a runner claimed it because the lease ran out: attempt + 1, new lease and owner
 *   running     → succeeded   its owner recorded the result
 *   running     → queued      its owner met a transient fault (available after a back-off, the attempt stays counted),
 *                             or a dependency can't be used (the same, but the attempt is given back),
 *                             or is shutting down (available at once, the attempt is given back)
 *   running     → failed      its owner recorded a deterministic failure; or the last attempt met a transient fault, or
 *                             its lease ran out: attempts_exhausted
 *   not_started → failed      the parent execution failed: parent_failed, on the first step only
 *   failed      → queued      somebody asked for another attempt while there are some left (retry.store.ts)
 *   failed      → not_started the same for the parent, whose failure was the only reason: parent_failed
 *
 * Every move raises `state_version`, which is the fence: an owner may move a step only while the row still holds the
 * version and the owner of its claim, so a runner that was stopped and woke up late changes nothing. The steps after a
 * failed one stay not_started. The execution follows in the same transaction: queued until the first claim, processing
 * while a step is running or waits for another attempt, awaiting_compose while compose waits for its first claim, and
 * completed or failed with its last step. So do the events that tell of it.
 */

/** A claim: what its owner must show to move the step. */
export interface Claim {
  stepId: string
  executionId: string
  correlationId: string
  /** The trace of the execution's request, if that was part of one (W3C). */
  traceparent: string | null
  name: StepName
  position: number
  attempt: number
  /** The row's `state_version` after the claim. */
  fence: number
  owner: string
}

/** The request that led to an execution, from its row; every event of its steps names it. */
export type Origin = Pick<Claim, 'correlationId' | 'traceparent'>

/** The columns of `executions` that make an `Origin`. */
export function originColumns(executions: Connection['t']['executions']) {
  return {
    executionId: executions.id,
    correlationId: executions.correlationId,
    traceparent: executions.traceparent,
  }
}

/** Somebody else has claimed or moved the step since. */
export class FenceLost extends Error {
  override readonly name = 'FenceLost'

  constructor(claim: Claim) {
    super(`step ${claim.name} of execution ${claim.executionId} is no longer held by this claim`)
  }
}

export interface MovedStep {
  id: string
  executionId: string
  name: StepName
  position: number
  attempt: number
  stateVersion: number
  availableAt: Instant
  startedAt: Instant | null
  finishedAt: Instant | null
}

export interface StepFields {
  attempt?: SQL
  leaseOwner?: SQL | string | null
  leaseExpiresAt?: SQL<string> | null
  availableAt?: SQL<string>
  startedAt?: SQL<string> | null
  finishedAt?: SQL<string> | null
  durationMs?: SQL | number | null
  summary?: SQL | Record<string, unknown>
  failure?: StepFailure | null
}

/** A row after a move that set these fields: an instant that was set isn't null. */
type MovedWith<Fields extends StepFields> = Omit<MovedStep, 'startedAt' | 'finishedAt'> & {
  [Name in 'startedAt' | 'finishedAt']: Fields extends Record<Name, SQL<string>> ? Instant : Instant | null
}

/** A move of steps: which ones, and what it sets. */
export interface Move<Fields extends StepFields = StepFields> {
  to: StepStatus
  where: SQL | undefined
  fields: Fields
  /** By how much it raises the row's version; 1 by default. */
  moves?: number
}

/** The one setter. */
function moving({ q, t: { steps } }: Connection, { to, where, fields, moves = 1 }: Move, given?: SQL) {
  const update = q
    .update(steps)
    .set({ ...(fields as Record<string, never>), status: to, stateVersion: sql`${steps.stateVersion} + ${moves}` })
  // With another table, the builder has the same methods but other types.
  const from = given === undefined ? update : (update.from(given) as unknown as typeof update)
  return from.where(where).returning({
    id: steps.id,
    executionId: steps.executionId,
    name: steps.name,
    position: steps.position,
    attempt: steps.attempt,
    stateVersion: steps.stateVersion,
    availableAt: steps.availableAt,
    startedAt: steps.startedAt,
    finishedAt: steps.finishedAt,
    ...(given === undefined ? {} : { place: sql<number>`given.place` }),
  })
}

/** Moves steps. @returns the moved rows; none if `where` no longer holds */
export async function moveStep<Fields extends StepFields>(
  tx: Transaction,
  to: StepStatus,
  where: SQL | undefined,
  fields: Fields,
  moves = 1,
): Promise<MovedWith<Fields>[]> {
  const moved: MovedStep[] = await moving(tx, { to, where, fields, moves })
  // The database returns what this statement has set, but drizzle types columns by the table alone.
  return moved as MovedWith<Fields>[]
}

/** `moveStep` for frequent moves: the statement is built once, with placeholders for what differs. */
export function prepareMove<Fields extends StepFields>(build: (connection: Connection) => Move<Fields>) {
  const statement = prepareOnce((connection) => moving(connection, build(connection)).prepare())
  return async (tx: Transaction, values: Record<string, unknown>): Promise<MovedWith<Fields>[]> => {
    const moved: MovedStep[] = await statement(tx).execute(values)
    return moved as MovedWith<Fields>[]
  }
}

/**
 * `moveStep` for moves of single steps, which every step makes. On PostgreSQL, one statement makes those of all writers of a
 * transaction. Returns each one's row, or undefined if `where` no longer holds.
 * @param types of the values that differ
 */
export function gatherMoves<Types extends GivenTypes, Fields extends StepFields>(
  types: Types,
  build: (connection: Connection, given: Given<Types>) => Move<Fields>,
) {
  const one = prepareOnce((connection) => moving(connection, build(connection, givenOnce(types))).prepare())
  const many = prepareBySize(limits.databaseGroupWriters, (connection, size) =>
    moving(connection, build(connection, givenColumns(types)), givenRows(types, size)).prepare(),
  )
  type Values = { readonly [Name in keyof Types]: unknown }
  return gathered<readonly Values[], (MovedWith<Fields> | undefined)[]>(async (tx, calls) => {
    const all = calls.flat()
    const most = tx.dialect === 'sqlite' ? 1 : limits.databaseGroupWriters
    const byMove: (MovedStep | undefined)[] = all.map(() => undefined)
    for (let from = 0; from < all.length; from += most) {
      const some = all.slice(from, from + most)
      const moved: (MovedStep & { place?: number })[] =
        tx.dialect === 'sqlite'
          ? await one(tx).execute(some[0])
          : await many(tx, some.length).execute(givenValues(some))
      for (const step of moved) byMove[from + (step.place ?? 0)] = step
    }
    return calls.map(({ length }) => byMove.splice(0, length) as (MovedWith<Fields> | undefined)[])
  })
}

/**
 * Moves executions, whose state follows from their steps'. `completed` and `failed` end one at the given instant; the caller must
 * then write its audit record. @returns the state from which each came
 */
export async function moveExecutions(
  tx: Transaction,
  to: ExecutionStatus,
  at: Instant,
  ids: readonly string[],
  output?: { text: string; hash: string },
): Promise<MovedExecution[]> {
  const isOver = to === 'completed' || to === 'failed'
  const values = { to, at, completedAt: isOver ? at : null, output: output?.text, outputHash: output?.hash }
  return tx.dialect === 'sqlite'
    ? moveSome(tx, values, ids)
    : gatherExecutions(
        tx,
        ids.map((id) => ({ ...values, id })),
      )
}

const executionTypes = {
  id: 'text',
  to: 'text',
  at: 'text',
  completedAt: 'text',
  output: 'text',
  outputHash: 'text',
} as const

type ExecutionValues = {
  to: ExecutionStatus
  at: Instant
  completedAt: Instant | null
  output: string | undefined
  outputHash: string | undefined
}

/** On PostgreSQL, one statement moves those of all writers of a transaction, whatever they set. */
const movingAll = prepareBySize(limits.databaseGroupWriters, ({ q, t: { executions } }, size) => {
  const given = givenColumns(executionTypes)
  return q
    .update(executions)
    .set({
      ...{ status: given.to, updatedAt: given.at, completedAt: given.completedAt },
      output: sql`coalesce(${given.output}, ${executions.output})`,
      outputHash: sql`coalesce(${given.outputHash}, ${executions.outputHash})`,
    })
    .from(givenRows(executionTypes, size))
    .where(eq(executions.id, given.id))
    .returning(originColumns(executions))
    .prepare()
})

export type MovedExecution = Pick<Claim, 'executionId'> & Origin

const gatherExecutions = gathered<readonly (ExecutionValues & { id: string })[], MovedExecution[]>(
  async (tx, calls) => {
    const rows = calls.flat()
    const moved = new Map<string, MovedExecution>()
    for (let from = 0; from < rows.length; from += limits.databaseGroupWriters) {
      const some = rows.slice(from, from + limits.databaseGroupWriters)
      for (const row of await movingAll(tx, some.length).execute(givenValues(some))) moved.set(row.executionId, row)
    }
    return calls.map((call) => call.flatMap(({ id }) => moved.get(id) ?? []))
  },
)

function moveSome(tx: Transaction, values: ExecutionValues, ids: readonly string[]): Promise<MovedExecution[]> {
  const setsOutput = values.output !== undefined
  const [id] = ids
  return ids.length === 1
    ? (setsOutput ? movingOneWithOutput : movingOne)(tx).execute({ ...values, id })
    : movingExecutions(tx, [...ids], setsOutput ? 'with output' : 'without output')
        .prepare()
        .execute({ ...values })
}

function movingExecutions(
  { q, t: { executions } }: Connection,
  ids: (string | Placeholder)[],
  sets: 'with output' | 'without output',
) {
  const output = { output: sql`${sql.placeholder('output')}`, outputHash: sql`${sql.placeholder('outputHash')}` }
  return q
    .update(executions)
    .set({
      status: sql`${sql.placeholder('to')}`,
      updatedAt: sql`${sql.placeholder('at')}`,
      // As expressions: drizzle would encode null for a bare placeholder like a value.
      completedAt: sql`${sql.placeholder('completedAt')}`,
      ...(sets === 'with output' ? output : {}),
    })
    .where(inArray(executions.id, ids))
    .returning(originColumns(executions))
}

const movingOne = prepareOnce((connection) =>
  movingExecutions(connection, [sql.placeholder('id')], 'without output').prepare(),
)
const movingOneWithOutput = prepareOnce((connection) =>
  movingExecutions(connection, [sql.placeholder('id')], 'with output').prepare(),
)

/**
 * Writes audit records about executions, in Quire's own name. Each covers everything that its execution has when it is sealed.
 */
export function auditExecutions(
  tx: Transaction,
  what: 'completed' | 'failed' | 'reopened',
  at: Instant,
  moved: readonly Pick<Claim, 'executionId' | 'correlationId'>[],
): Promise<void> {
  const rows = moved.map(({ executionId, correlationId }) => ({
    ...{ id: newId(), actorId: SYSTEM_ACTOR_ID, action: `execution.${what}`, resourceKind: 'execution' },
    ...{ resourceId: executionId, correlationId, at, detail: {} },
  }))
  return insertAuditRecords(tx, rows)
}

/** Moves the executions of some steps. @returns each step with the request that led to its execution */
export async function moveExecutionsOf<Step extends Pick<MovedStep, 'executionId'>>(
  tx: Transaction,
  to: ExecutionStatus,
  at: Instant,
  moved: readonly Step[],
): Promise<{ step: Step; origin: Pick<Claim, 'executionId'> & Origin }[]> {
  const ids = moved.map((step) => step.executionId)
  const owners = await moveExecutions(tx, to, at, ids)
  const origins = new Map(owners.map((owner) => [owner.executionId, owner]))
  return moved.map((step) => {
    const origin = origins.get(step.executionId)
    if (origin === undefined) throw new Error(`execution ${step.executionId} is missing, although it has a step`)
    return { step, origin }
  })
}

export function claimFields(
  connection: Connection,
  options: { owner: SQL | string; leaseMs: SQL | Placeholder | number },
) {
  return {
    attempt: sql`${connection.t.steps.attempt} + 1`,
    leaseOwner: options.owner,
    leaseExpiresAt: connection.clockPlus(options.leaseMs),
    startedAt: connection.clock,
    finishedAt: null,
    durationMs: null,
    failure: null,
  } satisfies StepFields
}

export function claimOf(step: MovedStep, origin: Origin, owner: string): Claim {
  const { id: stepId, executionId, name, position, attempt, stateVersion: fence } = step
  const { correlationId, traceparent } = origin
  return { stepId, executionId, correlationId, traceparent, name, position, attempt, fence, owner }
}

/** SQL condition: the step is still as its claim knows it. */
export function heldBy(
  { t: { steps } }: Connection,
  claim: { [Name in 'stepId' | 'owner' | 'fence']: Claim[Name] | SQL } & { status?: SQL },
): SQL | undefined {
  return and(
    eq(steps.id, claim.stepId),
    eq(steps.leaseOwner, claim.owner),
    eq(steps.stateVersion, claim.fence),
    eq(steps.status, claim.status ?? 'running'),
  )
}

export const noLease = { leaseOwner: null, leaseExpiresAt: null } as const

export function started(claim: Claim): NewEvent {
  const { name: step, position, attempt } = claim
  return executionEvent(claim, 'step.started', { step, position, attempt })
}

/** The event of a step that waits and will be run later. */
export function deferred(claim: Claim, { code, message }: { code: string; message: string }): NewEvent {
  const { name: step, position, attempt } = claim
  return executionEvent(claim, 'step.deferred', { step, position, attempt, code, message })
}

export function executionEvent(
  of: Pick<Claim, 'executionId'> & Origin,
  type: string,
  data: Record<string, unknown>,
): NewEvent {
  return {
    aggregate: 'execution',
    aggregateId: of.executionId,
    type,
    data: { execution_id: of.executionId, ...data },
    correlationId: of.correlationId,
    traceparent: of.traceparent,
  }
}
