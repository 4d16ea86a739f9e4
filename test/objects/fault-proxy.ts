import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { onTestsEnd } from '../support/cleanup.ts'
import { freePort } from '../support/postgres.ts'

export type Verdict = 'pass' | 'refuse' | 'cut' | 'lose-answer'

/** A proxy in front of an S3 server that does to each put what it is told to, and lets everything else through. */
export async function startFaultProxy(endpoint: string, verdictOf: () => Verdict) {
  const upstream = new URL(endpoint)
  const did: Record<Verdict, number> = { pass: 0, refuse: 0, cut: 0, 'lose-answer': 0 }
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const verdict = incoming.method === 'PUT' && incoming.url?.split('/').length === 3 ? verdictOf() : 'pass'
    did[verdict]++
    if (verdict === 'cut') return incoming.socket.destroy()
    if (verdict === 'refuse') {
      incoming.resume()
      outgoing.writeHead(503).end()
      return
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
      if (verdict === 'lose-answer') {
        answer.resume()
        incoming.socket.destroy()
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forward.on('error', () => incoming.socket.destroy())
    incoming.pipe(forward)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestsEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${port}`, did }
}
