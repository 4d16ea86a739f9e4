/**
 * What a replica costs the writers of an embedded database, and how far it lags behind.
 *
 * Method: 64 callers, each transaction writing one row of 2,000 characters (temporary file, synchronous=FULL), alternately
 * without a replica and with one in another folder of the same disk; the lag is read every 10 ms. Then the newest state is
 * rebuilt.
 * Run: bun bench/replica.bench.ts [transactions]
 */
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createLog } from '../src/core/log.ts'
import { openDatabase } from '../src/db/connect.ts'
import type { Database } from '../src/db/database.ts'
import { openObjectStore } from '../src/objects/objects.ts'
import { rebuildDatabase } from '../src/replica/rebuild.ts'
import { startReplicator } from '../src/replica/replicator.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { temporaryFolder } from '../test/support/database.ts'
import { until } from '../test/support/until.ts'
import { show } from './figures.ts'

const TRANSACTIONS = Number(process.argv[2] ?? 10_000)
const ROUNDS = 3
const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const text = 'x'.repeat(2_000)

async function perSecond(database: Database): Promise<number> {
  let left = TRANSACTIONS
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (left-- > 0) await database.write((tx) => tx.rows(sql`insert into rows (text) values (${text})`))
    }),
  )
  return (TRANSACTIONS * 1_000) / (performance.now() - startedMs)
}

async function emptyDatabase(): Promise<Database> {
  const database = await openDatabase(`file:${join(temporaryFolder(), 'quire.db')}`)
  await database.write((tx) => tx.rows(sql`create table rows (id integer primary key, text text)`))
  return database
}

for (let round = 0; round < ROUNDS; round++) {
  const plain = await emptyDatabase()
  const alone = await perSecond(plain)
  await plain.close()

  const database = await emptyDatabase()
  const objects = await openObjectStore(`file:${temporaryFolder()}`)
  const target = await openObjectStore(`file:${temporaryFolder()}`)
  const replicator = startReplicator({ database, objects, target, log, keepDays: 7 })
  await until('the first copy is complete', () => replicator.lagSeconds() !== undefined)
  let lag = 0
  const timer = setInterval(() => {
    lag = Math.max(lag, replicator.lagSeconds() ?? 0)
  }, 10)
  const replicated = await perSecond(database)
  clearInterval(timer)
  await replicator.stop()
  await database.close()
  const startedMs = performance.now()
  await rebuildDatabase(target, join(temporaryFolder(), 'copy.db'))
  const rebuiltMs = performance.now() - startedMs
  const rates = `${show(alone)} transactions a second, ${show(replicated)} with a replica (${show(replicated / alone)})`
  console.log(`${rates}; longest lag ${show(lag)} s; made again in ${show(rebuiltMs)} ms`)
}
await cleanUp()
