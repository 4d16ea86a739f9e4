/**
 * The peak memory of `quire verify` and `quire backup`, by the rows of an embedded store: `bun bench/memory.bench.ts [rows…]`.
 * The database makes the rows itself, a twentieth of them in each of its large tables. So most are findings for `verify`, which
 * reads and counts all of them. There are no objects, so the artifacts' bytes are marked as removed.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { commandTable } from '../src/commands/table.ts'
import { openDatabase } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { ensureStoreId } from '../src/db/store-id.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { startCommand } from '../test/support/command.ts'
import { temporaryFolder } from '../test/support/database.ts'
import { fill } from '../test/support/filled.ts'

const wanted = process.argv.slice(2).map(Number)
for (const rows of wanted.length === 0 ? [100_000, 1_000_000] : wanted) {
  const folder = temporaryFolder()
  const data = join(folder, 'quire-data')
  mkdirSync(data, { mode: 0o700 })
  const database = await openDatabase(`file:${join(data, 'quire.db')}`)
  await migrate(database)
  await ensureStoreId(database)
  await fill(database, rows / 20)
  await database.write((tx) => tx.rows(sql`update artifacts set removed_at = created_at`))
  await database.close()
  for (const args of [['verify'], ['backup', join(folder, 'copy')]]) {
    // An executable restarts itself with these.
    const runtime = commandTable.find(({ name }) => name === args[0])?.runtime
    const child = startCommand(folder, args, { ...runtime })
    const [said, complained] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const code = await child.exited
    const used = child.resourceUsage()
    const megabytes = Math.round((used?.maxRSS ?? 0) / 1e6)
    const seconds = (Number(used?.cpuTime.total ?? 0) / 1e6).toFixed(1)
    const last = (said.trim().split('\n').at(-1) ?? '') || complained.trim().split('\n').at(-1)
    process.stdout.write(
      `${rows} rows, ${args[0]}: ${megabytes} MB at most, ${seconds} s of processor time, ended with ${code}: ${last}\n`,
    )
  }
}
await cleanUp()
