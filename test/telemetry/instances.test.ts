import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openBus } from '../../src/bus/bus.ts'
import { executionSpanId } from '../../src/telemetry/span.ts'
import { mosquittoAvailable, startMosquitto } from '../bus/mosquitto.ts'
import { scenarioBody, signIn } from '../crash/load.ts'
import { untilEnded } from '../support/client.ts'
import { temporaryFolder } from '../support/database.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { startCollector } from './collector.ts'

interface Expected {
  correlationId: string
  traceId: string
  isSampled: boolean
}

interface Line {
  event?: string
  correlation_id?: string
  trace_id?: string
  execution_id?: string
}

const callersSpanId = '00f067aa0ba902b7'

/** 32 hexadecimal digits, another each time. */
const newTraceId = () => crypto.randomUUID().replaceAll('-', '')

test.if(postgresAvailable && mosquittoAvailable)(
  'steps that another instance makes name the caller’s correlation id and its trace, in spans, logs and events',
  async () => {
    const broker = await startMosquitto()
    const database = await (await startPostgres()).createDatabase()
    const shared = {
      QUIRE_DATABASE_URL: database,
      QUIRE_MQTT_URL: broker.url,
      QUIRE_SECRET: 'shared by every instance, 32 and more',
      QUIRE_OBJECTS_URL: `file:${join(temporaryFolder(), 'objects')}`,
      QUIRE_WORKERS: '1',
      QUIRE_LOG: 'debug',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    }
    const collectors = { intake: startCollector(), other: startCollector() }
    const startInstance = (collector: { url: string }) =>
      startQuire({ environment: { ...shared, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
    const intake = await startInstance(collectors.intake)
    const other = await startInstance(collectors.other)
    const bus = await openBus(broker.url)
    const messages: Record<string, unknown>[] = []
    await bus.subscribe('quire/v1/execution/+/+', (_topic, payload) => {
      messages.push(JSON.parse(new TextDecoder().decode(payload)))
    })

    const client = await signIn(intake)
    const body = await scenarioBody(client)
    const expected = new Map<string, Expected>()
    const kinds = ['both', 'both, unrecorded', 'trace only'] as const
    const madeByOther = new Map<string, (typeof kinds)[number]>()

    /** All requests go to one instance; which of the two makes a step is theirs to settle. */
    async function submit(kind: (typeof kinds)[number]): Promise<void> {
      const traceId = newTraceId()
      const isSampled = kind !== 'both, unrecorded'
      const ownId = kind === 'trace only' ? undefined : `order-${crypto.randomUUID()}`
      const answer = await client.post('/api/v1/submissions', body, {
        'idempotency-key': crypto.randomUUID(),
        traceparent: `00-${traceId}-${callersSpanId}-${isSampled ? '01' : '00'}`,
        ...(ownId === undefined ? {} : { 'x-correlation-id': ownId }),
      })
      expect(answer.status).toBe(202)
      const { id } = answer.body.submission.executions[0]
      expected.set(id, { correlationId: ownId ?? traceId, traceId, isSampled })
      expect((await untilEnded(client, id, 120_000)).status).toBe('completed')
      const steps = (await linesOf(other)).filter((line) => line.execution_id === id)
      if (steps.some((line) => line.event === 'execution.step.succeeded')) madeByOther.set(id, kind)
    }

    await until(
      'the other instance has made steps of every kind',
      async () => {
        await Promise.all([...kinds, ...kinds, ...kinds].map(submit))
        return new Set(madeByOther.values()).size === kinds.length
      },
      120_000,
    )

    const told = (await linesOf(other)).filter((line) => line.event?.startsWith('execution.step.'))
    expect(told.length).toBeGreaterThan(0)
    for (const { execution_id, correlation_id, trace_id } of told) {
      const { correlationId, traceId } = expected.get(execution_id!)!
      expect([correlation_id, trace_id]).toEqual([correlationId, traceId])
    }

    await until(
      'every event has come',
      () => {
        const completed = messages.filter(({ type }) => type === 'quire.execution.completed')
        return completed.length >= expected.size
      },
      60_000,
    )
    for (const message of messages) {
      const { correlationId, traceId, isSampled } = expected.get(message.subject as string)!
      expect(message.correlationid).toBe(correlationId)
      expect(message.traceparent as string).toMatch(
        new RegExp(`^00-${traceId}-[0-9a-f]{16}-${isSampled ? '01' : '00'}$`),
      )
    }

    // What is still queued is exported while they stop.
    for (const quire of [other, intake]) expect(await quire.stop()).toBe(0)
    await bus.close()
    const spans = [...collectors.other.spans, ...collectors.intake.spans]
    const steps = spans.filter((span) => span.kind === 5)
    for (const span of steps) {
      const id = span.attributes['quire.execution_id'] as string
      const { correlationId, traceId } = expected.get(id)!
      expect(span).toMatchObject({ traceId, parentSpanId: executionSpanId(id) })
      expect(span.attributes['quire.correlation_id']).toBe(correlationId)
    }
    for (const [id, { traceId, isSampled }] of expected) {
      const ofExecution = steps.filter((span) => span.attributes['quire.execution_id'] === id)
      expect(ofExecution.map(({ name }) => name).toSorted()).toEqual(
        isSampled ? ['step compose', 'step render', 'step transform.declarative', 'step validate'] : [],
      )
      // An unrecorded trace is nowhere, on either instance.
      if (!isSampled) expect(spans.filter((span) => span.traceId === traceId)).toEqual([])
    }
    const exportedByOther = new Set(collectors.other.spans.map((span) => span.attributes['quire.execution_id']))
    for (const [id, kind] of madeByOther) expect(exportedByOther.has(id)).toBe(kind !== 'both, unrecorded')
  },
  240_000,
)

async function linesOf(quire: { log(): Promise<string> }): Promise<Line[]> {
  const text = await quire.log()
  // The last line may be half written.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
}
