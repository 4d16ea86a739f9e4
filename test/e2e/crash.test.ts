import { describe, expect, test } from 'bun:test'
import { type ApiAnswer, ApiClient, untilEnded } from '../support/client.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { stuckRenderer } from '../support/stuck-renderer.ts'
import { until } from '../support/until.ts'

async function signIn(quire: RunningQuire): Promise<ApiClient> {
  const client = new ApiClient(quire.origin)
  await client.login(quire.username, quire.password)
  return client
}

async function execution(client: ApiClient, id: string): Promise<ApiAnswer['body']> {
  return (await client.get(`/api/v1/executions/${id}`)).body
}

describe('kill -9 in the middle of an execution', () => {
  test('loses no acknowledged submission, and a restart completes all of them with the same bytes', async () => {
    // Renderings are held, so the kill meets steps in hand however fast the machine is.
    const first = await startQuire({ environment: { QUIRE_RENDERER: stuckRenderer() } })
    const client = await signIn(first)
    const { scenarios } = (await client.get('/api/v1/intake-test-lab/scenarios')).body
    const { raw_input, metadata } = scenarios[0]
    const submit = async () => {
      const body = { ingestion_model: 'clws-policy', raw_input, metadata }
      const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
      expect(answer.status).toBe(202)
      return answer.body.submission.executions[0].id as string
    }
    const acknowledged = await Promise.all(Array.from({ length: 30 }, submit))
    const inHand = await until('steps are in hand', async () => {
      const executions = await Promise.all(acknowledged.map((id) => execution(client, id)))
      const running = executions.filter((one) => one.steps.at(-1).status === 'running')
      return running.length > 0 && running.map((one) => [one.id, one.steps.at(-1).state_version] as const)
    })
    await first.kill()

    const second = await startQuire({ folder: first.folder })
    const again = await signIn(second)
    const hashes = new Set<string>()
    for (const id of acknowledged) {
      const ended = await untilEnded(again, id, 60_000)
      expect(ended.status).toBe('completed')
      expect(ended.artifacts).toHaveLength(2)
      hashes.add(ended.artifacts.map((artifact: { content_hash: string }) => artifact.content_hash).join())
    }
    expect(hashes.size).toBe(1)
    for (const [id, versionBefore] of inHand) {
      // One move would have been its end; it was taken up again first.
      expect((await execution(again, id)).steps.at(-1).state_version).toBeGreaterThan(versionBefore + 1)
    }
    expect(await second.stop()).toBe(0)
  }, 120_000)
})
