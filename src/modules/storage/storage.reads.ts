import { and, inArray, isNull } from 'drizzle-orm'
import type { Connection } from '../../db/database.ts'

/** Those of these content hashes that a row names: an artifact's whose bytes no policy has removed, or that of a batch whose file is kept. */
export async function namedHashes(connection: Connection, hashes: readonly string[]): Promise<Set<string>> {
  const { artifacts, batches } = connection.t
  const rows = await connection.q
    .selectDistinct({ hash: artifacts.contentHash })
    .from(artifacts)
    .where(and(inArray(artifacts.contentHash, [...hashes]), isNull(artifacts.removedAt)))
  const files = await connection.q
    .select({ hash: batches.contentHash })
    .from(batches)
    .where(inArray(batches.fileHash, [...hashes]))
  return new Set([...rows, ...files].map((row) => row.hash))
}
