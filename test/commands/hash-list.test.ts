import { heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { HashList } from '../../src/commands/hash-list.ts'
import { sha256Hex } from '../../src/core/hash.ts'

test('a list gives each of its hashes once and by its first byte, in files like in memory, and leaves nothing behind', () => {
  const hashes = Array.from({ length: 1_000 }, (_, index) => sha256Hex(String(index)))
  for (const inMemory of [10_000, 7]) {
    const list = new HashList(inMemory)
    for (const hash of [...hashes, ...hashes]) list.add(hash)
    const parts = [...list.parts()]
    expect(parts.length).toBe(256)
    expect(parts.flatMap((part) => [...part]).toSorted()).toEqual(hashes.toSorted())
    expect(
      parts.every((part, index) => [...part].every((hash) => Number.parseInt(hash.slice(0, 2), 16) === index)),
    ).toBe(true)
    const { folder } = list
    expect(folder === undefined).toBe(inMemory === 10_000)
    list.close()
    expect(folder !== undefined && existsSync(folder)).toBe(false)
  }
})

test('a list of a quarter of a million hashes takes no more memory than one of sixty thousand', () => {
  const grown = (count: number): number => {
    const list = new HashList(20_000)
    // Numbers in place of hashes, spread over the first byte: hashing would take longer than what is measured.
    for (let index = 0; index < count; index++) {
      list.add(((index * 2_654_435_761) >>> 0).toString(16).padStart(8, '0') + index.toString(16).padStart(56, '0'))
    }
    Bun.gc(true)
    const { heapSize } = heapStats()
    let most = 0
    for (const part of list.parts()) most = Math.max(most, part.size)
    expect(most).toBeLessThan(count / 100)
    list.close()
    return heapSize
  }
  const [small, large] = [grown(60_000), grown(250_000)]
  // The difference would be 190,000 texts of 64 characters, 20 MB and more.
  expect(large - small).toBeLessThan(4_000_000)
})

test('a list keeps a hash as its bytes', () => {
  const held = () => {
    Bun.gc(true)
    const { heapSize, extraMemorySize } = heapStats()
    return heapSize + extraMemorySize
  }
  const list = new HashList(50_000)
  const before = held()
  for (let index = 0; index < 49_000; index++) list.add(index.toString(16).padStart(64, '0'))
  // 3.2 MB, the shorter array before included; as texts 7.5.
  expect(held() - before).toBeLessThan(5_000_000)
  expect([...list.parts()][0]?.size).toBe(49_000)
  list.close()
})
