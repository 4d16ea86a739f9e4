import { type AddressInfo, connect, createServer } from 'node:net'

/** A message of PostgreSQL's protocol: its letter, and what follows its length. */
export interface Message {
  letter: string
  body: Buffer
}

/** Every message that clients send over a relay to the server, for each of their connections; see the frontend messages. */
export async function listenIn(url: string): Promise<{ url: string; sent: () => Message[][]; close: () => void }> {
  const to = new URL(url)
  const heard: Buffer[][] = []
  const relay = createServer((near) => {
    const chunks: Buffer[] = []
    heard.push(chunks)
    const far = connect(Number(to.port), to.hostname)
    near.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      far.write(chunk)
    })
    far.pipe(near)
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((relay.address() as AddressInfo).port)
  return { url: through.href, sent: () => heard.map(messagesIn), close: () => relay.close() }
}

function messagesIn(chunks: readonly Buffer[]): Message[] {
  const bytes = Buffer.concat(chunks)
  const messages: Message[] = []
  // The first has no letter.
  for (let at = bytes.length < 4 ? 0 : bytes.readInt32BE(0); at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    messages.push({ letter: String.fromCharCode(bytes[at] ?? 0), body: bytes.subarray(at + 5, end) })
    at = end
  }
  return messages
}

/** The text of a message that begins a statement. */
export function statementIn({ letter, body }: Message): string | undefined {
  const text = body.toString()
  if (letter === 'Q') return text.slice(0, text.indexOf('\0'))
  // After its name, which is empty unless it is kept.
  return letter === 'P' ? text.split('\0')[1] : undefined
}
