/** What the rows of batches say and become by the statements that the feeder is built on. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, type Instant, instantOf } from '../../../src/core/instant.ts'
import type { Database, Transaction } from '../../../src/db/database.ts'
import { causeOf } from '../../../src/modules/batches/batches.causes.ts'
import {
  type BatchRecord,
  closeRows,
  completeBatch,
  countRows,
  countStates,
  dropInputs,
  findBatch,
  findRow,
  holdRunning,
  insertBatch,
  insertRows,
  listBatches,
  listCauses,
  listOpen,
  listRows,
  listRunning,
  listWaiting,
  moveBatch,
  queueAgain,
  type RowRecord,
  settleWaiting,
  takeRows,
} from '../../../src/modules/batches/batches.store.ts'
import { countsOf } from '../../../src/modules/batches/batches.wire.ts'
import { openTestDatabase } from '../../support/database.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const later = addMs(start, 60_000)

let database: Database
let made = 0
beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async (tx) => {
    await tx.q.delete(tx.t.batchRows)
    await tx.q.delete(tx.t.batches)
  })
})
afterAll(() => database?.close())

const write = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.write(work)

async function batch(change: Partial<BatchRecord> = {}): Promise<BatchRecord> {
  const row: BatchRecord = {
    ...{ id: newId(), name: 'May', modelSlug: 'invoices', format: 'csv', contentHash: 'a'.repeat(64) },
    ...{ fileHash: 'a'.repeat(64), byteSize: 10, rows: 4, reading: { start: 0 }, params: null, officialTime: null },
    ...{ status: 'running', pauseReason: null, nextRow: 1, nextOffset: 0, createdBy: SYSTEM_ACTOR_ID, tokenId: null },
    ...{ correlationId: 'batches', traceparent: null, createdAt: addMs(start, made++), updatedAt: start },
    completedAt: null,
    ...change,
  }
  await write((tx) => insertBatch(tx, row))
  return row
}

async function rows(batchId: string, ...changes: Partial<RowRecord>[]): Promise<void> {
  await write((tx) =>
    insertRows(
      tx,
      changes.map((change, index) => ({
        ...{ batchId, number: index + 1, line: index + 2, state: 'submitted', submissionId: null, rawInput: null },
        ...{ objectReference: null, receivedAt: null, reopened: 0 },
        ...{ cause: null, code: null, step: null, place: null, message: null },
        ...change,
      })),
    ),
  )
}
const failed = (code: string, message = 'No.'): Partial<RowRecord> => ({
  ...{ state: 'failed', message },
  ...causeOf({ code, step: 'validate', place: '/x' }),
})
const rowOf = (batchId: string, number: number) => findRow(database.read, batchId, number)

describe('lists of batches', () => {
  test('are newest first, of one model or status or both, those of one instant by their ids, from a place on', async () => {
    const one = await batch({ createdAt: start, id: '0198c3d2-7a10-7c00-8000-000000000001' })
    const twin = await batch({ createdAt: start, id: '0198c3d2-7a10-7c00-8000-000000000002', status: 'paused' })
    const other = await batch({ createdAt: later, modelSlug: 'letters', status: 'paused' })
    const ids = async (filter: object, after?: BatchRecord, limit = 9) =>
      (await listBatches(database.read, { status: undefined, modelSlug: undefined, ...filter }, after, limit)).map(
        ({ id }) => id,
      )
    expect(await ids({})).toEqual([other.id, twin.id, one.id])
    expect(await ids({}, undefined, 2)).toEqual([other.id, twin.id])
    expect(await ids({}, other)).toEqual([twin.id, one.id])
    expect(await ids({}, twin)).toEqual([one.id])
    expect(await ids({ status: 'paused' })).toEqual([other.id, twin.id])
    expect(await ids({ modelSlug: 'invoices' })).toEqual([twin.id, one.id])
    expect(await ids({ modelSlug: 'invoices', status: 'paused' })).toEqual([twin.id])
  })

  test('that run are oldest first, and no others', async () => {
    const newest = await batch({ createdAt: later })
    const oldest = await batch({ createdAt: start })
    for (const status of ['paused', 'cancelled', 'completed'] as const) await batch({ status })
    const ids = async (limit: number) => (await listRunning(database.read, limit)).map(({ id }) => id)
    expect([await ids(9), await ids(1)]).toEqual([[oldest.id, newest.id], [oldest.id]])
  })

  test('with rows at work or waiting are told once each, and others not', async () => {
    const [atWork, waits, ended] = [await batch(), await batch(), await batch()]
    await rows(atWork.id, { state: 'submitted' }, { state: 'submitted' })
    await rows(waits.id, { state: 'waiting' })
    await rows(ended.id, { state: 'completed' }, failed('a'), { state: 'refused' }, { state: 'erased' })
    expect((await listOpen(database.read, 9)).sort()).toEqual([atWork.id, waits.id].sort())
    expect((await listOpen(database.read, 1)).length).toBe(1)
  })
})

describe('counts of a batch', () => {
  test('add up to its rows, whatever became of them', async () => {
    const { id } = await batch({ rows: 12, nextRow: 10 })
    const other = await batch()
    const states = [
      'completed',
      'completed',
      'submitted',
      'failed',
      'failed',
      'refused',
      'erased',
      'waiting',
      'waiting',
    ]
    await rows(id, ...states.map((state) => ({ state: state as RowRecord['state'] })))
    await rows(other.id, { state: 'failed' })
    const counted = await countStates(database.read, [id])
    expect(counted.map(({ state, rows: some }) => `${state} ${some}`).sort()).toEqual([
      ...['erased 1', 'failed 2', 'refused 1', 'submitted 1', 'waiting 2'],
    ])
    expect(await countStates(database.read, [])).toEqual([])
    const read = { rows: 12, nextRow: 10 }
    const counts = { at_work: 1, completed: 2, failed: 2, refused: 1, erased: 1 }
    expect(countsOf({ ...read, status: 'running' }, counted)).toEqual({ ...counts, waiting: 5, dropped: 0 })
    expect(countsOf({ ...read, status: 'cancelled' }, counted)).toEqual({ ...counts, waiting: 0, dropped: 5 })
    expect(countsOf({ rows: 3, nextRow: 1, status: 'paused' }, [])).toEqual({
      ...{ waiting: 3, at_work: 0, completed: 0, failed: 0, refused: 0, erased: 0, dropped: 0 },
    })
  })

  test('are those of one moment, though the feeder has gone on since the batch was read', async () => {
    const read = await batch({ rows: 12, nextRow: 1 })
    await write((tx) => takeRows(tx, read, { nextRow: 9, nextOffset: 90 }))
    await rows(read.id, ...Array.from({ length: 8 }, () => ({ state: 'submitted' as const })))
    expect(countsOf(read, await countStates(database.read, [read.id]))).toMatchObject({
      ...{ waiting: 4, at_work: 8, completed: 0 },
    })
    const done = await batch({ rows: 2, nextRow: 1 })
    await write((tx) => takeRows(tx, done, { nextRow: 3, nextOffset: 30 }))
    await rows(done.id, { state: 'completed' }, { state: 'completed' })
    expect(countsOf(done, await countStates(database.read, [done.id]))).toMatchObject({ waiting: 0, completed: 2 })
  })
})

describe('the place of a batch', () => {
  test('moves once from where it was read, while the batch runs, and drops the file with its last row', async () => {
    const read = await batch({ rows: 4 })
    const take = (from: BatchRecord, nextRow: number) =>
      write((tx) => takeRows(tx, from, { nextRow, nextOffset: nextRow * 10 }))
    expect(await take(read, 4)).toBe(true)
    expect(await findBatch(database.read, read.id)).toMatchObject({
      nextRow: 4,
      nextOffset: 40,
      fileHash: read.fileHash,
    })
    // Somebody who read it before finds it moved.
    expect(await take(read, 3)).toBe(false)
    const moved = { ...read, nextRow: 4 }
    expect(await take(moved, 5)).toBe(true)
    expect(await findBatch(database.read, read.id)).toMatchObject({ nextRow: 5, nextOffset: 50, fileHash: null })
    const paused = await batch({ status: 'paused' })
    expect(await take(paused, 2)).toBe(false)
    expect(await findBatch(database.read, paused.id)).toMatchObject({ nextRow: 1, nextOffset: 0 })
  })

  test('is held only of a batch that runs', async () => {
    const [running, paused] = [await batch(), await batch({ status: 'paused' })]
    const hold = (id: string) => write((tx) => holdRunning(tx, id))
    expect([await hold(running.id), await hold(paused.id), await hold(newId())]).toEqual([true, false, false])
    expect((await findBatch(database.read, paused.id))?.status).toBe('paused')
  })
})

test('a batch moves only from one of the states that are named, and no other moves with it', async () => {
  const [own, other] = [await batch(), await batch()]
  const to = (from: BatchRecord['status'][]) =>
    write((tx) => moveBatch(tx, { id: own.id, from }, { status: 'paused', pauseReason: 'Why.', updatedAt: later }))
  expect([await to(['paused', 'completed']), await to([])]).toEqual([false, false])
  expect(await findBatch(database.read, own.id)).toEqual(own)
  expect(await to(['paused', 'running'])).toBe(true)
  expect(await findBatch(database.read, own.id)).toEqual({
    ...{ ...own, status: 'paused', pauseReason: 'Why.', updatedAt: later },
  })
  expect(await findBatch(database.read, other.id)).toEqual(other)
})

describe('a batch is completed', () => {
  const complete = (read: BatchRecord, at: Instant = later) => write((tx) => completeBatch(tx, read, at))

  test('when all its rows are submitted and at an end, with the moment of that', async () => {
    const read = await batch({ rows: 2, nextRow: 3 })
    const other = await batch({ rows: 2, nextRow: 3 })
    await rows(read.id, { state: 'completed' }, failed('a'))
    expect(await complete(read)).toBe(true)
    expect(await findBatch(database.read, read.id)).toMatchObject({
      ...{ status: 'completed', completedAt: later, updatedAt: later },
    })
    expect((await findBatch(database.read, other.id))?.status).toBe('running')
  })

  test.each([
    ['rows are left to submit', { nextRow: 2 }, []],
    ['it is paused', { status: 'paused' }, []],
    ['a row is at work', {}, [{ state: 'submitted' }]],
    ['a row waits', {}, [{ state: 'completed' }, { state: 'waiting' }]],
  ] as [string, Partial<BatchRecord>, Partial<RowRecord>[]][])('not while %s', async (_why, change, states) => {
    const read = await batch({ rows: 2, nextRow: 3, ...change })
    await rows(read.id, ...states)
    expect(await complete(read)).toBe(false)
    expect(await findBatch(database.read, read.id)).toEqual(read)
  })

  test('not when somebody has changed it since it was read', async () => {
    const read = await batch({ rows: 1, nextRow: 2 })
    expect(await complete({ ...read, updatedAt: later })).toBe(false)
    expect(await complete(read)).toBe(true)
  })

  test('whatever other batches still have to do', async () => {
    const read = await batch({ rows: 1, nextRow: 2 })
    await rows((await batch()).id, { state: 'waiting' }, { state: 'submitted' })
    expect(await complete(read)).toBe(true)
  })
})

describe('rows that wait', () => {
  test('are listed in their order, as many as are asked for, and of one batch', async () => {
    const [own, other] = [await batch(), await batch()]
    await rows(own.id, { state: 'waiting' }, { state: 'submitted' }, { state: 'waiting' }, { state: 'waiting' })
    await rows(other.id, { state: 'waiting' })
    const numbers = async (limit: number) => (await listWaiting(database.read, own.id, limit)).map((row) => row.number)
    expect([await numbers(9), await numbers(2)]).toEqual([
      [1, 3, 4],
      [1, 3],
    ])
  })

  test('are settled once, as they were read', async () => {
    const { id } = await batch()
    await rows(id, { state: 'waiting', reopened: 1 }, { state: 'waiting', reopened: 1 }, { state: 'submitted' })
    const read = (await rowOf(id, 1))!
    const settle = (row: RowRecord) => write((tx) => settleWaiting(tx, row, { state: 'submitted', reopened: 2 }))
    expect(await settle({ ...read, reopened: 0 })).toBe(false)
    expect(await settle((await rowOf(id, 3))!)).toBe(false)
    expect([await settle(read), await settle(read)]).toEqual([true, false])
    expect([await rowOf(id, 1), (await rowOf(id, 2))?.state]).toMatchObject([
      { state: 'submitted', reopened: 2 },
      'waiting',
    ])
  })

  test('of a cancelled batch lose their inputs, and their object too if they never became a submission', async () => {
    const [own, other] = [await batch(), await batch()]
    const about = { rawInput: '{}', objectReference: 'A-1' }
    const submissionId = newId()
    const states: Partial<RowRecord>[] = [
      { ...about, state: 'waiting' },
      { ...about, state: 'waiting', submissionId },
      { ...about, state: 'refused' },
    ]
    for (const { id } of [own, other]) await rows(id, ...states)
    await write((tx) => dropInputs(tx, own.id))
    const left = async (id: string) =>
      (await listRows(database.read, id, { state: undefined, cause: undefined, after: 0 }, 9)).map(
        ({ rawInput, objectReference }) => [rawInput, objectReference],
      )
    expect(await left(own.id)).toEqual([
      [null, null],
      [null, 'A-1'],
      [null, 'A-1'],
    ])
    expect(await left(other.id)).toEqual(Array(3).fill(['{}', 'A-1']))
  })
})

describe('rows that ended', () => {
  test('are closed as they were read, and not where they were opened again or have ended otherwise', async () => {
    const [own, other] = [await batch(), await batch()]
    await rows(own.id, {}, { reopened: 1 }, { state: 'waiting' }, {})
    await rows(other.id, {})
    const fields = { state: 'failed', ...causeOf({ code: 'a', step: 'render', place: '' }), message: 'No.' } as const
    const read = [1, 2, 3].map((number) => ({ number, reopened: 0 }))
    await write((tx) => closeRows(tx, own.id, read, fields))
    await write((tx) => closeRows(tx, own.id, [], fields))
    const states = [1, 2, 3, 4].map(async (number) => (await rowOf(own.id, number))?.state)
    expect(await Promise.all(states)).toEqual(['failed', 'submitted', 'waiting', 'submitted'])
    expect(await rowOf(own.id, 1)).toMatchObject(fields)
    expect((await rowOf(other.id, 1))?.state).toBe('submitted')
  })
})

describe('causes of a batch', () => {
  test('are the most frequent first, then the one that came first, each with what is said of its first row', async () => {
    const [own, other] = [await batch(), await batch()]
    await rows(
      own.id,
      ...[failed('a', 'first of a'), failed('b', 'first of b'), failed('c', 'first of c')],
      ...[
        failed('c', 'next of c'),
        failed('b', 'next of b'),
        failed('c', 'last of c'),
        { state: 'completed' as const },
      ],
    )
    await rows(other.id, failed('z'))
    const causes = await listCauses(database.read, own.id, 9)
    expect(causes.map(({ code, rows: some, firstRow, message }) => [code, some, firstRow, message])).toEqual([
      ['c', 3, 3, 'first of c'],
      ['b', 2, 2, 'first of b'],
      ['a', 1, 1, 'first of a'],
    ])
    expect(causes[0]).toEqual({
      ...{ ...causeOf({ code: 'c', step: 'validate', place: '/x' }), state: 'failed', message: 'first of c' },
      ...{ rows: 3, firstRow: 3 },
    })
    expect((await listCauses(database.read, own.id, 2)).length).toBe(2)
    expect(await listCauses(database.read, newId(), 9)).toEqual([])
    const { cause } = causes[0]!
    expect([await countRows(database.read, own.id, cause), await countRows(database.read, other.id, cause)]).toEqual([
      ...[3, 0],
    ])
    // Of the same number of rows, whichever has the first row.
    const even = await batch()
    await rows(even.id, failed('m'), failed('n'), failed('n'), failed('m'))
    expect((await listCauses(database.read, even.id, 9)).map(({ code }) => code)).toEqual(['m', 'n'])
  })

  test('are queued again where they still are the rows’ own, as if the rows were handed in then', async () => {
    const { id } = await batch()
    await rows(id, failed('a'), failed('b'), { ...failed('a'), reopened: 2, submissionId: newId() }, failed('a'))
    const { cause } = causeOf({ code: 'a', step: 'validate', place: '/x' })
    expect(await write((tx) => queueAgain(tx, id, { cause, numbers: [1, 2, 3], at: later }))).toBe(2)
    const blank = { cause: null, code: null, step: null, place: null, message: null }
    expect(await rowOf(id, 1)).toMatchObject({ ...blank, state: 'waiting', receivedAt: later, reopened: 1 })
    expect(await rowOf(id, 3)).toMatchObject({ ...blank, state: 'waiting', reopened: 3 })
    expect([await rowOf(id, 2), await rowOf(id, 4)]).toMatchObject([
      { state: 'failed', code: 'b', reopened: 0 },
      { state: 'failed', code: 'a', reopened: 0 },
    ])
    expect(await countRows(database.read, id, cause)).toBe(1)
  })
})

test('rows are listed by state and cause together, after a number', async () => {
  const { id } = await batch()
  await rows(id, failed('a'), { state: 'completed' }, failed('b'), failed('a'), { state: 'completed' }, failed('a'))
  const { cause } = causeOf({ code: 'a', step: 'validate', place: '/x' })
  const numbers = async (filter: { state?: RowRecord['state']; cause?: string; after?: number }, limit = 9) =>
    (await listRows(database.read, id, { state: undefined, cause: undefined, after: 0, ...filter }, limit)).map(
      ({ number }) => number,
    )
  expect(await numbers({})).toEqual([1, 2, 3, 4, 5, 6])
  expect(await numbers({ after: 2 }, 2)).toEqual([3, 4])
  expect(await numbers({ state: 'failed' })).toEqual([1, 3, 4, 6])
  expect(await numbers({ state: 'completed', after: 2 })).toEqual([5])
  expect(await numbers({ cause })).toEqual([1, 4, 6])
  expect(await numbers({ cause, state: 'failed', after: 1 })).toEqual([4, 6])
  expect(await numbers({ cause, state: 'completed' })).toEqual([])
})
