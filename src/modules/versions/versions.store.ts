import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { prepareInsert, prepareOnce } from '../../db/prepared.ts'
import type { VersionRow } from './versions.reads.ts'

const insert = prepareInsert(({ t }) => t.versions)

/** Inserts a version. A large file is stored already, because the draft had it. */
export function insertVersion(tx: Transaction, row: VersionRow): Promise<void> {
  return insert(tx, [row.fileId === null ? row : { ...row, bytes: null }])
}

/** Writes the family's greatest number; the caller holds the family's row. */
export async function writeLatestNumber(tx: Transaction, version: VersionRow): Promise<void> {
  await latestNumber(tx).execute({ id: version.familyId, number: version.number, at: version.createdAt })
}

const latestNumber = prepareOnce(({ q, t: { families } }) =>
  q
    .update(families)
    .set({ latestNumber: sql`${sql.placeholder('number')}`, updatedAt: sql`${sql.placeholder('at')}` })
    .where(eq(families.id, sql.placeholder('id')))
    .prepare(),
)

export async function updateVersion(
  tx: Transaction,
  id: string,
  change: Partial<Pick<VersionRow, 'status' | 'publishedAt' | 'deprecatedAt'>>,
): Promise<void> {
  await tx.q.update(tx.t.versions).set(change).where(eq(tx.t.versions.id, id))
}
