import { connect, type Socket } from 'node:net'
import { openEmbeddedBus } from '../../src/bus/embedded.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { freePort } from '../support/postgres.ts'
import { bounds } from './bounds.ts'
import { madeConversation } from './made-packets.ts'
import type { Target } from './target.ts'

interface Broker {
  bus: Bus
  port: number
  /** Another client of the same kind, which asks and is answered. */
  neighbour: Neighbour
}

let broker: Broker | undefined

async function brokerOf(): Promise<Broker> {
  if (broker !== undefined) return broker
  const port = await freePort()
  const bus = await openEmbeddedBus(`embedded://127.0.0.1:${port}`)
  broker = { bus, port, neighbour: await Neighbour.at(port) }
  return broker
}

/** Closes the broker that the target made. */
export async function closeBroker(): Promise<void> {
  broker?.neighbour.socket.destroy()
  await broker?.bus.close()
  broker = undefined
}

/** A client that is in, and asks whether the broker is there. */
class Neighbour {
  #answered: ((error?: Error) => void) | undefined

  private constructor(readonly socket: Socket) {
    socket.on('data', () => this.#answered?.())
    for (const end of ['error', 'close'])
      socket.on(end, () => this.#answered?.(new Error('the broker cut off another')))
  }

  static async at(port: number): Promise<Neighbour> {
    const neighbour = new Neighbour(connect(port, '127.0.0.1'))
    // Without a time after which it would be taken for gone.
    await neighbour.ask(packet(0x10, ...utf8('MQTT'), 4, 2, 0, 0, ...utf8('neighbour')))
    return neighbour
  }

  ask(bytes: readonly number[] = [0xc0, 0]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#answered = (error) => (error === undefined ? resolve() : reject(error))
      this.socket.write(Uint8Array.from(bytes))
    })
  }
}

/** Kinds of packets that end in what they answer. */
const [CONNACK, SUBACK] = [2, 9]
const utf8 = (text: string): number[] => [0, text.length, ...Buffer.from(text)]
const packet = (head: number, ...body: number[]): number[] => [head, body.length, ...body]
const connectPacket = packet(0x10, ...utf8('MQTT'), 4, 2, 0, 60, ...utf8('fuzz'))
const subscribePacket = packet(0x82, 0, 1, ...utf8('quire/#'), 1)
const publishPacket = packet(0x30, ...utf8('a/b'), 1, 2, 3)

/** A client of the listening broker that sends these bytes. Afterwards Quire's own client has to be served still. */
export const mqttTarget: Target = {
  name: 'mqtt',
  shortRound: 60,
  leastOutcomes: 4,
  words: ['MQTT', 'MQIsdp', '$share/', '+/#', '\xff\xff\xff\x7f', '\x10', '\x82', '\x32', '\xc0\0', '\xe0\0'],
  maxBytes: 20_000,
  seeds: () => [
    Uint8Array.from([...connectPacket, ...subscribePacket, ...publishPacket, 0xc0, 0]),
    Uint8Array.from([...connectPacket, ...packet(0x34, ...utf8('a/b'), 0, 2, 9), ...packet(0x62, 0, 2), 0xe0, 0]),
    Uint8Array.from([...packet(0x10, ...utf8('MQTT'), 5, 2, 0, 60, 0, ...utf8('five')), ...subscribePacket]),
  ],
  made: madeConversation,
  async run(bytes) {
    const { bus, port, neighbour } = await brokerOf()
    const answers: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (data: Buffer) => answers.push(data))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    // Being cut off is an answer, too.
    socket.on('error', () => undefined)
    await Promise.race([new Promise<void>((resolve) => socket.write(bytes, () => resolve())), closed])
    // What is answered to others meanwhile gives the broker time for all that it was sent.
    for (let turn = 0; turn < TURNS; turn++) await neighbour.ask()
    socket.end()
    await closed
    // Its own deadline is for dependencies; a busy machine is no fault here.
    await bus.publish('quire/probe', '', { deadlineMs: bounds.hangMs })
    return kindsOf(Buffer.concat(answers))
  },
}

const TURNS = 3

/**
 * The kinds of the packets that came back, each once in a row, with the answer at the end of those that have one.
 *
 * @throws when the broker sends what is no packet
 */
function kindsOf(bytes: Uint8Array): string {
  const kinds: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const kind = Number(bytes[at]) >> 4
    let [length, shift] = [0, 0]
    do {
      const byte = bytes[++at]
      // The connection ended within a packet.
      if (byte === undefined) return `${kinds.join(' ')} cut`
      length |= (byte & 0x7f) << shift
      shift += 7
    } while ((Number(bytes[at]) & 0x80) !== 0 && shift < 28)
    if (kind === 0) throw new Error(`the broker sent a packet of kind 0 after ${kinds}`)
    const said = kind === CONNACK || kind === SUBACK ? `${kind}:${bytes[at + length]}` : `${kind}`
    if (kinds.at(-1) !== said) kinds.push(said)
    at += length + 1
  }
  return kinds.join(' ')
}
