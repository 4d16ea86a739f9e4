import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { scenarioBody, signIn, submit } from '../crash/load.ts'
import { type ApiClient, untilEnded } from '../support/client.ts'
import { temporaryFolder } from '../support/database.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'
import { shiftedClock, shiftedClockAvailable } from '../support/shifted-clock.ts'
import { until } from '../support/until.ts'

/** Far less than the hours that the clocks are off, and enough for a busy machine. */
const SOON_MS = 90_000

async function accepted(client: ApiClient, body: unknown): Promise<string> {
  const id = await submit(client, body, crypto.randomUUID())
  if (id === undefined) throw new Error('a submission was not accepted')
  return id
}

/** How far an instant of an answer is from the true time, in seconds. */
const secondsOff = (instant: string) => Math.abs(Date.now() - Date.parse(instant)) / 1_000

test.concurrent.if(shiftedClockAvailable && postgresAvailable)(
  'instances whose clocks are an hour ahead of PostgreSQL, and two behind, run their submissions at once and write its time',
  async () => {
    const settings = {
      QUIRE_DATABASE_URL: await (await startPostgres()).createDatabase(),
      QUIRE_SECRET: 'shared by every instance, 32 and more',
      QUIRE_OBJECTS_URL: `file:${join(temporaryFolder(), 'objects')}`,
      QUIRE_WORKERS: '1',
    }
    const ahead = await startQuire({ environment: { ...settings, ...shiftedClock(1).environment } })
    const behind = await startQuire({ environment: { ...settings, ...shiftedClock(-2).environment } })
    const clients = [await signIn(ahead), await signIn(behind)]
    const body = await scenarioBody(clients[0]!)
    for (const client of clients) {
      const ids = await Promise.all(Array.from({ length: 5 }, () => accepted(client, body)))
      for (const id of ids) {
        const execution = await untilEnded(client, id, SOON_MS)
        expect(execution.status).toBe('completed')
        expect(secondsOff(execution.created_at)).toBeLessThan(60)
        expect(secondsOff(execution.completed_at)).toBeLessThan(60)
      }
      const { audit } = (await client.get('/api/v1/audit?limit=50')).body
      expect(audit.length).toBeGreaterThan(5)
      for (const record of audit) expect(secondsOff(record.at)).toBeLessThan(60)
    }
    expect(await ahead.stop()).toBe(0)
    expect(await behind.stop()).toBe(0)
  },
  300_000,
)

test.concurrent.if(shiftedClockAvailable)(
  'with the embedded database nothing is stuck after the clock was set back by an hour, while it runs and across a restart',
  async () => {
    const clock = shiftedClock(2)
    const environment = { ...clock.environment, QUIRE_WORKERS: '1' }
    const quire = await startQuire({ environment })
    let client = await signIn(quire)
    const body = await scenarioBody(client)
    expect((await untilEnded(client, await accepted(client, body), SOON_MS)).status).toBe('completed')

    const before = await Promise.all(Array.from({ length: 20 }, () => accepted(client, body)))
    clock.setHours(1)
    const after = await Promise.all(Array.from({ length: 5 }, () => accepted(client, body)))
    for (const id of [...before, ...after]) {
      expect((await untilEnded(client, id, SOON_MS)).status).toBe('completed')
    }
    // What is written now has the corrected time.
    await until(
      'the correction is seen',
      async () => {
        const { created_at } = (await client.get(`/api/v1/executions/${await accepted(client, body)}`)).body
        return Math.abs(secondsOff(created_at) - 3_600) < 60
      },
      SOON_MS,
    )

    const left = await Promise.all(Array.from({ length: 20 }, () => accepted(client, body)))
    await quire.kill()
    clock.setHours(0)
    const again = await startQuire({ environment, folder: quire.folder })
    client = await signIn(again)
    for (const id of left) expect((await untilEnded(client, id, SOON_MS)).status).toBe('completed')
    expect(await again.stop()).toBe(0)
  },
  300_000,
)
