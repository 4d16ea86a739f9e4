import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { host, origin } from './harness.ts'

/** The real listener, spoken to in raw bytes: what no HTTP client would send. It runs apart, so that its memory can be told. */
let port: number
let heldBytes: () => Promise<number>
let stop: () => Promise<unknown>

beforeAll(async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'listener.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = readLines(child.stdout)
  port = Number(await lines())
  heldBytes = async () => {
    child.stdin.write('held\n')
    child.stdin.flush()
    return Number(await lines())
  }
  stop = () => {
    child.stdin.end()
    return child.exited
  }
})
afterAll(() => stop())

const SILENCE_MS = 20_000

/** Whether an answer has its head and as many bytes as its head says. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  const length = /^content-length: (\d+)\r$/im.exec(answer.slice(0, end + 1))?.[1]
  return end > 0 && length !== undefined && answer.length - end - 4 >= Number(length)
}

function readLines(stream: ReadableStream<Uint8Array>): () => Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream() as never).getReader() as ReadableStreamDefaultReader<string>
  let text = ''
  return async () => {
    while (!text.includes('\n')) {
      const { value, done } = await reader.read()
      if (done) throw new Error('the listener ended')
      text += value
    }
    const line = text.slice(0, text.indexOf('\n'))
    text = text.slice(line.length + 1)
    return line
  }
}

/**
 * Sends a head and then so many chunks; resolves with all that was answered, once the answer is whole and all is sent, or
 * the connection closed. An answer that never comes ends in a long silence.
 */
function exchange(head: string, chunk: Buffer = Buffer.alloc(0), chunks = 0): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    let sent = 0
    let silence: ReturnType<typeof setTimeout> | undefined
    const finish = () => {
      socket.destroy()
      resolve(answer)
    }
    const waitForSilence = () => {
      clearTimeout(silence)
      silence = setTimeout(finish, isWhole(answer) ? 150 : SILENCE_MS)
    }
    const sendMore = () => {
      while (sent < chunks) {
        sent++
        if (!socket.write(chunk)) return void socket.once('drain', sendMore)
      }
      waitForSilence()
    }
    socket.on('data', (data) => {
      answer += data.toString('latin1')
      if (sent >= chunks) waitForSilence()
    })
    socket.on('close', finish)
    socket.on('error', finish)
    socket.write(head)
    sendMore()
  })
}

describe('framing', () => {
  const refused: [name: string, head: string][] = [
    ['two Host headers', 'GET /health/live HTTP/1.1\r\nHost: quire.test\r\nHost: evil.test\r\n\r\n'],
    ['no Host header', 'GET /health/live HTTP/1.1\r\n\r\n'],
    ['an empty Host header', 'GET /health/live HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a Host with a path', 'GET /health/live HTTP/1.1\r\nHost: quire.test/x\r\n\r\n'],
    ['a Host with user information', 'GET /health/live HTTP/1.1\r\nHost: a@quire.test\r\n\r\n'],
    [
      'two lengths',
      'POST /health/live HTTP/1.1\r\nHost: quire.test\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'length and chunks',
      'POST /health/live HTTP/1.1\r\nHost: quire.test\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ]
  for (const [name, head] of refused) {
    test(`${name}: a bare 400, and the connection is closed`, async () => {
      const answer = await exchange(head)
      expect(answer).toStartWith('HTTP/1.1 400 ')
      expect(answer.toLowerCase()).toContain('connection: close')
      expect(answer).not.toContain('{')
    })
  }

  test('what makes no URL is refused with a problem, as is CONNECT', async () => {
    for (const head of [
      'CONNECT 127.0.0.1:8080 HTTP/1.1\r\nHost: quire.test',
      'GET /health/live HTTP/1.1\r\nHost: quire.test:99999',
      'GET /health/live HTTP/1.1\r\nHost: xn--a',
    ]) {
      const answer = await exchange(`${head}\r\n\r\n`)
      expect([head, answer]).toEqual([head, expect.stringMatching(/^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n/i)])
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ status: 400, title: 'Bad Request' })
    }
  })

  test('TRACE is refused, and nothing is sent back of it', async () => {
    for (const path of ['/', '/health/live', '/api/v1/auth/session', '/nothing']) {
      const answer = await exchange(`TRACE ${path} HTTP/1.1\r\nHost: quire.test\r\nX-Mark: not-to-be-echoed\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 40[045] /)
      expect(answer).not.toContain('not-to-be-echoed')
    }
  })

  test('one Host header is answered', async () => {
    expect(await exchange('GET /health/live HTTP/1.1\r\nHost: quire.test\r\n\r\n')).toStartWith('HTTP/1.1 200 ')
  })
})

describe('bodies', () => {
  const head = `POST /api/v1/auth/login HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\n`
  const megabyte = Buffer.alloc(1_000_000, 0x20)
  const chunk = Buffer.concat([Buffer.from('f4240\r\n'), megabyte, Buffer.from('\r\n')])
  const rows: [name: string, head: string, chunk: Buffer][] = [
    ['of declared length', `${head}Content-Length: 200000000\r\n\r\n`, megabyte],
    ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n`, chunk],
    ['nobody asked for', `${head.replace(/Origin.*\r\n/, '')}Content-Length: 200000000\r\n\r\n`, megabyte],
  ]
  for (const [name, start, piece] of rows) {
    test(`200 MB ${name} are refused as a problem and never held in memory`, async () => {
      const before = await heldBytes()
      const answer = await exchange(start, piece, 200)
      expect(answer).toMatch(/^HTTP\/1.1 4(22|03) /)
      expect(answer).toContain('application/problem+json')
      expect(answer).not.toMatch(/\b413 /)
      expect((await heldBytes()) - before).toBeLessThan(60_000_000)
    })
  }

  test('a body that says it is a terabyte is refused before a byte of it', async () => {
    expect(await exchange(`${head}Content-Length: 1099511627776\r\n\r\n`)).toStartWith('HTTP/1.1 422 ')
  })
})
