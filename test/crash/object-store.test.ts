import { expect, test } from 'bun:test'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { eq } from 'drizzle-orm'
import { openBus } from '../../src/bus/bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createLog } from '../../src/core/log.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { startRunner } from '../../src/runner/runner.ts'
import { radosgwAvailable, startRadosgw } from '../objects/radosgw.ts'
import { scriptedPool } from '../runner/scripted-pool.ts'
import { seedExecution } from '../runner/seed.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { openTestDatabase } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { isFull, rounds, seededRandom } from './load.ts'

const log = createLog({ level: 'error', readable: true, write: () => {} })

type Verdict = 'pass' | 'refuse' | 'cut' | 'lose-answer'

/** A proxy in front of an S3 server that does to each put what it is told to, and lets everything else through. */
async function startFaultProxy(endpoint: string, verdictOf: () => Verdict) {
  const upstream = new URL(endpoint)
  const did: Record<Verdict, number> = { pass: 0, refuse: 0, cut: 0, 'lose-answer': 0 }
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const verdict = incoming.method === 'PUT' && incoming.url?.split('/').length === 3 ? verdictOf() : 'pass'
    did[verdict]++
    if (verdict === 'cut') return incoming.socket.destroy()
    if (verdict === 'refuse') {
      incoming.resume()
      outgoing.writeHead(503).end()
      return
    }
    // The signature covers the host that the client asked, so every header goes on as it came.
    const forward = request({
      host: upstream.hostname,
      port: upstream.port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    })
    forward.on('response', (answer) => {
      if (verdict === 'lose-answer') {
        answer.resume()
        incoming.socket.destroy()
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forward.on('error', () => incoming.socket.destroy())
    incoming.pipe(forward)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestsEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${port}`, did }
}

test.if(radosgwAvailable && (isFull || process.env.CI === 'true'))(
  'a store that fails 30 % of puts and loses the answer of 10 % costs time, but no execution and no byte',
  async () => {
    const random = seededRandom('object store')
    const s3 = await startRadosgw()
    process.env.AWS_ACCESS_KEY_ID = s3.accessKeyId
    process.env.AWS_SECRET_ACCESS_KEY = s3.secretAccessKey
    const proxy = await startFaultProxy(s3.endpoint, () => {
      const at = random()
      if (at < 0.15) return 'refuse'
      if (at < 0.3) return 'cut'
      return at < 0.4 ? 'lose-answer' : 'pass'
    })
    const direct = await openObjectStore(`s3://crash?endpoint=${s3.endpoint}&region=us-east-1`)
    await makeBucket(s3.endpoint, 'crash')
    const objects = await openObjectStore(`s3://crash?endpoint=${proxy.endpoint}&region=us-east-1`)
    const database = await openTestDatabase('sqlite')
    const bus = await openBus('embedded')
    const wanted = rounds(60, 500)
    for (let index = 0; index < wanted; index++) await seedExecution(database, { rawInput: `{"a":${index}}` })
    const runner = startRunner({
      database,
      objects,
      pool: scriptedPool(undefined, 4),
      bus,
      clock: systemClock,
      log,
      owner: 'runner',
      isSoleInstance: true,
      timing: { backoffFirstMs: 20, backoffMaxMs: 200, pollMs: 50 },
    })
    const { executions, artifacts } = database.read.t
    const completed = async () =>
      (await database.read.q.select({ id: executions.id }).from(executions).where(eq(executions.status, 'completed')))
        .length
    await until('every execution has completed', async () => (await completed()) === wanted, 240_000)
    const rows = await database.read.q.select().from(artifacts)
    expect(rows).toHaveLength(2 * wanted)
    // Past the proxy: what the rows name is really there.
    for (const row of rows) expect((await direct.get(row.contentHash))?.length).toBe(row.byteSize)
    expect(proxy.did.refuse + proxy.did.cut).toBeGreaterThan(wanted / 4)
    expect(proxy.did['lose-answer']).toBeGreaterThan(0)
    process.stderr.write(`object store: ${JSON.stringify(proxy.did)}\n`)
    await runner.drain(1_000)
    for (const part of [bus, objects, direct, database]) await part.close()
  },
  600_000,
)

async function makeBucket(endpoint: string, name: string): Promise<void> {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
}
