import { eq, sql } from 'drizzle-orm'
import type { Connection, Transaction } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'

export type ReleaseRow = Tables['releases']['$inferSelect']

export async function findRelease(connection: Connection, id: string): Promise<ReleaseRow | undefined> {
  const [row] = await releaseById(connection).execute({ id })
  return row
}

/** Runs for every submission to a release. */
const releaseById = prepareOnce(({ q, t: { releases } }) =>
  q
    .select()
    .from(releases)
    .where(eq(releases.id, sql.placeholder('id')))
    .prepare(),
)

export async function findReleaseByPin(connection: Connection, automaticPin: string): Promise<ReleaseRow | undefined> {
  const [row] = await releaseByPin(connection).execute({ automaticPin })
  return row
}

/** Runs for every execution of a submission to a model. */
const releaseByPin = prepareOnce(({ q, t: { releases } }) =>
  q
    .select()
    .from(releases)
    .where(eq(releases.automaticPin, sql.placeholder('automaticPin')))
    .prepare(),
)

/** A page, newest first. */
export function releasesPage(connection: Connection, after: PagePlace | undefined, limit: number) {
  const { releases } = connection.t
  return connection.q
    .select()
    .from(releases)
    .where(after === undefined ? undefined : olderThan(releases.createdAt, releases.id, after))
    .orderBy(...newestFirst(releases.createdAt, releases.id))
    .limit(limit)
}

export async function insertRelease(tx: Transaction, row: ReleaseRow): Promise<void> {
  await tx.q.insert(tx.t.releases).values(row)
}

/** Inserts a release unless another transaction was first with the same automatic pin. True if this row was inserted. */
export async function insertReleaseOnce(tx: Transaction, row: ReleaseRow): Promise<boolean> {
  const inserted = await tx.q
    .insert(tx.t.releases)
    .values(row)
    .onConflictDoNothing({ target: tx.t.releases.automaticPin })
    .returning({ id: tx.t.releases.id })
  return inserted.length === 1
}

/** Notes that the release was checked against its contract for use by a root. */
export async function markContractChecked(tx: Transaction, id: string): Promise<void> {
  const { releases } = tx.t
  await tx.q.update(releases).set({ contractChecked: true }).where(eq(releases.id, id))
}
