import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'

/** A private mosquitto on a loopback port; where the program is missing its tests are skipped by name, never in CI. */
const program = Bun.which('mosquitto') ?? Bun.which('mosquitto', { PATH: '/usr/sbin:/usr/local/sbin' })
export const mosquittoAvailable = program !== null
if (!mosquittoAvailable && process.env.CI === 'true') throw new Error('mosquitto must be installed in CI')
if (!mosquittoAvailable) process.stderr.write('SKIPPED: every test against mosquitto (install the package mosquitto)\n')

export interface PrivateMosquitto {
  port: number
  url: string
  /** Ends it as a crash would, or starts it again on the same port. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it in good order. */
  stop(): Promise<void>
  /** Stops it from answering without closing its connections, and lets it go on. */
  freeze(): void
  thaw(): void
}

export interface MosquittoOptions {
  /** Writes its sessions and what waits in them to disk when it is stopped in good order. */
  keepsSessions?: boolean
  /** Further lines of its configuration, given the folder it is in; without them anybody may come in. */
  settings?: (folder: string) => string[]
  scheme?: 'mqtt' | 'mqtts'
}

export async function startMosquitto(options: MosquittoOptions = {}): Promise<PrivateMosquitto> {
  const port = await freePort()
  const folder = temporaryFolder()
  const configuration = join(folder, 'mosquitto.conf')
  const lines = [
    `listener ${port} 127.0.0.1`,
    ...(options.settings?.(folder) ?? ['allow_anonymous true']),
    ...(options.keepsSessions === true
      ? ['persistence true', `persistence_location ${folder}/`]
      : ['persistence false']),
    'max_queued_messages 0',
    'log_dest none',
    // Started by root it would become another user, who may not read its folder.
    ...(process.getuid?.() === 0 ? ['user root'] : []),
  ]
  writeFileSync(configuration, `${lines.join('\n')}\n`)
  let server: Bun.Subprocess | undefined
  const broker: PrivateMosquitto = {
    port,
    url: `${options.scheme ?? 'mqtt'}://127.0.0.1:${port}`,
    async kill() {
      server?.kill('SIGKILL')
      await server?.exited
      server = undefined
    },
    async stop() {
      server?.kill('SIGTERM')
      await server?.exited
      server = undefined
    },
    async start() {
      server = Bun.spawn([program!, '-c', configuration], { stdout: 'ignore', stderr: 'ignore' })
      await until('mosquitto has started', () => accepts(port))
    },
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
  }
  onTestsEnd(() => broker.kill())
  await broker.start()
  return broker
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
