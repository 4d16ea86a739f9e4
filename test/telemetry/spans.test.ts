import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'bun:test'
import { appendEvents, type NewEvent } from '../../src/bus/outbox.ts'
import { type Instant, parseInstant } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import type { Database } from '../../src/db/database.ts'
import type { Answered } from '../../src/http/pipeline.ts'
import { readTelemetry } from '../../src/telemetry/settings.ts'
import { executionSpanId, newSpanId, traceIdOf, unixNow } from '../../src/telemetry/span.ts'
import { startTraces } from '../../src/telemetry/traces.ts'
import { openTestDatabase } from '../support/database.ts'
import { type ReadSpan, startCollector } from './collector.ts'

const log = createLog({ level: 'error', readable: true, write: () => {} })
const correlationId = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736'
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const executionId = '0198c3d2-7a10-7c00-8000-00000000000a'
const executionSpan = '800000000000000a'
const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true }
const instant = (text: string) => parseInstant(text)!

let database: Database
beforeAll(async () => {
  database = await openTestDatabase('sqlite')
})
afterAll(() => database.close())

function begin(variables: Record<string, string> = {}) {
  const collector = startCollector()
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '60000', ...variables }
  const traces = startTraces(readTelemetry(environment).traces!, log)
  onTestFinished(() => traces.stop(1_000))
  const spans = async (): Promise<ReadSpan[]> => {
    await traces.stop(10_000)
    return collector.spans
  }
  return { traces, spans }
}

const answered: Answered = {
  method: 'GET',
  route: '/api/v1/x',
  operationId: 'readX',
  status: 200,
  seconds: 0.25,
} as Answered

function event(type: string, data: Record<string, unknown>, change: Partial<NewEvent> = {}): NewEvent {
  return { aggregate: 'execution', aggregateId: executionId, type, data, correlationId, ...change }
}
const commit = (at: Instant, ...events: NewEvent[]) => database.write((tx) => appendEvents(tx, at, events))
/** A fresh aggregate, so that its first event has the sequence 1. */
let executions = 0
const another = () => `0198c3d2-7a10-7c00-8000-${String(++executions).padStart(12, '1')}`

describe('the span of a request', () => {
  test('lasts as long as the answer took, and tells what was asked and answered', async () => {
    const { traces, spans } = begin()
    // The clock that tells parts of a millisecond may be two of them behind, or three ahead.
    const before = BigInt(Date.now() - 2) * 1_000_000n
    traces.request(undefined, correlationId)(answered)
    traces.request(undefined, correlationId)({ ...answered, route: undefined, status: 404 })
    const [first, second] = await spans()
    expect(first).toMatchObject({
      traceId,
      parentSpanId: '',
      name: 'GET /api/v1/x',
      kind: 2,
      attributes: {
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'http.route': '/api/v1/x',
        'quire.operation': 'readX',
        'quire.correlation_id': correlationId,
      },
      status: { code: 0 },
    })
    expect(first!.endNs - first!.startNs).toBe(250_000_000n)
    expect(first!.startNs).toBeGreaterThanOrEqual(before)
    expect(first!.startNs).toBeLessThanOrEqual(BigInt(Date.now() + 4) * 1_000_000n)
    expect(second!.name).toBe('GET')
    expect(second!.attributes).not.toContainKeys(['http.route', 'error.type'])
    expect(second!.spanId).not.toBe(first!.spanId)
  })

  test('is an error from 500 on, and below that none', async () => {
    const { traces, spans } = begin()
    for (const status of [499, 500, 503]) traces.request(undefined, correlationId)({ ...answered, status })
    expect(
      (await spans()).map(({ status, attributes }) => [status.code, status.message, attributes['error.type']]),
    ).toEqual([
      [0, '', undefined],
      [2, 'answered with 500', '500'],
      [2, 'answered with 503', '503'],
    ])
  })

  test('is below the caller’s, and follows whether the caller records', async () => {
    const { traces, spans } = begin({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
    traces.request(parent, correlationId)(answered)
    traces.request({ ...parent, isSampled: false }, correlationId)(answered)
    traces.request(undefined, correlationId)(answered)
    expect((await spans()).map((span) => [span.traceId, span.parentSpanId])).toEqual([[parent.traceId, parent.spanId]])
  })

  test('is recorded whatever the caller does where the sampler has no parent in its name', async () => {
    const { traces, spans } = begin({ OTEL_TRACES_SAMPLER: 'always_on' })
    traces.request({ ...parent, isSampled: false }, correlationId)(answered)
    expect(await spans()).toHaveLength(1)
  })

  test('is recorded for the share of traces that is asked for, chosen by the end of the trace’s id', async () => {
    const { traces, spans } = begin({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' })
    for (const end of ['000000000000', '7fffffffffff', '800000000000', 'ffffffffffff']) {
      traces.request({ ...parent, traceId: `${'a'.repeat(20)}${end}` }, correlationId)(answered)
    }
    expect((await spans()).map((span) => span.traceId.slice(-12))).toEqual(['000000000000', '7fffffffffff'])
  })
})

describe('the spans of an execution', () => {
  const at = instant('2026-11-20T09:30:00.123456789Z')
  const atNs = BigInt(Date.parse('2026-11-20T09:30:00.123Z')) * 1_000_000n + 456_789n

  test('begin with the moment at which it is queued, below its request, and once only', async () => {
    const { traces, spans } = begin()
    const aggregateId = another()
    const finish = traces.request(undefined, correlationId)
    await commit(at, event('queued', {}, { aggregateId }))
    await commit(at, event('queued', {}, { aggregateId }))
    finish(answered)
    const [queued, request, ...others] = await spans()
    expect(others).toEqual([])
    expect(queued).toMatchObject({
      traceId,
      spanId: executionSpanId(aggregateId),
      parentSpanId: request!.spanId,
      name: 'execution queued',
      kind: 4,
      startNs: atNs,
      endNs: atNs,
      attributes: { 'quire.execution_id': aggregateId, 'quire.correlation_id': correlationId },
      status: { code: 0 },
    })
  })

  test('are those of attempts, which end with the event and last as long as it says', async () => {
    const { spans } = begin()
    const data = { step: 'compose', position: 2, attempt: 3, duration_ms: 1.5 }
    await commit(at, event('step.succeeded', data))
    const [step] = await spans()
    expect(step).toMatchObject({
      traceId,
      parentSpanId: executionSpan,
      name: 'step compose',
      kind: 5,
      startNs: atNs - 1_500_000n,
      endNs: atNs,
      attributes: { 'quire.execution_id': executionId, 'quire.step': 'compose', 'quire.attempt': 3 },
      status: { code: 0 },
    })
    expect(step!.attributes).not.toContainKey('error.type')
  })

  test('last from the start of the attempt where no duration is told, else no time at all', async () => {
    const { spans } = begin()
    const data = { step: 'render', position: 3, attempt: 1 }
    const earlier = instant('2026-11-20T09:29:59.123456789Z')
    await commit(
      earlier,
      event('step.started', data),
      event('step.started', { ...data, position: 4 }, { aggregateId: another() }),
    )
    await commit(at, event('step.deferred', data))
    // The start was of one attempt, and belongs to no second one.
    await commit(at, event('step.succeeded', data))
    expect((await spans()).map(({ startNs, endNs }) => [endNs - startNs, endNs])).toEqual([
      [1_000_000_000n, atNs],
      [0n, atNs],
    ])
  })

  test('are errors where a step failed or was put off, with the reason', async () => {
    const { spans } = begin()
    const data = { step: 'render', position: 3, attempt: 1, duration_ms: 1 }
    await commit(at, event('step.failed', { ...data, failure: { code: 'render.broken' } }))
    await commit(at, event('step.deferred', { ...data, code: 'dependency_unavailable' }))
    expect(
      (await spans()).map(({ status, attributes }) => [status.code, status.message, attributes['error.type']]),
    ).toEqual([
      [2, 'render.broken', 'render.broken'],
      [2, 'dependency_unavailable', 'dependency_unavailable'],
    ])
  })

  test('belong to the caller’s trace, and are left out where the caller does not record', async () => {
    const { spans } = begin()
    const data = { step: 'render', position: 3, attempt: 1, duration_ms: 1 }
    const traceparent = (flags: string) => ({ traceparent: `00-${parent.traceId}-${parent.spanId}-${flags}` })
    await commit(at, event('step.succeeded', data, traceparent('01')))
    await commit(at, event('step.succeeded', data, traceparent('00')))
    await commit(at, event('queued', {}, { ...traceparent('00'), aggregateId: another() }))
    expect((await spans()).map((span) => span.traceId)).toEqual([parent.traceId])
  })

  test('are made of no other event, and of nothing else that has events', async () => {
    const { spans } = begin()
    const data = { step: 'render', position: 3, attempt: 1, duration_ms: 1 }
    for (const type of ['completed', 'failed', 'step.started', 'retried']) await commit(at, event(type, data))
    for (const aggregate of ['submission', 'release', 'family', 'activation', 'user'] as const) {
      await commit(at, event('queued', data, { aggregate, aggregateId: another() }))
      await commit(at, event('step.succeeded', data, { aggregate, aggregateId: another() }))
    }
    expect(await spans()).toEqual([])
  })

  test('forget the oldest request of more than are remembered', async () => {
    const { traces, spans } = begin()
    const [first, kept] = ['first', 'kept']
    traces.request(undefined, first)
    traces.request(undefined, kept)
    for (let index = 1; index < limits.telemetryRemembered; index++) traces.request(undefined, `request-${index}`)
    for (const id of [first, kept]) await commit(at, event('queued', {}, { aggregateId: another(), correlationId: id }))
    expect((await spans()).map(({ parentSpanId }) => parentSpanId === '')).toEqual([true, false])
  })

  test('end when tracing stops', async () => {
    const { spans } = begin()
    expect(await spans()).toEqual([])
    await commit(at, event('step.succeeded', { step: 'render', position: 3, attempt: 1, duration_ms: 1 }))
    expect(await spans()).toEqual([])
  })
})

describe('an id', () => {
  test('of a trace is the correlation id without its hyphens, or else its hash', () => {
    expect(traceIdOf(correlationId)).toBe(traceId)
    for (const other of ['order-7', '0'.repeat(32), traceId.toUpperCase(), `${traceId}0`, traceId.slice(1)]) {
      expect(traceIdOf(other)).toMatch(/^[0-9a-f]{32}$/)
      expect(traceIdOf(other)).not.toBe(other)
      expect(traceIdOf(other)).toBe(traceIdOf(other))
    }
    expect(traceIdOf('order-7')).not.toBe(traceIdOf('order-8'))
  })

  test('of an execution’s span is the end of the execution’s, or else its hash', () => {
    expect(executionSpanId(executionId)).toBe(executionSpan)
    for (const other of ['x', '0'.repeat(32)]) expect(executionSpanId(other)).toMatch(/^(?!0{16})[0-9a-f]{16}$/)
    expect(executionSpanId('x')).not.toBe(executionSpanId('y'))
  })

  test('of another span is 16 digits at random, never of zeros alone', () => {
    const made = Array.from({ length: 500 }, newSpanId)
    expect(new Set(made).size).toBe(500)
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{15}[13579bdf]$/)
  })

  test('has its time in nanoseconds, to the microsecond', () => {
    const now = unixNow()
    expect(Math.abs(Number(now / 1_000_000n) - Date.now())).toBeLessThan(1_000)
    expect(now % 1_000n).toBe(0n)
  })
})
