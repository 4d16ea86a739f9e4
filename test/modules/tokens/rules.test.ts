import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '../../../src/core/ids.ts'
import { addMs, type Instant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import type { Principal, Role } from '../../../src/http/access.ts'
import { hashToken } from '../../../src/http/tokens.ts'
import { isTokenText, newTokenText } from '../../../src/modules/tokens/token-text.ts'
import { type NewToken, statusOf } from '../../../src/modules/tokens/tokens.service.ts'
import { listExpiring, markReminded, touchToken } from '../../../src/modules/tokens/tokens.store.ts'
import { startTestApp, type TestApp, testAuthor } from '../../http/harness.ts'
import { rejectionOf } from '../../support/outcome.ts'

const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'
const day = 86_400_000
let app: TestApp
let database: Database
let ann: string
let names = 0

beforeAll(async () => {
  app = await startTestApp()
  ;({ database } = app)
})
beforeEach(async () => {
  ann = (await app.addUser(`ann-${++names}`, ['operator'])).id
  await database.write(async ({ q, t }) => {
    await q.delete(t.auditRecords)
    await q.delete(t.notices)
    await q.delete(t.apiTokens)
  })
})

const wanted = (more: Partial<NewToken> = {}): NewToken => ({
  ...{ name: 'nightly', userId: ann, scopes: ['submission_read'], days: 90 },
  ...more,
})
const make = (more: Partial<NewToken> = {}, by: object = {}) =>
  app.tokens.create(wanted(more), { ...testAuthor, userId: ann, ...by })
const faultOf = async (work: Promise<unknown>) => {
  const { code, detail } = (await rejectionOf(work)) as { code: string; detail: string }
  return [code, detail]
}
function principal(userId: string, roles: Role[]): { principal: Principal } {
  const at = app.clock.now()
  const permissions = roles.includes('administrator') ? (['user_manage'] as const) : []
  return {
    principal: {
      ...{ sessionId: 's', userId, username: 'x', displayName: 'x', roles, permissions },
      ...{ mustChangePassword: false, passwordGivenAt: undefined, expiresAt: at, idleExpiresAt: at },
    },
  }
}
async function told() {
  const { q, t } = database.read
  const records = await q.select().from(t.auditRecords).orderBy(t.auditRecords.id)
  const notices = await q.select().from(t.notices).orderBy(t.notices.id)
  await database.write(async (tx) => {
    await tx.q.delete(tx.t.auditRecords)
    await tx.q.delete(tx.t.notices)
  })
  return {
    trail: records.map(({ action, actorId, resourceKind, resourceId, detail }) => ({
      ...{ action, actorId, of: `${resourceKind} ${resourceId}`, detail },
    })),
    notices: notices.map(({ userId, kind, name }) => ({ userId, kind, name })),
  }
}
async function family(slug: string): Promise<string> {
  const [id, at] = [newId(), app.clock.now()]
  await database.write(({ q, t }) =>
    q.insert(t.families).values({
      ...{ id, kind: 'contract' as const, slug, name: `Of ${slug}`, description: '', draftRevision: 0 },
      ...{ latestNumber: 0, createdBy: ann, createdAt: at, updatedAt: at },
    }),
  )
  return id
}

test('one that is made and one that is revoked are told of once, with whose they are and what they reach', async () => {
  const [one, two] = [await family(`b-${names}`), await family(`a-${names}`)]
  const families = [one, two]
  const { token, text } = await make({ families: [one, two, one] })
  expect(token).toEqual({
    ...{ id: expect.any(String), userId: ann, name: 'nightly', scopes: ['submission_read'], families },
    ...{ createdBy: ann, createdAt: app.clock.now(), expiresAt: addMs(app.clock.now(), 90 * day) },
    ...{ revokedAt: null, lastUsedAt: null, lastAddress: null, username: `ann-${names}`, isService: false },
    familyNames: expect.arrayContaining([
      { id: one, kind: 'contract', slug: `b-${names}`, name: `Of b-${names}` },
      { id: two, kind: 'contract', slug: `a-${names}`, name: `Of a-${names}` },
    ]),
  })
  expect(token.familyNames).toHaveLength(2)
  const own = { actorId: ann, of: `api_token ${token.id}` }
  expect(await told()).toEqual({
    trail: [
      {
        ...{ action: 'api_token.created', ...own },
        detail: { user_id: ann, name: 'nightly', scopes: ['submission_read'], families },
      },
    ],
    notices: [{ userId: ann, kind: 'token_created', name: 'nightly' }],
  })
  const unlimited = await make()
  expect((await told()).trail[0]!.detail).not.toHaveProperty('families')
  expect(unlimited.token).toMatchObject({ families: null, familyNames: [] })
  await app.tokens.revoke(token.id, { ...testAuthor, userId: ann })
  await app.tokens.revoke(token.id, { ...testAuthor, userId: ann })
  expect(await told()).toEqual({
    trail: [{ action: 'api_token.revoked', ...own, detail: { user_id: ann, name: 'nightly' } }],
    notices: [{ userId: ann, kind: 'token_revoked', name: 'nightly' }],
  })
  expect(await app.tokens.findPrincipal(text, 'x')).toBeUndefined()
  expect(await app.tokens.findPrincipal(unlimited.text, 'x')).toBeDefined()
})

test('none is made for whoever may not have it, and each refusal says what to do', async () => {
  const boss = principal(newId(), ['administrator'])
  expect(await faultOf(make({ userId: nobody }))).toEqual([
    ...['validation_failed', 'Body field user_id: there is no such user.'],
  ])
  expect(await faultOf(make({}, boss))).toEqual([
    ...['forbidden', 'A person makes their own tokens. Make a service account for what belongs to nobody.'],
  ])
  expect(await faultOf(make({}, principal(newId(), ['operator'])))).toEqual([
    ...['forbidden', 'Only administrators make tokens for others. Leave user_id out.'],
  ])
  expect(await faultOf(make({ scopes: ['submission_read', 'audit_read', 'user_manage'] }))).toEqual([
    'validation_failed',
    `Body field scopes: the roles of ann-${names} do not allow audit_read, user_manage. Leave it out, or give a role first.`,
  ])
  const known = await family(`known-${names}`)
  expect(await faultOf(make({ families: [known, nobody] }))).toEqual([
    ...['validation_failed', `Body field families: there is no family ${nobody}.`],
  ])
  await app.users.update(ann, { disabled: true }, testAuthor)
  await told()
  expect(await faultOf(make({}, principal(ann, ['operator'])))).toEqual([
    ...['validation_failed', `Body field user_id: ann-${names} is disabled.`],
  ])
  expect(await told()).toEqual({ trail: [], notices: [] })
  const account = { username: `robot-${names}`, displayName: 'Robot', roles: ['operator'] as const }
  const { id: robot } = await app.users.createServiceAccount(account, testAuthor)
  expect(await faultOf(make({ userId: robot }, principal(newId(), ['operator'])))).toContain('forbidden')
  expect((await make({ userId: robot }, boss)).token).toMatchObject({ userId: robot, isService: true })
})

test('a user has a hundred that still open something, and the next is refused', async () => {
  const at = app.clock.now()
  const row = (index: number, more: object) => ({
    ...{ id: `t-${names}-${index}`, tokenHash: `t-${names}-${index}`, userId: ann, name: 'x', scopes: [] },
    ...{ families: null, createdBy: ann, createdAt: at, expiresAt: addMs(at, 1), revokedAt: null },
    ...{ lastUsedAt: null, lastAddress: null, ...more },
  })
  const rows = Array.from({ length: limits.tokensPerUser - 1 }, (_, index) => row(index, {}))
  const over = [row(200, { expiresAt: at }), row(201, { revokedAt: at })]
  await database.write(({ q, t }) => q.insert(t.apiTokens).values([...rows, ...over]))
  const { token } = await make()
  expect(await faultOf(make())).toEqual(['conflict', `ann-${names} has 100 tokens. Revoke one first.`])
  await app.tokens.revoke(token.id, testAuthor)
  expect((await make()).token.name).toBe('nightly')
})

test('one is revoked by its user and by whoever manages users, and doesn’t exist for others', async () => {
  const { token } = await make()
  const gone = ['not_found', 'There is no such token.']
  const revoke = (id: string, by: object) => app.tokens.revoke(id, { ...testAuthor, ...by })
  expect(await faultOf(revoke(token.id, principal(newId(), ['operator'])))).toEqual(gone)
  expect(await faultOf(revoke(nobody, {}))).toEqual(gone)
  expect(await faultOf(revoke(nobody, principal(ann, ['administrator'])))).toEqual(gone)
  await revoke(token.id, principal(ann, ['operator']))
  const other = await make()
  await revoke(other.token.id, principal(newId(), ['administrator']))
  const { rows } = await app.tokens.list({ userId: ann, limit: 10 })
  expect(rows.map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
    [other.token.id, app.clock.now()],
    [token.id, app.clock.now()],
  ])
})

test('they are listed newest first, of one user or all, page by page', async () => {
  const bob = (await app.addUser(`bob-${names}`, ['operator'])).id
  const ids: string[] = []
  for (const userId of [ann, bob, ann]) ids.unshift((await make({ userId })).token.id)
  const idsOf = async (asked: { userId?: string; limit: number; cursor?: string | undefined }) => {
    const { rows, last } = await app.tokens.list(asked)
    return [rows.map(({ id }) => id), last?.id]
  }
  expect(await idsOf({ limit: 3 })).toEqual([ids, undefined])
  expect(await idsOf({ limit: 2 })).toEqual([ids.slice(0, 2), ids[1]])
  expect(await idsOf({ limit: 2, cursor: ids[1] })).toEqual([ids.slice(2), undefined])
  expect(await idsOf({ userId: ann, limit: 1 })).toEqual([[ids[0]!], ids[0]!])
  expect(await idsOf({ userId: bob, limit: 1 })).toEqual([[ids[1]!], undefined])
})

test('a token acts for its user with what both allow, until the moment in which it ends', async () => {
  const { token, text } = await make({ scopes: ['submission_create', 'configuration_read'], days: 1 })
  const found = await app.tokens.findPrincipal(text, '192.0.2.1')
  expect(found).toEqual({
    ...{ sessionId: '', userId: ann, username: `ann-${names}`, displayName: `ann-${names}`, roles: ['operator'] },
    token: { id: token.id, scopes: ['submission_create', 'configuration_read'], families: undefined },
    ...{ permissions: ['submission_create'], mustChangePassword: false, passwordGivenAt: undefined },
    ...{ expiresAt: token.expiresAt, idleExpiresAt: token.expiresAt },
  })
  const own = await family(`own-${names}`)
  const limited = await make({ families: [own] })
  expect((await app.tokens.findPrincipal(limited.text, 'x'))?.token?.families).toEqual([own])
  await app.tokens.settled()
  app.clock.advance(day - 1)
  expect(await app.tokens.findPrincipal(text, 'x')).toBeDefined()
  app.clock.advance(1)
  expect(await app.tokens.findPrincipal(text, 'x')).toBeUndefined()
  await app.tokens.settled()
  const set = (change: object) => database.write(({ q, t }) => q.update(t.users).set(change).where(eq(t.users.id, ann)))
  const mustChange = async () => (await app.tokens.findPrincipal(limited.text, 'x'))?.mustChangePassword
  await set({ mustChangePassword: true })
  expect(await mustChange()).toBe(true)
  // A service account has no password to change.
  await set({ isService: true })
  expect(await mustChange()).toBe(false)
  await set({ disabled: true })
  expect(await mustChange()).toBeUndefined()
  await app.tokens.settled()
})

test('one of a provider’s user opens something for thirty days after the last sign-in, to the instant', async () => {
  const { text } = await make()
  const at = app.clock.now()
  const vouched = async (oidcSubject: string | null, oidcSignedInAt: Instant | null) => {
    const change = { oidcIssuer: 'https://id.test', oidcSubject, oidcSignedInAt }
    await database.write(({ q, t }) => q.update(t.users).set(change).where(eq(t.users.id, ann)))
    const found = await app.tokens.findPrincipal(text, 'x')
    await app.tokens.settled()
    return found !== undefined
  }
  expect([await vouched('s', null), await vouched(null, null)]).toEqual([false, true])
  expect(await vouched('s', addMs(at, -limits.oidcVouchedMs))).toBe(true)
  expect(await vouched('s', addMs(at, -limits.oidcVouchedMs - 1))).toBe(false)
})

test('it is marked as used once a minute, from another address at once, and after the clock was set back', async () => {
  const { token, text } = await make()
  const used = async (address: string, advanceMs: number) => {
    app.clock.advance(advanceMs)
    expect(await app.tokens.findPrincipal(text, address)).toBeDefined()
    await app.tokens.settled()
    const { rows } = await app.tokens.list({ userId: ann, limit: 1 })
    return [rows[0]!.lastUsedAt, rows[0]!.lastAddress]
  }
  const first = app.clock.now()
  expect(await used('here', 0)).toEqual([first, 'here'])
  expect(await used('here', limits.sessionTouchMs)).toEqual([first, 'here'])
  expect(await used('here', 1)).toEqual([app.clock.now(), 'here'])
  expect(await used('there', 1)).toEqual([app.clock.now(), 'there'])
  expect(await used('there', -10 * day)).toEqual([app.clock.now(), 'there'])
  app.clock.advance(10 * day)
  // Each by itself.
  const other = await make()
  await database.write((tx) => touchToken(tx, token.id, first, 'again'))
  const { rows } = await app.tokens.list({ userId: ann, limit: 2 })
  expect(rows.map(({ id, lastAddress }) => [id, lastAddress])).toEqual([
    [other.token.id, null],
    [token.id, 'again'],
  ])
})

test('whoever has one that ends soon is reminded once, the next to end first', async () => {
  const at = app.clock.now()
  const soon = addMs(at, limits.tokenReminderMs)
  const row = (id: string, expiresAt: Instant, more: object = {}) => ({
    ...{ id: `${id}-${names}`, tokenHash: `${id}-${names}`, userId: ann, name: id, scopes: [], families: null },
    ...{ createdBy: ann, createdAt: addMs(at, -365 * day), expiresAt, revokedAt: null },
    ...{ lastUsedAt: null, lastAddress: null, ...more },
  })
  const off = (await app.addUser(`off-${names}`, ['operator'])).id
  await app.users.update(off, { disabled: true }, testAuthor)
  const account = { username: `robot-${names}`, displayName: 'Robot', roles: ['operator'] as const }
  const { id: robot } = await app.users.createServiceAccount(account, testAuthor)
  const rows = [
    row('last', soon),
    row('robot', addMs(at, 2), { userId: robot }),
    row('first', addMs(at, 1)),
    row('later', addMs(soon, 1)),
    row('over', at),
    row('revoked', addMs(at, 3), { revokedAt: at }),
    row('disabled', addMs(at, 3), { userId: off }),
    // A quarter of its life is left, and an instant more.
    row('quarter', addMs(at, day), { createdAt: addMs(at, -3 * day) }),
    row('short', addMs(at, day + 4), { createdAt: addMs(at, -3 * day + 4) }),
  ]
  await database.write(({ q, t }) => q.insert(t.apiTokens).values(rows))
  const expiring = async (most: number) =>
    (await listExpiring(database.read, at, soon, most)).map(({ id }) => id.split('-')[0])
  expect(await expiring(10)).toEqual(['first', 'robot', 'quarter', 'short', 'last'])
  expect(await expiring(2)).toEqual(['first', 'robot'])
  await told()
  await app.tokens.remind()
  const reminders = await told()
  expect(reminders.trail).toEqual([])
  expect(reminders.notices).toEqual(
    // The robot reads nothing, so whoever made its token is told.
    ['first', 'robot', 'quarter', 'last'].map((name) => ({ userId: ann, kind: 'token_expiring', name })),
  )
  await app.tokens.remind()
  expect(await told()).toEqual({ trail: [], notices: [] })
  expect(await database.write((tx) => markReminded(tx, `short-${names}`, at))).toBe(true)
  expect(await database.write((tx) => markReminded(tx, `short-${names}`, at))).toBe(false)
})

test('a token is revoked, else expired from its last instant on, else active', async () => {
  const { token } = await make({ days: 1 })
  const { expiresAt } = token
  expect(statusOf(token, addMs(expiresAt, -1))).toBe('active')
  expect(statusOf(token, expiresAt)).toBe('expired')
  expect(statusOf({ ...token, revokedAt: expiresAt }, expiresAt)).toBe('revoked')
})

test('what a submission, a batch, a model and a family belong to is found, and nothing for what doesn’t exist', async () => {
  const own = await family(`own-${names}`)
  expect(await app.tokens.familyOf({ kind: 'family', id: own })).toBe(own)
  const [slug, at] = [`model-${names}`, app.clock.now()]
  const [model, version, submission, execution, batch] = Array.from({ length: 5 }, newId)
  await database.write(async ({ q, t }) => {
    await q.insert(t.families).values({
      ...{ id: model!, kind: 'ingestion_model' as const, slug, name: slug, description: '', draftRevision: 0 },
      ...{ latestNumber: 0, createdBy: ann, createdAt: at, updatedAt: at },
    })
    await q.insert(t.versions).values({
      ...{ id: version!, familyId: model!, kind: 'ingestion_model' as const, number: 1, contentHash: 'h' },
      ...{ sourceRevision: 1, status: 'published' as const, format: 'yaml' as const, byteSize: 1, reading: 1 },
      ...{ createdBy: ann, createdAt: at },
    })
    await q.insert(t.submissions).values({
      ...{ id: submission!, modelSlug: slug, modelVersionId: version!, objectReference: 'o', objectTime: at },
      ...{ rawInput: '{}', rawInputHash: 'h', params: null, paramsHash: null, metadata: {}, submittedBy: ann },
      ...{ correlationId: 'c', createdAt: at },
    })
    await q.insert(t.executions).values({
      ...{ id: execution!, submissionId: submission!, processingNodeId: 'n', nodeLabel: 'N', nodeAddress: 'm:n' },
      ...{ releaseId: 'r', releaseHash: 'h', processingKind: 'transformation' as const },
      ...{ status: 'queued' as const, inputHash: 'h', rawInputHash: 'h' },
      ...{ submittedBy: ann, correlationId: 'c', createdAt: at, updatedAt: at },
    })
    await q.insert(t.batches).values({
      ...{ id: batch!, name: 'b', modelSlug: slug, format: 'csv' as const, contentHash: 'h', byteSize: 1, rows: 1 },
      ...{ officialTime: at, createdBy: ann, correlationId: 'c', createdAt: at, updatedAt: at },
      ...{ status: 'running' as const, reading: {}, nextRow: 1, nextOffset: 0 },
    })
  })
  const subjects = (ids: string[]) => [
    { kind: 'submission' as const, id: ids[0]! },
    { kind: 'execution' as const, id: ids[1]! },
    { kind: 'batch' as const, id: ids[2]! },
    { kind: 'model' as const, slug: ids[3]! },
  ]
  for (const subject of subjects([submission!, execution!, batch!, slug])) {
    expect([subject.kind, await app.tokens.familyOf(subject)]).toEqual([subject.kind, model])
  }
  for (const subject of subjects([nobody, nobody, nobody, `own-${names}`])) {
    expect([subject.kind, await app.tokens.familyOf(subject)]).toEqual([subject.kind, undefined])
  }
})

test('a token’s text has forty characters and their checksum, in which every digit comes up', async () => {
  const texts = Array.from({ length: 200 }, newTokenText)
  for (const text of texts) expect([text, isTokenText(text)]).toEqual([text, true])
  // Without the checksum, which has all of them anyway.
  expect(new Set(texts.flatMap((text) => [...text.slice(3, 43)])).size).toBe(62)
  expect(new Set(texts).size).toBe(200)
  // Made by the rule of docs/api.md: CRC-32 of the text before it, in six digits of base 62.
  const body = `qr_${'0'.repeat(40)}`
  let rest = Bun.hash.crc32(body)
  let sum = ''
  for (let place = 0; place < 6; place++) {
    sum = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[rest % 62] + sum
    rest = Math.floor(rest / 62)
  }
  expect(isTokenText(body + sum)).toBe(true)
  expect(isTokenText(`${body.slice(0, -1)}1${sum}`)).toBe(false)
  expect(await app.tokens.findPrincipal(body + sum, 'x')).toBeUndefined()
  expect(await hashToken(body)).toMatch(/^[0-9a-f]{64}$/)
})
