import mqtt, { type MqttClient } from 'mqtt'
import { inCycle } from '../core/cycle.ts'
import { detailOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { matchesFilter } from './filter.ts'
import { type Bus, BusUnavailable, BusUrlInvalid, type MessageHandler, type PublishOptions } from './message-bus.ts'

/**
 * MQTT through the `mqtt` client, one client object for each connection. A client that lost its connection would keep
 * unacknowledged messages and send them again on the next one, although the relay sends them again, too. So the client
 * is thrown away with its store, everything waiting in it is rejected at once, and the outbox stays the only place
 * where messages wait.
 */

export type ProtocolVersion = 4 | 5
/** Makes a client that connects at once and never reconnects by itself. */
export type Dial = (protocolVersion: ProtocolVersion) => MqttClient

/** CONNACK codes of brokers that don't speak the asked version: MQTT 3.1.1 and MQTT 5. */
const REFUSED_VERSION = new Set([1, 132])

export const dialOptions = {
  reconnectPeriod: 0,
  clean: true,
  queueQoSZero: false,
  connectTimeout: limits.busConnectMs,
  keepalive: limits.busKeepaliveSeconds,
} as const

export function openExternalBus(url: string): Bus {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    throw new BusUrlInvalid(`the bus address can't be read; write mqtt://host:port`)
  }
  if (parsed.hostname === '') throw new BusUrlInvalid('the bus address names no host; write mqtt://host:port')
  const dial: Dial = (protocolVersion) =>
    mqtt.connect({
      ...dialOptions,
      protocolVersion,
      protocol: parsed.protocol === 'mqtts:' ? 'mqtts' : 'mqtt',
      host: parsed.hostname.replace(/^\[|\]$/g, ''),
      port: parsed.port === '' ? (parsed.protocol === 'mqtts:' ? 8883 : 1883) : Number(parsed.port),
      ...(parsed.username === '' ? {} : { username: decodeURIComponent(parsed.username) }),
      ...(parsed.password === '' ? {} : { password: decodeURIComponent(parsed.password) }),
    })
  return new MqttBus(dial, [5, 4])
}

interface Subscription {
  filter: string
  handler: MessageHandler
}

export class MqttBus implements Bus {
  readonly #dial: Dial
  /** Tried in turn: the next one after a broker refused the last. */
  readonly #versions: readonly ProtocolVersion[]
  #versionIndex = 0
  #client: MqttClient | undefined
  #connected = false
  #closed = false
  #failures = 0
  #lastError: Error | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #pending = new Set<(reason: Error) => void>()
  readonly #subscriptions: Subscription[] = []
  readonly #connectedListeners: (() => void)[] = []

  constructor(dial: Dial, versions: readonly ProtocolVersion[]) {
    this.#dial = dial
    this.#versions = versions
    this.#connect()
  }

  #connect(): void {
    const version = inCycle(this.#versions, this.#versionIndex)
    const client = this.#dial(version)
    let error: Error | undefined
    this.#client = client
    client.on('connect', () => {
      if (client !== this.#client) return
      this.#connected = true
      this.#failures = 0
      this.#lastError = undefined
      // One SUBSCRIBE per filter even when several handlers share it, or each would get every message twice.
      for (const filter of new Set(this.#subscriptions.map((subscription) => subscription.filter))) {
        client.subscribe(filter, { qos: 1 }, (reason) => {
          if (reason && client === this.#client && !this.#closed) this.#drop(client, reason)
        })
      }
      for (const listener of this.#connectedListeners) listener()
    })
    client.on('message', (topic, payload) => {
      for (const { filter, handler } of this.#subscriptions) {
        if (matchesFilter(filter, topic)) handler(topic, payload)
      }
    })
    client.on('error', (reason: Error) => {
      error = reason
    })
    client.on('close', () => {
      const refused = REFUSED_VERSION.has(Number(detailOf(error)))
      // Some brokers hang up on a version they don't know; a network fault comes with an error.
      if (refused || (!this.#connected && error === undefined && client === this.#client)) this.#versionIndex++
      this.#drop(client, error ?? new Error('the broker closed the connection'))
    })
  }

  #drop(client: MqttClient, reason: Error): void {
    if (client !== this.#client) return
    this.#client = undefined
    this.#connected = false
    this.#lastError = reason
    client.end(true)
    for (const reject of [...this.#pending]) reject(reason)
    if (this.#closed) return
    const delayMs = Math.min(limits.busReconnectMaxMs, limits.busReconnectMs * 2 ** Math.min(this.#failures++, 10))
    this.#timer = setTimeout(() => this.#connect(), delayMs * (0.5 + Math.random() / 2))
  }

  publish(topic: string, payload: string, options: PublishOptions): Promise<void> {
    const client = this.#client
    if (client === undefined || !this.#connected) {
      return Promise.reject(
        new BusUnavailable('there is no connection to the message broker', { cause: this.#lastError }),
      )
    }
    return new Promise((resolve, reject) => {
      const settle = (reason?: Error) => {
        clearTimeout(timer)
        this.#pending.delete(settle)
        if (reason === undefined) resolve()
        else reject(new BusUnavailable('the message broker did not acknowledge a message', { cause: reason }))
      }
      // A broker that doesn't answer one message won't answer the others, so the connection is dropped.
      const timer = setTimeout(
        () => this.#drop(client, new Error(`no PUBACK within ${options.deadlineMs} ms`)),
        options.deadlineMs,
      )
      this.#pending.add(settle)
      const properties = options.contentType === undefined ? {} : { contentType: options.contentType }
      client.publish(topic, payload, { qos: 1, retain: false, properties }, (reason) => settle(reason ?? undefined))
    })
  }

  async subscribe(filter: string, handler: MessageHandler): Promise<void> {
    const known = this.#subscriptions.some((subscription) => subscription.filter === filter)
    this.#subscriptions.push({ filter, handler })
    const client = this.#client
    if (known || client === undefined || !this.#connected) return
    await new Promise<void>((resolve, reject) => {
      client.subscribe(filter, { qos: 1 }, (reason) => {
        if (reason) reject(new BusUnavailable('the message broker did not take a subscription', { cause: reason }))
        else resolve()
      })
    })
  }

  onConnected(listener: () => void): void {
    this.#connectedListeners.push(listener)
  }

  probe(): Promise<void> {
    return this.publish('quire/probe', '', { deadlineMs: limits.busProbeMs })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const client = this.#client
    if (client === undefined) return
    // DISCONNECT tells the broker that this is no loss; a broker that doesn't answer is not waited for.
    await Promise.race([client.endAsync().catch(() => {}), Bun.sleep(1_000)])
    this.#drop(client, new Error('the bus is closed'))
  }
}
