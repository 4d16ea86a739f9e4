import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import {
  type IExportTraceServiceResponse,
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Log } from '../core/log.ts'
import { readableSpan } from './otlp.spans.ts'
import { openSender } from './sender.ts'
import type { TraceSettings } from './settings.ts'
import type { Span } from './span.ts'

/**
 * Sends spans to a collector in batches: when one is full, or after a pause. The queue is bounded and nobody waits for it.
 * A span that finds it full is dropped and counted; so is a batch that the collector refuses or doesn't take in time.
 * Nothing here throws.
 */
export interface SpanExporter {
  add(span: Span): void
  readonly counts: Readonly<ExportCounts>
  /** Sends what is there, and stops for good at the deadline. */
  stop(deadlineMs: number): Promise<void>
}

export interface ExportCounts {
  exported: number
  dropped: number
}

/** How spans are written, and how a collector says which of them it refused. */
function spanSignal({ encoding, queueSpans, batchSpans }: TraceSettings) {
  const serializer = encoding === 'json' ? JsonTraceSerializer : ProtobufTraceSerializer
  return {
    serializer,
    counting: TraceExporterMetricsHelper,
    refusedIn: ({ partialSuccess }: IExportTraceServiceResponse) => ({
      count: partialSuccess?.rejectedSpans,
      message: partialSuccess?.errorMessage,
    }),
    waitingBatches: Math.ceil(queueSpans / batchSpans),
  }
}

export function startExporter(settings: TraceSettings, log: Log): SpanExporter {
  const { queueSpans, batchSpans, delayMs } = settings
  const { attributes, scope } = settings.resource
  const resource = resourceFromAttributes(attributes)
  const sender = openSender(settings, spanSignal(settings), log.with({ component: 'telemetry' }))
  const counts: ExportCounts = { exported: 0, dropped: 0 }
  /** The processor silently drops spans that find its queue full, so its queue is counted here. */
  let queued = 0
  let isStopping = false
  const underWay = new Map<Promise<void>, number>()

  async function send(spans: ReadableSpan[]): Promise<ExportResult> {
    try {
      const refused = await sender.send(spans)
      counts.exported += spans.length - refused
      counts.dropped += refused
      return { code: ExportResultCode.SUCCESS }
    } catch (error) {
      sender.complain('traces could not be exported', { error, dropped: counts.dropped })
      counts.dropped += spans.length
      return { code: ExportResultCode.FAILED }
    }
  }

  const processor = new BatchSpanProcessor({
    exporter: {
      export(spans, done) {
        queued -= spans.length
        const sending = send(spans).then((result) => {
          underWay.delete(sending)
          done(result)
        })
        underWay.set(sending, spans.length)
      },
      async shutdown() {},
    },
    maxQueueSize: queueSpans,
    maxExportBatchSize: batchSpans,
    scheduledDelayMillis: delayMs,
  })

  return {
    counts,
    add(span) {
      if (isStopping || queued >= queueSpans) {
        counts.dropped++
        return
      }
      queued++
      processor.onEnd(readableSpan(span, scope, resource))
    },
    async stop(deadlineMs) {
      isStopping = true
      // Failures are counted by the sender.
      const flushed = processor.shutdown().catch(() => {})
      const sent = flushed.then(() => Promise.all(underWay.keys()))
      await Promise.race([sent, Bun.sleep(deadlineMs)])
      for (const spans of underWay.values()) counts.dropped += spans
    },
  }
}
