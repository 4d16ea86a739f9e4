import { and, asc, eq, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { RetainedPart } from '../../core/retained-parts.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { newerThan, type PagePlace, placeGiven } from '../../db/keyset.ts'
import { prepareOnce } from '../../db/prepared.ts'

export interface OldSubmission {
  id: string
  modelSlug: string
  createdAt: Instant
  /** Whether the requested part was removed from it. */
  isGone: boolean
}

/** Submissions made before an instant, oldest first, after a place. */
export async function listBefore(
  connection: Connection,
  {
    part,
    before,
    after,
    limit,
  }: { part: RetainedPart | undefined; before: Instant; after: PagePlace | undefined; limit: number },
): Promise<OldSubmission[]> {
  const page = oldSubmissions[part === undefined ? 'whole' : 'part'][after === undefined ? 'first' : 'next']
  const rows = await page(connection).execute({ part, before, limit, ...after })
  return rows.map((row) => ({ ...row, isGone: Number(row.isGone) > 0 }))
}

/** Statements by whether a part is requested, and whether it is the first page. */
const oldSubmissions = {
  whole: { first: prepareOld('whole', 'first'), next: prepareOld('whole', 'next') },
  part: { first: prepareOld('part', 'first'), next: prepareOld('part', 'next') },
}

function prepareOld(asked: 'whole' | 'part', page: 'first' | 'next') {
  return prepareOnce(({ q, t: { submissions, erasedItems } }) => {
    const isLater = page === 'next' ? newerThan(submissions.createdAt, submissions.id, placeGiven) : undefined
    const isGone =
      asked === 'part'
        ? // A count per row: for `exists`, PostgreSQL would hash all tombstones for each page.
          sql<number>`(select count(*) from ${erasedItems} i where i.item_id = ${submissions}.id and i.kind = ${sql.placeholder('part')})`
        : sql<number>`0`
    return q
      .select({ id: submissions.id, modelSlug: submissions.modelSlug, createdAt: submissions.createdAt, isGone })
      .from(submissions)
      .where(and(lt(submissions.createdAt, sql.placeholder('before')), isLater))
      .orderBy(asc(submissions.createdAt), asc(submissions.id))
      .limit(sql.placeholder('limit'))
      .prepare()
  })
}

export interface HoldingBatch extends PagePlace {
  modelSlug: string
  /** Null once all rows are submitted, or never will be. */
  fileHash: string | null
}

/** Batches submitted before an instant that still have inputs that no submission has, oldest first, after a place. */
export function listHoldingBatches(
  connection: Connection,
  { before, after, limit }: { before: Instant; after: PagePlace | undefined; limit: number },
): Promise<HoldingBatch[]> {
  const page = holdingBatches[after === undefined ? 'first' : 'next']
  return page(connection).execute({ before, limit, ...after })
}

const holdingBatches = { first: prepareHolding('first'), next: prepareHolding('next') }

function prepareHolding(page: 'first' | 'next') {
  return prepareOnce(({ q, t: { batches, batchRows } }) => {
    const isLater = page === 'next' ? newerThan(batches.createdAt, batches.id, placeGiven) : undefined
    const exists = (condition: SQL) =>
      sql`exists (select 1 from ${batchRows} r where r.batch_id = ${batches.id} and ${condition})`
    // Refused rows of a cancelled batch no longer have an input, but still have messages about it.
    const wasRefused = sql`r.cause is not null and r.state = 'refused' and coalesce(r.submission_id, '') = ''`
    const holdsRows = or(exists(sql`r.raw_input is not null`), exists(wasRefused))
    return q
      .select({
        id: batches.id,
        modelSlug: batches.modelSlug,
        fileHash: batches.fileHash,
        createdAt: batches.createdAt,
      })
      .from(batches)
      .where(and(lt(batches.createdAt, sql.placeholder('before')), isLater, or(isNotNull(batches.fileHash), holdsRows)))
      .orderBy(asc(batches.createdAt), asc(batches.id))
      .limit(sql.placeholder('limit'))
      .prepare()
  })
}

/** Drops the file of a batch that has rows left to submit, which cancels the batch. */
export async function dropFile(tx: Transaction, id: string, at: Instant): Promise<void> {
  const { batches } = tx.t
  await tx.q
    .update(batches)
    .set({ status: 'cancelled', fileHash: null, pauseReason: null, completedAt: at, updatedAt: at })
    .where(and(eq(batches.id, id), isNotNull(batches.fileHash)))
}

/** The fields of some submissions that decide whether they are held. */
export async function listReferences(
  connection: Connection,
  ids: readonly string[],
): Promise<{ id: string; objectReference: string; modelSlug: string; isAtWork: boolean }[]> {
  const { submissions, executions, batches, batchRows } = connection.t
  const rows = await connection.rows<{ id: string; reference: string; model: string; working: number }>(
    sql`select s.id as id, s.object_reference as reference, s.model_slug as model,
               (select count(*) from ${executions} e
                where e.submission_id = s.id and e.status not in ('completed', 'failed'))
               + (select count(*) from ${batchRows} r join ${batches} b on b.id = r.batch_id
                  where r.submission_id = s.id and (b.file_hash is not null or r.state = 'waiting')) as working
        from ${submissions} s where s.id in (${sql.join(
          ids.map((id) => sql`${id}`),
          sql`, `,
        )})`,
  )
  return rows.map(({ id, reference, model, working }) => ({
    ...{ id, objectReference: reference, modelSlug: model, isAtWork: Number(working) > 0 },
  }))
}
