import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { createLog } from '../../src/core/log.ts'
import { listen, type RunningServer } from '../../src/http/server.ts'
import { until } from '../support/until.ts'
import { host, jsonOf, startTestApp, type TestApp } from './harness.ts'

/** The real listener, and clients that go away in the middle of a body. */
let started: TestApp
let server: RunningServer
let session: Record<string, string>

beforeAll(async () => {
  started = await startTestApp()
  await started.addUser('cutter', ['administrator'])
  session = await started.signIn('cutter')
  const log = createLog({ level: 'error', readable: false, write: (line) => started.logged.push(line) })
  server = listen(started.app, { address: { hostname: '127.0.0.1', port: 0 }, log, closing: started.closing })
})
afterAll(() => server.close(1_000))

type Cut = 'end' | 'destroy' | 'resetAndDestroy'

/** Sends a head and the beginning of a body, waits until the request is being read, and closes the connection. */
async function cut(how: Cut, target: string, headers: Record<string, string>, beginning: string): Promise<void> {
  const all = { host, ...session, 'x-correlation-id': 'the-cut-one', ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  await new Promise((resolve) => socket.write(`${target} HTTP/1.1\r\n${head.join('')}\r\n${beginning}`, resolve))
  await Bun.sleep(30)
  socket[how]()
}

const template = '/api/v1/templates/0198c3d2-7a10-7c00-8000-000000000000'
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const json = 'application/json'
const form = 'multipart/form-data; boundary=x'

describe('a connection that is cut in a body', () => {
  test.each<[what: string, target: string, headers: Record<string, string>, beginning: string]>([
    ['JSON', 'POST /api/v1/contracts', { 'content-type': json, 'content-length': '1000' }, '{"name": "Or'],
    ['JSON of which nothing came', 'POST /api/v1/contracts', { 'content-type': json, 'content-length': '1000' }, ''],
    [
      'JSON in chunks',
      'POST /api/v1/contracts',
      { 'content-type': json, 'transfer-encoding': 'chunked' },
      '5\r\n{"a":\r\n',
    ],
    ['a broken chunk', 'POST /api/v1/contracts', { 'content-type': json, 'transfer-encoding': 'chunked' }, '5\r\n{"a"'],
    ['a login', 'POST /api/v1/auth/login', { 'content-type': json, 'content-length': '1000' }, '{"username": "cu'],
    ['a form', 'POST /api/v1/templates', { 'content-type': form, 'content-length': '1000' }, '--x\r\nContent-Dis'],
    [
      'a file',
      `PUT ${template}/draft`,
      { 'content-type': docx, 'content-length': '1000', 'idempotency-key': 'cut-in-a-file', 'if-none-match': '*' },
      'PK',
    ],
    [
      'the large half of a larger file',
      `PUT ${template}/draft`,
      { 'content-type': docx, 'content-length': '200000', 'idempotency-key': 'cut-in-a-file', 'if-none-match': '*' },
      'PK'.repeat(50_000),
    ],
  ])('is no failure of the service: %s', async (_, target, headers, beginning) => {
    for (const how of ['end', 'destroy', 'resetAndDestroy'] as const) {
      started.logged.length = 0
      await cut(how, target, headers, beginning)
      const lines = () => started.logged.map((line) => JSON.parse(line) as Record<string, unknown>)
      await until('the request ends', () => lines().some(({ message }) => message === 'request'))
      // It is told as any other input that was refused, and as nothing worse.
      expect(lines().map(({ message, level, status, correlation_id: id }) => [message, level, status, id])).toEqual([
        ['an input was refused', 'info', 422, 'the-cut-one'],
        ['request', 'debug', 422, 'the-cut-one'],
      ])
    }
    const { contracts } = await jsonOf(await started.send({ path: '/api/v1/contracts', headers: session }))
    expect(contracts).toEqual([])
  })
})
