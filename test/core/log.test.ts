import { expect, test } from 'bun:test'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'

function linesOf(write: (log: ReturnType<typeof createLog>) => void): string {
  let lines = ''
  write(createLog({ level: 'info', readable: false, write: (line) => (lines += line) }))
  return lines
}

test('an error is written with its place and its causes, one level and up', () => {
  const error = new Error('outer, two\nlines', { cause: new TypeError('inner') })
  const line = linesOf((log) => {
    log.debug('unseen')
    log.with({ request: 'r1' }).warn('it failed', { cause: error })
  })
  const written = JSON.parse(line)
  expect(written).toMatchObject({ level: 'warn', message: 'it failed', request: 'r1' })
  expect(written.cause).toStartWith('Error: outer, two\nlines\n    at ')
  expect(written.cause).toContain('log.test.ts')
  expect(written.cause).toEndWith('\ncaused by TypeError: inner')
})

describeOnBothDialects('a log', (dialect) => {
  test('names a statement that failed, and none of its values', async () => {
    const database = await openTestDatabase(dialect)
    const { users } = database.read.t
    const at = instantFromEpochMs(1_700_000_000_000)
    const user = {
      ...{
        id: 'u1',
        username: 'ada',
        displayName: 'Ada',
        roles: ['auditor' as const],
        passwordHash: 'hash-of-a-password',
      },
      ...{ mustChangePassword: false, disabled: false, createdAt: at, updatedAt: at },
    }
    const failure = await database
      .write(async ({ q }) => {
        await q.insert(users).values(user)
        await q.insert(users).values(user)
      })
      .catch((error: unknown) => error)
    const line = linesOf((log) => log.error('a row could not be written', { cause: failure }))
    expect(line).toContain('insert into')
    expect(line).toMatch(/unique/i)
    expect(line).not.toContain('hash-of-a-password')
    await database.close()
  })
})
