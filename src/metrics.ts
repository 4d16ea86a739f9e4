import { onEventsCommitted } from './bus/outbox.ts'
import type { OutboxHealth } from './bus/relay.ts'
import type { DependencyStatus } from './core/faults.ts'
import { limits } from './core/limits.ts'
import { isSameSecret } from './core/same-secret.ts'
import { API_VERSION, PRODUCT_VERSION, REVISION } from './core/version.ts'
import type { WriteLoad } from './db/database.ts'
import { Closing } from './http/closing.ts'
import type { Answered } from './http/pipeline.ts'
import { type ListenOptions, listen, type Served } from './http/server.ts'
import type { HistogramPoint, Metric, NumberPoint, Reading } from './telemetry/metric.ts'
import { unixNow } from './telemetry/span.ts'

/** Sources of the values for a scrape or an export. */
export interface MetricsSources {
  outbox(): Promise<OutboxHealth>
  /** Deliveries that wait for webhooks' receivers, and this instance's requests to them. */
  webhooks(): Promise<{ pending: number; oldestAgeSeconds: number; taken: number; failed: number }>
  /** Forwarders of the audit trail, by the name of their receiver. */
  forwarders: readonly {
    readonly name: string
    health(): Promise<{ waiting: number; oldestAgeSeconds: number; failures: number }>
  }[]
  stepsInHand(): number
  queue(): Promise<{ ready: number; oldestAgeSeconds: number }>
  pausedSteps(): Promise<number>
  dependencies(): Promise<readonly DependencyStatus[]>
  writeLoad(): Readonly<WriteLoad>
  pool(): { size: number; busy: number; waiting: number }
  /** Present with a replica. */
  replica?(): { lagSeconds(): number | undefined; readonly failures: number }
  /** Present if traces are exported. */
  spans?(): { readonly exported: number; readonly dropped: number }
  /** Present if metrics are exported. */
  readings?(): { readonly exported: number; readonly failed: number }
}

export interface ServeOptions extends Pick<ListenOptions, 'address' | 'log' | 'tls'> {
  /** A scrape must send it as `Authorization: Bearer …`; undefined if none is required. */
  token: string | undefined
}

/** One registry for both the Prometheus page and the export to a collector. */
export interface Metrics {
  onAnswer(answered: Answered): void
  /** From now on, these sources are read, too. */
  watch(sources: MetricsSources): void
  /** All current values. What a source can't provide at the moment is left out. */
  read(): Promise<Reading>
  /**
   * Serves `GET /metrics` in Prometheus' text format.
   * @throws if the address is unavailable; CertificateUnusable
   */
  serve(options: ServeOptions): () => Promise<void>
  /** Stops counting. */
  close(): void
}

/** Bucket bounds in seconds: reads take fractions of a millisecond, renderings and password hashes tens of them. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Call it only if metrics are wanted, because it imports the library. */
export async function createMetrics(): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const startNs = unixNow()
  const registers = [registry]
  new Gauge({
    name: 'quire_build_info',
    help: 'Always 1',
    labelNames: ['version', 'api_version', 'revision'],
    registers,
  })
    .labels(PRODUCT_VERSION, API_VERSION, REVISION)
    .set(1)
  const requests = new Histogram({
    name: 'quire_http_request_duration_seconds',
    help: 'Requests by operation and status',
    labelNames: ['operation', 'method', 'status'],
    buckets: BUCKETS_SECONDS,
    registers,
  })
  const events = new Counter({
    name: 'quire_events_total',
    help: 'Events committed by this instance: steps started, succeeded and failed, executions completed and failed',
    labelNames: ['aggregate', 'type', 'step'],
    registers,
  })
  const steps = new Histogram({
    name: 'quire_step_duration_seconds',
    help: 'What the engines took over each step that succeeded',
    labelNames: ['step'],
    buckets: BUCKETS_SECONDS,
    registers,
  })
  const lag = new Histogram({
    name: 'quire_event_loop_lag_seconds',
    help: 'How much later than asked a timer of the main thread came',
    buckets: BUCKETS_SECONDS,
    registers,
  })
  let dueMs = performance.now() + limits.lagSampleMs
  const lagTimer = setInterval(() => {
    const nowMs = performance.now()
    lag.observe(Math.max(0, nowMs - dueMs) / 1_000)
    dueMs = nowMs + limits.lagSampleMs
  }, limits.lagSampleMs)
  lagTimer.unref()
  const stopListening = onEventsCommitted((committed) => {
    for (const event of committed) {
      const step = stepOf(event.data)
      events.inc({ aggregate: event.aggregate, type: event.type, step })
      const { duration_ms: durationMs } = event.data
      if (event.type === 'step.succeeded' && typeof durationMs === 'number') steps.observe({ step }, durationMs / 1_000)
    }
  })

  let refresh = async () => {}

  function watch(sources: MetricsSources): void {
    /** A gauge whose value is read on request; `undefined` while it is unknown. */
    const gauge = (name: string, help: string, read?: () => number) => {
      const made = new Gauge({
        ...{ name, help, registers },
        collect() {
          if (read !== undefined) this.set(read())
        },
      })
      return (value: number | undefined) => (value === undefined ? made.remove() : made.set(value))
    }
    const counter = (name: string, help: string, read: () => number) =>
      new Counter({
        ...{ name, help, registers },
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    const { stepsInHand, writeLoad, pool, replica, spans, readings } = sources
    const replicaLag =
      replica === undefined
        ? undefined
        : gauge('quire_replica_lag_seconds', 'Age of the oldest commit that the replica may lack')
    if (replica !== undefined) {
      gauge('quire_replica_failures', 'Tries to write the replica that failed', () => replica().failures)
    }
    gauge('quire_steps_in_hand', 'Steps this instance is working on', stepsInHand)
    const outboxBacklog = gauge('quire_outbox_backlog', 'Events not yet published')
    const outboxAge = gauge('quire_outbox_oldest_age_seconds', 'Age of the oldest unpublished event')
    const publishFailures = gauge('quire_outbox_publish_failures', 'Since this instance started')
    const webhookBacklog = gauge('quire_webhook_backlog', 'Deliveries that wait for receivers that are active')
    const webhookAge = gauge('quire_webhook_oldest_age_seconds', 'Age of the oldest of them')
    const webhookTaken = gauge('quire_webhook_taken', 'Requests that receivers took, since this instance started')
    const webhookFailed = gauge('quire_webhook_failed', 'Requests that they did not take, since this instance started')
    const forwarders = sources.forwarders.map(({ name, health }) => {
      const waiting = gauge(`quire_audit_${name}_waiting`, 'Records of the audit trail that the receiver may not have')
      const age = gauge(`quire_audit_${name}_oldest_age_seconds`, 'Age of the oldest of them')
      const failures = gauge(
        `quire_audit_${name}_failures`,
        'Batches that it did not take, since this instance started',
      )
      return async () => {
        const told = await health().catch(() => undefined)
        waiting(told?.waiting)
        age(told?.oldestAgeSeconds)
        failures(told?.failures)
      }
    })
    const queueReady = gauge('quire_queue_ready_steps', 'Steps that could be claimed now, of the whole database')
    const queueAge = gauge(
      'quire_queue_oldest_age_seconds',
      'How long the first of the steps that could be claimed has waited',
    )
    const paused = gauge('quire_steps_paused', 'Steps that wait until a dependency can be used again')
    const up = new Gauge({
      name: 'quire_dependency_up',
      help: '1 while a probe of the dependency succeeds, else 0',
      labelNames: ['dependency'],
      registers,
    })
    gauge('quire_database_writes_waiting', 'Transactions waiting or under way', () => writeLoad().waiting)
    counter('quire_database_transactions_total', 'Write transactions', () => writeLoad().transactions)
    counter('quire_database_commits_total', 'Commits, which transactions may share', () => writeLoad().commits)
    counter('quire_database_write_seconds_total', 'Time spent over commits', () => writeLoad().busySeconds)
    gauge('quire_workers', 'Engine workers there may be', () => pool().size)
    gauge('quire_workers_busy', 'Engine workers at work', () => pool().busy)
    gauge('quire_workers_jobs_waiting', 'Jobs that wait for a worker', () => pool().waiting)
    if (spans !== undefined) {
      const dropped = 'Spans that found the queue full, or that the collector did not take'
      counter('quire_spans_exported_total', 'Spans that the collector took', () => spans().exported)
      counter('quire_spans_dropped_total', dropped, () => spans().dropped)
    }
    if (readings !== undefined) {
      const failed = 'Readings of the metrics that the collector did not take; the next one makes up for them'
      counter(
        'quire_metric_exports_total',
        'Readings of the metrics that the collector took',
        () => readings().exported,
      )
      counter('quire_metric_exports_failed_total', failed, () => readings().failed)
    }
    // The library's own process metrics describe V8; these apply to every process.
    gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss())
    counter('process_cpu_seconds_total', 'User and system time of this process', () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    })
    // Refresh everything before the collection starts: the library may ask one gauge for its value while another still reads the
    // database.
    refresh = async () => {
      const [outbox, webhooks, queue, pausedSteps, dependencies] = await Promise.all([
        sources.outbox().catch(() => undefined),
        sources.webhooks().catch(() => undefined),
        sources.queue().catch(() => undefined),
        sources.pausedSteps().catch(() => undefined),
        sources.dependencies().catch(() => []),
      ])
      await Promise.all(forwarders.map((read) => read()))
      paused(pausedSteps)
      for (const { name, status } of dependencies) up.set({ dependency: name }, status === 'ready' ? 1 : 0)
      outboxBacklog(outbox?.backlogSize)
      replicaLag?.(replica?.().lagSeconds())
      outboxAge(outbox?.oldestUnpublishedAgeSeconds)
      publishFailures(outbox?.publishFailures)
      webhookBacklog(webhooks?.pending)
      webhookAge(webhooks?.oldestAgeSeconds)
      webhookTaken(webhooks?.taken)
      webhookFailed(webhooks?.failed)
      queueReady(queue?.ready)
      queueAge(queue?.oldestAgeSeconds)
    }
  }

  return {
    onAnswer({ operationId, method, status, seconds }) {
      requests.observe({ operation: operationId, method, status }, seconds)
    },
    watch,
    async read() {
      await refresh()
      const families = (await registry.getMetricsAsJSON()) as Family[]
      return { startNs, timeNs: unixNow(), metrics: families.map(metricOf) }
    },
    serve({ address, token, tls, log }) {
      const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
      const scrapes: Served = {
        async fetch(request) {
          if (token !== undefined && !isSameSecret(bearerIn(request), token)) {
            const headers = { ...always, 'www-authenticate': 'Bearer realm="metrics"' }
            return new Response('send Authorization: Bearer and the token\n', { status: 401, headers })
          }
          if (new URL(request.url).pathname !== '/metrics') {
            return new Response('see /metrics\n', { status: 404, headers: always })
          }
          await refresh()
          const headers = { ...always, 'content-type': registry.contentType }
          return new Response(await registry.metrics(), { headers })
        },
      }
      const server = listen(scrapes, { address, log, tls, closing: new Closing() })
      return () => server.close(0)
    },
    close() {
      stopListening()
      clearInterval(lagTimer)
    },
  }
}

function bearerIn(request: Request): string {
  return /^bearer +(\S+)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
}

/** The library's data about a metric, which its own types leave half open. */
interface Family {
  name: string
  help: string
  /** The library's enumeration, as it is at run time. */
  type: unknown
  values: { labels: Record<string, string | number>; value: number; metricName?: string }[]
}

function metricOf({ name, help, type, values }: Family): Metric {
  const named = { name, description: help, unit: unitOf(name) }
  if (type === 'histogram') return { ...named, data: { kind: 'histogram', points: histogramPoints(name, values) } }
  const points: NumberPoint[] = values.map(({ labels, value }) => ({ attributes: labels, value }))
  return { ...named, data: { kind: type === 'counter' ? ('counter' as const) : ('gauge' as const), points } }
}

function unitOf(name: string): string {
  const [, unit] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? []
  return unit === undefined ? '' : unit === 'seconds' ? 's' : 'By'
}

/**
 * Converts the library's cumulative buckets, which are as in Prometheus: for each bound the count of all values up to it, then
 * sum and count.
 */
function histogramPoints(name: string, values: Family['values']): HistogramPoint[] {
  const points = new Map<string, { attributes: HistogramPoint['attributes']; sum: number; upTo: [number, number][] }>()
  for (const { labels, value, metricName } of values) {
    const { le, ...attributes } = labels
    const key = JSON.stringify(Object.entries(attributes).sort())
    const point = points.get(key) ?? { attributes, sum: 0, upTo: [] }
    points.set(key, point)
    if (metricName === `${name}_sum`) point.sum = value
    if (le !== undefined) point.upTo.push([le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value])
  }
  return [...points.values()].map(({ attributes, sum, upTo }) => {
    const ascending = upTo.toSorted(([a], [b]) => a - b)
    const counts = ascending.map(([, count]) => count)
    return {
      attributes,
      sum,
      count: counts.at(-1) ?? 0,
      bounds: ascending.map(([bound]) => bound).filter(Number.isFinite),
      bucketCounts: counts.map((count, index) => count - (counts[index - 1] ?? 0)),
    }
  })
}

function stepOf(data: Record<string, unknown>): string {
  return typeof data.step === 'string' ? data.step : ''
}
