import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiClient, untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { scenarioBody, signIn } from './load.ts'

async function submitStatus(client: ApiClient, body: unknown): Promise<number> {
  return (await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })).status
}

/** A Quire with one finished document, and what it is asked with. */
async function startWithWork(): Promise<{ quire: RunningQuire; client: ApiClient; body: unknown; id: string }> {
  const quire = await startQuire()
  const client = await signIn(quire)
  const body = await scenarioBody(client)
  const { body: answer } = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
  const id = answer.submission.executions[0].id
  await untilEnded(client, id, 60_000)
  return { quire, client, body, id }
}

const disappearances: [what: string, vanish: (data: string) => void][] = [
  ['the object directory is deleted', (data) => rmSync(join(data, 'objects'), { recursive: true })],
  [
    'another directory takes the name of the object directory',
    (data) => {
      renameSync(join(data, 'objects'), join(data, 'other'))
      cpSync(join(data, 'other'), join(data, 'objects'), { recursive: true })
    },
  ],
  ['the data directory is deleted', (data) => rmSync(data, { recursive: true })],
  ['the database file is deleted', (data) => rmSync(join(data, 'quire.db'))],
  ['the log beside the database is deleted', (data) => rmSync(join(data, 'quire.db-wal'))],
  [
    'the database file is replaced by a copy',
    (data) => {
      cpSync(join(data, 'quire.db'), join(data, 'copy'))
      renameSync(join(data, 'copy'), join(data, 'quire.db'))
    },
  ],
  [
    'another directory takes the name of the data directory',
    (data) => {
      renameSync(data, `${data}.old`)
      // Its socket can't be copied, and belongs to the process.
      cpSync(`${data}.old`, data, { recursive: true, filter: (path) => !path.endsWith('.control') })
    },
  ],
]

// All at the same time: each has a program of its own, and most of it is waiting.
test.concurrent.each(disappearances)(
  'once %s, no submission is acknowledged, and readiness says so',
  async (_, vanish) => {
    const { quire, client, body } = await startWithWork()
    vanish(join(quire.folder, 'quire-data'))
    for (let index = 0; index < 8; index++) expect(await submitStatus(client, body)).toBe(503)
    await until('readiness says so', async () => (await fetch(`${quire.origin}/health/ready`)).status === 503)
    expect(await (await fetch(`${quire.origin}/health/ready`)).text()).toContain('it was removed or replaced')
    expect(await quire.log()).toMatch(
      /the database is gone; nothing is written|the object directory \S+ was (removed|replaced)/,
    )
    expect((await fetch(`${quire.origin}/health/live`)).status).toBe(200)
    expect(await quire.stop()).toBe(0)
  },
  120_000,
)

test.concurrent('a data directory that comes back under its name is served on without a restart, and keeps what was promised', async () => {
  const { quire, client, body, id } = await startWithWork()
  const data = join(quire.folder, 'quire-data')
  renameSync(data, `${data}.away`)
  mkdirSync(data)
  expect(await submitStatus(client, body)).toBe(503)
  rmSync(data, { recursive: true })
  renameSync(`${data}.away`, data)
  expect(await submitStatus(client, body)).toBe(202)
  await until('it is ready again', async () => (await fetch(`${quire.origin}/health/ready`)).status === 200)
  expect((await untilEnded(client, id, 60_000)).status).toBe('completed')
  expect(await quire.stop()).toBe(0)
  expect(await runCommand(quire.folder, ['verify'])).toMatchObject({ code: 0, stderr: '' })
}, 120_000)
