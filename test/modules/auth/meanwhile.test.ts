/** What happens to an account while somebody's password is hashed, which takes long. */
import { beforeEach, expect, test } from 'bun:test'
import { goodPassword, jsonOf, startTestApp, type TestApp, testAuthor } from '../../http/harness.ts'
import { beforeWriting } from '../../support/between-statements.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

describeOnBothDialects('while a password is hashed', (dialect) => {
  let app: TestApp
  let writing: ReturnType<typeof beforeWriting>

  beforeEach(async () => {
    writing = beforeWriting(await openTestDatabase(dialect))
    app = await startTestApp(dialect, { database: writing.database, secondFactorRoles: ['administrator'] })
    await app.addUser('root', ['administrator'])
  })

  test('a role that wants a second factor is given, and the sign-in does not go without', async () => {
    const { id } = await app.addUser('ann', ['operator'])
    expect((await jsonOf(await app.login('ann'))).awaits).toBeUndefined()
    // The first write counts the attempt.
    writing.meanwhile(2, () => app.users.update(id, { roles: ['administrator'] }, testAuthor))
    const answer = await app.login('ann')
    expect([answer.status, writing.hasHappened()]).toEqual([401, true])
    expect((await jsonOf(await app.login('ann'))).awaits).toBe('enrolment')
  })

  test('an account is linked to a provider, and gets no password beside it', async () => {
    const { id } = await app.addUser('ben', ['operator'])
    const identity = { issuer: 'https://provider.test', subject: 'ben' }
    writing.meanwhile(1, () => app.users.link(id, identity, testAuthor))
    const reset = app.users.resetPassword(id, `${goodPassword} anew`, testAuthor)
    expect(String(await rejectionOf(reset))).toContain('signs in at the provider')
    expect((await app.login('ben', `${goodPassword} anew`)).status).toBe(401)
  })

  test('an account becomes an administrator, whose password wants the own one again', async () => {
    const { id } = await app.addUser('eve', ['operator'])
    writing.meanwhile(1, () => app.users.update(id, { roles: ['administrator'] }, testAuthor))
    const requirePassword = () => {
      throw new Error('give your password again')
    }
    const reset = app.users.resetPassword(id, `${goodPassword} anew`, { ...testAuthor, requirePassword })
    expect(String(await rejectionOf(reset))).toContain('give your password again')
  })
})
