import { type CommittedEvent, onEventsCommitted } from '../bus/outbox.ts'
import { epochMsOf, type Instant } from '../core/instant.ts'
import type { Log } from '../core/log.ts'
import { parseTraceparent, type SpanContext } from '../core/traceparent.ts'
import type { Answered } from '../http/pipeline.ts'
import { type ExportCounts, startExporter } from './exporter.ts'
import type { Sampler, TraceSettings } from './settings.ts'
import { executionSpanId, newSpanId, spanKind, traceIdOf, unixNow } from './span.ts'

/**
 * Traces of a submission: its request (a server span below the caller's, when a `traceparent` came with it), each execution
 * that the request queued (a producer span below it), and each attempt at a step (a consumer span below that one).
 *
 * A step runs long after its request was answered, after a restart too, and on any instance. So the ids that it needs follow
 * from what its rows have: the execution's id, the correlation id, and the caller's traceparent where there was one.
 */
export interface Traces {
  /** Called when a request begins; what it gives is called with the answer. */
  request(parent: SpanContext | undefined, correlationId: string): (answered: Answered) => void
  readonly counts: Readonly<ExportCounts>
  stop(deadlineMs: number): Promise<void>
}

/** Requests and begun steps that are remembered: what a busy instance does in minutes. */
const REMEMBERED = 10_000

export function startTraces(settings: TraceSettings, log: Log): Traces {
  const exporter = startExporter(settings, log)
  const { sampler } = settings
  /** The spans of requests, by correlation id: what they queue hangs below them. */
  const requests = new Map<string, string>()
  const begun = new Map<string, Instant>()

  /** The trace of a request and of all that follows from it: the same for every instance that has a part in it. */
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
    // Queued once: a retry queues it again, and belongs to the same execution.
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
    const error = type === 'step.failed' ? (failure as { code?: unknown } | undefined)?.code : code
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

/** The decision follows from the trace id, so that every instance makes the same. */
function isSampled({ ratio }: Sampler, traceId: string): boolean {
  return ratio >= 1 || Number.parseInt(traceId.slice(-12), 16) < ratio * 2 ** 48
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > REMEMBERED) map.delete(map.keys().next().value!)
}

function nanosecondsOf(instant: Instant): bigint {
  return BigInt(epochMsOf(instant)) * 1_000_000n + BigInt(instant.slice(23, 29))
}
