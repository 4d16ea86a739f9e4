import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { scenarioBody, signIn, submit } from '../crash/load.ts'
import { sqldAvailable, startSqld } from '../db/sqld.ts'
import { untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

test.if(sqldAvailable)(
  'two instances share a libSQL server, answer 503 while it is down, and lose nothing when it crashes',
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
