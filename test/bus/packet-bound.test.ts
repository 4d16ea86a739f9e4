import { expect, test } from 'bun:test'
import { PacketBound } from '../../src/bus/packet-bound.ts'

/** A packet of that many bytes behind its fixed header. */
function packet(length: number): Buffer {
  const digits: number[] = []
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    digits.push((rest % 128) | (rest >= 128 ? 0x80 : 0))
    if (rest < 128) break
  }
  return Buffer.concat([Buffer.from([0x30, ...digits]), Buffer.alloc(length, 0xff)])
}

test.each([1, 2, 3, 7, 1_000_000])('follows packets in chunks of %d bytes', (size) => {
  const bytes = Buffer.concat([packet(0), packet(1), packet(127), packet(128), packet(20_000), packet(0), packet(300)])
  const bound = new PacketBound(20_000)
  for (let at = 0; at < bytes.length; at += size) expect(bound.accepts(bytes.subarray(at, at + size))).toBe(true)
})

test('reports a packet that is too long as soon as its length is read', () => {
  expect(new PacketBound(200).accepts(packet(200))).toBe(true)
  expect(new PacketBound(200).accepts(packet(201).subarray(0, 3))).toBe(false)
  const bound = new PacketBound(200)
  expect(bound.accepts(packet(5))).toBe(true)
  expect(bound.accepts(Buffer.from([0x30, 0xff]))).toBe(true)
  expect(bound.accepts(Buffer.from([0xff]))).toBe(false)
})

test.each([0x40, 0x50, 0x62, 0x70])('refuses an acknowledgement without its whole identifier: %d', (head) => {
  expect(new PacketBound(200).accepts(Buffer.from([head, 0]))).toBe(false)
  expect(new PacketBound(200).accepts(Buffer.from([head, 1, 0]))).toBe(false)
  expect(new PacketBound(200).accepts(Buffer.from([head, 2, 0, 1, head, 2, 0, 2]))).toBe(true)
})
