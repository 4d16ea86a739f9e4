import { createHmac } from 'node:crypto'

export interface Received {
  id: string
  subject: string
  sequence: number
  type: string
  body: string
  headers: Headers
  path: string
}

/** A receiver on this machine that answers as it is told, and writes down what it got. */
export function startReceiver(answer: (received: Received) => Response | Promise<Response> = () => new Response()) {
  const received: Received[] = []
  const state = { answer, overlaps: 0 }
  const busy = new Set<string>()
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const body = await request.text()
      const { id, subject, sequence, type } = JSON.parse(body) as Record<string, string>
      const path = new URL(request.url).pathname
      const one = {
        id: id!,
        subject: subject!,
        sequence: Number(sequence),
        type: type!,
        body,
        headers: request.headers,
        path,
      }
      if (busy.has(one.subject)) state.overlaps++
      busy.add(one.subject)
      received.push(one)
      try {
        return await state.answer(one)
      } finally {
        busy.delete(one.subject)
      }
    },
  })
  return { received, state, url: `http://127.0.0.1:${server.port}/hook`, stop: () => server.stop(true) }
}

/** What Standard Webhooks has a receiver compare, made with another implementation than Quire's. */
export function expectedSignature(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
