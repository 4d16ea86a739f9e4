import { describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { isHash, requireContent, requireHash, streamOf, verified } from '../../src/objects/content.ts'
import { getIntact, ObjectDamaged, ObjectStoreUnavailable, ObjectsUrlInvalid } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text)
}

/** What came through before it ended or failed, and how that was. */
async function passed(chunks: AsyncIterable<Uint8Array>): Promise<[texts: string[], end: unknown]> {
  const texts: string[] = []
  try {
    for await (const chunk of chunks) texts.push(new TextDecoder().decode(chunk))
    return [texts, 'whole']
  } catch (error) {
    return [texts, error instanceof ObjectDamaged ? error.hash : error]
  }
}

describe('chunks that are checked while they pass', () => {
  const hash = sha256Hex('abcdef')

  test('come through unchanged and in order when they are what their name says', async () => {
    expect(await passed(verified(hash, 6, chunksOf('ab', 'cd', 'ef')))).toEqual([['ab', 'cd', 'ef'], 'whole'])
    expect(await passed(verified(hash, 6, chunksOf('abcdef')))).toEqual([['abcdef'], 'whole'])
    expect(await passed(verified(sha256Hex(''), 0, chunksOf()))).toEqual([[], 'whole'])
  })

  test('end in a fault instead of their last one when they are something else', async () => {
    expect(await passed(verified(hash, 6, chunksOf('ab', 'cd', 'eX')))).toEqual([['ab', 'cd'], hash])
    expect(await passed(verified(hash, 6, chunksOf('abcdeX')))).toEqual([[], hash])
    // Fewer bytes, more bytes, or none, though those that came are right.
    expect(await passed(verified(hash, 6, chunksOf('ab', 'cd')))).toEqual([['ab'], hash])
    expect(await passed(verified(hash, 7, chunksOf('ab', 'cdef')))).toEqual([['ab'], hash])
    expect(await passed(verified(hash, 5, chunksOf('ab', 'cd', 'ef')))).toEqual([['ab'], hash])
    expect(await passed(verified(hash, 6, chunksOf()))).toEqual([[], hash])
  })
})

describe('a stream over chunks', () => {
  test('gives them as they are read, and no sooner', async () => {
    let pulled = 0
    const counted = async function* () {
      for (const text of ['a', 'b', 'c']) {
        pulled++
        yield bytes(text)
      }
    }
    const reader = streamOf(counted()).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('a')
    expect(pulled).toBeLessThan(3)
    const rest = [await reader.read(), await reader.read(), await reader.read()]
    expect(rest.map(({ done }) => done)).toEqual([false, false, true])
  })

  test('lets go of what is behind it when its reader goes away', async () => {
    let isReleased = false
    const held = async function* () {
      try {
        for (;;) yield bytes('more')
      } finally {
        isReleased = true
      }
    }
    const reader = streamOf(held()).getReader()
    await reader.read()
    await reader.cancel()
    expect(isReleased).toBe(true)
  })

  test('fails for its reader when the chunks fail', async () => {
    const stream = streamOf(verified(sha256Hex('x'), 1, chunksOf('y')))
    expect(await outcomeOf(new Response(stream).bytes())).toThrow(ObjectDamaged)
  })
})

test('only the 64 digits of a hash name an object', () => {
  const hash = sha256Hex('a')
  expect(isHash(hash)).toBe(true)
  requireHash(hash)
  requireContent(hash, bytes('a'))
  for (const other of ['', hash.slice(1), `${hash}0`, hash.toUpperCase(), ` ${hash}`, `${hash}\n`, '../etc/passwd']) {
    expect([other, isHash(other)]).toEqual([other, false])
    expect(() => requireHash(other)).toThrow(TypeError)
    expect(() => requireContent(other, bytes('a'))).toThrow('64 lower-case')
  }
  expect(() => requireContent(hash, bytes('b'))).toThrow('not those of')
})

describe('the address of an object store', () => {
  test('names a directory, as a path or as a URL', async () => {
    const folder = temporaryFolder()
    const hash = sha256Hex('a')
    for (const url of [`file:${folder}/one`, `file://${folder}/two words`, `file://${folder}/with%20blank`]) {
      const store = await openObjectStore(url)
      await store.put(hash, bytes('a'))
      await store.close()
    }
    for (const name of ['one', 'two words', 'with blank'])
      expect([name, existsSync(join(folder, name, hash.slice(0, 2), hash.slice(2, 4), hash))]).toEqual([name, true])
  })

  test.each([
    'file:',
    'file://elsewhere/objects',
    'directory',
    'http://host/bucket',
    's3:bucket',
    's3://',
    's3://bucket?colour=red',
    's3://bucket?style=round',
    's3://bucket?endpoint=host:9000',
    's3://user@bucket',
    's3://bucket name',
  ])('is refused with what to write instead where it names none: %s', async (url) => {
    const refusal = await openObjectStore(url).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ObjectsUrlInvalid)
  })
})

test('an object that is damaged counts as missing where that is asked for, and a store that fails never does', async () => {
  const failing = (error: Error) => ({ get: () => Promise.reject(error) })
  expect(await getIntact({ get: async () => bytes('a') }, 'name')).toEqual(bytes('a'))
  expect(await getIntact(failing(new ObjectDamaged('name')), 'name')).toBeUndefined()
  const away = new ObjectStoreUnavailable('it is away')
  expect(await getIntact(failing(away), 'name').catch((error: unknown) => error)).toBe(away)
})

test('the fault of a put is what stopped it, and not what clearing up after it met', async () => {
  const folder = temporaryFolder()
  const store = await openObjectStore(`file:${folder}`)
  rmSync(join(folder, 'unfinished'), { recursive: true })
  const fault = await store.put(sha256Hex('a'), bytes('a')).catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(ObjectStoreUnavailable)
  expect((fault as ObjectStoreUnavailable).cause).toMatchObject({ code: 'ENOENT', syscall: 'open' })
})
