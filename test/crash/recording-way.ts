import { createServer, connect as dial, type Socket } from 'node:net'
import { onTestsEnd } from '../support/cleanup.ts'
import { freePort } from '../support/postgres.ts'

/** What went over the wire between an MQTT 5 client and its broker, in order. */
export type Seen =
  | { kind: 'publish'; payload: string; connection: number; packetId: number }
  | { kind: 'puback'; connection: number; packetId: number }

/**
 * A way to a broker that notes every PUBLISH (QoS 1) before it is passed on and every PUBACK before the client has it. So a
 * broker that is killed with all it knew can still be held to what it had said.
 */
export async function startRecordingWay(toPort: number): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const port = await freePort()
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const connection = ++connections
    const far = dial(toPort, '127.0.0.1')
    const fromClient = new Packets((type, flags, body) => {
      if (type !== 3 || ((flags >> 1) & 3) !== 1) return
      seen.push({ kind: 'publish', connection, ...readPublish(body) })
    })
    const fromBroker = new Packets((type, _flags, body) => {
      if (type === 4) seen.push({ kind: 'puback', connection, packetId: body.readUInt16BE(0) })
    })
    for (const [from, to, packets] of [
      [near, far, fromClient],
      [far, near, fromBroker],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes: Buffer) => {
        packets.take(bytes)
        to.write(bytes)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestsEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `mqtt://127.0.0.1:${port}`, seen }
}

/** Topic, packet id, properties (MQTT 5), payload: MQTT 5 section 3.3. */
function readPublish(body: Buffer): { packetId: number; payload: string } {
  const afterTopic = 2 + body.readUInt16BE(0)
  const packetId = body.readUInt16BE(afterTopic)
  const { value, bytes } = readLength(body, afterTopic + 2)!
  return { packetId, payload: body.subarray(afterTopic + 2 + bytes + value).toString() }
}

/** A variable byte integer; undefined while its end is missing. */
function readLength(buffer: Buffer, at: number): { value: number; bytes: number } | undefined {
  let value = 0
  for (let bytes = 0; bytes < 4; bytes++) {
    const byte = buffer[at + bytes]
    if (byte === undefined) return undefined
    value |= (byte & 0x7f) << (7 * bytes)
    if (byte < 0x80) return { value, bytes: bytes + 1 }
  }
  throw new Error('a length of more than four bytes is none of MQTT’s')
}

class Packets {
  readonly #onPacket: (type: number, flags: number, body: Buffer) => void
  #left: Buffer = Buffer.alloc(0)

  constructor(onPacket: (type: number, flags: number, body: Buffer) => void) {
    this.#onPacket = onPacket
  }

  take(bytes: Buffer): void {
    let buffer = this.#left.length === 0 ? bytes : Buffer.concat([this.#left, bytes])
    for (;;) {
      const length = buffer.length < 2 ? undefined : readLength(buffer, 1)
      if (length === undefined || buffer.length < 1 + length.bytes + length.value) break
      const end = 1 + length.bytes + length.value
      this.#onPacket(buffer[0]! >> 4, buffer[0]! & 15, buffer.subarray(1 + length.bytes, end))
      buffer = buffer.subarray(end)
    }
    this.#left = Buffer.from(buffer)
  }
}
