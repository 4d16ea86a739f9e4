/**
 * Plain reads of one row over HTTP: what session, guards, checks and headers cost beyond the bare query.
 *
 * Method: a server in another process, libSQL with 10,000 users; 16 callers read one user-sized row each by its primary key.
 * Bare: Bun.serve with the same prepared query and Response.json. PocketBase-like: the same, after looking the caller up by a
 * token, as its record view does. Quire: GET of one release, with session and roles.
 * Run: bun bench/reads.bench.ts [reads]
 */
import { percentile, show } from './figures.ts'

const READS = Number(process.argv[2] ?? 20_000)
const CALLERS = 16

const child = Bun.spawn([process.execPath, `${import.meta.dir}/reads.server.ts`], { stdout: 'pipe', stderr: 'inherit' })
const { value } = await child.stdout.getReader().read()
const targets = JSON.parse(new TextDecoder().decode(value)) as Record<
  string,
  { url: string; headers: Record<string, string>; ids: string[] }
>

async function measure({ url, headers, ids }: (typeof targets)[string], count: number) {
  const times: number[] = []
  let left = count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (left-- > 0) {
        const sentAt = performance.now()
        const response = await fetch(url + ids[left % ids.length], { headers })
        if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`)
        await response.arrayBuffer()
        times.push(performance.now() - sentAt)
      }
    }),
  )
  return { perSecond: (count * 1000) / (performance.now() - startedAt), sorted: times.toSorted((a, b) => a - b) }
}

let peer = 0
for (const [name, target] of Object.entries(targets)) {
  await measure(target, 2_000)
  const { perSecond, sorted } = await measure(target, READS)
  peer ||= perSecond
  const latencies = `p50 ${show(percentile(sorted, 50))} ms, p99 ${show(percentile(sorted, 99))} ms`
  console.log(`${name.padEnd(30)} ${show(perSecond).padStart(6)}/s  ${latencies}  (${show(perSecond / peer)} × bare)`)
}
child.kill()
await child.exited
