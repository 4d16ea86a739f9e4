import {
  type IExportMetricsServiceResponse,
  JsonMetricsSerializer,
  MetricsExporterMetricsHelper,
  ProtobufMetricsSerializer,
} from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { Log } from '../core/log.ts'
import type { Reading } from './metric.ts'
import { resourceMetrics } from './otlp.metrics.ts'
import { openSender } from './sender.ts'
import type { MetricSettings } from './settings.ts'

/**
 * Reads the metrics at an interval and posts them to a collector. Every reading covers everything since the start, so
 * one that the collector doesn't take is counted and dropped: the next makes up for it. Nothing here throws, and nobody
 * waits.
 *
 * OpenTelemetry's own reader throws if the interval is shorter than the timeout; here the two don't depend on each
 * other.
 */
export interface MetricsExporter {
  readonly counts: Readonly<{ exported: number; failed: number }>
  /** Exports a last reading, and stops for good at the deadline. */
  stop(deadlineMs: number): Promise<void>
}

/** How metrics are written, and how a collector says which of them it refused. */
function metricSignal(encoding: MetricSettings['encoding']) {
  const serializer = encoding === 'json' ? JsonMetricsSerializer : ProtobufMetricsSerializer
  return {
    serializer,
    counting: MetricsExporterMetricsHelper,
    refusedIn: ({ partialSuccess }: IExportMetricsServiceResponse) => ({
      count: partialSuccess?.rejectedDataPoints,
      message: partialSuccess?.errorMessage,
    }),
    waitingBatches: 0,
  }
}

export function startMetricsExporter(
  settings: MetricSettings,
  read: () => Promise<Reading>,
  log: Log,
): MetricsExporter {
  const { attributes, scope } = settings.resource
  const resource = resourceFromAttributes(attributes)
  const timeoutMs = Math.min(settings.timeoutMs, settings.exportTimeoutMs)
  const componentLog = log.with({ component: 'telemetry' })
  const sender = openSender({ ...settings, timeoutMs }, metricSignal(settings.encoding), componentLog)
  const counts = { exported: 0, failed: 0 }
  let exporting: Promise<void> | undefined
  let isStopped = false

  /** One at a time: an interval that ends while an export is still under way is skipped. */
  function exportOnce(): Promise<void> {
    exporting ??= send().finally(() => {
      exporting = undefined
    })
    return exporting
  }

  async function send(): Promise<void> {
    try {
      await sender.send(resourceMetrics(await read(), scope, resource))
      if (!isStopped) counts.exported++
    } catch (error) {
      if (isStopped) return
      counts.failed++
      sender.complain('metrics could not be exported', { error, failed: counts.failed })
    }
  }

  async function exportLast(): Promise<void> {
    await exporting
    await exportOnce()
  }

  const timer = setInterval(() => void exportOnce(), settings.intervalMs)
  timer.unref()
  return {
    counts,
    async stop(deadlineMs) {
      clearInterval(timer)
      const isLastTaken = await Promise.race([exportLast().then(() => true), Bun.sleep(deadlineMs).then(() => false)])
      isStopped = true
      if (!isLastTaken) counts.failed++
    },
  }
}
