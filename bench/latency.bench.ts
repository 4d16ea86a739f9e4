/**
 * How long a read takes while documents are made, beside the same read on an idle service.
 *
 * Method: the executable with embedded defaults; one caller reads a page of executions again and again for some seconds,
 * first alone, then while 8 callers submit and follow documents. Run: bun run build && bun bench/latency.bench.ts
 */
import { cleanUp } from '../test/support/cleanup.ts'
import { ApiClient, untilEnded } from '../test/support/client.ts'
import { startQuire } from '../test/support/quire.ts'
import { percentile, show } from './figures.ts'

const SECONDS = Number(process.argv[2] ?? 5)

const quire = await startQuire({ environment: { QUIRE_LOG: 'warn' } })
const client = new ApiClient(quire.origin)
await client.login(quire.username, quire.password)
const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
const body = { ingestion_model: 'clws-policy', raw_input, metadata }

async function make(): Promise<void> {
  const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
  await untilEnded(client, answer.body.submission.executions[0].id)
}

async function read(): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + SECONDS * 1_000
  while (performance.now() < until) {
    const startedAt = performance.now()
    await client.get('/api/v1/executions?limit=25')
    times.push(performance.now() - startedAt)
    await Bun.sleep(2)
  }
  return times.toSorted((a, b) => a - b)
}

for (let warmUp = 0; warmUp < 30; warmUp++) await make()
const idle = await read()
let isMaking = true
const makers = Array.from({ length: 8 }, async () => {
  while (isMaking) await make()
})
const busy = await read()
isMaking = false
await Promise.all(makers)
const figures = (sorted: number[]) => `p50 ${show(percentile(sorted, 50))} ms, p99 ${show(percentile(sorted, 99))} ms`
console.log(`idle               ${figures(idle)}`)
console.log(`8 documents        ${figures(busy)}`)
console.log(`p99 ratio          ${show(percentile(busy, 99) / percentile(idle, 99))}  [reach 2]`)
await quire.stop()
await cleanUp()
