import { beforeEach, expect, test } from 'bun:test'
import type { Database } from '../../../src/db/database.ts'
import { forgetUsers, goodPassword, jsonOf, startTestApp, type TestApp, testAuthor } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { outcomeOf } from '../../support/outcome.ts'

interface UserBody {
  id: string
  username: string
  roles: string[]
  disabled: boolean
  must_change_password: boolean
}

describeOnBothDialects('users', (dialect) => {
  let database: Database
  let started: TestApp
  let admin: Record<string, string>

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    await forgetUsers(database)
    started = await startTestApp(dialect, { database })
    await started.addUser('root', ['administrator'])
    admin = await started.signIn('root')
  })

  const call = (method: string, path: string, body?: unknown, headers = admin) =>
    started.send({ method, path: `/api/v1/admin/users${path}`, headers, ...(body === undefined ? {} : { body }) })
  const newUser = {
    username: 'ann',
    display_name: 'Ann Ö.',
    roles: ['operator', 'auditor'],
    password: 'a first odd phrase',
  }
  const make = async (change: object = {}) => {
    const response = await call('POST', '', { ...newUser, ...change })
    expect(response.status).toBe(201)
    return ((await jsonOf(response)) as { user: UserBody }).user
  }
  const eventsOf = async (id: string) => {
    const rows = await database.read.q.select().from(database.read.t.events)
    return rows.filter(({ aggregateId }) => aggregateId === id).map(({ type }) => type)
  }

  test('a created user must change the password, in the order 403, change, login', async () => {
    const user = await make()
    expect(user).toMatchObject({
      username: 'ann',
      roles: ['operator', 'auditor'],
      disabled: false,
      must_change_password: true,
    })
    const headers = await started.signIn('ann', newUser.password)
    expect((await started.send({ path: '/api/v1/storage', headers })).status).toBe(403)
    const body = { current_password: newUser.password, new_password: 'a second odd phrase' }
    expect((await started.send({ method: 'POST', path: '/api/v1/auth/password', headers, body })).status).toBe(204)
    const session = await jsonOf(await started.login('ann', 'a second odd phrase'))
    expect(session.must_change_password).toBe(false)
    expect(await eventsOf(user.id)).toEqual(['created'])
  })

  test('no answer and no event holds a password or its hash', async () => {
    const user = await make()
    const text =
      (await (await call('GET', '')).text()) +
      JSON.stringify(await database.read.q.select().from(database.read.t.events))
    expect(text).toContain(user.id)
    expect(text).not.toContain('argon2')
    expect(text).not.toContain(newUser.password)
    expect(started.logged.join('')).not.toContain(newUser.password)
  })

  test('a taken username is 409 and makes nothing', async () => {
    await make()
    const response = await call('POST', '', newUser)
    expect([response.status, (await jsonOf(response)).code]).toEqual([409, 'conflict'])
    expect(((await jsonOf(await call('GET', ''))).users as UserBody[]).length).toBe(2)
  })

  const bad: [name: string, change: object, word: string][] = [
    ['an upper-case username', { username: 'Ann' }, 'username'],
    ['a username of 65', { username: 'a'.repeat(65) }, 'username'],
    ['no roles', { roles: [] }, 'roles'],
    ['an unknown role', { roles: ['root'] }, 'roles[0]'],
    ['a role twice', { roles: ['auditor', 'auditor'] }, 'roles'],
    ['a blank name', { display_name: ' ' }, 'display_name'],
    ['a short password', { password: 'short' }, 'at least 12'],
    ['a common password', { password: 'Password1234' }, 'commonest'],
    ['an unknown field', { disabled: true }, 'disabled'],
  ]
  for (const [name, change, word] of bad) {
    test(`${name} is 422 and makes nothing`, async () => {
      const response = await call('POST', '', { ...newUser, ...change })
      expect([response.status, (await jsonOf(response)).detail]).toEqual([422, expect.stringContaining(word)])
      expect(await started.users.findByUsername('ann')).toBeUndefined()
    })
  }

  test('a change of roles or a disabling ends the sessions, a change of name does not', async () => {
    const user = await make()
    const isAlive = async (headers: Record<string, string>) =>
      (await started.send({ path: '/api/v1/auth/session', headers })).status === 200
    const first = await started.signIn('ann', newUser.password)
    expect((await call('PATCH', `/${user.id}`, { display_name: 'Anna' })).status).toBe(200)
    expect((await call('PATCH', `/${user.id}`, { roles: ['auditor', 'operator'] })).status).toBe(200)
    expect(await isAlive(first)).toBe(true)
    expect((await call('PATCH', `/${user.id}`, { roles: ['auditor'] })).status).toBe(200)
    expect(await isAlive(first)).toBe(false)
    const second = await started.signIn('ann', newUser.password)
    const answer = (await jsonOf(await call('PATCH', `/${user.id}`, { disabled: true }))) as { user: UserBody }
    expect(answer.user).toMatchObject({ display_name: 'Anna', roles: ['auditor'], disabled: true })
    expect(await isAlive(second)).toBe(false)
    expect((await started.login('ann', newUser.password)).status).toBe(401)
  })

  test('the last enabled administrator cannot be disabled or demoted', async () => {
    const root = (await started.users.findByUsername('root'))!
    for (const change of [{ disabled: true }, { roles: ['engineer'] }]) {
      const response = await call('PATCH', `/${root.id}`, change)
      expect([response.status, (await jsonOf(response)).code]).toEqual([409, 'conflict'])
    }
    expect((await call('GET', '')).status).toBe(200)
    const second = await make({ username: 'second', roles: ['administrator', 'engineer'] })
    expect((await call('PATCH', `/${second.id}`, { disabled: true })).status).toBe(200)
    expect((await call('PATCH', `/${root.id}`, { disabled: true })).status).toBe(409)
  })

  test('two administrators who demote each other at the same moment do not both succeed', async () => {
    const root = (await started.users.findByUsername('root'))!
    const second = await started.addUser('second', ['administrator'])
    const demote = (id: string) => started.users.update(id, { roles: ['engineer'] }, testAuthor)
    const results = await Promise.allSettled([demote(root.id), demote(second.id)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const page = await started.users.list(10, undefined)
    expect(page.rows.filter(({ roles }) => roles.includes('administrator'))).toHaveLength(1)
  })

  test('changes of one user at the same moment all happen, one after the other', async () => {
    const user = await make()
    const changes = [{ display_name: 'Anna' }, { roles: ['engineer'] }, { disabled: true }]
    const revocations = Array.from({ length: 5 }, () => call('POST', `/${user.id}/revoke-sessions`, {}))
    const calls = [...revocations, ...changes.map((change) => call('PATCH', `/${user.id}`, change))]
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 200, 200, 200])
    expect(await started.users.findByUsername('ann')).toMatchObject({
      displayName: 'Anna',
      roles: ['engineer'],
      disabled: true,
    })
    expect(await eventsOf(user.id)).toHaveLength(1 + calls.length)
  })

  test('a reset password must be changed, and ends the sessions', async () => {
    const user = await make()
    const headers = await started.signIn('ann', newUser.password)
    const response = await call('POST', `/${user.id}/reset-password`, { password: 'a third odd phrase' })
    expect(response.status).toBe(200)
    expect((await started.send({ path: '/api/v1/auth/session', headers })).status).toBe(401)
    expect((await started.login('ann', newUser.password)).status).toBe(401)
    expect(await jsonOf(await started.login('ann', 'a third odd phrase'))).toMatchObject({ must_change_password: true })
    expect((await call('POST', `/${user.id}/reset-password`, { password: 'short' })).status).toBe(422)
  })

  test('revoked sessions end at once, those of others do not', async () => {
    const user = await make()
    const headers = await started.signIn('ann', newUser.password)
    expect((await call('POST', `/${user.id}/revoke-sessions`, {})).status).toBe(204)
    expect((await started.send({ path: '/api/v1/auth/session', headers })).status).toBe(401)
    expect((await call('GET', '')).status).toBe(200)
  })

  test('an unknown user is 404, a malformed id 422, an empty change 422', async () => {
    const nobody = '/0198c3d2-7a10-7c00-8000-00000000dead'
    expect((await call('PATCH', nobody, { disabled: true })).status).toBe(404)
    expect((await call('POST', `${nobody}/reset-password`, { password: 'a fourth odd phrase' })).status).toBe(404)
    expect((await call('POST', `${nobody}/revoke-sessions`, {})).status).toBe(404)
    expect((await call('PATCH', '/nobody', { disabled: true })).status).toBe(422)
    expect((await call('PATCH', nobody, {})).status).toBe(422)
  })

  test('the list is paged, newest first, each user once', async () => {
    for (const name of ['u1', 'u2', 'u3', 'u4']) await started.addUser(name, ['auditor'])
    const names: string[] = []
    let query = '?limit=2'
    for (let pages = 0; pages < 10; pages++) {
      const body = (await jsonOf(await call('GET', query))) as { users: UserBody[]; next_cursor?: string }
      names.push(...body.users.map(({ username }) => username))
      if (body.next_cursor === undefined) break
      query = `?limit=2&cursor=${body.next_cursor}`
    }
    expect(names).toEqual(['u4', 'u3', 'u2', 'u1', 'root'])
    for (const query of ['?limit=0', '?limit=101', '?cursor=x', '?page=2'])
      expect((await call('GET', query)).status).toBe(422)
  })
})

describeOnBothDialects('the first administrator', (dialect) => {
  let database: Database
  let started: TestApp
  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    await forgetUsers(database)
    started = await startTestApp(dialect, { database })
  })

  test('with a generated password must change it; one is made once', async () => {
    const password = (await started.users.ensureFirstAdministrator({ username: 'admin' }))!
    expect(password.length).toBeGreaterThanOrEqual(25)
    expect(await jsonOf(await started.login('admin', password))).toMatchObject({ must_change_password: true })
    expect(await started.users.ensureFirstAdministrator({ username: 'other' })).toBeUndefined()
    expect(await started.users.findByUsername('other')).toBeUndefined()
  })

  test('with a given password need not change it', async () => {
    expect(await started.users.ensureFirstAdministrator({ username: 'boss', password: goodPassword })).toBeUndefined()
    expect(await jsonOf(await started.login('boss'))).toMatchObject({ must_change_password: false })
  })

  test('is made in a store whose users are no administrators, but not under the name of one of them', async () => {
    const billing = { username: 'billing', displayName: 'Billing', roles: ['operator'] as const }
    await started.users.create(
      { ...billing, roles: [...billing.roles], password: goodPassword, mustChangePassword: false },
      testAuthor,
    )
    const made = (username: string) => started.users.ensureFirstAdministrator({ username, password: goodPassword })
    expect(await outcomeOf(made('billing'))).toThrow(
      /^QUIRE_ADMIN_USERNAME must name nobody yet; billing is no administrator/,
    )
    await made('boss')
    expect(await started.users.findByUsername('boss')).toMatchObject({ roles: ['administrator'] })
    await made('other')
    expect(await started.users.findByUsername('other')).toBeUndefined()
  })

  test('is made once when several instances start at once', async () => {
    await Promise.all(Array.from({ length: 3 }, () => started.users.ensureFirstAdministrator({ username: 'admin' })))
    expect((await started.users.list(10, undefined)).rows).toHaveLength(1)
  })

  test('is refused with a bad name or password, by the name of the setting', async () => {
    const made = (given: { username: string; password?: string }) => started.users.ensureFirstAdministrator(given)
    expect(await outcomeOf(made({ username: 'Admin' }))).toThrow(/^QUIRE_ADMIN_USERNAME must match/)
    expect(await outcomeOf(made({ username: 'admin', password: 'short' }))).toThrow(/^QUIRE_ADMIN_PASSWORD must have/)
    expect((await started.users.list(10, undefined)).rows).toEqual([])
  })
})
