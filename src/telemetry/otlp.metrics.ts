import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource as SdkResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import type { HistogramPoint, Metric, NumberPoint, Reading } from './metric.ts'
import { hrTimeOf } from './otlp.time.ts'
import type { Resource } from './resource.ts'

interface Times {
  startTime: HrTime
  endTime: HrTime
}

/**
 * A reading as OpenTelemetry's packages write it. Counters and histograms are cumulative: each request covers
 * everything since the start, so the next one makes up for one that is lost.
 */
export function resourceMetrics(
  { startNs, timeNs, metrics }: Reading,
  scope: Resource['scope'],
  resource: SdkResource,
): ResourceMetrics {
  const times = { startTime: hrTimeOf(startNs), endTime: hrTimeOf(timeNs) }
  return { resource, scopeMetrics: [{ scope, metrics: metrics.map((metric) => metricData(metric, times)) }] }
}

function metricData({ name, description, unit, data }: Metric, times: Times): MetricData {
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const number = ({ attributes, value }: NumberPoint) => ({ attributes, ...times, value })
  switch (data.kind) {
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: data.points.map(number) }
    case 'counter':
      return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: data.points.map(number) }
    case 'histogram':
      return {
        ...common,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: data.points.map((point) => ({ attributes: point.attributes, ...times, value: histogram(point) })),
      }
  }
}

function histogram({ count, sum, bounds, bucketCounts }: HistogramPoint) {
  return { count, sum, buckets: { boundaries: [...bounds], counts: [...bucketCounts] } }
}
