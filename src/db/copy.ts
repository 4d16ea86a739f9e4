import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { limits } from '../core/limits.ts'
import type { Connection, Transaction } from './database.ts'

/**
 * Whole tables as lines of text and back, with the same text for both dialects: backups consist of them, and a move between
 * databases compares them. A line is a JSON array of a row's values, ordered by column name. Booleans are true and false, bytes
 * `{"base64": "…"}`, everything else is as stored.
 */
export interface CopiedTable {
  name: string
  columns: string[]
  /** Columns of the primary key, the order of the lines. */
  key: string[]
}

/** Sessions, throttles and roles of instances, which mean nothing in a copy. */
const LEFT_OUT = new Set(['sessions', 'throttles', 'leases'])
const KEYS: Record<string, string[]> = {
  idempotency: ['actor_id', 'key'],
  audit_heads: ['position'],
  audit_outlets: ['name'],
  project_files: ['path'],
  suite_policies: ['family_id'],
  erased_items: ['erasure_id', 'kind', 'item_id'],
  batch_rows: ['batch_id', 'number'],
  file_pieces: ['file_id', 'number'],
  recovery_codes: ['code_hash'],
}

/** All tables whose rows must survive, in this version's schema. */
export function copiedTables(connection: Pick<Connection, 't'>): CopiedTable[] {
  return Object.values(connection.t)
    .filter((table) => !LEFT_OUT.has(getTableName(table)))
    .map((table) => {
      const name = getTableName(table)
      const columns = Object.values(getTableColumns(table)).map((column) => column.name)
      return { name, columns: columns.sort(), key: KEYS[name] ?? ['id'] }
    })
}

/** Names of all tables, uncopied ones too, for emptying a database. */
export function allTableNames(connection: Pick<Connection, 't'>): string[] {
  return Object.values(connection.t).map((table) => getTableName(table))
}

/** The table's rows in pages of lines, starting after a key if given. */
export async function* readLines(
  connection: Connection,
  table: CopiedTable,
  after?: readonly unknown[],
): AsyncGenerator<{ lines: string[]; lastKey: unknown[] }> {
  const booleans = booleanColumns(connection, table.name)
  const key = list(table.key)
  let last = after
  for (;;) {
    const from = last === undefined ? sql`` : sql` where (${key}) > (${values(last)})`
    const rows = await connection.rows<Record<string, unknown>>(
      sql`select ${list(table.columns)} from ${sql.identifier(table.name)}${from} order by ${key} limit ${limits.tablePageRows}`,
    )
    const lastRow = rows.at(-1)
    if (lastRow === undefined) return
    last = table.key.map((column) => lastRow[column])
    yield {
      lines: rows.map((row) =>
        JSON.stringify(
          table.columns.map((column) => (booleans.has(column) ? toBoolean(row[column]) : toPlain(row[column]))),
        ),
      ),
      lastKey: [...last],
    }
    if (rows.length < limits.tablePageRows) return
    // The addon never yields by itself, and a process that copies a large database must stay responsive.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Writes rows read by `readLines`; the table must have their columns. */
export async function writeLines(tx: Transaction, table: CopiedTable, lines: readonly string[]): Promise<void> {
  for (let start = 0; start < lines.length; start += limits.tablePageRows) {
    const rows = lines.slice(start, start + limits.tablePageRows).map((line) => {
      const row: unknown = JSON.parse(line)
      if (!Array.isArray(row) || row.length !== table.columns.length) {
        throw new Error(`a line of table ${table.name} has not the ${table.columns.length} values of its columns`)
      }
      return sql`(${values(row.map(fromPlain))})`
    })
    await tx.rows(
      sql`insert into ${sql.identifier(table.name)} (${list(table.columns)}) values ${sql.join(rows, sql`, `)}`,
    )
  }
}

/** The table's number of rows, and a hash of all its lines, by which copies are compared. */
export async function digestOf(
  connection: Connection,
  table: CopiedTable,
  onLines: (lines: readonly string[]) => void | Promise<void> = () => {},
): Promise<{ rows: number; sha256: string }> {
  const hasher = new Bun.CryptoHasher('sha256')
  let rows = 0
  for await (const { lines } of readLines(connection, table)) {
    for (const line of lines) hasher.update(`${line}\n`)
    rows += lines.length
    await onLines(lines)
  }
  return { rows, sha256: hasher.digest('hex') }
}

function booleanColumns(connection: Pick<Connection, 't'>, name: string): Set<string> {
  const table = Object.values(connection.t).find((candidate) => getTableName(candidate) === name)
  const columns = table === undefined ? [] : Object.values(getTableColumns(table))
  return new Set(columns.filter((column) => column.dataType === 'boolean').map((column) => column.name))
}

/** SQLite stores booleans as numbers. */
function toBoolean(value: unknown): boolean | null {
  return value === null || value === undefined ? null : value === true || value === 1
}

function toPlain(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof ArrayBuffer) return { base64: Buffer.from(value).toString('base64') }
  if (ArrayBuffer.isView(value)) {
    return { base64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  }
  return value
}

function fromPlain(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  return Buffer.from((value as { base64: string }).base64, 'base64')
}

function list(names: readonly string[]): SQL {
  return sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )
}

function values(row: readonly unknown[]): SQL {
  return sql.join(
    row.map((value) => sql`${value}`),
    sql`, `,
  )
}
