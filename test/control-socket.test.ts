import { describe, expect, test } from 'bun:test'
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { askServer, controlSocketOf, listenForCommands, type Run } from '../src/control-socket.ts'
import { limits } from '../src/core/limits.ts'
import { createLog } from '../src/core/log.ts'
import { temporaryFolder } from './support/database.ts'
import { outcomeOf } from './support/outcome.ts'
import { until } from './support/until.ts'

const logged: string[] = []
const log = createLog({ level: 'debug', readable: true, write: (line) => logged.push(line) })
const pathOfNew = () => join(temporaryFolder(), 'c')

async function serving(run: Run) {
  const path = pathOfNew()
  const stop = await listenForCommands(path, run, log)
  return { path, stop }
}
const ask = async (path: string, command = 'user', args: string[] = []) => {
  const printed: string[] = []
  const answered = await askServer(path, { command, args }, (line) => printed.push(line))
  return { answered, printed }
}
/** What comes back to a text that is sent as it is. */
const sent = (path: string, text: string, ends = false) =>
  new Promise<string>((resolve) => {
    let back = ''
    const socket = connect(path, () => (ends ? socket.end(text) : socket.write(text)))
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      back += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(back))
  })

test('the socket is beside the file that a database is in, by whatever name it is called, and nowhere for others', () => {
  const folder = temporaryFolder()
  const [file, link] = [join(folder, 'quire.db'), join(folder, 'link.db')]
  expect(controlSocketOf(`file:${file}`)).toBe(`${file}.control`)
  writeFileSync(file, '')
  symlinkSync(file, link)
  expect(controlSocketOf(`file:${link}`)).toBe(controlSocketOf(`file:${file}`))
  expect([controlSocketOf('postgres://localhost/quire'), controlSocketOf('libsql://host')]).toEqual([
    undefined,
    undefined,
  ])
})

describe('a command for the server', () => {
  test('is run there with its arguments, and its lines come back in order', async () => {
    const { path, stop } = await serving(async (command, args, print) => {
      print(command)
      for (const arg of args) print(arg)
    })
    expect(await ask(path, 'user', ['add', 'ada lovelace', '', 'ä\n"'])).toEqual({
      answered: true,
      printed: ['user', 'add', 'ada lovelace', '', 'ä\n"'],
    })
    await stop()
  })

  test('fails with what it was refused with, after the lines before', async () => {
    const { path, stop } = await serving(async (_command, _args, print) => {
      print('first')
      throw new Error('There is no user ada.')
    })
    const printed: string[] = []
    const asked = askServer(path, { command: 'user', args: [] }, (line) => printed.push(line))
    expect(await outcomeOf(asked)).toThrow('There is no user ada.')
    expect(printed).toEqual(['first'])
    await stop()
  })

  test('is answered false where nobody listens, or has left a socket', async () => {
    expect(await ask(pathOfNew())).toEqual({ answered: false, printed: [] })
    expect(await ask(join(temporaryFolder(), 'x'.repeat(200)))).toEqual({ answered: false, printed: [] })
    const { path, stop } = await serving(async () => {})
    await stop()
    expect([existsSync(path), (await ask(path)).answered]).toEqual([false, false])
  })

  test('that the server never ends is not known to be carried out', async () => {
    const path = pathOfNew()
    const server = Bun.listen({ unix: path, socket: { data: (socket) => void socket.end() } })
    expect(await outcomeOf(ask(path))).toThrow('the server ended before it answered')
    server.stop(true)
  })
})

describe('the socket', () => {
  test('is its owner’s alone, and takes the place of one that was left', async () => {
    const path = pathOfNew()
    writeFileSync(path, 'left')
    const stop = await listenForCommands(path, async () => {}, log)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await ask(path)).answered).toBe(true)
    await stop()
  })

  test('that can not be made is warned of, and stops nothing', async () => {
    logged.length = 0
    const path = join(temporaryFolder(), 'x'.repeat(200))
    const stop = await listenForCommands(path, async () => {}, log)
    expect(logged.join('')).toContain('their socket can not be made')
    await stop()
  })

  test.each([
    'null\n',
    '7\n',
    '{"command":"user"}\n',
    '{"command":7,"args":[]}\n',
    '{"args":[]}\n',
    '{"command":"user","args":"all"}\n',
  ])('refuses %j, which is no command, and runs nothing', async (text) => {
    let ran = 0
    const { path, stop } = await serving(async () => void ran++)
    expect(JSON.parse(await sent(path, text))).toEqual({ end: true, refused: 'That is no command.' })
    expect(ran).toBe(0)
    await stop()
  })

  test('leaves who says nothing, or too much, without an answer', async () => {
    let ran = 0
    const { path, stop } = await serving(async () => void ran++)
    expect(await sent(path, '{"command":"user"', true)).toBe('')
    expect(await sent(path, 'x'.repeat(limits.controlAskBytes + 1))).toBe('')
    expect(ran).toBe(0)
    await stop()
  })

  test('runs as many commands at once as its limit, and refuses the next', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let begun = 0
    const { path, stop } = await serving(() => {
      begun++
      return released
    })
    const running = Array.from({ length: limits.controlCommands }, () => ask(path))
    await until('all have begun', () => begun === limits.controlCommands)
    expect(await outcomeOf(ask(path))).toThrow('many commands under way')
    release()
    for (const one of running) expect((await one).answered).toBe(true)
    expect((await ask(path)).answered).toBe(true)
    await stop()
  })

  test('stops when the commands under way have ended', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { path, stop } = await serving(async (_command, _args, print) => {
      begin()
      await released
      print('done')
    })
    const asked = ask(path)
    await begun
    let isStopped = false
    const stopping = stop().then(() => {
      isStopped = true
    })
    expect([await Promise.race([stopping.then(() => 'stopped'), Bun.sleep(0).then(() => 'waits')]), isStopped]).toEqual(
      ['waits', false],
    )
    release()
    expect(await asked).toEqual({ answered: true, printed: ['done'] })
    await stopping
  })
})
