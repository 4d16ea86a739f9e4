import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { UsageError } from '../../src/commands/command.ts'
import { parseTokenCommand } from '../../src/commands/token.ts'
import { parseUserCommand } from '../../src/commands/user.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { seedDemo } from '../../src/modules/intake-lab/intake-lab.service.ts'
import { startTestApp, type TestApp } from '../http/harness.ts'
import { outcomeOf } from '../support/outcome.ts'

/** The command line's token commands over a real store; what they print is caught. */
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
  await parseUserCommand(['add', 'robot', '--service', '--role', 'operator', '--name', 'A robot'])(started)
})
afterEach(() => stdout.mockRestore())

const run = async (...args: string[]) => {
  printed = ''
  const log = createLog({ level: 'error', readable: false, write: () => {} })
  await parseTokenCommand(args)({ database: started.database, clock: started.clock, log })
  return printed
}
const add = (...more: string[]) => run('add', 'robot', '--name', 'nightly', '--scope', 'submission_read', ...more)
const ask = async (text: string) => {
  const [token = ''] = /qr_\w+/.exec(text) ?? []
  return (await started.send({ path: '/api/v1/submissions', headers: { authorization: `Bearer ${token}` } })).status
}

test('a token for a service account is printed once, works, is listed, and ends when it is revoked', async () => {
  const made = await add('--days', '7')
  expect(made).toMatch(
    /^the token \S{36} of robot, good until 2026-11-27T09:30:00\.123456789Z, is qr_[0-9A-Za-z]{46}\n$/,
  )
  expect(await ask(made)).toBe(200)
  await started.tokens.settled()
  const id = made.split(' ')[2]!
  const line = [id, 'robot', 'nightly', 'active', '2026-11-27T09:30:00.123456789Z', 'submission_read', 'all families']
  expect(await run('list')).toBe(`${line.join('\t')}\n`)
  expect(await run('list', 'robot')).toBe(`${line.join('\t')}\n`)
  expect(JSON.parse(await run('list', '--json'))).toMatchObject({
    id,
    status: 'active',
    families: null,
    last_address: '192.0.2.1',
  })
  expect(await run('revoke', id)).toBe(`the token ${id} is revoked\n`)
  expect(await ask(made)).toBe(401)
  expect(await run('list')).toContain('\trevoked\t')
})

test('a token may be limited to families by kind and slug', async () => {
  await seedDemo(started.database, started.clock)
  const made = await add('--family', 'ingestion_model/clws-policy')
  expect(await ask(made)).toBe(403)
  expect(await run('list')).toContain('ingestion_model/clws-policy')
  expect(await outcomeOf(add('--family', 'ingestion_model/nothing'))).toThrow(
    'there is no ingestion_model with the slug nothing',
  )
  expect(await outcomeOf(add('--family', 'clws-policy'))).toThrow('a kind and a slug')
})

test('what the user may not do, and an unknown user, is refused', async () => {
  expect(await outcomeOf(add('--scope', 'audit_read'))).toThrow('do not allow audit_read')
  expect(await outcomeOf(run('add', 'nobody', '--name', 'x', '--scope', 'audit_read'))).toThrow(
    'there is no user nobody',
  )
  expect(await outcomeOf(run('revoke', '0198c3d2-7a10-7c00-8000-00000000dead'))).toThrow('no such token')
  expect(await run('list')).toBe('')
})

test.each([
  [[]],
  [['renew']],
  [['add']],
  [['add', 'robot', '--scope', 'submission_read']],
  [['add', 'robot', '--name', 'x']],
  [['add', 'robot', '--name', 'x', '--scope', 'everything']],
  [['add', 'robot', '--name', 'x', '--scope', 'audit_read', '--days', '0']],
  [['add', 'robot', '--name', 'x', '--scope', 'audit_read', '--days', '367']],
  [['add', 'robot', 'other', '--name', 'x', '--scope', 'audit_read']],
  [['list', '--days', '3']],
  [['revoke']],
  [['revoke', 'nightly']],
  [['revoke', '0198c3d2-7a10-7c00-8000-00000000dead', '--days', '3']],
])('refuses wrong usage: quire token %p', async (args) => {
  expect(() => parseTokenCommand(args)).toThrow(UsageError)
})

test('a token is told to programs as JSON, with its text once, and so is that it is revoked', async () => {
  const told = JSON.parse(await add('--scope', 'submission_create', '--scope', 'submission_read', '--json'))
  expect(told).toEqual({
    ...{ id: expect.any(String), name: 'nightly', username: 'robot', status: 'active', families: null },
    ...{ expires_at: expect.any(String), last_used_at: null, last_address: null },
    ...{ scopes: ['submission_read', 'submission_create'], token: expect.stringMatching(/^qr_/) },
  })
  const { token: _, ...listed } = told
  expect(JSON.parse(await run('list', '--json'))).toEqual(listed)
  expect(JSON.parse(await run('revoke', told.id.toUpperCase(), '--json'))).toEqual({ id: told.id, revoked: true })
  expect(await run('list')).toContain('\tsubmission_read,submission_create\t')
})

test('those of a user alone are listed where one is named, and all pages of them', async () => {
  await parseUserCommand(['add', 'other', '--service', '--role', 'operator'])(started)
  const each = limits.pageSizeMax / 2 + 1
  for (let made = 0; made < each; made++) {
    await add()
    await run('add', 'other', '--name', 'o', '--scope', 'submission_read')
  }
  const names = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[1])
  expect(names(await run('list')).length).toBe(2 * each)
  expect(names(await run('list', 'other'))).toEqual(Array(each).fill('other'))
  expect(names(await run('list', 'robot'))).toEqual(Array(each).fill('robot'))
  expect(await outcomeOf(run('list', 'nobody'))).toThrow('there is no user nobody; "quire user list" shows all')
})

test('a token lasts for days from one to a year, and has a name of a bounded length', () => {
  const wanted = (...more: string[]) => ['add', 'robot', '--scope', 'submission_read', ...more]
  for (const days of ['1', String(limits.tokenLifetimeDays)])
    expect(() => parseTokenCommand(wanted('--name', 'x', '--days', days))).not.toThrow()
  for (const days of ['1.5', 'x', ''])
    expect(() => parseTokenCommand(wanted('--name', 'x', '--days', days))).toThrow(
      '--days takes a whole number from 1 to',
    )
  const name = 'n'.repeat(limits.tokenNameChars)
  expect(() => parseTokenCommand(wanted('--name', name))).not.toThrow()
  expect(() => parseTokenCommand(wanted('--name', `${name}n`))).toThrow(
    `--name takes at most ${name.length} characters`,
  )
  expect(() => parseTokenCommand(wanted('--name', ' '))).toThrow('wants --name')
  expect(() => parseTokenCommand(wanted('--name', 'x', '--family', 'contract/'))).toThrow('a kind and a slug')
  expect(() => parseTokenCommand(['list', '--name', 'x'])).toThrow('--name goes with "quire token add"')
  expect(() => parseTokenCommand(['list', 'a', 'b'])).toThrow('"quire token list" takes one name')
})
