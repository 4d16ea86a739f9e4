/** What a directory of objects makes of the faults of its disk, which a test hands in. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { openDirectoryStore } from '../../src/objects/directory.ts'
import { type DiskFiles, systemFiles } from '../../src/objects/disk-files.ts'
import { noticed } from '../../src/objects/noticed.ts'
import {
  getIntact,
  ObjectDamaged,
  type ObjectStore,
  ObjectStoreFull,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
  ObjectsUrlInvalid,
} from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { collect } from './contract.ts'

const bytes = new TextEncoder().encode('a letter')
const hash = sha256Hex(bytes)
const note = 'erasure.0198c3d2-7a10-7c00-8000-000000000000'

/** A disk whose calls fail with a code once one is set. */
function failing() {
  const faults: Partial<Record<keyof DiskFiles, string>> = {}
  const failure = (name: keyof DiskFiles) => Object.assign(new Error(`${name} failed`), { code: faults[name] })
  const files = new Proxy(systemFiles, {
    get(target, name: keyof DiskFiles) {
      const call = Reflect.get(target, name) as (...given: unknown[]) => unknown
      return (...given: unknown[]) => (faults[name] === undefined ? call(...given) : Promise.reject(failure(name)))
    },
  })
  return { faults, files }
}

async function openFailing(): Promise<{
  store: ObjectStore
  root: string
  faults: ReturnType<typeof failing>['faults']
}> {
  const root = join(temporaryFolder(), 'objects')
  const { faults, files } = failing()
  return { store: await openDirectoryStore(root, {}, files), root, faults }
}

const fileOf = (root: string, name = hash) => join(root, name.slice(0, 2), name.slice(2, 4), name)

describe('a put', () => {
  test.each([
    ['ENOSPC', ObjectStoreFull, 'the disk of the object directory is full'],
    ['EDQUOT', ObjectStoreFull, 'the disk of the object directory is full'],
    ['EROFS', ObjectStoreRefused, 'the object directory could not store an object'],
    ['EACCES', ObjectStoreRefused, 'the object directory could not store an object'],
    ['EPERM', ObjectStoreRefused, 'the object directory could not store an object'],
    ['EIO', ObjectStoreUnavailable, 'the object directory could not store an object'],
  ] as const)('that meets %s says what that means, and leaves nothing behind', async (code, kind, message) => {
    const { store, root, faults } = await openFailing()
    faults.rename = code
    const fault = await rejectionOf(store.put(hash, bytes))
    expect(fault).toBeInstanceOf(kind)
    expect([(fault as Error).constructor.name, (fault as Error).message]).toEqual([kind.name, message])
    expect(readdirSync(join(root, 'unfinished'))).toEqual([])
    expect(await store.get(hash)).toBeUndefined()
    delete faults.rename
    await store.put(hash, bytes)
    expect(await store.get(hash)).toEqual(bytes)
  })

  test('of what is stored already renews its age, and writes nothing', async () => {
    const { store, root, faults } = await openFailing()
    await store.put(hash, bytes)
    utimesSync(fileOf(root), 1, 1)
    expect(await store.modifiedAtMs(hash)).toBe(1_000)
    faults.rename = 'EIO'
    await store.put(hash, bytes)
    expect(Date.now() - ((await store.modifiedAtMs(hash)) ?? 0)).toBeLessThan(60_000)
  })

  test.each(['its own file', 'its folder', 'the folder above', 'the directory'])(
    'of what is stored already fails where that can not be made durable: %s',
    async (what) => {
      const root = temporaryFolder()
      await (await openDirectoryStore(root, {})).put(hash, bytes)
      const file = fileOf(root)
      const places = [file, dirname(file), dirname(dirname(file)), root]
      const place = places[['its own file', 'its folder', 'the folder above', 'the directory'].indexOf(what)]
      let isFailing = false
      const files: DiskFiles = {
        ...systemFiles,
        open: (path, flags, mode) =>
          isFailing && path === place
            ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
            : systemFiles.open(path, flags, mode),
      }
      const store = await openDirectoryStore(root, {}, files)
      isFailing = true
      expect(await rejectionOf(store.put(hash, bytes))).toBeInstanceOf(ObjectStoreUnavailable)
    },
  )

  test('takes room to the last byte that is not kept free, and no further', async () => {
    const root = temporaryFolder()
    const of = async (freeBytes: number) => {
      const files = { ...systemFiles, freeBytes: async () => freeBytes }
      const store = await openDirectoryStore(root, { reserveBytes: 1_000 }, files)
      return store.put(hash, bytes).then(
        () => 'stored',
        (error: unknown) => String(error),
      )
    }
    expect(await of(1_000 + bytes.length - 1)).toBe(
      'ObjectStoreFull: the disk of the object directory has 1007 bytes left, of which 1000 are kept free',
    )
    expect(await of(1_000 + bytes.length)).toBe('stored')
  })
})

test('an object that is stored again between the question about its age and its removal is there afterwards', async () => {
  const root = temporaryFolder()
  const unlink = (path: string) => Bun.sleep(50).then(() => systemFiles.unlink(path))
  const store = await openDirectoryStore(root, {}, { ...systemFiles, unlink })
  await store.put(hash, bytes)
  utimesSync(fileOf(root), 1, 1)
  const removal = store.deleteUnlessSince(hash, Date.now() - 60_000)
  await store.put(hash, bytes)
  expect(await removal).toBe('removed')
  expect(await store.get(hash)).toEqual(bytes)
  expect(await store.deleteUnlessSince(hash, Date.now() - 60_000)).toBe('kept')
})

test('an object that another process removes while it is stored again is written once more', async () => {
  const root = temporaryFolder()
  let others = 0
  const utimes: typeof systemFiles.utimes = async (path, ...times) => {
    if (others++ === 0) rmSync(path)
    await systemFiles.utimes(path, ...times)
  }
  const store = await openDirectoryStore(root, {}, { ...systemFiles, utimes })
  expect(await store.put(hash, bytes)).toBe('new')
  expect(await store.put(hash, bytes)).toBe('found')
  expect(others).toBe(1)
  expect(await store.get(hash)).toEqual(bytes)
})

describe('a read', () => {
  test('that the disk refuses says so, and is never taken for a missing object', async () => {
    const { store, faults } = await openFailing()
    await store.put(hash, bytes)
    Object.assign(faults, { readFile: 'EIO', stat: 'EIO', unlink: 'EIO' })
    const reads: (() => Promise<unknown>)[] = [
      () => store.get(hash),
      () => store.size(hash),
      () => store.modifiedAtMs(hash),
      () => store.open(hash),
    ]
    for (const read of reads)
      expect(String(await rejectionOf(read()))).toContain('the object directory could not be read')
    expect(String(await rejectionOf(store.delete(hash)))).toContain('the object directory could not remove an object')
  })

  test('finds nothing where there is no folder for it, nor where a file is in the folder’s place', async () => {
    const { store, root } = await openFailing()
    writeFileSync(join(root, hash.slice(0, 2)), '')
    expect([await store.get(hash), await store.size(hash), await store.modifiedAtMs(hash)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(await store.delete(hash)).toBe(false)
  })

  test('is done without by those who can do without it, where it is damaged, and only there', async () => {
    const { store, root, faults } = await openFailing()
    await store.put(hash, bytes)
    expect(await getIntact(store, hash)).toEqual(bytes)
    writeFileSync(fileOf(root), 'b letter')
    expect(await rejectionOf(store.get(hash))).toBeInstanceOf(ObjectDamaged)
    expect(await getIntact(store, hash)).toBeUndefined()
    faults.readFile = 'EIO'
    expect(await rejectionOf(getIntact(store, hash))).toBeInstanceOf(ObjectStoreUnavailable)
  })
})

describe('a removal', () => {
  test('is made durable, also where somebody else has taken the name away', async () => {
    const { store, faults, root } = await openFailing()
    await store.put(hash, bytes)
    rmSync(fileOf(root))
    faults.open = 'EIO'
    expect(await rejectionOf(store.delete(hash))).toBeInstanceOf(ObjectStoreUnavailable)
    delete faults.open
    expect(await store.delete(hash)).toBe(false)
  })
})

describe('a directory', () => {
  test('that was removed or replaced is no longer the store, for notes as for objects', async () => {
    const { store, root } = await openFailing()
    await store.put(hash, bytes)
    await store.notes.put(note, bytes)
    expect(store.gone?.()).toBeUndefined()
    const uses: (() => Promise<unknown>)[] = [
      () => store.put(hash, bytes),
      () => store.get(sha256Hex('never put')),
      () => store.probe(),
      () => store.notes.names(),
      () => store.notes.get(note),
      () => store.notes.put(note, bytes),
      () => store.notes.delete(note),
    ]
    renameSync(root, `${root}.aside`)
    for (const use of uses)
      expect(String(await rejectionOf(use()))).toBe(`ObjectStoreGone: the object directory ${root} was removed`)
    mkdirSync(root)
    const replaced = `ObjectStoreGone: the object directory ${root} was replaced by another directory`
    for (const use of uses) expect(String(await rejectionOf(use()))).toBe(replaced)
    expect(String(store.gone?.())).toBe(replaced)
    rmSync(root, { recursive: true })
    renameSync(`${root}.aside`, root)
    expect(store.gone?.()).toBeUndefined()
    expect(await store.notes.names()).toEqual([note])
  })

  test('is opened where what is above it is no business of this user, and not where its own entry is at risk', async () => {
    const opened = async (code: string, path: (root: string) => string, isMade = true) => {
      const root = join(temporaryFolder(), 'objects')
      if (isMade) mkdirSync(root)
      const files: DiskFiles = {
        ...systemFiles,
        open: (one, flags, mode) =>
          one === path(root)
            ? Promise.reject(Object.assign(new Error(code), { code }))
            : systemFiles.open(one, flags, mode),
      }
      return openDirectoryStore(root, {}, files).then(
        () => 'opened',
        (error: unknown) => (error instanceof ObjectStoreUnavailable ? 'refused' : String(error)),
      )
    }
    const itself = (root: string) => root
    expect(await opened('EACCES', dirname)).toBe('opened')
    expect(await opened('EPERM', dirname)).toBe('opened')
    expect(await opened('EIO', dirname)).toBe('refused')
    expect(await opened('EACCES', itself)).toBe('refused')
    // A folder that was just made is there only once the one above it is durable.
    expect(await opened('EACCES', dirname, false)).toBe('refused')
  })

  test('is listed by its objects alone, whatever else is in it', async () => {
    const { store, root } = await openFailing()
    await store.put(hash, bytes)
    await store.notes.put(note, bytes)
    mkdirSync(join(root, 'abc/de'), { recursive: true })
    writeFileSync(join(root, 'abc/de', sha256Hex('elsewhere')), '')
    writeFileSync(join(dirname(fileOf(root)), 'no-hash'), '')
    const { mtimeMs } = statSync(fileOf(root))
    expect(await collect(store.list())).toEqual([{ hash, size: bytes.length, modifiedAtMs: mtimeMs }])
  })

  test('does not pass its probe while what it writes is read back changed, and keeps nothing of it', async () => {
    const root = temporaryFolder()
    const files: DiskFiles = { ...systemFiles, readFile: async () => Buffer.from('prob?') }
    const store = await openDirectoryStore(root, {}, files)
    const fault = await rejectionOf(store.probe())
    expect(fault).toBeInstanceOf(ObjectStoreUnavailable)
    expect(String((fault as Error).cause)).toContain('was read back changed')
    expect(readdirSync(join(root, 'unfinished'))).toEqual([])
  })

  test('keeps the reserve for probes, too', async () => {
    const files = { ...systemFiles, freeBytes: async () => 999 }
    const store = await openDirectoryStore(temporaryFolder(), { reserveBytes: 1_000 }, files)
    expect(await rejectionOf(store.probe())).toBeInstanceOf(ObjectStoreFull)
  })

  test('is named by a path or by a file address of this machine, and by no other', async () => {
    const folder = temporaryFolder()
    for (const [url, place] of [
      [`file:${folder}/a`, 'a'],
      [`file://${folder}/b`, 'b'],
      [`file://${folder}/with%20space`, 'with space'],
    ] as const) {
      await openObjectStore(url)
      expect([url, existsSync(join(folder, place, 'unfinished'))]).toEqual([url, true])
    }
    expect(await rejectionOf(openObjectStore('file://elsewhere/objects'))).toEqual(
      new ObjectsUrlInvalid('the object directory must be on this machine: file:<path> or file:///<path>'),
    )
  })
})

describe('notes of a folder', () => {
  test('are found by their names alone, and leave no draft where one could not take its place', async () => {
    const { store, root } = await openFailing()
    expect(await store.notes.names()).toEqual([])
    await store.notes.delete(note)
    await store.notes.put(note, bytes)
    writeFileSync(join(root, 'notes', 'other'), '')
    expect(await store.notes.names()).toEqual([note])
    const blocked = note.replace(/0$/, '1')
    mkdirSync(join(root, 'notes', blocked))
    expect(await rejectionOf(store.notes.put(blocked, bytes))).toBeInstanceOf(ObjectStoreUnavailable)
    expect(readdirSync(join(root, 'notes')).sort()).toEqual([note, blocked, 'other'].sort())
    await store.notes.delete(note)
    expect(await store.notes.get(note)).toBeUndefined()
    // Nobody else on the machine need read them.
    expect(statSync(join(root, 'notes')).mode & 0o777).toBe(0o700)
  })

  test('that can not be read are a fault and no empty list', async () => {
    const { store, root } = await openFailing()
    writeFileSync(join(root, 'notes'), '')
    const { notes } = store
    for (const use of [() => notes.names(), () => notes.get(note), () => notes.delete(note)])
      expect(await rejectionOf(use())).toBeInstanceOf(ObjectStoreUnavailable)
  })
})

test('the listener gets each object once it is stored, none that failed, and nothing else', async () => {
  const { store, faults, root } = await openFailing()
  const told: string[] = []
  const watched = noticed(store, (stored) => told.push(stored))
  faults.rename = 'EIO'
  await rejectionOf(watched.put(hash, bytes))
  expect(told).toEqual([])
  delete faults.rename
  await watched.put(hash, bytes)
  expect(told).toEqual([hash])
  expect(await watched.get(hash)).toEqual(bytes)
  expect(await new Response((await watched.open(hash))?.stream).bytes()).toEqual(bytes)
  expect([await watched.size(hash), await watched.modifiedAtMs(hash)]).toEqual([
    bytes.length,
    await store.modifiedAtMs(hash),
  ])
  expect((await collect(watched.list())).map((one) => one.hash)).toEqual([hash])
  expect(watched.notes).toBe(store.notes)
  await watched.probe()
  expect(await watched.delete(hash)).toBe(true)
  expect(watched.gone?.()).toBeUndefined()
  renameSync(root, `${root}.aside`)
  expect(String(watched.gone?.())).toContain('was removed')
  expect('gone' in noticed({ ...store, gone: undefined } as never, () => {})).toBe(false)
  expect(told).toEqual([hash])
})
