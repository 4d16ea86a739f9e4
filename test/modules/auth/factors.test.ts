import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { epochMsOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { ALL, type Role } from '../../../src/http/access.ts'
import { codeOf } from '../../../src/http/tokens.ts'
import {
  cookiesOf,
  goodPassword,
  jsonOf,
  origin,
  secondOrigin,
  secret,
  startTestApp,
  type TestApp,
  testAuthor,
} from '../../http/harness.ts'
import { type Answering, Authenticator, appCode } from '../../support/authenticator.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

const minute = 60_000
const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'

test('codes are those of RFC 6238 and RFC 4226', async () => {
  const key = new TextEncoder().encode('12345678901234567890')
  const known = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const
  for (const [seconds, code] of known) expect(await codeOf(key, Math.floor(seconds / 30))).toBe(code)
})

type Headers = Record<string, string>

interface Person {
  name: string
  headers: Headers
}

describeOnBothDialects('second factors', (dialect) => {
  let database: Database
  let started: TestApp
  let names = 0

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    // Each test begins at the same instant, where earlier ones have been later.
    await database.write((tx) => tx.q.delete(tx.t.throttles).then(() => {}))
    started = await startTestApp(dialect, { database })
  })

  const post = (path: string, headers: Headers, body?: unknown, address?: string) =>
    started.send({
      ...{ method: 'POST', path: `/api/v1/auth/${path}`, headers },
      ...(body === undefined ? {} : { body }),
      ...(address === undefined ? {} : { address }),
    })
  const readSession = (headers: Headers) => started.send({ path: '/api/v1/auth/session', headers })
  const isOpen = async (headers: Headers) => (await started.send({ path: '/api/v1/tokens', headers })).status === 200
  const nowMs = () => epochMsOf(started.clock.now())
  const nextStep = () => started.clock.advance(30_000)

  async function person(roles: Role[] = ['operator'], mustChangePassword = false): Promise<Person> {
    const name = `factors-${dialect}-${++names}`
    await started.addUser(name, roles, mustChangePassword)
    return { name, headers: await started.signIn(name) }
  }

  /** The headers of the session that an answer opens. */
  async function headersOf(response: Response): Promise<Headers> {
    const body = await jsonOf(response)
    const { csrf_token: token } = (body.session ?? body) as { csrf_token: string }
    return { cookie: cookiesOf(response)[0]!, origin, 'x-csrf-token': token, 'content-type': 'application/json' }
  }

  /** Gives the person an authenticator app; its code of this step is used up by that. */
  async function withApp(one: Person): Promise<Person & { key: string; codes: string[] }> {
    const begun = await jsonOf(await post('factors/app/start', one.headers))
    const key = String(begun.key)
    const body = { enrolment: begun.enrolment, code: appCode(key, nowMs()), name: 'Phone' }
    const response = await post('factors/app', one.headers, body)
    expect(response.status).toBe(201)
    const { recovery_codes: codes } = (await jsonOf(response.clone() as Response)) as { recovery_codes: string[] }
    nextStep()
    return { name: one.name, headers: await headersOf(response), key, codes }
  }

  async function withPasskey(one: Person, authenticator = new Authenticator(origin)) {
    const { options } = await jsonOf(await post('factors/passkey/start', one.headers))
    const passkey = authenticator.register(options as never)
    const response = await post('factors/passkey', one.headers, { passkey, name: 'Key' })
    expect(response.status).toBe(201)
    return { name: one.name, headers: await headersOf(response), authenticator }
  }

  const half = async ({ name }: Pick<Person, 'name'>) => started.signIn(name)
  const code = ({ key }: { key: string }) => appCode(key, nowMs())

  const auditedOf = async (name: string) => {
    const { q, t } = database.read
    const [user] = await q.select().from(t.users).where(eq(t.users.username, name))
    const rows = await q.select().from(t.auditRecords).where(eq(t.auditRecords.actorId, user!.id))
    return rows.map(({ action, detail }) => `${action} ${detail.by ?? detail.reason ?? detail.awaits ?? ''}`.trim())
  }

  describe('an authenticator app', () => {
    test('is asked for after the password, and its code opens another session than the one that waited', async () => {
      const ann = await withApp(await person())
      const response = await started.login(ann.name)
      expect(response.status).toBe(200)
      expect(await jsonOf(response.clone() as Response)).toMatchObject({ awaits: 'second_factor' })
      // Not yet known: only the session's cookie comes.
      expect(cookiesOf(response)).toHaveLength(1)
      const waiting = await headersOf(response)
      expect(await isOpen(waiting)).toBe(false)

      const given = await post('second-factor', waiting, { code: code(ann) })
      expect(given.status).toBe(200)
      expect(cookiesOf(given)).toHaveLength(2)
      const whole = await headersOf(given)
      expect(await jsonOf(await readSession(whole))).not.toHaveProperty('awaits')
      expect(await isOpen(whole)).toBe(true)
      expect((await readSession(waiting)).status).toBe(401)
      expect((await post('second-factor', whole, { code: code(ann) })).status).toBe(409)
      expect((await auditedOf(ann.name)).slice(-2)).toEqual(['session.begun second_factor', 'session.opened app'])
    })

    test('the trail names the address of each step: the password, a wrong factor and the right one', async () => {
      const ann = await withApp(await person())
      const waiting = await headersOf(await started.login(ann.name, undefined, { address: '198.51.100.1' }))
      expect((await post('second-factor', waiting, { code: '000000' }, '198.51.100.2')).status).toBe(401)
      expect((await post('second-factor', waiting, { code: code(ann) }, '198.51.100.3')).status).toBe(200)
      const { q, t } = database.read
      const [user] = await q.select().from(t.users).where(eq(t.users.username, ann.name))
      const rows = await q.select().from(t.auditRecords).where(eq(t.auditRecords.actorId, user!.id))
      expect(rows.slice(-3).map(({ action, detail }) => [action, detail.client_address])).toEqual([
        ['session.begun', '198.51.100.1'],
        ['session.factor_refused', '198.51.100.2'],
        ['session.opened', '198.51.100.3'],
      ])
    })

    test('a sign-in that waits reads itself, gives the factor or leaves, and nothing else', async () => {
      const ann = await withApp(await person(['administrator', 'auditor', 'operator', 'engineer']))
      const headers: Record<string, string | undefined> = { ...(await half(ann)), 'content-type': undefined }
      const open: string[] = []
      for (const { id, access, method, path } of started.app.operations) {
        if (access.kind !== 'session') continue
        const response = await started.send({ method, path: path.replace(/\{\w+\}/g, nobody), headers })
        if (response.status !== 403) open.push(id)
      }
      expect(open).toEqual(['getCurrentSession', 'logout', 'giveSecondFactor', 'askSecondFactorPasskey'])
    })

    test('a sign-in that waits ends after ten minutes, used or not', async () => {
      const ann = await withApp(await person())
      const waiting = await half(ann)
      started.clock.advance(9 * minute)
      expect((await readSession(waiting)).status).toBe(200)
      started.clock.advance(minute)
      expect((await post('second-factor', waiting, { code: code(ann) })).status).toBe(401)
    })

    test('accepts each code once, by the first session, and no earlier code afterwards', async () => {
      const ann = await withApp(await person())
      const [one, two] = [await half(ann), await half(ann)]
      const before = appCode(ann.key, nowMs() - 30_000)
      const answers = await Promise.all(
        [one, two].map((headers) => post('second-factor', headers, { code: code(ann) })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
      const left = answers[0]!.status === 200 ? two : one
      expect((await post('second-factor', left, { code: code(ann) })).status).toBe(401)
      expect((await post('second-factor', left, { code: before })).status).toBe(401)
      expect(await isOpen(left)).toBe(false)
      nextStep()
      expect((await post('second-factor', left, { code: code(ann) })).status).toBe(200)
    })

    test('codes of a clock that is half a minute off pass, and older or later ones do not', async () => {
      const ann = await withApp(await person())
      started.clock.advance(5 * minute)
      const tried: [number, number][] = []
      for (const off of [-60_000, 60_000, -30_000, 30_000]) {
        const response = await post('second-factor', await half(ann), { code: appCode(ann.key, nowMs() + off) })
        tried.push([off / 1000, response.status])
      }
      expect(tried).toEqual([
        [-60, 401],
        [60, 401],
        [-30, 200],
        [30, 200],
      ])
    })

    test('guesses are counted for the user, whatever the session and address, and the sixth waits', async () => {
      const ann = await withApp(await person())
      const statuses: number[] = []
      for (let guess = 0; guess < 6; guess++) {
        const headers = await half(ann)
        statuses.push((await post('second-factor', headers, { code: '000000' }, `198.51.100.${guess}`)).status)
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
      const waiting = await half(ann)
      const blocked = await post('second-factor', waiting, { code: code(ann) })
      expect([blocked.status, Number(blocked.headers.get('retry-after')) > 0]).toEqual([429, true])
      started.clock.advance(minute)
      expect((await post('second-factor', waiting, { code: code(ann) })).status).toBe(200)
      const audited = await auditedOf(ann.name)
      expect(audited.filter((line) => line === 'session.factor_refused wrong_code')).toHaveLength(5)
      expect(audited).toContain('session.factor_throttled')
    })

    test('opens nothing after a hundred wrong codes in a row, until its user got in otherwise', async () => {
      const ann = await withApp(await person())
      const set = (failures: number) =>
        database.write(async (tx) => void (await tx.q.update(tx.t.factors).set({ failures })))
      await set(99)
      expect((await post('second-factor', await half(ann), { code: '000000' })).status).toBe(401)
      const waiting = await half(ann)
      expect((await post('second-factor', waiting, { code: code(ann) })).status).toBe(401)
      expect((await post('second-factor', waiting, { recovery_code: ann.codes[0] })).status).toBe(200)
      nextStep()
      expect((await post('second-factor', await half(ann), { code: code(ann) })).status).toBe(200)
    })

    test('its key is sealed in the database, for this row and under QUIRE_SECRET', async () => {
      const ann = await withApp(await person())
      const bob = await withApp(await person())
      const { q, t } = database.read
      const rows = await q.select().from(t.factors)
      expect(JSON.stringify(rows)).not.toContain(ann.key)
      const idOf = async ({ name }: Person) => (await started.users.findByUsername(name))!.id
      const [annId, bobId] = [await idOf(ann), await idOf(bob)]
      const [of, to] = [rows.find(({ userId }) => userId === bobId)!, rows.find(({ userId }) => userId === annId)!]
      // Somebody who may write to the database puts a key that they know into another row.
      await database.write((tx) =>
        tx.q
          .update(tx.t.factors)
          .set({ key: of.key })
          .where(eq(tx.t.factors.id, to.id))
          .then(() => {}),
      )
      expect((await post('second-factor', await half(ann), { code: code(bob) })).status).toBe(401)
      await database.write((tx) =>
        tx.q
          .update(tx.t.factors)
          .set({ key: to.key })
          .where(eq(tx.t.factors.id, to.id))
          .then(() => {}),
      )
      expect((await post('second-factor', await half(ann), { code: code(ann) })).status).toBe(200)
    })

    test('works under a new QUIRE_SECRET, and without the old one once it was sealed again', async () => {
      const ann = await withApp(await person())
      const next = 'another secret of 32 characters!!'
      started = await startTestApp(dialect, { database, secrets: [next, secret] })
      started.clock.advance(minute)
      expect((await post('second-factor', await half(ann), { code: code(ann) })).status).toBe(200)
      expect(await started.factors.sealAnew()).toBeGreaterThan(0)
      expect(await started.factors.sealAnew()).toBe(0)
      started = await startTestApp(dialect, { database, secrets: [next] })
      started.clock.advance(2 * minute)
      expect((await post('second-factor', await half(ann), { code: code(ann) })).status).toBe(200)
    })
  })

  describe('a recovery code', () => {
    test('stands in once, however it is typed and however many try at once, and is kept as a hash', async () => {
      const ann = await withApp(await person())
      expect(new Set(ann.codes).size).toBe(10)
      const { q, t } = database.read
      const kept = JSON.stringify(await q.select().from(t.recoveryCodes))
      for (const one of ann.codes) expect(kept).not.toContain(one)
      const sessions = await Promise.all([half(ann), half(ann), half(ann)])
      const typed = ` ${ann.codes[3]!.toUpperCase().replaceAll('-', ' ')}`
      const answers = await Promise.all(
        sessions.map((headers) => post('second-factor', headers, { recovery_code: typed })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
      const whole = await headersOf(answers.find(({ status }) => status === 200)!)
      expect(await jsonOf(await started.send({ path: '/api/v1/auth/factors', headers: whole }))).toMatchObject({
        recovery_codes: 9,
        required: false,
      })
    })

    test('opens one session per sign-in, even if several right ones come at once, and only that one is used up', async () => {
      const ann = await withApp(await person())
      const waiting = await half(ann)
      const given = [{ recovery_code: ann.codes[0] }, { recovery_code: ann.codes[1] }, { code: code(ann) }]
      const answers = await Promise.all(given.map((proof) => post('second-factor', waiting, proof)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
      const first = answers.findIndex(({ status }) => status === 200)
      const whole = await headersOf(answers[first]!)
      expect([await isOpen(whole), await isOpen(waiting)]).toEqual([true, false])
      const left = given.filter((_, index) => index !== first)
      for (const proof of left) expect((await post('second-factor', await half(ann), proof)).status).toBe(200)
    })

    test('of another user, or of an earlier set, opens nothing', async () => {
      const [ann, bob] = [await withApp(await person()), await withApp(await person())]
      expect((await post('second-factor', await half(ann), { recovery_code: bob.codes[0] })).status).toBe(401)
      const replaced = await post('recovery-codes', ann.headers)
      expect(replaced.status).toBe(201)
      const { recovery_codes: codes } = (await jsonOf(replaced)) as { recovery_codes: string[] }
      expect((await post('second-factor', await half(ann), { recovery_code: ann.codes[1] })).status).toBe(401)
      expect((await post('second-factor', await half(ann), { recovery_code: codes[1] })).status).toBe(200)
    })
  })

  describe('a passkey', () => {
    const ask = async (headers: Headers) =>
      (await jsonOf(await post('second-factor/passkey', headers))).options as never

    test('ends a sign-in, and signs in alone where it made sure who holds it', async () => {
      const ann = await withPasskey(await person())
      const waiting = await half(ann)
      const passkey = ann.authenticator.answer(await ask(waiting))
      expect((await post('second-factor', waiting, { passkey })).status).toBe(200)

      const signIn = async (answering: Answering = {}) => {
        const { options } = await jsonOf(await post('passkey/start', loginHeaders, {}))
        return post('passkey', loginHeaders, { passkey: ann.authenticator.answer(options as never, answering) })
      }
      const response = await signIn()
      expect([response.status, cookiesOf(response).length]).toEqual([200, 2])
      expect(await isOpen(await headersOf(response))).toBe(true)
      expect((await signIn({ isUnverified: true })).status).toBe(401)
      expect((await signIn({ origin: secondOrigin })).status).toBe(401)
      expect((await signIn({ crossOrigin: true })).status).toBe(401)
      expect((await signIn({ isAbsent: true })).status).toBe(401)
      expect((await signIn({ counter: 1 })).status).toBe(401)
      const user = (await started.users.findByUsername(ann.name))!
      await started.users.update(user.id, { disabled: true }, testAuthor)
      expect((await signIn()).status).toBe(401)
    })

    const loginHeaders = { origin, 'content-type': 'application/json' }

    test('alone ends the session that this browser had before, and no other', async () => {
      const ann = await withPasskey(await person())
      const elsewhere = await headersOf(await withSecondFactor(ann))
      const before = await headersOf(await withSecondFactor(ann))
      const browser = { ...loginHeaders, cookie: before.cookie! }
      const give = async (answering: Answering = {}) => {
        const { options } = await jsonOf(await post('passkey/start', browser, {}))
        return post('passkey', browser, { passkey: ann.authenticator.answer(options as never, answering) })
      }
      expect((await give({ isUnverified: true })).status).toBe(401)
      expect(await isOpen(before)).toBe(true)
      const again = await give()
      expect(again.status).toBe(200)
      const next = await headersOf(again)
      expect([await isOpen(before), await isOpen(elsewhere), await isOpen(next)]).toEqual([false, true, true])
    })

    /** The answer to a whole sign-in: the password, then the passkey. */
    async function withSecondFactor(one: Awaited<ReturnType<typeof withPasskey>>) {
      const waiting = await half(one)
      return post('second-factor', waiting, { passkey: one.authenticator.answer(await ask(waiting)) })
    }

    test('an answer counts once, for its user, its session and what was asked', async () => {
      const [ann, bob] = [await withPasskey(await person()), await withPasskey(await person())]
      const [annWaits, bobWaits] = [await half(ann), await half(bob)]
      const asked = await ask(annWaits)
      // Bob answers what Ann was asked, for her and for himself.
      expect((await post('second-factor', annWaits, { passkey: bob.authenticator.answer(asked) })).status).toBe(401)
      expect((await post('second-factor', bobWaits, { passkey: bob.authenticator.answer(asked) })).status).toBe(401)
      // Another sign-in of Ann's.
      const answer = ann.authenticator.answer(asked)
      expect((await post('second-factor', await half(ann), { passkey: answer })).status).toBe(401)
      // Neither is it a sign-in.
      expect((await post('passkey', loginHeaders, { passkey: ann.authenticator.answer(asked) })).status).toBe(401)

      const { options } = await jsonOf(await post('passkey/start', loginHeaders, {}))
      const whole = ann.authenticator.answer(options as never, { counter: 0 })
      const again = { ...whole, response: { ...whole.response, clientDataJSON: `${whole.response.clientDataJSON}==` } }
      await database.write((tx) =>
        tx.q
          .update(tx.t.factors)
          .set({ counter: 0 })
          .then(() => {}),
      )
      const answers = await Promise.all(
        [whole, whole, again].map((passkey) => post('passkey', loginHeaders, { passkey })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
      const unanswered = (await jsonOf(await post('passkey/start', loginHeaders, {}))).options
      started.clock.advance(6 * minute)
      const late = ann.authenticator.answer(unanswered as never)
      expect((await post('passkey', loginHeaders, { passkey: late })).status).toBe(401)
    })

    test('is not added with an answer to something else, a weak key, or one that is there already', async () => {
      const ann = await person()
      const bob = await person()
      const optionsOf = async ({ headers }: Person) =>
        (await jsonOf(await post('factors/passkey/start', headers))).options as never
      const authenticator = new Authenticator(origin)
      const options = await optionsOf(ann)
      const good = authenticator.register(options)
      const refused: [string, unknown][] = [
        ['of another session', authenticator.register(await optionsOf(bob))],
        ['from elsewhere', authenticator.register(options, { origin: secondOrigin })],
        ['in a frame', authenticator.register(options, { crossOrigin: true })],
        ['of nobody', authenticator.register(options, { isAbsent: true })],
        ['of another id', authenticator.register(options, { id: new Authenticator(origin).id })],
        ['of another host', authenticator.register({ ...(options as object), rp: { id: 'other.test' } } as never)],
        ['of another curve', new Authenticator(origin, 'P-384').register(options)],
        ['of a short key', new Authenticator(origin, 'RSA 1024').register(options)],
        ['without a key', { ...good, response: { ...good.response, publicKey: undefined } }],
        [
          'cut off',
          { ...good, response: { ...good.response, authenticatorData: good.response.authenticatorData.slice(0, 80) } },
        ],
        ['of nothing', null],
        ['without a response', { id: 'x' }],
        ['an assertion', authenticator.answer(options)],
      ]
      for (const [what, passkey] of refused) {
        const response = await post('factors/passkey', ann.headers, { passkey, name: 'Key' })
        expect([what, response.status]).toEqual([what, 422])
      }
      await withPasskey(ann, authenticator)
      const passkey = authenticator.register(await optionsOf(bob))
      expect((await post('factors/passkey', bob.headers, { passkey, name: 'Key' })).status).toBe(409)
    })

    test('may have each kind of key that was asked for', async () => {
      for (const kind of ['Ed25519', 'RSA 2048'] as const) {
        const ann = await withPasskey(await person(), new Authenticator(origin, kind))
        const waiting = await half(ann)
        const options = await ask(waiting)
        const wrong = new Authenticator(origin, kind).answer(options, { id: ann.authenticator.id })
        expect([kind, (await post('second-factor', waiting, { passkey: wrong })).status]).toEqual([kind, 401])
        const passkey = ann.authenticator.answer(options, { isUnverified: true })
        expect([kind, (await post('second-factor', waiting, { passkey })).status]).toEqual([kind, 200])
      }
    })
  })

  describe('what a user has', () => {
    test('is changed only with the password of the last ten minutes, never by a token', async () => {
      const ann = await withApp(await person(['administrator']))
      const { factors } = (await jsonOf(
        await started.send({ path: '/api/v1/auth/factors', headers: ann.headers }),
      )) as {
        factors: { id: string }[]
      }
      const begun = await jsonOf(await post('factors/app/start', ann.headers))
      const asks: readonly [string, string, unknown?][] = [
        ['POST', '/auth/factors/app/start'],
        ['POST', '/auth/factors/passkey/start'],
        ['POST', '/auth/recovery-codes'],
        ['DELETE', `/auth/factors/${factors[0]!.id}`],
        ['DELETE', `/admin/users/${(await started.users.findByUsername(ann.name))!.id}/factors`],
        [
          'POST',
          '/auth/factors/app',
          { enrolment: begun.enrolment, code: appCode(String(begun.key), nowMs()), name: 'x' },
        ],
      ]
      const scopes = ['user_manage', 'audit_read', 'submission_read']
      const made = await started.send({
        ...{ method: 'POST', path: '/api/v1/tokens', headers: ann.headers },
        body: { name: 'all', scopes },
      })
      const authorization = `Bearer ${(await jsonOf(made)).secret}`
      started.clock.advance(11 * minute)
      for (const [method, path, body] of asks) {
        const what = { method, path: `/api/v1${path}`, ...(body === undefined ? {} : { body }) }
        const late = await started.send({ ...what, headers: ann.headers })
        const byToken = await started.send({ ...what, headers: { authorization, 'content-type': 'application/json' } })
        expect([path, late.status, byToken.status]).toEqual([path, 403, 401])
      }
      expect((await auditedOf(ann.name)).filter((line) => line.startsWith('user.factor'))).toEqual([
        'user.factor_added',
      ])
      expect((await post('confirm-password', ann.headers, { password: goodPassword })).status).toBe(204)
      // Of a session that is over, begun more than ten minutes ago.
      const [, , body] = asks[5]!
      expect((await post('factors/app', ann.headers, body)).status).toBe(422)
    })

    test('ends the other sessions when it changes, and opens the current one again', async () => {
      const one = await person()
      const other = await started.signIn(one.name)
      const ann = await withApp(one)
      expect([await isOpen(ann.headers), await isOpen(one.headers), await isOpen(other)]).toEqual([true, false, false])
      const waiting = await half(ann)
      const { factors } = (await jsonOf(
        await started.send({ path: '/api/v1/auth/factors', headers: ann.headers }),
      )) as {
        factors: { id: string }[]
      }
      const remove = (headers: Headers) =>
        started.send({ method: 'DELETE', path: `/api/v1/auth/factors/${factors[0]!.id}`, headers })
      const bob = await withApp(await person())
      expect((await remove(bob.headers)).status).toBe(404)
      expect((await remove(ann.headers)).status).toBe(204)
      expect([await isOpen(ann.headers), (await readSession(waiting)).status]).toEqual([true, 401])
      expect(await jsonOf(await started.login(ann.name))).not.toHaveProperty('awaits')
      const { q, t } = database.read
      const id = (await started.users.findByUsername(ann.name))!.id
      expect(await q.select().from(t.recoveryCodes).where(eq(t.recoveryCodes.userId, id))).toEqual([])
    })

    test('is added by one of two sessions at once, and the other has ended', async () => {
      const one = await person()
      const other = { name: one.name, headers: await started.signIn(one.name) }
      const bodies = await Promise.all(
        [one, other].map(async ({ headers }) => {
          const begun = await jsonOf(await post('factors/app/start', headers))
          return { enrolment: begun.enrolment, code: appCode(String(begun.key), nowMs()), name: 'x' }
        }),
      )
      const answers = await Promise.all(
        [one, other].map(({ headers }, index) => post('factors/app', headers, bodies[index])),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401])
      // What the one began is nothing in the other.
      const [headers] = [await headersOf(answers.find(({ status }) => status === 201)!)]
      expect((await post('factors/app', headers, bodies[0])).status).toBe(422)
    })

    test('is taken away by an administrator, who gives the own password, and is audited', async () => {
      const ann = await withApp(await person())
      const boss = await person(['administrator'])
      const id = (await started.users.findByUsername(ann.name))!.id
      const reset = () =>
        started.send({ method: 'DELETE', path: `/api/v1/admin/users/${id}/factors`, headers: boss.headers })
      const listed = async () => {
        const { users } = (await jsonOf(
          await started.send({ path: '/api/v1/admin/users', headers: boss.headers }),
        )) as {
          users: { id: string; second_factors: number }[]
        }
        return users.find((user) => user.id === id)!.second_factors
      }
      expect(await listed()).toBe(1)
      expect((await reset()).status).toBe(204)
      expect(await listed()).toBe(0)
      expect(await isOpen(ann.headers)).toBe(false)
      expect((await reset()).status).toBe(409)
      expect(await isOpen(await half(ann))).toBe(true)
      expect(await auditedOf(boss.name)).toContain('user.factors_reset')
    })
  })

  describe('where roles must have one', () => {
    beforeEach(async () => {
      started = await startTestApp(dialect, { database, secondFactorRoles: ['administrator'] })
    })

    test('whoever lacks it adds one at sign-in and does nothing else until then, others notice nothing', async () => {
      const boss = await person(['administrator'])
      expect(await jsonOf(await readSession(boss.headers))).toMatchObject({ awaits: 'enrolment' })
      const open: string[] = []
      for (const { id, access, method, path } of started.app.operations) {
        if (access.kind !== 'session') continue
        const headers: Record<string, string | undefined> = { ...boss.headers, 'content-type': undefined }
        const response = await started.send({ method, path: path.replace(/\{\w+\}/g, nobody), headers })
        if (response.status !== 403) open.push(id)
      }
      const adding = ['beginApp', 'addApp', 'beginPasskey', 'addPasskey', 'listFactors']
      expect(open).toEqual(['getCurrentSession', 'changePassword', 'logout', ...adding])
      const enrolled = await withApp(boss)
      expect(await isOpen(enrolled.headers)).toBe(true)
      expect((await readSession(boss.headers)).status).toBe(401)
      const { factors } = (await jsonOf(
        await started.send({ path: '/api/v1/auth/factors', headers: enrolled.headers }),
      )) as { factors: { id: string }[] }
      const last = { method: 'DELETE', path: `/api/v1/auth/factors/${factors[0]!.id}`, headers: enrolled.headers }
      expect((await started.send(last)).status).toBe(409)
      expect(await isOpen((await person(ALL.filter((role) => role !== 'administrator') as Role[])).headers)).toBe(true)
    })

    test('a password that must be changed comes after the second factor, and before adding one', async () => {
      const fresh = await person(['administrator'], true)
      expect((await post('factors/app/start', fresh.headers)).status).toBe(403)
      const change = { current_password: goodPassword, new_password: 'another odd phrase here' }
      expect((await post('password', fresh.headers, change)).status).toBe(204)
      const ann = await withApp({ name: fresh.name, headers: await started.signIn(fresh.name, change.new_password) })
      const id = (await started.users.findByUsername(ann.name))!.id
      await started.users.resetPassword(id, goodPassword, testAuthor)
      const waiting = await half(ann)
      const back = { current_password: goodPassword, new_password: 'a third odd phrase here' }
      expect((await post('password', waiting, back)).status).toBe(403)
      const whole = await headersOf(await post('second-factor', waiting, { code: code(ann) }))
      expect(await jsonOf(await readSession(whole))).toMatchObject({ must_change_password: true })
      expect(await isOpen(whole)).toBe(false)
      expect((await post('password', whole, back)).status).toBe(204)
    })
  })
})
