/** Writing the files of cases: the same rows for projects that are applied and for suites that are changed. */
import type { Actor } from '../../core/actor.ts'
import { sha256Hex } from '../../core/hash.ts'
import type { Transaction } from '../../db/database.ts'
import { putFiles, removeFiles } from './suites.store.ts'

export { holdCaseFiles } from './suites.store.ts'

/** Rows of one statement, so that none has more values than PostgreSQL takes. */
const rowsAtOnce = 500

/** Writes files over those that are there, and removes others. The caller holds the files. */
export async function writeCaseFiles(
  tx: Transaction,
  actor: Actor,
  { written, removed }: { written: ReadonlyMap<string, Uint8Array>; removed: readonly string[] },
): Promise<void> {
  const rows = [...written].map(([path, content]) => ({
    ...{ path, contentHash: sha256Hex(content), content },
    ...{ writtenBy: actor.userId, correlationId: actor.correlationId, writtenAt: actor.at },
  }))
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await putFiles(tx, rows.slice(start, start + rowsAtOnce))
  }
  for (let start = 0; start < removed.length; start += rowsAtOnce) {
    await removeFiles(tx, removed.slice(start, start + rowsAtOnce))
  }
}
