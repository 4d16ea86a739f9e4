import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { prepareInsert } from '../../db/prepared.ts'
import type { VersionRow } from './versions.reads.ts'

const insert = prepareInsert(({ t }) => t.versions)

export function insertVersion(tx: Transaction, row: VersionRow): Promise<void> {
  return insert(tx, [row])
}

/** Numbers are given out under the family's row, which the caller holds. */
export async function writeLatestNumber(tx: Transaction, version: VersionRow): Promise<void> {
  const { families } = tx.t
  const change = { latestNumber: version.number, updatedAt: version.createdAt }
  await tx.q.update(families).set(change).where(eq(families.id, version.familyId))
}

export async function updateVersion(
  tx: Transaction,
  id: string,
  change: Partial<Pick<VersionRow, 'status' | 'publishedAt' | 'deprecatedAt'>>,
): Promise<void> {
  await tx.q.update(tx.t.versions).set(change).where(eq(tx.t.versions.id, id))
}
