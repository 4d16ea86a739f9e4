import { readFileSync } from 'node:fs'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { CertificateFiles } from '../support/certificate.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { freePort } from '../support/postgres.ts'

/** A message, read by the grammar of RFC 5424, 6, on its own: nothing here comes from the code that writes them. */
export interface SyslogMessage {
  facility: number
  severity: number
  timestamp: string
  hostname: string
  appName: string
  procId: string
  msgId: string
  data: Record<string, Record<string, string>>
  text: string
}

export interface Receiver {
  port: number
  messages: SyslogMessage[]
  connections: number
  /** How many of the next connections are reset once something was read of them. */
  resets: number
  stop(): Promise<void>
}

const printable = '[\\x21-\\x7e]'
const name = '[\\x21\\x23-\\x3c\\x3e-\\x5c\\x5e-\\x7e]{1,32}'
const header = new RegExp(
  `^<(0|[1-9]\\d{0,2})>1 (\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?(?:Z|[+-]\\d\\d:\\d\\d)) (${printable}{1,255}) (${printable}{1,48}) (${printable}{1,128}) (${printable}{1,32}) `,
)
const parameter = new RegExp(`^ (${name})="((?:[^"\\\\\\]]|\\\\["\\\\\\]])*)"`)

/** @throws for what the grammar doesn't have */
export function readMessage(message: string): SyslogMessage {
  const found = header.exec(message)
  if (found === null) throw new Error(`no header: ${message}`)
  const [whole, priority, timestamp = '', hostname = '', appName = '', procId = '', msgId = ''] = found
  if (Number(priority) > 191) throw new Error(`no priority: ${priority}`)
  const data: SyslogMessage['data'] = {}
  let rest = message.slice(whole.length)
  if (rest.startsWith('-')) rest = rest.slice(1)
  while (rest.startsWith('[')) {
    const element = new RegExp(`^\\[(${name})`).exec(rest)
    if (element === null || data[element[1]!] !== undefined) throw new Error(`no structured data: ${rest}`)
    const parameters: Record<string, string> = {}
    data[element[1]!] = parameters
    rest = rest.slice(element[0].length)
    for (let one = parameter.exec(rest); one !== null; one = parameter.exec(rest)) {
      parameters[one[1]!] = one[2]!.replace(/\\(.)/g, '$1')
      rest = rest.slice(one[0].length)
    }
    if (!rest.startsWith(']')) throw new Error(`the structured data has no end: ${rest}`)
    rest = rest.slice(1)
  }
  if (rest !== '' && !rest.startsWith(' ')) throw new Error(`something follows the structured data: ${rest}`)
  const text = rest.slice(1)
  // Without a byte order mark a text is of no known encoding (6.4), and ASCII is all that is safe.
  if (/[^\x20-\x7e]/.test(text)) throw new Error(`the text is not ASCII: ${text}`)
  const [facility, severity] = [Number(priority) >> 3, Number(priority) & 7]
  return { facility, severity, timestamp, hostname, appName, procId, msgId, data, text }
}

/** A receiver by octet counting (RFC 6587, 3.4.1), over TLS where there is a certificate; it ends each connection that its sender ends. */
export async function startReceiver(tls: CertificateFiles | undefined, given?: number): Promise<Receiver> {
  const port = given ?? (await freePort())
  const receiver: Receiver = { port, messages: [], connections: 0, resets: 0, stop: () => stop(server) }
  const take = (socket: Socket) => {
    receiver.connections++
    const isReset = receiver.resets > 0
    if (isReset) receiver.resets--
    let buffer = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      buffer = Buffer.concat([buffer, bytes])
      for (;;) {
        const space = buffer.indexOf(0x20)
        if (space < 0) return
        const count = buffer.subarray(0, space).toString()
        if (!/^[1-9]\d*$/.test(count)) throw new Error(`no count of octets: ${count}`)
        const end = space + 1 + Number(count)
        if (buffer.length < end) return
        receiver.messages.push(readMessage(buffer.subarray(space + 1, end).toString()))
        buffer = buffer.subarray(end)
        if (isReset) {
          socket.destroy()
          return
        }
      }
    })
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
  }
  const server =
    tls === undefined
      ? createTcpServer(take)
      : createTlsServer({ cert: readFileSync(tls.certificate), key: readFileSync(tls.key) }, take)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestsEnd(() => stop(server))
  return receiver
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
