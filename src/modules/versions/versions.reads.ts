import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, lt, lte, ne, type SQL, sql } from 'drizzle-orm'
import { newestReading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import { requireLargeFile } from '../../db/large-files.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'
import { findFamilyByReference } from '../families/families.reads.ts'

/** A version with its whole file, even if that is stored in pieces. */
export type VersionRow = Tables['versions']['$inferSelect']

/** A version without its source and bytes. */
export type VersionHead = Omit<VersionRow, 'source' | 'bytes' | 'fileId'>

/** The columns that pinning needs. */
export type VersionSummary = Pick<
  VersionRow,
  'id' | 'familyId' | 'kind' | 'number' | 'contentHash' | 'status' | 'format'
>

function versionHeadColumns(connection: Connection) {
  const { source: _source, bytes: _bytes, fileId: _file, ...columns } = getTableColumns(connection.t.versions)
  return columns
}

export async function findVersion(connection: Connection, id: string): Promise<VersionRow | undefined> {
  const [row] = await versionById(connection).execute({ id })
  return row && withFile(connection, row)
}

/** @throws if pieces of the file are missing */
async function withFile(connection: Connection, row: VersionRow): Promise<VersionRow> {
  if (row.fileId === null) return row
  return { ...row, bytes: await requireLargeFile(connection, row.fileId, `version ${row.id}`) }
}

const versionById = prepareOnce(({ q, t: { versions } }) =>
  q
    .select()
    .from(versions)
    .where(eq(versions.id, sql.placeholder('id')))
    .prepare(),
)

/** A version that another row refers to. @throws if it doesn't exist */
export async function readVersion(connection: Connection, id: string): Promise<VersionRow> {
  const version = await findVersion(connection, id)
  if (version === undefined) throw new Error(`version ${id} is missing from the database`)
  return version
}

export async function findVersionHead(connection: Connection, id: string): Promise<VersionHead | undefined> {
  const [row] = await headById(connection).execute({ id })
  return row
}

const headById = prepareOnce((connection) => {
  const { versions } = connection.t
  return connection.q
    .select(versionHeadColumns(connection))
    .from(versions)
    .where(eq(versions.id, sql.placeholder('id')))
    .prepare()
})

export async function findVersionByNumber(
  connection: Connection,
  familyId: string,
  number: number,
): Promise<VersionRow | undefined> {
  const [row] = await versionByNumber(connection).execute({ familyId, number })
  return row && withFile(connection, row)
}

const versionByNumber = prepareOnce(({ q, t: { versions } }) =>
  q
    .select()
    .from(versions)
    .where(and(eq(versions.familyId, sql.placeholder('familyId')), eq(versions.number, sql.placeholder('number'))))
    .prepare(),
)

/** The newest version of a family with exactly these bytes in this format, read by today's rules. */
export async function findVersionByHash(
  connection: Connection,
  familyId: string,
  contentHash: string,
  format: VersionRow['format'],
): Promise<VersionHead | undefined> {
  const [row] = await versionByHash(connection).execute({ familyId, contentHash, format })
  return row
}

const versionByHash = prepareOnce((connection) => {
  const { versions } = connection.t
  return connection.q
    .select(versionHeadColumns(connection))
    .from(versions)
    .where(
      and(
        eq(versions.familyId, sql.placeholder('familyId')),
        eq(versions.contentHash, sql.placeholder('contentHash')),
        eq(versions.format, sql.placeholder('format')),
        eq(versions.reading, newestReading),
      ),
    )
    .orderBy(desc(versions.number))
    .limit(1)
    .prepare()
})

/** The version that a source names as `reference@number`, by its family's name or slug. */
export async function findNamedVersion(
  connection: Connection,
  kind: 'contract' | 'template',
  { name, version }: { name: string; version: number },
): Promise<VersionRow | undefined> {
  const family = await findFamilyByReference(connection, kind, name)
  return family === undefined ? undefined : findVersionByNumber(connection, family.id, version)
}

/** The version of a contract that a source names, without its content. */
export async function findNamedContractSummary(
  connection: Connection,
  { name, version }: { name: string; version: number },
): Promise<VersionSummary | undefined> {
  const family = await findFamilyByReference(connection, 'contract', name)
  return family === undefined ? undefined : findVersionSummary(connection, family.id, version)
}

export async function findVersionSummary(
  connection: Connection,
  familyId: string,
  number: number,
): Promise<VersionSummary | undefined> {
  const [row] = await summaryByNumber(connection).execute({ familyId, number })
  return row
}

const summaryByNumber = prepareOnce(({ q, t: { versions } }) =>
  q
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
    .where(and(eq(versions.familyId, sql.placeholder('familyId')), eq(versions.number, sql.placeholder('number'))))
    .prepare(),
)

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

/** The templates that some versions include, with their slugs. */
export async function listFragmentsOf(
  connection: Connection,
  ids: readonly string[],
): Promise<{ id: string; fragments: string[] }[]> {
  const { versions } = connection.t
  const found: { id: string; fragments: string[] }[] = []
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const rows = await connection.q
      .select({ id: versions.id, fragments: versions.fragments })
      .from(versions)
      .where(and(inArray(versions.id, ids.slice(from, from + idsAtOnce)), isNotNull(versions.fragments)))
    found.push(...rows.flatMap(({ id, fragments }) => (fragments === null ? [] : [{ id, fragments }])))
  }
  return found
}

/** Tuned: values of one statement. */
const idsAtOnce = 500

/** A contract's usable version with the greatest number. */
export async function findNewestPublished(connection: Connection, familyId: string): Promise<VersionHead | undefined> {
  const { versions } = connection.t
  const [row] = await connection.q
    .select(versionHeadColumns(connection))
    .from(versions)
    .where(and(eq(versions.familyId, familyId), eq(versions.status, 'published')))
    .orderBy(desc(versions.number))
    .limit(1)
  return row
}

export interface Unapproved {
  /** The draft revision of the newest earlier published version; 0 if there is none. */
  after: number
  versions: Pick<VersionRow, 'number' | 'sourceRevision' | 'createdBy'>[]
}

/** A version, with the earlier ones since the last published one. */
export async function listUnapproved(connection: Connection, familyId: string, number: number): Promise<Unapproved> {
  const { versions } = connection.t
  const columns = { number: versions.number, sourceRevision: versions.sourceRevision, createdBy: versions.createdBy }
  const [approved] = await connection.q
    .select(columns)
    .from(versions)
    .where(and(eq(versions.familyId, familyId), lt(versions.number, number), ne(versions.status, 'versioned')))
    .orderBy(desc(versions.number))
    .limit(1)
  const rows = await connection.q
    .select(columns)
    .from(versions)
    .where(
      and(eq(versions.familyId, familyId), gt(versions.number, approved?.number ?? 0), lte(versions.number, number)),
    )
    .orderBy(asc(versions.number))
  return { after: approved?.sourceRevision ?? 0, versions: rows }
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
