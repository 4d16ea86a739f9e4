import { describe, expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { MessageJoiner, type MessagePiece, piecesOf } from '../../src/runner/message-pieces.ts'

const size = limits.messagePieceBytes
const file = (bytes: number, first = 0) => Uint8Array.from({ length: bytes }, (_, at) => (at + first + at / size) % 251)

/** As a process gets them. */
function sent(message: unknown): MessagePiece[] {
  return [...piecesOf(message)].map((piece) => structuredClone(piece))
}
function received(...pieces: readonly MessagePiece[]): unknown[] {
  const joiner = new MessageJoiner()
  return pieces.flatMap((piece) => {
    const whole = joiner.take(piece)
    return whole === undefined ? [] : [whole.message]
  })
}

describe('a message to an engine process', () => {
  test('without a large file is sent as it is, in one piece', () => {
    for (const message of [
      undefined,
      null,
      7,
      'text',
      { a: [1, { b: file(size) }], none: undefined },
      [new Map([['a', file(3)]])],
    ]) {
      const pieces = sent(message)
      expect([pieces.length, received(...pieces)]).toEqual([1, [message]])
    }
  })

  test('comes with its files whole, wherever they were, and none of their pieces is larger than it may be', () => {
    const [one, other, third] = [file(size + 1), file(3 * size, 1), file(2 * size + 5, 2)]
    const messages = [
      one,
      { sources: [{ role: 'template', source: { content: one, format: 'docx' } }], forget: ['a'] },
      { before: { bytes: one }, after: { bytes: other }, name: 'pages' },
      {
        files: new Map([
          ['letter', third],
          ['small', file(9)],
          ['other', other],
        ]),
        same: [one, one],
      },
    ]
    for (const message of messages) {
      const pieces = sent(message)
      expect(received(...pieces)).toEqual([message])
      const lengths = pieces.flatMap((each) => ('piece' in each ? [each.piece.buffer.byteLength] : []))
      expect(Math.max(...lengths)).toBe(size)
      expect(lengths.length).toBe(pieces.length - 1)
    }
  })

  test('takes a part of a larger buffer and leaves the sender what it had', () => {
    const whole = file(4 * size)
    const message = { bytes: whole.subarray(5, 2 * size) }
    const pieces = sent(message)
    expect(received(...pieces)).toEqual([{ bytes: whole.slice(5, 2 * size) }])
    expect([message.bytes.length, whole.length]).toEqual([2 * size - 5, 4 * size])
  })

  test('has nothing of a buffer but the part that is in it, whatever kind of array that is', () => {
    const archive = Buffer.from(file(5 * size))
    const message = {
      small: archive.subarray(3, 12),
      piece: archive.slice(7, size + 7),
      bytes: archive.subarray(9, 2 * size + 19),
      all: archive,
    }
    const held = (value: unknown): number =>
      value instanceof Uint8Array
        ? value.buffer.byteLength
        : typeof value === 'object' && value !== null
          ? Object.values(value).reduce((sum: number, member) => sum + held(member), 0)
          : 0
    const pieces = [...piecesOf(message)]
    expect(pieces.map(held)).toEqual([size, size, 10, size, size, size, size, size, 9 + size])
    expect(received(...pieces.map((piece) => structuredClone(piece)))).toEqual([
      Object.fromEntries(Object.entries(message).map(([name, bytes]) => [name, new Uint8Array(bytes)])),
    ])
  })

  test('keeps its files apart from those of the message before', () => {
    const [one, other] = [{ bytes: file(size + 7) }, { bytes: file(2 * size, 3) }]
    expect(received(...sent(one), ...sent({ small: 1 }), ...sent(other))).toEqual([one, { small: 1 }, other])
  })

  test('is not searched deeper than files are, nor through the lists of a payload', () => {
    const large = file(size + 1)
    let deep: unknown = large
    for (let level = 0; level < 5; level++) deep = { deep }
    expect(sent(deep)).toHaveLength(3)
    expect(sent({ deep })).toHaveLength(1)
    const list = (length: number) => Array.from({ length }, (_, at) => (at === 0 ? large : at))
    expect(sent(list(64))).toHaveLength(3)
    expect(sent(list(65))).toHaveLength(1)
    const members = (count: number) => Object.fromEntries(list(count).map((item, at) => [`m${at}`, item]))
    expect([sent(members(64)).length, sent(members(65)).length]).toEqual([3, 1])
    expect(sent(new Map(Object.entries(members(65))))).toHaveLength(1)
    expect(received(...sent({ deep }))).toEqual([{ deep }])
  })
})
