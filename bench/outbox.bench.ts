/**
 * Events per second through the outbox, in order for each aggregate and marked after each acknowledgement, beside a bare MQTT
 * client that publishes the same messages with as many in flight.
 *
 * Method: a private mosquitto, QoS 1, no subscriber; the events are in the outbox (libSQL, synchronous=FULL) before the relay
 * starts, ten per aggregate. This process's processor time is printed, too. Run: bun bench/outbox.bench.ts
 */

import mqtt from 'mqtt'
import { openBus } from '../src/bus/bus.ts'
import { cloudEvent, eventTopic } from '../src/bus/cloudevent.ts'
import { appendEvents } from '../src/bus/outbox.ts'
import { loadChains } from '../src/bus/relay.store.ts'
import { startRelay } from '../src/bus/relay.ts'
import { systemClock } from '../src/core/clock.ts'
import { limits } from '../src/core/limits.ts'
import { createLog } from '../src/core/log.ts'
import { startMosquitto } from '../test/bus/mosquitto.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { openTestDatabase } from '../test/support/database.ts'
import { until } from '../test/support/until.ts'
import { show } from './figures.ts'

const EVENTS = Number(process.argv[2] ?? 10_000)
const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const broker = await startMosquitto()
const database = await openTestDatabase('sqlite')
for (let first = 0; first < EVENTS; first += 100) {
  await database.write((tx) =>
    appendEvents(
      tx,
      systemClock.now(),
      Array.from({ length: 100 }, (_, index) => ({
        aggregate: 'execution' as const,
        aggregateId: `aggregate-${Math.floor((first + index) / 10)}`,
        type: 'step.succeeded',
        data: { execution_id: 'e', step: 'render', position: 4, attempt: 1, duration_ms: 5 },
        correlationId: 'c',
      })),
    ),
  )
}
const messages = (await loadChains(database.read, 'broker', EVENTS))
  .flat()
  .map((event) => [eventTopic(event), cloudEvent(event)])

async function measure(work: () => Promise<unknown>): Promise<{ perSecond: number; cpuMs: number }> {
  const [cpu, startedAt] = [process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: (EVENTS * 1000) / (performance.now() - startedAt), cpuMs: (user + system) / 1000 / EVENTS }
}

const client = await mqtt.connectAsync(broker.url, { protocolVersion: 5 })
const bare = await measure(async () => {
  const waiting = messages.values()
  const publish = async () => {
    for (const [topic, payload] of waiting) await client.publishAsync(topic!, payload!, { qos: 1 })
  }
  await Promise.all(Array.from({ length: limits.relayWindowMessages }, publish))
})
await client.endAsync()

const bus = await openBus(broker.url)
await until('the bus is connected', () =>
  bus.probe().then(
    () => true,
    () => false,
  ),
)
let relay: ReturnType<typeof startRelay> | undefined
const ours = await measure(async () => {
  relay = startRelay({ database, bus, log, owner: 'bench', isSoleInstance: true })
  while ((await relay.health()).backlogSize > 0) await Bun.sleep(50)
})
const say = (name: string, { perSecond, cpuMs }: typeof ours, rest = '') =>
  process.stdout.write(
    `${name.padEnd(28)} ${show(perSecond).padStart(8)} a second, ${show(cpuMs)} processor ms each${rest}\n`,
  )
say('bare client, no order kept', bare)
say('outbox, in order', ours, `   ${show(ours.perSecond / bare.perSecond)} ×`)
await relay?.drain(1_000)
await bus.close()
await database.close()
await cleanUp()
