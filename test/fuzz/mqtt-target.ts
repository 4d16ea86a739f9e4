import { connect } from 'node:net'
import { openEmbeddedBus } from '../../src/bus/embedded.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { freePort } from '../support/postgres.ts'
import { bounds } from './bounds.ts'
import type { Target } from './target.ts'

let broker: { bus: Bus; port: number } | undefined

async function brokerOf(): Promise<{ bus: Bus; port: number }> {
  if (broker !== undefined) return broker
  const port = await freePort()
  broker = { bus: await openEmbeddedBus(`embedded://127.0.0.1:${port}`), port }
  return broker
}

/** Closes the broker that the target made. */
export async function closeBroker(): Promise<void> {
  await broker?.bus.close()
  broker = undefined
}

const utf8 = (text: string): number[] => [0, text.length, ...Buffer.from(text)]
const packet = (head: number, ...body: number[]): number[] => [head, body.length, ...body]
const connectPacket = packet(0x10, ...utf8('MQTT'), 4, 2, 0, 60, ...utf8('fuzz'))
const subscribePacket = packet(0x82, 0, 1, ...utf8('quire/#'), 1)
const publishPacket = packet(0x30, ...utf8('a/b'), 1, 2, 3)

/** A client of the listening broker that sends these bytes. Afterwards Quire's own client has to be served still. */
export const mqttTarget: Target = {
  name: 'mqtt',
  shortRound: 60,
  words: ['MQTT', 'MQIsdp', '$share/', '+/#', '\xff\xff\xff\x7f', '\x10', '\x82', '\x32', '\xc0\0', '\xe0\0'],
  maxBytes: 20_000,
  seeds: () => [
    Uint8Array.from([...connectPacket, ...subscribePacket, ...publishPacket, 0xc0, 0]),
    Uint8Array.from([...connectPacket, ...packet(0x34, ...utf8('a/b'), 0, 2, 9), ...packet(0x62, 0, 2), 0xe0, 0]),
    Uint8Array.from([...packet(0x10, ...utf8('MQTT'), 5, 2, 0, 60, 0, ...utf8('five')), ...subscribePacket]),
  ],
  async run(bytes) {
    const { bus, port } = await brokerOf()
    const answer = await send(port, bytes)
    // Its own deadline is for dependencies; a busy machine is no fault here.
    await bus.publish('quire/probe', '', { deadlineMs: bounds.hangMs })
    return answer
  },
}

/** The kind of the first packet that comes back until the connection ends, which it does once all has been sent. */
function send(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let kind = 'none'
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (data) => {
      if (kind === 'none') kind = `${Number(data[0]) >> 4}`
    })
    // Being cut off is an answer, too.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(kind))
  })
}
