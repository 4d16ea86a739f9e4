import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { QuireClient } from '../../src/client/client.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { demo } from '../../src/demo/demo.ts'
import { type CommandAnswer, runCommand, startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const password = 'correct horse battery staple'
const folder = temporaryFolder()
let server: ReturnType<typeof startCommand>
let settings: Record<string, string>
let variables: Record<string, string>
const data = temporaryFolder()

beforeAll(async () => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  settings = {
    QUIRE_LISTEN: `127.0.0.1:${port}`,
    QUIRE_ADMIN_USERNAME: 'admin',
    QUIRE_ADMIN_PASSWORD: password,
    QUIRE_DEMO: 'true',
    QUIRE_MQTT_URL: 'embedded',
  }
  server = startCommand(data, ['serve'], settings)
  void new Response(server.stdout).text()
  void new Response(server.stderr).text()
  await until('readiness', async () => (await fetch(`${origin}/health/ready`).catch(() => undefined))?.status === 200)
  variables = { QUIRE_SERVER: origin, QUIRE_TOKEN: await tokenOf(origin) }
  const [right] = demo.scenarios
  const wrong = demo.scenarios.find(({ id }) => id === 'invalid')
  writeFileSync(join(folder, 'notice.json'), right?.raw_input ?? '')
  writeFileSync(join(folder, 'wrong.json'), wrong?.raw_input ?? '')
}, 60_000)

afterAll(async () => {
  server.kill()
  await server.exited
})

type Scopes = Parameters<QuireClient['createToken']>[0]['body']['scopes']
const allScopes: Scopes = ['submission_create', 'submission_read', 'artifact_download', 'configuration_read']

/** A token of the administrator's, made as a program would. */
async function tokenOf(origin: string, scopes: Scopes = allScopes): Promise<string> {
  const { QuireClient } = await import('../../src/client/client.ts')
  const quire = new QuireClient({ origin })
  await quire.login({ body: { username: 'admin', password } })
  const { body } = await quire.createToken({ body: { name: 'commands', scopes } })
  return body.secret
}

const quire = (...args: string[]): Promise<CommandAnswer> => runCommand(folder, args, variables)

test('a token alone hands an input in, waits, and writes the documents whole', async () => {
  const { code, stdout, stderr } = await quire('submit', 'clws-policy', 'notice.json', '-o', 'letters/today')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^submission [0-9a-f-]{36}\n[0-9a-f-]{36} completed, /)
  expect(stdout).toContain('\n  render succeeded (')
  const names = readdirSync(join(folder, 'letters/today')).sort()
  expect(names.map((name) => name.replace(/^.*\./, ''))).toEqual(['docx', 'pdf'])
  for (const name of names) {
    expect(stdout).toContain(`wrote letters/today/${name}\n`)
    expect(stdout).toContain(sha256Hex(readFileSync(join(folder, 'letters/today', name))))
  }
}, 60_000)

test('without --wait submit reports only what was accepted, and get and logs the rest', async () => {
  const { code, stdout } = await quire('submit', 'clws-policy', 'notice.json', '--json')
  const { submission } = JSON.parse(stdout)
  expect([code, submission.executions.length]).toEqual([0, 1])
  const [{ id }] = submission.executions
  const followed = await quire('logs', id, '--follow')
  expect([followed.code, followed.stderr]).toEqual([0, ''])
  const types = followed.stdout.split('\n').map((line) => line.split(' ')[1])
  expect(types).toEqual(expect.arrayContaining(['queued', 'step.started', 'step.succeeded', 'completed']))
  const read = await quire('logs', id)
  expect(read.stdout).toBe(followed.stdout)
  const events = (await quire('logs', id, '--json')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  const got = await quire('get', id, '--json', '-o', 'got')
  expect([got.code, JSON.parse(got.stdout).status]).toEqual([0, 'completed'])
  expect(got.stderr.split('\n').filter((line) => line.startsWith('wrote got')).length).toBe(2)
}, 60_000)

test('an input that its contract refuses ends with 1, and says where', async () => {
  const { code, stdout } = await quire('submit', 'clws-policy', 'wrong.json', '--wait')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^submission .*\n\S+ failed, .*\n {2}validate failed .*\n {4}contract_violated: /)
  const id = stdout.split('\n')[1]?.split(' ')[0] ?? ''
  expect((await quire('get', id)).code).toBe(1)
  const followed = await quire('logs', id, '--follow')
  expect([followed.code, followed.stdout]).toEqual([1, expect.stringContaining(' step.failed validate')])
  expect(followed.stdout).toContain('contract_violated')
}, 60_000)

test('the caller learns what was submitted, whatever keeps submit from waiting', async () => {
  const token = { ...variables, QUIRE_TOKEN: await tokenOf(variables.QUIRE_SERVER ?? '', ['submission_create']) }
  const { code, stdout, stderr } = await runCommand(folder, ['submit', 'clws-policy', 'notice.json', '--wait'], token)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^quire: handed in as submission [0-9a-f-]{36}; its documents come later\n.* submission_read/)
}, 60_000)

test('the same key submits once', async () => {
  const key = `commands-${crypto.randomUUID()}`
  const ids = [1, 2].map(async () => {
    const { stdout } = await quire('submit', 'clws-policy', 'notice.json', '--key', key, '--json')
    return JSON.parse(stdout).submission.id
  })
  const [one, two] = await Promise.all(ids)
  expect(two).toBe(one)
}, 60_000)

test('reads standard input', async () => {
  const input = Bun.file(join(folder, 'notice.json'))
  const child = startCommand(folder, ['submit', 'clws-policy', '-', '--json'], variables, input)
  expect(await child.exited).toBe(0)
  expect(JSON.parse(await new Response(child.stdout).text()).submission.model_slug).toBe('clws-policy')
}, 60_000)

test('the id of a submission, which submit prints first, leads to its executions', async () => {
  const { stdout } = await quire('submit', 'clws-policy', 'notice.json', '--wait', '--json')
  const { id, executions } = JSON.parse(stdout).submission
  const told = `quire: ${id} is a submission; name one of its executions: ${executions[0].id}\n`
  for (const args of [
    ['get', id],
    ['logs', id],
    ['logs', id, '--follow'],
  ]) {
    expect([args, await quire(...args)]).toEqual([args, { code: 1, stdout: '', stderr: told }])
  }
}, 60_000)

test('refusals speak of files and options, and not of the fields of requests', async () => {
  const someone = '0198c3d2-7a10-7c00-8000-00000000dead'
  for (const [args, code, words] of [
    [['submit', 'clws-policy'], 2, 'submit takes an ingestion model and an input'],
    [['submit', 'nobody', 'notice.json'], 1, 'refused: the model: there is no ingestion model "nobody"'],
    [['submit', 'clws-policy', 'missing.json'], 1, 'missing.json cannot be read: there is no such file or folder'],
    [['submit', 'clws-policy', 'notice.json', '--at', 'now'], 2, '--at takes an instant'],
    [['submit', 'clws-policy', 'notice.json', '--param', 'x'], 2, '--param takes a name and a value'],
    [['submit', 'clws-policy', 'notice.json', '--param', 'x=1'], 1, '--param'],
    [['submit', 'clws-policy', 'notice.json', '--timeout', '0'], 2, '--timeout takes whole seconds'],
    [['submit', 'clws-policy', 'notice.json', '--key', '42'], 2, '--key takes 8 to 128 characters'],
    [['submit', 'clws-policy', 'notice.json', '--key', 'INV/2026/0042'], 2, '--key takes 8 to 128 characters'],
    [['get', 'x'], 2, 'get takes the id of an execution'],
    [['get', someone], 1, 'refused: '],
    [['logs', someone, '--follow'], 1, 'refused: '],
  ] as const) {
    const answer = await quire(...args)
    expect([args, answer.code, answer.stderr]).toEqual([args, code, expect.stringContaining(words)])
    expect(answer.stderr).not.toContain('field')
  }
}, 60_000)
