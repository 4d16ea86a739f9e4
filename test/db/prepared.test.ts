import { expect, test } from 'bun:test'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { parseInstant } from '../../src/core/instant.ts'
import type { Connection } from '../../src/db/database.ts'
import {
  givenColumns,
  givenOnce,
  givenRows,
  givenValues,
  prepareByIds,
  prepareBySize,
  prepareInsert,
  prepareOnce,
  prepareUpdate,
  readTogether,
  typesOf,
} from '../../src/db/prepared.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

const at = parseInstant('2026-11-20T09:30:00Z')!
const insertThrottles = prepareInsert(({ t }) => t.throttles)
const insertEvents = prepareInsert(({ t }) => t.events)
const insertFamilies = prepareInsert(({ t }) => t.families)

/** k000, k001 and so on. */
const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${String(index).padStart(3, '0')}`)

const throttle = (key: string) => ({ key, failures: Number(key.slice(1)), windowStartedAt: at, blockedUntil: at })

test('a statement is built once for each dialect, and run over the connection that asks', () => {
  const built: unknown[] = []
  const execute = async () => []
  const prepared = prepareOnce((connection) => {
    built.push(connection)
    return { execute, number: built.length }
  })
  const over = (by: string) => (statement: object) => ({ ...statement, by })
  const [one, other, third] = [
    { dialect: 'sqlite', over: over('one') },
    { dialect: 'sqlite', over: over('other') },
    { dialect: 'postgres', over: over('third') },
  ] as unknown as Connection[]
  expect([one!, other!, third!, one!].map(prepared) as unknown[]).toEqual([
    { execute, number: 1, by: 'one' },
    { execute, number: 1, by: 'other' },
    { execute, number: 2, by: 'third' },
    { execute, number: 1, by: 'one' },
  ])
  expect(built).toEqual([one, third])
})

test('a statement offers its execution alone: on SQLite there is no all, get or run', () => {
  const prepared = prepareOnce(({ q, t }) => q.select().from(t.throttles).prepare())
  // The compiler refuses this line if anything else is offered.
  const offered: Record<keyof ReturnType<typeof prepared>, true> = { execute: true }
  expect(Object.keys(offered)).toEqual(['execute'])
})

test('readings that are asked for at once share a statement for each connection, and each gets its own rows', async () => {
  const asked: string[] = []
  const read = readTogether(
    async (_connection: Connection, ids) => {
      asked.push(ids.join(' '))
      return ids.filter((id) => id !== 'none').map((id) => ({ id }))
    },
    ({ id }) => id,
  )
  const [one, other] = [{}, {}] as unknown as [Connection, Connection]
  const rows = [read(one, 'a'), read(other, 'b'), read(one, 'none'), read(one, 'c')]
  expect(await Promise.all(rows)).toEqual([[{ id: 'a' }], [{ id: 'b' }], [], [{ id: 'c' }]])
  expect(asked).toEqual(['a none c', 'b'])
})

test('readings that share a statement which fails are made each by itself, unless the database is away', async () => {
  const asked: string[] = []
  const read = readTogether(
    async (_connection: Connection, ids) => {
      asked.push(ids.join(' '))
      if (ids.includes('broken')) throw new Error('refused')
      if (ids.includes('away')) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
      return ids.map((id) => ({ id }))
    },
    ({ id }) => id,
  )
  const connection = {} as Connection
  const outcomes = (ids: string[]) => Promise.all(ids.map((id) => outcomeOf(read(connection, id))))
  const [fine, broken] = await Promise.allSettled(['d', 'broken'].map((id) => read(connection, id)))
  expect(fine).toEqual({ status: 'fulfilled', value: [{ id: 'd' }] })
  expect(broken).toMatchObject({ status: 'rejected', reason: new Error('refused') })
  for (const outcome of await outcomes(['e', 'away'])) expect(outcome).toThrow('away')
  for (const outcome of await outcomes(['broken'])) expect(outcome).toThrow('refused')
  expect(asked).toEqual(['d broken', 'd', 'broken', 'e away', 'broken'])
})

describeOnBothDialects('prepared statements', (dialect) => {
  test('insert any number of rows, each once and with its own values', async () => {
    const database = await openTestDatabase(dialect)
    const { throttles } = database.read.t
    for (const count of [0, 1, 2, 7, 8, 9, 16, 17, 40]) {
      const rows = keys(count).map(throttle)
      await database.write((tx) => insertThrottles(tx, rows))
      expect(await database.read.q.select().from(throttles).orderBy(throttles.key)).toEqual(rows)
      await database.write((tx) => tx.q.delete(throttles))
    }
    await database.close()
  })

  test('write every kind of value as the table declares it, and null for what is not given', async () => {
    const database = await openTestDatabase(dialect)
    const family = {
      kind: 'template' as const,
      ...{ id: 'f1', slug: 's', name: 'n', description: '', draftRevision: 3 },
      ...{
        draftBytes: new Uint8Array([0, 255]),
        draftFileId: null,
        latestNumber: 0,
        createdBy: 'u',
        createdAt: at,
        updatedAt: at,
      },
    }
    const event = {
      ...{ id: 'e1', aggregate: 'execution', aggregateId: 'x', sequence: 1, type: 't', data: { list: [1, null] } },
      ...{ correlationId: 'c', createdAt: at, publishedAt: null, forWebhooks: null, webhookNumber: null },
    }
    await database.write(async (tx) => {
      await insertFamilies(tx, [family])
      await insertEvents(tx, [event, { ...event, id: 'e2', sequence: 2, traceparent: 'p', publishedAt: at }])
    })
    const { families, events } = database.read.t
    expect(await database.read.q.select().from(families)).toEqual([
      { ...family, draftSource: null, draftFormat: null, draftUpdatedAt: null },
    ])
    expect(await database.read.q.select().from(events).orderBy(events.id)).toEqual([
      { ...event, traceparent: null },
      { ...event, id: 'e2', sequence: 2, traceparent: 'p', publishedAt: at },
    ])
    await database.close()
  })

  test('fill in by themselves what the database computes, in every row', async () => {
    const database = await openTestDatabase(dialect)
    const { throttles } = database.read.t
    const insertComputed = prepareInsert(
      ({ t }) => t.throttles,
      () => ({ failures: sql`40 + 2` }),
    )
    const rows = keys(3).map((key) => ({ key, windowStartedAt: at, blockedUntil: at }))
    await database.write((tx) => insertComputed(tx, rows))
    const kept = await database.read.q.select().from(throttles).orderBy(throttles.key)
    expect(kept).toEqual(rows.map((row) => ({ ...row, failures: 42 })))
    await database.close()
  })

  test('change the given columns of one row, leave undefined ones, and store null as a value', async () => {
    const database = await openTestDatabase(dialect)
    const { families } = database.read.t
    const updateFamily = prepareUpdate(({ t }) => t.families)
    const family = (id: string) => ({
      ...{ id, kind: 'template' as const, slug: id, name: id, description: 'd', draftRevision: 3, latestNumber: 0 },
      ...{ draftSource: 'source', draftBytes: null, draftFileId: null, draftFormat: null, draftUpdatedAt: null },
      ...{ createdBy: 'u', createdAt: at, updatedAt: at },
    })
    const [one, other] = [family('f1'), family('f2')]
    await database.write((tx) => insertFamilies(tx, [one, other]))
    const read = () => database.read.q.select().from(families).orderBy(families.id)
    const changes = [
      { name: 'new', draftRevision: 4 },
      { name: undefined, draftBytes: new Uint8Array([0, 255]) },
      { draftRevision: 5, name: 'newer' },
      { draftSource: null },
    ]
    // The compiler takes no undefined; what is read from a request may have some all the same.
    for (const change of changes) await database.write((tx) => updateFamily(tx, 'f1', change as object))
    const changed = { name: 'newer', draftRevision: 5, draftBytes: new Uint8Array([0, 255]), draftSource: null }
    expect(await read()).toEqual([{ ...one, ...changed }, other])
    await database.write((tx) => updateFamily(tx, 'none', { name: 'lost' }))
    expect(await read()).toEqual([{ ...one, ...changed }, other])
    await database.close()
  })

  test('take values by the names of what differs, of one call or, on PostgreSQL, of many', async () => {
    const database = await openTestDatabase(dialect)
    const types = { text: 'text', number: 'bigint', truth: 'boolean' } as const
    const call = (number: number | null) => ({
      text: `t${number}`,
      number,
      truth: dialect === 'postgres' ? number === 1 : 1,
    })
    const { text, number } = givenOnce({ text: 'text', number: 'bigint' })
    const asText = dialect === 'postgres' ? sql`${text}::text` : text
    const one = prepareOnce(({ q }) =>
      q
        .select({ text: sql<string>`${asText}` })
        .from(sql`(select 1) as one`)
        .where(sql`${number} > 1`)
        .prepare(),
    )
    expect(await one(database.read).execute({ text: 'x', number: 2 })).toEqual([{ text: 'x' }])
    expect(await one(database.read).execute({ text: 'x', number: 1 })).toEqual([])
    if (dialect === 'postgres') {
      const given = givenColumns(types)
      const many = prepareBySize(3, ({ q }, size) =>
        q
          .select({ place: sql<number>`given.place`, text: given.text, number: given.number, truth: given.truth })
          .from(givenRows(types, size))
          .orderBy(sql`given.place`)
          .prepare(),
      )
      for (const calls of [[call(1)], [call(null), call(1), call(2)]]) {
        expect(await many(database.read, calls.length).execute(givenValues(calls))).toEqual(
          calls.map((each, place) => ({ place, ...each })),
        )
      }
      const bytes = typesOf(database.read.t.families)
      expect([bytes.draftBytes, bytes.name, bytes.draftRevision, bytes.createdAt]).toEqual([
        ...(['bytea', 'text', 'bigint', 'text'] as const),
      ])
    }
    await database.close()
  })

  test('find each of any number of ids once, and nothing else', async () => {
    const database = await openTestDatabase(dialect)
    let built = 0
    const failuresOf = prepareByIds(({ q, t: { throttles } }, ids) => {
      built++
      return q
        .select({ key: throttles.key, failures: throttles.failures })
        .from(throttles)
        .where(and(inArray(throttles.key, ids), eq(throttles.windowStartedAt, sql.placeholder('since'))))
        .prepare()
    })
    const all = keys(100)
    await database.write((tx) => insertThrottles(tx, all.map(throttle)))
    for (const count of [0, 1, 31, 32, 33, 64, 65, 99]) {
      const rows = await failuresOf(database.read, all.slice(0, count), { since: at })
      expect(rows.map(({ key }) => key).sort()).toEqual(all.slice(0, count))
      expect(rows.every(({ key, failures }) => failures === Number(key.slice(1)))).toBe(true)
    }
    expect(await failuresOf(database.read, ['none', 'k005', 'nor this'], { since: at })).toHaveLength(1)
    // Given twice, and far from each other.
    expect(await failuresOf(database.read, [...all.slice(0, 33), 'k005'], { since: at })).toHaveLength(33)
    expect(await failuresOf(database.read, ['k005'], { since: 'another time' })).toEqual([])
    // More than 32 go in several statements, so those of 1, 3, 31 and 32 are all there are.
    if (dialect === 'sqlite') expect(built).toBe(4)
    await database.close()
  })
})
