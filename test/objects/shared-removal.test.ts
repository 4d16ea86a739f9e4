import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { eq } from 'drizzle-orm'
import { sha256Hex } from '../../src/core/hash.ts'
import { limits } from '../../src/core/limits.ts'
import { systemTimers } from '../../src/core/timers.ts'
import type { Database } from '../../src/db/database.ts'
import { removalTurns } from '../../src/modules/storage/removal-turns.service.ts'
import { openDirectoryStore } from '../../src/objects/directory.ts'
import { systemFiles } from '../../src/objects/disk-files.ts'
import { type ObjectStore, ObjectStoreUnavailable } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { type Removed, removeObjects, shared } from '../../src/objects/removal.ts'
import type { RemovalTurns } from '../../src/objects/removal-turns.ts'
import { withPut } from '../../src/objects/with-put.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { until } from '../support/until.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { type PrivateS3, radosgwAvailable, startRadosgw } from './radosgw.ts'

/** Two handles of one store, as of two processes; the first one's removals wait on their way until they are let go. */
interface Pair {
  first: ObjectStore
  second: ObjectStore
  isOnItsWay: () => boolean
  letGo: () => void
}

async function directories(): Promise<Pair> {
  const folder = temporaryFolder()
  const go = Promise.withResolvers<void>()
  let isOnItsWay = false
  const files = {
    ...systemFiles,
    async unlink(path: string) {
      if (path.startsWith(join(folder, 'unfinished'))) return systemFiles.unlink(path)
      isOnItsWay = true
      await go.promise
      await systemFiles.unlink(path)
    },
  }
  return {
    first: await openDirectoryStore(folder, {}, files),
    second: await openObjectStore(`file:${folder}`),
    isOnItsWay: () => isOnItsWay,
    letGo: () => go.resolve(),
  }
}

let server: PrivateS3 | undefined
async function buckets(): Promise<Pair> {
  server ??= await startRadosgw()
  process.env.AWS_ACCESS_KEY_ID = server.accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = server.secretAccessKey
  const bucket = `letters-${crypto.randomUUID()}`
  const client = new S3Client({ region: 'us-east-1', endpoint: server.endpoint, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  const proxy = await startFaultProxy(server.endpoint, () => 'delay-beyond', { method: 'DELETE' })
  const open = (endpoint: string) =>
    openObjectStore(`s3://${bucket}/prefix?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1`)
  return {
    first: await open(proxy.endpoint),
    second: await open(server.endpoint),
    isOnItsWay: () => proxy.did['delay-beyond'] > 0,
    letGo: () => proxy.release(),
  }
}
afterAll(() => {
  delete process.env.AWS_ACCESS_KEY_ID
  delete process.env.AWS_SECRET_ACCESS_KEY
})

const bytes = new TextEncoder().encode('a letter that comes again')
const hash = sha256Hex(bytes)
const named = async () => new Set<string>()
const isSettled = async (work: Promise<unknown>) => (await Promise.race([work.then(() => 1), Bun.sleep(400)])) === 1

describeOnBothDialects('processes that share a store', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  afterAll(() => database.close())
  afterEach(() => database.write((tx) => tx.q.delete(tx.t.leases)))

  const sharing = (store: ObjectStore, timers = systemTimers) => shared(store, removalTurns(database, timers), timers)
  /** As if the database's clock had been set: when the newest turn runs out by it, from now on. */
  const runsOutIn = (milliseconds: number) =>
    database.write(async (tx) => {
      const { leases } = tx.t
      await tx.q
        .update(leases)
        .set({ expiresAt: tx.clockPlus(milliseconds) })
        .where(eq(leases.name, 'object-removal'))
    })
  /** Of a process, whose clock goes on when it is put forward, and only then. */
  function hurriedTimers() {
    const timers = { ...systemTimers, aheadMs: 0, nowMs: () => timers.aheadMs }
    return timers
  }
  async function remove(objects: ObjectStore, sinceMs: number): Promise<Removed[]> {
    const outcomes: Removed[] = []
    await removeObjects({ objects, named, since: () => sinceMs }, [hash], (_hash, outcome) => outcomes.push(outcome))
    return outcomes
  }
  /** An object from before `sinceMs`, which whoever stores it now makes younger. */
  async function storeOld(store: ObjectStore): Promise<number> {
    await store.put(hash, bytes)
    const sinceMs = ((await store.modifiedAtMs(hash)) ?? 0) + 500
    // A bucket's times are whole seconds.
    await Bun.sleep(1_600)
    return sinceMs
  }

  for (const [what, open, isThere] of [
    ['a directory', directories, true],
    ['a bucket', buckets, radosgwAvailable],
  ] as const) {
    describe.if(isThere)(what, () => {
      test('keep what one of them stores while another, that has found it old, is about to remove it', async () => {
        const pair = await open()
        let puts = 0
        const counted = withPut(pair.second, async (...given) => {
          const outcome = await pair.second.put(...given)
          puts++
          return outcome
        })
        const [first, second] = [sharing(pair.first), sharing(counted)]
        const sinceMs = await storeOld(second)
        // A bucket writes an object again only if it is old.
        const { now } = Date
        const ahead = spyOn(Date, 'now').mockImplementation(() => now() + 2 * limits.objectRenewMs)
        try {
          const removal = remove(first, sinceMs)
          await until('the removal is on its way', pair.isOnItsWay)
          const stored = second.put(hash, bytes)
          await until('it is stored', () => puts === 2)
          await isSettled(stored)
          pair.letGo()
          expect(await removal).toEqual(['removed'])
          await stored
          expect(await second.get(hash)).toEqual(bytes)
          // Nobody finds it old any more.
          expect(await remove(first, sinceMs)).toEqual(['kept'])
        } finally {
          ahead.mockRestore()
          await pair.first.close()
          await pair.second.close()
        }
      }, 120_000)

      test('do not remove what is missing: somebody may be storing it', async () => {
        const pair = await open()
        expect(await remove(sharing(pair.first), Date.now() + 60_000)).toEqual(['missing'])
        expect(pair.isOnItsWay()).toBe(false)
      }, 120_000)

      test('remove nothing once their turn has run out between the question and the removal', async () => {
        const { first, second, isOnItsWay } = await open()
        await second.put(hash, bytes)
        expect(await first.deleteUnlessSince(hash, Date.now() + 60_000, () => false)).toBe('kept')
        expect(isOnItsWay()).toBe(false)
        expect(await second.get(hash)).toEqual(bytes)
      }, 120_000)
    })
  }

  test('remove one at a time', async () => {
    const [one, other] = [removalTurns(database), removalTurns(database)]
    const turn = await one.take()
    expect(turn?.mayRemove()).toBe(true)
    expect(await other.take()).toBeUndefined()
    expect(await one.take()).toBeUndefined()
    await turn?.end()
    expect(turn?.mayRemove()).toBe(false)
    expect(await other.take()).toBeDefined()
  })

  test('wait for one that was killed as long as its turn lasts, and no longer', async () => {
    const timers = hurriedTimers()
    const objects = sharing(await openObjectStore(`file:${temporaryFolder()}`), timers)
    await objects.put(hash, bytes)
    await removalTurns(database).take()
    // What is new can be in nobody's way.
    const other = new TextEncoder().encode('new')
    await objects.put(sha256Hex(other), other)
    const stored = objects.put(hash, bytes)
    expect(await isSettled(stored)).toBe(false)
    timers.aheadMs += limits.objectTurnMs - 1
    expect(await isSettled(stored)).toBe(false)
    timers.aheadMs += 1
    await stored
    expect(await objects.get(hash)).toEqual(bytes)
  })

  test('take a turn for over by the time that they have seen it, wherever the clock of the database is set', async () => {
    const timers = hurriedTimers()
    const [turns, other] = [removalTurns(database), removalTurns(database, timers)]
    for (const milliseconds of [-3_600_000, 3_600_000]) {
      const turn = await turns.take()
      await runsOutIn(milliseconds)
      const none = other.noneSince(timers.nowMs())
      expect([await other.take(), await isSettled(none), turn?.mayRemove()]).toEqual([undefined, false, true])
      timers.aheadMs += limits.objectTurnMs
      expect(await none).toBe(false)
      const next = await other.take()
      expect(next?.mayRemove()).toBe(true)
      // Its holder, which was stopped, say, ends the turn of nobody else.
      await turn?.end()
      expect(await turns.take()).toBeUndefined()
      await next?.end()
    }
  })

  test('have one turn between them where two ask for it at once', async () => {
    const both = [removalTurns(database), removalTurns(database)]
    await (await both[0]?.take())?.end()
    const taken = await Promise.all(both.map((turns) => turns.take()))
    expect(taken.filter((turn) => turn !== undefined)).toHaveLength(1)
  })

  test('store once more if there was a turn, and only once if there was none', async () => {
    const store = await openObjectStore(`file:${temporaryFolder()}`)
    let puts = 0
    const counted = withPut(store, (...given) => {
      puts++
      return store.put(...given)
    })
    const turns = removalTurns(database)
    const objects = shared(counted, turns)
    const putsOf = async () => {
      puts = 0
      await objects.put(hash, bytes)
      return puts
    }
    expect([await putsOf(), await putsOf()]).toEqual([1, 1])
    await (await turns.take())?.end()
    expect([await putsOf(), await putsOf(), await putsOf()]).toEqual([2, 1, 1])
  })

  test('are not kept waiting for ever by turns that follow each other at once', async () => {
    const objects = sharing(await openObjectStore(`file:${temporaryFolder()}`))
    await objects.put(hash, bytes)
    const turns = removalTurns(database)
    let isStored = false
    const removing = (async () => {
      while (!isStored) {
        const turn = await turns.take()
        await Bun.sleep(50)
        await turn?.end()
      }
    })()
    await Bun.sleep(20)
    await objects.put(hash, bytes)
    isStored = true
    await removing
  })

  test('take no turn for what is young or named, and leave it to run out after a removal without an answer', async () => {
    const store = await openObjectStore(`file:${temporaryFolder()}`)
    await store.put(hash, bytes)
    let taken = 0
    const turns = removalTurns(database)
    const counting = {
      ...turns,
      take: () => {
        taken++
        return turns.take()
      },
    }
    const objects = shared(store, counting)
    expect(await remove(objects, Date.now() - 60_000)).toEqual(['kept'])
    const outcomes: Removed[] = []
    const isNamed = { objects, named: async () => new Set([hash]), since: () => Date.now() + 60_000 }
    await removeObjects(isNamed, [hash], (_hash, outcome) => outcomes.push(outcome))
    expect([outcomes, taken]).toEqual([['named'], 0])
    const deleteUnlessSince: ObjectStore['deleteUnlessSince'] = async (_hash, _sinceMs, mayRemove) => {
      if (mayRemove?.() === true) throw new ObjectStoreUnavailable('no answer')
      return 'kept'
    }
    const failing = { ...objects, deleteUnlessSince }
    expect(await outcomeOf(remove(failing, Date.now() + 60_000))).toThrow('no answer')
    expect(await turns.take()).toBeUndefined()
  })
})

test('nothing is removed for an age that the clock has no more when the store has told it', async () => {
  const [given, asked]: [number[], boolean[]] = [[], []]
  let nowMs = 100
  const objects = {
    deleteUnlessSince: async (_hash: string, sinceMs: number, mayRemove: () => boolean) => {
      given.push(sinceMs)
      if (given.length === 1) nowMs = 40
      asked.push(mayRemove())
      return asked.at(-1) === true ? 'removed' : 'kept'
    },
  } as unknown as ObjectStore
  const outcomes: Removed[] = []
  const removal = { objects, named: async () => new Set<string>(), since: () => nowMs }
  await removeObjects(removal, ['a', 'b'], (_hash, outcome) => outcomes.push(outcome))
  expect([given, asked, outcomes]).toEqual([
    [100, 40],
    [false, true],
    ['kept', 'removed'],
  ])
})

describe('a round of removals', () => {
  const hashes = ['a', 'b', 'c', 'd', 'e', 'f']

  /** A store of old objects, and how often somebody who waits for a turn has slept. */
  function storeOf(present: readonly string[], take: RemovalTurns['take']) {
    const left = new Set(present)
    let sleeps = 0
    const objects = {
      turns: { take, noneSince: async () => true },
      modifiedAtMs: async (hash: string) => (left.has(hash) ? 0 : undefined),
      deleteUnlessSince: async (hash: string, _sinceMs: number, mayRemove: () => boolean) => {
        if (!left.has(hash)) return 'missing'
        return mayRemove() && left.delete(hash) ? 'removed' : 'kept'
      },
    } as unknown as ObjectStore
    const timers = {
      ...systemTimers,
      sleep: async () => {
        sleeps++
      },
    }
    const remove = async (isStopping?: () => boolean) => {
      const outcomes: Removed[] = []
      const more = isStopping === undefined ? {} : { isStopping }
      const removal = { objects, named: async () => new Set<string>(), since: () => 1, timers, ...more }
      await removeObjects(removal, hashes, (_hash, outcome) => outcomes.push(outcome))
      return outcomes
    }
    return { remove, sleeps: () => sleeps }
  }

  test('needs no turn for what another has removed', async () => {
    const { remove, sleeps } = storeOf([], async () => undefined)
    expect(await remove()).toEqual(hashes.map(() => 'missing'))
    expect(sleeps()).toBe(0)
  })

  test('waits for its turn once, however many objects are left', async () => {
    const { remove, sleeps } = storeOf(hashes, async () => undefined)
    expect(await remove()).toEqual(hashes.map(() => 'kept'))
    expect(sleeps() * limits.objectTurnPollMs).toBe(limits.objectTurnPatienceMs)
  })

  test('goes on with another turn at the object that its turn was too short for', async () => {
    let taken = 0
    const { remove } = storeOf(hashes, async () => {
      taken++
      let looks = 0
      // Over between the first look at the second object and the last.
      return { mayRemove: () => ++looks < 3, end: async () => {} }
    })
    expect(await remove()).toEqual(hashes.map(() => 'removed'))
    expect(taken).toBeGreaterThan(1)
  })

  test('waits for no turn and removes nothing more once it is to stop', async () => {
    let isStopping = false
    let ended = 0
    const { remove } = storeOf(hashes, async () => ({
      mayRemove: () => true,
      end: async () => {
        ended++
      },
    }))
    const stopping = () => {
      const answer = isStopping
      isStopping = true
      return answer
    }
    expect(await remove(stopping)).toEqual(['kept', 'kept', 'kept', 'kept', 'kept', 'kept'])
    expect(ended).toBe(0)
    const waiting = storeOf(hashes, async () => undefined)
    let looks = 0
    await waiting.remove(() => ++looks > 3)
    expect(waiting.sleeps()).toBe(2)
  })
})
