import { and, inArray, isNull } from 'drizzle-orm'
import type { Connection } from '../../db/database.ts'

/** Those of these content hashes that an artifact names whose bytes no policy has removed. */
export async function namedHashes(connection: Connection, hashes: readonly string[]): Promise<Set<string>> {
  const { artifacts } = connection.t
  const rows = await connection.q
    .selectDistinct({ hash: artifacts.contentHash })
    .from(artifacts)
    .where(and(inArray(artifacts.contentHash, [...hashes]), isNull(artifacts.removedAt)))
  return new Set(rows.map((row) => row.hash))
}
