import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiClient, untilEnded } from '../support/client.ts'
import { temporaryFolder } from '../support/database.ts'
import { bareEnvironment } from '../support/environment.ts'
import { freePort } from '../support/postgres.ts'
import { findBinary, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

async function run(args: string[], environment: Record<string, string> = {}, folder = temporaryFolder()) {
  const child = Bun.spawn([findBinary(), ...args], {
    cwd: folder,
    // Else a server of somebody else on the default port would be what is refused.
    env: {
      ...bareEnvironment,
      TMPDIR: folder,
      QUIRE_LISTEN: `127.0.0.1:${await freePort()}`,
      ...environment,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, stdout, stderr, folder }
}

describe('the executable', () => {
  test('prints its versions, and leaves nothing in the folder', async () => {
    const { code, stdout, folder } = await run(['version'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^quire 0\.33\.0 \(API 0\.8\.0, revision [0-9a-f]{40}, bun [\d.]+\)\n$/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('finishes its start when it is told to stop meanwhile, shows the generated password, and ends cleanly', async () => {
    const folder = temporaryFolder()
    const child = Bun.spawn([findBinary(), 'serve'], {
      cwd: folder,
      env: { ...bareEnvironment, TMPDIR: folder, QUIRE_LISTEN: `127.0.0.1:${await freePort()}` },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const told: string[] = []
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
      told.push(chunk)
      if (told.length === 1) child.kill('SIGTERM')
    }
    expect(told.join('')).toContain('"stopping","signal":"SIGTERM"')
    expect(await new Response(child.stdout).text()).toMatch(/Password {2}\S{20}/)
    expect(await child.exited).toBe(0)
    const again = await startQuire({ folder })
    expect(await again.stop()).toBe(0)
  })

  test('writes nothing that other users can read, though its folder and the umask would let them', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'quire-data'), { mode: 0o755 })
    const umask = process.umask(0o022)
    const quire = await startQuire({ folder }).finally(() => process.umask(umask))
    const open = [...new Bun.Glob('**/*').scanSync({ cwd: join(folder, 'quire-data'), onlyFiles: false, dot: true })]
      .map((name) => ({ name, mode: statSync(join(folder, 'quire-data', name)).mode & 0o077 }))
      .filter(({ mode }) => mode !== 0)
    expect(open).toEqual([])
    expect(await quire.stop()).toBe(0)
  })

  // From here on at the same time: most of it is waiting for programs to start.
  test.concurrent('ignores the variables that container platforms set for a service called quire, and warns of each', async () => {
    const quire = await startQuire({ environment: { QUIRE_SERVICE_HOST: '10.0.0.1', QUIRE_PORT: 'tcp://10.0.0.1:80' } })
    const log = await quire.log()
    for (const name of ['QUIRE_SERVICE_HOST', 'QUIRE_PORT']) expect(log).toContain(`${name}: there is no such setting`)
    expect(await quire.stop()).toBe(0)
  })

  test.concurrent.each([
    ['a wrong variable', ['serve'], { QUIRE_LISTEN: 'nowhere' }, /^quire: QUIRE_LISTEN: .*nowhere/],
    [
      'a data directory that is a file’s child',
      ['serve'],
      { QUIRE_DATA: '/etc/hostname/data' },
      /^quire: QUIRE_DATA: .*\/etc\/hostname\/data.*ENOTDIR/,
    ],
    [
      'a data directory on a read-only file system',
      ['serve'],
      { QUIRE_DATA: '/proc/quire' },
      /^quire: QUIRE_DATA: .*\/proc\/quire/,
    ],
    [
      'a database folder that is not there',
      ['serve'],
      { QUIRE_DATABASE_URL: 'file:/nowhere/quire.db' },
      /^quire: QUIRE_DATABASE_URL: .*\/nowhere\/quire\.db/,
    ],
    [
      'a PostgreSQL that does not answer',
      ['migrate'],
      { QUIRE_DATABASE_URL: 'postgres://u:geheim@127.0.0.1:1/db' },
      /^quire: QUIRE_DATABASE_URL: (?!.*geheim)/,
    ],
    ['an unknown command', ['server'], {}, /^quire: there is no command "server"/],
    [
      'an unknown option',
      ['serve', '--port', '80'],
      {},
      /^quire: there is no option "--port"; "quire help serve" lists them$/m,
    ],
    ['a user command without a name', ['user', 'add'], {}, /^quire: /],
  ] as [string, string[], Record<string, string>, RegExp][])(
    'refuses %s in one line, with exit code 2',
    async (_what, args, environment, line) => {
      const { code, stdout, stderr } = await run(args, environment)
      expect(stderr).toMatch(line)
      expect(stderr.trimEnd()).not.toContain('\n')
      expect(stdout).toBe('')
      expect(code).toBe(2)
    },
  )

  test.concurrent('prints the usage of any command on --help, and does nothing else', async () => {
    for (const args of [
      ['render', '--help'],
      ['backup', 'somewhere', '-h'],
    ]) {
      const { code, stdout, stderr } = await run(args, {})
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toStartWith(`Usage: quire ${args[0]} `)
    }
  })

  test.concurrent('refuses a port that is taken with one line and exit code 2, and releases its data', async () => {
    const port = await freePort()
    const taken = Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } })
    const { code, stderr, folder } = await run(['serve'], { QUIRE_LISTEN: `127.0.0.1:${port}`, QUIRE_LOG: 'error' })
    taken.stop(true)
    expect(stderr).toMatch(new RegExp(`^quire: QUIRE_LISTEN: 127.0.0.1:${port} is already in use`))
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(code).toBe(2)
    // The password it generated was never shown, so the next start must be able to show one.
    const again = await startQuire({ folder })
    expect((await new ApiClient(again.origin).login(again.username, again.password)).status).toBe(200)
    await again.stop()
  })

  test.concurrent('refuses the port of another Quire, instead of sharing its requests at random', async () => {
    const first = await startQuire()
    const { code, stderr } = await run(['serve'], {
      QUIRE_LISTEN: first.origin.replace('http://', ''),
      QUIRE_LOG: 'error',
    })
    expect(stderr).toMatch(/^quire: QUIRE_LISTEN: 127\.0\.0\.1:\d+ is already in use/)
    expect(code).toBe(2)
    await first.stop()
  })

  test.concurrent('makes no administrator in a failed start, so that the next one still shows the password', async () => {
    const folder = temporaryFolder()
    const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    for (const [variable, address] of [
      ['QUIRE_METRICS_LISTEN', `127.0.0.1:${taken.port}`],
      ['QUIRE_MQTT_URL', `embedded://127.0.0.1:${taken.port}`],
      ['QUIRE_RENDERER', '/bin/false'],
    ] as const) {
      const settings = { QUIRE_LISTEN: `127.0.0.1:${await freePort()}`, QUIRE_LOG: 'error', [variable]: address }
      const { code, stdout, stderr } = await run(['serve'], settings, folder)
      expect(stderr).toStartWith(`quire: ${variable}: `)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    }
    taken.stop(true)
    expect((await run(['user', 'list'], {}, folder)).stdout).not.toContain('admin')
    const quire = await startQuire({ folder })
    expect((await new ApiClient(quire.origin).login(quire.username, quire.password)).status).toBe(200)
    await quire.stop()
  }, 120_000)

  test.concurrent('answers who asked while it started when the start fails, and ends without waiting for them', async () => {
    // A database that takes a connection and says nothing until it hangs up holds the start where it is.
    const held = Promise.withResolvers<Bun.Socket>()
    const database = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { open: held.resolve, data() {} } })
    const port = await freePort()
    const ended = run(['serve'], {
      QUIRE_LISTEN: `127.0.0.1:${port}`,
      QUIRE_DATABASE_URL: `postgres://quire@127.0.0.1:${database.port}/quire`,
      QUIRE_OBJECTS_URL: 'file:./objects',
    })
    await held.promise
    const said: string[] = []
    const closed = Promise.withResolvers<void>()
    const socket = {
      data: (_: Bun.Socket, text: Buffer) => void said.push(text.toString()),
      close: () => closed.resolve(),
    }
    const caller = await Bun.connect({ hostname: '127.0.0.1', port, socket })
    caller.write('POST /api/v1/auth/login HTTP/1.1\r\nhost: quire\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n')
    await until('the request was received', () => said.join('').startsWith('HTTP/1.1 100 '))
    database.stop(true)
    expect(await ended).toMatchObject({ code: 2, stdout: '' })
    await closed.promise
    expect(said.join('')).toContain('HTTP/1.1 503 ')
  })

  test.concurrent('refuses a quire.yaml with a mistake', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'quire.yaml'), 'lisen: 127.0.0.1:80\n')
    const { code, stderr } = await run(['serve'], {}, folder)
    expect(stderr).toMatch(/^quire: quire\.yaml: there is no setting "lisen"/)
    expect(code).toBe(2)
  })

  test.concurrent('migrates, seeds and manages users without a server', async () => {
    const folder = temporaryFolder()
    const check = await run(['migrate', '--check'], {}, folder)
    expect(check).toMatchObject({ code: 1, stdout: expect.stringContaining('0000_initial') })
    expect(readdirSync(folder)).toEqual([])
    expect(await run(['migrate'], {}, folder)).toMatchObject({ code: 0, stdout: 'up to date\n' })
    expect(await run(['migrate', '--check'], {}, folder)).toMatchObject({ code: 0, stdout: 'up to date\n' })
    expect((await run(['demo'], {}, folder)).stdout).toContain('in force')
    expect((await run(['demo'], {}, folder)).stdout).toContain('already')
    const added = await run(['user', 'add', 'ada', '--role', 'engineer'], {}, folder)
    expect(added.code).toBe(0)
    const password = /is (\S+)$/m.exec(added.stdout)?.[1]
    expect((await run(['user', 'list'], {}, folder)).stdout).toContain('ada')
    expect((await run(['user', 'add', 'ada', '--role', 'engineer'], {}, folder)).code).toBe(1)
    const quire = await startQuire({ folder })
    const session = await new ApiClient(quire.origin).login('ada', password!)
    expect(session.body).toMatchObject({ must_change_password: true, user: { roles: ['engineer'] } })
    await quire.stop()
  })

  test.concurrent('prints a generated password once, requires its change, and keeps its secret private', async () => {
    const quire = await startQuire({ environment: { QUIRE_ADMIN_PASSWORD: '' } })
    const said = await Bun.file(join(quire.folder, 'stdout')).text()
    const password = /Password {2}(\S+)/.exec(said)?.[1]
    expect(said).toContain(`${quire.origin}/`)
    const client = new ApiClient(quire.origin)
    expect((await client.login('admin', password!)).body.must_change_password).toBe(true)
    expect((await client.get('/api/v1/executions')).status).toBe(403)
    const data = join(quire.folder, 'quire-data')
    expect(statSync(join(data, 'secret')).mode & 0o777).toBe(0o600)
    expect(await quire.stop()).toBe(0)
    const again = await startQuire({ folder: quire.folder, environment: { QUIRE_ADMIN_PASSWORD: '' } })
    expect(await Bun.file(join(quire.folder, 'stdout')).text()).not.toContain('Password')
    expect(await quire.log()).not.toContain(password!)
    await again.stop()
  })

  test.concurrent('serves the console, its health and its description without other files', async () => {
    const quire = await startQuire()
    const page = await fetch(`${quire.origin}/`)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
    expect((await fetch(quire.origin + script)).headers.get('cache-control')).toContain('immutable')
    expect(await (await fetch(`${quire.origin}/health/live`)).json()).toMatchObject({
      status: 'live',
      build: { version: '0.33.0', api_version: '0.8.0' },
    })
    expect(await (await fetch(`${quire.origin}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.1' })
    expect(await quire.stop()).toBe(0)
    expect(existsSync(join(quire.folder, 'node_modules'))).toBe(false)
  })
})

describe('the metrics listener', () => {
  test.concurrent('counts requests by operation and steps by outcome, on an address of its own', async () => {
    const port = await freePort()
    const quire = await startQuire({ environment: { QUIRE_METRICS_LISTEN: `127.0.0.1:${port}` } })
    const client = new ApiClient(quire.origin)
    await client.login(quire.username, quire.password)
    await client.get('/api/v1/executions')
    await client.get('/api/v1/nothing')
    const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[3]
    const { body } = await client.post(
      '/api/v1/submissions',
      { ingestion_model: 'clws-policy', raw_input, metadata },
      { 'idempotency-key': crypto.randomUUID() },
    )
    await untilEnded(client, body.submission.executions[0].id)
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(text).toMatch(/^quire_build_info\{version="0\.33\.0",api_version="0\.8\.0",revision="[0-9a-f]{40}"\} 1$/m)
    expect(text).toMatch(
      /^quire_http_request_duration_seconds_count\{operation="listExecutions",method="GET",status="200"\} 1$/m,
    )
    expect(text).toMatch(
      /^quire_http_request_duration_seconds_count\{operation="unknown",method="GET",status="404"\} 1$/m,
    )
    expect(text).toMatch(/^quire_events_total\{aggregate="execution",type="step\.failed",step="validate"\} 1$/m)
    expect(text).toMatch(/^quire_outbox_backlog \d+$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d{8,}$/m)
    expect(await (await fetch(`${quire.origin}/metrics`)).text()).not.toContain('quire_build_info')
    await quire.stop()
  })
})
