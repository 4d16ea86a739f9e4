import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { parseInstant } from '../../../src/core/instant.ts'
import { openDatabase } from '../../../src/db/connect.ts'
import type { Dialect } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { jsonOf, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects, emptyDatabaseUrl, openTestDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { holdWriteLock } from '../../support/write-lock.ts'

const never = () => new Promise<void>(() => {})
const fails = async () => {
  throw new Error('connection refused at secret-host:5432')
}

describe('liveness', () => {
  test('answers the build and asks no dependency', async () => {
    let asked = 0
    const count = async () => {
      asked++
    }
    const { send } = await startTestApp('sqlite', {
      health: { database: { probe: count }, bus: { probe: count }, objects: { probe: count } },
    })
    expect(await jsonOf(await send({ path: '/health/live' }))).toEqual({
      status: 'live',
      build: { version: '0.33.0', revision: 'development', api_version: '0.8.0' },
    })
    expect(asked).toBe(0)
  })
})

describe('readiness', () => {
  test('is 200 with three ready dependencies', async () => {
    const { send } = await startTestApp()
    const response = await send({ path: '/health/ready' })
    expect([response.status, await jsonOf(response)]).toEqual([
      200,
      {
        status: 'ready',
        dependencies: [
          { name: 'relational-db', status: 'ready' },
          { name: 'message-bus', status: 'ready' },
          { name: 'object-store', status: 'ready' },
        ],
      },
    ])
  })

  const failing = {
    'relational-db': { database: { probe: fails } },
    'message-bus': { bus: { probe: fails } },
    'object-store': { objects: { probe: never } },
  }
  for (const [name, health] of Object.entries(failing)) {
    test(`is a 503 problem when ${name} fails or does not answer, and tells nothing of why`, async () => {
      const { send } = await startTestApp('sqlite', { health })
      const startedAt = performance.now()
      const response = await send({ path: '/health/ready' })
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      const body = await jsonOf(response)
      expect([response.status, body.code]).toEqual([503, 'dependency_unavailable'])
      expect(
        (body.dependencies as { name: string; status: string }[]).filter(({ status }) => status === 'unavailable'),
      ).toEqual([{ name, status: 'unavailable' }])
      expect(JSON.stringify(body)).not.toContain('secret-host')
    })
  }
})

/** Lets the database read and take no commit, until the returned function is called. */
async function refuseWrites(dialect: Dialect, url: string): Promise<() => Promise<void>> {
  if (dialect === 'sqlite') return holdWriteLock(url.slice('file:'.length))
  const other = await openDatabase(url)
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = other.write(async (tx) => {
    await tx.rows(sql`lock table leases in share mode`)
    held.resolve()
    await released.promise
  })
  await held.promise
  return async () => {
    released.resolve()
    await holding
    await other.close()
  }
}

describeOnBothDialects('readiness of the database', (dialect) => {
  test('is 503 while nothing can be written, though everything can be read, and 200 by itself afterwards', async () => {
    const url = await emptyDatabaseUrl(dialect)
    const database = await openDatabase(url)
    await migrate(database)
    const { send } = await startTestApp(dialect, { database, health: { freshMs: 0, deadlineMs: 500 } })
    const ready = async () => (await send({ path: '/health/ready' })).status
    await until('it is ready', async () => (await ready()) === 200)
    const release = await refuseWrites(dialect, url)
    expect(await database.read.q.select().from(database.read.t.users)).toBeArray()
    const response = await send({ path: '/health/ready' })
    expect([response.status, (await jsonOf(response)).dependencies]).toEqual([
      503,
      expect.arrayContaining([{ name: 'relational-db', status: 'unavailable' }]),
    ])
    await release()
    await until('it is ready again', async () => (await ready()) === 200)
    expect(await database.read.q.select().from(database.read.t.leases)).toEqual([])
    await database.close()
  })
})

describe('probes', () => {
  const counted = (answer: () => Promise<void>) => {
    const port = {
      asked: 0,
      probe() {
        port.asked++
        return answer()
      },
    }
    return port
  }

  test('run once in a period, however many ask', async () => {
    const database = counted(async () => {})
    const { send } = await startTestApp('sqlite', { health: { database, freshMs: 60_000 } })
    await Promise.all(Array.from({ length: 20 }, () => send({ path: '/health/ready' })))
    expect((await send({ path: '/health/ready' })).status).toBe(200)
    expect(database.asked).toBe(1)
  })

  test('do not gather at a dependency that hangs, and tell when it answers again', async () => {
    let answer = () => {}
    const hanging = new Promise<void>((resolve) => {
      answer = resolve
    })
    const objects = counted(() => hanging)
    const { send } = await startTestApp('sqlite', { health: { objects, freshMs: 0, deadlineMs: 20 } })
    for (let round = 0; round < 3; round++) expect((await send({ path: '/health/ready' })).status).toBe(503)
    expect(objects.asked).toBe(1)
    answer()
    // On a busy machine the database may take longer than that, too.
    await until('it is ready', async () => (await send({ path: '/health/ready' })).status === 200)
  })
})

describe('detailed readiness', () => {
  let started: TestApp
  const path = '/api/v1/admin/readiness'

  async function signedIn(health: Parameters<typeof startTestApp>[1]) {
    started = await startTestApp('sqlite', health)
    await started.addUser('root', ['administrator'])
    return started.signIn('root')
  }

  test('reports the outbox beside four probes with their times', async () => {
    const headers = await signedIn({
      health: {
        relay: { health: async () => ({ backlogSize: 2, oldestUnpublishedAgeSeconds: 1.5, publishFailures: 3 }) },
        runner: {
          consumerLastSuccessAt: parseInstant('2026-11-20T09:00:00.500Z')!,
          pause: undefined,
          countPaused: async () => 0,
        },
      },
    })
    const body = await jsonOf(await started.send({ path, headers }))
    expect(body).toMatchObject({
      status: 'ready',
      outbox: {
        backlog_size: 2,
        oldest_unpublished_age_seconds: 1.5,
        consumer_last_success_at: '2026-11-20T09:00:00.5Z',
        publish_failures: 3,
      },
    })
    const dependencies = body.dependencies as { name: string; operation: string; duration_ms: number }[]
    expect(dependencies.map(({ name }) => name)).toEqual(['relational-db', 'message-bus', 'object-store', 'outbox'])
    for (const { operation, duration_ms } of dependencies)
      expect([operation.length > 0, duration_ms >= 0]).toEqual([true, true])
  })

  test('reports a failing bus, store and outbox inside a 200', async () => {
    const health = { bus: { probe: fails }, objects: { probe: never }, relay: { health: fails as never } }
    const headers = await signedIn({ health })
    const response = await started.send({ path, headers })
    expect(response.status).toBe(200)
    const body = await jsonOf(response)
    expect(body.status).toBe('unavailable')
    expect(body).not.toHaveProperty('outbox')
    expect((body.dependencies as { status: string }[]).map(({ status }) => status)).toEqual([
      'ready',
      'unavailable',
      'unavailable',
      'unavailable',
    ])
  })

  test('is 503 when the database cannot say who is asking', async () => {
    const database = await openTestDatabase('sqlite')
    const lost = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
    const headers = await signedIn({ database })
    // The one place where a fault is injected: a database that answers nothing any more.
    const broken = {
      ...database,
      read: new Proxy(database.read, {
        get: () => {
          throw lost
        },
      }),
    } as typeof database
    const second = await startTestApp('sqlite', { database: broken })
    const response = await second.send({ path, headers })
    expect([response.status, await jsonOf(response)]).toEqual([
      503,
      expect.objectContaining({
        code: 'dependency_unavailable',
        dependencies: [{ name: 'relational-db', status: 'unavailable' }],
      }),
    ])
  })
})
