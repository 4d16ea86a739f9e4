import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startFaultProxy, type Verdict } from '../objects/fault-proxy.ts'
import { makeBucket, radosgwAvailable, startRadosgw } from '../objects/radosgw.ts'
import { type ApiClient, untilEnded } from '../support/client.ts'
import { freePort } from '../support/postgres.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { smallDisk } from '../support/small-disk.ts'
import { until } from '../support/until.ts'
import { rounds, scenarioBody, signIn, submit } from './load.ts'

const EXECUTIONS = 10
/** Attempts alone would be used up after 7.5 s: their waits double from `stepBackoffMs`. */
const OUTAGE_MS = rounds(12_000, 45_000)

interface Outage {
  begin(): void
  end(): void
  code: string
  /** What readiness says of it. */
  reason: string
}

async function readinessOf(quire: RunningQuire) {
  const answer = await fetch(`${quire.origin}/health/ready`)
  return { status: answer.status, body: (await answer.json()) as { detail?: string; dependencies: unknown[] } }
}

async function metricOf(port: number, name: string): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(page.match(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm'))?.[1] ?? Number.NaN)
}

async function accepted(client: ApiClient, body: unknown): Promise<string> {
  const id = await submit(client, body, crypto.randomUUID())
  if (id === undefined) throw new Error('a submission was not accepted')
  return id
}

/** Work waits through the outage, says so in every place, and is done by itself afterwards, at the first attempt of each step. */
async function survives(quire: RunningQuire, metricsPort: number, outage: Outage): Promise<void> {
  const client = await signIn(quire)
  const body = await scenarioBody(client)
  outage.begin()
  const ids: string[] = []
  for (let index = 0; index < EXECUTIONS; index++) ids.push(await accepted(client, body))
  await until('readiness says so', async () => (await readinessOf(quire)).status === 503, 60_000)
  const { body: unready } = await readinessOf(quire)
  expect(unready.detail).toContain(outage.reason)
  expect(unready.dependencies).toContainEqual({ name: 'object-store', status: 'unavailable' })
  await until('work is paused', async () => (await metricOf(metricsPort, 'quire_steps_paused')) >= EXECUTIONS, 60_000)
  expect(await metricOf(metricsPort, 'quire_dependency_up{dependency="object-store"}')).toBe(0)
  const { body: detailed } = await client.get('/api/v1/admin/readiness')
  expect(detailed.paused).toMatchObject({ dependency: 'object-store', code: outage.code })
  expect(detailed.paused.steps).toBeGreaterThanOrEqual(EXECUTIONS)

  await Bun.sleep(OUTAGE_MS)
  expect((await readinessOf(quire)).status).toBe(503)
  for (const id of ids) {
    const { status } = (await client.get(`/api/v1/executions/${id}`)).body
    expect(['queued', 'processing', 'awaiting_compose']).toContain(status)
  }
  outage.end()
  for (const id of ids) {
    const execution = await untilEnded(client, id, 40_000)
    expect(execution.status).toBe('completed')
    expect(execution.steps.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 1, 1, 1])
  }
  await until('it is ready again', async () => (await readinessOf(quire)).status === 200, 60_000)
  await until('no step is paused', async () => (await metricOf(metricsPort, 'quire_steps_paused')) === 0)
  expect(await metricOf(metricsPort, 'quire_dependency_up{dependency="object-store"}')).toBe(1)
  expect((await client.get('/api/v1/admin/readiness')).body).not.toHaveProperty('paused')
  expect(await quire.stop()).toBe(0)
}

const disk = smallDisk(160_000_000)
if (disk === undefined) process.stderr.write('SKIPPED: a disk below its reserve (needs the right to mount a tmpfs)\n')

// At the same time, because most of it is waiting.
test.concurrent.if(disk !== undefined)(
  'a disk below its reserve pauses work, and no execution is lost, however long it stays so',
  async () => {
    const port = await freePort()
    const environment = {
      QUIRE_OBJECTS_URL: `file:${join(disk ?? '', 'objects')}`,
      QUIRE_METRICS_LISTEN: `127.0.0.1:${port}`,
    }
    const quire = await startQuire({ environment })
    const ballast = join(disk ?? '', 'ballast')
    await survives(quire, port, {
      begin: () => writeFileSync(ballast, new Uint8Array(110_000_000)),
      end: () => rmSync(ballast),
      code: 'object_store_full',
      reason: 'below its reserve',
    })
  },
  180_000,
)

test.concurrent.if(radosgwAvailable)(
  'an S3 store that answers 503, or refuses access, pauses work, and no execution is lost, however long it does',
  async () => {
    const s3 = await startRadosgw()
    await makeBucket(s3, 'refusing')
    await makeBucket(s3, 'denying')
    const meets = async (bucket: string, fault: Verdict, code: string, reason: string) => {
      let verdict: Verdict = 'pass'
      const proxy = await startFaultProxy(s3.endpoint, () => verdict)
      const port = await freePort()
      const quire = await startQuire({
        environment: {
          QUIRE_OBJECTS_URL: `s3://${bucket}?endpoint=${proxy.endpoint}&region=us-east-1`,
          QUIRE_METRICS_LISTEN: `127.0.0.1:${port}`,
          AWS_ACCESS_KEY_ID: s3.accessKeyId,
          AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
        },
      })
      const begin = () => {
        verdict = fault
      }
      const end = () => {
        verdict = 'pass'
      }
      await survives(quire, port, { begin, end, code, reason })
    }
    // Two services at the same time, because most of it is waiting.
    await Promise.all([
      meets('refusing', 'refuse', 'object_store_unavailable', 'does not answer as it should'),
      meets('denying', 'deny', 'object_store_refused', 'refuses access'),
    ])
  },
  300_000,
)
