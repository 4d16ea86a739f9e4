import { createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer, type TlsOptions, type Server as TlsServer } from 'node:tls'
import { Aedes, type Client } from 'aedes'
import { MqttClient } from 'mqtt'
import { limits } from '../core/limits.ts'
import { isSameSecret } from '../core/same-secret.ts'
import { boundSessions } from './bounded-sessions.ts'
import { dialOptions, MqttBus } from './client.ts'
import { type EmbeddedAddress, embeddedAddressOf } from './embedded-address.ts'
import { Guesses } from './guesses.ts'
import { connectedStreams, readingEverything } from './memory-stream.ts'
import { type BrokerCertificate, type Bus, BusUrlInvalid } from './message-bus.ts'
import { PacketBound } from './packet-bound.ts'

/**
 * A broker in this process that listens at `embedded://host:port` or `embedded+tls://host:port`. Quire talks to it over a
 * pair of in-memory streams, through the same client as to any other, so nothing but the address differs. Ordinary MQTT
 * clients may subscribe. They may not publish to `quire` and below, where a forged event could be mistaken for Quire's, nor
 * below `$SYS/`, where the broker would take it for a message of another broker and disconnect others.
 *
 * @param certificate what it serves TLS with at `embedded+tls://`
 * @throws BusUrlInvalid, and what listening throws (EADDRINUSE, EACCES)
 */
export async function openEmbeddedBus(url: string, certificate?: BrokerCertificate): Promise<Bus> {
  const address = readAddress(url)
  if (address.isEncrypted && certificate === undefined) throw new BusUrlInvalid('embedded+tls:// needs a certificate')
  const ours = new WeakSet<Duplex>()
  const guesses = new Guesses()
  const broker = await Aedes.createBroker({
    authenticate: (client, username, password, done) => {
      const expected = address.credentials
      if (expected === undefined || ours.has(streamOf(client))) return done(null, true)
      const from = (client.conn as Socket).remoteAddress ?? ''
      if (!guesses.mayTry(from)) return done(null, false)
      const isAllowed =
        isSameSecret(username ?? '', expected.user) && isSameSecret(password?.toString() ?? '', expected.password)
      if (!isAllowed) guesses.noteFailure(from)
      done(null, isAllowed)
    },
    authorizePublish: (client, packet, callback) => {
      // The broker asks without a client for the last will of one that it has forgotten.
      const isForeign = client === null || !ours.has(streamOf(client))
      if (isForeign && isReserved(packet.topic)) callback(new Error('only Quire publishes below quire/ and $SYS/'))
      // Retained messages would stay in memory for ever.
      else callback(isForeign && packet.retain ? new Error('nothing is retained') : null)
    },
    authorizeSubscribe: (client, subscription, callback) => {
      const { subscriptions } = client as unknown as { subscriptions: Record<string, unknown> }
      const isFull = Object.keys(subscriptions).length >= limits.brokerSubscriptions
      // Topics below $SYS/ name the other clients, and there are no shared subscriptions ($share/).
      const isRefused = isFull || subscription.topic.startsWith('$')
      callback(null, isRefused && !ours.has(streamOf(client)) ? null : subscription)
    },
  })
  boundSessions(broker)
  // A client that misbehaves is disconnected by the broker; without a listener its fault would end the process.
  broker.on('clientError', () => {})
  broker.on('connectionError', () => {})
  const server = await listen(broker, address, address.isEncrypted ? certificate : undefined)
  const bus = new MqttBus(
    () =>
      new MqttClient(
        () => {
          const [clientSide, brokerSide] = connectedStreams()
          ours.add(brokerSide)
          broker.handle(readingEverything(brokerSide))
          return clientSide as unknown as ReturnType<ConstructorParameters<typeof MqttClient>[0]>
        },
        { ...dialOptions, protocolVersion: 4, clientId: `quire-${crypto.randomUUID()}`, keepalive: 0 },
      ),
    [4],
  )
  await new Promise<void>((resolve) => bus.onConnected(resolve))
  return new EmbeddedBus(bus, broker, server)
}

function isReserved(topic: string): boolean {
  return topic === 'quire' || topic.startsWith('quire/') || topic.startsWith('$')
}

interface Listener {
  close(): void
}

class EmbeddedBus implements Bus {
  readonly #broker: Aedes
  readonly #server: Listener
  readonly #bus: Bus

  constructor(bus: Bus, broker: Aedes, server: Listener) {
    this.#bus = bus
    this.#broker = broker
    this.#server = server
  }

  publish: Bus['publish'] = (topic, payload, options) => this.#bus.publish(topic, payload, options)
  subscribe: Bus['subscribe'] = (filter, handler) => this.#bus.subscribe(filter, handler)
  onConnected: Bus['onConnected'] = (listener) => this.#bus.onConnected(listener)
  probe: Bus['probe'] = () => this.#bus.probe()

  async close(): Promise<void> {
    await this.#bus.close()
    this.#server.close()
    await new Promise<void>((resolve) => this.#broker.close(() => resolve()))
  }
}

/** @throws BusUrlInvalid */
function readAddress(url: string): EmbeddedAddress {
  const address = embeddedAddressOf(url)
  if (address === undefined) {
    throw new BusUrlInvalid('the embedded broker listens at embedded://host:port or embedded+tls://host:port')
  }
  const { credentials, host, isEncrypted } = address
  if (credentials === undefined && !isLoopback(host)) {
    throw new BusUrlInvalid(
      `the embedded broker asks clients from other machines for credentials; write embedded${isEncrypted ? '+tls' : ''}://user:password@host:port, or listen on 127.0.0.1`,
    )
  }
  if (credentials?.user === '' || credentials?.password === '') {
    throw new BusUrlInvalid('the embedded broker takes no empty user or password')
  }
  return address
}

/** Closes the connection at a packet that is too long (the broker would buffer all of it) or too short to be answered. */
function readingBounded(socket: Socket): Socket {
  const bound = new PacketBound(limits.brokerPacketBytes)
  const readAll = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk = readAll(size)
    if (!(chunk instanceof Uint8Array) || bound.accepts(chunk)) return chunk
    socket.destroy()
    return null
  }
  return socket
}

/**
 * Disconnects a subscriber that doesn't read, and never reports a full buffer: the broker would wait for it and hold back
 * everybody else's messages.
 */
function writingBounded(socket: Socket): Socket {
  const writeAll = socket.write.bind(socket) as (...given: unknown[]) => boolean
  socket.write = (...given: unknown[]) => {
    writeAll(...given)
    if (socket.writableLength > limits.brokerUnsentBytes) socket.destroy()
    return true
  }
  return socket
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** @param certificate what it serves TLS with; undefined without */
async function listen(
  broker: Aedes,
  address: EmbeddedAddress,
  certificate: BrokerCertificate | undefined,
): Promise<Listener> {
  const take = (socket: Socket) => broker.handle(writingBounded(readingBounded(readingEverything(socket))))
  const server = certificate === undefined ? createServer(take) : createTlsServer(contextOf(certificate), take)
  // Whoever doesn't shake hands in time, or speaks no TLS, would keep one of the connections.
  server.on('tlsClientError', (_, socket: Socket) => socket.destroy())
  server.maxConnections = limits.brokerConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  const stopFollowing = certificate?.follow((next) => (server as TlsServer).setSecureContext(contextOf(next)))
  return {
    close() {
      stopFollowing?.()
      server.close()
    },
  }
}

/** TLS 1.2 with forward secrecy and authenticated encryption, as over HTTPS, and 1.3. */
function contextOf({ cert, key }: Pick<BrokerCertificate, 'cert' | 'key'>): TlsOptions {
  return {
    ...{ cert, key, minVersion: 'TLSv1.2', ciphers: 'ECDHE+AESGCM:ECDHE+CHACHA20' },
    handshakeTimeout: limits.brokerHandshakeMs,
  }
}

function streamOf(client: Client): Duplex {
  return client.conn as Duplex
}
