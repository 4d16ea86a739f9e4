import { describe, expect, onTestFinished, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../../src/core/log.ts'
import { startExporter } from '../../src/telemetry/exporter.ts'
import { readTelemetry, type TraceSettings } from '../../src/telemetry/settings.ts'
import type { Span } from '../../src/telemetry/span.ts'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { temporaryFolder } from '../support/database.ts'
import { patienceMs, until } from '../support/until.ts'
import { deliveries, startCollector } from './collector.ts'

const lines: string[] = []
const log = createLog({ level: 'info', readable: true, write: (line) => lines.push(line) })

function settingsFor(endpoint: string, given: Record<string, string> = {}): TraceSettings {
  return readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '10', ...given }).traces!
}

function span(name: string, more: Partial<Span> = {}): Span {
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name,
    kind: 2,
    startNs: 1_795_000_000_123_456_789n,
    endNs: 1_795_000_000_223_456_789n,
    attributes: {},
    ...more,
  }
}

describe('spans', () => {
  for (const { name, variables } of deliveries) {
    test(`arrive whole as ${name}`, async () => {
      const collector = startCollector()
      const exporter = startExporter(settingsFor(collector.url, variables), log)
      exporter.add(
        span('Ä 🙂', {
          parentSpanId: '00f067aa0ba902b7',
          attributes: { text: 'ß', whole: -5, large: 9_007_199_254_740_991, broken: 0.25, yes: true, no: false },
          error: 'it failed',
        }),
      )
      exporter.add(span('plain'))
      await exporter.stop(10_000)
      expect(collector.spans).toHaveLength(2)
      expect(collector.spans[0]).toMatchObject({
        traceId: '0af7651916cd43dd8448eb211c80319c',
        spanId: 'b7ad6b7169203331',
        parentSpanId: '00f067aa0ba902b7',
        name: 'Ä 🙂',
        kind: 2,
        startNs: 1_795_000_000_123_456_789n,
        endNs: 1_795_000_000_223_456_789n,
        attributes: { text: 'ß', whole: -5, large: 9_007_199_254_740_991, broken: 0.25, yes: true, no: false },
        status: { code: 2, message: 'it failed' },
        resource: { 'service.name': 'letters', 'deployment.environment': 'test' },
        scope: 'quire',
      })
      expect(collector.spans[1]).toMatchObject({ parentSpanId: '', status: { code: 0 }, attributes: {} })
      const [request] = collector.requests
      expect(request?.path).toBe('/v1/traces')
      expect(request?.headers.get('x-tenant')).toBe('one')
      expect(request?.headers.get('authorization')).toBe('Bearer abc')
      expect(exporter.counts).toEqual({ exported: 2, dropped: 0 })
    })
  }

  test('go in batches, one request at a time, and are dropped and counted once the queue is full', async () => {
    const collector = startCollector()
    const held = Promise.withResolvers<Response>()
    collector.answers.push(() => held.promise)
    const exporter = startExporter(
      settingsFor(collector.url, { OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4' }),
      log,
    )
    // The first four are on their way, ten wait, six find no room; and nobody waited for any of it.
    for (let index = 0; index < 20; index++) exporter.add(span(`${index}`))
    await until('the first request is there', () => collector.requests.length === 1)
    expect(exporter.counts.dropped).toBe(6)
    held.resolve(Response.json({}))
    await until('the rest has gone', () => collector.spans.length === 14)
    expect(collector.requests.map(({ count }) => count)).toEqual([4, 4, 4, 2])
    await exporter.stop(10_000)
    expect(exporter.counts).toEqual({ exported: 14, dropped: 6 })
  })

  test('that wait when the exporter stops all go, however many batches they make', async () => {
    const collector = startCollector()
    const held = Promise.withResolvers<Response>()
    collector.answers.push(() => held.promise)
    const exporter = startExporter(settingsFor(collector.url, { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' }), log)
    for (let index = 0; index < 60; index++) exporter.add(span(`${index}`))
    await until('the first request is there', () => collector.requests.length === 1)
    const stopped = exporter.stop(10_000)
    held.resolve(Response.json({}))
    await stopped
    expect(exporter.counts).toEqual({ exported: 60, dropped: 0 })
  })

  test('are sent again after 503, and given up after 400 or when the collector says that it refuses them', async () => {
    const collector = startCollector()
    collector.answers.push(() => new Response('later', { status: 503 }))
    const patient = startExporter(settingsFor(collector.url), log)
    patient.add(span('again'))
    await until('it was taken', () => patient.counts.exported > 0, 20_000)
    expect(collector.spans).toHaveLength(1)
    expect(patient.counts).toEqual({ exported: 1, dropped: 0 })
    await patient.stop(10_000)

    collector.answers.push(() => new Response('never', { status: 400 }))
    const refused = startExporter(settingsFor(collector.url), log)
    refused.add(span('bad'))
    await until('it was given up', () => refused.counts.dropped === 1, 20_000)
    await refused.stop(10_000)
    expect(lines.some((line) => line.includes('the collector answered 400'))).toBe(true)

    const message = { partialSuccess: { rejectedSpans: '1', errorMessage: 'too old' } }
    // ExportTraceServiceResponse.partial_success (1), and in it rejected_spans (1).
    const bytes = Uint8Array.of(0x0a, 2, 0x08, 1)
    const headers = { 'content-type': 'application/x-protobuf' }
    for (const [protocol, answer] of [
      ['http/json', () => Response.json(message)],
      ['http/protobuf', () => new Response(bytes, { headers })],
    ] as const) {
      collector.answers.push(answer)
      const partial = startExporter(settingsFor(collector.url, { OTEL_EXPORTER_OTLP_PROTOCOL: protocol }), log)
      for (const name of ['one', 'two']) partial.add(span(name))
      await partial.stop(10_000)
      expect(partial.counts).toEqual({ exported: 1, dropped: 1 })
    }
  })

  test('go through the proxy that the environment names, and past it where it says so', async () => {
    const collector = startCollector()
    const { port } = new URL(collector.url)
    const before = { ...process.env }
    onTestFinished(() => {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy']) delete process.env[name]
      Object.assign(process.env, before)
    })
    // The collector is the proxy as well: it reads what comes, whatever host it is for.
    process.env.HTTP_PROXY = collector.url
    process.env.http_proxy = collector.url
    const behind = startExporter(settingsFor('http://collector.invalid:4318'), log)
    behind.add(span('through'))
    await behind.stop(10_000)
    expect(behind.counts).toEqual({ exported: 1, dropped: 0 })

    process.env.HTTP_PROXY = 'http://127.0.0.1:1'
    process.env.http_proxy = 'http://127.0.0.1:1'
    process.env.NO_PROXY = '127.0.0.1'
    process.env.no_proxy = '127.0.0.1'
    const beside = startExporter(settingsFor(`http://127.0.0.1:${port}`), log)
    beside.add(span('past'))
    await beside.stop(10_000)
    expect(collector.spans.map(({ name }) => name)).toEqual(['through', 'past'])
  })

  test('are given up in time where the collector answers without an end', async () => {
    const collector = startCollector()
    const endless = async (controller: ReadableStreamDefaultController) => {
      await Bun.sleep(50)
      controller.enqueue(new TextEncoder().encode(' '))
    }
    collector.answers.push(() => new Response(new ReadableStream({ pull: endless })))
    const exporter = startExporter(settingsFor(collector.url, { OTEL_EXPORTER_OTLP_TIMEOUT: '300' }), log)
    exporter.add(span('lost'))
    await until('it was given up', () => exporter.counts.dropped === 1)
    // A busy machine may hold one up for as long, too.
    const hasGone = () => {
      exporter.add(span('next'))
      return exporter.counts.exported > 0
    }
    await until('a next one has gone', hasGone, patienceMs(), () => 100)
    await exporter.stop(1_000)
  })

  test('block nobody if there is no collector, or one that never answers', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    for (const endpoint of ['http://127.0.0.1:1', `http://127.0.0.1:${silent.port}`]) {
      const exporter = startExporter(settingsFor(endpoint), log)
      for (let index = 0; index < 3; index++) exporter.add(span('lost'))
      await Bun.sleep(50)
      const startedAt = performance.now()
      await exporter.stop(200)
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      expect(exporter.counts).toEqual({ exported: 0, dropped: 3 })
    }
    silent.stop(true)
  })
})

describe('the variables of OpenTelemetry', () => {
  test.if(canMakeCertificates)('lead over TLS to the collector they trust, with the name it asks for', async () => {
    const folder = temporaryFolder()
    const [own, client] = [makeCertificate(folder, 'collector'), makeCertificate(folder, 'client')]
    const collector = startCollector({
      cert: Bun.file(own.certificate),
      key: Bun.file(own.key),
      ca: Bun.file(client.certificate),
      requestCert: true,
      rejectUnauthorized: true,
    })
    const trusting = { OTEL_EXPORTER_OTLP_CERTIFICATE: own.certificate }
    const named = {
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: client.certificate,
      OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: client.key,
    }
    for (const [variables, arrived] of [
      [trusting, 0],
      [named, 0],
      [{ ...trusting, ...named }, 1],
    ] as const) {
      const exporter = startExporter(settingsFor(collector.url, { ...variables }), log)
      exporter.add(span('over TLS'))
      await exporter.stop(arrived === 0 ? 2_000 : 20_000)
      expect(collector.spans).toHaveLength(arrived)
    }
  })

  test('export nothing unless they ask for it', () => {
    for (const environment of [
      {},
      { OTEL_SERVICE_NAME: 'quire' },
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_METRICS_EXPORTER: 'none',
      },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'TRUE' },
    ]) {
      expect(readTelemetry(environment)).toEqual({
        traces: undefined,
        metrics: undefined,
        audit: undefined,
        warnings: [],
      })
    }
  })

  test('name the endpoint: a base with the path appended, a signal’s own as it is, or the default', () => {
    const endpointsOf = (environment: Record<string, string>) => {
      const { traces, metrics } = readTelemetry(environment)
      return [traces?.endpoint, metrics?.endpoint]
    }
    expect(endpointsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' })).toEqual([
      'http://c:4318/v1/traces',
      'http://c:4318/v1/metrics',
    ])
    expect(endpointsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp' })[0]).toBe('https://c/otlp/v1/traces')
    expect(endpointsOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/own' })).toEqual(['http://c/own', undefined])
    expect(endpointsOf({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m/own' })).toEqual([undefined, 'http://m/own'])
    expect(endpointsOf({ OTEL_TRACES_EXPORTER: 'otlp' })).toEqual(['http://localhost:4318/v1/traces', undefined])
    expect(endpointsOf({ OTEL_METRICS_EXPORTER: 'otlp' })).toEqual([undefined, 'http://localhost:4318/v1/metrics'])
    expect(endpointsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_METRICS_EXPORTER: 'none' })).toEqual([
      'http://c/v1/traces',
      undefined,
    ])
  })

  test('of one signal override those of all', () => {
    const { traces, metrics, warnings } = readTelemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'who=all',
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'who=metrics',
      OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '200',
      OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: 'gzip',
      OTEL_METRIC_EXPORT_INTERVAL: '300',
      OTEL_METRIC_EXPORT_TIMEOUT: '400',
      OTEL_SERVICE_NAME: 'letters',
    })
    expect(warnings).toEqual([])
    expect(traces).toMatchObject({ encoding: 'json', headers: { who: 'all' }, timeoutMs: 100, compresses: false })
    expect(metrics).toMatchObject({ encoding: 'protobuf', headers: { who: 'metrics' }, timeoutMs: 200 })
    expect(metrics).toMatchObject({ compresses: true, intervalMs: 300, exportTimeoutMs: 400 })
    expect(metrics!.resource).toBe(traces!.resource)
    expect(metrics!.resource.attributes['service.name']).toBe('letters')
  })

  test('are reported by name if they are invalid, and never keep the service from starting', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }
    const key = join(temporaryFolder(), 'client.key')
    writeFileSync(key, '-----BEGIN PRIVATE KEY-----')
    const metricsOnly = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c:4318/m' }
    for (const [environment, variable, isOn, warningCount] of [
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'c:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT', [false, false], 2],
      [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL', [false, false], 2],
      [
        { ...endpoint, OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc' },
        'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL',
        [true, false],
      ],
      [
        { ...endpoint, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'm:1' },
        'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
        [true, false],
      ],
      [{ ...endpoint, OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER', [false, true]],
      [{ ...endpoint, OTEL_METRICS_EXPORTER: 'prometheus' }, 'OTEL_METRICS_EXPORTER', [true, false]],
      [{ ...endpoint, OTEL_BSP_MAX_QUEUE_SIZE: 'many' }, 'OTEL_BSP_MAX_QUEUE_SIZE', [true, true]],
      [{ ...endpoint, OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER', [true, true]],
      [{ ...metricsOnly, OTEL_METRIC_EXPORT_INTERVAL: '0' }, 'OTEL_METRIC_EXPORT_INTERVAL', [false, true]],
      [
        { ...metricsOnly, OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta' },
        'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE',
        [false, true],
      ],
      [
        { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: '/etc/passwd' },
        'OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE',
        [false, true],
      ],
      [
        { ...metricsOnly, OTEL_EXPORTER_OTLP_CERTIFICATE: '/not/there.pem' },
        'OTEL_EXPORTER_OTLP_CERTIFICATE',
        [false, false],
      ],
      [{ ...metricsOnly, OTEL_EXPORTER_OTLP_CLIENT_KEY: key }, 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE', [false, false]],
      [{ ...metricsOnly, OTEL_EXPORTER_OTLP_COMPRESSION: 'brotli' }, 'OTEL_EXPORTER_OTLP_COMPRESSION', [false, true]],
    ] as const) {
      const { traces, metrics, warnings } = readTelemetry(environment)
      expect([traces !== undefined, metrics !== undefined]).toEqual([...isOn])
      expect(warnings).toHaveLength(warningCount ?? 1)
      for (const warning of warnings) expect(warning).toStartWith(`${variable}: `)
    }
  })
})
