import { and, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { FamilyKind } from '../../core/kinds.ts'
import type { Connection } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import { readLargeFile } from '../../db/large-files.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'

/** A family with its draft's whole file, even if that is stored in pieces. */
export type FamilyRow = Tables['families']['$inferSelect']

/** A family without its draft's source and bytes, which may be many megabytes: enough for lists and checks. */
export type FamilyHead = Omit<FamilyRow, 'draftSource' | 'draftBytes' | 'draftFileId'>

function familyHeadColumns(connection: Connection) {
  const {
    draftSource: _source,
    draftBytes: _bytes,
    draftFileId: _file,
    ...columns
  } = getTableColumns(connection.t.families)
  return columns
}

export async function findFamilyBySlug(
  connection: Connection,
  kind: FamilyKind,
  slug: string,
): Promise<FamilyHead | undefined> {
  const [row] = await familyBySlug(connection).execute({ kind, slug })
  return row
}

const familyBySlug = prepareOnce((connection) => {
  const { families } = connection.t
  return connection.q
    .select(familyHeadColumns(connection))
    .from(families)
    .where(and(eq(families.kind, sql.placeholder('kind')), eq(families.slug, sql.placeholder('slug'))))
    .prepare()
})

export async function findFamilyByName(
  connection: Connection,
  kind: FamilyKind,
  name: string,
): Promise<FamilyHead | undefined> {
  const [row] = await familyByName(connection).execute({ kind, name })
  return row
}

const familyByName = prepareOnce((connection) => {
  const { families } = connection.t
  return connection.q
    .select(familyHeadColumns(connection))
    .from(families)
    .where(and(eq(families.kind, sql.placeholder('kind')), eq(families.name, sql.placeholder('name'))))
    .prepare()
})

/**
 * The family that a source names: by name, else by slug. (Slugs never change, but authors see names.) Everything that resolves a
 * reference calls this, so that editor, activation and intake agree.
 */
export async function findFamilyByReference(
  connection: Connection,
  kind: FamilyKind,
  reference: string,
): Promise<FamilyHead | undefined> {
  const rows = await familiesByReference(connection).execute({ kind, reference })
  return rows.find(({ name }) => name === reference) ?? rows[0]
}

const familiesByReference = prepareOnce((connection) => {
  const { families } = connection.t
  const reference = sql.placeholder('reference')
  return connection.q
    .select(familyHeadColumns(connection))
    .from(families)
    .where(
      and(eq(families.kind, sql.placeholder('kind')), or(eq(families.name, reference), eq(families.slug, reference))),
    )
    .prepare()
})

/** Only the id, so that it is cheap enough for every submission. */
export async function findFamilyId(
  connection: Connection,
  kind: FamilyKind,
  slug: string,
): Promise<string | undefined> {
  const [row] = await familyId(connection).execute({ kind, slug })
  return row?.id
}

const familyId = prepareOnce(({ q, t: { families } }) =>
  q
    .select({ id: families.id })
    .from(families)
    .where(and(eq(families.kind, sql.placeholder('kind')), eq(families.slug, sql.placeholder('slug'))))
    .prepare(),
)

export async function findFamily(connection: Connection, kind: FamilyKind, id: string): Promise<FamilyRow | undefined> {
  const { families } = connection.t
  for (;;) {
    const [row] = await connection.q
      .select()
      .from(families)
      .where(and(eq(families.id, id), eq(families.kind, kind)))
    const whole = row && (await withDraftFile(connection, row))
    if (row === undefined || whole !== undefined) return whole
  }
}

/** Undefined if the draft's file was replaced meanwhile. @throws if pieces of its file are missing */
export async function withDraftFile<Row extends Pick<FamilyRow, 'id' | 'draftBytes' | 'draftFileId'>>(
  connection: Connection,
  row: Row,
): Promise<Row | undefined> {
  const { id, draftFileId } = row
  if (draftFileId === null) return row
  const { bytes, isWhole } = await readLargeFile(connection, draftFileId)
  if (isWhole) return { ...row, draftBytes: bytes }
  const { families } = connection.t
  const [now] = await connection.q
    .select({ draftFileId: families.draftFileId })
    .from(families)
    .where(eq(families.id, id))
  if (now?.draftFileId !== draftFileId) return undefined
  throw new Error(`pieces of the file of ${id}'s draft are missing from the database`)
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

/** By id alone, of any kind. */
export async function listFamilyHeads(connection: Connection, ids: readonly string[]): Promise<FamilyHead[]> {
  if (ids.length === 0) return []
  const { families } = connection.t
  return connection.q
    .select(familyHeadColumns(connection))
    .from(families)
    .where(inArray(families.id, [...ids]))
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

/** One kind's newest families with their drafts; all of them are in memory at once. */
export function newestFamilies(connection: Connection, kind: FamilyKind, limit: number): Promise<FamilyRow[]> {
  const { families } = connection.t
  return connection.q
    .select()
    .from(families)
    .where(eq(families.kind, kind))
    .orderBy(...newestFirst(families.createdAt, families.id))
    .limit(limit)
}
