import { beforeEach, expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { authOperations } from '../../../src/modules/auth/auth.routes.ts'
import { sessionOperations } from '../../../src/modules/auth/sessions.routes.ts'
import { handled, notingService, sessionAuthor } from '../../support/handled.ts'
import { rejectionOf } from '../../support/outcome.ts'

const at = instantOf('2026-12-01T00:00:00Z')
const row = { id: 's', createdAt: at, lastSeenAt: at, expiresAt: at, address: null, browser: null, awaits: null }
const { calls, service } = notingService({
  listSessions: [row, { ...row, id: 'o', address: '::1', browser: 'Firefox', awaits: 'second_factor' }],
})
const shown = {
  ...{ id: 's', is_current: true, created_at: '2026-12-01T00:00:00Z', last_seen_at: '2026-12-01T00:00:00Z' },
  ...{ expires_at: '2026-12-01T00:00:00Z', is_waiting: false },
}
const sessions = [shown, { ...shown, id: 'o', is_current: false, address: '::1', browser: 'Firefox', is_waiting: true }]
const operations = sessionOperations(service, async (id) => (id === 'a' ? {} : undefined))
const user = expect.objectContaining({ userId: 'u' })

beforeEach(() => void calls.splice(0))

test('one’s own sessions are shown and ended, and others’ only by way of their user', async () => {
  expect(await handled(operations, 'listSessions')).toEqual({ body: { sessions } })
  expect(await handled(operations, 'endSession', { params: { sessionId: 'o' } })).toEqual({})
  expect(await handled(operations, 'endOtherSessions')).toEqual({})
  expect(await handled(operations, 'listUserSessions', { params: { userId: 'a' } })).toEqual({ body: { sessions } })
  expect(await handled(operations, 'endUserSession', { params: { userId: 'a', sessionId: 'o' } })).toEqual({})
  expect(calls).toEqual([
    ...[
      ['listSessions', 'u'],
      ['endSession', { id: 'o', userId: 'u' }, sessionAuthor],
    ],
    ...[
      ['endOtherSessions', user, sessionAuthor],
      ['listSessions', 'a'],
    ],
    ['endSession', { id: 'o', userId: 'a' }, sessionAuthor],
  ])
  expect(await rejectionOf(handled(operations, 'listUserSessions', { params: { userId: 'b' } }))).toMatchObject({
    code: 'not_found',
  })
})

test('a password is changed or given again by what was sent, and a changed one and signing out take the cookie away', async () => {
  const guard = { cookies: { expire: (name: string) => `no ${name}` } } as never
  const own = authOperations(service, guard, { now: () => at } as never)
  const from = { origin: 'https://a', clientAddress: '::1' }
  const body = { current_password: 'old', new_password: 'new' }
  const gone = { cookies: [expect.stringMatching(/^no \S/)] }
  expect(await handled(own, 'changePassword', { body, ...from })).toEqual(gone)
  expect(await handled(own, 'confirmPassword', { body: { password: 'old' }, ...from })).toEqual({})
  expect(await handled(own, 'logout', from)).toEqual(gone)
  const about = { principal: user, clientAddress: '::1', correlationId: 'c' }
  expect(calls).toEqual([
    ['changePassword', { ...about, password: 'old', newPassword: 'new' }],
    ['confirmPassword', { ...about, password: 'old' }],
    ['logout', user, 'c'],
  ])
})
