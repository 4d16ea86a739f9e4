import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { UsageError } from '../../src/commands/command.ts'
import { parseUserCommand } from '../../src/commands/user.ts'
import { SYSTEM_ACTOR_ID } from '../../src/core/actor.ts'
import { newId } from '../../src/core/ids.ts'
import { epochMsOf } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
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

test('says what it did, and as JSON the account, with a password that is shown once', async () => {
  await run('add', 'ann', '--role', 'auditor')
  expect(printed).toMatch(/^ann was added; the password, to be changed at the first login, is \S+\n$/)
  printed = ''
  await run('add', 'bob', '--role', 'auditor', '--json')
  const bob = JSON.parse(printed)
  expect(bob).toEqual({
    ...{ id: expect.any(String), username: 'bob', roles: ['auditor'], disabled: false, display_name: 'bob' },
    ...{ must_change_password: true, is_service: false, password: expect.any(String) },
  })
  expect((await started.login('bob', bob.password)).status).toBe(200)
  for (const [command, said] of [
    ['disable', 'ann is disabled\n'],
    ['enable', 'ann is enabled\n'],
  ] as const) {
    printed = ''
    await run(command, 'ann')
    expect(printed).toBe(said)
  }
  printed = ''
  await run('reset-password', 'ann')
  expect(printed).toMatch(/^the password of ann, to be changed at the next login, is \S+\n$/)
  printed = ''
  await run('disable', 'ann', '--json')
  expect(JSON.parse(printed)).toMatchObject({ username: 'ann', disabled: true, must_change_password: true })
  expect(JSON.parse(printed)).not.toHaveProperty('password')
})

test('a service account has no password, and says how a token is made for it', async () => {
  await run('add', 'robot', '--service', '--role', 'operator', '--name', 'A robot')
  expect(printed).toBe('robot was added; make a token for it: quire token add robot --name … --scope …\n')
  printed = ''
  await run('list')
  expect(printed).toBe('robot\toperator\tA robot\tservice account\n')
  printed = ''
  await run('list', '--json')
  expect(JSON.parse(printed)).toMatchObject({ display_name: 'A robot', is_service: true, must_change_password: false })
  printed = ''
  await run('add', 'other', '--service', '--role', 'operator', '--json')
  expect(JSON.parse(printed)).not.toHaveProperty('password')
})

test('all accounts are listed, however many pages they are', async () => {
  for (let made = 0; made <= limits.pageSizeMax; made++)
    await started.users.createServiceAccount(
      { username: `robot${made}`, displayName: 'Robot', roles: ['operator'] },
      { userId: SYSTEM_ACTOR_ID, correlationId: newId() },
    )
  await run('list')
  const names = printed
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0])
  expect([names.length, new Set(names).size]).toEqual([limits.pageSizeMax + 1, limits.pageSizeMax + 1])
})

test.each([
  [[], /^user takes a verb: add, list, reset-password, reset-factors, disable, enable; /],
  [['reset-password', 'ann', 'bob'], /^"quire user reset-password" wants one username$/],
  [['reset-password', 'ann', '--service'], /^--service goes with "quire user add"$/],
  [
    ['add', 'ann', '--role', 'engineer', '--role', 'king'],
    /^"quire user add" wants --role, one or more of administrator, /,
  ],
])('refuses %j with what is wanted', (args, words) => {
  const refused = (() => {
    try {
      return parseUserCommand(args)
    } catch (error) {
      return error
    }
  })()
  expect(refused).toBeInstanceOf(UsageError)
  expect((refused as Error).message).toMatch(words)
})
