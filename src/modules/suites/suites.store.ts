import { eq, inArray, sql } from 'drizzle-orm'
import { holdLock } from '../../db/advisory-locks.ts'
import type { Transaction } from '../../db/database.ts'
import type { CaseFileRow, SuitePolicyRow } from './suites.reads.ts'

/**
 * Takes the lock of case files until the transaction ends, as applying a project does: they have no common row that could be
 * locked.
 */
export async function holdCaseFiles(tx: Transaction): Promise<void> {
  await holdLock(tx, 'caseFiles')
}

/** Inserts files, or overwrites existing ones. */
export async function putFiles(tx: Transaction, rows: readonly CaseFileRow[]): Promise<void> {
  const { projectFiles } = tx.t
  await tx.q
    .insert(projectFiles)
    .values([...rows])
    .onConflictDoUpdate({
      target: projectFiles.path,
      set: {
        content: sql`excluded.content`,
        contentHash: sql`excluded.content_hash`,
        writtenBy: sql`excluded.written_by`,
        correlationId: sql`excluded.correlation_id`,
        writtenAt: sql`excluded.written_at`,
      },
    })
}

export async function removeFiles(tx: Transaction, paths: readonly string[]): Promise<void> {
  const { projectFiles } = tx.t
  await tx.q.delete(projectFiles).where(inArray(projectFiles.path, [...paths]))
}

/** Sets the model's policy, replacing an earlier one. */
export async function putSuitePolicy(tx: Transaction, row: SuitePolicyRow): Promise<void> {
  const { suitePolicies } = tx.t
  const { familyId: _familyId, ...changes } = row
  await tx.q.insert(suitePolicies).values(row).onConflictDoUpdate({ target: suitePolicies.familyId, set: changes })
}

export async function removeSuitePolicy(tx: Transaction, familyId: string): Promise<void> {
  const { suitePolicies } = tx.t
  await tx.q.delete(suitePolicies).where(eq(suitePolicies.familyId, familyId))
}
