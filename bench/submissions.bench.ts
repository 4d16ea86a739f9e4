/**
 * One submission from POST to completed (p50, p99) with 1 and 8 callers, and documents per second.
 *
 * Method: dist/quire in an empty folder with embedded defaults, everything fsynced. Each caller posts the monthly scenario and
 * follows the execution's event stream until `completed`, after a warm-up of 30. Documents per second are DOCX and PDF made by 16
 * callers, two per submission. With `ten-pages` the letter repeats its table over ten pages, and only documents per second are
 * measured.
 * Run: bun run build && bun bench/submissions.bench.ts [submissions] [ten-pages]
 */
import { cleanUp } from '../test/support/cleanup.ts'
import { ApiClient, untilEnded } from '../test/support/client.ts'
import { startQuire } from '../test/support/quire.ts'
import { percentile, show, summary } from './figures.ts'
import { tenPagesOf } from './ten-pages.ts'

const WARM_UP = 30
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const SUBMISSIONS = Number(process.argv[2] ?? 300)
const isLong = process.argv[3] === 'ten-pages'

const quire = await startQuire({ environment: { QUIRE_LOG: 'warn' } })
const client = new ApiClient(quire.origin, false)
await client.login(quire.username, quire.password)
const { scenarios } = (await client.get('/api/v1/intake-test-lab/scenarios')).body
const { raw_input, metadata } = scenarios[0]

function submit() {
  // The long template has only just come into force, after the scenario's own date.
  const at = isLong ? { source_timestamp: new Date().toISOString() } : {}
  const submission = { ingestion_model: 'clws-policy', raw_input, metadata: { ...metadata, ...at } }
  return client.post('/api/v1/submissions', submission, { 'idempotency-key': crypto.randomUUID() })
}

async function submitAndWait(): Promise<number> {
  const startedAt = performance.now()
  const answer = await submit()
  if (answer.status !== 202) throw new Error(`the submission was answered with ${answer.status}`)
  const path = `/api/v1/executions/${answer.body.submission.executions[0].id}/trace`
  const stream = await client.raw('GET', path, undefined, { accept: 'text/event-stream' })
  const text = await stream.text()
  if (!/^event: completed$/m.test(text)) throw new Error(`the execution did not complete: ${text.slice(-500)}`)
  return performance.now() - startedAt
}

async function measure(callers: number, count: number): Promise<{ sorted: number[]; seconds: number }> {
  const times: number[] = []
  let left = count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) times.push(await submitAndWait())
    }),
  )
  return { sorted: times.toSorted((a, b) => a - b), seconds: (performance.now() - startedAt) / 1000 }
}

/** Replaces the demo's letter by a template of ten pages. */
async function lengthen(): Promise<void> {
  const { templates } = (await client.get('/api/v1/templates?limit=50')).body
  const [{ id }] = templates
  const path = `/api/v1/templates/${id}`
  const letter = new Uint8Array(await Bun.file(`${import.meta.dir}/../src/demo/letter.docx`).arrayBuffer())
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const answer = await client.send(method, path, body, { 'idempotency-key': crypto.randomUUID(), ...headers })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  }
  const { revision } = (await client.get(`${path}/draft`)).body
  const next = { 'if-match': `"${revision}"`, 'content-type': docxType }
  await send('PUT', `${path}/draft`, tenPagesOf(letter), next)
  await send('POST', `${path}/versions`, {}, { 'if-match': `"${revision + 1}"` })
  const from = { effective_from: new Date(Date.now() + 1_000).toISOString() }
  await send('POST', `${path}/versions/2/publish`, from, {})
  await Bun.sleep(3_000)
  const { body } = await submit()
  const { steps } = await untilEnded(client, body.submission.executions[0].id)
  const { pages } = steps.find(({ name }: { name: string }) => name === 'render').summary
  if (pages !== 10) throw new Error(`the letter has ${pages} pages`)
}

if (isLong) await lengthen()
await measure(4, WARM_UP)
for (const callers of isLong ? [] : [1, 8]) {
  const { sorted } = await measure(callers, SUBMISSIONS)
  console.log(summary(`submission to completed, ${callers} caller(s), ms`, sorted, 'p50: reach 60'))
  console.log(`${''.padEnd(36)} ${show(percentile(sorted, 99)).padStart(9)}  p99`)
}
const { seconds } = await measure(16, SUBMISSIONS)
console.log(summary('documents a second', [(2 * SUBMISSIONS) / seconds], isLong ? 'reach 40' : 'reach 60'))
await quire.stop()
await cleanUp()
