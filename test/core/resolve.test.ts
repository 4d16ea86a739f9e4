import { afterAll, describe, expect, test } from 'bun:test'
import { getServers, setServers } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { systemClock } from '../../src/core/clock.ts'
import { createLog } from '../../src/core/log.ts'
import { addressesOfName } from '../../src/core/resolve.ts'
import { probeSyslog, sendSyslog } from '../../src/syslog/connection.ts'
import { openAuditLogs } from '../../src/telemetry/audit-logs.ts'
import { readTelemetry } from '../../src/telemetry/settings.ts'
import { rejectionOf } from '../support/outcome.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../syslog/receiver.ts'
import { startCollector } from '../telemetry/collector.ts'

describe('the addresses of a name', () => {
  const before = getServers()
  afterAll(() => setServers(before))

  /** A server of names that gives every name this answer, or says nothing. */
  async function serve(answer?: { flags: number; address?: readonly number[] }) {
    const asked: string[] = []
    const server = await Bun.udpSocket({
      ...{ hostname: '127.0.0.1', port: 0 },
      socket: {
        data(socket, bytes, port, address) {
          const query = Buffer.from(bytes)
          let end = 12
          const labels: string[] = []
          for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
            labels.push(query.toString('latin1', end + 1, end + 1 + length))
            end += length + 1
          }
          asked.push(labels.join('.'))
          if (answer === undefined) return
          const isOfIpv4 = query.readUInt16BE(end + 1) === 1
          const found = isOfIpv4 ? (answer.address ?? []) : []
          const head = Buffer.from(query.subarray(0, end + 5))
          head.writeUInt16BE(answer.flags, 2)
          head.writeUInt16BE(found.length === 0 ? 0 : 1, 6)
          head.writeUInt32BE(0, 8)
          const record = found.length === 0 ? [] : [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...found]
          socket.send(Buffer.concat([head, Buffer.from(record)]), port, address)
        },
      },
    })
    setServers([`127.0.0.1:${server.port}`])
    return asked
  }

  test('are those that its server gives, and of this machine those of its hosts file', async () => {
    const asked = await serve({ flags: 0x8180, address: [203, 0, 113, 7] })
    expect(await addressesOfName('hooks.example.test')).toEqual([{ address: '203.0.113.7', family: 4 }])
    expect(asked).toContain('hooks.example.test')
    expect(await addressesOfName('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 })
  })

  test('delay no file read and no sign-in while their name servers never answer', async () => {
    const asked = await serve()
    const names = Array.from({ length: 8 }, (_, index) => `silent-${index}.example.test`)
    for (const name of names) addressesOfName(name).catch(() => {})
    await until('all are asked for', () => names.every((name) => asked.includes(name)))
    const work = Promise.all([readFile(import.meta.path), Bun.password.hash('x', { algorithm: 'bcrypt', cost: 4 })])
    expect(await Promise.race([work.then(() => 'done'), Bun.sleep(3_000)])).toBe('done')
  })

  test('are those to which records of the audit trail go', async () => {
    const asked = await serve({ flags: 0x8180, address: [127, 0, 0, 1] })
    const receiver = await startReceiver(undefined)
    const target = { hostname: 'logs.example.test', port: receiver.port, isEncrypted: false, caFile: undefined }
    const at = systemClock.now()
    await sendSyslog(target, [{ position: 1, hash: '0', at, action: 'session.opened', json: '{}' }])
    expect([asked.includes('logs.example.test'), receiver.messages.length]).toEqual([true, 1])
    const collector = startCollector()
    const endpoint = `http://collector.example.test:${new URL(collector.url).port}/v1/logs`
    const { audit } = readTelemetry({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: endpoint })
    const log = createLog({ level: 'error', readable: false, write: () => {} })
    await openAuditLogs(audit!, log)([{ position: 1, hash: '0', at, action: 'session.opened', json: '{}' }])
    expect([asked.includes('collector.example.test'), collector.logs.length]).toEqual([true, 1])
    await serve({ flags: 0x8183 })
    expect(await rejectionOf(probeSyslog({ ...target, hostname: 'gone.invalid' }))).toBeInstanceOf(Error)
  })

  test('are none where nobody knows the name', async () => {
    await serve({ flags: 0x8183 })
    expect(await rejectionOf(addressesOfName('nobody.invalid'))).toMatchObject({
      code: expect.stringMatching(/^E[A-Z_]+$|^DNS_E/),
    })
  })
})
