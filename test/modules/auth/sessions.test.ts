import { beforeEach, expect, test } from 'bun:test'
import type { Database } from '../../../src/db/database.ts'
import { cookiesOf, goodPassword, jsonOf, origin, otherOrigin, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

type Headers = Record<string, string>
const minute = 60_000

describeOnBothDialects('the sessions of a user', (dialect) => {
  let database: Database
  let started: TestApp
  let names = 0
  let name: string
  let id: string

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    await database.write((tx) => tx.q.delete(tx.t.throttles).then(() => {}))
    started = await startTestApp(dialect, { database })
    name = `sessions-${dialect}-${++names}`
    id = (await started.addUser(name, ['operator'])).id
  })

  const send = (method: string, path: string, headers: Headers) =>
    started.send({ method, path: `/api/v1/${path}`, headers })
  const listed = async (headers: Headers, path = 'auth/sessions') =>
    (await jsonOf(await send('GET', path, headers))).sessions as Record<string, unknown>[]
  const isOpen = async (headers: Headers) => (await send('GET', 'auth/session', headers)).status === 200

  async function signIn(username: string, headers: Headers = {}, address = '192.0.2.1'): Promise<Headers> {
    const response = await started.login(username, goodPassword, { headers, address })
    expect(response.status).toBe(200)
    const { csrf_token: token } = (await jsonOf(response)) as { csrf_token: string }
    return { cookie: cookiesOf(response)[0]!, origin, 'x-csrf-token': token, 'content-type': 'application/json' }
  }

  test('are listed with when and from where, without those that have ended', async () => {
    await signIn(name)
    started.clock.advance(40 * minute)
    const phone = await signIn(name, { 'user-agent': 'Phone/1.0' }, '2001:db8::1')
    started.clock.advance(minute)
    const laptop = await signIn(name, { 'user-agent': `Laptop ${'x'.repeat(400)}` }, '192.0.2.7')
    await signIn((await started.addUser(`${name}-other`, ['operator'])).username)
    expect(await listed(laptop)).toEqual([
      {
        ...{ id: expect.any(String), is_current: true, is_waiting: false, address: '192.0.2.7' },
        browser: `Laptop ${'x'.repeat(293)}`,
        ...{ created_at: '2026-11-20T10:11:00.123456789Z', last_seen_at: '2026-11-20T10:11:00.123456789Z' },
        expires_at: '2026-11-20T22:11:00.123456789Z',
      },
      expect.objectContaining({ is_current: false, address: '2001:db8::1', browser: 'Phone/1.0' }),
    ])
    expect((await listed(phone)).map((session) => session.is_current)).toEqual([false, true])
  })

  test('are ended one by one or all but the own, by their user or an administrator, and by nobody else', async () => {
    const [one, two, three] = [await signIn(name), await signIn(name), await signIn(name)]
    const boss = await signIn((await started.addUser(`${name}-boss`, ['administrator'])).username)
    const stranger = await signIn((await started.addUser(`${name}-stranger`, ['auditor'])).username)
    const ids = (await listed(one)).map((session) => String(session.id)).reverse()
    expect((await send('DELETE', `auth/sessions/${ids[0]}`, stranger)).status).toBe(404)
    expect((await send('DELETE', `admin/users/${id}/sessions/${ids[0]}`, stranger)).status).toBe(403)
    expect((await send('GET', `admin/users/${id}/sessions`, stranger)).status).toBe(403)
    const bossId = String((await listed(boss))[0]!.id)
    // Of another user than the path says.
    expect((await send('DELETE', `admin/users/${id}/sessions/${bossId}`, boss)).status).toBe(404)
    expect(await isOpen(one)).toBe(true)

    expect((await send('DELETE', `auth/sessions/${ids[0]}`, two)).status).toBe(204)
    expect((await send('DELETE', `auth/sessions/${ids[0]}`, two)).status).toBe(404)
    expect([await isOpen(one), await isOpen(two)]).toEqual([false, true])
    expect((await listed(boss, `admin/users/${id}/sessions`)).map((session) => session.id)).toEqual([ids[2]!, ids[1]!])
    expect((await send('DELETE', `admin/users/${id}/sessions/${ids[1]}`, boss)).status).toBe(204)
    expect(await isOpen(two)).toBe(false)

    const four = await signIn(name)
    expect((await send('POST', 'auth/sessions/end-others', four)).status).toBe(204)
    expect([await isOpen(three), await isOpen(four), await isOpen(stranger)]).toEqual([false, true, true])
    const { q, t } = database.read
    const audited = (await q.select().from(t.auditRecords)).filter(({ resourceId }) => ids.includes(resourceId ?? ''))
    expect(audited.filter(({ action }) => action === 'session.ended')).toHaveLength(2)
  })

  test('end in the browser in which somebody signs in again, whoever that is, and nowhere else', async () => {
    const before = await signIn(name)
    const elsewhere = await signIn(name)
    // A wrong password ends nothing, and neither does another site's cookie of that name.
    const wrong = { headers: { cookie: before.cookie! } }
    expect((await started.login(name, 'not this one', wrong)).status).toBe(401)
    const forged = { cookie: `${before.cookie!.slice(0, -4)}AAAA` }
    await signIn(name, forged)
    await started.login(name, goodPassword, {
      headers: { cookie: before.cookie!, host: 'other.test', origin: otherOrigin },
    })
    expect(await isOpen(before)).toBe(true)
    const again = await signIn(name, { cookie: before.cookie! })
    expect([await isOpen(before), await isOpen(elsewhere), await isOpen(again)]).toEqual([false, true, true])
    const other = await started.addUser(`${name}-next`, ['operator'])
    const next = await signIn(other.username, { cookie: again.cookie! })
    expect([await isOpen(again), await isOpen(next)]).toEqual([false, true])
  })
})
