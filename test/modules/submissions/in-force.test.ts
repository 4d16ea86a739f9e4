import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { systemClock } from '../../../src/core/clock.ts'
import type { Transaction } from '../../../src/db/database.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { InForce } from '../../../src/modules/submissions/submissions.in-force.ts'
import { openTestDatabase } from '../../support/database.ts'

test('what was read before a change is not kept after it', async () => {
  const database = await openTestDatabase('sqlite')
  await seedDemo(database, systemClock)
  const rows = await database.read.rows<{ id: string }>(sql`select id from families where kind = 'transformer'`)
  const [family, other] = [rows[0]!.id, 'another']
  let changes = 1
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const inForce = new InForce()
  /** A transaction whose answers come late. */
  const transaction = (answers: Promise<void>): Transaction => ({
    ...database.read,
    afterCommit: () => {},
    attest: () => null,
    configuration: () => changes,
    over: (statement) => {
      const own = database.read.over(statement)
      const execute = async (values: Record<string, unknown>) => {
        const read = await own.execute(values as never)
        await answers
        return read
      }
      return { execute } as never
    },
  })
  const at = systemClock.now()
  const early = inForce.list(transaction(released), [family], at)
  await Bun.sleep(1)
  await database.write((tx) => tx.rows(sql`update families set name = 'renamed' where id = ${family}`))
  changes++
  const now = transaction(Promise.resolve())
  await inForce.list(now, [other], at)
  release()
  expect((await early)[0]?.name).not.toBe('renamed')
  expect((await inForce.list(now, [family], at))[0]?.name).toBe('renamed')
  await database.close()
})
