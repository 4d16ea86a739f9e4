import { createSocket } from 'node:dgram'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { onTestsEnd } from './cleanup.ts'
import { isAlive } from './processes.ts'
import { until } from './until.ts'

/**
 * A private PostgreSQL on a free loopback port, started on first use and stopped by pid when the tests end, or with the
 * process. Where PostgreSQL isn't installed `postgresAvailable` is false, and in CI that is an error.
 */
const VERSIONS_FOLDER = '/usr/lib/postgresql'

function findBinaries(): string | undefined {
  if (!existsSync(VERSIONS_FOLDER)) return undefined
  const newest = readdirSync(VERSIONS_FOLDER).sort((a, b) => Number(b) - Number(a))[0]
  return newest === undefined ? undefined : join(VERSIONS_FOLDER, newest, 'bin')
}

const binaries = findBinaries()
export const postgresAvailable = binaries !== undefined
if (!postgresAvailable && process.env.CI === 'true') throw new Error('PostgreSQL must be installed in CI')
if (!postgresAvailable) process.stderr.write('SKIPPED: every test on PostgreSQL (install the package postgresql)\n')

/** Where databases are made. */
export interface Databases {
  /** Makes an empty database, or a copy of one to which nobody is connected, and gives its URL. */
  createDatabase(template?: string): Promise<string>
}

export interface PrivatePostgres extends Databases {
  /** Of the database that makes the others. */
  adminUrl: string
  /** The postmaster's process id, for tests that kill it. */
  pid: number
  /** Its own folder, where it has its data and its log. */
  folder: string
  /** Ends every process of the server at once, as a crash would; `start` recovers from its log. */
  crash(): Promise<void>
  /** Stops every process of the server: it keeps its connections and answers nothing, as one whose machine is off. For good. */
  freeze(): void
  start(): Promise<void>
}

/** A server that follows another, until it is told to take its place. */
export interface Standby extends PrivatePostgres {
  promote(): Promise<void>
}

let started: Promise<Databases> | undefined

/**
 * The server that this process's tests share, for as long as the process runs; nothing in it has to outlive the machine. A
 * mutation run, which starts many processes, names one that is there already.
 */
export function startPostgres(): Promise<Databases> {
  const given = process.env.QUIRE_TEST_POSTGRES
  started ??= given === undefined ? startShared() : Promise.resolve(databasesOf(given))
  return started
}

async function startShared(): Promise<Databases> {
  const server = await startServer(['-c', 'fsync=off'])
  const ends = 'for _ in $(seq 100); do kill -0 "$0" 2>&- || break; sleep 0.1; done'
  afterThisProcess(`kill -QUIT "$0" 2>&-; ${ends}; rm -rf "$1"`, String(server.pid), server.folder)
  return server
}

/**
 * No hook runs at the end of a worker of `bun test --parallel`, only at the end of each of its files. So a shell waits for
 * the end of a pipe that closes with this process, however it ends.
 */
function afterThisProcess(script: string, ...words: string[]): void {
  const shell = ['sh', '-c', `cat; ${script}`, ...words]
  Bun.spawn(shell, { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' }).unref()
}

function databasesOf(adminUrl: string): Databases {
  let count = 0
  return {
    createDatabase: async (template = 'template1') => {
      const name = `test_${process.pid}_${++count}`
      const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
      await admin.unsafe(`create database ${name} template ${template.replace(/.*\//, '')}`)
      await admin.end()
      return adminUrl.replace(/[^/]*$/, name)
    },
  }
}

/** Drops the databases of the test processes that have ended. */
export async function dropLeftDatabases(adminUrl: string): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  const rows = await admin<{ name: string }[]>`select datname as name from pg_database where datname ~ '^test_'`
  for (const { name } of rows) {
    if (!isAlive(Number(name.split('_')[1]))) await admin.unsafe(`drop database if exists ${name} with (force)`)
  }
  await admin.end()
}

/**
 * Below those that systems give to outgoing connections, any of which could otherwise take the port before its server
 * does; and above the last one that browsers refuse to speak to.
 */
const FIRST_PORT = 11_000
const LAST_PORT = 32_000

/** A loopback port on which nobody listens, given once: to no other process of tests either, as long as this one runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT))
    if ((await claim(port)) && (await isFree(port))) return port
  }
}

/**
 * By the UDP port of the same number, which nobody uses and one process only can have. A server listens some time after its port was
 * found free, and not while it is started again.
 */
function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref()
      resolve(true)
    })
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** One of its own, for tests that would disturb all others; with further options of its command line. */
export async function launchPostgres(options: readonly string[] = []): Promise<PrivatePostgres> {
  return endingWithTests(await startServer(options))
}

/** Follows a server from a copy of its data; a commit waits for it where that server's options say so. */
export async function launchStandby(primary: PrivatePostgres): Promise<Standby> {
  const server = endingWithTests(await startServer([], (data) => copyOf(primary, data)))
  const promote = async () => {
    const admin = postgres(server.adminUrl, { max: 1, onnotice: () => {} })
    await admin`select pg_promote()`
    await admin.end()
  }
  return { ...server, promote }
}

function endingWithTests(server: PrivatePostgres): PrivatePostgres {
  onTestsEnd(async () => {
    await server.crash()
    rmSync(server.folder, { recursive: true, force: true })
  })
  return server
}

const newCluster = (data: string) => [
  binary('initdb'),
  ...['-D', data, '-U', 'quire', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
]

let untouched: string | undefined

/** A copy of a new cluster that this process keeps: making one takes the processor ten times as long. */
function copyOfNewCluster(data: string): string[] {
  untouched ??= keptCluster()
  return ['cp', '-a', untouched, data]
}

function keptCluster(): string {
  const folder = folderOfServers('quire-cluster-')
  afterThisProcess('rm -rf "$0"', folder)
  const data = join(folder, 'data')
  runAsServersUser(newCluster(data), folder)
  return data
}

/** A copy that begins to follow as soon as it is started. */
const copyOf = ({ adminUrl }: PrivatePostgres, data: string) => [
  binary('pg_basebackup'),
  ...['-D', data, '-d', adminUrl, '--write-recovery-conf', '--checkpoint=fast', '--wal-method=stream', '--no-sync'],
]

/** Copies a running server's data to a folder beside it, as the base of a restore. */
export function takeBaseBackup({ adminUrl, folder }: PrivatePostgres): string {
  const base = join(folder, 'base')
  runAsServersUser([binary('pg_basebackup'), '-D', base, '-d', adminUrl, '--checkpoint=fast', '--no-sync'], folder)
  return base
}

/** A server on a copy of a base backup, which has recovered by its options and takes writes. */
export async function restorePostgres(base: string, options: readonly string[]): Promise<PrivatePostgres> {
  const script = 'cp -a "$0" "$1" && touch "$1/recovery.signal"'
  const server = endingWithTests(await startServer(options, (data) => ['/bin/sh', '-c', script, base, data]))
  const admin = postgres(server.adminUrl, { max: 1, onnotice: () => {} })
  const isOver = async () => (await admin`select pg_is_in_recovery() as recovers`)[0]?.recovers === false
  await until('the server has recovered', isOver, 60_000)
  await admin.end()
  return server
}

function binary(program: string): string {
  return join(binaries!, program)
}

/** PostgreSQL refuses to run as root, so it runs as the package's own user there. */
function accountOfServers(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [, uid, gid] = readFileSync('/etc/passwd', 'utf8').match(/^postgres:[^:]*:(\d+):(\d+):/m) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

function asServersUser(): string[] {
  const account = accountOfServers()
  if (account === undefined) return []
  return ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
}

/** A folder that is the servers' own. */
function folderOfServers(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o700)
  const account = accountOfServers()
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

function runAsServersUser(command: readonly string[], folder: string): void {
  const { exitCode, stderr } = Bun.spawnSync([...asServersUser(), ...command], { cwd: folder, stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${stderr}`)
}

/** @param making the program and arguments that make the data */
async function startServer(options: readonly string[], making = copyOfNewCluster): Promise<PrivatePostgres> {
  const folder = folderOfServers('quire-postgres-')
  const asUser = asServersUser()
  // A process that is killed runs no hook: the server ends with it all the same.
  const withUs = Bun.which('setpriv') === null ? [] : ['setpriv', '--pdeathsig=QUIT']
  const data = join(folder, 'data')
  const port = await freePort()
  runAsServersUser(making(data), folder)
  const settings = ['-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`]
  const run = () =>
    Bun.spawn(
      [...asUser, ...withUs, binary('postgres'), '-D', data, ...settings, '-c', 'max_connections=1000', ...options],
      {
        cwd: folder,
        stdout: 'ignore',
        stderr: Bun.file(join(folder, 'log')),
      },
    )
  let postmaster = run()
  const frozen: number[] = []
  const adminUrl = `postgres://quire@127.0.0.1:${port}/postgres`
  await waitUntilItAnswers(adminUrl)
  return {
    ...databasesOf(adminUrl),
    adminUrl,
    folder,
    pid: postmaster.pid,
    crash: async () => {
      for (const pid of frozen.splice(0)) signal(pid, 'SIGCONT')
      postmaster.kill('SIGQUIT')
      await postmaster.exited
    },
    freeze: () => {
      signal(postmaster.pid, 'SIGSTOP')
      const children = Bun.spawnSync(['pgrep', '-P', String(postmaster.pid)]).stdout.toString()
      frozen.push(...children.split('\n').filter(Boolean).map(Number))
      for (const pid of frozen) signal(pid, 'SIGSTOP')
      frozen.push(postmaster.pid)
    },
    start: async () => {
      postmaster = run()
      await waitUntilItAnswers(adminUrl)
    },
  }
}

/** One that has ended meanwhile takes none. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch {}
}

async function waitUntilItAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const client = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} })
    const answered = await client`select 1`.then(
      () => true,
      () => false,
    )
    await client.end({ timeout: 1 })
    if (answered) return
    await Bun.sleep(50)
  }
  throw new Error('the private PostgreSQL did not start within a minute')
}
