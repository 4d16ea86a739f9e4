import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Connection, Transaction } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import type { FamilyKind, Tables } from '../../db/schema.ts'

export type FamilyRow = Tables['families']['$inferSelect']
export type NewFamilyRow = Tables['families']['$inferInsert']
export type VersionRow = Tables['versions']['$inferSelect']
export type NewVersionRow = Tables['versions']['$inferInsert']

/** A family without its draft's source and bytes, which may be many megabytes: what lists and checks need. */
export type FamilyHead = Omit<FamilyRow, 'draftSource' | 'draftBytes'>
/** A version without its source and bytes. */
export type VersionHead = Omit<VersionRow, 'source' | 'bytes'>

/** What pinning needs of a version. */
export type VersionSummary = Pick<
  VersionRow,
  'id' | 'familyId' | 'kind' | 'number' | 'contentHash' | 'status' | 'format'
>

function familyHeadColumns(connection: Connection) {
  const { draftSource: _source, draftBytes: _bytes, ...columns } = getTableColumns(connection.t.families)
  return columns
}

function versionHeadColumns(connection: Connection) {
  const { source: _source, bytes: _bytes, ...columns } = getTableColumns(connection.t.versions)
  return columns
}

export async function insertFamily(tx: Transaction, row: NewFamilyRow): Promise<void> {
  await tx.q.insert(tx.t.families).values(row)
}

export async function findFamilyBySlug(
  connection: Connection,
  kind: FamilyKind,
  slug: string,
): Promise<FamilyHead | undefined> {
  const { families } = connection.t
  const [row] = await connection.q
    .select(familyHeadColumns(connection))
    .from(families)
    .where(and(eq(families.kind, kind), eq(families.slug, slug)))
  return row
}

export async function findFamilyByName(
  connection: Connection,
  kind: FamilyKind,
  name: string,
): Promise<FamilyHead | undefined> {
  const { families } = connection.t
  const [row] = await connection.q
    .select(familyHeadColumns(connection))
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

export async function findFamily(connection: Connection, kind: FamilyKind, id: string): Promise<FamilyRow | undefined> {
  const { families } = connection.t
  const [row] = await connection.q
    .select()
    .from(families)
    .where(and(eq(families.id, id), eq(families.kind, kind)))
  return row
}

export async function findFamilyHead(
  connection: Connection,
  kind: FamilyKind,
  id: string,
): Promise<FamilyHead | undefined> {
  const { families } = connection.t
  const [row] = await connection.q
    .select(familyHeadColumns(connection))
    .from(families)
    .where(and(eq(families.id, id), eq(families.kind, kind)))
  return row
}

/** By id alone, whatever the kind. */
export async function listFamilyHeads(connection: Connection, ids: readonly string[]): Promise<FamilyHead[]> {
  if (ids.length === 0) return []
  const { families } = connection.t
  return connection.q
    .select(familyHeadColumns(connection))
    .from(families)
    .where(inArray(families.id, [...ids]))
}

/**
 * Reads a family and holds its row until the transaction ends, so that revisions and numbers are given out one after
 * the other. Written as an update because both dialects lock the row for it, and look again after waiting.
 */
export async function holdFamily(tx: Transaction, kind: FamilyKind, id: string): Promise<FamilyRow | undefined> {
  const { families } = tx.t
  const [row] = await tx.q
    .update(families)
    .set({ latestNumber: sql`${families.latestNumber}` })
    .where(and(eq(families.id, id), eq(families.kind, kind)))
    .returning()
  return row
}

/** A page of one kind's families, newest first. */
export function familiesPage(connection: Connection, kind: FamilyKind, after: PagePlace | undefined, limit: number) {
  const { families } = connection.t
  const conditions: SQL[] = [eq(families.kind, kind)]
  if (after !== undefined) conditions.push(olderThan(families.createdAt, families.id, after))
  return connection.q
    .select(familyHeadColumns(connection))
    .from(families)
    .where(and(...conditions))
    .orderBy(...newestFirst(families.createdAt, families.id))
    .limit(limit)
}

/** One kind's newest families with their drafts; `limit` times a draft's size is what this holds in memory. */
export function newestFamilies(connection: Connection, kind: FamilyKind, limit: number): Promise<FamilyRow[]> {
  const { families } = connection.t
  return connection.q
    .select()
    .from(families)
    .where(eq(families.kind, kind))
    .orderBy(...newestFirst(families.createdAt, families.id))
    .limit(limit)
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

export async function findVersionHead(connection: Connection, id: string): Promise<VersionHead | undefined> {
  const { versions } = connection.t
  const [row] = await connection.q.select(versionHeadColumns(connection)).from(versions).where(eq(versions.id, id))
  return row
}

export async function findVersionByNumber(
  connection: Connection,
  familyId: string,
  number: number,
): Promise<VersionRow | undefined> {
  const { versions } = connection.t
  const [row] = await connection.q
    .select()
    .from(versions)
    .where(and(eq(versions.familyId, familyId), eq(versions.number, number)))
  return row
}

/** The newest version of a family with these very bytes in this format. */
export async function findVersionByHash(
  connection: Connection,
  familyId: string,
  contentHash: string,
  format: VersionRow['format'],
): Promise<VersionHead | undefined> {
  const { versions } = connection.t
  const [row] = await connection.q
    .select(versionHeadColumns(connection))
    .from(versions)
    .where(and(eq(versions.familyId, familyId), eq(versions.contentHash, contentHash), eq(versions.format, format)))
    .orderBy(desc(versions.number))
    .limit(1)
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

/** The newest versions of each of these families, ascending by number; at most `perFamily` of each. */
export async function listNewestVersions(
  connection: Connection,
  familyIds: readonly string[],
  perFamily: number,
): Promise<VersionHead[]> {
  if (familyIds.length === 0) return []
  const { versions, families } = connection.t
  return connection.q
    .select(versionHeadColumns(connection))
    .from(versions)
    .innerJoin(families, eq(families.id, versions.familyId))
    .where(
      and(
        inArray(versions.familyId, [...familyIds]),
        gt(versions.number, sql`${families.latestNumber} - ${perFamily}`),
      ),
    )
    .orderBy(asc(versions.familyId), asc(versions.number))
}

/** A page of one family's versions, newest first. */
export function versionsPage(
  connection: Connection,
  familyId: string,
  beforeNumber: number | undefined,
  limit: number,
) {
  const { versions } = connection.t
  const conditions: SQL[] = [eq(versions.familyId, familyId)]
  if (beforeNumber !== undefined) conditions.push(lt(versions.number, beforeNumber))
  return connection.q
    .select(versionHeadColumns(connection))
    .from(versions)
    .where(and(...conditions))
    .orderBy(desc(versions.number))
    .limit(limit)
}
