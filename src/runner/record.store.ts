import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { appendEvents, type NewEvent } from '../bus/outbox.ts'
import type { FileFormat } from '../core/formats.ts'
import { newId } from '../core/ids.ts'
import { addMs, type Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { type ExecutionStatus, stepKinds } from '../core/steps.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { gathered } from '../db/gathered.ts'
import { type Given, prepareByIds, prepareInsert, prepareOnce } from '../db/prepared.ts'
import type { StepFailure } from '../db/schema.ts'
import {
  auditExecutions,
  type Claim,
  claimFields,
  claimOf,
  deferred,
  executionEvent,
  FenceLost,
  gatherMoves,
  heldBy,
  type MovedExecution,
  type MovedStep,
  moveExecutions,
  moveStep,
  noLease,
  originColumns,
  started,
} from './steps.store.ts'

/** What a step made, for its record. */
export interface SuccessRecord {
  durationMs: number
  /** How long the job's later steps took, if several ran before the first was recorded: it ended that long ago. */
  laterMs?: number
  summary: Record<string, unknown>
  output?: { text: string; hash: string }
  artifact?: NewArtifact
}

/** A file that is in the object store already, with its columns for the storage list. */
export interface NewArtifact {
  kind: FileFormat
  byteSize: number
  contentHash: string
  submissionId: string
  objectReference: string
  modelSlug: string
  nodeLabel: string
  nodeAddress: string
}

/** Records the success of one step; see `recordSuccesses`. */
export function recordSuccess(
  tx: Transaction,
  claim: Claim,
  record: SuccessRecord,
  claimNext?: { leaseMs: number },
): Promise<Claim | undefined> {
  return recordSuccesses(tx, claim, [record], claimNext)
}

/**
 * Records a success once, together with those of other steps of the same job, and moves on: the next step is queued, or claimed
 * at once if `claimNext` is given, which saves a commit. After the last step, the execution is completed and its children may
 * begin. The execution is updated and the events are written once for all of them, because every statement costs the main
 * thread's time.
 * @param records the claimed step's first, then those of the steps right after it, in order
 * @returns the claim of the next step, if requested and there is one
 * @throws FenceLost
 */
export async function recordSuccesses(
  tx: Transaction,
  claim: Claim,
  records: readonly SuccessRecord[],
  claimNext?: { leaseMs: number },
): Promise<Claim | undefined> {
  const { executionId, owner } = claim
  const [first, ...others] = records
  if (first === undefined) throw new Error('there is nothing to record')
  const laterMs = Math.round(first.laterMs ?? 0)
  const held = { stepId: claim.stepId, owner, fence: claim.fence, status: 'running' }
  const [begun] = await endHeld(tx, [{ ...madeBy(first), ...held, later: tx.millisecondsFor(-laterMs) }])
  if (begun === undefined) throw new FenceLost(claim)
  // By the same reading of the clock, so that one statement ends all of them.
  const endOf = (record: SuccessRecord) => addMs(begun.finishedAt, laterMs - Math.round(record.laterMs ?? 0))
  const following = others.map((record, index) => ({
    ...madeBy(record),
    ...{ executionId, position: begun.position + 1 + index },
    ...{ at: endOf(records[index] ?? first), finishedAt: endOf(record) },
  }))
  const made = [begun, ...(following.length === 0 ? [] : await endFollowing(tx, following))]
  const events: NewEvent[] = []
  const files: (typeof tx.t.artifacts.$inferInsert)[] = []
  for (const [index, record] of records.entries()) {
    const step = made[index]
    if (step === undefined) throw new FenceLost(claim)
    const { name, position, attempt } = step
    const [durationMs, createdAt] = [Math.round(record.durationMs), endOf(record)]
    if (record.artifact !== undefined) files.push({ id: newId(), executionId, ...record.artifact, createdAt })
    if (index > 0) events.push(started({ ...claim, name, position, attempt }))
    const data = { step: name, position, attempt, duration_ms: durationMs, summary: record.summary }
    events.push(executionEvent(claim, 'step.succeeded', data))
  }
  if (files.length > 0) await insertArtifacts(tx, files)
  const at = endOf(others.at(-1) ?? first)
  const after = { executionId, position: begun.position + records.length }
  const [next] =
    claimNext === undefined
      ? await queueFollowing(tx, [after])
      : await claimFollowing(tx, [{ ...after, owner, leaseMs: tx.millisecondsFor(claimNext.leaseMs), at }])
  const isClaimed = next !== undefined && claimNext !== undefined
  const nextClaim = isClaimed ? claimOf(next, claim, claim.owner) : undefined
  const status = statusAfter(next, nextClaim)
  const output = records.findLast((record) => record.output !== undefined)?.output
  await moveExecutions(tx, status, at, [claim.executionId], output)
  if (nextClaim !== undefined) events.push(started(nextClaim))
  if (status === 'completed') events.push(executionEvent(claim, 'completed', { status }))
  await appendEvents(tx, at, events)
  if (status === 'completed') {
    await auditExecutions(tx, status, at, [claim])
    await startChildren(tx, claim.executionId, at)
  }
  return nextClaim
}

const insertArtifacts = prepareInsert(({ t }) => t.artifacts)

const madeBy = ({ durationMs, summary }: SuccessRecord) => ({
  durationMs: Math.round(durationMs),
  summary: JSON.stringify(summary),
})

const madeTypes = { durationMs: 'bigint', summary: 'text' } as const

const ended = (given: Given<typeof madeTypes>) => ({ ...noLease, durationMs: given.durationMs, summary: given.summary })

/** Includes the status, or PostgreSQL would search all running steps for these. */
const endHeld = gatherMoves(
  { ...madeTypes, later: 'text', stepId: 'text', owner: 'text', fence: 'bigint', status: 'text' },
  (connection, given) => ({
    to: 'succeeded',
    where: heldBy(connection, given),
    fields: { ...ended(given), finishedAt: connection.clockPlus(given.later) },
  }),
)

const followingTypes = { executionId: 'text', position: 'bigint' } as const

/** The step at `position`, if nobody has begun it. */
function followingIn({ t: { steps } }: Connection, given: Given<typeof followingTypes>): SQL | undefined {
  return and(
    eq(steps.executionId, given.executionId),
    eq(steps.position, given.position),
    eq(steps.status, 'not_started'),
  )
}

/** A step that ran with the one before it: queued, claimed and ended in one statement that raises the version by three. */
const endFollowing = gatherMoves(
  { ...madeTypes, ...followingTypes, at: 'text', finishedAt: 'text' },
  (connection, given) => {
    const at = sql<string>`${given.at}`
    const attempt = sql`${connection.t.steps.attempt} + 1`
    const finishedAt = sql<string>`${given.finishedAt}`
    const fields = { ...ended(given), attempt, availableAt: at, startedAt: at, finishedAt }
    return { to: 'succeeded', where: followingIn(connection, given), fields, moves: 3 }
  },
)

const queueFollowing = gatherMoves(followingTypes, (connection, given) => ({
  to: 'queued',
  where: followingIn(connection, given),
  fields: { availableAt: connection.clock },
}))

/** Two moves in one statement that raises the version by two: nobody else could have claimed the step in between. */
const claimFollowing = gatherMoves(
  { ...followingTypes, at: 'text', owner: 'text', leaseMs: 'text' },
  (connection, given) => {
    const at = sql<string>`${given.at}`
    const fields = { ...claimFields(connection, given), startedAt: at, availableAt: at }
    return { to: 'running', where: followingIn(connection, given), fields, moves: 2 }
  },
)

function statusAfter(next: MovedStep | undefined, claim: Claim | undefined): ExecutionStatus {
  if (next === undefined) return 'completed'
  return (claim === undefined ? stepKinds[next.name].waitsAs : undefined) ?? 'processing'
}

/** Ends the step and its execution for good. @throws FenceLost */
export async function recordFailure(
  tx: Transaction,
  claim: Claim,
  record: { durationMs: number; failure: StepFailure },
): Promise<void> {
  const [step] = await moveStep(tx, 'failed', heldBy(tx, claim), {
    ...noLease,
    finishedAt: tx.clock,
    durationMs: Math.round(record.durationMs),
    failure: record.failure,
  })
  if (step === undefined) throw new FenceLost(claim)
  await failExecution(tx, step, record.failure)
}

/**
 * Puts the step back for another attempt after `backoffMs`, or fails it after its last one.
 * @returns whether there will be another attempt
 * @throws FenceLost
 */
export async function recordTransientFault(
  tx: Transaction,
  claim: Claim,
  fault: { code: string; message: string; backoffMs: number },
): Promise<boolean> {
  if (claim.attempt >= limits.stepAttempts) {
    const failure = exhaustedFailure(`The step met a passing fault five times, the last being: ${fault.message}`)
    const [step] = await moveStep(tx, 'failed', heldBy(tx, claim), { ...noLease, finishedAt: tx.clock, failure })
    if (step === undefined) throw new FenceLost(claim)
    await failExecution(tx, step, failure)
    return false
  }
  const [step] = await moveStep(tx, 'queued', heldBy(tx, claim), {
    ...noLease,
    availableAt: tx.clockPlus(fault.backoffMs),
    finishedAt: tx.clock,
  })
  if (step === undefined) throw new FenceLost(claim)
  await appendEvents(tx, step.finishedAt, [deferred(claim, fault)])
  return true
}

export async function failExecution(
  tx: Transaction,
  step: Pick<MovedStep, 'executionId' | 'name' | 'position' | 'attempt'> & { finishedAt: Instant },
  failure: StepFailure,
): Promise<void> {
  const at = step.finishedAt
  const [execution] = await moveExecutions(tx, 'failed', at, [step.executionId])
  if (execution === undefined) return
  const { name, position, attempt } = step
  await appendEvents(tx, at, [
    executionEvent(execution, 'step.failed', { step: name, position, attempt, failure }),
    executionEvent(execution, 'failed', { status: 'failed', code: failure.code, message: failure.message }),
  ])
  await auditExecutions(tx, 'failed', at, [execution])
  await failChildren(tx, execution.executionId)
}

const childrenOf = prepareByIds<MovedExecution & { parentId: string | null }>(({ q, t: { executions } }, parents) =>
  q
    .select({ ...originColumns(executions), parentId: executions.parentExecutionId })
    .from(executions)
    .where(and(inArray(executions.parentExecutionId, parents), eq(executions.status, 'queued')))
    .prepare(),
)

/** Runs after every completed execution. */
const waitingChildren = gathered(async (tx, parents: readonly string[]) => {
  const children = await childrenOf(tx, parents)
  return parents.map((id) => children.filter(({ parentId }) => parentId === id))
})

const outputOf = prepareOnce(({ q, t: { executions } }) =>
  q
    .select({ outputHash: executions.outputHash })
    .from(executions)
    .where(eq(executions.id, sql.placeholder('parentId')))
    .prepare(),
)

/** Starts children: they read their parent's output, so the hash of their input is now known. */
async function startChildren(tx: Transaction, parentId: string, at: Instant): Promise<void> {
  const { steps, executions } = tx.t
  const children = await waitingChildren(tx, parentId)
  if (children.length === 0) return
  const ids = children.map((child) => child.executionId)
  const [parent] = await outputOf(tx).execute({ parentId })
  const hash = parent?.outputHash
  if (typeof hash !== 'string') throw new Error(`execution ${parentId} has completed without an output`)
  await tx.q.update(executions).set({ inputHash: hash, updatedAt: at }).where(inArray(executions.id, ids))
  const isFirst = and(inArray(steps.executionId, ids), eq(steps.position, 1), eq(steps.status, 'not_started'))
  await moveStep(tx, 'queued', isFirst, { availableAt: tx.clock })
  await appendEvents(
    tx,
    at,
    children.map((child) => executionEvent(child, 'queued', { status: 'queued' })),
  )
}

/** Fails children with their parent, since they can never get their input, and their children with them. */
async function failChildren(tx: Transaction, parentId: string): Promise<void> {
  const { steps } = tx.t
  const children = await childrenOf(tx, [parentId])
  if (children.length === 0) return
  const failure: StepFailure = {
    code: 'parent_failed',
    message: 'The execution whose output is the input of this one has failed; see its failed step.',
    issues: [],
  }
  const isFirst = and(
    inArray(
      steps.executionId,
      children.map(({ executionId }) => executionId),
    ),
    eq(steps.position, 1),
    eq(steps.status, 'not_started'),
  )
  for (const step of await moveStep(tx, 'failed', isFirst, { finishedAt: tx.clock, failure })) {
    await failExecution(tx, step, failure)
  }
}

export function exhaustedFailure(message: string): StepFailure {
  return { code: 'attempts_exhausted', message: message.slice(0, limits.stepIssueMessageChars), issues: [] }
}
