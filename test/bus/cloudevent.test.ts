import { expect, test } from 'bun:test'
import { cloudEvent } from '../../src/bus/cloudevent.ts'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { correlationIdOf, traceIdBeside } from '../../src/http/pipeline.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const request = (headers: Record<string, string>) => new Request('http://x/', { headers })
const event = (correlationId: string, traceId: string | null = null) => ({
  id: '01a1f8cd-74ff-7715-85c8-bb251f7d35f8',
  aggregate: 'execution',
  aggregateId: 'a',
  sequence: 1,
  type: 'queued',
  data: {},
  correlationId,
  traceId,
  createdAt: instantFromEpochMs(0),
})

test('a request of a trace passes it on in its events, the same in every delivery', () => {
  const correlationId = correlationIdOf(request({ traceparent: `00-${trace}-00f067aa0ba902b7-01` }))
  expect(correlationId).toBe(trace)
  const sent = cloudEvent(event(correlationId))
  expect(JSON.parse(sent).traceparent).toBe(`00-${trace}-85c8bb251f7d35f8-01`)
  expect(cloudEvent(event(correlationId))).toBe(sent)
})

test('a correlation id that was given names the request, and its events still belong to the trace', () => {
  const both = request({ traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-correlation-id': 'mine' })
  expect(correlationIdOf(both)).toBe('mine')
  expect(traceIdBeside(both, 'mine')).toBe(trace)
  const sent = JSON.parse(cloudEvent(event('mine', trace)))
  expect([sent.correlationid, sent.traceparent]).toEqual(['mine', `00-${trace}-85c8bb251f7d35f8-01`])
  expect(JSON.parse(cloudEvent(event('mine')))).not.toHaveProperty('traceparent')
})

test.each([
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `ff-${trace}-00f067aa0ba902b7-01`,
  `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
  'nonsense',
])('a trace context that is none (%s) is not taken for one', (traceparent) => {
  expect(correlationIdOf(request({ traceparent }))).toMatch(/^[0-9a-f-]{36}$/)
})
