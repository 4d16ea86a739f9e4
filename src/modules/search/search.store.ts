import { type AnyColumn, and, asc, desc, eq, gt, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Connection } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'

/** What searches read. Pages are small, so that nothing else waits long for the thread. */

/** Families without their content, newest first: ids sort by creation time. */
export function familyPage({ q, t: { families } }: Connection, before: string | undefined, rows: number) {
  const { id, kind, slug, name, description } = families
  return q
    .select({ id, kind, slug, name, description })
    .from(families)
    .where(before === undefined ? undefined : lt(id, before))
    .orderBy(desc(id))
    .limit(rows)
}

/** Which of these families have the text in their draft or newest version. The databases fold the case of ASCII only. */
export async function familiesWithText(
  { q, t: { families, versions } }: Connection,
  ids: readonly string[],
  text: string,
): Promise<string[]> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const contains = (content: AnyColumn) => sql`lower(${content}) like lower(${pattern}) escape '\\'`
  const newest = and(eq(versions.familyId, families.id), eq(versions.number, families.latestNumber))
  const found = or(contains(families.draftSource), contains(versions.source), contains(versions.bindings))
  const rows = await q
    .select({ id: families.id })
    .from(families)
    .leftJoin(versions, newest)
    .where(and(inArray(families.id, [...ids]), found))
  return rows.map(({ id }) => id)
}

function submissionColumns({ t: { submissions } }: Connection) {
  const { id, objectReference, modelSlug, createdAt } = submissions
  return { id, objectReference, modelSlug, createdAt }
}

export function submissionPage(connection: Connection, after: PagePlace | undefined, rows: number) {
  const { submissions } = connection.t
  return connection.q
    .select(submissionColumns(connection))
    .from(submissions)
    .where(after === undefined ? undefined : olderThan(submissions.createdAt, submissions.id, after))
    .orderBy(...newestFirst(submissions.createdAt, submissions.id))
    .limit(rows)
}

/**
 * Submissions of any age, by the beginning of their reference. Exact matches come first, newest first; then others in the order
 * of their index, because any other order would sort all submissions of a reference.
 */
export async function submissionsOfReference(connection: Connection, beginning: string, rows: number) {
  const { objectReference, createdAt, id } = connection.t.submissions
  const found = (condition: SQL | undefined, order: SQL[], limit: number) =>
    connection.q
      .select(submissionColumns(connection))
      .from(connection.t.submissions)
      .where(condition)
      .orderBy(...order)
      .limit(limit)
  const whole = await found(eq(objectReference, beginning), newestFirst(createdAt, id), rows)
  if (whole.length === rows) return whole
  const isLonger = and(gt(objectReference, beginning), lt(objectReference, afterAll(beginning)))
  return [...whole, ...(await found(isLonger, [asc(objectReference), asc(createdAt), asc(id)], rows - whole.length))]
}

export function submissionsOfId(connection: Connection, beginning: string, rows: number) {
  const { id } = connection.t.submissions
  return connection.q
    .select(submissionColumns(connection))
    .from(connection.t.submissions)
    .where(and(gte(id, beginning), lt(id, afterAll(beginning))))
    .orderBy(asc(id))
    .limit(rows)
}

/** Only ids, which the index contains. */
export function executionPage({ q, t: { executions } }: Connection, after: PagePlace | undefined, rows: number) {
  return q
    .select({ id: executions.id, createdAt: executions.createdAt })
    .from(executions)
    .where(after === undefined ? undefined : olderThan(executions.createdAt, executions.id, after))
    .orderBy(...newestFirst(executions.createdAt, executions.id))
    .limit(rows)
}

export async function executionIdsOf({ q, t: { executions } }: Connection, beginning: string, rows: number) {
  const { id } = executions
  const found = await q
    .select({ id })
    .from(executions)
    .where(and(gte(id, beginning), lt(id, afterAll(beginning))))
    .orderBy(asc(id))
    .limit(rows)
  return found.map((row) => row.id)
}

export async function executionsById({ q, t: { executions } }: Connection, ids: readonly string[]) {
  if (ids.length === 0) return []
  const { id, nodeLabel, status } = executions
  return q
    .select({ id, nodeLabel, status })
    .from(executions)
    .where(inArray(id, [...ids]))
}

/** A text after every text with this beginning: references and ids are ASCII. */
function afterAll(beginning: string): string {
  return `${beginning}\u{7f}`
}
