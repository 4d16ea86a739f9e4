/**
 * The audit trail: what a record costs a transaction, how fast sealer and verifier are, and a page of the list in a small and a
 * large table.
 *
 * Method: temporary files, synchronous=FULL, 64 callers; a transaction with only a small row, then the same with its audit
 * record. Pages are read 200 times from 1,000 records and from the given number (1,000,000 by default), the first page and one in
 * the middle.
 * Run: bun bench/audit.bench.ts [records]
 */
import { newId } from '../src/core/ids.ts'
import { addMs, type Instant, parseInstant } from '../src/core/instant.ts'
import type { Database } from '../src/db/database.ts'
import { sealBatch } from '../src/modules/audit/audit.sealer.ts'
import { createAuditService, recordAudit, verifyChain } from '../src/modules/audit/audit.service.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { openTestDatabase } from '../test/support/database.ts'
import { percentile, show } from './figures.ts'

const TRANSACTIONS = 20_000
const SMALL = 1_000
const LARGE = Number(process.argv[2] ?? 1_000_000)
const PAGES = 200
const start = parseInstant('2026-01-01T00:00:00Z')!
const people = Array.from({ length: 20 }, newId)
const actions = ['submission.created', 'artifact.downloaded', 'session.opened', 'contract.created', 'case.generated']

async function perSecond(count: number, work: (index: number) => Promise<unknown>): Promise<number> {
  let left = count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (left > 0) await work(left--)
    }),
  )
  return (count * 1000) / (performance.now() - startedAt)
}

function actorAt(index: number) {
  return { userId: people[index % people.length]!, correlationId: `c${index}`, at: addMs(start, index) }
}

const entry = (index: number) => ({
  action: actions[index % actions.length]!,
  resourceKind: actions[index % actions.length]!.split('.')[0]!,
  resourceId: newId(),
  detail: { model_slug: 'policy', raw_input_hash: 'a'.repeat(64) },
})

async function costs(): Promise<void> {
  const database = await openTestDatabase('sqlite')
  const row = (index: number, prefix: string, at: Instant) => {
    return { key: `${prefix}${index}`, failures: 1, windowStartedAt: at, blockedUntil: at }
  }
  const plain = await perSecond(TRANSACTIONS, (index) =>
    database.write((tx) => tx.q.insert(tx.t.throttles).values(row(index, 'p', start))),
  )
  const audited = await perSecond(TRANSACTIONS, (index) =>
    database.write(async (tx) => {
      await tx.q.insert(tx.t.throttles).values(row(index, 'a', start))
      await recordAudit(tx, actorAt(index), entry(index))
    }),
  )
  let startedAt = performance.now()
  while ((await sealBatch(database)) > 0) {}
  const sealing = (TRANSACTIONS * 1000) / (performance.now() - startedAt)
  startedAt = performance.now()
  const verified = await verifyChain(database.read, 1)
  const verifying = (verified.checked * 1000) / (performance.now() - startedAt)
  if (!verified.ok || verified.checked !== TRANSACTIONS) throw new Error('the chain does not hold')
  console.log(`transactions without a record         ${show(plain)}/s`)
  console.log(
    `with one                              ${show(audited)}/s   (${show(1e6 / audited - 1e6 / plain)} µs more each)`,
  )
  console.log(`sealing                               ${show(sealing)}/s`)
  console.log(`verifying                             ${show(verifying)}/s`)
  await database.close()
}

async function filled(count: number): Promise<Database> {
  const database = await openTestDatabase('sqlite')
  for (let index = 0; index < count; ) {
    await database.write(async (tx) => {
      for (const end = Math.min(index + 500, count); index < end; index++) {
        await recordAudit(tx, actorAt(index), entry(index))
      }
    })
  }
  return database
}

/** Median milliseconds of a page: the newest one, and one in the middle. */
async function pageMs(database: Database, query: { action?: string }): Promise<number> {
  const audit = createAuditService(database)
  const half = (await audit.list({ ...query, limit: 50, to: middleOf(database) })).next_cursor!
  const times: number[] = []
  for (let turn = 0; turn < PAGES; turn++) {
    const startedAt = performance.now()
    await audit.list({ ...query, limit: 50, ...(turn % 2 === 0 ? {} : { cursor: half }) })
    times.push(performance.now() - startedAt)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return percentile(
    times.sort((a, b) => a - b),
    50,
  )
}

const sizes = new WeakMap<Database, number>()
function middleOf(database: Database): string {
  return addMs(start, (sizes.get(database) ?? 0) / 2)
}

await costs()
const small = await filled(SMALL)
sizes.set(small, SMALL)
const large = await filled(LARGE)
sizes.set(large, LARGE)
for (const [name, query] of [
  ['all', {}],
  ['one action', { action: actions[2]! }],
] as const) {
  const [few, many] = [await pageMs(small, query), await pageMs(large, query)]
  console.log(
    `page of 50 of ${LARGE}, ${name.padEnd(12)} ${show(many)} ms   (${show(many / few)} × that of ${SMALL})  [≤ 1.5]`,
  )
}
await small.close()
await large.close()
await cleanUp()
