import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { isFull, scenarioBody, signIn } from '../crash/load.ts'
import type { ApiClient } from '../support/client.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

interface Answer {
  status: number
  head: string
  body: string
}

/** One HTTP/1.1 connection, spoken to in bytes: no client library hides a cut answer or sends a request again. */
class Line {
  readonly socket: Socket
  readonly connected: Promise<void>
  readonly ended: Promise<void>
  #text = ''
  #onText: (() => void) | undefined

  constructor(origin: string) {
    const { hostname, port } = new URL(origin)
    this.socket = connect(Number(port), hostname)
    this.connected = new Promise((resolve) => this.socket.once('connect', resolve))
    this.socket.on('data', (data) => {
      this.#text += data.toString('latin1')
      this.#onText?.()
    })
    this.socket.on('error', () => {})
    this.ended = new Promise((resolve) => this.socket.once('close', () => resolve()))
    void this.ended.then(() => this.#onText?.())
  }

  send(text: string): void {
    this.socket.write(text)
  }

  /** The next whole answer; undefined when the connection closed before it was whole. */
  async answer(): Promise<Answer | undefined> {
    let isOver = false
    void this.ended.then(() => {
      isOver = true
    })
    for (;;) {
      const end = this.#text.indexOf('\r\n\r\n')
      const head = this.#text.slice(0, Math.max(end, 0))
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? Number.NaN)
      if (end > 0 && this.#text.length >= end + 4 + length) {
        const body = this.#text.slice(end + 4, end + 4 + length)
        this.#text = this.#text.slice(end + 4 + length)
        return { status: Number(head.slice(9, 12)), head, body }
      }
      if (isOver) return undefined
      await new Promise<void>((resolve) => {
        this.#onText = resolve
      })
    }
  }
}

function postOf(quire: RunningQuire, client: ApiClient, body: string): () => string {
  const { host } = new URL(quire.origin)
  const headers = Object.entries({ ...client.session, origin: quire.origin }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return () =>
    `POST /api/v1/submissions HTTP/1.1\r\nHost: ${host}\r\n${headers.join('')}Content-Type: application/json\r\n` +
    `Idempotency-Key: ${crypto.randomUUID()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const settings = { environment: { QUIRE_LOG: 'error', QUIRE_WORKERS: '1' } }

for (const callers of isFull ? [240, 1_200] : [240]) {
  test(`answers every one of ${callers} callers that post without a pause when it is told to stop`, async () => {
    const quire = await startQuire(settings)
    const client = await signIn(quire)
    const post = postOf(quire, client, JSON.stringify(await scenarioBody(client)))
    const lines = Array.from({ length: callers }, () => new Line(quire.origin))
    await Promise.all(lines.map((line) => line.connected))
    const last: (Answer | undefined)[] = []
    const promised: string[] = []
    const running = lines.map(async (line) => {
      for (;;) {
        line.send(post())
        const answer = await line.answer()
        if (answer?.status === 202) promised.push(JSON.parse(answer.body).submission.executions[0].id)
        if (answer === undefined || /^connection: close/im.test(answer.head)) return void last.push(answer)
      }
    })
    await until('some are promised', () => promised.length > 0)
    const stopped = quire.stop()
    await Promise.all(running)
    expect(last.filter((answer) => answer === undefined).length).toBe(0)
    expect(last.length).toBe(callers)
    for (const answer of last) {
      expect([202, 503]).toContain(answer?.status ?? 0)
      if (answer?.status === 503) expect(answer.head).toMatch(/^retry-after: \d+$/im)
    }
    expect(await stopped).toBe(0)

    const again = await startQuire({ ...settings, folder: quire.folder })
    const reader = await signIn(again)
    for (const id of promised.slice(-50)) expect((await reader.get(`/api/v1/executions/${id}`)).status).toBe(200)
    expect(promised.length).toBeGreaterThan(0)
    expect(await again.stop()).toBe(0)
  }, 60_000)
}

test('answers a post that was half received when it was told to stop, and refuses what comes meanwhile', async () => {
  const quire = await startQuire(settings)
  const client = await signIn(quire)
  const body = JSON.stringify(await scenarioBody(client))
  const post = postOf(quire, client, body)
  const slow = new Line(quire.origin)
  const endless = new Line(quire.origin)
  const early = post()
  slow.send(early.slice(0, -10))
  endless.send(post().slice(0, -10))
  await Promise.all([slow.connected, endless.connected])
  // A head that is not read yet is refused as new. Nothing outside tells that it was, but requests that come after it are
  // read after it, or beside it.
  for (let later = 0; later < 3; later++) await client.get('/health/live')
  const stopped = quire.stop()
  const ask = async (request: string) => {
    const line = new Line(quire.origin)
    line.send(request)
    const answer = await line.answer()
    line.socket.destroy()
    return answer
  }
  const get = (path: string) => ask(`GET ${path} HTTP/1.1\r\nHost: ${new URL(quire.origin).host}\r\n\r\n`)
  await until('readiness says so', async () => (await get('/health/ready'))?.status === 503)
  const ready = await get('/health/ready')
  expect(ready?.head).toMatch(/^content-type: application\/problem\+json/im)
  expect(JSON.parse(ready?.body ?? '')).toMatchObject({ code: 'dependency_unavailable', status: 503 })
  expect((await get('/health/live'))?.status).toBe(200)
  const refused = await ask(postOf(quire, client, JSON.stringify({ raw_input: 'x'.repeat(400_000) }))())
  expect(refused?.status).toBe(503)
  expect(refused?.head).toMatch(/^retry-after: 1$/im)
  expect(refused?.head).toMatch(/^connection: close$/im)

  slow.send(early.slice(-10))
  const answer = await slow.answer()
  expect(answer?.status).toBe(202)
  expect(answer?.head).toMatch(/^connection: close$/im)
  // Nobody can wait for ever for the other; it is told so.
  expect((await endless.answer())?.status).toBe(503)
  expect(await stopped).toBe(0)
})
