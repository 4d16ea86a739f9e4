/** The watching process of attacks.bench.ts: for each line it reads, it prints what it has seen since the last one. */
import { readdirSync, readFileSync } from 'node:fs'

const [origin = '', pid = ''] = process.argv.slice(2)
const bareServer = Bun.spawn(
  [process.execPath, '-e', "console.log(Bun.serve({ port: 0, fetch: () => new Response('ok') }).port)"],
  { stdout: 'pipe' },
)
const { value: port } = await bareServer.stdout.pipeThrough(new TextDecoderStream()).getReader().read()
const bareOrigin = `http://127.0.0.1:${port?.trim()}`

let seen = { live: [] as number[], bare: [] as number[], rssMb: 0, pssMb: 0, eachMb: [] as number[] }

async function waitFor(url: string): Promise<number> {
  const sentAt = performance.now()
  await (await fetch(url)).arrayBuffer()
  return performance.now() - sentAt
}

async function ask(url: string, into: 'live' | 'bare'): Promise<void> {
  for (;;) {
    const ms = await waitFor(url)
    seen[into].push(ms)
    await Bun.sleep(4)
  }
}

/** The process and those that it started. */
function processes(of: string): string[] {
  try {
    const threads = readdirSync(`/proc/${of}/task`)
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${of}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return [of, ...children.flatMap(processes)]
  } catch {
    return []
  }
}

function look(): void {
  const eachMb: number[] = []
  let pss = 0
  for (const each of processes(pid)) {
    try {
      const text = readFileSync(`/proc/${each}/smaps_rollup`, 'utf8')
      eachMb.push(Math.round(Number(/^Rss:\s+(\d+)/m.exec(text)?.[1]) / 1_024))
      pss += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1])
    } catch {
      // It has just ended.
    }
  }
  const rssMb = eachMb.reduce((sum, each) => sum + each, 0)
  if (rssMb > seen.rssMb) Object.assign(seen, { rssMb, eachMb })
  seen.pssMb = Math.max(seen.pssMb, pss / 1_024)
}

setInterval(look, 100)
void ask(`${origin}/health/live`, 'live')
void ask(bareOrigin, 'bare')
for await (const _ of console) {
  const rising = (times: number[]) => times.toSorted((a, b) => a - b)
  console.log(JSON.stringify({ ...seen, live: rising(seen.live), bare: rising(seen.bare) }))
  seen = { live: [], bare: [], rssMb: 0, pssMb: 0, eachMb: [] }
}
bareServer.kill()
process.exit()
