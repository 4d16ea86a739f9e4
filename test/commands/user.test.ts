import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { UsageError } from '../../src/commands/command.ts'
import { parseUserCommand } from '../../src/commands/user.ts'
import { epochMsOf } from '../../src/core/instant.ts'
import { jsonOf, startTestApp, type TestApp } from '../http/harness.ts'
import { appCode } from '../support/authenticator.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'

/** The command line's user commands over a real store; what they print is caught. */
let started: TestApp
let printed: string
let stdout: ReturnType<typeof spyOn>

beforeEach(async () => {
  started = await startTestApp()
  printed = ''
  stdout = spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})
afterEach(() => stdout.mockRestore())

const run = async (...args: string[]) => parseUserCommand(args)(started)

test('an added user logs in with the printed password and must change it', async () => {
  await run('add', 'ann', '--role', 'engineer', '--role', 'auditor', '--name', 'Ann Ö.')
  const password = /is (\S+)\n$/.exec(printed)![1]!
  expect(await jsonOf(await started.login('ann', password))).toMatchObject({
    user: { username: 'ann', display_name: 'Ann Ö.', roles: ['engineer', 'auditor'] },
    must_change_password: true,
  })
})

test('a reset password replaces the old one', async () => {
  const user = await started.addUser('ann', ['auditor'])
  await run('reset-password', 'ann')
  expect((await started.login('ann')).status).toBe(401)
  expect((await started.login('ann', /is (\S+)\n$/.exec(printed)![1]!)).status).toBe(200)
  expect(printed).not.toContain(user.id)
})

test('a lost second factor is taken away, and the password alone signs in again', async () => {
  await started.addUser('ann', ['auditor'])
  const headers = await started.signIn('ann')
  const begun = await jsonOf(await started.send({ method: 'POST', path: '/api/v1/auth/factors/app/start', headers }))
  const code = appCode(String(begun.key), epochMsOf(started.clock.now()))
  const body = { enrolment: begun.enrolment, code, name: 'Phone' }
  expect((await started.send({ method: 'POST', path: '/api/v1/auth/factors/app', headers, body })).status).toBe(201)
  expect(await jsonOf(await started.login('ann'))).toHaveProperty('awaits')
  await run('reset-factors', 'ann')
  expect(printed).toContain('ann has no second factor any more')
  expect(await jsonOf(await started.login('ann'))).not.toHaveProperty('awaits')
  expect(await outcomeOf(run('reset-factors', 'ann'))).toThrow(/has no second factor/)
})

test('a disabled user cannot log in until enabled, and list shows the state of every user', async () => {
  await started.addUser('root', ['administrator'])
  await started.addUser('ann', ['auditor'], true)
  await run('disable', 'ann')
  expect((await started.login('ann')).status).toBe(401)
  printed = ''
  await run('list')
  expect(printed).toBe('ann\tauditor\tann\tdisabled\tmust change password\nroot\tadministrator\troot\n')
  await run('enable', 'ann')
  expect((await started.login('ann')).status).toBe(200)
})

test('refuses to disable the last administrator', async () => {
  await started.addUser('root', ['administrator'])
  expect(await outcomeOf(run('disable', 'root'))).toThrow(/last enabled administrator/)
})

test('answers wrong usage with the right one, and changes nothing', async () => {
  expect(await outcomeOf(run('add', 'ann'))).toThrow(/--role/)
  expect(await outcomeOf(run('add', 'ann', '--role', 'king'))).toThrow(/--role/)
  expect(await outcomeOf(run('add'))).toThrow(/one username/)
  expect(await outcomeOf(run('promote', 'ann'))).toThrow(/there is no command/)
  expect(await rejectionOf(run('add'))).toBeInstanceOf(UsageError)
  expect(await outcomeOf(run('reset-password', 'nobody'))).toThrow(/there is no user nobody/)
  expect((await started.users.list(10, undefined)).rows).toEqual([])
})
