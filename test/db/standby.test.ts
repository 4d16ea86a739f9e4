import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { openDatabase } from '../../src/db/connect.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { launchPostgres, launchStandby, postgresAvailable } from '../support/postgres.ts'
import { patienceMs, until } from '../support/until.ts'

describe.if(postgresAvailable)('an address of PostgreSQL', () => {
  /** Of the standby and of its primary, as an address names them. */
  let hosts: [standby: string, primary: string]
  /** Where the primary has its socket. */
  let folder: string
  beforeAll(async () => {
    const primary = await launchPostgres()
    const standby = await launchStandby(primary)
    folder = primary.folder
    hosts = [new URL(standby.adminUrl).host, new URL(primary.adminUrl).host]
  })

  /** Whether the server that is asked first follows another, and whether it takes a write. */
  async function serverAt(named: readonly string[], parameters = '') {
    const database = await openDatabase(`postgres://quire@${named.join(',')}/postgres${parameters}`)
    try {
      const [row] = await database.read.rows<{ follows: boolean }>(sql`select pg_is_in_recovery() as follows`)
      const write = database.write((tx) => tx.rows(sql`create table if not exists kept (x text)`))
      return {
        follows: row?.follows,
        takesWrites: await write.then(
          () => true,
          () => false,
        ),
      }
    } finally {
      await database.close()
    }
  }

  test('with several servers leads to the one that takes writes, whichever is named first', async () => {
    for (const named of [hosts, hosts.toReversed()])
      expect(await serverAt(named)).toEqual({ follows: false, takesWrites: true })
  })

  test('with several servers leads to another kind of them where it says so itself', async () => {
    for (const parameters of ['?target_session_attrs=standby', '?application_name=q&target_session_attrs=standby'])
      expect(await serverAt(hosts.toReversed(), parameters)).toEqual({ follows: true, takesWrites: false })
  })

  test('with several servers tells at once that the first statement of a connection broke off, and gives no other one its answer', async () => {
    const [, primary] = hosts
    const admin = postgres(`postgres://quire@${primary}/postgres`, { max: 1, onnotice: () => {} })
    const endSleepers = async () => {
      const ended =
        await admin`select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep(97)%'`
      return ended.length > 0
    }
    const database = await openDatabase(`postgres://quire@${hosts.toReversed().join(',')}/postgres`)
    try {
      // Each is sent by a connection of its own, as long as the others are at work.
      const broken = Array.from({ length: 3 }, () =>
        database.read.rows(sql`select pg_sleep(97)`).then(
          () => 'answered',
          (error: unknown) => isDatabaseUnavailable(error),
        ),
      )
      await until('a statement sleeps', endSleepers)
      const haveEnded = Promise.all(broken).then(() => true)
      // On a busy machine some begin to sleep only when others have been ended.
      await until('all have ended', async () => {
        await endSleepers()
        return Promise.race([haveEnded, Bun.sleep(50).then(() => false)])
      })
      const answers = Array.from({ length: 20 }, (_, index) => database.read.rows(sql`select ${index}::int as n`))
      const ended = Promise.all([Promise.all(answers), Promise.all(broken)])
      const late = Bun.sleep(patienceMs()).then(() => ['still waiting', []])
      const [numbers, reports] = await Promise.race([ended, late])
      expect(reports).toEqual([true, true, true])
      expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => [{ n }]))
    } finally {
      await database.close()
      await admin.end()
    }
  })

  test('with a folder leads to the server that has its socket there', async () => {
    const port = new URL(`postgres://${hosts[1]}`).port
    const named = `${encodeURIComponent(folder)}:${port}`
    expect(await serverAt([named])).toEqual({ follows: false, takesWrites: true })
  })

  test('with one server leads to it, also where that only reads', async () => {
    expect(await serverAt(hosts.slice(0, 1))).toEqual({ follows: true, takesWrites: false })
    expect(await serverAt(hosts.slice(1))).toEqual({ follows: false, takesWrites: true })
  })
})
