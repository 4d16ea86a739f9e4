/**
 * The first document after a start: from the POST to `completed`, including the start of an engine process.
 *
 * Method: the executable in an empty folder with the demo, everything fsynced. As soon as it is ready, a user signs in and posts
 * the monthly scenario, whose DOCX and PDF are followed to the end. Five starts; median and range. QUIRE_BINARY names another
 * build to compare.
 * Run: bun run build && bun bench/first-document.bench.ts
 */
import { cleanUp } from '../test/support/cleanup.ts'
import { ApiClient } from '../test/support/client.ts'
import { startQuire } from '../test/support/quire.ts'
import { summary } from './figures.ts'

const STARTS = 5

async function firstDocumentMs(): Promise<number> {
  const quire = await startQuire({ environment: { QUIRE_LOG: 'warn' } })
  const client = new ApiClient(quire.origin, false)
  await client.login(quire.username, quire.password)
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const startedAt = performance.now()
  const body = { ingestion_model: 'clws-policy', raw_input, metadata }
  const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
  const path = `/api/v1/executions/${answer.body.submission.executions[0].id}/trace`
  const trace = await (await client.raw('GET', path, undefined, { accept: 'text/event-stream' })).text()
  const elapsedMs = performance.now() - startedAt
  if (!/^event: completed$/m.test(trace)) throw new Error(`the execution did not complete: ${trace.slice(-500)}`)
  await quire.stop()
  return elapsedMs
}

const times: number[] = []
for (let start = 0; start < STARTS; start++) times.push(await firstDocumentMs())
console.log(summary('first document after a start, ms', times, 'reach 250'))
await cleanUp()
