import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { instantOf } from '../../src/core/instant.ts'
import { auditFilters, executionFilters, storageFilters } from '../../src/core/list-filters.ts'
import type { Database } from '../../src/db/database.ts'
import { newerThan, newestFirst, olderThan, type PagePlace, placeGiven, selective } from '../../src/db/keyset.ts'
import { narrow } from '../../src/db/narrow.ts'
import { prepareInsert } from '../../src/db/prepared.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'

const day = (number: number) => instantOf(`2026-11-${String(number).padStart(2, '0')}T00:00:00Z`)

/** Neither in the order of time nor against it. */
const idOf = (index: number) => `r${String((index * 5) % 12).padStart(2, '0')}`

/** Twelve records over four days, three a day. */
const records = Array.from({ length: 12 }, (_, index) => ({
  id: idOf(index),
  actorId: `actor-${index % 2}`,
  action: `action-${index % 3}`,
  resourceKind: index < 6 ? 'contract' : 'template',
  resourceId: index === 11 ? null : `resource-${index % 4}`,
  correlationId: 'c',
  at: day(1 + Math.floor(index / 3)),
  detail: {},
}))

describeOnBothDialects('a list in pages', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    await database.write((tx) => prepareInsert(({ t }) => t.auditRecords)(tx, records))
  })
  afterAll(() => database.close())

  async function idsWhere(values: Parameters<typeof narrow<typeof auditFilters>>[3]): Promise<string[]> {
    const { auditRecords } = database.read.t
    const conditions = narrow(database.read, auditFilters, auditRecords, values)
    const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
    const rows = await database.read.q.select({ id: auditRecords.id }).from(auditRecords).where(where)
    return rows.map(({ id }) => id).sort()
  }
  const idsOf = (take: (record: (typeof records)[number]) => boolean) =>
    records
      .filter(take)
      .map(({ id }) => id)
      .sort()
  /** By time, and those of one time by their ids. */
  const inOrder = () => records.toSorted((a, b) => (a.at + a.id < b.at + b.id ? -1 : 1)).map(({ id }) => id)

  test('shows every row once, the newest first, also where several have the same time', async () => {
    const { auditRecords } = database.read.t
    const newest = inOrder().reverse()
    for (const size of [1, 2, 3, 4, 5, 11, 12, 13]) {
      const seen: string[] = []
      let place: PagePlace | undefined
      for (let page = 0; page <= 12; page++) {
        const rows = await database.read.q
          .select({ id: auditRecords.id, createdAt: auditRecords.at })
          .from(auditRecords)
          .where(place === undefined ? undefined : olderThan(auditRecords.at, auditRecords.id, place))
          .orderBy(...newestFirst(auditRecords.at, auditRecords.id))
          .limit(size)
        if (rows.length === 0) break
        seen.push(...rows.map(({ id }) => id))
        place = rows.at(-1)
      }
      expect([size, ...seen]).toEqual([size, ...newest])
    }
  })

  test('shows every row once from the oldest on, by a statement that is given each place anew', async () => {
    const { auditRecords } = database.read.t
    const after = database.read.q
      .select({ id: auditRecords.id, createdAt: auditRecords.at })
      .from(auditRecords)
      .where(newerThan(auditRecords.at, auditRecords.id, placeGiven))
      .orderBy(auditRecords.at, auditRecords.id)
      .limit(5)
      .prepare()
    const seen: string[] = []
    let place: PagePlace = { createdAt: day(1), id: '' }
    for (let page = 0; page < 4; page++) {
      const rows = (await after.execute({ ...place })) as PagePlace[]
      seen.push(...rows.map(({ id }) => id))
      place = rows.at(-1) ?? place
    }
    expect(seen).toEqual(inOrder())
    const last = await database.read.q
      .select({ id: auditRecords.id })
      .from(auditRecords)
      .where(newerThan(auditRecords.at, auditRecords.id, place))
    expect(last).toEqual([])
  })

  test('is narrowed by each filter that is asked for, and by all of them together', async () => {
    expect(await idsWhere({})).toEqual(idsOf(() => true))
    expect(await idsWhere({ actorId: 'actor-1' })).toEqual(idsOf(({ actorId }) => actorId === 'actor-1'))
    expect(await idsWhere({ action: 'action-2' })).toEqual(idsOf(({ action }) => action === 'action-2'))
    expect(await idsWhere({ resourceKind: 'template' })).toEqual(
      idsOf(({ resourceKind }) => resourceKind === 'template'),
    )
    expect(await idsWhere({ resourceId: 'resource-3' })).toEqual([3, 7].map(idOf).sort())
    expect(await idsWhere({ resourceId: 'resource-3', actorId: 'actor-1', action: 'action-0' })).toEqual([idOf(3)])
    expect(await idsWhere({ resourceId: 'resource-3', action: 'action-2' })).toEqual([])
    expect(await idsWhere({ actorId: undefined, action: 'none' })).toEqual([])
  })

  test('begins with its first time and ends before its last', async () => {
    expect(await idsWhere({ from: day(3) })).toEqual(idsOf(({ at }) => at >= day(3)))
    expect(await idsWhere({ to: day(3) })).toEqual(idsOf(({ at }) => at < day(3)))
    expect(await idsWhere({ from: day(2), to: day(3) })).toEqual([3, 4, 5].map(idOf).sort())
    expect(await idsWhere({ from: day(2), to: day(2) })).toEqual([])
  })

  test('asks its filters of the columns they name', () => {
    const { artifacts, executions } = database.read.t
    const asked = { modelSlug: 'm', producingNodeAddress: 'n', objectReference: 'o', format: 'pdf' } as const
    const textOf = (conditions: SQL[]) => {
      const { sql: text, params } = database.read.q
        .select({ one: sql`1` })
        .from(sql`one`)
        .where(sql.join(conditions, sql` and `))
        .toSQL()
      // As SQLite has them: only the first may choose an index.
      return [text.replaceAll(/\(("\w+"\."\w+") \|\| ''\)/g, '$1').replaceAll(/\?|\$\d/g, '?'), params]
    }
    expect(textOf(narrow(database.read, storageFilters, artifacts, asked))).toEqual([
      'select 1 from one where "artifacts"."object_reference" = ? and "artifacts"."node_address" = ? and "artifacts"."model_slug" = ? and "artifacts"."kind" = ?',
      ['o', 'n', 'm', 'pdf'],
    ])
    expect(narrow(database.read, executionFilters, executions, { status: 'failed', releaseId: 'r' })).toHaveLength(2)
  })

  if (dialect === 'sqlite') {
    test('lets the filter that leaves the fewest rows choose the index', async () => {
      const { auditRecords } = database.read.t
      const plan = async (values: Parameters<typeof narrow<typeof auditFilters>>[3]) => {
        const conditions = narrow(database.read, auditFilters, auditRecords, values)
        const rows = await database.read.rows<{ detail: string }>(
          sql`explain query plan select id from audit_records where ${sql.join(conditions, sql` and `)}`,
        )
        return rows.map(({ detail }) => detail).join('\n')
      }
      const four = { resourceKind: 'contract', action: 'action-0', actorId: 'actor-0', resourceId: 'resource-0' }
      expect(await plan(four)).toContain('audit_resource_page (resource_id=?)')
      expect(await plan({ resourceKind: 'contract', action: 'a', actorId: 'b' })).toContain('audit_actor_page')
      expect(await plan({ resourceKind: 'contract', action: 'a' })).toContain('audit_action_page')
      expect(await plan({ resourceKind: 'contract' })).toContain('audit_kind_page')
      expect(await plan({ ...four, resourceId: undefined })).toContain('audit_actor_page')
    })
  }

  test('makes an equality of each filter where the database has statistics, and else of the first one asked for', () => {
    const { auditRecords } = database.read.t
    const conditions = selective(database.read, [
      [auditRecords.actorId, undefined],
      [auditRecords.resourceId, 'a'],
      [auditRecords.action, 'b'],
      [auditRecords.resourceKind, 'c'],
    ])
    const texts = conditions.map((condition) => database.read.q.select().from(auditRecords).where(condition).toSQL())
    expect(texts.map(({ params }) => params)).toEqual([['a'], ['b'], ['c']])
    const plain = texts.map(({ sql: text }) => !text.includes("|| ''"))
    expect(plain).toEqual(dialect === 'postgres' ? [true, true, true] : [true, false, false])
  })
})
