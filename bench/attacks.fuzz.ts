import { connect } from 'node:net'
import { limits } from '../src/core/limits.ts'
import { features } from '../test/engines/docx/features.ts'
import { picture, wordDocument } from '../test/engines/pdf/word.ts'
import { fuzz } from '../test/fuzz/round.ts'
import type { Target } from '../test/fuzz/target.ts'
import { documentAround, targets } from '../test/fuzz/targets.ts'
import type { ApiClient } from '../test/support/client.ts'

/** Sends the inputs of the readers' fuzzers to a running service, as anybody with an account could. */

/** A job has a deadline, and waits for its turn; without an answer by then, there will be none. */
const ANSWER_MS = 2 * limits.renderMs
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export interface Served {
  inputs: number
  outcomes: number
  slowestMs: number
  problems: { target: string; what: string; input: Uint8Array }[]
}

/**
 * Sends changed inputs of every kind for this many seconds, this many at once. A problem is an answer that no input may cause, or
 * no answer.
 */
export async function fuzzServed(
  client: ApiClient,
  { seconds, seed, callers }: { seconds: number; seed: number; callers: number },
): Promise<Served> {
  const turns = new Turns(callers)
  const lanes = (await lanesOf(client)).map((target) => ({
    ...target,
    run: (bytes: Uint8Array) => turns.take(async () => target.run(bytes)),
  }))
  const served: Served = { inputs: 0, outcomes: 0, slowestMs: 0, problems: [] }
  const rounds = lanes.map(async (target, at) => {
    const round = await fuzz(target, { seed: seed + at, inputs: Number.POSITIVE_INFINITY, ms: seconds * 1_000 })
    served.inputs += round.inputs
    served.outcomes += round.outcomes
    served.slowestMs = Math.max(served.slowestMs, round.slowestMs)
    // How long this process took isn't the server's fault.
    const problems = round.problems.filter(({ what }) => !what.startsWith('took '))
    served.problems.push(...problems.map((problem) => ({ target: target.name, ...problem })))
  })
  await Promise.all(rounds)
  return served
}

class Turns {
  readonly #waiting: (() => void)[] = []
  constructor(private left: number) {}

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.left > 0) this.left--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.left++
      else next()
    }
  }
}

/** The inputs of every reader, each sent to where it is read. */
async function lanesOf(client: ApiClient): Promise<Target[]> {
  const api = '/api/v1'
  const family = async (plural: string) => {
    const list = (await client.get(`${api}/${plural}`)).body
    return Object.values<{ id: string }[]>(list).find(Array.isArray)?.[0]?.id ?? ''
  }
  const [model, transformer, template] = [
    await family('ingestion-models'),
    await family('transformers'),
    await family('templates'),
  ]
  const contract = (await client.get(`${api}/contracts`)).body.contracts[0]
  const [version] = (await client.get(`${api}/contracts/${contract.id}`)).body.versions
  const { raw_input, metadata } = (await client.get(`${api}/intake-test-lab/scenarios`)).body.scenarios[0]
  const submission = { ingestion_model: 'clws-policy', raw_input, metadata }
  const raw = utf8(JSON.stringify(raw_input))
  const file = async (path: string) => new Uint8Array(await (await client.raw('GET', `${api}${path}`)).arrayBuffer())
  const project = await file('/project')
  const own = await file(`/templates/${template}/draft/content`)
  const documents = features.map((feature) => feature.template)
  const send = (path: string, body: unknown, headers?: Record<string, string>) =>
    outcomeOf(() => client.raw('POST', `${api}${path}`, body, { 'idempotency-key': crypto.randomUUID(), ...headers }))
  const form = (path: string, fields: Record<string, string | Uint8Array>, media: string) => {
    const [body, type] = multipart(fields, media)
    return send(path, body, { 'content-type': type })
  }
  const docx = (bytes: Uint8Array, data: unknown) =>
    form(`/templates/${template}/test`, { data: JSON.stringify(data), file: bytes }, DOCX)
  const drawn = (extension: string) => (bytes: Uint8Array) =>
    docx(
      wordDocument(`<w:p><w:r>${picture('image1', 100, 50)}</w:r></w:p>`, {
        media: { [`image1.${extension}`]: bytes },
      }),
      {},
    )
  const filled = (tag: string) => (bytes: Uint8Array) =>
    docx(wordDocument(`<w:p><w:r><w:t>{{${tag}}}</w:t></w:r></w:p>`), { x: textOf(bytes) })
  const pictured = filled('image /x')
  const rich = filled('rich /x')

  return [
    lane('json', (bytes) => send('/submissions/plan', bytes), [utf8(JSON.stringify(submission))]),
    lane(
      'json',
      (bytes) =>
        send('/submissions', {
          ingestion_model: 'clws-policy',
          raw_input: textOf(bytes),
          metadata: submission.metadata,
        }),
      [raw],
    ),
    lane(
      'json',
      (bytes) => send('/cases/import', { contract_version_id: version.id, kind: 'valid', payload: textOf(bytes) }),
      [raw],
    ),
    lane('yaml', async (bytes) => {
      const body = { source: textOf(bytes), format: 'yaml' }
      return `${await send(`/ingestion-models/${model}/validate`, body)} ${await send(`/transformers/${transformer}/validate`, body)}`
    }),
    lane('contract', (bytes) => send(`/contracts/${contract.id}/validate`, { schema: textOf(bytes) })),
    lane('pattern', (bytes) =>
      send(`/contracts/${contract.id}/validate`, { schema: JSON.stringify({ pattern: textOf(bytes) }) }),
    ),
    lane('zip', (bytes) => form('/project/plan', { file: bytes }, 'application/zip'), [project]),
    lane('zip', (bytes) => docx(bytes, {}), [...documents, own]),
    lane('batch', (bytes) => form('/batches', { ingestion_model: 'clws-policy', file: bytes }, 'text/csv'), [raw]),
    lane('template', (bytes) => {
      const { docx: made, data } = documentAround(bytes)
      return docx(made, data)
    }),
    lane('font', (bytes) => docx(carrying(bytes), {})),
    ...['png', 'jpeg', 'gif', 'bmp', 'emf', 'wmf', 'svg'].map((name) => lane(name, drawn(name))),
    lane('svg', (bytes) => pictured(bytes)),
    lane('rich', (bytes) => rich(bytes)),
    lane('rich', (bytes) =>
      outcomeOf(() => client.raw('GET', `${api}/search?text=${encodeURIComponent(textOf(bytes))}`)),
    ),
    lane('http', (bytes) => spoken(client.origin, bytes)),
  ]
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** A target's inputs, and changes of these seeds, for another reader. */
function lane(name: string, run: Target['run'], seeds: readonly Uint8Array[] = []): Target {
  const target = targets.find((one) => one.name === name)
  if (target === undefined) throw new Error(`there is no target ${name}`)
  const maxBytes = Math.max(target.maxBytes, ...seeds.map(({ length }) => length))
  return { ...target, run, maxBytes, seeds: () => [...seeds, ...target.seeds()] }
}

/** A key of zeros leaves the file unchanged. */
function carrying(font: Uint8Array): Uint8Array {
  const key = '{00000000-0000-0000-0000-000000000000}'
  const content = `<w:font w:name="Made"><w:embedRegular r:id="rF1" w:fontKey="${key}"/></w:font>`
  const body =
    '<w:p><w:r><w:rPr><w:rFonts w:ascii="Made" w:cs="Made"/></w:rPr><w:t>ffiA\u0301 \u05d0\u0627\u0301</w:t></w:r></w:p>'
  return wordDocument(body, { fontTable: { content, files: { rF1: font } } })
}

function multipart(fields: Record<string, string | Uint8Array>, media: string): [Uint8Array, string] {
  const boundary = `b${crypto.randomUUID()}`
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const isFile = typeof value !== 'string'
    const head = `content-disposition: form-data; name="${name}"${isFile ? `; filename="f"\r\ncontent-type: ${media}` : ''}`
    return [Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(value), Buffer.from('\r\n')]
  })
  return [Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]), `multipart/form-data; boundary=${boundary}`]
}

/** The status and the findings. Waits and retries if told to come later. @throws for an answer that no input may cause */
async function outcomeOf(ask: () => Promise<Response>): Promise<string> {
  for (const endMs = performance.now() + ANSWER_MS; ; ) {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`no answer in ${ANSWER_MS / 1_000} s`)), ANSWER_MS).unref()
    })
    const [status, headers, text] = await Promise.race([
      late,
      ask().then(async (answer) => [answer.status, answer.headers, await answer.text()] as const),
    ])
    const wait = headers.get('retry-after')
    if ((status === 429 || status === 503) && wait !== null) {
      if (performance.now() > endMs) throw new Error(`${status} for ${ANSWER_MS / 1_000} s: ${text}`)
      await Bun.sleep(Number(wait) * 1_000)
      continue
    }
    if (status >= 500) throw new Error(`${status}: ${text}`)
    return `${status} ${[...new Set(text.match(/"code":"[^"]*"|"valid":\w*|"severity":"[^"]*"/g))].sort()}`
  }
}

/** Sends bytes on a connection of their own. */
async function spoken(origin: string, bytes: Uint8Array): Promise<string> {
  const { hostname, port } = new URL(origin)
  const first = Promise.withResolvers<string>()
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => first.resolve('reset'))
  socket.on('close', () => first.resolve('closed'))
  socket.on('data', (data) => first.resolve(data.toString('latin1', 9, 12)))
  const lineEnd = Math.max(0, Buffer.from(bytes).indexOf('\r\n'))
  const version = ' HTTP/1.1\r\nhost: quire.example'
  socket.end(
    Buffer.concat([Buffer.from('POST '), bytes.subarray(0, lineEnd), Buffer.from(version), bytes.subarray(lineEnd)]),
  )
  setTimeout(() => first.resolve('nothing'), 1_000)
  const outcome = await first.promise
  socket.destroy()
  // 505 is the runtime's, for another version of HTTP.
  if (outcome.startsWith('5') && !['503', '505'].includes(outcome)) throw new Error(outcome)
  return outcome
}
