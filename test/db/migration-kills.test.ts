import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import { appliedMigrations, migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { describeOnBothDialects, emptyDatabaseUrl } from '../support/database.ts'

describeOnBothDialects('migrate', (dialect) => {
  test('is complete or absent wherever its process is killed, and resumes from there', async () => {
    const url = await emptyDatabaseUrl(dialect)
    const statements = migrations[dialect].flatMap((migration) => migration.sql.split('--> statement-breakpoint'))
    // What is around the statements themselves: locks, the record of what was applied.
    const last = statements.length + 6 * (migrations[dialect].length + 1)
    const step = process.env.CRASH_TESTS === 'full' ? 1 : Math.ceil(last / 9)
    let kills = 0
    for (let at = 0; at <= last; at += step) {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, 'killed-migration.ts'), url, String(at)], {
        stderr: 'inherit',
      })
      await child.exited
      if (child.signalCode === 'SIGKILL') kills++
      const database = await openDatabase(url)
      const recorded = await appliedMigrations(database.read)
      const tables = await database.read.rows(sql`select count(*) as n from steps`).catch(() => undefined)
      // There is one migration, so its tables and its record come together.
      expect(tables === undefined).toBe(recorded.length === 0)
      await database.close()
    }
    expect(kills).toBeGreaterThan(3)
    const database = await openDatabase(url)
    await migrate(database)
    expect(await appliedMigrations(database.read)).toEqual(migrations[dialect].map(({ name }) => name))
    await database.close()
  }, 240_000)
})
