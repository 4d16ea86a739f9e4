/**
 * Rows of batches that the intake refused. No submission says what they are about, so a row may be about an object if it has the
 * object's reference as a value.
 */
import { and, eq, gte, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { BatchRowState } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

/** A refused row as it was read; reopening or settling it changes `reopened` or `state`. */
export interface RefusedRow {
  batchId: string
  number: number
  modelSlug: string
  reopened: number
  state: BatchRowState
}

/** A refused row with its input; in a cancelled batch, only with its messages. */
export interface RefusedInput extends RefusedRow {
  texts: string[]
}

/** Rows of one batch, rows that may name an object, or all. */
export interface WhichRefused {
  batchId?: string
  objectReference?: string
}

/** Empties a batch's rows except for their numbers and the note that they were erased. */
export async function eraseRows(tx: Transaction, which: SQL | undefined): Promise<void> {
  const { batchRows } = tx.t
  const nothing = {
    submissionId: null,
    objectReference: null,
    rawInput: null,
    cause: null,
    code: null,
    step: null,
    place: null,
  }
  await tx.q
    .update(batchRows)
    .set({ ...nothing, message: null, state: 'erased', reopened: sql`${batchRows.reopened} + 1` })
    .where(which)
}

export async function eraseRefused(tx: Transaction, rows: readonly RefusedRow[]): Promise<void> {
  const { batchRows } = tx.t
  const byBatch = Map.groupBy(rows, ({ batchId }) => batchId)
  for (const [batchId, own] of byBatch) {
    const numbers = own.map(({ number }) => number)
    for (let from = 0; from < numbers.length; from += limits.tablePageRows) {
      const some = numbers.slice(from, from + limits.tablePageRows)
      await eraseRows(tx, and(eq(batchRows.batchId, batchId), inArray(batchRows.number, some)))
    }
  }
}

/** Locks rows against being submitted or reopened until the transaction ends. SQLite has only one writer anyway. */
export async function holdRows(tx: Transaction, rows: readonly RefusedRow[]): Promise<void> {
  if (tx.dialect === 'sqlite') return
  const { batchRows } = tx.t
  for (let from = 0; from < rows.length; from += limits.tablePageRows) {
    const keys = rows
      .slice(from, from + limits.tablePageRows)
      .map(({ batchId, number }) => sql`(${batchId}, ${number})`)
    const isOne = sql`(${batchRows.batchId}, ${batchRows.number}) in (${sql.join(keys, sql`, `)})`
    await tx.rows(sql`select number from ${batchRows} where ${isOne} order by batch_id, number for update`)
  }
}

/** Lists refused rows without their inputs, which may be many and long. */
export async function listRefused(
  connection: Connection,
  { batchId, objectReference }: WhichRefused,
): Promise<RefusedRow[]> {
  const { batches, batchRows } = connection.t
  const isOf = batchId === undefined ? undefined : eq(batchRows.batchId, batchId)
  const rows: RefusedRow[] = []
  for (const source of [hasInput, wasRefused]) {
    const own = await connection.q
      .select(rowFields(connection))
      .from(batchRows)
      .innerJoin(batches, eq(batches.id, batchRows.batchId))
      .where(and(source, isOf, objectReference === undefined ? undefined : mayName(connection, objectReference)))
    for (const row of own) rows.push(row)
  }
  return rows
}

/** These rows with their inputs, a page at a time, as they are when each page is read. */
export async function* readRefused(
  connection: Connection,
  rows: readonly RefusedRow[],
): AsyncGenerator<RefusedInput[], void> {
  const { batches, batchRows } = connection.t
  for (let from = 0; from < rows.length; from += limits.tablePageRows) {
    const some = rows.slice(from, from + limits.tablePageRows)
    const isOne = some.map(({ batchId, number }) => and(eq(batchRows.batchId, batchId), eq(batchRows.number, number)))
    const page = await connection.q
      .select({
        ...rowFields(connection),
        ...{ rawInput: batchRows.rawInput, reference: batchRows.objectReference },
        ...{ place: batchRows.place, message: batchRows.message },
      })
      .from(batchRows)
      .innerJoin(batches, eq(batches.id, batchRows.batchId))
      .where(or(...isOne))
    yield page.map(({ rawInput, reference, place, message, ...row }) => ({
      ...row,
      texts: [rawInput, reference, place, message].filter((text) => text !== null),
    }))
  }
}

/** Batches that still have their file, because not all rows are submitted. */
export function listWithFile(connection: Connection): Promise<{ id: string; fileHash: string | null }[]> {
  const { batches } = connection.t
  return connection.q
    .select({ id: batches.id, fileHash: batches.fileHash })
    .from(batches)
    .where(isNotNull(batches.fileHash))
}

/** Hashes of the files of batches that were cancelled since an instant. */
export async function listCancelledFiles(connection: Connection, since: Instant): Promise<string[]> {
  const { batches } = connection.t
  const rows = await connection.q
    .selectDistinct({ hash: batches.contentHash })
    .from(batches)
    .where(and(eq(batches.status, 'cancelled'), gte(batches.completedAt, since)))
  return rows.map(({ hash }) => hash)
}

/** Hashes of the files that had these rows. */
export async function listFilesOf(connection: Connection, rows: readonly RefusedRow[]): Promise<string[]> {
  const { batches } = connection.t
  const ids = [...new Set(rows.map(({ batchId }) => batchId))]
  const hashes = new Set<string>()
  for (let from = 0; from < ids.length; from += limits.tablePageRows) {
    const isOf = inArray(batches.id, ids.slice(from, from + limits.tablePageRows))
    const found = await connection.q.select({ hash: batches.contentHash }).from(batches).where(isOf)
    for (const { hash } of found) hashes.add(hash)
  }
  return [...hashes]
}

type Column = Tables['batchRows']['rawInput' | 'objectReference' | 'place' | 'message']

/** Literals, to match their partial indexes. A row that waits to be submitted again has its input, too. */
const hasInput = sql`raw_input is not null`
/** Rows of a cancelled batch no longer have an input. `coalesce`, because most rows that have a cause have a submission. */
const wasRefused = sql`cause is not null and raw_input is null and coalesce(submission_id, '') = ''`

function rowFields({ t: { batches, batchRows } }: Connection) {
  return {
    ...{ batchId: batchRows.batchId, number: batchRows.number, modelSlug: batches.modelSlug },
    ...{ reopened: batchRows.reopened, state: batchRows.state },
  }
}

/** SQL condition: the row's texts may contain the reference. JSON inputs with a backslash count, because escapes may hide it. */
function mayName({ dialect, t: { batchRows } }: Connection, objectReference: string): SQL | undefined {
  const has = (column: Column, text: string) =>
    dialect === 'sqlite' ? sql`instr(${column}, ${text}) > 0` : sql`strpos(${column}, ${text}) > 0`
  return or(
    has(batchRows.rawInput, '\\'),
    ...[batchRows.rawInput, batchRows.objectReference, batchRows.place, batchRows.message].map((column) =>
      has(column, objectReference),
    ),
  )
}
