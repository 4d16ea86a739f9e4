import { afterEach, describe, expect, test } from 'bun:test'
import { createLog } from '../../src/core/log.ts'
import { Closing } from '../../src/http/closing.ts'
import { listen, notStarted, type RunningServer, type Served } from '../../src/http/server.ts'
import { until } from '../support/until.ts'

/** The listener in front of an application that is nothing but what a test says. */
let servers: RunningServer[] = []
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close(0)))
  servers = []
})

function start(
  fetch: Served['fetch'],
  { port = 0, closing = new Closing() }: { port?: number; closing?: Closing } = {},
) {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'error', readable: false, write: (line) => void lines.push(JSON.parse(line)) })
  const server = listen({ fetch }, { address: { hostname: '127.0.0.1', port }, log, closing })
  servers.push(server)
  return { server, lines, closing, at: `http://127.0.0.1:${server.port}/` }
}

/** What an answer says that no operation has made. */
const bare = ['close', 'no-store', "default-src 'none'; frame-ancestors 'none'", 'nosniff']
const guardsOf = ({ headers }: Response) =>
  ['connection', 'cache-control', 'content-security-policy', 'x-content-type-options'].map((name) => headers.get(name))

test('a request that waited for a start in vain is answered with a bare 503', async () => {
  const answer = notStarted()
  expect([answer.status, await answer.text(), guardsOf(answer)]).toEqual([503, '', bare])
})

describe('a listener', () => {
  test('takes a free port where none is named, and says where it can be reached', async () => {
    const [one, two] = [start(() => new Response('one')), start(() => new Response('two'))]
    for (const { server } of [one, two]) {
      expect(server.hostname).toBe('127.0.0.1')
      expect(server.port).toBeWithin(1, 65_536)
    }
    expect(await Promise.all([one, two].map(async ({ at }) => (await fetch(at)).text()))).toEqual(['one', 'two'])
  })

  test('shares its port with nobody', () => {
    const { server } = start(() => new Response())
    expect(() => start(() => new Response(), { port: server.port })).toThrow()
  })

  test('knows whether an answer is taken: read to its end, or by nobody any more', async () => {
    const taken: (() => boolean)[] = []
    const { server, at } = start((_request, _peer, isTaken) => {
      taken.push(isTaken)
      return new Response(new Uint8Array(20_000_000))
    })
    const states = () => taken.map((isTaken) => isTaken())
    const lazy = await Promise.all(
      [1, 2].map((_) =>
        Bun.connect({ hostname: server.hostname, port: server.port, socket: { data: (it) => void it.pause() } }),
      ),
    )
    for (const socket of lazy) socket.write('GET / HTTP/1.1\r\nhost: quire\r\n\r\n')
    await until('both are asked', () => taken.length === 2)
    expect(states()).toEqual([false, false])
    expect((await (await fetch(at)).bytes()).length).toBe(20_000_000)
    await until('the one that was read is taken', () => states()[2])
    expect(states()).toEqual([false, false, true])
    lazy[0]?.terminate()
    await until('what nobody waits for is taken', () => states()[0])
    expect(states()).toEqual([true, false, true])
    lazy[1]?.terminate()
  })

  test('tells the application where each connection comes from', async () => {
    const peers: string[] = []
    const { at } = start((_, peer) => {
      peers.push(peer)
      return new Response()
    })
    const answer = await fetch(at)
    expect(peers).toEqual(['127.0.0.1'])
    expect(answer.headers.get('connection')).not.toBe('close')
  })

  test('answers a bare 500 for what the application throws, closes that connection, and keeps the reason for its log', async () => {
    const { at, lines } = start(() => {
      throw new Error('the secret reason')
    })
    const answer = await fetch(at)
    expect([answer.status, await answer.text(), guardsOf(answer)]).toEqual([500, '', bare])
    expect(lines).toMatchObject([{ level: 'error' }])
    expect(JSON.stringify(lines)).toContain('the secret reason')
  })
})

describe('a listener that closes', () => {
  test('answers what is at work, on connections that end with it, and then takes none', async () => {
    const work = Promise.withResolvers<void>()
    let asked = 0
    const { at, server, closing } = start(async () => {
      asked++
      await work.promise
      return new Response('done')
    })
    const early = fetch(at)
    await until('it is asked', () => asked === 1)
    let isClosed = false
    const closed = server.close(60_000).then(() => {
      isClosed = true
    })
    expect(closing.refusing.aborted).toBe(true)
    const late = fetch(at)
    await until('it is asked again', () => asked === 2)
    expect(isClosed).toBe(false)
    work.resolve()
    for (const answer of await Promise.all([early, late])) {
      expect([await answer.text(), answer.headers.get('connection')]).toEqual(['done', 'close'])
    }
    await closed
    expect(await fetch(at).catch(() => 'refused')).toBe('refused')
  })

  test('gives up what is still at work at its deadline, and not before', async () => {
    const closing = new Closing()
    let isAsked = false
    const { at, server } = start(
      () => {
        isAsked = true
        return closing.answer(new Promise<Response>(() => {})).catch(() => new Response('given up', { status: 503 }))
      },
      { closing },
    )
    const answer = fetch(at)
    await until('it is at work', () => isAsked)
    const begunAt = performance.now()
    const closed = server.close(300)
    expect(await (await answer).text()).toBe('given up')
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(299)
    await closed
  })

  test('cuts an answer that never ends', async () => {
    const endless = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) })
    const { at, server } = start(() => new Response(endless()))
    const answer = await fetch(at)
    let hasEnded = false
    const abandon = new AbortController()
    const read = answer.body
      ?.pipeTo(new WritableStream(), { signal: abandon.signal })
      .catch(() => {})
      .then(() => {
        hasEnded = true
      })
    await server.close(50)
    await until('its client has read to an end', () => hasEnded).finally(() => abandon.abort())
    await read
  })
})
