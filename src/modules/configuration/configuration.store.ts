import { and, eq } from 'drizzle-orm'
import type { Connection, Transaction } from '../../db/database.ts'
import type { FamilyKind, Tables } from '../../db/schema.ts'

export type FamilyRow = Tables['families']['$inferSelect']
export type NewFamilyRow = Tables['families']['$inferInsert']
export type VersionRow = Tables['versions']['$inferSelect']
export type NewVersionRow = Tables['versions']['$inferInsert']

/** A version without its source and bytes: what pinning and listing need. */
export type VersionSummary = Pick<
  VersionRow,
  'id' | 'familyId' | 'kind' | 'number' | 'contentHash' | 'status' | 'format'
>

export async function insertFamily(tx: Transaction, row: NewFamilyRow): Promise<void> {
  await tx.q.insert(tx.t.families).values(row)
}

export async function findFamilyBySlug(
  connection: Connection,
  kind: FamilyKind,
  slug: string,
): Promise<FamilyRow | undefined> {
  const { families } = connection.t
  const [row] = await connection.q
    .select()
    .from(families)
    .where(and(eq(families.kind, kind), eq(families.slug, slug)))
  return row
}

export async function findFamilyByName(
  connection: Connection,
  kind: FamilyKind,
  name: string,
): Promise<FamilyRow | undefined> {
  const { families } = connection.t
  const [row] = await connection.q
    .select()
    .from(families)
    .where(and(eq(families.kind, kind), eq(families.name, name)))
  return row
}

/** Only the id: cheap enough to ask for on every submission. */
export async function findFamilyId(
  connection: Connection,
  kind: FamilyKind,
  slug: string,
): Promise<string | undefined> {
  const { families } = connection.t
  const [row] = await connection.q
    .select({ id: families.id })
    .from(families)
    .where(and(eq(families.kind, kind), eq(families.slug, slug)))
  return row?.id
}

export async function updateFamily(tx: Transaction, id: string, values: Partial<NewFamilyRow>): Promise<void> {
  await tx.q.update(tx.t.families).set(values).where(eq(tx.t.families.id, id))
}

export async function insertVersion(tx: Transaction, row: NewVersionRow): Promise<void> {
  await tx.q.insert(tx.t.versions).values(row)
}

export async function updateVersion(tx: Transaction, id: string, values: Partial<NewVersionRow>): Promise<void> {
  await tx.q.update(tx.t.versions).set(values).where(eq(tx.t.versions.id, id))
}

export async function findVersion(connection: Connection, id: string): Promise<VersionRow | undefined> {
  const [row] = await connection.q.select().from(connection.t.versions).where(eq(connection.t.versions.id, id))
  return row
}

export async function findVersionSummary(
  connection: Connection,
  familyId: string,
  number: number,
): Promise<VersionSummary | undefined> {
  const { versions } = connection.t
  const [row] = await connection.q
    .select({
      id: versions.id,
      familyId: versions.familyId,
      kind: versions.kind,
      number: versions.number,
      contentHash: versions.contentHash,
      status: versions.status,
      format: versions.format,
    })
    .from(versions)
    .where(and(eq(versions.familyId, familyId), eq(versions.number, number)))
  return row
}
