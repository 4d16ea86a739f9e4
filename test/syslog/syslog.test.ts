import { describe, expect, test } from 'bun:test'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SYSTEM_ACTOR_ID } from '../../src/core/actor.ts'
import { systemClock } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import type { Database, Dialect } from '../../src/db/database.ts'
import { checkAuditReceiver } from '../../src/doctor/audit.ts'
import { exportRecords } from '../../src/modules/audit/audit.export.ts'
import {
  type AuditForwarder,
  type AuditOutlet,
  startAuditForwarder,
} from '../../src/modules/audit/audit.forwarder.service.ts'
import { startSealer } from '../../src/modules/audit/audit.sealer.ts'
import { recordAudit } from '../../src/modules/audit/audit.service.ts'
import { probeSyslog, type SyslogTarget, sendSyslog } from '../../src/syslog/connection.ts'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../support/database.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'
import { until } from '../support/until.ts'
import { readMessage, startReceiver } from './receiver.ts'
import { rsyslogAvailable, startRsyslog } from './rsyslog.ts'

const said: string[] = []
const log = createLog({ level: 'debug', readable: false, write: (line) => said.push(line) })

test('the reader of the tests takes the examples of RFC 5424, and nothing that breaks its grammar', () => {
  const example =
    '<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut="3" eventSource="A\\]\\"\\\\"] An event'
  const { facility, severity, data, text } = readMessage(example)
  expect([facility, severity, data, text]).toEqual([
    ...[20, 5, { 'exampleSDID@32473': { iut: '3', eventSource: 'A]"\\' } }, 'An event'],
  ])
  for (const broken of [
    example.replace('<165>', '<192>'),
    example.replace('.003Z', '.0030000Z'),
    example.replace('evntslog', 'evnts log'),
    example.replace('"] An', '"]An'),
    `${example} é`,
  ]) {
    expect(() => readMessage(broken)).toThrow()
  }
})

/** Something that the trail tells of, sealed. */
async function happen(database: Database, actions: readonly string[], detail: Record<string, string> = {}) {
  const actor = { userId: SYSTEM_ACTOR_ID, correlationId: newId(), at: systemClock.now() }
  await database.write(async (tx) => {
    for (const action of actions) await recordAudit(tx, actor, { action, resourceKind: 'session', detail })
  })
}

async function sealed(database: Database) {
  const batches = await Array.fromAsync(exportRecords(database.read, 0))
  return batches.flatMap(({ lines }) => lines)
}

async function openTrail(dialect: Dialect, actions: readonly string[]) {
  const database = await openTestDatabase(dialect)
  const sealer = startSealer({ database, log, owner: newId(), isSoleInstance: true })
  onTestsEnd(() => sealer.drain())
  await happen(database, actions)
  return database
}

function forward(database: Database, outlet: AuditOutlet): AuditForwarder {
  const started = startAuditForwarder({
    ...{ database, clock: systemClock, log, owner: newId(), outlet, isSoleInstance: true },
    ...{ pollMs: 20, retryMs: 20 },
  })
  onTestsEnd(() => started.drain(1_000))
  return started
}

const nothingWaits = (started: AuditForwarder) =>
  until('everything is handed on', async () => (await started.health()).waiting === 0)

describeOnBothDialects('the audit trail over syslog', (dialect) => {
  test.skipIf(!canMakeCertificates)(
    'comes over TLS as RFC 5424 has it, with positions and hashes, and goes on after a restart where it ended',
    async () => {
      const files = makeCertificate(temporaryFolder(), 'receiver')
      const receiver = await startReceiver(files)
      const target = { hostname: '127.0.0.1', port: receiver.port, isEncrypted: true, caFile: files.certificate }
      const database = await openTrail(dialect, ['session.opened', 'session.refused', 'user.password_change_throttled'])
      await until('it is sealed', async () => (await sealed(database)).length === 3)
      const outlet = { name: 'syslog', send: (lines: never) => sendSyslog(target, lines) }
      const first = forward(database, outlet)
      await until('all are there', () => receiver.messages.length >= 3)
      await nothingWaits(first)
      const lines = await sealed(database)
      expect(receiver.messages.map(({ text }) => text)).toEqual(lines.map(({ json }) => json))
      for (const [index, { position, hash, at, action }] of lines.entries()) {
        expect(receiver.messages[index]).toMatchObject({
          ...{ facility: 13, severity: index === 0 ? 6 : 4, appName: 'quire', procId: '-', msgId: action.slice(0, 32) },
          ...{ timestamp: `${at.slice(0, 26)}Z`, data: { 'quire@32473': { position: String(position), hash } } },
        })
      }
      await first.drain(5_000)
      await happen(database, ['session.closed'], { name: 'Zoë “\n” 😀' })
      await until('it is sealed', async () => (await sealed(database)).length === 4)
      await nothingWaits(forward(database, outlet))
      expect(receiver.messages.map(({ data }) => data['quire@32473']?.position)).toEqual(['1', '2', '3', '4'])
      expect(JSON.parse(receiver.messages[3]!.text).detail.name).toBe('Zoë “\n” 😀')
    },
  )

  test('waits for a receiver that is away or breaks off, and loses nothing', async () => {
    const receiver = await startReceiver(undefined)
    const target: SyslogTarget = { hostname: '127.0.0.1', port: receiver.port, isEncrypted: false, caFile: undefined }
    const database = await openTrail(
      dialect,
      Array.from({ length: 300 }, () => 'session.opened'),
    )
    await until('it is sealed', async () => (await sealed(database)).length === 300)
    receiver.resets = 2
    const started = forward(database, { name: 'syslog', send: (lines) => sendSyslog(target, lines) })
    await until('it tried again', async () => (await started.health()).failures >= 2)
    await nothingWaits(started)
    const positions = () => [...new Set(receiver.messages.map(({ data }) => Number(data['quire@32473']?.position)))]
    expect(positions()).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
    await receiver.stop()
    await happen(database, ['session.closed'])
    await until('it waits', async () => (await started.health()).waiting === 1)
    const { failures } = await started.health()
    await until('it tries', async () => (await started.health()).failures > failures)
    const next = await startReceiver(undefined, receiver.port)
    await nothingWaits(started)
    expect(next.messages.map(({ msgId }) => msgId)).toEqual(['session.closed'])
  })
})

test.skipIf(!canMakeCertificates || !rsyslogAvailable)(
  'rsyslog takes the audit trail over TLS, record for record, and the rest when it comes back',
  async () => {
    const files = makeCertificate(temporaryFolder(), 'receiver')
    const rsyslog = await startRsyslog(files)
    const target = () => ({ hostname: '127.0.0.1', port: rsyslog.port, isEncrypted: true, caFile: files.certificate })
    // What comes again after a fault is the same again, by its place in the chain.
    const taken = () => [...new Map(rsyslog.messages().map((one) => [one['structured-data'], one])).values()]
    expect(await checkAuditReceiver({ auditSyslog: target() })).toMatchObject([{ verdict: 'fine' }])
    const database = await openTrail('sqlite', ['session.refused'])
    // As long as records get; and more than a batch holds.
    await happen(database, ['retention.set'], { note: 'x'.repeat(60_000), name: 'Zoë “\n” 😀' })
    const many = Array.from({ length: limits.auditSealBatch }, () => 'session.opened')
    await happen(database, many)
    const started = forward(database, { name: 'syslog', send: (lines) => sendSyslog(target(), lines) })
    await until('rsyslog has written all', () => taken().length === many.length + 2)
    await nothingWaits(started)
    await rsyslog.stop()
    const { failures } = await started.health()
    await happen(database, ['session.closed'])
    await until('it waits for rsyslog', async () => (await started.health()).failures > failures)
    await rsyslog.start()
    await nothingWaits(started)
    await until('rsyslog has written the rest', () => taken().length === many.length + 3)
    const expected = (await sealed(database)).map(({ position, hash, at, action, json }) => [
      ...[action, 'quire', '13', action === 'session.refused' ? '4' : '6', `${at.slice(0, 26)}Z`],
      ...[`[quire@32473 position="${position}" hash="${hash}"]`, JSON.parse(json)],
    ])
    for (const [index, message] of taken().entries()) {
      const { msgid, 'app-name': app, syslogfacility, syslogseverity, timereported, msg } = message
      expect([
        ...[msgid, app, syslogfacility, syslogseverity, timereported],
        ...[message['structured-data'], JSON.parse(msg)],
      ]).toEqual(expected[index]!)
    }
  },
)

describe('a syslog receiver that ends the connection first has taken nothing for sure', () => {
  const line = (json: string) => ({ position: 1, hash: '0', at: systemClock.now(), action: 'session.opened', json })
  /** Takes connections as a balancer without a receiver behind it does, or a receiver that is full. */
  async function refusing(refuse: (socket: Socket) => void) {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
      socket.on('error', () => {})
      refuse(socket)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestsEnd(() => void server.close())
    const { port } = server.address() as AddressInfo
    return { hostname: '127.0.0.1', port, isEncrypted: false, caFile: undefined }
  }

  test.each([
    ['closes it', (socket: Socket) => void socket.destroy()],
    ['says that it sends no more', (socket: Socket) => void socket.end()],
    ['closes it a little later', (socket: Socket) => void setTimeout(() => socket.destroy(), 10)],
  ])('when it %s', async (_how, refuse) => {
    const target = await refusing(refuse)
    for (const json of ['{}', JSON.stringify('x'.repeat(1_000_000))]) {
      expect(await rejectionOf(sendSyslog(target, [line(json)]))).toBeInstanceOf(Error)
    }
    expect(await checkAuditReceiver({ auditSyslog: target })).toMatchObject([{ verdict: 'wrong' }])
  })
})

test('a syslog receiver may greet, and is left when it goes on talking', async () => {
  const talking = async (greeting: number) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('end', () => socket.end())
      socket.resume()
      socket.write('x'.repeat(greeting))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestsEnd(() => void server.close())
    return {
      hostname: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      isEncrypted: false,
      caFile: undefined,
    }
  }
  const line = { position: 1, hash: '0', at: systemClock.now(), action: 'session.opened', json: '{}' }
  await sendSyslog(await talking(limits.syslogAnswerBytes), [line])
  const endless = await talking(limits.syslogAnswerBytes + 1)
  expect(await outcomeOf(sendSyslog(endless, [line]))).toThrow('no syslog receiver does')
})

describe.skipIf(!canMakeCertificates)('a syslog receiver over TLS', () => {
  test('gets nothing while its certificate is not trusted, which the doctor tells with the remedy', async () => {
    const folder = temporaryFolder()
    const [files, others] = [makeCertificate(folder, 'receiver'), makeCertificate(folder, 'other')]
    const receiver = await startReceiver(files)
    const target = { hostname: '127.0.0.1', port: receiver.port, isEncrypted: true, caFile: others.certificate }
    const line = { position: 1, hash: '0', at: systemClock.now(), action: 'session.opened', json: '{}' }
    expect(await rejectionOf(sendSyslog(target, [line]))).toBeInstanceOf(Error)
    expect(receiver.messages).toEqual([])
    const [finding] = await checkAuditReceiver({ auditSyslog: target })
    expect(finding).toMatchObject({ verdict: 'wrong', remedy: expect.stringContaining('QUIRE_AUDIT_SYSLOG_CA') })
    const trusted = { ...target, caFile: files.certificate }
    await probeSyslog(trusted)
    expect(await checkAuditReceiver({ auditSyslog: trusted })).toMatchObject([{ verdict: 'fine' }])
    expect(receiver.messages).toEqual([])
  })
})
