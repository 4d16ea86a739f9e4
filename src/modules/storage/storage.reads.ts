import { and, inArray, isNull } from 'drizzle-orm'
import type { Connection } from '../../db/database.ts'
import { prepareByIds } from '../../db/prepared.ts'

/**
 * Those of these content hashes that a row names: an artifact whose bytes no policy has removed, or a batch that still has its
 * file.
 */
export async function namedHashes(connection: Connection, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await ofArtifacts(connection, hashes)
  const files = await ofBatches(connection, hashes)
  return new Set([...rows, ...files].map((row) => row.hash))
}

/** Runs before each removal of an object. */
const ofArtifacts = prepareByIds(({ q, t: { artifacts } }, hashes) =>
  q
    .selectDistinct({ hash: artifacts.contentHash })
    .from(artifacts)
    .where(and(inArray(artifacts.contentHash, hashes), isNull(artifacts.removedAt)))
    .prepare(),
)

const ofBatches = prepareByIds(({ q, t: { batches } }, hashes) =>
  q.select({ hash: batches.contentHash }).from(batches).where(inArray(batches.fileHash, hashes)).prepare(),
)
