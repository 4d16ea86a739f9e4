import { expect, test } from 'bun:test'
import mqtt from 'mqtt'
import { openBus } from '../../src/bus/bus.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { appendEvents } from '../../src/bus/outbox.ts'
import { startRelay } from '../../src/bus/relay.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createLog } from '../../src/core/log.ts'
import type { Database } from '../../src/db/database.ts'
import { mosquittoAvailable, startMosquitto } from '../bus/mosquitto.ts'
import { openTestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { rounds, seededRandom } from './load.ts'
import { startRecordingWay } from './recording-way.ts'

const EVENTS = 20_000
const PER_AGGREGATE = 10
async function gatherEvents(database: Database, count: number): Promise<void> {
  for (let first = 0; first < count; first += 100) {
    await database.write((tx) =>
      appendEvents(
        tx,
        systemClock.now(),
        Array.from({ length: 100 }, (_, index) => ({
          aggregate: 'execution' as const,
          aggregateId: `aggregate-${Math.floor((first + index) / PER_AGGREGATE)}`,
          type: 'queued',
          data: { index: first + index },
          correlationId: 'c',
        })),
      ),
    )
  }
}

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

/**
 * Lets so many events through to the broker and keeps the rest waiting, so that each stop comes before the last event, however
 * fast the machine is.
 */
function behindValve(bus: Bus): { bus: Bus; letThrough(count: number): void } {
  let left = 0
  let opened = Promise.withResolvers<void>()
  return {
    bus: {
      subscribe: (filter, handler) => bus.subscribe(filter, handler),
      onConnected: (listener) => bus.onConnected(listener),
      probe: () => bus.probe(),
      close: () => bus.close(),
      async publish(topic, payload, options) {
        while (left <= 0) await opened.promise
        left--
        return bus.publish(topic, payload, options)
      },
    },
    letThrough(count) {
      left = count
      opened.resolve()
      opened = Promise.withResolvers()
    },
  }
}

test.if(mosquittoAvailable)(
  'delivers every event that gathered during an outage, in order, although the broker stops again and again',
  async () => {
    const random = seededRandom('broker')
    // It keeps its sessions over a restart: what it has acknowledged and lost is not for the outbox to bring back.
    const broker = await startMosquitto({ keepsSessions: true })
    const subscriber = mqtt.connect(broker.url, {
      protocolVersion: 5,
      clean: false,
      clientId: 'subscriber',
      reconnectPeriod: 50,
      properties: { sessionExpiryInterval: 3_600 },
    })
    const seen = new Map<string, { sequence: number; id: string }[]>()
    subscriber.on('message', (_topic, payload) => {
      const { subject, sequence, id } = JSON.parse(payload.toString())
      seen.set(subject, [...(seen.get(subject) ?? []), { sequence: Number(sequence), id }])
    })
    await subscriber.subscribeAsync('quire/v1/#', { qos: 1 })
    await broker.stop()

    const database = await openTestDatabase('sqlite')
    await gatherEvents(database, EVENTS)
    const { bus, letThrough } = behindValve(await openBus(broker.url))
    const relay = startRelay({ database, bus, log, owner: 'relay', isSoleInstance: true })
    expect((await relay.health()).backlogSize).toBe(EVENTS)
    const backlog = async () => (await relay.health()).backlogSize
    const stoppedAt: number[] = []
    const stops = rounds(3, 12)
    for (let stop = 0; stop < stops; stop++) {
      const before = await backlog()
      letThrough(EVENTS / (stops + 1))
      await broker.start()
      await until('the outbox drains', async () => (await backlog()) < before, 60_000)
      await Bun.sleep(random() * 20)
      await broker.stop()
      stoppedAt.push(await backlog())
    }
    expect(stoppedAt.at(-1)!).toBeGreaterThan(0)
    letThrough(Number.POSITIVE_INFINITY)
    await broker.start()
    await until('the outbox is empty', async () => (await backlog()) === 0, 120_000)
    const total = () => [...seen.values()].reduce((sum, list) => sum + new Set(list.map(({ id }) => id)).size, 0)
    await until('every event has arrived', () => total() === EVENTS, 30_000)

    expect(seen.size).toBe(EVENTS / PER_AGGREGATE)
    let repeated = 0
    for (const list of seen.values()) {
      const first = list.filter((event, index) => list.findIndex(({ id }) => id === event.id) === index)
      expect(first.map(({ sequence }) => sequence)).toEqual(Array.from({ length: PER_AGGREGATE }, (_, i) => i + 1))
      repeated += list.length - first.length
    }
    process.stderr.write(`broker: ${repeated} of ${EVENTS} events came more than once\n`)
    await relay.drain(1_000)
    await bus.close()
    await subscriber.endAsync(true)
    await database.close()
  },
  300_000,
)

test.if(mosquittoAvailable)(
  'repeats each event until a broker that keeps being killed acknowledges it, one per aggregate at a time',
  async () => {
    const random = seededRandom('broker killed')
    const count = rounds(4_000, 20_000)
    const broker = await startMosquitto()
    const way = await startRecordingWay(broker.port)
    await broker.kill()
    const database = await openTestDatabase('sqlite')
    await gatherEvents(database, count)
    const { bus, letThrough } = behindValve(await openBus(way.url))
    const relay = startRelay({ database, bus, log, owner: 'relay', isSoleInstance: true })
    const backlog = async () => (await relay.health()).backlogSize
    const acknowledged = () => way.seen.filter(({ kind }) => kind === 'puback').length
    const kills = rounds(5, 20)
    for (let kill = 0; kill < kills; kill++) {
      const before = acknowledged()
      letThrough(count / (kills + 1))
      await broker.start()
      await until('it takes events', () => acknowledged() > before, 30_000)
      await Bun.sleep(random() * 15)
      await broker.kill()
    }
    expect(await backlog()).toBeGreaterThan(0)
    letThrough(Number.POSITIVE_INFINITY)
    await broker.start()
    await until('the outbox is empty', async () => (await backlog()) === 0, 240_000)
    await relay.drain(1_000)

    const ids = new Map<string, string>()
    const answeredUpTo = new Map<string, number>()
    const underWay = new Map<string, { subject: string; sequence: number }>()
    let repeated = 0
    for (const one of way.seen) {
      const packet = `${one.connection}/${one.packetId}`
      if (one.kind === 'puback') {
        const { subject, sequence } = underWay.get(packet)!
        answeredUpTo.set(subject, Math.max(sequence, answeredUpTo.get(subject) ?? 0))
        continue
      }
      const { subject, sequence: text, id } = JSON.parse(one.payload)
      const sequence = Number(text)
      const event = `${subject}/${sequence}`
      if (ids.has(event)) repeated++
      expect(ids.get(event) ?? id).toBe(id)
      ids.set(event, id)
      // Nothing of an aggregate before the broker has answered for all that came before it.
      expect(answeredUpTo.get(subject) ?? 0).toBeGreaterThanOrEqual(sequence - 1)
      underWay.set(packet, { subject, sequence })
    }
    expect(ids.size).toBe(count)
    expect(answeredUpTo.size).toBe(count / PER_AGGREGATE)
    expect([...answeredUpTo.values()].every((sequence) => sequence === PER_AGGREGATE)).toBe(true)
    process.stderr.write(`broker killed: ${repeated} of ${count} events were sent more than once\n`)
    await bus.close()
    await database.close()
  },
  600_000,
)
