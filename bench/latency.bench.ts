/**
 * How long a read takes while documents are made, beside the same read on an idle service.
 *
 * Method: the executable with embedded defaults. One caller reads a page of executions repeatedly for some seconds, alternately
 * alone and while 8 callers in another process submit and follow documents (latency.makers.ts), so that other load on the machine
 * affects both alike. QUIRE_BINARY names another build to compare.
 * Run: bun run build && bun bench/latency.bench.ts [seconds [rounds]]
 */
import { join } from 'node:path'
import { cleanUp } from '../test/support/cleanup.ts'
import { ApiClient } from '../test/support/client.ts'
import { startQuire } from '../test/support/quire.ts'
import { percentile, show } from './figures.ts'

const SECONDS = Number(process.argv[2] ?? 3)
const ROUNDS = Number(process.argv[3] ?? 3)

const quire = await startQuire({ environment: { QUIRE_LOG: 'warn' } })
const client = new ApiClient(quire.origin, false)
await client.login(quire.username, quire.password)

let heard = Promise.withResolvers<unknown>()
const makers = Bun.spawn(
  [process.execPath, join(import.meta.dir, 'latency.makers.ts'), quire.origin, quire.username, quire.password],
  { stdio: ['ignore', 'inherit', 'inherit'], ipc: (message) => heard.resolve(message) },
)
/** The other process's next message. */
async function hear(): Promise<unknown> {
  const message = await heard.promise
  heard = Promise.withResolvers()
  return message
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

await hear()
const alone: number[] = []
const beside: number[] = []
let documents = 0
for (let round = 0; round < ROUNDS; round++) {
  alone.push(...(await read()))
  makers.send('begin')
  beside.push(...(await read()))
  makers.send('end')
  documents += Number(await hear())
}
const [idle, busy] = [alone, beside].map((times) => times.toSorted((a, b) => a - b)) as [number[], number[]]
const figures = (sorted: number[]) => `p50 ${show(percentile(sorted, 50))} ms, p99 ${show(percentile(sorted, 99))} ms`
console.log(`idle               ${figures(idle)}`)
console.log(`8 documents        ${figures(busy)}`)
console.log(`documents          ${documents} submissions in ${SECONDS * ROUNDS} s`)
console.log(`p50 ratio          ${show(percentile(busy, 50) / percentile(idle, 50))}`)
console.log(`p99 ratio          ${show(percentile(busy, 99) / percentile(idle, 99))}  [reach 1.5]`)
makers.kill()
await quire.stop()
await cleanUp()
