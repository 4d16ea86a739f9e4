import { Fault } from '../../core/faults.ts'
import { limits } from '../../core/limits.ts'
import type { TraceEvent } from './executions.model.ts'
import type { ExecutionService } from './executions.service.ts'

/**
 * An execution's trace as server-sent events (WHATWG HTML, 9.2): `id` is the sequence, `event` the type, `data` the event as
 * JSON. The stream ends after the execution's last event, or when `until` aborts; the browser then reconnects.
 *
 * @param lastEventId the sequence after which to begin, as a reconnecting browser sends it
 * @throws Fault not_found, or validation_failed for an id that no event of a trace can have
 */
export async function eventStream(
  executions: ExecutionService,
  executionId: string,
  { lastEventId, until }: { lastEventId: string | null; until: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  if (lastEventId !== null && !/^\d{1,9}$/.test(lastEventId)) {
    throw new Fault('validation_failed', 'Header Last-Event-ID must be the sequence of an event of this trace.')
  }
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, until])
  const events = await executions.follow(executionId, Number(lastEventId ?? 0), signal)
  const encoder = new TextEncoder()
  let heartbeat: ReturnType<typeof setInterval>
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      heartbeat = setInterval(() => controller.enqueue(encoder.encode(': still here\n\n')), limits.traceHeartbeatMs)
      controller.enqueue(encoder.encode('retry: 1000\n\n'))
      void send(events, (text) => controller.enqueue(encoder.encode(text)))
        .then(
          () => controller.close(),
          (error) => controller.error(error),
        )
        .catch(() => {})
        .finally(() => clearInterval(heartbeat))
    },
    cancel() {
      clearInterval(heartbeat)
      stop.abort()
    },
  })
}

async function send(events: AsyncIterable<TraceEvent>, write: (text: string) => void): Promise<void> {
  for await (const event of events) {
    write(`id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
}
