import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openTrace, type Trace } from '../../src/console/api/trace.ts'

const streams: Stream[] = []
class Stream extends EventTarget {
  static readonly CLOSED = 2
  readyState = 1
  constructor(readonly url: string) {
    super()
    streams.push(this)
  }
  close(): void {
    this.readyState = Stream.CLOSED
  }
  tell(type: string): void {
    this.dispatchEvent(new Event(type))
  }
}

const own = globalThis.EventSource
let leaving: AbortController
const open = (id = 'e-1') => openTrace(id, leaving.signal)
/** Whether `next` has come by now. */
async function comes(trace: Trace): Promise<boolean> {
  let isThere = false
  void trace.next().then(() => {
    isThere = true
  })
  await Promise.resolve().then(() => Promise.resolve())
  return isThere
}

beforeEach(() => {
  streams.length = 0
  leaving = new AbortController()
  globalThis.EventSource = Stream as unknown as typeof EventSource
})
afterEach(() => {
  leaving.abort()
  globalThis.EventSource = own
})

test('an event wakes who waits for it, and one that came before is told at once, but once', async () => {
  const trace = open('a/b')
  expect(streams[0]?.url).toBe('/api/v1/executions/a%2Fb/trace')
  const waiting = trace.next()
  streams[0]?.tell('step.started')
  await waiting
  expect(await comes(trace)).toBe(false)
  streams[0]?.tell('completed')
  streams[0]?.tell('failed')
  expect(await comes(trace)).toBe(true)
  expect(await comes(trace)).toBe(false)
})

test('every kind of event is news, and nothing else is', async () => {
  const trace = open()
  const kinds = ['queued', 'step.started', 'step.succeeded', 'step.deferred', 'step.failed', 'completed', 'failed']
  for (const kind of [...kinds, 'retried']) {
    streams[0]?.tell(kind)
    expect([kind, await comes(trace)]).toEqual([kind, true])
  }
  streams[0]?.tell('message')
  expect(await comes(trace)).toBe(false)
})

test('a stream that reconnects is news, and one that the browser gave up is closed and waits for nobody', async () => {
  const trace = open()
  streams[0]?.tell('error')
  expect([await comes(trace), trace.isOpen()]).toEqual([true, true])
  const waiting = trace.next()
  streams[0]?.close()
  streams[0]?.tell('error')
  await waiting
  expect([await comes(trace), trace.isOpen()]).toEqual([true, false])
})

test('leaving the page closes the stream and wakes whoever waits for it', async () => {
  const trace = open()
  const waiting = trace.next()
  leaving.abort()
  await waiting
  expect([trace.isOpen(), streams[0]?.readyState]).toEqual([false, Stream.CLOSED])
})

test('three streams are open at once, and closing one twice makes room for one only', () => {
  const three = [open(), open(), open()]
  const fourth = open()
  expect([fourth.isOpen(), streams.length]).toEqual([false, 3])
  fourth.close()
  three[0]?.close()
  three[0]?.close()
  expect([open().isOpen(), open().isOpen(), streams.length]).toEqual([true, false, 4])
})
