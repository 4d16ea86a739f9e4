import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId } from '../../../src/core/ids.ts'
import { createLog } from '../../../src/core/log.ts'
import { systemTimers } from '../../../src/core/timers.ts'
import type { RetentionPolicy } from '../../../src/db/schema.ts'
import { createPolicyService } from '../../../src/modules/policies/policies.service.ts'
import { startRemover } from '../../../src/modules/retention/retention.remover.service.ts'
import { TestClock } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { fill } from '../../support/filled.ts'
import { signing } from '../../support/signing.ts'

describeOnBothDialects('a round of the remover', (dialect) => {
  test.each<[string, RetentionPolicy, 'steps' | undefined]>([
    ['submissions', { keep_days: 1 }, undefined],
    ['parts of them', { keep_days: 3_650, parts: { steps: 1 } }, 'steps'],
  ])('removes no more %s once other policies are in force', async (_what, policy, part) => {
    await using closing = new AsyncDisposableStack()
    const database = await openTestDatabase(dialect)
    closing.defer(() => database.close())
    database.attestWith?.(signing.attest)
    await fill(database, 200)
    const clock = new TestClock()
    clock.advance(30 * 86_400_000)
    const setting = createPolicyService(database)
    let sets = 0
    const set = async (policies: RetentionPolicy[]) => {
      const actor = { userId: newId(), correlationId: 'test', at: clock.now() }
      const request = { actorId: actor.userId, key: `set ${sets}`, requestHash: 'x' }
      await setting.set(actor, request, { policies, expected_number: sets++ })
    }
    await set([policy])
    const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
    const removed = async () => {
      const kind = part ?? 'submission'
      const [row] = await database.read.rows<{ n: number }>(
        sql`select count(*) as n from erased_items where kind = ${kind}`,
      )
      return Number(row?.n)
    }
    let before: number | undefined
    const remover = startRemover({
      ...{ database, objects: { get: async () => undefined }, clock, log, isLeader: async () => true, batch: 10 },
      // Between two transactions somebody keeps everything for longer.
      timers: {
        ...systemTimers,
        async sleep() {
          if (before !== undefined) return
          before = await removed()
          await set([{ keep_days: 3_650 }])
        },
      },
    })
    closing.defer(() => remover.stop())
    await remover.round()
    expect(before).toBeGreaterThan(0)
    expect(await removed()).toBe(before as number)
    await remover.round()
    expect(await removed()).toBe(before as number)
  })
})
