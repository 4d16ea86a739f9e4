import { onEventsCommitted } from './bus/outbox.ts'
import type { OutboxHealth } from './bus/relay.ts'
import { API_VERSION, PRODUCT_VERSION, REVISION } from './core/version.ts'
import type { WriteLoad } from './db/database.ts'
import type { Answered } from './http/pipeline.ts'

/** What is asked for when somebody scrapes. */
export interface MetricsSources {
  outbox(): Promise<OutboxHealth>
  stepsInHand(): number
  queue(): Promise<{ ready: number; oldestAgeSeconds: number }>
  writeLoad(): Readonly<WriteLoad>
  pool(): { size: number; busy: number; waiting: number }
  /** Where traces are exported. */
  spans?(): { readonly exported: number; readonly dropped: number }
}

export interface Metrics {
  onAnswer(answered: Answered): void
  /** Serves `GET /metrics` in Prometheus' text format. @throws when the address can't be had */
  serve(address: { hostname: string; port: number }, sources: MetricsSources): () => Promise<void>
}

/** Bucket bounds in seconds: reads take fractions of a millisecond, renderings and password hashes tens of them. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Often enough to see what a single long statement does, seldom enough to cost nothing. */
const LAG_EVERY_MS = 100

/** Made only when metrics are to be served: the library is imported here. */
export async function createMetrics(): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
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
  let dueMs = performance.now() + LAG_EVERY_MS
  const lagTimer = setInterval(() => {
    const nowMs = performance.now()
    lag.observe(Math.max(0, nowMs - dueMs) / 1_000)
    dueMs = nowMs + LAG_EVERY_MS
  }, LAG_EVERY_MS)
  lagTimer.unref()
  const stopListening = onEventsCommitted((committed) => {
    for (const event of committed) {
      const step = stepOf(event.data)
      events.inc({ aggregate: event.aggregate, type: event.type, step })
      const { duration_ms: durationMs } = event.data
      if (event.type === 'step.succeeded' && typeof durationMs === 'number') steps.observe({ step }, durationMs / 1_000)
    }
  })

  return {
    onAnswer({ operationId, method, status, seconds }) {
      requests.observe({ operation: operationId, method, status }, seconds)
    },
    serve(address, sources) {
      new Gauge({
        name: 'quire_steps_in_hand',
        help: 'Steps this instance is working on',
        registers,
        collect() {
          this.set(sources.stepsInHand())
        },
      })
      const age = new Gauge({
        name: 'quire_outbox_oldest_age_seconds',
        help: 'Age of the oldest unpublished event',
        registers,
      })
      const failures = new Gauge({
        name: 'quire_outbox_publish_failures',
        help: 'Since this instance started',
        registers,
      })
      new Gauge({
        name: 'quire_outbox_backlog',
        help: 'Events not yet published',
        registers,
        async collect() {
          const outbox = await sources.outbox()
          this.set(outbox.backlogSize)
          age.set(outbox.oldestUnpublishedAgeSeconds)
          failures.set(outbox.publishFailures)
        },
      })
      const queueAge = new Gauge({
        name: 'quire_queue_oldest_age_seconds',
        help: 'How long the first of the steps that could be claimed has waited',
        registers,
      })
      new Gauge({
        name: 'quire_queue_ready_steps',
        help: 'Steps that could be claimed now, of the whole database',
        registers,
        async collect() {
          const queue = await sources.queue()
          this.set(queue.ready)
          queueAge.set(queue.oldestAgeSeconds)
        },
      })
      for (const [name, help, read] of [
        ['quire_database_writes_waiting', 'Transactions waiting or under way', () => sources.writeLoad().waiting],
        ['quire_database_transactions_total', 'Write transactions', () => sources.writeLoad().transactions],
        ['quire_database_commits_total', 'Commits, which transactions may share', () => sources.writeLoad().commits],
        ['quire_database_write_seconds_total', 'Time spent over commits', () => sources.writeLoad().busySeconds],
        ['quire_workers', 'Engine workers there may be', () => sources.pool().size],
        ['quire_workers_busy', 'Engine workers at work', () => sources.pool().busy],
        ['quire_workers_jobs_waiting', 'Jobs that wait for a worker', () => sources.pool().waiting],
        ...(sources.spans === undefined ? [] : spanCounts(sources.spans)),
      ] as const) {
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read())
          },
        })
      }
      // The library's own process metrics are about V8; these are what is true of every process.
      new Gauge({
        name: 'process_resident_memory_bytes',
        help: 'Resident memory',
        registers,
        collect() {
          this.set(process.memoryUsage.rss())
        },
      })
      new Gauge({
        name: 'process_cpu_seconds_total',
        help: 'User and system time of this process',
        registers,
        collect() {
          const { user, system } = process.cpuUsage()
          this.set((user + system) / 1e6)
        },
      })
      const server = Bun.serve({
        ...address,
        reusePort: false,
        async fetch(request) {
          if (new URL(request.url).pathname !== '/metrics') return new Response('see /metrics\n', { status: 404 })
          return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } })
        },
      })
      return async () => {
        stopListening()
        clearInterval(lagTimer)
        await server.stop(true)
      }
    },
  }
}

function stepOf(data: Record<string, unknown>): string {
  return typeof data.step === 'string' ? data.step : ''
}

function spanCounts(counts: NonNullable<MetricsSources['spans']>) {
  return [
    ['quire_spans_exported_total', 'Spans that the collector took', () => counts().exported],
    [
      'quire_spans_dropped_total',
      'Spans that found the queue full, or that the collector did not take',
      () => counts().dropped,
    ],
  ] as const
}
