import { expect, test } from 'bun:test'
import { cloudEvent } from '../../src/bus/cloudevent.ts'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { formatTraceparent, parseTraceparent } from '../../src/core/traceparent.ts'
import { correlationIdOf } from '../../src/http/pipeline.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
/** What a request with these headers is named by, and what its events keep of its trace. */
function accepted(headers: Record<string, string>): { correlationId: string; traceparent: string | null } {
  const context = parseTraceparent(headers.traceparent)
  const correlationId = correlationIdOf(new Request('http://x/', { headers }), context)
  return { correlationId, traceparent: context === undefined ? null : formatTraceparent(context) }
}
const event = (correlationId: string, traceparent: string | null = null) => ({
  id: '01a1f8cd-74ff-7715-85c8-bb251f7d35f8',
  aggregate: 'execution',
  aggregateId: 'a',
  sequence: 1,
  type: 'queued',
  data: {},
  correlationId,
  traceparent,
  createdAt: instantFromEpochMs(0),
})

test('a request of a trace passes it on in its events, the same in every delivery', () => {
  const { correlationId, traceparent } = accepted({ traceparent: `00-${trace}-00f067aa0ba902b7-01` })
  expect(correlationId).toBe(trace)
  const sent = cloudEvent(event(correlationId, traceparent))
  expect(JSON.parse(sent).traceparent).toBe(`00-${trace}-85c8bb251f7d35f8-01`)
  expect(cloudEvent(event(correlationId, traceparent))).toBe(sent)
})

test('a correlation id that was given names the request, and its events still belong to the trace', () => {
  const both = accepted({ traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-correlation-id': 'mine' })
  expect(both).toEqual({ correlationId: 'mine', traceparent: `00-${trace}-00f067aa0ba902b7-01` })
  const sent = JSON.parse(cloudEvent(event('mine', both.traceparent)))
  expect([sent.correlationid, sent.traceparent]).toEqual(['mine', `00-${trace}-85c8bb251f7d35f8-01`])
  expect(JSON.parse(cloudEvent(event('mine')))).not.toHaveProperty('traceparent')
})

test('whether the caller records its trace is passed on, and nothing else of its flags', () => {
  const { traceparent } = accepted({ traceparent: `cc-${trace}-00f067aa0ba902b7-fe-what-may-come` })
  expect(traceparent).toBe(`00-${trace}-00f067aa0ba902b7-00`)
  expect(JSON.parse(cloudEvent(event('mine', traceparent))).traceparent).toBe(`00-${trace}-85c8bb251f7d35f8-00`)
})

test.each([
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `ff-${trace}-00f067aa0ba902b7-01`,
  `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
  'nonsense',
])('an invalid trace context (%s) is ignored', (traceparent) => {
  const { correlationId, traceparent: kept } = accepted({ traceparent })
  expect(correlationId).toMatch(/^[0-9a-f-]{36}$/)
  expect(kept).toBeNull()
})
