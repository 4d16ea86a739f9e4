/** What the checks say of settings, numbers and answers that a test can hand them; doctor.test.ts runs the command. */

import { describe, expect, test } from 'bun:test'
import type { X509Certificate } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { formatAddress } from '../../src/addresses.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { wordsOf } from '../../src/core/error-cause.ts'
import { limits } from '../../src/core/limits.ts'
import { PRODUCT_VERSION, REVISION } from '../../src/core/version.ts'
import { checkBroker } from '../../src/doctor/broker.ts'
import { checkCertificates, findingOf } from '../../src/doctor/certificates.ts'
import { differenceInWords } from '../../src/doctor/clock.ts'
import { checkDataFolder, checkDisks, checkSync, findingOfSyncs } from '../../src/doctor/data.ts'
import { bytesInWords, type Finding, within } from '../../src/doctor/finding.ts'
import { checkFonts, checkMemory, checkRenderer, checkVersions } from '../../src/doctor/machine.ts'
import { checkObjects } from '../../src/doctor/objects.ts'
import { checkPorts } from '../../src/doctor/ports.ts'
import { checkProxies, checkSettings, isLoopback } from '../../src/doctor/settings.ts'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { freePort } from '../support/postgres.ts'

const folder = temporaryFolder()
const configOf = (environment: Record<string, string> = {}, where = folder): Config => loadConfig(environment, where)
const told = (findings: readonly Finding[]) =>
  findings.map(({ check, verdict, found, remedy }) => [
    `${verdict} ${check}`,
    remedy === undefined ? found : `${found} → ${remedy}`,
  ])

describe('in words', () => {
  test('a difference of clocks has the unit that fits it, and says whose is ahead', () => {
    const minute = 60_000
    expect(
      [3_400, -3_400, 119_400, -119_600, 90 * minute, 119 * minute, -120 * minute, 5_400_000 * 3].map(
        differenceInWords,
      ),
    ).toEqual([
      ...['3 s ahead of', '3 s behind', '119 s ahead of', '2 min behind', '90 min ahead of', '119 min ahead of'],
      ...['2 h behind', '5 h ahead of'],
    ])
  })

  test('an amount of bytes has the unit that fits it, and a digit behind the point while it is small', () => {
    const gib = 1024 ** 3
    expect(
      [0, 1, 1_023, 1_024, 9.5 * 1_024, 10 * 1_024, 1_048_576, 3 * gib, 2_048 * gib, 5_000_000 * gib].map(bytesInWords),
    ).toEqual([
      ...['0 bytes', '1 bytes', '1023 bytes', '1.0 KiB', '9.5 KiB', '10 KiB', '1.0 MiB', '3.0 GiB', '2.0 TiB'],
      '4883 TiB',
    ])
  })

  test('an error is its first line, the driver’s where a statement failed, and never a password', () => {
    const failed = new Error('Failed query: select 1', { cause: new Error('no such table\nat line 1') })
    expect([
      wordsOf(failed),
      wordsOf(new Error('Failed query: select 1')),
      wordsOf(new Error('outer', { cause: new Error('inner') })),
      wordsOf('postgres://u:hunter2@h/d is gone'),
      wordsOf(Object.assign(new Error(''), { code: 'ECONNRESET' })),
      wordsOf(new Error('')),
    ]).toEqual([
      ...['no such table', 'Failed query: select 1', 'outer', 'postgres://…@h/d is gone', 'ECONNRESET'],
      'no reason given',
    ])
  })

  test('an answer that does not come is reported with the time that it was given', async () => {
    expect(await within(60_000, Promise.resolve(7))).toBe(7)
    expect(await outcomeOf(within(50, new Promise(() => {})))).toThrow('no answer within 0.05 s')
  })
})

describe('the settings', () => {
  test('are fine when all of them can be used', () => {
    expect(told(checkSettings(configOf()))).toEqual([['fine settings', 'all of them can be used']])
  })

  test('are reported one by one, each with its remedy', () => {
    const config = {
      ...configOf(),
      warnings: ['A: it is odd; mend it', 'B: it is odd'],
      ignored: ['C: it is none; drop it'],
    }
    expect(
      told(checkSettings({ ...config, telemetry: { ...config.telemetry, warnings: ['D: it is long; cut it'] } })),
    ).toEqual([
      ['advice settings', 'A: it is odd → mend it'],
      ['advice settings', 'B: it is odd → correct it, or remove it'],
      ['advice settings', 'C: it is none → drop it'],
      ['advice settings', 'D: it is long → cut it'],
    ])
  })

  test('need a secret that all instances have where they share a database, and only there', () => {
    const QUIRE_DATABASE_URL = 'postgres://quire@127.0.0.1/quire'
    const secret = 'a secret of more than thirty-two characters'
    const shared = configOf({ QUIRE_DATABASE_URL })
    expect(checkSettings({ ...shared, warnings: ['A: it is odd'] }).map(({ found }) => found.slice(0, 12))).toEqual([
      ...['A: it is odd', 'QUIRE_SECRET'],
    ])
    expect(told(checkSettings(shared))).toEqual([
      [
        'advice settings',
        `QUIRE_SECRET is not set, and instances that share a database need the same → set it on each of them to the content of ${shared.dataFolder}/secret`,
      ],
    ])
    expect(checkSettings(configOf({ QUIRE_DATABASE_URL, QUIRE_SECRET: secret }))[0]?.verdict).toBe('fine')
  })

  test('make a short key in the data directory a fault, unless another key is set', () => {
    const where = temporaryFolder()
    mkdirSync(join(where, 'quire-data'))
    const path = join(where, 'quire-data/secret')
    const found = (text: string, settings = {}) => {
      writeFileSync(path, text)
      return checkSettings(configOf(settings, where)).map(({ verdict }) => verdict)
    }
    expect(found(`${'k'.repeat(31)}\n`)).toEqual(['wrong'])
    expect(found('k'.repeat(32))).toEqual(['fine'])
    expect(found('k', { QUIRE_SECRET: 'k'.repeat(32) })).toEqual(['fine'])
  })
})

test('only this machine’s own addresses count as such', () => {
  const own = ['localhost', '::1', '[::1]', '127.0.0.1', '127.9.9.9']
  const others = ['127.example.com', '10.0.0.1', '0.0.0.0', '::', 'example.com', '::ffff:127.0.0.1']
  expect([...own, ...others].filter(isLoopback)).toEqual(own)
})

describe('the way of browsers to Quire', () => {
  const of = (settings: Record<string, string>) => checkProxies(configOf(settings))[0]
  const QUIRE_ORIGINS = 'https://q.example,https://r.example'
  const proxy = { QUIRE_TRUSTED_PROXIES: '10.0.0.1,10.1.0.0/16' }

  test('is fine on this machine alone, and by a proxy that is trusted', () => {
    expect(of({})).toEqual({ check: 'proxies', verdict: 'fine', found: 'none, and only this machine can ask' })
    expect(of({ QUIRE_ORIGINS, ...proxy })).toMatchObject({
      ...{ verdict: 'fine', found: '10.0.0.1, 10.1.0.0/16 may say who asks' },
    })
    const tls = { certificate: 'c', key: 'k' }
    expect(checkProxies({ ...configOf({ QUIRE_ORIGINS, QUIRE_LISTEN: '0.0.0.0:8443' }), tls })[0]).toMatchObject({
      ...{ verdict: 'fine', found: 'none: clients speak to Quire itself, over TLS' },
    })
  })

  test('is reported if a proxy must be there and none is trusted', () => {
    expect(of({ QUIRE_ORIGINS })).toMatchObject({
      verdict: 'advice',
      found: expect.stringContaining('(https://q.example, https://r.example), so through a proxy'),
    })
  })

  test('is reported if passwords would travel unencrypted', () => {
    for (const trusted of [{}, proxy])
      expect(of({ QUIRE_LISTEN: '10.0.0.9:8080', QUIRE_ORIGINS: 'http://q.example', ...trusted })).toMatchObject({
        ...{ verdict: 'advice', found: 'passwords and documents travel unencrypted to 10.0.0.9' },
      })
  })
})

describe('a certificate', () => {
  const dayMs = 86_400_000
  const ending = (inMs: number) =>
    findingOf('q', { validTo: new Date(Date.now() + inMs).toUTCString() } as X509Certificate)

  test('is wrong when it has expired, advice in its last days, and fine before', () => {
    const on = (inMs: number) => new Date(Date.now() + inMs).toISOString().slice(0, 10)
    // Two days where midnight comes between.
    const days = [on(-dayMs)]
    const expired = ending(-dayMs)
    days.push(on(-dayMs))
    expect(expired).toMatchObject({ check: 'certificates', verdict: 'wrong', remedy: 'renew it' })
    expect(days.map((day) => `that of q expired on ${day}`)).toContain(expired.found)
    expect(ending(1.5 * dayMs).found).toEndWith('in 1 day')
    expect(ending(2.5 * dayMs).found).toEndWith('in 2 days')
    expect(ending((limits.doctorCertificateDays - 0.5) * dayMs)).toMatchObject({
      verdict: 'advice',
      remedy: 'renew it',
    })
    expect(ending((limits.doctorCertificateDays + 0.5) * dayMs)).toMatchObject({
      verdict: 'fine',
      found: expect.stringContaining('is good until'),
    })
  })

  test.if(canMakeCertificates)(
    'of another host, or whose key all users can read, is wrong; the rest of it is still reported',
    async () => {
      const where = temporaryFolder()
      const tls = makeCertificate(where, 'own')
      chmodSync(tls.key, 0o600)
      const origins = ['https://127.0.0.1:8443', 'https://q.example', 'https://[::1]:8443']
      const found = async (given: readonly string[]) =>
        (await checkCertificates({ ...configOf(), tls, origins: given })).map(
          ({ verdict, found }) => `${verdict} ${found}`,
        )
      const soon = expect.stringMatching(/^advice that of \S+own\.crt expires on .*, in 1 day$/)
      expect(await found(origins.slice(0, 1))).toEqual([soon])
      expect(await found(origins)).toEqual([
        soon,
        ...[`wrong ${tls.certificate} is not for q.example`, `wrong ${tls.certificate} is not for ::1`],
      ])
      chmodSync(tls.key, 0o604)
      expect(await found(origins.slice(0, 1))).toEqual([
        soon,
        `wrong ${tls.key} can be read by every user of this machine`,
      ])
      // The broker's own is told as well, whatever its clients call it; the same one is told once.
      const broker = makeCertificate(where, 'broker')
      chmodSync(broker.key, 0o604)
      const withBroker = { ...configOf(), tls: undefined, mqttTls: { ...broker, settings: 'QUIRE_MQTT' as const } }
      expect(told(await checkCertificates(withBroker)).map(([verdict]) => verdict)).toEqual([
        ...['advice certificates', 'wrong certificates'],
      ])
      chmodSync(tls.key, 0o600)
      const shared = { ...configOf(), tls, mqttTls: tls, origins: origins.slice(0, 1) }
      expect(await checkCertificates(shared)).toHaveLength(1)
      writeFileSync(broker.certificate, 'no certificate')
      expect((await checkCertificates(withBroker))[0]?.found).toStartWith('QUIRE_MQTT_CERTIFICATE: ')
      writeFileSync(tls.certificate, 'no certificate')
      expect(told(await checkCertificates({ ...configOf(), tls }))).toEqual([
        [
          'wrong certificates',
          `QUIRE_TLS_CERTIFICATE: ${tls.certificate} holds no certificate → it takes PEM, the server's first, then its chain`,
        ],
      ])
    },
  )

  test('is asked for only if TLS is spoken, and reported as unchecked if nobody answers', async () => {
    expect(await checkCertificates(configOf())).toEqual([])
    const port = await freePort()
    const settings = {
      QUIRE_MQTT_URL: `mqtts://127.0.0.1:${port}`,
      QUIRE_OBJECTS_URL: `s3://bucket/p?endpoint=http://127.0.0.1:${port}`,
    }
    expect(await checkCertificates(configOf(settings))).toEqual([
      ...[
        { check: 'certificates', verdict: 'unchecked', found: expect.stringContaining(`that of 127.0.0.1:${port}: `) },
      ],
    ] as Finding[])
  })

  test('of a bucket or a broker is asked for at the usual port if none is named', async () => {
    const settings = {
      QUIRE_MQTT_URL: 'mqtts://[::1]',
      QUIRE_OBJECTS_URL: 's3://bucket/p?endpoint=https://127.0.0.1',
    }
    const names = (await checkCertificates(configOf(settings))).map(
      ({ found }) => /that of (\S+:\d+)(?=: | expire| is )/.exec(found)?.[1],
    )
    expect(names).toEqual(['127.0.0.1:443', '::1:8883'])
  })
})

describe('ports', () => {
  /** As a Quire of that build would answer. */
  function answering(build: unknown) {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json({ build }) })
    onTestsEnd(() => server.stop(true))
    return `127.0.0.1:${server.port}`
  }

  test('that are free are fine, also those of the metrics and of the broker inside', async () => {
    const [served, metrics, broker] = [await freePort(), await freePort(), await freePort()]
    const settings = {
      QUIRE_LISTEN: `127.0.0.1:${served}`,
      QUIRE_METRICS_LISTEN: `127.0.0.1:${metrics}`,
      QUIRE_MQTT_URL: `embedded://127.0.0.1:${broker}`,
    }
    expect(told(await checkPorts(configOf(settings)))).toEqual(
      [served, metrics, broker].map((port) => ['fine ports', `127.0.0.1:${port} is free`]),
    )
  })

  test('that a Quire of this build holds are fine, and what it holds besides is taken for its own', async () => {
    const place = answering({ version: PRODUCT_VERSION, revision: REVISION })
    const other = answering({})
    const free = await freePort()
    const settings = {
      QUIRE_LISTEN: place,
      QUIRE_METRICS_LISTEN: other,
      QUIRE_MQTT_URL: `embedded://127.0.0.1:${free}`,
    }
    expect(told(await checkPorts(configOf(settings)))).toEqual([
      ['fine ports', `Quire ${PRODUCT_VERSION} answers at ${place}`],
      ['fine ports', `${other} is in use, as by the Quire above`],
      ['fine ports', `127.0.0.1:${free} is free`],
    ])
  })

  test('that another version holds are advice, and its other ports still count as its own', async () => {
    const place = answering({ version: '0.0.1', revision: 'abc' })
    const other = answering({})
    const [served, metrics] = await checkPorts(configOf({ QUIRE_LISTEN: place, QUIRE_METRICS_LISTEN: other }))
    expect(served).toMatchObject({
      verdict: 'advice',
      found: `Quire 0.0.1 (abc) answers at ${place}, and this is ${PRODUCT_VERSION} (${REVISION})`,
    })
    expect(metrics).toMatchObject({ verdict: 'fine' })
  })

  test('that something else holds are wrong, whatever it answers, each under the setting that names it', async () => {
    for (const build of [{}, { version: '1' }, { revision: 'abc' }, { version: 1, revision: 2 }]) {
      const place = answering(build)
      const [found] = await checkPorts(configOf({ QUIRE_LISTEN: place }))
      expect(found?.found).toBe(`${place} is taken by another program`)
      expect(found?.remedy).toEndWith('or set QUIRE_LISTEN to another port')
    }
    const mqtt = answering({})
    const settings = { QUIRE_LISTEN: `127.0.0.1:${await freePort()}`, QUIRE_MQTT_URL: `embedded://${mqtt}` }
    const found = await checkPorts(configOf(settings))
    expect(found.map(({ verdict }) => verdict)).toEqual(['fine', 'wrong'])
    expect(found[1]?.remedy).toEndWith('or set QUIRE_MQTT_URL to another port')
  })

  test('are asked for at their own address, and those of all addresses at this machine’s own', async () => {
    const fetch = () => Response.json({ build: { version: '0.0.1', revision: 'abc' } })
    for (const hostname of ['0.0.0.0', '127.0.0.2']) {
      const server = Bun.serve({ hostname, port: 0, fetch })
      onTestsEnd(() => server.stop(true))
      const listen = { hostname, port: server.port ?? expect.unreachable() }
      const [found] = await checkPorts({ ...configOf(), listen })
      expect(found?.found).toStartWith(`Quire 0.0.1 (abc) answers at ${formatAddress(listen)}`)
    }
  })
})

describe('the data directory', () => {
  const places = (where: string, more: Partial<Config> = {}) => ({ ...configOf({}, where), ...more })

  test('is made by the first start where it can be, and is wrong where something else is in its place', () => {
    const where = temporaryFolder()
    const dataFolder = join(where, 'a/b/c')
    expect(told(checkDataFolder(places(where, { dataFolder })))).toEqual([
      ['fine data', `${dataFolder} is made by the first start`],
    ])
    expect(readdirSync(where)).toEqual([])
    writeFileSync(join(where, 'quire-data'), '')
    expect(told(checkDataFolder(places(where)))).toEqual([
      [
        'wrong data',
        `${join(where, 'quire-data')} is no directory → name a directory in QUIRE_DATA, or move that file away`,
      ],
    ])
    expect(checkDataFolder(places(where, { dataFolder: join(where, 'quire-data/below') }))[0]).toMatchObject({
      verdict: 'wrong',
      found: expect.stringContaining("is not there and can't be made (ENOTDIR)"),
    })
  })

  test('is fine when nobody else can write it, wrong when all share it, and the database counts with its log', () => {
    const where = temporaryFolder()
    const data = join(where, 'quire-data')
    mkdirSync(data, { mode: 0o755 })
    expect(told(checkDataFolder(places(where)))).toEqual([['fine data', `${data} can be written, and by nobody else`]])
    for (const name of ['quire.db', 'quire.db-wal', 'quire.db-shm', 'signing-key', 'other']) {
      writeFileSync(join(data, name), '')
      chmodSync(join(data, name), 0o640)
    }
    expect(told(checkDataFolder(places(where))).map(([, line]) => line)).toEqual(
      ['signing-key', 'quire.db', 'quire.db-wal', 'quire.db-shm'].map(
        (name) => `${data}/${name} has mode 0640, open to other users → chmod 0600 ${data}/${name}`,
      ),
    )
    const remote = places(where, { databaseUrl: 'postgres://q@127.0.0.1/q' })
    expect(checkDataFolder(remote)).toHaveLength(1)
    chmodSync(data, 0o1777)
    expect(checkDataFolder(remote)[0]).toMatchObject({
      ...{ verdict: 'wrong', found: `${data} is shared by all users of this machine` },
    })
  })

  test.if(process.getuid?.() === 0)('of another user is reported to root, who could write it anyway', () => {
    const where = temporaryFolder()
    const data = join(where, 'quire-data')
    mkdirSync(data, { mode: 0o755 })
    Bun.spawnSync(['chown', '12345', data], { env: {} })
    expect(told(checkDataFolder(places(where)))).toEqual([
      [
        'advice data',
        `${data} belongs to user 12345, and this is root, who may do everything → ask as that user: sudo -u '#12345' quire doctor`,
      ],
    ])
  })

  test('is looked at once for each disk, also for what is kept beside it', () => {
    const where = temporaryFolder()
    const disks = (...paths: string[]) => new Set(paths.map((path) => statSync(path).dev)).size
    const remote = { databaseUrl: 'postgres://q@h/q', objectsUrl: 's3://bucket/p' }
    expect(checkDisks(places(where, remote))).toHaveLength(1)
    // Another file system on every Linux, and nothing is written there.
    for (const heads of [
      { auditHeads: '/proc/self/heads.jsonl' },
      { objectsUrl: 'file:/proc/self/none' },
      { databaseUrl: 'file:/proc/self/q.db' },
    ]) {
      const found = checkDisks(places(where, { ...remote, ...heads }))
      expect(found).toHaveLength(disks(where, '/proc/self'))
      expect(found[0]?.found).toContain(where)
      expect(found.at(-1)?.found).toContain('/proc/self')
    }
  })

  test('is reported by the median of its syncs, in a unit that fits it', () => {
    const { doctorSyncQuickUs: quick, doctorSyncSlowUs: slow } = limits
    const of = (...took: number[]) =>
      told([findingOfSyncs(took)])
        .flat()
        .join(': ')
    expect(of(9_000, 200, 1_000_000)).toBe('fine sync: a commit waits 9.0 ms for the disk (median of 3)')
    expect(of(100, 20, 30, 300.4)).toBe('fine sync: a commit waits 100 µs for the disk (median of 4)')
    expect(of(quick)).toStartWith('fine sync: a commit waits 10 µs')
    expect(of(slow)).toStartWith('fine sync: a commit waits 50 ms')
    expect(of(10_000)).toStartWith('fine sync: a commit waits 10 ms')
    expect(of(1_000)).toStartWith('fine sync: a commit waits 1.0 ms')
    expect(of(0.2)).toStartWith('advice sync: a commit waits 1 µs for the disk (median of 1): no disk is so quick')
    expect(of(quick - 0.6)).toStartWith('advice sync: a commit waits 9 µs')
    expect(of(slow + 1_000)).toBe(
      'advice sync: a commit waits 51 ms for the disk (median of 1), so few fit into a second → take a quicker disk, or PostgreSQL on one',
    )
  })

  test('has its syncs measured, and nothing of that stays', () => {
    const where = temporaryFolder()
    const [found] = checkSync(places(where))
    expect(found?.found).toMatch(/^a commit waits [\d.]+ (µs|ms) for the disk \(median of \d+\)/)
    const median = Number(/median of (\d+)/.exec(found?.found ?? '')?.[1])
    expect(median).toBeGreaterThanOrEqual(3)
    expect(median).toBeLessThanOrEqual(limits.doctorSyncs)
    expect(readdirSync(where)).toEqual([])
    writeFileSync(join(where, 'quire-data'), '')
    expect(told(checkSync(places(where)))).toEqual([
      ['unchecked sync', `nothing can be written to ${join(where, 'quire-data')} (ENOTDIR)`],
    ])
  })
})

describe('the machine', () => {
  test('is named with the build and the runtime', () => {
    expect(told(checkVersions())).toEqual([
      [
        'fine versions',
        `Quire ${PRODUCT_VERSION}, revision ${REVISION}, Bun ${Bun.version}, ${process.platform} ${process.arch}`,
      ],
    ])
  })

  test('has memory for the service and each worker, or the report says for how many workers', () => {
    const each = limits.doctorMemoryBytes
    expect(told(checkMemory({ workers: 1 }, 2 * each))).toEqual([['fine memory', '286 MiB for 1 worker']])
    expect(told(checkMemory({ workers: 2 }, 3 * each))).toEqual([['fine memory', '429 MiB for 2 workers']])
    expect(told(checkMemory({ workers: 4 }, 4 * each - 1))).toEqual([
      ['advice memory', '572 MiB for 4 workers, which want 715 MiB → allow more, or set QUIRE_WORKERS to 2'],
    ])
    expect(checkMemory({ workers: 2 }, each / 2)[0]?.remedy).toEndWith('QUIRE_WORKERS to 1')
    expect(checkMemory({ workers: 1_000_000 })[0]?.found).toStartWith(
      `${bytesInWords(Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()))} for `,
    )
  })

  test('has fonts in each folder that is named, or the report says what is in it', () => {
    const where = temporaryFolder()
    const [empty, mixed, good] = ['empty', 'mixed', 'good'].map((name) => join(where, name)) as [string, string, string]
    for (const each of [empty, mixed, good]) mkdirSync(each)
    const [font = expect.unreachable()] = new Bun.Glob('**/*.ttf').scanSync({ cwd: 'src', absolute: true })
    copyFileSync(font, join(mixed, 'a.ttf'))
    copyFileSync(font, join(good, 'a.ttf'))
    writeFileSync(join(mixed, 'b.ttf'), 'no font')
    expect(told(checkFonts({ fontFolders: [] }))).toEqual([['fine fonts', 'those of the executable']])
    const none = join(where, 'none')
    expect(told(checkFonts({ fontFolders: [empty, mixed, good, none] }))).toEqual([
      ['advice fonts', `${empty} has no font that can be used → put .ttf, .otf or .ttc files there, or leave it out`],
      [
        'advice fonts',
        `1 of the files in ${mixed} are no usable fonts, such as ${mixed}/b.ttf → replace or remove them; the others are used`,
      ],
      ['fine fonts', `1 in ${good}`],
      [
        'wrong fonts',
        expect.stringMatching(new RegExp(`^${none} can't be read: .*ENOENT.* → let the user that runs Quire read it$`)),
      ],
    ])
  })

  test('has LibreOffice if it is to make the PDFs, or the report says whether it is there', async () => {
    const where = temporaryFolder()
    const program = (name: string, script: string) => {
      writeFileSync(join(where, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      return { soffice: join(where, name) }
    }
    expect(await checkRenderer({ renderer: 'quire' })).toEqual([])
    expect(told(await checkRenderer({ renderer: program('good', 'echo LibreOffice 9.8.7') }))).toEqual([
      ['fine renderer', 'LibreOffice 9.8.7'],
    ])
    expect(told(await checkRenderer({ renderer: program('bad', 'exit 1') }))).toEqual([
      ['wrong renderer', `${where}/bad does not answer as LibreOffice → mend it, or set QUIRE_RENDERER to quire`],
    ])
    expect((await checkRenderer({ renderer: { soffice: join(where, 'none') } }))[0]?.found).toBe(
      `${where}/none is not there`,
    )
  })
})

describe('what Quire speaks to', () => {
  test('is fine while the broker and the objects are its own', async () => {
    expect(told(await checkBroker({ mqttUrl: 'embedded://127.0.0.1:1883' }))).toEqual([
      ['fine broker', 'the one inside'],
    ])
    for (const [mqttUrl, verdict] of [
      ['embedded://u:p@0.0.0.0:1883', 'advice broker'],
      ['embedded+tls://u:p@0.0.0.0:8883', 'fine broker'],
    ] as const) {
      expect(told(await checkBroker({ mqttUrl }))[0]?.[0]).toBe(verdict)
    }
    const root = join(temporaryFolder(), 'objects')
    expect(told(await checkObjects({ objectsUrl: `file:${root}` }))).toEqual([
      ['fine objects', `${root} is made by the first start`],
    ])
    mkdirSync(join(root, 'unfinished'), { recursive: true })
    expect(told(await checkObjects({ objectsUrl: `file:${root}` }))).toEqual([
      ['fine objects', `file:${root} takes, gives and removes a probe`],
    ])
    const left = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(left.filter(({ name }) => readFileSync(join(root, name), 'utf8') === 'probe')).toEqual([])
  })
})
