import { expect, test } from 'bun:test'
import { type Aggregate, appendEvents } from '../../src/bus/outbox.ts'
import { loadChains, markPublished } from '../../src/bus/relay.store.ts'
import { addMs, instantFromEpochMs } from '../../src/core/instant.ts'
import type { Connection } from '../../src/db/database.ts'
import { openTestDatabase } from '../support/database.ts'

test('statements of chains are built once for some kinds of aggregates, in whichever order they come', async () => {
  const database = await openTestDatabase('sqlite')
  let built = 0
  const { q } = database.read
  const counting = new Proxy(q, {
    get: (target, name, receiver) => {
      if (name === 'select') built++
      return Reflect.get(target, name, receiver)
    },
  })
  const connection: Connection = { ...database.read, q: counting }
  const builtFor = async (kinds: readonly Aggregate[]) => {
    await database.write(async (tx) => {
      for (const [index, aggregate] of kinds.entries()) {
        const event = { aggregate, aggregateId: `of ${aggregate}`, type: 'created', data: {}, correlationId: 'c' }
        await appendEvents(tx, addMs(instantFromEpochMs(0), index), [event])
      }
    })
    built = 0
    const chains = await loadChains(connection, 'broker', 100)
    expect(chains.map(([first]) => first?.aggregate).toSorted()).toEqual(kinds.toSorted())
    await markPublished(
      database,
      chains.flatMap((chain) => chain.map(({ id }) => id)),
    )
    return built
  }
  await builtFor(['user', 'release', 'batch'])
  for (const kinds of [
    ['batch', 'release', 'user'],
    ['release', 'user', 'batch'],
  ] as const) {
    expect(await builtFor(kinds)).toBe(0)
  }
  expect(await builtFor(['user', 'batch'])).toBe(1)
  await database.close()
})
