import type { HistogramPoint, Metric, NumberPoint, Reading } from './metric.ts'
import {
  bytesField,
  doubleField,
  doublesField,
  fixed64Field,
  fixed64sField,
  message,
  textField,
  varintField,
} from './protobuf.ts'
import { attributeFields, jsonAttributes, protobufRequest, type Resource } from './resource.ts'

/**
 * Metrics as the request body of OTLP/HTTP (opentelemetry-proto 1, ExportMetricsServiceRequest), in its two encodings. Counters
 * and histograms are cumulative: each request says everything since the start, so that one that is lost is made up by the next.
 */

/** The number of AggregationTemporality for values since the start. */
const CUMULATIVE = 2

export function metricsAsJson({ attributes, scope }: Resource, reading: Reading): Uint8Array<ArrayBuffer> {
  const request = {
    resourceMetrics: [
      {
        resource: { attributes: jsonAttributes(attributes) },
        scopeMetrics: [{ scope, metrics: reading.metrics.map((metric) => jsonMetric(metric, reading)) }],
      },
    ],
  }
  return new TextEncoder().encode(JSON.stringify(request))
}

function jsonMetric({ name, description, unit, data }: Metric, { startNs, timeNs }: Reading) {
  const times = { startTimeUnixNano: String(startNs), timeUnixNano: String(timeNs) }
  const number = ({ attributes, value }: NumberPoint) => ({
    attributes: jsonAttributes(attributes),
    ...times,
    asDouble: value,
  })
  const named = { name, description, unit }
  if (data.kind === 'gauge') return { ...named, gauge: { dataPoints: data.points.map(number) } }
  const aggregationTemporality = CUMULATIVE
  if (data.kind === 'counter') {
    return { ...named, sum: { dataPoints: data.points.map(number), aggregationTemporality, isMonotonic: true } }
  }
  const dataPoints = data.points.map((point) => ({
    attributes: jsonAttributes(point.attributes),
    ...times,
    count: String(point.count),
    sum: point.sum,
    explicitBounds: point.bounds,
    bucketCounts: point.bucketCounts.map(String),
  }))
  return { ...named, histogram: { dataPoints, aggregationTemporality } }
}

export function metricsAsProtobuf(resource: Resource, reading: Reading): Uint8Array<ArrayBuffer> {
  return protobufRequest(
    resource,
    reading.metrics.map((metric) => metricMessage(metric, reading)),
  )
}

function metricMessage({ name, description, unit, data }: Metric, reading: Reading): Uint8Array {
  const named = [textField(1, name), textField(2, description), textField(3, unit)]
  const temporality = varintField(2, BigInt(CUMULATIVE))
  switch (data.kind) {
    case 'gauge':
      return message(...named, bytesField(5, message(...numberFields(data.points, reading))))
    case 'counter':
      return message(
        ...named,
        bytesField(7, message(...numberFields(data.points, reading), temporality, varintField(3, 1n))),
      )
    case 'histogram':
      return message(...named, bytesField(9, message(...histogramFields(data.points, reading), temporality)))
  }
}

function numberFields(points: readonly NumberPoint[], { startNs, timeNs }: Reading): Uint8Array[] {
  return points.map(({ attributes, value }) =>
    bytesField(
      1,
      message(
        ...attributeFields(7, attributes),
        fixed64Field(2, startNs),
        fixed64Field(3, timeNs),
        doubleField(4, value),
      ),
    ),
  )
}

function histogramFields(points: readonly HistogramPoint[], { startNs, timeNs }: Reading): Uint8Array[] {
  return points.map(({ attributes, count, sum, bounds, bucketCounts }) =>
    bytesField(
      1,
      message(
        ...attributeFields(9, attributes),
        fixed64Field(2, startNs),
        fixed64Field(3, timeNs),
        fixed64Field(4, BigInt(count)),
        doubleField(5, sum),
        fixed64sField(6, bucketCounts),
        doublesField(7, bounds),
      ),
    ),
  )
}
