import { beforeEach, expect, test } from 'bun:test'
import type { Database } from '../../../src/db/database.ts'
import type { Role } from '../../../src/http/access.ts'
import { goodPassword, jsonOf, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

const minute = 60_000
const otherPassword = 'another phrase altogether'

describeOnBothDialects('what gives somebody rights', (dialect) => {
  let database: Database
  let started: TestApp
  let headers: Record<string, string>
  let own: string
  let names = 0

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    started = await startTestApp(dialect, { database })
    const name = `boss-${dialect}-${++names}`
    own = (await started.addUser(name, ['administrator'])).id
    headers = await started.signIn(name)
  })

  const send = async (method: string, path: string, body: unknown, as = headers) => {
    const response = await started.send({ method, path: `/api/v1/${path}`, headers: as, body })
    return { status: response.status, ...(response.status === 204 ? {} : await jsonOf(response)) }
  }
  const confirm = (password = goodPassword) => send('POST', 'auth/confirm-password', { password })
  const person = async (roles: Role[]) => (await started.addUser(`person-${dialect}-${++names}`, roles)).id
  /** What this administrator has given so far, by the trail; a test that enables somebody disables them first. */
  const given = async () => {
    const rows = await database.read.q.select().from(database.read.t.auditRecords)
    const isGift = ({ action, detail }: (typeof rows)[number]) => action.startsWith('user.') && detail.disabled !== true
    return rows
      .filter((row) => row.actorId === own && isGift(row))
      .map(({ action }) => action)
      .sort()
  }
  const audited = async () => {
    const rows = await database.read.q.select().from(database.read.t.auditRecords)
    return rows
      .map(({ action }) => action)
      .filter((action) => action.startsWith('session.confirm'))
      .sort()
  }

  const asking: readonly [what: string, ask: () => Promise<{ status: number }>][] = [
    [
      'making a user',
      () => {
        const names_ = { username: `made-${dialect}-${++names}`, display_name: 'Made' }
        return send('POST', 'admin/users', { ...names_, roles: ['auditor'], password: otherPassword })
      },
    ],
    [
      'granting a role',
      async () => send('PATCH', `admin/users/${await person(['auditor'])}`, { roles: ['auditor', 'operator'] }),
    ],
    [
      'exchanging a role',
      async () => send('PATCH', `admin/users/${await person(['auditor'])}`, { roles: ['operator'] }),
    ],
    [
      'enabling an account',
      async () => {
        const id = await person(['operator'])
        expect((await send('PATCH', `admin/users/${id}`, { disabled: true })).status).toBe(200)
        return send('PATCH', `admin/users/${id}`, { disabled: false })
      },
    ],
    [
      "resetting an administrator's password",
      async () =>
        send('POST', `admin/users/${await person(['administrator'])}/reset-password`, { password: otherPassword }),
    ],
  ]

  test.each(asking)('asks for the password again ten minutes after it was given: %s', async (_, ask) => {
    expect((await ask()).status).toBeLessThan(300)
    started.clock.advance(10 * minute)
    expect((await ask()).status).toBeLessThan(300)
    started.clock.advance(1)
    const before = await given()
    expect(await ask()).toMatchObject({
      status: 403,
      code: 'forbidden',
      detail: expect.stringContaining('confirm-password'),
    })
    expect(await given()).toEqual(before)
    expect(await confirm()).toEqual({ status: 204 })
    expect((await ask()).status).toBeLessThan(300)
  })

  test('an administrator does not set their own password so, without giving the old one', async () => {
    started.clock.advance(11 * minute)
    expect((await send('POST', `admin/users/${own}/reset-password`, { password: otherPassword })).status).toBe(403)
    expect((await started.send({ path: '/api/v1/auth/session', headers })).status).toBe(200)
  })

  test('what takes rights away, or gives none, asks for nothing', async () => {
    const id = await person(['operator', 'auditor'])
    started.clock.advance(20 * minute)
    for (const change of [{ display_name: 'Other' }, { roles: ['auditor'] }, { disabled: true }]) {
      expect((await send('PATCH', `admin/users/${id}`, change)).status).toBe(200)
    }
    expect((await send('POST', `admin/users/${id}/reset-password`, { password: otherPassword })).status).toBe(200)
    expect((await send('POST', `admin/users/${id}/revoke-sessions`, {})).status).toBe(204)
  })

  test('the password is confirmed for the session in which it was given, and for no other', async () => {
    const { user } = (await jsonOf(await started.send({ path: '/api/v1/auth/session', headers }))) as {
      user: { username: string }
    }
    const elsewhere = await started.signIn(user.username)
    started.clock.advance(11 * minute)
    expect((await confirm()).status).toBe(204)
    const id = await person(['auditor'])
    const grant = { roles: ['auditor', 'operator'] }
    expect((await send('PATCH', `admin/users/${id}`, grant, elsewhere)).status).toBe(403)
    expect((await send('PATCH', `admin/users/${id}`, grant)).status).toBe(200)
  })

  test('a wrong password confirms nothing, is throttled as at a change of password, and all of it is audited', async () => {
    await database.write((tx) => tx.q.delete(tx.t.auditRecords))
    started.clock.advance(11 * minute)
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) statuses.push((await confirm('wrong')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await send('PATCH', `admin/users/${await person([])}`, { roles: ['auditor'] })).status).toBe(403)
    started.clock.advance(minute)
    expect((await confirm()).status).toBe(204)
    expect(await audited()).toEqual([
      ...Array<string>(5).fill('session.confirm_refused'),
      'session.confirm_throttled',
      'session.confirmed',
    ])
  })

  test('a session of an older version, which kept no such time, is asked', async () => {
    await database.write((tx) => tx.q.update(tx.t.sessions).set({ passwordGivenAt: null }))
    const id = await person(['auditor'])
    expect((await send('PATCH', `admin/users/${id}`, { roles: ['operator'] })).status).toBe(403)
  })
})
