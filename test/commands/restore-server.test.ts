import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { runBackup } from '../../src/commands/backup.ts'
import { runRestore } from '../../src/commands/restore.ts'
import { ConfigError } from '../../src/config.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { LedgerDamaged } from '../../src/modules/ledger/ledger.service.ts'
import { emptyDatabaseUrl, temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { catchPrinted } from '../support/printed.ts'
import { contextIn } from './answering.ts'
import { changedCopy, makeWholeStore } from './whole-store.ts'

const printed = catchPrinted()
const revokedAt = '2026-11-29T01:00:00.000000000Z'

/** A backup that has a token. */
async function backedUp(): Promise<string> {
  const source = changedCopy(
    await makeWholeStore(),
    `insert into api_tokens (id, token_hash, user_id, name, scopes, created_by, created_at, expires_at)
     values ('token', 'h', 'ada', 'nightly', '[]', 'ada', '2026-11-20T09:30:00.000000000Z', '2027-11-20T09:30:00.000000000Z')`,
  )
  const copy = join(source, 'copy.tar')
  expect(await runBackup([copy], contextIn(source))).toBe(0)
  return copy
}

describe.if(postgresAvailable)('a restore over the data of a server', () => {
  /** An installation that a backup was restored into. */
  async function restored() {
    const copy = await backedUp()
    const there = temporaryFolder()
    const context = contextIn(there, { QUIRE_DATABASE_URL: await emptyDatabaseUrl('postgres') })
    expect(await runRestore([copy], context)).toBe(0)
    Object.assign(printed, { stdout: '', stderr: '' })
    /** On a connection of its own: one that is kept may have plans of tables that are gone. */
    const rows = async (statement: SQL) => {
      const database = await openDatabase(context.readConfig().databaseUrl)
      return database.write((tx) => tx.rows(statement)).finally(() => database.close())
    }
    return { copy, there, context, rows }
  }

  test('that fails behind its rows opens no token that was revoked, and says how far it came', async () => {
    const { copy, there, context, rows } = await restored()
    await rows(sql`update api_tokens set revoked_at = ${revokedAt}`)
    const ledger = join(there, 'quire-data.erasures')
    const note = join(ledger, 'erasure.0198c3d2-7a10-7c00-8000-00000000000a')
    mkdirSync(ledger, { recursive: true })
    writeFileSync(note, '{')
    expect(await rejectionOf(runRestore([copy, '--replace'], context))).toBeInstanceOf(LedgerDamaged)
    expect(printed).toEqual({
      stdout: '',
      stderr:
        'quire: the backup is in place, but what was erased or held since is not as it was again; restore once more before the service is started\n',
    })
    rmSync(note)
    expect(await runRestore([copy, '--replace', '--json'], context)).toBe(0)
    expect(JSON.parse(printed.stdout)).toMatchObject({ warnings: [], problems: [] })
    expect(await rows(sql`select id, revoked_at from api_tokens`)).toEqual([{ id: 'token', revoked_at: revokedAt }])
  })

  test('is told to replace it, and refused while an instance serves from it, or with the objects of another store', async () => {
    const { copy, there, context, rows } = await restored()
    await rows(sql`update submissions set object_reference = 'mine'`)
    const reference = async () => (await rows(sql`select object_reference from submissions`))[0]?.object_reference
    expect(await rejectionOf(runRestore([copy], context))).toEqual(
      new Error('there is data already; add --replace to put the backup in its place'),
    )
    await rows(
      sql`insert into leases (name, owner, expires_at) values ('instance/0.34.0/one', 'one', '9999-01-01T00:00:00.000000000Z')`,
    )
    expect(await rejectionOf(runRestore([copy, '--replace'], context))).toMatchObject({
      message: expect.stringMatching(/^a restore is not for a database that is served, and 1 uses this database/),
    })
    expect([await reference(), printed]).toEqual(['mine', { stdout: '', stderr: '' }])
    await rows(sql`delete from leases`)
    const mark = join(there, 'quire-data/objects/store')
    const marked = readFileSync(mark)
    writeFileSync(mark, 'another\n')
    expect(await rejectionOf(runRestore([copy, '--replace'], context))).toBeInstanceOf(ConfigError)
    expect([await reference(), readFileSync(mark, 'utf8')]).toEqual(['mine', 'another\n'])
    writeFileSync(mark, marked)
    expect(await runRestore([copy, '--replace', '--json'], context)).toBe(0)
    expect([await reference(), JSON.parse(printed.stdout).kept]).toEqual(['P-1', null])
  })
})
