/**
 * How long a read takes while documents are made, beside the same read on an idle service.
 *
 * Method: the executable with embedded defaults; one caller reads a page of executions again and again for some seconds,
 * by turns alone and while 8 callers submit and follow documents, so that both have their share of whatever else the machine
 * does. QUIRE_BINARY names another build, to compare. Run: bun run build && bun bench/latency.bench.ts [seconds [rounds]]
 */
import { cleanUp } from '../test/support/cleanup.ts'
import { ApiClient, untilEnded } from '../test/support/client.ts'
import { startQuire } from '../test/support/quire.ts'
import { percentile, show } from './figures.ts'

const SECONDS = Number(process.argv[2] ?? 3)
const ROUNDS = Number(process.argv[3] ?? 3)

const quire = await startQuire({ environment: { QUIRE_LOG: 'warn' } })
const client = new ApiClient(quire.origin, false)
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
  return times
}

for (let warmUp = 0; warmUp < 30; warmUp++) await make()
const alone: number[] = []
const beside: number[] = []
let documents = 0
for (let round = 0; round < ROUNDS; round++) {
  alone.push(...(await read()))
  let isMaking = true
  const makers = Array.from({ length: 8 }, async () => {
    while (isMaking) await make().then(() => documents++)
  })
  beside.push(...(await read()))
  isMaking = false
  await Promise.all(makers)
}
const [idle, busy] = [alone, beside].map((times) => times.toSorted((a, b) => a - b)) as [number[], number[]]
const figures = (sorted: number[]) => `p50 ${show(percentile(sorted, 50))} ms, p99 ${show(percentile(sorted, 99))} ms`
console.log(`idle               ${figures(idle)}`)
console.log(`8 documents        ${figures(busy)}`)
console.log(`documents          ${documents} submissions in ${SECONDS * ROUNDS} s`)
console.log(`p50 ratio          ${show(percentile(busy, 50) / percentile(idle, 50))}`)
console.log(`p99 ratio          ${show(percentile(busy, 99) / percentile(idle, 99))}  [reach 2]`)
await quire.stop()
await cleanUp()
