import { describe, expect, test } from 'bun:test'
import { ApiClient, untilEnded } from '../support/client.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

describe('kill -9 in the middle of an execution', () => {
  test('loses no acknowledged submission, and the restarted executable completes all with the same bytes', async () => {
    const first = await startQuire()
    const client = new ApiClient(first.origin)
    await client.login(first.username, first.password)
    const { scenarios } = (await client.get('/api/v1/intake-test-lab/scenarios')).body
    const { raw_input, metadata } = scenarios[0]
    const submit = () =>
      client
        .post(
          '/api/v1/submissions',
          { ingestion_model: 'clws-policy', raw_input, metadata },
          { 'idempotency-key': crypto.randomUUID() },
        )
        .catch(() => undefined)
    const answers = Array.from({ length: 30 }, submit)
    const one = (await answers[0])?.body.submission.executions[0].id
    // Its steps are under way, and those of the others behind it, when the power goes.
    await until('a step runs', async () => {
      const { body } = await client.get(`/api/v1/executions/${one}`)
      return body.steps.some(({ status }: { status: string }) => status === 'running' || status === 'succeeded')
    })
    await first.kill()
    const settled = await Promise.all(answers)
    const acknowledged = settled.filter((answer) => answer?.status === 202).map((answer) => answer!.body.submission)
    expect(acknowledged.length).toBeGreaterThan(0)

    const second = await startQuire({ folder: first.folder })
    const again = new ApiClient(second.origin)
    await again.login(second.username, second.password)
    const hashes = new Set<string>()
    let interrupted = 0
    for (const submission of acknowledged) {
      // A step that was running keeps its lease for 15 s after its process died.
      const execution = await untilEnded(again, submission.executions[0].id, 60_000)
      expect(execution.status).toBe('completed')
      expect(execution.artifacts).toHaveLength(2)
      hashes.add(execution.artifacts.map((artifact: { content_hash: string }) => artifact.content_hash).join())
      // A step that nothing interrupts is queued, claimed and recorded; one that was taken up again has moved more often.
      if (execution.steps.some((step: { state_version: number }) => step.state_version > 4)) interrupted++
    }
    expect(hashes.size).toBe(1)
    // The kill came while work was under way, or this test has shown nothing.
    expect(interrupted).toBeGreaterThan(0)
    expect(await second.stop()).toBe(0)
  }, 120_000)
})
