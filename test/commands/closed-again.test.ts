import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  type Closed,
  closeAgain,
  nothingClosed,
  readClosed,
  unknownClosed,
} from '../../src/commands/closed-accounts.store.ts'
import { addMs } from '../../src/core/instant.ts'
import type { Database } from '../../src/db/database.ts'
import type { Tables } from '../../src/db/schema.ts'
import { TestClock } from '../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { signing } from '../support/signing.ts'

/** What a restore closes again of the database that it brought, since it was closed in the one that it replaced. */
describeOnBothDialects('a restored database', (dialect) => {
  const clock = new TestClock()
  const at = clock.now()
  const earlier = addMs(at, -60_000)
  let database: Database
  beforeEach(async () => {
    database = await openTestDatabase(dialect)
    database.attestWith?.(signing.attest)
  })
  afterEach(() => database.close())

  const user = (id: string, more: Partial<Tables['users']['$inferInsert']> = {}) => ({
    ...{ id, username: id, displayName: id, roles: ['administrator' as const], passwordHash: 'h' },
    ...{ mustChangePassword: false, disabled: false, createdAt: earlier, updatedAt: earlier, ...more },
  })
  const token = (id: string, revokedAt: typeof at | null = null) => ({
    ...{ id, tokenHash: id, userId: 'ada', name: id, scopes: [], createdBy: 'ada', createdAt: earlier },
    ...{ expiresAt: addMs(at, 60_000), revokedAt },
  })
  const factor = (id: string, userId: string, counter = 7) => ({
    ...{ id, userId, kind: 'app' as const, name: id, key: 'k', counter, failures: 0, createdAt: earlier },
  })
  const code = (codeHash: string, userId: string, usedAt: typeof at | null = null) => ({
    ...{ codeHash, userId, createdAt: earlier, usedAt },
  })
  const webhook = (id: string, more: Partial<Tables['webhooks']['$inferInsert']> = {}) => ({
    ...{ id, name: id, url: `https://${id}.test`, status: 'active' as const, secret: 's', failures: 0 },
    ...{ createdBy: 'ada', createdAt: earlier, updatedAt: earlier, ...more },
  })
  const close = (closed: Partial<Closed>) =>
    database.write((tx) => closeAgain(tx, { ...nothingClosed, ...closed }, clock))
  /** Who or what each record of the audit trail is about, and what it says. */
  async function records() {
    const { auditRecords } = database.read.t
    const rows = await database.read.q.select().from(auditRecords).orderBy(auditRecords.action, auditRecords.resourceId)
    return rows.map(({ action, resourceKind, resourceId, detail }) => [action, resourceKind, resourceId, detail])
  }
  const from = 'replaced database'
  const none = { tokens: [], users: [], factors: [], identities: [], webhooks: [], warnings: [] }

  test('stays as it is where nothing was closed, and says so where nobody knows', async () => {
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.users).values([user('ada'), user('ben', { oidcIssuer: 'i', oidcSubject: 's' })])
      await tx.q.insert(tx.t.apiTokens).values(token('t'))
      await tx.q.insert(tx.t.factors).values(factor('f', 'ada'))
      await tx.q.insert(tx.t.webhooks).values(webhook('w'))
    })
    expect(await close({})).toEqual(none)
    const unknown = await close(unknownClosed)
    expect(unknown).toEqual({ ...none, warnings: [expect.stringContaining('could not be read')] })
    expect(await close(await readClosed(database.read))).toEqual(none)
    expect(await records()).toEqual([])
  })

  test('has every token revoked and every account disabled that was, once, with a record of each', async () => {
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.users).values([user('ada'), user('ben'), user('eve', { disabled: true })])
      await tx.q.insert(tx.t.apiTokens).values([token('one'), token('other'), token('over', earlier)])
    })
    const tokens = ['one', 'over', 'gone'].map((id) => ({ id, revokedAt: earlier }))
    expect(await close({ tokens, users: ['ben', 'eve', 'gone'] })).toEqual({ ...none, tokens: ['one'], users: ['ben'] })
    const { users, apiTokens } = database.read.t
    const rows = await database.read.q.select().from(users).orderBy(users.id)
    expect(rows.map(({ id, disabled, updatedAt }) => [id, disabled, updatedAt])).toEqual([
      ['ada', false, earlier],
      ['ben', true, at],
      ['eve', true, earlier],
    ])
    const kept = await database.read.q.select().from(apiTokens).orderBy(apiTokens.id)
    expect(kept.map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
      ['one', earlier],
      ['other', null],
      ['over', earlier],
    ])
    expect(await records()).toEqual([
      ['api_token.revoked', 'api_token', 'one', { from }],
      ['user.updated', 'user', 'ben', { from }],
    ])
    const read = await readClosed(database.read)
    expect([read.tokens.map(({ id }) => id).sort(), [...read.users].sort(), read.isKnown]).toEqual([
      ...[['one', 'over'], ['ben', 'eve'], true],
    ])
  })

  test('says where no administrator is left who could open an account', async () => {
    await database.write((tx) => tx.q.insert(tx.t.users).values([user('ada'), user('ben', { roles: ['auditor'] })]))
    expect((await close({ users: ['ben'] })).warnings).toEqual([])
    expect((await close({ users: ['ada'] })).warnings).toEqual([expect.stringContaining('no enabled administrator')])
    expect((await close({ users: ['ada'] })).warnings).toEqual([])
  })

  test('has no factor that was removed but one that its user can’t be without, and no code from before its last use', async () => {
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.users).values([user('ada'), user('ben'), user('new')])
      await tx.q
        .insert(tx.t.factors)
        .values([factor('stays', 'ada'), factor('later', 'ada', 9), factor('goes', 'ada'), factor('only', 'ben')])
      await tx.q.insert(tx.t.factors).values([factor('unknown', 'new')])
    })
    const there = (id: string, userId: string, counter: number) => ({ id, userId, counter })
    const factors = { factors: [there('stays', 'ada', 9), there('later', 'ada', 7)], codes: [], users: ['ada', 'ben'] }
    const { warnings, ...told } = await close({ factors })
    expect(told).toEqual({ ...told, factors: ['goes'] })
    expect(warnings).toEqual([expect.stringMatching(/no other in the backup: ben$/)])
    const left = await database.read.q.select().from(database.read.t.factors).orderBy(database.read.t.factors.id)
    expect(left.map(({ id, counter }) => [id, counter])).toEqual([
      ['later', 9],
      ['only', 7],
      ['stays', 9],
      ['unknown', 7],
    ])
    expect(await records()).toEqual([['user.factor_removed', 'user', 'ada', { from, factor_id: 'goes' }]])
  })

  test('has every recovery code used that was used or replaced, and of unknown users none', async () => {
    const hashes = ['fresh', 'used', 'older', 'twice'] as const
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.users).values([user('ada'), user('new')])
      const own = hashes.map((hash) => code(hash, 'ada', hash === 'twice' ? earlier : null))
      await tx.q.insert(tx.t.recoveryCodes).values([...own, code('unknown', 'new')])
    })
    const usedAt = addMs(at, -1_000)
    const codes = [code('fresh', 'ada'), code('used', 'ada', usedAt), code('twice', 'ada', usedAt)]
    await close({ factors: { factors: [], codes, users: ['ada'] } })
    const { recoveryCodes } = database.read.t
    const left = await database.read.q.select().from(recoveryCodes).orderBy(recoveryCodes.codeHash)
    expect(left.map(({ codeHash, usedAt: used }) => [codeHash, used])).toEqual([
      ['fresh', null],
      ['older', at],
      ['twice', earlier],
      ['unknown', null],
      ['used', usedAt],
    ])
  })

  test('has the identities of what it replaced, or none, and its record says which', async () => {
    const identity = (id: string, oidcIssuer: string, oidcSubject: string) => ({ id, oidcIssuer, oidcSubject })
    const ids = ['issuer', 'removed', 'same', 'subject', 'swapped', 'taken', 'unknown']
    await database.write((tx) =>
      tx.q
        .insert(tx.t.users)
        .values(ids.map((id) => user(id, { oidcIssuer: 'i', oidcSubject: id, oidcSignedInAt: earlier }))),
    )
    const identities = [
      ...[identity('same', 'i', 'same'), identity('subject', 'i', 'x'), identity('issuer', 'j', 'issuer')],
      // Two that changed places, and one whose identity is an unknown user's now.
      ...[identity('swapped', 'i', 'removed'), identity('taken', 'i', 'unknown')],
    ]
    const known = ids.filter((id) => id !== 'unknown')
    const closed = await close({ identities, factors: { factors: [], codes: [], users: known } })
    expect([...closed.identities].sort()).toEqual(['issuer', 'removed', 'subject', 'swapped', 'taken'])
    const rows = await database.read.q.select().from(database.read.t.users).orderBy(database.read.t.users.id)
    expect(
      rows.map(({ id, oidcIssuer, oidcSubject, oidcSignedInAt }) => [id, oidcIssuer, oidcSubject, oidcSignedInAt]),
    ).toEqual([
      ['issuer', 'j', 'issuer', null],
      ['removed', null, null, null],
      ['same', 'i', 'same', earlier],
      ['subject', 'i', 'x', null],
      ['swapped', 'i', 'removed', null],
      ['taken', null, null, null],
      ['unknown', 'i', 'unknown', earlier],
    ])
    const said = (id: string, how: string) => ['user.updated', 'user', id, { from, identity: how }]
    expect(await records()).toEqual([
      ...[said('issuer', 'exchanged'), said('removed', 'removed'), said('subject', 'exchanged')],
      ...[said('swapped', 'exchanged'), said('taken', 'removed')],
    ])
  })

  test('sends to no receiver that was stopped, changed or removed, and its record says where it went', async () => {
    const ids = ['address', 'families', 'filtered', 'gone', 'off', 'renewed', 'same']
    await database.write(async (tx) => {
      await tx.q
        .insert(tx.t.webhooks)
        .values([...ids, 'stranger'].map((id) => webhook(id, id === 'stranger' ? { createdBy: 'eve' } : {})))
      await tx.q.insert(tx.t.webhooks).values(webhook('paused', { status: 'paused' }))
    })
    const before = (id: string, more: object = {}) => ({
      ...{
        id,
        status: 'active' as const,
        url: `https://${id}.test`,
        eventTypes: null,
        families: null,
        previousUntil: null,
      },
      ...more,
    })
    const webhooks = [
      ...[before('same'), before('address', { url: 'https://x.test' }), before('families', { families: ['f'] })],
      ...[before('filtered', { eventTypes: ['e'] }), before('off', { status: 'disabled' })],
      before('renewed', { previousUntil: at }),
    ]
    const closed = await close({ webhooks, factors: { factors: [], codes: [], users: ['ada'] } })
    const stopped = ids.filter((id) => id !== 'same')
    expect([...closed.webhooks].sort()).toEqual(stopped)
    const rows = await database.read.q.select().from(database.read.t.webhooks).orderBy(database.read.t.webhooks.id)
    expect(rows.filter(({ status }) => status === 'active').map(({ id }) => id)).toEqual(['same', 'stranger'])
    expect(rows.find(({ id }) => id === 'gone')?.updatedAt).toBe(at)
    expect(await records()).toEqual(
      stopped.map((id) => [
        'webhook.changed',
        'webhook',
        id,
        { from, name: id, url: `https://${id}.test`, status: 'paused' },
      ]),
    )
  })
})
