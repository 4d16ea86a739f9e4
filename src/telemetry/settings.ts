import { hostname } from 'node:os'
import { PRODUCT_VERSION } from '../core/version.ts'
import type { Attributes } from './span.ts'

/** What the standard variables of OpenTelemetry say about the export of traces. */
export interface TelemetrySettings {
  /** The whole URL that spans are posted to. */
  endpoint: string
  encoding: 'protobuf' | 'json'
  headers: Readonly<Record<string, string>>
  timeoutMs: number
  compresses: boolean
  resource: Attributes
  sampler: Sampler
  queueSpans: number
  batchSpans: number
  delayMs: number
}

export interface Sampler {
  /** Takes over what the caller's trace says, where there is one. */
  isParentBased: boolean
  /** The share of the other traces that is recorded, 0 to 1. */
  ratio: number
}

export interface TelemetryConfig {
  /** Undefined: nothing is exported. */
  settings: TelemetrySettings | undefined
  /** What was asked for and isn't done, for the log: telemetry never keeps the service from starting. */
  warnings: string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const BATCH = { queueSpans: 2_048, batchSpans: 512, delayMs: 5_000, timeoutMs: 10_000 }

/**
 * Reads the variables of the OpenTelemetry specification. Traces are exported when an OTLP endpoint is named, or
 * `OTEL_TRACES_EXPORTER=otlp` asks for the default one; `OTEL_SDK_DISABLED=true` and `OTEL_TRACES_EXPORTER=none` end it.
 */
export function readTelemetry(environment: Environment): TelemetryConfig {
  const warnings: string[] = []
  const read = (name: string) => environment[name]?.trim() || undefined
  const readForTraces = (name: string) =>
    read(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? read(`OTEL_EXPORTER_OTLP_${name}`)
  const count = (name: string, otherwise: number) => {
    const text = read(name)
    if (text === undefined) return otherwise
    if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
    warnings.push(`${name}: "${text}" is not a number above 0; ${otherwise} is used`)
    return otherwise
  }
  const off = (warning?: string): TelemetryConfig => ({
    settings: undefined,
    warnings: warning === undefined ? warnings : [...warnings, warning],
  })

  const exporter = read('OTEL_TRACES_EXPORTER')
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  const ownEndpoint = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || exporter === 'none') return off()
  if (exporter !== undefined && exporter !== 'otlp') {
    return off(`OTEL_TRACES_EXPORTER: "${exporter}" is neither otlp nor none; no traces are exported`)
  }
  if (exporter === undefined && base === undefined && ownEndpoint === undefined) return off()
  const endpoint = ownEndpoint ?? `${(base ?? 'http://localhost:4318').replace(/\/+$/, '')}/v1/traces`
  if (!URL.canParse(endpoint) || !/^https?:\/\//.test(endpoint)) {
    return off('OTEL_EXPORTER_OTLP_ENDPOINT: it is not an http or https address; no traces are exported')
  }
  const protocol = readForTraces('PROTOCOL') ?? 'http/protobuf'
  if (protocol !== 'http/protobuf' && protocol !== 'http/json') {
    return off(
      `OTEL_EXPORTER_OTLP_PROTOCOL: "${protocol}" is neither http/protobuf nor http/json; no traces are exported`,
    )
  }
  return {
    settings: {
      endpoint,
      encoding: protocol === 'http/json' ? 'json' : 'protobuf',
      headers: readPairs(readForTraces('HEADERS')),
      timeoutMs: count(
        read('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT') === undefined
          ? 'OTEL_EXPORTER_OTLP_TIMEOUT'
          : 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
        BATCH.timeoutMs,
      ),
      compresses: readForTraces('COMPRESSION') === 'gzip',
      resource: readResource(read),
      sampler: readSampler(read, warnings),
      queueSpans: count('OTEL_BSP_MAX_QUEUE_SIZE', BATCH.queueSpans),
      batchSpans: count('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', BATCH.batchSpans),
      delayMs: count('OTEL_BSP_SCHEDULE_DELAY', BATCH.delayMs),
    },
    warnings,
  }
}

/** `key=value,key2=value2`, the values percent-encoded, as in W3C Baggage; what is no pair is left out. */
function readPairs(text: string | undefined): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const part of (text ?? '').split(',')) {
    const at = part.indexOf('=')
    const key = part.slice(0, at).trim()
    if (at < 1 || key === '') continue
    const value = part.slice(at + 1).trim()
    try {
      pairs[key] = decodeURIComponent(value)
    } catch {
      pairs[key] = value
    }
  }
  return pairs
}

function readResource(read: (name: string) => string | undefined): Attributes {
  const given = readPairs(read('OTEL_RESOURCE_ATTRIBUTES'))
  const name = read('OTEL_SERVICE_NAME')
  return {
    'service.name': 'quire',
    'service.version': PRODUCT_VERSION,
    'service.instance.id': crypto.randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
    ...given,
    ...(name === undefined ? {} : { 'service.name': name }),
  }
}

function readSampler(read: (name: string) => string | undefined, warnings: string[]): Sampler {
  const name = read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const isParentBased = name.startsWith('parentbased_')
  switch (name.replace('parentbased_', '')) {
    case 'always_on':
      return { isParentBased, ratio: 1 }
    case 'always_off':
      return { isParentBased, ratio: 0 }
    case 'traceidratio': {
      const ratio = Number(read('OTEL_TRACES_SAMPLER_ARG') ?? 1)
      if (ratio >= 0 && ratio <= 1) return { isParentBased, ratio }
      warnings.push('OTEL_TRACES_SAMPLER_ARG: it is not a number from 0 to 1; every trace is recorded')
      return { isParentBased, ratio: 1 }
    }
    default:
      warnings.push(`OTEL_TRACES_SAMPLER: "${name}" is not known; parentbased_always_on is used`)
      return { isParentBased: true, ratio: 1 }
  }
}
