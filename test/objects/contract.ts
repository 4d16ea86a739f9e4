import { expect, test } from 'bun:test'
import { sha256Hex } from '../../src/core/hash.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { outcomeOf } from '../support/outcome.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** What every object store guarantees, whatever is behind it. */
export function testsOfEveryStore(store: () => ObjectStore): void {
  test('gives back the bytes that were put, whole and as a stream', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    const hash = sha256Hex(bytes)
    await store().put(hash, bytes)
    expect(await store().get(hash)).toEqual(bytes)
    expect(await store().size(hash)).toBe(60_000)
    const opened = await store().open(hash)
    expect(opened?.size).toBe(60_000)
    expect(await new Response(opened!.stream).bytes()).toEqual(bytes)
  })

  test('answers undefined for what was never put', async () => {
    const hash = sha256Hex('never put')
    expect(await store().get(hash)).toBeUndefined()
    expect(await store().open(hash)).toBeUndefined()
    expect(await store().size(hash)).toBeUndefined()
    expect(await store().delete(hash)).toBe(false)
  })

  test('stores the same object once, also for twenty writers at a time', async () => {
    const bytes = bytesOf('the same for all')
    const hash = sha256Hex(bytes)
    await Promise.all(Array.from({ length: 20 }, () => store().put(hash, bytes)))
    const listed = await collect(store().list())
    expect(listed.filter((object) => object.hash === hash)).toHaveLength(1)
    expect(await store().get(hash)).toEqual(bytes)
  })

  test('refuses bytes under a name that is not theirs, and names that are no hash', async () => {
    const foreign = sha256Hex('something else')
    expect(await outcomeOf(store().put(foreign, bytesOf('not that')))).toThrow(TypeError)
    expect(await store().get(foreign)).toBeUndefined()
    for (const name of ['../../etc/passwd', 'ABCD', '', foreign.toUpperCase(), `${foreign}0`]) {
      expect(await outcomeOf(store().get(name))).toThrow(TypeError)
      expect(await outcomeOf(store().delete(name))).toThrow(TypeError)
    }
  })

  test('keeps notes beside the objects, by names of their own, and replaces them', async () => {
    const { notes } = store()
    const name = `erasure.${crypto.randomUUID()}`
    expect(await notes.get(name)).toBeUndefined()
    expect(await notes.names()).not.toContain(name)
    for (const text of ['one', 'another']) {
      await notes.put(name, bytesOf(text))
      expect(new TextDecoder().decode(await notes.get(name))).toBe(text)
    }
    expect((await notes.names()).filter((each) => each === name)).toEqual([name])
    expect((await collect(store().list())).map(({ hash }) => hash)).not.toContain(name)
    for (const other of ['../store', 'erasure', `erasure.${'x'.repeat(36)}`, `a/erasure.${crypto.randomUUID()}`]) {
      expect(await outcomeOf(notes.put(other, bytesOf('none')))).toThrow(TypeError)
      expect(await outcomeOf(notes.get(other))).toThrow(TypeError)
      expect(await outcomeOf(notes.delete(other))).toThrow(TypeError)
    }
  })

  test('forgets an object that was deleted, and takes it again', async () => {
    const bytes = bytesOf('here today')
    const hash = sha256Hex(bytes)
    await store().put(hash, bytes)
    expect(await store().delete(hash)).toBe(true)
    expect(await store().get(hash)).toBeUndefined()
    await store().put(hash, bytes)
    expect(await store().get(hash)).toEqual(bytes)
  })

  test('lists every object with its size and time', async () => {
    const bytes = bytesOf('listed')
    const hash = sha256Hex(bytes)
    await store().put(hash, bytes)
    const entry = (await collect(store().list())).find((object) => object.hash === hash)
    expect(entry?.size).toBe(6)
    expect(Math.abs(Date.now() - entry!.modifiedAtMs)).toBeLessThan(60_000)
  })

  test('answers its probe', async () => {
    await store().probe()
  })
}
