import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { PRODUCT_VERSION } from '../core/version.ts'
import type { Resource } from './resource.ts'

/** Where one signal goes, by OpenTelemetry's standard variables. */
export interface OtlpTarget {
  /** The whole URL of the requests. */
  endpoint: string
  encoding: 'protobuf' | 'json'
  headers: Readonly<Record<string, string>>
  /** For one batch, with its repetitions. */
  timeoutMs: number
  compresses: boolean
  tls: OtlpTls
  resource: Resource
}

/** PEM texts for https connections. Without `ca`, the machine's authorities are trusted. */
export interface OtlpTls {
  ca?: string
  cert?: string
  key?: string
}

export interface TraceSettings extends OtlpTarget {
  sampler: Sampler
  queueSpans: number
  batchSpans: number
  delayMs: number
}

export interface MetricSettings extends OtlpTarget {
  intervalMs: number
  /** For one reading, with its repetitions. */
  exportTimeoutMs: number
}

export interface Sampler {
  /** Follows the caller's trace if there is one. */
  isParentBased: boolean
  /** Share of the other traces that are recorded, 0 to 1. */
  ratio: number
}

export interface TelemetryConfig {
  /** Undefined if none are exported. */
  traces: TraceSettings | undefined
  metrics: MetricSettings | undefined
  /** Where the audit trail goes as logs. */
  audit: OtlpTarget | undefined
  /** Settings that can't be followed, for the log: telemetry never keeps the service from starting. */
  warnings: string[]
}

type Environment = Readonly<Record<string, string | undefined>>
type Signal = 'traces' | 'metrics' | 'logs'

/** Fixed by the OpenTelemetry specification, as the default of OTEL_EXPORTER_OTLP_TIMEOUT. */
const TIMEOUT_MS = 10_000
const BATCH = { queueSpans: 2_048, batchSpans: 512, delayMs: 5_000 }
const READINGS = { intervalMs: 60_000, timeoutMs: 30_000 }

/**
 * Reads the variables of the OpenTelemetry specification. A signal is exported when an OTLP endpoint is named for it or for all, or
 * `OTEL_TRACES_EXPORTER=otlp` (`OTEL_METRICS_EXPORTER=otlp`) asks for the default one. `none` there turns it off, and
 * `OTEL_SDK_DISABLED=true` turns everything off. Logs are the audit trail, which names people, so an endpoint for all signals is
 * not enough for them: they need `OTEL_LOGS_EXPORTER=otlp` or an endpoint of their own.
 */
export function readTelemetry(environment: Environment): TelemetryConfig {
  const variables = new Variables(environment)
  if (variables.read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') {
    return { traces: undefined, metrics: undefined, audit: undefined, warnings: [] }
  }
  const resource = readResource(variables)
  const traces = readTarget(variables, 'traces', resource)
  const metrics = readTarget(variables, 'metrics', resource)
  if (metrics !== undefined) {
    for (const [name, only] of onlyWays) variables.choose(name, variables.read(name), [only])
  }
  const asksForLogs = ['OTEL_LOGS_EXPORTER', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'].some(
    (name) => variables.read(name) !== undefined,
  )
  const audit = asksForLogs ? readTarget(variables, 'logs', resource) : undefined
  return {
    audit,
    traces: traces && {
      ...traces,
      sampler: readSampler(variables),
      queueSpans: variables.count('OTEL_BSP_MAX_QUEUE_SIZE', BATCH.queueSpans),
      batchSpans: variables.count('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', BATCH.batchSpans),
      delayMs: variables.count('OTEL_BSP_SCHEDULE_DELAY', BATCH.delayMs),
    },
    metrics: metrics && {
      ...metrics,
      intervalMs: variables.count('OTEL_METRIC_EXPORT_INTERVAL', READINGS.intervalMs),
      exportTimeoutMs: variables.count('OTEL_METRIC_EXPORT_TIMEOUT', READINGS.timeoutMs),
    },
    warnings: variables.warnings,
  }
}

/** Preferences that metrics could have, with the one value that is supported. */
const onlyWays = [
  ['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE', 'cumulative'],
  ['OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION', 'explicit_bucket_histogram'],
] as const

class Variables {
  readonly warnings: string[] = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** An empty variable counts as unset, as the specification requires. */
  read(name: string): string | undefined {
    return this.#environment[name]?.trim() || undefined
  }

  /** The signal's own variable, else the one for all signals; with the name of the one that was read. */
  readFor(signal: Signal, name: string): { variable: string; text: string | undefined } {
    const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`
    const variable = this.read(own) === undefined ? `OTEL_EXPORTER_OTLP_${name}` : own
    return { variable, text: this.read(variable) }
  }

  count(name: string, otherwise: number): number {
    const text = this.read(name)
    if (text === undefined) return otherwise
    if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
    this.warnings.push(`${name}: "${text}" is not a number above 0; ${otherwise} is used`)
    return otherwise
  }

  /** One of these, in lower case; for any other value it warns and takes the first. */
  choose<T extends string>(variable: string, text: string | undefined, [first, ...others]: readonly [T, ...T[]]): T {
    const found = text === undefined ? first : [first, ...others].find((one) => one === text.toLowerCase())
    if (found !== undefined) return found
    this.warnings.push(`${variable}: "${text}" is not done here; ${first} is used`)
    return first
  }
}

function readTarget(variables: Variables, signal: Signal, resource: Resource): OtlpTarget | undefined {
  const off = (warning: string) => {
    variables.warnings.push(`${warning}; no ${signal} are exported`)
    return undefined
  }
  const exporterVariable = `OTEL_${signal.toUpperCase()}_EXPORTER`
  const exporter = variables.read(exporterVariable)
  const { variable, text: given } = variables.readFor(signal, 'ENDPOINT')
  if (exporter === 'none' || (exporter === undefined && given === undefined)) return undefined
  if (exporter !== undefined && exporter !== 'otlp') {
    return off(`${exporterVariable}: "${exporter}" is neither otlp nor none`)
  }
  // The endpoint for all signals is a base; a signal's own is taken as it is.
  const isBase = variable === 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const address = given ?? 'http://localhost:4318'
  const endpoint = isBase ? `${address.replace(/\/+$/, '')}/v1/${signal}` : address
  if (!URL.canParse(endpoint) || !/^https?:\/\//.test(endpoint)) {
    return off(`${variable}: it is not an http or https address`)
  }
  const protocol = variables.readFor(signal, 'PROTOCOL')
  const encoding = encodings[protocol.text ?? 'http/protobuf']
  if (encoding === undefined) {
    return off(`${protocol.variable}: "${protocol.text}" is neither http/protobuf nor http/json`)
  }
  const compression = variables.readFor(signal, 'COMPRESSION')
  const tls: OtlpTls = {}
  for (const [name, member] of tlsFiles) {
    const { variable, text: path } = variables.readFor(signal, name)
    if (path === undefined) continue
    const pem = readPem(path)
    // Without the file we would trust other authorities than the operator named, or connect without a client
    // certificate.
    if (pem === undefined) return off(`${variable}: "${path}" is not a PEM file that can be read`)
    tls[member] = pem
  }
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    const missing = tls.cert === undefined ? 'CLIENT_CERTIFICATE' : 'CLIENT_KEY'
    return off(`${variables.readFor(signal, missing).variable}: a client's certificate and its key go together`)
  }
  return {
    endpoint,
    encoding,
    headers: readPairs(variables.readFor(signal, 'HEADERS').text),
    timeoutMs: variables.count(variables.readFor(signal, 'TIMEOUT').variable, TIMEOUT_MS),
    compresses: variables.choose(compression.variable, compression.text, ['none', 'gzip']) === 'gzip',
    tls,
    resource,
  }
}

const encodings: Readonly<Record<string, OtlpTarget['encoding']>> = { 'http/protobuf': 'protobuf', 'http/json': 'json' }

const tlsFiles = [
  ['CERTIFICATE', 'ca'],
  ['CLIENT_CERTIFICATE', 'cert'],
  ['CLIENT_KEY', 'key'],
] as const

function readPem(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    return text.includes('-----BEGIN ') ? text : undefined
  } catch {
    return undefined
  }
}

/** Reads `key=value,key2=value2` with percent-encoded values, as in W3C Baggage; skips what is no pair. */
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

function readResource(variables: Variables): Resource {
  const given = readPairs(variables.read('OTEL_RESOURCE_ATTRIBUTES'))
  const name = variables.read('OTEL_SERVICE_NAME')
  return {
    attributes: {
      'service.name': 'quire',
      'service.version': PRODUCT_VERSION,
      'service.instance.id': crypto.randomUUID(),
      'host.name': hostname(),
      'process.pid': process.pid,
      ...given,
      ...(name === undefined ? {} : { 'service.name': name }),
    },
    scope: { name: 'quire', version: PRODUCT_VERSION },
  }
}

function readSampler(variables: Variables): Sampler {
  const name = variables.read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const isParentBased = name.startsWith('parentbased_')
  switch (name.replace('parentbased_', '')) {
    case 'always_on':
      return { isParentBased, ratio: 1 }
    case 'always_off':
      return { isParentBased, ratio: 0 }
    case 'traceidratio': {
      const ratio = Number(variables.read('OTEL_TRACES_SAMPLER_ARG') ?? 1)
      if (ratio >= 0 && ratio <= 1) return { isParentBased, ratio }
      variables.warnings.push('OTEL_TRACES_SAMPLER_ARG: it is not a number from 0 to 1; every trace is recorded')
      return { isParentBased, ratio: 1 }
    }
    default:
      variables.warnings.push(`OTEL_TRACES_SAMPLER: "${name}" is not known; parentbased_always_on is used`)
      return { isParentBased: true, ratio: 1 }
  }
}
