import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { openBus } from '../../src/bus/bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createLog } from '../../src/core/log.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { startRunner } from '../../src/runner/runner.ts'
import { startFaultProxy } from '../objects/fault-proxy.ts'
import { makeBucket, radosgwAvailable, startRadosgw } from '../objects/radosgw.ts'
import { scriptedPool } from '../runner/scripted-pool.ts'
import { seedExecution } from '../runner/seed.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { openTestDatabase } from '../support/database.ts'
import { askedLessOften, until } from '../support/until.ts'
import { isFull, rounds, seededRandom } from './load.ts'

/** The deadline of one request; those of real use are 30 s. */
const REQUEST_MS = 5_000

const log = createLog({ level: 'error', readable: true, write: () => {} })

test.if(radosgwAvailable && (isFull || process.env.CI === 'true'))(
  'loses no execution and no byte when the store fails 30 % of puts, loses 10 % of answers and delays 7 %',
  async () => {
    const random = seededRandom('object store')
    const s3 = await startRadosgw()
    process.env.AWS_ACCESS_KEY_ID = s3.accessKeyId
    process.env.AWS_SECRET_ACCESS_KEY = s3.secretAccessKey
    let puts = 0
    const proxy = await startFaultProxy(s3.endpoint, () => {
      const at = random()
      // Both kinds of delay come in a short run too.
      if (++puts === 10) return 'delay-beyond'
      if (puts === 20) return 'delay'
      if (at < 0.15) return 'refuse'
      if (at < 0.3) return 'cut'
      if (at < 0.4) return 'lose-answer'
      if (at < 0.45) return 'delay'
      return at < 0.47 ? 'delay-beyond' : 'pass'
    })
    // What was kept beyond its deadline arrives after all, when another attempt has long begun.
    const late = setInterval(() => proxy.release(), 2 * REQUEST_MS)
    onTestsEnd(() => clearInterval(late))
    const direct = await openObjectStore(`s3://crash?endpoint=${s3.endpoint}&region=us-east-1`)
    await makeBucket(s3, 'crash')
    const objects = await openObjectStore(`s3://crash?endpoint=${proxy.endpoint}&region=us-east-1`, {
      requestMs: REQUEST_MS,
    })
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
    await until('every execution has completed', async () => (await completed()) === wanted, 240_000, askedLessOften)
    const rows = await database.read.q.select().from(artifacts)
    expect(rows).toHaveLength(2 * wanted)
    // Past the proxy: what the rows name is really there.
    for (const row of rows) expect((await direct.get(row.contentHash))?.length).toBe(row.byteSize)
    // Nothing twice, however late it came.
    const names = new Set(rows.map((row) => row.contentHash))
    proxy.release()
    await until(
      'all that was late has been answered',
      () => proxy.lateAnswers.length === proxy.did.delay + proxy.did['delay-beyond'],
      60_000,
    )
    const stored: string[] = []
    for await (const object of direct.list()) stored.push(object.hash)
    expect(stored.toSorted()).toEqual([...names].toSorted())
    expect(proxy.did.refuse + proxy.did.cut).toBeGreaterThan(wanted / 4)
    expect(proxy.did['lose-answer']).toBeGreaterThan(0)
    expect(proxy.did.delay).toBeGreaterThan(0)
    expect(proxy.did['delay-beyond']).toBeGreaterThan(0)
    clearInterval(late)
    process.stderr.write(`object store: ${JSON.stringify(proxy.did)}\n`)
    await runner.drain(1_000)
    for (const part of [bus, objects, direct, database]) await part.close()
  },
  600_000,
)
