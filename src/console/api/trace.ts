/**
 * The live trace of an execution, over server-sent events. Browsers keep six connections to an origin, so only a few
 * streams are open at once; executions beyond these are polled instead.
 */
const maxStreams = 3
let openStreams = 0

/** The events of an execution, as `event` names them. */
const eventTypes = [
  'queued',
  'step.started',
  'step.succeeded',
  'step.deferred',
  'step.failed',
  'completed',
  'failed',
  'retried',
] as const

export interface Trace {
  isOpen(): boolean
  /** Resolves with the next event, at once when one came since the last call; also when the stream ends. */
  next(): Promise<void>
  close(): void
}

const closedTrace: Trace = { isOpen: () => false, next: () => Promise.resolve(), close: () => {} }

/** Opens the stream, which reconnects by itself and continues after the last event it saw. */
export function openTrace(executionId: string, abort: AbortSignal): Trace {
  if (openStreams >= maxStreams) return closedTrace
  const source = new EventSource(`/api/v1/executions/${encodeURIComponent(executionId)}/trace`)
  openStreams++
  let isOpen = true
  let hasNews = false
  let wake: (() => void) | undefined
  const news = () => {
    hasNews = true
    wake?.()
  }
  const close = () => {
    if (!isOpen) return
    isOpen = false
    openStreams--
    source.close()
    abort.removeEventListener('abort', close)
    wake?.()
  }
  for (const type of eventTypes) source.addEventListener(type, news)
  // A refused stream (no session, say) is closed by the browser; reading then says why. An ended one reconnects.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) close()
    else news()
  })
  abort.addEventListener('abort', close)
  return {
    isOpen: () => isOpen,
    async next() {
      if (!hasNews && isOpen) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      wake = undefined
      hasNews = false
    },
    close,
  }
}
