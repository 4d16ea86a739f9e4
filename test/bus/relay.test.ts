import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { connectAsync } from 'mqtt'
import { openBus } from '../../src/bus/bus.ts'
import { Lease } from '../../src/bus/lease.ts'
import { type Bus, BusUnavailable } from '../../src/bus/message-bus.ts'
import { appendEvent, appendEvents, type NewEvent } from '../../src/bus/outbox.ts'
import { markPublished } from '../../src/bus/relay.store.ts'
import { type Relay, type RelayDependencies, startRelay } from '../../src/bus/relay.ts'
import { addMs, type Instant, parseInstant } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { readClock } from '../../src/db/clock.ts'
import type { Database } from '../../src/db/database.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { mosquittoAvailable, startMosquitto } from './mosquitto.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const at = parseInstant('2026-11-20T09:30:00.5Z')!

interface Message {
  id: string
  subject: string
  sequence: string
  type: string
  [member: string]: unknown
}

function event(aggregateId: string, type = 'step.started'): NewEvent {
  return { aggregate: 'execution', aggregateId, type, data: { n: 1 }, correlationId: 'c-1' }
}

/** The embedded bus with what goes through it written down, and a switch that breaks it. */
async function observedBus() {
  const inner = await openBus('embedded')
  const published: Message[] = []
  const state = { isDown: false, inFlight: 0, mostInFlight: 0, perSubject: new Map<string, number>(), overlaps: 0 }
  const connected: (() => void)[] = []
  const bus: Bus = {
    ...inner,
    subscribe: inner.subscribe,
    probe: inner.probe,
    onConnected: (listener) => connected.push(listener),
    close: () => inner.close(),
    async publish(topic, payload, options) {
      if (state.isDown) throw new BusUnavailable('down for the test')
      const message = JSON.parse(payload) as Message
      const beside = state.perSubject.get(message.subject) ?? 0
      if (beside > 0) state.overlaps++
      state.perSubject.set(message.subject, beside + 1)
      state.mostInFlight = Math.max(state.mostInFlight, ++state.inFlight)
      published.push(message)
      await inner.publish(topic, payload, options)
      state.inFlight--
      state.perSubject.set(message.subject, (state.perSubject.get(message.subject) ?? 1) - 1)
    },
  }
  return { bus, published, state, reconnect: () => connected.map((listener) => listener()) }
}

describeOnBothDialects('the outbox relay', (dialect) => {
  let database: Database
  const relays: Relay[] = []
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  beforeEach(async () => {
    // Until it has ended: a relay that is woken to stop makes one more round, and would take the lease of the next test.
    for (const relay of relays.splice(0)) await relay.drain(2_000)
    await database.write(async (tx) => {
      await tx.q.delete(tx.t.events)
      await tx.q.delete(tx.t.leases)
    })
  })
  afterAll(async () => {
    for (const relay of relays) await relay.drain(0)
    await database.close()
  })

  function relayOver(bus: Bus, options: Partial<RelayDependencies> = {}): Relay {
    const relay = startRelay({ database, bus, log, owner: 'one', pollMs: 50, ...options })
    relays.push(relay)
    return relay
  }

  function append(...events: NewEvent[]): Promise<void> {
    return database.write((tx) => appendEvents(tx, at, events))
  }

  async function unpublished(): Promise<number> {
    const rows = await database.read.q.select().from(database.read.t.events)
    return rows.filter((row) => row.publishedAt === null).length
  }

  test('delivers a committed event as CloudEvents JSON to an ordinary subscriber, and marks it', async () => {
    const port = await freePort()
    const bus = await openBus(`embedded://127.0.0.1:${port}`)
    const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 4, reconnectPeriod: 0 })
    const arrival = new Promise<{ topic: string; text: string; qos: number; retain: boolean }>((resolve) =>
      client.on('message', (topic, payload, packet) =>
        resolve({ topic, text: payload.toString(), qos: packet.qos, retain: packet.retain }),
      ),
    )
    await client.subscribeAsync('quire/v1/#', { qos: 1 })
    relayOver(bus)
    await append(event('e1', 'completed'))
    const { topic, text, qos, retain } = await arrival
    expect({ topic, qos, retain }).toEqual({ topic: 'quire/v1/execution/e1/completed', qos: 1, retain: false })
    const [row] = await database.read.q.select().from(database.read.t.events)
    expect(JSON.parse(text)).toEqual({
      specversion: '1.0',
      id: row!.id,
      source: '/quire/v1/execution',
      type: 'quire.execution.completed',
      subject: 'e1',
      time: '2026-11-20T09:30:00.5Z',
      datacontenttype: 'application/json',
      sequence: '1',
      sequencetype: 'Integer',
      correlationid: 'c-1',
      data: { n: 1 },
    })
    await until('it is marked', async () => (await unpublished()) === 0)
    await client.endAsync(true)
    await bus.close()
  })

  test('never publishes what was rolled back', async () => {
    const { bus, published } = await observedBus()
    relayOver(bus)
    await database
      .write(async (tx) => {
        await appendEvent(tx, at, event('doomed'))
        throw new Error('rolled back')
      })
      .catch(() => {})
    await append(event('kept'))
    await until('the other is published', () => published.length === 1)
    // What is written later comes out later: had it been kept, the first would be here by now.
    await append(event('last'))
    await until('the last is published', () => published.length > 1)
    expect(published.map((message) => message.subject)).toEqual(['kept', 'last'])
    await bus.close()
  })

  test('keeps events while the broker is down and delivers each once afterwards, in order per aggregate', async () => {
    const { bus, published, state, reconnect } = await observedBus()
    state.isDown = true
    const relay = relayOver(bus)
    for (let round = 0; round < 10; round++) await append(...['a', 'b', 'c'].map((id) => event(id)), event('a'))
    await until('a failure is counted', async () => (await relay.health()).publishFailures > 0)
    const health = await relay.health()
    expect(health.backlogSize).toBe(40)
    expect(health.oldestUnpublishedAgeSeconds).toBeGreaterThanOrEqual(0)
    expect(published).toEqual([])
    expect(await unpublished()).toBe(40)
    state.isDown = false
    reconnect()
    await until('the outbox is empty', async () => (await relay.health()).backlogSize === 0)
    for (const subject of ['a', 'b', 'c']) {
      const sequences = published
        .filter((message) => message.subject === subject)
        .map((message) => Number(message.sequence))
      expect(sequences).toEqual(Array.from({ length: subject === 'a' ? 20 : 10 }, (_, index) => index + 1))
    }
    expect(new Set(published.map((message) => message.id)).size).toBe(published.length)
    await bus.close()
  })

  test('keeps one message in flight for each aggregate and a bounded number over all', async () => {
    const { bus, state, published } = await observedBus()
    for (let index = 0; index < 100; index++) await append(event(`x${index}`), event(`x${index}`), event(`x${index}`))
    const relay = relayOver(bus)
    await until('the outbox is empty', async () => (await relay.health()).backlogSize === 0)
    expect(published).toHaveLength(300)
    expect(state.overlaps).toBe(0)
    expect(state.mostInFlight).toBeGreaterThan(10)
    expect(state.mostInFlight).toBeLessThanOrEqual(limits.relayWindowMessages)
    await bus.close()
  })

  test('finds an event whose id and time are older than those it has published already', async () => {
    const { bus, published } = await observedBus()
    const relay = relayOver(bus)
    await append(event('young'))
    await until('the young one is published', () => published.length === 1)
    await database.write((tx) => appendEvent(tx, addMs(at, -3_600_000), event('late-commit')))
    await until('the outbox is empty', async () => (await relay.health()).backlogSize === 0)
    expect(published.map((message) => message.subject)).toEqual(['young', 'late-commit'])
    await bus.close()
  })

  test('orders an aggregate’s events by sequence if the clocks of two instances disagree', async () => {
    const { bus, published } = await observedBus()
    const sooner = addMs(at, -60_000) as Instant
    await append(event('skewed'))
    await database.write((tx) => appendEvent(tx, sooner, event('skewed')))
    // The window between them is filled with others, so that the first of the two isn't loaded beside the second.
    const crowd = Array.from({ length: limits.relayBatchEvents }, (_, index) => event(`crowd${index}`))
    await database.write((tx) => appendEvents(tx, addMs(at, -30_000), crowd))
    const relay = relayOver(bus)
    await until('the outbox is empty', async () => (await relay.health()).backlogSize === 0)
    const skewed = published.filter((message) => message.subject === 'skewed')
    expect(skewed.map((message) => message.sequence)).toEqual(['1', '2'])
    await bus.close()
  })

  test('waits for an event that is missing between two of its aggregate', async () => {
    const { bus, published } = await observedBus()
    // The second was written by an instance whose clock is ahead, and so sorts behind many others.
    await append(event('gap'))
    await database.write((tx) => appendEvent(tx, addMs(at, 60_000), event('gap')))
    await append(event('gap'))
    const crowd = Array.from({ length: limits.relayBatchEvents }, (_, index) => event(`crowd${index}`))
    await database.write((tx) => appendEvents(tx, addMs(at, 30_000), crowd))
    const relay = relayOver(bus)
    await until('the outbox is empty', async () => (await relay.health()).backlogSize === 0)
    const sequences = published.filter(({ subject }) => subject === 'gap').map(({ sequence }) => sequence)
    expect(sequences).toEqual(['1', '2', '3'])
    await bus.close()
  })

  test('holds an aggregate’s events after a failed one, and sends that one again', async () => {
    const { bus, published } = await observedBus()
    const tried: string[] = []
    let isRefusing = true
    const refusing: Bus = {
      ...bus,
      publish: async (topic, payload, options) => {
        const { subject, sequence } = JSON.parse(payload) as Message
        tried.push(`${subject}${sequence}`)
        if (isRefusing && sequence === '2') throw new BusUnavailable('refused for the test')
        await bus.publish(topic, payload, options)
      },
    }
    await append(event('s'), event('s'), event('s'))
    const relay = relayOver(refusing)
    await until('it was tried twice', () => tried.filter((one) => one === 's2').length === 2)
    expect(tried).toEqual(['s1', 's2', 's2'])
    expect(await unpublished()).toBe(2)
    expect((await relay.health()).publishFailures).toBeGreaterThanOrEqual(2)
    isRefusing = false
    relay.wake()
    await until('the outbox is empty', async () => (await relay.health()).backlogSize === 0)
    expect(published.map(({ sequence }) => sequence)).toEqual(['1', '2', '3'])
    await bus.close()
  })

  test('waits longer after each failure, whatever is committed meanwhile', async () => {
    const { bus } = await observedBus()
    const triedAtMs: number[] = []
    const dead: Bus = {
      ...bus,
      publish: () => {
        triedAtMs.push(performance.now())
        return Promise.reject(new BusUnavailable('down for the test'))
      },
    }
    await append(event('w'))
    relayOver(dead)
    await until('it has tried three times', async () => {
      await append(event('w'))
      return triedAtMs.length >= 3
    })
    // Half of each back-off is certain, the other half is chance.
    const waits = triedAtMs.slice(1).map((tried, index) => tried - triedAtMs[index]!)
    for (const [index, waitedMs] of waits.entries()) {
      expect(waitedMs).toBeGreaterThanOrEqual((limits.relayBackoffMs * 2 ** index) / 2 - 2)
    }
    await bus.close()
  })

  test('tells how many events wait, and how long the oldest has', async () => {
    const { bus, state } = await observedBus()
    state.isDown = true
    const now = await readClock(database)
    const relay = startRelay({ database, bus, log, owner: 'one', pollMs: 50 })
    relays.push(relay)
    expect(await relay.health()).toMatchObject({ backlogSize: 0, oldestUnpublishedAgeSeconds: 0 })
    await database.write((tx) => appendEvent(tx, addMs(now, -5_400_000), event('old')))
    await database.write((tx) => appendEvent(tx, addMs(now, -60_000), event('younger')))
    const health = await relay.health()
    expect(health.backlogSize).toBe(2)
    expect(health.oldestUnpublishedAgeSeconds).toBeWithin(5_400, 5_430)
    await database.write((tx) => tx.q.delete(tx.t.events))
    await database.write((tx) => appendEvent(tx, addMs(now, 200_000), event('ahead')))
    // An instance whose clock is ahead has written it.
    expect(await relay.health()).toMatchObject({ backlogSize: 1, oldestUnpublishedAgeSeconds: 0 })
    await bus.close()
  })

  test('keeps the time of an event’s first mark', async () => {
    await append(event('marked'))
    const [row] = await database.read.q.select().from(database.read.t.events)
    const markedAt = async () => (await database.read.q.select().from(database.read.t.events))[0]!.publishedAt
    await markPublished(database, [row!.id])
    const first = await markedAt()
    expect(first).not.toBeNull()
    await markPublished(database, [row!.id])
    expect(await markedAt()).toBe(first)
  })

  test('publishes nothing more once it has lost its lease, even in the middle of a chain', async () => {
    const { bus, published } = await observedBus()
    const released = Promise.withResolvers<void>()
    const slow: Bus = {
      ...bus,
      publish: async (topic, payload, options) => {
        await bus.publish(topic, payload, options)
        await released.promise
      },
    }
    await append(event('l'), event('l'))
    const relay = relayOver(slow, { leaseMs: 200 })
    await until('the first is on its way', () => published.length === 1)
    const successor = new Lease(database, { name: 'outbox-relay', owner: 'successor', leaseMs: 60_000 })
    await until('another has its role', () => successor.hold())
    released.resolve()
    await until('the first is marked', async () => (await unpublished()) === 1)
    await relay.drain(1_000)
    expect(published).toHaveLength(1)
    // Whoever has the role keeps it: a relay gives back its own only.
    const third = new Lease(database, { name: 'outbox-relay', owner: 'third', leaseMs: 60_000 })
    expect(await third.hold()).toBe(false)
    await successor.release()
    expect(await third.hold()).toBe(true)
    await third.release()
    await bus.close()
  })

  test('gives its role back when it is drained', async () => {
    const { bus, published } = await observedBus()
    const relay = relayOver(bus, { leaseMs: 600_000 })
    await append(event('r'))
    await until('it is published', () => published.length === 1)
    await relay.drain(5_000)
    expect(await new Lease(database, { name: 'outbox-relay', owner: 'two', leaseMs: 60_000 }).hold()).toBe(true)
    await bus.close()
  })

  test('asks the database seldom while there is nothing to do', async () => {
    const { bus, published } = await observedBus()
    let asked = 0
    const counting: Database = {
      ...{ dialect: database.dialect, writeLoad: database.writeLoad },
      get read() {
        asked++
        return database.read
      },
      write: (work) => database.write(work),
      ...{ snapshot: (work) => database.snapshot(work), close: () => database.close() },
    }
    relayOver(bus, { database: counting, pollMs: 100 })
    await append(event('i'))
    await until('it is published', () => published.length === 1)
    const before = asked
    await Bun.sleep(500)
    // Five polls, and some that belong to the round before.
    expect(asked - before).toBeLessThan(20)
    await bus.close()
  })

  test('starts again immediately if it is alone, even if the run before it never gave up its role', async () => {
    const { bus, published } = await observedBus()
    await new Lease(database, { name: 'outbox-relay', owner: 'the run before', leaseMs: 600_000 }).hold()
    await append(event('o'))
    relayOver(bus, { isSoleInstance: true })
    await until('it is published', () => published.length === 1)
    await bus.close()
  })

  test('takes a role over at once where no other process can have it, and asks for it only when half its time is over', async () => {
    const options = { name: 'sole', leaseMs: 60_000 }
    expect(await new Lease(database, { ...options, owner: 'the run before' }).hold()).toBe(true)
    expect(await new Lease(database, { ...options, owner: 'beside' }).hold()).toBe(false)
    const sole = new Lease(database, { ...options, owner: 'this run', isSoleInstance: true })
    expect(sole.isHeld).toBe(false)
    expect(await sole.hold()).toBe(true)
    const before = database.writeLoad.transactions
    expect(await sole.hold()).toBe(true)
    expect(database.writeLoad.transactions).toBe(before)
    const brief = new Lease(database, { name: 'brief', owner: 'this run', leaseMs: 400 })
    expect(await brief.hold()).toBe(true)
    const [taken] = await database.read.q
      .select()
      .from(database.read.t.leases)
      .where(eq(database.read.t.leases.name, 'brief'))
    await Bun.sleep(250)
    expect(await brief.hold()).toBe(true)
    const [renewed] = await database.read.q
      .select()
      .from(database.read.t.leases)
      .where(eq(database.read.t.leases.name, 'brief'))
    expect(renewed!.expiresAt > taken!.expiresAt).toBe(true)
    await sole.release()
    expect(sole.isHeld).toBe(false)
  })

  test('delivers again under the same id when it could not mark what was acknowledged', async () => {
    const { bus, published } = await observedBus()
    let faults = 0
    const failing: Database = {
      dialect: database.dialect,
      read: database.read,
      writeLoad: database.writeLoad,
      snapshot: (work) => database.snapshot(work),
      close: () => database.close(),
      write: (work) => {
        if (published.length > 0 && faults++ === 0) return Promise.reject(new Error('the disk is full, for the test'))
        return database.write(work)
      },
    }
    const quiet = createLog({ level: 'error', readable: true, write: () => {} })
    relays.push(startRelay({ database: failing, bus, log: quiet, owner: 'one', pollMs: 50 }))
    await append(event('again'))
    await until('it is marked', async () => (await unpublished()) === 0)
    expect(published).toHaveLength(2)
    expect(published[1]).toEqual(published[0]!)
    await bus.close()
  })

  test('leaves the outbox to one of two instances, until that one has gone', async () => {
    const one = await observedBus()
    const two = await observedBus()
    const first = relayOver(one.bus, { owner: 'one', leaseMs: 10_000 })
    await append(event('a'))
    await until('the first has published', () => one.published.length === 1)
    const second = relayOver(two.bus, { owner: 'two', leaseMs: 10_000 })
    await append(event('a'))
    await until('the outbox is empty', async () => (await first.health()).backlogSize === 0)
    expect([one.published.length, two.published.length]).toEqual([2, 0])
    await first.drain(1_000)
    await append(event('a'))
    await until('the second has taken over', async () => (await second.health()).backlogSize === 0)
    expect([one.published.length, two.published.length]).toEqual([2, 1])
    await one.bus.close()
    await two.bus.close()
  })

  test('sends nothing again that the one before it has marked while it took over', async () => {
    const [one, two] = [await observedBus(), await observedBus()]
    one.state.isDown = true
    const first = relayOver(one.bus, { owner: 'one', leaseMs: 10_000 })
    await append(event('a'))
    await until('the first tries', async () => (await first.health()).publishFailures > 0)
    // The second has seen the event by the time at which it asks for the role, and gets it once the first is over.
    const [asks, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late: Database = {
      dialect: database.dialect,
      read: database.read,
      writeLoad: database.writeLoad,
      snapshot: (work) => database.snapshot(work),
      close: () => database.close(),
      write: async (work) => {
        asks.resolve()
        await isOver.promise
        return database.write(work)
      },
    }
    const second = relayOver(two.bus, { owner: 'two', leaseMs: 10_000, database: late })
    await asks.promise
    one.state.isDown = false
    await until('the first has sent it', async () => (await first.health()).backlogSize === 0)
    await append(event('a'))
    await first.drain(1_000)
    isOver.resolve()
    await append(event('b'))
    await until('the second has taken over', async () => (await second.health()).backlogSize === 0)
    expect([one.published.length, two.published.map(({ subject }) => subject)]).toEqual([2, ['b']])
    await one.bus.close()
    await two.bus.close()
  })

  test('empties the outbox before it stops, within its deadline', async () => {
    const { bus, published } = await observedBus()
    const relay = relayOver(bus)
    await append(...Array.from({ length: 700 }, (_, index) => event(`d${index}`)))
    await relay.drain(20_000)
    expect(published).toHaveLength(700)
    expect(await unpublished()).toBe(0)
    await bus.close()
  })

  test('a lease is held by one owner at a time, and free once it ran out or was released', async () => {
    const leaseOf = (owner: string, leaseMs: number) => new Lease(database, { name: 'role', owner, leaseMs })
    const [one, two, brief] = [leaseOf('one', 60_000), leaseOf('two', 60_000), leaseOf('brief', 50)]
    expect(await one.hold()).toBe(true)
    expect(await two.hold()).toBe(false)
    expect([one.isHeld, two.isHeld]).toEqual([true, false])
    await one.release()
    expect(await brief.hold()).toBe(true)
    await Bun.sleep(100)
    expect(brief.isHeld).toBe(false)
    expect(await two.hold()).toBe(true)
    // Whose time is over gives back nothing: the role is another's by now.
    await brief.release()
    expect(await one.hold()).toBe(false)
    await two.release()
    expect(await one.hold()).toBe(true)
  })
})

describe.if(mosquittoAvailable)('the outbox relay over mosquitto', () => {
  test('delivers everything in order although the broker is killed in between', async () => {
    const database = await openTestDatabase('sqlite')
    const broker = await startMosquitto()
    const bus = await openBus(broker.url)
    const quiet = createLog({ level: 'error', readable: true, write: () => {} })
    const relay = startRelay({ database, bus, log: quiet, owner: 'one', pollMs: 50 })
    const heard: Message[] = []
    await bus.subscribe('quire/v1/#', (_topic, payload) => {
      heard.push(JSON.parse(new TextDecoder().decode(payload)))
    })
    await until('connected', () =>
      bus.probe().then(
        () => true,
        () => false,
      ),
    )
    const ids = Array.from({ length: 20 }, (_, index) => `m${index}`)
    for (let round = 0; round < 30; round++) {
      await database.write((tx) =>
        appendEvents(
          tx,
          at,
          ids.map((id) => event(id)),
        ),
      )
      if (round === 10) await broker.kill()
      if (round === 20) await broker.start()
    }
    await until('the outbox is empty', async () => (await relay.health()).backlogSize === 0, 15_000)
    // The broker acknowledges an event before it passes it on.
    const lastOf = (id: string) => heard.findLast((message) => message.subject === id)?.sequence
    await until('the last of each is heard', () => ids.every((id) => lastOf(id) === '30'))
    // What the broker had acknowledged and not yet passed on died with it; whatever arrived is in order all the same.
    for (const id of ids) {
      const sequences = heard.filter((message) => message.subject === id).map((message) => Number(message.sequence))
      const firstTimes = sequences.filter((sequence, index) => sequences.indexOf(sequence) === index)
      expect(firstTimes).toEqual([...firstTimes].sort((a, b) => a - b))
      expect(firstTimes.at(-1)).toBe(30)
    }
    await relay.drain(1_000)
    await bus.close()
    await broker.kill()
    await database.close()
  })
})
