/** What the commands write and say where the server is none, or means ill. */
import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

const id = '3f0c9a52-6d0e-4a6f-9a57-2c2b8a2f0c11'
const other = '4f0c9a52-6d0e-4a6f-9a57-2c2b8a2f0c11'
const pdf = '%PDF-1.7'

const execution = (of: string, told: object = {}) => ({
  id: of,
  status: 'completed',
  created_at: '2026-01-01T00:00:00Z',
  steps: [],
  artifacts: [{ id: of, kind: 'pdf', byte_size: pdf.length, content_hash: sha256Hex(pdf) }],
  ...told,
})

async function against(answer: (request: Request) => Response, ...args: string[]) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  onTestsEnd(() => server.stop(true))
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'in.json'), '{}')
  mkdirSync(join(folder, 'out'))
  const variables = { QUIRE_SERVER: server.url.origin, QUIRE_TOKEN: 'qr_test' }
  const told = await runCommand(folder, args, variables)
  await server.stop(true)
  return { ...told, folder, written: readdirSync(join(folder, 'out')).sort() }
}

/** A document under a name of the server's choice. */
const naming =
  (fileName: string, body = pdf) =>
  (request: Request) =>
    request.url.endsWith('/download')
      ? new Response(body, { headers: { 'content-disposition': `attachment; filename="${fileName}"` } })
      : Response.json(execution(id))

test.each([
  '../evil.pdf',
  '/tmp/evil.pdf',
  '..',
  '',
  '.bashrc',
  '.git/hooks/pre-commit',
  'package.json',
  'a\\..\\b.pdf',
  'run.exe',
  'pdf',
  `${'a'.repeat(300)}.pdf`,
])('a document that the server calls %p gets a name of its execution', async (name) => {
  const { code, written, folder } = await against(naming(name), 'get', id, '-o', 'out')
  expect({ code, written }).toEqual({ code: 0, written: [`${id}.pdf`] })
  expect(readdirSync(folder).sort()).toEqual(['in.json', 'out'])
})

test.each(['../evil', '/tmp/evil', '../../out/evil', 'a/b'])(
  'a server that names an execution by a path, %p, gets no file written',
  async (path) => {
    const answer = (request: Request) =>
      request.url.endsWith('/download')
        ? new Response(pdf, { headers: { 'content-disposition': 'attachment; filename=".."' } })
        : Response.json(execution(path))
    const { code, stderr, written, folder } = await against(answer, 'get', id, '-o', 'out')
    expect({ code, written }).toEqual({ code: 1, written: [] })
    expect(stderr).toContain('names an execution by what is no id')
    expect(readdirSync(folder).sort()).toEqual(['in.json', 'out'])
  },
)

test('a document under a fit name keeps it', async () => {
  const { written } = await against(naming('CLW-1-letter.pdf'), 'get', id, '-o', 'out')
  expect(written).toEqual(['CLW-1-letter.pdf'])
})

test('bytes that are not those of the execution are not written', async () => {
  const { code, stderr, written } = await against(naming('a.pdf', '%PDF-1.6'), 'get', id, '-o', 'out')
  expect({ code, written }).toEqual({ code: 1, written: [] })
  expect(stderr).toBe(`quire: the pdf that the server sent is not the one that execution ${id} names\n`)
})

test('two documents of one name are both kept', async () => {
  const { code, stdout, written } = await against(
    (request) => {
      if (request.method === 'POST') {
        const executions = [id, other].map((each) => ({ id: each, status: 'queued', node_label: 'Copy' }))
        return Response.json({ submission: { id, executions } }, { status: 202 })
      }
      if (request.url.endsWith('/trace')) return new Response('', { headers: { 'content-type': 'text/event-stream' } })
      const of = request.url.includes(id) ? id : other
      if (!request.url.endsWith('/download')) return Response.json(execution(of))
      return new Response(pdf, { headers: { 'content-disposition': 'attachment; filename="A-1-copy.pdf"' } })
    },
    'submit',
    'letters',
    'in.json',
    '-o',
    'out',
  )
  expect({ code, written }).toEqual({ code: 0, written: [`${other}-A-1-copy.pdf`, 'A-1-copy.pdf'] })
  for (const name of written) expect(stdout).toContain(`wrote out/${name}\n`)
})

const calls: Readonly<Record<string, readonly string[]>> = {
  get: [id],
  logs: [id],
  submit: ['letters', 'in.json'],
  plan: ['out'],
  apply: ['out'],
}

test.each(Object.keys(calls))('%s says that what answers is no Quire', async (command) => {
  for (const body of ['null', '{}', '[]', '{"steps":[{}],"artifacts":[null],"events":[null],"submission":{}}']) {
    const { code, stdout, stderr } = await against(
      () => new Response(body, { headers: { 'content-type': 'application/json' } }),
      command,
      ...(calls[command] ?? []),
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^quire: http:\/\/127\.0\.0\.1:\d+ does not answer as Quire does: what came is no such answer; see .*\n$/,
    )
    // Nobody is told what the code missed.
    expect(stderr).not.toMatch(/undefined|null|iterable|function/)
  }
})

test('a server that names more executions than there can be is asked for none of them', async () => {
  let asked = 0
  const answer = ({ method }: Request) => {
    if (method !== 'POST') asked++
    const executions = Array.from({ length: 10_000 }, () => ({ id, status: 'queued', node_label: '' }))
    return Response.json({ submission: { id, executions } })
  }
  const { code, stderr } = await against(answer, 'submit', 'm', 'in.json', '--wait')
  expect([code, asked]).toEqual([1, 0])
  expect(stderr).toBe('quire: the server names 10000 executions, and no model has more than 100\n')
})

test('a connection that breaks off is not reported as a server that was never there', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).resetAndDestroy()).listen(0, '127.0.0.1')
  onTestsEnd(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'models/a.yaml'), 'model: x\n')
  const variables = { QUIRE_SERVER: `http://127.0.0.1:${port}`, QUIRE_TOKEN: 'qr_test' }
  const { code, stderr } = await runCommand(folder, ['plan'], variables)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^quire: the connection to http:\S+ broke off: ECONNRESET; try again, and see whether/)
})

test('logs --follow says once that it waits for the server and why, and that it goes on', async () => {
  let count = 0
  const answer = (request: Request) => {
    count += 1
    if (count < 4) return new Response('', { status: 502 })
    return request.url.endsWith('/trace')
      ? new Response('', { headers: { 'content-type': 'text/event-stream' } })
      : Response.json(execution(id))
  }
  const { code, stdout, stderr } = await against(answer, 'logs', id, '--follow')
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toMatch(/^quire: waiting for (http:\S+): the answer was 502\nquire: \1 answers again\n$/)
})

test('a page of HTML is reported as coming from something in between', async () => {
  const page = () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } })
  for (const args of [
    ['get', id],
    ['export', 'out'],
    ['plan', 'out'],
    ['logs', id, '--follow'],
  ]) {
    const { code, stderr } = await against(page, ...args)
    expect([args[0], code]).toEqual([args[0], 1])
    expect(stderr).toContain("a page of HTML came in place of Quire's answer; see whether something in between")
  }
})

test('export says that what came is no archive', async () => {
  for (const answer of [() => Response.json({}), () => new Response('PK')]) {
    const { code, stderr, written } = await against(answer, 'export', 'out')
    expect({ code, written }).toEqual({ code: 1, written: [] })
    expect(stderr).toBe('quire: the server answered with something else than an archive\n')
  }
})

test('what the server says is printed without what would move the cursor of a terminal', async () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be printed
  const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
  const evil = 'a\u001b[2J\u009b1Ab\rc\u202efdp.exe\u2066'
  const step = {
    name: evil,
    position: 1,
    status: 'failed',
    attempt: 1,
    failure: { code: evil, message: evil, issues: [] },
  }
  const event = { sequence: 1, type: evil, created_at: evil, data: { a: `${evil}\nforged line` } }
  // What was handed in is told where the wait for it fails.
  const handedIn = ({ method }: Request) =>
    method === 'POST'
      ? Response.json({ submission: { id: evil, executions: [{ id, status: 'queued', node_label: '' }] } })
      : Response.json({ code: 'not_found', detail: 'gone' }, { status: 404 })
  for (const [args, answer] of [
    [['get', id], () => Response.json(execution(id, { steps: [step], status: evil }))],
    [['logs', id], () => Response.json({ events: [event] })],
    [['get', id], () => Response.json({ code: 'conflict', detail: evil }, { status: 409 })],
    [['submit', 'm', 'in.json', '--wait'], handedIn],
  ] as const) {
    const { stdout, stderr } = await against(answer, ...args)
    expect(stdout + stderr).toContain('a [2J 1Ab c')
    expect(stdout + stderr).not.toMatch(controls)
    expect(stdout).not.toMatch(/^forged/m)
  }
  const { stdout } = await against(() => Response.json(execution(id, { status: evil })), 'get', id, '--json')
  expect(stdout).not.toMatch(controls)
  expect(JSON.parse(stdout)).toHaveProperty('status', evil)
})

test('a server is a web address, and what it takes to sign in there is not repeated', async () => {
  const folder = temporaryFolder()
  const called = (server: string) => runCommand(folder, ['get', id], { QUIRE_SERVER: server, QUIRE_TOKEN: 'qr_test' })
  expect(await called('file:///etc/passwd')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is no address, such as https://quire.example.com'),
  })
  const { code, stderr } = await called('http://someone:secret@127.0.0.1:1/')
  expect(code).toBe(1)
  expect(stderr).not.toContain('secret')
  expect(existsSync(join(folder, 'passwd'))).toBe(false)
})
