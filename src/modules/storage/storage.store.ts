import { and, eq, gte, lt, type SQL } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { Connection } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import type { ArtifactKind, Tables } from '../../db/schema.ts'

export type StorageRow = Tables['artifacts']['$inferSelect']

export interface StorageFilter {
  from: Instant
  to: Instant
  objectReference: string | undefined
  modelSlug: string | undefined
  nodeAddress: string | undefined
  format: ArtifactKind | undefined
}

/** Artifacts made in `from` ≤ t < `to`, newest first. Reads rows only: the object store is never asked. */
export async function listArtifacts(
  connection: Connection,
  filter: StorageFilter,
  after: PagePlace | undefined,
  limit: number,
): Promise<StorageRow[]> {
  const { artifacts } = connection.t
  const conditions: SQL[] = [gte(artifacts.createdAt, filter.from), lt(artifacts.createdAt, filter.to)]
  if (filter.objectReference !== undefined) conditions.push(eq(artifacts.objectReference, filter.objectReference))
  if (filter.modelSlug !== undefined) conditions.push(eq(artifacts.modelSlug, filter.modelSlug))
  if (filter.nodeAddress !== undefined) conditions.push(eq(artifacts.nodeAddress, filter.nodeAddress))
  if (filter.format !== undefined) conditions.push(eq(artifacts.kind, filter.format))
  if (after !== undefined) conditions.push(olderThan(artifacts.createdAt, artifacts.id, after))
  return connection.q
    .select()
    .from(artifacts)
    .where(and(...conditions))
    .orderBy(...newestFirst(artifacts.createdAt, artifacts.id))
    .limit(limit)
}
