import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import { launchPostgres, launchStandby, postgresAvailable } from '../support/postgres.ts'

describe.if(postgresAvailable)('an address of PostgreSQL', () => {
  /** Of the standby and of its primary, as an address names them. */
  let hosts: [standby: string, primary: string]
  beforeAll(async () => {
    const primary = await launchPostgres()
    const standby = await launchStandby(primary)
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

  test('with one server leads to it, also where that only reads', async () => {
    expect(await serverAt(hosts.slice(0, 1))).toEqual({ follows: true, takesWrites: false })
    expect(await serverAt(hosts.slice(1))).toEqual({ follows: false, takesWrites: true })
  })
})
