import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { limits } from '../../src/core/limits.ts'
import { openDirectoryStore } from '../../src/objects/directory.ts'
import { type DiskFiles, systemFiles } from '../../src/objects/disk-files.ts'
import {
  ObjectDamaged,
  type ObjectStore,
  ObjectStoreFull,
  ObjectStoreUnavailable,
  ObjectsUrlInvalid,
} from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { testsOfEveryStore } from './contract.ts'

const bytes = new TextEncoder().encode('a letter')
const hash = sha256Hex(bytes)

describe('the object directory', () => {
  let folder: string
  let store: ObjectStore
  beforeAll(async () => {
    folder = temporaryFolder()
    store = await openObjectStore(`file:${folder}`)
  })
  const fileOf = (name: string) => join(folder, name.slice(0, 2), name.slice(2, 4), name)

  testsOfEveryStore(() => store)

  test('makes its folder durable at each start, also where an earlier one made it and was cut short', async () => {
    const root = join(temporaryFolder(), 'objects')
    mkdirSync(root)
    const synced: string[] = []
    const files: DiskFiles = {
      ...systemFiles,
      async open(path, flags, mode) {
        const handle = await systemFiles.open(path, flags, mode)
        const sync = () => {
          synced.push(path)
          return handle.sync()
        }
        return { sync, writeFile: (content) => handle.writeFile(content), close: () => handle.close() }
      },
    }
    await openDirectoryStore(root, {}, files)
    await openDirectoryStore(root, {}, files)
    expect(synced).toEqual([root, dirname(root), root, dirname(root)])
  })

  test.each(['a pipe', 'a link to a pipe', '/dev/zero', '/dev/null', 'a folder'])(
    '%s in place of an object is damaged, and neither waited for nor read without end',
    async (what) => {
      await store.put(hash, bytes)
      const file = fileOf(hash)
      rmSync(file)
      const pipe = join(temporaryFolder(), 'pipe')
      if (what.endsWith('pipe')) Bun.spawnSync(['mkfifo', what === 'a pipe' ? file : pipe])
      if (what === 'a folder') mkdirSync(file)
      else if (what !== 'a pipe') symlinkSync(what === 'a link to a pipe' ? pipe : what, file)
      const opened = async () => new Response((await store.open(hash))?.stream).bytes()
      expect(await outcomeOf(store.get(hash))).toThrow(ObjectDamaged)
      expect(await outcomeOf(opened())).toThrow(ObjectDamaged)
      if (what === 'a folder') rmSync(file, { recursive: true })
      await store.put(hash, bytes)
      expect(await store.get(hash)).toEqual(bytes)
    },
  )

  test('reads nothing into memory that is larger than any object', async () => {
    const name = sha256Hex('of any size')
    mkdirSync(dirname(fileOf(name)), { recursive: true })
    // A file of holes.
    writeFileSync(fileOf(name), '')
    truncateSync(fileOf(name), limits.objectBytes + 1)
    const read: string[] = []
    const files: DiskFiles = {
      ...systemFiles,
      readFile(path) {
        read.push(path)
        return systemFiles.readFile(path)
      },
    }
    const watched = await openDirectoryStore(folder, {}, files)
    expect(await outcomeOf(watched.get(name))).toThrow(ObjectDamaged)
    truncateSync(fileOf(name), 2 ** 40)
    expect(await outcomeOf(watched.get(name))).toThrow(ObjectDamaged)
    expect(read).toEqual([])
    truncateSync(fileOf(name), 1)
    expect(await outcomeOf(watched.get(name))).toThrow(ObjectDamaged)
    expect(read).toEqual([fileOf(name)])
    await watched.close()
  })

  test('refuses to give out bytes that were changed behind its back', async () => {
    await store.put(hash, bytes)
    writeFileSync(fileOf(hash), 'b letter')
    expect(await outcomeOf(store.get(hash))).toThrow(ObjectDamaged)
    const opened = await store.open(hash)
    expect(await outcomeOf(new Response(opened!.stream).bytes())).toThrow(ObjectDamaged)
  })

  test('holds back the end of a long object whose content is wrong', async () => {
    const long = new Uint8Array(3_000_000).fill(7)
    const name = sha256Hex(long)
    await store.put(name, long)
    writeFileSync(fileOf(name), new Uint8Array(3_000_000).fill(8))
    let seen = 0
    const reading = (async () => {
      for await (const chunk of (await store.open(name))!.stream as unknown as AsyncIterable<Uint8Array>) {
        seen += chunk.length
      }
    })()
    expect(await outcomeOf(reading)).toThrow(ObjectDamaged)
    expect(seen).toBeLessThan(3_000_000)
  })

  test('repairs a damaged object when it is put again', async () => {
    writeFileSync(fileOf(hash), 'b letter')
    await store.put(hash, bytes)
    expect(await store.get(hash)).toEqual(bytes)
  })

  test('leaves nothing unfinished behind, neither after a put nor after a put that failed', async () => {
    const blocked = new TextEncoder().encode('blocked')
    const name = sha256Hex(blocked)
    mkdirSync(fileOf(name), { recursive: true })
    expect(await outcomeOf(store.put(name, blocked))).toThrow(ObjectStoreUnavailable)
    await store.put(hash, bytes)
    expect(readdirSync(join(folder, 'unfinished'))).toEqual([])
  })

  test('clears what a crash left unfinished only for the process that serves', async () => {
    const own = temporaryFolder()
    const first = await openObjectStore(`file:${own}`)
    await first.put(hash, bytes)
    const leftover = join(own, 'unfinished', `${hash}.half`)
    writeFileSync(leftover, 'a le')
    await openObjectStore(`file:${own}`)
    expect(existsSync(leftover)).toBe(true)
    const served = await openObjectStore(`file:${own}`, { clearLeftovers: true })
    expect(existsSync(leftover)).toBe(false)
    expect(await served.get(hash)).toEqual(bytes)
  })

  /** The fsyncs, renames and the word "stored" of a process that puts the letter into a folder, in order. */
  async function tracedPut(into: string): Promise<string[] | undefined> {
    const trace = join(temporaryFolder(), 'trace')
    const script = `
      const { openObjectStore } = await import(${JSON.stringify(join(import.meta.dir, '../../src/objects/objects.ts'))})
      const store = await openObjectStore('file:${into}')
      await store.put('${hash}', new TextEncoder().encode('a letter'))
      require('node:fs').writeSync(1, 'stored')`
    const strace = Bun.which('strace')
    if (strace === null) {
      if (process.env.CI === 'true') throw new Error('strace must be installed in CI')
      process.stderr.write('SKIPPED: the order of fsync and rename (install the package strace)\n')
      return undefined
    }
    const calls = 'trace=fsync,fdatasync,rename,renameat,renameat2,write,writev,pwrite64'
    const run = Bun.spawnSync([strace, '-f', '-y', '-e', calls, '-o', trace, process.execPath, '-e', script])
    expect(run.stdout.toString()).toBe('stored')
    return (await Bun.file(trace).text()).split('\n').filter((line) => /sync\(|rename|"stored"/.test(line))
  }

  /** Folders from the object's own up to the store's. */
  const foldersOf = (root: string) => [
    `${root}/${hash.slice(0, 2)}/${hash.slice(2, 4)}`,
    `${root}/${hash.slice(0, 2)}`,
    root,
  ]

  test('makes the file and every folder above it durable before it says so', async () => {
    const root = join(temporaryFolder(), 'made', 'objects')
    const lines = await tracedPut(root)
    if (lines === undefined) return
    const at = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line))
    const order = [
      /sync\(.*unfinished/,
      /rename.*unfinished/,
      new RegExp(`sync\\(.*<${foldersOf(root)[0]}>`),
      /"stored"/,
    ]
    expect(order.map(at)).not.toContain(-1)
    expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b))
    for (const folder of [...foldersOf(root), dirname(root), dirname(dirname(root))]) {
      expect([folder, lines.some((line) => new RegExp(`sync\\(.*<${folder}>`).test(line))]).toEqual([folder, true])
    }
  })

  test('makes an object that is already there durable, with every folder above it, before it says so', async () => {
    const root = temporaryFolder()
    // As a writer leaves it that was killed after its rename.
    const [folder] = foldersOf(root)
    mkdirSync(folder!, { recursive: true })
    writeFileSync(join(folder!, hash), bytes)
    const lines = await tracedPut(root)
    if (lines === undefined) return
    const told = lines.findIndex((line) => /"stored"/.test(line))
    for (const path of [join(folder!, hash), ...foldersOf(root)]) {
      const synced = lines.findIndex((line) => new RegExp(`sync\\(.*<${path}>`).test(line))
      expect([path, synced >= 0 && synced < told]).toEqual([path, true])
    }
    expect(lines.some((line) => /rename/.test(line))).toBe(false)
  })

  test('fails its probe while less room is left than it keeps free, and leaves nothing of a probe behind', async () => {
    const own = temporaryFolder()
    const full = await openObjectStore(`file:${own}`, { reserveBytes: Number.MAX_SAFE_INTEGER })
    expect(await outcomeOf(full.probe())).toThrow(ObjectStoreFull)
    await (await openObjectStore(`file:${own}`)).probe()
    expect(readdirSync(join(own, 'unfinished'))).toEqual([])
  })

  test('fails its probe once its folder is gone', async () => {
    const own = temporaryFolder()
    const lost = await openObjectStore(`file:${own}`)
    rmSync(own, { recursive: true })
    expect(await outcomeOf(lost.probe())).toThrow(ObjectStoreUnavailable)
  })

  test('says that it can not be used when its place is taken by a file', async () => {
    const file = join(temporaryFolder(), 'taken')
    writeFileSync(file, '')
    expect(await outcomeOf(openObjectStore(`file:${file}`))).toThrow(ObjectStoreUnavailable)
  })
})

test('an address that names no store is refused with what to write instead', async () => {
  for (const url of [
    '',
    'objects',
    'file:',
    'ftp://host',
    's3:///x',
    's3://bucket?regoin=x',
    's3://b?endpoint=h',
    's3://b?style=x',
  ]) {
    expect(await outcomeOf(openObjectStore(url))).toThrow(ObjectsUrlInvalid)
  }
})
