import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { limits } from '../../../src/core/limits.ts'
import { networksOf, privateNetworks } from '../../../src/core/networks.ts'
import { createSend, type SendOptions } from '../../../src/modules/webhooks/webhooks.request.ts'
import { canMakeCertificates, makeCertificate } from '../../support/certificate.ts'
import { temporaryFolder } from '../../support/database.ts'

/** Answers by the path, and says what it was asked for. */
const asked: { path: string; host: string | null; headers: Headers }[] = []
let isCancelled = false
const server = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
  async fetch(request) {
    const { pathname } = new URL(request.url)
    asked.push({ path: pathname, host: request.headers.get('host'), headers: request.headers })
    await request.text()
    switch (pathname) {
      case '/moved':
        return Response.redirect('/elsewhere', 307)
      case '/never':
        return new Promise<Response>(() => {})
      case '/endless':
        return new Response(
          new ReadableStream({
            async pull(controller) {
              controller.enqueue(new TextEncoder().encode('more '.repeat(1_000)))
              await Bun.sleep(1)
            },
            cancel() {
              isCancelled = true
            },
          }),
        )
      case '/dripping':
        return new Response(
          new ReadableStream({
            async pull(controller) {
              controller.enqueue(new TextEncoder().encode('.'))
              await Bun.sleep(20)
            },
          }),
          { status: 202 },
        )
      case '/odd':
        return new Response('a\u0000b\u001b[31mc\nd\u202ee', { status: 500, headers: { 'retry-after': '7' } })
      default:
        return new Response('taken')
    }
  },
})
afterAll(() => server.stop(true))

const loopback = networksOf(['127.0.0.1'])
const url = (path: string, host = '127.0.0.1') => `http://${host}:${server.port}${path}`
function send(to: string, options: Partial<SendOptions> = {}, headers = {}) {
  return createSend({ allowed: loopback, requestMs: 10_000, ...options })({ url: to, headers, body: '{}' })
}

describe('the request of a webhook', () => {
  test('goes to no address inside a network, however it is written or resolved', async () => {
    const before = asked.length
    const hosts = [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '0.0.0.0', '①②⑦.0.0.1', 'localhost'],
      ...['10.0.0.1', '172.16.5.4', '192.168.1.1', '169.254.169.254', '100.100.100.200', '[::1]', '[::]'],
      ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::1]'],
      ...['[2001:0:7f00:1::]', '[fe80::1]', '[fec0::1]', '[fd00:ec2::254]', '[ff02::1]', 'user:pass@127.0.0.1'],
    ]
    for (const host of hosts) {
      const outcome = await send(`https://${host}:${server.port}/in`, { allowed: networksOf([]) })
      expect([host, outcome]).toEqual([
        host,
        expect.objectContaining({ kind: 'unanswered', why: expect.stringContaining('inside a private network') }),
      ])
    }
    // A name with one good and one bad address may mean either.
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const mixed = await send('https://rebinding.example.test/', { allowed: networksOf([]), resolve })
    expect(mixed).toMatchObject({ kind: 'unanswered', why: expect.stringContaining('10.0.0.1') })
    expect(asked).toHaveLength(before)
  })

  test('goes to the address that was checked, under its name, and asks for it once', async () => {
    const answers = ['127.0.0.1', '10.0.0.1']
    const resolve = async () => [{ address: answers.shift()!, family: 4 }]
    expect(await send(url('/in', 'rebinding.example.test'), { resolve })).toMatchObject({
      status: 200,
      answer: 'taken',
    })
    expect(answers).toEqual(['10.0.0.1'])
    expect(asked.at(-1)!.host).toBe(`rebinding.example.test:${server.port}`)
    expect((await send(url('/in', 'rebinding.example.test'), { resolve })).kind).toBe('unanswered')
  })

  test('is encrypted everywhere but in the networks that are named', async () => {
    const resolve = async () => [{ address: '93.184.216.34', family: 4 }]
    const outcome = await send('http://hooks.example.test/', { resolve })
    expect(outcome).toMatchObject({ kind: 'unanswered', why: 'hooks.example.test is asked by https only' })
    // A public address of IPv4 is none of the mapped ones, which lists of both families took it for.
    expect(privateNetworks.has('93.184.216.34')).toBe(false)
    expect(privateNetworks.has('::ffff:93.184.216.34')).toBe(true)
  })

  test('follows no redirect, reads a bounded part of an answer, and waits for a bounded time', async () => {
    expect(await send(url('/moved'))).toMatchObject({ kind: 'answered', status: 307 })
    expect(asked.map(({ path }) => path)).not.toContain('/elsewhere')
    const endless = await send(url('/endless'))
    expect(endless).toMatchObject({ kind: 'answered', status: 200 })
    expect(Reflect.get(endless, 'answer').length).toBeLessThanOrEqual(300)
    while (!isCancelled) await Bun.sleep(5)
    expect(await send(url('/dripping'), { requestMs: 1_500 })).toMatchObject({ kind: 'answered', status: 202 })
    const never = await send(url('/never'), { requestMs: 100 })
    expect(never).toMatchObject({ kind: 'unanswered', why: 'no answer within 0.1 s' })
    const stuck = await send(url('/in', 'slow.example.test'), { requestMs: 100, resolve: () => new Promise(() => {}) })
    expect(stuck).toMatchObject({ kind: 'unanswered', why: 'no answer within 0.1 s' })
  })

  test('ends with its answer, or in time, whatever else than an answer comes', async () => {
    const heads: Record<string, string> = {
      '/switches': 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      '/continues': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000),
      '/hints': 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(1_000),
      '/heads': `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}`,
      '/long': `HTTP/1.1 200 ${'x'.repeat(1_000_000)}`,
      '/other': 'SSH-2.0-OpenSSH_9.6\r\n',
    }
    const odd = Bun.listen({
      ...{ hostname: '127.0.0.1', port: 0 },
      socket: {
        data(socket, data) {
          socket.write(heads[data.toString().split(' ')[1] ?? ''] ?? '')
        },
      },
    })
    const outcomes = await Promise.all(
      Object.keys(heads).map(async (path) => {
        const ended = send(`http://127.0.0.1:${odd.port}${path}`, { requestMs: 2_000 })
        return [path, await Promise.race([ended, Bun.sleep(10_000)])]
      }),
    )
    odd.stop(true)
    const unanswered = expect.objectContaining({ kind: 'unanswered' })
    expect(Object.fromEntries(outcomes)).toEqual({
      '/switches': expect.objectContaining({ kind: 'answered', status: 101, answer: '' }),
      ...{
        '/continues': unanswered,
        '/hints': unanswered,
        '/heads': unanswered,
        '/long': unanswered,
        '/other': unanswered,
      },
    })
  })

  test('takes a few interim answers, and gives up on an endless stream of them', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
    const answered = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
    const chatty = Bun.listen({
      ...{ hostname: '127.0.0.1', port: 0 },
      socket: {
        data(socket, data) {
          const count = Number(data.toString().split(' ')[1]?.slice(1))
          socket.write(interim.repeat(count) + (count > limits.announcedAnswers ? '' : answered))
        },
      },
    })
    const outcome = (count: number) => send(`http://127.0.0.1:${chatty.port}/${count}`, { requestMs: 10_000 })
    expect(await outcome(limits.announcedAnswers)).toMatchObject({ kind: 'answered', status: 200 })
    for (const count of [limits.announcedAnswers + 1, 100_000]) {
      const { ms, ...rest } = (await outcome(count)) as { ms: number }
      expect(rest).toEqual({ kind: 'unanswered', why: 'could not be asked: too much before the answer' } as never)
      expect(ms).toBeLessThan(10_000)
    }
    chatty.stop(true)
  })

  test('keeps no control character of an answer, and believes a wait only in seconds', async () => {
    expect(await send(url('/odd'))).toMatchObject({ status: 500, answer: 'a b [31mc d e', retryAfterMs: 7_000 })
  })

  test('takes no line break into a header, from the URL or elsewhere', async () => {
    const before = asked.length
    const outcome = await send(url('/in\r\nx-forged: yes\r\n?q=\r\nx-forged: yes'))
    expect(outcome.kind).toBe('answered')
    expect(asked.slice(before).map(({ headers }) => headers.get('x-forged'))).toEqual([null])
    const forged = await send(url('/in'), {}, { 'webhook-id': 'a\r\nx-forged: yes' })
    expect(forged.kind).toBe('unanswered')
    expect(asked).toHaveLength(before + 1)
  })

  test.if(canMakeCertificates)('believes no certificate that no authority signed', async () => {
    const { certificate, key } = makeCertificate(temporaryFolder(), 'self')
    const reached: string[] = []
    const tls = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', tls: { cert: readFileSync(certificate), key: readFileSync(key) } },
      fetch(request) {
        reached.push(request.url)
        return new Response()
      },
    })
    const outcome = await send(`https://127.0.0.1:${tls.port}/`)
    await tls.stop(true)
    expect(outcome).toMatchObject({ kind: 'unanswered', why: expect.stringMatching(/CERT|SELF_SIGNED/) })
    expect(reached).toEqual([])
  })
})
