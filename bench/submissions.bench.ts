/**
 * One submission from POST to completed (p50, p99) with 1 and 8 callers, and documents a second.
 *
 * Method: dist/quire in an empty folder with embedded defaults, everything fsynced. Each caller posts the monthly
 * scenario and follows the execution's event stream until `completed`; a warm-up of 30 comes first. Documents a second
 * are DOCX and PDF made by 16 callers, two for each submission. Run: bun run build && bun bench/submissions.bench.ts
 */
import { cleanUp } from '../test/support/cleanup.ts'
import { ApiClient } from '../test/support/client.ts'
import { startQuire } from '../test/support/quire.ts'
import { percentile, show, summary } from './figures.ts'

const WARM_UP = 30
const SUBMISSIONS = Number(process.argv[2] ?? 300)

const quire = await startQuire({ environment: { QUIRE_LOG: 'warn' } })
const client = new ApiClient(quire.origin, false)
await client.login(quire.username, quire.password)
const { scenarios } = (await client.get('/api/v1/intake-test-lab/scenarios')).body
const { raw_input, metadata } = scenarios[0]

async function submitAndWait(): Promise<number> {
  const startedAt = performance.now()
  const answer = await client.post(
    '/api/v1/submissions',
    { ingestion_model: 'clws-policy', raw_input, metadata },
    { 'idempotency-key': crypto.randomUUID() },
  )
  if (answer.status !== 202) throw new Error(`the submission was answered with ${answer.status}`)
  const path = `/api/v1/executions/${answer.body.submission.executions[0].id}/trace`
  const stream = await client.raw('GET', path, undefined, { accept: 'text/event-stream' })
  const text = await stream.text()
  if (!/^event: completed$/m.test(text)) throw new Error(`the execution did not complete: ${text.slice(-500)}`)
  return performance.now() - startedAt
}

async function measure(callers: number, count: number): Promise<{ sorted: number[]; seconds: number }> {
  const times: number[] = []
  let left = count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) times.push(await submitAndWait())
    }),
  )
  return { sorted: times.toSorted((a, b) => a - b), seconds: (performance.now() - startedAt) / 1000 }
}

await measure(4, WARM_UP)
for (const callers of [1, 8]) {
  const { sorted } = await measure(callers, SUBMISSIONS)
  console.log(summary(`submission to completed, ${callers} caller(s), ms`, sorted, 'p50: reach 60'))
  console.log(`${''.padEnd(36)} ${show(percentile(sorted, 99)).padStart(9)}  p99`)
}
const { seconds } = await measure(16, SUBMISSIONS)
console.log(summary('documents a second', [(2 * SUBMISSIONS) / seconds], 'reach 60'))
await quire.stop()
await cleanUp()
