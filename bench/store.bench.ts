/**
 * Durable transactions per second on libSQL: one caller, and 64 that share commits; and a select by key.
 *
 * Method: a temporary file, synchronous=FULL, one inserted row per transaction. Beside it, in the same run, the plain client with
 * the same pragmas, where every insert is a commit of its own. Run: bun bench/store.bench.ts
 */
import { join } from 'node:path'
import { createClient } from '@libsql/client/sqlite3'
import { eq } from 'drizzle-orm'
import { instantFromEpochMs } from '../src/core/instant.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { openTestDatabase, temporaryFolder } from '../test/support/database.ts'
import { show } from './figures.ts'

const ALONE = 500
const SHARED = 20_000
const READS = 20_000
const at = instantFromEpochMs(0)

const peer = createClient({ url: `file:${join(temporaryFolder(), 'peer.db')}`, concurrency: 1 })
for (const pragma of ['journal_mode=WAL', 'synchronous=FULL']) await peer.execute(`PRAGMA ${pragma}`)
await peer.execute('create table rows (key text primary key, failures integer)')

const database = await openTestDatabase('sqlite')
const { throttles } = database.read.t
let next = 0
const insertOne = () =>
  database.write((tx) =>
    tx.q.insert(throttles).values({ key: `k${next++}`, failures: 1, windowStartedAt: at, blockedUntil: at }),
  )

async function perSecond(count: number, callers: number, work: (index: number) => Promise<unknown>): Promise<number> {
  let left = count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left > 0) await work(left--)
    }),
  )
  return (count * 1000) / (performance.now() - startedAt)
}

const plain = await perSecond(ALONE, 1, (index) =>
  peer.execute({ sql: 'insert into rows values (?, 1)', args: [`p${index}`] }),
)
const alone = await perSecond(ALONE, 1, insertOne)
const shared = await perSecond(SHARED, 64, insertOne)
const reads = await perSecond(READS, 1, async (index) => {
  await database.read.q
    .select()
    .from(throttles)
    .where(eq(throttles.key, `k${index % SHARED}`))
  if (index % 256 === 0) await new Promise((resolve) => setImmediate(resolve))
})
console.log(`plain client, a commit each           ${show(plain)}/s`)
console.log(`Quire, 1 caller                       ${show(alone)}/s   (${show(alone / plain)} × the plain client)`)
console.log(`Quire, 64 callers sharing commits     ${show(shared)}/s   (${show(shared / plain)} × the plain client)`)
console.log(`Quire, select by key                  ${show(reads)}/s`)
await database.close()
peer.close()
await cleanUp()
