import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { onTestsEnd } from '../support/cleanup.ts'
import { freePort } from '../support/postgres.ts'

/** `delay` keeps a put for `delayMs`; `delay-beyond` until `release` is called, and it arrives then, though its client has gone. */
export type Verdict = 'pass' | 'refuse' | 'deny' | 'cut' | 'lose-answer' | 'delay' | 'delay-beyond'

export interface FaultProxy {
  endpoint: string
  /** How many requests met each fate. */
  did: Record<Verdict, number>
  /** What the server behind it said to each put that it was kept from for a while, in order. */
  lateAnswers: number[]
  /** Lets those that were kept beyond every deadline go on. */
  release(): void
}

/** A proxy in front of an S3 server that does to each put, or delete, what it is told to, and lets everything else through. */
export async function startFaultProxy(
  endpoint: string,
  verdictOf: () => Verdict,
  { delayMs = 200, method = 'PUT' } = {},
): Promise<FaultProxy> {
  const upstream = new URL(endpoint)
  const did = { pass: 0, refuse: 0, deny: 0, cut: 0, 'lose-answer': 0, delay: 0, 'delay-beyond': 0 }
  const lateAnswers: number[] = []
  const kept: (() => void)[] = []

  async function onRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const verdict = incoming.method === method && (incoming.url ?? '').split('/').length >= 3 ? verdictOf() : 'pass'
    did[verdict]++
    if (verdict === 'cut') {
      incoming.socket.destroy()
      return
    }
    if (verdict === 'refuse' || verdict === 'deny') {
      incoming.resume()
      outgoing.writeHead(verdict === 'deny' ? 403 : 503).end()
      return
    }
    const isLate = verdict === 'delay' || verdict === 'delay-beyond'
    const chunks: Buffer[] = []
    if (isLate) {
      // All of it is here before it is kept, so that it can go on without its client.
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      if (verdict === 'delay') await Bun.sleep(delayMs)
      else await new Promise<void>((resolve) => kept.push(resolve))
    }
    // The signature covers the host that the client asked, so every header goes on as it came.
    const forward = request({
      host: upstream.hostname,
      port: upstream.port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    })
    forward.on('response', (answer) => {
      if (isLate) lateAnswers.push(answer.statusCode ?? 0)
      if (verdict === 'lose-answer' || outgoing.destroyed) {
        answer.resume()
        incoming.socket.destroy()
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forward.on('error', () => incoming.socket.destroy())
    if (isLate) forward.end(Buffer.concat(chunks))
    else incoming.pipe(forward)
  }

  const server = createServer((incoming, outgoing) => {
    onRequest(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestsEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    endpoint: `http://127.0.0.1:${port}`,
    did,
    lateAnswers,
    release() {
      for (const goOn of kept.splice(0)) goOn()
    },
  }
}
