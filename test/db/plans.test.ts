/**
 * What works by itself, or looks a thing up, reads every large table by an index, however large it is: claims, the outbox,
 * the sealer, sweeps, retention and erasure, batches, webhooks, expiry, search. test/http/lists.test.ts has the lists.
 */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { works } from '../support/background-work.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { fill } from '../support/filled.ts'
import { plannedIn, withoutIndex } from '../support/planned-work.ts'

setDefaultTimeout(300_000)

const large =
  'submissions|executions|steps|artifacts|events|audit_records|idempotency|erasures|erased_items|batch_rows|batches|webhook_deliveries'

/** A large table that is read from end to end, whatever other name the statement gives it, or nearly so. */
function scansOf(statement: string, plan: string): string[] {
  const aliases = [...statement.matchAll(new RegExp(`["\`]?\\b(?:${large})\\b["\`]? (?:as )?["\`]?(\\w+)["\`]?`, 'gi'))]
  const names = [large, ...aliases.map(([, alias]) => alias ?? '')].filter(
    (name) => !/^(where|join|set|inner|left|on|order|group|limit|for|as)$/i.test(name) && name !== '',
  )
  const scan = new RegExp(`^.*(?:Seq Scan on (?:${large})\\b|\\bSCAN (?:${names.join('|')})\\b(?!.* USING)).*`, 'gm')
  return [...plan.matchAll(scan), ...plan.matchAll(nearlyAll)].map(([line]) => line.trim())
}

/** By a word that nearly all events have. */
const nearlyAll = /^.*events_sequence \(aggregate=\?\).*$/gm

/** Indexes that a plan doesn't take, and what it reads from end to end. */
async function faultsOf(
  planned: readonly { statement: string; plan: string }[],
  indexes: readonly string[],
): Promise<string[]> {
  const all = planned.map(({ plan }) => plan).join('\n')
  const missing = indexes.filter((index) => !new RegExp(`\\b${index}\\b`).test(all))
  const scans = planned.flatMap(({ statement, plan }) => scansOf(statement, plan))
  return [...missing.map((index) => `${index} is not taken:\n${all}`), ...scans]
}

describeOnBothDialects('the database', (dialect) => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    await fill(database, 2_000)
  })

  test('carries out by an index what nobody waits for, and says so of each statement', async () => {
    const faults: string[] = []
    for (const [name, indexes, work] of works) {
      const planned = await plannedIn(database, work)
      expect([name, planned.length > 0]).toEqual([name, true])
      for (const fault of await faultsOf(planned, indexes)) faults.push(`${name}: ${fault}`)
      // What is sorted may be all submissions of a reference. Steps that wait are few.
      if (!name.startsWith('search: ')) continue
      for (const { plan } of planned) if (plan.includes('TEMP B-TREE')) faults.push(`${name}: ${plan}`)
    }
    expect(faults).toEqual([])
  })

  test('is noticed when an index is missing', async () => {
    const byIndex = Map.groupBy(
      works.flatMap(([name, indexes, work]) => indexes.map((index) => ({ name, indexes, work, index }))),
      ({ index }) => index,
    )
    expect(byIndex.size).toBeGreaterThan(25)
    for (const [index, users] of byIndex) {
      await withoutIndex(database, index, async () => {
        for (const { name, indexes, work } of users) {
          const planned = await plannedIn(database, work)
          const faults = await faultsOf(planned, indexes)
          expect([name, index, planned.length > 0, faults.length > 0]).toEqual([name, index, true, true])
        }
      })
    }
  })
})
