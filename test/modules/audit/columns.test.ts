import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { Connection, Database, Transaction } from '../../../src/db/database.ts'
import { digestOfState, readStates } from '../../../src/modules/audit/audit.states.reads.ts'
import { openTestDatabase } from '../../support/database.ts'

const kinds = [
  ...['submission', 'execution', 'user', 'api_token', 'activation', 'release', 'case', 'batch', 'erasure', 'hold'],
  ...['retention', 'contract'],
]

/** Every row has this id and names it, so that each belongs to each other. */
const id = 'one'

type Column = ReturnType<typeof getTableColumns>[string]

function cellOf(column: Column, isChanged: boolean): string | number | Uint8Array {
  const { name } = column
  if (column.getSQLType() === 'blob') return new TextEncoder().encode(isChanged ? 'b' : 'a')
  // A file begins with its piece 0.
  if (column.getSQLType() === 'integer' && getTableName(column.table) === 'file_pieces') return isChanged ? 1 : 0
  if (column.getSQLType() === 'integer') return isChanged ? 0 : 1
  const json = isChanged ? '["b"]' : '["a"]'
  if (Array.isArray(column.mapFromDriverValue(json))) return json
  if (/_(?:at|from|until|time)$/.test(name)) return `2026-11-2${isChanged ? 1 : 0}T09:30:00.000000000Z`
  if (isChanged) return 'another'
  // A passkey's key opens the account; an app's is sealed anew.
  if (name === 'kind') return 'passkey'
  if (name === 'aggregate') return 'user'
  return id
}

async function digests(connection: Connection): Promise<string> {
  const all: string[] = []
  for (const kind of kinds) {
    for (const [, state] of await readStates(connection, kind, [id])) all.push(`${kind} ${digestOfState(state)}`)
  }
  return all.join()
}

/** `table.column` of all that no state covers. */
async function uncovered(tx: Transaction): Promise<string[]> {
  const names: string[] = []
  for (const table of Object.values(tx.t)) {
    const columns = Object.values(getTableColumns(table))
    const all = columns.map(({ name }) => sql.identifier(name))
    const row = columns.map((column) => sql`${cellOf(column, false)}`)
    await tx.rows(sql`insert into ${table} (${sql.join(all, sql`, `)}) values (${sql.join(row, sql`, `)})`)
  }
  const before = await digests(tx)
  for (const table of Object.values(tx.t)) {
    const columns = Object.values(getTableColumns(table))
    const set = async (some: Column[], isChanged: boolean) => {
      const cells = some.map((column) => sql`${sql.identifier(column.name)} = ${cellOf(column, isChanged)}`)
      await tx.rows(sql`update ${table} set ${sql.join(cells, sql`, `)}`)
    }
    const isSame = async (some: Column[]) => {
      await set(some, true)
      const is = (await digests(tx)) === before
      await set(some, false)
      return is
    }
    const isOutside = await isSame(columns)
    for (const column of columns) {
      if (isOutside || (await isSame([column]))) names.push(`${getTableName(table)}.${column.name}`)
    }
  }
  expect(await digests(tx)).toBe(before)
  return names
}

/** The rows of the tables in docs/security.md: a table of the database, and columns of it or `all`. */
function documented({ read }: Database): string[] {
  const page = readFileSync(join(import.meta.dir, '../../../docs/security.md'), 'utf8')
  const [, section = ''] = page.split('## What the audit trail does not cover\n')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const columnsOf = new Map<string, Column[]>(
    Object.values(read.t).map((table) => [getTableName(table), Object.values(getTableColumns(table))]),
  )
  return rows.flatMap((row) => {
    const [, tables = '', columns = ''] = row.split('|')
    const named = (text: string) => [...text.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? '')
    const wanted = (table: string) =>
      columns.trim() === 'all' ? (columnsOf.get(table) ?? []).map(({ name }) => name) : named(columns)
    return named(tables).flatMap((table) => wanted(table).map((column) => `${table}.${column}`))
  })
}

test('every column is covered by the audit trail, or docs/security.md says why not', async () => {
  const database = await openTestDatabase('sqlite')
  const found = await database.write(uncovered)
  expect(documented(database).toSorted()).toEqual(found.toSorted())
})
