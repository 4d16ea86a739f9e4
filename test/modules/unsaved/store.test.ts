/** Whose unsaved texts are read and removed, and from when on; from rows that are written for it. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { newId } from '../../../src/core/ids.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import {
  closeUnsaved,
  deleteUnsaved,
  deleteUnsavedBefore,
  deleteUnsavedOfFamily,
  deleteUnsavedOfUser,
  findUnsaved,
  insertUnsaved,
  listUnsaved,
  replaceUnsaved,
  sizesOfUser,
  type UnsavedRow,
} from '../../../src/modules/unsaved/unsaved.store.ts'
import { openTestDatabase } from '../../support/database.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const [ada, eve, family, other] = [newId(), newId(), newId(), newId()]
const own = { userId: ada, familyId: family }

let database: Database
beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async ({ q, t }) => {
    await q.delete(t.unsavedTexts)
  })
})
afterAll(() => database?.close())

async function state(change: Partial<UnsavedRow> = {}): Promise<UnsavedRow> {
  const row: UnsavedRow = {
    ...{ id: newId(), ...own, tabId: newId(), browserId: newId(), step: 1, content: 'für', contentHash: 'h' },
    ...{ baseRevision: 1, base: 'before', byteSize: 10, isOpen: true, begunAt: start, typedAt: start, ...change },
  }
  await database.write((tx) => insertUnsaved(tx, row))
  return row
}
const ids = async (of = own, since = start) => (await listUnsaved(database.read, of, since)).map(({ id }) => id)
const all = async () => (await database.read.q.select().from(database.read.t.unsavedTexts)).map(({ id }) => id).sort()

test('texts are listed newest first without themselves, one’s own of one family, from an instant on', async () => {
  const [one, twin] = [await state(), await state({ base: null })]
  const newest = await state({ typedAt: addMs(start, 5) })
  for (const change of [{ userId: eve }, { familyId: other }, { typedAt: addMs(start, -1) }]) await state(change)
  expect(await ids()).toEqual([newest.id, twin.id, one.id])
  expect(await ids(own, addMs(start, 1))).toEqual([newest.id])
  const [head] = await listUnsaved(database.read, own, addMs(start, 1))
  const { content: _content, base: _base, ...rest } = newest
  expect(head).toEqual({ ...rest, hasBase: true })
  expect((await listUnsaved(database.read, own, start))[1]?.hasBase).toBe(false)
  const find = (id: string, of = own, since = start) => findUnsaved(database.read, of, id, since)
  expect(await find(one.id)).toEqual(one)
  expect(await find(one.id, own, addMs(start, 1))).toBeUndefined()
  for (const of of [
    { ...own, userId: eve },
    { ...own, familyId: other },
  ])
    expect(await find(one.id, of)).toBeUndefined()
})

test('a text is replaced by one of a later step, and keeps whose it is and when it began', async () => {
  const row = await state({ step: 3 })
  const apart = await state()
  const next = { ...row, content: 'next', step: 4, base: null, byteSize: 4, isOpen: false, typedAt: addMs(start, 9) }
  const replace = (change: Partial<UnsavedRow>) =>
    database.write((tx) => replaceUnsaved(tx, { ...next, begunAt: addMs(start, 7), tabId: newId(), ...change }))
  await replace({ step: 3 })
  expect(await findUnsaved(database.read, own, row.id, start)).toEqual(row)
  await replace({})
  expect(await findUnsaved(database.read, own, row.id, start)).toEqual(next)
  expect(await findUnsaved(database.read, own, apart.id, start)).toEqual(apart)
})

test('what tabs typed is closed without what it began from, but for one, and of nobody else', async () => {
  const tabId = newId()
  const [closed, kept] = [await state({ tabId }), await state({ tabId })]
  const others = [await state(), await state({ tabId, userId: eve }), await state({ tabId, familyId: other })]
  const before = await state({ tabId, isOpen: false, base: 'kept' })
  await database.write((tx) => closeUnsaved(tx, own, [tabId], kept.id))
  // Four bytes of text are left of it.
  expect(await findUnsaved(database.read, own, closed.id, start)).toEqual({
    ...{ ...closed, isOpen: false, base: null, byteSize: 4 },
  })
  for (const row of [kept, before, ...others]) {
    const { userId, familyId } = row
    expect(await findUnsaved(database.read, { userId, familyId }, row.id, start)).toEqual(row)
  }
})

test('texts are removed by id, family, user or age, and no others with them', async () => {
  const rows = [await state(), await state(), await state({ familyId: other }), await state({ userId: eve })]
  const [first, second, elsewhere, theirs] = rows.map(({ id }) => id) as [string, string, string, string]
  await database.write((tx) => deleteUnsaved(tx, []))
  await database.write((tx) => deleteUnsaved(tx, [first]))
  expect(await all()).toEqual([second, elsewhere, theirs].sort())
  await database.write((tx) => deleteUnsavedOfFamily(tx, own))
  expect(await all()).toEqual([elsewhere, theirs].sort())
  await database.write((tx) => deleteUnsavedOfUser(tx, ada))
  expect(await all()).toEqual([theirs])
  const young = await state({ typedAt: addMs(start, 1) })
  await database.write((tx) => deleteUnsavedBefore(tx, addMs(start, 1)))
  expect(await all()).toEqual([young.id])
})

test('sizes of a user begin with what is unsaved, the newest first, and end with what is given up first', async () => {
  const closed = await state({ isOpen: false, typedAt: addMs(start, 9), byteSize: 1 })
  const [open, twin] = [await state({ byteSize: 2 }), await state({ byteSize: 3, familyId: other })]
  const newest = await state({ typedAt: addMs(start, 5), byteSize: 4 })
  await state({ userId: eve })
  const sizes = await database.write((tx) => sizesOfUser(tx, ada))
  expect(sizes).toEqual([newest, twin, open, closed].map(({ id, byteSize }) => ({ id, byteSize })))
})
