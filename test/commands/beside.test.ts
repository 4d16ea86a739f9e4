import { expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { limits } from '../../src/core/limits.ts'
import { ApiClient } from '../support/client.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { holdWriteLock } from '../support/write-lock.ts'

/** All that a listener says until it ends; what is sent may be nonsense. */
function sent(path: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(path, () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += String(chunk)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

test('accounts and tokens are managed beside the server, at once and for it, and nothing is half done when either side is killed', async () => {
  let quire = await startQuire()
  const { folder } = quire
  const socket = join(folder, 'quire-data/quire.db.control')
  const database = join(folder, 'quire-data/quire.db')
  const run = (...args: string[]) => runCommand(folder, args)
  expect((statSync(socket).mode & 0o777).toString(8)).toBe('600')

  // Each is in force at once, and audited as what the command line does without a server.
  const added = await run('user', 'add', 'ann', '--role', 'auditor', '--name', 'Ann Ö.')
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const client = new ApiClient(quire.origin)
  expect((await client.login('ann', /is (\S+)\n$/.exec(added.stdout)![1]!)).status).toBe(200)
  const robot = await run('user', 'add', 'robot', '--service', '--role', 'operator', '--json')
  expect(JSON.parse(robot.stdout)).toMatchObject({ username: 'robot', is_service: true })
  const token = JSON.parse(
    (await run('token', 'add', 'robot', '--name', 'n', '--scope', 'submission_read', '--json')).stdout,
  )
  const ask = () => fetch(`${quire.origin}/api/v1/submissions`, { headers: { authorization: `Bearer ${token.token}` } })
  expect((await ask()).status).toBe(200)
  expect(await run('token', 'revoke', token.id)).toMatchObject({ code: 0 })
  expect((await ask()).status).toBe(401)
  expect(await run('user', 'disable', 'ann')).toMatchObject({ code: 0, stdout: 'ann is disabled\n' })
  expect((await run('user', 'list')).stdout).toContain('ann\tauditor\tAnn Ö.\tdisabled')

  // What is refused or wrong is so as without a server.
  expect(await run('user', 'disable', 'nobody')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no user nobody'),
  })
  expect(await run('user', 'add', 'ann')).toMatchObject({ code: 2 })

  // Whoever says something else gets nothing done, and keeps nobody from it.
  expect(await sent(socket, 'GET / HTTP/1.1\r\n\r\n')).toContain('"refused"')
  expect(await sent(socket, '{"command":"backup","args":[]}\n')).toContain('runs no')
  expect(await sent(socket, '[]\n')).toContain('no command')
  expect(await sent(socket, 'x'.repeat(limits.controlAskBytes + 10))).toBe('')

  // The command is killed while the server waits for the disk: the server does it, whole.
  const carriedOut = async () => (await quire.log()).split('of the command line is carried out').length - 1
  const before = await carriedOut()
  let release = await holdWriteLock(database)
  const asking = startCommand(folder, ['user', 'add', 'bea', '--role', 'auditor'])
  await until('the server has the command', async () => (await carriedOut()) === before + 1)
  asking.kill('SIGKILL')
  await asking.exited
  await release()
  await until('she is there', async () =>
    (await run('user', 'list')).stdout.includes('bea\tauditor\tbea\tmust change password'),
  )

  // The server is killed while it waits: nothing is done, and the command says that it doesn't know.
  const later = await carriedOut()
  release = await holdWriteLock(database)
  const doomed = startCommand(folder, ['user', 'add', 'cleo', '--role', 'auditor'])
  await until('the server has this one, too', async () => (await carriedOut()) === later + 1)
  await quire.kill()
  await release()
  expect(await doomed.exited).toBe(1)
  expect(await new Response(doomed.stderr).text()).toContain('the server ended before it answered')
  // Its socket is still there, and nobody listens: the command works on the file itself.
  expect(existsSync(socket)).toBe(true)
  expect((await run('user', 'list')).stdout).not.toContain('cleo')
  expect(await run('user', 'enable', 'ann')).toMatchObject({ code: 0 })

  quire = await startQuire({ folder })
  expect(await run('user', 'list')).toMatchObject({ code: 0, stderr: '' })
  expect(await quire.stop()).toBe(0)
  expect(existsSync(socket)).toBe(false)
}, 120_000)
