import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ApiClient, untilEnded } from '../support/client.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'

describe.if(postgresAvailable)('two executables on one PostgreSQL', () => {
  test('share sessions, seed the demo once, and complete submissions to either with the same bytes', async () => {
    const url = await (await startPostgres()).createDatabase()
    const secret = 'shared by every instance, 32 and more'
    const first = await startQuire({ environment: { QUIRE_DATABASE_URL: url, QUIRE_SECRET: secret } })
    const objects = `file:${join(first.folder, 'quire-data/objects')}`
    const second = await startQuire({
      environment: { QUIRE_DATABASE_URL: url, QUIRE_SECRET: secret, QUIRE_OBJECTS_URL: objects },
    })
    const hashes = new Set<string>()
    for (const quire of [first, second]) {
      const client = new ApiClient(quire.origin)
      expect((await client.login(quire.username, quire.password)).status).toBe(200)
      const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[1]
      const submissions = await Promise.all(
        Array.from({ length: 6 }, () =>
          client.post(
            '/api/v1/submissions',
            { ingestion_model: 'clws-policy', raw_input, metadata },
            { 'idempotency-key': crypto.randomUUID() },
          ),
        ),
      )
      for (const answer of submissions) {
        expect(answer.status).toBe(202)
        const execution = await untilEnded(client, answer.body.submission.executions[0].id)
        expect(execution.status).toBe('completed')
        hashes.add(execution.artifacts.map((artifact: { content_hash: string }) => artifact.content_hash).join())
      }
    }
    expect(hashes.size).toBe(1)
    expect(existsSync(join(first.folder, 'quire-data/quire.db'))).toBe(false)
    expect(await first.stop()).toBe(0)
    expect(await second.stop()).toBe(0)
  }, 120_000)
})
