import { chmodSync, existsSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { detailOf } from './core/error-cause.ts'
import { limits } from './core/limits.ts'
import type { Log } from './core/log.ts'

/**
 * How a command works on an embedded database while a process serves it: it sends its arguments to that process through a socket
 * beside the database file, which only the file's owner may open, and prints what comes back. The server runs the command in its
 * own transactions, so a kill leaves all of a change or nothing (docs/decisions/0022). One line of JSON goes there; lines of JSON
 * come back, the last with `end`.
 */
export type Run = (command: string, args: readonly string[], print: Print) => Promise<void>
export type Print = (line: string) => void

interface Asked {
  command: string
  args: string[]
}
/** A line to print; or the end, with the reason if the command was refused. */
type Told = { line: string } | { end: true; refused?: string }

/** Where the server of a database file listens; undefined if the database isn't a file. */
export function controlSocketOf(databaseUrl: string): string | undefined {
  if (!databaseUrl.startsWith('file:')) return undefined
  const path = databaseUrl.slice('file:'.length)
  // Resolved, so that two names of one file lead to one server.
  return `${existsSync(path) ? realpathSync(path) : path}.control`
}

/**
 * Listens for commands. Call it only while this process holds the database file's lock, because it removes the socket of a killed
 * process.
 *
 * @returns stops it, once running commands have ended
 */
export async function listenForCommands(path: string, run: Run, log: Log): Promise<() => Promise<void>> {
  rmSync(path, { force: true })
  const underWay = new Set<Promise<void>>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    if (underWay.size >= limits.controlCommands) {
      tell(socket, { end: true, refused: 'The server has many commands under way. Try again.' })
      socket.end()
      return
    }
    const work = serve(socket, run, log).finally(() => underWay.delete(work))
    underWay.add(work)
  })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    // The server has set its umask already; this is a second protection.
    chmodSync(path, 0o600)
  } catch (error) {
    // For example if it is longer than 107 bytes, the system's limit for a socket's path.
    log.warn('commands for accounts want the server stopped: their socket can not be made', { path, cause: error })
    return async () => {}
  }
  return async () => {
    server.close()
    await Promise.race([Promise.all(underWay), Bun.sleep(limits.controlStopMs)])
    rmSync(path, { force: true })
  }
}

async function serve(socket: Socket, run: Run, log: Log): Promise<void> {
  try {
    const asked = await readAsked(socket)
    if (asked === undefined) return
    log.info('a command of the command line is carried out', { command: asked.command })
    await run(asked.command, asked.args, (line) => tell(socket, { line }))
    tell(socket, { end: true })
  } catch (error) {
    log.debug('a command was refused', { cause: error })
    tell(socket, { end: true, refused: error instanceof Error ? error.message : String(error) })
  } finally {
    socket.end()
  }
}

/** The first line; undefined if the client disconnects, sends nothing in time, or too much. */
async function readAsked(socket: Socket): Promise<Asked | undefined> {
  socket.setTimeout(limits.controlAskMs, () => socket.destroy())
  const text = await readLine(socket, limits.controlAskBytes)
  socket.setTimeout(0)
  if (text === undefined) return undefined
  const asked: unknown = JSON.parse(text)
  if (typeof asked !== 'object' || asked === null) throw new Error('That is no command.')
  const [command, args]: unknown[] = [Reflect.get(asked, 'command'), Reflect.get(asked, 'args')]
  if (typeof command !== 'string' || !Array.isArray(args)) throw new Error('That is no command.')
  return { command, args: args.map(String) }
}

function readLine(socket: Socket, maxBytes: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const end = bytes.indexOf('\n')
      if (end >= 0) resolve(bytes.subarray(0, end).toString('utf8'))
      else if (bytes.length > maxBytes) {
        socket.destroy()
        resolve(undefined)
      }
    })
    socket.on('end', () => resolve(undefined))
    socket.on('close', () => resolve(undefined))
  })
}

/** The client may have disconnected; the command continues all the same. */
function tell(socket: Socket, told: Told): void {
  if (socket.writable) socket.write(`${JSON.stringify(told)}\n`)
}

/**
 * Lets the database's server run a command.
 *
 * @returns false if no server listens there
 * @throws the command's refusal; or an error if the server ends first, when it is unknown whether the command was carried out
 */
export async function askServer(path: string, asked: Asked, print: Print): Promise<boolean> {
  const socket = await open(path)
  if (socket === undefined) return false
  socket.write(`${JSON.stringify(asked)}\n`)
  let rest = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const told = JSON.parse(line) as Told
      if ('line' in told) print(told.line)
      else if (told.refused === undefined) return true
      else throw new Error(told.refused)
    }
  }
  throw new Error(
    'the server ended before it answered: look with "list" whether it was carried out, and call it again if not',
  )
}

function open(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error) => {
      // No socket, that of a killed server, or a path that is too long.
      if (['ENOENT', 'ECONNREFUSED', 'EINVAL', 'ENAMETOOLONG'].includes(detailOf(error) ?? '')) resolve(undefined)
      else reject(error)
    })
  })
}
