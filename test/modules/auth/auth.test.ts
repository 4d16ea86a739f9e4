import { beforeEach, describe, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import type { Database } from '../../../src/db/database.ts'
import { passwordChangeBody } from '../../../src/modules/auth/auth.model.ts'
import {
  cookiesOf,
  goodPassword,
  host,
  jsonOf,
  origin,
  secret,
  startTestApp,
  type TestApp,
  testAuthor,
} from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

const minute = 60_000

describeOnBothDialects('sessions', (dialect) => {
  let database: Database
  let started: TestApp
  let names = 0
  let name: string

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    started = await startTestApp(dialect, { database })
    name = `person-${dialect}-${++names}`
    await started.addUser(name, ['operator'])
  })

  const readSession = (headers: Record<string, string>) => started.send({ path: '/api/v1/auth/session', headers })
  const post = (path: string, headers: Record<string, string>, body?: unknown) =>
    started.send({ method: 'POST', path, headers, ...(body === undefined ? {} : { body }) })

  test('login answers the session, and its cookie is host-only, HttpOnly and strict', async () => {
    const response = await started.login(name)
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()[0]).toMatch(/^quire=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/)
    const body = await jsonOf(response)
    expect(body).toMatchObject({
      user: {
        username: name,
        roles: ['operator'],
        permissions: ['submission_read', 'submission_create', 'artifact_download'],
      },
      must_change_password: false,
      expires_at: '2026-11-20T21:30:00.123456789Z',
      idle_expires_at: '2026-11-20T10:00:00.123456789Z',
    })
    expect(body.csrf_token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(body)).not.toContain('argon2')
  })

  test('on an https origin the cookie is __Host- and Secure', async () => {
    const response = await started.login(name, goodPassword, {
      headers: { host: 'other.test', origin: 'https://other.test' },
    })
    const [session, device] = response.headers.getSetCookie()
    expect(session).toMatch(/^__Host-quire=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    expect(device).toMatch(/^__Host-quire-device=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  })

  test('the database holds the token as a hash only', async () => {
    const headers = await started.signIn(name)
    const token = headers.cookie!.split('=')[1]!.split('.')[0]!
    const rows = await database.read.q.select().from(database.read.t.sessions)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(rows.some(({ tokenHash }) => tokenHash === new Bun.CryptoHasher('sha256').update(token).digest('hex'))).toBe(
      true,
    )
  })

  test('the session read answers the same token that login did', async () => {
    const headers = await started.signIn(name)
    expect((await jsonOf(await readSession(headers))).csrf_token).toBe(headers['x-csrf-token']!)
  })

  test('wrong password, unknown user and disabled user give the same answer', async () => {
    const disabled = await started.addUser(`${name}-off`, ['auditor'])
    await started.users.update(disabled.id, { disabled: true }, testAuthor)
    const answers: unknown[] = []
    for (const [username, password] of [
      [name, 'wrong'],
      [`${name}-nobody`, goodPassword],
      [disabled.username, goodPassword],
      ["' or 1=1 --", 'x'],
    ] as const) {
      const response = await started.login(username, password, { headers: { 'x-correlation-id': 'same' } })
      expect(response.headers.get('set-cookie')).toBeNull()
      answers.push([response.status, await response.text()])
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(answers[0]).toEqual([401, expect.stringContaining('invalid_credentials')])
  })

  test('usernames are found in any case, since accounts have none', async () => {
    expect((await started.login(name.toUpperCase())).status).toBe(200)
  })

  test('a session ends after 30 minutes without use, and use keeps it alive', async () => {
    const headers = await started.signIn(name)
    for (let round = 0; round < 3; round++) {
      started.clock.advance(29 * minute)
      expect((await readSession(headers)).status).toBe(200)
      await started.auth.settled()
    }
    started.clock.advance(30 * minute)
    expect((await readSession(headers)).status).toBe(401)
  })

  test('a session ends after 30 minutes without use, also after the clock was set back while it was in use', async () => {
    const headers = await started.signIn(name)
    started.clock.advance(-60 * minute)
    expect((await readSession(headers)).status).toBe(200)
    await started.auth.settled()
    started.clock.advance(30 * minute)
    expect((await readSession(headers)).status).toBe(401)
  })

  test('a session ends after 12 hours whatever its use', async () => {
    const headers = await started.signIn(name)
    for (let round = 0; round < 12 * 3 - 1; round++) {
      started.clock.advance(20 * minute)
      expect((await readSession(headers)).status).toBe(200)
      await started.auth.settled()
    }
    started.clock.advance(20 * minute)
    expect((await readSession(headers)).status).toBe(401)
    await started.auth.sweep()
  })

  test('using a session writes at most once a minute', async () => {
    const headers = await started.signIn(name)
    const { user } = (await jsonOf(await readSession(headers))) as { user: { id: string } }
    const lastSeen = async () => {
      await started.auth.settled()
      const { sessions } = database.read.t
      const rows = await database.read.q.select().from(sessions).where(eq(sessions.userId, user.id))
      return rows[0]!.lastSeenAt
    }
    const first = await lastSeen()
    started.clock.advance(59_000)
    await readSession(headers)
    expect(await lastSeen()).toBe(first)
    started.clock.advance(2_000)
    await readSession(headers)
    expect(await lastSeen()).toBe(started.clock.now())
  })

  test('logout ends this session and no other, and expires the cookie', async () => {
    const [one, two] = [await started.signIn(name), await started.signIn(name)]
    const response = await post('/api/v1/auth/logout', one)
    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toContain('quire=; Max-Age=0; Path=/')
    expect((await readSession(one)).status).toBe(401)
    expect((await readSession(two)).status).toBe(200)
  })

  test('a password change ends every session, and only the new password opens another', async () => {
    const [one, two] = [await started.signIn(name), await started.signIn(name)]
    const response = await post('/api/v1/auth/password', one, {
      current_password: goodPassword,
      new_password: 'another phrase altogether',
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toContain('quire=; Max-Age=0')
    expect((await readSession(one)).status).toBe(401)
    expect((await readSession(two)).status).toBe(401)
    expect((await started.login(name)).status).toBe(401)
    expect((await started.login(name, 'another phrase altogether')).status).toBe(200)
  })

  test('a wrong current password is 401 and changes nothing', async () => {
    const headers = await started.signIn(name)
    const body = { current_password: 'wrong', new_password: 'another phrase altogether' }
    const response = await post('/api/v1/auth/password', headers, body)
    expect([response.status, (await jsonOf(response)).code]).toEqual([401, 'invalid_credentials'])
    expect((await readSession(headers)).status).toBe(200)
    expect((await started.login(name)).status).toBe(200)
  })

  test('new passwords that break a rule are 422 and say which', async () => {
    const headers = await started.signIn(name)
    // The interface's description says so before anybody tries.
    expect(passwordChangeBody.properties.new_password).toMatchObject({ minLength: 12, maxLength: 128 })
    const rows: [string, string][] = [
      ['eleven char', 'at least 12'],
      ['x'.repeat(129), 'at most 128'],
      ['Password1234!', 'commonest'],
      [goodPassword, 'differ'],
      [name.toUpperCase().padEnd(12, 'X').slice(0, name.length), 'username'],
    ]
    for (const [new_password, word] of rows) {
      const response = await post('/api/v1/auth/password', headers, { current_password: goodPassword, new_password })
      expect([new_password, response.status, (await jsonOf(response)).detail]).toEqual([
        new_password,
        422,
        expect.stringContaining(word),
      ])
    }
    expect((await readSession(headers)).status).toBe(200)
  })

  test('of two password changes at once exactly one wins', async () => {
    const headers = await started.signIn(name)
    const change = (new_password: string) =>
      post('/api/v1/auth/password', headers, { current_password: goodPassword, new_password })
    const statuses = (await Promise.all([change('the first new phrase'), change('the second new phrase')])).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([204, 401])
  })

  test('a replaced secret still counts as long as it is the previous one, and signs nothing new', async () => {
    const next = 'another secret of more than 32 characters'
    const asBefore = await started.signIn(name)
    const overlap = await startTestApp(dialect, { database, secrets: [next, secret] })
    const read = (app: TestApp, headers: Record<string, string>) => app.send({ path: '/api/v1/auth/session', headers })
    const change = { current_password: 'wrong', new_password: 'another phrase altogether' }
    const mutate = async (app: TestApp, headers: Record<string, string>) =>
      (await jsonOf(await app.send({ method: 'POST', path: '/api/v1/auth/password', headers, body: change }))).code
    const session = await jsonOf(await read(overlap, asBefore))
    expect(session.csrf_token).toMatch(/^[\w-]{43}$/)
    expect(session.csrf_token).not.toBe(asBefore['x-csrf-token'])
    expect(await mutate(overlap, asBefore)).toBe('invalid_credentials')
    const renewed = { ...asBefore, 'x-csrf-token': String(session.csrf_token) }
    expect(await mutate(overlap, renewed)).toBe('invalid_credentials')
    const asAfter = await overlap.signIn(name)
    expect((await read(started, asAfter)).status).toBe(401)
    const after = await startTestApp(dialect, { database, secrets: [next] })
    expect((await read(after, asAfter)).status).toBe(200)
    expect((await read(after, asBefore)).status).toBe(401)
  })

  test('the sweep removes expired sessions and counters', async () => {
    await started.signIn(name)
    await started.login(`${name}-nobody`, 'wrong')
    started.clock.advance(31 * 24 * 60 * minute)
    await started.auth.sweep()
    expect(await database.read.q.select().from(database.read.t.sessions)).toEqual([])
    expect(await database.read.q.select().from(database.read.t.throttles)).toEqual([])
  })
})

describeOnBothDialects('throttling', (dialect) => {
  let database: Database
  let started: TestApp
  let names = 0
  let name: string

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    started = await startTestApp(dialect, { database })
    name = `target-${dialect}-${++names}`
    await started.addUser(name, ['operator'])
    // Addresses are never shared by two tests.
    network = `203.0.${names}`
  })
  let network: string
  const from = (last: number) => ({ address: `${network}.${last}` })
  const attack = async (username: string, count: number, address: (round: number) => number) => {
    const statuses: number[] = []
    for (let round = 0; round < count; round++) {
      statuses.push((await started.login(username, 'wrong', from(address(round)))).status)
    }
    return statuses
  }

  /** The header of a browser in which the user has signed in, and has no session any more. */
  const knownBrowser = async () => {
    const response = await started.login(name, goodPassword, from(7))
    return { cookie: cookiesOf(response).find((cookie) => cookie.startsWith('quire-device='))! }
  }

  test('after five failures an account is blocked for half a minute, from every new address', async () => {
    expect(await attack(name, 6, (round) => round)).toEqual([401, 401, 401, 401, 401, 429])
    const response = await started.login(name, goodPassword, from(99))
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('30')
    expect((await jsonOf(response)).code).toBe('rate_limited')
    started.clock.advance(30_000)
    expect((await started.login(name, goodPassword, from(99))).status).toBe(200)
    expect(await attack(name, 4, (round) => 50 + round)).toEqual([401, 401, 401, 401])
  })

  test('a clock that is set back does not prolong a block, nor the time in which failures are counted', async () => {
    await attack(name, 5, () => 1)
    started.clock.advance(-60 * minute)
    expect((await started.login(name, goodPassword, from(2))).status).toBe(200)
    expect(await attack(name, 4, () => 3)).toEqual([401, 401, 401, 401])
    started.clock.advance(-60 * minute)
    expect(await attack(name, 4, () => 3)).toEqual([401, 401, 401, 401])
    started.clock.advance(120 * minute)
  })

  test('further failures block longer, but never longer than five minutes', async () => {
    await attack(name, 5, () => 1)
    const waits: number[] = []
    for (let round = 0; round < 6; round++) {
      const blocked = await started.login(name, 'wrong', from(2))
      waits.push(Number(blocked.headers.get('retry-after')))
      started.clock.advance(waits.at(-1)! * 1000)
      if (round < 5) expect((await started.login(name, 'wrong', from(2))).status).toBe(401)
    }
    expect(waits).toEqual([30, 60, 120, 240, 300, 300])
  })

  test('failures are counted for a quarter of an hour from the first, and from zero after that, window by window', async () => {
    expect(await attack(name, 4, (round) => round)).toEqual([401, 401, 401, 401])
    started.clock.advance(15 * minute)
    // The fifth of the first window: it blocks.
    expect(await attack(name, 2, (round) => 10 + round)).toEqual([401, 429])
    for (let window = 0; window < 3; window++) {
      started.clock.advance(15 * minute + 1)
      expect(await attack(name, 4, (round) => 20 + round)).toEqual([401, 401, 401, 401])
      started.clock.advance(minute)
      expect(await attack(name, 2, (round) => 30 + round)).toEqual([401, 429])
    }
  })

  test('an address is forgotten as usual after 30 days, and kept as long as it is used', async () => {
    const loginFrom = async (last: number) => (await started.login(name, goodPassword, from(last))).status
    expect(await loginFrom(7)).toBe(200)
    for (let time = 0; time < 2; time++) {
      started.clock.advance(30 * 24 * 60 * minute)
      await attack(name, 6, (round) => 10 + round)
      expect(await loginFrom(7)).toBe(200)
    }
    started.clock.advance(30 * 24 * 60 * minute + 1)
    await attack(name, 6, (round) => 10 + round)
    expect(await loginFrom(7)).toBe(429)
  })

  test('a right password takes back its own attempt of the address, and no other', async () => {
    const guess = (round: number) => started.login(`${name}-${round}`, 'wrong', from(1))
    for (let round = 0; round < 49; round++) expect((await guess(round)).status).toBe(401)
    // The fiftieth attempt would block the address, were it wrong.
    expect((await started.login(name, goodPassword, from(1))).status).toBe(200)
    expect((await guess(50)).status).toBe(401)
    expect((await guess(51)).status).toBe(429)
  })

  test('the sweep removes expired counters, but keeps blocks and usual addresses', async () => {
    await database.write((tx) => tx.q.delete(tx.t.throttles))
    const counters = async () => {
      const { throttles } = database.read.t
      const rows = await database.read.q.select({ key: throttles.key }).from(throttles)
      return rows.map(({ key }) => key.split(':')[0]!).sort()
    }
    expect((await started.login(name, goodPassword, from(7))).status).toBe(200)
    await attack(`${name}-other`, 1, () => 8)
    const before = await counters()
    expect(before).toEqual(['account', 'address', 'address', 'known'])
    started.clock.advance(15 * minute)
    await started.auth.sweep()
    expect(await counters()).toEqual(before)
    started.clock.advance(1)
    await started.auth.sweep()
    expect(await counters()).toEqual(['known'])
    started.clock.advance(30 * 24 * 60 * minute)
    await started.auth.sweep()
    expect(await counters()).toEqual([])
  })

  test('the sweep frees nobody who is blocked, though the window of their failures is over', async () => {
    await attack(name, 4, (round) => round)
    started.clock.advance(15 * minute - 10_000)
    expect(await attack(name, 2, (round) => 10 + round)).toEqual([401, 429])
    started.clock.advance(20_000)
    await started.auth.sweep()
    expect((await started.login(name, goodPassword, from(20))).status).toBe(429)
    started.clock.advance(10_000)
    expect((await started.login(name, goodPassword, from(20))).status).toBe(200)
  })

  test('the sweep ends the sessions that are over, and no other', async () => {
    await database.write((tx) => tx.q.delete(tx.t.sessions))
    const count = async () => (await database.read.q.select().from(database.read.t.sessions)).length
    await started.login(name, goodPassword, from(7))
    started.clock.advance(6 * 60 * minute)
    await started.login(name, goodPassword, from(7))
    started.clock.advance(6 * 60 * minute - 1)
    await started.auth.sweep()
    expect(await count()).toBe(2)
    started.clock.advance(2)
    await started.auth.sweep()
    expect(await count()).toBe(1)
  })

  test('attempts during a block do not lengthen it', async () => {
    await attack(name, 5, () => 1)
    await attack(name, 20, () => 2)
    started.clock.advance(30_000)
    expect((await started.login(name, goodPassword, from(3))).status).toBe(200)
  })

  test('an attack from elsewhere does not keep the owner out of where they always log in', async () => {
    expect((await started.login(name, goodPassword, from(7))).status).toBe(200)
    expect((await attack(name, 10, (round) => 10 + round)).at(-1)).toBe(429)
    expect((await started.login(name, goodPassword, from(7))).status).toBe(200)
  })

  test('a browser that has signed in is not shut out by guesses from its own address', async () => {
    const browser = await knownBrowser()
    expect((await attack(name, 10, () => 7)).slice(-5)).toEqual([429, 429, 429, 429, 429])
    expect((await started.login(name, goodPassword, from(7))).status).toBe(429)
    expect((await started.login(name.toUpperCase(), goodPassword, { ...from(7), headers: browser })).status).toBe(200)
  })

  test('a known browser has its own few guesses, which shut out itself and nobody else', async () => {
    const browser = await knownBrowser()
    const guess = async () => (await started.login(name, 'wrong', { ...from(8), headers: browser })).status
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) statuses.push(await guess())
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await started.login(name, goodPassword, from(9))).status).toBe(200)
  })

  test("a browser's note counts for its user alone, as it was signed, and for 30 days", async () => {
    const other = `${name}-other`
    await started.addUser(other, ['operator'])
    const { cookie } = await knownBrowser()
    const flipped = cookie.endsWith('A') ? `${cookie.slice(0, -1)}Q` : `${cookie.slice(0, -1)}A`
    await attack(name, 6, (round) => 20 + round)
    await attack(other, 6, (round) => 30 + round)
    const login = async (username: string, sent: string) =>
      (await started.login(username, goodPassword, { ...from(40), headers: { cookie: sent } })).status
    expect(await login(other, cookie)).toBe(429)
    expect(await login(name, flipped)).toBe(429)
    expect(await login(name, cookie.replace('quire-device', '__Host-quire-device'))).toBe(429)
    started.clock.advance(30 * 24 * 60 * minute)
    await attack(name, 6, (round) => 50 + round)
    expect(await login(name, cookie)).toBe(200)
    started.clock.advance(1_000)
    await attack(name, 6, (round) => 60 + round)
    expect((await started.login(name, goodPassword, { ...from(70), headers: { cookie } })).status).toBe(429)
  })

  test('a browser is known for the last four users who signed in there, and for each once', async () => {
    const users = Array.from({ length: 5 }, (_, index) => `${name}-${index}`)
    let cookie = ''
    for (const username of [...users, users[4]!]) {
      await started.addUser(username, ['operator']).catch(() => undefined)
      const response = await started.login(username, goodPassword, { ...from(7), headers: { cookie } })
      expect(response.status).toBe(200)
      cookie = cookiesOf(response)[1]!
    }
    expect(cookie.split('~').length).toBe(4)
    const statuses: number[] = []
    for (const [index, username] of users.entries()) {
      await attack(username, 6, (round) => 10 + index * 10 + round)
      statuses.push((await started.login(username, goodPassword, { ...from(99), headers: { cookie } })).status)
    }
    expect(statuses).toEqual([429, 200, 200, 200, 200])
  })

  test('the trail records a block once it refuses somebody, and every tenfold after that', async () => {
    const records = async () => {
      const { auditRecords } = database.read.t
      const rows = await database.read.q
        .select()
        .from(auditRecords)
        .where(eq(auditRecords.action, 'session.throttled'))
        .orderBy(asc(auditRecords.id))
      return rows.map(({ actorId, detail }) => ({ actorId, ...(detail as object) }))
    }
    await database.write((tx) => tx.q.delete(tx.t.auditRecords))
    const user = await started.users.findByUsername(name)
    await attack(name, 5, () => 1)
    expect(await records()).toEqual([])
    await attack(name, 105, () => 2)
    const blocked = { blocked: 'account', blocked_until: '2026-11-20T09:30:30.123456789Z' }
    expect(await records()).toEqual(
      [1, 10, 100].map((attempts) => ({
        ...{ actorId: user!.id, ...blocked, attempts },
        client_address: `${network}.2`,
      })),
    )
    started.clock.advance(30_000)
    await attack(name, 3, () => 3)
    expect((await records()).slice(3)).toMatchObject([{ attempts: 1, client_address: `${network}.3` }])
  })

  test('behind a trusted proxy clients are counted by their own address', async () => {
    const proxied = await startTestApp(dialect, { database, trustedProxies: ['203.0.113.0/24'] })
    const guess = async (round: number, client: string) => {
      const headers = { 'x-forwarded-for': client }
      return (await proxied.login(`${name}-${round}`, 'wrong', { address: '203.0.113.9', headers })).status
    }
    for (let round = 0; round < 50; round++) expect(await guess(round, `${network}.1`)).toBe(401)
    expect(await guess(50, `${network}.1`)).toBe(429)
    // Nor can it pass for another by naming one itself: the proxy adds what it sees.
    expect(await guess(51, `${network}.77, ${network}.1`)).toBe(429)
    expect(await guess(52, `${network}.2`)).toBe(401)
  })

  test('a hundred guesses at once are not all tried', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, round) => started.login(name, 'wrong', from(round))),
    )
    expect(answers.filter(({ status }) => status === 401).length).toBe(5)
  })

  test('the address that a trusted proxy names is that of the trail, of the session and of the log', async () => {
    const proxied = await startTestApp(dialect, { database, trustedProxies: ['203.0.113.0/24'] })
    const at = (address: string, headers: Record<string, string> = {}) => ({
      address,
      headers: { 'x-forwarded-for': `${network}.9`, ...headers },
    })
    await database.write((tx) => tx.q.delete(tx.t.auditRecords))
    expect((await proxied.login(name, 'wrong', at('203.0.113.9'))).status).toBe(401)
    const opened = await proxied.login(name, goodPassword, at('203.0.113.9'))
    expect(opened.status).toBe(200)
    // A sender that is no proxy names nobody else.
    expect((await proxied.login(name, 'wrong', at('198.51.100.7'))).status).toBe(401)
    const { auditRecords, sessions } = database.read.t
    const rows = await database.read.q.select().from(auditRecords).orderBy(asc(auditRecords.id))
    const told = rows.flatMap(({ action, detail }) => (detail.client_address ? [[action, detail.client_address]] : []))
    expect(told).toEqual([
      ['session.refused', `${network}.9`],
      ['session.opened', `${network}.9`],
      ['session.refused', '198.51.100.7'],
    ])
    const ofProxied = await database.read.q
      .select()
      .from(sessions)
      .where(eq(sessions.address, `${network}.9`))
    expect(ofProxied).toHaveLength(1)
    const lines = proxied.logged.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request')
    expect(lines.map((line) => line.client_address)).toEqual([`${network}.9`, `${network}.9`, '198.51.100.7'])
  })

  test('accounts that do not exist are throttled as those that do', async () => {
    expect((await attack(`${name}-nobody`, 6, (round) => round)).at(-1)).toBe(429)
  })

  test('an address that guesses at many accounts is blocked, its /64 with it, and others are not', async () => {
    const guess = (round: number, address: string) => started.login(`${name}-${round}`, 'wrong', { address })
    for (let round = 0; round < 50; round++) {
      expect((await guess(round, `2001:db8:${names}:1::${round.toString(16)}`)).status).toBe(401)
    }
    expect((await guess(50, `2001:db8:${names}:1:ffff::1`)).status).toBe(429)
    expect((await guess(51, `2001:db8:${names}:2::1`)).status).toBe(401)
  })

  test('password changes are throttled by user, and the right password is accepted afterwards', async () => {
    const headers = await started.signIn(name)
    const change = (current_password: string) =>
      started.send({
        method: 'POST',
        path: '/api/v1/auth/password',
        headers,
        body: { current_password, new_password: 'another phrase altogether' },
      })
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) statuses.push((await change('wrong')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    started.clock.advance(30_000)
    expect((await change(goodPassword)).status).toBe(204)
  })
})

test('the owner signs in within 2 s while others behind the same proxy guess at this and other accounts', async () => {
  const started = await startTestApp('sqlite', { passwordCost: { memoryCost: 19_456, timeCost: 2 } })
  const name = 'the.owner'
  await started.addUser(name, ['administrator'])
  const proxy = '198.51.100.1'
  const cookie = cookiesOf(await started.login(name, goodPassword, { address: proxy })).at(-1)!
  const signIn = async () => {
    const startedAt = performance.now()
    const { status } = await started.login(name, goodPassword, { address: proxy, headers: { cookie } })
    expect(status).toBe(200)
    return performance.now() - startedAt
  }
  const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
  let isOver = false
  const strangersWaits: number[] = []
  const answered = new Map<number, number>()
  const attacker = async (index: number) => {
    for (let round = 0; !isOver; round++) {
      // Every second one guesses from addresses of its own, so that the queue of passwords never runs dry.
      const isNear = index % 2 === 0
      const target = isNear ? name : `somebody.${index}.${round}`
      const address = isNear ? proxy : `203.0.${index}.${round % 250}`
      const startedAt = performance.now()
      const { status } = await started.login(target, 'wrong', { address })
      if (!isNear) strangersWaits.push(performance.now() - startedAt)
      answered.set(status, (answered.get(status) ?? 0) + 1)
      await Bun.sleep(5)
    }
  }
  const attackers = Array.from({ length: 80 }, (_, index) => attacker(index))
  const waits: number[] = []
  for (let round = 0; round < 5; round++) {
    await Bun.sleep(100)
    waits.push(await signIn())
  }
  isOver = true
  await Promise.all(attackers)
  expect((await started.login(name, goodPassword, { address: proxy })).status).toBe(429)
  expect(answered.get(401)).toBeGreaterThan(10)
  expect(answered.get(429)).toBeGreaterThan(10)
  // 2 s are 20 times what it takes on an idle machine. A busy one slows everybody, and the owner far less than strangers.
  expect(median(waits)).toBeLessThan(Math.max(2_000, median(strangersWaits) / 2))
})

test('a login for an unknown user takes as long as a wrong password', async () => {
  const started = await startTestApp('sqlite', { passwordCost: { memoryCost: 19_456, timeCost: 2 } })
  await started.addUser('somebody', ['auditor'])
  const timed = async (username: string, round: number) => {
    const startedAt = performance.now()
    await started.login(username, 'wrong', { address: `198.51.100.${round}` })
    return performance.now() - startedAt
  }
  // In turns, so that a busy machine slows both. Without a hash to compute, an unknown user would be refused a hundred times as fast.
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let round = 0; round < 4; round++) {
    known.push(await timed('somebody', round))
    unknown.push(await timed('nobody', round))
  }
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) * 0.2)
})

describe('login requests', () => {
  const bad: [name: string, body: unknown, word: string][] = [
    ['no username', { password: 'x' }, 'username'],
    ['no password', { username: 'x' }, 'password'],
    ['an empty password', { username: 'x', password: '' }, 'password'],
    ['a number', { username: 1, password: 'x' }, 'username'],
    ['an unknown field', { username: 'x', password: 'x', remember: true }, 'remember'],
    ['one byte over the limit', `{"username":"x","password":"x"}`.padEnd(8193), '8192'],
  ]
  test('with a bad body are 422, name the field, and count as no attempt', async () => {
    const started = await startTestApp()
    for (const [name, body, word] of bad) {
      const response = await started.send({
        method: 'POST',
        path: '/api/v1/auth/login',
        headers: { 'content-type': 'application/json', origin },
        body,
      })
      expect([name, response.status, (await jsonOf(response)).detail]).toEqual([
        name,
        422,
        expect.stringContaining(word),
      ])
    }
    expect(await started.database.read.q.select().from(started.database.read.t.throttles)).toEqual([])
  })

  test('of exactly the largest size are read', async () => {
    const started = await startTestApp()
    await started.addUser('somebody', ['auditor'])
    const body = JSON.stringify({ username: 'somebody', password: goodPassword }).padEnd(8192)
    const headers = { 'content-type': 'application/json', origin, host }
    expect((await started.send({ method: 'POST', path: '/api/v1/auth/login', headers, body })).status).toBe(200)
  })
})
