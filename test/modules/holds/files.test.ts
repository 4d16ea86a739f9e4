/** Legal holds on what the file of a batch names: what is looked for, when the file is read again, and what is remembered. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { heldInFile, type LookedFiles } from '../../../src/modules/holds/holds.files.service.ts'
import { ObjectDamaged, ObjectStoreUnavailable } from '../../../src/objects/object-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const start = instantOf('2026-11-20T09:30:00Z')
let database: Database
beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async ({ q, t }) => {
    await q.delete(t.holds)
  })
})
afterAll(() => database?.close())

async function hold(on: { reference?: string; model?: string }): Promise<string> {
  const id = newId()
  await database.write(async ({ q, t }) => {
    await q.insert(t.holds).values({
      ...{ id, objectReference: on.reference ?? null, modelSlug: on.model ?? null, reason: 'case' },
      ...{ objectReferenceHash: on.reference === undefined ? null : sha256Hex(on.reference) },
      ...{ placedBy: SYSTEM_ACTOR_ID, correlationId: 'c', placedAt: start },
    })
  })
  return id
}
const release = (id: string) =>
  database.write(async ({ q, t }) => {
    await q.update(t.holds).set({ releasedAt: start }).where(eq(t.holds.id, id))
  })

/** Files by their hashes, each of which counts how often it was read. */
function filesOf(texts: Record<string, string | Error>, looked?: LookedFiles) {
  const reads: string[] = []
  const objects = {
    async get(hash: string) {
      reads.push(hash)
      const text = texts[hash]
      if (text instanceof Error) throw text
      return text === undefined ? undefined : new TextEncoder().encode(text)
    },
  }
  const look = async (hash: string | null) => {
    const ports = { connection: database.read, objects, ...(looked === undefined ? {} : { looked }) }
    const find = await heldInFile(ports, hash)
    return { find, held: (await database.write((tx) => find(tx)))?.id }
  }
  return { reads, look }
}

test('a file that names a held object is held by it, and by no hold on another object or a model', async () => {
  const { look } = filesOf({ f: '{"number":"A-1"}\n{"number":"B-22"}\n' })
  expect((await look('f')).held).toBeUndefined()
  for (const on of [{ reference: 'A-11' }, { reference: 'B-2' }, { model: 'letters' }]) await hold(on)
  expect((await look('f')).held).toBeUndefined()
  const id = await hold({ reference: 'B-22' })
  expect((await look('f')).held).toBe(id)
  await release(id)
  expect((await look('f')).held).toBeUndefined()
})

test('where there is no file, or it is lost or damaged, there is nothing to keep, and a store that is away is no loss', async () => {
  await hold({ reference: 'A-1' })
  const { look, reads } = filesOf({ broken: new ObjectDamaged('damaged'), away: new ObjectStoreUnavailable('away') })
  expect((await look(null)).held).toBeUndefined()
  expect(reads).toEqual([])
  expect([(await look('gone')).held, (await look('broken')).held]).toEqual([undefined, undefined])
  expect(await rejectionOf(look('away'))).toBeInstanceOf(ObjectStoreUnavailable)
})

test('a hold that comes after the look, and before the transaction, counts as well', async () => {
  const { look } = filesOf({ f: 'A-1 and B-2' })
  const { find } = await look('f')
  const other = await hold({ reference: 'C-3' })
  expect(await database.write((tx) => find(tx))).toBeUndefined()
  const late = await hold({ reference: 'B-2' })
  expect((await database.write((tx) => find(tx)))?.id).toBe(late)
  for (const id of [other, late]) await release(id)
  expect(await database.write((tx) => find(tx))).toBeUndefined()
})

test('whoever looks again and again reads a file once for the same holds or fewer, and again for more', async () => {
  const { look, reads } = filesOf({ f: 'A-1 B-2' }, new Map())
  const first = await hold({ reference: 'A-1' })
  const other = await hold({ reference: 'X-9' })
  expect([(await look('f')).held, (await look('f')).held, reads]).toEqual([first, first, ['f']])
  await release(other)
  expect([(await look('f')).held, reads.length]).toEqual([first, 1])
  const { find } = await look('f')
  await release(first)
  // In a file that was not read now a hold that came meanwhile counts until the next look, whatever the file names.
  const late = await hold({ reference: 'Y-8' })
  expect((await database.write((tx) => find(tx)))?.id).toBe(late)
  expect([(await look('f')).held, reads.length]).toEqual([undefined, 2])
  const more = await hold({ reference: 'B-2' })
  expect([(await look('f')).held, reads.length]).toEqual([more, 3])
})

test('a file that could not be read is not remembered, and of many the one that was looked at first is forgotten', async () => {
  await hold({ reference: 'A-1' })
  const looked: LookedFiles = new Map()
  const texts: Record<string, string> = {}
  const { look, reads } = filesOf(texts, looked)
  await look('later')
  expect(looked.size).toBe(0)
  texts.later = 'A-1'
  await look('later')
  expect([looked.size, reads]).toEqual([1, ['later', 'later']])
  const none = { wanted: new Set<string>(), named: new Set<string>() }
  for (let index = 1; index < 1_000; index++) looked.set(`f${index}`, none)
  texts.newest = 'A-1'
  await look('newest')
  expect([looked.size, looked.has('later'), looked.has('f1'), looked.has('newest')]).toEqual([1_000, false, true, true])
})
