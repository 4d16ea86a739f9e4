import { afterAll, describe, expect, test } from 'bun:test'
import { createLog } from '../../src/core/log.ts'
import type { Reading } from '../../src/telemetry/metric.ts'
import { startMetricsExporter } from '../../src/telemetry/metrics-exporter.ts'
import { type MetricSettings, readTelemetry } from '../../src/telemetry/settings.ts'
import { scenarioBody, signIn } from '../crash/load.ts'
import { untilEnded } from '../support/client.ts'
import { freePort } from '../support/postgres.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { deliveries, type ReadExport, startCollector } from './collector.ts'

const lines: string[] = []
const log = createLog({ level: 'info', readable: true, write: (line) => lines.push(line) })

function settingsFor(endpoint: string, given: Record<string, string> = {}): MetricSettings {
  return readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRIC_EXPORT_INTERVAL: '3600000', ...given })
    .metrics!
}

const startNs = 1_795_000_000_123_456_789n
const timeNs = 1_795_000_060_987_654_321n
const reading: Reading = {
  startNs,
  timeNs,
  metrics: [
    {
      name: 'quire_workers',
      description: 'Engine workers, Ä 🙂',
      unit: '',
      data: { kind: 'gauge', points: [{ attributes: {}, value: 0.5 }] },
    },
    {
      name: 'quire_events_total',
      description: 'Events',
      unit: '',
      data: {
        kind: 'counter',
        points: [
          { attributes: { type: 'queued', step: '' }, value: 3 },
          { attributes: { type: 'step.started', step: 'compose' }, value: 2 ** 40 },
        ],
      },
    },
    {
      name: 'quire_step_duration_seconds',
      description: 'Steps',
      unit: 's',
      data: {
        kind: 'histogram',
        points: [
          { attributes: { step: 'render' }, count: 6, sum: 1.25, bounds: [0.1, 0.25, 10], bucketCounts: [1, 0, 3, 2] },
        ],
      },
    },
    { name: 'none_yet', description: '', unit: 'By', data: { kind: 'gauge', points: [] } },
  ],
}

describe('a reading', () => {
  for (const { name, variables } of deliveries) {
    test(`arrives whole as ${name}`, async () => {
      const collector = startCollector()
      const exporter = startMetricsExporter(settingsFor(collector.url, variables), async () => reading, log)
      await exporter.stop(20_000)
      const times = { startNs, timeNs }
      expect(collector.exports).toHaveLength(1)
      expect(collector.exports[0]).toMatchObject({
        resource: { 'service.name': 'letters', 'deployment.environment': 'test' },
        scope: 'quire',
      })
      expect(collector.exports[0]!.metrics).toEqual([
        {
          name: 'quire_workers',
          description: 'Engine workers, Ä 🙂',
          unit: '',
          kind: 'gauge',
          points: [{ attributes: {}, ...times, value: 0.5 }],
        },
        {
          name: 'quire_events_total',
          description: 'Events',
          unit: '',
          kind: 'sum',
          temporality: 2,
          isMonotonic: true,
          points: [
            { attributes: { type: 'queued', step: '' }, ...times, value: 3 },
            { attributes: { type: 'step.started', step: 'compose' }, ...times, value: 2 ** 40 },
          ],
        },
        {
          name: 'quire_step_duration_seconds',
          description: 'Steps',
          unit: 's',
          kind: 'histogram',
          temporality: 2,
          points: [
            {
              attributes: { step: 'render' },
              ...times,
              count: 6,
              sum: 1.25,
              bounds: [0.1, 0.25, 10],
              bucketCounts: [1, 0, 3, 2],
            },
          ],
        },
        { name: 'none_yet', description: '', unit: 'By', kind: 'gauge', points: [] },
      ])
      const [request] = collector.requests
      expect(request?.path).toBe('/v1/metrics')
      expect(request?.headers.get('content-type')).toBe(
        variables.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json' ? 'application/json' : 'application/x-protobuf',
      )
      expect(request?.headers.get('x-tenant')).toBe('one')
      expect(request?.headers.get('authorization')).toBe('Bearer abc')
      expect(exporter.counts).toEqual({ exported: 1, failed: 0 })
    })
  }

  test('is sent at each interval, one at a time, and a last time at the end', async () => {
    const collector = startCollector()
    const held = Promise.withResolvers<Response>()
    collector.answers.push(() => held.promise)
    let readings = 0
    const read = async () => ({ ...reading, timeNs: timeNs + BigInt(++readings) })
    const exporter = startMetricsExporter(settingsFor(collector.url, { OTEL_METRIC_EXPORT_INTERVAL: '5' }), read, log)
    await until('the first request is there', () => collector.requests.length === 1)
    // Intervals pass meanwhile, and none of them reads or sends beside it.
    await Bun.sleep(100)
    expect([readings, collector.requests.length]).toEqual([1, 1])
    held.resolve(Response.json({}))
    await until('others followed', () => collector.exports.length >= 3)
    await exporter.stop(20_000)
    const times = collector.exports.map((one) => one.metrics[0]!.points[0]!.timeNs)
    expect(times).toEqual(times.map((_, index) => timeNs + BigInt(index + 1)))
    const sent = collector.requests.length
    await Bun.sleep(50)
    expect([readings, collector.requests.length]).toEqual([sent, sent])
  })

  test('is sent again after 503, and given up and counted after 400, or where it can’t be made', async () => {
    const collector = startCollector()
    collector.answers.push(() => new Response('later', { status: 503 }))
    const settings = settingsFor(collector.url, { OTEL_METRIC_EXPORT_INTERVAL: '5' })
    const patient = startMetricsExporter(settings, async () => reading, log)
    await until('it was taken', () => patient.counts.exported > 0, 20_000)
    expect(patient.counts.failed).toBe(0)
    await patient.stop(10_000)

    collector.answers.push(() => new Response('never', { status: 400 }))
    const refused = startMetricsExporter(settingsFor(collector.url), async () => reading, log)
    await refused.stop(10_000)
    expect(refused.counts).toEqual({ exported: 0, failed: 1 })
    expect(lines.some((line) => line.includes('metrics could not be exported'))).toBe(true)
    expect(lines.some((line) => line.includes('the collector answered 400'))).toBe(true)

    const unread = () => Promise.reject(new Error('nothing can be read'))
    const broken = startMetricsExporter(settingsFor(collector.url), unread, log)
    await broken.stop(10_000)
    expect(broken.counts).toEqual({ exported: 0, failed: 1 })
  })

  test('that is answered only after the deadline of a stop counts once, as failed', async () => {
    const collector = startCollector()
    for (const status of [200, 400]) {
      const held = Promise.withResolvers<Response>()
      collector.answers.push(() => held.promise)
      const exporter = startMetricsExporter(settingsFor(collector.url), async () => reading, log)
      const before = collector.requests.length
      const stopped = exporter.stop(1_000)
      await until('the request is there', () => collector.requests.length > before)
      await stopped
      expect(exporter.counts).toEqual({ exported: 0, failed: 1 })
      held.resolve(new Response('{}', { status }))
      await Bun.sleep(100)
      expect(exporter.counts).toEqual({ exported: 0, failed: 1 })
    }
  })

  test('keeps nobody waiting where no collector is, nor where it never answers', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    for (const endpoint of ['http://127.0.0.1:1', `http://127.0.0.1:${silent.port}`]) {
      const exporter = startMetricsExporter(settingsFor(endpoint), async () => reading, log)
      const startedAt = performance.now()
      await exporter.stop(200)
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      expect(exporter.counts).toEqual({ exported: 0, failed: 1 })
    }
    silent.stop(true)
  })
})

describe('the program', () => {
  const running: RunningQuire[] = []
  afterAll(async () => {
    for (const quire of running) await quire.kill()
  })

  async function serve(environment: Record<string, string>) {
    const port = await freePort()
    const quire = await startQuire({ environment: { QUIRE_METRICS_LISTEN: `127.0.0.1:${port}`, ...environment } })
    running.push(quire)
    const page = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return { quire, page }
  }

  const sampleOf = (page: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1])

  test('exports what its Prometheus page shows, as often as configured, and a last time while it drains', async () => {
    const collector = startCollector()
    const { quire, page } = await serve({
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics`,
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'quire-under-test',
    })
    const client = await signIn(quire)
    const body = await scenarioBody(client)
    const make = async () => {
      const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
      await untilEnded(client, answer.body.submission.executions[0].id, 60_000)
    }
    const find = (read: ReadExport | undefined, name: string) => read?.metrics.find((metric) => metric.name === name)
    const stepsOf = (read: ReadExport | undefined, step: string) =>
      find(read, 'quire_step_duration_seconds')?.points.find((point) => point.attributes.step === step)
    await make()
    await until('the step is told of', () => stepsOf(collector.exports.at(-1), 'render')?.count === 1, 30_000)

    const read = collector.exports.at(-1)!
    const text = await page()
    const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name, type }))
    expect(families.length).toBeGreaterThan(20)
    expect(read.metrics.map(({ name, kind }) => ({ name, type: kind === 'sum' ? 'counter' : kind }))).toEqual(
      families as { name: string; type: string }[],
    )
    expect(read.resource).toMatchObject({ 'service.name': 'quire-under-test', 'process.pid': quire.pid })
    const render = stepsOf(read, 'render')!
    expect(render.bounds).toHaveLength(12)
    expect(render.bucketCounts).toHaveLength(13)
    expect(render.bucketCounts!.reduce((sum, count) => sum + count)).toBe(1)
    expect(render.sum).toBe(sampleOf(text, 'quire_step_duration_seconds_sum{step="render"}'))
    expect(render.timeNs).toBeGreaterThan(render.startNs)
    expect(find(read, 'quire_step_duration_seconds')).toMatchObject({ kind: 'histogram', unit: 's', temporality: 2 })
    expect(find(read, 'process_resident_memory_bytes')).toMatchObject({ kind: 'gauge', unit: 'By' })
    expect(find(read, 'quire_database_commits_total')).toMatchObject({ kind: 'sum', isMonotonic: true, temporality: 2 })
    expect(find(read, 'quire_events_total')!.points.map(({ attributes }) => attributes)).toContainEqual({
      aggregate: 'execution',
      type: 'completed',
      step: '',
    })
    expect(collector.spans).toEqual([])

    await make()
    expect(await quire.stop()).toBe(0)
    // The last reading is of the time after the last answer, whatever the interval.
    expect(stepsOf(collector.exports.at(-1), 'render')?.count).toBe(2)
    const all = collector.exports.map((one) => find(one, 'process_cpu_seconds_total')!.points[0]!)
    for (const [index, point] of all.entries()) {
      expect(point.startNs).toBe(all[0]!.startNs)
      if (index > 0) expect(point.value!).toBeGreaterThanOrEqual(all[index - 1]!.value!)
    }
  }, 120_000)

  test('serves on without a collector, counting what was not taken, and says so in one line', async () => {
    const { quire, page } = await serve({
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:1/v1/metrics',
      OTEL_METRIC_EXPORT_INTERVAL: '20',
      OTEL_METRIC_EXPORT_TIMEOUT: '20',
    })
    const client = await signIn(quire)
    const answer = await client.post('/api/v1/submissions', await scenarioBody(client), {
      'idempotency-key': crypto.randomUUID(),
    })
    await untilEnded(client, answer.body.submission.executions[0].id, 60_000)
    await until(
      'some were not taken',
      async () => sampleOf(await page(), 'quire_metric_exports_failed_total') > 3,
      30_000,
    )
    const text = await page()
    const failed = sampleOf(text, 'quire_metric_exports_failed_total')
    expect(sampleOf(text, 'quire_metric_exports_total')).toBe(0)
    expect(await quire.stop()).toBe(0)
    const complaints = (await quire.log()).split('\n').filter((line) => line.includes('metrics could not be exported'))
    // Once a minute at most.
    expect(complaints.length).toBeGreaterThan(0)
    expect(complaints.length).toBeLessThan(failed)
  }, 120_000)

  test('exports nothing when all of it is disabled, and names the variable that asks for what it can’t do', async () => {
    const collector = startCollector()
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRIC_EXPORT_INTERVAL: '20' }
    const disabled = await serve({ ...endpoint, OTEL_SDK_DISABLED: 'true' })
    const unable = await serve({
      ...endpoint,
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc',
      OTEL_TRACES_EXPORTER: 'none',
    })
    for (const { quire, page } of [disabled, unable]) {
      expect(await page()).not.toContain('quire_metric_exports')
      expect(await quire.stop()).toBe(0)
    }
    expect(collector.requests).toEqual([])
    expect(await disabled.quire.log()).not.toContain('OTEL_')
    expect(await unable.quire.log()).toContain('OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: \\"grpc\\" is neither')
  }, 120_000)
})
