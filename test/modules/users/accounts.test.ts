import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Database } from '../../../src/db/database.ts'
import type { AuthService } from '../../../src/modules/auth/auth.service.ts'
import { type Administrating, createUserService } from '../../../src/modules/users/users.service.ts'
import { forgetUsers, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const boss = '0198c3d2-7a10-7c00-8000-0000000000a1'
const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'
const identity = { issuer: 'https://id.example.org', subject: 's-1' }
const refusal = new Error('the password is wanted')

describeOnBothDialects('whoever changes accounts', (dialect) => {
  let database: Database
  let app: TestApp
  let asked: number
  /** Asks for the password each time that it has to be given again. */
  const by: Administrating = { userId: boss, correlationId: 'changing', requirePassword: () => void asked++ }
  const withoutPassword: Administrating = {
    ...by,
    requirePassword: () => {
      throw refusal
    },
  }

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    await forgetUsers(database)
    await database.write((tx) => tx.q.delete(tx.t.notices))
    app = await startTestApp(dialect, { database })
    asked = 0
  })
  afterAll(() => database?.close())

  /** What the trail and the notices say since this was asked the last time. */
  async function told() {
    const { q, t } = database.read
    const [records, notices] = [await q.select().from(t.auditRecords), await q.select().from(t.notices)]
    await database.write((tx) => tx.q.delete(tx.t.auditRecords))
    await database.write((tx) => tx.q.delete(tx.t.notices))
    return {
      trail: records.map(({ action, actorId, resourceKind, resourceId, correlationId, detail }) => ({
        ...{ action, actorId, resourceKind, resourceId, correlationId, detail },
      })),
      notices: notices.map(({ userId, kind }) => ({ userId, kind })),
    }
  }
  const recordOf = (action: string, { id, username }: { id: string; username: string }, more: object = {}) => ({
    ...{ action, actorId: boss, resourceKind: 'user', resourceId: id, correlationId: 'changing' },
    detail: { username, roles: ['operator'], disabled: false, ...more },
  })
  async function person(username: string) {
    const made = await app.addUser(username, ['operator'])
    await told()
    return made
  }
  const faultOf = async (work: Promise<unknown>) => {
    const { code, detail } = (await rejectionOf(work)) as { code: string; detail: string }
    return [code, detail]
  }

  test('makes service accounts, which have no password and are told of as such', async () => {
    const account = { username: 'nightly', displayName: 'Nightly', roles: ['operator', 'administrator'] as const }
    expect(await rejectionOf(app.users.createServiceAccount(account, withoutPassword))).toBe(refusal)
    const made = await app.users.createServiceAccount(account, by)
    expect(made).toMatchObject({
      ...{ username: 'nightly', displayName: 'Nightly', roles: ['administrator', 'operator'], isService: true },
      ...{ disabled: false, mustChangePassword: false, oidcSubject: null },
    })
    expect([asked, await app.users.find(made.id)]).toEqual([1, made])
    const detail = { roles: ['administrator', 'operator'] }
    expect(await told()).toEqual({ trail: [recordOf('user.created', made, detail)], notices: [] })
    expect(await faultOf(app.users.resetPassword(made.id, 'a long enough phrase', by))).toEqual([
      ...['conflict', 'A service account has no password. Make a token for it.'],
    ])
    expect(await faultOf(app.users.link(made.id, identity, by))).toEqual([
      ...['conflict', 'A service account signs in nowhere. Make a token for it.'],
    ])
    expect(await faultOf(app.users.createServiceAccount(account, by))).toEqual([
      ...['conflict', 'The username nightly is taken. Choose another.'],
    ])
    expect((await faultOf(app.users.createServiceAccount({ ...account, username: 'Not so' }, by)))[1]).toStartWith(
      'The username ',
    )
    for (const displayName of ['a\u001b[31m', '\u0007', ' ', '']) {
      const user = {
        ...account,
        username: 'ann',
        displayName,
        mustChangePassword: false,
        password: 'a long enough phrase',
      }
      const refused = [app.users.createServiceAccount(user, by), app.users.create(user, by)]
      for (const one of refused)
        expect(await faultOf(one)).toEqual(['validation_failed', expect.stringMatching(/^The name must /)])
    }
    expect(await told()).toEqual({ trail: [], notices: [] })
  })

  test('links a user to a subject of the provider that nobody else has, and takes the link away', async () => {
    const [ann, bob] = [await person('ann'), await person('bob')]
    const session = await app.signIn('ann')
    await told()
    expect(await rejectionOf(app.users.link(ann.id, identity, withoutPassword))).toBe(refusal)
    const linked = await app.users.link(ann.id, identity, by)
    expect(linked).toMatchObject({ oidcIssuer: identity.issuer, oidcSubject: 's-1', oidcSignedInAt: app.clock.now() })
    expect(await app.users.find(ann.id)).toEqual(linked)
    expect([asked, (await app.send({ path: '/api/v1/auth/session', headers: session })).status]).toEqual([1, 401])
    expect((await app.login('ann')).status).toBe(401)
    const { trail, notices } = await told()
    expect([trail[0], notices]).toEqual([recordOf('user.linked', ann), [{ userId: ann.id, kind: 'provider_linked' }]])
    expect(await faultOf(app.users.resetPassword(ann.id, 'a long enough phrase', by))).toEqual([
      ...['conflict', 'This user signs in at the provider, and has no password here. Unlink the user first.'],
    ])
    expect(await faultOf(app.users.link(bob.id, identity, by))).toEqual([
      ...['conflict', "This subject of the provider is another user's. Unlink that user first."],
    ])
    await told()
    const unlinked = await app.users.link(ann.id, undefined, by)
    expect(unlinked).toMatchObject({ oidcIssuer: null, oidcSubject: null, oidcSignedInAt: null })
    expect(await told()).toEqual({
      trail: [recordOf('user.unlinked', ann)],
      notices: [{ userId: ann.id, kind: 'provider_unlinked' }],
    })
    // The password of before opens nothing any more; a new one does.
    expect((await app.login('ann')).status).toBe(401)
    expect(await app.users.link(bob.id, identity, by)).toMatchObject({ oidcSubject: 's-1' })
  })

  test('resets a password and tells its user, and resets an administrator’s only with the own password', async () => {
    const ann = await person('ann')
    const reset = await app.users.resetPassword(ann.id, 'a long enough phrase', withoutPassword)
    expect([reset.mustChangePassword, await app.users.find(ann.id)]).toEqual([true, reset])
    expect(await told()).toEqual({
      trail: [recordOf('user.password_reset', ann)],
      notices: [{ userId: ann.id, kind: 'password_reset' }],
    })
    const root = await app.addUser('root', ['administrator'])
    await told()
    expect(await rejectionOf(app.users.resetPassword(root.id, 'a long enough phrase', withoutPassword))).toBe(refusal)
    expect((await faultOf(app.users.resetPassword(ann.id, 'short', by)))[1]).toStartWith(
      'Body field password must have',
    )
    expect(await told()).toEqual({ trail: [], notices: [] })
  })

  test('gives rights only with the own password, and takes them without', async () => {
    const ann = await person('ann')
    const change = (wanted: Parameters<typeof app.users.update>[1], author = withoutPassword) =>
      app.users.update(ann.id, wanted, author)
    for (const wanted of [{ roles: ['operator', 'auditor'] as const }, { roles: ['auditor'] as const }]) {
      expect(await rejectionOf(change(wanted))).toBe(refusal)
    }
    expect(await change({ disabled: true })).toMatchObject({ disabled: true, roles: ['operator'] })
    expect(await rejectionOf(change({ disabled: false }))).toBe(refusal)
    expect((await told()).trail).toEqual([recordOf('user.updated', ann, { disabled: true })])
    app.clock.advance(5)
    const again = await change({ disabled: false, roles: ['auditor', 'operator'] }, by)
    expect(again).toMatchObject({
      disabled: false,
      displayName: 'ann',
      updatedAt: app.clock.now(),
      createdAt: ann.createdAt,
    })
    expect([asked, await app.users.find(ann.id)]).toEqual([1, again])
  })

  test('takes away no second factors where there are none, and finds no unknown user', async () => {
    const ann = await person('ann')
    expect(await rejectionOf(app.users.resetFactors(ann.id, withoutPassword))).toBe(refusal)
    expect(await faultOf(app.users.resetFactors(ann.id, by))).toEqual(['conflict', 'This user has no second factor.'])
    for (const work of [
      () => app.users.resetFactors(nobody, by),
      () => app.users.resetPassword(nobody, 'a long enough phrase', by),
      () => app.users.update(nobody, { disabled: true }, by),
      () => app.users.link(nobody, identity, by),
      () => app.users.revokeSessions(nobody, by),
    ])
      expect(await faultOf(work())).toEqual(['not_found', 'There is no such user.'])
    expect(await told()).toEqual({ trail: [], notices: [] })
    await app.users.revokeSessions(ann.id, by)
    expect((await told()).trail).toEqual([recordOf('user.sessions_revoked', ann)])
  })

  test('sets no password of somebody who is linked, or made an administrator, while its hash is made', async () => {
    const meanwhile = (what: (id: string) => Promise<unknown>) => async (username: string) => {
      const { id } = await person(username)
      const auth: AuthService = Object.create(app.auth, {
        hashNewPassword: {
          value: async (...of: Parameters<AuthService['hashNewPassword']>) => {
            await what(id)
            return app.auth.hashNewPassword(...of)
          },
        },
      })
      const users = createUserService({ database, clock: app.clock, auth })
      return rejectionOf(users.resetPassword(id, 'a rather odd phrase', withoutPassword))
    }
    const linking = meanwhile((id) => app.users.link(id, identity, by))
    expect(await linking('ann')).toMatchObject({ code: 'conflict' })
    const promoting = meanwhile((id) => app.users.update(id, { roles: ['administrator'] }, by))
    expect(await promoting('bob')).toBe(refusal)
    for (const name of ['ann', 'bob']) expect((await app.login(name, 'a rather odd phrase')).status).toBe(401)
  })
})
