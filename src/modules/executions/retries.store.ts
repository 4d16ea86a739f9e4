import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { StepName } from '../../core/steps.ts'
import type { Connection } from '../../db/database.ts'
import { newerThan, type PagePlace } from '../../db/keyset.ts'

export interface FailedFilter {
  step: StepName | undefined
  releaseId: string | undefined
  from: Instant | undefined
  to: Instant | undefined
}

/** A failed execution with the step that failed. */
export interface FailedRow {
  id: string
  submissionId: string
  createdAt: Instant
  step: StepName
  attempt: number
  code: string
}

/** Oldest first; `after` is the last row of the previous page. */
export async function listFailed(
  connection: Connection,
  { step, releaseId, from, to }: FailedFilter,
  { after, limit }: { after: PagePlace | undefined; limit: number },
): Promise<FailedRow[]> {
  const { executions, steps } = connection.t
  // A literal, to match the partial index of a release's failures.
  const conditions: SQL[] = [sql`${executions.status} = 'failed'`]
  if (releaseId !== undefined) conditions.push(eq(executions.releaseId, releaseId))
  if (from !== undefined) conditions.push(gte(executions.createdAt, from))
  if (to !== undefined) conditions.push(lt(executions.createdAt, to))
  if (after !== undefined) conditions.push(newerThan(executions.createdAt, executions.id, after))
  const isFailed = and(
    eq(steps.executionId, executions.id),
    eq(steps.status, 'failed'),
    ...(step === undefined ? [] : [eq(steps.name, step)]),
  )
  const rows = await connection.q
    .select({
      id: executions.id,
      submissionId: executions.submissionId,
      createdAt: executions.createdAt,
      step: steps.name,
      attempt: steps.attempt,
      failure: steps.failure,
    })
    .from(executions)
    .innerJoin(steps, isFailed)
    .where(and(...conditions))
    .orderBy(asc(executions.createdAt), asc(executions.id))
    .limit(limit)
  // Once a policy has removed the details of steps, the reason is unknown.
  return rows.map(({ failure, ...row }) => ({ ...row, code: failure?.code ?? 'removed' }))
}
