import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Aedes } from 'aedes'
import { connect, connectAsync, type MqttClient } from 'mqtt'
import { boundSessions } from '../../src/bus/bounded-sessions.ts'
import { openBus } from '../../src/bus/bus.ts'
import { Guesses } from '../../src/bus/guesses.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { limits } from '../../src/core/limits.ts'
import { outcomeOf } from '../support/outcome.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { hangUpOnSleeper } from './sleeper.ts'

const deadlineMs = 20_000

interface MemoryStore {
  addSubscriptions(client: { id: string }, subscriptions: { topic: string; qos: number }[]): Promise<void>
  subscriptionsByClient(client: { id: string }): Promise<unknown[]>
  outgoingEnqueue(to: { clientId: string }, packet: object): Promise<void>
  outgoingClearMessageId(client: { id: string }, packet: { messageId: number }): Promise<unknown>
}

describe('what subscribers of the embedded broker may take', () => {
  let url: string
  let bus: Bus
  beforeAll(async () => {
    const port = await freePort()
    url = `mqtt://127.0.0.1:${port}`
    bus = await openBus(`embedded://127.0.0.1:${port}`)
  })
  afterAll(() => bus.close())

  const options = { protocolVersion: 4, reconnectPeriod: 0 } as const

  test('others can have nothing retained, and no subscriptions without end', async () => {
    const other = await connectAsync(url, options)
    const topics = Array.from({ length: limits.brokerSubscriptions + 5 }, (_, at) => `other/${at}`)
    const granted: number[] = []
    for (const topic of topics) {
      const [grant] = await other.subscribeAsync(topic).catch(() => [])
      granted.push(grant?.qos ?? 128)
    }
    expect(granted.indexOf(128)).toBe(limits.brokerSubscriptions)
    const isOver = new Promise((resolve) => other.on('close', () => resolve(true)))
    other.publish('other/kept', 'x', { retain: true })
    expect(await isOver).toBe(true)
    await other.endAsync(true)
  })

  test('one that does not read is hung up on, and others get everything meanwhile', async () => {
    await hangUpOnSleeper(url, bus, deadlineMs)
  })

  /** Connects as a known subscriber: whether its session is there, and what was kept for it. */
  async function back(clientId: string): Promise<{ isPresent: boolean; client: MqttClient; topics: string[] }> {
    const topics: string[] = []
    const client = connect(url, { ...options, clientId, clean: false })
    client.on('message', (topic) => topics.push(topic))
    const { sessionPresent } = await new Promise<{ sessionPresent: boolean }>((resolve) =>
      client.on('connect', resolve),
    )
    return { isPresent: sessionPresent, client, topics }
  }

  async function sleep(clientId: string, filter: string): Promise<void> {
    const { client } = await back(clientId)
    await client.subscribeAsync(filter, { qos: 1 })
    await client.endAsync(true)
  }

  test('a session that keeps too much is ended, and others keep what was published', async () => {
    await sleep('modest', 'quire/v1/few/+')
    await sleep('greedy', 'quire/v1/many/+')
    const few = [0, 1, 2].map((at) => `quire/v1/few/${at}`)
    for (const topic of few) await bus.publish(topic, 'kept', { deadlineMs })
    const payload = 'x'.repeat(900_000)
    for (let at = 0; at * payload.length <= limits.brokerHeldBytes; at++) {
      await bus.publish(`quire/v1/many/${at}`, payload, { deadlineMs })
    }
    const modest = await back('modest')
    expect(modest.isPresent).toBe(true)
    await until('it has what was kept', () => modest.topics.length === few.length)
    expect(modest.topics).toEqual(few)
    const greedy = await back('greedy')
    expect(greedy.isPresent).toBe(false)
    // What comes now is the first that it hears.
    await greedy.client.subscribeAsync('quire/v1/many/+', { qos: 1 })
    await bus.publish('quire/v1/many/after', 'x', { deadlineMs })
    await until('it hears again', () => greedy.topics.length > 0)
    expect(greedy.topics).toEqual(['quire/v1/many/after'])
    for (const { client } of [modest, greedy]) await client.endAsync(true)
  })
})

test('the oldest session that sleeps makes room for a new one', async () => {
  const broker = await Aedes.createBroker()
  boundSessions(broker)
  const { persistence } = broker as unknown as { persistence: MemoryStore }
  const begin = (id: string) => persistence.addSubscriptions({ id }, [{ topic: 'quire/#', qos: 1 }])
  const has = async (id: string) => (await persistence.subscriptionsByClient({ id })).length > 0
  for (let at = 0; at < limits.brokerSessions; at++) await begin(`${at}`)
  expect(await has('0')).toBe(true)
  await begin('new')
  expect([await has('0'), await has('1'), await has('new')]).toEqual([false, true, true])
  await new Promise<void>((resolve) => broker.close(resolve))
})

test('a session counts what it keeps, also once its client has acknowledged what nobody sent it', async () => {
  const broker = await Aedes.createBroker()
  boundSessions(broker)
  const { persistence } = broker as unknown as { persistence: MemoryStore }
  const client = { id: 'odd' }
  const keep = (payload: Buffer) =>
    persistence.outgoingEnqueue({ clientId: client.id }, { cmd: 'publish', topic: 'quire/a', qos: 1, payload })
  await persistence.addSubscriptions(client, [{ topic: 'quire/#', qos: 1 }])
  const has = async () => (await persistence.subscriptionsByClient(client)).length > 0
  const half = Buffer.alloc(limits.brokerHeldBytes / 2)
  await keep(half)
  for (const messageId of [1, 2]) await persistence.outgoingClearMessageId(client, { messageId })
  expect(await has()).toBe(true)
  await keep(half)
  expect(await has()).toBe(false)
  await new Promise<void>((resolve) => broker.close(resolve))
})

test('an address with too many wrong credentials is refused, even with the right ones', async () => {
  const port = await freePort()
  const bus = await openBus(`embedded://reader:right@127.0.0.1:${port}`)
  const tryWith = (password: string) =>
    outcomeOf(
      connectAsync(`mqtt://127.0.0.1:${port}`, {
        ...{ username: 'reader', password, reconnectPeriod: 0, protocolVersion: 4 },
      }).then((client) => client.endAsync(true)),
    )
  expect(await tryWith('right')).not.toBeInstanceOf(Error)
  for (let guess = 0; guess < limits.brokerGuesses; guess++) await tryWith('wrong')
  expect(await tryWith('right')).toThrow('Not authorized')
  await bus.probe()
  await bus.close()
})

test('wrong credentials are forgotten a while after the last, and of too many addresses the first', () => {
  let nowMs = 0
  const guesses = new Guesses(() => nowMs)
  for (let guess = 0; guess < limits.brokerGuesses; guess++) {
    expect(guesses.mayTry('a')).toBe(true)
    guesses.noteFailure('a')
  }
  expect([guesses.mayTry('a'), guesses.mayTry('b')]).toEqual([false, true])
  nowMs = limits.brokerGuessesMs - 1
  expect(guesses.mayTry('a')).toBe(false)
  nowMs = limits.brokerGuessesMs
  expect(guesses.mayTry('a')).toBe(true)
  for (let guess = 0; guess < limits.brokerGuesses; guess++) guesses.noteFailure('first')
  for (let other = 0; other < limits.brokerGuessers; other++) guesses.noteFailure(`other-${other}`)
  expect(guesses.mayTry('first')).toBe(true)
})

test('guesses from addresses of one IPv6 network are counted together', () => {
  const guesses = new Guesses(() => 0)
  for (let guess = 0; guess < limits.brokerGuesses; guess++) guesses.noteFailure(`2001:db8::${guess.toString(16)}:1`)
  expect(guesses.mayTry('2001:db8::ffff:ffff')).toBe(false)
  expect(guesses.mayTry('2001:db8:0:1::1')).toBe(true)
})
