import { chmodSync, copyFileSync, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'

/**
 * A private libSQL server on a loopback port: the real one, from the binary that the package `sqld` brings along for this
 * platform. Its install script only copies that file elsewhere, and doesn't run. Skipped by name where there is no binary.
 */
function findProgram(): string | undefined {
  try {
    const wrapper = createRequire(import.meta.url).resolve('sqld/package.json')
    const program = createRequire(wrapper).resolve(`@sqld/${process.platform}-${process.arch}/sqld`)
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

const packaged = findProgram()
export const sqldAvailable = packaged !== undefined
if (!sqldAvailable && process.env.CI === 'true') throw new Error('the package sqld has no server for this platform')
if (!sqldAvailable)
  process.stderr.write('SKIPPED: every test on a libSQL server (the package sqld has none for this)\n')

export interface PrivateSqld {
  /** `libsql://…`, as a user would write it for a server without TLS. */
  url: string
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** On the same port and the same data. */
  start(): Promise<void>
}

export async function startSqld(): Promise<PrivateSqld> {
  const folder = temporaryFolder('quire-sqld-')
  const program = join(folder, 'sqld')
  copyFileSync(packaged!, program)
  chmodSync(program, 0o700)
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const answers = () =>
    fetch(`http://${address}/health`).then(
      (response) => response.ok,
      () => false,
    )
  let server: Bun.Subprocess | undefined
  const sqld: PrivateSqld = {
    url: `libsql://${address}?tls=0`,
    async kill() {
      server?.kill('SIGKILL')
      await server?.exited
      server = undefined
    },
    async start() {
      server = Bun.spawn([program, '--db-path', join(folder, 'data'), '--http-listen-addr', address, '--no-welcome'], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', RUST_LOG: 'error' },
        stdout: 'ignore',
        stderr: 'ignore',
      })
      await until('the libSQL server answers', answers, 30_000)
    },
  }
  onTestsEnd(() => sqld.kill())
  await sqld.start()
  return sqld
}
