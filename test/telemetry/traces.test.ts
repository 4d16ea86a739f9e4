import { afterAll, beforeAll, expect, test } from 'bun:test'
import { scenarioBody, signIn } from '../crash/load.ts'
import { type ApiClient, untilEnded } from '../support/client.ts'
import { freePort } from '../support/postgres.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { type Collector, type ReadSpan, startCollector } from './collector.ts'

let collector: Collector
let quire: RunningQuire
let client: ApiClient
let metricsPort: number

beforeAll(async () => {
  collector = startCollector()
  metricsPort = await freePort()
  quire = await startQuire({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'quire-under-test',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      QUIRE_METRICS_LISTEN: `127.0.0.1:${metricsPort}`,
    },
  })
  client = await signIn(quire)
}, 120_000)
afterAll(() => quire.stop())

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callersSpanId = '00f067aa0ba902b7'

/** Submits, and gives the trace's spans once the execution and its whole trace have come. */
async function traceOf(headers: Record<string, string>, inTrace: (span: ReadSpan) => boolean): Promise<ReadSpan[]> {
  const key = { 'idempotency-key': crypto.randomUUID() }
  const answer = await client.post('/api/v1/submissions', await scenarioBody(client), { ...key, ...headers })
  expect(answer.status).toBe(202)
  await untilEnded(client, answer.body.submission.executions[0].id)
  const found = () => collector.spans.filter((span) => inTrace(span) && !span.name.startsWith('GET '))
  await until('the whole trace has come', () => found().length >= 6, 60_000)
  return found()
}

function expectOneSubmission(spans: ReadSpan[]): ReadSpan {
  const server = spans.find((span) => span.kind === 2)!
  const queued = spans.find((span) => span.kind === 4)!
  expect(server).toMatchObject({
    name: 'POST /api/v1/submissions',
    attributes: { 'http.request.method': 'POST', 'http.response.status_code': 202 },
    status: { code: 0 },
    resource: { 'service.name': 'quire-under-test' },
  })
  expect(queued.parentSpanId).toBe(server.spanId)
  const steps = spans.filter((span) => span.kind === 5)
  expect(steps.map((span) => span.name).toSorted()).toEqual([
    'step compose',
    'step render',
    'step transform.declarative',
    'step validate',
  ])
  for (const step of steps) {
    expect(step.parentSpanId).toBe(queued.spanId)
    expect(step.endNs).toBeGreaterThanOrEqual(step.startNs)
    expect(step.attributes['quire.attempt']).toBe(1)
  }
  expect(new Set(spans.map((span) => span.spanId)).size).toBe(6)
  expect(new Set(spans.map((span) => span.traceId)).size).toBe(1)
  return server
}

test('a submission within a caller’s trace is a part of it, with its steps below', async () => {
  const headers = { traceparent: `00-${traceId}-${callersSpanId}-01` }
  const server = expectOneSubmission(await traceOf(headers, (span) => span.traceId === traceId))
  expect(server.parentSpanId).toBe(callersSpanId)
})

test('the caller’s trace is kept beside a correlation id of its own', async () => {
  const headers = { traceparent: `00-${traceId}-${callersSpanId}-01`, 'x-correlation-id': 'order-7' }
  const isOurs = (span: ReadSpan) => span.attributes['quire.correlation_id'] === 'order-7'
  const server = expectOneSubmission(await traceOf(headers, isOurs))
  expect([server.traceId, server.parentSpanId]).toEqual([traceId, callersSpanId])
})

test('a submission outside of any trace begins one', async () => {
  const isOurs = (span: ReadSpan) => span.attributes['quire.correlation_id'] === 'alone'
  expect(expectOneSubmission(await traceOf({ 'x-correlation-id': 'alone' }, isOurs)).parentSpanId).toBe('')
})

test('a trace that its caller does not record is not exported, and what is exported is counted', async () => {
  const unrecorded = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
  const key = { 'idempotency-key': crypto.randomUUID() }
  const headers = { traceparent: `00-${unrecorded}-${callersSpanId}-00`, ...key }
  const answer = await client.post('/api/v1/submissions', await scenarioBody(client), headers)
  await untilEnded(client, answer.body.submission.executions[0].id)
  const isOurs = (span: ReadSpan) => span.attributes['quire.correlation_id'] === 'after-it'
  await traceOf({ 'x-correlation-id': 'after-it' }, isOurs)
  expect(collector.spans.filter((span) => span.traceId === unrecorded)).toEqual([])
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(Number(/^quire_spans_exported_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(20)
  expect(metrics).toContain('\nquire_spans_dropped_total 0\n')
})
