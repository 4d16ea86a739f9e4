import { and, eq, sql } from 'drizzle-orm'
import { limits } from '../../core/limits.ts'
import type { Transaction } from '../../db/database.ts'
import { removeLargeFile, writeLargeFile } from '../../db/large-files.ts'
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

/**
 * Stores a large file as pieces under a new id. The previous draft's pieces are deleted unless a version was frozen from them.
 */
export async function writeDraft(
  tx: Transaction,
  { id: familyId, draftFileId: before, draftBytes: bytesBefore }: FamilyRow,
  change: DraftChange,
): Promise<Pick<FamilyRow, 'draftFileId'>> {
  const { draftBytes } = change
  const isLarge = draftBytes !== null && draftBytes.length > limits.filePieceBytes
  const isSame = before !== null && draftBytes === bytesBefore
  const draftFileId = isSame ? before : isLarge ? await writeLargeFile(tx, draftBytes) : null
  const row = { ...change, draftFileId, draftBytes: draftFileId === null ? draftBytes : null }
  await draftChange(tx).execute({ familyId, ...rowValues(tx.t.families, [row]) })
  const isOver = before !== null && !isSame && !(await isOfVersion(tx, familyId, before))
  if (isOver) await removeLargeFile(tx, before)
  return { draftFileId }
}

/** Only versions of the same family can share a draft's file. */
async function isOfVersion({ q, t: { versions } }: Transaction, familyId: string, fileId: string): Promise<boolean> {
  const found = await q
    .select({ id: versions.id })
    .from(versions)
    .where(and(eq(versions.familyId, familyId), eq(versions.fileId, fileId)))
    .limit(1)
  return found.length > 0
}

const draftChange = prepareOnce(({ q, t: { families } }) => {
  const all = rowPlaceholders(families)
  const { name, description, draftRevision, draftSource, draftBytes, draftFileId, draftFormat } = all
  const { draftUpdatedAt, updatedAt } = all
  const content = { draftRevision, draftSource, draftBytes, draftFileId, draftFormat, draftUpdatedAt }
  const change = { name, description, ...content, updatedAt }
  return q
    .update(families)
    .set(change)
    .where(eq(families.id, sql.placeholder('familyId')))
    .prepare()
})
