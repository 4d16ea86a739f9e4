import { describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { demo } from '../../src/demo/demo.ts'
import { CertificateUnusable, readCertificate, remarkOn } from '../../src/http/certificate.ts'
import { Closing } from '../../src/http/closing.ts'
import { listen } from '../../src/http/server.ts'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

function refusalOf(files: { certificate: string; key: string }): string {
  try {
    readCertificate(files)
  } catch (error) {
    expect(error).toBeInstanceOf(CertificateUnusable)
    return String((error as Error).message)
  }
  return 'accepted'
}

/** One connection, spoken to in bytes, so that nothing is sent again behind the test's back. */
async function openLine(port: number) {
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  let text = ''
  let isEnded = false
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isEnded = true
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
  })
  return {
    serial: socket.getPeerCertificate().serialNumber,
    send: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`),
    answered: () => until('an answer', () => /\r\n\r\n(.+)$/s.exec(text)?.[1]),
    isEnded: () => isEnded,
    head: () => text.split('\r\n\r\n')[0] ?? '',
    end: () => socket.destroy(),
  }
}

/** Prints that it has subscribed, and then each topic that it hears of. */
const SUBSCRIBER = `import { connectAsync } from 'mqtt'
const [url, certificate] = process.argv.slice(1)
const client = await connectAsync(url, { ca: await Bun.file(certificate).text(), protocolVersion: 4 })
client.on('message', (topic) => console.log(topic))
await client.subscribeAsync('quire/v1/submission/#', { qos: 1 })
console.log('subscribed')`

describe.if(canMakeCertificates)('TLS', () => {
  test('refuses files that can not be used, and names setting, file and remedy', () => {
    const folder = temporaryFolder()
    const first = makeCertificate(folder, 'first')
    const second = makeCertificate(folder, 'second')
    const other = join(folder, 'other.pem')
    writeFileSync(other, 'hello')
    const locked = join(folder, 'locked.key')
    Bun.spawnSync(['openssl', 'pkey', '-in', first.key, '-aes128', '-passout', 'pass:x', '-out', locked])
    const broken = join(folder, 'broken.crt')
    copyFileSync(first.certificate, broken)
    writeFileSync(broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', { flag: 'a' })
    const pipe = join(folder, 'pipe.crt')
    Bun.spawnSync(['mkfifo', pipe])
    expect(refusalOf(first)).toBe('accepted')
    for (const [files, words] of [
      [
        { ...first, key: second.key },
        `QUIRE_TLS_KEY: ${second.key} is not the key of ${first.certificate}; name the two`,
      ],
      [{ ...first, key: other }, `QUIRE_TLS_KEY: ${other} holds no private key; it takes PEM`],
      [
        { ...first, key: locked },
        `QUIRE_TLS_KEY: ${locked} has a passphrase; write it without: openssl pkey -in ${locked}`,
      ],
      [{ ...first, key: `${other}x` }, `QUIRE_TLS_KEY: there is no file ${other}x; make it, or correct the path`],
      [{ ...first, key: folder }, `QUIRE_TLS_KEY: ${folder} can't be read (EISDIR); let the user`],
      // A read of these would never end.
      [{ ...first, key: '/dev/zero' }, 'QUIRE_TLS_KEY: /dev/zero is no regular file; it takes PEM'],
      [{ ...first, certificate: pipe }, `QUIRE_TLS_CERTIFICATE: ${pipe} is no regular file; it takes PEM`],
      [{ ...first, certificate: other }, `QUIRE_TLS_CERTIFICATE: ${other} holds no certificate; it takes PEM`],
      [{ ...first, certificate: broken }, `QUIRE_TLS_CERTIFICATE: ${broken} can't be used (`],
    ] as const) {
      expect(refusalOf(files)).toStartWith(words)
    }
  })

  test('reports a certificate that expires, expired or has not begun', () => {
    const certificate = readCertificate(makeCertificate(temporaryFolder(), 'short'))
    const at = (days: number) => remarkOn(certificate, Date.parse(certificate.leaf.validTo) + days * 86_400_000)
    expect(at(-1)).toMatch(/^it expires on \d{4}-\d\d-\d\d; renew it$/)
    expect(at(1)).toMatch(/^it expired on .*; renew it$/)
    expect(at(-3)).toMatch(/^it begins on .*is the clock right\?$/)
    const long = { ...certificate, leaf: { validFrom: 'Jan 1 2000', validTo: 'Jan 1 2100' } as typeof certificate.leaf }
    expect(remarkOn(long, Date.now())).toBeUndefined()
  })

  test('serves a renewed certificate to new connections, and cuts no request that is under way', async () => {
    const folder = temporaryFolder()
    const names = ['first', 'second'].map((name) => makeCertificate(folder, name))
    // As Kubernetes and certbot leave them: names that lead to the files in force.
    const point = (to: { certificate: string; key: string }) => {
      const next = join(folder, `v${crypto.randomUUID()}`)
      mkdirSync(next)
      copyFileSync(to.certificate, join(next, 'tls.crt'))
      copyFileSync(to.key, join(next, 'tls.key'))
      symlinkSync(next, `${next}.link`)
      renameSync(`${next}.link`, join(folder, 'current'))
    }
    point(names[0]!)
    const tls = { certificate: join(folder, 'current/tls.crt'), key: join(folder, 'current/tls.key') }
    const lines: string[] = []
    const log = createLog({ level: 'info', readable: false, write: (line) => lines.push(line) })
    const held = Promise.withResolvers<void>()
    const application = {
      fetch: async (request: Request) => {
        if (request.url.endsWith('/held')) await held.promise
        return new Response(`done ${new URL(request.url).pathname}`)
      },
    }
    const address = { hostname: '127.0.0.1', port: await freePort() }
    const server = listen(application, { address, log, closing: new Closing(), tls })
    onTestsEnd(() => server.close(0))
    expect(() => listen(application, { address, log, closing: new Closing(), tls })).toThrow()
    expect(() => listen(application, { address, log, closing: new Closing() })).toThrow()

    const early = await openLine(server.port)
    early.send('/held')
    // Half of a renewal: a certificate and another's key.
    point({ certificate: names[1]!.certificate, key: names[0]!.key })
    await until('the half is refused', () => lines.some((line) => line.includes('is not served')))
    const meanwhile = await openLine(server.port)
    expect(meanwhile.serial).toBe(early.serial)
    meanwhile.end()
    point(names[1]!)
    await until('the new one is served', () => lines.some((line) => line.includes('a new certificate is served')))
    for (let tries = 0; tries < 20; tries++) {
      const late = await openLine(server.port)
      expect(late.serial).not.toBe(early.serial)
      late.send('/late')
      expect(await late.answered()).toBe('done /late')
      expect(late.head().toLowerCase()).toContain(`strict-transport-security: max-age=${limits.strictTransportSeconds}`)
      late.end()
    }
    expect(early.isEnded()).toBe(false)
    held.resolve()
    expect(await early.answered()).toBe('done /held')
    await server.close(2_000)
    expect(await openLine(server.port).catch(() => 'closed')).toBe('closed')
  })

  test('speaks TLS 1.2 and 1.3 alone, with forward secrecy and authenticated encryption', async () => {
    const tls = makeCertificate(temporaryFolder(), 'own')
    const log = createLog({ level: 'error', readable: false, write: () => {} })
    const application = { fetch: () => new Response('done') }
    const address = { hostname: '127.0.0.1', port: await freePort() }
    const server = listen(application, { address, log, closing: new Closing(), tls })
    onTestsEnd(() => server.close(0))
    /** What OpenSSL gets that may use everything it knows, or only some ciphers. */
    const spoken = async (version: string, ciphers = 'ALL') => {
      const command = ['openssl', 's_client', '-connect', `127.0.0.1:${server.port}`, version]
      const options = { stdin: new Blob(['']), stdout: 'pipe', stderr: 'ignore' } as const
      const child = Bun.spawn([...command, '-cipher', `${ciphers}:@SECLEVEL=0`], options)
      return /^New, .*Cipher is (\S+)$/m.exec(await new Response(child.stdout).text())?.[1]
    }
    for (const old of ['-tls1', '-tls1_1']) expect([old, await spoken(old)]).toEqual([old, '(NONE)'])
    expect(await spoken('-tls1_3')).toStartWith('TLS_')
    expect(await spoken('-tls1_2')).toMatch(/^ECDHE-ECDSA-(AES(128|256)-GCM|CHACHA20)/)
    for (const cipher of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA', 'AES128-GCM-SHA256', 'AES128-SHA']) {
      expect([cipher, await spoken('-tls1_2', cipher)]).toEqual([cipher, '(NONE)'])
    }
  })

  test('a server over TLS gives its cookie to it alone, says so at its start, and the doctor finds it in order', async () => {
    const folder = temporaryFolder()
    const { certificate, key } = makeCertificate(folder, 'own')
    const broker = `reader:secret@127.0.0.1:${await freePort()}`
    const settings = {
      ...{ QUIRE_TLS_CERTIFICATE: certificate, QUIRE_TLS_KEY: key, QUIRE_MQTT_URL: `embedded+tls://${broker}` },
    }
    const quire = await startQuire({ environment: settings })
    expect(quire.origin).toStartWith('https://127.0.0.1:')
    const trusting = { tls: { ca: Bun.file(certificate) } }
    const login = await fetch(`${quire.origin}/api/v1/auth/login`, {
      method: 'POST',
      headers: { origin: quire.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ username: quire.username, password: quire.password }),
      ...trusting,
    })
    expect(login.status).toBe(200)
    const cookie = login.headers.getSetCookie().find((value) => value.startsWith('__Host-quire='))
    expect(cookie).toMatch(/; Secure\b/i)
    expect(login.headers.get('strict-transport-security')).toBe('max-age=31536000')
    const session = await fetch(`${quire.origin}/api/v1/auth/session`, {
      headers: { cookie: cookie!.split(';')[0]! },
      ...trusting,
    })
    expect(session.status).toBe(200)

    // In a process of its own: connections of this one were cut after certain other tests.
    const subscriber = Bun.spawn([process.execPath, '-e', SUBSCRIBER, `mqtts://${broker}`, certificate], {
      cwd: import.meta.dir,
      stdout: 'pipe',
    })
    onTestsEnd(() => subscriber.kill())
    const heard = subscriber.stdout.pipeThrough(new TextDecoderStream()).getReader()
    expect((await heard.read()).value).toBe('subscribed\n')
    const { raw_input, metadata } = demo.scenarios[0]!
    const { csrf_token } = (await login.json()) as { csrf_token: string }
    const submitted = await fetch(`${quire.origin}/api/v1/submissions`, {
      method: 'POST',
      headers: {
        ...{ origin: quire.origin, cookie: cookie!.split(';')[0]!, 'x-csrf-token': csrf_token },
        ...{ 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      },
      body: JSON.stringify({ ingestion_model: demo.ingestionModel.slug, raw_input, metadata }),
      ...trusting,
    })
    expect(submitted.status).toBe(202)
    expect((await heard.read()).value).toStartWith('quire/v1/submission/')
    subscriber.kill()
    const page = await fetch(`${quire.origin}/`, trusting)
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(page.headers.get('permissions-policy')).toContain('camera=()')
    expect(await Bun.file(join(quire.folder, 'stdout')).text()).toContain(`Console   ${quire.origin}/`)
    const listening = { ...settings, QUIRE_LISTEN: new URL(quire.origin).host }
    const { stdout, code } = await runCommand(quire.folder, ['doctor'], listening)
    expect(stdout).toMatch(/\nok {5}ports {9}Quire \S+ answers at /)
    expect(stdout).toMatch(/\nlook {3}certificates {2}that of .*own\.crt expires on .*, in 1 day\n/)
    expect(code).toBe(0)
    expect(await quire.stop()).toBe(0)
  })

  test('a start with half of the settings, or with files that do not fit, ends with one line', async () => {
    const folder = temporaryFolder()
    const { certificate, key } = makeCertificate(folder, 'own')
    const other = makeCertificate(folder, 'other')
    chmodOpen(key)
    const listening = { QUIRE_LISTEN: `127.0.0.1:${await freePort()}` }
    const start = (settings: Record<string, string>) => runCommand(folder, ['serve'], { ...listening, ...settings })
    expect(await start({ QUIRE_TLS_CERTIFICATE: certificate })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'quire: QUIRE_TLS_KEY: QUIRE_TLS_CERTIFICATE is set, and this is not; it takes the PEM file of its key\n',
    })
    expect(await start({ QUIRE_TLS_CERTIFICATE: certificate, QUIRE_TLS_KEY: other.key })).toEqual({
      code: 2,
      stdout: '',
      stderr: `quire: QUIRE_TLS_KEY: ${other.key} is not the key of ${certificate}; name the two that were made together\n`,
    })
    const { stdout } = await runCommand(folder, ['doctor'], {
      ...listening,
      QUIRE_TLS_CERTIFICATE: certificate,
      QUIRE_TLS_KEY: key,
      QUIRE_ORIGINS: 'https://quire.example.org',
    })
    expect(stdout).toContain(`WRONG  certificates  ${certificate} is not for quire.example.org\n`)
    expect(stdout).toContain(`WRONG  certificates  ${key} can be read by every user of this machine\n`)
  })
})

function chmodOpen(path: string): void {
  Bun.spawnSync(['chmod', '0644', path])
}
