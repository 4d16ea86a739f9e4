/** An execution's live trace: server-sent events (WHATWG HTML, 9.2). */
import { QuireUnreachable } from './errors.ts'
import type { TraceEvent } from './quire.ts'
import { UnusableAnswer } from './reading.ts'
import type { OperationInput } from './transport.ts'

export interface EventOptions {
  /** The sequence of the last event that is known already. */
  after?: number
  signal?: AbortSignal
}

/** Milliseconds without a byte after which a connection counts as lost: four of the server's heartbeats. */
const silenceMs = 60_000

/** Fixed by the server, whose events have a few kilobytes at most. */
const longestEventChars = 1_000_000

/** @param open sends the request for the trace; throws refusals */
export async function* executionEvents(
  open: (input: OperationInput) => Promise<{ body: ReadableStream<Uint8Array> | null }>,
  executionId: string,
  { after = 0, signal }: EventOptions,
): AsyncGenerator<TraceEvent, void> {
  const silent = new AbortController()
  const headers = { accept: 'text/event-stream', ...(after === 0 ? {} : { 'last-event-id': String(after) }) }
  const within = signal === undefined ? silent.signal : AbortSignal.any([signal, silent.signal])
  const response = await open({ params: { executionId }, headers, signal: within })
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(new Error(`nothing was heard for ${silenceMs} ms`)), silenceMs)
  }
  listen()
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let searched = 0
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
      if (done) return
      listen()
      text += decoder.decode(value, { stream: true })
      // An event that comes byte by byte is not looked through from its beginning each time.
      const blocks = text.includes('\n\n', Math.max(0, searched - 1)) ? text.split('\n\n') : [text]
      text = blocks.pop() ?? ''
      searched = text.length
      if (text.length > longestEventChars) {
        throw new UnusableAnswer(`an event has more than ${longestEventChars} characters`)
      }
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data !== undefined) yield eventOf(data)
      }
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw new QuireUnreachable(`the trace of execution ${executionId}`, 1, silent.signal.reason ?? error)
  } finally {
    clearTimeout(timer)
    await reader?.cancel().catch(() => {})
  }
}

function eventOf(data: string): TraceEvent {
  const event: unknown = JSON.parse(data)
  if (typeof event === 'object' && event !== null && 'sequence' in event && Number.isSafeInteger(event.sequence)) {
    return event as TraceEvent
  }
  throw new Error('an event has no sequence')
}
