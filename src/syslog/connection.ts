import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import type { AuditLine } from '../core/audit-line.ts'
import { limits } from '../core/limits.ts'
import { readRegularFile } from '../core/regular-file.ts'
import { lookupByName } from '../core/resolve.ts'
import { framed, syslogMessage } from './message.ts'

/** Where syslog messages go. */
export interface SyslogTarget {
  hostname: string
  port: number
  isEncrypted: boolean
  /** The PEM file of the authorities that are trusted; undefined: the machine's. */
  caFile: string | undefined
}

/**
 * Sends records over TLS (RFC 5425) or TCP (RFC 6587). Syslog has no acknowledgement, so each batch gets its own connection:
 * Quire ends its side and waits for the receiver to end, too. A receiver does so once it has read everything; one that dies
 * before resets the connection. A receiver that ends first may have read nothing: one that is full or stops does that, and so
 * does a balancer without a receiver behind it. Its end may be in transit for as long as connecting took, so Quire waits that
 * long before it ends its own side.
 *
 * @throws when the receiver may not have all of them
 */
export async function sendSyslog(target: SyslogTarget, lines: readonly AuditLine[]): Promise<void> {
  const host = hostname()
  const bytes = lines.map((line) => framed(syslogMessage(host, line))).join('')
  await converse(target, bytes)
}

/** Whether a receiver answers, with a certificate that is trusted. @throws when it doesn't */
export function probeSyslog(target: SyslogTarget): Promise<void> {
  return converse(target, '')
}

function converse(target: SyslogTarget, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const begunMs = performance.now()
    const socket = connect(target)
    let isOurEnd = false
    let hasEnded = false
    let ending: NodeJS.Timeout | undefined
    const give = (error: Error) => {
      clearTimeout(deadline)
      clearTimeout(ending)
      socket.destroy()
      reject(error)
    }
    const deadline = setTimeout(
      () => give(new Error(`it did not take the records within ${limits.syslogSendMs / 1000} s`)),
      limits.syslogSendMs,
    )
    socket.once('error', give)
    socket.once(target.isEncrypted ? 'secureConnect' : 'connect', () => {
      const settleMs = Math.max(limits.syslogSettleMs, performance.now() - begunMs)
      socket.write(bytes, () => {
        ending = setTimeout(() => {
          isOurEnd = true
          socket.end()
        }, settleMs)
      })
    })
    socket.once('end', () => {
      hasEnded = isOurEnd
      if (!isOurEnd) give(new Error('it ended the connection before the records were there'))
    })
    socket.once('close', (failed: boolean) => {
      if (failed || !hasEnded) return give(new Error('it broke the connection off'))
      clearTimeout(deadline)
      resolve()
    })
    // Syslog defines no answers, but they must be read to reach the end of the stream. A peer that sends many is no receiver.
    let said = 0
    socket.on('data', (bytes: Buffer) => {
      said += bytes.length
      if (said > limits.syslogAnswerBytes) give(new Error('it answers, which no syslog receiver does'))
    })
  })
}

/** @throws when the file of authorities can't be read */
function connect({ hostname: host, port, isEncrypted, caFile }: SyslogTarget): Socket {
  const named = { host, port, lookup: lookupByName }
  if (!isEncrypted) return connectTcp(named)
  const ca = caFile === undefined ? {} : { ca: readRegularFile(caFile, limits.certificateFileBytes) }
  return connectTls({ ...named, ...ca, ...(isIP(host) === 0 ? { servername: host } : {}) })
}
