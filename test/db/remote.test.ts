import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { parseInstant } from '../../src/core/instant.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { scenarioBody, signIn, submit } from '../crash/load.ts'
import { untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { type PrivateSqld, sqldAvailable, startSqld } from './sqld.ts'

const at = parseInstant('2026-11-20T09:30:00Z')!

function insertThrottle(tx: Transaction, key: string) {
  return tx.q.insert(tx.t.throttles).values({ key, failures: 0, windowStartedAt: at, blockedUntil: at })
}

describe.if(sqldAvailable)('a libSQL server', () => {
  let server: PrivateSqld
  let one: Database
  let two: Database
  beforeAll(async () => {
    server = await startSqld()
    one = await openDatabase(server.url)
    two = await openDatabase(server.url)
    await Promise.all([migrate(one), migrate(two)])
  }, 120_000)
  afterAll(async () => {
    for (const database of [one, two]) await database.close()
    await server.kill()
  })

  test('keeps what was committed and nothing of what was thrown, and names a unique violation', async () => {
    await one.write((tx) => insertThrottle(tx, 'kept'))
    const doomed = one.write(async (tx) => {
      await insertThrottle(tx, 'doomed')
      throw new Error('changed its mind')
    })
    await expect(doomed).rejects.toThrow('changed its mind')
    const again = await one.write((tx) => insertThrottle(tx, 'kept')).catch((error: unknown) => error)
    expect(isUniqueViolation(again)).toBe(true)
    const { throttles } = two.read.t
    expect(await two.read.q.select({ key: throttles.key }).from(throttles)).toEqual([{ key: 'kept' }])
  })

  test('serialises the transactions of two processes: no update is lost, and no commit is told before it is one', async () => {
    await one.write((tx) => insertThrottle(tx, 'counter'))
    const { throttles } = one.read.t
    const raise = (database: Database) =>
      database.write(async (tx) => {
        const [row] = await tx.q.select().from(throttles).where(eq(throttles.key, 'counter'))
        await tx.q
          .update(throttles)
          .set({ failures: row!.failures + 1 })
          .where(eq(throttles.key, 'counter'))
      })
    await Promise.all(Array.from({ length: 60 }, (_, index) => raise(index % 2 === 0 ? one : two)))
    const [counted] = await one.read.q.select().from(throttles).where(eq(throttles.key, 'counter'))
    expect(counted?.failures).toBe(60)
  })

  test('shows a snapshot one state, while others write', async () => {
    const counts = await one.snapshot(async (connection) => {
      const count = async () => Number((await connection.rows(sql`select count(*) as n from throttles`))[0]?.n)
      const before = await count()
      await two.write((tx) => insertThrottle(tx, 'written during the snapshot'))
      return [before, await count()]
    })
    expect(counts[1]).toBe(counts[0]!)
  })

  test('gives bytes and large numbers back as they were written', async () => {
    const { families } = one.read.t
    const draft = new Uint8Array([0, 1, 2, 255])
    const family = { id: 'f1', kind: 'template', slug: 'letter', name: 'Ä 🙂', description: '' } as const
    const made = { latestNumber: 0, createdBy: 'u1', createdAt: at, updatedAt: at }
    await one.write((tx) =>
      tx.q.insert(families).values({ ...family, ...made, draftRevision: Number.MAX_SAFE_INTEGER, draftBytes: draft }),
    )
    const [row] = await two.read.q.select().from(families).where(eq(families.id, 'f1'))
    expect(row).toMatchObject({ ...family, draftRevision: Number.MAX_SAFE_INTEGER, createdAt: at })
    expect(row?.draftBytes).toEqual(draft)
  })
})

test.if(sqldAvailable)(
  'two instances share a libSQL server, answer 503 while it is away, and lose nothing when it crashes',
  async () => {
    const server = await startSqld()
    const settings = {
      QUIRE_DATABASE_URL: server.url,
      QUIRE_SECRET: 'shared by every instance, 32 and more',
      QUIRE_OBJECTS_URL: `file:${join(temporaryFolder(), 'objects')}`,
      QUIRE_WORKERS: '1',
    }
    const instances: RunningQuire[] = []
    for (let count = 0; count < 2; count++) instances.push(await startQuire({ environment: settings }))
    const client = await signIn(instances[0]!)
    const body = await scenarioBody(client)
    const keys = Array.from({ length: 20 }, () => crypto.randomUUID())
    const promised = new Map<string, string>()
    const post = async (key: string) => {
      const id = await submit(client, body, key)
      if (id !== undefined) promised.set(key, id)
    }
    await Promise.all(keys.slice(0, 10).map(post))
    expect(promised.size).toBe(10)
    const crashing = Promise.all(keys.slice(10).map(post))
    await server.kill()
    await crashing
    const refused = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    await server.start()
    const isReady = async () => (await fetch(`${instances[0]!.origin}/health/ready`)).status === 200
    await until('the instance is ready again', isReady, 30_000)
    for (const key of keys) await post(key)
    expect(promised.size).toBe(20)
    for (const id of promised.values()) expect((await untilEnded(client, id, 60_000)).status).toBe('completed')
    for (const instance of instances) expect(await instance.stop()).toBe(0)
    const verified = await runCommand(temporaryFolder(), ['verify'], settings)
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    expect(verified.stdout).toContain('20 submissions, 20 executions')
  },
  180_000,
)
