import { and, asc, eq, getTableColumns, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { executionFilters, FilterValues } from '../../core/list-filters.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace, selective } from '../../db/keyset.ts'
import { prepareByIds, prepareInsert, prepareOnce } from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'
import { shown } from '../../db/shown.ts'

export type ExecutionRow = Tables['executions']['$inferSelect']
export type StepRow = Tables['steps']['$inferSelect']
export type NewStepRow = Omit<StepRow, 'availableAt'>
export type ArtifactRow = Tables['artifacts']['$inferSelect']
export type EventRow = Tables['events']['$inferSelect']

const insertExecutionRows = prepareInsert(({ t }) => t.executions)
/** The runner compares `available_at` with the database's clock, so that clock sets it. */
const insertStepRows = prepareInsert(
  ({ t }) => t.steps,
  ({ clock }) => ({ availableAt: clock }),
)

export async function insertExecutions(
  tx: Transaction,
  executions: readonly ExecutionRow[],
  steps: readonly NewStepRow[],
): Promise<void> {
  await insertExecutionRows(tx, executions)
  await insertStepRows(tx, steps)
}

export async function findExecution(connection: Connection, id: string): Promise<ExecutionRow | undefined> {
  const [row] = await executionById(connection).execute({ id })
  return row
}

/** Like the three below, polled by clients that wait for an execution's end. */
const executionById = prepareOnce(({ q, t: { executions } }) =>
  q
    .select()
    .from(executions)
    .where(eq(executions.id, sql.placeholder('id')))
    .prepare(),
)

/** `findExecution` with a lock until the transaction ends. SQLite has only one writer anyway. */
export async function holdExecution(tx: Transaction, id: string): Promise<ExecutionRow | undefined> {
  if (tx.dialect === 'postgres') await tx.rows(sql`select id from ${tx.t.executions} where id = ${id} for update`)
  return findExecution(tx, id)
}

type ExecutionFilter = FilterValues<typeof executionFilters>

/** Newest first; `after` is the last row of the previous page. */
export function listExecutions(
  connection: Connection,
  filter: ExecutionFilter,
  after: PagePlace | undefined,
  limit: number,
) {
  const { executions } = connection.t
  const conditions: SQL[] = filterConditions(connection, filter)
  if (after !== undefined) conditions.push(olderThan(executions.createdAt, executions.id, after))
  return connection.q
    .select()
    .from(executions)
    .where(and(...conditions))
    .orderBy(...newestFirst(executions.createdAt, executions.id))
    .limit(limit)
}

/**
 * Conditions that suit the indexes: nearly all executions of a release have completed, and few of any release are running. Failed
 * ones have a partial index, whose condition must be a literal.
 */
function filterConditions(connection: Connection, filter: ExecutionFilter): SQL[] {
  const { executions } = connection.t
  const { status, releaseId, submissionId } = filter
  const ofSubmission = [executions.submissionId, submissionId] as const
  const ofRelease = [executions.releaseId, releaseId] as const
  const inStatus = [executions.status, status] as const
  if (status === 'completed') return selective(connection, [ofSubmission, ofRelease, inStatus])
  if (status !== 'failed' || releaseId === undefined) return selective(connection, [ofSubmission, inStatus, ofRelease])
  return [...selective(connection, [ofSubmission, ofRelease]), sql`${executions.status} = 'failed'`]
}

/** In step order, for each execution. */
export const listSteps = prepareByIds<StepRow>(({ q, t: { steps } }, executionIds) =>
  q
    .select({ ...getTableColumns(steps), summary: shown(steps.summary), failure: shown(steps.failure) })
    .from(steps)
    .where(inArray(steps.executionId, executionIds))
    .orderBy(asc(steps.executionId), asc(steps.position))
    .prepare(),
)

/** The step at which each of them failed. */
export const listFailedSteps = prepareByIds<Pick<StepRow, 'executionId' | 'name' | 'failure'>>(
  ({ q, t: { steps } }, executionIds) =>
    q
      .select({ executionId: steps.executionId, name: steps.name, failure: shown(steps.failure) })
      .from(steps)
      .where(and(inArray(steps.executionId, executionIds), eq(steps.status, 'failed')))
      .prepare(),
)

export const listArtifacts = prepareByIds<ArtifactRow>(({ q, t: { artifacts } }, executionIds) =>
  q
    .select()
    .from(artifacts)
    .where(inArray(artifacts.executionId, executionIds))
    .orderBy(asc(artifacts.executionId), asc(artifacts.kind))
    .prepare(),
)

export async function findArtifact(
  connection: Connection,
  executionId: string,
  artifactId: string,
): Promise<ArtifactRow | undefined> {
  const { artifacts } = connection.t
  const [row] = await connection.q
    .select()
    .from(artifacts)
    .where(and(eq(artifacts.executionId, executionId), eq(artifacts.id, artifactId)))
  return row
}

/** An execution's events after a sequence number, oldest first. */
export async function listEvents(
  connection: Connection,
  executionId: string,
  afterSequence: number,
  limit: number,
): Promise<EventRow[]> {
  return eventsAfter(connection).execute({ executionId, afterSequence, limit })
}

/** Runs for every live trace after every commit of its execution. */
const eventsAfter = prepareOnce(({ q, t: { events } }) =>
  q
    .select({ ...getTableColumns(events), data: shown(events.data) })
    .from(events)
    .where(
      and(
        eq(events.aggregate, 'execution'),
        eq(events.aggregateId, sql.placeholder('executionId')),
        gt(events.sequence, sql.placeholder('afterSequence')),
      ),
    )
    .orderBy(asc(events.sequence))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** The parts of its submission that an execution shows; undefined once the submission is erased. */
export async function findSubmissionContent(
  connection: Connection,
  submissionId: string,
): Promise<{ rawInput: string; metadata: unknown; modelVersionId: string | null } | undefined> {
  const [row] = await submissionContent(connection).execute({ submissionId })
  return row
}

const submissionContent = prepareOnce(({ q, t: { submissions } }) =>
  q
    .select({
      rawInput: submissions.rawInput,
      metadata: shown(submissions.metadata),
      modelVersionId: submissions.modelVersionId,
    })
    .from(submissions)
    .where(eq(submissions.id, sql.placeholder('submissionId')))
    .prepare(),
)

type SubmissionFacts = Pick<
  Tables['submissions']['$inferSelect'],
  'modelSlug' | 'modelVersionId' | 'objectReference' | 'objectTime' | 'params' | 'paramsHash' | 'createdAt'
>

/** Facts about its submission for an execution's manifest; undefined once the submission is erased. */
export async function findSubmissionFacts(
  connection: Connection,
  submissionId: string,
): Promise<SubmissionFacts | undefined> {
  const { submissions } = connection.t
  const [row] = await connection.q
    .select({
      modelSlug: submissions.modelSlug,
      modelVersionId: submissions.modelVersionId,
      objectReference: submissions.objectReference,
      objectTime: submissions.objectTime,
      params: submissions.params,
      paramsHash: submissions.paramsHash,
      createdAt: submissions.createdAt,
    })
    .from(submissions)
    .where(eq(submissions.id, submissionId))
  return row
}

/** The executions of some submissions, in the order of their creation: parents before children. */
export async function listOfSubmissions(
  connection: Connection,
  submissionIds: readonly string[],
): Promise<Pick<ExecutionRow, 'id' | 'submissionId' | 'nodeLabel' | 'nodeAddress' | 'status'>[]> {
  if (submissionIds.length === 0) return []
  const { executions } = connection.t
  return connection.q
    .select({
      id: executions.id,
      submissionId: executions.submissionId,
      nodeLabel: executions.nodeLabel,
      nodeAddress: executions.nodeAddress,
      status: executions.status,
    })
    .from(executions)
    .where(inArray(executions.submissionId, [...submissionIds]))
    .orderBy(asc(executions.submissionId), asc(executions.createdAt), asc(executions.id))
}
