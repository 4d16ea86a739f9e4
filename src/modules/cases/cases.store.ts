import { and, eq, getTableColumns } from 'drizzle-orm'
import type { CaseKind } from '../../core/kinds.ts'
import { caseFilters, type FilterValues } from '../../core/list-filters.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import { narrow } from '../../db/narrow.ts'
import type { Tables } from '../../db/schema.ts'

export type CaseRow = Tables['cases']['$inferSelect']
/** A case as lists show it: without its payload, which may be half a megabyte. */
export type CaseHead = Omit<CaseRow, 'payload'>

/** Inserts a case unless it exists, and waits for one that is being inserted. True if this row was inserted. */
export async function insertCaseOnce(tx: Transaction, row: CaseRow): Promise<boolean> {
  const inserted = await tx.q.insert(tx.t.cases).values(row).onConflictDoNothing().returning({ id: tx.t.cases.id })
  return inserted.length === 1
}

export async function findCase(connection: Connection, id: string): Promise<CaseRow | undefined> {
  const { cases } = connection.t
  const [row] = await connection.q.select().from(cases).where(eq(cases.id, id))
  return row
}

export async function findGeneratedCase(
  connection: Connection,
  contractVersionId: string,
  kind: CaseKind,
  seed: number,
): Promise<CaseRow | undefined> {
  const { cases } = connection.t
  const [row] = await connection.q
    .select()
    .from(cases)
    .where(
      and(
        eq(cases.contractVersionId, contractVersionId),
        eq(cases.kind, kind),
        eq(cases.seed, seed),
        eq(cases.provider, 'external-generator'),
      ),
    )
  return row
}

export async function findImportedCase(
  connection: Connection,
  contractVersionId: string,
  kind: CaseKind,
  contentHash: string,
): Promise<CaseRow | undefined> {
  const { cases } = connection.t
  const [row] = await connection.q
    .select()
    .from(cases)
    .where(
      and(
        eq(cases.contractVersionId, contractVersionId),
        eq(cases.kind, kind),
        eq(cases.contentHash, contentHash),
        eq(cases.provider, 'svc fixture'),
      ),
    )
  return row
}

/** Newest first. */
export async function listCases(
  connection: Connection,
  filter: FilterValues<typeof caseFilters>,
  after: PagePlace | undefined,
  limit: number,
): Promise<CaseHead[]> {
  const { payload: _payload, ...columns } = getTableColumns(connection.t.cases)
  const { cases } = connection.t
  const conditions = narrow(connection, caseFilters, cases, filter)
  if (after !== undefined) conditions.push(olderThan(cases.createdAt, cases.id, after))
  return connection.q
    .select(columns)
    .from(cases)
    .where(and(...conditions))
    .orderBy(...newestFirst(cases.createdAt, cases.id))
    .limit(limit)
}
