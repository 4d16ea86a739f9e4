import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { newId } from '../../../src/core/ids.ts'
import { addMs } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database, Transaction } from '../../../src/db/database.ts'
import { ALL, type Role, scopesOf, type TokenScope, tokenScopes } from '../../../src/http/access.ts'
import { isMutation, type Operation } from '../../../src/http/operation.ts'
import { reachableOperations } from '../../../src/http/reach.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { isTokenText, newTokenText } from '../../../src/modules/tokens/token-text.ts'
import { insertToken } from '../../../src/modules/tokens/tokens.store.ts'
import { holdUser } from '../../../src/modules/users/users.service.ts'
import { goodPassword, jsonOf, startTestApp, type TestApp, testAuthor } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase, testOf } from '../../support/database.ts'
import { whileUncommitted } from '../../support/lock-waits.ts'
import { outcomeOf } from '../../support/outcome.ts'

const minute = 60_000
const day = 24 * 60 * minute
const nowhere = '0198c3d2-7a10-7c00-8000-00000000dead'

interface Made {
  token: Record<string, unknown> & { id: string }
  secret: string
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const bearerJson = (secret: string) => ({ ...bearer(secret), 'content-type': 'application/json' })

describeOnBothDialects('API tokens', (dialect) => {
  let database: Database
  let started: TestApp
  let name: string
  let headers: Record<string, string>
  let names = 0

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    started = await startTestApp(dialect, { database })
    name = `owner-${dialect}-${++names}`
    await started.addUser(name, ['engineer'])
    headers = await started.signIn(name)
  })

  const post = (path: string, body: unknown, as = headers, app = started) =>
    app.send({ method: 'POST', path: `/api/v1/${path}`, headers: as, body })
  const make = async (more: Record<string, unknown> = {}, as = headers): Promise<Made> => {
    const body = { name: 'nightly', scopes: ['configuration_read', 'configuration_write'], ...more }
    const response = await post('tokens', body, as)
    expect(response.status).toBe(201)
    return (await response.json()) as Made
  }
  const contracts = (secret: string, app = started, address?: string) =>
    app.send({ path: '/api/v1/contracts', headers: bearer(secret), ...(address === undefined ? {} : { address }) })
  const administrator = async () => {
    const admin = `admin-${dialect}-${++names}`
    await started.addUser(admin, ['administrator'])
    return { id: (await started.users.findByUsername(admin))!.id, headers: await started.signIn(admin) }
  }
  const records = async () => {
    const rows = await database.read.q.select().from(database.read.t.auditRecords)
    return rows.map(({ action, actorId, detail }) => ({ action, actorId, ...(detail as Record<string, unknown>) }))
  }

  testOf(dialect, 'postgres')('of one user are bounded in number, also when two are made at once', async () => {
    const { id: userId } = (await started.users.findByUsername(name))!
    const at = started.clock.now()
    const insert = async (tx: Transaction) => {
      const id = newId()
      await insertToken(tx, {
        ...{ id, tokenHash: id, userId, name: 'other', scopes: [], families: null, createdBy: userId, createdAt: at },
        ...{ expiresAt: addMs(at, day), revokedAt: null, lastUsedAt: null, lastAddress: null },
      })
    }
    await database.write(async (tx) => {
      for (let nth = 1; nth < limits.tokensPerUser; nth++) await insert(tx)
    })
    const last = async (tx: Transaction) => {
      await holdUser(tx, userId)
      await insert(tx)
    }
    const body = { name: 'one too many', scopes: ['configuration_read'] }
    expect((await whileUncommitted(database, last, () => post('tokens', body))).status).toBe(409)
  })

  test('act in place of a session, without cookie, Origin and CSRF token, from any host', async () => {
    const { secret } = await make()
    expect((await contracts(secret)).status).toBe(200)
    const contract = { name: `by token ${name}`, description: '', schema: '{}' }
    expect((await post('contracts', contract, bearerJson(secret))).status).toBe(201)
    const elsewhere = await started.send({
      path: '/api/v1/contracts',
      headers: { ...bearer(secret), host: 'quire.internal:9000', origin: 'https://foreign.test' },
    })
    expect(elsewhere.status).toBe(200)
  })

  test('are shown once, have a form and a checksum that scanners know, and are kept as a hash', async () => {
    const { token, secret } = await make()
    expect(secret).toMatch(/^qr_[0-9A-Za-z]{46}$/)
    expect(isTokenText(secret)).toBe(true)
    const stored = await database.read.q.select().from(database.read.t.apiTokens)
    expect(JSON.stringify(stored)).not.toContain(secret.slice(3, 40))
    const hash = new Bun.CryptoHasher('sha256').update(secret).digest('hex')
    expect(stored.find(({ id }) => id === token.id)?.tokenHash).toBe(hash)
    const list = await (await started.send({ path: '/api/v1/tokens', headers })).text()
    expect(list).toContain(token.id)
    expect(list).not.toContain(secret)
    expect(list).not.toContain(hash)
    expect(started.logged.join('')).not.toContain(secret)
    expect(JSON.stringify(await records())).not.toContain(secret)
  })

  test('that nobody made, were changed by a character, or are of another form open nothing', async () => {
    const { secret } = await make()
    const changed = `${secret.slice(0, 10)}${secret[10] === 'x' ? 'y' : 'x'}${secret.slice(11)}`
    for (const text of [
      newTokenText(),
      changed,
      secret.slice(0, -1),
      `${secret}0`,
      secret.toUpperCase(),
      'qr_',
      'qr_x',
    ]) {
      const response = await contracts(text)
      expect([text, response.status, (await jsonOf(response)).code]).toEqual([text, 401, 'authentication_required'])
      // Not even beside a good session: whoever sends a token means it.
      const both = await started.send({ path: '/api/v1/contracts', headers: { ...headers, ...bearer(text) } })
      expect([text, both.status]).toEqual([text, 401])
    }
  })

  test('of others, as proxies send them, leave the session as it is', async () => {
    for (const authorization of ['Basic cXVpcmU6eA==', 'Bearer eyJhbGciOiJub25lIn0.e30.', 'Bearer', '']) {
      const response = await started.send({ path: '/api/v1/contracts', headers: { ...headers, authorization } })
      expect([authorization, response.status]).toEqual([authorization, 200])
    }
  })

  test('end when they expire, when they are revoked, and when their user is disabled: at once, on every instance', async () => {
    const other = await startTestApp(dialect, { database })
    const [expiring, revoked, disabled] = [await make({ expires_in_days: 1 }), await make(), await make()]
    for (const { secret } of [expiring, revoked, disabled]) expect((await contracts(secret, other)).status).toBe(200)
    expect((await post(`tokens/${revoked.token.id}/revoke`, {})).status).toBe(204)
    expect((await contracts(revoked.secret, other)).status).toBe(401)
    expect((await post(`tokens/${revoked.token.id}/revoke`, {})).status).toBe(204)
    other.clock.advance(day - 1)
    expect((await contracts(expiring.secret, other)).status).toBe(200)
    other.clock.advance(1)
    expect((await contracts(expiring.secret, other)).status).toBe(401)
    const user = (await started.users.findByUsername(name))!
    await started.users.update(user.id, { disabled: true }, testAuthor)
    expect((await contracts(disabled.secret, other)).status).toBe(401)
    await started.users.update(user.id, { disabled: false }, testAuthor)
    expect((await contracts(disabled.secret, other)).status).toBe(200)
  })

  test('lose with their user each role that is taken, and may nothing while a password must be changed', async () => {
    const { secret } = await make()
    const user = (await started.users.findByUsername(name))!
    await started.users.update(user.id, { roles: ['auditor'] }, testAuthor)
    expect((await contracts(secret)).status).toBe(200)
    const contract = { name: `taken ${name}`, description: '', schema: '{}' }
    expect((await post('contracts', contract, bearerJson(secret))).status).toBe(403)
    await started.users.resetPassword(user.id, 'another phrase altogether', testAuthor)
    expect((await contracts(secret)).status).toBe(403)
  })

  test('are never for more than their user may, and say so', async () => {
    for (const scopes of [['audit_read'], ['configuration_read', 'user_manage'], []]) {
      const response = await post('tokens', { name: 'more', scopes })
      expect([scopes, response.status]).toEqual([scopes, 422])
      const missing = scopes.find((scope) => scope !== 'configuration_read')
      if (missing !== undefined) expect((await jsonOf(response)).detail).toContain(missing)
    }
    for (const body of [
      { expires_in_days: 0 },
      { expires_in_days: 367 },
      { families: [] },
      { families: [nowhere] },
      { name: ' ' },
    ]) {
      const wanted = { name: 'x', scopes: ['configuration_read'], ...body }
      expect([body, (await post('tokens', wanted)).status]).toEqual([body, 422])
    }
    expect((await make()).token.expires_at).toBe('2027-02-18T09:30:00.123456789Z')
  })

  test('are made with the password of the last ten minutes, and never by a token', async () => {
    started.clock.advance(11 * minute)
    const wanted = { name: 'late', scopes: ['configuration_read'] }
    expect((await post('tokens', wanted)).status).toBe(403)
    expect((await post('auth/confirm-password', { password: goodPassword })).status).toBe(204)
    const { secret } = await make()
    expect((await post('tokens', wanted, bearerJson(secret))).status).toBe(401)
  })

  test('are seen and revoked by their owner and by administrators, and by nobody else', async () => {
    const { token } = await make()
    const stranger = `stranger-${dialect}-${++names}`
    await started.addUser(stranger, ['engineer'])
    const theirs = await started.signIn(stranger)
    expect(await jsonOf(await started.send({ path: '/api/v1/tokens', headers: theirs }))).toEqual({ tokens: [] })
    expect((await started.send({ path: '/api/v1/admin/tokens', headers: theirs })).status).toBe(403)
    expect((await post(`tokens/${token.id}/revoke`, {}, theirs)).status).toBe(404)
    expect((await post(`tokens/${nowhere}/revoke`, {}, theirs)).status).toBe(404)
    const admin = await administrator()
    const path = `/api/v1/admin/tokens?user_id=${(token.user as { id: string }).id}`
    const listed = (await jsonOf(await started.send({ path, headers: admin.headers }))) as { tokens: unknown[] }
    expect(listed.tokens).toEqual([token])
    expect((await post(`tokens/${token.id}/revoke`, {}, admin.headers)).status).toBe(204)
    const after = (await jsonOf(await started.send({ path, headers: admin.headers }))) as { tokens: unknown[] }
    expect(after.tokens).toEqual([{ ...token, status: 'revoked', revoked_at: '2026-11-20T09:30:00.123456789Z' }])
  })

  test('of people are made by themselves; administrators make those of service accounts', async () => {
    const admin = await administrator()
    const person = (await started.users.findByUsername(name))!
    const wanted = { name: 'for another', scopes: ['configuration_read'], user_id: person.id }
    expect((await post('tokens', wanted, admin.headers)).status).toBe(403)
    expect((await post('tokens', { ...wanted, user_id: admin.id })).status).toBe(403)
    expect((await post('tokens', { ...wanted, user_id: nowhere }, admin.headers)).status).toBe(422)
    const account = { username: `robot-${dialect}-${names}`, display_name: 'Robot', roles: ['operator'] }
    expect((await post('admin/service-accounts', account)).status).toBe(403)
    const made = await post('admin/service-accounts', account, admin.headers)
    expect(made.status).toBe(201)
    const { user } = (await made.json()) as { user: { id: string; is_service: boolean } }
    expect(user.is_service).toBe(true)
    const forRobot = { name: 'its own', scopes: ['submission_create', 'submission_read'], user_id: user.id }
    const { token, secret } = await make(forRobot, admin.headers)
    expect(token).toMatchObject({ user: { id: user.id, is_service: true }, created_by: admin.id })
    expect((await started.send({ path: '/api/v1/submissions', headers: bearer(secret) })).status).toBe(200)
  })

  test('set nobody’s password, which would give them rights beyond their scopes', async () => {
    const admin = await administrator()
    const clerk = `clerk-${dialect}-${++names}`
    await started.addUser(clerk, ['engineer'])
    const { id } = (await started.users.findByUsername(clerk))!
    const { secret } = await make({ name: 'accounts', scopes: ['user_manage'] }, admin.headers)
    expect((await started.send({ path: '/api/v1/admin/users', headers: bearer(secret) })).status).toBe(200)
    const stolen = 'a phrase of the thief'
    const reset = await post(`admin/users/${id}/reset-password`, { password: stolen }, bearerJson(secret))
    expect([reset.status, (await jsonOf(reset)).code]).toEqual([401, 'authentication_required'])
    expect((await started.login(clerk, stolen)).status).toBe(401)
    expect((await started.login(clerk)).status).toBe(200)
  })

  test('are all that a service account has: it has no password, and signs in nowhere', async () => {
    const admin = await administrator()
    const username = `robot-${dialect}-${++names}`
    const account = { username, displayName: 'Robot', roles: ['operator'] as const }
    const robot = await started.users.createServiceAccount(account, testAuthor)
    for (const password of ['', goodPassword, 'robot']) {
      const response = await started.login(username, password || ' ')
      expect([response.status, (await jsonOf(response)).code]).toEqual([401, 'invalid_credentials'])
    }
    const reset = await post(`admin/users/${robot.id}/reset-password`, { password: goodPassword }, admin.headers)
    expect(reset.status).toBe(409)
    expect((await started.login(username)).status).toBe(401)
  })

  test('are audited as themselves', async () => {
    await database.write((tx) => tx.q.delete(tx.t.auditRecords))
    const { token, secret } = await make()
    const { id: userId } = token.user as { id: string }
    await post('contracts', { name: `audited ${name}`, description: '', schema: '{}' }, bearerJson(secret))
    await post(`tokens/${token.id}/revoke`, {})
    const told = await records()
    expect(told.find(({ action }) => action === 'contract.created')).toMatchObject({
      actorId: userId,
      token_id: token.id,
    })
    expect(told.find(({ action }) => action === 'api_token.created')).toMatchObject({
      actorId: userId,
      user_id: userId,
      name: 'nightly',
    })
    const revoked = told.find(({ action }) => action === 'api_token.revoked')!
    expect(revoked).toMatchObject({ actorId: userId })
    expect(revoked).not.toHaveProperty('token_id')
  })

  test('tell when and from where they were last used, at the cost of a write a minute', async () => {
    const { token, secret } = await make()
    const used = async () => {
      await started.tokens.settled()
      const { tokens } = (await jsonOf(await started.send({ path: '/api/v1/tokens', headers }))) as {
        tokens: Made['token'][]
      }
      const { last_used_at, last_address } = tokens.find(({ id }) => id === token.id)!
      return [last_used_at, last_address]
    }
    expect(await used()).toEqual([undefined, undefined])
    await contracts(secret, started, '198.51.100.7')
    expect(await used()).toEqual(['2026-11-20T09:30:00.123456789Z', '198.51.100.7'])
    started.clock.advance(59_000)
    await contracts(secret, started, '198.51.100.7')
    expect(await used()).toEqual(['2026-11-20T09:30:00.123456789Z', '198.51.100.7'])
    started.clock.advance(2_000)
    await contracts(secret, started, '198.51.100.7')
    expect(await used()).toEqual(['2026-11-20T09:31:01.123456789Z', '198.51.100.7'])
  })

  test('have idempotency keys of their own: no answer that a session got comes out by a token', async () => {
    const { secret } = await make()
    const sent = { 'idempotency-key': `same-key-${name}` }
    const family = { slug: `s-${name}`.replaceAll('.', '-'), name: `S ${name}`, description: '' }
    expect((await post('transformers', family, { ...headers, ...sent })).status).toBe(201)
    expect((await post('transformers', family, { ...headers, ...sent })).status).toBe(201)
    expect((await post('transformers', family, { ...bearerJson(secret), ...sent })).status).toBe(409)
  })
})

/** Every operation that there is, asked in a form that changes nothing, by every kind of token. */
describeOnBothDialects('what a token does not cover is refused', (dialect) => {
  let started: TestApp
  let operations: readonly Operation[]
  let names = 0

  beforeAll(async () => {
    started = await startTestApp(dialect)
    operations = started.app.operations.filter(({ access }) => access.kind === 'session')
    expect(operations.length).toBeGreaterThan(80)
  })

  const tokenOf = async (roles: readonly Role[], scopes: readonly TokenScope[], families?: readonly string[]) => {
    const account = { username: `robot-${++names}`, displayName: 'Robot', roles }
    const { id: userId } = await started.users.createServiceAccount(account, testAuthor)
    return (await started.tokens.create({ name: 'x', userId, scopes, families, days: 1 }, testAuthor)).text
  }
  const call = (operation: Operation, headers: Record<string, string>, id = nowhere) =>
    // No Content-Type: a mutation that passes the guards ends at 415.
    started.send({
      method: operation.method,
      path: operation.path.replace(/\{(?:number|older|newer)\}/g, '1').replace(/\{\w+\}/g, id),
      headers,
    })

  test('of all operations, roles and scopes, a token passes exactly where its scope and a session of its role do', async () => {
    const leaks: string[] = []
    let refused = 0
    let passed = 0
    for (const role of ALL) {
      await started.addUser(role, [role])
      const { 'content-type': _, ...session } = await started.signIn(role)
      const statuses = new Map<string, number>()
      for (const operation of operations) {
        // These two end the session that asks.
        if (['changePassword', 'logout'].includes(operation.id)) continue
        statuses.set(operation.id, (await call(operation, session)).status)
      }
      for (const scope of scopesOf([role])) {
        const headers = bearer(await tokenOf([role], [scope]))
        for (const operation of operations) {
          const { status } = await call(operation, headers)
          const { access } = operation
          const covered = access.kind === 'session' && access.scope === scope
          const asSession = statuses.get(operation.id)
          const isForPeople = access.kind === 'session' && access.scope === undefined
          const expected = isForPeople ? 401 : covered && asSession !== 403 ? asSession : 403
          if (status !== expected) leaks.push(`${role} ${scope} ${operation.id}: ${status}, not ${expected}`)
          if (status === 403 || status === 401) refused++
          else passed++
        }
      }
    }
    expect(leaks).toEqual([])
    expect(refused).toBeGreaterThan(1_500)
    expect(passed).toBeGreaterThan(200)
    // Thousands of requests, one after the other.
  }, 240_000)

  test('a retry, which answers what the execution read and made, wants the scope for reading it as well', async () => {
    const send = async (scopes: readonly TokenScope[]) => {
      const headers = bearerJson(await tokenOf(['operator'], scopes))
      const path = `/api/v1/executions/${nowhere}/retry`
      const answer = await started.send({ method: 'POST', path, headers, body: {} })
      return [answer.status, (await jsonOf(answer)).detail]
    }
    expect(await send(['submission_create'])).toEqual([403, expect.stringContaining('submission_read')])
    expect((await send(['submission_create', 'submission_read']))[0]).toBe(404)
  })

  test('no scope gives what its role does not: it can not even be made', async () => {
    for (const role of ALL) {
      const held = scopesOf([role])
      for (const scope of tokenScopes.filter((one) => !held.includes(one))) {
        expect(await outcomeOf(tokenOf([role], [scope]))).toThrow(scope)
      }
    }
  })

  test('what belongs to a person is for no token, whatever its scopes', async () => {
    const headers = bearer(await tokenOf(['administrator'], tokenScopes))
    const closed: string[] = []
    for (const operation of operations) {
      const { status } = await call(operation, headers)
      if (status === 401) closed.push(operation.id)
      else expect([operation.id, status]).not.toEqual([operation.id, 403])
    }
    expect(closed.sort()).toEqual(
      [
        ...['changePassword', 'confirmPassword', 'getCurrentSession', 'getOwnAccount', 'logout'],
        ...['confirmAtProvider', 'logoutAtProvider'],
        ...['giveSecondFactor', 'askSecondFactorPasskey', 'beginApp', 'addApp', 'beginPasskey', 'addPasskey'],
        ...['listFactors', 'removeFactor', 'replaceRecoveryCodes', 'resetUserFactors', 'resetUserPassword'],
        ...['listNotices', 'readNotices', 'search'],
        ...['listSessions', 'endSession', 'endOtherSessions', 'listUserSessions', 'endUserSession'],
        ...['createToken', 'listAllTokens', 'listTokens', 'revokeToken'],
        ...['placeHold', 'releaseHold', 'planRetention', 'setRetention'],
      ].sort(),
    )
  })

  test('every operation says its scope in the description, and reads are never for a scope that writes', () => {
    const reads = [
      'configuration_read',
      'submission_read',
      'audit_read',
      'artifact_download',
      'user_manage',
      'webhook_manage',
      'readiness_read',
    ]
    for (const { id, method, access } of operations) {
      if (access.kind !== 'session' || access.scope === undefined || isMutation(method)) continue
      expect([id, reads]).toEqual([id, expect.arrayContaining([access.scope])])
    }
    for (const { id, method, access } of operations) {
      if (access.kind !== 'session' || !isMutation(method)) continue
      const isHarmless = id === 'verifyExecution'
      if (!isHarmless) expect([id, access.scope]).not.toEqual([id, expect.stringMatching(/_read$/)])
    }
  })

  describe('a token for some families', () => {
    let model: string
    let contract: string

    beforeAll(async () => {
      await seedDemo(started.database, started.clock)
      const families = await started.database.read.q.select().from(started.database.read.t.families)
      model = families.find(({ kind, slug }) => kind === 'ingestion_model' && slug === 'clws-policy')!.id
      contract = families.find(({ kind }) => kind === 'contract')!.id
    })

    const readLab = async () => {
      const all = await tokenOf(['engineer'], ['configuration_read'])
      const lab = await started.send({ path: '/api/v1/intake-test-lab/scenarios', headers: bearer(all) })
      return (await lab.json()) as { scenarios: { raw_input: string; metadata: unknown }[]; release_id: string }
    }
    const submit = (secret: string, body: unknown) =>
      started.send({
        method: 'POST',
        path: '/api/v1/submissions',
        headers: { ...bearerJson(secret), 'idempotency-key': crypto.randomUUID() },
        body,
      })
    const submitted = async (secret: string) => {
      const { raw_input, metadata } = (await readLab()).scenarios[0]!
      const accepted = await submit(secret, { ingestion_model: 'clws-policy', raw_input, metadata })
      expect(accepted.status).toBe(202)
      const { submission } = (await accepted.json()) as { submission: { id: string; executions: { id: string }[] } }
      return { submission: submission.id, execution: submission.executions[0]!.id }
    }

    /** Asks for operations on what is there, with a body that changes nothing; gives what it answered. */
    const askAll = async (secret: string, asked: readonly Operation[], ids: Readonly<Record<string, string>>) => {
      const statuses = new Map<string, number>()
      for (const operation of asked) {
        const path = operation.path
          .replace(/\{(?:number|older|newer)\}/g, '1')
          .replace(/\{(\w+)\}/g, (_, param: string) => ids[param] ?? nowhere)
        const { status } = await started.send({
          ...{ method: operation.method, path },
          headers: { ...bearerJson(secret), 'idempotency-key': crypto.randomUUID(), 'if-match': '"1"' },
          ...(isMutation(operation.method) ? { body: {} } : {}),
        })
        statuses.set(operation.id, status)
      }
      return statuses
    }
    /** Of a body that is refused for its shape, an operation that such a token may reach says no more than that. */
    const isRefused = (id: string, status: number) =>
      [401, 403].includes(status) || (reachableOperations.includes(id) && [415, 422].includes(status))

    test('reaches no operation on what belongs to others, and none that is about more than one', async () => {
      const author = bearerJson(await tokenOf(['engineer'], ['configuration_write']))
      const body = { name: 'of another', description: '', schema: '{}' }
      await started.send({ method: 'POST', path: '/api/v1/contracts', headers: author, body })
      const all = await started.database.read.q.select().from(started.database.read.t.families)
      const idOf = (kind: string) => all.find((family) => family.kind === kind)?.id ?? expect.unreachable(kind)
      const another = all.find((family) => family.name === body.name)!.id
      const { execution, submission } = await submitted(await tokenOf(['operator'], ['submission_create']))
      const ids = {
        ...{ contractId: contract, transformId: idOf('transformer'), transformerId: idOf('transformer') },
        ...{ templateId: idOf('template'), ingestionModelId: model, familyId: model },
        ...{ executionId: execution, submissionId: submission },
      }
      const scopes = tokenScopes
      const limited = await askAll(await tokenOf(['administrator'], scopes, [another]), operations, ids)
      expect([...limited].filter(([id, status]) => !isRefused(id, status))).toEqual([])
      // The same, asked by a token for all, is there: nothing is refused because there is no such thing.
      const reachable = operations.filter(({ id }) => reachableOperations.includes(id))
      const everything = await askAll(await tokenOf(['administrator'], scopes), reachable, ids)
      const reached = [...everything].filter(([, status]) => status === 200)
      expect(reached.length).toBeGreaterThan(20)
      for (const [id] of reached) expect([id, limited.get(id)]).toEqual([id, 403])
      // Whatever came to the table lately is among them.
      for (const id of ['compareConfiguration', 'getOperationsStatus', 'planActivationSet', 'applyActivationSet'])
        expect([id, limited.get(id)]).toEqual([id, 403])
      // More than a hundred requests, one after the other.
    }, 240_000)

    test('reaches its own by every operation that names it, and by no other', async () => {
      const headers = bearer(await tokenOf(['administrator'], tokenScopes, [model]))
      const ids = new Set(operations.map(({ id }) => id))
      expect(reachableOperations.filter((id) => !ids.has(id))).toEqual([])
      for (const operation of operations.filter(({ method }) => method === 'GET')) {
        const isOwn = operation.path.includes('{ingestionModelId}')
        const { status } = await call(operation, headers, model)
        if (isOwn) expect([operation.id, status]).not.toEqual([operation.id, 403])
        else if (!operation.path.includes('Id}'))
          expect([operation.id, [401, 403].includes(status)]).toEqual([operation.id, true])
      }
    })

    test('submits to its model and follows the result; others see nothing of that', async () => {
      const service = ['operator'] as const
      const scopes: TokenScope[] = ['submission_create', 'submission_read', 'artifact_download']
      const own = await tokenOf(service, scopes, [model])
      const other = await tokenOf(service, scopes, [contract])
      const { raw_input, metadata } = (await readLab()).scenarios[0]!
      const body = { ingestion_model: 'clws-policy', raw_input, metadata }
      expect((await submit(other, body)).status).toBe(403)
      expect((await submit(own, { ...body, ingestion_model: 'of-nobody' })).status).toBe(403)
      const { submission, execution } = await submitted(own)
      const paths = [
        `submissions/${submission}`,
        `executions/${execution}`,
        `executions/${execution}/trace`,
        `executions/${execution}/artifacts/${nowhere}/download`,
      ]
      for (const path of paths) {
        const ask = async (secret: string) =>
          (await started.send({ path: `/api/v1/${path}`, headers: bearer(secret) })).status
        // An operator reads submissions; whatever the session of the role may, the token may here.
        expect([path, await ask(own)]).not.toEqual([path, 403])
        expect([path, await ask(other)]).toEqual([path, 403])
      }
      // A run of a release belongs to no model, though the release is the model's own.
      const unlimited = await tokenOf(service, scopes)
      // The first submission has made it.
      const { release_id } = await readLab()
      const run = await submit(unlimited, { release_id, raw_input, metadata })
      expect([run.status, run.status === 202 ? '' : await run.text()]).toEqual([202, ''])
      const made = ((await run.json()) as { submission: { id: string } }).submission.id
      expect((await submit(own, { release_id, raw_input, metadata })).status).toBe(403)
      expect((await started.send({ path: `/api/v1/submissions/${made}`, headers: bearer(own) })).status).toBe(403)
    })
  })
})
