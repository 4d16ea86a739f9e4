import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, epochMsOf, type Instant, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import type { Database } from '../../../src/db/database.ts'
import { providerSessionOf } from '../../../src/modules/auth/provider-sessions.service.ts'
import type { Wanted } from '../../../src/modules/oidc/oidc.flow.ts'
import { type Arrival, createOidcService, type OidcService } from '../../../src/modules/oidc/oidc.service.ts'
import { ProviderUnusable } from '../../../src/oidc/fetch.ts'
import { AnswerRefused, type Identity, type Provider } from '../../../src/oidc/provider.ts'
import type { OidcConfig } from '../../../src/oidc/settings.ts'
import { forgetUsers } from '../../http/harness.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

/* What comes of a sign-in, of an answer that is not believed and of a logout token: by a provider that says what a test wants. */
const start = instantOf('2026-11-20T09:30:00Z')
const startSeconds = epochMsOf(start) / 1_000
const origin = 'https://quire.test'
const config: OidcConfig = {
  ...{ issuer: 'https://id.example.org', clientId: 'quire', clientSecret: undefined, name: 'Example' },
  ...{ scopes: 'openid', groupsClaim: 'groups', roles: [{ role: 'operator', group: '*' }], createsUsers: true },
  required: {} as OidcConfig['required'],
}

describe('a sign-in at the provider ends', () => {
  let database: Database
  let at: Instant
  let logged: string[]
  let service: OidcService
  let identity: Identity
  /** Thrown in place of an answer. */
  let failure: Error | undefined
  let asked: unknown[]
  /** Who has signed in lately in the browser of the tests. */
  let knownHere: string[]
  let logout: { id: string; subject: string | undefined; sessionId: string | undefined }

  const answer = async <T>(value: T): Promise<T> => {
    if (failure !== undefined) throw failure
    return value
  }
  const provider = {
    authorizationUrl: (request) => {
      asked.push(request)
      return answer(new URL('https://id.example.org/authorize'))
    },
    identify: (request) => {
      asked.push(request)
      return answer(identity)
    },
    readLogoutToken: () => answer(logout),
    endSessionUrl: (to) => answer(new URL(`https://id.example.org/end?to=${to}`)),
    describe: () => rejectionOf(Promise.resolve()) as never,
  } satisfies Provider

  const serve = (change: Partial<OidcConfig> = {}) =>
    createOidcService({
      ...{ config: { ...config, ...change }, database, clock: { now: () => at }, secrets: ['x'.repeat(32)], provider },
      log: createLog({ level: 'info', readable: false, write: (line) => logged.push(line) }),
    })
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
  })
  beforeEach(async () => {
    await forgetUsers(database)
    await database.write((tx) => tx.q.delete(tx.t.notices).then(() => {}))
    at = start
    logged = []
    asked = []
    knownHere = []
    failure = undefined
    identity = { subject: 's-1', sessionId: undefined, authenticatedAt: undefined, claims: { name: 'Ann' } }
    logout = { id: 'l-1', subject: undefined, sessionId: undefined }
    service = await serve()
  })
  afterAll(() => database.close())

  const wanted: Wanted = { origin, next: '/', isWindow: false }
  async function begin(change: Partial<Wanted> = {}) {
    const { cookie, location } = await service.begin(null, { ...wanted, ...change })
    const { state } = asked.at(-1) as { state: string }
    return { cookieHeader: cookie.split(';')[0]!, state, location }
  }
  const arrival = (change: Partial<Arrival> & { state?: string }): Arrival => ({
    ...{ query: new URLSearchParams({ state: change.state ?? '' }), cookieHeader: null, origins: [origin] },
    ...{ host: 'quire.test', clientAddress: '192.0.2.1', browser: 'Browser/1', correlationId: 'arriving' },
    isKnownTo: async (_flow, username) => knownHere.includes(username),
    ...change,
  })
  const finish = (begun: { cookieHeader: string; state: string }, change: Partial<Arrival> = {}) =>
    service.finish(arrival({ ...begun, ...change }))
  async function told() {
    const { q, t } = database.read
    const rows = await q.select().from(t.auditRecords).orderBy(t.auditRecords.id)
    await database.write((tx) => tx.q.delete(tx.t.auditRecords).then(() => {}))
    return rows
      .filter(({ action }) => !action.startsWith('user.'))
      .map(({ action, actorId, resourceId, detail }) => ({ action, actorId, resourceId, detail }))
  }
  const rowsOf = async (table: 'users' | 'sessions' | 'notices') =>
    (await database.read.q.select().from(database.read.t[table] as never)) as Record<string, unknown>[]
  const refusal = (reason: string, more: object = {}, action = 'session.refused') => ({
    ...{ action, actorId: SYSTEM_ACTOR_ID, resourceId: null },
    detail: { reason, by: 'provider', client_address: '192.0.2.1', ...more },
  })
  const refusedAt = (reason: string, more = '') => `/login?refused=${reason}&reference=arriving${more}`

  test('in a new session, told of with the issuer, and leads on to where the person wanted to be', async () => {
    const begun = await begin({ next: '/lab?x=1', isWindow: true })
    expect(begun.location).toBe('https://id.example.org/authorize')
    const { location, opened, cookie } = await finish(begun)
    expect(location).toBe('/login?ended=signed-in&next=%2Flab%3Fx%3D1&window=1')
    expect(cookie).toContain('Max-Age=0')
    expect(asked.at(-1)).toMatchObject({
      ...{ redirectUri: `${origin}/api/v1/auth/oidc/callback`, state: begun.state, isFresh: false },
    })
    const [user] = await rowsOf('users')
    const [session] = await rowsOf('sessions')
    expect(user).toMatchObject({ username: 's-1', displayName: 'Ann', roles: ['operator'], oidcSubject: 's-1' })
    expect(session).toMatchObject({
      ...{ userId: user!.id, host: 'quire.test', address: '192.0.2.1', browser: 'Browser/1', awaits: null },
      ...{ passwordGivenAt: null, oidcSession: null, createdAt: start },
    })
    expect(opened!.token).toMatch(/^[\w-]{43}$/)
    expect(await told()).toEqual([
      {
        ...{ action: 'session.opened', actorId: String(user!.id), resourceId: String(session!.id) },
        detail: { host: 'quire.test', client_address: '192.0.2.1', by: 'provider', issuer: config.issuer },
      },
    ])
    expect(await rowsOf('notices')).toMatchObject([{ kind: 'signed_in', userId: user!.id }])
  })

  test('without a notice in a browser that the user has used before, and with one where only others have', async () => {
    identity = { ...identity, claims: { preferred_username: 'ann' } }
    knownHere = ['ann']
    const { opened } = await finish(await begin({ device: 'laptop' }))
    expect(opened).toMatchObject({ username: 'ann' })
    expect(await rowsOf('notices')).toEqual([])
    identity = { ...identity, subject: 's-2', claims: { preferred_username: 'bob' } }
    await finish(await begin({ device: 'laptop' }))
    expect(await rowsOf('notices')).toMatchObject([{ kind: 'signed_in' }])
  })

  test.each([
    ['as the provider says', { name: ' Ann\u0007B ' }, 'Ann B'],
    ['not at all where it is empty', { name: '  ' }, 'ann'],
    ['not at all where it is no text', { name: 7 }, 'ann'],
    ['cut at its greatest length', { name: 'x'.repeat(500) }, 'x'.repeat(limits.displayNameChars)],
  ])('with a display name %s', async (_how, claims, displayName) => {
    identity = { ...identity, claims: { ...claims, preferred_username: 'ann', email: 'a@b.test' } }
    await finish(await begin())
    expect(await rowsOf('users')).toMatchObject([{ displayName, username: 'ann' }])
  })

  test('with when the person signed in there, never later than now nor longer ago than a session lasts', async () => {
    const givenAt = async (authenticatedAt: number) => {
      identity = { ...identity, authenticatedAt }
      await database.write((tx) => tx.q.delete(tx.t.sessions).then(() => {}))
      await finish(await begin())
      return (await rowsOf('sessions'))[0]!.passwordGivenAt
    }
    expect(await givenAt(startSeconds - 60)).toBe(addMs(start, -60_000))
    expect(await givenAt(startSeconds + 60)).toBe(start)
    expect(await givenAt(0)).toBe(addMs(start, -limits.sessionAbsoluteMs))
  })

  test('nowhere for a state that nobody began here, an old one, or one that was used', async () => {
    const begun = await begin()
    expect(await finish({ ...begun, state: 'another' })).toEqual({ location: refusedAt('unknown_state') })
    expect((await service.finish(arrival({ query: new URLSearchParams() }))).location).toBe(refusedAt('unknown_state'))
    expect(await told()).toEqual([refusal('unknown_state'), refusal('unknown_state')])
    at = addMs(start, limits.oidcFlowMs + 1_000)
    expect((await finish(begun)).location).toBe(refusedAt('expired_state'))
    at = start
    expect((await finish(begun)).opened).toBeDefined()
    await told()
    const again = await finish(begun)
    expect([again.location, again.opened]).toEqual([refusedAt('replayed_state'), undefined])
    expect(await told()).toEqual([refusal('replayed_state')])
  })

  test('without a session if the answer isn’t believed, and tells people only what they can mend', async () => {
    failure = new AnswerRefused('too_weak', 'acr is 1')
    expect((await failedAfterBegin({ next: '/lab' })).location).toBe(refusedAt('too_weak', '&next=%2Flab'))
    expect(await told()).toEqual([refusal('too_weak', { why: 'acr is 1' })])
    failure = new AnswerRefused('wrong_token', 'no signature')
    expect((await failedAfterBegin()).location).toBe(refusedAt('not_believed'))
    expect(await told()).toEqual([refusal('wrong_token', { why: 'no signature' })])
    expect(await rowsOf('users')).toEqual([])
  })
  /** A sign-in that begins well, and whose answer is what `failure` says. */
  async function failedAfterBegin(change: Partial<Wanted> = {}) {
    const given = failure
    failure = undefined
    const begun = await begin(change)
    failure = given
    return finish(begun)
  }

  test('without a session if the provider can’t be used, which counts against nobody', async () => {
    for (let time = 0; time < limits.throttleAccountFailures + 1; time++) {
      failure = new ProviderUnusable('no answer')
      const { location } = await failedAfterBegin({ device: 'laptop' })
      expect(location).toBe(refusedAt('provider_unavailable'))
    }
    const records = await told()
    expect(records).toHaveLength(limits.throttleAccountFailures + 1)
    expect(records[0]).toEqual(refusal('provider_unavailable'))
    expect(logged.filter((line) => line.includes('could not be used'))).toHaveLength(records.length)
    failure = new ProviderUnusable('no answer')
    expect(await rejectionOf(service.begin(null, wanted))).toMatchObject({
      code: 'dependency_unavailable',
      extras: { retryAfterSeconds: limits.dependencyRetrySeconds, isTurnedAway: true },
    })
    failure = new Error('a fault of Quire')
    expect(await rejectionOf(failedAfterBegin())).toBe(failure)
  })

  test('without a session while the provider is away, with a bounded number of log lines for any number of attempts', async () => {
    failure = new ProviderUnusable('no answer')
    for (let time = 0; time < limits.refusalsToldAMinute + 20; time++) {
      expect(await rejectionOf(service.begin(null, wanted))).toMatchObject({ code: 'dependency_unavailable' })
    }
    const lines = logged.filter((line) => line.includes('could not be used'))
    expect(lines).toHaveLength(limits.refusalsToldAMinute)
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'warn', why: 'no answer' })
  })

  test('nowhere after too many that failed, and a right one takes its count back', async () => {
    const wrong = () => service.finish(arrival({ state: 'another' }))
    for (let time = 0; time < limits.throttleAddressFailures; time++) await wrong()
    expect((await wrong()).location).toBe(refusedAt('throttled'))
    const throttled = (await told()).at(-1)
    expect(throttled).toEqual({
      ...{ action: 'session.throttled', actorId: SYSTEM_ACTOR_ID, resourceId: null },
      detail: {
        ...{ blocked: 'address', blocked_until: '2026-11-20T09:30:30Z', attempts: 1 },
        ...{ client_address: '192.0.2.1', by: 'provider' },
      },
    })
    const begun = await begin({ device: 'laptop' })
    expect((await finish(begun)).opened).toBeDefined()
    for (let time = 1; time < limits.throttleAccountFailures + 3; time++)
      expect((await finish(await begin({ device: 'laptop' }))).opened).toBeDefined()
  })

  test('without a session for somebody who may not enter, whom the trail names if known', async () => {
    service = await serve({ createsUsers: false })
    expect((await finish(await begin())).location).toBe(refusedAt('unknown_user'))
    service = await serve({ roles: [] })
    expect((await finish(await begin())).location).toBe(refusedAt('no_role'))
    expect(await told()).toEqual([refusal('unknown_user'), refusal('no_role')])
    service = await serve()
    await finish(await begin())
    const [user] = await rowsOf('users')
    await database.write((tx) =>
      tx.q
        .update(tx.t.users)
        .set({ disabled: true })
        .then(() => {}),
    )
    await told()
    expect((await finish(await begin())).location).toBe(refusedAt('disabled_account'))
    expect(await told()).toEqual([
      { ...refusal('disabled_account'), actorId: user!.id as string, resourceId: user!.id as string },
    ])
  })

  test('with a confirmation of the session that asked for it, if the same person signed in since', async () => {
    await finish(await begin())
    const [session] = await rowsOf('sessions')
    const [user] = await rowsOf('users')
    await told()
    const confirm = async (change: Partial<Identity>, sessionId = session!.id as string) => {
      identity = { ...identity, ...change }
      const { location, opened } = await finish(await begin({ sessionId }))
      expect([opened, asked.at(-1)]).toEqual([undefined, expect.objectContaining({ isFresh: true })])
      return location
    }
    const earliest = startSeconds - limits.oidcToleranceSeconds
    expect(await confirm({ authenticatedAt: undefined })).toBe(refusedAt('not_fresh'))
    expect(await confirm({ authenticatedAt: earliest - 1 })).toBe(refusedAt('not_fresh'))
    expect(await confirm({ authenticatedAt: earliest, subject: 's-2' })).toBe(refusedAt('other_person'))
    expect(await confirm({ subject: 's-1' }, newId())).toBe(refusedAt('other_person'))
    const refused = 'session.confirm_refused'
    expect(await told()).toEqual([
      ...[refusal('not_fresh', {}, refused), refusal('not_fresh', {}, refused), refusal('other_person', {}, refused)],
      { ...refusal('other_person', {}, refused), actorId: user!.id as string, resourceId: user!.id as string },
    ])
    expect(await confirm({})).toBe('/login?ended=confirmed')
    expect(await told()).toEqual([
      {
        ...{ action: 'session.confirmed', actorId: user!.id as string, resourceId: session!.id as string },
        detail: { by: 'provider' },
      },
    ])
    expect((await rowsOf('sessions'))[0]!.passwordGivenAt).toBe(addMs(start, -limits.oidcToleranceSeconds * 1_000))
  })

  describe('by the provider', () => {
    const end = () => service.endByProvider('a token', { clientAddress: '192.0.2.1', correlationId: 'ending' })
    async function signedIn(subject: string, sessionId: string | undefined) {
      identity = { ...identity, subject, sessionId }
      await finish(await begin())
      await told()
    }

    test('with its own session of that name, or with all of its user', async () => {
      await signedIn('s-1', 'there-1')
      await signedIn('s-1', 'there-2')
      await signedIn('s-2', 'there-3')
      const kept = async () => (await rowsOf('sessions')).map(({ oidcSession }) => oidcSession).toSorted()
      const name = (id: string) => providerSessionOf(config.issuer, id)
      logout = { id: 'l-1', subject: undefined, sessionId: 'there-1' }
      expect(await end()).toBe(true)
      expect(await kept()).toEqual([name('there-2'), name('there-3')].toSorted())
      const [first] = await rowsOf('users')
      expect(await told()).toEqual([
        {
          ...{ action: 'session.ended_by_provider', actorId: first!.id as string, resourceId: expect.any(String) },
          detail: {},
        },
      ])
      // Of another user than the session is.
      logout = { id: 'l-2', subject: 's-1', sessionId: 'there-3' }
      expect([await end(), (await kept()).length]).toEqual([true, 2])
      logout = { id: 'l-3', subject: 's-1', sessionId: undefined }
      expect([await end(), await kept()]).toEqual([true, [name('there-3')]])
      // Of nobody here, whatever session it names.
      for (const [id, sessionId] of [
        ['l-4', undefined],
        ['l-5', 'there-3'],
      ] as const) {
        logout = { id, subject: 'nobody', sessionId }
        expect([await end(), await kept()]).toEqual([true, [name('there-3')]])
      }
    })

    test('once for each token, and not for one that is none', async () => {
      logout = { id: 'l-1', subject: 's-1', sessionId: undefined }
      expect([await end(), await end()]).toEqual([true, false])
      const action = 'session.logout_token_refused'
      expect(await told()).toEqual([refusal('wrong_token', { why: 'it was used before' }, action)])
      failure = new AnswerRefused('wrong_token', 'a logout token has an id')
      expect(await end()).toBe(false)
      expect(await told()).toEqual([refusal('wrong_token', { why: 'a logout token has an id' }, action)])
      for (let time = 2; time < limits.throttleAddressFailures + 9; time++) expect(await end()).toBe(false)
      // What others send fills the trail no further, and a right token counts nevertheless.
      const records = (await told()).filter((record) => record.action === action)
      expect(records.length).toBeLessThan(limits.throttleAddressFailures)
      failure = undefined
      logout = { ...logout, id: 'l-2' }
      expect(await end()).toBe(true)
    })

    test('not while it can not be used, and a fault of Quire is none of the token', async () => {
      failure = new ProviderUnusable('no keys')
      expect(await rejectionOf(end())).toMatchObject({ code: 'dependency_unavailable' })
      failure = new Error('a fault of Quire')
      expect(await rejectionOf(end())).toBe(failure)
      expect(await told()).toEqual([])
    })

    test('where it has a place for that, and nowhere else while it can not be used', async () => {
      expect(await service.signOutLocation(origin)).toBe(`https://id.example.org/end?to=${origin}/login`)
      failure = new ProviderUnusable('away')
      expect(await service.signOutLocation(origin)).toBeNull()
      failure = new Error('a fault of Quire')
      expect(await rejectionOf(service.signOutLocation(origin))).toBe(failure)
    })
  })
})
