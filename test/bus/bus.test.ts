import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { connectAsync, type MqttClient } from 'mqtt'
import { openBus } from '../../src/bus/bus.ts'
import { matchesFilter } from '../../src/bus/filter.ts'
import { type Bus, BusUnavailable, BusUrlInvalid } from '../../src/bus/message-bus.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { mosquittoAvailable, type PrivateMosquitto, startMosquitto } from './mosquitto.ts'

const deadlineMs = 20_000

interface Heard {
  topic: string
  text: string
}

function listener(): { heard: Heard[]; handler: (topic: string, payload: Uint8Array) => void } {
  const heard: Heard[] = []
  return { heard, handler: (topic, payload) => heard.push({ topic, text: new TextDecoder().decode(payload) }) }
}

function testsOfEveryBus(bus: () => Bus): void {
  test('delivers what was published to whoever subscribed, and to nobody else', async () => {
    const matching = listener()
    const other = listener()
    await bus().subscribe('quire/v1/execution/+/queued', matching.handler)
    await bus().subscribe('quire/v1/submission/#', other.handler)
    await bus().publish('quire/v1/execution/e1/queued', '{"a":1}', { deadlineMs })
    await until('the message arrives', () => matching.heard.length > 0)
    expect(matching.heard).toEqual([{ topic: 'quire/v1/execution/e1/queued', text: '{"a":1}' }])
    expect(other.heard).toEqual([])
  })

  test('gives a message once to each of two handlers of one filter', async () => {
    const one = listener()
    const two = listener()
    await bus().subscribe('quire/v1/twice', one.handler)
    await bus().subscribe('quire/v1/twice', two.handler)
    await bus().publish('quire/v1/twice', 'x', { deadlineMs })
    // A second delivery of the first message would come before the second message.
    await bus().publish('quire/v1/twice', 'y', { deadlineMs })
    await until('both have the second', () => [one, two].every(({ heard }) => heard.at(-1)?.text === 'y'))
    for (const { heard } of [one, two]) expect(heard.map(({ text }) => text)).toEqual(['x', 'y'])
  })

  test('keeps the order of 500 messages published one after the other', async () => {
    const all = listener()
    await bus().subscribe('quire/v1/order', all.handler)
    for (let index = 0; index < 500; index++) await bus().publish('quire/v1/order', String(index), { deadlineMs })
    await until('all have arrived', () => all.heard.length >= 500)
    expect(all.heard.map((heard) => Number(heard.text))).toEqual(Array.from({ length: 500 }, (_, index) => index))
  })

  test('answers its probe', async () => {
    await bus().probe()
  })
}

describe.each(['embedded', 'embedded:', 'embedded://'])('the bus %s, which only this process reaches', (url) => {
  let bus: Bus
  beforeAll(async () => {
    bus = await openBus(url)
  })
  afterAll(() => bus.close())

  testsOfEveryBus(() => bus)

  test('rejects every publish after it was closed', async () => {
    const own = await openBus(url)
    await own.close()
    expect(await outcomeOf(own.publish('quire/v1/x', 'x', { deadlineMs }))).toThrow(BusUnavailable)
    expect(await outcomeOf(own.probe())).toThrow(BusUnavailable)
  })
})

describe('the embedded broker with a port', () => {
  let port: number
  let bus: Bus
  let client: MqttClient
  const heard: Heard[] = []
  beforeAll(async () => {
    port = await freePort()
    bus = await openBus(`embedded://127.0.0.1:${port}`)
    client = await connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 4, reconnectPeriod: 0 })
    client.on('message', (topic, payload) => heard.push({ topic, text: payload.toString() }))
    await client.subscribeAsync('quire/v1/#', { qos: 1 })
  })
  afterAll(async () => {
    await client.endAsync(true)
    await bus.close()
  })

  testsOfEveryBus(() => bus)

  test('delivers to an ordinary MQTT client', async () => {
    await bus.publish('quire/v1/execution/e2/completed', '{"b":2}', { deadlineMs })
    await until('the client has it', () => heard.at(-1)?.topic.endsWith('/completed') === true)
    expect(heard.at(-1)).toEqual({ topic: 'quire/v1/execution/e2/completed', text: '{"b":2}' })
  })

  test('takes a message of many TCP segments from an ordinary client', async () => {
    const large = 'x'.repeat(300_000)
    const got = listener()
    await bus.subscribe('other/large', got.handler)
    await client.publishAsync('other/large', large, { qos: 1 })
    await until('it arrives', () => got.heard.length > 0)
    expect(got.heard[0]?.text).toBe(large)
  })

  test('lets nobody else publish below quire/, so that no event can be forged', async () => {
    const forger = await connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 4, reconnectPeriod: 0 })
    const isOver = new Promise((resolve) => forger.on('close', () => resolve(true)))
    forger.publish('quire/v1/execution/e2/failed', '{}', { qos: 1 })
    // The broker hangs up on it; what it had taken would be here before what comes after.
    expect(await isOver).toBe(true)
    await bus.publish('quire/v1/execution/e2/after', '{}', { deadlineMs })
    await until('the next one is heard', () => heard.at(-1)?.topic.endsWith('/after') === true)
    expect(heard.filter(({ topic }) => topic.endsWith('/failed'))).toEqual([])
    await forger.endAsync(true)
    await bus.probe()
  })

  test('lets nobody else publish to quire itself or for the broker, also not as a last will', async () => {
    const url = `mqtt://127.0.0.1:${port}`
    const options = { protocolVersion: 4, reconnectPeriod: 0 } as const
    const victim = await connectAsync(url, { ...options, clientId: 'victim' })
    let closed = 0
    victim.on('close', () => closed++)
    // A listener to all sees what is published to quire, and nothing of the broker's own.
    const all: string[] = []
    const listening = await connectAsync(url, options)
    listening.on('message', (topic) => all.push(topic))
    await listening.subscribeAsync('#')
    // Shared subscriptions would be no others; what the broker says of its clients is for nobody.
    for (const filter of ['$SYS/#', '$SYS/+/new/clients', '$share/group/quire/#']) {
      expect(await outcomeOf(listening.subscribeAsync(filter))).toThrow()
    }
    for (const topic of [
      'quire',
      'quire/',
      'quire/v1',
      '$SYS/other/new/clients',
      '$SYS/other/heartbeat',
      '$share/a/quire',
    ]) {
      const forger = await connectAsync(url, options)
      const isOver = new Promise((resolve) => forger.on('close', () => resolve(true)))
      forger.publish(topic, 'victim', { qos: 1 })
      expect([topic, await isOver]).toEqual([topic, true])
      await forger.endAsync(true)
      const dying = await connectAsync(url, {
        ...options,
        will: { topic, payload: Buffer.from('victim'), qos: 1, retain: false },
      })
      dying.stream.destroy()
    }
    await bus.publish('quire/v1/after', '{}', { deadlineMs })
    await until('the next one is heard', () => all.includes('quire/v1/after'))
    expect(all).toEqual(['quire/v1/after'])
    expect(closed).toBe(0)
    await victim.endAsync(true)
    await listening.endAsync(true)
    await bus.probe()
  })

  test('asks for the credentials of its address, and never of Quire itself', async () => {
    const guardedPort = await freePort()
    const guarded = await openBus(`embedded://reader:p%40ss@127.0.0.1:${guardedPort}`)
    const url = `mqtt://127.0.0.1:${guardedPort}`
    expect(await outcomeOf(connectAsync(url, { reconnectPeriod: 0, protocolVersion: 4 }))).toThrow()
    const wrong = { username: 'reader', password: 'guess', reconnectPeriod: 0, protocolVersion: 4 } as const
    expect(await outcomeOf(connectAsync(url, wrong))).toThrow()
    const welcome = await connectAsync(url, { ...wrong, password: 'p@ss' })
    await welcome.endAsync(true)
    await guarded.probe()
    await guarded.close()
  })

  test('hangs up on a packet that is too long before it is whole, and serves the others', async () => {
    const { hostname, port: number } = new URL(`mqtt://127.0.0.1:${port}`)
    const reader = await connectAsync(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0, protocolVersion: 4 })
    const socket = connect(Number(number), hostname)
    socket.on('error', () => {})
    const isOver = new Promise((resolve) => socket.once('close', () => resolve(true)))
    // CONNECT as MQTT 3.1.1 with the client id x, then PUBLISH with the longest length that there is, and a little of it.
    socket.write(Buffer.from([0x10, 13, 0, 4, ...Buffer.from('MQTT'), 4, 2, 0, 60, 0, 1, 0x78]))
    socket.write(Buffer.concat([Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(1_000)]))
    expect(await isOver).toBe(true)
    await reader.subscribeAsync('quire/#')
    await reader.endAsync(true)
    await bus.probe()
  })

  test('says so when its port is taken', async () => {
    expect(await rejectionOf(openBus(`embedded://127.0.0.1:${port}`))).toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe.if(mosquittoAvailable)('mosquitto', () => {
  let broker: PrivateMosquitto
  let bus: Bus
  beforeAll(async () => {
    broker = await startMosquitto()
    bus = await openBus(broker.url)
    await until('connected', () =>
      bus.probe().then(
        () => true,
        () => false,
      ),
    )
  })
  afterAll(async () => {
    await bus.close()
    await broker.kill()
  })

  testsOfEveryBus(() => bus)

  test('gets the content type as an MQTT 5 property', async () => {
    const client = await connectAsync(broker.url, { protocolVersion: 5, reconnectPeriod: 0 })
    const contentType = new Promise((resolve) =>
      client.on('message', (_topic, _payload, packet) => resolve(packet.properties?.contentType)),
    )
    await client.subscribeAsync('quire/v1/typed', { qos: 1 })
    await bus.publish('quire/v1/typed', '{}', { deadlineMs, contentType: 'application/cloudevents+json' })
    expect(await contentType).toBe('application/cloudevents+json')
    await client.endAsync(true)
  })

  test('rejects within the deadline while the broker is frozen, and never delivers that message later', async () => {
    const all = listener()
    await bus.subscribe('quire/v1/frozen', all.handler)
    broker.freeze()
    const startedMs = performance.now()
    expect(await outcomeOf(bus.publish('quire/v1/frozen', 'lost', { deadlineMs: 300 }))).toThrow(BusUnavailable)
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    await broker.kill()
    await broker.start()
    await until('connected again', () =>
      bus.probe().then(
        () => true,
        () => false,
      ),
    )
    for (const text of ['after', 'last']) await bus.publish('quire/v1/frozen', text, { deadlineMs })
    await until('the last message arrives', () => all.heard.at(-1)?.text === 'last')
    expect(all.heard.map((heard) => heard.text)).toEqual(['after', 'last'])
  })

  test('rejects at once without a connection, and subscribes again after one came back', async () => {
    const all = listener()
    await bus.subscribe('quire/v1/again', all.handler)
    await broker.kill()
    await until('the loss is noticed', () =>
      bus.probe().then(
        () => false,
        () => true,
      ),
    )
    const startedMs = performance.now()
    expect(await outcomeOf(bus.publish('quire/v1/again', 'lost', { deadlineMs: 25_000 }))).toThrow(BusUnavailable)
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    await broker.start()
    await until('connected again', () =>
      bus.probe().then(
        () => true,
        () => false,
      ),
    )
    await bus.publish('quire/v1/again', 'back', { deadlineMs })
    await until('it arrives', () => all.heard.length > 0)
    expect(all.heard.map((heard) => heard.text)).toEqual(['back'])
  })
})

test('falls back to MQTT 3.1.1 where the broker speaks no MQTT 5', async () => {
  const port = await freePort()
  const broker = await openBus(`embedded://127.0.0.1:${port}`)
  const heard: string[] = []
  await broker.subscribe('other/+', (topic) => heard.push(topic))
  const bus = await openBus(`mqtt://127.0.0.1:${port}`)
  const publish = () => bus.publish('other/topic', 'x', { deadlineMs, contentType: 'text/plain' })
  await until('connected in the older version', () =>
    publish().then(
      () => true,
      () => false,
    ),
  )
  await until('it arrives', () => heard.length > 0)
  await bus.close()
  await broker.close()
})

test('starts without its broker', async () => {
  const bus = await openBus(`mqtt://127.0.0.1:${await freePort()}`)
  expect(await outcomeOf(bus.probe())).toThrow(BusUnavailable)
  await bus.close()
})

test('an address that names no broker is refused with what to write instead', async () => {
  for (const url of ['', 'embed', 'embedded://nohost', 'embedded://h:99999', 'http://x', 'mqtt://']) {
    expect(await outcomeOf(openBus(url))).toThrow(BusUrlInvalid)
  }
  expect(await outcomeOf(openBus('embedded://nohost'))).toThrow(
    'the embedded broker listens at embedded://host:port or embedded+tls://host:port',
  )
})

test('the embedded broker refuses to listen off loopback without credentials, and to take empty ones', async () => {
  for (const host of ['0.0.0.0', '[::]', '10.0.0.7', 'broker.test']) {
    expect(await outcomeOf(openBus(`embedded://${host}:1883`))).toThrow('embedded://user:password@host:port')
  }
  for (const url of ['embedded://:p@127.0.0.1:1883', 'embedded://u:@127.0.0.1:1883']) {
    expect(await outcomeOf(openBus(url))).toThrow(BusUrlInvalid)
  }
})

test('a filter matches the topics that MQTT says it matches', () => {
  const matching = [
    ['a/+/c', 'a/b/c'],
    ['a/#', 'a/b/c'],
    ['a/#', 'a'],
    ['#', 'a/b'],
    ['+/+', '/x'],
    ['a/b', 'a/b'],
  ]
  const others = [
    ['a/+/c', 'a/b/d'],
    ['a/+', 'a/b/c'],
    ['a/b', 'a/b/c'],
    ['a/b/c', 'a/b'],
    ['#', '$SYS/x'],
    ['+/x', '$SYS/x'],
  ]
  for (const [filter, topic] of matching) expect(matchesFilter(filter!, topic!)).toBe(true)
  for (const [filter, topic] of others) expect(matchesFilter(filter!, topic!)).toBe(false)
})
