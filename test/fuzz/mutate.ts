import type { Random } from '../../src/engines/schema/generate/random.ts'

/** Numbers at which readers of binary formats go wrong: nothing, one less than nothing, and the ends of each width. */
const edges = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]

/** An input made of another by one to six small changes; at most `maxBytes` long. */
export function mutate(
  source: Uint8Array,
  other: Uint8Array,
  words: readonly string[],
  random: Random,
  maxBytes: number,
): Uint8Array {
  let bytes = source
  for (let changes = 1 + random.below(6); changes > 0; changes--) bytes = change(bytes, other, words, random)
  return bytes.length > maxBytes ? bytes.slice(0, maxBytes) : bytes
}

function change(bytes: Uint8Array, other: Uint8Array, words: readonly string[], random: Random): Uint8Array {
  const at = random.below(bytes.length + 1)
  const length = Math.min(bytes.length - at, random.chance(80) ? random.below(16) : random.below(bytes.length + 1))
  switch (random.below(9)) {
    case 0:
      return spliced(bytes, at, length, nothing)
    case 1:
      return spliced(bytes, at, 0, bytes.subarray(at, at + length))
    case 2:
      return withByte(bytes, at, random.below(256))
    case 3:
      return withByte(bytes, at, (bytes[at] ?? 0) ^ (1 << random.below(8)))
    case 4:
      return withNumber(bytes, at, random)
    case 5: {
      const from = random.below(other.length + 1)
      return spliced(bytes, at, random.chance(50) ? length : 0, other.subarray(from, from + random.below(200)))
    }
    case 6:
      return repeated(bytes, at, length, random)
    default: {
      if (words.length === 0) return withNumber(bytes, at, random)
      const word = encoded(random.pick(words))
      return spliced(bytes, at, random.chance(30) ? length : 0, word)
    }
  }
}

/** Characters up to 255 stand for bytes, as in `\xff\xd8`; a word with others is text. */
function encoded(word: string): Uint8Array {
  return Buffer.from(word, [...word].every((letter) => letter.charCodeAt(0) < 0x100) ? 'latin1' : 'utf8')
}

const nothing = new Uint8Array(0)

function spliced(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array {
  const made = new Uint8Array(bytes.length - removed + added.length)
  made.set(bytes.subarray(0, at))
  made.set(added, at)
  made.set(bytes.subarray(at + removed), at + added.length)
  return made
}

function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const made = bytes.slice()
  if (at < made.length) made[at] = value
  return made
}

function withNumber(bytes: Uint8Array, at: number, random: Random): Uint8Array {
  const width = random.pick([1, 2, 4])
  const made = bytes.slice()
  if (at + width > made.length) return made
  const value = random.pick(edges)
  const view = new DataView(made.buffer)
  if (width === 1) view.setUint8(at, value & 0xff)
  else if (width === 2) view.setUint16(at, value & 0xffff, random.chance(50))
  else view.setUint32(at, value, random.chance(50))
  return made
}

/** A short piece many times over: what nests, counts or adds up shows itself so. */
function repeated(bytes: Uint8Array, at: number, length: number, random: Random): Uint8Array {
  if (length === 0) return bytes
  const piece = bytes.subarray(at, at + length)
  const times = Math.min(random.pick([2, 16, 300, 5_000]), Math.ceil(100_000 / length))
  const made = new Uint8Array(length * times)
  for (let index = 0; index < times; index++) made.set(piece, index * length)
  return spliced(bytes, at, length, made)
}
