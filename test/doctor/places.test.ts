/** What the doctor says of what Quire speaks to and stands on, asked in this process. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { openBus } from '../../src/bus/bus.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { PRODUCT_VERSION, REVISION } from '../../src/core/version.ts'
import { checkAuditReceiver } from '../../src/doctor/audit.ts'
import { checkBroker } from '../../src/doctor/broker.ts'
import { checkCertificates } from '../../src/doctor/certificates.ts'
import { checkDataFolder, checkDisks, checkSync } from '../../src/doctor/data.ts'
import { examine } from '../../src/doctor/doctor.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { checkObjects } from '../../src/doctor/objects.ts'
import { checkPorts } from '../../src/doctor/ports.ts'
import { checkSettings } from '../../src/doctor/settings.ts'
import { readCertificate } from '../../src/http/certificate.ts'
import { mosquittoAvailable, startMosquitto } from '../bus/mosquitto.ts'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { smallDisk } from '../support/small-disk.ts'
import { startReceiver } from '../syslog/receiver.ts'
import { type Fault, startBucket } from './bucket.ts'

const configOf = (environment: Record<string, string> = {}, where = temporaryFolder()): Config =>
  loadConfig(environment, where)
const told = (findings: readonly Finding[]) =>
  findings.map(
    ({ check, verdict, found, remedy }) => `${verdict} ${check}: ${found}${remedy === undefined ? '' : ` → ${remedy}`}`,
  )

/** Takes connections, says a few words that are no protocol's, and hangs up. */
async function startStranger(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).end('220 mail\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestsEnd(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('all checks', () => {
  test('run from the inside out, and one that throws stops no other', async () => {
    const config = { ...configOf(), listen: { hostname: '127.0.0.1', port: await freePort() } }
    const findings = await Array.fromAsync(examine(config))
    const order = [...new Set(findings.map(({ check }) => check))].filter((check) => check !== 'clock')
    expect(order).toEqual([
      ...['versions', 'settings', 'data', 'disk', 'sync', 'memory', 'ports', 'proxies', 'database', 'objects'],
      ...['broker', 'fonts'],
    ])
    const broken = await Array.fromAsync(examine({ ...config, telemetry: undefined } as unknown as Config))
    expect(broken.map(({ check }) => check)).toEqual(findings.map(({ check }) => check))
    expect(broken.find(({ check }) => check === 'settings')).toMatchObject({
      verdict: 'wrong',
      found: expect.stringMatching(/^it could not be looked at: .*config\.telemetry/),
      remedy: 'mend that, or report it as a fault of Quire',
    })
  })
})

describe('the receiver of the audit trail', () => {
  const at = (port: number, more: { isEncrypted?: boolean; caFile?: string } = {}) =>
    checkAuditReceiver({
      auditSyslog: { hostname: '127.0.0.1', port, isEncrypted: false, caFile: undefined, ...more },
    })

  test('is not asked for if none is named, and reported as unencrypted if it is', async () => {
    expect(await checkAuditReceiver({ auditSyslog: undefined })).toEqual([])
    const { port, messages } = await startReceiver(undefined)
    expect(told(await at(port))).toEqual([
      `advice audit trail: the syslog receiver 127.0.0.1:${port} answers, and what is sent to it is not encrypted → take tls:// where it has TLS`,
    ])
    expect(messages).toEqual([])
  })

  test.if(canMakeCertificates)(
    'is fine with a trusted certificate, and otherwise the report says how to trust it',
    async () => {
      const files = makeCertificate(temporaryFolder(), 'receiver')
      const { port } = await startReceiver(files)
      expect(told(await at(port, { isEncrypted: true, caFile: files.certificate }))).toEqual([
        `fine audit trail: the syslog receiver 127.0.0.1:${port} answers`,
      ])
      for (const caFile of [undefined, `${files.certificate}.missing`]) {
        const [finding] = await at(port, caFile === undefined ? { isEncrypted: true } : { isEncrypted: true, caFile })
        expect(finding).toMatchObject({
          verdict: 'wrong',
          found: expect.stringContaining(`the syslog receiver 127.0.0.1:${port} can't be used: `),
          remedy: 'name the authority of its certificate in QUIRE_AUDIT_SYSLOG_CA, or renew the certificate',
        })
      }
    },
  )

  test('that does not answer is wrong, and the trail waits for it', async () => {
    expect((await at(await freePort()))[0]).toMatchObject({
      verdict: 'wrong',
      remedy: 'start it, or correct QUIRE_AUDIT_SYSLOG; the audit trail waits for it meanwhile',
    })
  })
})

describe('a broker', () => {
  /** The embedded one, which lets its user read and nothing else. */
  async function startReading(scheme = 'embedded', certificate?: Parameters<typeof openBus>[1]): Promise<number> {
    const port = await freePort()
    const bus = await openBus(`${scheme}://quire:pass@127.0.0.1:${port}`, certificate)
    onTestsEnd(() => bus.close())
    return port
  }

  test.if(mosquittoAvailable)(
    'that acknowledges a message is fine on this machine, and reported as unencrypted elsewhere',
    async () => {
      const { port } = await startMosquitto()
      expect(told(await checkBroker({ mqttUrl: `mqtt://quire:pass@127.0.0.1:${port}` }))).toEqual([
        `fine broker: mqtt://…@127.0.0.1:${port} acknowledges a message`,
      ])
      // A short form of 127.0.0.1, which isn't taken for this machine by its name.
      expect(told(await checkBroker({ mqttUrl: `mqtt://quire:pass@127.1:${port}` }))).toEqual([
        `advice broker: mqtt://…@127.1:${port} acknowledges, and what is sent to it is not encrypted → take mqtts:// where the broker has TLS`,
      ])
    },
  )

  test.if(canMakeCertificates)(
    'that refuses the password, has no trusted certificate, or is not there is wrong, each with its remedy',
    async () => {
      const files = makeCertificate(temporaryFolder(), 'broker')
      const encrypted = await startReading('embedded+tls', { ...readCertificate(files), follow: () => () => {} })
      const [reading, none] = [await startReading(), await freePort()]
      const said = await Promise.all(
        [
          `mqtt://quire:hunter2@127.0.0.1:${reading}`,
          `mqtts://quire:pass@127.0.0.1:${encrypted}`,
          `mqtt://quire:hunter2@127.0.0.1:${none}`,
        ].map(async (mqttUrl) => told(await checkBroker({ mqttUrl }))),
      )
      expect(said).toEqual([
        [
          expect.stringMatching(
            /^wrong broker: mqtt:.* can't be used: .* → correct user and password in QUIRE_MQTT_URL$/,
          ),
        ],
        [
          expect.stringMatching(
            /^wrong broker: mqtts:.* → name the authority's certificate in NODE_EXTRA_CA_CERTS, or renew the broker's$/,
          ),
        ],
        [
          `wrong broker: mqtt://…@127.0.0.1:${none} can't be used: connect ECONNREFUSED 127.0.0.1:${none} → start the broker, or correct QUIRE_MQTT_URL`,
        ],
      ])
      expect(said.join()).not.toContain('hunter2')
    },
  )

  test('inside is reported with its address if it lets others in unencrypted', async () => {
    expect(told(await checkBroker({ mqttUrl: 'embedded://u:p@0.0.0.0:1883' }))).toEqual([
      'advice broker: the one inside sends events and takes its password unencrypted at 0.0.0.0 → take embedded+tls:// in QUIRE_MQTT_URL, and name a certificate in QUIRE_MQTT_CERTIFICATE and QUIRE_MQTT_KEY',
    ])
    expect(told(await checkBroker({ mqttUrl: 'embedded' }))).toEqual([
      'fine broker: none is needed: nobody else can connect',
    ])
  })
})

describe.if(canMakeCertificates)('the certificate of a place', () => {
  test('is asked for by the place’s name, and by no name if the place is an address', async () => {
    const files = makeCertificate(temporaryFolder(), 'place')
    const tls = { cert: Bun.file(files.certificate), key: Bun.file(files.key) }
    const behind = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch: () => new Response() })
    onTestsEnd(() => behind.stop(true))
    const isNamed: boolean[] = []
    const server = createServer((socket) => {
      socket.once('data', (hello) => {
        isNamed.push(hello.includes('localhost'))
        const onward = connect(behind.port!, '127.0.0.1')
        onward.on('error', () => {}).write(hello)
        socket.pipe(onward).pipe(socket)
      })
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestsEnd(() => {
      server.close()
    })
    const { port } = server.address() as AddressInfo
    for (const host of ['127.0.0.1', 'localhost']) {
      const settings = { QUIRE_MQTT_URL: `mqtts://${host}:${port}` }
      expect(told(await checkCertificates(configOf(settings)))).toEqual([
        expect.stringMatching(
          new RegExp(`^advice certificates: that of ${host}:${port} expires on \\S+, in 1 day → renew it$`),
        ),
      ])
    }
    expect(isNamed).toEqual([false, true])
  })

  test('is reported as unchecked if something else than TLS answers', async () => {
    const port = await startStranger()
    const settings = { QUIRE_OBJECTS_URL: `s3://bucket/p?endpoint=https://127.0.0.1:${port}` }
    const [finding, ...others] = await checkCertificates(configOf(settings))
    expect([finding?.verdict, others]).toEqual(['unchecked', []])
    expect(finding?.found).toStartWith(`that of 127.0.0.1:${port}: `)
  })
})

describe('a bucket', () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'someone', AWS_SECRET_ACCESS_KEY: 'something' }
  const before = Object.keys(credentials).map((name) => [name, process.env[name]] as const)
  beforeAll(() => {
    Object.assign(process.env, credentials)
  })
  afterAll(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  const ask = async (fault: Fault) => {
    const bucket = startBucket(fault)
    return { ...bucket, said: told(await checkObjects({ objectsUrl: bucket.url })) }
  }

  test('that gives what it took at once is fine, is read several times, and keeps nothing of the probe', async () => {
    const { said, objects, asked, url } = await ask({})
    expect(said).toEqual([`fine objects: ${url} takes, gives and removes a probe`])
    expect(objects.size).toBe(0)
    expect(asked.map((one) => one.replace(/\/letters\/q\/\S+/, 'probe'))).toEqual([
      ...['PUT probe', ...Array<string>(5).fill('GET probe'), 'HEAD probe', 'DELETE probe', 'GET probe', 'HEAD /'],
    ])
    expect(asked[0]).toMatch(/^PUT \/letters\/q\/\S*[0-9a-f]{60}/)
  })

  test('that loses what it took, or keeps what was removed, is not consistent; its probe is removed all the same', async () => {
    const stale = await ask({ staleReads: 2 })
    expect(stale.said).toEqual([
      'wrong objects: 2 of 5 reads did not find what was just written: it is not consistent → take a store that reads what was written, such as S3 itself',
    ])
    expect([stale.objects.size, stale.asked.filter((one) => one.startsWith('DELETE')).length]).toEqual([0, 1])
    const kept = await ask({ keepsAll: true })
    expect(kept.said[0]).toStartWith('wrong objects: a read found what was just removed: it is not consistent')
    expect(kept.asked.filter((one) => one.startsWith('DELETE'))).toHaveLength(1)
  })

  test.each([
    [403, 'SignatureDoesNotMatch', 'correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    [404, 'NoSuchBucket', 'make the bucket, or correct its name and region in QUIRE_OBJECTS_URL'],
    [403, 'AccessDenied', 'allow GetObject, PutObject, DeleteObject and ListBucket for the prefix'],
    [403, 'RequestTimeTooSkewed', "set this machine's clock right: timedatectl set-ntp true"],
  ] as const)('that refuses with %i %s is reported with its remedy', async (status, code, remedy) => {
    const { said, url } = await ask({ refusal: [status, code] })
    expect(said).toHaveLength(1)
    // What the store says, with what it was told behind it.
    expect(said[0]).toMatch(/ can't be used: the S3 object store (refused with 40\d|could not be used) \(no\) → /)
    expect(said[0]).toStartWith(`wrong objects: ${url} can't be used: `)
    expect(said[0]).toEndWith(` → ${remedy}`)
  })

  test('that does not answer is reported with the advice to start it', async () => {
    const place = `s3://letters/q?endpoint=http://127.0.0.1:${await freePort()}`
    expect(told(await checkObjects({ objectsUrl: place }))[0]).toEndWith(
      ' → start the server, or correct the endpoint in QUIRE_OBJECTS_URL',
    )
  })

  test('has its clock compared: a few seconds are advice, and a quarter of an hour is what it refuses', async () => {
    const clock = async (aheadMs: number) => (await ask({ aheadMs })).said.slice(1)
    const follow = 'let both follow a time server (timedatectl set-ntp true)'
    expect(await clock(0)).toEqual([])
    expect(await clock(600_000 + 500)).toEqual([
      `advice clock: the object store's clock is 10 min ahead of this machine's → ${follow}`,
    ])
    expect(await clock(-600_000)).toEqual([
      `advice clock: the object store's clock is 10 min behind this machine's → ${follow}`,
    ])
    expect(await clock(-3_600_000)).toEqual([
      `wrong clock: the object store's clock is 60 min behind this machine's, and it refuses us → ${follow}`,
    ])
    expect((await clock(3_600_000))[0]).toStartWith("wrong clock: the object store's clock is 60 min ahead of")
  })
})

describe('a directory of objects', () => {
  test('that can not be written is reported, and how to mend it', async () => {
    const root = join(temporaryFolder(), 'objects')
    mkdirSync(root)
    // A file where the store keeps what it has not finished.
    writeFileSync(join(root, 'unfinished'), '')
    expect((await checkObjects({ objectsUrl: `file:${root}` }))[0]).toMatchObject({
      verdict: 'wrong',
      found: expect.stringContaining(`file:${root} can't be used: `),
    })
  })
})

describe('ports', () => {
  test('of no address of this machine are reported as such', async () => {
    const [found] = await checkPorts(configOf({ QUIRE_LISTEN: '192.0.2.1:8080' }))
    expect(told([found!])).toEqual([
      'wrong ports: 192.0.2.1:8080 is no address of this machine → set QUIRE_LISTEN to one of them; 0.0.0.0 is all',
    ])
  })

  test('that a program holds which speaks no HTTP are taken, under each setting, with how to find it', async () => {
    const port = await startStranger()
    const place = `127.0.0.1:${port}`
    expect(told(await checkPorts(configOf({ QUIRE_LISTEN: place, QUIRE_METRICS_LISTEN: place })))).toEqual(
      ['QUIRE_LISTEN', 'QUIRE_METRICS_LISTEN'].map(
        (name) =>
          `wrong ports: ${place} is taken by another program → find it with: ss -ltnp sport = :${port}; stop it, or set ${name} to another port`,
      ),
    )
  })

  test.if(canMakeCertificates)('that a Quire holds over TLS are its own, whoever its certificate is for', async () => {
    const files = makeCertificate(temporaryFolder(), 'quire')
    const tls = { cert: Bun.file(files.certificate), key: Bun.file(files.key) }
    const asked: string[] = []
    const fetch = (request: Request) => {
      asked.push(new URL(request.url).pathname)
      return Response.json({ build: { version: PRODUCT_VERSION, revision: REVISION } })
    }
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch })
    onTestsEnd(() => server.stop(true))
    const place = `127.0.0.1:${server.port}`
    expect(told(await checkPorts(configOf({ QUIRE_LISTEN: place })))).toEqual([
      `fine ports: Quire ${PRODUCT_VERSION} answers at ${place}`,
    ])
    expect(asked).toEqual(['/health/live'])
  })
})

describe('the keys of the data directory', () => {
  test('are reported if they are invalid, and a key that is set hides no unreadable one', () => {
    const where = temporaryFolder()
    const data = join(where, 'quire-data')
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(join(data, 'secret'), ` ${'k'.repeat(31)} \n`)
    writeFileSync(join(data, 'signing-key'), 'zz\n')
    expect(told(checkSettings(configOf({}, where)))).toEqual([
      `wrong settings: ${data}/secret holds no key of 32 characters or more → remove it to have a new one made: everybody signs in again`,
      expect.stringMatching(/^wrong settings: QUIRE_SIGNING_KEY: .*holds no key of 64 .* → bring it back/),
    ])
    // A folder in its place can't be read as a file.
    const other = temporaryFolder()
    mkdirSync(join(other, 'quire-data/secret'), { recursive: true })
    expect(told(checkSettings(configOf({}, other)))).toEqual([
      expect.stringMatching(/^wrong settings: EISDIR.* → let the user that runs Quire read it$/),
    ])
  })
})

const disk = smallDisk(30_000_000)
const memory = smallDisk(300_000_000)
if (disk === undefined) process.stderr.write('SKIPPED: full and read-only disks (needs the right to mount a tmpfs)\n')

describe.if(disk !== undefined)('a disk', () => {
  const at = (folder: string | undefined) => ({
    ...{ ...configOf(), dataFolder: join(folder!, 'data'), databaseUrl: 'postgres://q@h/q', objectsUrl: 's3://b/p' },
  })

  test('below its reserve is wrong, and one in memory is reported as such', () => {
    expect(told(checkDisks(at(disk)))).toEqual([
      `wrong disk: 29 MiB free of 29 MiB at ${disk}, less than the 64 MiB that stay free → make room: no document is stored until then`,
    ])
    expect(told(checkDisks(at(memory)))).toEqual([
      `advice disk: ${memory} is in memory, and gone with this machine's next start → name a disk in QUIRE_DATA`,
    ])
    const [sync] = checkSync(at(memory))
    expect([sync?.verdict, sync?.found]).toEqual([
      'advice',
      expect.stringMatching(/^a commit waits \d+ µs for the disk \(median of 50\): no disk is so quick/),
    ])
    expect(readdirSync(memory!)).toEqual([])
  })

  test('without room for more files is wrong, however many bytes are free', () => {
    expect(Bun.spawnSync(['mount', '-o', 'remount,nr_inodes=9000', memory!]).success).toBe(true)
    expect(told(checkDisks(at(memory)))).toEqual([
      expect.stringMatching(
        /^wrong disk: room for 89\d\d more files at \S+ → remove small files, or take a file system with more$/,
      ),
    ])
  })

  test('that is only read, and one that is full, keep the data directory from being written, each with its remedy', () => {
    mkdirSync(join(memory!, 'data'), { mode: 0o700 })
    expect(Bun.spawnSync(['mount', '-o', 'remount,ro', memory!]).success).toBe(true)
    expect(told(checkDataFolder(at(memory)))).toEqual([
      `wrong data: ${memory}/data can't be written (EROFS) → mount its file system for writing`,
    ])
    expect(told(checkSync(at(memory)))).toEqual([`unchecked sync: nothing can be written to ${memory}/data (EROFS)`])
    mkdirSync(join(disk!, 'data'), { mode: 0o700 })
    try {
      writeFileSync(join(disk!, 'filler'), new Uint8Array(40_000_000))
    } catch {
      // It is full.
    }
    expect(told(checkDataFolder(at(disk)))).toEqual([
      `wrong data: ${disk}/data can't be written (ENOSPC) → make room on its disk`,
    ])
    expect(readdirSync(join(disk!, 'data'))).toEqual([])
  })
})
