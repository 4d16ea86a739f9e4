import { expect, test } from 'bun:test'
import { openBus } from '../../src/bus/bus.ts'
import { Lease } from '../../src/bus/lease.ts'
import { appendEvents } from '../../src/bus/outbox.ts'
import { startRelay } from '../../src/bus/relay.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { readClock } from '../../src/db/clock.ts'
import { openTestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

test('an event that is committed while the relay rests is on its way at once, however seldom it looks', async () => {
  const database = await openTestDatabase('sqlite')
  const bus = await openBus('embedded')
  const received: string[] = []
  await bus.subscribe('quire/v1/#', (topic) => void received.push(topic))
  const relay = startRelay({ database, bus, log, owner: 'one', pollMs: 600_000, isSoleInstance: true })
  const append = async (aggregateId: string) => {
    const at = await readClock(database)
    const event = { aggregate: 'execution' as const, aggregateId, type: 'queued', data: {}, correlationId: 'c' }
    await database.write((tx) => appendEvents(tx, at, [event]))
  }
  // Each begins a new rest, so none is found by the look that the one before began.
  for (let count = 1; count <= 3; count++) {
    await append(`a${count}`)
    await until('it has been published', () => received.length === count)
    await Bun.sleep(5 * limits.relayGatherMs)
  }
  expect(received).toEqual([1, 2, 3].map((count) => `quire/v1/execution/a${count}/queued`))
  await relay.drain(2_000)
  await bus.close()
  await database.close()
})

test('an owner gives back the one role that it lets go of, and no role that another has taken since', async () => {
  const database = await openTestDatabase('sqlite')
  const lease = (name: string, owner: string, leaseMs = 60_000) => new Lease(database, { name, owner, leaseMs })
  const [kept, left] = [lease('kept', 'one'), lease('left', 'one')]
  expect([await kept.hold(), await left.hold()]).toEqual([true, true])
  await left.release()
  expect([left.isHeld, kept.isHeld]).toEqual([false, true])
  expect(await lease('kept', 'two').hold()).toBe(false)
  const taken = lease('left', 'two')
  expect(await taken.hold()).toBe(true)
  // The first lets go a second time, and again after another has its role.
  await left.release()
  expect(await lease('left', 'three').hold()).toBe(false)

  const short = lease('brief', 'one', 1)
  await short.hold()
  await Bun.sleep(20)
  expect(await lease('brief', 'two').hold()).toBe(true)
  await short.release()
  expect(await lease('brief', 'three').hold()).toBe(false)
  await database.close()
})
