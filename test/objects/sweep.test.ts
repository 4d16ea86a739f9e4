import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { startSweeper } from '../../src/modules/storage/sweeper.service.ts'
import { type ObjectStore, ObjectStoreFull, type StoredObject } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { sweepObjects } from '../../src/objects/sweep.ts'
import { classifyFault } from '../../src/runner/faults.ts'
import { openTestDatabase, temporaryFolder } from '../support/database.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const bytes = new TextEncoder().encode('orphan')
const hash = sha256Hex(bytes)
const dayMs = 86_400_000

function age(folder: string): void {
  Bun.spawnSync(['touch', '-d', '2 days ago', join(folder, hash.slice(0, 2), hash.slice(2, 4), hash)])
}

test('a service removes an orphan in the second round that finds it, and never without the role', async () => {
  const folder = temporaryFolder()
  const objects = await openObjectStore(`file:${folder}`)
  await objects.put(hash, bytes)
  age(folder)
  const database = await openTestDatabase('sqlite')
  let isLeader = false
  const sweeper = startSweeper({ database, objects, log, isLeader: async () => isLeader, everyMs: 3_600_000 })
  for (let round = 0; round < 3; round++) await sweeper.round()
  isLeader = true
  await sweeper.round()
  expect(await objects.size(hash)).toBe(bytes.length)
  await sweeper.round()
  expect(await objects.size(hash)).toBeUndefined()
  sweeper.stop()
  await database.close()
})

test.each([
  ['has just seen it as an orphan', 0],
  ['asks for the last time whether a row names it', 1],
])('storing an object again keeps it from the sweep that %s', async (_when, question) => {
  const folder = temporaryFolder()
  const objects = await openObjectStore(`file:${folder}`)
  await objects.put(hash, bytes)
  age(folder)
  let asked = 0
  const swept = await sweepObjects({
    objects,
    // A step stores the same content between the listing and the removal; its row comes later.
    named: async () => {
      if (asked++ === question) await objects.put(hash, bytes)
      return new Set()
    },
    nowMs: Date.now(),
    minAgeMs: dayMs,
    mayDelete: () => true,
  })
  expect(swept).toMatchObject({ orphans: [{ hash }], deleted: 0 })
  expect(await objects.get(hash)).toEqual(bytes)
})

test('a row that came in the meantime keeps its object as well', async () => {
  const folder = temporaryFolder()
  const objects = await openObjectStore(`file:${folder}`)
  await objects.put(hash, bytes)
  age(folder)
  let asked = 0
  await sweepObjects({
    objects,
    named: async () => new Set(asked++ === 0 ? [] : [hash]),
    nowMs: Date.now(),
    minAgeMs: dayMs,
    mayDelete: () => true,
  })
  expect(await objects.size(hash)).toBe(bytes.length)
})

test('the sweep removes what is old enough and named by no row, counts it, and lists without removing where it may not', async () => {
  const objects = await openObjectStore(`file:${temporaryFolder()}`)
  const stored = ['named', 'one', 'two', 'kept'].map((text) => new TextEncoder().encode(text))
  for (const content of stored) await objects.put(sha256Hex(content), content)
  const [named, one, two, kept] = stored.map((content) => sha256Hex(content)) as [string, string, string, string]
  const sweep = (nowMs: number, mayDelete?: (orphan: StoredObject) => boolean) =>
    sweepObjects({
      objects,
      named: async (hashes) => new Set(hashes.filter((each) => each === named)),
      nowMs,
      minAgeMs: dayMs,
      ...(mayDelete === undefined ? {} : { mayDelete }),
    })
  const hashes = ({ orphans }: { orphans: StoredObject[] }) => orphans.map((orphan) => orphan.hash).sort()
  const inADay = Date.now() + dayMs
  expect(await sweep(inADay - 60_000, () => true)).toEqual({ objects: 4, bytes: 15, orphans: [], deleted: 0 })
  const listed = await sweep(inADay + 60_000)
  expect([hashes(listed), listed.deleted]).toEqual([[one, two, kept].sort(), 0])
  const swept = await sweep(inADay + 60_000, (orphan) => orphan.hash !== kept)
  expect([hashes(swept), swept.deleted]).toEqual([[one, two, kept].sort(), 2])
  const sizes = await Promise.all([named, one, two, kept].map((each) => objects.size(each)))
  expect(sizes).toEqual([5, undefined, undefined, 4])
})

test('the sweep looks at every object of several batches, each once', async () => {
  const count = 2 * limits.orphanSweepBatch + 1
  const all = Array.from({ length: count }, (_, index) => sha256Hex(`object ${index}`))
  const deleted: string[] = []
  const objects = {
    async *list() {
      for (const each of all) yield { hash: each, size: 1, modifiedAtMs: 0 }
    },
    deleteUnlessSince: async (each: string) => (deleted.push(each) > 0 ? 'removed' : 'missing'),
  } as unknown as ObjectStore
  const batches: number[] = []
  const named = async (hashes: readonly string[]) => {
    if (hashes.length > 1) batches.push(hashes.length)
    return new Set<string>()
  }
  const swept = await sweepObjects({ objects, named, nowMs: dayMs, minAgeMs: dayMs, mayDelete: () => true })
  expect([swept.orphans.length, swept.deleted]).toEqual([count, count])
  expect(deleted).toEqual(all)
  expect(batches).toEqual([limits.orphanSweepBatch, limits.orphanSweepBatch])
})

test('a disk with too little room refuses a file before it writes it, as a fault that may pass', async () => {
  const folder = temporaryFolder()
  const objects = await openObjectStore(`file:${folder}`, { reserveBytes: Number.MAX_SAFE_INTEGER })
  const fault = await objects.put(hash, bytes).catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(ObjectStoreFull)
  expect(classifyFault(fault).code).toBe('object_store_full')
  expect(await objects.size(hash)).toBeUndefined()
})
