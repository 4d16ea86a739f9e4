import { inArray } from 'drizzle-orm'
import type { Connection } from '../../db/database.ts'

/** Those of these content hashes that an artifact's row names. */
export async function namedHashes(connection: Connection, hashes: readonly string[]): Promise<Set<string>> {
  const { artifacts } = connection.t
  const rows = await connection.q
    .selectDistinct({ hash: artifacts.contentHash })
    .from(artifacts)
    .where(inArray(artifacts.contentHash, [...hashes]))
  return new Set(rows.map((row) => row.hash))
}
