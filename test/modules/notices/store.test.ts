/** Which notices somebody has, and for how long; from rows that are written for it. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '../../../src/core/ids.ts'
import { addMs, type Instant, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import { createNoticeService, recordNotice, recordNoticeOnce } from '../../../src/modules/notices/notices.service.ts'
import { listNotices } from '../../../src/modules/notices/notices.store.ts'
import { openTestDatabase } from '../../support/database.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const [ada, eve, robot] = [newId(), newId(), newId()]

let database: Database
beforeEach(async () => {
  if (database === undefined) {
    database = await openTestDatabase('sqlite')
    const user = (id: string, username: string, isService: boolean) => ({
      ...{ id, username, displayName: username, roles: [], passwordHash: 'x', disabled: false, isService },
      ...{ mustChangePassword: false, createdAt: start, updatedAt: start },
    })
    await database.write(async ({ q, t }) => {
      await q.insert(t.users).values([user(ada, 'ada', false), user(eve, 'eve', false), user(robot, 'robot', true)])
    })
  }
  await database.write(async ({ q, t }) => {
    for (const table of [t.notices, t.events, t.auditRecords]) await q.delete(table)
  })
})
afterAll(() => database?.close())

const at = (ms: number) => ({ at: addMs(start, ms), correlationId: 'c' })
const note = (userId: string, kind: 'signed_in' | 'token_created' = 'signed_in', ms = 0, more = {}) =>
  database.write((tx) => recordNotice(tx, at(ms), { userId, kind, ...more }))
const own = (userId: string) => createNoticeService({ database, clock: { now: () => start } }).list(userId)
const eventsTold = async () => {
  const { events } = database.read.t
  return database.read.q.select().from(events).where(eq(events.aggregate, 'notice')).orderBy(events.id)
}

test('a notice is kept with what it says, and told in an event without the browser', async () => {
  const expiresAt = addMs(start, 9)
  await note(ada, 'token_created', 0, { name: 'CI', address: '192.0.2.1', browser: 'Firefox', expiresAt })
  await note(eve)
  const [row] = await own(ada)
  expect(row).toEqual({
    ...{ id: row!.id, userId: ada, kind: 'token_created', name: 'CI', address: '192.0.2.1', browser: 'Firefox' },
    ...{ expiresAt, createdAt: start, readAt: null },
  })
  expect(
    (await eventsTold()).map(({ aggregateId, type, data, correlationId }) => [aggregateId, type, data, correlationId]),
  ).toEqual([
    [
      ...[row!.id, 'recorded'],
      {
        ...{ user_id: ada, username: 'ada', kind: 'token_created', name: 'CI', address: '192.0.2.1' },
        expires_at: '2026-11-20T09:30:00.009Z',
      },
      'c',
    ],
    [(await own(eve))[0]!.id, 'recorded', { user_id: eve, username: 'eve', kind: 'signed_in' }, 'c'],
  ])
})

test('service accounts and unknown users get none', async () => {
  for (const id of [robot, newId()]) await note(id)
  expect([await own(robot), await eventsTold()]).toEqual([[], []])
})

test('a user has the newest of them up to a bound, newest first, and others’ are not counted', async () => {
  await note(eve, 'signed_in', -1)
  for (let count = 0; count <= limits.noticesPerUser; count++) await note(ada, 'signed_in', count)
  const times = (await own(ada)).map(({ createdAt }) => createdAt)
  expect(times).toEqual(
    Array.from({ length: limits.noticesPerUser }, (_, index) => addMs(start, limits.noticesPerUser - index)),
  )
  const { notices } = database.read.t
  const kept = await database.read.q.select().from(notices).where(eq(notices.userId, ada))
  expect(kept.length).toBe(limits.noticesPerUser)
  expect((await own(eve)).length).toBe(1)
  expect((await listNotices(database.read, ada, 2)).map(({ createdAt }) => createdAt)).toEqual(times.slice(0, 2))
})

test('what strangers can cause is told once a day of each kind, to each user', async () => {
  const once = (userId: string, kind: 'signed_in' | 'token_created', ms: number) =>
    database.write((tx) => recordNoticeOnce(tx, at(ms), { userId, kind }))
  const count = async (userId = ada) => (await own(userId)).length
  await once(ada, 'signed_in', 0)
  await once(ada, 'signed_in', limits.noticeAgainMs)
  expect(await count()).toBe(1)
  await once(ada, 'token_created', 1)
  await once(eve, 'signed_in', 1)
  expect([await count(), await count(eve)]).toEqual([2, 1])
  await once(ada, 'signed_in', limits.noticeAgainMs + 1)
  expect(await count()).toBe(3)
})

test('those that are shown are read from then on, one’s own alone, with one record of how many', async () => {
  for (const ms of [0, 1, 2]) await note(ada, 'signed_in', ms)
  await note(eve)
  const [newest, middle, oldest] = await own(ada)
  const [other] = await own(eve)
  let now: Instant = addMs(start, 50)
  const service = createNoticeService({ database, clock: { now: () => now } })
  const author = { userId: ada, correlationId: 'reading' }
  await service.markRead([newest!.id, middle!.id, other!.id, newId()], author)
  const readAt = async (userId = ada) => (await service.list(userId)).map((row) => row.readAt)
  expect([await readAt(), await readAt(eve)]).toEqual([[now, now, null], [null]])
  const before = now
  now = addMs(now, 50)
  await service.markRead([newest!.id, oldest!.id], author)
  expect(await readAt()).toEqual([before, before, now])
  await service.markRead([newest!.id], author)
  await service.markRead([], author)
  const { auditRecords } = database.read.t
  const records = await database.read.q.select().from(auditRecords).orderBy(auditRecords.id)
  expect(
    records.map(({ action, actorId, resourceKind, correlationId, detail }) => [
      action,
      actorId,
      resourceKind,
      correlationId,
      detail,
    ]),
  ).toEqual([
    ['notice.read', ada, 'notice', 'reading', { notices: 2 }],
    ['notice.read', ada, 'notice', 'reading', { notices: 1 }],
  ])
})

test('they go when they are too old, to the instant', async () => {
  for (const ms of [0, 1]) await note(ada, 'signed_in', ms)
  const now = addMs(start, limits.noticeKeptMs + 1)
  await createNoticeService({ database, clock: { now: () => now } }).sweep()
  expect((await own(ada)).map(({ createdAt }) => createdAt)).toEqual([addMs(start, 1)])
})
