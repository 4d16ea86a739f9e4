/** Writes files of cases, for projects that are applied and for suites that are changed. */
import type { Actor } from '../../core/actor.ts'
import { contentHashOf } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { othersTurn } from '../../core/turns.ts'
import type { Transaction } from '../../db/database.ts'
import { putFiles, removeFiles } from './suites.store.ts'

export { holdCaseFiles } from './suites.store.ts'

/** Groups rows so that each statement writes them quickly. */
function* statementsOf<Row extends { content: Uint8Array }>(rows: readonly Row[]): Generator<Row[]> {
  let some: Row[] = []
  let bytes = 0
  for (const row of rows) {
    if (some.length === rowsAtOnce || bytes + row.content.length > limits.caseFilesStatementBytes) {
      if (some.length > 0) yield some
      some = []
      bytes = 0
    }
    some.push(row)
    bytes += row.content.length
  }
  if (some.length > 0) yield some
}

/** Fixed by PostgreSQL, whose statements take 65,535 values: this many rows stay below. */
const rowsAtOnce = 500

/** Writes files over existing ones, and removes others. The caller holds the lock of case files. */
export async function writeCaseFiles(
  tx: Transaction,
  actor: Actor,
  { written, removed }: { written: ReadonlyMap<string, Uint8Array>; removed: readonly string[] },
): Promise<void> {
  const rows = [...written].map(([path, content]) => ({
    ...{ path, contentHash: contentHashOf(content), content },
    ...{ writtenBy: actor.userId, correlationId: actor.correlationId, writtenAt: actor.at },
  }))
  for (const some of statementsOf(rows)) {
    await putFiles(tx, some)
    await othersTurn()
  }
  for (let start = 0; start < removed.length; start += rowsAtOnce) {
    await removeFiles(tx, removed.slice(start, start + rowsAtOnce))
  }
}
