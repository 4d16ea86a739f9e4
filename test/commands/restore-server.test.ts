import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { runBackup } from '../../src/commands/backup.ts'
import { runRestore } from '../../src/commands/restore.ts'
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

test.if(postgresAvailable)(
  'a restore over the data of a server that fails behind its rows opens no token that was revoked, and says how far it came',
  async () => {
    const source = changedCopy(
      await makeWholeStore(),
      `insert into api_tokens (id, token_hash, user_id, name, scopes, created_by, created_at, expires_at)
       values ('token', 'h', 'ada', 'nightly', '[]', 'ada', '2026-11-20T09:30:00.000000000Z', '2027-11-20T09:30:00.000000000Z')`,
    )
    const copy = join(source, 'copy.tar')
    expect(await runBackup([copy], contextIn(source))).toBe(0)
    const there = temporaryFolder()
    const context = contextIn(there, { QUIRE_DATABASE_URL: await emptyDatabaseUrl('postgres') })
    expect(await runRestore([copy], context)).toBe(0)
    const database = await openDatabase(context.readConfig().databaseUrl)
    await database.write((tx) => tx.rows(sql`update api_tokens set revoked_at = ${revokedAt}`))

    const ledger = join(there, 'quire-data.erasures')
    const note = join(ledger, 'erasure.0198c3d2-7a10-7c00-8000-00000000000a')
    mkdirSync(ledger, { recursive: true })
    writeFileSync(note, '{')
    Object.assign(printed, { stdout: '', stderr: '' })
    expect(await rejectionOf(runRestore([copy, '--replace'], context))).toBeInstanceOf(LedgerDamaged)
    expect(printed).toEqual({
      stdout: '',
      stderr:
        'quire: the backup is in place, but what was erased or held since is not as it was again; restore once more, or start the service\n',
    })
    rmSync(note)
    expect(await runRestore([copy, '--replace', '--json'], context)).toBe(0)
    expect(JSON.parse(printed.stdout)).toMatchObject({ warnings: [], problems: [] })
    const rows = await database.read.rows(sql`select id, revoked_at from api_tokens`)
    await database.close()
    expect(rows).toEqual([{ id: 'token', revoked_at: revokedAt }])
  },
)
