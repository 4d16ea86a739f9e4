import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { addMs, epochMsOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { NoticeKind } from '../../../src/core/notice-kinds.ts'
import {
  cookiesOf,
  goodPassword,
  host,
  jsonOf,
  origin,
  startTestApp,
  type TestApp,
  testAuthor,
} from '../../http/harness.ts'
import { Authenticator, appCode } from '../../support/authenticator.ts'

type Headers = Record<string, string>
const [here, elsewhere] = ['192.0.2.1', '198.51.100.9']
let names = 0

/** The application, and what its trail and notices say since they were asked the last time. */
function listening(app: () => TestApp) {
  return async function told() {
    const { q, t } = app().database.read
    const records = await q.select().from(t.auditRecords).orderBy(asc(t.auditRecords.id))
    const notices = await q.select().from(t.notices).orderBy(asc(t.notices.id))
    await app().database.write(async (tx) => {
      await tx.q.delete(tx.t.auditRecords)
      await tx.q.delete(tx.t.notices)
    })
    return {
      trail: records
        .filter(({ action }) => action !== 'user.created')
        .map(({ action, actorId, resourceKind, resourceId, detail }) => ({
          ...{ action, actorId, of: `${resourceKind} ${resourceId}`, detail },
        })),
      notices: notices.map(({ userId, kind, name, address }) => ({ userId, kind, name, address })),
    }
  }
}

async function headersOf(response: Response): Promise<Headers> {
  const body = await jsonOf(response)
  const { csrf_token: token } = (body.session ?? body) as { csrf_token: string }
  return { cookie: cookiesOf(response)[0]!, origin, 'x-csrf-token': token, 'content-type': 'application/json' }
}

describe('what is told of sessions', () => {
  let started: TestApp
  let id: string
  let name: string
  const told = listening(() => started)
  const send = (method: string, path: string, headers: Headers, body?: unknown) =>
    started.send({ method, path: `/api/v1/auth/${path}`, headers, ...(body === undefined ? {} : { body }) })
  const sessions = async () => (await started.auth.listSessions(id)).map((session) => session.id)

  beforeAll(async () => {
    started = await startTestApp()
  })
  beforeEach(async () => {
    await started.database.write((tx) => tx.q.delete(tx.t.throttles).then(() => {}))
    name = `told-${++names}`
    id = (await started.addUser(name, ['operator'])).id
    await told()
  })

  test('a refused login names why, the user where there is one, and the address', async () => {
    await started.login(name, 'wrong', { address: elsewhere })
    await started.login(`${name}-nobody`, 'wrong', { address: elsewhere })
    await started.users.update(id, { disabled: true }, testAuthor)
    await told()
    await started.login(name, goodPassword, { address: elsewhere })
    await started.login(name, 'wrong', { address: elsewhere })
    const refused = (reason: string) => ({ action: 'session.refused', detail: { reason, client_address: elsewhere } })
    expect(await told()).toEqual({
      trail: [
        { ...refused('disabled_account'), actorId: id, of: `user ${id}` },
        { ...refused('wrong_password'), actorId: id, of: `user ${id}` },
      ],
      notices: [],
    })
    await started.login(`${name}-nobody`, goodPassword, { address: elsewhere })
    expect((await told()).trail).toEqual([{ ...refused('unknown_account'), actorId: SYSTEM_ACTOR_ID, of: 'user null' }])
  })

  test('a login is told with its host and address, and noticed by its user where the browser is new', async () => {
    const response = await started.login(name, goodPassword, { address: elsewhere })
    const [session] = await sessions()
    const opened = {
      ...{ action: 'session.opened', actorId: id, of: `session ${session}` },
      detail: { host, client_address: elsewhere },
    }
    expect(await told()).toEqual({
      trail: [opened],
      notices: [{ userId: id, kind: 'signed_in', name: null, address: elsewhere }],
    })
    // The same browser again, without its session.
    const headers = { cookie: cookiesOf(response)[1]! }
    await started.login(name, goodPassword, { address: elsewhere, headers })
    expect(await told()).toMatchObject({ trail: [{ action: 'session.opened' }], notices: [] })
  })

  test('a session that takes the place of another, and each that is ended, is told of with whose it was', async () => {
    const first = await headersOf(await started.login(name))
    const other = await started.addUser(`${name}-other`, ['auditor'])
    const [before] = await sessions()
    await told()
    const next = await started.login(other.username, goodPassword, { headers: { cookie: first.cookie! } })
    expect((await told()).trail.slice(1)).toEqual([
      { action: 'session.replaced', actorId: other.id, of: `session ${before}`, detail: { user_id: id } },
    ])
    expect((await send('POST', 'logout', await headersOf(next))).status).toBe(204)
    const { trail } = await told()
    expect(trail).toEqual([{ action: 'session.closed', actorId: other.id, of: expect.any(String), detail: {} }])
    expect(trail[0]!.of).toMatch(/^session [\w-]{36}$/)

    const [one] = [await started.signIn(name), await started.signIn(name), await started.signIn(name)]
    const [newest] = await sessions()
    await told()
    await send('DELETE', `sessions/${newest}`, one)
    await send('POST', 'sessions/end-others', one)
    await send('POST', 'sessions/end-others', one)
    expect((await told()).trail).toEqual([
      { action: 'session.ended', actorId: id, of: `session ${newest}`, detail: { user_id: id } },
      { action: 'user.other_sessions_ended', actorId: id, of: `user ${id}`, detail: { sessions: 1 } },
      { action: 'user.other_sessions_ended', actorId: id, of: `user ${id}`, detail: { sessions: 0 } },
    ])
  })

  test('a password given again is told of by its session, and a wrong one by its user', async () => {
    const headers = await started.signIn(name)
    const [session] = await sessions()
    await told()
    const confirm = (password: string) => send('POST', 'confirm-password', headers, { password })
    expect((await jsonOf(await confirm('wrong'))).detail).toBe('The password is wrong.')
    expect((await confirm(goodPassword)).status).toBe(204)
    expect(await told()).toEqual({
      trail: [
        { action: 'session.confirm_refused', actorId: id, of: `user ${id}`, detail: { reason: 'wrong_password' } },
        { action: 'session.confirmed', actorId: id, of: `session ${session}`, detail: {} },
      ],
      notices: [],
    })
  })

  test('a changed password is told of and noticed with its address, and a wrong one names its field', async () => {
    const headers = await started.signIn(name)
    await told()
    const change = (current_password: string) =>
      send('POST', 'password', headers, { current_password, new_password: 'another phrase altogether' })
    expect((await jsonOf(await change('wrong'))).detail).toBe('The current_password is wrong.')
    expect((await change(goodPassword)).status).toBe(204)
    const user = { actorId: id, of: `user ${id}` }
    expect(await told()).toEqual({
      trail: [
        { action: 'user.password_change_refused', ...user, detail: { reason: 'wrong_password' } },
        { action: 'user.password_changed', ...user, detail: {} },
      ],
      notices: [{ userId: id, kind: 'password_changed', name: null, address: here }],
    })
  })

  test('a block is noticed by its user, and one of an account that nobody has by nobody', async () => {
    const guess = async (username: string, count: number) => {
      for (let round = 0; round < count; round++) await started.login(username, 'wrong', { address: elsewhere })
    }
    await guess(name, 6)
    const { notices, trail } = await told()
    expect(notices).toEqual([{ userId: id, kind: 'attempts_throttled', name: null, address: elsewhere }])
    expect(trail.at(-1)).toEqual({
      ...{ action: 'session.throttled', actorId: id, of: `user ${id}` },
      detail: {
        ...{ blocked: 'account', blocked_until: '2026-11-20T09:30:30.123456789Z' },
        ...{ attempts: 1, client_address: elsewhere },
      },
    })
    await guess(`${name}-nobody`, 6)
    const nobodys = await told()
    expect(nobodys.notices).toEqual([])
    expect(nobodys.trail.at(-1)).toMatchObject({
      ...{ action: 'session.throttled', actorId: SYSTEM_ACTOR_ID, of: 'user null' },
    })
  })

  test('a session that was seen less than a minute ago is not marked again, and one of a minute is not yet', async () => {
    const headers = await started.signIn(name)
    const seenAt = async () => {
      expect((await send('GET', 'session', headers)).status).toBe(200)
      await started.auth.settled()
      return (await started.auth.listSessions(id))[0]!.lastSeenAt
    }
    const first = await seenAt()
    started.clock.advance(limits.sessionTouchMs)
    expect(await seenAt()).toBe(first)
    started.clock.advance(1)
    expect(await seenAt()).toBe(started.clock.now())
  })

  test('a session of another host is none here, and neither is one whose user was disabled in the database', async () => {
    const headers = await started.signIn(name)
    const read = (at: string) => started.send({ path: '/api/v1/auth/session', headers: { ...headers, host: at } })
    expect((await read('second.test')).status).toBe(401)
    expect((await read(host)).status).toBe(200)
    await started.database.write(({ q, t }) => q.update(t.users).set({ disabled: true }).where(eq(t.users.id, id)))
    expect((await read(host)).status).toBe(401)
  })

  test('the list of sessions ends with the newest hundred, the newest first', async () => {
    const at = started.clock.now()
    const rows = Array.from({ length: limits.sessionsListed + 1 }, (_, index) => ({
      ...{ id: `s-${String(index).padStart(3, '0')}`, tokenHash: `${name}-${index}`, userId: id, host },
      ...{ createdAt: at, lastSeenAt: at, expiresAt: addMs(at, 1), passwordGivenAt: null, awaits: null },
      ...{ oidcSession: null, address: here, browser: 'x' },
    }))
    await started.database.write(({ q, t }) => q.insert(t.sessions).values(rows))
    const listed = await sessions()
    expect([listed.length, listed[0], listed.at(-1)]).toEqual([100, 's-100', 's-001'])
  })

  test('a session is listed until the moment in which it ends, and until it has been idle for half an hour', async () => {
    await started.login(name)
    const { lastSeenAt } = (await started.auth.listSessions(id))[0]!
    started.clock.advance(limits.sessionIdleMs - 1)
    expect(await sessions()).toHaveLength(1)
    started.clock.advance(1)
    expect(await sessions()).toEqual([])
    const change = { lastSeenAt: started.clock.now(), expiresAt: started.clock.now() }
    const set = (values: Partial<typeof change>) =>
      started.database.write(({ q, t }) =>
        q.update(t.sessions).set(values).where(eq(t.sessions.lastSeenAt, lastSeenAt)),
      )
    await set(change)
    expect(await sessions()).toEqual([])
  })
})

describe('what is told of second factors', () => {
  let started: TestApp
  let id: string
  let headers: Headers
  const told = listening(() => started)
  const send = async (method: string, path: string, as: Headers, body?: unknown) =>
    started.send({ method, path: `/api/v1/auth/${path}`, headers: as, ...(body === undefined ? {} : { body }) })
  const nowMs = () => epochMsOf(started.clock.now())
  const begin = async () => jsonOf(await send('POST', 'factors/app/start', headers))
  const addApp = (begun: Record<string, unknown>, name: string, atMs = nowMs()) => {
    const code = appCode(String(begun.key), atMs)
    return send('POST', 'factors/app', headers, { enrolment: begun.enrolment, code, name })
  }
  const listed = async () =>
    (await (await send('GET', 'factors', headers)).json()) as Record<string, unknown> & {
      factors: Record<string, unknown>[]
    }
  const user = () => ({ actorId: id, of: `user ${id}` })
  const noticed = (kind: NoticeKind, name: string | null = null) => ({ userId: id, kind, name, address: here })

  beforeAll(async () => {
    started = await startTestApp('sqlite', { secondFactorRoles: ['auditor'] })
  })
  beforeEach(async () => {
    await started.database.write((tx) => tx.q.delete(tx.t.throttles).then(() => {}))
    const name = `factor-${++names}`
    id = (await started.addUser(name, ['operator'])).id
    headers = await headersOf(await started.login(name))
    await told()
  })

  test('one that is added, its codes that are replaced, and its end are told of and noticed', async () => {
    const added = await addApp(await begin(), 'Phone')
    const first = (await jsonOf(added.clone() as Response)) as {
      factor: Record<string, unknown>
    }
    expect(first.factor).toEqual({ id: expect.any(String), kind: 'app', name: 'Phone', created_at: expect.any(String) })
    headers = await headersOf(added)
    const [session] = (await started.auth.listSessions(id)).map((one) => one.id)
    // The user who goes on is in no new browser.
    expect(await told()).toEqual({
      trail: [
        { action: 'user.factor_added', ...user(), detail: { kind: 'app', name: 'Phone' } },
        {
          ...{ action: 'session.opened', actorId: id, of: `session ${session}` },
          detail: { host, client_address: here, by: 'factor_added' },
        },
      ],
      notices: [noticed('factor_added', 'Phone')],
    })
    expect((await send('POST', 'recovery-codes', headers)).status).toBe(201)
    expect(await told()).toEqual({
      trail: [{ action: 'user.recovery_codes_replaced', ...user(), detail: {} }],
      notices: [noticed('recovery_codes_replaced')],
    })
    // A second one comes without recovery codes, and those that are there go on.
    const second = await addApp(await begin(), 'Tablet')
    expect(await jsonOf(second.clone() as Response)).not.toHaveProperty('recovery_codes')
    headers = await headersOf(second)
    const both = await listed()
    expect(both).toMatchObject({
      factors: [{ name: 'Phone' }, { name: 'Tablet' }],
      recovery_codes: 10,
      required: false,
    })
    await told()
    expect((await send('DELETE', `factors/${both.factors[1]!.id}`, headers)).status).toBe(204)
    expect(await told()).toEqual({
      trail: [{ action: 'user.factor_removed', ...user(), detail: { kind: 'app', name: 'Tablet' } }],
      notices: [noticed('factor_removed', 'Tablet')],
    })
    expect(await listed()).toMatchObject({ factors: [{ name: 'Phone' }], recovery_codes: 10 })
    expect((await send('DELETE', `factors/${both.factors[0]!.id}`, headers)).status).toBe(204)
    expect(await listed()).toEqual({ factors: [], recovery_codes: 0, required: false })
    const none = await send('POST', 'recovery-codes', headers)
    expect([none.status, (await jsonOf(none)).code]).toEqual([409, 'conflict'])
  })

  test('a refused one is noticed by its user, and the right one tells how it was given and when it was used', async () => {
    const begun = await begin()
    const added = await addApp(begun, 'Phone')
    const { recovery_codes: codes } = (await jsonOf(added.clone() as Response)) as { recovery_codes: string[] }
    const name = `factor-${names}`
    started.clock.advance(30_000)
    const waiting = await headersOf(await started.login(name))
    await told()
    const refusals = [
      ['wrong_code', { code: '000000' }],
      ['wrong_recovery_code', { recovery_code: 'never-made' }],
      ['wrong_passkey', { passkey: new Authenticator(origin).answer({ challenge: 'x' }) }],
    ] as const
    for (const [reason, proof] of refusals) {
      const refused = await send('POST', 'second-factor', waiting, proof)
      expect([refused.status, (await jsonOf(refused)).code]).toEqual([401, 'invalid_credentials'])
      const { trail, notices } = await told()
      expect(trail).toEqual([{ action: 'session.factor_refused', ...user(), detail: { reason, client_address: here } }])
      expect(notices).toEqual([noticed('factor_refused')])
    }
    for (const proof of [{}, { code: '000000', recovery_code: codes[0] }]) {
      const response = await send('POST', 'second-factor', waiting, proof)
      expect([response.status, (await jsonOf(response)).detail]).toEqual([
        ...[422, 'The body wants one of code, recovery_code and passkey.'],
      ])
    }
    const asked = await send('POST', 'second-factor/passkey', waiting)
    expect([asked.status, (await jsonOf(asked)).detail]).toEqual([
      409,
      'You have no passkey for quire.test. Use a code.',
    ])
    const given = await send('POST', 'second-factor', waiting, { code: appCode(String(begun.key), nowMs()) })
    headers = await headersOf(given)
    expect((await told()).trail).toMatchObject([{ action: 'session.opened', detail: { by: 'app', host } }])
    expect((await listed()).factors).toMatchObject([{ last_used_at: '2026-11-20T09:30:30.123456789Z' }])
  })

  test('what was begun counts for ten minutes, to the second, before and after', async () => {
    const begun = await begin()
    for (const [ms, status] of [
      [limits.signInMs + 1_000, 422],
      [-limits.signInMs - 1_000, 422],
      [limits.signInMs, 201],
    ] as const) {
      started.clock.advance(ms)
      // The password is of the same moment.
      const at = started.clock.now()
      await started.database.write(({ q, t }) =>
        q.update(t.sessions).set({ passwordGivenAt: at, lastSeenAt: at }).where(eq(t.sessions.userId, id)),
      )
      const answer = await addApp(begun, 'Phone')
      expect([ms, answer.status]).toEqual([ms, status])
      if (status === 422) expect((await jsonOf(answer)).detail).toContain('enrolment has expired')
      started.clock.advance(-ms)
    }
  })

  test('a user has ten, and the next is refused with what to do', async () => {
    const at = started.clock.now()
    const rows = Array.from({ length: limits.factorsPerUser - 1 }, (_, index) => ({
      ...{ id: `f-${id}-${index}`, userId: id, kind: 'app' as const, name: 'x', key: 'x', credentialId: null },
      ...{ host: null, transports: null, counter: 0, failures: 0, createdAt: at, lastUsedAt: null },
    }))
    await started.database.write(({ q, t }) => q.insert(t.factors).values(rows))
    const tenth = await addApp(await begin(), 'The tenth')
    expect(tenth.status).toBe(201)
    headers = await headersOf(tenth)
    await told()
    const refused = await addApp(await begin(), 'One more')
    expect([refused.status, (await jsonOf(refused)).detail]).toEqual([
      409,
      'You have 10 second factors. Remove one first.',
    ])
    expect(await told()).toEqual({ trail: [], notices: [] })
  })

  test('only whoever has a role that wants one must have one', async () => {
    expect(await listed()).toMatchObject({ required: false })
    const name = `factor-${++names}`
    await started.addUser(name, ['operator', 'auditor'])
    await told()
    const waiting = await started.login(name)
    headers = await headersOf(waiting)
    expect(await listed()).toMatchObject({ required: true })
    const { trail, notices } = await told()
    expect(trail).toMatchObject([
      { action: 'session.begun', detail: { awaits: 'enrolment', host, client_address: here } },
    ])
    // The sign-in is not over, so nobody is in a new browser yet.
    expect(notices).toEqual([])
  })
})
