import { expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { inflatePieces } from '../../../../src/engines/pdf/render/inflate.ts'

function all(compressed: Uint8Array): { bytes: Buffer; longest: number } {
  const pieces = [...inflatePieces(compressed)].map((piece) => Buffer.from(piece))
  return { bytes: Buffer.concat(pieces), longest: Math.max(0, ...pieces.map(({ length }) => length)) }
}

function* copied(compressed: Uint8Array): Generator<Buffer> {
  for (const piece of inflatePieces(compressed)) yield Buffer.from(piece)
}

test.each([0, 1, 262_143, 262_144, 262_145, 524_288, 3_000_000])(
  'inflates %d bytes, a quarter of a megabyte at a time',
  (length) => {
    const data = Buffer.from(Array.from({ length: 1_009 }, (_, at) => (at * at) & 255))
    const original = Buffer.alloc(length, data)
    expect(Buffer.concat([...copied(deflateSync(original))]).equals(original)).toBe(true)
    expect(all(deflateSync(original)).longest).toBeLessThanOrEqual(262_144)
  },
)

test('ignores what follows the stream', () => {
  expect([...copied(Buffer.concat([deflateSync(Buffer.from('text')), Buffer.alloc(9)]))].join('')).toBe('text')
})

test('throws for data that is cut off, that has a wrong sum, and that is no stream', () => {
  const whole = deflateSync(Buffer.alloc(1_000_000, 'some text'))
  expect(() => all(whole.subarray(0, -5))).toThrow('unexpected end')
  expect(() => all(Buffer.concat([whole.subarray(0, -4), Buffer.alloc(4)]))).toThrow('incorrect data check')
  expect(() => all(Buffer.alloc(50, 3))).toThrow('incorrect header check')
  expect(() => all(new Uint8Array(0))).toThrow('unexpected end')
})
