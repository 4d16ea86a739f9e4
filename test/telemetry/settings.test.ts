import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { PRODUCT_VERSION } from '../../src/core/version.ts'
import { readTelemetry } from '../../src/telemetry/settings.ts'
import { temporaryFolder } from '../support/database.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }
const read = (variables: Record<string, string> = {}) => readTelemetry({ ...endpoint, ...variables })

describe('settings of telemetry', () => {
  test('are those of the specification where a variable is unset, empty or blank', () => {
    const defaults = {
      endpoint: 'http://c:4318/v1/traces',
      encoding: 'protobuf',
      headers: {},
      timeoutMs: 10_000,
      compresses: false,
      tls: {},
      sampler: { isParentBased: true, ratio: 1 },
      queueSpans: 2_048,
      batchSpans: 512,
      delayMs: 5_000,
    }
    for (const text of [undefined, '', '  ']) {
      const names = 'OTEL_BSP_SCHEDULE_DELAY OTEL_TRACES_SAMPLER OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_PROTOCOL'
      const given = text === undefined ? {} : Object.fromEntries(names.split(' ').map((name) => [name, text]))
      const { traces, metrics, warnings } = read(given)
      expect(warnings).toEqual([])
      expect(traces).toMatchObject(defaults)
      expect(traces?.headers).toEqual({})
      expect(traces?.tls).toEqual({})
      expect(metrics).toMatchObject({ endpoint: 'http://c:4318/v1/metrics', timeoutMs: 10_000 })
      expect(metrics).toMatchObject({ intervalMs: 60_000, exportTimeoutMs: 30_000 })
    }
  })

  test('take numbers from 1 to nine digits, and warn of any other', () => {
    const { traces, warnings } = read({
      OTEL_BSP_MAX_QUEUE_SIZE: '7',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1',
      OTEL_BSP_SCHEDULE_DELAY: '999999999',
    })
    expect(traces).toMatchObject({ queueSpans: 7, batchSpans: 1, delayMs: 999_999_999 })
    expect(warnings).toEqual([])
    for (const text of ['0', '00', '-1', '1.5', '1e3', '1000000000', 'many']) {
      const refused = read({ OTEL_BSP_SCHEDULE_DELAY: text })
      expect(refused.traces?.delayMs).toBe(5_000)
      expect(refused.warnings).toEqual([`OTEL_BSP_SCHEDULE_DELAY: "${text}" is not a number above 0; 5000 is used`])
    }
  })

  test('take one of a few words in any case, and warn of any other', () => {
    expect(read({ OTEL_EXPORTER_OTLP_COMPRESSION: 'GZIP' })).toMatchObject({
      traces: { compresses: true },
      warnings: [],
    })
    expect(read({ OTEL_EXPORTER_OTLP_COMPRESSION: 'None' })).toMatchObject({
      traces: { compresses: false },
      warnings: [],
    })
    const refused = read({ OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'brotli' })
    expect(refused.traces?.compresses).toBe(false)
    expect(refused.warnings).toEqual(['OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "brotli" is not done here; none is used'])
    for (const [name, only, other] of [
      ['TEMPORALITY_PREFERENCE', 'cumulative', 'delta'],
      ['DEFAULT_HISTOGRAM_AGGREGATION', 'explicit_bucket_histogram', 'base2_exponential_bucket_histogram'],
    ] as const) {
      const variable = `OTEL_EXPORTER_OTLP_METRICS_${name}`
      expect(read({ [variable]: only }).warnings).toEqual([])
      expect(read({ [variable]: other }).warnings).toEqual([
        `${variable}: "${other}" is not done here; ${only} is used`,
      ])
      // Nobody reads them where no metrics are exported.
      expect(read({ [variable]: other, OTEL_METRICS_EXPORTER: 'none' }).warnings).toEqual([])
    }
  })

  test('sample by each of the samplers of the specification, and all traces by one that is unknown', () => {
    for (const [name, argument, isParentBased, ratio] of [
      ['always_on', undefined, false, 1],
      ['always_off', undefined, false, 0],
      ['traceidratio', '0.25', false, 0.25],
      ['traceidratio', '0', false, 0],
      ['traceidratio', undefined, false, 1],
      ['parentbased_always_on', undefined, true, 1],
      ['parentbased_always_off', '0.5', true, 0],
      ['parentbased_traceidratio', '1', true, 1],
      ['parentbased_traceidratio', '0.5', true, 0.5],
    ] as const) {
      const { traces, warnings } = read({
        OTEL_TRACES_SAMPLER: name,
        ...(argument === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: argument }),
      })
      expect([name, traces?.sampler, warnings]).toEqual([name, { isParentBased, ratio }, []])
    }
    const unknown = read({ OTEL_TRACES_SAMPLER: 'jaeger_remote' })
    expect(unknown.traces?.sampler).toEqual({ isParentBased: true, ratio: 1 })
    expect(unknown.warnings).toEqual([
      'OTEL_TRACES_SAMPLER: "jaeger_remote" is not known; parentbased_always_on is used',
    ])
    for (const argument of ['-0.1', '1.1', 'half']) {
      const refused = read({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: argument })
      expect(refused.traces?.sampler).toEqual({ isParentBased: false, ratio: 1 })
      expect(refused.warnings).toEqual([expect.stringMatching(/^OTEL_TRACES_SAMPLER_ARG: .*every trace is recorded$/)])
    }
  })

  test('read headers as pairs with percent-encoded values, and skip what is no pair', () => {
    const headersOf = (text: string) => read({ OTEL_EXPORTER_OTLP_HEADERS: text }).traces?.headers
    expect(headersOf('a=1,b=2')).toEqual({ a: '1', b: '2' })
    expect(headersOf(' a = 1 , b=x=y ,c=')).toEqual({ a: '1', b: 'x=y', c: '' })
    expect(headersOf('authorization=Bearer%20x%3D')).toEqual({ authorization: 'Bearer x=' })
    expect(headersOf('a=%zz')).toEqual({ a: '%zz' })
    expect(headersOf('nothing,=1, =2,a=3')).toEqual({ a: '3' })
  })

  test('name the resource: its service, this process, and what the operator adds or overrides', () => {
    const { scope, attributes } = read().traces!.resource
    expect(scope).toEqual({ name: 'quire', version: PRODUCT_VERSION })
    expect(attributes).toEqual({
      'service.name': 'quire',
      'service.version': PRODUCT_VERSION,
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'host.name': hostname(),
      'process.pid': process.pid,
    })
    const named = read({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,host.name=h', OTEL_SERVICE_NAME: 'b' })
    expect(named.traces!.resource.attributes).toMatchObject({ 'service.name': 'b', 'host.name': 'h' })
    const other = read({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=a' })
    expect(other.metrics!.resource.attributes['service.name']).toBe('a')
  })

  test('read the certificates for TLS, and export nothing where one is missing or half of a pair', () => {
    const pem = (name: string) => {
      const path = join(folder, name)
      writeFileSync(path, `-----BEGIN ${name}-----`)
      return path
    }
    const folder = temporaryFolder()
    const [ca, cert, key] = [pem('ca'), pem('cert'), pem('key')]
    const all = {
      OTEL_EXPORTER_OTLP_CERTIFICATE: ca,
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: cert,
      OTEL_EXPORTER_OTLP_CLIENT_KEY: key,
    }
    const tls = { ca: '-----BEGIN ca-----', cert: '-----BEGIN cert-----', key: '-----BEGIN key-----' }
    expect(read(all)).toMatchObject({ traces: { tls }, metrics: { tls }, warnings: [] })
    expect(read({ OTEL_EXPORTER_OTLP_CERTIFICATE: ca }).traces?.tls).toEqual({ ca: tls.ca })
    for (const [given, variable] of [
      [{ OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: cert }, 'OTEL_EXPORTER_OTLP_CLIENT_KEY'],
      [{ OTEL_EXPORTER_OTLP_CLIENT_KEY: key }, 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE'],
      [{ ...all, OTEL_EXPORTER_OTLP_CERTIFICATE: `${ca}x` }, 'OTEL_EXPORTER_OTLP_CERTIFICATE'],
    ] as const) {
      const refused = read(given)
      expect([refused.traces, refused.metrics]).toEqual([undefined, undefined])
      expect(refused.warnings).toEqual([
        expect.stringMatching(new RegExp(`^${variable}: .*; no traces are exported$`)),
        expect.stringMatching(new RegExp(`^${variable}: .*; no metrics are exported$`)),
      ])
    }
  })

  test('export a signal that is asked for without an endpoint to this machine, and no signal that is not', () => {
    expect(readTelemetry({ OTEL_TRACES_EXPORTER: 'otlp' })).toMatchObject({
      traces: { endpoint: 'http://localhost:4318/v1/traces' },
      metrics: undefined,
      warnings: [],
    })
    expect(read({ OTEL_TRACES_EXPORTER: 'none' })).toMatchObject({ traces: undefined, warnings: [] })
    expect(read({ OTEL_TRACES_EXPORTER: 'zipkin' })).toMatchObject({
      traces: undefined,
      warnings: ['OTEL_TRACES_EXPORTER: "zipkin" is neither otlp nor none; no traces are exported'],
    })
    expect(read({ OTEL_SDK_DISABLED: 'false' }).traces).toBeDefined()
    expect(read({ OTEL_SDK_DISABLED: 'True' })).toEqual({
      traces: undefined,
      metrics: undefined,
      audit: undefined,
      warnings: [],
    })
    for (const address of ['ftp://c', 'c:4318', 'http//c', 'http://']) {
      expect(readTelemetry({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address })).toEqual({
        traces: undefined,
        metrics: undefined,
        audit: undefined,
        warnings: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: it is not an http or https address; no traces are exported'],
      })
    }
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp//' }).traces?.endpoint).toBe('https://c/otlp/v1/traces')
  })
})
