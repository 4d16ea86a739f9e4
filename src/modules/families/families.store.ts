import { and, eq, sql } from 'drizzle-orm'
import type { FamilyKind } from '../../core/kinds.ts'
import type { Transaction } from '../../db/database.ts'
import { prepareInsert, prepareOnce } from '../../db/prepared.ts'
import { type FamilyRow, withDraftFile } from './families.reads.ts'

const insert = prepareInsert(({ t }) => t.families)

export function insertFamily(tx: Transaction, row: FamilyRow): Promise<void> {
  return insert(tx, [row])
}

/**
 * Reads and locks a family until the transaction ends, so that revisions and numbers are assigned one after the other. It is an
 * update because both dialects then lock the row, and read it again after waiting.
 */
export async function holdFamily(tx: Transaction, kind: FamilyKind, id: string): Promise<FamilyRow | undefined> {
  const [row] = await held(tx).execute({ id, kind })
  return row && withDraftFile(tx, row)
}

const held = prepareOnce(({ q, t: { families } }) =>
  q
    .update(families)
    .set({ latestNumber: sql`${families.latestNumber}` })
    .where(and(eq(families.id, sql.placeholder('id')), eq(families.kind, sql.placeholder('kind'))))
    .returning()
    .prepare(),
)
