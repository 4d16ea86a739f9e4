import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { folderWith, invoices, orders } from '../project/fixture.ts'
import { type CommandAnswer, runCommand, startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const password = 'correct horse battery staple'
const data = temporaryFolder()
const folder = folderWith({ ...invoices, ...orders })
let server: ReturnType<typeof startCommand>
let settings: Record<string, string>
let variables: Record<string, string>

beforeAll(async () => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  settings = {
    QUIRE_LISTEN: `127.0.0.1:${port}`,
    QUIRE_ADMIN_USERNAME: 'admin',
    QUIRE_ADMIN_PASSWORD: password,
    QUIRE_MQTT_URL: 'embedded',
  }
  server = startCommand(data, ['serve'], settings)
  void new Response(server.stdout).text()
  void new Response(server.stderr).text()
  await until('readiness', async () => (await fetch(`${origin}/health/ready`).catch(() => undefined))?.status === 200)
  variables = { QUIRE_SERVER: origin, QUIRE_USERNAME: 'admin', QUIRE_PASSWORD: password }
}, 60_000)

afterAll(async () => {
  server.kill()
  await server.exited
})

const quire = (...args: string[]): Promise<CommandAnswer> => runCommand(folder, args, variables)

test('a file in CSV or XML becomes documents, which can be made again and proved, and faults name line and column', async () => {
  expect(await quire('check', '.')).toMatchObject({ code: 0, stdout: '8 files are fine\n' })
  const tested = await quire('test')
  expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining('2 passed, 0 failed')])
  const applied = await quire('apply')
  expect([applied.code, applied.stderr]).toEqual([0, ''])

  const sent = await quire('submit', 'invoices', 'cases/invoices/march.csv', '--wait', '--json')
  expect([sent.code, sent.stderr]).toEqual([0, ''])
  const { submission, executions } = JSON.parse(sent.stdout)
  expect(submission.object_reference).toBe('A-1')
  const raw = readFileSync(join(folder, 'cases/invoices/march.csv'))
  expect(submission.raw_input_hash).toBe(sha256Hex(raw))
  expect(executions[0]).toMatchObject({ status: 'completed', output: { first: 'A-1', total: '3.50' } })

  const wrong = join(folder, 'wrong.csv')
  await Bun.write(wrong, 'number;amount\nA-1;-1\n')
  const refused = await quire('submit', 'invoices', 'wrong.csv', '--wait')
  expect(refused.code).toBe(1)
  expect(refused.stdout + refused.stderr).toContain('(line 2, column 5)')

  const ordered = await quire('submit', 'orders', 'cases/orders/first.xml', '--wait', '--json')
  expect([ordered.code, ordered.stderr]).toEqual([0, ''])
  const order = JSON.parse(ordered.stdout)
  expect(order.submission.object_reference).toBe('A-1')
  expect(order.executions[0]).toMatchObject({
    status: 'completed',
    input: { number: 'A-1', line: [{ '@no': 1, amount: 1.5 }] },
    output: { number: 'A-1', total: '1.50' },
  })

  const exported = await quire('export', 'exported')
  expect([exported.code, exported.stderr]).toEqual([0, ''])
  const again = join(folder, 'exported/cases/orders/first.xml')
  expect(readFileSync(again, 'utf8')).toBe(String(orders['cases/orders/first.xml']))

  // What is in CSV is read again by the model that the submission was taken in with.
  const { QuireClient } = await import('../../src/client/client.ts')
  const client = new QuireClient({ origin: variables.QUIRE_SERVER ?? '' })
  await client.login({ body: { username: 'admin', password } })
  for (const { id: executionId } of [executions[0], order.executions[0]]) {
    const { body: verified } = await client.verifyExecution({ params: { executionId }, body: {} })
    expect(verified.checks.filter(({ identical }) => !identical)).toEqual([])
    expect(verified.checks.map(({ subject }) => String(subject))).toContain('input')
  }

  server.kill()
  await server.exited
  const proved = await runCommand(data, ['prove', order.executions[0].id, '-o', 'proof.zip'], settings)
  expect([proved.code, proved.stderr]).toEqual([0, ''])
  const checked = await runCommand(data, ['verify', 'proof.zip'], settings)
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('hashes, all the same')])
}, 120_000)
