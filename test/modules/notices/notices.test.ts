import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { dataSchemaOf, eventDescriptions } from '../../../src/bus/asyncapi.ts'
import { newId } from '../../../src/core/ids.ts'
import { epochMsOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import type { Role } from '../../../src/http/access.ts'
import { recordNotice } from '../../../src/modules/notices/notices.service.ts'
import { cookiesOf, goodPassword, jsonOf, origin, startTestApp, type TestApp, testAuthor } from '../../http/harness.ts'
import { appCode } from '../../support/authenticator.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

type Headers = Record<string, string>
type Told = { id: string; kind: string; is_read: boolean } & Record<string, unknown>

const day = 86_400_000
const firefox = { 'user-agent': 'Mozilla/5.0 Firefox/140.0' }

describeOnBothDialects('notices', (dialect) => {
  let database: Database
  let started: TestApp
  let names = 0

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    await database.write((tx) => tx.q.delete(tx.t.throttles).then(() => {}))
    started = await startTestApp(dialect, { database })
  })

  const post = (path: string, headers: Headers, body?: unknown) =>
    started.send({ method: 'POST', path: `/api/v1/${path}`, headers, ...(body === undefined ? {} : { body }) })
  const remove = (path: string, headers: Headers) =>
    started.send({ method: 'DELETE', path: `/api/v1/${path}`, headers })

  async function told(headers: Headers): Promise<Told[]> {
    return (await jsonOf(await started.send({ path: '/api/v1/auth/notices', headers }))).notices as Told[]
  }
  const kindsTold = async (headers: Headers) => (await told(headers)).map(({ kind }) => kind)

  async function person(roles: Role[] = ['operator']) {
    const name = `notices-${dialect}-${++names}`
    const { id } = await started.addUser(name, roles)
    return { name, id, headers: await started.signIn(name) }
  }

  async function headersOf(response: Response): Promise<Headers> {
    const body = await jsonOf(response)
    const { csrf_token: token } = (body.session ?? body) as { csrf_token: string }
    return { cookie: cookiesOf(response)[0]!, origin, 'x-csrf-token': token, 'content-type': 'application/json' }
  }

  const eventsAbout = async (userId: string) => {
    const { q, t } = database.read
    const rows = await q.select().from(t.events).where(eq(t.events.aggregate, 'notice'))
    return rows.filter(({ data }) => data.user_id === userId)
  }

  test('tell of a sign-in in a browser that the user has not used, and of no other', async () => {
    const name = `notices-${dialect}-${++names}`
    const { id } = await started.addUser(name, ['operator'])
    const first = await started.login(name, goodPassword, { headers: firefox, address: '192.0.2.7' })
    const device = cookiesOf(first)[1]!
    const headers = await headersOf(first)
    const notice = { kind: 'signed_in', address: '192.0.2.7', browser: 'Mozilla/5.0 Firefox/140.0', is_read: false }
    expect(await told(headers)).toEqual([{ ...notice, id: expect.any(String), created_at: expect.any(String) }])
    await started.login(name, goodPassword, { headers: { cookie: device } })
    expect(await kindsTold(headers)).toEqual(['signed_in'])
    // What makes a browser known to one user makes it known to nobody else.
    const other = await started.addUser(`${name}-other`, ['operator'])
    const theirs = await headersOf(await started.login(other.username, goodPassword, { headers: { cookie: device } }))
    expect(await kindsTold(theirs)).toEqual(['signed_in'])
    // A wrong password is no sign-in, and one alone is no news.
    await started.login(name, 'not this one at all')
    expect(await kindsTold(headers)).toEqual(['signed_in'])
    const [event, ...more] = await eventsAbout(id)
    expect(more).toEqual([])
    const data = { user_id: id, username: name, kind: 'signed_in', address: '192.0.2.7' }
    expect(event).toMatchObject({ type: 'recorded', sequence: 1, data })
  })

  test('tell of every change of what signs in or acts for a user, with an event each, and of none that was refused', async () => {
    const boss = await person(['administrator'])
    const ada = await person()
    const begun = await jsonOf(await post('auth/factors/app/start', ada.headers))
    const code = appCode(String(begun.key), epochMsOf(started.clock.now()))
    const added = await post('auth/factors/app', ada.headers, { enrolment: begun.enrolment, code, name: 'Phone' })
    const { factor } = (await jsonOf(added.clone() as Response)) as { factor: { id: string } }
    let headers = await headersOf(added)
    await post('auth/recovery-codes', headers)
    expect((await remove(`auth/factors/${newId()}`, headers)).status).toBe(404)
    await remove(`auth/factors/${factor.id}`, headers)
    expect((await post('tokens', headers, { name: 'too much', scopes: ['user_manage'] })).status).toBe(422)
    const made = await jsonOf(await post('tokens', headers, { name: 'nightly', scopes: ['submission_read'] }))
    await post(`tokens/${(made.token as { id: string }).id}/revoke`, headers, {})
    await post(`tokens/${(made.token as { id: string }).id}/revoke`, headers, {})
    const change = { current_password: goodPassword, new_password: 'an even longer and odder phrase' }
    expect((await post('auth/password', headers, { ...change, new_password: 'short' })).status).toBe(422)
    expect((await post('auth/password', headers, change)).status).toBe(204)
    await started.users.resetPassword(ada.id, goodPassword, testAuthor)
    headers = await started.signIn(ada.name)
    await post('auth/password', headers, { ...change, current_password: goodPassword })
    headers = await headersOf(await started.login(ada.name, change.new_password))
    const notices = await told(headers)
    expect(notices.map(({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`)).toReversed()).toEqual([
      ...['signed_in', 'factor_added Phone', 'recovery_codes_replaced', 'factor_removed Phone'],
      ...['token_created nightly', 'token_revoked nightly', 'password_changed', 'password_reset', 'password_changed'],
      'signed_in',
    ])
    expect(await kindsTold(boss.headers)).toEqual(['signed_in'])
    const events = await eventsAbout(ada.id)
    expect(events.map(({ aggregateId }) => aggregateId).sort()).toEqual(notices.map(({ id }) => id).sort())
    const described = eventDescriptions.find(({ aggregate }) => aggregate === 'notice')!
    const { properties, required } = dataSchemaOf(described) as { properties: object; required: string[] }
    for (const { data } of events) {
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(data)))
      expect(Object.keys(data)).toEqual(expect.arrayContaining(required))
    }
  })

  test('are for their user alone, who marks those as read that were shown', async () => {
    const [ada, bob] = [await person(), await person(['administrator'])]
    const [mine] = await told(ada.headers)
    const asked = { notice_ids: [mine!.id] }
    expect((await post('auth/notices/read', bob.headers, asked)).status).toBe(204)
    expect((await told(ada.headers))[0]!.is_read).toBe(false)
    // One that comes meanwhile stays unread.
    const actor = { at: started.clock.now(), correlationId: 'test' }
    await database.write((tx) => recordNotice(tx, actor, { userId: ada.id, kind: 'factors_reset' }))
    expect((await post('auth/notices/read', ada.headers, asked)).status).toBe(204)
    expect((await told(ada.headers)).map(({ is_read: isRead }) => isRead)).toEqual([false, true])
    const { q, t } = database.read
    const records = await q.select().from(t.auditRecords).where(eq(t.auditRecords.action, 'notice.read'))
    expect(records.filter(({ actorId }) => actorId === ada.id)).toHaveLength(1)
    expect(records.filter(({ actorId }) => actorId === bob.id)).toHaveLength(0)
    const made = await jsonOf(await post('tokens', bob.headers, { name: 'wide', scopes: ['user_manage'] }))
    const bearer = { authorization: `Bearer ${made.secret}` }
    expect((await started.send({ path: '/api/v1/auth/notices', headers: bearer })).status).toBe(401)
  })

  test('of a user are bounded in number, and are removed when they are old', async () => {
    const ada = await person()
    const at = started.clock.now()
    const correlationId = 'test'
    for (let index = 0; index <= limits.noticesPerUser; index++) {
      const notice = { userId: ada.id, kind: 'token_revoked', name: `token ${index}` } as const
      await database.write((tx) => recordNotice(tx, { at, correlationId }, notice))
    }
    const kept = await told(ada.headers)
    expect(kept).toHaveLength(limits.noticesPerUser)
    expect([kept[0]!.name, kept.at(-1)!.name]).toEqual([`token ${limits.noticesPerUser}`, 'token 1'])
    started.clock.advance(limits.noticeKeptMs)
    await started.notices.sweep()
    const { q, t } = database.read
    const count = async () => (await q.select().from(t.notices).where(eq(t.notices.userId, ada.id))).length
    expect(await count()).toBe(limits.noticesPerUser)
    started.clock.advance(1)
    await started.notices.sweep()
    expect(await count()).toBe(0)
  })

  test('tell once a day of attempts that had to wait, and of a right password with a wrong second factor', async () => {
    const ada = await person()
    const begun = await jsonOf(await post('auth/factors/app/start', ada.headers))
    const code = appCode(String(begun.key), epochMsOf(started.clock.now()))
    const added = await post('auth/factors/app', ada.headers, { enrolment: begun.enrolment, code, name: 'Phone' })
    const headers = await headersOf(added)
    const wrongCode = async () => {
      const half = await headersOf(await started.login(ada.name, goodPassword, { address: '198.51.100.9' }))
      return post('auth/second-factor', half, { code: code === '000000' ? '000001' : '000000' })
    }
    expect((await wrongCode()).status).toBe(401)
    expect((await wrongCode()).status).toBe(401)
    const guess = () => started.login(ada.name, 'not this one at all', { address: '203.0.113.5' })
    let status = 401
    for (let times = 0; times <= limits.throttleAccountFailures && status === 401; times++)
      status = (await guess()).status
    expect(status).toBe(429)
    started.clock.advance(limits.throttleBlockMs)
    await guess()
    expect((await guess()).status).toBe(429)
    const kinds = async () =>
      (await kindsTold(headers)).filter((kind) => kind !== 'signed_in' && kind !== 'factor_added')
    expect(await kinds()).toEqual(['attempts_throttled', 'factor_refused'])
    expect((await told(headers)).find(({ kind }) => kind === 'attempts_throttled')).toMatchObject({
      address: '203.0.113.5',
    })
    started.clock.advance(day + 1)
    const later = await headersOf(await started.login(ada.name))
    await post('auth/second-factor', later, { code: '000000' })
    const { q, t } = database.read
    const rows = await q.select().from(t.notices).where(eq(t.notices.userId, ada.id))
    expect(rows.filter(({ kind }) => kind === 'factor_refused')).toHaveLength(2)
  })

  test('tell once that a token expires, in time to make another, of a service account whoever made it', async () => {
    const boss = await person(['administrator'])
    const robot = await started.users.createServiceAccount(
      { username: `${boss.name}-robot`, displayName: 'Robot', roles: ['operator'] },
      testAuthor,
    )
    const make = (name: string, more: object) =>
      post('tokens', boss.headers, { name, scopes: ['submission_read'], ...more })
    expect((await make('long', { expires_in_days: 90 })).status).toBe(201)
    expect((await make('short', { expires_in_days: 8 })).status).toBe(201)
    expect((await make('of the robot', { expires_in_days: 90, user_id: robot.id })).status).toBe(201)
    const reminded = async () => {
      await started.tokens.remind()
      await started.tokens.remind()
      const { q, t } = database.read
      const rows = await q.select().from(t.notices).where(eq(t.notices.kind, 'token_expiring'))
      return rows.filter(({ userId }) => [boss.id, robot.id].includes(userId)).map(({ name, userId }) => [name, userId])
    }
    started.clock.advance(6 * day - 1)
    expect(await reminded()).toEqual([])
    started.clock.advance(1)
    expect(await reminded()).toEqual([['short', boss.id]])
    started.clock.advance(70 * day)
    const all = (await reminded()).sort()
    expect(all).toEqual([
      ['long', boss.id],
      ['of the robot', boss.id],
      ['short', boss.id],
    ])
  })
})
