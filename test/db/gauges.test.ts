/** Gauges of what waits look at a bounded number of rows, however much waits, and still know the oldest. */
import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { readBacklog } from '../../src/bus/relay.store.ts'
import { countPending, readWebhookBacklog } from '../../src/modules/webhooks/webhooks.store.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { fill, filledId } from '../support/filled.ts'

describeOnBothDialects('the gauges', (dialect) => {
  test('count up to a bound, and tell the oldest', async () => {
    await using closing = new AsyncDisposableStack()
    const database = await openTestDatabase(dialect)
    closing.defer(() => database.close())
    await fill(database, 200)
    const most = 150
    await database.write(async (tx) => {
      await tx.rows(sql`update events set published_at = null`)
      await tx.rows(sql`update webhooks set status = 'active'`)
      // Nearly all wait for one receiver, but not the oldest.
      await tx.rows(sql`update webhook_deliveries set status = 'pending', webhook_id = ${filledId('webhooks', 3)}
        where id > ${filledId('webhookDeliveries', 4)}`)
      await tx.rows(sql`update webhook_deliveries set webhook_id = ${filledId('webhooks', 9)}
        where id = ${filledId('webhookDeliveries', 1)}`)
    })
    const { size, oldestAgeSeconds } = await readBacklog(database.read, most)
    expect(size).toBe(most)
    const oldest = async (table: string) => {
      const [row] = await database.read.rows<{ at: string }>(sql.raw(`select min(created_at) as at from ${table}`))
      return row!.at
    }
    const ageSeconds = Math.floor((Date.now() - Date.parse(await oldest('events'))) / 1_000)
    expect(Math.abs(Math.max(0, ageSeconds) - oldestAgeSeconds)).toBeLessThan(10)
    const pending = await countPending(database.read, most)
    expect([pending.get(filledId('webhooks', 3)), pending.get(filledId('webhooks', 9))]).toEqual([most, 1])
    expect(pending.get(filledId('webhooks', 10))).toBe(0)
    expect(await readWebhookBacklog(database.read, most)).toMatchObject({
      pending: most + 1,
      oldest: await oldest('webhook_deliveries'),
    })
  })
})
