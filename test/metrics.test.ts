import { expect, test } from 'bun:test'
import { ApiClient, untilEnded } from './support/client.ts'
import { freePort } from './support/postgres.ts'
import { startQuire } from './support/quire.ts'

test('a scrape tells of steps, queue, outbox, database writer, workers and the event loop', async () => {
  const port = await freePort()
  const quire = await startQuire({ environment: { QUIRE_METRICS_LISTEN: `127.0.0.1:${port}` } })
  const client = new ApiClient(quire.origin)
  await client.login(quire.username, quire.password)
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const body = { ingestion_model: 'clws-policy', raw_input, metadata }
  const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
  await untilEnded(client, answer.body.submission.executions[0].id)
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  for (const step of ['validate', 'transform.declarative', 'compose', 'render']) {
    expect(value(`quire_step_duration_seconds_count{step="${step}"}`)).toBe(1)
  }
  expect(value('quire_queue_ready_steps')).toBe(0)
  expect(value('quire_queue_oldest_age_seconds')).toBe(0)
  expect(value('quire_workers')).toBeGreaterThan(0)
  expect(value('quire_workers_busy')).toBe(0)
  expect(value('quire_workers_jobs_waiting')).toBe(0)
  expect(value('quire_database_transactions_total')).toBeGreaterThan(4)
  expect(value('quire_database_commits_total')).toBeGreaterThan(3)
  expect(value('quire_database_write_seconds_total')).toBeGreaterThan(0)
  expect(value('quire_event_loop_lag_seconds_count')).toBeGreaterThan(0)
  expect(value('quire_outbox_publish_failures')).toBe(0)
  expect(value('quire_outbox_backlog')).toBeGreaterThanOrEqual(0)
  expect(text).not.toContain('NaN')
  expect(await quire.stop()).toBe(0)
})
