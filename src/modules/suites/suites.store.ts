import { eq, inArray, sql } from 'drizzle-orm'
import { holdLock } from '../../db/advisory-locks.ts'
import type { Transaction } from '../../db/database.ts'
import type { CaseFileRow, SuitePolicyRow } from './suites.reads.ts'

/**
 * Waits until no other transaction changes files of cases, as applying a project does, and keeps them waiting until this one ends: they have no
 * row that all of them could hold.
 */
export async function holdCaseFiles(tx: Transaction): Promise<void> {
  await holdLock(tx, 'caseFiles')
}

/** Writes over what is there. */
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

/** Takes the place of the model's policy, if it has one. */
export async function putSuitePolicy(tx: Transaction, row: SuitePolicyRow): Promise<void> {
  const { suitePolicies } = tx.t
  const { familyId: _familyId, ...changes } = row
  await tx.q.insert(suitePolicies).values(row).onConflictDoUpdate({ target: suitePolicies.familyId, set: changes })
}

export async function removeSuitePolicy(tx: Transaction, familyId: string): Promise<void> {
  const { suitePolicies } = tx.t
  await tx.q.delete(suitePolicies).where(eq(suitePolicies.familyId, familyId))
}
