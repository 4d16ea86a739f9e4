import { afterEach, expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import { createServer } from 'node:net'
import type { MqttClient } from 'mqtt'
import { openBus } from '../../src/bus/bus.ts'
import { MqttBus, type ProtocolVersion } from '../../src/bus/client.ts'
import { BusUnavailable } from '../../src/bus/message-bus.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'

type Done = (reason?: Error) => void

/** A connection whose broker does only what the test says. */
class Connection extends EventEmitter {
  readonly ended: unknown[] = []
  readonly published: { topic: string; options: object; done: Done }[] = []
  readonly subscribed: { filter: string; done: Done }[] = []
  constructor(
    readonly version: ProtocolVersion,
    readonly dialedAtMs: number,
  ) {
    super()
  }
  publish(topic: string, _payload: string, options: object, done: Done): void {
    this.published.push({ topic, options, done })
  }
  subscribe(filter: string, _options: object, done: Done): void {
    this.subscribed.push({ filter, done })
  }
  end(force: boolean): void {
    this.ended.push(force)
  }
  endAsync(): Promise<void> {
    this.end(false)
    return Promise.resolve()
  }
}

const buses: MqttBus[] = []
afterEach(async () => {
  for (const bus of buses.splice(0)) await bus.close()
})

function dialing() {
  const connections: Connection[] = []
  const bus = new MqttBus(
    (version) => {
      const connection = new Connection(version, performance.now())
      connections.push(connection)
      return connection as unknown as MqttClient
    },
    [5, 4],
  )
  buses.push(bus)
  const next = async (count: number) => {
    await until(`connection ${count} is dialled`, () => connections.length === count)
    return connections[count - 1]!
  }
  return { bus, connections, next }
}
const refusal = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error as Error)

test('a publish that is not acknowledged in time ends its connection, and all that waits on it', async () => {
  const { bus, next } = dialing()
  const first = await next(1)
  first.emit('connect')
  const late = refusal(bus.publish('a', '', { deadlineMs: 20 }))
  const beside = refusal(bus.publish('b', '', { deadlineMs: 600_000 }))
  expect(await late).toBeInstanceOf(BusUnavailable)
  expect(await beside).toBeInstanceOf(BusUnavailable)
  expect(((await beside) as Error).cause).toMatchObject({ message: expect.stringContaining('20 ms') })
  // Thrown away with what it keeps: it must not send that again on its own.
  expect(first.ended).toEqual([true])
  // An acknowledgement that comes after all changes nothing, and the next connection has nothing to send.
  for (const { done } of first.published) done()
  const second = await next(2)
  second.emit('connect')
  expect(second.published).toEqual([])
})

test('a publish is QoS 1, not retained, and is settled by its own acknowledgement alone', async () => {
  const { bus, next } = dialing()
  const connection = await next(1)
  connection.emit('connect')
  const typed = bus.publish('a', '{}', { deadlineMs: 600_000, contentType: 'application/json' })
  const plain = refusal(bus.publish('b', '', { deadlineMs: 600_000 }))
  expect(connection.published.map(({ topic, options }) => [topic, options])).toEqual([
    ['a', { qos: 1, retain: false, properties: { contentType: 'application/json' } }],
    ['b', { qos: 1, retain: false, properties: {} }],
  ])
  connection.published[1]!.done(new Error('refused by the broker'))
  expect(((await plain) as Error).cause).toMatchObject({ message: 'refused by the broker' })
  connection.published[0]!.done()
  await typed
  expect(connection.ended).toEqual([])
})

test('a lost connection is dialled again, each time after a longer wait', async () => {
  const { bus, connections, next } = dialing()
  for (let count = 1; count <= 4; count++) {
    const connection = await next(count)
    connection.emit('error', new Error(`no way ${count}`))
    connection.emit('close')
    const refused = (await refusal(bus.publish('a', '', { deadlineMs: 600_000 }))) as Error
    expect([refused.name, (refused.cause as Error).message]).toEqual(['BusUnavailable', `no way ${count}`])
  }
  const waits = connections.slice(1).map(({ dialedAtMs }, index) => dialedAtMs - connections[index]!.dialedAtMs)
  // Half of each wait is certain, the other half is chance.
  for (const [index, waitedMs] of waits.entries()) expect(waitedMs).toBeGreaterThanOrEqual(125 * 2 ** index - 2)
  expect(connections.map(({ version }) => version)).toEqual([5, 5, 5, 5])
})

test.each([
  ['refuses the version with the code of MQTT 5', { code: 132 }, 4],
  ['refuses the version with the code of MQTT 3.1.1', { code: 1 }, 4],
  ['hangs up without a word', undefined, 4],
  ['refuses the password', { code: 135 }, 5],
  ['can not be reached', { code: 'ECONNREFUSED' }, 5],
] as const)('a broker that %s is asked again, in the version that it may speak', async (_what, fault, version) => {
  const { next } = dialing()
  const first = await next(1)
  if (fault !== undefined) first.emit('error', Object.assign(new Error('refused'), fault))
  first.emit('close')
  expect((await next(2)).version).toBe(version)
})

test('one that hangs up after a connection stood is asked again in the same version', async () => {
  const { next } = dialing()
  const first = await next(1)
  first.emit('connect')
  first.emit('close')
  expect((await next(2)).version).toBe(5)
})

test('each filter is subscribed once for each connection, and a late connection’s news are nobody’s', async () => {
  const { bus, next } = dialing()
  const heard: string[] = []
  const connected: number[] = []
  bus.onConnected(() => connected.push(1))
  for (const name of ['one', 'two']) await bus.subscribe('a/+', (topic) => heard.push(`${name} ${topic}`))
  const first = await next(1)
  first.emit('connect')
  expect(first.subscribed.map(({ filter }) => filter)).toEqual(['a/+'])
  const more = bus.subscribe('b', (topic) => heard.push(`three ${topic}`))
  await bus.subscribe('a/+', () => {})
  first.subscribed[1]!.done()
  await more
  first.emit('message', 'a/x', new Uint8Array())
  first.emit('message', 'b', new Uint8Array())
  expect(heard).toEqual(['one a/x', 'two a/x', 'three b'])
  first.emit('close')
  const second = await next(2)
  // The old one comes back after it was given up.
  first.emit('connect')
  expect([connected.length, second.subscribed.length]).toEqual([1, 0])
  second.emit('connect')
  expect(second.subscribed.map(({ filter }) => filter)).toEqual(['a/+', 'b'])
  expect(connected).toHaveLength(2)
  second.subscribed[0]!.done(new Error('not allowed'))
  expect(second.ended).toEqual([true])
})

test('a subscription that the broker refuses says so', async () => {
  const { bus, next } = dialing()
  const connection = await next(1)
  connection.emit('connect')
  const refused = refusal(bus.subscribe('a', () => {}))
  connection.subscribed[0]!.done(new Error('not allowed'))
  expect(await refused).toBeInstanceOf(BusUnavailable)
})

test('a closed bus says goodbye, dials no more, and refuses to publish', async () => {
  const { bus, connections, next } = dialing()
  const connection = await next(1)
  connection.emit('connect')
  await bus.close()
  expect(connection.ended).toEqual([false, true])
  expect(await refusal(bus.publish('a', '', { deadlineMs: 10 }))).toBeInstanceOf(BusUnavailable)
  const { bus: lost, connections: dialled, next: nextOf } = dialing()
  ;(await nextOf(1)).emit('close')
  await lost.close()
  // Longer than the first wait may be.
  await Bun.sleep(300)
  expect([connections.length, dialled.length]).toEqual([1, 1])
})

test('a broker is greeted in version 5, with a clean session and a sign of life four times a minute', async () => {
  const greetings: Buffer[] = []
  const server = createServer((socket) =>
    socket.on('data', (bytes) => greetings.push(Buffer.from(bytes))).on('error', () => {}),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const bus = await openBus(`mqtt://127.0.0.1:${port}`)
  await until('it has greeted', () => greetings.length > 0)
  // MQTT 5.0, 3.1.2: the name, the version, the flags (clean start alone) and the keep-alive.
  const at = greetings[0]!.indexOf('MQTT') + 4
  expect([...greetings[0]!.subarray(at, at + 4)]).toEqual([5, 0x02, 0, 15])
  await bus.close()
  server.close()
})

test('a bus uses the credentials of its address, spelled as addresses spell them', async () => {
  const port = await freePort()
  const broker = await openBus(`embedded://us%3Aer:p%40ss@127.0.0.1:${port}`)
  const bus = await openBus(`mqtt://us%3Aer:p%40ss@127.0.0.1:${port}`)
  const probe = () =>
    bus.publish('other', '', { deadlineMs: 5_000 }).then(
      () => true,
      () => false,
    )
  await until('it is let in', probe)
  await bus.close()
  await broker.close()
})
