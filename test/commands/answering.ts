/** Commands run in the tests' own process, against a server that is nothing but what a test says. */
import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'
import type { Command, CommandContext } from '../../src/commands/command.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/core/log.ts'
import { catchPrinted } from '../support/printed.ts'

interface Asked {
  method: string
  /** With its query. */
  path: string
  key: string | null
  /** JSON as what it says; a form as its fields, a file's content as bytes. */
  body: unknown
}

/** Its context, for commands that ask nothing of their process. */
export const noContext = {
  readConfig: () => expect.unreachable(),
  prepare: () => expect.unreachable(),
  logFor: () => expect.unreachable(),
}

/** The context of commands that use a store in a folder; they log errors alone. */
export function contextIn(folder: string, settings: Readonly<Record<string, string>> = {}): CommandContext {
  const config = loadConfig({ QUIRE_LOG: 'error', ...settings }, folder)
  const write = (line: string) => process.stderr.write(line)
  return {
    readConfig: () => config,
    prepare: () => config,
    logFor: ({ logLevel: level }) => createLog({ level, readable: false, write }),
  }
}

/**
 * Serves for all tests of a file, each of which begins with nothing asked, answered or printed. What is asked for and not in
 * `answers`, by `METHOD /path`, is not found.
 */
export function answeringServer() {
  const asked: Asked[] = []
  const answers: Record<string, (request: Request) => Response> = {}
  const printed = catchPrinted()
  const usual = { ...process.env }
  let server: ReturnType<typeof Bun.serve>

  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        asked.push({
          ...{ method: request.method, path: pathname + search, key: request.headers.get('idempotency-key') },
          body: await bodyOf(request),
        })
        return answers[`${request.method} ${pathname}`]?.(request) ?? problem(404)
      },
    })
    process.env.QUIRE_TOKEN = 'qr_x'
    delete process.env.QUIRE_SERVER
  })
  afterAll(async () => {
    for (const name of ['QUIRE_TOKEN', 'QUIRE_SERVER'])
      if (usual[name] === undefined) delete process.env[name]
      else process.env[name] = usual[name]
    await server.stop(true)
  })
  beforeEach(() => {
    asked.length = 0
    for (const name of Object.keys(answers)) delete answers[name]
  })

  const run = (command: Command, ...args: string[]) =>
    command([...args, '--server', `http://127.0.0.1:${server.port}`], noContext)
  return { asked, answers, printed, run }
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.headers.get('content-type')?.startsWith('multipart/form-data') === true) {
    const fields: Record<string, unknown> = {}
    for (const [name, value] of await request.formData())
      fields[name] = typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer())
    return fields
  }
  const text = await request.text()
  return text === '' ? undefined : JSON.parse(text)
}

export const problem = (status: number, detail = 'No.') =>
  Response.json(
    { type: '/problems/not_found', title: 'Not found', status, code: 'not_found', detail, correlation_id: 'c' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  )

/** Refuses the fields of a request, all at once. */
export const refusing =
  (...fields: string[]) =>
  () =>
    problem(422, fields.map((field) => `Body field ${field} is wrong.`).join(' '))
