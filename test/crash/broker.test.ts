import { expect, test } from 'bun:test'
import mqtt from 'mqtt'
import { openBus } from '../../src/bus/bus.ts'
import { appendEvents } from '../../src/bus/outbox.ts'
import { startRelay } from '../../src/bus/relay.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createLog } from '../../src/core/log.ts'
import { mosquittoAvailable, startMosquitto } from '../bus/mosquitto.ts'
import { openTestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { rounds, seededRandom } from './load.ts'

const EVENTS = 20_000
const PER_AGGREGATE = 10
const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

test.if(mosquittoAvailable)(
  'events that gathered while the broker was down arrive whole and in order, though it is stopped again and again',
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
    for (let first = 0; first < EVENTS; first += 100) {
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
    const bus = await openBus(broker.url)
    const relay = startRelay({ database, bus, clock: systemClock, log, owner: 'relay', isSoleInstance: true })
    expect((await relay.health()).backlogSize).toBe(EVENTS)
    const backlog = async () => (await relay.health()).backlogSize
    const stoppedAt: number[] = []
    for (let stop = 0; stop < rounds(3, 12); stop++) {
      const before = await backlog()
      await broker.start()
      await until('the outbox drains', async () => (await backlog()) < before, 20_000)
      await Bun.sleep(random() * 20)
      await broker.stop()
      stoppedAt.push(await backlog())
    }
    // Each stop must have come in the middle, or this test has shown nothing.
    expect(stoppedAt.at(-1)!).toBeGreaterThan(0)
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
