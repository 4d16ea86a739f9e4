/**
 * Conversations of MQTT clients: packets of every kind whose lengths are right, in an order that a broker may see, with
 * topics, flags and ids as programs choose them and, now and then, ones that they never would.
 */
import type { Random } from '../../src/engines/schema/generate/random.ts'

const [CONNECT, CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP] = [1, 2, 3, 4, 5, 6, 7]
const [SUBSCRIBE, SUBACK, UNSUBSCRIBE, UNSUBACK, PINGREQ, PINGRESP, DISCONNECT, AUTH] = [8, 9, 10, 11, 12, 13, 14, 15]

export function madeConversation(random: Random): Uint8Array {
  // A broker drops what came together with a packet that is wrong, so most conversations have none.
  const isTame = random.chance(65)
  const maker: Maker = { random, isOdd: (percent) => !isTame && random.chance(percent) }
  const packets = maker.isOdd(5) ? [] : [connect(maker)]
  for (let count = random.below(9); count > 0; count--) packets.push(random.pick(isTame ? tame : kinds)(maker))
  return Uint8Array.from(packets.flat())
}

interface Maker {
  random: Random
  /** Whether the next value is one that no program should send; never in a conversation that is tame. */
  isOdd(percent: number): boolean
}

type Packet = (maker: Maker) => number[]

const tame: readonly Packet[] = [
  publish,
  publish,
  subscribe,
  subscribe,
  unsubscribe,
  (maker) => packet(maker, PINGREQ, 0, []),
  (maker) => packet(maker, maker.random.pick([PUBACK, PUBREC, PUBCOMP]), 0, id(maker)),
  (maker) => packet(maker, PUBREL, 2, id(maker)),
]
const kinds: readonly Packet[] = [
  ...tame,
  (maker) => packet(maker, maker.random.pick([CONNACK, SUBACK, UNSUBACK, PINGRESP, AUTH, 0]), 0, id(maker)),
  (maker) => packet(maker, DISCONNECT, 0, maker.isOdd(20) ? id(maker) : []),
  connect,
]

/** A packet by its kind, the flags of its first byte and what follows its length. */
function packet({ random, isOdd }: Maker, kind: number, flags: number, body: readonly number[]): number[] {
  const first = (kind << 4) | (isOdd(8) ? random.below(16) : flags)
  const length = isOdd(8) ? random.pick([0, body.length + 1, 200, 0xfffffff]) : body.length
  return [first, ...variable(length), ...body]
}

/** A length in groups of seven bits. */
function variable(length: number): number[] {
  const bytes = [length & 0x7f]
  for (let rest = length >>> 7; rest > 0; rest >>>= 7) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 0x7f)
  }
  return bytes
}

const double = (value: number) => [(value >> 8) & 0xff, value & 0xff]
const id = ({ random, isOdd }: Maker) => double(isOdd(10) ? random.pick([0, 0xffff]) : 1 + random.below(3))

function text({ random, isOdd }: Maker, said: string): number[] {
  const bytes = [...Buffer.from(said)]
  return [...double(isOdd(5) ? random.pick([0, 0xffff]) : bytes.length), ...bytes]
}

const topics = ['a/b', 'a', '/', 'a//b', 'ü/😀', 'x'.repeat(300)]
const oddTopics = ['', 'a/+', '#', '\0', 'quire/documents', '$SYS/x']
const filters = ['#', 'a/+', 'quire/#', '+/+', '+', 'ü/#', 'a/b', '$SYS/#']
const oddFilters = ['$share/g/a/#', '$share//', 'a/#/b', 'a+', '']

function connect(maker: Maker): number[] {
  const { random, isOdd } = maker
  const level = isOdd(30) ? random.pick([3, 5, 0, 6, 0x84]) : 4
  const name = level === 3 ? 'MQIsdp' : isOdd(10) ? random.pick(['MQtt', '', 'HTTP']) : 'MQTT'
  const [hasWill, hasName] = [random.chance(30), random.chance(20)]
  const hasPassword = hasName && random.chance(70)
  const clean = random.chance(70) ? 2 : 0
  const will = hasWill ? 4 | (random.below(3) << 3) | (isOdd(30) ? 0x20 : 0) : 0
  const flags = clean | will | (hasName ? 0x80 : 0) | (hasPassword ? 0x40 : 0)
  const properties = level === 5 ? propertiesOf(random) : []
  const topic = random.pick(isOdd(30) ? oddTopics : topics)
  return packet(maker, CONNECT, 0, [
    ...[...text(maker, name), level, isOdd(10) ? random.below(256) : flags],
    ...double(random.pick([0, 1, 60, 0xffff])),
    ...[...properties, ...text(maker, isOdd(20) ? '' : random.pick(['fuzz', 'a', 'ü', 'x'.repeat(100)]))],
    ...(hasWill ? [...(level === 5 ? [0] : []), ...text(maker, topic), ...text(maker, 'gone')] : []),
    ...(hasName ? text(maker, random.pick(['user', ''])) : []),
    ...(hasPassword ? text(maker, 'password') : []),
  ])
}

/** Of MQTT 5: the session's expiry, what may be in flight, the largest packet, a user's own. */
function propertiesOf(random: Random): number[] {
  const one = random.pick([
    ...[[], [0x11, 0, 0, 0, 9], [0x21, 0, 1], [0x27, 0, 0, 1, 0], [0x22, 0, 10]],
    ...[
      [0x26, 0, 1, 0x61, 0, 1, 0x62],
      [0xff, 1],
      [0x11, 0],
    ],
  ])
  return [one.length, ...one]
}

function publish(maker: Maker): number[] {
  const { random, isOdd } = maker
  const quality = isOdd(10) ? 3 : random.below(3)
  const flags = (quality << 1) | (isOdd(20) ? 1 : 0) | (quality > 0 && random.chance(10) ? 8 : 0)
  const payload = new Array<number>(random.pick([0, 1, 3, 200, 3_000])).fill(0x41)
  const topic = text(maker, random.pick(isOdd(30) ? oddTopics : topics))
  return packet(maker, PUBLISH, flags, [...topic, ...(quality > 0 ? id(maker) : []), ...payload])
}

function subscribe(maker: Maker): number[] {
  const { random, isOdd } = maker
  const wanted = Array.from({ length: isOdd(10) ? 0 : random.pick([1, 1, 2, 20]) }, () => [
    ...text(maker, random.pick(isOdd(20) ? oddFilters : filters)),
    isOdd(10) ? random.below(256) : random.below(3),
  ])
  return packet(maker, SUBSCRIBE, 2, [...id(maker), ...wanted.flat()])
}

function unsubscribe(maker: Maker): number[] {
  const { random, isOdd } = maker
  return packet(maker, UNSUBSCRIBE, 2, [...id(maker), ...text(maker, random.pick(isOdd(20) ? oddFilters : filters))])
}
