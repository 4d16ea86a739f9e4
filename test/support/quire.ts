import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestsEnd } from './cleanup.ts'
import { temporaryFolder } from './database.ts'
import { bareEnvironment } from './environment.ts'
import { freePort } from './postgres.ts'

/** The real program, running alone with the demo configuration in force. */
export interface RunningQuire {
  origin: string
  username: string
  password: string
  /** Its working directory, empty but for what it made itself. */
  folder: string
  pid: number
  /** Asks it to end and waits until it has; its exit code. */
  stop(): Promise<number>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** What it wrote to stderr so far. */
  log(): Promise<string>
  /** @throws with the end of its log when it has ended by itself */
  requireAlive(): Promise<void>
}

export interface StartOptions {
  /** Settings over the defaults. */
  environment?: Record<string, string>
  /**
   * Browsers open it by this name: they have no passkeys for an address, and trust no name but `localhost` without TLS. Only they know
   * `quire.lan` (see `startBrowser`).
   */
  name?: 'localhost' | 'quire.lan'
  /** The folder of an earlier start, to go on with its data. */
  folder?: string
  /** Another build than this one's. */
  program?: readonly string[]
}

const readyWithinMs = 60_000
const root = join(import.meta.dir, '../..')

/**
 * The executable named by QUIRE_BINARY, else `dist/quire`, which is built when it is not there. It runs `src/main.ts`, by which
 * the mutation run knows what these tests reach.
 */
export function findBinary(): string {
  const given = process.env.QUIRE_BINARY
  if (given !== undefined && given !== '') return given
  const built = join(root, 'dist/quire')
  if (!existsSync(built)) {
    const build = Bun.spawnSync([process.execPath, 'scripts/build.ts'], { cwd: root })
    if (!build.success) throw new Error(`dist/quire can't be built:\n${build.stderr.toString()}`)
  }
  return built
}

/** Runs `quire serve` in an empty folder on a free loopback port, and waits until it is ready. */
export async function startQuire(options: StartOptions = {}): Promise<RunningQuire> {
  const program = options.program ?? [findBinary()]
  const folder = options.folder ?? temporaryFolder('quire-running-')
  const username = 'admin'
  const password = 'a password for tests only'
  const port = await freePort()
  // Bun writes over what is there and leaves the rest.
  for (const name of ['stdout', 'stderr']) rmSync(join(folder, name), { force: true })
  const child = Bun.spawn([...program, 'serve'], {
    cwd: folder,
    env: {
      ...bareEnvironment,
      TMPDIR: folder,
      QUIRE_LISTEN: `127.0.0.1:${port}`,
      QUIRE_DEMO: 'true',
      QUIRE_ADMIN_USERNAME: username,
      QUIRE_ADMIN_PASSWORD: password,
      ...(options.name === undefined ? {} : { QUIRE_ORIGINS: `http://${options.name}:${port}` }),
      ...options.environment,
    },
    stdin: 'ignore',
    stdout: Bun.file(join(folder, 'stdout')),
    stderr: Bun.file(join(folder, 'stderr')),
  })
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    return child.exited
  }
  onTestsEnd(async () => {
    // One that a test has stopped would never hear the other.
    child.kill('SIGCONT')
    await end('SIGTERM')
  })
  const log = () => Bun.file(join(folder, 'stderr')).text()
  const scheme = options.environment?.QUIRE_TLS_CERTIFICATE === undefined ? 'http' : 'https'
  const origin = `${scheme}://${options.name ?? '127.0.0.1'}:${port}`
  if (!(await becomesReady(`${scheme}://127.0.0.1:${port}`, () => child.exitCode !== null))) {
    await end('SIGKILL')
    throw new Error(`${program.join(' ')} serve was not ready within ${readyWithinMs} ms. It said:\n${await log()}`)
  }
  return {
    origin,
    username,
    password,
    folder,
    pid: child.pid,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
    },
    log,
    requireAlive: async () => {
      if (child.exitCode === null) return
      throw new Error(`quire ended by itself with ${child.exitCode}. It said:\n${(await log()).slice(-4_000)}`)
    },
  }
}

async function becomesReady(origin: string, ended: () => boolean): Promise<boolean> {
  const deadline = performance.now() + readyWithinMs
  while (performance.now() < deadline && !ended()) {
    // Who answers is known by the port; whether its certificate is trusted is for tests of that.
    const tls = { rejectUnauthorized: false }
    const answer = await fetch(`${origin}/health/ready`, { tls }).catch(() => undefined)
    if (answer?.status === 200) return true
    await Bun.sleep(20)
  }
  return false
}
