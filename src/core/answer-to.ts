import type { ClientRequest, IncomingMessage } from 'node:http'

/**
 * Sends the body and waits for the head of the answer. One that changes the protocol (101) is an answer without a body: left to
 * itself its connection would end neither with the other side nor at the deadline.
 */
export function answerTo(request: ClientRequest, body: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    request.on('upgrade', (answer, socket) => {
      socket.destroy()
      resolve(answer)
    })
    request.end(body)
  })
}
