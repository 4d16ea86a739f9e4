import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import type { FamilyRow } from '../families/families.reads.ts'

/** A draft is the mutable part of its family's row. */
export type DraftChange = Pick<
  FamilyRow,
  | 'name'
  | 'description'
  | 'draftRevision'
  | 'draftSource'
  | 'draftBytes'
  | 'draftFormat'
  | 'draftUpdatedAt'
  | 'updatedAt'
>

export async function writeDraft(tx: Transaction, familyId: string, change: DraftChange): Promise<void> {
  await tx.q.update(tx.t.families).set(change).where(eq(tx.t.families.id, familyId))
}
