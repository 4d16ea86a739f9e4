/**
 * A round of the remover looks at what became due since the last one, and at what was at work then: not at all that a hold keeps,
 * nor at what has lost the part.
 */
import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { systemTimers } from '../../../src/core/timers.ts'
import { startRemover } from '../../../src/modules/retention/retention.remover.service.ts'
import { TestClock } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { fill, filledId } from '../../support/filled.ts'
import { signing } from '../../support/signing.ts'

describeOnBothDialects('a round of the remover', (dialect) => {
  test('looks only at what was at work a second time, until a hold is released', async () => {
    const rows = 600
    await using closing = new AsyncDisposableStack()
    const database = await openTestDatabase(dialect)
    closing.defer(() => database.close())
    database.attestWith?.(signing.attest)
    await fill(database, rows)
    const clock = new TestClock()
    const actor = { correlationId: 'test', placedBy: newId(), placedAt: clock.now() }
    const hold = { ...{ id: newId(), objectReference: 'POL-1', objectReferenceHash: sha256Hex('POL-1') }, ...actor }
    const policies = [{ keep_days: 3_650, parts: { steps: 1 } }]
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.holds).values({ ...hold, reason: 'case 3' })
      const set = { id: newId(), number: 1, policies, setBy: newId(), correlationId: 'test', setAt: clock.now() }
      await tx.q.insert(tx.t.retention).values(set)
    })
    let pages = 0
    const turn = async () => void pages++
    const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
    const remover = startRemover({
      ...{ database, objects: { get: async () => undefined }, clock, log, isLeader: async () => true, pauseMs: 0 },
      timers: { ...systemTimers, turn },
    })
    closing.defer(() => remover.stop())
    const round = async () => {
      pages = 0
      await remover.round()
      const [row] = await database.read.rows<{ n: number }>(
        sql`select count(*) as n from erased_items where kind = 'steps'`,
      )
      return { pages, gone: Number(row?.n) }
    }
    clock.advance(30 * 86_400_000)
    const whole = Math.ceil(rows / limits.retentionPageRows)
    // Queued, or of a row that waits in its batch, and not held.
    const [held, working] = [rows / 4, 113 + 5]
    expect(await round()).toEqual({ pages: whole, gone: rows - held - working })
    expect(await round()).toEqual({ pages: 0, gone: rows - held - working })

    // One of those that were at work has ended.
    await database.write((tx) =>
      tx.rows(sql`update executions set status = 'completed' where id = ${filledId('executions', rows)}`),
    )
    expect(await round()).toEqual({ pages: 0, gone: rows - held - working + 1 })
    await database.write((tx) =>
      tx.rows(sql`update holds set released_at = ${addMs(clock.now(), 0)}, release_reason = 'over', released_by = 'x'`),
    )
    const { pages: again, gone } = await round()
    expect([again, gone]).toEqual([whole, rows - 150 - 7 + 1])
  }, 120_000)
})
