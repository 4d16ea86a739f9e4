import { expect, test } from 'bun:test'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { canMakeCertificates, makeCertificate } from './support/certificate.ts'
import { ApiClient, untilEnded } from './support/client.ts'
import { temporaryFolder } from './support/database.ts'
import { freePort } from './support/postgres.ts'
import { startQuire } from './support/quire.ts'
import { until } from './support/until.ts'
import { startReceiver } from './syslog/receiver.ts'

test('a scrape has figures of steps, queue, outbox, database writer, workers, the event loop and the trail elsewhere', async () => {
  const port = await freePort()
  const receiver = await startReceiver(undefined)
  const quire = await startQuire({
    environment: {
      ...{ QUIRE_METRICS_LISTEN: `127.0.0.1:${port}` },
      QUIRE_AUDIT_SYSLOG: `tcp://127.0.0.1:${receiver.port}`,
    },
  })
  const client = new ApiClient(quire.origin)
  await client.login(quire.username, quire.password)
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const body = { ingestion_model: 'clws-policy', raw_input, metadata }
  const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
  await untilEnded(client, answer.body.submission.executions[0].id)
  await until('a sign-in came to the receiver', () => receiver.messages.some(({ msgId }) => msgId === 'session.opened'))
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
  expect(value('quire_audit_syslog_failures')).toBe(0)
  expect(value('quire_audit_syslog_waiting')).toBeGreaterThanOrEqual(0)
  expect(value('quire_audit_syslog_oldest_age_seconds')).toBeGreaterThanOrEqual(0)
  expect(text).not.toContain('NaN')
  expect(await quire.stop()).toBe(0)
})

test('a scrape says which dependency is down, and that it is up again', async () => {
  const port = await freePort()
  const quire = await startQuire({ environment: { QUIRE_METRICS_LISTEN: `127.0.0.1:${port}` } })
  const states = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const found = text.matchAll(/^quire_dependency_up\{dependency="([\w-]+)"\} (\S+)$/gm)
    return Object.fromEntries([...found].map(([, name, up]) => [name, up]))
  }
  const up = { 'relational-db': '1', 'message-bus': '1', 'object-store': '1' }
  expect(await states()).toEqual(up)
  const objects = join(quire.folder, 'quire-data/objects')
  await rename(objects, `${objects}.away`)
  // Without its objects the database takes no writes either: here both are one store.
  const down = { 'relational-db': '0', 'message-bus': '1', 'object-store': '0' }
  await until('both are down', async () => Bun.deepEquals(await states(), down))
  await rename(`${objects}.away`, objects)
  await until('both are up again', async () => Bun.deepEquals(await states(), up))
  expect(await quire.stop()).toBe(0)
})

test('with a token, nothing is read without it, and no other secret opens the listener', async () => {
  const port = await freePort()
  const token = 'a token of more than 32 characters, as it must be'.replaceAll(/\W/g, '-')
  const quire = await startQuire({
    environment: { QUIRE_METRICS_LISTEN: `127.0.0.1:${port}`, QUIRE_METRICS_TOKEN: token },
  })
  const ask = async (authorization: string | undefined, path = '/metrics') => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  for (const wrong of [
    undefined,
    '',
    token,
    'Bearer',
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
  ]) {
    for (const path of ['/metrics', '/elsewhere']) {
      const { status, headers, text } = await ask(wrong, path)
      expect([wrong, path, status, headers.get('www-authenticate')]).toEqual([
        wrong,
        path,
        401,
        'Bearer realm="metrics"',
      ])
      expect(text).not.toMatch(/quire_|process_/)
      expect(text).not.toContain(token)
    }
  }
  for (const right of [`Bearer ${token}`, `bearer  ${token} `]) {
    const { status, headers, text } = await ask(right)
    expect(status).toBe(200)
    expect(text).toContain('quire_build_info')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect((await ask(`Bearer ${token}`, '/')).status).toBe(404)
  expect(await quire.stop()).toBe(0)
})

test.skipIf(!canMakeCertificates)(
  'a server over TLS gives its metrics over TLS with the same certificate, and not without',
  async () => {
    const port = await freePort()
    const { certificate, key } = makeCertificate(temporaryFolder(), 'server')
    const quire = await startQuire({
      environment: {
        QUIRE_METRICS_LISTEN: `127.0.0.1:${port}`,
        QUIRE_TLS_CERTIFICATE: certificate,
        QUIRE_TLS_KEY: key,
      },
    })
    const tls = { ca: await Bun.file(certificate).text() }
    const answer = await fetch(`https://127.0.0.1:${port}/metrics`, { tls })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('quire_build_info')])
    const plain = fetch(`http://127.0.0.1:${port}/metrics`).then(({ status }) => status)
    expect(await plain.catch(() => 'no answer')).not.toBe(200)
    expect(await quire.stop()).toBe(0)
  },
)
