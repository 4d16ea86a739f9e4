import { beforeEach, expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { tokenOperations } from '../../../src/modules/tokens/tokens.routes.ts'
import { handled, notingService, sessionAuthor } from '../../support/handled.ts'

const [before, at, after] = ['29', '30', '31'].map((day) => instantOf(`2026-12-${day}T00:00:00Z`))
const row = {
  ...{ id: 't', name: 'nightly', userId: 'r', username: 'robot', isService: true, scopes: ['audit_read'] },
  ...{ families: null, familyNames: [], createdBy: 'u', createdAt: before, expiresAt: after },
  ...{ revokedAt: null, lastUsedAt: null, lastAddress: null },
}
const shown = {
  ...{ id: 't', name: 'nightly', user: { id: 'r', username: 'robot', is_service: true }, scopes: ['audit_read'] },
  ...{ status: 'active', created_by: 'u', created_at: '2026-12-29T00:00:00Z', expires_at: '2026-12-31T00:00:00Z' },
}
const used = {
  ...row,
  families: ['f'],
  familyNames: ['model/a'],
  revokedAt: at,
  lastUsedAt: before,
  lastAddress: '::1',
}
const answers = { list: { rows: [row], last: undefined } as object, create: { token: row, text: 'qr_x' } }
const { calls, service } = notingService(answers)
const operations = tokenOperations({ tokens: service, auth: service, clock: { now: () => at } as never })
const asking = { ...sessionAuthor, principal: expect.objectContaining({ userId: 'u' }) }

beforeEach(() => void calls.splice(0))

test('a token is made after the password was given again: for oneself, for 90 days, of every family unless that is said', async () => {
  const body = { name: 'nightly', scopes: ['audit_read'] }
  expect(await handled(operations, 'createToken', { body })).toEqual({ body: { token: shown, secret: 'qr_x' } })
  const more = { user_id: 'R', families: ['F'], expires_in_days: 3 }
  await handled(operations, 'createToken', { body: { ...body, ...more } })
  const asked = ['requireRecentPassword', expect.objectContaining({ userId: 'u' })]
  expect(limits.tokenLifetimeDefaultDays).toBe(90)
  expect(calls).toEqual([
    ...[asked, ['create', { ...body, families: undefined, days: 90, userId: 'u' }, asking]],
    ...[asked, ['create', { ...body, families: ['f'], days: 3, userId: 'r' }, asking]],
  ])
})

test('pages are of one’s own tokens, or of all users or one, and say what goes on and how a token ended', async () => {
  expect(await handled(operations, 'listTokens')).toEqual({ body: { tokens: [shown] } })
  answers.list = { rows: [used], last: used }
  const ended = {
    ...{ ...shown, families: ['model/a'], status: 'revoked', revoked_at: '2026-12-30T00:00:00Z' },
    ...{ last_used_at: '2026-12-29T00:00:00Z', last_address: '::1' },
  }
  expect(await handled(operations, 'listAllTokens', { query: { user_id: 'R', limit: 2, cursor: 'c' } })).toEqual({
    body: { tokens: [ended], next_cursor: 't' },
  })
  await handled(operations, 'listAllTokens')
  await handled(operations, 'listTokens', { query: { limit: 2, cursor: 'c' } })
  const usual = { limit: limits.pageSizeDefault, cursor: undefined }
  expect(calls).toEqual([
    ['list', { userId: 'u', ...usual }],
    ['list', { userId: 'r', limit: 2, cursor: 'c' }],
    ['list', { userId: undefined, ...usual }],
    ['list', { userId: 'u', limit: 2, cursor: 'c' }],
  ])
})

test('a token is revoked without the password, which must not hold up who has lost one', async () => {
  expect(await handled(operations, 'revokeToken', { params: { tokenId: 't' }, body: {} })).toEqual({})
  expect(calls).toEqual([['revoke', 't', asking]])
})
