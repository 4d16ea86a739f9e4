/**
 * What others notice while somebody sends expensive requests: the longest wait for `/health/live`, and the memory of all
 * processes.
 *
 * Method: the executable with 2 workers. A separate process polls `/health/live` every few milliseconds, and a bare `Bun.serve`
 * beside it, which shows how much of a wait is the machine's. Memory is what Linux reports for all of Quire's processes (`Rss`,
 * and `Pss`, which divides shared pages).
 * QUIRE_BINARY names another build to compare.
 * Run: bun run build && bun bench/attacks.bench.ts [names of attacks…] [--seconds 5] [--callers 6] [--every 4]
 */
import { parseArgs } from 'node:util'
import { deflateSync } from 'node:zlib'
import { pngFile } from '../test/engines/pdf/png-file.ts'
import { p, picture, wordDocument } from '../test/engines/pdf/word.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { ApiClient, untilEnded } from '../test/support/client.ts'
import { startQuire } from '../test/support/quire.ts'
import { fuzzServed } from './attacks.fuzz.ts'
import { percentile, show } from './figures.ts'

const { values: options, positionals: wanted } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    /** How many callers fuzz at once. */
    callers: { type: 'string', default: '6' },
    /** Milliseconds between two health checks. */
    every: { type: 'string', default: '4' },
  },
  allowPositionals: true,
})
const seconds = Number(options.seconds)
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const quire = await startQuire({ environment: { QUIRE_LOG: 'error', QUIRE_WORKERS: '2' } })
const client = new ApiClient(quire.origin, false)
await client.login(quire.username, quire.password)

const attacks: Record<string, () => Promise<string>> = {
  nothing: async () => {
    await Bun.sleep(seconds * 1_000)
    return ''
  },
  'bodies-of-objects': () => bodies({ l: Array.from({ length: 60_000 }, () => ({ x: 1 })) }),
  'bodies-of-keys': () =>
    bodies({
      l: [],
      ...Object.fromEntries(Array.from({ length: 45_000 }, (_, at) => [`k${(at * 7_919) % 45_000}`, 1])),
    }),
  'long-documents': async () => {
    const loop = p('{{#each /l}}') + p('Paragraph {{./x}} lorem ipsum dolor sit amet') + p('{{#end}}')
    const body = { data: { l: Array.from({ length: 30_000 }, () => ({ x: 1 })) } }
    const short = await template(wordDocument(p('Dear {{/name}}')))
    let isOver = false
    const long = tests(await template(wordDocument(loop)), body, 4).finally(() => {
      isOver = true
    })
    const times: number[] = []
    while (!isOver) {
      const sentAt = performance.now()
      await tests(short, { data: { name: 'Ada' } }, 1)
      times.push(performance.now() - sentAt)
    }
    const sorted = times.toSorted((a, b) => a - b)
    return `${await long}; short ones beside p50 ${show(percentile(sorted, 50))}, longest ${show(sorted.at(-1) ?? 0)} ms`
  },
  'callers-500': callers,
  'picture-6900': async () => {
    const png = blank(6_900, 8, 6)
    const body = { data: { pic: Buffer.from(png).toString('base64') } }
    return tests(await template(wordDocument(p('{{image /pic}}'))), body, 3)
  },
  'pictures-8000-16-bit': async () => {
    const media = Object.fromEntries([2, 6].map((color, at) => [`image${at + 1}.png`, blank(8_000, 16, color)]))
    const drawn = ['image1', 'image2'].map((id) => `<w:p><w:r>${picture(id, 400, 400)}</w:r></w:p>`)
    return tests(await template(wordDocument(drawn.join(''), { media })), { data: {} }, 4)
  },
  'large-files': async () => {
    const id = await template(padded(25_000_000))
    return many(2, async () => {
      const answer = await client.raw('GET', `/api/v1/templates/${id}/draft/content`)
      await answer.bytes()
      return answer
    })
  },
  'large-checks': async () => {
    const id = await template(padded(25_000_000))
    return many(2, async () => client.post(`/api/v1/templates/${id}/validate`, {}, key()))
  },
  'large-uploads': () => {
    const form = new FormData()
    form.set('file', new Blob([padded(25_000_000) as BlobPart], { type: docxType }), 'large.docx')
    form.set('description', '')
    return many(2, async () => {
      form.set('name', crypto.randomUUID())
      const body = new Response(form)
      const type = body.headers.get('content-type') ?? ''
      const sent = new Uint8Array(await body.arrayBuffer())
      return client.send('POST', '/api/v1/templates', sent, { ...key(), 'content-type': type })
    })
  },
  fuzz: async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const callers = Number(options.callers)
    const { inputs, outcomes, slowestMs, problems } = await fuzzServed(client, { seconds, seed, callers })
    for (const { target, what, input } of problems) {
      console.log(`${target}: ${what.slice(0, 300)}\n${Buffer.from(input).toString('base64')}`)
    }
    return `seed ${seed}: ${inputs} inputs, ${outcomes} outcomes, slowest answer ${show(slowestMs)} ms, ${problems.length} problems; ${await completed()}`
  },
}

/** Whether a submission still results in documents. */
async function completed(): Promise<string> {
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const { body } = await client.post(
    '/api/v1/submissions',
    { ingestion_model: 'clws-policy', raw_input, metadata },
    key(),
  )
  return (await untilEnded(client, body.submission.executions[0].id)).status
}

/** Three at once, repeatedly: each is read, checked and hashed. */
async function bodies(data: object): Promise<string> {
  const id = await template(wordDocument(p('{{#each /none}}') + p('{{./x}}') + p('{{#end}}')))
  const body = { data: { ...data, none: [] } }
  const endMs = performance.now() + seconds * 1_000
  let told = ''
  while (performance.now() < endMs) told = await tests(id, body, 3)
  return told
}

/** Posts the same submission as soon as the previous one is answered. */
async function callers(): Promise<string> {
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const body = { ingestion_model: 'clws-policy', raw_input, metadata }
  const statuses = new Map<number, number>()
  const endMs = performance.now() + seconds * 1_000
  await Promise.all(
    Array.from({ length: 500 }, async () => {
      while (performance.now() < endMs) {
        const { status } = await client.post('/api/v1/submissions', body, key())
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status !== 202) await Bun.sleep(1_000)
      }
    }),
  )
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
}

/** This many callers, each asking again as soon as it is answered. */
async function many(callers: number, ask: () => Promise<{ status: number }>): Promise<string> {
  const endMs = performance.now() + seconds * 1_000
  const statuses = new Map<number, number>()
  const caller = async () => {
    while (performance.now() < endMs) {
      const { status } = await ask()
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
}

/** A small template in a file of this many bytes. */
function padded(bytes: number): Uint8Array {
  const noise = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(noise.subarray(at, Math.min(bytes, at + 65_536)))
  return wordDocument(p('Dear {{/name}}'), { media: { 'image1.png': noise } })
}

const key = () => ({ 'idempotency-key': crypto.randomUUID() })

/** Makes a template with a draft. @returns its id */
async function template(docx: Uint8Array): Promise<string> {
  const slug = `attack-${crypto.randomUUID().slice(0, 8)}`
  const made = await client.post('/api/v1/templates', { slug, name: slug, description: '' }, key())
  if (made.status >= 300) throw new Error(JSON.stringify(made.body))
  const { id } = made.body.template
  const saved = await client.send('PUT', `/api/v1/templates/${id}/draft`, docx, {
    ...{ ...key(), 'if-none-match': '*', 'content-type': docxType },
  })
  if (saved.status >= 300) throw new Error(JSON.stringify(saved.body))
  return id
}

/** This many trial runs at once. */
async function tests(id: string, body: unknown, count: number): Promise<string> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => client.post(`/api/v1/templates/${id}/test`, body, key())),
  )
  return answers
    .map(({ status, body: { valid, errors } }) => `${status} ${valid ? 'made' : errors?.[0]?.code}`)
    .join(', ')
}

function blank(side: number, depth: number, color: number): Uint8Array {
  const bytes = 1 + (side * (color === 2 ? 3 : 4) * depth) / 8
  return pngFile({
    width: side,
    height: side,
    depth,
    color,
    rows: deflateSync(Buffer.alloc(bytes * side)),
    name: `${color}`,
  })
}

/** Waits in milliseconds, sorted, and the processes' total memory in MB: sorted `Pss` values, and the greatest sum of `Rss`. */
interface Watched {
  live: number[]
  bare: number[]
  rssMb: number
  pssMb: number[]
  /** The server's, then the other processes' in the order of their start. */
  eachMb: number[]
}

const watching = [`${import.meta.dir}/attacks.watch.ts`, quire.origin, String(quire.pid), options.every]
const watcher = Bun.spawn([process.execPath, ...watching], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const lines = watcher.stdout.pipeThrough(new TextDecoderStream()).getReader()

/** What was observed since the last call. */
async function watched(): Promise<Watched> {
  watcher.stdin.write('\n')
  watcher.stdin.flush()
  let text = ''
  while (!text.endsWith('\n')) text += (await lines.read()).value ?? '\n'
  return JSON.parse(text)
}

for (const [name, attack] of Object.entries(attacks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await watched()
  const told = await attack()
  const { live, bare, rssMb, pssMb, eachMb } = await watched()
  const waits = (sorted: number[]) => `${show(percentile(sorted, 99.9))}, ${show(sorted.at(-1) ?? 0)}`
  console.log(
    `${name.padEnd(22)} live p99.9, longest ${waits(live)} ms; bare ${waits(bare)} ms; ${show(rssMb)} MB (${eachMb.join(' + ')}), shared once ${show(percentile(pssMb, 50))}, at most ${show(pssMb.at(-1) ?? 0)} MB; ${told}`,
  )
}
watcher.stdin.end()
await quire.stop()
await cleanUp()
