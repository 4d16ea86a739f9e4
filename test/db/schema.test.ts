import { expect, test } from 'bun:test'
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database, Dialect } from '../../src/db/database.ts'
import * as postgresSchema from '../../src/db/postgres-schema.ts'
import * as sqliteSchema from '../../src/db/sqlite-schema.ts'
import { describeOnBothDialects, emptyDatabaseUrl, openTestDatabase } from '../support/database.ts'

/** The statements that make the declared schema from nothing, by the tool that writes the migrations. */
async function declaredStatements(dialect: Dialect): Promise<string[]> {
  if (dialect === 'postgres') return generateMigration(generateDrizzleJson({}), generateDrizzleJson(postgresSchema))
  return generateSQLiteMigration(await generateSQLiteDrizzleJson({}), await generateSQLiteDrizzleJson(sqliteSchema))
}

/** Every column and index of the database as a sorted list of lines, in the words of its own catalog. */
async function catalogOf({ dialect, read }: Database): Promise<string[]> {
  const queries =
    dialect === 'postgres'
      ? [
          sql`select table_name as of, column_name as name, concat_ws(' ', data_type, collation_name, is_nullable, column_default) as told
            from information_schema.columns where table_schema = 'public'`,
          sql`select tablename as of, indexname as name, indexdef as told from pg_indexes where schemaname = 'public'`,
        ]
      : [
          sql`select m.name as of, c.name, c.type || ' ' || c."notnull" || ' ' || c.pk || ' ' || coalesce(c.dflt_value, '') as told
            from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite%'`,
          sql`select tbl_name as of, name, sql as told from sqlite_master where type = 'index' and sql is not null`,
        ]
  const rows = await Promise.all(queries.map((query) => read.rows<{ of: string; name: string; told: string }>(query)))
  return rows
    .flat()
    .filter(({ of }) => of !== 'quire_migrations')
    .map(({ of, name, told }) => `${of}.${name}: ${told}`)
    .sort()
}

describeOnBothDialects('the declared schema', (dialect) => {
  test('has exactly the columns and indexes that the embedded migrations make', async () => {
    const declared = await openDatabase(await emptyDatabaseUrl(dialect))
    const statements = await declaredStatements(dialect)
    await declared.write(async (tx) => {
      for (const statement of statements) await tx.rows(sql.raw(statement))
    })
    const migrated = await openTestDatabase(dialect)
    const catalog = await catalogOf(declared)
    expect(catalog.length).toBeGreaterThan(150)
    expect(await catalogOf(migrated)).toEqual(catalog)
    for (const database of [declared, migrated]) await database.close()
  })
})
