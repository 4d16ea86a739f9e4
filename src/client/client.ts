/** The typed client: every operation of the interface, and what takes more than one of them. */
import { type Download, download } from './download.ts'
import { ExecutionFailed, ExecutionUnfinished, QuireRefusal, QuireUnreachable } from './errors.ts'
import { type EventOptions, executionEvents } from './events.ts'
import { type CallOptions, type Execution, QuireOperations, type TraceEvent } from './quire.ts'
import { UnusableAnswer } from './reading.ts'
import { isPassingStatus, pause } from './retries.ts'

export type { Download } from './download.ts'
export { ExecutionFailed, ExecutionUnfinished, QuireRefusal, QuireUnreachable } from './errors.ts'
export type { EventOptions } from './events.ts'
export type * from './problems.ts'
export * from './quire.ts'
export type { RetryRules } from './retries.ts'
export type { Answer, ClientOptions, OperationInput, StreamAnswer } from './transport.ts'

export interface WaitOptions {
  signal?: AbortSignal
  /** Milliseconds to wait at most; five minutes unless given. */
  timeoutMs?: number
  /** Called with each event of the execution's trace, in order, once. */
  onEvent?: (event: TraceEvent) => void
}

/** An execution that made all its documents. */
export type CompletedExecution = Execution & { status: 'completed' }

export class QuireClient extends QuireOperations {
  /**
   * Waits until an execution has ended, on its live trace. If the trace breaks off, it is opened again
   * while there is time, so a restart of the server does no harm.
   *
   * @throws ExecutionFailed when it ends as failed; ExecutionUnfinished when it doesn't end in time; QuireRefusal;
   * QuireUnreachable; the signal's reason
   */
  async waitForExecution(executionId: string, options: WaitOptions = {}): Promise<CompletedExecution> {
    const { timeoutMs = usualWaitMs, signal, onEvent } = options
    const late = new AbortController()
    let trouble: unknown
    const end = () => late.abort(new ExecutionUnfinished(executionId, timeoutMs, trouble))
    const timer = setTimeout(end, timeoutMs)
    const within = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
    let after = 0
    try {
      for (let quietRounds = 0; ; quietRounds++) {
        trouble = undefined
        try {
          for await (const event of this.executionEvents(executionId, { after, signal: within })) {
            if (event.sequence <= after) continue
            after = event.sequence
            quietRounds = 0
            onEvent?.(event)
          }
        } catch (error) {
          if (!mayPass(error)) throw error
          trouble = error
        }
        // Also where the trace can't be had: something in between may let no stream through.
        try {
          const { body } = await this.getExecution({ params: { executionId }, signal: within })
          if (body.status === 'completed') return { ...body, status: body.status }
          if (body.status === 'failed') throw new ExecutionFailed(body)
        } catch (error) {
          if (!mayPass(error)) throw error
          trouble = error
        }
        await pause(Math.min(rounds.longestMs, rounds.firstMs * 2 ** quietRounds), within)
      }
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * The events of an execution as they happen, from the first one; ends with the execution's last event, or when the
   * server stops.
   *
   * @throws QuireRefusal; QuireUnreachable where the connection is lost; the signal's reason
   */
  executionEvents(executionId: string, options: EventOptions = {}): AsyncGenerator<TraceEvent, void> {
    return executionEvents((input) => this.stream('getExecutionTrace', input), executionId, options)
  }

  /**
   * A document's bytes as they come. Where the connection breaks, the rest is asked for, so that the stream ends when all
   * bytes were there, or fails.
   *
   * @throws QuireRefusal; QuireUnreachable; the signal's reason
   */
  download(executionId: string, artifactId: string, options: CallOptions = {}): Promise<Download> {
    const { headers = {} } = options
    const params = { executionId, artifactId }
    const open = (own: Readonly<Record<string, string>>) =>
      this.stream('downloadArtifact', { ...options, params, headers: { ...headers, ...own } })
    return download(open, options.signal)
  }
}

/** Trouble that waiting may outlast, such as a restart of the server, even where retries of a call did not. */
function mayPass(error: unknown): boolean {
  if (error instanceof QuireUnreachable) return !(error.cause instanceof UnusableAnswer)
  return error instanceof QuireRefusal && isPassingStatus(error.status)
}

/** Five minutes in milliseconds. */
const usualWaitMs = 300_000

/** Milliseconds between two readings of an execution whose live trace can't be had. */
const rounds = { firstMs: 200, longestMs: 5_000 }
