import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { sha256Hex } from '../../src/core/hash.ts'
import { idSource, newId } from '../../src/core/ids.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { ensureStoreId } from '../../src/db/store-id.ts'
import { ObjectDamaged, type ObjectStore, ObjectStoreUnavailable } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { idsOf, madeAtMs, REPLICA_FORMAT, readLog, writeBase, writeLog } from '../../src/replica/format.ts'
import { prune } from '../../src/replica/prune.ts'
import { ReplicaUnusable, rebuildDatabase } from '../../src/replica/rebuild.ts'
import { type Replicator, startReplicator } from '../../src/replica/replicator.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { until } from '../support/until.ts'

const logged: string[] = []
const log = createLog({ level: 'info', readable: false, write: (line) => logged.push(line) })

/** For as long as a busy machine takes to write what is left: it would reach the stores of the next test. */
const stopMs = 60_000

let path: string
let place: string
let database: Database
let objects: ObjectStore
let target: ObjectStore
let replicator: Replicator | undefined

beforeEach(async () => {
  logged.length = 0
  path = join(temporaryFolder(), 'quire.db')
  place = temporaryFolder()
  database = await openDatabase(`file:${path}`)
  await database.write((tx) => tx.rows(sql`create table rows (id integer primary key, text text)`))
  objects = await openObjectStore(`file:${temporaryFolder()}`)
  target = await openObjectStore(`file:${place}`)
})
afterEach(async () => {
  await replicator?.stop(stopMs)
  replicator = undefined
  await database.close()
  await target.close()
  await objects.close()
})

function start(to = target, options: { baseMs?: number } = {}): Replicator {
  replicator = startReplicator({ database, objects, target: to, log, keepDays: 7, everyMs: 5, ...options })
  return replicator
}
const insert = (text: string) => database.write((tx) => tx.rows(sql`insert into rows (text) values (${text})`))
async function isUpToDate(following: Replicator): Promise<void> {
  const sinceMs = performance.now()
  const isReached = () => performance.now() - (following.lagSeconds() ?? Number.POSITIVE_INFINITY) * 1_000 > sinceMs
  await until('the replica is up to date', isReached)
}
/** A replica of three rows, each in a part of the log of its own. */
async function replicateThree(): Promise<void> {
  const following = start()
  await isUpToDate(following)
  for (const text of ['one', 'two', 'three']) {
    await insert(text)
    await isUpToDate(following)
  }
  await following.stop(stopMs)
}
async function rebuilt(untilMs?: number, from = target): Promise<string[] & { problem?: string }> {
  const copy = join(temporaryFolder(), 'copy.db')
  const { problem } = await rebuildDatabase(from, copy, untilMs)
  const opened = await openDatabase(`file:${copy}`)
  try {
    const rows = await opened.read.rows<{ text: string }>(sql`select text from rows order by id`)
    return Object.assign(
      rows.map(({ text }) => text),
      problem === undefined ? {} : { problem },
    )
  } finally {
    await opened.close()
  }
}

test('writes nothing into the replica of another store, and says whose it is', async () => {
  const id = await ensureStoreId(database)
  await insert('own')
  await isUpToDate(start())
  await replicator?.stop(stopMs)
  expect(await target.notes.names()).toContain(`store.${id}`)
  // A restart goes on.
  await insert('later')
  await isUpToDate(start())
  await replicator?.stop(stopMs)
  const names = (await target.notes.names()).toSorted()
  const [own, folder] = [database, temporaryFolder()]
  try {
    database = await openDatabase(`file:${join(folder, 'other.db')}`)
    const other = await ensureStoreId(database)
    await database.write((tx) => tx.rows(sql`create table rows (id integer primary key, text text)`))
    const following = start()
    await until('it is refused', () => following.failures > 0)
    expect(logged.at(-1)).toContain(`it is the replica of the store ${id}, and this is ${other}`)
    await following.stop(stopMs)
    expect([following.lagSeconds(), (await target.notes.names()).toSorted()]).toEqual([undefined, names])
    expect(await rebuilt()).toEqual(['own', 'later'])
  } finally {
    await database.close()
    database = own
  }
})

test('has what was committed before it began and since, over many beginnings of the log', async () => {
  await insert('before')
  const following = start()
  await isUpToDate(following)
  const large = 'x'.repeat(1_500_000)
  for (let round = 0; round < 6; round++) {
    await insert(`${round}`)
    await insert(large)
    await isUpToDate(following)
  }
  const names = await target.notes.names()
  expect(idsOf('base', names)).toHaveLength(1)
  expect((await rebuilt()).filter((text) => text !== large)).toEqual(['before', '0', '1', '2', '3', '4', '5'])
})

test('gives the state of each earlier instant, and says so where it has none', async () => {
  const following = start()
  await isUpToDate(following)
  const instants: number[] = []
  for (const text of ['one', 'two', 'three']) {
    await insert(text)
    await isUpToDate(following)
    instants.push(madeAtMs(idsOf('log', await target.notes.names()).at(-1) ?? ''))
    // Ids of the next part are of a later millisecond.
    await until('the clock goes on', () => Date.now() > (instants.at(-1) ?? 0) + 1)
  }
  expect(await rebuilt(instants[0])).toEqual(['one'])
  expect(await rebuilt(instants[1])).toEqual(['one', 'two'])
  expect(await rebuilt()).toEqual(['one', 'two', 'three'])
  expect(await rejectionOf(rebuilt(1))).toMatchObject({ message: expect.stringContaining('take a later instant') })
})

test('is whole at every moment: copies taken while much is written are states that were, none older than the one before', async () => {
  for (let row = 0; row < 20; row++) await insert('0')
  const following = start(target, { baseMs: 50 })
  await isUpToDate(following)
  let count = 0
  let most = 0
  let isWriting = true
  const writing = (async () => {
    while (isWriting) {
      // Nothing is written while a copy is looked at: on a fast disk the next one would have thousands of commits.
      if (count >= most) {
        await Bun.sleep(1)
        continue
      }
      // All rows of one commit, some 400 KB: ten of them are more than the log may have.
      const text = `${++count} ${'y'.repeat(20_000)}`
      await database.write((tx) => tx.rows(sql`update rows set text = ${text}`))
    }
  })()
  const stateOf = async (from = target) => {
    const rows = await rebuilt(undefined, from)
    expect(rows.problem).toBeUndefined()
    expect([rows.length, new Set(rows).size]).toEqual([20, 1])
    return Number.parseInt(rows[0] ?? '', 10)
  }
  let least = 0
  for (let round = 0; round < 4; round++) {
    const more = count + 15
    most = count + 200
    await until('more was written', () => count > more)
    const copy = temporaryFolder()
    // Names first, then contents, as a lost disk would have it at worst.
    copyFiles(join(place, 'notes'), join(copy, 'notes'))
    copyFiles(place, copy)
    const state = await stateOf(await openObjectStore(`file:${copy}`))
    expect(state).toBeGreaterThanOrEqual(least)
    least = state
  }
  isWriting = false
  await writing
  await replicator?.stop(stopMs)
  expect(await stateOf()).toBe(count)
  expect(idsOf('base', await target.notes.names()).length).toBeGreaterThan(1)
})

/** A log that is removed before its turn comes is not in the copy. */
function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [own, other] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      copyFiles(own, other)
      continue
    }
    try {
      copyFileSync(own, other)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

test('a copy of the file that is under way is of the moment at which it began, whatever is written meanwhile', async () => {
  // More than a log may have, so that it is in the file.
  for (let row = 0; row < 300; row++) await insert('0'.repeat(20_000))
  const isOpen = Promise.withResolvers<void>()
  let pieces = 0
  const put = async (hash: string, bytes: Uint8Array) => {
    if (++pieces === 2) await isOpen.promise
    return target.put(hash, bytes)
  }
  const following = start({ ...portsOf(target), put })
  await until('a piece is copied', () => pieces === 2)
  const logs = async () => idsOf('log', await target.notes.names())
  let early = 0
  for (let state = 1; state <= 4; state++) {
    const known = (await logs()).length
    const which = state === 1 ? sql`id = 300` : sql`true`
    await database.write((tx) => tx.rows(sql`update rows set text = ${`${state}`.repeat(20_000)} where ${which}`))
    await until('it is in the replica', async () => (await logs()).length > known)
    if (state === 1) early = Date.now()
    await until('the clock goes on', () => Date.now() > early + 1)
  }
  isOpen.resolve()
  await isUpToDate(following)
  const states = (texts: readonly string[]) => [...new Set(texts.map((text) => text.slice(0, 1)))]
  expect(states(await rebuilt(early))).toEqual(['0', '1'])
  expect(states(await rebuilt())).toEqual(['4'])
})

test('a copy of the file keeps the part of the log that it needs, though that part was not written yet when it began', async () => {
  const old = new TextEncoder().encode('old')
  await objects.put(sha256Hex(old), old)
  const mayCopy = Promise.withResolvers<void>()
  const mayWrite = Promise.withResolvers<void>()
  let isCopying = false
  let isWriting = false
  const size = async (hash: string) => {
    isCopying = true
    await mayCopy.promise
    return target.size(hash)
  }
  const put = async (name: string, bytes: Uint8Array) => {
    const part = readLog(bytes)
    if (part !== undefined && part.epoch > 0 && part.from === 0) {
      isWriting = true
      await mayWrite.promise
    }
    await target.notes.put(name, bytes)
  }
  const following = start({ ...portsOf(target), size, notes: { ...target.notes, put } })
  await until('it looks for the objects', () => isCopying)
  // More than a log may have, so that the next one begins another epoch.
  await insert('x'.repeat(limits.followedLogBytes))
  const isInReplica = async () => idsOf('log', await target.notes.names()).length > 1
  await until('the first epoch is in the replica', isInReplica)
  await insert('of the next epoch')
  await until('the beginning of the next epoch is on its way', () => isWriting)
  mayCopy.resolve()
  const isCopied = () => logged.some((line) => line.includes('was copied to the replica'))
  await until('the file is in the replica', isCopied)
  mayWrite.resolve()
  await isUpToDate(following)
  const rows = await rebuilt()
  expect(rows.problem).toBeUndefined()
  expect(rows.at(-1)).toBe('of the next epoch')
})

test('begins with another copy where the log was lost while the first one was written down', async () => {
  await insert('before')
  let isLost = false
  const put = async (name: string, bytes: Uint8Array) => {
    if (name.startsWith('base.') && !isLost) {
      isLost = true
      const other =
        "const { Database } = require('bun:sqlite'); new Database(process.argv[1]).run('pragma wal_checkpoint(truncate)')"
      expect(Bun.spawnSync([process.execPath, '-e', other, path]).exitCode).toBe(0)
      await insert('after')
      await until('it begins anew', () => following.failures > 0)
    }
    await target.notes.put(name, bytes)
  }
  const following = start({ ...portsOf(target), notes: { ...target.notes, put } })
  await until('the first copy is written down', async () => idsOf('base', await target.notes.names()).length > 0)
  await until('there is a copy of what was followed since', async () => (await rebuilt()).includes('after'))
})

test('goes on where it was after an error that says nothing of the log', async () => {
  await insert('one')
  let isBusy = false
  const followLog = async () => {
    const own = (await database.followLog?.()) ?? expect.unreachable()
    const take = () => (isBusy ? Promise.reject(new Error('busy')) : own.take())
    return Object.defineProperties(
      { take, hold: () => own.hold(), end: () => own.end() },
      { waitingBytes: { get: () => own.waitingBytes } },
    )
  }
  const busy = { read: database.read, followLog } as unknown as Database
  const following = startReplicator({ database: busy, objects, target, log, keepDays: 7, everyMs: 5 })
  replicator = following
  await isUpToDate(following)
  isBusy = true
  await insert('two')
  await until('it has failed', () => following.failures > 0)
  isBusy = false
  await isUpToDate(following)
  expect(idsOf('base', await target.notes.names())).toHaveLength(1)
  expect(await rebuilt()).toEqual(['one', 'two'])
})

describe('a clock that is set back', () => {
  const { next } = idSource
  let aheadMs = 0
  beforeEach(() => {
    aheadMs = 3 * 86_400_000
    idSource.next = () => {
      const id = next()
      const time = (madeAtMs(id) + aheadMs).toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`
    }
  })
  afterEach(() => {
    idSource.next = next
  })

  test('while the log is followed, costs nothing of what is written from then on', async () => {
    await insert('before')
    const following = start(target, { baseMs: 50 })
    await isUpToDate(following)
    aheadMs = 0
    for (const text of ['1', '2', '3']) {
      await insert(text)
      await isUpToDate(following)
    }
    const count = async () => idsOf('base', await target.notes.names()).length
    const before = await count()
    await until('another copy is made', async () => (await count()) > before)
    await insert('4')
    await isUpToDate(following)
    const rows = await rebuilt()
    expect([[...rows], rows.problem]).toEqual([['before', '1', '2', '3', '4'], undefined])
  })

  test('while nothing is served, leaves no older copy that a restore takes for the newest', async () => {
    await insert('before')
    const first = start()
    await isUpToDate(first)
    await first.stop(stopMs)
    aheadMs = 0
    const second = start()
    await insert('after')
    await isUpToDate(second)
    const rows = await rebuilt()
    expect([[...rows], rows.problem]).toEqual([['before', 'after'], undefined])
  })
})

test('goes on after an outage of the place it is in, with nothing missing, and says so once', async () => {
  let isAway = false
  const put = async (name: string, bytes: Uint8Array) => {
    if (isAway) throw new Error('not mounted')
    await target.notes.put(name, bytes)
  }
  const following = start({ ...portsOf(target), notes: { ...target.notes, put } })
  await isUpToDate(following)
  isAway = true
  for (const text of ['one', 'two', 'three']) await insert(text)
  await until('it failed some times', () => following.failures > 2)
  const lag = following.lagSeconds() ?? 0
  await until('the lag grows', () => (following.lagSeconds() ?? 0) > lag)
  expect(await rebuilt()).toEqual([])
  isAway = false
  await isUpToDate(following)
  expect(await rebuilt()).toEqual(['one', 'two', 'three'])
  expect(logged.filter((line) => line.includes('can not be written'))).toHaveLength(1)
  expect(logged.filter((line) => line.includes('is written again'))).toHaveLength(1)
})

test('ends at its deadline where the place of the replica does not answer', async () => {
  const isOpen = Promise.withResolvers<void>()
  const put = async () => {
    isReached = true
    await isOpen.promise
  }
  let isReached = false
  const following = start({ ...portsOf(target), notes: { ...target.notes, put } })
  await until('it waits for the place', () => isReached)
  await following.stop(1)
  await insert('after it')
  isOpen.resolve()
})

test('has the objects that were there, and each new one before the log that names it', async () => {
  const old = new TextEncoder().encode('old')
  await objects.put(sha256Hex(old), old)
  const following = start()
  await isUpToDate(following)
  expect(await target.get(sha256Hex(old))).toEqual(old)
  const fresh = new TextEncoder().encode('new')
  await objects.put(sha256Hex(fresh), fresh)
  following.noticeObject(sha256Hex(fresh))
  await insert('names the new object')
  await isUpToDate(following)
  expect(await target.get(sha256Hex(fresh))).toEqual(fresh)
})

test('goes on without objects that are damaged, and names them', async () => {
  const [old, fresh] = ['old', 'fresh'].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array]
  await objects.put(sha256Hex(old), old)
  const get = async (hash: string): Promise<Uint8Array | undefined> => {
    throw new ObjectDamaged(hash)
  }
  replicator = startReplicator({
    ...{ database, objects: { ...portsOf(objects), get }, target, log, keepDays: 7, everyMs: 5 },
  })
  await isUpToDate(replicator)
  replicator.noticeObject(sha256Hex(fresh))
  await insert('after')
  await isUpToDate(replicator)
  expect([...(await rebuilt())]).toEqual(['after'])
  const named = logged.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
  expect(named.map(({ hash }) => hash)).toEqual([sha256Hex(old), sha256Hex(fresh)])
})

test('goes on while objects come faster than they are copied, several of them at once', async () => {
  const following = start(target)
  await isUpToDate(following)
  let made = 0
  let atWork = 0
  let most = 0
  const flood: ObjectStore['put'] = async (hash, bytes) => {
    most = Math.max(most, ++atWork)
    // Two more for each.
    for (let more = 0; more < 2 && made < 5_000; more++) await add(`object ${made++}`)
    await Bun.sleep(2)
    const outcome = await target.put(hash, bytes)
    atWork--
    return outcome
  }
  const add = async (text: string) => {
    const bytes = new TextEncoder().encode(text)
    const hash = sha256Hex(bytes)
    await objects.put(hash, bytes)
    replicator?.noticeObject(hash)
  }
  await following.stop(stopMs)
  const flooded = start({
    ...target,
    notes: target.notes,
    put: flood,
    size: (hash) => target.size(hash),
  } as ObjectStore)
  for (let first = 0; first < 8; first++) await add(`first ${first}`)
  await insert('meanwhile')
  await isUpToDate(flooded)
  expect(made).toBeLessThan(5_000)
  // Nothing of it reaches the stores of the next test.
  made = 5_000
  await flooded.stop(stopMs)
  expect(most).toBe(limits.replicaObjectsAtOnce)
  expect(await rebuilt()).toEqual(['meanwhile'])
})

test('a start begins with a copy of its own, and takes of the file only what changed', async () => {
  await insert('z'.repeat(5_000_000))
  // Whoever reads keeps rows out of the file for a while, so that it is copied until it has them.
  start(target, { baseMs: 50 })
  const bytes = () => logged.map((line) => JSON.parse(line)).map((line) => line.bytes ?? 0)
  await until('a copy of the file has the rows', () => bytes().some((size) => size > 5_000_000))
  await replicator?.stop(stopMs)
  const pieces = () => readdirSync(place, { recursive: true }).filter((name) => /[0-9a-f]{64}$/.test(`${name}`)).length
  const before = pieces()
  await insert('after the first')
  await isUpToDate(start())
  expect(await rebuilt()).toContain('after the first')
  expect(pieces() - before).toBeLessThan(4)
  expect(before).toBeGreaterThan(4)
})

test('what was damaged or taken away is reported, with the state before it', async () => {
  await replicateThree()
  const last = idsOf('log', await target.notes.names())
  const middle = join(place, 'notes', `log.${last.at(-2)}`)
  expect(existsSync(middle)).toBe(true)
  const copy = temporaryFolder()
  cpSync(place, copy, { recursive: true })
  const damaged = await openObjectStore(`file:${copy}`)
  await damaged.notes.delete(`log.${last.at(-2)}`)
  expect(await rebuilt(undefined, damaged)).toMatchObject({
    0: 'one',
    length: 1,
    problem: expect.stringContaining('missing'),
  })
  writeFileSync(join(copy, 'notes', `log.${last.at(-2)}`), 'something else\n')
  expect(await rebuilt(undefined, damaged)).toMatchObject({ length: 1, problem: expect.stringContaining('damaged') })
})

test('what is being made of it is open to its owner alone', async () => {
  await replicateThree()
  const copy = join(temporaryFolder(), 'copy.db')
  const modes: Record<string, number> = {}
  const get = (name: string) => {
    for (const end of ['', '.log'])
      if (existsSync(copy + end)) modes[end] = (modes[end] ?? 0) | (statSync(copy + end).mode & 0o777)
    return target.notes.get(name)
  }
  await rebuildDatabase({ ...portsOf(target), notes: { ...target.notes, get } }, copy)
  expect(modes).toEqual({ '': 0o600, '.log': 0o600 })
  expect(existsSync(`${copy}.log`)).toBe(false)
})

test('what the disk of the replica can’t read is damaged like anything else, and what may be away is not', async () => {
  await replicateThree()
  const names = await target.notes.names()
  const [base, part] = [idsOf('base', names)[0], idsOf('log', names).at(-2)]
  const failing = (fails: string, error: Error): ObjectStore => {
    const unless = <T>(get: (name: string) => Promise<T>) => {
      return (name: string) => (name.startsWith(fails) ? Promise.reject(error) : get(name))
    }
    return Object.create(target, {
      get: { value: unless((name) => target.get(name)) },
      notes: { value: { ...target.notes, get: unless((name) => target.notes.get(name)) } },
    })
  }
  const cause = Object.assign(new Error('i/o error'), { code: 'EIO' })
  const unreadable = new ObjectStoreUnavailable('the notes of the object directory can not be used', { cause })
  const away = new ObjectStoreUnavailable('it does not answer')
  expect(await rebuilt(undefined, failing(`log.${part}`, unreadable))).toMatchObject({
    ...{ 0: 'one', length: 1, problem: `the part ${part} of the log is damaged` },
  })
  const piece = [...(await hashesIn(target)).keys()][0] ?? ''
  for (const [fails, told] of [
    [`base.${base}`, `the copy ${base} of the database's file is damaged`],
    [piece, `the piece ${piece} of the database's file is damaged`],
  ] as const) {
    expect(await rejectionOf(rebuilt(undefined, failing(fails, unreadable)))).toEqual(new ReplicaUnusable(told))
    expect(await rejectionOf(rebuilt(undefined, failing(fails, away)))).toBe(away)
  }
  expect(await rejectionOf(rebuilt(undefined, failing(`log.${part}`, away)))).toBe(away)
})

test('where the newest copy of the file is damaged, the one before it is taken, and that is told', async () => {
  await isUpToDate(start())
  await insert('one')
  await replicator?.stop(stopMs)
  const [older] = idsOf('base', await target.notes.names())
  const before = new Set((await hashesIn(target)).keys())
  // More than a log may have, so that it is in the file.
  await insert('z'.repeat(5_000_000))
  await isUpToDate(start())
  await replicator?.stop(stopMs)
  const [newest] = idsOf('base', await target.notes.names()).filter((id) => id !== older)
  const fresh = [...(await hashesIn(target)).entries()].find(([hash]) => !before.has(hash))
  // Of what is no file a read would never end.
  const putInPlace = (file: string, of: 'pipe' | 'device') => {
    rmSync(file)
    if (of === 'device') symlinkSync('/dev/zero', file)
    else Bun.spawnSync(['mkfifo', file])
  }
  const damages: [string, (copy: string) => void][] = [
    ...(['pipe', 'device'] as const).flatMap((of): [string, (copy: string) => void][] => [
      [`the copy ${newest} of`, (copy) => putInPlace(join(copy, 'notes', `base.${newest}`), of)],
      ['is damaged', (copy) => putInPlace(join(copy, fresh?.[1] ?? ''), of)],
    ]),
    [`the copy ${newest} of`, (copy) => writeFileSync(join(copy, 'notes', `base.${newest}`), '{"format":')],
    ['is missing', (copy) => rmSync(join(copy, fresh?.[1] ?? ''))],
    ['is damaged', (copy) => writeFileSync(join(copy, fresh?.[1] ?? ''), 'something else')],
  ]
  for (const [told, damage] of damages) {
    const copy = temporaryFolder()
    cpSync(place, copy, { recursive: true })
    damage(copy)
    const rows = await rebuilt(undefined, await openObjectStore(`file:${copy}`))
    expect([...rows]).toEqual(['one'])
    expect(rows.problem).toContain(told)
    // Without any other there is none.
    rmSync(join(copy, 'notes', `base.${older}`))
    const none = await rejectionOf(rebuilt(undefined, await openObjectStore(`file:${copy}`)))
    expect(none).toMatchObject({ name: 'ReplicaUnusable', message: expect.stringContaining(told) })
  }
  const later = temporaryFolder()
  cpSync(place, later, { recursive: true })
  writeFileSync(join(later, 'notes', `base.${newest}`), '{"format":"quire-replica-2"}')
  const refused = await rejectionOf(rebuilt(undefined, await openObjectStore(`file:${later}`)))
  expect(refused).toMatchObject({ name: 'ReplicaUnusable', message: expect.stringContaining('a newer version') })
  const copy = temporaryFolder()
  cpSync(place, copy, { recursive: true })
  for (const name of [`base.${newest}~`, 'base.zz', 'log.zz']) writeFileSync(join(copy, 'notes', name), 'left there')
  expect(await rebuilt(undefined, await openObjectStore(`file:${copy}`))).toHaveLength(2)
})

test('of a copy that could not be used nothing gets into the one before it, and damage from before both is none', async () => {
  const { notes } = target
  const [early, one, other, part, damaged, later] = Array.from({ length: 6 }, () => newId()) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const bytes = new TextEncoder().encode('the file')
  await target.put(sha256Hex(bytes), bytes)
  const base = { format: REPLICA_FORMAT, epoch: 1, product_version: '0', byte_size: bytes.length } as const
  const pieces = [sha256Hex(bytes)]
  await notes.put(`log.${early}`, new Uint8Array(3))
  await notes.put(`base.${other}`, writeBase({ ...base, run: early, since: one, position: 0, pieces }))
  // It needs more of its log than can be read.
  await notes.put(`log.${part}`, writeLog(later, { epoch: 1, from: 0, bytes: new Uint8Array(50).fill(1) }))
  await notes.put(`log.${damaged}`, new Uint8Array(3))
  await notes.put(`base.${later}`, writeBase({ ...base, run: later, since: part, position: 100, pieces }))
  const copy = join(temporaryFolder(), 'copy.db')
  const left: boolean[] = []
  const get = (hash: string) => {
    left.push(existsSync(`${copy}.log`))
    return target.get(hash)
  }
  expect(await rebuildDatabase({ ...portsOf(target), get }, copy)).toMatchObject({
    base: { run: early },
    problem: `the part ${damaged} of the log is damaged`,
  })
  expect([readFileSync(copy, 'utf8'), left]).toEqual(['the file', [false, false]])
})

test('keeps what the last days need, and removes what is older', async () => {
  const first = start()
  await insert('one')
  await isUpToDate(first)
  await first.stop(stopMs)
  const second = start()
  await insert('two')
  await isUpToDate(second)
  await second.stop(stopMs)
  const names = async () => {
    const all = await target.notes.names()
    return [idsOf('base', all).length, idsOf('log', all).length] as const
  }
  const before = await names()
  await prune({ target, objects, keepDays: 7 })
  expect(await names()).toEqual(before)
  const inEightDays = Date.now() + 8 * 86_400_000
  await prune({ target, objects, keepDays: 7, nowMs: inEightDays })
  const [bases, logs] = await names()
  expect(bases).toBe(1)
  expect(logs).toBeLessThan(before[1])
  expect(await rebuilt()).toEqual(['one', 'two'])
})

/** The objects of the replica, and where each is below its folder. */
async function hashesIn(store: ObjectStore): Promise<Map<string, string>> {
  const files = readdirSync(place, { recursive: true }).map(String)
  const hashes = new Map<string, string>()
  for await (const { hash } of store.list()) hashes.set(hash, files.find((file) => file.endsWith(hash)) ?? '')
  return hashes
}

/** A store's methods as a plain object's, to put others in their place. */
function portsOf(store: ObjectStore): ObjectStore {
  return {
    put: (hash, bytes) => store.put(hash, bytes),
    get: (hash) => store.get(hash),
    open: (hash) => store.open(hash),
    size: (hash) => store.size(hash),
    modifiedAtMs: (hash) => store.modifiedAtMs(hash),
    delete: (hash) => store.delete(hash),
    deleteUnlessSince: (hash, sinceMs) => store.deleteUnlessSince(hash, sinceMs),
    list: () => store.list(),
    notes: store.notes,
    probe: () => store.probe(),
    close: () => store.close(),
  }
}
