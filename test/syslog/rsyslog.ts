import { expect } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CertificateFiles } from '../support/certificate.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

/** A private rsyslogd on a loopback port; where it is missing its tests are skipped by name, never in CI. */
const program = Bun.which('rsyslogd') ?? Bun.which('rsyslogd', { PATH: '/usr/sbin' })
const packages = 'rsyslog rsyslog-openssl'
export const rsyslogAvailable = program !== null
if (!rsyslogAvailable && process.env.CI === 'true') throw new Error(`CI must have the packages ${packages}`)
if (!rsyslogAvailable) process.stderr.write(`SKIPPED: every test with rsyslog (install the packages ${packages})\n`)

/** What rsyslog makes of a message, by its own names. */
export type RsyslogMessage = Readonly<
  Record<
    'msg' | 'msgid' | 'app-name' | 'timereported' | 'syslogfacility' | 'syslogseverity' | 'structured-data',
    string
  >
>

export interface Rsyslog {
  /** Another one after each start. */
  port: number
  /** What it has written so far. */
  messages(): RsyslogMessage[]
  start(): Promise<void>
  /** Ends it in good order. */
  stop(): Promise<void>
}

/** Takes messages over TLS with the settings of docs/operations.md, and writes all that it reads in them. */
export async function startRsyslog(files: CertificateFiles): Promise<Rsyslog> {
  const folder = temporaryFolder()
  const [settings, portFile, output] = [join(folder, 'rsyslog.conf'), join(folder, 'port'), join(folder, 'messages')]
  writeFileSync(settings, await settingsOf({ folder, files, portFile, output }))
  let server: Bun.Subprocess | undefined
  const rsyslog: Rsyslog = {
    port: 0,
    // The last line may not be whole yet.
    messages: () => textOf(output).split('\n').slice(0, -1).map(parseMessage),
    async start() {
      rmSync(portFile, { force: true })
      // Without a pid file: the one that the machine has may be another rsyslog's.
      server = Bun.spawn([program!, '-n', '-f', settings, '-i', 'NONE'], { stdout: 'ignore', stderr: 'ignore' })
      rsyslog.port = await until('rsyslog listens', () => Number(textOf(portFile)))
    },
    async stop() {
      server?.kill('SIGTERM')
      await server?.exited
      server = undefined
    },
  }
  onTestsEnd(() => rsyslog.stop())
  await rsyslog.start()
  return rsyslog
}

interface Places {
  folder: string
  files: CertificateFiles
  portFile: string
  output: string
}

/** Those of the docs at places of the test, on a free port, and with all of a message in the place of its text. */
async function settingsOf({ folder, files, portFile, output }: Places): Promise<string> {
  const page = await Bun.file(new URL('../../docs/operations.md', import.meta.url)).text()
  const [, shown = ''] = /```text\n(global\(.*?)```/s.exec(page) ?? []
  const instead = {
    '/etc/rsyslog.d/logs.crt': files.certificate,
    '/etc/rsyslog.d/logs.key': files.key,
    'port="6514"': `port="0" address="127.0.0.1" listenPortFileName="${portFile}"`,
    'name="msg"': 'name="jsonmesg"',
    '/var/log/quire-audit.ndjson': output,
  }
  return Object.entries(instead).reduce((settings, [there, here]) => {
    expect(settings).toContain(there)
    return settings.replaceAll(there, here)
  }, `global(workDirectory="${folder}")\n${shown}`)
}

function parseMessage(line: string): RsyslogMessage {
  return JSON.parse(line)
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
