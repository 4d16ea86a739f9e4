/** What the client does with a server that is slow without an end. */
import { expect, test } from 'bun:test'
import { QuireClient, QuireRefusal } from '../../src/client/client.ts'
import { download } from '../../src/client/download.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { rejectionOf } from '../support/outcome.ts'
import { patienceMs } from '../support/until.ts'

const id = '3f0c9a52-6d0e-4a6f-9a57-2c2b8a2f0c11'

const silent = () =>
  new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array([0x20])) })

function serving(answer: () => Response): { origin: string } {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  onTestsEnd(() => server.stop(true))
  return { origin: server.url.origin }
}

test('a refusal that never ends is reported by its status within the time of an attempt', async () => {
  const { origin } = serving(() => new Response(silent(), { status: 404 }))
  const quire = new QuireClient({ origin, token: 'qr_test', attemptMs: 100 })
  const late = AbortSignal.timeout(patienceMs())
  for (const asked of [
    () => quire.download(id, id, { signal: late }),
    () => quire.waitForExecution(id, { signal: late }),
    () => quire.executionEvents(id, { signal: late }).next(),
  ]) {
    const error = await rejectionOf(asked())
    expect(error).toBeInstanceOf(QuireRefusal)
    expect(error).toHaveProperty('status', 404)
  }
})

test('a document that comes byte by byte is given up, however often more of it comes', async () => {
  const asked: (string | undefined)[] = []
  const dripping = async (headers: Readonly<Record<string, string>>) => {
    asked.push(headers.range)
    // Each byte comes so long after it is asked for: those of an interval come all at once where a busy machine held it up.
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await Bun.sleep(10)
          controller.enqueue(new Uint8Array(1))
        },
      },
      { highWaterMark: 0 },
    )
    const status = asked.length === 1 ? 200 : 206
    return { status, headers: new Headers({ etag: '"a"', 'content-length': '100000' }), body }
  }
  const { bytes } = await download(dripping, AbortSignal.timeout(patienceMs()), 50)
  expect(String(await rejectionOf(bytes()))).toContain('too little was heard for 50 ms')
  expect(asked).toHaveLength(4)
})

test('a document that comes slowly, but fast enough, arrives whole', async () => {
  // Longer in all than silence may be, and each part by far not: a busy machine holds one up for some time.
  let left = 15
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(100)
      controller.enqueue(new Uint8Array(200))
      if (--left === 0) controller.close()
    },
  })
  const headers = new Headers({ etag: '"a"', 'content-length': '3000' })
  const { bytes } = await download(async () => ({ status: 200, headers, body }), undefined, 1_000)
  expect((await bytes()).length).toBe(3_000)
})

test('trouble is reported once, and again when an answer comes', async () => {
  let count = 0
  const { origin } = serving(() => {
    count += 1
    return count % 3 === 0 ? Response.json({ items: [] }) : new Response('', { status: 502 })
  })
  const told: (string | undefined)[] = []
  const onTrouble = (trouble: Error | undefined) => void told.push(trouble?.message)
  const quire = new QuireClient({ origin, token: 'qr_test', retries: { firstMs: 1 }, onTrouble })
  await quire.listExecutions()
  await quire.listExecutions()
  expect(told).toEqual(['the answer was 502', undefined, 'the answer was 502', undefined])
})
