/** The sweep of a service: which objects it takes for orphans, when it removes them, and what it says of a round. */
import { expect, test } from 'bun:test'
import { utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { startSweeper } from '../../../src/modules/storage/sweeper.service.ts'
import type { ObjectStore } from '../../../src/objects/object-store.ts'
import { openObjectStore } from '../../../src/objects/objects.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'

const encoder = new TextEncoder()

async function sweeping(options: { isLeader?: () => Promise<boolean>; objects?: ObjectStore } = {}) {
  const database = await openTestDatabase('sqlite')
  const folder = temporaryFolder()
  const objects = options.objects ?? (await openObjectStore(`file:${folder}`))
  const logged: string[] = []
  const sweeper = startSweeper({
    ...{ database, objects, isLeader: options.isLeader ?? (async () => true) },
    log: createLog({ level: 'info', readable: false, write: (line) => logged.push(line) }),
  })
  /** Puts an object in, as old as it has to be. */
  const put = async (text: string, ageMs = limits.orphanAgeMs + 60_000) => {
    const hash = sha256Hex(text)
    await objects.put(hash, encoder.encode(text))
    const at = (Date.now() - ageMs) / 1_000
    for (const name of await readdir(folder, { recursive: true })) {
      if (name.endsWith(hash) || name.replaceAll('/', '').endsWith(hash)) utimesSync(join(folder, name), at, at)
    }
    return hash
  }
  const name = (contentHash: string) =>
    database.write(async ({ q, t }) => {
      await q.insert(t.artifacts).values({
        ...{ id: newId(), executionId: newId(), submissionId: newId(), kind: 'docx', byteSize: 1, contentHash },
        ...{ objectReference: 'A-1', modelSlug: 'm', nodeLabel: 'L', nodeAddress: 'm:l' },
        createdAt: instantOf('2026-11-01T00:00:00Z'),
      })
    })
  const isThere = async (hash: string) => (await objects.get(hash)) !== undefined
  return { sweeper, put, name, isThere, logged }
}

test('an orphan is told by the first round that finds it and removed by the second, and nothing else is', async () => {
  const { sweeper, put, name, isThere, logged } = await sweeping()
  const [orphan, named, young] = [await put('orphan'), await put('named'), await put('young', 0)]
  await name(named)
  expect(sweeper.last).toBeUndefined()
  await sweeper.round()
  expect(sweeper.last).toMatchObject({ objects: 3, bytes: 16, found: 1, removed: 0 })
  expect(await isThere(orphan)).toBe(true)
  const later = await put('later')
  await sweeper.round()
  expect(sweeper.last).toMatchObject({ objects: 4, found: 2, removed: 1 })
  expect(await Promise.all([orphan, named, young, later].map(isThere))).toEqual([false, true, true, true])
  await sweeper.round()
  expect([sweeper.last?.found, sweeper.last?.removed, await isThere(later)]).toEqual([1, 1, false])
  await sweeper.round()
  expect(sweeper.last).toMatchObject({ objects: 2, bytes: 10, found: 0, removed: 0 })
  expect(logged.map((line) => JSON.parse(line)).map(({ found, removed }) => [found, removed])).toEqual([
    [1, 0],
    [2, 1],
    [1, 1],
  ])
  expect(sweeper.nextAtMs - Date.now()).toBeWithin(limits.orphanSweepMs - 60_000, limits.orphanSweepMs + 1)
  sweeper.stop()
})

test('an orphan that somebody names between two rounds stays', async () => {
  const { sweeper, put, name, isThere } = await sweeping()
  const hash = await put('orphan')
  await sweeper.round()
  await name(hash)
  await sweeper.round()
  expect([sweeper.last?.found, await isThere(hash)]).toEqual([0, true])
  sweeper.stop()
})

test('only the instance with the role sweeps, and a round that fails is told and tried again', async () => {
  const other = await sweeping({ isLeader: async () => false })
  await other.put('orphan')
  await other.sweeper.round()
  expect([other.sweeper.last, other.logged]).toEqual([undefined, []])
  other.sweeper.stop()
  const failing = await sweeping({ isLeader: () => Promise.reject(new Error('no database')) })
  await failing.sweeper.round()
  await failing.sweeper.round()
  expect([failing.sweeper.last, failing.logged.length]).toEqual([undefined, 2])
  expect(failing.logged[0]).toContain('no database')
  failing.sweeper.stop()
})
