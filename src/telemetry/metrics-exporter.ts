import type { Log } from '../core/log.ts'
import type { Reading } from './metric.ts'
import { metricsAsJson, metricsAsProtobuf } from './otlp.metrics.ts'
import { openSender } from './sender.ts'
import type { MetricSettings } from './settings.ts'

/**
 * Reads the metrics at an interval and posts them to a collector. Every reading says all since the start, so one that the
 * collector doesn't take is counted and let go of: the next makes up for it. Nothing here is thrown, and nobody waits.
 */
export interface MetricsExporter {
  readonly counts: Readonly<{ exported: number; failed: number }>
  /** Exports a last reading, and stops for good at the deadline. */
  stop(deadlineMs: number): Promise<void>
}

export function startMetricsExporter(
  settings: MetricSettings,
  read: () => Promise<Reading>,
  log: Log,
): MetricsExporter {
  const sender = openSender(settings, 'rejectedDataPoints', log.with({ component: 'telemetry' }))
  const encode = settings.encoding === 'json' ? metricsAsJson : metricsAsProtobuf
  const counts = { exported: 0, failed: 0 }
  let exporting: Promise<void> | undefined

  /** One at a time: an interval that finds the one before it still under way is passed over. */
  function exportOnce(): Promise<void> {
    exporting ??= send().finally(() => {
      exporting = undefined
    })
    return exporting
  }

  async function send(): Promise<void> {
    try {
      await sender.post(encode(settings.resource, await read()), settings.exportTimeoutMs)
      counts.exported++
    } catch (error) {
      counts.failed++
      sender.complain('metrics could not be exported', { error, failed: counts.failed })
    }
  }

  const timer = setInterval(() => void exportOnce(), settings.intervalMs)
  timer.unref()
  return {
    counts,
    async stop(deadlineMs) {
      clearInterval(timer)
      sender.finish()
      const deadline = setTimeout(() => sender.abort(), deadlineMs)
      await exporting
      await exportOnce()
      clearTimeout(deadline)
    },
  }
}
