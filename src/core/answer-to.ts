import type { ClientRequest, IncomingMessage } from 'node:http'
import { limits } from './limits.ts'

/**
 * Sends the body and waits for the head of the answer. An answer that changes the protocol (101) counts as one without a body;
 * its connection is closed here, since neither the server nor the deadline would end it. A server may send a few interim
 * answers (100 to 199) first; an endless stream of them would block the queue, so the request is given up.
 */
export function answerTo(request: ClientRequest, body: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    let announced = 0
    request.on('information', () => {
      if (++announced > limits.announcedAnswers) request.destroy(new Error('too much before the answer'))
    })
    request.on('upgrade', (answer, socket) => {
      socket.destroy()
      resolve(answer)
    })
    request.end(body)
  })
}
