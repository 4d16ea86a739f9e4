import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type FileFormat, fileFormatNames } from '../../core/formats.ts'
import type { Instant } from '../../core/instant.ts'
import { type FilterValues, storageFilters } from '../../core/list-filters.ts'
import type { Connection } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import { narrow } from '../../db/narrow.ts'
import type { Tables } from '../../db/schema.ts'

export type StorageRow = Tables['artifacts']['$inferSelect']

/** The window, which is always given, and the query's filters. */
export type StorageFilter = FilterValues<typeof storageFilters> & { from: Instant; to: Instant }

/** Artifacts made in `from` ≤ t < `to`, newest first. Reads only rows, never the object store. */
export async function listArtifacts(
  connection: Connection,
  filter: StorageFilter,
  after: PagePlace | undefined,
  limit: number,
): Promise<StorageRow[]> {
  if (filter.format !== undefined) return listOfFormat(connection, filter, filter.format, after, limit)
  const lists = fileFormatNames.map((format) => listOfFormat(connection, filter, format, after, limit))
  return newestOf(await Promise.all(lists)).slice(0, limit)
}

function listOfFormat(
  connection: Connection,
  filter: StorageFilter,
  format: FileFormat,
  after: PagePlace | undefined,
  limit: number,
) {
  const { artifacts } = connection.t
  const { format: _asked, from, to, ...others } = filter
  const isFiltered = Object.values(others).some((value) => value !== undefined)
  const conditions: SQL[] = [
    // Unfiltered pages have an index on this expression.
    isFiltered ? eq(artifacts.kind, format) : sql`(${artifacts.kind} || '') = ${format}`,
    ...narrow(connection, storageFilters, artifacts, { from, to, ...others }),
  ]
  if (after !== undefined) conditions.push(olderThan(artifacts.createdAt, artifacts.id, after))
  return connection.q
    .select()
    .from(artifacts)
    .where(and(...conditions))
    .orderBy(...newestFirst(artifacts.createdAt, artifacts.id))
    .limit(limit)
}

/** Merges the lists' rows, newest first. */
function newestOf(lists: readonly StorageRow[][]): StorageRow[] {
  const place = (row: StorageRow) => `${row.createdAt} ${row.id}`
  return lists.flat().sort((a, b) => (place(a) < place(b) ? 1 : -1))
}
