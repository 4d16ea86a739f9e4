import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretVariables } from '../../src/config.ts'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const hasProc = existsSync('/proc/self/environ')
const source = join(import.meta.dir, '../../src/native/forget-environment.ts')

test.if(hasProc)(
  'values are gone from the process, from what the system keeps of it, and from its children',
  async () => {
    const script = `
    import { readFileSync } from 'node:fs'
    import { forgetVariables } from ${JSON.stringify(source)}
    forgetVariables(['ONE_SECRET', 'OTHER_SECRET', 'NEVER_SET'])
    const child = Bun.spawnSync(['env'], { env: process.env }).stdout.toString()
    process.stdout.write(readFileSync('/proc/self/environ', 'utf8') + child + String(process.env.ONE_SECRET))
  `
    const { stdout } = Bun.spawnSync([process.execPath, '-e', script], {
      env: { ONE_SECRET: 'gehéim=1', ONE_SECRET_MORE: 'stays', KEPT: 'OTHER_SECRET=kept', OTHER_SECRET: 'geheim-2' },
    })
    const text = stdout.toString()
    expect(text).not.toMatch(/geh.im/)
    expect(text).toEndWith('undefined')
    for (const kept of ['ONE_SECRET_MORE=stays', 'KEPT=OTHER_SECRET=kept']) expect(text.split(kept).length).toBe(3)
  },
)

test.if(hasProc)('values that libraries read stay in the process and are not in what the system keeps of it', () => {
  const script = `
    import { readFileSync } from 'node:fs'
    import { hideVariables } from ${JSON.stringify(source)}
    hideVariables(['LIBRARY_SECRET', 'NEVER_SET'])
    process.stdout.write(JSON.stringify([readFileSync('/proc/self/environ', 'utf8'), process.env]))
  `
  const { stdout } = Bun.spawnSync([process.execPath, '-e', script], {
    env: { LIBRARY_SECRET: `geheim=${'é'.repeat(2_000)}`, KEPT: 'as it is' },
  })
  const [shown, environment] = JSON.parse(stdout.toString())
  expect([shown.includes('geheim'), shown.includes('KEPT=as it is')]).toEqual([false, true])
  expect(environment).toMatchObject({ LIBRARY_SECRET: `geheim=${'é'.repeat(2_000)}`, KEPT: 'as it is' })
  expect(environment).not.toHaveProperty('NEVER_SET')
})

test.if(hasProc)('requests still go through a proxy whose address the system shows no more', async () => {
  const asked: (string | null)[] = []
  using proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url, headers }) => {
      asked.push(url, headers.get('proxy-authorization'))
      return new Response('of the proxy')
    },
  })
  const script = `
    import { readFileSync } from 'node:fs'
    import { librarySecrets } from ${JSON.stringify(join(import.meta.dir, '../../src/config.ts'))}
    import { hideVariables } from ${JSON.stringify(source)}
    hideVariables(librarySecrets)
    const answer = await fetch('http://elsewhere.test/a')
    process.stdout.write(JSON.stringify([await answer.text(), readFileSync('/proc/self/environ', 'utf8')]))
  `
  for (const variable of ['HTTP_PROXY', 'http_proxy']) {
    const child = Bun.spawn([process.execPath, '-e', script], {
      env: { [variable]: `http://quire:geheim@127.0.0.1:${proxy.port}` },
    })
    const [answered, shown] = JSON.parse(await new Response(child.stdout).text())
    expect([answered, shown.includes('geheim')]).toEqual(['of the proxy', false])
    expect(asked.splice(0)).toEqual(['http://elsewhere.test/a', `Basic ${btoa('quire:geheim')}`])
  }
})

test.if(hasProc)('a running server has no secret in its environment, and none of its threads has one', async () => {
  const folder = temporaryFolder()
  const secrets = {
    QUIRE_ADMIN_PASSWORD: 'geheim for the first one',
    QUIRE_SECRET: 'geheim and more than 32 characters long',
    QUIRE_DATABASE_URL: `file:${join(folder, 'geheim.db')}`,
    QUIRE_MQTT_URL: `embedded://geheim:geheim@127.0.0.1:${await freePort()}`,
  }
  for (const variable of Object.keys(secrets)) expect(secretVariables).toContain(variable)
  const port = await freePort()
  const ofLibraries = {
    AWS_SECRET_ACCESS_KEY: 'geheim-3',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=geheim-4',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://quire:geheim-5@127.0.0.1:9',
    HTTPS_PROXY: 'http://quire:geheim-6@127.0.0.1:9',
    all_proxy: 'http://quire:geheim-7@127.0.0.1:9',
  }
  const child = startCommand(folder, ['serve'], { QUIRE_LISTEN: `127.0.0.1:${port}`, ...secrets, ...ofLibraries })
  try {
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.ok
    await until('the server is ready', isReady, 60_000)
    expect(readFileSync(`/proc/${child.pid}/environ`, 'utf8')).toContain('QUIRE_LISTEN=127.0.0.1')
    expect(readFileSync(`/proc/${child.pid}/environ`, 'utf8')).not.toContain('geheim')
  } finally {
    child.kill('SIGTERM')
    await child.exited
  }
})
