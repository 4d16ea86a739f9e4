import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestsEnd } from './cleanup.ts'
import { temporaryFolder } from './database.ts'
import { freePort } from './postgres.ts'
import { until } from './until.ts'

const program = '/usr/sbin/pgbouncer'

/** Where pgbouncer isn't installed its tests are skipped, and in CI that is an error. */
export const poolerAvailable = existsSync(program)
if (!poolerAvailable && process.env.CI === 'true') throw new Error('pgbouncer must be installed in CI')
if (!poolerAvailable) process.stderr.write('SKIPPED: every test behind pgbouncer (install the package pgbouncer)\n')

export interface Pooler {
  /** The database's address through the pooler. */
  url: string
  /** Ends it, and every connection with it; `start` brings it back on the same port. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** A private pgbouncer in front of a database, which lends a connection for one transaction at a time. */
export async function launchPooler(database: string, connections: number): Promise<Pooler> {
  const { host, port, username } = new URL(database)
  const own = await freePort()
  const folder = temporaryFolder('quire-pooler-')
  const settings = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${port} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 1000',
    `default_pool_size = ${connections}`,
  ]
  writeFileSync(settings, `${lines.join('\n')}\n`)
  // It refuses to run as root, as PostgreSQL does; what it reads is given to it, since the folder is ours alone.
  const asRoot = process.getuid?.() === 0
  const account = asRoot ? readFileSync('/etc/passwd', 'utf8').match(/^postgres:[^:]*:(\d+):(\d+):/m) : undefined
  const asUser = asRoot ? ['setpriv', `--reuid=${account?.[1]}`, `--regid=${account?.[2]}`, '--clear-groups'] : []
  // A process that is killed runs no hook: the pooler ends with it all the same.
  const withUs = Bun.which('setpriv') === null ? [] : ['setpriv', '--pdeathsig=KILL']
  const isAnswering = async () => {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port: own, socket: { data() {} } }).catch(() => undefined)
    socket?.end()
    return socket !== undefined
  }
  const run = () =>
    Bun.spawn([...asUser, ...withUs, program, '--quiet', '/dev/stdin'], {
      stdin: Bun.file(settings),
      stdout: 'ignore',
      stderr: Bun.file(join(folder, 'log')),
    })
  let running = run()
  const pooler: Pooler = {
    url: database.replace(host, `127.0.0.1:${own}`),
    kill: async () => {
      running.kill('SIGKILL')
      await running.exited
    },
    start: async () => {
      running = run()
      await until('the pooler answers', isAnswering, 30_000)
    },
  }
  onTestsEnd(pooler.kill)
  await until('the pooler answers', isAnswering, 30_000)
  return pooler
}
