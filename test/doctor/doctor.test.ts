import { Database as Libsql } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Finding } from '../../src/doctor/finding.ts'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort, postgresAvailable, startPostgres } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'
import { smallDisk } from '../support/small-disk.ts'
import { startBucket } from './bucket.ts'

interface Visit {
  code: number
  stderr: string
  /** All that isn't fine, as `check: found → remedy`. */
  told: string[]
  findings: Finding[]
}

async function visit(folder: string, settings: Record<string, string> = {}): Promise<Visit> {
  const listen = { QUIRE_LISTEN: `127.0.0.1:${await freePort()}` }
  const { code, stdout, stderr } = await runCommand(folder, ['doctor', '--json'], { ...listen, ...settings })
  const answer = JSON.parse(stdout) as { wrong: number; advice: number; findings: Finding[] }
  const count = (verdict: string) => answer.findings.filter((finding) => finding.verdict === verdict).length
  expect([answer.wrong, answer.advice]).toEqual([count('wrong'), count('advice')])
  expect(code).toBe(answer.wrong > 0 ? 1 : 0)
  const told = answer.findings
    // How quick this machine's disks are, and how much memory it has, is nothing that a test may rest on.
    .filter(({ verdict, check }) => verdict !== 'fine' && (!['sync', 'memory'].includes(check) || verdict === 'wrong'))
    .map(({ check, verdict, found, remedy }) => `${verdict} ${check}: ${found} → ${remedy}`)
  return { code, stderr, told, findings: answer.findings }
}

const fresh = () => temporaryFolder()

test('an empty folder is fine, and the doctor leaves nothing in it', async () => {
  const folder = fresh()
  const { told, findings } = await visit(folder)
  expect(told).toEqual([])
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['versions', 'settings', 'data', 'disk', 'sync', 'ports', 'database', 'objects', 'broker']),
  )
  expect(readdirSync(folder)).toEqual([])
})

test('beside the server that it looks at, everything is fine, it is named, and no file is more or less', async () => {
  const quire = await startQuire()
  const data = join(quire.folder, 'quire-data')
  const files = () => readdirSync(data, { recursive: true }).map(String).sort()
  const before = files()
  const { told, findings } = await visit(quire.folder, { QUIRE_LISTEN: new URL(quire.origin).host })
  expect(told).toEqual([])
  expect(findings.find(({ check }) => check === 'ports')?.found).toMatch(/^Quire \S+ answers at 127\.0\.0\.1:\d+$/)
  expect(findings.find(({ check }) => check === 'database')?.found).toMatch(/SQLite 3\..*all \d+ migrations/)
  expect(findings.find(({ check }) => check === 'objects')?.found).toContain('takes, gives and removes a probe')
  expect(files()).toEqual(before)
  expect((await fetch(`${quire.origin}/health/ready`)).status).toBe(200)
  expect(await quire.stop()).toBe(0)
})

test('the report for people has a line for each finding, an arrow with the remedy, and a verdict', async () => {
  const folder = fresh()
  const settings = { QUIRE_LISTEN: `127.0.0.1:${await freePort()}`, QUIRE_DATABSE_URL: 'x' }
  const loose = await runCommand(folder, ['doctor', '--strict'], settings)
  expect(loose.code).toBe(3)
  expect(loose.stdout).toContain(
    'look   settings      QUIRE_DATABSE_URL: there is no such setting, so it is ignored\n' +
      '                     → did you mean QUIRE_DATABASE_URL?\n',
  )
  expect(loose.stdout).toMatch(/\nok {5}ports {9}127\.0\.0\.1:\d+ is free\n/)
  expect(loose.stdout).toMatch(/\n\nnothing wrong, \d+ to look at\n$/)
  expect((await runCommand(folder, ['doctor'], settings)).code).toBe(0)
})

test('a setting that can not be used is reported with its remedy, and a secret is not shown', async () => {
  expect((await visit(fresh(), { QUIRE_SECRET: 'too short a secret' })).told).toEqual([
    'wrong settings: QUIRE_SECRET: it has 18 characters → it takes a key for CSRF tokens, cookies, cursors, second factors and secrets of webhooks, 32 characters or more',
  ])
  const folder = fresh()
  mkdirSync(join(folder, 'quire-data'), { mode: 0o700 })
  writeFileSync(join(folder, 'quire-data/secret'), 'hunter2\n', { mode: 0o600 })
  writeFileSync(join(folder, 'quire-data/signing-key'), 'zz\n', { mode: 0o600 })
  const { told } = await visit(folder)
  expect(told).toEqual([
    expect.stringMatching(/^wrong settings: .*quire-data\/secret holds no key of 32 characters or more → remove it/),
    expect.stringMatching(/^wrong settings: QUIRE_SIGNING_KEY: .*holds no key of 64 .* → bring it back/),
  ])
  expect(told.join()).not.toContain('hunter2')
})

test('modes that let others in are reported with the command that closes them, which does', async () => {
  const folder = fresh()
  const data = join(folder, 'quire-data')
  mkdirSync(data)
  writeFileSync(join(data, 'secret'), 'a secret of more than thirty-two characters\n')
  chmodSync(data, 0o777)
  chmodSync(join(data, 'secret'), 0o644)
  const { told } = await visit(folder)
  expect(told).toEqual([
    `wrong data: ${data} has mode 0777, open to other users → chmod 0755 ${data}`,
    `wrong data: ${data}/secret has mode 0644, open to other users → chmod 0600 ${data}/secret`,
  ])
  for (const line of told) expect(Bun.spawnSync(['sh', '-c', line.split('→ ')[1]!]).success).toBe(true)
  expect((await visit(folder)).told).toEqual([])
})

test('a port that another program has is reported, and how to find it', async () => {
  const server = createServer((socket) => socket.end('220 mail\r\n'))
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestsEnd(() => {
    server.close()
  })
  const { told } = await visit(fresh(), {
    QUIRE_LISTEN: `127.0.0.1:${port}`,
    QUIRE_METRICS_LISTEN: `127.0.0.1:${port}`,
  })
  expect(told).toEqual([
    `wrong ports: 127.0.0.1:${port} is taken by another program → find it with: ss -ltnp sport = :${port}; stop it, or set QUIRE_LISTEN to another port`,
    `wrong ports: 127.0.0.1:${port} is taken by another program → find it with: ss -ltnp sport = :${port}; stop it, or set QUIRE_METRICS_LISTEN to another port`,
  ])
  expect((await visit(fresh(), { QUIRE_LISTEN: '192.0.2.1:8080', QUIRE_ORIGINS: 'https://q.example' })).told).toEqual([
    'wrong ports: 192.0.2.1:8080 is no address of this machine → set QUIRE_LISTEN to one of them; 0.0.0.0 is all',
    expect.stringMatching(/^advice proxies: people come over TLS .* → set QUIRE_TRUSTED_PROXIES/),
  ])
})

const disk = smallDisk(30_000_000)
const readOnly = smallDisk(300_000_000)
if (disk === undefined) process.stderr.write('SKIPPED: full and read-only disks (needs the right to mount a tmpfs)\n')

test.if(disk !== undefined)('a disk below its reserve and a read-only one are reported', async () => {
  const { told } = await visit(fresh(), { QUIRE_DATA: join(disk!, 'data') })
  expect(told).toEqual([
    expect.stringMatching(/^wrong disk: 29 MiB free of 29 MiB at .*, less than the 64 MiB that stay free → make room/),
  ])
  mkdirSync(join(readOnly!, 'data'), { mode: 0o700 })
  const inMemory = await visit(fresh(), { QUIRE_DATA: join(readOnly!, 'data') })
  expect(inMemory.told).toEqual([expect.stringMatching(/^advice disk: .* is in memory/)])
  expect(inMemory.findings).toContainEqual({
    check: 'sync',
    verdict: 'advice',
    found: expect.stringMatching(/^a commit waits \d+ µs for the disk .*: no disk is so quick/),
    remedy: expect.stringContaining('libeatmydata'),
  })
  expect(Bun.spawnSync(['mount', '-o', 'remount,ro', readOnly!]).success).toBe(true)
  const { told: ofReadOnly } = await visit(fresh(), { QUIRE_DATA: join(readOnly!, 'data') })
  expect(ofReadOnly[0]).toMatch(/^wrong data: .* can't be written \(EROFS\) → mount its file system for writing$/)
})

describe('an embedded database', () => {
  test('that isn’t one, has another schema, or is of the future is reported as such', async () => {
    const quire = await startQuire()
    expect(await quire.stop()).toBe(0)
    const path = join(quire.folder, 'quire-data/quire.db')
    const change = (statement: string) => {
      const database = new Libsql(path)
      database.exec(statement)
      database.close()
    }
    expect((await visit(quire.folder)).told).toEqual([])
    change('create index rogue on submissions (id); drop index rogue; alter table submissions add column rogue text')
    expect((await visit(quire.folder)).told).toEqual([
      expect.stringMatching(/^wrong database: the schema was changed: the column submissions\.rogue is not Quire's →/),
    ])
    change('alter table submissions drop column rogue')
    change(
      "update audit_records set at = '2099-01-01T00:00:00.000000000Z' where id = (select max(id) from audit_records)",
    )
    expect((await visit(quire.folder)).told).toEqual([
      expect.stringMatching(
        /^wrong clock: the newest record of the store is from 2099-01-01T00:00:00Z, .* → set the clock/,
      ),
    ])
    change("insert into quire_migrations (name, applied_at) values ('9999_later', '2099')")
    expect((await visit(quire.folder)).told[0]).toMatch(
      /^wrong database: the database holds migration 9999_later, which .* → use the newer version that made it$/,
    )
    writeFileSync(path, 'no database at all, and longer than a header, which is of a hundred bytes'.repeat(20))
    expect((await visit(quire.folder)).told).toEqual([
      expect.stringMatching(
        /^wrong database: file:.* can't be used: .*not a database → it is no database: name the right/,
      ),
    ])
  })

  test('that is gone, though the marks say that there was one, is reported', async () => {
    const folder = fresh()
    writeFileSync(join(folder, 'quire-data.store'), '0198c3d2-7a10-7c00-8000-000000000000\n')
    expect((await visit(folder)).told).toEqual([
      expect.stringMatching(/^wrong database: .* is not there, and .*quire-data\.store says .* → bring its file back/),
    ])
  })
})

test('a PostgreSQL that does not answer is reported without its password', async () => {
  const port = await freePort()
  const { told } = await visit(fresh(), {
    QUIRE_DATABASE_URL: `postgres://quire:hunter2@127.0.0.1:${port}/quire`,
    QUIRE_SECRET: 'a secret of more than thirty-two characters',
  })
  expect(told).toEqual([
    `wrong database: postgres://…@127.0.0.1:${port}/quire can't be used: connect ECONNREFUSED 127.0.0.1:${port} → start the server, or correct host and port in QUIRE_DATABASE_URL`,
  ])
})

test.if(postgresAvailable)(
  'a PostgreSQL that can lose commits or has no such database is reported',
  async () => {
    const url = await (await startPostgres()).createDatabase()
    const settings = { QUIRE_SECRET: 'a secret of more than thirty-two characters' }
    // The tests' own server runs without fsync.
    expect((await visit(fresh(), { ...settings, QUIRE_DATABASE_URL: url })).told).toEqual([
      'wrong database: fsync is off: the database may be destroyed when the power fails → set fsync = on in postgresql.conf',
    ])
    const missing = await visit(fresh(), { ...settings, QUIRE_DATABASE_URL: `${url}_none` })
    expect(missing.told).toEqual([
      expect.stringMatching(
        /^wrong database: .* database "test_.*_none" does not exist → make the database, or correct its name/,
      ),
    ])
  },
  60_000,
)

test('a broker that does not answer, and one that isn’t a broker, are reported', async () => {
  const port = await freePort()
  const { told } = await visit(fresh(), { QUIRE_MQTT_URL: `mqtt://quire:hunter2@127.0.0.1:${port}` })
  expect(told).toEqual([
    `wrong broker: mqtt://…@127.0.0.1:${port} can't be used: connect ECONNREFUSED 127.0.0.1:${port} → start the broker, or correct QUIRE_MQTT_URL`,
  ])
})

describe('a bucket', () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'someone', AWS_SECRET_ACCESS_KEY: 'something' }

  test('that loses what it took is reported by the command', async () => {
    const { url } = startBucket({ staleReads: 5 })
    expect((await visit(fresh(), { ...credentials, QUIRE_OBJECTS_URL: url })).told).toEqual([
      expect.stringMatching(/^wrong objects: 5 of 5 reads did not find what was just written: it is not consistent →/),
    ])
  })

  test.if(canMakeCertificates)(
    'whose certificate ends soon or is not trusted is reported',
    async () => {
      const folder = fresh()
      const { certificate, key } = makeCertificate(folder, 'bucket')
      const { url } = startBucket({}, { cert: Bun.file(certificate), key: Bun.file(key) })
      const settings = { ...credentials, QUIRE_OBJECTS_URL: url }
      const soon = expect.stringMatching(
        /^advice certificates: that of 127\.0\.0\.1:\d+ expires on .*, in 1 day → renew it$/,
      )
      expect((await visit(folder, { ...settings, NODE_EXTRA_CA_CERTS: certificate })).told).toEqual([soon])
      expect((await visit(folder, settings)).told).toEqual([
        expect.stringMatching(
          /^wrong objects: .*certificate.* → name the authority's certificate in NODE_EXTRA_CA_CERTS/,
        ),
        soon,
      ])
    },
    60_000,
  )
})
