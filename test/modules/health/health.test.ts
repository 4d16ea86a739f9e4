import { describe, expect, test } from 'bun:test'
import { parseInstant } from '../../../src/core/instant.ts'
import { jsonOf, startTestApp, type TestApp } from '../../http/harness.ts'
import { openTestDatabase } from '../../support/database.ts'

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
      health: { database: { ping: count }, bus: { probe: count }, objects: { probe: count } },
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
    'relational-db': { database: { ping: fails } },
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
        runner: { consumerLastSuccessAt: parseInstant('2026-11-20T09:00:00.500Z')! },
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
