import { Database as Libsql } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import postgres from 'postgres'
import { sha256Hex } from '../../src/core/hash.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { namedHashes } from '../../src/modules/storage/storage.reads.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { sweepObjects } from '../../src/objects/sweep.ts'
import { untilCopied } from '../crash/copied.ts'
import { scenarioBody, seededRandom, signIn } from '../crash/load.ts'
import { type FaultProxy, startFaultProxy } from '../objects/fault-proxy.ts'
import { makeBucket, radosgwAvailable, startRadosgw } from '../objects/radosgw.ts'
import { untilEnded } from '../support/client.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

const DOCUMENTS = 24
/** Of them, made before the instant that is restored. */
const EARLIER = 9
const dayMs = 86_400_000

describe.if(radosgwAvailable && postgresAvailable)('from one machine to PostgreSQL and S3', () => {
  let folder: string
  let settings: Record<string, string>
  let direct: ObjectStore
  let proxy: FaultProxy
  let replica: { url: string; credentials: Record<string, string>; betweenAt: string }

  beforeAll(async () => {
    const s3 = await startRadosgw()
    for (const name of ['moved', 'replica']) await makeBucket(s3, name)
    const bucket = (name: string, endpoint: string) =>
      `s3://${name}/some/prefix?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1`
    const credentials = { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey }
    replica = { url: bucket('replica', s3.endpoint), credentials, betweenAt: '' }
    const quire = await startQuire({ environment: { QUIRE_REPLICA_URL: replica.url, ...credentials } })
    folder = quire.folder
    const client = await signIn(quire)
    const body = await scenarioBody(client)
    const post = async (index: number) => {
      // Each goes to an address of its own, so that no two documents are the same bytes.
      const input = JSON.parse(String(body.raw_input))
      input.policyholder.address.street = `${index + 1} Botanic Avenue`
      const own = { ...body, raw_input: JSON.stringify(input) }
      const answer = await client.post('/api/v1/submissions', own, { 'idempotency-key': crypto.randomUUID() })
      return answer.body.submission.executions[0].id as string
    }
    const make = async (from: number, to: number) => {
      const posts = Array.from({ length: to - from }, (_, index) => post(from + index))
      for (const id of await Promise.all(posts)) await untilEnded(client, id, 60_000)
      await untilCopied(client)
    }
    await make(0, EARLIER)
    replica.betweenAt = new Date().toISOString()
    await make(EARLIER, DOCUMENTS)
    await quire.kill()

    proxy = await startFaultProxy(s3.endpoint, () => 'pass')
    settings = {
      QUIRE_DATABASE_URL: await (await startPostgres()).createDatabase(),
      QUIRE_OBJECTS_URL: bucket('moved', proxy.endpoint),
      ...credentials,
    }
    Object.assign(process.env, credentials)
    direct = await openObjectStore(bucket('moved', s3.endpoint))
  }, 180_000)
  afterAll(async () => {
    await direct?.close()
    delete process.env.AWS_ACCESS_KEY_ID
    delete process.env.AWS_SECRET_ACCESS_KEY
  })

  /** Everything that the old store holds, by its own SQL. */
  function old<T>(statement: string): T[] {
    const database = new Libsql(join(folder, 'quire-data/quire.db'), { readonly: true })
    const rows = database.query(statement).all() as T[]
    database.close()
    return rows
  }

  test('a replica in a bucket has all that the service said to be there, and what was there at an earlier instant', async () => {
    for (const [count, at] of [
      [EARLIER, ['--at', replica.betweenAt]],
      [DOCUMENTS, []],
    ] as const) {
      const empty = temporaryFolder()
      const restored = await runCommand(empty, ['restore', replica.url, ...at], replica.credentials)
      expect(restored).toMatchObject({ code: 0, stderr: '' })
      const verified = await runCommand(empty, ['verify'])
      expect(verified).toMatchObject({ code: 0, stderr: '' })
      expect(verified.stdout).toContain(` ${count} submissions, `)
    }
  })

  test('quire move resumes after every kill and loses nothing', async () => {
    const random = seededRandom('move')
    const hashes = old<{ hash: string }>('select distinct content_hash as hash from artifacts').map(({ hash }) => hash)
    expect(hashes.length).toBeGreaterThan(DOCUMENTS)
    // In the middle of the objects: each run gets some of them across.
    for (let kill = 0; kill < 3; kill++) {
      const before = proxy.did.pass
      const moving = startCommand(folder, ['move'], settings)
      await until('some objects are moved', () => proxy.did.pass - before > 6 + 6 * kill, 60_000)
      moving.kill('SIGKILL')
      await moving.exited
      // What is half there is not to be taken for the whole, nor are its objects for orphans.
      for (const command of kill > 0 ? [] : [['verify'], ['backup', 'half'], ['sweep', '--delete']]) {
        const early = await runCommand(folder, command, settings)
        expect(early.code).toBe(1)
        expect(early.stderr).toContain('run the same quire move again')
      }
    }
    // And in the middle of the tables.
    const sql = postgres(settings.QUIRE_DATABASE_URL!, { max: 1, onnotice: () => {} })
    for (let kill = 0; kill < 2; kill++) {
      const pages = async () => Number((await sql`select count(*) as n from quire_move`)[0]?.n)
      const before = await pages()
      const moving = startCommand(folder, ['move'], settings)
      await until('a table is moved', async () => moving.exitCode !== null || (await pages()) > before, 60_000)
      await Bun.sleep(random() * 5)
      moving.kill('SIGKILL')
      await moving.exited
      if (moving.exitCode === 0) break
    }
    const last = await runCommand(folder, ['move'], settings)
    if (last.code !== 0) expect(last.stderr).toContain('holds data of its own')
    expect(await runCommand(folder, ['verify'], settings)).toMatchObject({ code: 0, stderr: '' })
    for (const table of ['submissions', 'executions', 'steps', 'artifacts', 'events', 'users', 'audit_records']) {
      const [there] = await sql.unsafe(`select count(*) as n from ${table}`)
      expect([table, Number(there?.n)]).toEqual([table, old<{ n: number }>(`select count(*) as n from ${table}`)[0]!.n])
    }
    await sql.end()
    for (const hash of hashes) expect(sha256Hex((await direct.get(hash))!)).toBe(hash)
  }, 240_000)

  test('quire sweep removes only the objects of a bucket that no row names, and resumes after an interruption', async () => {
    const orphans = ['one', 'two', 'three'].map((text) => new TextEncoder().encode(text))
    for (const bytes of orphans) await direct.put(sha256Hex(bytes), bytes)
    // They are young: the command leaves them alone.
    expect((await runCommand(folder, ['sweep', '--delete'], settings)).stdout).toContain('0 objects')
    const database = await openDatabase(settings.QUIRE_DATABASE_URL!)
    const inTwoDays = { nowMs: Date.now() + 2 * dayMs, minAgeMs: dayMs }
    const named = (hashes: readonly string[]) => namedHashes(database.read, hashes)
    const orphanHashes = orphans.map(sha256Hex).toSorted()
    const dry = await sweepObjects({ objects: direct, named, ...inTwoDays })
    expect(dry.orphans.map(({ hash }) => hash).toSorted()).toEqual(orphanHashes)
    expect(dry.deleted).toBe(0)

    let removals = 0
    const breaking: ObjectStore = Object.create(direct, {
      deleteUnlessSince: {
        value: (hash: string, sinceMs: number) => {
          if (++removals > 1) throw new Error('broken off')
          return direct.deleteUnlessSince(hash, sinceMs)
        },
      },
      list: { value: () => direct.list() },
    })
    expect(await outcomeOf(sweepObjects({ objects: breaking, named, ...inTwoDays, mayDelete: () => true }))).toThrow(
      'broken off',
    )
    const rest = await sweepObjects({ objects: direct, named, ...inTwoDays, mayDelete: () => true })
    expect(rest.deleted).toBe(2)
    for (const hash of orphanHashes) expect(await direct.size(hash)).toBeUndefined()
    await database.close()
    expect(await runCommand(folder, ['verify'], settings)).toMatchObject({ code: 0, stderr: '' })
  }, 120_000)
})
