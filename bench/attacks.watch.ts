/** The observing process of attacks.bench.ts: for each line that it reads, it prints what it has observed since the last one. */
import { heldBy } from './held.ts'

const [origin = '', pid = '', every = ''] = process.argv.slice(2)
const bareServer = Bun.spawn(
  [process.execPath, '-e', "console.log(Bun.serve({ port: 0, fetch: () => new Response('ok') }).port)"],
  { stdout: 'pipe' },
)
const { value: port } = await bareServer.stdout.pipeThrough(new TextDecoderStream()).getReader().read()
const bareOrigin = `http://127.0.0.1:${port?.trim()}`

let seen = nothing()

function nothing() {
  return { live: [] as number[], bare: [] as number[], rssMb: 0, pssMb: [] as number[], eachMb: [] as number[] }
}

async function waitFor(url: string): Promise<number> {
  const sentAt = performance.now()
  await (await fetch(url)).arrayBuffer()
  return performance.now() - sentAt
}

async function ask(url: string, into: 'live' | 'bare'): Promise<void> {
  for (;;) {
    const ms = await waitFor(url)
    seen[into].push(ms)
    await Bun.sleep(Number(every))
  }
}

function look(): void {
  const held = heldBy(pid)
  const sum = (of: 'rssMb' | 'pssMb') => held.reduce((total, each) => total + each[of], 0)
  const rssMb = Math.round(sum('rssMb'))
  if (rssMb > seen.rssMb) Object.assign(seen, { rssMb, eachMb: held.map((each) => Math.round(each.rssMb)) })
  seen.pssMb.push(sum('pssMb'))
}

setInterval(look, 100)
void ask(`${origin}/health/live`, 'live')
void ask(bareOrigin, 'bare')
for await (const _ of console) {
  const rising = (times: number[]) => times.toSorted((a, b) => a - b)
  const { live, bare, pssMb } = seen
  console.log(JSON.stringify({ ...seen, live: rising(live), bare: rising(bare), pssMb: rising(pssMb) }))
  seen = nothing()
}
bareServer.kill()
process.exit()
