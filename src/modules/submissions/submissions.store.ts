import { and, eq } from 'drizzle-orm'
import { type FilterValues, submissionFilters } from '../../core/list-filters.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import { narrow } from '../../db/narrow.ts'
import { prepareInsert } from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'
import { shown } from '../../db/shown.ts'

export type SubmissionRow = Tables['submissions']['$inferSelect']
/** A submission as lists show it: without the raw input, which may be half a megabyte. */
export type SubmissionSummary = Omit<SubmissionRow, 'rawInput'>

function summaryColumns(connection: Connection) {
  const { submissions } = connection.t
  return {
    id: submissions.id,
    modelSlug: submissions.modelSlug,
    modelVersionId: submissions.modelVersionId,
    objectReference: submissions.objectReference,
    objectTime: submissions.objectTime,
    rawInputHash: submissions.rawInputHash,
    params: submissions.params,
    paramsHash: submissions.paramsHash,
    metadata: shown(submissions.metadata),
    corrects: submissions.corrects,
    submittedBy: submissions.submittedBy,
    correlationId: submissions.correlationId,
    createdAt: submissions.createdAt,
  }
}

const insertRows = prepareInsert(({ t }) => t.submissions)

export function insertSubmission(tx: Transaction, row: SubmissionRow): Promise<void> {
  return insertRows(tx, [row])
}

export async function findSubmission(connection: Connection, id: string): Promise<SubmissionSummary | undefined> {
  const { submissions } = connection.t
  const [row] = await connection.q.select(summaryColumns(connection)).from(submissions).where(eq(submissions.id, id))
  return row
}

export async function listSubmissions(
  connection: Connection,
  filter: FilterValues<typeof submissionFilters>,
  after: PagePlace | undefined,
  limit: number,
): Promise<SubmissionSummary[]> {
  const { submissions } = connection.t
  return connection.q
    .select(summaryColumns(connection))
    .from(submissions)
    .where(
      and(
        ...narrow(connection, submissionFilters, submissions, filter),
        after === undefined ? undefined : olderThan(submissions.createdAt, submissions.id, after),
      ),
    )
    .orderBy(...newestFirst(submissions.createdAt, submissions.id))
    .limit(limit)
}
