/**
 * What callers in a crowd get: accepted and refused posts, how long posts and reads take, and what is left for steps.
 *
 * Method: the demo's monthly scenario posted over HTTP by so many callers, who post again as soon as they are answered and
 * wait for `Retry-After` where they are sent away; 4 others read an execution and the list meanwhile. Documents made a second are
 * compared with those of the same server when nobody posts any more and it works off its queue. All of it on one machine.
 * Run: bun bench/crowd.bench.ts [callers] [seconds]
 */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { demo } from '../src/demo/demo.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { percentile, show } from './figures.ts'
import { serveDemo } from './served.ts'

const CALLERS = Number(process.argv[2] ?? 500)
const SECONDS = Number(process.argv[3] ?? 15)
const READERS = 4
const { raw_input, metadata } = demo.scenarios[0]!
const body = JSON.stringify({ ingestion_model: demo.ingestionModel.slug, raw_input, metadata })

const { origin, data, headers, stop } = await serveDemo('crowd')

const statuses = new Map<number, number>()
let last = ''

async function post(): Promise<number> {
  const sentAt = performance.now()
  const response = await fetch(`${origin}/api/v1/submissions`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    body,
  })
  const text = await response.text()
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  const ms = performance.now() - sentAt
  if (response.status === 202) last = JSON.parse(text).submission.executions[0].id
  else await Bun.sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000)
  return ms
}

async function read(path: string): Promise<number> {
  const sentAt = performance.now()
  const response = await fetch(`${origin}${path}`, { headers })
  await response.arrayBuffer()
  if (response.status !== 200) statuses.set(-response.status, (statuses.get(-response.status) ?? 0) + 1)
  return performance.now() - sentAt
}

async function until(endMs: number, times: number[], ask: () => Promise<number>): Promise<void> {
  while (performance.now() < endMs) times.push(await ask())
}

/** Executions that have completed so far. */
function completed(): number {
  const database = new Database(join(data, 'quire.db'), { readonly: true })
  const [row] = database.query('select count(*) as n from executions where status = ?').all('completed') as {
    n: number
  }[]
  database.close()
  return row?.n ?? 0
}

await post()
await Bun.sleep(1_000)
const endMs = performance.now() + SECONDS * 1_000
const [posts, reads, lives]: [number[], number[], number[]] = [[], [], []]
const before = completed()
await Promise.all([
  ...Array.from({ length: CALLERS }, () => until(endMs, posts, post)),
  ...Array.from({ length: READERS }, (_, index) =>
    until(endMs, reads, () => read(index % 2 === 0 ? `/api/v1/executions/${last}` : '/api/v1/executions?limit=20')),
  ),
  until(endMs, lives, async () => {
    await Bun.sleep(20)
    return read('/health/live')
  }),
])
const during = (completed() - before) / SECONDS
const drainFrom = completed()
await Bun.sleep(5_000)
const alone = (completed() - drainFrom) / 5
const sorted = (times: number[]) => times.toSorted((a, b) => a - b)
const p = (times: number[], share: number) => show(percentile(sorted(times), share))
console.log(`${CALLERS} callers, ${SECONDS} s; statuses ${JSON.stringify(Object.fromEntries(statuses))}`)
console.log(
  `posts  ${show((statuses.get(202) ?? 0) / SECONDS)}/s accepted; p50 ${p(posts, 50)} ms, p99 ${p(posts, 99)} ms`,
)
console.log(`reads  ${show(reads.length / SECONDS)}/s; p50 ${p(reads, 50)} ms, p99 ${p(reads, 99)} ms`)
console.log(`live   p50 ${p(lives, 50)} ms, p99 ${p(lives, 99)} ms`)
console.log(`executions completed ${show(during)}/s meanwhile, ${show(alone)}/s alone (${show(during / alone)} ×)`)
await stop()
await cleanUp()
