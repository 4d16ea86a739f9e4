import { and, asc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm'
import type { Connection } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

export interface ResultFile {
  number: number
  objectReference: string
  nodeAddress: string
  kind: Tables['artifacts']['$inferSelect']['kind']
  byteSize: number
  contentHash: string
  /** A retention policy has removed its bytes. */
  isRemoved: boolean
}

/** Artifacts of the rows after a number, in order; a page of rows at a time. */
export async function listResults(
  connection: Connection,
  batchId: string,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<{ files: ResultFile[]; last: number | undefined }> {
  const { batchRows, executions, artifacts } = connection.t
  const rows = await connection.q
    .select({ number: batchRows.number, submissionId: batchRows.submissionId })
    .from(batchRows)
    .where(
      and(
        eq(batchRows.batchId, batchId),
        gt(batchRows.number, after),
        sql`${batchRows.number} <= ${until}`,
        notInArray(batchRows.state, ['erased']),
      ),
    )
    .orderBy(asc(batchRows.number))
    .limit(limit)
  const numbers = new Map(
    rows.flatMap(({ number, submissionId }) => (submissionId === null ? [] : [[submissionId, number]])),
  )
  if (numbers.size === 0) return { files: [], last: rows.at(-1)?.number }
  const found = await connection.q
    .select({
      submissionId: executions.submissionId,
      objectReference: artifacts.objectReference,
      nodeAddress: artifacts.nodeAddress,
      kind: artifacts.kind,
      byteSize: artifacts.byteSize,
      contentHash: artifacts.contentHash,
      removedAt: artifacts.removedAt,
    })
    .from(executions)
    .innerJoin(artifacts, eq(artifacts.executionId, executions.id))
    .where(inArray(executions.submissionId, [...numbers.keys()]))
  const files = found.map(({ submissionId, removedAt, ...file }) => {
    return { ...file, number: numbers.get(submissionId) ?? 0, isRemoved: removedAt !== null }
  })
  const place = ({ number, nodeAddress, kind }: ResultFile) =>
    `${String(number).padStart(9, '0')} ${nodeAddress} ${kind}`
  return { files: files.sort((a, b) => (place(a) < place(b) ? -1 : 1)), last: rows.at(-1)?.number }
}
