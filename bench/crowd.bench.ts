/**
 * What callers in a crowd get: accepted and refused posts, how long posts and reads take, and the capacity left for steps.
 *
 * Method: this many callers post the demo's monthly scenario over HTTP, again as soon as they are answered, and wait for
 * `Retry-After` if they are refused; 4 others read an execution and the list meanwhile. Documents per second are compared with
 * those of the same server once nobody posts any more and it works off its queue. The memory of all server processes is printed
 * twenty times. At the end each accepted submission must exist exactly once, and be completed within ten minutes. Everything runs
 * on one machine. Several instances share a PostgreSQL of their own, and callers and readers are spread over them.
 * Run: bun bench/crowd.bench.ts [callers] [seconds] [instances]
 */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import postgres from 'postgres'
import { demo } from '../src/demo/demo.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { temporaryFolder } from '../test/support/database.ts'
import { launchPostgres } from '../test/support/postgres.ts'
import { percentile, show } from './figures.ts'
import { heldBy } from './held.ts'
import { type Served, serveDemo } from './served.ts'

const CALLERS = Number(process.argv[2] ?? 500)
const SECONDS = Number(process.argv[3] ?? 15)
const INSTANCES = Number(process.argv[4] ?? 1)
const READERS = 4
const { raw_input, metadata } = demo.scenarios[0]!
const body = JSON.stringify({ ingestion_model: demo.ingestionModel.slug, raw_input, metadata })

const url = INSTANCES === 1 ? undefined : await (await launchPostgres()).createDatabase()
const shared = {
  QUIRE_SECRET: 'shared by all instances of the bench',
  QUIRE_OBJECTS_URL: `file:${join(temporaryFolder('quire-crowd-objects-'), 'objects')}`,
}
const servers: Served[] = []
// One after another: the first one makes the tables and the demo.
for (let index = 0; index < INSTANCES; index++) {
  servers.push(await serveDemo('crowd', url === undefined ? {} : { ...shared, QUIRE_DATABASE_URL: url }))
}
// A session belongs to the host and port where it was opened, so each instance needs its own.
const server = (index: number): Served => servers[index % servers.length]!

const statuses = new Map<string, number>()
const accepted = new Set<string>()
let last = ''

async function post({ origin, headers }: Served): Promise<number> {
  const sentAt = performance.now()
  const response = await fetch(`${origin}/api/v1/submissions`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    body,
  })
  const answer = (await response.json()) as Answer
  const ms = performance.now() - sentAt
  if (answer.submission === undefined) {
    note(`${response.status} ${answer.code}`)
    await Bun.sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000)
  } else {
    note(String(response.status))
    accepted.add(answer.submission.id)
    last = answer.submission.executions[0]!.id
  }
  return ms
}

interface Answer {
  code?: string
  submission?: { id: string; executions: { id: string }[] }
}

function note(status: string): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
}

async function read({ origin, headers }: Served, path: string): Promise<number> {
  const sentAt = performance.now()
  const response = await fetch(`${origin}${path}`, { headers })
  await response.arrayBuffer()
  if (response.status !== 200) note(`${response.status} for a read`)
  return performance.now() - sentAt
}

async function until(endMs: number, times: number[], ask: () => Promise<number>): Promise<void> {
  while (performance.now() < endMs) times.push(await ask())
}

const connection = url === undefined ? undefined : postgres(url, { max: 1, onnotice: () => {} })

async function rows<Row>(statement: string): Promise<Row[]> {
  if (connection !== undefined) return [...(await connection.unsafe(statement))] as Row[]
  const database = new Database(join(server(0).data, 'quire.db'), { readonly: true })
  const found = database.query(statement).all() as Row[]
  database.close()
  return found
}

async function count(statement: string): Promise<number> {
  const [row] = await rows<{ n: number }>(`select count(*) as n from ${statement}`)
  return Number(row?.n)
}

const completed = () => count("executions where status = 'completed'")

function sayHeld(): void {
  for (const { pid } of servers) {
    const held = heldBy(pid)
    const sum = (of: 'rssMb' | 'pssMb' | 'descriptors') => Math.round(held.reduce((total, each) => total + each[of], 0))
    console.log(
      `held by ${held.length} processes: ${sum('rssMb')} MB (${sum('pssMb')} PSS), ${sum('descriptors')} descriptors`,
    )
  }
}

for (const each of servers) await post(each)
await Bun.sleep(1_000)
const endMs = performance.now() + SECONDS * 1_000
const [posts, reads, lives]: [number[], number[], number[]] = [[], [], []]
const before = await completed()
const watching = setInterval(sayHeld, (SECONDS * 1_000) / 20)
await Promise.all([
  ...Array.from({ length: CALLERS }, (_, index) => until(endMs, posts, () => post(server(index)))),
  ...Array.from({ length: READERS }, (_, index) =>
    until(endMs, reads, () =>
      read(server(index), index % 2 === 0 ? `/api/v1/executions/${last}` : '/api/v1/executions?limit=20'),
    ),
  ),
  until(endMs, lives, async () => {
    await Bun.sleep(20)
    return read(server(lives.length), '/health/live')
  }),
])
clearInterval(watching)
const during = ((await completed()) - before) / SECONDS
const drainFrom = await completed()
await Bun.sleep(5_000)
const alone = ((await completed()) - drainFrom) / 5
const sorted = (times: number[]) => times.toSorted((a, b) => a - b)
const p = (times: number[], share: number) => show(percentile(sorted(times), share))
console.log(
  `${CALLERS} callers, ${SECONDS} s, ${INSTANCES} instance(s); statuses ${JSON.stringify(Object.fromEntries(statuses))}`,
)
console.log(`posts  ${show(accepted.size / SECONDS)}/s accepted; p50 ${p(posts, 50)} ms, p99 ${p(posts, 99)} ms`)
console.log(`reads  ${show(reads.length / SECONDS)}/s; p50 ${p(reads, 50)} ms, p99 ${p(reads, 99)} ms`)
console.log(`live   p50 ${p(lives, 50)} ms, p99 ${p(lives, 99)} ms`)
console.log(`executions completed ${show(during)}/s meanwhile, ${show(alone)}/s alone (${show(during / alone)} ×)`)
const untilDoneMs = performance.now() + 600_000
const open = () => count("executions where status not in ('completed', 'failed')")
while ((await open()) > 0 && performance.now() < untilDoneMs) await Bun.sleep(500)
sayHeld()
const kept = (await rows<{ id: string }>('select id from submissions')).map(({ id }) => id)
const lost = accepted.difference(new Set(kept)).size
const failed = await count("executions where status = 'failed'")
// The unique index of sequences excludes two events with one number; these would be events with two numbers.
const twice = await count(
  "(select aggregate_id from events where type = 'completed' group by aggregate_id having count(*) > 1) as repeated",
)
const left = await open()
console.log(
  `accepted ${accepted.size}, kept ${kept.length}, lost ${lost}; ${left} executions not ended, ${failed} failed, ${twice} completed twice`,
)
await connection?.end()
await Promise.all(servers.map(({ stop }) => stop()))
await cleanUp()
if (lost > 0 || failed > 0 || twice > 0) throw new Error('something was lost')
if (left > 0) throw new Error('nothing is lost, but the queue is not empty after ten minutes')
