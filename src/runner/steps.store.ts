import { and, eq, inArray, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { NewEvent } from '../bus/outbox.ts'
import { SYSTEM_ACTOR_ID } from '../core/actor.ts'
import { newId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { ExecutionStatus, StepName, StepStatus } from '../core/steps.ts'
import { insertAuditRecords } from '../db/audit-log.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { prepareOnce } from '../db/prepared.ts'
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
  /** Of the execution's request, if that was a part of a trace (W3C). */
  traceparent: string | null
  name: StepName
  position: number
  attempt: number
  /** The row's `state_version` since the claim. */
  fence: number
  owner: string
}

/** The request that an execution follows from, as its row keeps it; every event of its steps names it. */
export type Origin = Pick<Claim, 'correlationId' | 'traceparent'>

/** The columns of `executions` to select for it. */
export function originColumns(executions: Connection['t']['executions']) {
  return {
    executionId: executions.id,
    correlationId: executions.correlationId,
    traceparent: executions.traceparent,
  }
}

/** Somebody else has claimed the step, or moved it, since. */
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
  durationMs?: Placeholder | number | null
  summary?: Placeholder | Record<string, unknown>
  failure?: StepFailure | null
}

/** A row after a move that set these fields: an instant that was set is known to be there. */
type MovedWith<Fields extends StepFields> = Omit<MovedStep, 'startedAt' | 'finishedAt'> & {
  [Name in 'startedAt' | 'finishedAt']: Fields extends Record<Name, SQL<string>> ? Instant : Instant | null
}

/** A move of steps: where they are, and what it sets. */
export interface Move<Fields extends StepFields = StepFields> {
  to: StepStatus
  where: SQL | undefined
  fields: Fields
  /** Versions that the row goes up by. */
  moves?: number
}

/** The one setter. */
function moving({ q, t: { steps } }: Connection, { to, where, fields, moves = 1 }: Move) {
  return q
    .update(steps)
    .set({ ...(fields as Record<string, never>), status: to, stateVersion: sql`${steps.stateVersion} + ${moves}` })
    .where(where)
    .returning({
      id: steps.id,
      executionId: steps.executionId,
      name: steps.name,
      position: steps.position,
      attempt: steps.attempt,
      stateVersion: steps.stateVersion,
      availableAt: steps.availableAt,
      startedAt: steps.startedAt,
      finishedAt: steps.finishedAt,
    })
}

/** Returns the rows that were moved; none if `where` no longer holds. */
export async function moveStep<Fields extends StepFields>(
  tx: Transaction,
  to: StepStatus,
  where: SQL | undefined,
  fields: Fields,
  moves = 1,
): Promise<MovedWith<Fields>[]> {
  const moved: MovedStep[] = await moving(tx, { to, where, fields, moves })
  // The database returns what this statement has set; drizzle types a column by the table alone.
  return moved as MovedWith<Fields>[]
}

/** The same for moves that every step makes: the statement is built once, with placeholders for what differs. */
export function prepareMove<Fields extends StepFields>(build: (connection: Connection) => Move<Fields>) {
  const statement = prepareOnce((connection) => moving(connection, build(connection)).prepare())
  return async (tx: Transaction, values: Record<string, unknown>): Promise<MovedWith<Fields>[]> => {
    const moved: MovedStep[] = await statement(tx).execute(values)
    return moved as MovedWith<Fields>[]
  }
}

/**
 * The same for executions, whose state follows from their steps': it is over when it is `completed` or `failed`, at the moment
 * that is given, and an audit record says so, which will cover all that the execution has then. Gives where each came from.
 */
export async function moveExecutions(
  tx: Transaction,
  to: ExecutionStatus,
  at: Instant,
  ids: readonly string[],
  output?: { text: string; hash: string },
): Promise<(Pick<Claim, 'executionId'> & Origin)[]> {
  const isOver = to === 'completed' || to === 'failed'
  const values = { to, at, completedAt: isOver ? at : null, output: output?.text, outputHash: output?.hash }
  const [id] = ids
  const moved =
    ids.length === 1
      ? await (output === undefined ? movingOne : movingOneWithOutput)(tx).execute({ ...values, id })
      : await movingExecutions(tx, [...ids], output !== undefined)
          .prepare()
          .execute(values)
  if (isOver) await auditExecutions(tx, to, at, moved)
  return moved
}

/** The values have `to`, `at`, `completedAt` and, if the output is set, `output` and `outputHash`. */
function movingExecutions({ q, t: { executions } }: Connection, ids: (string | Placeholder)[], setsOutput: boolean) {
  const output = { output: sql`${sql.placeholder('output')}`, outputHash: sql`${sql.placeholder('outputHash')}` }
  return q
    .update(executions)
    .set({
      status: sql`${sql.placeholder('to')}`,
      updatedAt: sql`${sql.placeholder('at')}`,
      // As expressions, since a bare placeholder would have null encoded as if it were a value.
      completedAt: sql`${sql.placeholder('completedAt')}`,
      ...(setsOutput ? output : {}),
    })
    .where(inArray(executions.id, ids))
    .returning(originColumns(executions))
}

const movingOne = prepareOnce((connection) => movingExecutions(connection, [sql.placeholder('id')], false).prepare())
const movingOneWithOutput = prepareOnce((connection) =>
  movingExecutions(connection, [sql.placeholder('id')], true).prepare(),
)

/** Records of the trail about executions, made by nobody but Quire itself. */
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

/** Moves the executions of some steps; gives with each step the request that its execution follows from. */
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

export function claimFields(connection: Connection, options: { owner: SQL | string; leaseMs: Placeholder | number }) {
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

/** Where the step still is as its claim knows it. */
export function heldBy(
  { t: { steps } }: Connection,
  claim: { [Name in 'stepId' | 'owner' | 'fence']: Claim[Name] | Placeholder },
): SQL | undefined {
  return and(
    eq(steps.id, claim.stepId),
    eq(steps.leaseOwner, claim.owner),
    eq(steps.stateVersion, claim.fence),
    eq(steps.status, 'running'),
  )
}

export const noLease = { leaseOwner: null, leaseExpiresAt: null } as const

export function started(claim: Claim): NewEvent {
  const { name: step, position, attempt } = claim
  return executionEvent(claim, 'step.started', { step, position, attempt })
}

/** The step waits, and is made again later. */
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
