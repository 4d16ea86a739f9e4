import { Database as Libsql } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { migrations } from '../../src/db/migrations.ts'
import { sqldAvailable, startSqld } from '../db/sqld.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort, postgresAvailable, startPostgres } from '../support/postgres.ts'

async function timed(args: string[], url: string) {
  const startedMs = performance.now()
  const answer = await runCommand(temporaryFolder(), args, { QUIRE_DATABASE_URL: url })
  return { ...answer, seconds: (performance.now() - startedMs) / 1_000 }
}

/** Takes connections and never says a word. */
async function silentPort(): Promise<number> {
  const port = await freePort()
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestsEnd(() => void server.close())
  return port
}

const servers: [name: string, isThere: boolean, url: () => Promise<string>][] = [
  ['PostgreSQL', postgresAvailable, async () => (await startPostgres()).createDatabase()],
  ['a libSQL server', sqldAvailable, async () => (await startSqld()).url],
]
for (const [name, isThere, url] of servers) {
  // All at the same time: one waits half a minute for a server that says nothing.
  test.concurrent.if(isThere)(
    `migrate --check and migrate end at once on ${name}, and leave no connection open`,
    async () => {
      const address = await url()
      expect(await timed(['migrate', '--check'], address)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('missing: 0000_initial'),
      })
      expect(await timed(['migrate'], address)).toMatchObject({ code: 0, stdout: 'up to date\n' })
      const last = await timed(['migrate', '--check'], address)
      expect(last).toMatchObject({ code: 0, stdout: 'up to date\n', stderr: '' })
      expect(last.seconds).toBeLessThan(20)
    },
    120_000,
  )
}

test.concurrent.each(['postgres://quire@127.0.0.1:PORT/quire', 'libsql://127.0.0.1:PORT?tls=0'])(
  'migrate --check gives up on a server that takes the connection and says nothing: %s',
  async (url) => {
    const answer = await timed(['migrate', '--check'], url.replace('PORT', String(await silentPort())))
    expect(answer).toMatchObject({ code: 1, stdout: '' })
    expect(answer.stderr).toStartWith('quire: ')
    expect(answer.seconds).toBeLessThan(60)
  },
  120_000,
)

test.concurrent('migrate, migrate --check, verify and serve refuse a database whose first migration had other content', async () => {
  const folder = temporaryFolder()
  expect(await runCommand(folder, ['migrate'])).toMatchObject({ code: 0 })
  const database = new Libsql(join(folder, 'quire-data/quire.db'))
  database.exec('alter table quire_migrations drop column sha256')
  database.exec('alter table steps drop column duration_ms')
  database.close()
  for (const args of [
    ['migrate', '--check'],
    ['verify'],
    ['migrate'],
    ['serve'],
    ['user', 'list'],
    ['backup', 'copy'],
  ]) {
    const { code, stderr } = await runCommand(folder, args, { QUIRE_LISTEN: `127.0.0.1:${await freePort()}` })
    expect([args, code === 0]).toEqual([args, false])
    const names = migrations.sqlite.map(({ name }) => name).join(', ')
    expect(stderr).toContain(
      `migrations of other content than those of this version of Quire (${names}): the column steps.duration_ms is missing`,
    )
    expect(stderr).toContain('quire restore --replace')
  }
}, 120_000)

test.concurrent('commands that read every column name the migration that is missing, and the remedy', async () => {
  const folder = temporaryFolder()
  expect(await runCommand(folder, ['migrate'])).toMatchObject({ code: 0 })
  const last = migrations.sqlite.at(-1)?.name
  const database = new Libsql(join(folder, 'quire-data/quire.db'))
  database.query('delete from quire_migrations where name = ?').run(last ?? '')
  database.close()
  for (const args of [['backup', 'copy'], ['verify'], ['sweep']]) {
    expect(await runCommand(folder, args)).toMatchObject({
      code: 1,
      stderr: `quire: the schema lacks ${last}; run quire migrate first, after a backup with the version of Quire that made it\n`,
    })
  }
})
