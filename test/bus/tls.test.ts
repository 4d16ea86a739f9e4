import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { mosquittoAvailable, type PrivateMosquitto, startMosquitto } from './mosquitto.ts'

const canRun = mosquittoAvailable && canMakeCertificates && Bun.which('mosquitto_passwd') !== null
if (!canRun && process.env.CI === 'true') throw new Error('mosquitto_passwd must be installed in CI')
if (!canRun) process.stderr.write('SKIPPED: TLS and credentials (install the package mosquitto)\n')

describe.if(canRun)('mosquitto with TLS and credentials', () => {
  let broker: PrivateMosquitto
  let authority: string

  beforeAll(async () => {
    broker = await startMosquitto({
      scheme: 'mqtts',
      settings: (folder) => {
        const { certificate, key } = makeCertificate(folder, 'broker')
        authority = certificate
        const users = join(folder, 'users')
        writeFileSync(users, '')
        Bun.spawnSync(['mosquitto_passwd', '-b', users, 'quire', 'pass:word/1'])
        return ['allow_anonymous false', `password_file ${users}`, `certfile ${authority}`, `keyfile ${key}`]
      },
    })
  })

  /** A process of its own: which authorities are trusted is read when it starts. */
  async function publishAs(
    credentials: string,
    environment: Record<string, string>,
    patienceMs = 1_500,
  ): Promise<string> {
    const url = broker.url.replace('//', `//${credentials}`)
    const code = `const { openBus } = await import(${JSON.stringify(join(import.meta.dir, '../../src/bus/bus.ts'))})
      const bus = await openBus(${JSON.stringify(url)})
      const connected = new Promise((resolve) => bus.onConnected(resolve))
      await Promise.race([connected, Bun.sleep(${patienceMs})])
      console.log(await bus.publish('quire/v1/x', 'y', { deadlineMs: ${patienceMs} }).then(() => 'published', (e) => e.name))
      process.exit()`
    const child = Bun.spawn([process.execPath, '-e', code], {
      env: { PATH: process.env.PATH ?? '', ...environment },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    return (await new Response(child.stdout).text()).trim()
  }

  test('takes what an instance publishes that trusts it and has the password', async () => {
    expect(await publishAs('quire:pass%3Aword%2F1@', { NODE_EXTRA_CA_CERTS: authority }, 10_000)).toBe('published')
  })

  test('is not spoken to when its certificate is not trusted, nor with a wrong password or none', async () => {
    expect(await publishAs('quire:pass%3Aword%2F1@', {})).toBe('BusUnavailable')
    expect(await publishAs('quire:wrong@', { NODE_EXTRA_CA_CERTS: authority })).toBe('BusUnavailable')
    expect(await publishAs('', { NODE_EXTRA_CA_CERTS: authority })).toBe('BusUnavailable')
  })
})
