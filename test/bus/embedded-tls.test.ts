import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, readFileSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { openBus } from '../../src/bus/bus.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { readCertificate, watchCertificate } from '../../src/http/certificate.ts'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { hangUpOnSleeper } from './sleeper.ts'

const mosquittoSub = Bun.which('mosquitto_sub')
if (mosquittoSub === null)
  process.stderr.write('SKIPPED: mosquitto_sub over TLS (install the package mosquitto-clients)\n')

const deadlineMs = 20_000

describe.if(canMakeCertificates)('the embedded broker over TLS', () => {
  const folder = temporaryFolder()
  const files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
  const said: string[] = []
  let port: number
  let bus: Bus

  /** Puts a new certificate in the place of the one before. @returns its authority, to be trusted */
  function renew(name: string): string {
    const made = makeCertificate(folder, name)
    copyFileSync(made.key, files.key)
    copyFileSync(made.certificate, files.certificate)
    return readFileSync(made.certificate, 'utf8')
  }

  let authority: string
  beforeAll(async () => {
    authority = renew('first')
    port = await freePort()
    const first = readCertificate(files)
    const log = createLog({ level: 'info', readable: false, write: (line) => said.push(line) })
    bus = await openBus(`embedded+tls://reader:pass%2Fword@127.0.0.1:${port}`, {
      ...first,
      follow: (onNew) => watchCertificate(files, first, { log, onNew, everyMs: 10 }),
    })
  })
  afterAll(() => bus.close())

  const dial = (ca: string, password = 'pass/word', scheme = 'mqtts') =>
    connectAsync(`${scheme}://127.0.0.1:${port}`, {
      ...{ username: 'reader', password, protocolVersion: 4, reconnectPeriod: 0, connectTimeout: deadlineMs, ca },
    })

  test('lets in who trusts it and has the password, and nobody else', async () => {
    const client = await dial(authority)
    const heard: string[] = []
    client.on('message', (topic) => heard.push(topic))
    await client.subscribeAsync('quire/v1/#', { qos: 1 })
    await bus.publish('quire/v1/tls/told', 'x', { deadlineMs })
    await until('it hears', () => heard.length > 0)
    expect(heard).toEqual(['quire/v1/tls/told'])
    expect(await outcomeOf(dial(authority, 'wrong'))).toThrow('Not authorized')
    const stranger = readFileSync(makeCertificate(folder, 'stranger').certificate, 'utf8')
    expect(await rejectionOf(dial(stranger))).toBeInstanceOf(Error)
    expect(await rejectionOf(dial(authority, 'pass/word', 'mqtt'))).toBeInstanceOf(Error)
    const command = ['openssl', 's_client', '-connect', `127.0.0.1:${port}`, '-tls1_1', '-cipher', 'ALL:@SECLEVEL=0']
    const old = Bun.spawn(command, { stdin: new Blob(['']), stdout: 'pipe', stderr: 'ignore' })
    expect(await new Response(old.stdout).text()).toContain('Cipher is (NONE)')
    await client.endAsync(true)
  })

  test.if(mosquittoSub !== null || process.env.CI === 'true')('is heard by mosquitto_sub', async () => {
    const asked = ['-h', '127.0.0.1', '-p', `${port}`, '--cafile', files.certificate, '-u', 'reader', '-P', 'pass/word']
    const child = Bun.spawn([mosquittoSub ?? '', ...asked, '-q', '1', '-t', 'quire/v1/sub/+', '-C', '1'])
    await until('it has subscribed and heard one', async () => {
      await bus.publish('quire/v1/sub/1', 'heard by another program', { deadlineMs })
      return child.exitCode !== null
    })
    expect([child.exitCode, await new Response(child.stdout).text()]).toEqual([0, 'heard by another program\n'])
  })

  test('hangs up on what is no TLS, on packets that are too long and on who does not read', async () => {
    const plain = connectTcp(port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\n\r\n'))
    plain.on('error', () => {})
    await new Promise((resolve) => plain.once('close', resolve))

    const long = await dial(authority)
    const isOver = new Promise((resolve) => long.once('close', () => resolve(true)))
    long.publish('other/long', Buffer.alloc(limits.brokerPacketBytes + 1))
    await isOver

    const url = `mqtts://reader:pass%2Fword@127.0.0.1:${port}`
    await hangUpOnSleeper(url, bus, deadlineMs)
  })

  test('shows a renewed certificate to new clients, and keeps those that are connected', async () => {
    const early = await dial(authority)
    const heard: string[] = []
    early.on('message', (topic) => heard.push(topic))
    await early.subscribeAsync('quire/v1/renewed/+', { qos: 1 })
    const next = renew('second')
    await until('it is served', () => said.some((line) => line.includes('a new certificate is served')))
    expect(await rejectionOf(dial(authority))).toBeInstanceOf(Error)
    const late = await dial(next)
    await bus.publish('quire/v1/renewed/1', 'x', { deadlineMs })
    await until('the early one hears', () => heard.length > 0)
    for (const client of [early, late]) await client.endAsync(true)
  })
})

test('an embedded broker without a certificate takes no address over TLS', async () => {
  expect(await outcomeOf(openBus('embedded+tls://127.0.0.1:1'))).toThrow('embedded+tls:// needs a certificate')
  expect(await outcomeOf(openBus('embedded+tls://0.0.0.0:1'))).toThrow('write embedded+tls://user:password@host:port')
})
