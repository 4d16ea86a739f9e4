import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Connection } from '../../db/database.ts'
import type { CaseRow } from './cases.store.ts'

/** The parts of a case that a project keeps. */
export type CasePayload = Pick<CaseRow, 'kind' | 'seed' | 'provider' | 'payload' | 'contentHash'>

/** The newest cases of a contract's version that satisfy it. */
export function newestFittingCases(
  connection: Connection,
  contractVersionId: string,
  limit: number,
): Promise<CasePayload[]> {
  const { cases } = connection.t
  const { kind, seed, provider, payload, contentHash } = cases
  return connection.q
    .select({ kind, seed, provider, payload, contentHash })
    .from(cases)
    .where(and(eq(cases.contractVersionId, contractVersionId), inArray(kind, ['valid', 'boundary'])))
    .orderBy(desc(cases.createdAt), desc(cases.id))
    .limit(limit)
}
