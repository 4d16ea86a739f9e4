import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import { type Person, settlePerson } from '../../../src/modules/users/provider-users.service.ts'
import { announce, inOrder } from '../../../src/modules/users/users.service.ts'
import { findUser, insertUser, listUsers, type UserRow } from '../../../src/modules/users/users.store.ts'
import { forgetUsers } from '../../http/harness.ts'
import { cpuMsWhile } from '../../support/cpu.ts'
import { openTestDatabase } from '../../support/database.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const person: Person = {
  ...{ issuer: 'https://id.example.org', subject: 's-1', usernames: ['ann'], displayName: 'Ann' },
  roles: ['auditor', 'operator'],
}

describe('the user whom a provider names', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
  })
  beforeEach(() => forgetUsers(database))
  afterAll(() => database.close())

  const settle = (change: Partial<Person> = {}, seconds = 0, createsUsers = true) =>
    database.write((tx) =>
      settlePerson(
        tx,
        { ...person, ...change },
        { at: addMs(start, seconds * 1_000), correlationId: 'settling', createsUsers },
      ),
    )
  async function told() {
    const { q, t } = database.read
    const rows = await q.select().from(t.auditRecords).orderBy(t.auditRecords.id)
    const all = await q.select().from(t.events).orderBy(t.events.id)
    const events = all.map(({ aggregate, type }) => `${aggregate} ${type}`)
    await database.write(async (tx) => {
      await tx.q.delete(tx.t.auditRecords)
      await tx.q.delete(tx.t.events)
    })
    return {
      trail: rows.map(({ action, actorId, resourceKind, resourceId, correlationId, detail }) => ({
        ...{ action, actorId, of: `${resourceKind} ${resourceId}`, correlationId, detail },
      })),
      events,
    }
  }
  const nothingTold = { trail: [], events: [] }
  async function openSession(userId: string): Promise<void> {
    await database.write(({ q, t }) =>
      q.insert(t.sessions).values({
        ...{
          id: newId(),
          tokenHash: newId(),
          userId,
          host: 'h',
          createdAt: start,
          lastSeenAt: start,
          expiresAt: start,
        },
        ...{ passwordGivenAt: null, oidcSession: null, awaits: null, address: 'a', browser: 'b' },
      }),
    )
  }
  const sessions = async () => (await database.read.q.select().from(database.read.t.sessions)).length

  test('is made once, with the roles in their order, no password and a record of it', async () => {
    const { user } = await settle()
    expect(user).toEqual({
      ...{ id: expect.any(String), username: 'ann', displayName: 'Ann', roles: ['operator', 'auditor'] },
      ...{ disabled: false, mustChangePassword: false, isService: false, oidcIssuer: person.issuer },
      ...{ oidcSubject: 's-1', oidcSignedInAt: start, createdAt: start, updatedAt: start },
    })
    expect(await findUser(database.read, user!.id)).toEqual(user!)
    const [row] = await database.read.q.select().from(database.read.t.users)
    expect(row!.passwordHash).toBe('')
    expect(await told()).toEqual({
      trail: [
        {
          ...{ action: 'user.created', actorId: SYSTEM_ACTOR_ID, of: `user ${user!.id}`, correlationId: 'settling' },
          detail: { username: 'ann', roles: ['operator', 'auditor'], disabled: false },
        },
      ],
      events: ['user created'],
    })
    expect((await settle({}, 5)).user).toEqual({ ...user!, oidcSignedInAt: addMs(start, 5_000) })
    expect((await findUser(database.read, user!.id))!.oidcSignedInAt).toBe(addMs(start, 5_000))
    expect(await told()).toEqual(nothingTold)
    // Another subject, and the same subject of another provider, are others.
    expect((await settle({ subject: 's-2' })).user!.id).not.toBe(user!.id)
    expect((await settle({ issuer: 'https://other.example.org' })).user!.id).not.toBe(user!.id)
  })

  test('is not made where none are made, or without a role', async () => {
    expect(await settle({}, 0, false)).toEqual({ user: undefined, refused: 'unknown_user' })
    expect(await settle({ roles: [] })).toEqual({ user: undefined, refused: 'no_role' })
    expect(await settle({ roles: undefined })).toEqual({ user: undefined, refused: 'no_role' })
    expect([await listUsers(database.read, 9, undefined), await told()]).toEqual([[], nothingTold])
  })

  test('follows the provider: other roles end the sessions, another name does not', async () => {
    const { user } = await settle()
    await openSession(user!.id)
    await told()
    const renamed = await settle({ displayName: 'Anna' }, 1)
    expect(renamed.user).toMatchObject({ displayName: 'Anna', updatedAt: addMs(start, 1_000), createdAt: start })
    expect([await sessions(), (await told()).events]).toEqual([1, ['user updated']])
    expect(await findUser(database.read, user!.id)).toEqual(renamed.user!)
    // What the provider says nothing of stays.
    const silent = await settle({ displayName: undefined, roles: undefined }, 2)
    expect(silent.user).toMatchObject({ displayName: 'Anna', roles: ['operator', 'auditor'] })
    expect([await sessions(), await told()]).toEqual([1, nothingTold])
    const promoted = await settle({ displayName: undefined, roles: ['engineer'] }, 3)
    expect(promoted.user).toMatchObject({
      displayName: 'Anna',
      roles: ['engineer'],
      oidcSignedInAt: addMs(start, 3_000),
    })
    expect(await findUser(database.read, user!.id)).toEqual(promoted.user!)
    const { trail } = await told()
    expect([await sessions(), trail.map(({ action, detail }) => [action, detail])]).toEqual([
      ...[0, [['user.updated', { username: 'ann', roles: ['engineer'], disabled: false }]]],
    ])
  })

  test('who has no role any more loses the sessions and is not vouched for, and keeps the account as it is', async () => {
    const { user } = await settle()
    await openSession(user!.id)
    await told()
    expect(await settle({ roles: [] }, 1)).toEqual({ user: user!, refused: 'no_role' })
    expect([await sessions(), await told()]).toEqual([0, nothingTold])
    expect(await findUser(database.read, user!.id)).toEqual({ ...user!, oidcSignedInAt: null })
  })

  test('who is disabled here is refused, and nothing changes', async () => {
    const { user } = await settle()
    await database.write(({ q, t }) => q.update(t.users).set({ disabled: true }).where(eq(t.users.id, user!.id)))
    await openSession(user!.id)
    await told()
    const refused = await settle({ roles: ['administrator'], displayName: 'Other' }, 1)
    expect(refused).toEqual({ user: { ...user!, disabled: true }, refused: 'disabled_account' })
    expect([await sessions(), await told()]).toEqual([1, nothingTold])
  })

  describe('gets a username', () => {
    let subjects = 0
    const named = async (...usernames: string[]) => {
      const { user } = await settle({ usernames, subject: `named-${++subjects}`, displayName: undefined })
      expect(user!.displayName).toBe(user!.username)
      return user!.username
    }

    test('of the first name of which anything is left, in the letters that usernames have', async () => {
      expect(await named('Zoë Müller')).toBe('zoe-muller')
      expect(await named('日本', 'ann@example.org')).toBe('ann@example.org')
      expect(await named('--.Ann.O_Brien!!')).toBe('ann.o_brien')
      expect(await named('x'.repeat(80))).toBe('x'.repeat(limits.usernameChars))
      expect(await named('', '§')).toBe('user')
      expect(await named()).toBe('user-2')
    })

    test('of its beginning, at once, however long a name somebody has chosen', async () => {
      const ms = await cpuMsWhile(async () => {
        expect(await named(`a${'-'.repeat(400_000)}a`)).toBe('a')
        expect(await named(`${'-'.repeat(400_000)}a`, 'ann')).toBe('ann')
      })
      expect(ms).toBeLessThan(1_000)
    })

    test('with a number if the name is taken, and with a part of an id if all numbers are', async () => {
      const long = 'y'.repeat(limits.usernameChars)
      const made: string[] = []
      for (let count = 0; count < 21; count++) made.push(await named(long))
      const end = limits.usernameChars
      expect(made.slice(0, 3)).toEqual([long, `${long.slice(0, end - 2)}-2`, `${long.slice(0, end - 2)}-3`])
      expect(made[19]).toBe(`${long.slice(0, end - 3)}-20`)
      expect(made[20]).toMatch(/^y{51}-[0-9a-f]{12}$/)
    })
  })
})

test('roles are kept in one order, each once', () => {
  expect(inOrder(['auditor', 'administrator', 'auditor'])).toEqual(['administrator', 'auditor'])
  expect(inOrder([])).toEqual([])
})

test('users are listed newest first after a place, and an announcement tells no more than names and rights', async () => {
  await using closing = new AsyncDisposableStack()
  const database = await openTestDatabase('sqlite')
  closing.defer(() => database.close())
  const row = (id: string): UserRow => ({
    ...{ id, username: id, displayName: id, roles: ['auditor'], disabled: false, mustChangePassword: false },
    ...{
      isService: false,
      oidcIssuer: null,
      oidcSubject: null,
      oidcSignedInAt: null,
      createdAt: start,
      updatedAt: start,
    },
  })
  await database.write(async (tx) => {
    for (const id of ['u-1', 'u-2', 'u-3']) await insertUser(tx, { ...row(id), passwordHash: 'a hash' })
    const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'c', at: start }
    await announce(tx, actor, row('u-1'), 'updated')
  })
  const ids = async (rows: number, after?: string) => (await listUsers(database.read, rows, after)).map(({ id }) => id)
  expect([await ids(9), await ids(2), await ids(9, 'u-3'), await ids(1, 'u-2')]).toEqual([
    ...[['u-3', 'u-2', 'u-1'], ['u-3', 'u-2'], ['u-2', 'u-1'], ['u-1']],
  ])
  expect((await listUsers(database.read, 1, undefined))[0]).toEqual(row('u-3'))
  const [event] = await database.read.q.select().from(database.read.t.events)
  expect(event).toMatchObject({
    ...{ aggregate: 'user', aggregateId: 'u-1', type: 'updated', correlationId: 'c' },
    data: { id: 'u-1', username: 'u-1', roles: ['auditor'], disabled: false },
  })
})
