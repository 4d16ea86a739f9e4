import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { parseInstant } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { useOnce } from '../../../src/modules/auth/provider-sessions.service.ts'
import {
  blockUntil,
  clearCounter,
  knowsAddress,
  refundAttempt,
  rememberAddress,
} from '../../../src/modules/auth/throttle.store.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

const at = (text: string) => parseInstant(`2026-11-20T${text}Z`)!
const now = at('10:00:00')
const blocked = at('11:00:00')

describeOnBothDialects('the counters of attempts', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  beforeEach(() =>
    database.write(async (tx) => {
      await tx.q.delete(tx.t.throttles)
      const counted = { windowStartedAt: now, blockedUntil: blocked }
      const [mine, other] = [
        { key: 'mine', failures: 5, ...counted },
        { key: 'other', failures: 3, ...counted },
      ]
      await tx.q.insert(tx.t.throttles).values([mine, other])
    }),
  )
  afterAll(() => database.close())

  async function counters() {
    const rows = await database.read.q.select().from(database.read.t.throttles)
    return Object.fromEntries(rows.map(({ key, failures, blockedUntil }) => [key, [failures, blockedUntil]]))
  }
  const other = [3, blocked]

  test('give one attempt back to its own key, and end the block that it caused', async () => {
    await database.write((tx) => refundAttempt(tx, 'mine', now, 5))
    expect(await counters()).toEqual({ mine: [4, now], other })
  })

  test('keep the block where enough attempts are left', async () => {
    await database.write((tx) => refundAttempt(tx, 'mine', now, 4))
    expect(await counters()).toEqual({ mine: [4, blocked], other })
    await database.write((tx) => refundAttempt(tx, 'nobody', now, 4))
    expect(await counters()).toEqual({ mine: [4, blocked], other })
  })

  test('are blocked and cleared one by one', async () => {
    await database.write((tx) => blockUntil(tx, 'mine', at('12:00:00')))
    expect(await counters()).toEqual({ mine: [5, at('12:00:00')], other })
    await database.write((tx) => clearCounter(tx, 'mine'))
    expect(await counters()).toEqual({ other })
  })

  test('know an address from the moment that it was remembered, each by itself', async () => {
    await database.write((tx) => rememberAddress(tx, 'a', now))
    const knows = (key: string, since: string) => database.write((tx) => knowsAddress(tx, key, at(since)))
    expect([await knows('a', '10:00:00'), await knows('a', '10:00:01'), await knows('b', '09:00:00')]).toEqual([
      ...[true, false, false],
    ])
    await database.write((tx) => rememberAddress(tx, 'a', at('10:30:00')))
    expect(await knows('a', '10:00:01')).toBe(true)
    expect(await counters()).toMatchObject({ mine: [5, blocked], other })
  })

  test('remember of each thing by itself that it was used, and until when', async () => {
    const use = (what: string, until = '12:00:00') => database.write((tx) => useOnce(tx, what, now, at(until)))
    expect([await use('state 1'), await use('state 2'), await use('state 1', '13:00:00')]).toEqual([true, true, false])
    const used = Object.entries(await counters()).filter(([key]) => key.startsWith('once:'))
    expect(used.map(([, counted]) => counted)).toEqual(Array(2).fill([0, at('12:00:00')]))
    expect(used.some(([key]) => key.includes('state'))).toBe(false)
  })
})
