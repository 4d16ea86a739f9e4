import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { logEvents } from '../../src/bus/event-log.ts'
import { appendEvents, type CommittedEvent, type NewEvent, onEventsCommitted } from '../../src/bus/outbox.ts'
import { parseInstant } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import type { Database } from '../../src/db/database.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'

const at = parseInstant('2026-11-20T09:30:00.5Z')!
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

function event(aggregateId: string, change: Partial<NewEvent> = {}): NewEvent {
  return { aggregate: 'execution', aggregateId, type: 'queued', data: { n: 1 }, correlationId: 'c-1', ...change }
}

describeOnBothDialects('the outbox', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  beforeEach(() => database.write((tx) => tx.q.delete(tx.t.events)))
  afterAll(() => database.close())

  const append = (...events: NewEvent[]) => database.write((tx) => appendEvents(tx, at, events))
  async function sequencesOf(aggregate: string, aggregateId: string): Promise<number[]> {
    const rows = await database.read.q.select().from(database.read.t.events)
    return rows
      .filter((row) => row.aggregate === aggregate && row.aggregateId === aggregateId)
      .map((row) => row.sequence)
      .sort((a, b) => a - b)
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  test('numbers the events of each aggregate without a gap, however many are written at once', async () => {
    await append(event('a'))
    const batch = upTo(21).flatMap(() => [event('a'), event('b'), event('a', { aggregate: 'submission' })])
    await append(...batch)
    await append(event('b'), event('a'))
    expect(await sequencesOf('execution', 'a')).toEqual(upTo(23))
    expect(await sequencesOf('execution', 'b')).toEqual(upTo(22))
    // The same id in another aggregate is another thing.
    expect(await sequencesOf('submission', 'a')).toEqual(upTo(21))
  })

  test('numbers them in the order that they were given', async () => {
    await append(...upTo(20).map((n) => event('ordered', { data: { n } })))
    const rows = await database.read.q.select().from(database.read.t.events)
    for (const row of rows) expect(row.data.n).toBe(row.sequence)
  })

  test('writes an event as it was given, and nothing else', async () => {
    await append(event('plain'), event('traced', { traceparent }))
    const rows = await database.read.q.select().from(database.read.t.events)
    const [plain, traced] = ['plain', 'traced'].map((id) => rows.find((row) => row.aggregateId === id)!)
    const { id, ...row } = plain!
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(row).toEqual({
      ...event('plain'),
      sequence: 1,
      traceparent: null,
      createdAt: at,
      publishedAt: null,
      forWebhooks: null,
      webhookNumber: null,
    })
    expect(traced!.traceparent).toBe(traceparent)
    const before = rows.length
    await append()
    expect(await database.read.q.select().from(database.read.t.events)).toHaveLength(before)
  })

  test('loses none of many transactions that race for one aggregate', async () => {
    // One of those that collide always gets through, so four of them need no more tries than there are.
    for (let round = 0; round < 6; round++) {
      await Promise.all(upTo(4).map(() => append(event('raced'), event('raced'))))
    }
    expect(await sequencesOf('execution', 'raced')).toEqual(upTo(48))
  })

  test('tells listeners of each commit once, with its sequences, and of nothing that was rolled back or came after they stopped', async () => {
    const told: (readonly CommittedEvent[])[] = []
    const stop = onEventsCommitted((events) => told.push(events))
    await append(event('t'))
    await database
      .write(async (tx) => {
        await appendEvents(tx, at, [event('doomed')])
        expect(told).toHaveLength(1)
        throw new Error('rolled back')
      })
      .catch(() => {})
    await append(event('t'), event('u'))
    stop()
    await append(event('t'))
    expect(told.map((events) => events.map(({ aggregateId, sequence }) => [aggregateId, sequence]))).toEqual([
      [['t', 1]],
      [
        ['t', 2],
        ['u', 1],
      ],
    ])
    const [row] = (await database.read.q.select().from(database.read.t.events)).filter((one) => one.sequence === 2)
    expect(told[1]![0]).toMatchObject({ id: row!.id, createdAt: at, data: { n: 1 }, correlationId: 'c-1' })
  })

  test('has a line in the log for each event that was committed, a step’s failure at info, the others only in detail', async () => {
    const lines: Record<string, unknown>[] = []
    const log = createLog({ level: 'debug', readable: false, write: (line) => lines.push(JSON.parse(line)) })
    const failed = event('f', {
      type: 'step.failed',
      traceparent,
      data: { step: 'compose', attempt: 2, failure: { code: 'compose_failed' } },
    })
    let stop = logEvents(log, 'failures')
    await append(event('f'), failed)
    stop()
    expect(lines).toMatchObject([
      {
        level: 'info',
        event: 'execution.step.failed',
        execution_id: 'f',
        correlation_id: 'c-1',
        trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
        sequence: 2,
        step: 'compose',
        attempt: 2,
        code: 'compose_failed',
      },
    ])
    stop = logEvents(log, 'everything')
    await append(event('f', { type: 'failed', data: { code: 'compose_failed' } }))
    stop()
    await append(event('f'))
    expect(lines.slice(1)).toMatchObject([
      { level: 'debug', event: 'execution.failed', sequence: 3, code: 'compose_failed' },
    ])
    expect(lines[1]).not.toHaveProperty('trace_id')
  })
})
