/**
 * Durable submissions accepted per second with 64 callers, and how long the slowest wait.
 *
 * Method: the demo's monthly scenario is posted over HTTP, each time under a new Idempotency-Key, to a server in another process;
 * libSQL with synchronous=FULL, answered after the commit. First the intake alone (as if the runners were on other machines),
 * then the whole of `serve`, whose runner makes documents on the same cores meanwhile. Beside them a bare Bun.serve that reads
 * the same body, inserts it in group commits into the same kind of file, and answers.
 * Run: bun bench/accept.bench.ts [submissions]
 */
import { demo } from '../src/demo/demo.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { percentile, show } from './figures.ts'
import { serveDemo } from './served.ts'

const CALLERS = 64
const SUBMISSIONS = Number(process.argv[2] ?? 20_000)
const { raw_input, metadata } = demo.scenarios[0]!
const body = JSON.stringify({ ingestion_model: demo.ingestionModel.slug, raw_input, metadata })

interface Target {
  url: string
  headers: Record<string, string>
  stop: () => Promise<unknown>
}

async function intakeAlone(): Promise<Target> {
  return spawned('accept.server.ts')
}

async function bare(): Promise<Target> {
  return spawned('accept.bare.ts')
}

async function spawned(script: string): Promise<Target> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/${script}`], { stdout: 'pipe', stderr: 'inherit' })
  const { value } = await child.stdout.getReader().read()
  const { port, headers } = JSON.parse(new TextDecoder().decode(value)) as {
    port: number
    headers: Record<string, string>
  }
  const stop = () => {
    child.kill()
    return child.exited
  }
  return { url: `http://127.0.0.1:${port}/api/v1/submissions`, headers, stop }
}

async function whole(): Promise<Target> {
  const { origin, headers, stop } = await serveDemo('accept')
  return { url: `${origin}/api/v1/submissions`, headers, stop }
}

async function accept(target: Target, count: number): Promise<{ perSecond: number; sorted: number[] }> {
  const times: number[] = []
  let left = count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (left-- > 0) {
        const sentAt = performance.now()
        const headers = { ...target.headers, 'idempotency-key': crypto.randomUUID() }
        const response = await fetch(target.url, { method: 'POST', headers, body })
        if (response.status !== 202) throw new Error(`answered ${response.status}: ${await response.text()}`)
        await response.arrayBuffer()
        times.push(performance.now() - sentAt)
      }
    }),
  )
  const perSecond = (count * 1000) / (performance.now() - startedAt)
  return { perSecond, sorted: times.toSorted((a, b) => a - b) }
}

let peer = 0
for (const [name, open, count] of [
  ['bare Bun.serve, one row each', bare, SUBMISSIONS],
  ['intake alone', intakeAlone, SUBMISSIONS],
  ['serve, documents made meanwhile', whole, SUBMISSIONS / 4],
] as const) {
  const target = await open()
  await accept(target, 2_000)
  const { perSecond, sorted } = await accept(target, count)
  await target.stop()
  peer ||= perSecond
  const latencies = `p50 ${show(percentile(sorted, 50))} ms, p99 ${show(percentile(sorted, 99))} ms`
  console.log(`${name.padEnd(34)} ${show(perSecond).padStart(6)}/s  ${latencies}  (${show(perSecond / peer)} × bare)`)
}
console.log('reach: 2,000/s and p99 ≤ 100 ms, intake alone')
await cleanUp()
