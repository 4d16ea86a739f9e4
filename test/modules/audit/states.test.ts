import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { appendEvent } from '../../../src/bus/outbox.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { newId } from '../../../src/core/ids.ts'
import { readStates } from '../../../src/modules/audit/audit.states.reads.ts'
import { seedExecution } from '../../runner/seed.ts'
import { openTestDatabase } from '../../support/database.ts'

/** As many as are sealed at once, in pairs of one submission. */
const EXECUTIONS = 64

test('the state of an execution is the same whichever others are read with it', async () => {
  const database = await openTestDatabase('sqlite')
  const submissions = Array.from({ length: EXECUTIONS / 2 }, newId)
  const ids: string[] = []
  for (let index = 0; index < EXECUTIONS; index++) ids.push(await seedExecution(database, { stepCount: 2 }))
  await database.write(async (tx) => {
    const { executions } = tx.t
    for (const [index, id] of ids.entries()) {
      const submissionId = submissions[index >> 1]!
      await tx.q.update(executions).set({ submissionId }).where(eq(executions.id, id))
    }
    for (const aggregateId of submissions) {
      const about = { aggregate: 'submission', aggregateId, type: 'created' } as const
      await appendEvent(tx, systemClock.now(), { ...about, data: {}, correlationId: 'c' })
    }
  })
  const alone = new Map<string, unknown>()
  for (const id of ids) alone.set(id, (await readStates(database.read, 'execution', [id])).get(id))
  for (const size of [17, 33, EXECUTIONS]) {
    const some = ids.slice(0, size)
    expect(await readStates(database.read, 'execution', some)).toEqual(
      new Map(some.map((id) => [id, alone.get(id)])) as never,
    )
  }
  await database.close()
})
