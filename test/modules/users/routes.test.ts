import { beforeEach, expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { userOperations } from '../../../src/modules/users/users.routes.ts'
import { handled, notingService, sessionAuthor } from '../../support/handled.ts'

const row = {
  ...{ id: 'a', username: 'ann', displayName: 'Ann', roles: ['engineer'], disabled: false, mustChangePassword: true },
  ...{ isService: false, oidcSubject: null, secondFactors: 2, createdAt: instantOf('2026-12-01T00:00:00Z') },
  updatedAt: instantOf('2026-12-02T00:00:00Z'),
}
const shown = {
  ...{
    id: 'a',
    username: 'ann',
    display_name: 'Ann',
    roles: ['engineer'],
    disabled: false,
    must_change_password: true,
  },
  ...{ is_service: false, created_at: '2026-12-01T00:00:00Z', updated_at: '2026-12-02T00:00:00Z' },
}
const answers = {
  ...{ list: { rows: [row], last: undefined } as object, create: row, createServiceAccount: row, update: row },
  resetPassword: { ...row, oidcSubject: 's' },
}
const { calls, service } = notingService(answers)
const operations = userOperations(service, service)
const params = { userId: 'a' }

/** Calls without who administrates, who is the same for all. */
function taken() {
  return calls.splice(0).map(([name, ...args]) => {
    const by = args.pop() as { requirePassword(): void }
    expect(by).toEqual({ ...sessionAuthor, requirePassword: expect.any(Function) })
    by.requirePassword()
    expect(calls.splice(0)).toEqual([['requireRecentPassword', expect.objectContaining({ userId: 'u' })]])
    return [name, ...args]
  })
}

beforeEach(() => void calls.splice(0))

test('whoever administrates users can be asked for the password by each change, and it is told with the user as it is then', async () => {
  const made = { username: 'ann', display_name: 'Ann', roles: ['engineer'] }
  const wanted = { username: 'ann', displayName: 'Ann', roles: ['engineer'] }
  const answer = { body: { user: shown } }
  expect(await handled(operations, 'createUser', { body: { ...made, password: 'secret' } })).toEqual(answer)
  expect(await handled(operations, 'createServiceAccount', { body: made })).toEqual(answer)
  const change = { display_name: 'Anna', roles: [], disabled: true }
  expect(await handled(operations, 'updateUser', { params, body: change })).toEqual(answer)
  expect(await handled(operations, 'resetUserPassword', { params, body: { password: 'other' } })).toEqual({
    body: { user: { ...shown, provider_subject: 's' } },
  })
  expect(await handled(operations, 'resetUserFactors', { params })).toEqual({})
  expect(taken()).toEqual([
    ['create', { ...wanted, password: 'secret', mustChangePassword: true }],
    ['createServiceAccount', wanted],
    ['update', 'a', { displayName: 'Anna', roles: [], disabled: true }],
    ['resetPassword', 'a', 'other'],
    ['resetFactors', 'a'],
  ])
  expect(await handled(operations, 'revokeUserSessions', { params, body: {} })).toEqual({})
  expect(calls).toEqual([['revokeSessions', 'a', sessionAuthor]])
})

test('a page of users says how many second factors each has, and how it goes on', async () => {
  const users = [{ ...shown, second_factors: 2 }]
  expect(await handled(operations, 'listUsers')).toEqual({ body: { users } })
  answers.list = { rows: [row], last: row }
  expect(await handled(operations, 'listUsers', { query: { limit: 3, cursor: 'c' } })).toEqual({
    body: { users, next_cursor: 'a' },
  })
  expect(calls).toEqual([
    ['list', limits.pageSizeDefault, undefined],
    ['list', 3, 'c'],
  ])
})
