import { type CommittedEvent, onEventsCommitted } from '../bus/outbox.ts'
import { detailOf } from '../core/error-cause.ts'
import { epochMsOf, type Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { parseTraceparent, type SpanContext } from '../core/traceparent.ts'
import type { Answered } from '../http/pipeline.ts'
import { type ExportCounts, startExporter } from './exporter.ts'
import type { Sampler, TraceSettings } from './settings.ts'
import { executionSpanId, newSpanId, spanKind, traceIdOf, unixNow } from './span.ts'

/**
 * Traces of a submission: its request is a server span, below the caller's if a `traceparent` came with it; each
 * execution that the request queued is a producer span below that; each attempt at a step is a consumer span below the
 * execution's.
 *
 * A step runs long after the answer to its request, perhaps after a restart, and on any instance. So its span derives
 * its ids from its rows: the execution's id, the correlation id, and the caller's traceparent where there was one.
 */
export interface Traces {
  /** Call it when a request begins; call what it returns with the answer. */
  request(parent: SpanContext | undefined, correlationId: string): (answered: Answered) => void
  readonly counts: Readonly<ExportCounts>
  stop(deadlineMs: number): Promise<void>
}

export function startTraces(settings: TraceSettings, log: Log): Traces {
  const exporter = startExporter(settings, log)
  const { sampler } = settings
  /** Span ids of requests by correlation id: what a request queued hangs below its span. */
  const requests = new Map<string, string>()
  const begun = new Map<string, Instant>()

  /** The trace of a request and of all that follows from it: the same on every instance. */
  function traceFor(parent: SpanContext | undefined, correlationId: string): { traceId: string; isSampled: boolean } {
    const traceId = parent?.traceId ?? traceIdOf(correlationId)
    const isCallers = parent !== undefined && sampler.isParentBased
    return { traceId, isSampled: isCallers ? parent.isSampled : isSampled(sampler, traceId) }
  }

  function note(event: CommittedEvent): void {
    const { type, data, correlationId, createdAt } = event
    if (event.aggregate !== 'execution') return
    const stepKey = `${event.aggregateId}/${data.position}`
    if (type === 'step.started') {
      remember(begun, stepKey, createdAt)
      return
    }
    const { traceId, isSampled } = traceFor(parseTraceparent(event.traceparent), correlationId)
    const endNs = nanosecondsOf(createdAt)
    const attributes = { 'quire.execution_id': event.aggregateId, 'quire.correlation_id': correlationId }
    // Only the first time: a retry queues the same execution again.
    if (type === 'queued' && event.sequence === 1 && isSampled) {
      exporter.add({
        traceId,
        spanId: executionSpanId(event.aggregateId),
        parentSpanId: requests.get(correlationId),
        name: 'execution queued',
        kind: spanKind.producer,
        startNs: endNs,
        endNs,
        attributes,
      })
    }
    if (type !== 'step.succeeded' && type !== 'step.failed' && type !== 'step.deferred') return
    const startedAt = begun.get(stepKey)
    begun.delete(stepKey)
    if (!isSampled) return
    const { step, attempt, duration_ms: durationMs, failure, code } = data
    const startNs =
      typeof durationMs === 'number'
        ? endNs - BigInt(Math.round(durationMs * 1e6))
        : startedAt === undefined
          ? endNs
          : nanosecondsOf(startedAt)
    const error = type === 'step.failed' ? detailOf(failure) : code
    exporter.add({
      traceId,
      spanId: newSpanId(),
      parentSpanId: executionSpanId(event.aggregateId),
      name: `step ${String(step)}`,
      kind: spanKind.consumer,
      startNs,
      endNs,
      attributes: {
        ...attributes,
        'quire.step': String(step),
        'quire.attempt': Number(attempt),
        ...(error === undefined ? {} : { 'error.type': String(error) }),
      },
      ...(error === undefined ? {} : { error: String(error) }),
    })
  }

  const stopListening = onEventsCommitted((events) => {
    for (const event of events) note(event)
  })

  return {
    counts: exporter.counts,
    request(parent, correlationId) {
      const { traceId, isSampled } = traceFor(parent, correlationId)
      const spanId = newSpanId()
      remember(requests, correlationId, spanId)
      const startNs = unixNow()
      return (answered) => {
        if (!isSampled) return
        const { method, route, operationId, status } = answered
        exporter.add({
          traceId,
          spanId,
          parentSpanId: parent?.spanId,
          name: route === undefined ? method : `${method} ${route}`,
          kind: spanKind.server,
          startNs,
          endNs: startNs + BigInt(Math.round(answered.seconds * 1e9)),
          attributes: {
            'http.request.method': method,
            'http.response.status_code': status,
            'quire.operation': operationId,
            'quire.correlation_id': correlationId,
            ...(route === undefined ? {} : { 'http.route': route }),
            ...(status < 500 ? {} : { 'error.type': String(status) }),
          },
          ...(status < 500 ? {} : { error: `answered with ${status}` }),
        })
      }
    },
    async stop(deadlineMs) {
      stopListening()
      await exporter.stop(deadlineMs)
    },
  }
}

/** Decided by the trace id, so every instance decides the same. */
function isSampled({ ratio }: Sampler, traceId: string): boolean {
  return ratio >= 1 || Number.parseInt(traceId.slice(-12), 16) < ratio * 2 ** 48
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= limits.telemetryRemembered) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

function nanosecondsOf(instant: Instant): bigint {
  return BigInt(epochMsOf(instant)) * 1_000_000n + BigInt(instant.slice(23, 29))
}
