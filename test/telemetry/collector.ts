import { onTestsEnd } from '../support/cleanup.ts'

/**
 * A collector that takes OTLP/HTTP on a loopback port, and reads both encodings by the published names and numbers of
 * opentelemetry-proto 1 (trace/v1/trace.proto, metrics/v1/metrics.proto), on its own: nothing here comes from the code that
 * writes them. What the published messages don't have is refused.
 */
export interface ReadSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  startNs: bigint
  endNs: bigint
  attributes: Record<string, unknown>
  status: { code: number; message: string }
  resource: Record<string, unknown>
  scope: string
}

export interface ReadMetric {
  name: string
  description: string
  unit: string
  kind: 'gauge' | 'sum' | 'histogram'
  /** Of sums and histograms; 2 is cumulative. */
  temporality?: number
  isMonotonic?: boolean
  points: ReadPoint[]
}

export interface ReadPoint {
  attributes: Record<string, unknown>
  startNs: bigint
  timeNs: bigint
  value?: number
  count?: number
  sum?: number
  bounds?: number[]
  bucketCounts?: number[]
}

/** A record of the audit trail (logs/v1/logs.proto). */
export interface ReadLog {
  timeNs: bigint
  severity: number
  severityText: string
  eventName: string
  body: string
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
  scope: string
}

/** One request of metrics. */
export interface ReadExport {
  resource: Record<string, unknown>
  scope: string
  metrics: ReadMetric[]
}

/** Every way in which something goes to a collector, with headers and a resource of the operator's. */
export const deliveries = (['http/json', 'http/protobuf'] as const).flatMap((protocol) =>
  (['none', 'gzip'] as const).map((compression) => ({
    name: `${protocol} (compression ${compression})`,
    variables: {
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one,authorization=Bearer%20abc',
      OTEL_SERVICE_NAME: 'letters',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test,service.name=overridden',
    },
  })),
)

export interface Collector {
  url: string
  spans: ReadSpan[]
  /** What came to `/v1/metrics`. */
  exports: ReadExport[]
  /** What came to `/v1/logs`. */
  logs: ReadLog[]
  requests: { path: string; headers: Headers; count: number }[]
  /** What it answers the next requests with, in order; then 200 again. */
  answers: (() => Response | Promise<Response>)[]
}

/** @param tls for a collector that speaks https alone */
export function startCollector(tls?: Bun.TLSOptions): Collector {
  const collector: Collector = { url: '', spans: [], exports: [], logs: [], requests: [], answers: [] }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    ...(tls === undefined ? {} : { tls }),
    async fetch(request) {
      const sent = new Uint8Array(await request.arrayBuffer())
      const body = request.headers.get('content-encoding') === 'gzip' ? Bun.gunzipSync(sent) : sent
      const isJson = request.headers.get('content-type') === 'application/json'
      const { pathname: path } = new URL(request.url)
      const isMetrics = path.endsWith('/v1/metrics')
      const isLogs = path.endsWith('/v1/logs')
      const logs = !isLogs ? [] : isJson ? readJsonLogs(new TextDecoder().decode(body)) : readLogs(body)
      const spans = isMetrics || isLogs ? [] : isJson ? readJson(new TextDecoder().decode(body)) : readProtobuf(body)
      const exports = !isMetrics ? [] : isJson ? readJsonMetrics(new TextDecoder().decode(body)) : readMetrics(body)
      collector.requests.push({ path, headers: request.headers, count: spans.length })
      const answer = await collector.answers.shift()?.()
      if (answer === undefined || answer.ok) {
        collector.spans.push(...spans)
        collector.exports.push(...exports)
        collector.logs.push(...logs)
      }
      return answer ?? (isJson ? Response.json({}) : new Response(new Uint8Array(), { headers: protobufType }))
    },
  })
  onTestsEnd(() => server.stop(true))
  collector.url = `http${tls === undefined ? '' : 's'}://127.0.0.1:${server.port}`
  return collector
}

const protobufType = { 'content-type': 'application/x-protobuf' }

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire has whatever shape it has
type Wire = any

/** Refuses a member that the published message doesn't have: a collector would drop it in silence. */
function only(value: Wire, ...names: string[]): Wire {
  for (const name of Object.keys(value)) if (!names.includes(name)) throw new Error(`there is no member ${name}`)
  return value
}

function readJson(text: string): ReadSpan[] {
  const request = only(JSON.parse(text), 'resourceSpans')
  return request.resourceSpans.flatMap((group: Wire) => {
    only(group, 'resource', 'scopeSpans', 'schemaUrl')
    const resource = jsonAttributes(only(group.resource, 'attributes', 'droppedAttributesCount').attributes)
    return group.scopeSpans.flatMap((scoped: Wire) => {
      only(scoped, 'scope', 'spans', 'schemaUrl')
      return scoped.spans.map((span: Wire): ReadSpan => {
        only(
          span,
          ...['traceId', 'spanId', 'parentSpanId', 'traceState', 'flags', 'name', 'kind', 'attributes', 'status'],
          ...['startTimeUnixNano', 'endTimeUnixNano', 'events', 'links'],
          ...['droppedAttributesCount', 'droppedEventsCount', 'droppedLinksCount'],
        )
        for (const count of [span.droppedAttributesCount, span.droppedEventsCount, span.droppedLinksCount])
          if (count !== undefined && count !== 0) throw new Error('nothing of a span is dropped')
        for (const time of [span.startTimeUnixNano, span.endTimeUnixNano])
          if (typeof time !== 'string') throw new Error('64 bits are text')
        return {
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? '',
          name: span.name,
          kind: span.kind,
          startNs: BigInt(span.startTimeUnixNano),
          endNs: BigInt(span.endTimeUnixNano),
          attributes: jsonAttributes(span.attributes),
          status: { code: span.status?.code ?? 0, message: only(span.status ?? {}, 'code', 'message').message ?? '' },
          resource,
          scope: only(scoped.scope, 'name', 'version').name,
        }
      })
    })
  })
}

function readJsonLogs(text: string): ReadLog[] {
  const request = only(JSON.parse(text), 'resourceLogs')
  return request.resourceLogs.flatMap((group: Wire) => {
    only(group, 'resource', 'scopeLogs', 'schemaUrl')
    const resource = jsonAttributes(only(group.resource, 'attributes', 'droppedAttributesCount').attributes)
    return group.scopeLogs.flatMap((scoped: Wire) => {
      only(scoped, 'scope', 'logRecords', 'schemaUrl')
      return scoped.logRecords.map((record: Wire): ReadLog => {
        only(
          record,
          ...['timeUnixNano', 'observedTimeUnixNano', 'severityNumber', 'severityText', 'body', 'eventName'],
          ...['attributes', 'droppedAttributesCount', 'flags', 'traceId', 'spanId'],
        )
        return {
          timeNs: bits64(record.timeUnixNano),
          severity: record.severityNumber,
          severityText: record.severityText,
          eventName: record.eventName,
          body: only(record.body, 'stringValue').stringValue,
          attributes: jsonAttributes(record.attributes),
          resource,
          scope: only(scoped.scope, 'name', 'version').name,
        }
      })
    })
  })
}

function jsonAttributes(list: Wire[]): Record<string, unknown> {
  return Object.fromEntries(
    list.map((one) => {
      const { stringValue, boolValue, intValue, doubleValue } = only(
        only(one, 'key', 'value').value,
        ...['stringValue', 'boolValue', 'intValue', 'doubleValue'],
      )
      return [one.key, stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(whole(intValue)))]
    }),
  )
}

function bits64(text: unknown): bigint {
  if (typeof text !== 'string') throw new Error('64 bits are text')
  return BigInt(text)
}

/** A 64-bit integer: protobuf's JSON writes text, and its readers take a number too where it is exact. */
function whole(value: unknown): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  return bits64(value)
}

function readJsonMetrics(text: string): ReadExport[] {
  const request = only(JSON.parse(text), 'resourceMetrics')
  return request.resourceMetrics.flatMap((group: Wire) => {
    only(group, 'resource', 'scopeMetrics', 'schemaUrl')
    const resource = jsonAttributes(only(group.resource, 'attributes', 'droppedAttributesCount').attributes)
    return group.scopeMetrics.map((scoped: Wire): ReadExport => {
      only(scoped, 'scope', 'metrics', 'schemaUrl')
      const scope = only(scoped.scope, 'name', 'version').name
      return { resource, scope, metrics: scoped.metrics.map(readJsonMetric) }
    })
  })
}

function readJsonMetric(metric: Wire): ReadMetric {
  const { name, description, unit, gauge, sum, histogram } = only(
    metric,
    ...['name', 'description', 'unit', 'gauge', 'sum', 'histogram'],
  )
  const named = { name, description, unit }
  if (gauge !== undefined) {
    return { ...named, kind: 'gauge', points: only(gauge, 'dataPoints').dataPoints.map(readJsonNumber) }
  }
  if (sum !== undefined) {
    only(sum, 'dataPoints', 'aggregationTemporality', 'isMonotonic')
    const { dataPoints, aggregationTemporality: temporality, isMonotonic } = sum
    return { ...named, kind: 'sum', temporality, isMonotonic, points: dataPoints.map(readJsonNumber) }
  }
  only(histogram, 'dataPoints', 'aggregationTemporality')
  const points = histogram.dataPoints.map((point: Wire): ReadPoint => {
    const times = ['startTimeUnixNano', 'timeUnixNano']
    only(point, 'attributes', ...times, 'count', 'sum', 'bucketCounts', 'explicitBounds')
    return {
      attributes: jsonAttributes(point.attributes),
      startNs: bits64(point.startTimeUnixNano),
      timeNs: bits64(point.timeUnixNano),
      count: Number(whole(point.count)),
      sum: point.sum,
      bounds: point.explicitBounds,
      bucketCounts: point.bucketCounts.map((count: Wire) => Number(whole(count))),
    }
  })
  return { ...named, kind: 'histogram', temporality: histogram.aggregationTemporality, points }
}

function readJsonNumber(point: Wire): ReadPoint {
  only(point, 'attributes', 'startTimeUnixNano', 'timeUnixNano', 'asDouble')
  if (typeof point.asDouble !== 'number') throw new Error('a double is a number')
  return {
    attributes: jsonAttributes(point.attributes),
    startNs: bits64(point.startTimeUnixNano),
    timeNs: bits64(point.timeUnixNano),
    value: point.asDouble,
  }
}

type Field = { number: number; value: bigint | Uint8Array }

function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('a number is cut off')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const number = tag >> 3
    if ((tag & 7) === 0) fields.push({ number, value: varint() })
    else if ((tag & 7) === 1) {
      fields.push({ number, value: view.getBigUint64(at, true) })
      at += 8
    } else if ((tag & 7) === 2) {
      const length = Number(varint())
      if (at + length > bytes.length) throw new Error('a field is cut off')
      fields.push({ number, value: bytes.subarray(at, at + length) })
      at += length
    } else if ((tag & 7) === 5) {
      fields.push({ number, value: BigInt(view.getUint32(at, true)) })
      at += 4
    } else throw new Error(`wire type ${tag & 7} is not used by these messages`)
  }
  return fields
}

function messagesOf(fields: readonly Field[], number: number): Field[][] {
  return fields.filter((field) => field.number === number).map(({ value }) => readFields(value as Uint8Array))
}

function one<T>(fields: readonly Field[], number: number): T | undefined {
  return fields.find((field) => field.number === number)?.value as T | undefined
}

const textOf = (bytes: Uint8Array | undefined) =>
  new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? new Uint8Array())
const hexOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')

function readProtobuf(bytes: Uint8Array): ReadSpan[] {
  return messagesOf(readFields(bytes), 1).flatMap((resourceSpans) => {
    const resource = protobufAttributes(messagesOf(resourceSpans, 1)[0]!, 1)
    return messagesOf(resourceSpans, 2).flatMap((scopeSpans) => {
      const scope = textOf(one<Uint8Array>(messagesOf(scopeSpans, 1)[0]!, 1))
      return messagesOf(scopeSpans, 2).map((span): ReadSpan => {
        const status = messagesOf(span, 15)[0] ?? []
        return {
          traceId: hexOf(one(span, 1)),
          spanId: hexOf(one(span, 2)),
          parentSpanId: hexOf(one(span, 4)),
          name: textOf(one(span, 5)),
          kind: Number(one<bigint>(span, 6)),
          startNs: one<bigint>(span, 7)!,
          endNs: one<bigint>(span, 8)!,
          attributes: protobufAttributes(span, 9),
          status: { code: Number(one<bigint>(status, 3) ?? 0n), message: textOf(one(status, 2)) },
          resource,
          scope,
        }
      })
    })
  })
}

function readLogs(bytes: Uint8Array): ReadLog[] {
  return messagesOf(onlyFields(readFields(bytes), 1), 1).flatMap((resourceLogs) => {
    const resource = protobufAttributes(messagesOf(onlyFields(resourceLogs, 1, 2, 3), 1)[0]!, 1)
    return messagesOf(resourceLogs, 2).flatMap((scopeLogs) => {
      const scope = textOf(one<Uint8Array>(messagesOf(onlyFields(scopeLogs, 1, 2, 3), 1)[0]!, 1))
      return messagesOf(scopeLogs, 2).map(
        (record): ReadLog => ({
          timeNs: one<bigint>(onlyFields(record, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12), 1)!,
          severity: Number(one<bigint>(record, 2)),
          severityText: textOf(one(record, 3)),
          eventName: textOf(one(record, 12)),
          body: textOf(one(messagesOf(record, 5)[0]!, 1)),
          attributes: protobufAttributes(record, 6),
          ...{ resource, scope },
        }),
      )
    })
  })
}

function protobufAttributes(fields: readonly Field[], number: number): Record<string, unknown> {
  return Object.fromEntries(
    messagesOf(fields, number).map((pair) => {
      const [value] = messagesOf(pair, 2)[0]!
      const { number: kind, value: given } = value!
      if (kind === 1) return [textOf(one(pair, 1)), textOf(given as Uint8Array)]
      if (kind === 2) return [textOf(one(pair, 1)), given === 1n]
      if (kind === 3) return [textOf(one(pair, 1)), Number(BigInt.asIntN(64, given as bigint))]
      if (kind !== 4) throw new Error(`there is no value of kind ${kind}`)
      return [textOf(one(pair, 1)), doubleOf(given as bigint)]
    }),
  )
}

/** @throws for a field that the message doesn't have */
function onlyFields(fields: readonly Field[], ...numbers: number[]): readonly Field[] {
  for (const { number } of fields) if (!numbers.includes(number)) throw new Error(`there is no field ${number}`)
  return fields
}

function doubleOf(bits: bigint | undefined): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits ?? 0n)
  return view.getFloat64(0)
}

/** A packed repeated field of eight bytes each. */
function packed<T>(bytes: Uint8Array | undefined, read: (view: DataView, at: number) => T): T[] {
  const view = new DataView((bytes ?? new Uint8Array()).slice().buffer)
  if (view.byteLength % 8 !== 0) throw new Error('a packed field is cut off')
  return Array.from({ length: view.byteLength / 8 }, (_, index) => read(view, index * 8))
}

function readMetrics(bytes: Uint8Array): ReadExport[] {
  return messagesOf(onlyFields(readFields(bytes), 1), 1).flatMap((resourceMetrics) => {
    const resource = protobufAttributes(messagesOf(onlyFields(resourceMetrics, 1, 2), 1)[0]!, 1)
    return messagesOf(resourceMetrics, 2).map((scopeMetrics): ReadExport => {
      const scope = textOf(one<Uint8Array>(messagesOf(onlyFields(scopeMetrics, 1, 2), 1)[0]!, 1))
      return { resource, scope, metrics: messagesOf(scopeMetrics, 2).map(readMetric) }
    })
  })
}

function readMetric(metric: Field[]): ReadMetric {
  onlyFields(metric, 1, 2, 3, 5, 7, 9)
  const named = { name: textOf(one(metric, 1)), description: textOf(one(metric, 2)), unit: textOf(one(metric, 3)) }
  const [gauge] = messagesOf(metric, 5)
  if (gauge !== undefined) {
    return { ...named, kind: 'gauge', points: messagesOf(onlyFields(gauge, 1), 1).map(readNumber) }
  }
  const [sum] = messagesOf(metric, 7)
  if (sum !== undefined) {
    const points = messagesOf(onlyFields(sum, 1, 2, 3), 1).map(readNumber)
    return { ...named, kind: 'sum', temporality: Number(one(sum, 2)), isMonotonic: one(sum, 3) === 1n, points }
  }
  const [histogram] = messagesOf(metric, 9)
  const points = messagesOf(onlyFields(histogram!, 1, 2), 1).map(
    (point): ReadPoint => ({
      attributes: protobufAttributes(onlyFields(point, 2, 3, 4, 5, 6, 7, 9), 9),
      startNs: one<bigint>(point, 2)!,
      timeNs: one<bigint>(point, 3)!,
      count: Number(one<bigint>(point, 4)),
      sum: doubleOf(one(point, 5)),
      bounds: packed(one(point, 7), (view, at) => view.getFloat64(at, true)),
      bucketCounts: packed(one(point, 6), (view, at) => Number(view.getBigUint64(at, true))),
    }),
  )
  return { ...named, kind: 'histogram', temporality: Number(one(histogram!, 2)), points }
}

function readNumber(point: Field[]): ReadPoint {
  return {
    attributes: protobufAttributes(onlyFields(point, 2, 3, 4, 7), 7),
    startNs: one<bigint>(point, 2)!,
    timeNs: one<bigint>(point, 3)!,
    value: doubleOf(one(point, 4)),
  }
}
