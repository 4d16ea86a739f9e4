/** What reads a whole store takes a page of it at a time, so that its memory does not grow with the store. */
import { afterEach, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { PgPreparedQuery } from 'drizzle-orm/pg-core'
import { SQLitePreparedQuery } from 'drizzle-orm/sqlite-core'
import { makeBackup } from '../../src/commands/backup.ts'
import { createProgress } from '../../src/commands/progress.ts'
import { verifyObjects, verifyRows } from '../../src/commands/verify.ts'
import { limits } from '../../src/core/limits.ts'
import { ensureStoreId } from '../../src/db/store-id.ts'
import { verifyCoverage } from '../../src/modules/audit/audit.coverage.ts'
import { verifyChain } from '../../src/modules/audit/audit.service.ts'
import { listUndone } from '../../src/modules/erasures/erasures.reconcile.service.ts'
import { openLedger } from '../../src/modules/ledger/ledger.service.ts'
import { openDirectoryStore } from '../../src/objects/directory.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../support/database.ts'
import { fill } from '../support/filled.ts'

setDefaultTimeout(120_000)

/** More than the largest page. */
const ROWS = 1_200

/** Statements that gave more rows than a page has, of those that were run since. */
function watchStatements() {
  const tooLarge: string[] = []
  let run = 0
  const watched = [PgPreparedQuery.prototype, SQLitePreparedQuery.prototype] as unknown as {
    queryWithCache(text: string, values: unknown[], work: () => Promise<unknown>): Promise<unknown>
  }[]
  const spies = watched.map((prototype) =>
    spyOn(prototype, 'queryWithCache').mockImplementation(async (text, _values, work) => {
      const found = await work()
      const { length } = (Array.isArray(found) ? found : (found as { rows: unknown[] }).rows) as unknown[]
      run++
      if (length > limits.tableHashRows) tooLarge.push(`${length}: ${text}`)
      return found
    }),
  )
  stopWatching = () => {
    for (const spy of spies) spy.mockRestore()
  }
  return { tooLarge, run: () => run }
}

let stopWatching = () => {}
afterEach(() => stopWatching())

describeOnBothDialects('a store of many rows', (dialect) => {
  test('is verified and backed up page by page', async () => {
    const database = await openTestDatabase(dialect)
    await ensureStoreId(database)
    await fill(database, ROWS)
    // All but the last are sealed.
    await database.write((tx) =>
      tx.rows(sql`update audit_records set position = numbered.n
        from (select id, row_number() over (order by id) as n from audit_records) as numbered
        where numbered.id = audit_records.id and n <= ${ROWS - 10}`),
    )
    await database.write((tx) => tx.rows(sql`update artifacts set removed_at = created_at`))
    const folder = temporaryFolder()
    const objects = await openDirectoryStore(join(folder, 'objects'), {})
    const { read } = database
    const progress = createProgress({ write() {} })
    let problems = 0
    const report = () => void problems++
    const { tooLarge, run } = watchStatements()
    await verifyRows(read, report, progress)
    await verifyObjects(read, objects, { report, progress })
    await verifyChain(read, 1)
    await verifyCoverage({ connection: read, inOneState: (work) => database.snapshot(work), report })
    await listUndone(read, openLedger({ dataFolder: join(folder, 'data'), erasureLedger: undefined }, objects))
    let bytes = 0
    const writer = {
      wantsSizes: true,
      begin: async () => {},
      write: async (some: Uint8Array) => {
        bytes += some.length
      },
      finish: async () => {},
      abandon: async () => {},
    }
    const { tables } = await makeBackup({ database, objects, writer, progress })
    expect(tooLarge).toEqual([])
    expect(run()).toBeGreaterThan(300)
    expect(problems).toBeGreaterThan(ROWS)
    expect(tables.filter(({ rows }) => rows >= ROWS).length).toBeGreaterThan(15)
    expect(bytes).toBeGreaterThan(ROWS * 1_000)
    await database.close()
  })
})
