/**
 * How long after a step's change its event arrives at a client that follows the execution's live trace.
 *
 * Method: one caller repeatedly submits the monthly scenario and reads the execution's event stream, on an otherwise idle
 * service. Measured is the time from an event's `created_at`, which the database's clock sets before the commit (to the
 * millisecond), to its arrival over HTTP, for events made after the stream was open. First the executable with embedded defaults;
 * then, if PostgreSQL is installed, two instances on one server, where the stream is read from the one that doesn't accept the
 * submissions. Run: bun run build && bun bench/trace.bench.ts [submissions]
 */
import { join } from 'node:path'
import { cleanUp } from '../test/support/cleanup.ts'
import { ApiClient } from '../test/support/client.ts'
import { temporaryFolder } from '../test/support/database.ts'
import { postgresAvailable, startPostgres } from '../test/support/postgres.ts'
import { startQuire } from '../test/support/quire.ts'
import { percentile, show } from './figures.ts'

const SUBMISSIONS = Number(process.argv[2] ?? 200)
const WARM_UP = 30

/** Milliseconds since 1970, with a finer resolution than Date.now(). */
const now = () => performance.timeOrigin + performance.now()

async function delays(intake: ApiClient, watched: ApiClient, body: unknown): Promise<number[]> {
  const answer = await intake.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
  const path = `/api/v1/executions/${answer.body.submission.executions[0].id}/trace`
  const stream = await watched.raw('GET', path, undefined, { accept: 'text/event-stream' })
  const openedAt = now()
  const found: number[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream.body!) {
    const arrivedAt = now()
    text += decoder.decode(chunk, { stream: true })
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1]
      if (data === undefined) continue
      const changedAt = Date.parse((JSON.parse(data) as { created_at: string }).created_at)
      if (changedAt >= openedAt) found.push(Math.max(0, arrivedAt - changedAt))
    }
  }
  return found
}

async function measure(name: string, environments: Record<string, string>[]): Promise<void> {
  const instances = []
  for (const environment of environments) {
    instances.push(await startQuire({ environment: { QUIRE_LOG: 'warn', ...environment } }))
  }
  const clients = instances.map(({ origin }) => new ApiClient(origin, false))
  for (const client of clients) await client.login(instances[0]!.username, instances[0]!.password)
  const [intake, watched] = [clients[0]!, clients.at(-1)!]
  const { raw_input, metadata } = (await intake.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const body = { ingestion_model: 'clws-policy', raw_input, metadata }
  for (let warmUp = 0; warmUp < WARM_UP; warmUp++) await delays(intake, watched, body)
  const all: number[] = []
  for (let index = 0; index < SUBMISSIONS; index++) all.push(...(await delays(intake, watched, body)))
  const sorted = all.toSorted((a, b) => a - b)
  const figures = `p50 ${show(percentile(sorted, 50))} ms, p99 ${show(percentile(sorted, 99))} ms`
  console.log(`${name.padEnd(32)} ${figures}, ${all.length} events  [reach p99 50 ms]`)
  for (const instance of instances) await instance.stop()
}

await measure('of the same process', [{}])
if (postgresAvailable) {
  const shared = {
    QUIRE_DATABASE_URL: await (await startPostgres()).createDatabase(),
    QUIRE_SECRET: 'shared by both, and 32 characters or more',
    QUIRE_OBJECTS_URL: `file:${join(temporaryFolder(), 'objects')}`,
  }
  await measure('of another, on one PostgreSQL', [shared, shared])
}
await cleanUp()
