import { expect, test } from 'bun:test'
import type { TraceEvent } from '../../../src/modules/executions/executions.model.ts'
import type { ExecutionService } from '../../../src/modules/executions/executions.service.ts'
import { eventStream } from '../../../src/modules/executions/trace.stream.ts'
import { outcomeOf, rejectionOf } from '../../support/outcome.ts'
import { until } from '../../support/until.ts'

const event = (sequence: number) => ({ sequence, type: 'step.started', data: { n: sequence } }) as unknown as TraceEvent

/** A service whose execution tells these events, and then fails, ends or goes on until it is told to stop. */
function telling(events: readonly TraceEvent[], then: 'ends' | 'fails' | 'goes on' = 'ends') {
  const asked: { id: string; after: number; signal: AbortSignal }[] = []
  const follow = async (id: string, after: number, signal: AbortSignal) => {
    asked.push({ id, after, signal })
    return (async function* () {
      yield* events
      if (then === 'fails') throw new Error('the database is gone')
      if (then === 'goes on' && !signal.aborted)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })()
  }
  return { asked, service: { follow } as unknown as ExecutionService }
}
const never = () => new AbortController().signal
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()

test('a live trace tells each event by its sequence and type, when to come back, and ends with the last', async () => {
  const { service } = telling([event(1), event(2)])
  const text = await textOf(await eventStream(service, 'e', { lastEventId: null, until: never() }))
  expect(text).toBe(
    'retry: 1000\n\n' +
      'id: 1\nevent: step.started\ndata: {"sequence":1,"type":"step.started","data":{"n":1}}\n\n' +
      'id: 2\nevent: step.started\ndata: {"sequence":2,"type":"step.started","data":{"n":2}}\n\n',
  )
})

test('a live trace goes on after the event that the browser had last, and begins at the first without one', async () => {
  const { asked, service } = telling([])
  for (const lastEventId of [null, '0', '7', '999999999'])
    await eventStream(service, 'e', { lastEventId, until: never() })
  expect(asked.map(({ id, after }) => [id, after])).toEqual([0, 0, 7, 999_999_999].map((after) => ['e', after]))
})

test.each([[''], ['x'], ['-1'], ['1.5'], [' 1'], ['1000000000']])(
  'a live trace refuses the id %p of no event',
  async (lastEventId) => {
    const { asked, service } = telling([])
    const refused = eventStream(service, 'e', { lastEventId, until: never() })
    expect(await rejectionOf(refused)).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('Last-Event-ID'),
    })
    expect(asked).toEqual([])
  },
)

test('a live trace that can not be read on breaks off, so that the browser comes back', async () => {
  const { service } = telling([event(1)], 'fails')
  const stream = await eventStream(service, 'e', { lastEventId: null, until: never() })
  expect(await outcomeOf(textOf(stream))).toThrow('the database is gone')
})

test('a live trace is let go of when the browser leaves, and ends when the service stops', async () => {
  const left = telling([event(1)], 'goes on')
  const reader = (await eventStream(left.service, 'e', { lastEventId: null, until: never() })).getReader()
  await reader.read()
  expect(left.asked[0]?.signal.aborted).toBe(false)
  await reader.cancel()
  expect(left.asked[0]?.signal.aborted).toBe(true)

  const stopping = new AbortController()
  const stopped = telling([event(1)], 'goes on')
  const text = textOf(await eventStream(stopped.service, 'e', { lastEventId: null, until: stopping.signal }))
  await until('it is asked for', () => stopped.asked.length > 0)
  stopping.abort()
  expect(await text).toContain('id: 1')
})
