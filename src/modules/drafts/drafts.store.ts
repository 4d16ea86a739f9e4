import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { prepareOnce, rowPlaceholders, rowValues } from '../../db/prepared.ts'
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
  await draftChange(tx).execute({ familyId, ...rowValues(tx.t.families, [change]) })
}

const draftChange = prepareOnce(({ q, t: { families } }) => {
  const all = rowPlaceholders(families)
  const { name, description, draftRevision, draftSource, draftBytes, draftFormat, draftUpdatedAt, updatedAt } = all
  const change = { name, description, draftRevision, draftSource, draftBytes, draftFormat, draftUpdatedAt, updatedAt }
  return q
    .update(families)
    .set(change)
    .where(eq(families.id, sql.placeholder('familyId')))
    .prepare()
})
