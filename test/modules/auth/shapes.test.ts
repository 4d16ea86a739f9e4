import { expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { limits } from '../../../src/core/limits.ts'
import { checkShape } from '../../../src/http/shape.ts'
import {
  displayName,
  loginBody,
  newPassword,
  passwordChangeBody,
  username,
} from '../../../src/modules/auth/auth.model.ts'
import { newAppBody, newPasskeyBody, secondFactorBody } from '../../../src/modules/auth/factors.model.ts'
import { newTokenBody } from '../../../src/modules/tokens/tokens.model.ts'
import { newServiceAccountBody, userChangeBody } from '../../../src/modules/users/users.model.ts'
import { webhookChangeBody } from '../../../src/modules/webhooks/webhooks.model.ts'

const takes = (schema: TSchema, value: unknown) => checkShape(schema, value as never, 'body').length === 0
function expectTaken(schema: TSchema, taken: readonly unknown[], refused: readonly unknown[]): void {
  expect(taken.filter((value) => !takes(schema, value))).toEqual([])
  expect(refused.filter((value) => takes(schema, value))).toEqual([])
}
const chars = (count: number) => 'x'.repeat(count)

test('a username has small letters, digits and a few marks, and begins with a letter or digit', () => {
  expectTaken(
    username,
    ['a', '7', 'ann.o_brien@example-1.org', chars(limits.usernameChars)],
    ['', 'Ann', '.ann', '-ann', '@ann', 'a b', 'a/b', 'ä', 'ann\n', chars(limits.usernameChars + 1)],
  )
})

test('names that people read are one line with something to see, up to their length', () => {
  const named = (schema: TSchema, most: number, wrap: (name: string) => unknown) =>
    expectTaken(
      schema,
      ['Ann Ö.', ' a', 'a ', '日本', chars(most)].map(wrap),
      ['', ' ', '\u00a0', 'a\nb', 'a\u001b', '\u0007', '\ta', chars(most + 1)].map(wrap),
    )
  named(displayName, limits.displayNameChars, (name) => name)
  const app = { enrolment: 'e', code: '012345' }
  named(newAppBody, limits.factorNameChars, (name) => ({ ...app, name }))
  named(newPasskeyBody, limits.factorNameChars, (name) => ({ passkey: null, name }))
  named(webhookChangeBody, limits.webhookNameChars, (name) => ({ name }))
  named(newTokenBody, limits.tokenNameChars, (name) => ({ name, scopes: ['audit_read'] }))
})

test('a login takes wider names and passwords than accounts have, and a new password its own lengths', () => {
  const login = (name: string, password: string) => ({ username: name, password })
  expectTaken(
    loginBody,
    [login("' or 1=1", 'x'), login(chars(limits.loginNameChars), chars(limits.loginPasswordChars))],
    [
      ...[login('', 'x'), login('x', ''), login(chars(limits.loginNameChars + 1), 'x')],
      ...[login('x', chars(limits.loginPasswordChars + 1)), { username: 'x' }, { ...login('x', 'x'), more: 1 }],
    ],
  )
  const lengths = [limits.passwordMinChars, limits.passwordMaxChars]
  expectTaken(newPassword, lengths.map(chars), [chars(lengths[0]! - 1), chars(lengths[1]! + 1)])
  const change = (current_password: string) => ({ current_password, new_password: chars(12) })
  expectTaken(passwordChangeBody, [change('x'), change(chars(limits.loginPasswordChars))], [change(''), {}])
})

test('a code has six digits, and each way to prove oneself may be left out', () => {
  expectTaken(
    secondFactorBody,
    [{}, { code: '000000' }, { recovery_code: 'x' }, { passkey: { any: [1] } }],
    [{ code: '00000' }, { code: '0000000' }, { code: '00000a' }, { code: 123456 }, { recovery_code: '' }, { more: 1 }],
  )
  const app = (code: string, enrolment = 'e') => ({ enrolment, code, name: 'x' })
  expectTaken(
    newAppBody,
    [app('123456', chars(limits.cursorChars))],
    [app('12345'), app('123456', ''), app('123456', chars(limits.cursorChars + 1))],
  )
})

test('a token has scopes, each once, and lasts from a day to its longest life', () => {
  const id = '0198c3d2-7a10-7c00-8000-00000000dead'
  const token = (more: object) => ({ name: 'x', scopes: ['audit_read'], ...more })
  const ids = (count: number) =>
    Array.from({ length: count }, (_, index) => `${id.slice(0, -3)}${String(index).padStart(3, '0')}`)
  expectTaken(
    newTokenBody,
    [
      ...[token({}), token({ scopes: ['audit_read', 'user_manage'] }), token({ user_id: id, families: [id] })],
      ...[token({ expires_in_days: 1 }), token({ expires_in_days: limits.tokenLifetimeDays })],
      token({ families: ids(limits.tokenFamilies) }),
    ],
    [
      ...[token({ scopes: [] }), token({ scopes: ['audit_read', 'audit_read'] }), token({ scopes: ['root'] })],
      ...[token({ expires_in_days: 0 }), token({ expires_in_days: limits.tokenLifetimeDays + 1 })],
      ...[token({ expires_in_days: 1.5 }), token({ families: [] }), token({ families: [id, id] })],
      ...[token({ families: ids(limits.tokenFamilies + 1) }), token({ user_id: 'me' })],
    ],
  )
})

test('an account has a role at least, each once, and a change changes something', () => {
  const account = (roles: string[]) => ({ username: 'robot', display_name: 'Robot', roles })
  expectTaken(
    newServiceAccountBody,
    [account(['auditor']), account(['auditor', 'operator'])],
    [account([]), account(['auditor', 'auditor']), account(['root']), { ...account(['auditor']), password: 'x' }],
  )
  expectTaken(
    userChangeBody,
    [{ disabled: false }, { display_name: 'x' }, { roles: ['auditor'] }],
    [{}, { roles: [] }, { username: 'x' }],
  )
})
